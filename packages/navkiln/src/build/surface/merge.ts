/**
 * Merge stage: turns joined triangles into convex pieces.
 *
 * Edges between triangles of nearly the same slope are removed, longest first, while both ends stay convex.
 * Then corners in the middle of straight edges are removed, and both steps repeat. Pieces keep their
 * triangles, which hold the true heights. Only triangles of one area that are joined without a step become
 * one piece, and only as many as the detail of a polygon can number. Pieces that share several consecutive
 * edges lose all of them at once.
 *
 * In: joined surface.
 * Out: convex pieces.
 * Cost: linear (a counting sort of edges; three rounds at most).
 * Based on: Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple polygons, 1983.
 */
import { cosDegrees } from '../../base/math/degrees.ts';
import { rootOf } from '../../base/data/union-find.ts';
import { takeFloat64, takeInt32, takeUint32, takeUint8 } from '../../base/data/workspace.ts';
import type { Ground, PointTable } from './types.ts';

/**
 * Rings of half-edges; removed half-edges are in none. The arrays live in the table's workspace until the
 * next merge.
 */
export interface Pieces {
  next: Int32Array;
  prev: Int32Array;
  /** The half-edge on the other side, or -1. `twin` of `Ground` is unchanged. */
  twin: Int32Array;
  gone: Uint8Array;
  /** The triangle that represents the piece of each triangle. */
  piece: Int32Array;
  /** 3 per piece: the sum of its triangles' normals, each twice as long as its area. */
  normal: Float64Array;
}

interface Merging extends Pieces {
  ground: Ground;
  table: PointTable;
  group: Int32Array;
  kind: ArrayLike<number>;
  size: Uint8Array;
  /** 1: the piece has corners that are straight within rounding. */
  bent: Uint8Array;
  triangles: Uint8Array;
  maxVertices: number;
  /** Squared cosine of the largest difference in slope. */
  alikeSq: number;
}

/** Maximum number of triangles of a piece, so that its corners and detail vertices fit into a byte. */
const MAX_TRIANGLES = 120;
const ROUNDS = 3;
/** How far a corner may be dented, relative to its coordinates: a part of what the mesh's validator allows. */
const DENT = 2 ** -25;
/**
 * The same in weld tolerances. Far from the origin, this is the smaller one: coordinates are doubles, and a dent relative to them
 * would be as wide as a wall.
 */
const DENT_TOLERANCES = 1 / 64;
/** How many times as far corners may be dented against edges that are not next to them. */
const RING_DENTS = 4;

/**
 * Merges triangles to convex pieces. `group`: the points that become one vertex; `kind`: only triangles with
 * the same number merge.
 */
export function mergeGround(
  ground: Ground,
  table: PointTable,
  group: Int32Array,
  maxVertices: number,
  mergeDegrees: number,
  kind: ArrayLike<number> = ground.area,
): Pieces {
  const { count, corner } = ground;
  const { workspace } = table;
  const cosine = cosDegrees(mergeDegrees);
  const merging: Merging = {
    ground,
    table,
    group,
    kind,
    maxVertices,
    alikeSq: cosine * cosine * (1 - 1e-12),
    next: takeInt32(workspace, 'merge.next', 3 * count),
    prev: takeInt32(workspace, 'merge.prev', 3 * count),
    twin: takeInt32(workspace, 'merge.twin', 3 * count),
    gone: takeUint8(workspace, 'merge.gone', 3 * count).fill(0),
    piece: takeInt32(workspace, 'merge.piece', count),
    size: takeUint8(workspace, 'merge.size', count).fill(3),
    bent: takeUint8(workspace, 'merge.bent', count).fill(0),
    triangles: takeUint8(workspace, 'merge.triangles', count).fill(1),
    normal: takeFloat64(workspace, 'merge.normal', 3 * count),
  };
  merging.twin.set(ground.twin);
  for (let t = 0; t < count; t++) {
    merging.piece[t] = t;
    setNormal(merging.normal, t, table, corner);
    setRing(merging, 3 * t);
  }
  let order = longestFirst(merging);
  const uses = takeInt32(workspace, 'merge.uses', table.pointCount);
  const changed = takeUint8(workspace, 'merge.changed', count);
  for (let round = 0; ; round++) {
    let removed = 0;
    for (let k = 0; k < order.length; k++) removed += tryRemove(merging, order[k]);
    if (removed === 0) break;
    changed.fill(0);
    if (dropStraight(merging, uses, changed) === 0 || round + 1 === ROUNDS) break;
    order = edgesOfChanged(merging, order, changed);
  }
  for (let t = 0; t < count; t++) merging.piece[t] = rootOf(merging.piece, t);
  const { next, prev, twin, gone, piece, normal } = merging;
  return { next, prev, twin, gone, piece, normal };
}

