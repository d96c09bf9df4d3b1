/** Routes and paths along them on small worlds of tiles. */
import { describe, expect, it } from 'vitest';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import type { NavMesh, TileData } from '../../../../src/mesh/types.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { createPathQuery, findPath } from '../../../../src/query/path/find-path.ts';
import { buildRouteGraph, updateRouteGraph } from '../../../../src/query/routes/build.ts';
import { routeGraphBytes } from '../../../../src/query/routes/bytes.ts';
import { continueRoutedPath, findRoute, findRoutedPath } from '../../../../src/query/routes/find.ts';
import { createRouteMemory, createRoutedPathBuffer, findRoutedPathInto } from '../../../../src/query/routes/path.ts';
import { seeded, stripMesh } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

const SIZE = 16;

/** Returns a world of tiles of 4 x 4 squares. `isOpen`: by square, counted over the whole world. */
function world(isOpen: (x: number, z: number) => boolean, far: number[] = [0, 0, 0]): NavMesh {
  const mesh = tiledMesh(far);
  for (let x = 0; x < SIZE; x++) {
    for (let z = 0; z < SIZE; z++)
      addTile(
        mesh,
        squaresTile(
          x,
          z,
          0,
          4,
          (i, k) => isOpen(4 * x + i, 4 * z + k),
          () => 0,
          far,
        ),
      );
  }
  return mesh;
}

/** A comb: walls across the world with an opening at alternating ends. */
const comb = (x: number, z: number): boolean =>
  x % 24 !== 12 || (Math.floor(x / 24) % 2 === 0 ? z > 4 * SIZE - 6 : z < 4);
const START: [number, number, number] = [4, 0, 4];
const END: [number, number, number] = [SIZE * TILE - 4, 0, 4];

