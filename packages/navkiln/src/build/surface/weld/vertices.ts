/**
 * Vertex stage: groups the corners that joined edges share into vertices of the mesh.
 *
 * Where surfaces are joined over a step, both sides share one vertex, the higher one; detail triangles hold the true
 * heights of each side. So a step is an edge like any other, and no query treats it specially. At some positions the
 * corners of one vertex would differ too much in height: around the newel of a spiral stair, all steps meet. There,
 * `easeSteps` ends the joints shortly before the position.
 *
 * In: joined surface.
 * Out: one number per point for all points of a vertex.
 * Cost: linear.
 * Based on: own; a voxel bake, too, has vertices as high as the highest corner and details below them.
 */
import { rootOf, unite } from '../../../base/data/union-find.ts';
import { takeInt32 } from '../../../base/data/workspace.ts';
import { matchEdges, nextOf } from './match.ts';
import { planAt } from '../shapes/points.ts';
import { addSplit, addWall, applySplits, createSplits } from './splits.ts';
import type { Ground, PointTable } from '../types.ts';

/** Distance before such a position at which joints end, in tolerances. */
const EASE_TOLERANCES = 8;

/** Returns whether joint h spans a difference in height. */
export function isStep({ corner, twin }: Ground, h: number): boolean {
  const other = twin[h];
  return corner[h] !== corner[nextOf(other)] || corner[nextOf(h)] !== corner[other];
}

/** Returns one number for all points that steps unite. */
export function groupPoints(ground: Ground, table: PointTable, hasSteps = true): Int32Array {
  const { corner, twin } = ground;
  const parent = takeInt32(table.workspace, 'group.parent', table.pointCount);
  for (let point = 0; point < parent.length; point++) parent[point] = point;
  if (!hasSteps) return parent;
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] <= h) continue;
    unite(parent, corner[h], corner[nextOf(twin[h])]);
    unite(parent, corner[nextOf(h)], corner[twin[h]]);
  }
  for (let point = 0; point < parent.length; point++) parent[point] = rootOf(parent, point);
  return parent;
}

/** Ends joints before positions where the corners of one vertex would differ in height by more than `reach`. */
export function easeSteps(
  ground: Ground,
  table: PointTable,
  reach: number,
  most: number,
  steps: number,
): { ground: Ground; steps: number } {
  if (steps === 0) return { ground, steps };
  const { corner, twin } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  const group = groupPoints(ground, table);
  const low = Float64Array.from(pointY.subarray(0, table.pointCount));
  const high = low.slice();
  for (let point = 0; point < group.length; point++) {
    if (pointY[point] < low[group[point]]) low[group[point]] = pointY[point];
    if (pointY[point] > high[group[point]]) high[group[point]] = pointY[point];
  }
  const splits = createSplits(ground, table);
  const spot = new Float64Array(3);
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] < 0 || !isStep(ground, h)) continue;
    const a = corner[h];
    if (!(high[group[a]] - low[group[a]] > most)) continue;
    const p = pointPlan[a];
    const q = pointPlan[corner[nextOf(h)]];
    const dx = planX[q] - planX[p];
    const dz = planZ[q] - planZ[p];
    const length = Math.sqrt(dx * dx + dz * dz);
    const share = Math.min(0.25, (EASE_TOLERANCES * tolerance) / length);
    spot[0] = planX[p] + share * dx;
    spot[2] = planZ[p] + share * dz;
    const plan = planAt(table, spot);
    if (plan === p || plan === q) continue;
    addWall(splits, h, p, plan);
    addWall(splits, twin[h], p, plan);
    addSplit(splits, h, plan);
  }
  if (splits.plan.length === 0) return { ground, steps };
  const cut = applySplits(ground, table, splits);
  return { ground: cut, steps: matchEdges(cut, table, reach) };
}
