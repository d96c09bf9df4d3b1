/**
 * Leaves out places that the bake was told to leave out: in holes, and where nothing leads to.
 *
 * They count as not sure. A mesh there is no fault either, since an agent could stand there.
 *
 * In: floors. Out: fewer floors with `IS_SURE`.
 * Cost: linear in the floors.
 * Based on: own.
 */
import type { AreaVolume } from '../../build/voxel/options.ts';
import { rootOf, unite } from '../../base/data/union-find.ts';
import { IS_SURE } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import { pointAt } from './shapes/points.ts';
import type { Setup } from './setup.ts';

/** Clears `IS_SURE` in and around volumes of area 0. */
export function leaveOutHoles(grid: Grid, floors: Floors, volumes: readonly AreaVolume[], setup: Setup): void {
  const holes = volumes.filter(({ area }) => area === 0);
  if (holes.length === 0) return;
  // Holes are cut by whole cells and voxels.
  const margin = 1.5 * setup.margins.radius;
  for (let p = 0; p < floors.count; p++) {
    if ((floors.state[p] & IS_SURE) === 0) continue;
    const [x, y, z] = pointAt(grid, floors.column[p], floors.y[p]);
    if (holes.some((hole) => isNear(hole, [x, y, z], margin, setup.reach))) floors.state[p] &= ~IS_SURE;
  }
}

/** Returns whether a point is in a volume or within margins of it. */
function isNear(volume: AreaVolume, [x, y, z]: readonly number[], side: number, height: number): boolean {
  if (volume.type === 'box') {
    const { min, max } = volume;
    const isIn = (value: number, axis: number, margin: number): boolean =>
      value >= min[axis] - margin && value <= max[axis] + margin;
    return isIn(x, 0, side) && isIn(y, 1, height) && isIn(z, 2, side);
  }
  if (volume.type === 'cylinder') {
    const [cx, cy, cz] = volume.center;
    const reach = volume.radius + side;
    if (y < cy - height || y > cy + volume.height + height) return false;
    return (x - cx) * (x - cx) + (z - cz) * (z - cz) <= reach * reach;
  }
  if (y < volume.minY - height || y > volume.maxY + height) return false;
  return distanceToOutline(volume.outline, x, z) <= side;
}

/** Returns the distance of a point to the area of an outline; 0 inside. */
function distanceToOutline(outline: readonly (readonly number[])[], x: number, z: number): number {
  let isInside = false;
  let best = Infinity;
  outline.forEach(([ax, az], i) => {
    const [bx, bz] = outline[(i + 1) % outline.length];
    if (az > z !== bz > z && x < ax + ((z - az) / (bz - az)) * (bx - ax)) isInside = !isInside;
    const dx = bx - ax;
    const dz = bz - az;
    const lengthSq = dx * dx + dz * dz;
    const s = lengthSq > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / lengthSq)) : 0;
    const ex = ax + s * dx - x;
    const ez = az + s * dz - z;
    best = Math.min(best, ex * ex + ez * ez);
  });
  return isInside ? 0 : Math.sqrt(best);
}

/** Clears `IS_SURE` of floors that no chain of sure places joins with one near the points. */
export function leaveOutUnreachable(
  grid: Grid,
  floors: Floors,
  points: readonly (readonly number[])[],
  setup: Setup,
): void {
  const { count, state, beside, ways } = floors;
  const parent = new Int32Array(count).map((_, i) => i);
  for (let p = 0; p < count; p++) {
    for (let d = 0; d < 2; d++) {
      const q = beside[4 * p + d];
      if ((ways[p] & (16 << d)) !== 0 && (state[p] & state[q] & IS_SURE) !== 0) unite(parent, p, q);
    }
  }
  const kept = new Set(
    points.map((point) => nearestSure(grid, floors, point, setup)).map((p) => (p < 0 ? p : rootOf(parent, p))),
  );
  for (let p = 0; p < count; p++) if (!kept.has(rootOf(parent, p))) state[p] &= ~IS_SURE;
}

/** Returns the sure floor nearest to a point, within two radii to the sides and a body's height; -1: none. */
function nearestSure(grid: Grid, floors: Floors, [x, y, z]: readonly number[], { sureRadius, agent }: Setup): number {
  const { origin, u0, v0, spacing, width, depth } = grid;
  const u = (x - origin[0] - u0) / spacing;
  const v = (z - origin[2] - v0) / spacing;
  const reach = (2 * sureRadius) / spacing;
  let best = Infinity;
  let found = -1;
  for (let j = Math.max(0, Math.ceil(v - reach)); j <= Math.min(depth - 1, v + reach); j++) {
    for (let i = Math.max(0, Math.ceil(u - reach)); i <= Math.min(width - 1, u + reach); i++) {
      const c = i + j * width;
      for (let p = floors.start[c]; p < floors.start[c + 1]; p++) {
        const rise = Math.abs(floors.y[p] + origin[1] - y);
        const distance = spacing * spacing * ((i - u) * (i - u) + (j - v) * (j - v)) + rise * rise;
        if ((floors.state[p] & IS_SURE) === 0 || rise > agent.height || distance >= best) continue;
        best = distance;
        found = p;
      }
    }
  }
  return found;
}
