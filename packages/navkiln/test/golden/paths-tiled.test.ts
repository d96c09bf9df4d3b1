/**
 * Compares paths over tiles with Detour's on the same polygons and portals: 1,000 seeded pairs of points per
 * level (NAVKILN_PAIRS, NAVKILN_SEED; 100 in `npm test`). The tiles are baked by navkiln, or by Recast and
 * read from its file.
 *
 * Detour stores the ends of portals in steps of 1/255 of the edge, and at most four portals per edge. The
 * test rounds ours in the same way, so that both searches see the same portals. Then the statuses are equal,
 * and a path may be longer only in a tie: the cost of Detour's path, looked up in the nodes of our search,
 * must be equal in float32. `epsilon` counts ties over the same polygons, where a portal ends within rounding
 * of a vertex and the path may pass on either side of it.
 */
import { exportNavMesh, init } from 'recast-navigation';
import { generateTiledNavMesh } from 'recast-navigation/generators';
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { parseDetourBin } from '../../src/formats/detour/detour-bin.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { seeded } from '../unit/meshes.ts';
import { importToDetour, roundAsDetour } from './detour-import.ts';
import { findDetourPath, lengthOf } from './detour.ts';
import type { Point } from './detour.ts';
import { costInNodes } from './paths-nodes.ts';

const PAIRS = Number(process.env.NAVKILN_PAIRS ?? 50);
const SEED = Number(process.env.NAVKILN_SEED ?? 20261121);
const TOLERANCE = 1e-4;
/** Largest relative difference of two costs that are equal in float32. */
const TIE = 1e-6;
const HALF: Point = [0.5, 2, 0.5];

/** Level, cells per tile, and the library that bakes it. */
const LEVELS: [string, number, 'navkiln' | 'recast'][] = [
  ['dungeon', 32, 'navkiln'],
  ['terrain', 48, 'navkiln'],
  ['city', 64, 'navkiln'],
  ['tower', 24, 'navkiln'],
  ['house', 24, 'navkiln'],
  ['dungeon', 48, 'recast'],
  ['terrain', 32, 'recast'],
  ['city', 48, 'recast'],
];

async function bake(name: string, cells: number, by: string): Promise<NavMesh> {
  const scene = levelScenes.find((one) => one.name === name)!;
  const level = scene.create();
  if (by === 'navkiln') {
    const { cellSize = 0.3 } = scene.options;
    return buildNavMesh(level, { ...scene.options, maxVerticesPerPoly: 6, tileSize: cells * cellSize }).navMesh;
  }
  await init();
  const made = generateTiledNavMesh(Array.from(level.positions), Array.from(level.indices), {
    cs: 0.3,
    ch: 0.2,
    walkableSlopeAngle: 45,
    walkableHeight: 10,
    walkableClimb: 4,
    walkableRadius: 2,
    tileSize: cells,
    maxEdgeLen: 40,
    maxSimplificationError: 1.3,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: 6,
  });
  if (!made.success) throw new Error(made.error);
  const { navMesh } = parseDetourBin(exportNavMesh(made.navMesh));
  made.navMesh.destroy();
  return navMesh;
}

const flat = (points: readonly (readonly number[])[]): Point[] => points.map((p) => [p[0], 0, p[2]]);

describe(`paths over tiles, seed ${SEED}`, () => {
  it.each(LEVELS)('%s in tiles of %i cells by %s', async (name, cells, by) => {
    const mesh = await bake(name, cells, by);
    expect(validateNavMesh(mesh)).toEqual([]);
    roundAsDetour(mesh);
    const twin = await importToDetour(mesh);
    const oracle = { query: twin.query, polyIndexOf: twin.polyIndexOf } as unknown as Parameters<
      typeof findDetourPath
    >[0];
    const random = seeded(SEED);
    const randomPoint = (): Point => {
      const point: Point = [0, 0, 0];
      const poly = Math.floor(random() * mesh.polyCount);
      let sum = 0;
      for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
        const weight = random() + 0.01;
        const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
        for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
        sum += weight;
      }
      return findNearest(
        mesh,
        point.map((value) => value / sum),
        { halfExtents: [0.1, 5, 0.1] },
      ).point.map(Math.fround) as Point;
    };
    const counts = { complete: 0, partial: 0, same: 0, shorter: 0, longer: 0, tied: 0, epsilon: 0, elsewhere: 0 };
    const bad: string[] = [];
    for (let i = 0; i < PAIRS; i++) {
      const [a, b] = [randomPoint(), randomPoint()];
      const what = `pair ${i}, ${a} to ${b}`;
      const ours = findPath(mesh, a, b, { halfExtents: HALF });
      const theirs = findDetourPath(oracle, a, b, HALF, 4096);
      const polys = ours.polys.map((ref) => polyIndexOf(mesh, ref));
      if (polys[0] !== theirs.startPoly) {
        counts.elsewhere++;
        continue;
      }
      if (ours.status !== theirs.status) bad.push(`${what}: ${ours.status}, not ${theirs.status}`);
      if (ours.status !== 'complete' || theirs.status !== 'complete') {
        counts.partial++;
        continue;
      }
      if (polys.at(-1) !== theirs.endPoly) {
        counts.elsewhere++;
        continue;
      }
      counts.complete++;
      if (polys.join() === theirs.polys.join()) counts.same++;
      const ratio = lengthOf(flat(ours.points)) / lengthOf(flat(theirs.points));
      if (ratio > 1 + TOLERANCE) {
        const theirCost = costInNodes(mesh, theirs);
        const isTie = Math.abs(ours.cost - theirCost) <= TIE * ours.cost;
        if (isTie && polys.join() !== theirs.polys.join()) {
          counts.tied++;
        } else if (isTie && ratio < 1.02) {
          counts.epsilon++;
        } else {
          counts.longer++;
          const costs = `costs ${ours.cost} and ${theirCost}`;
          bad.push(`${what}: ${ours.length}, not ${theirs.length}; ${costs}; ${polys}; ${theirs.polys}`);
        }
      } else if (ratio < 1 - TOLERANCE) {
        counts.shorter++;
      }
    }
    const { polyCount, tileSlotCount } = mesh;
    console.info(
      `${name}, ${cells} cells by ${by}, ${polyCount} polygons, ${tileSlotCount} tiles: ${JSON.stringify(counts)}`,
    );
    expect(bad.slice(0, 4), `${bad.length} wrong`).toEqual([]);
    expect(counts.same).toBeGreaterThan(0.8 * counts.complete);
    expect(counts.complete).toBeGreaterThan(PAIRS / 5);
    expect(counts.tied).toBeLessThanOrEqual(0.1 * counts.complete);
    expect(counts.epsilon).toBeLessThanOrEqual(1 + PAIRS / 1000);
    twin.destroy();
  });
});
