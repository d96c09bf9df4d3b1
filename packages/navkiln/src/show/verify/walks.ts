/**
 * Finds invisible walls: straight walks over places where an agent surely stands that a ray along the mesh does not
 * finish. All places on the walk and beside it have polygons, since a border of the mesh may lie between two columns.
 *
 * In: floors, the polygon of each, a mesh. Out: counts and places.
 * Cost: linear in the walks and their lengths.
 * Based on: own.
 */
import { createRandom, nextRandom } from '../../base/data/random.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { createFilter } from '../../query/create-filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { createRayHit } from '../../query/ray/hit.ts';
import { raycastInto } from '../../query/ray/raycast.ts';
import { IS_SURE } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import { pointAt } from './shapes/points.ts';

/** A walk that a ray does not finish. */
export interface InvisibleWall {
  position: [number, number, number];
  /** Length of the walk behind the wall, world units. */
  length: number;
}

export interface WalkFindings {
  count: number;
  walls: InvisibleWall[];
}

/** Longest walk, in columns, and the shortest that counts. */
const LONGEST = 200;
const SHORTEST = 4;

/** Tries straight walks from random places in random directions. */
export function tryWalks(
  { grid, floors, poly, mesh, size }: { grid: Grid; floors: Floors; poly: Int32Array; mesh: NavMesh; size: number },
  covered: Int32Array,
  walks: number,
  seed: number,
): WalkFindings {
  const findings: WalkFindings = { count: 0, walls: [] };
  if (covered.length === 0) return findings;
  const random = createRandom(seed);
  const filter = createFilter({ size: Math.max(0, size) });
  for (let attempt = 0; attempt < 4 * walks && findings.count < walks; attempt++) {
    const start = covered[Math.floor(nextRandom(random) * covered.length)];
    const end = walk(grid, floors, poly, start, nextRandom(random));
    if (end < 0) continue;
    findings.count++;
    const wall = castOver(mesh, filter, poly[start], pointOf(grid, floors, start), pointOf(grid, floors, end));
    if (wall !== undefined) findings.walls.push(wall);
  }
  return findings;
}

function pointOf(grid: Grid, { column, y }: Floors, p: number): [number, number, number] {
  return pointAt(grid, column[p], y[p]);
}

/** Returns whether an agent surely stands at a floor and on all sides of it, and all have polygons. */
function isOpen({ state, beside, ways }: Floors, poly: Int32Array, p: number): boolean {
  if ((state[p] & IS_SURE) === 0 || poly[p] < 0 || ways[p] >> 4 !== 15) return false;
  for (let d = 0; d < 4; d++) {
    const q = beside[4 * p + d];
    if ((state[q] & IS_SURE) === 0 || poly[q] < 0) return false;
  }
  return true;
}

/** Walks from a floor in a direction (a share of a turn) as far as places are sure. Returns the last floor, or -1. */
function walk({ width }: Grid, floors: Floors, poly: Int32Array, start: number, turn: number): number {
  const { column, beside, ways } = floors;
  // A direction on the border of a square: even over the square, which is random enough.
  const side = Math.floor(4 * turn);
  const across = 2 * (4 * turn - side) - 1;
  const [du, dv] = [
    [1, across],
    [-across, 1],
    [-1, -across],
    [across, -1],
  ][side];
  const i0 = column[start] % width;
  const j0 = (column[start] - i0) / width;
  if (!isOpen(floors, poly, start)) return -1;
  let p = start;
  let steps = 0;
  for (let n = 1; n <= LONGEST; n++) {
    const i = i0 + Math.round(du * n);
    const j = j0 + Math.round(dv * n);
    let next = p;
    for (let guard = 0; guard < 2; guard++) {
      const ui = i - (column[next] % width);
      const vj = j - Math.floor(column[next] / width);
      const d = ui > 0 ? 0 : ui < 0 ? 2 : vj > 0 ? 1 : vj < 0 ? 3 : -1;
      if (d < 0) break;
      const q = (ways[next] & (16 << d)) !== 0 ? beside[4 * next + d] : -1;
      if (q < 0 || !isOpen(floors, poly, q)) return steps >= SHORTEST ? p : -1;
      next = q;
    }
    p = next;
    steps = n;
  }
  return p;
}

const hit = createRayHit();
const origin = new Float64Array(3);
const goal = new Float64Array(3);

/** Casts a ray along the mesh. Returns the wall that stops it. */
function castOver(
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  from: readonly number[],
  to: readonly number[],
): InvisibleWall | undefined {
  origin.set(from);
  goal.set(to);
  closestPointOnPoly(origin, mesh, poly, origin);
  raycastInto(hit, mesh, poly, origin, goal, filter, false);
  if (hit.status === 'reached') return undefined;
  const [x, y, z] = hit.point;
  const dx = to[0] - x;
  const dz = to[2] - z;
  return { position: [x, y, z], length: Math.sqrt(dx * dx + dz * dz) };
}
