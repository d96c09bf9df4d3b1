/**
 * The path index beside the search: on scenes, tiled and not, and on maps of cells that are merged and cut at random, the paths have
 * the same length. Ends lie inside polygons, on edges, on vertices and where obstacles touch. NAVKILN_INDEX=100000 asks for as many.
 */
import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../src/build.ts';
import { buildFromPolygons } from '../../src/polygon.ts';
import type { NavMesh } from '../../src/navmesh/types.ts';
import { removeTile } from '../../src/navmesh/tiles.ts';
import { polyIndexOf, refOf } from '../../src/navmesh/ref.ts';
import { setFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/filter.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { NO_CROSSING, findCrossing } from '../../src/query/path/corridor.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { buildPathIndex } from '../../src/path-index/build.ts';
import { findIndexedPath } from '../../src/path-index/find.ts';
import type { PathIndex } from '../../src/path-index/types.ts';
import { findLevelScene, mapScenes } from 'navkiln-scenes';
import { meshOf, seeded } from '../unit/meshes.ts';
import { createOracle, meshTileOf, PARTS, randomMap } from '../unit/query/optimal-oracle.ts';
import type { Shape } from '../unit/query/optimal-oracle.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const QUERIES = Number(process.env.NAVKILN_INDEX ?? 1000);
const EXACT = 1e-9;
const TIERS = ['table', 'labels', 'graph'] as const;

/** Returns a place on a random polygon: inside, on an edge, or at a vertex. */
function placeOn(mesh: NavMesh, random: () => number): [number, number, number] {
  for (;;) {
    const poly = Math.floor(random() * mesh.polyCount);
    const count = mesh.polyVertexCount[poly];
    if (count === 0 || mesh.polyFlags[poly] === 0) continue;
    const first = mesh.polyEdgeStart[poly];
    const kind = Math.floor(random() * 4);
    const k = Math.floor(random() * count);
    const weights = Array.from({ length: count }, () => (kind < 2 ? random() + 0.01 : 0));
    if (kind === 2) weights[(k + 1) % count] = random();
    if (kind >= 2) weights[k] = 1 - weights[(k + 1) % count];
    const sum = weights.reduce((a, b) => a + b);
    const point: [number, number, number] = [0, 0, 0];
    weights.forEach((weight, i) => {
      for (let axis = 0; axis < 3; axis++)
        point[axis] += (weight / sum) * mesh.vertices[3 * mesh.edgeVertex[first + i] + axis];
    });
    return point;
  }
}

/** Compares random queries with the search. Returns how many the index has answered. */
function compare(index: PathIndex, mesh: NavMesh, random: () => number, count: number, what: string): number {
  let answered = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = [placeOn(mesh, random), placeOn(mesh, random)];
    const options = { halfExtents: [0.2, 2, 0.2] };
    const want = findOptimalPath(mesh, a, b, options);
    const path = findIndexedPath(index, mesh, a, b, { ...options, withPolys: i % 3 === 0 });
    const name = `${what}, query ${i}: ${a} to ${b}`;
    expect(path.status, name).toBe(want.status);
    expect(path.exact, name).toBe(want.exact);
    expect(Math.abs(path.planarLength - want.planarLength), name).toBeLessThanOrEqual(
      EXACT * Math.max(1, want.planarLength),
    );
    expect(path.startDistance, name).toBe(want.startDistance);
    expect(path.endDistance, name).toBe(want.endDistance);
    if (path.source === 'search') continue;
    answered++;
    if (i % 3 > 0 || path.status === 'none') continue;
    // At a vertex, paths may begin and end in different polygons around it.
    const polys = path.polys.map((ref) => polyIndexOf(mesh, ref));
    expect(polys.length, name).toBeGreaterThan(0);
    for (let k = 1; k < polys.length; k++)
      expect(findCrossing(mesh, polys[k - 1], polys[k]), name).not.toBe(NO_CROSSING);
  }
  return answered;
}

