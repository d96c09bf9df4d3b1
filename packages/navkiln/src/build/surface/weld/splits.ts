/**
 * Cuts edges at recorded positions, and marks the parts that are behind a wall.
 *
 * A triangle with positions on its edges becomes triangles: a fan from the corner opposite a cut edge, edge
 * after edge. So no corner of a triangle lies on an edge of another one in the end, and positions need not
 * lie exactly on the edges. A new point has the height of the edge there, or is an existing point within the
 * tolerance.
 *
 * In: surface, and positions by half-edge.
 * Out: surface without joints.
 * Cost: linear in triangles and splits.
 * Based on: own.
 */
import { takeInt32 } from '../../../base/data/workspace.ts';
import { pointAt } from '../shapes/points.ts';
import { groundOf, isFlat, isNarrower } from './weld.ts';
import { nextOf } from './match.ts';
import type { Ground, PointTable } from '../types.ts';

/** Lists by half-edge: a split holds one position, a wall two. */
export interface Splits {
  /** First split of each half-edge, or -1. */
  first: Int32Array;
  next: number[];
  plan: number[];
  /** First wall of each half-edge, or -1. */
  firstWall: Int32Array;
  nextWall: number[];
  /** 2 per wall. */
  wallPlan: number[];
}

export function createSplits(ground: Ground, { workspace }: PointTable): Splits {
  const count = 3 * ground.count;
  return {
    first: takeInt32(workspace, 'splits.first', count).fill(-1),
    next: [],
    plan: [],
    firstWall: takeInt32(workspace, 'splits.firstWall', count).fill(-1),
    nextWall: [],
    wallPlan: [],
  };
}

export function addSplit(splits: Splits, h: number, plan: number): void {
  splits.next.push(splits.first[h]);
  splits.first[h] = splits.plan.push(plan) - 1;
}

/** Records that the part of an edge between two positions is behind a wall, and splits the edge there. */
export function addWall(splits: Splits, h: number, planA: number, planB: number): void {
  addSplit(splits, h, planA);
  addSplit(splits, h, planB);
  splits.nextWall.push(splits.firstWall[h]);
  splits.firstWall[h] = splits.nextWall.length - 1;
  splits.wallPlan.push(planA, planB);
}

/** Returns the parameter of a position along a half-edge, 0 .. 1. */
function alongEdge(table: PointTable, from: number, to: number, plan: number): number {
  const { planX, planZ, pointPlan } = table;
  const p = pointPlan[from];
  const q = pointPlan[to];
  const dx = planX[q] - planX[p];
  const dz = planZ[q] - planZ[p];
  return ((planX[plan] - planX[p]) * dx + (planZ[plan] - planZ[p]) * dz) / (dx * dx + dz * dz);
}

/** An edge of a triangle that is being cut: its points in order, and whether a wall is on each part. */
interface CutEdge {
  points: number[];
  blocked: number[];
}

function cutEdge(ground: Ground, table: PointTable, splits: Splits, h: number): CutEdge {
  const from = ground.corner[h];
  const to = ground.corner[nextOf(h)];
  const was = ground.blocked[h];
  const edge: CutEdge = { points: [from, to], blocked: [was] };
  if (splits.first[h] < 0) return edge;
  const places: { plan: number; t: number }[] = [];
  for (let s = splits.first[h]; s >= 0; s = splits.next[s]) {
    const plan = splits.plan[s];
    if (plan === table.pointPlan[from] || plan === table.pointPlan[to]) continue;
    if (places.some((one) => one.plan === plan)) continue;
    const t = alongEdge(table, from, to, plan);
    if (t > 0 && t < 1) places.push({ plan, t });
  }
  places.sort((a, b) => a.t - b.t || a.plan - b.plan);
  const spot = new Float64Array(3);
  edge.points.length = 1;
  const ends = [0];
  for (const { plan, t } of places) {
    spot[1] = table.pointY[from] + t * (table.pointY[to] - table.pointY[from]);
    edge.points.push(pointAt(table, plan, spot));
    ends.push(t);
  }
  edge.points.push(to);
  ends.push(1);
  edge.blocked = ends.slice(1).map((end, k) => {
    if (was === 1) return 1;
    const middle = (ends[k] + end) / 2;
    for (let w = splits.firstWall[h]; w >= 0; w = splits.nextWall[w]) {
      const a = alongEdge(table, from, to, splits.wallPlan[2 * w]);
      const b = alongEdge(table, from, to, splits.wallPlan[2 * w + 1]);
      if (a < middle !== b < middle) return 1;
    }
    return 0;
  });
  return edge;
}

