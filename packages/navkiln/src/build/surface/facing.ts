/**
 * Finds pairs of edges that face each other across a gap: both are without a partner and without a wall, they run in
 * opposite directions, and are side by side within a distance.
 *
 * In: conforming surface of a tile and its rim.
 * Out: one call per pair, with the part where they are side by side.
 * Cost: linear in the edges without a partner and in nearby pairs of them.
 * Based on: own.
 */
import { takeInt32 } from '../../base/data/workspace.ts';
import { nextOf } from './weld/match.ts';
import { forEachNear } from './shapes/near-segments.ts';
import type { Ground, PointTable } from './types.ts';

/**
 * Two edges seen from above. Positions are u along the first edge. The gap and both heights change linearly: each is its
 * value at u = 0 and its change along u.
 */
export interface Facing {
  e: number;
  f: number;
  /** Where the first edge starts, and its direction. */
  x: number;
  z: number;
  dx: number;
  dz: number;
  /** The part that is side by side. */
  low: number;
  high: number;
  /** The distance from the first edge to the second, across the first; negative where their surfaces overlap. */
  gap: number;
  gapSlope: number;
  heightE: number;
  riseE: number;
  heightF: number;
  riseF: number;
}

/** Calls `visit` for each pair closer than `distance`. The record is reused. */
export function forEachFacing(
  ground: Ground,
  table: PointTable,
  distance: number,
  visit: (pair: Facing) => void,
): void {
  const { twin, blocked, corner } = ground;
  const { planX, planZ, pointPlan, workspace } = table;
  const edges = takeInt32(workspace, 'facing.edges', twin.length);
  let count = 0;
  for (let h = 0; h < twin.length; h++) if (twin[h] < 0 && blocked[h] === 0) edges[count++] = h;
  const segments = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    const p = pointPlan[corner[edges[i]]];
    const q = pointPlan[corner[nextOf(edges[i])]];
    segments[4 * i] = planX[p];
    segments[4 * i + 1] = planZ[p];
    segments[4 * i + 2] = planX[q];
    segments[4 * i + 3] = planZ[q];
  }
  forEachNear(segments, 2 * distance, table.budget, (i, j) => {
    if (!runOpposite(segments, i, j)) return false;
    if (loadPair(ground, table, edges[i], edges[j])) visit(pair);
    return true;
  });
}

function runOpposite(segments: Float64Array, i: number, j: number): boolean {
  const a = 4 * i;
  const b = 4 * j;
  return (
    (segments[a + 2] - segments[a]) * (segments[b + 2] - segments[b]) +
      (segments[a + 3] - segments[a + 1]) * (segments[b + 3] - segments[b + 1]) <
    0
  );
}

const pair: Facing = {
  e: 0,
  f: 0,
  x: 0,
  z: 0,
  dx: 0,
  dz: 0,
  low: 0,
  high: 0,
  gap: 0,
  gapSlope: 0,
  heightE: 0,
  riseE: 0,
  heightF: 0,
  riseF: 0,
};

/** Computes a pair. Returns whether the edges are side by side. */
function loadPair({ corner }: Ground, table: PointTable, e: number, f: number): boolean {
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  const a = corner[e];
  const b = corner[nextOf(e)];
  const c = corner[f];
  const d = corner[nextOf(f)];
  const x = planX[pointPlan[a]];
  const z = planZ[pointPlan[a]];
  let dx = planX[pointPlan[b]] - x;
  let dz = planZ[pointPlan[b]] - z;
  const length = Math.sqrt(dx * dx + dz * dz);
  dx /= length;
  dz /= length;
  // The other edge runs the opposite way: from c, which is further along, to d.
  const cx = planX[pointPlan[c]] - x;
  const cz = planZ[pointPlan[c]] - z;
  const ex = planX[pointPlan[d]] - x;
  const ez = planZ[pointPlan[d]] - z;
  const uc = cx * dx + cz * dz;
  const ud = ex * dx + ez * dz;
  pair.low = ud > 0 ? ud : 0;
  pair.high = uc < length ? uc : length;
  if (!(pair.high - pair.low > tolerance)) return false;
  const gapC = cz * dx - cx * dz;
  const gapD = ez * dx - ex * dz;
  pair.e = e;
  pair.f = f;
  pair.x = x;
  pair.z = z;
  pair.dx = dx;
  pair.dz = dz;
  pair.gapSlope = (gapC - gapD) / (uc - ud);
  pair.gap = gapD - ud * pair.gapSlope;
  pair.heightE = pointY[a];
  pair.riseE = (pointY[b] - pointY[a]) / length;
  pair.riseF = (pointY[c] - pointY[d]) / (uc - ud);
  pair.heightF = pointY[d] - ud * pair.riseF;
  return true;
}