/** Links the three half-edges of a triangle, the first of which is h. */
function setRing({ next, prev }: Pieces, h: number): void {
  next[h] = h + 1;
  next[h + 1] = h + 2;
  next[h + 2] = h;
  prev[h] = h + 2;
  prev[h + 1] = h;
  prev[h + 2] = h + 1;
}

function setNormal(normal: Float64Array, t: number, table: PointTable, corner: Int32Array): void {
  const { pointPlan, pointY, planX, planZ } = table;
  const a = corner[3 * t];
  const b = corner[3 * t + 1];
  const c = corner[3 * t + 2];
  const p = pointPlan[a];
  const q = pointPlan[b];
  const r = pointPlan[c];
  const ux = planX[q] - planX[p];
  const uy = pointY[b] - pointY[a];
  const uz = planZ[q] - planZ[p];
  const vx = planX[r] - planX[p];
  const vy = pointY[c] - pointY[a];
  const vz = planZ[r] - planZ[p];
  normal[3 * t] = uy * vz - uz * vy;
  normal[3 * t + 1] = uz * vx - ux * vz;
  normal[3 * t + 2] = ux * vy - uy * vx;
}

/**
 * Returns the removable edges (one half-edge each) by length, in classes of a tenth. In a class they keep
 * their order, so that neighbors are close in memory.
 */
function longestFirst(merging: Merging): Int32Array {
  const { ground, table, twin } = merging;
  const { corner } = ground;
  const { planX, planZ, pointPlan, pointY } = table;
  const { workspace } = table;
  const edges = takeInt32(workspace, 'merge.edges', twin.length);
  let count = 0;
  for (let h = 0; h < twin.length; h++) if (twin[h] > h && mayRemove(merging, h)) edges[count++] = h;
  const keys = takeUint32(workspace, 'merge.keys', count);
  const squares = new Float32Array(keys.buffer, 0, count);
  for (let k = 0; k < count; k++) {
    const a = corner[edges[k]];
    const b = corner[merging.next[edges[k]]];
    const dx = planX[pointPlan[a]] - planX[pointPlan[b]];
    const dy = pointY[a] - pointY[b];
    const dz = planZ[pointPlan[a]] - planZ[pointPlan[b]];
    squares[k] = dx * dx + dy * dy + dz * dz;
  }
  const start = new Int32Array(0x401);
  for (let k = 0; k < count; k++) start[0x400 - (keys[k] >>> 21)]++;
  for (let key = 0; key < 0x400; key++) start[key + 1] += start[key];
  const order = takeInt32(workspace, 'merge.order', count);
  for (let k = 0; k < count; k++) order[start[0x3ff - (keys[k] >>> 21)]++] = edges[k];
  return order;
}

/** Returns the remaining edges next to pieces that lost a corner: only these may have become removable. */
function edgesOfChanged({ gone, twin, piece }: Merging, order: Int32Array, changed: Uint8Array): Int32Array {
  let count = 0;
  for (let k = 0; k < order.length; k++) {
    const h = order[k];
    if (gone[h] === 1) continue;
    const isChanged = changed[rootOf(piece, (h / 3) | 0)] + changed[rootOf(piece, (twin[h] / 3) | 0)] > 0;
    if (isChanged) order[count++] = h;
  }
  return order.subarray(0, count);
}

/** Returns whether both sides are joined without a step and of one kind. */
function mayRemove({ ground, twin, next, kind }: Merging, h: number): boolean {
  const { corner } = ground;
  const other = twin[h];
  if (other < 0 || corner[h] !== corner[next[other]] || corner[next[h]] !== corner[other]) return false;
  return kind[(h / 3) | 0] === kind[(other / 3) | 0];
}

/**
 * Merges the pieces on both sides of an edge if the result is convex, flat and small enough. Returns 1 if it
 * did.
 */
