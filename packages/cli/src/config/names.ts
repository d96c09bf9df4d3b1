/**
 * Accepts names as they are on the command line: `cell-size` for `cellSize`, a top-level `agent-radius` or
 * `agentRadius` for `agent: { radius }`, and `max-slope` in `agent` for `maxSlopeDegrees`.
 */
import { listFlags } from './fields.ts';

export type KeyPath = readonly (string | number)[];

export interface Named {
  value: unknown;
  /** Canonical path as text -> path in the file. */
  origins: Map<string, KeyPath>;
  /** Values that the file gives under two names: the path of the second. */
  twice: KeyPath[];
}

/** Returns a path as text, such as agent.radius or levels[0].file. */
export function pathText(path: KeyPath): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join('');
}

function camel(key: string): string {
  return key.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the canonical path of a key. Unknown names stay as written. */
function properPath(path: KeyPath, key: string): KeyPath {
  const name = camel(key);
  for (const { flag, path: field } of listFlags()) {
    const flagName = camel(flag.slice(2));
    if (path.length === 0 && name === flagName) return field;
    if (path.length === 1 && field.length === 2 && field[0] === path[0] && camel(`${field[0]}-${key}`) === flagName)
      return field;
  }
  return [...path, name];
}

/** Returns the value with canonical names. */
export function withProperNames(value: unknown): Named {
  const origins = new Map<string, KeyPath>();
  const twice: KeyPath[] = [];
  const visit = (at: unknown, path: KeyPath, origin: KeyPath): unknown => {
    if (Array.isArray(at)) {
      return at.map((item: unknown, i) => {
        origins.set(pathText([...path, i]), [...origin, i]);
        return visit(item, [...path, i], [...origin, i]);
      });
    }
    if (typeof at !== 'object' || at === null) return at;
    const out = new Map<string, unknown>();
    for (const [key, inner] of Object.entries(at)) {
      const proper = properPath(path, key);
      const here = [...origin, key];
      if (origins.has(pathText(proper))) twice.push(here);
      origins.set(pathText(proper), here);
      const read = visit(inner, proper, here);
      const first = String(proper[path.length]);
      // `agent-radius` next to `agent: { … }` merges into one map.
      const whole = proper.length === path.length + 1 ? read : { [String(proper[path.length + 1])]: read };
      const known = out.get(first);
      const both = isRecord(known) && isRecord(whole);
      out.set(first, both ? { ...known, ...whole } : whole);
    }
    return Object.fromEntries(out);
  };
  return { value: visit(value, [], []), origins, twice };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
