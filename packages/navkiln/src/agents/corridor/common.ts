/**
 * The common polygon at which a corridor and a walk along the surface join: the choice of Detour's path corridor.
 *
 * In: a corridor, and a chain of neighboring polygons. Out: `common`.
 * Cost: the length of the corridor times the number of visited polygons, in comparisons of integers.
 * Based on: Detour's path corridor (Mikko Mononen).
 */
import type { Corridor } from '../../query/path/corridor.ts';
import { lastIndexOf } from '../../query/path/corridor.ts';

/** The last common polygon found: its index in the corridor (`place`) and in the walk (`step`). */
export const common: { place: number; step: number } = { place: 0, step: 0 };

/** Sets `common` to the common polygon furthest along the corridor. Returns false when there is none. */
export function findLastCommon(corridor: Corridor, visited: Int32Array, count: number): boolean {
  for (let place = corridor.count - 1; place >= 0; place--) if (isCommon(corridor, visited, count, place)) return true;
  return false;
}

/** Sets `common` to the common polygon that comes first in the corridor. Returns false when there is none. */
export function findFirstCommon(corridor: Corridor, visited: Int32Array, count: number): boolean {
  for (let place = 0; place < corridor.count; place++) if (isCommon(corridor, visited, count, place)) return true;
  return false;
}

function isCommon(corridor: Corridor, visited: Int32Array, count: number, place: number): boolean {
  const step = lastIndexOf(visited, count, corridor.polys[place]);
  if (step < 0) return false;
  common.place = place;
  common.step = step;
  return true;
}