describe('paths of the index', () => {
  const scenes: [string, number, () => NavMesh][] = ['house', 'dungeon'].flatMap((name) => {
    const scene = findLevelScene(name);
    return [0, 48].map((cells): [string, number, () => NavMesh] => [
      name,
      cells,
      () =>
        buildNavMesh(scene.create(), { ...scene.options, tileSize: cells * scene.options.cellSize! || undefined })
          .navMesh,
    ]);
  });
  for (const map of mapScenes.slice(2, 6)) {
    scenes.push([`map ${map.name}`, 0, () => buildFromPolygons(map.create()).navMesh]);
  }

  it.each(scenes)(`are the shortest on %s, tiles of %i cells, seed ${SEED}`, (name, cells, make) => {
    const mesh = make();
    for (const tier of TIERS) {
      const index = buildPathIndex(mesh, { tier });
      expect(index.tier).toBe(tier);
      const count = Math.ceil(QUERIES / 20);
      const answered = compare(index, mesh, seeded(SEED), count, `${name} ${cells} ${tier} seed ${SEED}`);
      expect(answered).toBeGreaterThan(0.1 * count);
    }
  });

  it(`are those of the visibility graph on maps of cells: ${QUERIES} queries from seed ${SEED}`, () => {
    const shapes: readonly Shape[] = [
      [1, 0, 0, 1],
      [3, -4, 4, 3],
      [12, -5, 5, 12],
      [2, 1, 0, 1],
      [0, -1, 1, 0],
    ];
    const counts = { queries: 0, index: 0, search: 0, unreachable: 0 };
    for (let seed = SEED; counts.queries < QUERIES; seed++) {
      const random = seeded(seed);
      const below = (n: number): number => Math.floor(random() * n);
      const shape = shapes[seed % shapes.length];
      const scale = [1, 2 ** -10, 1e6][below(3)];
      const map = randomMap(random, 3 + below(6), 3 + below(6), 0.5 + 0.4 * random());
      const tile = meshTileOf(map, shape, random, [0, 0.5, 0.9][below(3)], [0, 0.5][below(2)], scale, 0);
      if (tile.polyCount === 0) continue;
      const mesh = meshOf(tile);
      const index = buildPathIndex(mesh, { tier: TIERS[seed % TIERS.length] });
      const oracle = createOracle(map, shape);
      const place = (): [number, number] => {
        const step = [1, PARTS / 2, PARTS][below(3)];
        for (;;) {
          const [x, z] = [below(map.width * PARTS + 1), below(map.depth * PARTS + 1)].map((v) => v - (v % step));
          if (oracle.isOn(x, z)) return [x, z];
        }
      };
      const world = ([x, z]: [number, number]): [number, number, number] => [
        ((shape[0] * x + shape[1] * z) / PARTS) * scale,
        0,
        ((shape[2] * x + shape[3] * z) / PARTS) * scale,
      ];
      for (let i = 0; i < 40; i++) {
        const [a, b] = [place(), place()];
        const what = `seed ${seed}, ${i}: ${a} to ${b}, shape ${shape}, scale ${scale}`;
        const want = oracle.distance(...a, ...b) * scale;
        const path = findIndexedPath(index, mesh, world(a), world(b), {
          halfExtents: 1e-6 * scale,
          withPolys: i % 2 === 0,
        });
        counts.queries++;
        if (want === Infinity) {
          expect(path.status, what).toBe('partial');
          counts.unreachable++;
          continue;
        }
        counts[path.source]++;
        expect(path.status, what).toBe('complete');
        expect(path.exact, what).toBe(true);
        expect(Math.abs(path.length - want), `${what}: ${path.length}, not ${want}`).toBeLessThanOrEqual(EXACT * want);
      }
    }
    console.log(`Indexed paths, seed ${SEED}: ${JSON.stringify(counts)}`);
    expect(counts.index).toBeGreaterThan(counts.queries / 2);
  });

  it('are the shortest with a filter that closes polygons, and after surface was removed', () => {
    const scene = findLevelScene('tower');
    const mesh = buildNavMesh(scene.create(), { ...scene.options, tileSize: 48 * scene.options.cellSize! }).navMesh;
    const index = buildPathIndex(mesh);
    const random = seeded(SEED);
    const polys = Array.from({ length: 40 }, () => Math.floor(random() * mesh.polyCount));
    for (const poly of polys.slice(0, 20)) setFlags(mesh, refOf(mesh, poly), 2);
    const filter = createFilter({ excludeFlags: 2 });
    const counts = { index: 0, search: 0 };
    const check = (): void => {
      for (let i = 0; i < 80; i++) {
        const [a, b] = [placeOn(mesh, random), placeOn(mesh, random)];
        const options = { filter, halfExtents: [0.2, 2, 0.2] };
        const want = findOptimalPath(mesh, a, b, options);
        const path = findIndexedPath(index, mesh, a, b, options);
        counts[path.source]++;
        expect([path.status, path.exact]).toEqual([want.status, want.exact]);
        expect(Math.abs(path.planarLength - want.planarLength)).toBeLessThanOrEqual(
          EXACT * Math.max(1, want.planarLength),
        );
      }
    };
    check();
    for (const poly of polys.slice(20)) setFlags(mesh, refOf(mesh, poly), 0);
    check();
    removeTile(mesh, mesh.polyTile[findNearest(mesh, placeOn(mesh, random)).poly]);
    check();
    expect(counts.index).toBeGreaterThan(10);
  });
});
