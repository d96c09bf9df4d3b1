/**
 * Ends that a size cannot reach, on random floors with links, doors and changes. Oracle: a flood over the polygons of the size, and the nearest
 * of all of them. A path is the same whether islands of sizes are known or not. NAVKILN_SIZES sets the number of further seeds from
 * NAVKILN_SEED on.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import type { Random } from '../../src/base/data/random.ts';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import { setEnabled } from '../../src/mesh/change/enable.ts';
import { addLink, listLinks, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { neighborPolysOf } from '../../src/mesh/tiles/neighbors.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { sizeIslands } from '../../src/query/connected.ts';
import { trackSizeIslands } from '../../src/query/track-sizes.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { setArea } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findNearestOf } from '../../src/query/optimal/nearest-of.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import { tileIn } from '../unit/meshes.ts';
import { randomOf, randomSizes, rooms } from './random-rooms.ts';

const MORE = Number(process.env.NAVKILN_SIZES ?? 0);
const FIRST = Number(process.env.NAVKILN_SEED ?? 1000);
const SEEDS = [14, ...Array.from({ length: MORE }, (_, i) => FIRST + i)];

function meshOfRooms(seed: number): NavMesh {
  const r = randomOf(seed);
  const level = rooms(r);
  const sizes = createAgentSizes(randomSizes(r));
  const { width, depth } = level;
  return buildNavMesh(level, {
    cellSize: 0.15,
    cellHeight: 0.08,
    tileSize: r() < 0.7 ? 6 + r() * 6 : undefined,
    bounds: { min: [-1, -0.5, -1], max: [width + 1, 3.9, depth + 1] },
    agent: { maxClimb: 0.3 },
    volumes: createVolumes([{ type: 'box', min: [width * 0.4, -1, 0], max: [width * 0.5, 4, depth], name: 'door' }]),
    sizes,
  }).navMesh;
}

function change(mesh: NavMesh, removed: TileData[], random: Random): void {
  const slot = Math.floor(nextRandom(random) * mesh.tileSlotCount);
  const kind = nextRandom(random);
  const links = listLinks(mesh);
  const place = (): [number, number, number] => findRandomPoint(mesh, random).point;
  if (kind < 0.2) setEnabled(mesh, 'door', nextRandom(random) < 0.6);
  else if (kind < 0.4) addLink(mesh, { start: place(), end: place(), bothWays: true });
  else if (kind < 0.55 && links.length > 0)
    setLinkEnabled(mesh, links[Math.floor(nextRandom(random) * links.length)], nextRandom(random) < 0.5);
  else if (kind < 0.7 && removed.length > 0) addTile(mesh, removed.pop()!);
  else if (kind < 0.85 && mesh.tileState[slot] === 1 && mesh.tileSlotCount > removed.length + 2) {
    removed.push(tileIn(mesh, slot));
    removeTile(mesh, slot);
  } else setArea(mesh, refOf(mesh, mesh.tilePolyStart[slot]), 5);
}

/** Returns the polygons of a size that are reached from one; links of the test lead both ways. */
function flood(mesh: NavMesh, from: number, size: number): Set<number> {
  const found = new Set([from]);
  for (const poly of found) {
    for (const other of neighborPolysOf(mesh, poly)) {
      if (((mesh.polySizes[other] >> size) & 1) === 1 && mesh.polyFlags[other] !== 0) found.add(other);
    }
  }
  return found;
}

describe('ends that a size cannot reach', () => {
  it.each(SEEDS)('are found by islands of sizes, as by a flood, seed %i', (seed) => {
    const mesh = meshOfRooms(seed);
    trackSizeIslands(mesh);
    const random = createRandom(seed);
    const removed: TileData[] = [];
    const closest = new Float64Array(3);
    let unreachable = 0;
    for (let k = 0; k < 6; k++) {
      for (let i = 0; i < 12; i++) {
        const size = i % mesh.sizes.length;
        const filter = createFilter({ size });
        const [a, b] = [0, 1].map(() => findRandomPoint(mesh, random, { filter }).point);
        if (Number.isNaN(a[0])) continue;
        const [from, to] = [a, b].map((point) => polyIndexOf(mesh, findNearest(mesh, point, { filter })!.ref));
        const reached = flood(mesh, from, size);
        const what = `change ${k}, size ${size}, ${JSON.stringify([a, b])}`;
        // A clone knows no islands.
        const clone = i < mesh.sizes.length || MORE > 0 ? structuredClone(mesh) : mesh;
        trackSizeIslands(clone);
        const first = findPath(clone, a, b, { filter });
        const path = findPath(mesh, a, b, { filter });
        expect(path, what).toEqual(first);
        expect(findPath(mesh, a, b, { filter }), what).toEqual(first);
        expect(path.status, what).toBe(reached.has(to) ? 'complete' : 'partial');
        const exact = findOptimalPath(mesh, a, b, { filter });
        expect(findOptimalPath(clone, a, b, { filter }), what).toEqual(exact);
        expect(exact.status, what).toBe(path.status);
        if (reached.has(to)) continue;
        unreachable++;
        expect(path.reason, what).toBe('unreachable');
        expect(sizeIslands.relate!(mesh, filter, from, to), what).toBe(0);
        expect(findNearestOf(mesh, a, [b], { filter }).status, what).toBe('none');
        const distanceTo = (x: number, y: number, z: number): number => Math.hypot(x - b[0], y - b[1], z - b[2]);
        let best = Infinity;
        for (const poly of reached) {
          closestPointOnPoly(closest, mesh, poly, Float64Array.from(b));
          best = Math.min(best, distanceTo(closest[0], closest[1], closest[2]));
        }
        for (const { points } of [path, exact]) expect(distanceTo(...points.at(-1)!), what).toBeCloseTo(best, 6);
      }
      change(mesh, removed, random);
    }
    if (MORE === 0) expect(unreachable).toBeGreaterThan(5);
  });
});
