/** One mesh for several sizes: options, polygons, files, tiles, worlds, workers. Cells and answers: test/property/sizes.test.ts. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { optionsFromSettings } from '../../../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { createNavMesh } from '../../../../src/mesh/create.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { findSize } from '../../../../src/mesh/sizes.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import type { NavMesh, TileData } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { parseDetourBin } from '../../../../src/formats/detour/detour-bin.ts';
import { writeDetourBin } from '../../../../src/formats/detour/detour-bin-write.ts';
import { bakeNavMesh, buildNavMesh, buildTile } from '../../../../src/build/voxel/build.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import { buildNavMeshes } from '../../../../src/build/voxel/build-many.ts';
import { guardWorkspace } from '../../../../src/build/voxel/memory-guard.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { closeBakePool, createBakePool } from '../../../../src/world/worker/pool.ts';
import { packTiles, unpackTiles } from '../../../../src/world/worker/tile-arrays.ts';
import { createWorld, openWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle, removeObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { sceneLevel } from '../../../golden/levels.ts';
import { TWO_ROOMS, floor, join } from './levels.ts';

const SIZES = [
  { name: 'ogre', radius: 1.25, height: 3 },
  { name: 'human', radius: 0.5, height: 1.8 },
];
const OPTIONS: BuildOptions = { cellSize: 0.25, cellHeight: 0.2, regionMinArea: 0 };
const withSizes = (more: BuildOptions = {}): BuildOptions => ({ ...OPTIONS, sizes: createAgentSizes(SIZES), ...more });
const { navMesh: mesh } = buildNavMesh(TWO_ROOMS, withSizes());

function bytesOf(navMesh: NavMesh): string {
  return Buffer.from(saveNavMesh(navMesh)).toString('base64');
}

describe('a bake with sizes', () => {
  it('orders them, and takes the first as its agent', () => {
    expect(mesh.sizes.map(({ name }) => name)).toEqual(['human', 'ogre']);
    expect(mesh.agent).toEqual({ radius: 0.5, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 });
    expect(mesh.sizes[1]).toEqual({
      name: 'ogre',
      radius: 1.25,
      height: 3,
      maxClimb: 0.4,
      maxSlopeDegrees: 45,
      rules: [],
    });
    expect(validateNavMesh(mesh)).toEqual([]);
    const masks = new Set(mesh.polySizes.subarray(0, mesh.polyCount));
    expect([...masks].sort()).toEqual([1, 3]);
  });

  it('leads a size only where it fits', () => {
    const human = findPath(mesh, [4, 0, 2], [14, 0, 2], { size: 'human' });
    const ogre = findPath(mesh, [4, 0, 2], [14, 0, 2], { size: 'ogre' });
    expect([human.status, human.size, ogre.status, ogre.size]).toEqual(['complete', 'human', 'complete', 'ogre']);
    expect(human.length).toBeCloseTo(10, 1);
    expect(ogre.length).toBeGreaterThan(25);
    expect(findPath(mesh, [4, 0, 2], [14, 0, 2])).toEqual(human);
    expect(findPath(mesh, [4, 0, 2], [14, 0, 2], { filter: createFilter({ size: 1 }) })).toEqual(ogre);
    const isOpen = createFilter({ passes: () => true, size: 1 });
    expect(findPath(mesh, [4, 0, 2], [14, 0, 2], { filter: isOpen }).length).toBeCloseTo(ogre.length, 9);
  });

  it('serves an agent between two sizes by the next one that holds it, and reports it', () => {
    const between = findPath(mesh, [4, 0, 2], [14, 0, 2], { size: { radius: 0.6, height: 1 } });
    expect(between.size).toBe('ogre');
    expect(findSize(mesh, { radius: 0.6 })).toMatchObject({ name: 'ogre', index: 1, isExact: false });
    expect(findSize(mesh, { radius: 0.2, height: 1 })).toMatchObject({ name: 'human', index: 0, isExact: false });
    expect(findSize(mesh, { radius: 0.5, height: 2 })).toMatchObject({ name: 'ogre', isExact: false });
    expect(findSize(mesh, { radius: 1.25, height: 3 })).toMatchObject({ name: 'ogre', isExact: true });
    expect(findSize(mesh, 'ogre')).toMatchObject({ index: 1, isExact: true });
    expect([findSize(mesh, { radius: 2 }), findSize(mesh, 'rat')]).toEqual([null, null]);
  });

  it('refuses sizes that the mesh does not have', () => {
    const ask = (navMesh: NavMesh, size: unknown) => () => findNearest(navMesh, [4, 0, 2], { size: size as string });
    expect(ask(mesh, 'rat')).toThrow(
      'findNearest: options.size is "rat"; must be or fit into one of mesh.sizes: human (0.5), ogre (1.25)',
    );
    expect(ask(mesh, { radius: 2, height: 3 })).toThrow(/options\.size is an object; must be or fit into/);
    for (const bad of [{ radius: -1 }, { radius: NaN }, { radius: 0.4, height: 4 }, {}, 3, null]) {
      expect(ask(mesh, bad)).toThrow(/must be or fit into/);
    }
    expect(ask(buildNavMesh(TWO_ROOMS, OPTIONS).navMesh, 'human')).toThrow(/mesh\.sizes: none/);
  });

  it('gives the polygons of a plain bake for a single size', () => {
    for (const partition of ['watershed', 'monotone', 'layers'] as const) {
      const { input, options } = sceneLevel('house');
      const { radius, height, maxClimb } = options.agent as { radius: number; height: number; maxClimb: number };
      const base: BuildOptions = { ...options, cellSize: 0.4, ...optionsFromSettings({ partition }) };
      const alone = buildNavMesh(input, base).navMesh;
      const sized = buildNavMesh(input, {
        ...base,
        sizes: createAgentSizes([{ name: 'one', radius, height, maxClimb }]),
      }).navMesh;
      expect(new Set(sized.polySizes.subarray(0, sized.polyCount))).toEqual(new Set([1]));
      expect(bytesOf({ ...sized, sizes: [] })).toBe(bytesOf(alone));
    }
  });

  it('keeps areas, names and holes apart from sizes', () => {
    const options: BuildOptions = {
      volumes: createVolumes([
        { type: 'box', min: [0, -1, 0], max: [4, 1, 18], area: 5 },
        { type: 'box', min: [8, -1, 0], max: [10, 1, 4], name: 'door' },
      ]),
      obstacles: createObstacles([{ type: 'box', size: [1, 1, 1], position: [14, 0.5, 4] }]),
    };
    const { navMesh } = buildNavMesh(TWO_ROOMS, withSizes(options));
    expect(validateNavMesh(navMesh)).toEqual([]);
    const pairs = new Set<string>();
    for (let p = 0; p < navMesh.polyCount; p++) pairs.add(`${navMesh.polyArea[p]} ${navMesh.polySizes[p]}`);
    expect([...pairs].sort()).toEqual(['5 1', '5 3', '63 1', '63 3']);
    expect(navMesh.groups.map(({ name, polys }) => [name, polys.size > 0])).toEqual([['door', true]]);
    // The obstacle of 1 keeps a radius free of each size.
    const off = (x: number, size: string): number => Math.abs(findNearest(navMesh, [x, 0, 4], { size }).point[0] - x);
    expect([off(15.1, 'human'), off(14.4, 'human') > 0.1, off(15.5, 'ogre') > 0.1]).toEqual([0, true, true]);
  });

  it('adds links that only some sizes can use', () => {
    const link = { start: [4, 0, 4], end: [14, 0, 4], radius: 1 };
    const { navMesh } = buildNavMesh(TWO_ROOMS, withSizes({ links: createLinks([{ ...link, sizes: ['human'] }]) }));
    const lengthOf = (size: string): number => findPath(navMesh, [4, 0, 4], [14, 0, 4], { size }).length;
    expect([lengthOf('human') < 11, lengthOf('ogre') > 20]).toEqual([true, true]);
    expect(() => buildNavMesh(TWO_ROOMS, withSizes({ links: createLinks([{ ...link, sizes: ['rat'] }]) }))).toThrow(
      /options\.links\[0\]\.sizes is \["rat"\]; must be names of mesh\.sizes \(human, ogre\)/,
    );
  });

  it('uses memory as the table of its workspace says', () => {
    const plain = buildNavMesh(TWO_ROOMS, withSizes());
    const guarded = buildNavMesh(TWO_ROOMS, withSizes({ workspace: guardWorkspace(createWorkspace()) }));
    expect(bytesOf(guarded.navMesh)).toBe(bytesOf(plain.navMesh));
  });
});

describe('sizes that are refused', () => {
  const make =
    (...sizes: unknown[]) =>
    () =>
      createAgentSizes(sizes as never);
  it('by createAgentSizes', () => {
    expect(make()).toThrow(/sizes\.length is 0; must be 1 \.\. 16/);
    expect(make(SIZES[0], SIZES[0])).toThrow(/sizes\[1\]\.name is "ogre"; must be a name of its own/);
    expect(make({ name: 'a', radius: 1, height: -2 })).toThrow(/sizes\[0\]\.height is -2; must be a number > 0/);
    expect(make({ name: 'a', radius: -1, height: 2 })).toThrow(/sizes\[0\]\.radius is -1/);
    expect(make({ name: 'a', radius: 1, height: 2, climb: 1 })).toThrow(/sizes\[0\]\.climb is unknown/);
    const slope = (maxSlopeDegrees: unknown) => make({ ...SIZES[0], maxSlopeDegrees });
    expect(slope(91)).toThrow(/sizes\[0\]\.maxSlopeDegrees is 91; must be a number 0 \.\. 90/);
    expect(slope('steep')).toThrow(/sizes\[0\]\.maxSlopeDegrees is "steep"/);
    const rule = (rules: object) => make({ ...SIZES[0], ...rules });
    expect(rule({ areaCosts: { 5: 0 } })).toThrow(/sizes\[0\]\.areaCosts\[5\] is 0; must be a finite number > 0/);
    expect(rule({ areaCosts: { water: 2 } })).toThrow(/a key of sizes\[0\]\.areaCosts is "water"; must be an area id/);
    expect(rule({ closedAreas: [64] })).toThrow(/sizes\[0\]\.closedAreas\[0\] is 64; must be an area id, 1 \.\. 63/);
    expect(rule({ closedAreas: 5 })).toThrow(TypeError);
    expect(rule({ excludeFlags: -1 })).toThrow(/sizes\[0\]\.excludeFlags is -1; must be 16 bits/);
  });

  it('by a bake', () => {
    const bake =
      (sizes: unknown, more: BuildOptions = {}) =>
      () =>
        buildNavMesh(TWO_ROOMS, { ...OPTIONS, ...more, sizes: sizes as never });
    expect(bake(SIZES)).toThrow(/options\.sizes is \[.*must be the result of createAgentSizes/);
    const high = [{ ...SIZES[0], maxClimb: 2 }, SIZES[1]];
    expect(bake(createAgentSizes(high))).toThrow(/options\.sizes\.list\[1\]\.maxClimb is 2; must be less than/);
    const points = [{ name: 'point', radius: 0, height: 1 }, SIZES[0]];
    expect(bake(createAgentSizes(points))).toThrow(/options\.sizes\.list\[0\]\.radius is 0; must be > 0/);
    expect(bake(createAgentSizes([points[0], { ...SIZES[0], height: 1 }]))).not.toThrow();
    expect(() => buildNavMeshes(TWO_ROOMS, withSizes(), SIZES)).toThrow(/options\.sizes/);
    const rules = [{ ...SIZES[0], closedAreas: [5] }];
    expect(() => buildNavMeshes(TWO_ROOMS, OPTIONS, rules)).toThrow(/sizes\[0\]\.closedAreas is unknown/);
    const steep = [10, 20, 30, 40, 50].map((maxSlopeDegrees, i) => ({ ...SIZES[1], name: `${i}`, maxSlopeDegrees }));
    expect(bake(createAgentSizes(steep))).toThrow(/the number of slopes of sizes is 5; must be at most 4/);
  });

  it('by createNavMesh, addTile and createFilter', () => {
    const { agent, sizes } = mesh;
    expect(() => createNavMesh({ agent, sizes: [sizes[1], sizes[0]] })).toThrow(/options\.sizes/);
    expect(() => createNavMesh({ agent, sizes: [sizes[0], sizes[0]] })).toThrow(/options\.sizes/);
    expect(() => createFilter({ size: 16 })).toThrow(/options\.size is 16/);
    const tiled = withSizes({ tileSize: 6 });
    const tile = buildTile(TWO_ROOMS, tiled, 0, 0)!;
    const plain = buildNavMesh(TWO_ROOMS, { ...OPTIONS, agent: { radius: 0.5 }, tileSize: 6 }).navMesh;
    removeTile(plain, findTile(plain, 0, 0, 0));
    expect(() => addTile(plain, tile)).toThrow(/was baked with sizes human 0\.5/);
    const { navMesh } = buildNavMesh(TWO_ROOMS, tiled);
    removeTile(navMesh, findTile(navMesh, 0, 0, 0));
    const bad = (polySizes: unknown) => () => addTile(navMesh, { ...tile, polySizes } as TileData);
    expect(bad(new Uint16Array(tile.polyCount))).toThrow(/polySizes\[0\] is 0/);
    expect(bad(new Uint16Array(1))).toThrow(/polySizes has 1 entries/);
    expect(bad(new Uint8Array(tile.polyCount))).toThrow(TypeError);
    addTile(navMesh, tile);
    expect(validateNavMesh(navMesh)).toEqual([]);
  });

  it('by Detour files beyond eight', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ name: `${i}`, radius: 0.25 * (i + 1), height: 2 }));
    const nine = buildNavMesh(TWO_ROOMS, { ...OPTIONS, sizes: createAgentSizes(many) }).navMesh;
    expect(() => writeDetourBin(nine)).toThrow(/has 9 sizes/);
    const { navMesh } = parseDetourBin(writeDetourBin(mesh).bytes);
    for (let p = 0; p < mesh.polyCount; p++) expect(navMesh.polyFlags[p]).toBe(1 | (mesh.polySizes[p] << 8));
  });
});

describe('a mesh with sizes', () => {
  it('is saved and loaded', () => {
    const bytes = saveNavMesh(mesh);
    const loaded = loadNavMesh(bytes.slice());
    expect(validateNavMesh(loaded)).toEqual([]);
    expect([loaded.sizes, saveNavMesh(loaded)]).toEqual([mesh.sizes, bytes]);
    const plain = loadNavMesh(saveNavMesh(buildNavMesh(TWO_ROOMS, OPTIONS).navMesh));
    expect([plain.sizes, validateNavMesh(plain)]).toEqual([[], []]);
  });

  it('is refused when its file is not sound', () => {
    const broken = (change: (copy: NavMesh) => void) => () => {
      const copy = structuredClone(mesh);
      change(copy);
      loadNavMesh(saveNavMesh(copy));
    };
    expect(broken((m) => (m.polySizes[3] = 4))).toThrow(/bad polySizes\[3\]/);
    expect(broken((m) => (m.sizes[0].radius = NaN))).toThrow(/bad sizes/);
    expect(broken((m) => (m.sizes[1].name = 'human'))).toThrow(/bad sizes/);
    expect(broken((m) => m.sizes.reverse())).toThrow(/bad sizes/);
    expect(broken((m) => (m.sizes[1].name = ''))).toThrow(/bad sizes/);
  });

  it('is validated', () => {
    const codes = (change: (copy: NavMesh) => void): string[] => {
      const copy = structuredClone(mesh);
      change(copy);
      return validateNavMesh(copy).map(({ code, where }) => `${code} ${where}`);
    };
    expect(codes(() => {})).toEqual([]);
    expect(codes((m) => (m.polySizes[2] = 0))).toEqual(['poly-sizes polySizes[2]']);
    expect(codes((m) => m.sizes.reverse())).toEqual(['scalar sizes']);
    expect(codes((m) => (m.sizes[0].height = -1))).toEqual(['scalar sizes']);
  });

  it('is the same in tiles that are rebuilt, from a pool with a cache, and packed', async () => {
    const options = withSizes({ tileSize: 6 });
    const { navMesh } = buildNavMesh(TWO_ROOMS, options);
    expect(validateNavMesh(navMesh)).toEqual([]);
    const before = bytesOf(navMesh);
    for (const [x, z] of [
      [0, 0],
      [1, 1],
    ]) {
      const tile = buildTile(TWO_ROOMS, options, x, z)!;
      expect(unpackTiles(packTiles([tile], false))[0]!.polySizes).toEqual(tile.polySizes);
      removeTile(navMesh, findTile(navMesh, x, z, 0));
      addTile(navMesh, tile);
    }
    expect(findPath(navMesh, [4, 0, 2], [14, 0, 2], { size: 'ogre' }).length).toBeGreaterThan(25);
    const pool = createBakePool({ workers: 0 });
    const cache = createMemoryCache();
    for (const misses of [true, false]) {
      const baked = await bakeNavMesh(TWO_ROOMS, { ...options, pool, cache });
      expect(bytesOf(baked.navMesh)).toBe(before);
      expect(baked.report.cache!.misses > 0).toBe(misses);
    }
    closeBakePool(pool);
  });

  it('lives in a world, and is opened as one', () => {
    const bounds = { min: [-1, -1, -1], max: [19, 4, 17] };
    const options = withSizes({ tileSize: 6, bounds });
    const world = createWorld(options);
    addLevel(world, TWO_ROOMS);
    updateWorld(world);
    const obstacle = { type: 'box', size: [3, 2, 3], position: [14, 1, 10] } as const;
    const fresh = buildNavMesh(TWO_ROOMS, { ...options, obstacles: createObstacles([obstacle]) }).navMesh;
    const whole = buildNavMesh(TWO_ROOMS, options).navMesh;
    const dynamic = buildNavMesh(TWO_ROOMS, { ...options, dynamic: dynamicLayers }).navMesh;
    const opened = openWorld(loadNavMesh(saveNavMesh(dynamic)));
    for (const one of [world, opened]) {
      expect(one.navMesh.sizes).toEqual(mesh.sizes);
      expect(masksOf(one.navMesh)).toEqual(masksOf(whole));
      const id = addObstacle(one, obstacle);
      updateWorld(one);
      expect(masksOf(one.navMesh)).toEqual(masksOf(fresh));
      expect(validateNavMesh(one.navMesh)).toEqual([]);
      expect(findPath(one.navMesh, [4, 0, 2], [14, 0, 2], { size: 'ogre' }).status).toBe('partial');
      removeObstacle(one, id);
      updateWorld(one);
      expect(masksOf(one.navMesh)).toEqual(masksOf(whole));
    }
  });
});

/** Two floors, joined by ramps of 20, 35 and 55 degrees. */
const RAMPS = join(
  floor(0, 0, 30, 8),
  { positions: [0, 3, 18, 0, 3, 26, 30, 3, 26, 30, 3, 18], indices: [0, 1, 2, 0, 2, 3] },
  ...[20, 35, 55].map((degrees, i) => {
    const [x, run] = [2 + 9 * i, 3 / Math.tan((degrees * Math.PI) / 180)];
    return {
      positions: [
        x,
        0,
        7.9,
        x,
        3,
        8 + run,
        x + 5,
        3,
        8 + run,
        x + 5,
        0,
        7.9,
        x,
        3,
        8 + run,
        x,
        3,
        18.1,
        x + 5,
        3,
        18.1,
        x + 5,
        3,
        8 + run,
      ],
      indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7],
    };
  }),
);

