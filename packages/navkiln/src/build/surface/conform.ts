/**
 * Conform stage: cuts edges that overlap in part, so that edges are either equal seen from above or
 * unrelated. Blocks edges that walls stand on.
 *
 * Two edges with surface on opposite sides are joined where they overlap. At both ends of the overlap, they must be
 * within the tolerance seen from above, and within a step in height. Of a longer overlap, only the part within a step
 * is joined, so an opening is as wide as agents can pass. The side of a ramp, for example, opens to the floor next to
 * it as far up as a step reaches. A wall is an upright triangle whose foot is on the edge within the tolerance, and
 * which reaches into the space between a step above the edge and the agent's height.
 *
 * In: surface, and upright triangles.
 * Out: conforming surface, joined.
 * Cost: linear in the edges without a partner (in all edges when there are upright triangles) and in nearby
 * pairs of them.
 * Based on: own; comparing both ends of an overlap is what portals between tiles do.
 */
import { takeInt32, takeUint8 } from '../../base/data/workspace.ts';
import { matchEdges, matchRest, nextOf } from './weld/match.ts';
import { forEachNear } from './shapes/near-segments.ts';
import { planAt } from './shapes/points.ts';
import { addSplit, addWall, applySplits, createSplits } from './weld/splits.ts';
import type { Splits } from './weld/splits.ts';
import type { SurfaceConfig } from './options.ts';
import type { AgentShape } from '../../mesh/types.ts';
import type { Ground, PointTable, Surroundings } from './types.ts';

/**
 * Returns the largest height of a step: `maxClimb`, plus the change of height when a position moves by the
 * tolerance along a slope.
 */
export function stepReach(agent: AgentShape, table: PointTable): number {
  return agent.maxClimb + 2 * table.tolerance;
}

/**
 * Edges are compared again after cuts, until none is left to cut. Where a wall ends on one edge only, the other edge is cut in the next
 * round. Edges on both sides of a piece without width are joined. Maximum number of rounds; few surfaces need more than eight.
 */
const ROUNDS = 24;
/** After so many rounds, cracks up to `widest` are closed, too. */
const EXACT_ROUNDS = 4;
/** After so many rounds, the cuts of a round have no corner in common: two that undo each other would go on without end. */
const JOINT_ROUNDS = 6;
/** Cracks between cuts are this wide at most, in tolerances: each of their corners is moved by up to one, and again by the next cut. */
const CRACK_TOLERANCES = 4;
/** Cracks are longer than so many times `widest`; shorter ones may be corners of the surface, and those between cuts are filled as holes. */
const CRACK_WIDTHS = 2;

/**
 * Returns how wide the cracks are that `conformGround` closes: those that an inset would take for walls. Without a radius, or where the
 * caller wants gaps to stay, those within the tolerance.
 */
export function widestCrack({ agent, maxGap = 0 }: SurfaceConfig, { tolerance }: PointTable): number {
  return agent.radius > 0 ? Math.max(tolerance, Math.min(maxGap, CRACK_TOLERANCES * tolerance)) : tolerance;
}

/**
 * Returns the cut and joined surface, and how many joints are steps. Edges within `widest` of each other, seen from above, are joined.
 */
export function conformGround(
  ground: Ground,
  table: PointTable,
  input: Surroundings,
  agent: AgentShape,
  widest: number = table.tolerance,
): { ground: Ground; steps: number } {
  const most = stepReach(agent, table);
  const limits = { reach: agent.maxClimb + table.tolerance / 2, width: table.tolerance, isApart: false };
  let steps = matchEdges(ground, table, most);
  let walls = wallBoxes(input, table.tolerance);
  for (let round = 0; round < ROUNDS; round++) {
    if (round === EXACT_ROUNDS) limits.width = widest;
    limits.isApart = round >= JOINT_ROUNDS;
    const plans = table.planCount;
    const splits = findSplits(ground, table, input, agent, walls, limits);
    // Parts behind a wall stay blocked.
    walls = { segments: new Float64Array(0), triangle: walls.triangle };
    if (splits.plan.length > 0) {
      const before = ground;
      ground = applySplits(ground, table, splits);
      steps = matchRest(ground, table, most);
      if (table.planCount > plans || !isSame(before, ground)) continue;
      // Cuts that change nothing are found again in each round.
      if (limits.width === widest) break;
      round = EXACT_ROUNDS - 1;
    } else if (limits.width === widest) break;
    else limits.width = widest;
  }
  return { ground, steps };
}

