/**
 * Routes of each size over random worlds in tiles whose polygons fit random sizes, with links, areas and changes. Oracle: `findPath` with the
 * size for whether there is a path and for its length. NAVKILN_ROUTES sets the number of seeds from NAVKILN_SEED on.
 */
import { expect, it } from 'vitest';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildRouteGraph, updateRouteGraph } from '../../src/query/routes/build.ts';
import { findRoute, findRoutedPath } from '../../src/query/routes/find.ts';
import type { RouteGraph } from '../../src/query/routes/types.ts';
import { AGENT, seeded, tileIn } from '../unit/meshes.ts';
import { TILE, squaresTile } from '../unit/mesh/tiled-meshes.ts';

const SEEDS = Math.min(200, Number(process.env['NAVKILN_ROUTES'] ?? 1));
const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const SIDE = 12;

function randomTile(random: () => number, x: number, z: number): TileData {
  const n = random() < 0.5 ? 3 : 4;
  const tile = squaresTile(
    x,
    z,
    0,
    n,
    () => random() < 0.93,
    () => 0,
  );
  tile.polySizes = new Uint16Array(tile.polyCount);
  for (let p = 0; p < tile.polyCount; p++) {
    tile.polySizes[p] = random() < 0.7 ? 7 : random() < 0.6 ? 3 : random() < 0.8 ? 1 : 4;
    if (random() < 0.06) tile.polyArea[p] = 2;
  }
  return tile;
}

function randomWorld(random: () => number): NavMesh {
  const sizes = [0.3, 0.6, 0.9].map((radius, i) => ({
    name: `size ${i}`,
    radius,
    height: 2,
    maxClimb: 0.4,
    maxSlopeDegrees: 45,
    rules: [],
  }));
  const mesh = createNavMesh({
    agent: AGENT,
    cellSize: 0.25,
    cellHeight: 0.1,
    tileSize: TILE,
    origin: [0, 0, 0],
    sizes,
  });
  for (let x = 0; x < SIDE; x++) for (let z = 0; z < SIDE; z++) addTile(mesh, randomTile(random, x, z));
  for (let i = 0; i < 8; i++)
    addLink(mesh, { start: randomPoint(random), end: randomPoint(random), bothWays: random() < 0.5, radius: 1 });
  return mesh;
}

function randomPoint(random: () => number): [number, number, number] {
  return [random() * SIDE * TILE, 0, random() * SIDE * TILE];
}

/** Compares random pairs. Returns the mean excess of lengths. */
function compare(graphs: RouteGraph[], mesh: NavMesh, random: () => number, pairs: number, what: string): number {
  let excess = 0;
  let count = 0;
  for (let i = 0; i < pairs; i++) {
    const [a, b] = [randomPoint(random), randomPoint(random)];
    graphs.forEach((graph, place) => {
      const { name: size } = mesh.sizes[place];
      const want = findPath(mesh, a, b, { size, halfExtents: 2 });
      const path = findRoutedPath(graph, mesh, a, b, { halfExtents: 2, ahead: Infinity });
      const where = `${what}, pair ${i}, ${size}: ${JSON.stringify([a, b])}`;
      expect(path.size, where).toBe(want.size);
      for (const ref of path.polys)
        expect((mesh.polySizes[polyIndexOf(mesh, ref)] >> place) & 1, `${where} fits`).toBe(1);
      if (want.status === 'partial' && path.status === 'none') {
        // A wall for this size: a route leads to the end or nowhere.
        expect(path.reason, where).toBe('unreachable');
        return;
      }
      expect(`${path.status} ${path.reason}`, where).toBe(`${want.status} ${want.reason}`);
      if (want.status !== 'complete') return;
      expect(path.isWhole, where).toBe(true);
      const least = findOptimalPath(mesh, a, b, { size, halfExtents: 2 });
      if (least.exact) expect(path.length, where).toBeGreaterThanOrEqual(least.planarLength * (1 - 1e-9) - 1e-9);
      const route = findRoute(graph, a, b, { halfExtents: 2 });
      if (
        route.reason !== 'start-off-mesh' &&
        route.reason !== 'end-off-mesh' &&
        want.startDistance === 0 &&
        want.endDistance === 0
      )
        expect(route.status, where).toBe('complete');
      excess += path.length / Math.max(want.length, 1e-6) - 1;
      count++;
    });
  }
  return excess / Math.max(count, 1);
}

it.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))('routes of sizes, seed %i', (seed) => {
  const random = seeded(seed);
  const mesh = randomWorld(random);
  const graphs = mesh.sizes.map(({ name }) => buildRouteGraph(mesh, { size: name }));
  expect(compare(graphs, mesh, random, 12, `seed ${seed}`)).toBeLessThan(0.02);
  for (let k = 0; k < 4; k++) {
    const slot = Math.floor(random() * mesh.tileSlotCount);
    const tile = mesh.tileState[slot] === 1 ? tileIn(mesh, slot) : undefined;
    if (tile !== undefined) removeTile(mesh, slot);
    // The masks alone change.
    if (tile !== undefined && random() < 0.8) {
      tile.polySizes = tile.polySizes!.map((mask) => (random() < 0.3 ? 1 + Math.floor(7 * random()) : mask));
      addTile(mesh, tile);
    }
    for (const graph of graphs) updateRouteGraph(graph, mesh);
    compare(graphs, mesh, random, 4, `seed ${seed}, change ${k}`);
  }
});

it('a graph of a size takes filters of that size only', () => {
  const mesh = randomWorld(seeded(3));
  const graph = buildRouteGraph(mesh, { size: 'size 1' });
  expect(graph.size).toBe(1);
  expect(buildRouteGraph(mesh).size).toBe(0);
  const [a, b] = [
    [1, 0, 1],
    [100, 0, 100],
  ];
  expect(() => findRoutedPath(graph, mesh, a, b, { filter: createFilter({ size: 2 }) })).toThrow(
    'options.filter.size is 2',
  );
  expect(findRoutedPath(graph, mesh, a, b, { filter: createFilter({ size: 1 }) })).toEqual(
    findRoutedPath(graph, mesh, a, b),
  );
  expect(() => buildRouteGraph(mesh, { size: 'giant' })).toThrow('options.size is "giant"');
});
