/** Writes queries as TypeScript, for copying. */
import type { Vec3 } from '../../state/state.ts';
import type { QueryResult } from './kind.ts';

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

/** Returns lines with the imports that they need. `filter` is the line that creates the filter, or ''. */
export function codeOf({ names, mapNames = [], lines }: QueryResult['code'], filter: string): string {
  const all = [
    ...new Set([
      ...names,
      ...['createAgentTypes', 'createFilter', 'typeFilter'].filter((name) => filter.includes(`${name}(`)),
    ]),
  ].sort();
  const imports = [
    ...(all.length === 0 ? [] : [`import { ${all.join(', ')} } from 'navkiln';`]),
    ...(mapNames.length === 0 ? [] : [`import { ${[...mapNames].sort().join(', ')} } from 'navkiln/polygon';`]),
  ];
  return [...imports, '', ...(filter === '' ? [] : [filter]), ...lines].join('\n');
}
