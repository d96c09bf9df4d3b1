/**
 * Finds the height of a polygon's floor at a position, for the detail mesh.
 *
 * If the cell has a span of the polygon's region near the expected height, that span's floor counts. A position on the border of two
 * cells may belong to the other one if their floors are more than a climb apart. For example, a region of a spiral may end above the
 * cells at which it begins. Otherwise the cell may have other storeys only: a simplified outline leaves the cells of its region, and a
 * deck and the ground below it may be one region. Then the search follows connections from the last floor of the polygon that it found,
 * straight to the cell, so that it stays on the storey. If a wall is in between, that floor counts which leads to the region in the
 * fewest steps along connections. If none leads there, the region's nearest cells count. A floor that is off by half the agent's
 * height or more counts only if connections lead to it, or if the cell has no other one. A polygon of several regions has no region of
 * its own: in cells with several floors, connections decide.
 *
 * In: CompactField, a region and a position. Out: a height in voxels.
 * Cost: one column in nearly all calls.
 * Based on: own; which floor belongs to a position is Mikko Mononen's, Recast (2009), getHeightData.
 * Tried: heights of all cells in a polygon's box, spread from the region's rim as in Recast, take seven
 *   tenths of the detail stage (`npm run bench -- --only bake --stages`).
 */
import { REMOVED_Y } from '../../../base/constants.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { takeSlot } from '../memory.ts';
import { createRecord } from '../records.ts';
import type { CompactField } from '../types.ts';

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
  /** The region to find; 0: any. Set by `startFloors`. */
  region: number;
  /** The agent's climb, voxels. */
  climb: number;
  /** Distance from the expected height up to which a floor of the region counts, voxels. Other storeys are twice as far away. */
  near: number;
  /** The last floor that was found, from which connections are followed: its column and span; -1: none. */
  lastX: number;
  lastZ: number;
  last: number;
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
  const near = Math.max(climb, field.walkableHeightCells >> 1);
  return createRecord((): FloorSearch => ({
    field,
    region: 0,
    climb,
    near,
    lastX: 0,
    lastZ: 0,
    last: -1,
    queueIndex,
  }));
}

/**
 * Starts the searches of a polygon at one of its vertices.
 *
 * @param x, z whole cells from the field's corner
 */
export function startFloors(search: FloorSearch, region: number, x: number, y: number, z: number): void {
  const { width, depth, columnStart } = search.field;
  search.region = region;
  search.last = -1;
  // Of the four cells around the vertex, the one with the nearest floor.
  let closest = search.near;
  for (let row = clamp(z - 1, depth); row <= clamp(z, depth); row++) {
    for (let column = clamp(x - 1, width); column <= clamp(x, width); column++) {
      const c = column + row * width;
      for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
        const distance = Math.abs(search.field.y[i] - y) + (search.field.region[i] === region ? 0 : 0.5);
        if (distance >= closest) continue;
        closest = distance;
        search.last = i;
        search.lastX = column;
        search.lastZ = row;
      }
    }
  }
}

/**
 * Returns the height of the region's floor at a position, in voxels; `expected` when the region is too far
 * away.
 *
 * @param x, z cells from the field's corner
 */
export function floorHeight(search: FloorSearch, x: number, z: number, expected: number): number {
  const { width, depth, y, columnStart } = search.field;
  // Slightly inside, so that a position on a border belongs to the same cell for both neighbors.
  const cx = clamp((x + 0.01) | 0, width);
  const cz = clamp((z + 0.01) | 0, depth);
  const c = cx + cz * width;
  const floorCount = columnStart[c + 1] - columnStart[c];
  let i = spanIn(search, c, expected);
  // The only floor of a cell beyond the region's outline, a step away at most: no need to follow connections.
  const first = columnStart[c];
  if (i === -1 && floorCount === 1 && Math.abs(y[first] - expected) <= search.climb) i = first;
  let best = i === -1 ? -1 : y[i];
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
  // A polygon of several regions may have any floor of the column.
  const isOpen = search.region === 0 && floorCount > 1;
  if (best === -1 || isOpen || Math.abs(best - expected) > search.near) {
    const reached = walkTo(search, cx, cz);
    if (reached !== -1) {
      i = reached;
      best = y[i];
    } else if (!isOpen && floorCount > 1 && best !== -1) return expected;
  }
  if (best !== -1) {
    if (i !== -1 && y[i] === best) {
      search.last = i;
      search.lastX = cx;
      search.lastZ = cz;
    }
    return best;
  }
  i = spanTowards(search, c, expected);
  if (i !== -1) return y[i];
  for (let ring = 1, closest = search.near; ring <= MAX_RINGS && closest === search.near; ring++) {
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

/** Follows connections from the last floor straight to column cx, cz. Returns the span there; -1: a wall is in between. */
function walkTo({ field: { neighbor }, lastX, lastZ, last }: FloorSearch, cx: number, cz: number): number {
  // What is left along each axis, and twice how far the next step along x would be nearer to the line than that along z.
  let x = Math.abs(cx - lastX);
  let z = Math.abs(cz - lastZ);
  const perX = 2 * z;
  const perZ = 2 * x;
  const alongX = cx < lastX ? 0 : 2;
  const alongZ = cz < lastZ ? 3 : 1;
  let gain = x - z;
  let i = last;
  while (i !== -1 && (x > 0 || z > 0)) {
    // The step that stays nearer to the line; the other one where that is a wall.
    let goesX = z === 0 || (x > 0 && gain >= 0);
    let next = neighbor[4 * i + (goesX ? alongX : alongZ)];
    if (next === -1 && (goesX ? z > 0 : x > 0)) {
      goesX = !goesX;
      next = neighbor[4 * i + (goesX ? alongX : alongZ)];
    }
    i = next;
    if (goesX) {
      x--;
      gain -= perX;
    } else {
      z--;
      gain += perZ;
    }
  }
  return i;
}

/** Returns the height of the region's floor in column c that is closest to `expected`; -1: none. */
function heightIn(search: FloorSearch, c: number, expected: number): number {
  const i = spanIn(search, c, expected);
  return i === -1 ? -1 : search.field.y[i];
}

/** Returns the region's span in column c whose floor is closest to `expected`; -1: none. */
function spanIn({ field, region: own }: FloorSearch, c: number, expected: number): number {
  const { columnStart, region, y } = field;
  let best = -1;
  let closest = Infinity;
  for (let i = columnStart[c], end = columnStart[c + 1]; i < end; i++) {
    if ((region[i] !== own && own !== 0) || y[i] === REMOVED_Y) continue;
    const distance = Math.abs(y[i] - expected);
    if (distance < closest) {
      closest = distance;
      best = i;
    }
  }
  return best;
}

function clamp(cell: number, count: number): number {
  return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

/**
 * Returns the span of column c from which the region is reached in the fewest steps; -1: none within `MAX_SPANS`. Of several, only those
 * near the expected height count.
 */
function spanTowards({ field, region: own, queueIndex, near }: FloorSearch, c: number, expected: number): number {
  const { neighbor, region, columnStart, y } = field;
  const end = columnStart[c + 1];
  const isOnly = end - columnStart[c] === 1;
  let count = 0;
  for (let i = columnStart[c]; i < end; i++) {
    if (y[i] === REMOVED_Y || !(isOnly || Math.abs(y[i] - expected) <= near)) continue;
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
