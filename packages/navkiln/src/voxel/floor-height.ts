/**
 * Floor height: how high the ground of one region is at a place, for the detail mesh.
 *
 * A cell with a span of the region: that span's floor, or the one nearest to what is expected where the region winds over
 * itself. A cell without: the floor that leads to the region in the fewest steps along connections, so that what lies beside
 * it gets the floor of this storey and not of one above. No way there: the region's nearest cells. Cost: a look into one
 * column, nearly always.
 *
 * Tried and lost: the heights of all cells in a polygon's box, spread from the region's rim before the first is asked for, as
 * in Recast: seven tenths of the detail stage at a usual sample distance. The cell itself as the innermost ring of the search
 * around it: 1.07 of the detail stage.
 *
 * Based on: own; which floor belongs to a place is Mikko Mononen's, Recast (2009), getHeightData.
 */
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { takeSlot } from './memory.ts';
import type { CompactField } from './types.ts';

/** Spans looked at for a way to the region, and rings of cells around when there is none. */
const MAX_SPANS = 1024;
const MAX_RINGS = 32;

/** Spans in line, and the span of the first column each was reached from. */
const queue = new Int32Array(MAX_SPANS);
const origin = new Int32Array(MAX_SPANS);

export interface FloorSearch {
  field: CompactField;
  /** The region asked for; 0: any. */
  region: number;
  /** Where in the line a span stands, if it does: never cleared, so to be looked up there. */
  slot: Uint32Array;
}

export function createFloorSearch(field: CompactField, workspace: Workspace = createWorkspace()): FloorSearch {
  return { field, region: 0, slot: takeSlot(workspace, 'detail.queueIndex', field.spanCount) };
}

/**
 * Height at a place, in voxels; `expected` where the region is too far.
 *
 * @param x, z in cells from the field's corner
 */
export function floorHeight(search: FloorSearch, x: number, z: number, expected: number): number {
  const { width, depth, y } = search.field;
  // A hair inside, so that a place on a border belongs to the same cell for both neighbours.
  const cx = clamp((x + 0.01) | 0, width);
  const cz = clamp((z + 0.01) | 0, depth);
  const c = cx + cz * width;
  let best = heightIn(search, c, expected);
  if (best !== -1) return best;
  const i = spanTowards(search, c);
  if (i !== -1) return y[i];
  for (let ring = 1, closest = Infinity; ring <= MAX_RINGS && closest === Infinity; ring++) {
    for (let row = cz - ring; row <= cz + ring; row++) {
      const step = row === cz - ring || row === cz + ring ? 1 : 2 * ring;
      for (let column = cx - ring; column <= cx + ring; column += step) {
        if (row < 0 || row >= depth || column < 0 || column >= width) continue;
        const height = heightIn(search, column + row * width, expected);
        const distance = Math.abs(height - expected);
        if (height === -1 || distance >= closest) continue;
        closest = distance;
        best = height;
      }
    }
  }
  return best === -1 ? expected : best;
}

/** Of the region's floors in column c the one closest to `expected`; -1: none. */
function heightIn({ field, region: own }: FloorSearch, c: number, expected: number): number {
  const { columnStart, region, y } = field;
  let best = -1;
  let closest = Infinity;
  for (let i = columnStart[c], end = columnStart[c + 1]; i < end; i++) {
    if (region[i] !== own && own !== 0) continue;
    const distance = Math.abs(y[i] - expected);
    if (distance < closest) {
      closest = distance;
      best = y[i];
    }
  }
  return best;
}

function clamp(cell: number, count: number): number {
  return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

/** Of the spans of column c the one from which the region is reached first; -1: none within `MAX_SPANS`. */
function spanTowards({ field, region: own, slot }: FloorSearch, c: number): number {
  const { neighbor, region, columnStart } = field;
  let count = 0;
  for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
    slot[i] = count;
    queue[count] = origin[count++] = i;
  }
  for (let k = 0; k < count; k++) {
    for (let e = 4 * queue[k], last = e + 4; e < last; e++) {
      const a = neighbor[e];
      if (a === -1) continue;
      if (region[a] === own) return origin[k];
      const at = slot[a];
      if (count === MAX_SPANS || (at < count && queue[at] === a)) continue;
      slot[a] = count;
      queue[count] = a;
      origin[count++] = origin[k];
    }
  }
  return -1;
}
