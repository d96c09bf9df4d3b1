/**
 * Floor height: how high the ground of one region is at a place, for the detail mesh.
 *
 * A cell with a span of the region: that span's floor, or the one nearest to what is expected where the region winds over
 * itself. A cell without: the floor that leads to the region in the fewest steps along connections, so that what lies beside
 * it gets the floor of this storey and not of one above. No way there: the region's nearest cells. Cost: a look into one
 * column, nearly always.
 *
 * Tried and lost: the heights of all cells in a polygon's box, spread from the region's rim before the first is asked for, as
 * in Recast: seven tenths of the detail stage at a usual sample distance.
 *
 * Based on: own; which floor belongs to a place is Mikko Mononen's, Recast (2009), getHeightData.
 */
import { createWorkspace, takeInt32 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { CompactField } from './types.ts';

/** Spans looked at for a way to the region, and rings of cells around when there is none. */
const MAX_SPANS = 1024;
const MAX_RINGS = 32;

export interface FloorSearch {
  field: CompactField;
  /** The region asked for. */
  region: number;
  /** Spans in line, and the span of the first column each was reached from. */
  queue: Int32Array;
  origin: Int32Array;
  /** Where in the line a span stands, if it does: never cleared, so to be looked up there. */
  slot: Int32Array;
}

export function createFloorSearch(field: CompactField, workspace: Workspace = createWorkspace()): FloorSearch {
  return {
    field, region: 0, queue: new Int32Array(MAX_SPANS), origin: new Int32Array(MAX_SPANS),
    slot: takeInt32(workspace, 'regions.stack', field.spanCount),
  };
}

/**
 * Height at a place, in voxels; `expected` where the region is too far.
 *
 * @param x, z in cells from the field's corner
 */
export function floorHeight(search: FloorSearch, x: number, z: number, expected: number): number {
  const { field, region: own } = search;
  const { width, depth, columnStart, region, y } = field;
  // A hair inside, so that a place on a border belongs to the same cell for both neighbours.
  let cx = (x + 0.01) | 0, cz = (z + 0.01) | 0;
  if (cx < 0) cx = 0; else if (cx >= width) cx = width - 1;
  if (cz < 0) cz = 0; else if (cz >= depth) cz = depth - 1;
  const c = cx + cz * width;
  const begin = columnStart[c]!, end = columnStart[c + 1]!;
  let best = -1, closest = Infinity;
  for (let i = begin; i < end; i++) {
    if (region[i] !== own) continue;
    const distance = Math.abs(y[i]! - expected);
    if (distance < closest) {
      closest = distance;
      best = y[i]!;
    }
  }
  if (best !== -1) return best;
  const i = spanTowards(search, begin, end);
  return i === -1 ? heightAround(search, cx, cz, expected) : y[i]!;
}

/** Of spans begin .. end - 1 the one from which the region is reached first; -1: none within `MAX_SPANS`. */
function spanTowards(search: FloorSearch, begin: number, end: number): number {
  const { field, region: own, queue, origin, slot } = search;
  const { neighbor, region } = field;
  let count = 0;
  for (let i = begin; i < end; i++) {
    slot[i] = count;
    queue[count] = origin[count++] = i;
  }
  for (let k = 0; k < count; k++) {
    for (let e = 4 * queue[k]!, last = e + 4; e < last; e++) {
      const a = neighbor[e]!;
      if (a === -1) continue;
      if (region[a] === own) return origin[k]!;
      const at = slot[a]!;
      if (count === MAX_SPANS || (at >= 0 && at < count && queue[at] === a)) continue;
      slot[a] = count;
      queue[count] = a;
      origin[count++] = origin[k]!;
    }
  }
  return -1;
}

/** Of the first ring of cells around that has the region, the height closest to `expected`. */
function heightAround(search: FloorSearch, cx: number, cz: number, expected: number): number {
  const { field, region: own } = search;
  const { width, depth, columnStart, region, y } = field;
  for (let ring = 1; ring <= MAX_RINGS; ring++) {
    let best = expected, closest = Infinity;
    for (let z = cz - ring; z <= cz + ring; z++) {
      if (z < 0 || z >= depth) continue;
      const step = z === cz - ring || z === cz + ring ? 1 : 2 * ring;
      for (let x = cx - ring; x <= cx + ring; x += step) {
        if (x < 0 || x >= width) continue;
        const c = x + z * width;
        for (let i = columnStart[c]!; i < columnStart[c + 1]!; i++) {
          const distance = Math.abs(y[i]! - expected);
          if (region[i] !== own || distance >= closest) continue;
          closest = distance;
          best = y[i]!;
        }
      }
    }
    if (closest < Infinity) return best;
  }
  return expected;
}
