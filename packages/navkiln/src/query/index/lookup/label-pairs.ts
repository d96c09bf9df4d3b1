/**
 * Chooses the corner after the start and the corner before the end by hub labels.
 *
 * The labels of all corners that see the start are merged into one list by hub, with the shortest length over each.
 * Each label of a corner that sees the end then gives a path. Corners are skipped if even the straight lines over them
 * are too long.
 *
 * In: corners that see both ends.
 * Out: the corners of the shortest path, and its length.
 * Cost: linear in the labels of the corners that are not skipped.
 * Based on: Jinchun Du, Bojie Shen, Muhammad Aamir Cheema, Ultrafast Euclidean Shortest Path Computation using Hub Labeling, 2023.
 */
import { withRoom } from '../../walk/open-edges.ts';
import { fromStart, keepWithin, limits, setReach, toGoal } from './pairs.ts';
import type { CornerPath } from './pairs.ts';
import type { SeenCorners } from './seen.ts';
import type { PathIndex } from '../types.ts';

/** Maximum rounding error of a sum, as a share of it. */
const SLACK = 1e-12;

/** Memory of the merge, by hub: valid where `stamps` has the number of the query. */
export interface HubState {
  stamp: number;
  stamps: Int32Array;
  /** The shortest length to the hub, and the corner it leads over. */
  length: Float64Array;
  corner: Int32Array;
}

export function createHubState(): HubState {
  return { stamp: 0, stamps: new Int32Array(0), length: new Float64Array(0), corner: new Int32Array(0) };
}

/**
 * Kernel. Writes the corners of the shortest path from the position ends[0], ends[1] to ends[2], ends[3] that turns at
 * least once. Returns false when there is no path.
 */
export function findLabelPath(
  out: CornerPath,
  state: HubState,
  index: PathIndex,
  starts: SeenCorners,
  goals: SeenCorners,
  ends: Float64Array,
): boolean {
  if (starts.count === 0 || goals.count === 0) return false;
  const { labelStart, labelHub, labelLength } = index;
  beginHubs(state, index.cornerCount);
  const i0 = setReach(fromStart, index, starts, ends, 2);
  const j0 = setReach(toGoal, index, goals, ends, 0);
  // The most promising pair comes first and sets a limit for the others.
  const { stamp, stamps, length, corner } = state;
  addStart(state, index, starts, i0);
  let best = Infinity;
  let hub = -1;
  let from = -1;
  let to = -1;
  const firstGoal = goals.corners[j0];
  for (let k = labelStart[firstGoal]; k < labelStart[firstGoal + 1]; k++) {
    const rank = labelHub[k];
    if (stamps[rank] !== stamp) continue;
    const total = length[rank] + labelLength[k] + goals.lengths[j0];
    if (total >= best) continue;
    best = total;
    hub = rank;
    from = corner[rank];
    to = firstGoal;
  }
  const first = starts.corners[i0];
  limits[0] = best * (1 + SLACK);
  keepWithin(fromStart, starts, limits, 0);
  keepWithin(toGoal, goals, limits, 0);
  for (let i = 0; i < fromStart.count; i++) {
    if (fromStart.corners[i] !== first) addStart(state, index, fromStart, i);
  }
  for (let j = 0; j < toGoal.count; j++) {
    if (toGoal.reach[j] > best * (1 + SLACK)) continue;
    const goal = toGoal.corners[j];
    const rest = toGoal.lengths[j];
    const end = labelStart[goal + 1];
    for (let k = labelStart[goal]; k < end; k++) {
      const rank = labelHub[k];
      if (stamps[rank] !== stamp) continue;
      const total = length[rank] + labelLength[k] + rest;
      if (total >= best) continue;
      best = total;
      hub = rank;
      from = corner[rank];
      to = goal;
    }
  }
  if (hub < 0) return false;
  out.length[0] = best;
  return writeCorners(out, index, hub, from, to);
}

function beginHubs(state: HubState, cornerCount: number): void {
  if (state.stamps.length < cornerCount) {
    state.stamps = new Int32Array(cornerCount);
    state.length = new Float64Array(cornerCount);
    state.corner = new Int32Array(cornerCount);
  } else if (state.stamp === 0x7fffffff) {
    state.stamps.fill(0);
    state.stamp = 0;
  }
  state.stamp++;
}

/** Merges the labels of entry i of the corners that see the start. */
function addStart(
  state: HubState,
  index: PathIndex,
  { corners, lengths }: Pick<SeenCorners, 'corners' | 'lengths'>,
  i: number,
): void {
  const at = corners[i];
  const from = lengths[i];
  const { labelStart, labelHub, labelLength } = index;
  const { stamp, stamps, length, corner } = state;
  const end = labelStart[at + 1];
  for (let k = labelStart[at]; k < end; k++) {
    const rank = labelHub[k];
    const total = from + labelLength[k];
    if (stamps[rank] === stamp && length[rank] <= total) continue;
    stamps[rank] = stamp;
    length[rank] = total;
    corner[rank] = at;
  }
}

/**
 * Writes the corners from `from` over the hub to `to`. Returns false if the labels of a loaded index are inconsistent.
 */
function writeCorners(out: CornerPath, index: PathIndex, hub: number, from: number, to: number): boolean {
  let count = 0;
  for (let side = 0; side < 2; side++) {
    let begun = count;
    for (let at = side === 0 ? from : to; ;) {
      if (count === out.corners.length) out.corners = withRoom(out.corners, count + 1);
      out.corners[count++] = at;
      const label = labelOf(index, at, hub);
      if (label < 0 || count > 2 * index.cornerCount) return false;
      const next = index.labelNext[label];
      if (next === at) break;
      at = next;
    }
    if (side === 0) continue;
    const { corners } = out;
    // With a link of cost 0, both sides may contain the same corners next to the hub. Remove these detours.
    while (begun > 1 && count > begun + 1 && corners[begun - 2] === corners[count - 2]) {
      corners.copyWithin(--begun, begun + 1, count);
      count -= 2;
    }
    // Drop the hub, which both sides contain, and reverse the part to the end.
    count--;
    for (let i = begun, j = count - 1; i < j; i++, j--) {
      const corner = corners[i];
      corners[i] = corners[j];
      corners[j] = corner;
    }
  }
  out.count = count;
  return true;
}

/** Returns the label of a corner for a hub, or -1. */
function labelOf({ labelStart, labelHub }: PathIndex, corner: number, hub: number): number {
  let low = labelStart[corner];
  let high = labelStart[corner + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (labelHub[middle] < hub) low = middle + 1;
    else high = middle;
  }
  return low < labelStart[corner + 1] && labelHub[low] === hub ? low : -1;
}
