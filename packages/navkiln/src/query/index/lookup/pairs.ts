/**
 * Chooses the corner after the start and the corner before the end.
 *
 * Each pair of a corner that sees the start and a corner that sees the end gives a path. Pairs are skipped if their
 * straight lines alone are too long. The table is in single precision, so all pairs within its error of the best are
 * measured again in doubles, corner by corner.
 *
 * All pairs after the first take 5 to 10 % of a query's time. Tried without gain, with warm caches and after their
 * eviction: numbering corners along a Hilbert curve (at most 1 % faster). The table in blocks of 32 by 32 (4 % slower).
 * Smallest lengths in a loop without branches, and ties in a second loop (equal). Skipping pairs by the distance of
 * their corners (10 to 25 % fewer lookups).
 *
 * In: corners that see both ends.
 * Out: the corners of the shortest path, and its length.
 * Cost: one lookup for each pair that is not skipped, usually a few dozen.
 * Based on: Bojie Shen, Muhammad Aamir Cheema, Daniel Harabor, Peter Stuckey, Euclidean Pathfinding with Compressed Path Databases,
 * 2020.
 */
import { withRoom } from '../../walk/open-edges.ts';
import { linkLengthAt, otherLinkEnd } from '../links.ts';
import type { SeenCorners } from './seen.ts';
import type { PathIndex } from '../types.ts';

/**
 * Safe bound for the error of a sum with one number in single precision, as a share of the sum (more than twice the
 * error).
 */
const TIE = 3e-7;

/** Corners of a path between both ends. The array may be longer. */
export interface CornerPath {
  count: number;
  corners: Int32Array;
  /** The length including both ends, at index 0. */
  length: Float64Array;
}

export function createCornerPath(): CornerPath {
  return { count: 0, corners: new Int32Array(16), length: new Float64Array(1) };
}

/**
 * Corners that may be on the shortest path: their numbers, distances to their end, and the smallest length over each.
 */
export interface Choice {
  count: number;
  corners: Int32Array;
  lengths: Float64Array;
  reach: Float64Array;
}

/** @internal */
export const fromStart: Choice = createChoice();
/** @internal */
export const toGoal: Choice = createChoice();
/** Pairs that may be the best, with their lengths. */
let tieStart: Int32Array = new Int32Array(16);
let tieGoal: Int32Array = new Int32Array(16);
let tieLength = new Float64Array(16);
const other: CornerPath = createCornerPath();
/** The longest path that matters. An array, because V8 may allocate numbers passed to functions. @internal */
export const limits = new Float64Array(1);

function createChoice(): Choice {
  return { count: 0, corners: new Int32Array(64), lengths: new Float64Array(64), reach: new Float64Array(64) };
}

/**
 * Kernel. Writes the corners of the shortest path from the position ends[0], ends[1] to ends[2], ends[3] that turns at
 * least once. Returns false when there is no path.
 */
export function findCornerPath(
  out: CornerPath,
  index: PathIndex,
  starts: SeenCorners,
  goals: SeenCorners,
  ends: Float64Array,
): boolean {
  const { tableLength, cornerCount } = index;
  if (starts.count === 0 || goals.count === 0) return false;
  const i0 = setReach(fromStart, index, starts, ends, 2);
  const j0 = setReach(toGoal, index, goals, ends, 0);
  // The most promising pair comes first and sets a limit for the others.
  const first = tableLength[starts.corners[i0] * cornerCount + goals.corners[j0]];
  let best = starts.lengths[i0] + first + goals.lengths[j0];
  let limit = best * (1 + TIE);
  limits[0] = limit;
  keepWithin(fromStart, starts, limits, i0);
  keepWithin(toGoal, goals, limits, j0);
  let tieCount = 0;
  for (let i = 0; i < fromStart.count; i++) {
    if (fromStart.reach[i] > limit) continue;
    const length = fromStart.lengths[i];
    const row = fromStart.corners[i] * cornerCount;
    for (let j = 0; j < toGoal.count; j++) {
      if (toGoal.reach[j] > limit) continue;
      const total = length + tableLength[row + toGoal.corners[j]] + toGoal.lengths[j];
      if (total > limit || total === Infinity) continue;
      if (total < best) {
        best = total;
        limit = best * (1 + TIE);
        if (tieCount === 1 && tieLength[0] > limit) tieCount = 0;
      }
      if (tieCount === tieStart.length) growTies();
      tieStart[tieCount] = i;
      tieGoal[tieCount] = j;
      tieLength[tieCount++] = total;
    }
  }
  out.length[0] = Infinity;
  let from = -1;
  let to = -1;
  for (let k = 0; k < tieCount; k++) {
    if (tieLength[k] > limit) continue;
    const a = fromStart.corners[tieStart[k]];
    const b = toGoal.corners[tieGoal[k]];
    if (a === from && b === to) continue;
    if (!walkTable(other, index, a, b)) continue;
    const total = fromStart.lengths[tieStart[k]] + other.length[0] + toGoal.lengths[tieGoal[k]];
    if (total >= out.length[0]) continue;
    from = a;
    to = b;
    if (out.corners.length < other.count) out.corners = withRoom(out.corners, other.count);
    for (let c = 0; c < other.count; c++) out.corners[c] = other.corners[c];
    out.count = other.count;
    out.length[0] = total;
  }
  return from >= 0;
}

