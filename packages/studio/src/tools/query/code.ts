/** Writes queries as TypeScript, for copying. */
import type { Vec3 } from '../../state/state.ts';

export function codePoint(point: Vec3): string {
  return `[${point.map((value) => String(value)).join(', ')}]`;
}

/**
 * Returns an object literal such as `{ a: 1, b }`, or '' without entries. An entry without a value becomes
 * its name alone.
 */
export function codeOptions(
  entries: readonly (readonly [name: string, value: string | undefined] | undefined)[],
): string {
  const parts = entries.flatMap((entry) =>
    entry === undefined ? [] : [entry[1] === undefined ? entry[0] : entry.join(': ')],
  );
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

/** Returns a call; empty arguments are left out. */
export function codeCall(name: string, ...args: string[]): string {
  return `${name}(${['navMesh', ...args.filter((arg) => arg !== '')].join(', ')})`;
}

/** Returns lines with the import that they need. `filter` is the line that creates the filter, or ''. */
export function codeOf(names: readonly string[], filter: string, lines: readonly string[]): string {
  const all = [...new Set([...names, ...(filter === '' ? [] : ['createFilter'])])].sort();
  return [`import { ${all.join(', ')} } from 'navkiln';`, '', ...(filter === '' ? [] : [filter]), ...lines].join('\n');
}
