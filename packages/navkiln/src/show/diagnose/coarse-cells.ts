/**
 * Finds stairs that a bake loses because its cells are too coarse: a cell height that rounds the climb to less than a step, or cells that
 * are as wide as a tread.
 *
 * Bakes the level again with finer cells, and looks whether stairs then join islands of the mesh.
 *
 * In: a level, the options of its bake, and the mesh. Out: the finer cells, the parts that they join, and the place.
 * Cost: up to three bakes without detail, of levels that are small enough. Nothing for a mesh of one island.
 * Based on: own.
 */
import { buildNavMesh } from '../../build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import { islandRelation } from '../../mesh/islands.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { findIslands } from '../../query/islands.ts';
import type { Island } from '../../query/islands.ts';
import { findNearest } from '../../query/nearest/nearest.ts';
import { findPath } from '../../query/path/find-path.ts';
import { distanceInPlan } from './gaps/facing.ts';
import { clipAround } from './gaps/join.ts';
import { countSteps } from './gaps/measure-gap.ts';
import { finerCellHeight } from './cell-height.ts';
import { middleOf } from './closed-rooms.ts';
import { areaOf } from './mesh-area.ts';
import { boxOfLevel, leastIslandArea } from './sizes.ts';
import { trialOptionsOf } from './small-bake.ts';
import { plain } from './empty/reason.ts';
import { placeText } from './text.ts';
import type { BakeFinding } from './types.ts';

type Point = [number, number, number];

const EPSILON = 1e-6;
const MOST_ISLANDS = 64;
/** Most columns of a trial, with cells of the mesh and with finer ones. */
const MOST_COLUMNS = 1 << 20;
const MOST_FINE_COLUMNS = 1 << 18;
/** Stairs have at least this number of steps. */
const LEAST_STEPS = 3;

/** Cells of a trial. */
interface Cells {
  cellSize?: number;
  cellHeight?: number;
}

/** Returns the finer cells that join islands of a mesh. `up`: square units that face up. */
export function findCoarseCells(
  input: TriangleInput,
  options: BuildOptions,
  mesh: NavMesh,
  up: number,
): BakeFinding | undefined {
  if (mesh.polyCount === 0 || !(mesh.cellSize > 0) || options.sizes !== undefined) return undefined;
  const islands = findIslands(mesh)
    .islands.slice(0, MOST_ISLANDS)
    .filter(({ area }) => area >= leastIslandArea(mesh.agent));
  if (islands.length < 2) return undefined;
  const points = islands.map(({ polys }) =>
    middleOf(
      mesh,
      polys.map((ref) => polyIndexOf(mesh, ref)),
    ),
  );
  for (const cells of cellsToTry(input, options, mesh)) {
    const trial = bakeWith(input, options, mesh, cells);
    const found = trial && joinedBy({ input, mesh, trial }, islands, points);
    if (found === undefined) continue;
    const message = sentenceOf(mesh, cells, found);
    const area = areaOf(trial!);
    return {
      code: 'coarse-cells',
      message,
      changes: { ...cells },
      area,
      coverage: up > 0 ? Math.min(1, area / up) : 1,
    };
  }
  return undefined;
}

function cellsToTry(input: TriangleInput, { cellHeight }: BuildOptions, mesh: NavMesh): Cells[] {
  const finer = cellHeight === undefined ? undefined : finerCellHeight(mesh.agent.maxClimb, mesh.cellHeight);
  const all: Cells[] = finer === undefined ? [] : [{ cellHeight: finer }];
  if (!hasNarrowTreads(input, 1.5 * mesh.cellSize)) return all;
  const cellSize = Number((mesh.cellSize / 2).toPrecision(3));
  return [...all, { cellSize }, ...all.map((cells) => ({ ...cells, cellSize }))];
}

/** Returns whether a level has flat triangles that are as narrow as treads of this depth: two of each step. */
function hasNarrowTreads({ positions: p, indices }: TriangleInput, depth: number): boolean {
  const corners = indices?.length ?? p.length / 3;
  const at = (i: number): number => 3 * (indices === undefined ? i : indices[i]);
  let count = 0;
  for (let i = 0; i + 2 < corners && count < 2 * LEAST_STEPS; i += 3) {
    const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    // Twice the area is the longest side times the height of the triangle.
    const [wx, wz] = [ux - vx, uz - vz];
    const longest = Math.sqrt(Math.max(ux * ux + uz * uz, vx * vx + vz * vz, wx * wx + wz * wz));
    if (ny > 10 * (Math.abs(nx) + Math.abs(nz)) && ny <= depth * longest) count++;
  }
  return count >= 2 * LEAST_STEPS;
}

