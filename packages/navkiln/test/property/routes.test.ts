/**
 * Routes over random worlds in tiles, with several islands, areas, doors (named polygons, some disabled), flags and links, some of them
 * one-way.
 *
 * Oracles: `findPath` over the whole mesh for whether there is a path and for its cost, `findOptimalPath` as a lower bound, a fresh
 * graph for one that was updated.
 */
import { afterAll, expect, it } from 'vitest';
import { setEnabled } from '../../src/mesh/change/enable.ts';
import { addLink, removeLink, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { createPathBuffer, createPathQuery, findPathInto } from '../../src/query/path/find-path.ts';
import { lineCost, setLineCost } from '../../src/query/path/line-cost.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { buildRouteGraph, updateRouteGraph } from '../../src/query/routes/build.ts';
import { createRouteMemory, createRoutedPathBuffer, findRoutedPathInto } from '../../src/query/routes/path.ts';
import type { RouteGraph } from '../../src/query/routes/types.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

/** `npm run soak` raises this. */
const SEEDS = Number(process.env['NAVKILN_ROUTES'] ?? 2);
const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** Tiles along a side of a world, and pairs for each filter. In worlds of 14, most pairs are near enough to be searched as by findPath. */
const SIZE = Number(process.env['NAVKILN_ROUTE_SIDE'] ?? 22);
const PAIRS = Number(process.env['NAVKILN_ROUTE_PAIRS'] ?? 8);
const LINKS = Math.round(25 * (SIZE / 14) ** 2);
/** Largest excess. */
const WORST = 0.1;
const NAMES = ['north', 'south', 'gate'];

type Random = () => number;

/** Returns a tile of 3 x 3 or 4 x 4 squares of which some are missing; some have areas, flags and names. */
function randomTile(random: Random, x: number, z: number, open: number): TileData {
  const n = random() < 0.5 ? 3 : 4;
  const tile = squaresTile(
    x,
    z,
    0,
    n,
    () => random() < open,
    (wx, wz) => 0.05 * wx + 0.03 * wz,
  );
  const groups = NAMES.map((name) => ({ name, polys: [] as number[] }));
  for (let p = 0; p < tile.polyCount; p++) {
    const dice = random();
    if (dice < 0.1) tile.polyArea[p] = 2;
    else if (dice < 0.15) tile.polyArea[p] = 3;
    else if (dice < 0.2) tile.polyFlags[p] = 3;
    else if (dice < 0.3) groups[Math.floor(random() * NAMES.length)].polys.push(p);
  }
  return { ...tile, groups: groups.filter(({ polys }) => polys.length > 0) };
}

function randomWorld(random: Random): NavMesh {
  const mesh = tiledMesh();
  const open = 0.62 + 0.3 * random();
  for (let x = 0; x < SIZE; x++) {
    for (let z = 0; z < SIZE; z++) if (random() < 0.97) addTile(mesh, randomTile(random, x, z, open));
  }
  for (let i = 0; i < LINKS; i++) {
    const bothWays = random() < 0.5;
    const cost = random() < 0.3 ? { cost: 1 + 40 * random() } : {};
    addLink(mesh, {
      start: randomPoint(random),
      end: randomPoint(random),
      bothWays,
      radius: 1,
      area: random() < 0.2 ? 2 : 1,
      ...cost,
    });
  }
  return mesh;
}

function randomPoint(random: Random): [number, number, number] {
  const [x, z] = [random() * SIZE * TILE, random() * SIZE * TILE];
  return [x, 0.05 * x + 0.03 * z, z];
}

const state = createSearchState();
const memory = createRouteMemory();

interface Excess {
  mean: number;
  worst: number;
  count: number;
}

/** Compares random pairs with the search over the whole mesh. Returns by how much costs exceed its costs. */
function compare(graph: RouteGraph, mesh: NavMesh, filter: QueryFilter, random: Random): Excess {
  const query = createPathQuery();
  query.halfExtents.fill(2);
  query.filter = filter;
  const routed = createRoutedPathBuffer();
  const whole = createPathBuffer();
  const excess: Excess = { mean: 0, worst: 0, count: 0 };
  for (let i = 0; i < PAIRS; i++) {
    query.start.set(randomPoint(random));
    query.end.set(randomPoint(random));
    findPathInto(whole, state, mesh, query);
    findRoutedPathInto(routed, memory, graph, mesh, query, Infinity);
    const name = `pair ${i}: ${query.start} to ${query.end}`;
    if (whole.status === 'partial' && routed.status === 'none') {
      // Filters and one-way links: a route leads to the end or nowhere.
      expect(routed.reason, name).toBe('unreachable');
      continue;
    }
    expect(`${routed.status} ${routed.reason}`, name).toBe(`${whole.status} ${whole.reason}`);
    if (whole.status !== 'complete') continue;
    expect(routed.isWhole, name).toBe(true);
    checkCorridor(routed.corridor, mesh);
    setLineCost(mesh, filter, whole.corridor, whole.line, -1);
    const want = lineCost[0];
    setLineCost(mesh, filter, routed.corridor, routed.line, -1);
    if (want < 1e-6) continue;
    const ratio = lineCost[0] / want - 1;
    excess.mean += ratio;
    excess.worst = Math.max(excess.worst, ratio);
    excess.count++;
  }
  excess.mean /= Math.max(1, excess.count);
  return excess;
}

/** Each polygon of a corridor is a neighbor of the one before. */
function checkCorridor(
  { polys, crossings, count }: { polys: Int32Array; crossings: Int32Array; count: number },
  mesh: NavMesh,
): void {
  for (let i = 0; i + 1 < count; i++) {
    const crossing = crossings[i];
    const isLink = crossing < 0 && (crossing & 1) !== 0;
    const next =
      crossing >= 0
        ? mesh.edgeNeighbor[crossing]
        : isLink
          ? mesh.linkPoly[((-3 - crossing) >> 1) ^ 1]
          : mesh.portalPoly[(-2 - crossing) >> 1];
    expect(next).toBe(polys[i + 1]);
  }
}

const total = { count: 0, sum: 0, worst: [0, 0, 0] };
afterAll(() => {
  const worst = total.worst.map((ratio) => `${(100 * ratio).toFixed(1)} %`).join(', ');
  console.info(
    `${total.count} paths, mean excess ${((100 * total.sum) / total.count).toFixed(3)} %, worst by filter ${worst}`,
  );
});

it.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))('leads where findPath leads, seed %i', (seed) => {
  const random = seeded(seed);
  const mesh = randomWorld(random);
  const graph = buildRouteGraph(mesh);
  const filters = [
    createFilter(),
    createFilter({ areaCosts: { 2: 4, 3: 0.5 } }),
    createFilter({ excludeFlags: 2, areaCosts: { 2: 1.5 } }),
  ];
  const all: Excess[] = [];
  for (const filter of filters) all.push(compare(graph, mesh, filter, random));
  // Doors, links and tiles change.
  for (const name of NAMES) setEnabled(mesh, name, random() < 0.5);
  for (let link = 0; link < 3; link++) {
    const ref = addLink(mesh, { start: randomPoint(random), end: randomPoint(random), radius: 1 });
    if (link === 1) setLinkEnabled(mesh, ref, false);
    else if (link === 2) removeLink(mesh, ref);
  }
  for (let i = 0; i < 12; i++) {
    const [x, z] = [Math.floor(random() * SIZE), Math.floor(random() * SIZE)];
    const slot = findTile(mesh, x, z);
    if (slot >= 0) removeTile(mesh, slot);
    if (random() < 0.8) addTile(mesh, randomTile(random, x, z, 0.8));
  }
  const { measuredTiles } = updateRouteGraph(graph, mesh);
  expect(measuredTiles).toBeLessThan(70);
  for (const filter of filters) all.push(compare(graph, mesh, filter, random));
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const mean = all.reduce((sum, one) => sum + one.mean * one.count, 0) / count;
  expect(count).toBeGreaterThan(20);
  expect(mean).toBeLessThan(0.01);
  total.count += count;
  total.sum += mean * count;
  all.forEach(({ worst }, i) => (total.worst[i % 3] = Math.max(total.worst[i % 3]!, worst)));
  all.forEach(({ worst }, i) => expect(worst, `run ${i}`).toBeLessThan(WORST));
});

it('is never shorter than the shortest path', () => {
  const random = seeded(77);
  const mesh = randomWorld(random);
  const graph = buildRouteGraph(mesh);
  const query = createPathQuery();
  query.halfExtents.fill(2);
  const routed = createRoutedPathBuffer();
  for (let i = 0; i < 12; i++) {
    query.start.set(randomPoint(random));
    query.end.set(randomPoint(random));
    findRoutedPathInto(routed, memory, graph, mesh, query, Infinity);
    if (routed.status !== 'complete') continue;
    const best = findOptimalPath(mesh, query.start, query.end, { halfExtents: 2 });
    expect(routed.length).toBeGreaterThan(best.planarLength - 1e-9);
  }
});