/** Returns whether two surfaces have the same triangles and joints. */
function isSame(a: Ground, b: Ground): boolean {
  if (a.count !== b.count) return false;
  for (let h = 0; h < a.corner.length; h++) {
    if (a.corner[h] !== b.corner[h] || a.twin[h] !== b.twin[h] || a.blocked[h] !== b.blocked[h]) return false;
  }
  return true;
}

interface Walls {
  segments: Float64Array;
  triangle: Int32Array;
}

/** Which edges are joined. */
interface JointLimits {
  /** The largest height of a step. */
  reach: number;
  /** The largest distance seen from above. */
  width: number;
  /** Whether the cuts of a round have no corner in common. */
  isApart: boolean;
}

function findSplits(
  ground: Ground,
  table: PointTable,
  input: Surroundings,
  agent: AgentShape,
  walls: Walls,
  limits: JointLimits,
): Splits {
  const splits = createSplits(ground, table);
  const edges = edgesToLookAt(ground, table, walls.segments.length > 0);
  const segments = new Float64Array(4 * edges.length + walls.segments.length);
  for (let i = 0; i < edges.length; i++) setSegment(segments, i, ground, table, edges[i]);
  segments.set(walls.segments, 4 * edges.length);
  const { twin, blocked } = ground;
  const isAlone = (h: number): boolean => twin[h] < 0 && blocked[h] === 0;
  const taken = limits.isApart ? takeUint8(table.workspace, 'conform.taken', table.planCount).fill(0) : undefined;
  const visit = (i: number, j: number): boolean => {
    if (i < edges.length && j < edges.length) {
      if (!isAlone(edges[i]) || !isAlone(edges[j])) return false;
      if (areStoreysApart(ground, table, limits.reach, edges[i], edges[j])) return false;
      if (taken !== undefined && hasTaken(ground, table, taken, edges[i], edges[j])) return false;
      const before = splits.plan.length;
      splitPair(splits, ground, table, limits, edges[i], edges[j]);
      if (taken !== undefined && splits.plan.length > before) takeCorners(ground, table, taken, edges[i], edges[j]);
      return true;
    }
    const h = edges[i < edges.length ? i : j];
    const wall = walls.triangle[(i < edges.length ? j : i) - edges.length];
    blockEdge({ splits, ground, table, agent, input }, h, wall);
    return true;
  };
  forEachNear(segments, 2 * limits.width, table.budget, visit, { from: edges.length, within: true });
  return splits;
}

/** Returns the half-edges without a twin and, if `all`, one of each joined pair. */
function edgesToLookAt({ twin }: Ground, { workspace }: PointTable, all: boolean): Int32Array {
  const edges = takeInt32(workspace, 'conform.edges', twin.length);
  let count = 0;
  for (let h = 0; h < twin.length; h++) if (twin[h] < 0 || (all && h < twin[h])) edges[count++] = h;
  return edges.subarray(0, count);
}

function setSegment(segments: Float64Array, i: number, { corner }: Ground, table: PointTable, h: number): void {
  const p = table.pointPlan[corner[h]];
  const q = table.pointPlan[corner[nextOf(h)]];
  segments[4 * i] = table.planX[p];
  segments[4 * i + 1] = table.planZ[p];
  segments[4 * i + 2] = table.planX[q];
  segments[4 * i + 3] = table.planZ[q];
}

/** Returns the boxes of the upright triangles seen from above: one that leans has no single line. */
function wallBoxes({ positions, wallVertex }: Surroundings, tolerance: number): Walls {
  const count = wallVertex.length / 3;
  const segments = new Float64Array(4 * count);
  const triangle = new Int32Array(count);
  let kept = 0;
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [3 * wallVertex[3 * t], 3 * wallVertex[3 * t + 1], 3 * wallVertex[3 * t + 2]];
    const at = 4 * kept;
    for (let axis = 0; axis < 3; axis += 2) {
      segments[at + axis / 2] = Math.min(positions[a + axis], positions[b + axis], positions[c + axis]);
      segments[at + 2 + axis / 2] = Math.max(positions[a + axis], positions[b + axis], positions[c + axis]);
    }
    const dx = segments[at + 2] - segments[at];
    const dz = segments[at + 3] - segments[at + 1];
    if (dx * dx + dz * dz > tolerance * tolerance) triangle[kept++] = t;
  }
  return { segments: segments.slice(0, 4 * kept), triangle };
}

/** Returns whether a corner of the triangle of either edge is taken. */
function hasTaken({ corner }: Ground, { pointPlan }: PointTable, taken: Uint8Array, e: number, f: number): boolean {
  const isTaken = (h: number): boolean => taken[pointPlan[corner[h]]] === 1;
  return [e, f].some((h) => isTaken(h) || isTaken(nextOf(h)) || isTaken(nextOf(nextOf(h))));
}

