/** The text of a YAML or JSON configuration -> checked values. Faults name the file, line, column, key and remedy. */
import { LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { InputError, messageOf } from '../errors.ts';
import { listFaults } from './issues.ts';
import { pathText, withProperNames } from './names.ts';
import type { KeyPath } from './names.ts';
import { parseConfig } from './schema.ts';
import type { Config } from './schema.ts';

const MAX_FAULTS = 20;

/** `path` is what messages call the file. */
export function parseConfigText(text: string, path: string): Config {
  const lines = new LineCounter();
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  let document: Document;
  let raw: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [problem] = document.errors;
    if (problem !== undefined) throw new InputError(`${placeOf(problem.pos[0])} not valid YAML or JSON: ${problem.message}`);
    raw = document.toJS();
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${path}: not valid YAML or JSON: ${messageOf(error)}`);
  }
  const { value, origins, twice } = withProperNames(raw ?? {});
  const [again] = twice;
  if (again !== undefined) throw new InputError(`${placeOf(offsetOf(document, again, true))} ${pathText(again)}: given twice`);
  const result = parseConfig(value);
  if ('config' in result) return result.config;
  const messages = listFaults(result.issues, value).map(({ path: at, message, atKey }) => {
    const place = placeOf(offsetOf(document, originOf(origins, at), atKey));
    const name = atKey ? pathText(originOf(origins, at)) : pathText(at);
    return `${place} ${name === '' ? '' : `${name}: `}${message}`;
  });
  const more = messages.length - MAX_FAULTS;
  throw new InputError([...messages.slice(0, MAX_FAULTS), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
}

/** Path in the file of a proper path; of what is missing, that of what it is missing in. */
function originOf(origins: ReadonlyMap<string, KeyPath>, path: KeyPath): KeyPath {
  for (let length = path.length; length > 0; length--) {
    const origin = origins.get(pathText(path.slice(0, length)));
    if (origin !== undefined) return origin;
  }
  return [];
}

/** Offset in the text of a value or its key; of the nearest thing around it when it stands elsewhere (an alias). */
export function offsetOf(document: Document, path: KeyPath, atKey: boolean): number {
  const last = path[path.length - 1];
  const parent = path.length === 0 ? undefined : path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
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
