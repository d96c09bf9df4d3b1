/**
 * Finds the height of one region's floor at a position, for the detail mesh.
 *
 * If the cell has a span of the region, that span's floor counts; of several, the one nearest to the expected height.
 * A position on the border of two cells may belong to the other one if their floors are more than a climb apart. For
 * example, a region of a spiral may end above the cells at which it begins. In a cell without a span of the region,
 * that floor counts which leads to the region in the fewest steps along connections. So a position next to the region
 * gets the floor of its own storey and not of one above. If none leads there, the region's nearest cells count.
 *
 * In: CompactField, a region and a position. Out: a height in voxels.
 * Cost: one column in nearly all calls.
 * Based on: own; which floor belongs to a position is Mikko Mononen's, Recast (2009), getHeightData.
 * Tried: heights of all cells in a polygon's box, spread from the region's rim as in Recast, take seven
 *   tenths of the detail stage (`npm run bench -- --only bake --stages`).
 */
import { REMOVED_Y } from '../constants.ts';
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { takeSlot } from './memory.ts';
import { createRecord } from './records.ts';
import type { CompactField } from './types.ts';

/** Most spans that the search for the region visits; fits `queueIndex`. */
const MAX_SPANS = 1024;
/** Most rings of cells that are searched around a position from which no connection leads to the region. */
const MAX_RINGS = 32;

/** Spans in the queue, and for each the span of the first column from which it was reached. */
const queue = new Int32Array(MAX_SPANS);
const origin = new Int32Array(MAX_SPANS);

/** State of floor searches in one field. */
export interface FloorSearch {
  field: CompactField;
  /** The region to find; 0: any. Set by the caller before a search. */
  region: number;
  /** The agent's climb, voxels. */
  climb: number;
  /**
   * Index of each span in the queue. Never cleared: an index counts only if the queue holds the span there.
   */
  queueIndex: Uint16Array;
}

/** Creates the state of floor searches. Without a workspace it gets memory of its own. */
export function createFloorSearch(
  field: CompactField,
  climb: number,
  workspace: Workspace = createWorkspace(),
): FloorSearch {
  const queueIndex = takeSlot(workspace, 'detail.queueIndex', field.spanCount);
  return createRecord((): FloorSearch => ({ field, region: 0, climb, queueIndex }));
}

/**
 * Returns the height of the region's floor at a position, in voxels; `expected` when the region is too far
 * away.
 *
 * @param x, z cells from the field's corner
 */
export function floorHeight(search: FloorSearch, x: number, z: number, expected: number): number {
  const { width, depth, y } = search.field;
  // Slightly inside, so that a position on a border belongs to the same cell for both neighbors.
  const cx = clamp((x + 0.01) | 0, width);
  const cz = clamp((z + 0.01) | 0, depth);
  const c = cx + cz * width;
  let best = heightIn(search, c, expected);
  const own = best;
  if (Math.abs(own - expected) > search.climb && own !== -1) {
    for (let row = clamp((z - 0.01) | 0, depth); row <= cz; row++) {
      for (let column = clamp((x - 0.01) | 0, width); column <= cx; column++) {
        const other = heightIn(search, column + row * width, expected);
        const isApart = other !== -1 && Math.abs(other - own) > search.climb;
        if (isApart && Math.abs(other - expected) < Math.abs(best - expected)) best = other;
      }
    }
  }
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

/** Returns the height of the region's floor in column c that is closest to `expected`; -1: none. */
function heightIn({ field, region: own }: FloorSearch, c: number, expected: number): number {
  const { columnStart, region, y } = field;
  let best = -1;
  let closest = Infinity;
  for (let i = columnStart[c], end = columnStart[c + 1]; i < end; i++) {
    if ((region[i] !== own && own !== 0) || y[i] === REMOVED_Y) continue;
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

/**
 * Returns the span of column c from which the region is reached in the fewest steps; -1: none within
 * `MAX_SPANS`.
 */
function spanTowards({ field, region: own, queueIndex }: FloorSearch, c: number): number {
  const { neighbor, region, columnStart, y } = field;
  let count = 0;
  for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
    if (y[i] === REMOVED_Y) continue;
    queueIndex[i] = count;
    queue[count] = origin[count++] = i;
  }
  for (let k = 0; k < count; k++) {
    for (let e = 4 * queue[k], last = e + 4; e < last; e++) {
      const a = neighbor[e];
      if (a === -1) continue;
      if (region[a] === own) return origin[k];
      const at = queueIndex[a];
      if (count === MAX_SPANS || (at < count && queue[at] === a)) continue;
      queueIndex[a] = count;
      queue[count] = a;
      origin[count++] = origin[k];
    }
  }
  return -1;
}
