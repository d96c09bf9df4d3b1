/** Corners of paths, with and without crossings, and their polygons: those of Detour's findStraightPath over the same corridors. */
import { levelScenes } from 'navkiln-scenes';
import { expect, it } from 'vitest';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { findDetailedPath } from '../../src/query/path/details.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded } from '../unit/meshes.ts';
import { importToDetour, roundAsDetour } from './detour-import.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 9);
/** `npm run soak` raises it. */
const PAIRS = Number(process.env['NAVKILN_PAIRS'] ?? 60);
/** The bits of Detour's options. */
const MODES = { none: 0, area: 1, all: 2 } as const;

it.each([
  ['dungeon', 0],
  ['house', 12],
  ['terrain', 12],
] as const)('%s, tile size %d: equal corners and polygons', async (name, tileSize) => {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { navMesh } = buildNavMesh(scene.create(), { ...scene.options, tileSize });
  roundAsDetour(navMesh);
  const twin = await importToDetour(navMesh);
  const random = seeded(SEED);
  const xyz = ([x, y, z]: readonly number[]): { x: number; y: number; z: number } => ({ x: x!, y: y!, z: z! });
  let [paths, same, polys, samePolys] = [0, 0, 0, 0];
  for (let i = 0; i < PAIRS; i++) {
    const [from, to] = [findRandomPoint(navMesh, random), findRandomPoint(navMesh, random)];
    for (const crossings of ['none', 'area', 'all'] as const) {
      const path = findDetailedPath(navMesh, from.point, to.point, { crossings });
      if (path.status !== 'complete') continue;
      const refs = path.polys.map((ref) => twin.refOf(polyIndexOf(navMesh, ref)));
      const found = twin.query.findStraightPath(xyz(path.points[0]!), xyz(path.points.at(-1)!), refs, {
        maxStraightPathPoints: 4000,
        straightPathOptions: MODES[crossings],
      });
      const flat = [...found.straightPath.getHeapView()].slice(0, 3 * found.straightPathCount);
      const theirs = [...found.straightPathRefs.getHeapView()];
      for (const list of [found.straightPath, found.straightPathFlags, found.straightPathRefs]) list.destroy();
      paths++;
      const isSame =
        flat.length === 3 * path.points.length &&
        path.points.every(([x, , z], k) => Math.abs(flat[3 * k]! - x) + Math.abs(flat[3 * k + 2]! - z) < 1e-3);
      if (!isSame) continue;
      same++;
      for (let k = 0; k + 1 < path.points.length; k++) {
        polys++;
        if (twin.refOf(polyIndexOf(navMesh, path.corners[k]!.poly)) === theirs[k]! >>> 0) samePolys++;
      }
    }
  }
  twin.destroy();
  const text = `seed ${SEED}: ${same} of ${paths} paths, ${samePolys} of ${polys} polygons`;
  console.info(`straight paths, ${name}: ${text}`);
  expect(paths, text).toBeGreaterThan(PAIRS / 3);
  expect(same / paths, text).toBeGreaterThan(0.95);
  expect(samePolys / polys, text).toBeGreaterThan(0.998);
});