/** Bakes a level with other cells. Undefined: it has too many columns. */
function bakeWith(input: TriangleInput, options: BuildOptions, mesh: NavMesh, cells: Cells): NavMesh | undefined {
  const { cellSize = mesh.cellSize } = cells;
  const { min, max } = options.bounds ?? boxOfLevel(input);
  const columns = ((max[0] - min[0]) / cellSize) * ((max[2] - min[2]) / cellSize);
  if (!(columns <= (cells.cellSize === undefined ? MOST_COLUMNS : MOST_FINE_COLUMNS))) return undefined;
  return buildNavMesh(input, { ...trialOptionsOf(options), ...cells, cellSize }).navMesh;
}

/** What finer cells join. */
interface Joined {
  count: number;
  area: number;
  /** The middle of the first stairs. */
  position: readonly number[];
}

/** A level with its mesh, and that of a trial. */
interface Trial {
  input: TriangleInput;
  mesh: NavMesh;
  trial: NavMesh;
}

/** Returns the islands that stairs join to larger ones in a trial. */
function joinedBy(
  { input, mesh, trial }: Trial,
  islands: readonly Island[],
  points: readonly Point[],
): Joined | undefined {
  const { agent, cellSize } = mesh;
  const across = agent.radius + 2 * cellSize;
  const halfExtents = [across, agent.height / 2, across] as const;
  const polys = points.map((point) => findNearest(trial, point, { halfExtents }).poly);
  const joined: Joined = { count: 0, area: 0, position: [] };
  for (let k = 1; k < polys.length; k++) {
    const larger = polys.findIndex((poly, i) => i < k && islandRelation(trial, poly, polys[k]) === 1);
    if (larger < 0 || polys[k] < 0) continue;
    const line = lostPart(mesh, findPath(trial, points[larger], points[k], { halfExtents }).points);
    const [from, to] = [line[0], line[line.length - 1]];
    if (line.length < 2) continue;
    const [{ corners }] = clipAround(
      input,
      [{ islands: [larger, k], from, to, score: 0 }],
      distanceInPlan(from, to) + across,
    );
    if (countSteps(corners, line, { agent, cellSize }) < LEAST_STEPS) continue;
    joined.count++;
    joined.area += islands[k].area;
    if (joined.count === 1) joined.position = line[line.length >> 1];
  }
  return joined.count === 0 ? undefined : joined;
}

/** Returns the longest part of a path that does not lie on a mesh, as points half a cell apart. */
function lostPart(mesh: NavMesh, points: readonly Point[]): Point[] {
  const { cellSize, agent } = mesh;
  const halfExtents = [0.75 * cellSize, agent.maxClimb, 0.75 * cellSize] as const;
  let longest: Point[] = [];
  let part: Point[] = [];
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const count = Math.ceil(distanceInPlan(a, b) / (0.5 * cellSize));
    for (let k = 0; k < count; k++) {
      const point = [0, 1, 2].map((axis) => a[axis] + (k / count) * (b[axis] - a[axis])) as Point;
      if (findNearest(mesh, point, { halfExtents }).found) part = [];
      else part.push(point);
      if (part.length > longest.length) longest = part;
    }
  }
  return longest;
}

function sentenceOf(mesh: NavMesh, cells: Cells, { count, area, position }: Joined): string {
  const { agent, cellHeight, cellSize } = mesh;
  const rounded = plain(Math.floor(agent.maxClimb / cellHeight + EPSILON) * cellHeight);
  const causes: string[] = [];
  if (cells.cellHeight !== undefined)
    causes.push(`cellHeight ${plain(cellHeight)} rounds the climb of ${plain(agent.maxClimb)} down to ${rounded}`);
  if (cells.cellSize !== undefined) causes.push(`cells of ${plain(cellSize)} are too coarse`);
  const values = Object.entries(cells).map(([key, value]) => `${key} ${value}`);
  const parts = count === 1 ? 'a part' : `${count} parts`;
  return (
    `${causes.join(', and ')}, and stairs are lost at ${placeText(position)}; with ${values.join(' and ')}, ` +
    `${parts} of ${plain(area)} square units ${count === 1 ? 'is' : 'are'} joined to the rest`
  );
}
