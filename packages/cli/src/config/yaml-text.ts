/**
 * Parses the text of a YAML or JSON file and finds positions in it. Configurations and scene files share it.
 * No Node.
 */
import { LineCounter, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { InputError, messageOf } from '../errors.ts';
import { MAX_FAULTS } from './issues.ts';
import type { KeyPath } from './names.ts';

/** Largest number of brackets, commas, colons, dashes and line ends, which stand for values. Each takes the parser up to 50 µs. */
const MAX_MARKS = 50_000;

export interface YamlText {
  document: Document;
  value: unknown;
  /** Returns `path:line:column` of an offset in the text. */
  placeOf: (offset: number) => string;
}

/**
 * Parses a text as YAML or JSON. `path` is the name of the file in messages. Throws an `InputError` when it is
 * neither.
 */
export function readYaml(text: string, path: string): YamlText {
  const lines = new LineCounter();
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  checkSize(text, path);
  try {
    // The parser compares each key with each other. `checkKeys` does not.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
      uniqueKeys: false,
    });
    const [problem] = document.errors;
    if (problem !== undefined) {
      const why = isTooDeep(problem.message) ? 'it is nested too deeply' : problem.message;
      throw new InputError(`${placeOf(problem.pos[0])} not valid YAML or JSON: ${why}`);
    }
    checkKeys(document, placeOf);
    return { document, value: document.toJS() as unknown, placeOf };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = messageOf(error);
    const why = isTooDeep(message)
      ? 'it is nested too deeply'
      : /alias count/.test(message)
        ? 'its aliases stand for too many values; write them out'
        : message;
    throw new InputError(`${path}: not valid YAML or JSON: ${why}`);
  }
}

function checkSize(text: string, path: string): void {
  let marks = 0;
  for (let i = 0; i < text.length; i++) if ('[]{},:-?\n'.includes(text[i])) marks++;
  if (marks <= MAX_MARKS) return;
  const what = `${marks} brackets, commas, colons, dashes and line ends`;
  throw new InputError(`${path}: has ${what}, and at most ${MAX_MARKS} are read; split it`);
}

/** Returns whether the parser ran out of stack. */
function isTooDeep(message: string): boolean {
  return /call stack|too much recursion/i.test(message);
}

/** Refuses a map with a key that is there twice. */
function checkKeys(document: Document, placeOf: YamlText['placeOf']): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (!seen.has(name)) {
          seen.add(name);
          continue;
        }
        const place = placeOf((isNode(key) && key.range?.[0]) || 0);
        throw new InputError(`${place} not valid YAML or JSON: Map keys must be unique`);
      }
    },
  });
}

/** Throws an `InputError` with one line per message, up to a limit. */
export function refuseAll(messages: readonly string[]): never {
  const more = messages.length - MAX_FAULTS;
  throw new InputError([...messages.slice(0, MAX_FAULTS), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
}

/**
 * Returns the offset in the text of a value or its key. For an alias: the offset of the nearest enclosing
 * value.
 */
export function offsetOf(document: Document, path: KeyPath, atKey: boolean): number {
  const last = path[path.length - 1];
  const parent =
    path.length === 0 ? undefined : path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === last);
    const node = atKey || !isNode(pair?.value) ? pair?.key : pair.value;
    if (isNode(node) && node.range) return node.range[0];
  }
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
