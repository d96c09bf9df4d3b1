/**
 * The table of points: positions seen from above, and heights at each. It finds a point within the tolerance
 * or adds one.
 *
 * Positions are found through a hash grid whose cells are a few tolerances wide, so most lookups visit one
 * bucket. The first point at a position sets its coordinates; a point within the tolerance of several
 * positions takes the nearest. So two positions are always further apart than the tolerance, and no corner
 * moves by more than it.
 *
 * In: corners.
 * Out: point numbers.
 * Cost: O(1) per lookup.
 * Based on: own. Rounding coordinates to a grid, the usual way, separates points on both sides of a cell's
 * border.
 */
import { mixNumbers } from '../../../base/data/hash.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { PointTable, TileSquare } from '../types.ts';

/**
 * Width of a cell in tolerances: wider cells hold more points, narrower ones make lookups visit more of them.
 */
const CELL_TOLERANCES = 16;

export function createPointTable(
  tolerance: number,
  square: TileSquare | undefined,
  expected: number,
  limitBytes: number = Infinity,
): PointTable {
  const buckets = bucketsFor(expected);
  return {
    tolerance,
    workspace: createWorkspace(),
    budget: { limitBytes, usedBytes: 0 },
    square,
    cell: CELL_TOLERANCES * tolerance,
    planCount: 0,
    planX: new Float64Array(expected),
    planZ: new Float64Array(expected),
    planPoint: new Int32Array(expected),
    planNext: new Int32Array(expected),
    planBucket: new Int32Array(buckets).fill(-1),
    pointCount: 0,
    pointPlan: new Int32Array(expected),
    pointY: new Float64Array(expected),
    pointNext: new Int32Array(expected),
  };
}

/** Empties a table for the next tile. */
export function clearPointTable(table: PointTable, square: TileSquare | undefined, expected: number): void {
  table.square = square;
  table.planCount = 0;
  table.pointCount = 0;
  const buckets = bucketsFor(expected);
  if (table.planBucket.length < buckets) table.planBucket = new Int32Array(buckets);
  table.planBucket.fill(-1);
}

function bucketsFor(expected: number): number {
  let buckets = 64;
  while (buckets < expected) buckets *= 2;
  return buckets;
}

function bucketOf(buckets: Int32Array, cx: number, cz: number): number {
  return mixNumbers(cx, cz) & (buckets.length - 1);
}

/** Returns the one of two lines that a coordinate is on, or the coordinate itself. */
export function onLine(value: number, low: number, high: number, tolerance: number): number {
  if (value - low <= tolerance && low - value <= tolerance) return low;
  return value - high <= tolerance && high - value <= tolerance ? high : value;
}

/** Returns the position at spot[0], spot[2]; adds one when none is within the tolerance. */
export function planAt(table: PointTable, spot: Float64Array): number {
  const { tolerance, square, cell, planX, planZ, planNext, planBucket } = table;
  let x = spot[0];
  let z = spot[2];
  if (square !== undefined) {
    x = onLine(x, square.x0, square.x1, tolerance);
    z = onLine(z, square.z0, square.z1, tolerance);
  }
  const cx = Math.floor(x / cell);
  const cz = Math.floor(z / cell);
  const x0 = x - cx * cell < tolerance ? cx - 1 : cx;
  const x1 = x - cx * cell > cell - tolerance ? cx + 1 : cx;
  const z0 = z - cz * cell < tolerance ? cz - 1 : cz;
  const z1 = z - cz * cell > cell - tolerance ? cz + 1 : cz;
  let best = -1;
  let bestSq = tolerance * tolerance;
  for (let gz = z0; gz <= z1; gz++) {
    for (let gx = x0; gx <= x1; gx++) {
      for (let plan = planBucket[bucketOf(planBucket, gx, gz)]; plan >= 0; plan = planNext[plan]) {
        const dx = planX[plan] - x;
        const dz = planZ[plan] - z;
        const distanceSq = dx * dx + dz * dz;
        if (distanceSq < bestSq || (distanceSq === bestSq && (best < 0 || plan < best))) {
          bestSq = distanceSq;
          best = plan;
        }
      }
    }
  }
  return best >= 0 ? best : addPlan(table, x, z);
}

function addPlan(table: PointTable, x: number, z: number): number {
  if (table.planCount === table.planX.length) growPlans(table);
  const { cell, planBucket } = table;
  const plan = table.planCount++;
  table.planX[plan] = x;
  table.planZ[plan] = z;
  table.planPoint[plan] = -1;
  const bucket = bucketOf(planBucket, Math.floor(x / cell), Math.floor(z / cell));
  table.planNext[plan] = planBucket[bucket];
  planBucket[bucket] = plan;
  return plan;
}

/** Returns the point of a position at height spot[1]; adds one when none is within the tolerance. */
export function pointAt(table: PointTable, plan: number, spot: Float64Array): number {
  const { pointY, pointNext, tolerance } = table;
  const y = spot[1];
  let best = -1;
  let bestOff = tolerance;
  for (let point = table.planPoint[plan]; point >= 0; point = pointNext[point]) {
    const off = pointY[point] > y ? pointY[point] - y : y - pointY[point];
    if (off < bestOff || (off === bestOff && (best < 0 || point < best))) {
      bestOff = off;
      best = point;
    }
  }
  if (best >= 0) return best;
  if (table.pointCount === table.pointY.length) growPoints(table);
  const point = table.pointCount++;
  table.pointPlan[point] = plan;
  table.pointY[point] = y;
  table.pointNext[point] = table.planPoint[plan];
  table.planPoint[plan] = point;
  return point;
}

function growPlans(table: PointTable): void {
  const length = Math.max(64, 2 * table.planX.length);
  table.planX = grown(table.planX, new Float64Array(length));
  table.planZ = grown(table.planZ, new Float64Array(length));
  table.planPoint = grown(table.planPoint, new Int32Array(length));
  table.planNext = new Int32Array(length);
  const { planX, planZ, planNext, cell } = table;
  let buckets = table.planBucket.length;
  while (buckets < length) buckets *= 2;
  const planBucket = (table.planBucket = new Int32Array(buckets).fill(-1));
  for (let plan = 0; plan < table.planCount; plan++) {
    const bucket = bucketOf(planBucket, Math.floor(planX[plan] / cell), Math.floor(planZ[plan] / cell));
    planNext[plan] = planBucket[bucket];
    planBucket[bucket] = plan;
  }
}

function growPoints(table: PointTable): void {
  const length = Math.max(64, 2 * table.pointY.length);
  table.pointPlan = grown(table.pointPlan, new Int32Array(length));
  table.pointY = grown(table.pointY, new Float64Array(length));
  table.pointNext = grown(table.pointNext, new Int32Array(length));
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
