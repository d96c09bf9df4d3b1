/** A mesh and its copy in Detour, with positions for queries: the worlds of the comparisons with Detour. */
import { RANDOM_LEVEL_KINDS, levelScenes, randomLevel } from 'navkiln-scenes';
import type { RandomLevelKind } from 'navkiln-scenes';
import { exportNavMesh, init } from 'recast-navigation';
import { generateSoloNavMesh, generateTiledNavMesh } from 'recast-navigation/generators';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { parseDetourBin } from '../../src/formats/detour/detour-bin.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { seeded } from '../unit/meshes.ts';
import { importToDetour, roundAsDetour } from './detour-import.ts';
import type { DetourTwin } from './detour-import.ts';
import { lengthOf } from './detour.ts';
import type { Point } from './detour.ts';

export interface MeshPoint {
  poly: number;
  point: Point;
}

/** A mesh, its copy in Detour, and positions for queries. */
export interface World {
  mesh: NavMesh;
  twin: DetourTwin;
  random: () => number;
  /** Positions on the surface, inside of a polygon. */
  randomPoint: () => MeshPoint;
  size: number;
  isTiled: boolean;
  linkCount: number;
}

/** Bakes a scene with navkiln or with Recast, in one tile or in tiles of so many cells. */
export async function bakeScene(
  name: string,
  by: 'navkiln' | 'recast',
  cells: number,
  more: BuildOptions = {},
): Promise<NavMesh> {
  await init();
  const scene = levelScenes.find((one) => one.name === name)!;
  const level = scene.create();
  const { cellSize = 0.3 } = scene.options;
  if (by === 'navkiln') {
    const tiles = cells > 0 ? { tileSize: cells * cellSize } : {};
    return buildNavMesh(level, { ...scene.options, maxVerticesPerPoly: 6, ...tiles, ...more }).navMesh;
  }
  const options = {
    cs: 0.3,
    ch: 0.2,
    walkableSlopeAngle: 45,
    walkableHeight: 10,
    walkableClimb: 4,
    walkableRadius: 2,
    maxEdgeLen: 40,
    maxSimplificationError: 1.3,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: 6,
    detailSampleDist: 6,
    detailSampleMaxError: 1,
  };
  const [positions, indices] = [Array.from(level.positions), Array.from(level.indices)];
  const made =
    cells > 0
      ? generateTiledNavMesh(positions, indices, { ...options, tileSize: cells })
      : generateSoloNavMesh(positions, indices, options);
  if (!made.success) throw new Error(made.error);
  const mesh = parseDetourBin(exportNavMesh(made.navMesh)).navMesh;
  made.navMesh.destroy();
  return mesh;
}

/** Bakes a random level, moved to the origin, since Detour's coordinates are float32. */
async function bakeRandom(kind: RandomLevelKind, seed: number, cells: number, more: BuildOptions): Promise<NavMesh> {
  await init();
  const level = randomLevel(kind, seed);
  const positions = Float32Array.from(level.positions, (value, i) => value - level.offset[i % 3]);
  const cellSize = level.agent.radius / 2;
  const options = { agent: level.agent, cellSize, tileSize: cells * cellSize, maxVerticesPerPoly: 6, ...more };
  return buildNavMesh({ positions, indices: level.indices }, options).navMesh;
}

/** Adds links to a mesh and copies it to Detour. */
export async function makeWorld(mesh: NavMesh, seed: number, linkCount: number): Promise<World> {
  const random = seeded(seed);
  const randomPoint = (): MeshPoint => {
    for (;;) {
      const poly = Math.floor(random() * mesh.polyCount);
      const point: Point = [0, 0, 0];
      let sum = 0;
      for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
        const weight = random() + 0.03;
        const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
        for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
        sum += weight;
      }
      const at = Float64Array.from(point, (value) => Math.fround(value / sum));
      if (!closestPointOnPoly(at, mesh, poly, at)) continue;
      return { poly, point: Array.from(at, Math.fround) as Point };
    }
  };
  // Detour attaches links within the radius and the climb. The positions are on the surface.
  for (let i = 0; i < linkCount; i++) {
    const [start, end] = [randomPoint().point, randomPoint().point];
    if (mesh.tileSize > 0 && lengthOf([start, end]) >= mesh.tileSize) i--;
    else addLink(mesh, { start, end, radius: 0.5, bothWays: random() < 0.5 });
  }
  roundAsDetour(mesh);
  const twin = await importToDetour(mesh);
  const b = mesh.tileBounds;
  let size = 0;
  for (const axis of [0, 2]) {
    const low = Math.min(...Array.from({ length: mesh.tileSlotCount }, (_, t) => b[6 * t + axis]));
    const high = Math.max(...Array.from({ length: mesh.tileSlotCount }, (_, t) => b[6 * t + 3 + axis]));
    size = Math.max(size, high - low);
  }
  return { mesh, twin, random, randomPoint, size, isTiled: mesh.tileSlotCount > 1, linkCount };
}

/** A scene, or a kind of random levels and a seed; cells per tile (0: one tile); links. */
export type WorldLevel = [name: string, cells: number, linkCount: number];

/**
 * Returns the given levels. With NAVKILN_ALL (the soak sets it), returns all scenes and that many random levels of each
 * kind, in one tile and in tiles, with and without links.
 */
export function worldLevels(few: WorldLevel[]): WorldLevel[] {
  const count = Number(process.env.NAVKILN_ALL ?? 0);
  if (count === 0) return few;
  const first = Number(process.env.NAVKILN_SEED ?? 1);
  const names = levelScenes.map(({ name }) => name);
  for (const kind of RANDOM_LEVEL_KINDS)
    for (let i = 0; i < count; i++) names.push(`${kind} ${Math.imul(first + i, 7919) & 0xffff}`);
  return names.flatMap((name, i): WorldLevel[] => [
    [name, 0, i % 2 === 0 ? 0 : 12],
    [name, 40, i % 2 === 0 ? 12 : 0],
  ]);
}

/** Bakes one of `worldLevels` with navkiln. */
export async function bakeLevel(name: string, cells: number): Promise<NavMesh> {
  const [kind, seed] = name.split(' ');
  const bake = (more: BuildOptions): Promise<NavMesh> =>
    seed === undefined
      ? bakeScene(name, 'navkiln', cells, more)
      : bakeRandom(kind as RandomLevelKind, Number(seed), cells, more);
  const mesh = await bake({});
  // Detour counts the detail triangles of a polygon in a byte.
  const isFine = mesh.polyDetailTriCount.subarray(0, mesh.polyCount).some((count) => count > 255);
  return isFine ? bake({ detailSampleDistance: 0 }) : mesh;
}
