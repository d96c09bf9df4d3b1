/**
 * Tries changes that join two islands where they nearly meet: bakes the surroundings with another climb or cell height, or with the gap
 * closed by a piece of floor.
 *
 * In: a level, the options of its bake, a place. Out: whether the islands are joined there.
 * Cost: a bake of a few meters.
 * Based on: own.
 */
import { AREA_GROUND } from '../../../base/constants.ts';
import { buildNavMesh } from '../../../build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../../build/voxel/options.ts';
import { islandRelation } from '../../../mesh/islands.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { findNearest } from '../../../query/nearest/nearest.ts';
import { trialOptionsOf } from '../small-bake.ts';
import type { Facing } from './facing.ts';
import type { MeasuredGap } from './measure-gap.ts';

/** A level with the bake whose islands are looked at. */
export interface Baked {
  input: TriangleInput;
  options: BuildOptions;
  mesh: NavMesh;
  /** Box of the bake: small bakes have the same grid. */
  min: readonly number[];
  max: readonly number[];
}

/** Values that replace those of the bake, and whether the gap is closed. */
export interface JoinChange {
  cellHeight?: number;
  maxClimb?: number;
  isClosed?: boolean;
}

/** Triangles around a place: the corners, and the numbers of the triangles in the level. */
export interface Clip {
  min: readonly [number, number];
  max: readonly [number, number];
  corners: Float64Array;
  triangles: readonly number[];
}

/** Returns the triangles around each place, in a square that reaches `reach` from its middle. */
export function clipAround({ positions, indices }: TriangleInput, places: readonly Facing[], reach: number): Clip[] {
  const lists = places.map((): number[] => []);
  const side = 4 * reach;
  const cells = new Map<string, number[]>();
  const middles = places.map(({ from, to }) => [(from[0] + to[0]) / 2, (from[2] + to[2]) / 2]);
  const cellOf = (value: number): number => Math.floor(value / side);
  const everywhere = middles.map(([x, z], k) => {
    const key = `${cellOf(x)},${cellOf(z)}`;
    cells.set(key, [...(cells.get(key) ?? []), k]);
    return k;
  });
  const placesIn = (x0: number, x1: number, z0: number, z1: number): readonly number[] => {
    // A large triangle lies in more cells than there are places.
    if (!(x1 - x0 < 2 * side && z1 - z0 < 2 * side)) return everywhere;
    const found: number[] = [];
    for (let i = cellOf(x0); i <= cellOf(x1); i++)
      for (let j = cellOf(z0); j <= cellOf(z1); j++) for (const k of cells.get(`${i},${j}`) ?? []) found.push(k);
    return found;
  };
  const count = (indices ?? positions).length / (indices ? 3 : 9);
  const cornerOf = (corner: number): number => 3 * (indices === undefined ? corner : indices[corner]);
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [cornerOf(3 * t), cornerOf(3 * t + 1), cornerOf(3 * t + 2)];
    const [ax, bx, cx] = [positions[a], positions[b], positions[c]];
    const [az, bz, cz] = [positions[a + 2], positions[b + 2], positions[c + 2]];
    const [x0, x1] = [Math.min(ax, bx, cx) - reach, Math.max(ax, bx, cx) + reach];
    const [z0, z1] = [Math.min(az, bz, cz) - reach, Math.max(az, bz, cz) + reach];
    for (const k of placesIn(x0, x1, z0, z1)) {
      const [x, z] = middles[k];
      if (x >= x0 && x <= x1 && z >= z0 && z <= z1) lists[k].push(t);
    }
  }
  return lists.map((triangles, k) => {
    const corners = new Float64Array(9 * triangles.length);
    triangles.forEach((t, n) => {
      for (let i = 0; i < 9; i++) corners[9 * n + i] = positions[cornerOf(3 * t + Math.floor(i / 3)) + (i % 3)];
    });
    const [x, z] = middles[k];
    return { min: [x - reach, z - reach], max: [x + reach, z + reach], corners, triangles };
  });
}

/** Returns whether a change joins both sides of a place. Undefined: the bake around the place lacks one of the sides. */
export function tryJoin(
  { input, options, mesh, min, max }: Baked,
  { corners, triangles, ...square }: Clip,
  { from, to }: Facing,
  { rims }: MeasuredGap,
  { cellHeight = options.cellHeight, maxClimb = mesh.agent.maxClimb, isClosed = false }: JoinChange,
): boolean | undefined {
  const { cellSize } = mesh;
  const { radius, height, maxSlopeDegrees } = mesh.agent;
  const patch = isClosed ? bridge(rims, (Math.ceil(radius / cellSize) + 2) * cellSize, cellSize / 2) : [];
  const positions = new Float64Array([...corners, ...patch]);
  const areas =
    input.areas &&
    Array.from({ length: positions.length / 9 }, (_, n) =>
      n < triangles.length ? input.areas![triangles[n]] : AREA_GROUND,
    );
  const onGrid = (value: number, axis: number): number =>
    min[axis] + Math.round((value - min[axis]) / cellSize) * cellSize;
  const { navMesh } = buildNavMesh(
    { positions, ...(areas && { areas }) },
    {
      ...trialOptionsOf(options),
      agent: { radius, height, maxSlopeDegrees, maxClimb },
      cellSize,
      ...(cellHeight !== undefined && { cellHeight }),
      bounds: {
        min: [onGrid(square.min[0], 0), min[1], onGrid(square.min[1], 2)],
        max: [onGrid(square.max[0], 0), max[1], onGrid(square.max[1], 2)],
      },
      regionMinArea: 0,
    },
  );
  const halfExtents = [2 * cellSize, Math.max(maxClimb, height / 4), 2 * cellSize];
  const [a, b] = [from, to].map((point) => findNearest(navMesh, point as number[], { halfExtents }).poly);
  return a < 0 || b < 0 ? undefined : islandRelation(navMesh, a, b) === 1;
}

/** Returns two triangles from one rim of a gap to the other, `half` wide on both sides, that overlap the rims. */
function bridge([p, q]: MeasuredGap['rims'], half: number, overlap: number): number[] {
  const [dx, dz] = [q[0] - p[0], q[2] - p[2]];
  const length = Math.sqrt(dx * dx + dz * dz);
  const [ux, uz] = [dx / length, dz / length];
  const corner = ([x, y, z]: readonly number[], along: number, across: number): number[] => [
    x + along * ux - across * uz,
    y,
    z + along * uz + across * ux,
  ];
  const [a, b] = [corner(p, -overlap, -half), corner(q, overlap, -half)];
  const [c, d] = [corner(q, overlap, half), corner(p, -overlap, half)];
  return [...a, ...c, ...b, ...a, ...d, ...c];
}
