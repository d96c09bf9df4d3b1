/**
 * Parses the text of a YAML or JSON file and finds positions in it. Configurations and scene files share it.
 * No Node.
 */
import { LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { InputError, messageOf } from '../errors.ts';
import type { KeyPath } from './names.ts';

const MAX_FAULTS = 20;

export interface YamlText {
  document: Document;
  value: unknown;
  /** Returns `path:line:column` of an offset in the text. */
  placeOf: (offset: number) => string;
}

/** `path` is how messages name the file. Throws an `InputError` when it is neither YAML nor JSON. */
export function readYaml(text: string, path: string): YamlText {
  const lines = new LineCounter();
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
    const [problem] = document.errors;
    if (problem !== undefined)
      throw new InputError(`${placeOf(problem.pos[0])} not valid YAML or JSON: ${problem.message}`);
    return { document, value: document.toJS() as unknown, placeOf };
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${path}: not valid YAML or JSON: ${messageOf(error)}`);
  }
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
