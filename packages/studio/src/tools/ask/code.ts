/** Questions as a developer writes them, to be copied. */
import type { Vec3 } from '../../state/state.ts';

export function codePoint(point: Vec3): string {
  return `[${point.map((value) => String(value)).join(', ')}]`;
}

/**
 * `{ a: 1, b }`, or nothing when there is nothing in it. An entry without value is written as its name alone.
 */
export function codeOptions(
  entries: readonly (readonly [name: string, value: string | undefined] | undefined)[],
): string {
  const parts = entries.flatMap((entry) =>
    entry === undefined ? [] : [entry[1] === undefined ? entry[0] : entry.join(': ')],
  );
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

/** A call, its last arguments left out when they are empty. */
export function codeCall(name: string, ...given: string[]): string {
  return `${name}(${['navMesh', ...given.filter((one) => one !== '')].join(', ')})`;
}

/** Lines with the import they need. `filter`: what is written before them, may be empty. */
export function codeOf(names: readonly string[], filter: string, lines: readonly string[]): string {
  const all = [...new Set([...names, ...(filter === '' ? [] : ['createFilter'])])].sort();
  return [`import { ${all.join(', ')} } from 'navkiln';`, '', ...(filter === '' ? [] : [filter]), ...lines].join('\n');
}
