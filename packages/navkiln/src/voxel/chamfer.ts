/**
 * Chamfer distance: two sweeps over a compact field that give each span its distance to the nearest span marked 0,
 * counting 2 for a step along an axis and 3 for one across a corner. Shared by erosion and the distance field.
 *
 * Cost: two passes over the spans. Distances saturate at `limit`.
 *
 * Based on: Gunilla Borgefors, Distance transformations in digital images (1986); Mikko Mononen, Recast (2009).
 */
import type { CompactField } from './types.ts';

/** @param distance one a span: 0 where the sweep starts, `limit` elsewhere. Changed in place. */
export function sweepDistance(field: CompactField, distance: Uint8Array | Uint16Array, limit: number): void {
  const { spanCount, neighbor } = field;
  for (let i = 0; i < spanCount; i++) {
    let d = distance[i]!;
    if (d === 0) continue;
    const west = neighbor[4 * i]!;
    if (west !== -1) {
      if (distance[west]! + 2 < d) d = distance[west]! + 2;
      const corner = neighbor[4 * west + 3]!;
      if (corner !== -1 && distance[corner]! + 3 < d) d = distance[corner]! + 3;
    }
    const north = neighbor[4 * i + 3]!;
    if (north !== -1) {
      if (distance[north]! + 2 < d) d = distance[north]! + 2;
      const corner = neighbor[4 * north + 2]!;
      if (corner !== -1 && distance[corner]! + 3 < d) d = distance[corner]! + 3;
    }
    distance[i] = d > limit ? limit : d;
  }
  for (let i = spanCount - 1; i >= 0; i--) {
    let d = distance[i]!;
    if (d === 0) continue;
    const east = neighbor[4 * i + 2]!;
    if (east !== -1) {
      if (distance[east]! + 2 < d) d = distance[east]! + 2;
      const corner = neighbor[4 * east + 1]!;
      if (corner !== -1 && distance[corner]! + 3 < d) d = distance[corner]! + 3;
    }
    const south = neighbor[4 * i + 1]!;
    if (south !== -1) {
      if (distance[south]! + 2 < d) d = distance[south]! + 2;
      const corner = neighbor[4 * south]!;
      if (corner !== -1 && distance[corner]! + 3 < d) d = distance[corner]! + 3;
    }
    distance[i] = d > limit ? limit : d;
  }
}