function tryRemove(merging: Merging, h: number): number {
  const { next, prev, twin, gone, piece, size, bent, triangles, normal, maxVertices } = merging;
  if (gone[h] === 1 || twin[h] < 0) return 0;
  const one = rootOf(piece, (h / 3) | 0);
  const two = rootOf(piece, (twin[h] / 3) | 0);
  if (one === two || triangles[one] + triangles[two] > MAX_TRIANGLES) return 0;
  if (!areAlike(normal, one, two, merging.alikeSq) || !mayRemove(merging, h)) return 0;
  // The chain of edges that both pieces share, from `first` to `last` along one of them.
  let first = h;
  let last = h;
  let shared = 1;
  while (twin[prev[first]] >= 0 && twin[prev[first]] === next[twin[first]] && mayRemove(merging, prev[first])) {
    first = prev[first];
    if (first === h) return 0;
    shared++;
  }
  while (twin[next[last]] >= 0 && twin[next[last]] === prev[twin[last]] && mayRemove(merging, next[last])) {
    last = next[last];
    shared++;
  }
  const corners = size[one] + size[two] - 2 * shared;
  if (corners > maxVertices || corners < 3) return 0;
  const beforeStart = prev[first];
  const afterStart = next[twin[first]];
  const beforeEnd = prev[twin[last]];
  const afterEnd = next[last];
  const bends = Math.min(bendAt(merging, beforeStart, afterStart), bendAt(merging, beforeEnd, afterEnd));
  if (bends < 0) return 0;
  link(next, prev, beforeStart, afterStart);
  link(next, prev, beforeEnd, afterEnd);
  // Corners that are straight within rounding may add up.
  const isBent = bends === 0 || bent[one] + bent[two] > 0;
  if (isBent && !isRound(merging, afterEnd)) {
    link(next, prev, beforeStart, first);
    link(next, prev, last, afterEnd);
    link(next, prev, beforeEnd, twin[last]);
    link(next, prev, twin[first], afterStart);
    return 0;
  }
  if (isBent) bent[one] = 1;
  for (let at = first; ; at = next[at]) {
    gone[at] = 1;
    gone[twin[at]] = 1;
    if (at === last) break;
  }
  size[one] = corners;
  triangles[one] += triangles[two];
  for (let k = 0; k < 3; k++) normal[3 * one + k] += normal[3 * two + k];
  piece[two] = one;
  return 1;
}