describe('findRoutedPath', () => {
  it('finds the first part in detail and the rest as positions', () => {
    const mesh = world(comb);
    const graph = buildRouteGraph(mesh);
    const path = findRoutedPath(graph, mesh, START, END);
    expect(path.status).toBe('complete');
    expect(path.isWhole).toBe(false);
    expect(path.rest.at(-1)).toEqual(END);
    const whole = findRoutedPath(graph, mesh, START, END, { ahead: Infinity });
    const full = findPath(mesh, START, END);
    expect(whole.isWhole).toBe(true);
    expect(whole.rest).toEqual([]);
    expect(whole.length / full.length).toBeLessThan(1.02);
    expect((path.length + path.restCost) / full.length).toBeGreaterThan(0.95);
    expect((path.length + path.restCost) / full.length).toBeLessThan(1.1);
    expect(routeGraphBytes(graph).tiles / (SIZE * SIZE)).toBeLessThan(1000);
  });

  it.each([
    ['at the origin', [0, 0, 0]],
    ['100 km away', [100_000, 50, -100_000]],
  ])('leads an agent that continues it to the end, %s', (_, far) => {
    const mesh = world(comb, far);
    const graph = buildRouteGraph(mesh);
    const at = (p: number[]): [number, number, number] => [p[0] + far[0], p[1] + far[1], p[2] + far[2]];
    let path = findRoutedPath(graph, mesh, at(START), at(END));
    let walked = 0;
    let parts = 1;
    while (!path.isWhole) {
      // Half of the points that are known.
      const count = Math.max(2, Math.ceil(path.points.length / 2));
      for (let i = 1; i < count; i++)
        walked += Math.hypot(...path.points[i].map((value, k) => value - path.points[i - 1][k]));
      path = continueRoutedPath(path, graph, mesh, path.points[count - 1]);
      expect(path.status).toBe('complete');
      expect(++parts).toBeLessThan(200);
    }
    expect(path.points.at(-1)).toEqual(at(END));
    const full = findPath(mesh, at(START), at(END)).length;
    expect((walked + path.length) / full).toBeLessThan(1.03);
  });

  it('gives the same answer as findPath and explainPath on islands', () => {
    const mesh = world((x) => x !== 35);
    const graph = buildRouteGraph(mesh);
    const path = findRoutedPath(graph, mesh, START, END, { ahead: Infinity });
    const full = findPath(mesh, START, END);
    expect([path.status, path.reason]).toEqual([full.status, full.reason]);
    expect([path.status, path.reason]).toEqual(['partial', 'unreachable']);
    expect(path.points.at(-1)).toEqual(full.points.at(-1));
    // In parts, the path ends there, too.
    let part = findRoutedPath(graph, mesh, START, END, { ahead: 12 });
    for (let i = 0; !part.isWhole; i++) {
      expect([part.status, i < 100, part.rest.length > 0]).toEqual(['partial', true, true]);
      part = continueRoutedPath(part, graph, mesh, part.points[Math.ceil(part.points.length / 2)] ?? part.points[0]);
    }
    expect(part.points.at(-1)).toEqual(full.points.at(-1));
    const { cause, gap } = explainPath(mesh, START, END);
    expect(cause).toBe('gap');
    // The closed column is 3 wide.
    expect(gap!.across).toBeCloseTo(3, 6);
  });

  it('counts areas, flags and names', () => {
    // A wall with two openings: one of an area, flags and a name of its own, and one far away.
    const mesh = tiledMesh();
    for (let x = 0; x < SIZE; x++) {
      for (let z = 0; z < SIZE; z++) {
        const tile = squaresTile(
          x,
          z,
          0,
          4,
          (i, k) => 4 * x + i !== 29 || [2, 60].includes(4 * z + k),
          () => 0,
        );
        if (x === 7 && z === 0) {
          const middle = [...Array(tile.polyCount).keys()].find((p) => {
            const xs = [0, 1, 2, 3].map((e) => tile.vertices[3 * tile.edgeVertex[tile.polyEdgeStart[p] + e]]);
            return Math.min(...xs) === 87;
          })!;
          tile.polyArea[middle] = 7;
          tile.polyFlags[middle] = 2;
          addTile(mesh, { ...tile, groups: [{ name: 'gate', polys: [middle] }] });
        } else {
          addTile(mesh, tile);
        }
      }
    }
    const graph = buildRouteGraph(mesh);
    const end: [number, number, number] = [SIZE * TILE - 4, 0, 8];
    const lengthWith = (filter = createFilter()): number => {
      const { length } = findRoutedPath(graph, mesh, START, end, { filter, ahead: Infinity });
      expect(length / findPath(mesh, START, end, { filter }).length).toBeLessThan(1.03);
      return length;
    };
    const near = lengthWith();
    const far = lengthWith(createFilter({ excludeFlags: 2 }));
    expect(far).toBeGreaterThan(1.5 * near);
    expect(lengthWith(createFilter({ areaCosts: { 7: 500 } }))).toBeCloseTo(far, 6);
    setEnabled(mesh, 'gate', false);
    expect(lengthWith()).toBeCloseTo(far, 6);
    setEnabled(mesh, 'gate', true);
    expect(lengthWith()).toBeCloseTo(near, 6);
  });
});

it('takes an expensive link, although thousands of polygons are nearer', () => {
  const mesh = tiledMesh();
  const open = (x: number, z: number): TileData =>
    squaresTile(
      x,
      z,
      0,
      4,
      () => true,
      () => 0,
    );
  for (let x = 0; x < 24; x++) for (let z = 0; z < 24; z++) addTile(mesh, open(x, z));
  for (let x = 40; x < 44; x++) addTile(mesh, open(x, 0));
  addLink(mesh, { start: [20, 0, 20], end: [484, 0, 4], radius: 1, cost: 2000 });
  const [from, to] = [
    [10, 0, 10],
    [520, 0, 6],
  ] as [number, number, number][];
  const path = findRoutedPath(buildRouteGraph(mesh), mesh, from, to, { ahead: Infinity });
  expect(path).toMatchObject({ status: 'complete', isWhole: true });
  expect(path.cost / findPath(mesh, from, to).cost).toBeLessThan(1.001);
});

it('refuses positions that are not finite', () => {
  const mesh = world(() => true);
  const graph = buildRouteGraph(mesh);
  const out = createRoutedPathBuffer();
  const query = createPathQuery();
  query.halfExtents.fill(2);
  for (const name of ['start', 'end'] as const) {
    query.start.set(START);
    query.end.set(END);
    query[name][2] = NaN;
    findRoutedPathInto(out, createRouteMemory(), graph, mesh, query, 10);
    expect([out.status, out.reason]).toEqual(['none', `${name}-off-mesh`]);
  }
});

