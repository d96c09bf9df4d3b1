/**
 * Joins corners that see each other, if a path may be taut at both ends.
 *
 * Two corners that an update has kept (keep.ts) see each other if they did before.
 *
 * In: an index with cones, the polygons around each corner.
 * Out: `edgeStart`, `edgeTarget` and `edgeLength` of the index, ordered by target.
 * Cost: linear in the cones of the polygons around each corner; for kept corners, linear in their edges.
 * Based on: own.
 */
import { withRoom } from '../../walk/open-edges.ts';
import { createSeenCorners, findSeenCorners } from '../lookup/seen.ts';
import type { PathIndex } from '../types.ts';
import type { Kept } from './keep.ts';
import type { Sectors } from './sectors.ts';

const seen = createSeenCorners();

/** Per corner: the corners that see it, each once, ascending. For kept corners, only those that are not kept. */
interface Seers {
  start: Int32Array;
  end: Int32Array;
  count: number;
  list: Int32Array;
}

/** Writes the graph of corners into the index. */
export function joinCorners(out: PathIndex, sectors: Sectors, kept: Kept | undefined): void {
  const { cornerCount, points } = out;
  const seers = findSeers(out, sectors, kept);
  const starts = new Int32Array(cornerCount + 1);
  let targets: Int32Array = new Int32Array(16);
  let count = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    const { list, start, end } = seers;
    const o = kept === undefined ? -1 : kept.oldOf[corner];
    const room = count + end[corner] - start[corner];
    if (o >= 0) {
      const { edgeStart, edgeTarget } = kept!.old;
      targets = withRoom(targets, room + edgeStart[o + 1] - edgeStart[o]);
      for (let i = edgeStart[o]; i < edgeStart[o + 1]; i++) {
        const other = kept!.newOf[edgeTarget[i]];
        if (other >= 0) targets[count++] = other;
      }
    }
    targets = withRoom(targets, room);
    for (let i = start[corner]; i < end[corner]; i++) {
      if (isListed(seers, list[i], corner)) targets[count++] = list[i];
    }
    if (o >= 0) targets.subarray(starts[corner], count).sort();
    starts[corner + 1] = count;
  }
  out.edgeStart = starts;
  out.edgeTarget = targets.slice(0, count);
  out.edgeLength = new Float64Array(count);
  for (let corner = 0; corner < cornerCount; corner++) {
    for (let i = starts[corner]; i < starts[corner + 1]; i++) {
      const other = targets[i];
      const dx = points[2 * other] - points[2 * corner];
      const dz = points[2 * other + 1] - points[2 * corner + 1];
      out.edgeLength[i] = Math.sqrt(dx * dx + dz * dz);
    }
  }
}

function findSeers(index: PathIndex, sectors: Sectors, kept: Kept | undefined): Seers {
  const { cornerCount } = index;
  const out: Seers = {
    start: new Int32Array(cornerCount),
    end: new Int32Array(cornerCount),
    count: 0,
    list: new Int32Array(16),
  };
  const mark = new Int32Array(cornerCount).fill(-1);
  for (let corner = 0; corner < cornerCount; corner++) {
    if (kept === undefined || kept.oldOf[corner] < 0) listSeers(out, index, sectors, mark, corner, undefined);
  }
  if (kept === undefined) return out;
  // Marks kept corners that see corners that are not kept.
  const seesNew = new Uint8Array(cornerCount);
  for (let i = 0; i < out.count; i++) seesNew[out.list[i]] = 1;
  for (let corner = 0; corner < cornerCount; corner++) {
    if (seesNew[corner] === 1 && kept.oldOf[corner] >= 0) listSeers(out, index, sectors, mark, corner, kept.oldOf);
  }
  return out;
}

/** Lists for each corner the corners that see it; with `oldOf`, only corners that are not kept. */
function listSeers(
  out: Seers,
  index: PathIndex,
  sectors: Sectors,
  mark: Int32Array,
  corner: number,
  oldOf: Int32Array | undefined,
): void {
  out.start[corner] = out.count;
  for (let item = sectors.itemStart[corner]; item < sectors.itemStart[corner + 1]; item++) {
    findSeenCorners(seen, index, sectors.itemPoly[item], index.points, 2 * corner);
    out.list = withRoom(out.list, out.count + seen.count);
    for (let i = 0; i < seen.count; i++) {
      const other = seen.corners[i];
      if (other === corner || mark[other] === corner || (oldOf !== undefined && oldOf[other] >= 0)) continue;
      mark[other] = corner;
      out.list[out.count++] = other;
    }
  }
  out.end[corner] = out.count;
  out.list.subarray(out.start[corner], out.count).sort();
}

/** Returns whether corner b is listed among the corners that see corner a. */
function isListed({ start, end, list }: Seers, a: number, b: number): boolean {
  let low = start[a];
  let high = end[a];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < b) low = middle + 1;
    else high = middle;
  }
  return low < end[a] && list[low] === b;
}