/** Takes the corners of the triangles of both edges. */
function takeCorners({ corner }: Ground, { pointPlan }: PointTable, taken: Uint8Array, e: number, f: number): void {
  for (const h of [e, f]) for (let k = h, i = 0; i < 3; k = nextOf(k), i++) taken[pointPlan[corner[k]]] = 1;
}

const spot = new Float64Array(3);

/** Returns whether all of one edge is higher than the other by more than the reach, and the tolerance for rounding. */
function areStoreysApart({ corner }: Ground, table: PointTable, reach: number, e: number, f: number): boolean {
  const { pointY, tolerance } = table;
  const a = pointY[corner[e]];
  const b = pointY[corner[nextOf(e)]];
  const c = pointY[corner[f]];
  const d = pointY[corner[nextOf(f)]];
  const most = reach + tolerance;
  return Math.min(a, b) - Math.max(c, d) > most || Math.min(c, d) - Math.max(a, b) > most;
}

/** Cuts two edges without partners where their overlap begins and ends. */
function splitPair(
  splits: Splits,
  ground: Ground,
  table: PointTable,
  { reach, width }: JointLimits,
  e: number,
  f: number,
): void {
  const { corner } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  const a = corner[e];
  const b = corner[nextOf(e)];
  const c = corner[f];
  const d = corner[nextOf(f)];
  const pa = pointPlan[a];
  const pb = pointPlan[b];
  const pc = pointPlan[c];
  const pd = pointPlan[d];
  const dx = planX[pb] - planX[pa];
  const dz = planZ[pb] - planZ[pa];
  const length = Math.sqrt(dx * dx + dz * dz);
  // Along e, and across it. The other edge runs the opposite way: from c, which is further along, to d.
  const uc = ((planX[pc] - planX[pa]) * dx + (planZ[pc] - planZ[pa]) * dz) / length;
  const ud = ((planX[pd] - planX[pa]) * dx + (planZ[pd] - planZ[pa]) * dz) / length;
  const low = ud > 0 ? ud : 0;
  const high = uc < length ? uc : length;
  if (!(high - low > (width > tolerance ? CRACK_WIDTHS * width : tolerance))) return;
  const vc = ((planZ[pc] - planZ[pa]) * dx - (planX[pc] - planX[pa]) * dz) / length;
  const vd = ((planZ[pd] - planZ[pa]) * dx - (planX[pd] - planX[pa]) * dz) / length;
  const slope = (vc - vd) / (uc - ud);
  if (Math.abs(vd + (low - ud) * slope) > width || Math.abs(vd + (high - ud) * slope) > width) return;
  // How much higher e is than f at both ends of the overlap, and the part of it within a step.
  const rise = (pointY[b] - pointY[a]) / length;
  const other = (pointY[c] - pointY[d]) / (uc - ud);
  const atLow = pointY[a] + low * rise - pointY[d] - (low - ud) * other;
  const atHigh = pointY[a] + high * rise - pointY[d] - (high - ud) * other;
  const from = stepFrom(atLow, atHigh, reach) * (high - low);
  const to = (1 - stepFrom(atHigh, atLow, reach)) * (high - low);
  if (!(to - from > tolerance)) return;
  if (from <= tolerance) cutAt(splits, e, f, low === 0 ? pa : pd, pa, pd);
  else
    cutBetween(splits, table, e, f, planX[pa] + ((low + from) / length) * dx, planZ[pa] + ((low + from) / length) * dz);
  if (high - low - to <= tolerance) cutAt(splits, e, f, high === length ? pb : pc, pb, pc);
  else cutBetween(splits, table, e, f, planX[pa] + ((low + to) / length) * dx, planZ[pa] + ((low + to) / length) * dz);
}

/**
 * Returns the parameter, 0 .. 1 between two height differences, from which on they are within reach; 1 when
 * they never are.
 */
function stepFrom(from: number, to: number, reach: number): number {
  if (Math.abs(from) <= reach) return 0;
  const limit = from > 0 ? reach : -reach;
  const t = (from - limit) / (from - to);
  return t >= 0 && t <= 1 ? t : 1;
}

/** Cuts at a position that is an end of one of both edges; it may be an end of the other, too. */
function cutAt(splits: Splits, e: number, f: number, plan: number, endOfE: number, endOfF: number): void {
  if (plan !== endOfE) addSplit(splits, e, plan);
  if (plan !== endOfF) addSplit(splits, f, plan);
}

function cutBetween(splits: Splits, table: PointTable, e: number, f: number, x: number, z: number): void {
  spot[0] = x;
  spot[2] = z;
  const plan = planAt(table, spot);
  addSplit(splits, e, plan);
  addSplit(splits, f, plan);
}