/**
 * Cuts all recorded edges. Pieces without width are dropped, and so are slivers that are to be cut: parts of a sliver would be slivers
 * again. The result has the joints between triangles that are not cut, except steps.
 */
export function applySplits(ground: Ground, table: PointTable, splits: Splits): Ground {
  const cornerCount = 3 * (ground.count + splits.plan.length);
  const out = groundOf(new Int32Array(cornerCount), new Uint8Array(cornerCount / 3), new Int32Array(cornerCount / 3));
  let count = 0;
  const place = takeInt32(table.workspace, 'splits.place', ground.count);
  // Adds a part of triangle t; bit k of `blocked`: a wall is on the edge from corner k.
  const emit = (t: number, a: number, b: number, c: number, blocked: number): void => {
    if (isFlat(table, a, b, c)) return;
    out.corner[3 * count] = a;
    out.corner[3 * count + 1] = b;
    out.corner[3 * count + 2] = c;
    for (let k = 0; k < 3; k++) out.blocked[3 * count + k] = (blocked >> k) & 1;
    out.source[count] = ground.source[t];
    out.area[count++] = ground.area[t];
  };
  const fan = (t: number, ab: CutEdge, bc: CutEdge, ca: CutEdge): void => {
    if (ab.points.length === 2 && bc.points.length === 2 && ca.points.length === 2) {
      emit(t, ab.points[0], bc.points[0], ca.points[0], ab.blocked[0] | (bc.blocked[0] << 1) | (ca.blocked[0] << 2));
      return;
    }
    if (ab.points.length === 2) {
      fan(t, bc, ca, ab);
      return;
    }
    const apex = ca.points[0];
    const last = ab.points.length - 2;
    for (let k = 0; k <= last; k++) {
      const from = ab.points[k];
      const to = ab.points[k + 1];
      const toApex: CutEdge = k === last ? bc : { points: [to, apex], blocked: [0] };
      const fromApex: CutEdge = k === 0 ? ca : { points: [apex, from], blocked: [0] };
      fan(t, { points: [from, to], blocked: [ab.blocked[k]] }, toApex, fromApex);
    }
  };
  for (let t = 0; t < ground.count; t++) {
    const h = 3 * t;
    place[t] = -1;
    if (splits.first[h] < 0 && splits.first[h + 1] < 0 && splits.first[h + 2] < 0) {
      place[t] = count;
      for (let k = 0; k < 3; k++) {
        out.corner[3 * count + k] = ground.corner[h + k];
        out.blocked[3 * count + k] = ground.blocked[h + k];
      }
      out.source[count] = ground.source[t];
      out.area[count++] = ground.area[t];
    } else if (!isNarrower(table, ground.corner[h], ground.corner[h + 1], ground.corner[h + 2], table.tolerance)) {
      const [ab, bc, ca] = [0, 1, 2].map((k) => cutEdge(ground, table, splits, h + k));
      fan(t, ab, bc, ca);
    }
  }
  out.count = count;
  out.corner = out.corner.subarray(0, 3 * count);
  out.twin = out.twin.subarray(0, 3 * count);
  out.blocked = out.blocked.subarray(0, 3 * count);
  out.area = out.area.subarray(0, count);
  out.source = out.source.subarray(0, count);
  keepJoints(out, ground, place);
  return out;
}

/** Copies joints without a step between triangles that have a place in the result. */
function keepJoints(out: Ground, { count, corner, twin }: Ground, place: Int32Array): void {
  for (let t = 0; t < count; t++) {
    if (place[t] < 0) continue;
    for (let k = 0; k < 3; k++) {
      const h = 3 * t + k;
      const other = twin[h];
      if (other < h || place[(other / 3) | 0] < 0) continue;
      if (corner[h] !== corner[nextOf(other)] || corner[nextOf(h)] !== corner[other]) continue;
      const to = 3 * place[t] + k;
      const back = 3 * place[(other / 3) | 0] + (other % 3);
      out.twin[to] = back;
      out.twin[back] = to;
    }
  }
}