function areAlike(normal: Float64Array, one: number, two: number, alikeSq: number): boolean {
  const ax = normal[3 * one];
  const ay = normal[3 * one + 1];
  const az = normal[3 * one + 2];
  const bx = normal[3 * two];
  const by = normal[3 * two + 1];
  const bz = normal[3 * two + 2];
  const dot = ax * bx + ay * by + az * bz;
  return dot * dot >= alikeSq * (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
}

function link(next: Int32Array, prev: Int32Array, h: number, k: number): void {
  next[h] = k;
  prev[k] = h;
}

/**
 * Returns the turn where h ends and k would start: 1 left or straight, 0 straight within rounding, -1 right or back.
 * A ring would turn back at the end of a wall or a step that ends inside it.
 */
function bendAt(merging: Merging, h: number, k: number): number {
  const off = turn(merging, h, k);
  const dent = dentOf(merging, h, k);
  if (off > dent) return 1;
  if (off < -dent || turnsBack(merging, h, k)) return -1;
  return off === 0 ? 1 : 0;
}

/** Returns whether h and k point in opposite directions, seen from above. */
function turnsBack({ ground, table, next }: Merging, h: number, k: number): boolean {
  const { corner } = ground;
  const { planX, planZ, pointPlan } = table;
  const a = pointPlan[corner[h]];
  const b = pointPlan[corner[k]];
  const c = pointPlan[corner[next[k]]];
  return (planX[b] - planX[a]) * (planX[c] - planX[b]) + (planZ[b] - planZ[a]) * (planZ[c] - planZ[b]) < 0;
}

/**
 * Returns whether the ring of h is convex as a whole: the check of the mesh's validator with half its
 * tolerance.
 */
function isRound(merging: Merging, h: number): boolean {
  const {
    ground: { corner },
    table: { planX, planZ, pointPlan, tolerance },
    next,
  } = merging;
  let size = 0;
  let at = h;
  do {
    const plan = pointPlan[corner[at]];
    size = Math.max(size, Math.abs(planX[plan]), Math.abs(planZ[plan]));
    at = next[at];
  } while (at !== h);
  const allowed = RING_DENTS * mostDent(size, tolerance);
  const start = at;
  do {
    const u = pointPlan[corner[at]];
    const v = pointPlan[corner[next[at]]];
    const dx = planX[v] - planX[u];
    const dz = planZ[v] - planZ[u];
    const most = allowed * (Math.abs(dx) + Math.abs(dz));
    for (let other = next[next[at]]; other !== at; other = next[other]) {
      const w = pointPlan[corner[other]];
      if (dz * (planX[w] - planX[u]) - dx * (planZ[w] - planZ[u]) < -most) return false;
    }
    at = next[at];
  } while (at !== start);
  return true;
}

/** Returns twice the area of the starts of h and k and the end of k, seen from above, positive to the left. */
function turn({ ground, table, next }: Merging, h: number, k: number): number {
  const { corner } = ground;
  const { planX, planZ, pointPlan } = table;
  const a = pointPlan[corner[h]];
  const b = pointPlan[corner[k]];
  const c = pointPlan[corner[next[k]]];
  return (planZ[b] - planZ[a]) * (planX[c] - planX[b]) - (planX[b] - planX[a]) * (planZ[c] - planZ[b]);
}

/** Returns how far a corner with coordinates up to `size` may be dented, world units. */
function mostDent(size: number, tolerance: number): number {
  return Math.min(DENT * size, DENT_TOLERANCES * tolerance);
}

function dentOf({ ground, table }: Merging, h: number, k: number): number {
  const { corner } = ground;
  const { planX, planZ, pointPlan, tolerance } = table;
  const a = pointPlan[corner[h]];
  const b = pointPlan[corner[k]];
  const dent = mostDent(Math.max(Math.abs(planX[b]), Math.abs(planZ[b])), tolerance);
  return dent * (Math.abs(planX[b] - planX[a]) + Math.abs(planZ[b] - planZ[a]));
}

/**
 * Removes corners in the middle of straight edges that belong to one piece or to the same two. Returns their
 * number.
 */
function dropStraight(merging: Merging, uses: Int32Array, changed: Uint8Array): number {
  const { ground, table, group, next, prev, twin, gone, piece, size } = merging;
  const { corner } = ground;
  const { pointPlan } = table;
  // Counts pieces around each position. Counting by position suffices, since corners above one another are
  // rarely both straight.
  uses.fill(0);
  for (let h = 0; h < gone.length; h++) if (gone[h] === 0) uses[group[corner[h]]]++;
  let dropped = 0;
  for (let h = 0; h < gone.length; h++) {
    if (gone[h] === 1) continue;
    const used = uses[group[corner[h]]];
    if (used > 2) continue;
    const before = prev[h];
    const one = rootOf(piece, (h / 3) | 0);
    if (size[one] <= 3 || !isStraight(merging, before, h)) continue;
    if (used === 1) {
      if (twin[h] >= 0 || twin[before] !== twin[h]) continue;
      if (!removeCorner(merging, h)) continue;
      size[one]--;
      changed[one] = 1;
      dropped++;
      continue;
    }
    const other = twin[before];
    if (other < 0 || twin[h] < 0 || prev[other] !== twin[h]) continue;
    const two = rootOf(piece, (other / 3) | 0);
    if (one === two || size[two] <= 3 || !isStraight(merging, prev[other], other)) continue;
    if (pointPlan[corner[other]] !== pointPlan[corner[h]]) continue;
    const back = prev[other];
    if (!removeCorner(merging, h)) continue;
    if (!removeCorner(merging, other)) {
      link(next, prev, h, next[before]);
      link(next, prev, before, h);
      gone[h] = 0;
      continue;
    }
    twin[before] = back;
    twin[back] = before;
    size[one]--;
    size[two]--;
    changed[one] = 1;
    changed[two] = 1;
    dropped++;
  }
  return dropped;
}

/** Removes the start of h from its ring, unless the ring is not convex as a whole afterwards. */
function removeCorner(merging: Merging, h: number): boolean {
  const { next, prev, gone, piece, bent } = merging;
  const before = prev[h];
  const after = next[h];
  const one = rootOf(piece, (h / 3) | 0);
  const isExact = bent[one] === 0 && turn(merging, before, h) === 0;
  link(next, prev, before, after);
  if (isExact || isRound(merging, before)) {
    if (!isExact) bent[one] = 1;
    gone[h] = 1;
    return true;
  }
  link(next, prev, before, h);
  link(next, prev, h, after);
  return false;
}

/**
 * Returns whether the corner where h ends and k starts lies on the line between their other ends, in height
 * within the tolerance.
 */
function isStraight(merging: Merging, h: number, k: number): boolean {
  const off = turn(merging, h, k);
  const dent = dentOf(merging, h, k);
  if (off > dent || off < -dent) return false;
  const {
    ground: { corner },
    table: { planX, planZ, pointPlan, pointY, tolerance },
    next,
  } = merging;
  const a = corner[h];
  const b = corner[k];
  const c = corner[next[k]];
  const dx = planX[pointPlan[c]] - planX[pointPlan[a]];
  const dz = planZ[pointPlan[c]] - planZ[pointPlan[a]];
  const along = (planX[pointPlan[b]] - planX[pointPlan[a]]) * dx + (planZ[pointPlan[b]] - planZ[pointPlan[a]]) * dz;
  const s = along / (dx * dx + dz * dz);
  return s > 0 && s < 1 && Math.abs(pointY[a] + s * (pointY[c] - pointY[a]) - pointY[b]) <= tolerance;
}