describe('sizes of several slopes', () => {
  const slopes = [
    { name: 'cart', radius: 0.5, height: 1.8, maxSlopeDegrees: 25 },
    { name: 'human', radius: 0.5, height: 1.8 },
    { name: 'goat', radius: 0.75, height: 1.8, maxClimb: 0.9, maxSlopeDegrees: 60 },
  ];
  const options = withSizes({ sizes: createAgentSizes(slopes), agent: { maxSlopeDegrees: 40 } });
  const openRamps = (navMesh: NavMesh, size: string): boolean[] =>
    [4.5, 13.5, 22.5].map((x) => {
      const { status, points } = findPath(navMesh, [x, 0, 4], [x, 3, 22], { size });
      return status === 'complete' && points.every((point) => Math.abs(point[0] - x) < 4);
    });

  it('climb the ramps that they may', () => {
    const { navMesh } = buildNavMesh(RAMPS, options);
    expect(navMesh.agent.maxSlopeDegrees).toBe(25);
    expect(navMesh.sizes.map(({ maxSlopeDegrees }) => maxSlopeDegrees)).toEqual([25, 40, 60]);
    expect(openRamps(navMesh, 'cart')).toEqual([true, false, false]);
    expect(openRamps(navMesh, 'human')).toEqual([true, true, false]);
    expect(openRamps(navMesh, 'goat')).toEqual([true, true, true]);
    const separate = buildNavMeshes(RAMPS, { ...OPTIONS, agent: { maxSlopeDegrees: 40 } }, slopes);
    for (const { name, navMesh: own } of separate) {
      expect(openRamps(navMesh, name)).toEqual(
        [4.5, 13.5, 22.5].map((x) => {
          const { status, points } = findPath(own, [x, 0, 4], [x, 3, 22]);
          return status === 'complete' && points.every((point) => Math.abs(point[0] - x) < 4);
        }),
      );
      const { cellSize, cellHeight } = own;
      const { name: _, ...agent } = { maxSlopeDegrees: 40, ...slopes.find((one) => one.name === name)! };
      expect(bytesOf(own)).toBe(bytesOf(buildNavMesh(RAMPS, { ...OPTIONS, cellSize, cellHeight, agent }).navMesh));
    }
  });

  it('are the same in tiles that are rebuilt, from a pool, in worlds and from files', async () => {
    const bounds = { min: [-1, -1, -1], max: [31, 5, 27] };
    const tiled = { ...options, tileSize: 9, bounds };
    const { navMesh } = buildNavMesh(RAMPS, tiled);
    expect(openRamps(navMesh, 'human')).toEqual([true, true, false]);
    const pool = createBakePool({ workers: 2 });
    expect(bytesOf((await bakeNavMesh(RAMPS, { ...tiled, pool })).navMesh)).toBe(bytesOf(navMesh));
    closeBakePool(pool);
    const world = createWorld(tiled);
    addLevel(world, RAMPS);
    updateWorld(world);
    const opened = openWorld(
      loadNavMesh(saveNavMesh(buildNavMesh(RAMPS, { ...tiled, dynamic: dynamicLayers }).navMesh)),
    );
    // Adds surface on the second ramp, so that packed spans of each slope get more, and cuts a hole into the first.
    const obstacles = [
      { type: 'box', size: [3, 2, 3], position: [13, 1, 10], effect: 'surface' },
      { type: 'box', size: [9, 4, 1], position: [4, 2, 12] },
    ] as const;
    const fresh = buildNavMesh(RAMPS, { ...tiled, obstacles: createObstacles(obstacles) }).navMesh;
    expect(openRamps(fresh, 'cart')).toEqual([false, false, false]);
    for (const one of [world, opened]) {
      expect(masksOf(one.navMesh)).toEqual(masksOf(navMesh));
      const ids = obstacles.map((obstacle) => addObstacle(one, obstacle));
      updateWorld(one);
      expect(masksOf(one.navMesh)).toEqual(masksOf(fresh));
      for (const id of ids) removeObstacle(one, id);
      updateWorld(one);
      expect(masksOf(one.navMesh)).toEqual(masksOf(navMesh));
    }
  });
});

/** The masks of each tile's polygons, by the position of their first corner. */
function masksOf(navMesh: NavMesh): string[] {
  const out: string[] = [];
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] === 0) continue;
    const first = navMesh.tilePolyStart[slot];
    for (let p = first; p < first + navMesh.tilePolyCount[slot]; p++) {
      const v = 3 * navMesh.edgeVertex[navMesh.polyEdgeStart[p]];
      out.push(
        `${Array.from(navMesh.vertices.subarray(v, v + 3), (x) => x.toFixed(4)).join()} ${navMesh.polySizes[p]}`,
      );
    }
  }
  return out.sort();
}
