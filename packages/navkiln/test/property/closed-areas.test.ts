/**
 * A closed area equals excluded flags: every query gives the same answer for a filter that closes an area, and for one that excludes a
 * flag of all its polygons and links. Oracle: flags, which have tests of their own.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { refOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import { setFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findMidpointPath } from '../../src/query/path/midpoints.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { buildRouteGraph } from '../../src/query/routes/build.ts';
import { findRoutedPath } from '../../src/query/routes/find.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { AreaVolume } from '../../src/build/voxel/options.ts';
import { sceneLevel } from '../golden/levels.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 22);
const SEEDS = process.env.NAVKILN_FULL === undefined ? 2 : 40;
const CLOSED = 7;
const FLAG = 2;
type Point = [number, number, number];

/** A level with boxes of the closed area, and links of which every second one has it. */
function makeMesh(random: () => number, tileSize: number): NavMesh {
  const { input, options } = sceneLevel('house');
  const base = { ...options, cellSize: 0.4, tileSize };
  const { navMesh: plain } = buildNavMesh(input, base);
  const point = (): Point => findRandomPoint(plain, random).point;
  const volumes = Array.from({ length: 12 }, (_, i): AreaVolume => {
    const [x, y, z] = point();
    return { type: 'box', min: [x - 1, y - 1, z - 1], max: [x + 1, y + 1, z + 1], area: i % 3 === 0 ? 9 : CLOSED };
  });
  const { navMesh } = buildNavMesh(input, { ...base, volumes: createVolumes(volumes) });
  for (let i = 0; i < 12; i++) {
    const isClosed = i % 2 === 0;
    const more = { area: isClosed ? CLOSED : 9, flags: isClosed ? 1 | FLAG : 1, bothWays: random() < 0.5, cost: 1 };
    addLink(navMesh, { start: point(), end: point(), ...more });
  }
  for (let poly = 0; poly < navMesh.polyCount; poly++)
    if (navMesh.polyArea[poly] === CLOSED) setFlags(navMesh, refOf(navMesh, poly), 1 | FLAG);
  return navMesh;
}

/** The answers of all queries. */
function answers(mesh: NavMesh, filter: QueryFilter, a: Point, b: Point, seed: number): unknown[] {
  const near = findNearest(mesh, a, { filter });
  return [
    findPath(mesh, a, b, { filter }),
    findOptimalPath(mesh, a, b, { filter }),
    findMidpointPath(mesh, a, b, { filter }),
    near,
    raycast(mesh, a, b, { filter }),
    moveAlongSurface(mesh, a, b, { filter }),
    findDistanceToWall(mesh, a, 5, { filter }),
    findReachable(mesh, a, { filter }),
    findRandomPoint(mesh, createRandom(seed), { filter }),
  ];
}

describe('closed areas', () => {
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    it(`are as closed as excluded flags (seed ${seed})`, () => {
      const state = createRandom(seed);
      const random = (): number => nextRandom(state);
      const isTiled = seed % 2 === 1;
      const mesh = makeMesh(random, isTiled ? 16 : 0);
      const index = buildPathIndex(mesh);
      const graph = isTiled ? buildRouteGraph(mesh) : undefined;
      const costs: Record<number, number> = random() < 0.5 ? {} : { 9: 3 };
      const closed = createFilter({ areaCosts: { ...costs, [CLOSED]: Infinity } });
      const excluded = createFilter({ areaCosts: costs, excludeFlags: FLAG });
      let open = 0;
      for (let i = 0; i < 30; i++) {
        const [a, b] = [findRandomPoint(mesh, random).point, findRandomPoint(mesh, random).point];
        const own = answers(mesh, closed, a, b, i);
        expect(own, `${i}`).toEqual(answers(mesh, excluded, a, b, i));
        expect(findIndexedPath(index, mesh, a, b, { filter: closed })).toEqual(
          findIndexedPath(index, mesh, a, b, { filter: excluded }),
        );
        if (graph !== undefined)
          expect(findRoutedPath(graph, mesh, a, b, { filter: closed })).toEqual(
            findRoutedPath(graph, mesh, a, b, { filter: excluded }),
          );
        const { polys } = findPath(mesh, a, b, { filter: closed });
        if (JSON.stringify(polys) !== JSON.stringify(findPath(mesh, a, b).polys)) open++;
      }
      // The area matters.
      expect(open).toBeGreaterThan(2);
    });
  }
});
