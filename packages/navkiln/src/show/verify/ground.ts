/**
 * Compares the floors with the surface of the mesh, column by column: floors without a polygon, and polygons without a
 * floor.
 *
 * A polygon belongs to a floor of its own or a neighboring column within reach. So its border may lie a cell beyond
 * the floor.
 *
 * In: floors, a surface. Out: counts and places.
 * Cost: linear in floors and cuts.
 * Based on: own.
 */
import { clusterPoints } from './shapes/clusters.ts';
import type { Cluster } from './shapes/clusters.ts';
import { IS_INSIDE, IS_LOOSE, IS_SURE } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import type { Setup } from './setup.ts';
import type { Surface } from './surface.ts';

export interface GroundFindings {
  sureCount: number;
  coveredCount: number;
  meshCount: number;
  /** Cuts of polygons without a floor, and of those in solids. */
  overreachCount: number;
  insideCount: number;
  /** The polygon of each floor; -1: none. */
  poly: Int32Array;
  uncovered: Cluster[];
  overreach: Cluster[];
}

/** Compares floors and surface. */
export function compareGround(grid: Grid, floors: Floors, surface: Surface, setup: Setup): GroundFindings {
  const { cuts } = surface;
  const poly = new Int32Array(floors.count).fill(-1);
  const bare: number[] = [];
  let sureCount = 0;
  for (let p = 0; p < floors.count; p++) {
    poly[p] = polyNear(cuts, floors.column[p], floors.y[p], setup.reach);
    if ((floors.state[p] & IS_SURE) === 0) continue;
    sureCount++;
    if (poly[p] < 0) bare.push(p);
  }
  const { air, airColumn, insideCount, meshCount } = findAir(grid, floors, surface, setup);
  return {
    sureCount,
    coveredCount: sureCount - bare.length,
    meshCount,
    overreachCount: air.length,
    insideCount,
    poly,
    uncovered: clusterPoints(
      grid,
      Int32Array.from(bare, (p) => floors.column[p]),
      Float64Array.from(bare, (p) => floors.y[p]),
      setup.reach,
    ),
    overreach: clusterPoints(
      grid,
      Int32Array.from(airColumn),
      Float64Array.from(air, (k) => cuts.y[k]),
      setup.reach,
    ),
  };
}

/**
 * Lists the cuts of polygons without a floor, and counts those in solids. A part of the mesh that lies mostly inside of
 * solids is a closed room; where another part reaches into a solid, it has no floor.
 */
function findAir(
  grid: Grid,
  floors: Floors,
  { cuts, isOff, part }: Surface,
  { reach }: Setup,
): { air: number[]; airColumn: number[]; insideCount: number; meshCount: number } {
  const found = new Uint8Array(cuts.y.length);
  const total = new Int32Array(part.length);
  const inside = new Int32Array(part.length);
  let meshCount = 0;
  for (let c = 0; c < grid.width * grid.depth; c++) {
    for (let k = cuts.start[c]; k < cuts.start[c + 1]; k++) {
      if (isOff[cuts.item[k]] === 1) {
        found[k] = OUTSIDE;
        continue;
      }
      meshCount++;
      found[k] = floorNear(grid, floors, c, cuts.y[k], reach);
      total[part[cuts.item[k]]]++;
      if (found[k] === INSIDE) inside[part[cuts.item[k]]]++;
    }
  }
  const air: number[] = [];
  const airColumn: number[] = [];
  let insideCount = 0;
  for (let c = 0; c < grid.width * grid.depth; c++) {
    for (let k = cuts.start[c]; k < cuts.start[c + 1]; k++) {
      if (found[k] === OUTSIDE) continue;
      const of = part[cuts.item[k]];
      if (found[k] === INSIDE && 2 * inside[of] > total[of]) insideCount++;
      else {
        air.push(k);
        airColumn.push(c);
      }
    }
  }
  return { air, airColumn, insideCount, meshCount };
}

/** Returns the polygon nearest to a height in a column, or -1. */
function polyNear({ start, y, item }: Surface['cuts'], column: number, height: number, reach: number): number {
  let best = reach;
  let poly = -1;
  for (let k = start[column]; k < start[column + 1]; k++) {
    const distance = Math.abs(y[k] - height);
    if (distance > best) continue;
    best = distance;
    poly = item[k];
  }
  return poly;
}

const NONE = 0;
const INSIDE = 1;
const OUTSIDE = 2;

/** Returns whether an agent may stand within reach of a height in a column or beside it. */
function floorNear({ width, depth }: Grid, floors: Floors, column: number, height: number, reach: number): number {
  const i = column % width;
  const j = (column - i) / width;
  let found = NONE;
  for (let dj = -1; dj <= 1; dj++) {
    for (let di = -1; di <= 1; di++) {
      if (i + di < 0 || i + di >= width || j + dj < 0 || j + dj >= depth) continue;
      const c = column + di + dj * width;
      for (let p = floors.start[c]; p < floors.start[c + 1]; p++) {
        if ((floors.state[p] & IS_LOOSE) === 0 || Math.abs(floors.y[p] - height) > reach) continue;
        if ((floors.state[p] & IS_INSIDE) === 0) return OUTSIDE;
        found = INSIDE;
      }
    }
  }
  return found;
}
