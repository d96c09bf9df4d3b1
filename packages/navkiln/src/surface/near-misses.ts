/**
 * Finds edges that nearly meet: surface on both sides of a crack, or of an overlap, that is slightly wider than the
 * tolerance. Such edges are probably meant to be joined.
 *
 * Two edges nearly meet when they have no partner and no wall, and run in opposite directions. They are side by side
 * for longer than the gap between them, and within a step in height there.
 *
 * In: conforming surface of a tile and its rim.
 * Out: one call per pair in the tile.
 * Cost: linear in the edges without a partner and in nearby pairs of them.
 * Based on: own.
 */
import { takeInt32 } from '../data/workspace.ts';
import { nextOf } from './match.ts';
import { forEachNear } from './near-segments.ts';
import type { Ground, PointTable } from './types.ts';

/** Wider cracks are taken for intended, in tolerances. */
export const NEAR_MISS_TOLERANCES = 10;

/**
 * Called for a pair of edges that nearly meet: the middle of that part, the width of the gap, and the triangle of one
 * edge.
 */
export type OnNearMiss = (x: number, y: number, z: number, gap: number, source: number) => void;

export function findNearMisses(ground: Ground, table: PointTable, reach: number, onMiss: OnNearMiss): void {
  const { twin, blocked, corner } = ground;
  const { planX, planZ, pointPlan, tolerance, workspace } = table;
  const edges = takeInt32(workspace, 'near-misses.edges', twin.length);
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
  forEachNear(segments, 2 * NEAR_MISS_TOLERANCES * tolerance, table.budget, (i, j) => {
    comparePair(ground, table, reach, edges[i], edges[j], onMiss);
    return true;
  });
}

// oxlint-disable-next-line max-params -- called per pair: a record would be one more object for each
function comparePair(ground: Ground, table: PointTable, reach: number, e: number, f: number, onMiss: OnNearMiss): void {
  const { corner, source } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance, square } = table;
  const a = corner[e];
  const b = corner[nextOf(e)];
  const c = corner[f];
  const d = corner[nextOf(f)];
  const ax = planX[pointPlan[a]];
  const az = planZ[pointPlan[a]];
  const dx = planX[pointPlan[b]] - ax;
  const dz = planZ[pointPlan[b]] - az;
  const length = Math.sqrt(dx * dx + dz * dz);
  // Along e, and across it, as in conform.ts. The other edge runs the opposite way, from c to d.
  const cx = planX[pointPlan[c]] - ax;
  const cz = planZ[pointPlan[c]] - az;
  const ex = planX[pointPlan[d]] - ax;
  const ez = planZ[pointPlan[d]] - az;
  const uc = (cx * dx + cz * dz) / length;
  const ud = (ex * dx + ez * dz) / length;
  const low = ud > 0 ? ud : 0;
  const high = uc < length ? uc : length;
  if (!(high - low > tolerance)) return;
  const vc = (cz * dx - cx * dz) / length;
  const vd = (ez * dx - ex * dz) / length;
  const slope = (vc - vd) / (uc - ud);
  const atLow = Math.abs(vd + (low - ud) * slope);
  const atHigh = Math.abs(vd + (high - ud) * slope);
  const gap = atLow > atHigh ? atLow : atHigh;
  if (!(gap > tolerance && gap <= NEAR_MISS_TOLERANCES * tolerance && high - low > gap)) return;
  const middle = (low + high) / 2;
  const y = pointY[a] + (middle / length) * (pointY[b] - pointY[a]);
  const other = pointY[d] + ((middle - ud) / (uc - ud)) * (pointY[c] - pointY[d]);
  if (Math.abs(y - other) > reach) return;
  const across = (vd + (middle - ud) * slope) / 2;
  const x = ax + (middle * dx - across * dz) / length;
  const z = az + (middle * dz + across * dx) / length;
  if (square !== undefined && !(x >= square.x0 && x < square.x1 && z >= square.z0 && z < square.z1)) return;
  const first = Math.min(source[(e / 3) | 0], source[(f / 3) | 0]);
  onMiss(x, y, z, gap, first);
}
