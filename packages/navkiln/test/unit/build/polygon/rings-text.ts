/** Returns rings as text, each from its first point by text on, so that start and order of rings do not count. */
import type { Rings } from '../../../../src/base/plane/types.ts';

export function textOfRings({ ringCount, start, x, y }: Rings): string[] {
  return Array.from({ length: ringCount }, (_, r) => {
    const points = Array.from(
      { length: start[r + 1]! - start[r]! },
      (__, i) => `${x[start[r]! + i]},${y[start[r]! + i]}`,
    );
    const first = points.indexOf(points.toSorted()[0]!);
    return [...points.slice(first), ...points.slice(0, first)].join(' ');
  }).toSorted();
}
