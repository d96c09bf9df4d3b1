/** Routes of published worlds: over tiles that are not loaded, with doors and links, and files that fail. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { buildRouteGraph, updateRouteGraph } from '../../../../src/query/routes/build.ts';
import { continueRoutedPath, findRoute, findRoutedPath } from '../../../../src/query/routes/find.ts';
import { collectWorld } from '../../../../src/world/streaming/collect.ts';
import { openWorld } from '../../../../src/world/streaming/open.ts';
import { planPublication } from '../../../../src/world/streaming/plan/cut.ts';
import { createPlanBaker, readPlanParts } from '../../../../src/world/streaming/plan/bake.ts';
import { finishPublication } from '../../../../src/world/streaming/plan/finish.ts';
import { publishWorld } from '../../../../src/world/streaming/publish.ts';
import { openRouteGraph } from '../../../../src/world/streaming/routes/open-routes.ts';
import { streamAround } from '../../../../src/world/streaming/stream.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BlobStore } from '../../../../src/build/voxel/pool-types.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { seeded } from '../../meshes.ts';
import { floor, join } from '../../build/voxel/levels.ts';

const SIDE = 120;

/** Ground with walls that have a gap each, a named door in one gap, a swamp, and an island that a link leads to. */
function level(seed: number): { input: TriangleInput; options: BuildOptions } {
  const random = seeded(seed);
  const positions: number[] = [];
  const indices: number[] = [];
  const floor = (x0: number, z0: number, x1: number, z1: number): void => {
    const first = positions.length / 3;
    positions.push(x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0);
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  let from = 0;
  const doors: number[][] = [];
  for (let x = 18; x < SIDE - 10; x += 12 + 10 * random()) {
    floor(from, 0, x, SIDE);
    const gap = 4 + (SIDE - 12) * random();
    floor(x, gap, x + 2, gap + 4);
    doors.push([x, gap]);
    from = x + 2;
  }
  floor(from, 0, SIDE, SIDE);
  floor(SIDE + 6, 40, SIDE + 30, 70);
  const [x, z] = doors[1];
  const options: BuildOptions = {
    cellSize: 0.4,
    cellHeight: 0.2,
    tileSize: 9.6,
    agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
    volumes: createVolumes([
      { type: 'box', min: [x - 0.5, -1, z - 1], max: [x + 2.5, 2, z + 5], area: 1, name: 'door' },
      { type: 'box', min: [3, -1, 30], max: [14, 2, 60], area: 5 },
    ]),
    links: createLinks([{ start: [SIDE - 1.2, 0, 50], end: [SIDE + 7.2, 0, 50], bothWays: false, radius: 1 }]),
  };
  return { input: { positions, indices }, options };
}

async function published(seed: number): Promise<{ store: BlobStore; input: TriangleInput; options: BuildOptions }> {
  const { input, options } = level(seed);
  const store = createMemoryCache();
  await publishWorld(store, input, options, { routes: true });
  return { store, input, options };
}

describe('openRouteGraph', () => {
  it('finds the routes of each size of a world with sizes', async () => {
    // A bridge of 3 m between two floors.
    const input = join(floor(0, 0, 20, 30), floor(20, 12, 26, 15), floor(26, 0, 44, 30));
    const options: BuildOptions = { cellSize: 0.4, cellHeight: 0.2, tileSize: 9.6, agent: { maxClimb: 0.4 } };
    const sizes = createAgentSizes([
      { name: 'human', radius: 0.4, height: 1.8 },
      { name: 'ogre', radius: 2.2, height: 1.8 },
    ]);
    const all = { ...options, sizes };
    const store = createMemoryCache();
    await publishWorld(store, input, all, { routes: true });
    const whole = buildNavMesh(input, all).navMesh;
    const random = seeded(5);
    const world = await openWorld(store);
    const statuses: string[][] = [[], []];
    for (const [place, size] of ['human', 'ogre'].entries()) {
      const graph = await openRouteGraph(world, { size });
      const built = buildRouteGraph(whole, { size });
      expect([graph.size, built.size]).toEqual([place, place]);
      expect(graph.tiles.map((tile) => tile!.cellArea.length)).toEqual(
        built.tiles.map((tile) => tile!.cellArea.length),
      );
      for (let i = 0; i < 25; i++) {
        const [a, b] = [0, 1].map(
          () => findRandomPoint(whole, random, { filter: createFilter({ size: place }) }).point,
        );
        const route = findRoute(graph, a, b);
        const want = findRoute(built, a, b);
        statuses[place].push(want.status);
        expect(route.status).toBe(want.status);
        expect(want.status).toBe(findPath(whole, a, b, { size }).status === 'complete' ? 'complete' : 'none');
        expect(Math.abs(route.cost - want.cost)).toBeLessThan(0.01 * want.cost + 0.05);
      }
    }
    // The ogre does not fit on the bridge.
    expect(new Set(statuses[0])).toContain('complete');
    expect(new Set(statuses[1])).toEqual(new Set(['complete', 'none']));
    await expect(openRouteGraph(world, { size: 'giant' })).rejects.toThrow('options.size is "giant"');
  });

  it.each([3, 4])('finds the routes of the whole mesh without its tiles, seed %i', async (seed) => {
    const { store, input, options } = await published(seed);
    const whole = buildNavMesh(input, options).navMesh;
    const all = buildRouteGraph(whole);
    const world = await openWorld(store);
    const graph = await openRouteGraph(world);
    const random = seeded(seed);
    const costs = createFilter({ areaCosts: { 5: 6 } });
    let complete = 0;
    for (let i = 0; i < 60; i++) {
      if (i === 30) {
        setEnabled(whole, 'door', false);
        setEnabled(world.navMesh, 'door', false);
        updateRouteGraph(graph, world.navMesh);
        updateRouteGraph(all, whole);
      }
      const [a, b] = [findRandomPoint(whole, random)!.point, findRandomPoint(whole, random)!.point];
      const filter = i % 2 === 0 ? createFilter() : costs;
      const route = findRoute(graph, a, b, { filter });
      const path = findPath(whole, a, b, { filter });
      expect(route.status, `${a} to ${b}`).toBe(path.status === 'complete' ? 'complete' : 'none');
      const same = findRoute(all, a, b, { filter });
      expect(Math.abs(route.cost - same.cost)).toBeLessThan(1e-3 * same.cost + 1e-6);
      if (route.status === 'complete') complete++;
    }
    expect(complete).toBeGreaterThan(15);
    expect(complete).toBeLessThan(60);
  });

  it('joins the tiles of all files, and then drops what joins them', async () => {
    // Five rows of files.
    const [width, length] = [14, 4.8 * 70];
    const positions = [0, 0, 0, 0, 0, length, width, 0, length, width, 0, 0];
    const indices = [0, 1, 2, 0, 2, 3];
    const options = { cellSize: 0.4, cellHeight: 0.2, tileSize: 4.8, agent: { radius: 0.4 } };
    const store = createMemoryCache();
    await publishWorld(store, { positions, indices }, options, { routes: true });
    const world = await openWorld(store);
    expect(world.manifest.routes?.key).toHaveLength(5);
    const graph = await openRouteGraph(world, { maxRequests: 2 });
    const whole = buildRouteGraph(buildNavMesh({ positions, indices }, options).navMesh);
    expect([graph.gateCount, graph.edgeCount]).toEqual([whole.gateCount, whole.edgeCount]);
    expect(graph.gateX).toHaveLength(graph.gateCount);
    for (const tile of graph.tiles) expect(tile!.runPoints).toHaveLength(0);
    const [a, b] = [
      [2, 0, 1],
      [12, 0, length - 1],
    ] as [number, number, number][];
    expect(findRoute(graph, a, b).cost).toBeCloseTo(findRoute(whole, a, b).cost, 1);
  });

  it('leads a path out of the loaded tiles', async () => {
    const { store, input, options } = await published(3);
    const whole = buildNavMesh(input, options).navMesh;
    const world = await openWorld(store);
    const graph = await openRouteGraph(world);
    const [from, to] = [
      [3, 0, 100],
      [SIDE + 20, 0, 60],
    ] as [number, number, number][];
    while (streamAround(world, [from], { radius: 15 }).missingTiles > 0)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const path = findRoutedPath(graph, world.navMesh, from, to, { ahead: Infinity });
    expect(path).toMatchObject({ status: 'complete', isWhole: false });
    expect(path.points.length).toBeGreaterThan(1);
    expect(path.rest.at(-1)).toEqual(to);
    const { length } = findPath(whole, from, to);
    expect(path.cost / length).toBeGreaterThan(0.97);
    expect(path.cost / length).toBeLessThan(1.1);
    // The link leads one way.
    expect(findRoute(graph, to, from).status).toBe('none');
    expect(findRoutedPath(graph, world.navMesh, from, [SIDE + 3, 0, 55]).reason).toBe('end-off-mesh');
  });

  it.each([false, true])('leads to the nearest point of the island, the goal loaded: %s', async (isGoalLoaded) => {
    // A path around a bay, whose far side is nearest to an island; the island, and one that only a door leads to.
    const input = join(
      floor(0, 0, 80, 12),
      floor(68, 12, 80, 60),
      floor(86, 40, 110, 62),
      floor(0, 20, 30, 50),
      floor(10, 12, 14, 20),
    );
    const options: BuildOptions = {
      cellSize: 0.4,
      cellHeight: 0.2,
      tileSize: 9.6,
      agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
      volumes: createVolumes([{ type: 'box', min: [9, -1, 14], max: [15, 2, 18], area: 1, name: 'door' }]),
    };
    const store = createMemoryCache();
    await publishWorld(store, input, options, { routes: true });
    const whole = buildNavMesh(input, options).navMesh;
    const world = await openWorld(store);
    const graph = await openRouteGraph(world);
    const from: [number, number, number] = [3, 0, 6];
    const loadAround = async (points: readonly (readonly number[])[]): Promise<void> => {
      while (streamAround(world, points as [number, number, number][], { radius: 15 }).missingTiles > 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const goals: [number, number, number][] = [
      [100, 0, 50],
      [90, 0, 60],
      [20, 0, 40],
    ];
    for (const to of goals) {
      for (const isDoorOpen of [true, false]) {
        setEnabled(whole, 'door', isDoorOpen);
        setEnabled(world.navMesh, 'door', isDoorOpen);
        const want = findPath(whole, from, to);
        await loadAround(isGoalLoaded ? [from, to] : [from]);
        let path = findRoutedPath(graph, world.navMesh, from, to, { ahead: 20 });
        const what = `${from} to ${to}, door ${isDoorOpen}`;
        expect([path.status, path.reason], what).toEqual([want.status, want.reason]);
        for (let i = 0; !path.isWhole; i++) {
          expect(i, what).toBeLessThan(30);
          expect(path.rest.length, what).toBeGreaterThan(0);
          const at = path.points[Math.max(path.points.length - 1, 0)];
          await loadAround(isGoalLoaded ? [at, to] : [at]);
          path = continueRoutedPath(path, graph, world.navMesh, at);
          expect([path.status, path.reason], what).toEqual([want.status, want.reason]);
        }
        const [end, wanted] = [path.points.at(-1)!, want.points.at(-1)!];
        expect(Math.hypot(...end.map((v, k) => v - wanted[k])), what).toBeLessThan(1e-6);
      }
    }
    // A filter that closes the only way: no path, and no other island.
    const [a, b] = [from, goals[2]];
    setEnabled(world.navMesh, 'door', true);
    await loadAround([from]);
    const filter = createFilter({ areaCosts: { 1: Infinity } });
    expect(findRoutedPath(graph, world.navMesh, a, b, { filter }).status).toBe('none');
  });

  it('is the same from a plan, keeps files of blocks that have not changed, and is collected', async () => {
    const { store, input, options } = await published(3);
    const keys = async (): Promise<string[]> =>
      (await store.keys()).filter((name) => name.startsWith('routes/')).sort();
    const before = await keys();
    const kept = createMemoryCache();
    let read: string[] = [];
    const planned: BlobStore = {
      ...kept,
      get: (name) => {
        read.push(name);
        return kept.get(name);
      },
    };
    const { plan } = await planPublication(planned, input, options, { routes: true, chunkTiles: 5 });
    const baker = createPlanBaker(planned, plan);
    for await (const { chunks } of readPlanParts(planned, plan))
      for (const { key } of chunks) await baker.bakeChunk(key);
    read = [];
    const manifest = await finishPublication(planned, plan);
    expect(manifest.routes!.key.map((key) => `routes/${key}.navroutes`).sort()).toEqual(before);
    for (const name of before) expect(await planned.get(name)).toEqual(await store.get(name));
    // Bakers have measured all tiles.
    expect(read.filter((name) => name.startsWith('tiles/'))).toEqual([]);
    // An edit of one corner changes one file.
    const bounds = { min: [0, -1, 0], max: [SIDE + 30, 4, SIDE] };
    await publishWorld(store, input, { ...options, bounds }, { routes: true });
    const first = await keys();
    const positions = [...(input.positions as number[]), 2, 0.1, 2, 2, 0.1, 4, 4, 3, 4];
    const n = positions.length / 3 - 3;
    const indices = [...(input.indices as number[]), n, n + 1, n + 2];
    await publishWorld(store, { positions, indices }, { ...options, bounds }, { routes: true });
    expect((await keys()).length).toBe(first.length + 1);
    await collectWorld(store);
    const world = await openWorld(store);
    expect((await keys()).length).toBe(world.manifest.routes!.key.length);
    expect((await openRouteGraph(world)).tiles.length).toBe(
      world.manifest.tiles.polys.filter((polys) => polys > 0).length,
    );
  });

  it('requests files again that are late or damaged, and says what is missing', async () => {
    const { store } = await published(4);
    let requests = 0;
    const shaky: BlobStore = {
      ...store,
      get: async (name, signal) => {
        const bytes = await store.get(name, signal);
        if (!name.startsWith('routes/') || bytes === undefined) return bytes;
        requests++;
        if (requests % 2 === 1) return bytes.slice(0, bytes.length - 8);
        if (requests % 5 === 0) throw new Error('503');
        return bytes;
      },
    };
    const world = await openWorld(shaky);
    expect((await openRouteGraph(world)).tiles.length).toBeGreaterThan(50);
    for (const key of world.manifest.routes!.key) await store.delete(`routes/${key}.navroutes`);
    const control = new AbortController();
    const waiting = openRouteGraph(await openWorld(store), { signal: control.signal });
    control.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const plain = createMemoryCache();
    const { input, options } = level(4);
    await publishWorld(plain, input, options);
    await expect(openRouteGraph(await openWorld(plain))).rejects.toThrow('published without routes');
    await expect(openRouteGraph({} as never)).rejects.toThrow('openRouteGraph: world');
  });
});
