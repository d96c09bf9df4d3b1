/**
 * Chooses the corner after the start and the corner before the end.
 *
 * Each pair of a corner that sees the start and one that sees the end gives a path. Pairs whose straight lines alone are too long are
 * skipped. The table is in single precision, so all pairs that come within its error of the best are measured again in doubles,
 * corner by corner.
 *
 * In: corners that see both ends.
 * Out: the corners of the shortest path, and its length.
 * Cost: one lookup for each pair that is not skipped, usually a few dozen.
 * Based on: Bojie Shen, Muhammad Aamir Cheema, Daniel Harabor, Peter Stuckey, Euclidean Pathfinding with Compressed Path Databases,
 * 2020.
 */
import { withRoom } from '../query/walk/open-edges.ts';
import type { SeenCorners } from './seen.ts';
import type { PathIndex } from './types.ts';

/** Error of a sum with one number in single precision, as a share of it, twice and more. */
const TIE = 3e-7;

/** Corners of a path between both ends. The array may be longer. */
export interface CornerPath {
  count: number;
  corners: Int32Array;
  /** The length including both ends: one number. */
  length: Float64Array;
}

export function createCornerPath(): CornerPath {
  return { count: 0, corners: new Int32Array(16), length: new Float64Array(1) };
}

/** Distance from each corner of one end to the other end. */
let startReach = new Float64Array(64);
let endReach = new Float64Array(64);
/** Pairs that may be the best: their entries at both ends, and their lengths. */
let tieStart: Int32Array = new Int32Array(16);
let tieEnd: Int32Array = new Int32Array(16);
let tieLength = new Float64Array(16);
const other: CornerPath = createCornerPath();

/**
 * Kernel. Writes the corners of the shortest path from the position ends[0], ends[1] to ends[2], ends[3] that turns at least once.
 * Returns false when there is none.
 */
export function findCornerPath(
  out: CornerPath,
  index: PathIndex,
  starts: SeenCorners,
  goals: SeenCorners,
  ends: Float64Array,
): boolean {
  const { tableLength, cornerCount } = index;
  const startCount = starts.count;
  const goalCount = goals.count;
  if (startCount === 0 || goalCount === 0) return false;
  if (startReach.length < startCount) startReach = new Float64Array(2 * startCount);
  if (endReach.length < goalCount) endReach = new Float64Array(2 * goalCount);
  const firstStart = setReach(startReach, index, starts, ends, 2);
  setReach(endReach, index, goals, ends, 0);
  let best = Infinity;
  let limit = Infinity;
  let tieCount = 0;
  // The start's most promising corner comes first; the one in its place is looked at in its turn.
  for (let k = 0; k < startCount; k++) {
    const i = k === 0 ? firstStart : k <= firstStart ? k - 1 : k;
    if (startReach[i] > limit) continue;
    const length = starts.lengths[i];
    const row = starts.corners[i] * cornerCount;
    for (let j = 0; j < goalCount; j++) {
      if (endReach[j] > limit) continue;
      const total = length + tableLength[row + goals.corners[j]] + goals.lengths[j];
      if (total > limit || total === Infinity) continue;
      if (total < best) {
        best = total;
        limit = best * (1 + TIE);
        if (tieLength[0] > limit) tieCount = 0;
      }
      if (tieCount === tieStart.length) growTies();
      tieStart[tieCount] = i;
      tieEnd[tieCount] = j;
      tieLength[tieCount++] = total;
    }
  }
  out.length[0] = Infinity;
  let from = -1;
  let to = -1;
  for (let k = 0; k < tieCount; k++) {
    if (tieLength[k] > limit) continue;
    const a = starts.corners[tieStart[k]];
    const b = goals.corners[tieEnd[k]];
    if (a === from && b === to) continue;
    if (!walkTable(other, index, a, b)) continue;
    const total = starts.lengths[tieStart[k]] + other.length[0] + goals.lengths[tieEnd[k]];
    if (total >= out.length[0]) continue;
    from = a;
    to = b;
    out.corners = withRoom(out.corners, other.count);
    for (let c = 0; c < other.count; c++) out.corners[c] = other.corners[c];
    out.count = other.count;
    out.length[0] = total;
  }
  return out.length[0] < Infinity;
}

/** Writes the shortest imaginable length over each corner. Returns the entry with the least. */
function setReach(
  reach: Float64Array,
  { points }: PathIndex,
  { corners, lengths, count }: SeenCorners,
  ends: Float64Array,
  from: number,
): number {
  const x = ends[from];
  const z = ends[from + 1];
  let least = 0;
  for (let i = 0; i < count; i++) {
    const corner = corners[i];
    const dx = points[2 * corner] - x;
    const dz = points[2 * corner + 1] - z;
    reach[i] = lengths[i] + Math.sqrt(dx * dx + dz * dz);
    if (reach[i] < reach[least]) least = i;
  }
  return least;
}

function growTies(): void {
  const count = tieStart.length;
  tieStart = withRoom(tieStart, count + 1);
  tieEnd = withRoom(tieEnd, count + 1);
  const lengths = tieLength;
  tieLength = new Float64Array(tieStart.length);
  tieLength.set(lengths);
}

/** Writes the corners from a to b, both included, and the length between them. Returns false when there is no path. */
function walkTable(out: CornerPath, index: PathIndex, a: number, b: number): boolean {
  const { edgeStart, edgeTarget, edgeLength, tableLength, tableHop, cornerCount } = index;
  if (tableLength[a * cornerCount + b] === Infinity) return false;
  let count = 0;
  let length = 0;
  out.corners[count++] = a;
  for (let at = a; at !== b;) {
    const edge = edgeStart[at] + tableHop[at * cornerCount + b];
    length += edgeLength[edge];
    at = edgeTarget[edge];
    if (count === out.corners.length) out.corners = withRoom(out.corners, count + 1);
    out.corners[count++] = at;
    if (count > cornerCount) return false;
  }
  out.count = count;
  out.length[0] = length;
  return true;
}
