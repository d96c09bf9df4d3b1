/**
 * Finds the shortest path from corner to corner by A* over the graph of corners, for the tier 'graph'.
 *
 * The estimate is the straight distance to the end. For a corner that sees the end it is exact, so the first such
 * corner taken from the heap ends the shortest path. Links that cost less than their length lower the estimates; the
 * search then continues until the estimates reach the length of the path. Corners are left only where the path wraps
 * around their obstacle.
 *
 * In: corners that see both ends.
 * Out: the corners of the shortest path, and its length.
 * Cost: O(m log n) in the corners that are nearer than the end.
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import type { MinHeap } from '../../../base/data/min-heap.ts';
import { withRoom } from '../../walk/open-edges.ts';
import { linkFrom, linkLengthAt } from '../links.ts';
import type { CornerPath } from './pairs.ts';
import type { SeenCorners } from './seen.ts';
import type { PathIndex } from '../types.ts';

/** Sine of an angle that counts as 0. */
const NEARLY = 1e-9;

/**
 * Memory of the search. Nothing is cleared between searches; entries are valid where `stamps` has the number of the
 * search.
 */
export interface CornerSearch {
  stamp: number;
  /** Number of expanded corners. */
  visitedCount: number;
  /** Per corner: the search that reached it. */
  stamps: Int32Array;
  isDone: Uint8Array;
  length: Float64Array;
  estimate: Float64Array;
  parent: Int32Array;
  /** Per corner: the number of the last search whose end it sees. */
  goalStamps: Int32Array;
  heap: MinHeap;
}

export function createCornerSearch(): CornerSearch {
  const none = new Int32Array(0);
  return {
    stamp: 0,
    visitedCount: 0,
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
 * Kernel. Writes the corners of the shortest path to the position ends[2], ends[3] that turns at least once. Returns
 * false when there is no path.
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
  const { edgeStart, edgeTarget, edgeLength, points, cornerWall, linkScale } = index;
  const { stamp, stamps, isDone, length, estimate, parent, goalStamps, heap } = state;
  const x = ends[2];
  const z = ends[3];
  for (let j = 0; j < goals.count; j++) goalStamps[goals.corners[j]] = stamp;
  for (let i = 0; i < starts.count; i++) {
    const corner = starts.corners[i];
    if (stamps[corner] === stamp && length[corner] <= starts.lengths[i]) continue;
    length[corner] = starts.lengths[i];
    openCorner(state, index, ends, corner, -1);
  }
  let best = Infinity;
  let last = -1;
  while (heap.count > 0) {
    const at = popItem(heap);
    if (estimate[at] >= best) break;
    if (isDone[at] === 1) continue;
    isDone[at] = 1;
    state.visitedCount++;
    if (goalStamps[at] === stamp) {
      const dx = points[2 * at] - x;
      const dz = points[2 * at + 1] - z;
      const total = length[at] + Math.sqrt(dx * dx + dz * dz);
      if (total < best) {
        best = total;
        last = at;
      }
      if (linkScale === 1) break;
    }
    const from = length[at];
    const end = edgeStart[at + 1];
    const cx = points[2 * at];
    const cz = points[2 * at + 1];
    // Directions from the corner: to the previous point of the path, and along its right wall.
    const before = parent[at];
    const ax = (before < 0 ? ends[0] : points[2 * before]) - cx;
    const az = (before < 0 ? ends[1] : points[2 * before + 1]) - cz;
    const wx = cornerWall[2 * at];
    const wz = cornerWall[2 * at + 1];
    const slack = NEARLY * (Math.abs(ax) + Math.abs(az));
    // Above 0: the wall is counter-clockwise of the direction back.
    const wall = wx * az - wz * ax;
    const wallSlack = slack * (Math.abs(wx) + Math.abs(wz));
    for (let i = edgeStart[at]; i < end; i++) {
      const other = edgeTarget[i];
      const total = from + edgeLength[i];
      if (stamps[other] === stamp && total >= length[other]) continue;
      const vx = points[2 * other] - cx;
      const vz = points[2 * other + 1] - cz;
      const size = Math.abs(vx) + Math.abs(vz);
      const turn = vx * az - vz * ax;
      const reach = (vx * wz - vz * wx) / NEARLY;
      const reachSlack = size * (Math.abs(wx) + Math.abs(wz));
      // The wall must lie between the directions back and onward, on the inner side of the turn.
      if (turn > slack * size) {
        if (wall < -wallSlack || reach < -reachSlack) continue;
      } else if (turn < -slack * size) {
        if (wall > wallSlack || reach > reachSlack) continue;
      }
      // The code of `openCorner`, inlined: a call takes 1 to 3 % more time (tier 'graph' on terrain, caves and city).
      stamps[other] = stamp;
      isDone[other] = 0;
      parent[other] = at;
      length[other] = total;
      const dx = points[2 * other] - x;
      const dz = points[2 * other + 1] - z;
      estimate[other] = total + linkScale * Math.sqrt(dx * dx + dz * dz);
      pushItem(heap, other, estimate);
    }
    const over = linkFrom(index, at);
    if (over < 0) continue;
    const total = from + linkLengthAt(index, at);
    if (stamps[over] === stamp && total >= length[over]) continue;
    length[over] = total;
    openCorner(state, index, ends, over, at);
  }
  if (last < 0) return false;
  writeChain(out, state, last);
  out.length[0] = best;
  return true;
}

/**
 * Opens a corner whose `length` is set, reached from the corner `before`; -1: from the start. V8 would allocate a
 * length that is an argument.
 */
function openCorner(
  { stamp, stamps, isDone, length, estimate, parent, heap }: CornerSearch,
  { points, linkScale }: PathIndex,
  ends: Float64Array,
  corner: number,
  before: number,
): void {
  stamps[corner] = stamp;
  isDone[corner] = 0;
  parent[corner] = before;
  const dx = points[2 * corner] - ends[2];
  const dz = points[2 * corner + 1] - ends[3];
  estimate[corner] = length[corner] + linkScale * Math.sqrt(dx * dx + dz * dz);
  pushItem(heap, corner, estimate);
}

/** Writes the corners up to this one, from the start on. */
function writeChain(out: CornerPath, { parent }: CornerSearch, last: number): void {
  let count = 0;
  for (let at = last; at >= 0; at = parent[at]) count++;
  if (out.corners.length < count) out.corners = withRoom(out.corners, count);
  out.count = count;
  for (let at = last; at >= 0; at = parent[at]) out.corners[--count] = at;
}