/**
 * The wall as u along the edge, height above it, and distance from it seen from above, clipped to the part in the way: at
 * most 7 corners.
 */
const shape = [new Float64Array(24), new Float64Array(24)];

/** The surface with its splits, and the walls that block parts of its edges. */
interface Blocking {
  splits: Splits;
  ground: Ground;
  table: PointTable;
  agent: AgentShape;
  input: Surroundings;
}

/** Blocks the part of an edge (and of its twin) that a wall stands on. */
function blockEdge({ splits, ground, table, agent, input }: Blocking, h: number, wall: number): void {
  const { corner, twin } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  const { positions, wallVertex } = input;
  const a = corner[h];
  const b = corner[nextOf(h)];
  const ax = planX[pointPlan[a]];
  const az = planZ[pointPlan[a]];
  let dx = planX[pointPlan[b]] - ax;
  let dz = planZ[pointPlan[b]] - az;
  const length = Math.sqrt(dx * dx + dz * dz);
  dx /= length;
  dz /= length;
  const rise = (pointY[b] - pointY[a]) / length;
  const lowest = agent.maxClimb + 2 * tolerance;
  const highest = agent.height - 2 * tolerance;
  // Most walls are elsewhere: beside, before, behind, below or above the edge.
  let elsewhere = 0b111111;
  for (let k = 0; k < 3; k++) {
    const at = 3 * wallVertex[3 * wall + k];
    const x = positions[at] - ax;
    const z = positions[at + 2] - az;
    const u = x * dx + z * dz;
    const across = z * dx - x * dz;
    const height = positions[at + 1] - pointY[a] - u * rise;
    shape[0][3 * k] = u;
    shape[0][3 * k + 1] = height;
    shape[0][3 * k + 2] = across;
    elsewhere &=
      (across > tolerance ? 1 : across < -tolerance ? 2 : 0) |
      (u <= tolerance ? 4 : u >= length - tolerance ? 8 : 0) |
      (height <= lowest ? 16 : height >= highest ? 32 : 0);
  }
  if (elsewhere !== 0) return;
  let count = clip(0, 3, 0, 1, 0);
  count = clip(1, count, 0, -1, -length);
  count = clip(0, count, 1, 1, lowest);
  count = clip(1, count, 1, -1, -highest);
  // A wall that leans is in the way where it is lowest: there, the triangles of a wall meet.
  if (!isOnEdge(count, Infinity, tolerance) && !isOnEdge(count, lowest * (1 + 1e-9), tolerance)) return;
  spot[0] = ax + from * dx;
  spot[2] = az + from * dz;
  const planA = from <= tolerance ? pointPlan[a] : planAt(table, spot);
  spot[0] = ax + to * dx;
  spot[2] = az + to * dz;
  const planB = to >= length - tolerance ? pointPlan[b] : planAt(table, spot);
  if (planA === planB) return;
  addWall(splits, h, planA, planB);
  if (twin[h] >= 0) addWall(splits, twin[h], planA, planB);
}

/** The part of the edge next to the clipped wall. */
let from = Infinity;
let to = -Infinity;

/**
 * Returns whether the part of the clipped wall up to a height is on the edge within the tolerance, and sets `from` and
 * `to`.
 */
function isOnEdge(count: number, highest: number, tolerance: number): boolean {
  from = Infinity;
  to = -Infinity;
  for (let k = 0; k < 3 * count; k += 3) {
    const u = shape[0][k];
    const across = shape[0][k + 2];
    if (shape[0][k + 1] > highest) continue;
    if (Math.abs(across) > tolerance) return false;
    if (u < from) from = u;
    if (u > to) to = u;
  }
  return to - from > tolerance;
}

/** Clips shape[source] to sign * coordinate >= bound, into the other shape. Returns the number of corners. */
function clip(source: number, count: number, axis: number, sign: number, bound: number): number {
  const input = shape[source];
  const output = shape[1 - source];
  let n = 0;
  for (let k = 0; k < count; k++) {
    const a = 3 * k;
    const b = 3 * ((k + 1) % count);
    const da = sign * input[a + axis] - bound;
    const db = sign * input[b + axis] - bound;
    if (da >= 0) {
      output[n++] = input[a];
      output[n++] = input[a + 1];
      output[n++] = input[a + 2];
    }
    if (da >= 0 === db >= 0) continue;
    const t = da / (da - db);
    for (let c = 0; c < 3; c++) output[n++] = input[a + c] + t * (input[b + c] - input[a + c]);
  }
  return n / 3;
}
