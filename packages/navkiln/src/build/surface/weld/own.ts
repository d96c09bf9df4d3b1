/**
 * Keeps the part of the surface inside a tile's square and drops the rim. Edges with surface behind them in
 * the rim are marked as border.
 *
 * Edges on the tile's border are then open exactly where the neighboring tile has surface, and cut where it
 * begins and ends.
 *
 * In: surface of a tile and its rim.
 * Out: surface of the tile.
 * Cost: linear.
 * Based on: own.
 */
import { takeInt32, takeUint8 } from '../../../base/data/workspace.ts';
import { isStep } from './vertices.ts';
import { keepTriangles } from './weld.ts';
import type { Ground, PointTable } from '../types.ts';

/**
 * Returns the surface inside the square. `steps`: joints over a difference in height, each counted in one tile only;
 * not counted (0) unless `hasSteps`.
 */
export function ownGround(ground: Ground, table: PointTable, hasSteps: boolean): { ground: Ground; steps: number } {
  const { count, twin } = ground;
  const { workspace, square } = table;
  if (square === undefined && !hasSteps) return { ground, steps: 0 };
  const sides = takeInt32(workspace, 'own.sides', count);
  let kept = 0;
  for (let t = 0; t < count; t++) {
    sides[t] = sideOf(ground, table, t);
    if (sides[t] === 0) kept++;
  }
  const place = takeInt32(workspace, 'own.place', count);
  for (let t = 0, to = 0; t < count; t++) place[t] = sides[t] === 0 ? to++ : -1;
  const out: Ground = {
    count: kept,
    corner: takeInt32(workspace, 'own.corner', 3 * kept),
    twin: takeInt32(workspace, 'own.twin', 3 * kept),
    blocked: takeUint8(workspace, 'own.blocked', 3 * kept),
    area: takeUint8(workspace, 'own.area', kept),
    source: takeInt32(workspace, 'own.source', kept),
  };
  keepTriangles(out, ground, place);
  let steps = 0;
  for (let t = 0; t < count; t++) {
    const to = place[t];
    if (to < 0) continue;
    for (let k = 0; k < 3; k++) {
      const h = 3 * t + k;
      const other = twin[h];
      const beyond = other < 0 ? -1 : (other / 3) | 0;
      const side = other < 0 ? -1 : sides[beyond];
      out.twin[3 * to + k] = side === 0 ? other + 3 * (place[beyond] - beyond) : side;
      if (!hasSteps) continue;
      const counts = other >= 0 && (sides[beyond] === 0 ? h < other : sides[beyond] === -3 || sides[beyond] === -4);
      if (counts && isStep(ground, h)) steps++;
    }
  }
  return { ground: out, steps };
}

/** Returns 0 inside the square; -2 .. -5 beyond the side -x, +z, +x, -z; -1 beyond a corner. */
export function sideOf({ corner }: Ground, { square, planX, planZ, pointPlan }: PointTable, t: number): number {
  if (square === undefined) return 0;
  const a = pointPlan[corner[3 * t]];
  if (planX[a] > square.x0 && planX[a] < square.x1 && planZ[a] > square.z0 && planZ[a] < square.z1) return 0;
  const b = pointPlan[corner[3 * t + 1]];
  const c = pointPlan[corner[3 * t + 2]];
  const x = (planX[a] + planX[b] + planX[c]) / 3;
  const z = (planZ[a] + planZ[b] + planZ[c]) / 3;
  const dx = x < square.x0 ? -1 : x > square.x1 ? 1 : 0;
  const dz = z < square.z0 ? -1 : z > square.z1 ? 1 : 0;
  if (dz === 0) return dx === 0 ? 0 : dx < 0 ? -2 : -4;
  return dx !== 0 ? -1 : dz > 0 ? -3 : -5;
}
