/**
 * Finds the shortest path from corner to corner by A* over the graph of corners: the tier without a table.
 *
 * The estimate is the straight distance to the end. A corner that sees the end is at exactly that distance, so the first such corner
 * that is taken ends the shortest path. Corners are left only where the path wraps around their obstacle.
 *
 * In: corners that see both ends.
 * Out: the corners of the shortest path, and its length.
 * Cost: O(m log n) in the corners that are nearer than the end.
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
 */
import { createMinHeap, popItem, pushItem } from '../data/min-heap.ts';
import type { MinHeap } from '../data/min-heap.ts';
import { withRoom } from '../query/walk/open-edges.ts';
import type { CornerPath } from './pairs.ts';
import type { SeenCorners } from './seen.ts';
import type { PathIndex } from './types.ts';

/** The sine of an angle that counts as none. */
const NEARLY = 1e-9;

/** Memory of the search. Nothing is cleared between searches: entries are valid where `stamps` has the number of the search. */
export interface CornerSearch {
  stamp: number;
  /** By corner. */
  stamps: Int32Array;
  isDone: Uint8Array;
  length: Float64Array;
  estimate: Float64Array;
  parent: Int32Array;
  /** By corner: the number of the last search whose end it sees. */
  goalStamps: Int32Array;
  heap: MinHeap;
}

export function createCornerSearch(): CornerSearch {
  const none = new Int32Array(0);
  return {
    stamp: 0,
    stamps: none,
    isDone: new Uint8Array(0),
    length: new Float64Array(0),
    estimate: new Float64Array(0),
    parent: none,
    goalStamps: none,
    heap: createMinHeap(),
  };
}

function beginSearch(state: CornerSearch, cornerCount: number): void {
  if (state.stamps.length < cornerCount) {
    state.stamps = new Int32Array(cornerCount);
    state.isDone = new Uint8Array(cornerCount);
    state.length = new Float64Array(cornerCount);
    state.estimate = new Float64Array(cornerCount);
    state.parent = new Int32Array(cornerCount);
    state.goalStamps = new Int32Array(cornerCount);
  } else if (state.stamp === 0x7fffffff) {
    state.stamps.fill(0);
    state.goalStamps.fill(0);
    state.stamp = 0;
  }
  state.stamp++;
  state.heap.count = 0;
}

/**
 * Kernel. Writes the corners of the shortest path to the position ends[2], ends[3] that turns at least once. Returns false when there
 * is none.
 */
export function searchCorners(
  out: CornerPath,
  state: CornerSearch,
  index: PathIndex,
  starts: SeenCorners,
  goals: SeenCorners,
  ends: Float64Array,
): boolean {
  beginSearch(state, index.cornerCount);
  const { edgeStart, edgeTarget, edgeLength, points, cornerWall } = index;
  const { stamp, stamps, isDone, length, estimate, parent, goalStamps, heap } = state;
  const x = ends[2];
  const z = ends[3];
  for (let j = 0; j < goals.count; j++) goalStamps[goals.corners[j]] = stamp;
  for (let i = 0; i < starts.count; i++) {
    const corner = starts.corners[i];
    if (stamps[corner] === stamp && length[corner] <= starts.lengths[i]) continue;
    stamps[corner] = stamp;
    isDone[corner] = 0;
    parent[corner] = -1;
    length[corner] = starts.lengths[i];
    const dx = points[2 * corner] - x;
    const dz = points[2 * corner + 1] - z;
    estimate[corner] = length[corner] + Math.sqrt(dx * dx + dz * dz);
    pushItem(heap, corner, estimate);
  }
  while (heap.count > 0) {
    const at = popItem(heap);
    if (isDone[at] === 1) continue;
    isDone[at] = 1;
    if (goalStamps[at] === stamp) {
      writeChain(out, state, at);
      out.length[0] = estimate[at];
      return true;
    }
    const from = length[at];
    const end = edgeStart[at + 1];
    const cx = points[2 * at];
    const cz = points[2 * at + 1];
    // From the corner: where the path comes from, and along its right wall.
    const before = parent[at];
    const ax = (before < 0 ? ends[0] : points[2 * before]) - cx;
    const az = (before < 0 ? ends[1] : points[2 * before + 1]) - cz;
    const wx = cornerWall[2 * at];
    const wz = cornerWall[2 * at + 1];
    const slack = NEARLY * ((ax < 0 ? -ax : ax) + (az < 0 ? -az : az));
    // Above 0: the wall is counter-clockwise of the way back.
    const wall = wx * az - wz * ax;
    const wallSlack = slack * ((wx < 0 ? -wx : wx) + (wz < 0 ? -wz : wz));
    for (let i = edgeStart[at]; i < end; i++) {
      const other = edgeTarget[i];
      const total = from + edgeLength[i];
      if (stamps[other] === stamp && total >= length[other]) continue;
      const vx = points[2 * other] - cx;
      const vz = points[2 * other + 1] - cz;
      const size = (vx < 0 ? -vx : vx) + (vz < 0 ? -vz : vz);
      const turn = vx * az - vz * ax;
      const reach = (vx * wz - vz * wx) / NEARLY;
      const reachSlack = size * ((wx < 0 ? -wx : wx) + (wz < 0 ? -wz : wz));
      // The wall must lie between the way back and the way on, on the inner side of the turn.
      if (turn > slack * size) {
        if (wall < -wallSlack || reach < -reachSlack) continue;
      } else if (turn < -slack * size) {
        if (wall > wallSlack || reach > reachSlack) continue;
      }
      stamps[other] = stamp;
      isDone[other] = 0;
      parent[other] = at;
      length[other] = total;
      const dx = points[2 * other] - x;
      const dz = points[2 * other + 1] - z;
      estimate[other] = total + Math.sqrt(dx * dx + dz * dz);
      pushItem(heap, other, estimate);
    }
  }
  return false;
}

/** Writes the corners up to this one, from the start on. */
function writeChain(out: CornerPath, { parent }: CornerSearch, last: number): void {
  let count = 0;
  for (let at = last; at >= 0; at = parent[at]) count++;
  if (out.corners.length < count) out.corners = withRoom(out.corners, count);
  out.count = count;
  for (let at = last; at >= 0; at = parent[at]) out.corners[--count] = at;
}