/** Writes the smallest length over each corner to `reach`. Returns the corner with the smallest one. @internal */
export function setReach(
  out: Choice,
  { points, linkScale }: PathIndex,
  { corners, lengths, count }: SeenCorners,
  ends: Float64Array,
  from: number,
): number {
  if (out.corners.length < count) {
    out.corners = new Int32Array(2 * count);
    out.lengths = new Float64Array(2 * count);
    out.reach = new Float64Array(2 * count);
  }
  const { reach } = out;
  const x = ends[from];
  const z = ends[from + 1];
  let least = 0;
  let leastReach = Infinity;
  for (let i = 0; i < count; i++) {
    const corner = corners[i];
    const dx = points[2 * corner] - x;
    const dz = points[2 * corner + 1] - z;
    const total = lengths[i] + linkScale * Math.sqrt(dx * dx + dz * dz);
    reach[i] = total;
    if (total < leastReach) {
      leastReach = total;
      least = i;
    }
  }
  return least;
}

/**
 * Writes the corners whose `reach` is at most `limits[0]`. Entry `first` is exchanged with entry 0: when the best pairs
 * come early, most others are skipped. @internal
 */
export function keepWithin(choice: Choice, seen: SeenCorners, limits: Float64Array, first: number): void {
  const { corners, lengths, reach } = choice;
  const limit = limits[0];
  const firstReach = reach[first];
  reach[first] = reach[0];
  reach[0] = firstReach;
  let kept = 0;
  for (let i = 0; i < seen.count; i++) {
    if (reach[i] > limit) continue;
    const from = i === 0 ? first : i === first ? 0 : i;
    corners[kept] = seen.corners[from];
    lengths[kept] = seen.lengths[from];
    reach[kept++] = reach[i];
  }
  choice.count = kept;
}

function growTies(): void {
  const count = tieStart.length;
  tieStart = withRoom(tieStart, count + 1);
  tieGoal = withRoom(tieGoal, count + 1);
  const lengths = tieLength;
  tieLength = new Float64Array(tieStart.length);
  tieLength.set(lengths);
}

/**
 * Writes the corners from a to b, both included, and the length between them. There must be a path. Returns false if a
 * loaded table contains a cycle.
 */
function walkTable(out: CornerPath, index: PathIndex, a: number, b: number): boolean {
  const { edgeStart, edgeTarget, edgeLength, tableHop, cornerCount } = index;
  const row = a * cornerCount;
  let count = 1;
  let length = 0;
  let at = b;
  // Walk from b back to a, then reverse the corners.
  out.corners[0] = b;
  while (at !== a) {
    const edge = edgeStart[at] + tableHop[row + at];
    if (edge === edgeStart[at + 1]) {
      length += linkLengthAt(index, at);
      at = otherLinkEnd(index, at);
    } else {
      length += edgeLength[edge];
      at = edgeTarget[edge];
    }
    if (count === out.corners.length) out.corners = withRoom(out.corners, count + 1);
    out.corners[count++] = at;
    if (count > cornerCount) return false;
  }
  const { corners } = out;
  for (let i = 0, j = count - 1; i < j; i++, j--) {
    const corner = corners[i];
    corners[i] = corners[j];
    corners[j] = corner;
  }
  out.count = count;
  out.length[0] = length;
  return true;
}
