/**
 * Joins corners that see each other, where a path may be taut at both ends.
 *
 * In: an index with cones, the polygons around each corner.
 * Out: `edgeStart`, `edgeTarget` and `edgeLength` of the index, ordered by target.
 * Cost: linear in the cones of the polygons around each corner.
 * Based on: own.
 */
import { withRoom } from '../../query/walk/open-edges.ts';
import { createSeenCorners, findSeenCorners } from '../seen.ts';
import type { PathIndex } from '../types.ts';
import type { Sectors } from './sectors.ts';

const seen = createSeenCorners();

/** Writes the graph of corners into the index. */
export function joinCorners(out: PathIndex, sectors: Sectors): void {
  const { cornerCount, points } = out;
  // By corner: those that see it, each once.
  const seerStart = new Int32Array(cornerCount + 1);
  let seers: Int32Array = new Int32Array(16);
  let count = 0;
  const mark = new Int32Array(cornerCount).fill(-1);
  for (let corner = 0; corner < cornerCount; corner++) {
    for (let item = sectors.itemStart[corner]; item < sectors.itemStart[corner + 1]; item++) {
      findSeenCorners(seen, out, sectors.itemPoly[item], points, 2 * corner);
      seers = withRoom(seers, count + seen.count);
      for (let i = 0; i < seen.count; i++) {
        const other = seen.corners[i];
        if (other === corner || mark[other] === corner) continue;
        mark[other] = corner;
        seers[count++] = other;
      }
    }
    seerStart[corner + 1] = count;
    seers.subarray(seerStart[corner], count).sort();
  }
  const degree = new Int32Array(cornerCount + 1);
  const isMutual = (a: number, b: number): boolean => {
    let low = seerStart[a];
    let high = seerStart[a + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (seers[middle] < b) low = middle + 1;
      else high = middle;
    }
    return low < seerStart[a + 1] && seers[low] === b;
  };
  const targets = new Int32Array(count);
  let edgeCount = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    for (let i = seerStart[corner]; i < seerStart[corner + 1]; i++) {
      if (isMutual(seers[i], corner)) targets[edgeCount++] = seers[i];
    }
    degree[corner + 1] = edgeCount;
  }
  out.edgeStart = degree;
  out.edgeTarget = targets.slice(0, edgeCount);
  out.edgeLength = new Float64Array(edgeCount);
  for (let corner = 0; corner < cornerCount; corner++) {
    for (let i = degree[corner]; i < degree[corner + 1]; i++) {
      const other = targets[i];
      const dx = points[2 * other] - points[2 * corner];
      const dz = points[2 * other + 1] - points[2 * corner + 1];
      out.edgeLength[i] = Math.sqrt(dx * dx + dz * dz);
    }
  }
}