describe('updateRouteGraph', () => {
  it('measures changed tiles only, and gives the routes of a new graph', () => {
    const mesh = world(comb);
    const graph = buildRouteGraph(mesh);
    const random = seeded(5);
    for (let round = 0; round < 6; round++) {
      const x = 1 + Math.floor(random() * (SIZE - 2));
      const z = Math.floor(random() * SIZE);
      removeTile(mesh, findTile(mesh, x, z));
      addTile(
        mesh,
        squaresTile(
          x,
          z,
          0,
          4,
          () => random() < 0.8,
          () => 0,
        ),
      );
      expect(updateRouteGraph(graph, mesh)).toEqual({ measuredTiles: 1, removedTiles: 0 });
      expect(updateRouteGraph(graph, mesh)).toEqual({ measuredTiles: 0, removedTiles: 0 });
      const [now, fresh] = [graph, buildRouteGraph(mesh)].map((one) => findRoute(one, START, END));
      expect(now.status).toBe(fresh.status);
      expect(now.cost).toBeCloseTo(fresh.cost, 3);
    }
    removeTile(mesh, findTile(mesh, 3, 3));
    expect(updateRouteGraph(graph, mesh)).toEqual({ measuredTiles: 0, removedTiles: 1 });
  });

  it('does not depend on the order of tiles', () => {
    const mesh = tiledMesh();
    for (let x = SIZE - 1; x >= 0; x--) {
      for (let z = SIZE - 1; z >= 0; z--)
        addTile(
          mesh,
          squaresTile(
            x,
            z,
            0,
            4,
            (i, k) => comb(4 * x + i, 4 * z + k),
            () => 0,
          ),
        );
    }
    const [a, b] = [world(comb), mesh].map((one) => findRoute(buildRouteGraph(one), START, END));
    expect(a.cost).toBe(b.cost);
  });
});

describe('findRoute', () => {
  it('names the tiles on the way, without a mesh', () => {
    const graph = buildRouteGraph(world(comb));
    const route = findRoute(graph, START, END);
    expect(route.status).toBe('complete');
    expect(route.tiles[0]).toEqual([0, 0]);
    expect(route.tiles.at(-1)).toEqual([SIZE - 1, 0]);
    for (let i = 1; i < route.tiles.length; i++)
      expect(
        Math.abs(route.tiles[i][0] - route.tiles[i - 1][0]) + Math.abs(route.tiles[i][1] - route.tiles[i - 1][1]),
      ).toBe(1);
    expect(findRoute(graph, [4, 40, 4], END).reason).toBe('start-off-mesh');
    // It searched without end beyond numbers that have a next one.
    expect(findRoute(graph, [1e300, 0, 4], END).reason).toBe('start-off-mesh');
    expect(findRoute(graph, START, [4, 0, -1e300]).reason).toBe('end-off-mesh');
    expect(findRoute(graph, START, [-50, 0, 0]).reason).toBe('end-off-mesh');
    // A box that is larger than the world.
    expect(findRoute(graph, START, [-50, 0, 0], { halfExtents: 1e12 }).status).toBe('complete');
  });
});

it('refuses what it cannot do', () => {
  expect(() => buildRouteGraph(stripMesh(3))).toThrow('buildRouteGraph: navMesh.tileSize is 0');
  const mesh = world(comb);
  const graph = buildRouteGraph(mesh);
  const filter = createFilter({ passes: () => true });
  expect(() => findRoutedPath(graph, mesh, START, END, { filter })).toThrow('options.filter.passes');
  expect(() => findRoutedPath(graph, mesh, START, END, { ahead: -1 })).toThrow('options.ahead is -1');
  expect(() => findRoute({} as never, START, END)).toThrow('findRoute: graph');
  const path = findRoutedPath(graph, mesh, START, END);
  continueRoutedPath(path, graph, mesh, START);
  expect(() => continueRoutedPath(path, graph, mesh, START)).toThrow('continueRoutedPath: path');
  expect(() => updateRouteGraph(graph, stripMesh(3))).toThrow('updateRouteGraph: navMesh.tileSize');
});
