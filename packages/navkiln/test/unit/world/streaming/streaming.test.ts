/** Published worlds: files and manifest, changes, interrupted publications, streaming within a budget, and stores that fail. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';

import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { collectWorld } from '../../../../src/world/streaming/collect.ts';
import { CURRENT, readManifest, tileName, writeManifest } from '../../../../src/world/streaming/manifest.ts';
import { openWorld } from '../../../../src/world/streaming/open.ts';
import type { StreamedWorld } from '../../../../src/world/streaming/open.ts';
import { publishWorld } from '../../../../src/world/streaming/publish.ts';
import { stopStreaming, streamAround } from '../../../../src/world/streaming/stream.ts';
import type { StreamOptions, StreamPoint, StreamResult } from '../../../../src/world/streaming/stream.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BlobStore } from '../../../../src/build/voxel/pool-types.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import { decodeEntry, encodeEntry } from '../../../../src/world/worker/cache-entry.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { seeded } from '../../meshes.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const scene = levelScenes.find(({ name }) => name === 'courtyard')!;
const level = scene.create();
const link = { start: [-10, 1, -10], end: [10, 1, 10], bothWays: true, name: 'gate' };
const options: BuildOptions = {
  ...scene.options,
  cellSize: 0.4,
  cellHeight: 0.2,
  tileSize: 9.6,
  links: createLinks([link]),
};
const whole = buildNavMesh(level, options).navMesh;
const middle = [0, 2].map((k) => whole.origin[k]! + 30);

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

async function published(): Promise<BlobStore> {
  const store = createMemoryCache();
  await publishWorld(store, level, options);
  return store;
}

/** Streams until nothing is missing. */
async function settle(
  world: StreamedWorld,
  points: (number[] | StreamPoint)[],
  stream: StreamOptions,
): Promise<StreamResult> {
  let removedTiles = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    const result = streamAround(world, points, stream);
    removedTiles += result.removedTiles;
    expect(world.bytes).toBeLessThanOrEqual(stream.maxBytes ?? Infinity);
    if (result.missingTiles === 0) return { ...result, removedTiles };
    await nextTask();
  }
  throw new Error('tiles are still missing');
}

/** A number for each tile of a mesh that its surface decides. */
function tilesOf(mesh: NavMesh): Record<string, number[]> {
  const tiles: Record<string, number[]> = {};
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const from = 3 * mesh.tileVertexStart[slot];
    const vertices = mesh.vertices.subarray(from, from + 3 * mesh.tileVertexCount[slot]);
    const sum = vertices.reduce((total, value, i) => total + value * (1 + (i % 7)), 0);
    tiles[`${mesh.tileX[slot]}, ${mesh.tileZ[slot]}`] = [mesh.tilePolyCount[slot], mesh.tileDetailTriCount[slot], sum];
  }
  return tiles;
}

describe('publishWorld', () => {
  it('stores the tiles of a bake, which streaming puts together again', async () => {
    const store = await published();
    const world = await openWorld(store);
    const result = await settle(world, [[middle[0], 0, middle[1]]], { radius: 1000 });
    expect(result).toMatchObject({ leftOutTiles: 0, failures: [], loadedTiles: Object.keys(tilesOf(whole)).length });
    expect(validateNavMesh(world.navMesh)).toEqual([]);
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(whole));
    const random = seeded(5);
    const point = (): number[] => [middle[0] + 40 * (random() - 0.5), 0, middle[1] + 40 * (random() - 0.5)];
    let complete = 0;
    for (let i = 0; i < 50; i++) {
      const [a, b] = [point(), point()];
      const expected = findPath(whole, a, b);
      const path = findPath(world.navMesh, a, b);
      expect(path.status).toBe(expected.status);
      if (path.status === 'complete') complete++;
      expect(path.length).toBeCloseTo(expected.length, 9);
    }
    expect(complete).toBeGreaterThan(3);
  });

  it('bakes what changed, disturbs no reader of the old world, and removes files that no manifest names', async () => {
    const store = await published();
    const old = await openWorld(store);
    const crate = [0, 0, 1, 0, 2, 1, 1, 0, 1].map((value, i) => value + [middle[0], 0, middle[1]][i % 3]!);
    const changed = {
      positions: [...level.positions, ...crate],
      indices: [...level.indices, ...[0, 1, 2].map((k) => level.positions.length / 3 + k)],
    };
    const second = await publishWorld(store, changed, options);
    expect(second.manifest.sequence).toBe(2);
    expect(second.bakedTiles).toBeGreaterThan(0);
    expect(second.bakedTiles).toBeLessThan(second.reusedTiles);
    const third = await publishWorld(store, changed, options);
    expect(third).toMatchObject({ bakedTiles: 0, writtenBytes: 0 });
    await settle(old, [[middle[0], 0, middle[1]]], { radius: 1000 });
    expect(tilesOf(old.navMesh)).toEqual(tilesOf(whole));
    // The old manifest stays with `keep`, and so do its tiles.
    expect(await collectWorld(store, { keep: 3 })).toEqual({ manifests: 0, tiles: 0 });
    const late = await openWorld(store);
    expect(await collectWorld(store)).toEqual({ manifests: 2, tiles: second.bakedTiles });
    await settle(late, [[middle[0], 0, middle[1]]], { radius: 1000 });
    expect(tilesOf(late.navMesh)).toEqual(tilesOf(buildNavMesh(changed, options).navMesh));
  });

  it('resumes after a write that failed, and readers see a whole world at any time', async () => {
    const good = await published();
    const names = (await good.keys()).sort();
    const last = names.length - 1;
    for (const writes of IS_FULL ? [0, 1, 5, last - 2, last - 1, last] : [1, last - 1]) {
      const store = createMemoryCache();
      let left = writes;
      const failing: BlobStore = {
        ...store,
        set: (name, bytes) => (left-- > 0 ? store.set(name, bytes) : Promise.reject(new Error('the disk is full'))),
      };
      await expect(publishWorld(failing, level, options)).rejects.toThrow('the disk is full');
      await expect(openWorld(store)).rejects.toThrow(/the store has no world\.json; publish the world/);
      const again = await publishWorld(store, level, options);
      expect(again.bakedTiles).toBe(Math.max(0, names.length - 2 - writes));
      for (const name of names) {
        if (name.startsWith('tiles/')) expect(await store.get(name)).toEqual(await good.get(name));
      }
      const { tiles } = again.manifest;
      for (const [i, key] of tiles.key.entries())
        expect((await store.get(tileName(key)))?.length ?? 0).toBe(tiles.bytes[i]);
    }
  });

  it('refuses what it cannot publish, and stops when it is aborted', async () => {
    const store = createMemoryCache();
    await expect(publishWorld(store, level, { ...options, tileSize: 0 })).rejects.toThrow(
      'publishWorld: options.tileSize is 0; must be the side of a tile in world units',
    );
    await expect(publishWorld(store, level, { ...options, dynamic: dynamicLayers })).rejects.toThrow(
      /options\.dynamic is an object/,
    );
    await expect(publishWorld({} as BlobStore, level, options)).rejects.toThrow(
      'publishWorld: store.get is undefined; must be a function',
    );
    const control = new AbortController();
    const onProgress = ({ done }: { done: number }): void => {
      if (done === 3) control.abort(new Error('stopped by the test'));
    };
    await expect(publishWorld(store, level, options, { signal: control.signal, onProgress })).rejects.toThrow(
      'stopped by',
    );
    expect((await store.keys()).length).toBe(3);
    await expect(collectWorld(store, { keep: 0 })).rejects.toThrow('collectWorld: options.keep is 0; must be');
  });
});

describe('manifests', () => {
  it('are read as they were written', async () => {
    const store = await published();
    const bytes = (await store.get(CURRENT))!;
    const manifest = readManifest(bytes);
    expect(manifest.links).toMatchObject([{ bothWays: true, name: 'gate' }]);
    expect(writeManifest(manifest)).toEqual(bytes);
  });

  it('that are damaged, of another version or foreign are refused by name', async () => {
    const store = await published();
    const bytes = (await store.get(CURRENT))!;
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const tiles = value['tiles'] as Record<string, unknown[]>;
    const cases: [object, RegExp][] = [
      [
        { ...value, version: 2 },
        /its version is 2, and this navkiln reads version 1; install the version that wrote it, or publish again/,
      ],
      [{ ...value, format: 'x' }, /it is not a manifest of a world/],
      [{ ...value, countX: 0 }, /countX must be a whole number from 1/],
      [{ ...value, links: [{ start: [0, 0, 0] }] }, /addLink: options\.end/],
      [{ ...value, settings: { ...(value['settings'] as object), tileSize: 0 } }, /tileSize must be > 0/],
      [{ ...value, tiles: { ...tiles, key: tiles['key']!.slice(1) } }, /tiles\.key must have an entry for each tile/],
      [{ ...value, tiles: { ...tiles, number: tiles['number']!.toReversed() } }, /tiles\.number\[1\] must be a whole/],
      [
        { ...value, tiles: { ...tiles, key: tiles['key']!.map(() => '../../x') } },
        /tiles\.key\[0\] is not a content key/,
      ],
      [{ ...value, tiles: { ...tiles, minY: tiles['minY']!.map(() => null) } }, /minY\[0\] and .* finite/],
    ];
    for (const [wrong, says] of cases) {
      await store.set(CURRENT, new TextEncoder().encode(JSON.stringify(wrong)));
      await expect(openWorld(store)).rejects.toThrow(says);
      await expect(openWorld(store)).rejects.toThrow(
        /^openWorld: world\.json: the manifest of the world cannot be used: /,
      );
    }
    const random = seeded(11);
    for (let i = 0; i < 400; i++) {
      const mutated = bytes.slice(0, random() < 0.3 ? Math.floor(bytes.length * random()) : bytes.length);
      for (let k = 0; k < 3 && mutated.length > 0; k++) mutated[Math.floor(mutated.length * random())] = 256 * random();
      try {
        readManifest(mutated);
      } catch (error) {
        expect((error as Error).message).toMatch(/^the manifest of the world cannot be used: /);
      }
    }
    // Publishing replaces a manifest that cannot be read.
    expect((await publishWorld(store, level, options)).bakedTiles).toBe(0);
    await openWorld(store);
  });
});

describe('streamAround', () => {
  it('follows a point within its budget, the tile under it first', async () => {
    const store = await published();
    const { bytes } = readManifest((await store.get(CURRENT))!).tiles;
    const maxBytes = 7 * Math.max(...bytes);
    const world = await openWorld(store);
    let removed = 0;
    for (let step = 0; step <= 12; step++) {
      const x = whole.origin[0] + 5 * step;
      const position = [x, 0, middle[1]];
      const result = await settle(world, [{ position, velocity: [5, 0, 0] }], { radius: 12, maxBytes });
      removed += result.removedTiles;
      expect(validateNavMesh(world.navMesh)).toEqual([]);
      const [tileX, tileZ] = [0, 2].map((k) => Math.floor((position[k]! - whole.origin[k]!) / whole.tileSize));
      if (findTile(whole, tileX!, tileZ!, 0) >= 0)
        expect(findTile(world.navMesh, tileX!, tileZ!, 0)).toBeGreaterThanOrEqual(0);
    }
    expect(removed).toBeGreaterThan(3);
    // Without points nothing stays.
    expect(streamAround(world, [], { radius: 12 })).toMatchObject({ loadedTiles: 0, bytes: 0 });
  });

  it('keeps tiles a little longer than it loads them, and aborts requests that nobody wants', async () => {
    const store = await published();
    let aborted = 0;
    const slow: BlobStore = {
      ...store,
      get: (name, signal) =>
        name.startsWith('tiles/')
          ? new Promise((_, reject) =>
              signal!.addEventListener('abort', () => (aborted++, reject(signal!.reason as Error))),
            )
          : store.get(name),
    };
    const waiting = await openWorld(slow);
    const at = [middle[0], 0, middle[1]];
    expect(streamAround(waiting, [at], { radius: 5, maxRequests: 3 })).toMatchObject({ loadedTiles: 0 });
    expect(waiting.requests.size).toBe(3);
    streamAround(waiting, [[9000, 0, 9000]], { radius: 5 });
    expect({ aborted, open: waiting.requests.size, bytes: waiting.bytes }).toEqual({ aborted: 3, open: 0, bytes: 0 });
    streamAround(waiting, [at], { radius: 5 });
    stopStreaming(waiting);
    await nextTask();
    expect({ open: waiting.requests.size, bytes: waiting.bytes, failures: waiting.failures.size }).toEqual({
      open: 0,
      bytes: 0,
      failures: 0,
    });

    const world = await openWorld(store);
    const before = (await settle(world, [at], { radius: 9.6 })).loadedTiles;
    const moved = [at[0]! + 1, 0, at[2]!];
    expect(streamAround(world, [moved], { radius: 9.6, keepRadius: 20 }).removedTiles).toBe(0);
    expect(before).toBeGreaterThan(3);
  });

  it('loads the tiles along a path, up to a distance', async () => {
    const world = await openWorld(await published());
    const position = [whole.origin[0] + 2, 0, middle[1]];
    const path = [
      [position[0] + 30, 0, middle[1]],
      [position[0] + 30, 0, middle[1] + 20],
      [1e6, 0, 1e6],
    ];
    const slotAt = (x: number, z: number): number => {
      const [tileX, tileZ] = [x, z].map((value, k) => Math.floor((value - whole.origin[2 * k]!) / whole.tileSize));
      return findTile(world.navMesh, tileX!, tileZ!);
    };
    await settle(world, [{ position, path }], { radius: 5, ahead: 40 });
    for (let walked = 0; walked <= 30; walked += 3)
      expect(slotAt(position[0]! + walked, middle[1]!)).toBeGreaterThanOrEqual(0);
    for (let walked = 0; walked <= 10; walked += 3)
      expect(slotAt(position[0]! + 30, middle[1]! + walked)).toBeGreaterThanOrEqual(0);
    expect(slotAt(position[0]! + 30, middle[1]! + 20)).toBe(-1);
    const { loadedTiles } = await settle(world, [{ position, path: [] }], { radius: 5 });
    expect(loadedTiles).toBeLessThan(5);
  });

  it('gives up a request that has no answer, and makes it again', async () => {
    const store = await published();
    let isStalled = true;
    const stalling: BlobStore = {
      ...store,
      get: (name, signal) => (isStalled && name.startsWith('tiles/') ? new Promise(() => {}) : store.get(name, signal)),
    };
    const world = await openWorld(stalling);
    const options = { radius: 5, timeoutMs: 20 };
    streamAround(world, [[middle[0], 0, middle[1]]], options);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const { failures } = streamAround(world, [[middle[0], 0, middle[1]]], options);
    expect(failures[0]!.reason).toMatch(/^tiles\/[0-9a-f]{32}\.navtile did not arrive within 20 ms$/);
    isStalled = false;
    expect((await settle(world, [[middle[0]!, 0, middle[1]!]], options)).failures).toEqual([]);
  });

  it('loads everything from a store that fails, is late, and damages files', async () => {
    const store = await published();
    const random = seeded(3);
    const shaky: BlobStore = {
      ...store,
      async get(name, signal) {
        const bytes = await store.get(name, signal);
        if (!name.startsWith('tiles/')) return bytes;
        const dice = random();
        if (dice < 0.1) throw new Error('status 500');
        if (dice < 0.15) return bytes!.slice(0, 100);
        if (dice < 0.25) return undefined;
        if (dice < 0.3) return bytes!.map((byte, i) => (i === 500 ? byte ^ 1 : byte));
        if (dice < 0.4) await nextTask();
        return bytes;
      },
    };
    const world = await openWorld(shaky);
    const reasons = new Set<string>();
    for (let missing = 1; missing > 0;) {
      const result = streamAround(world, [[middle[0], 0, middle[1]]], { radius: 1000 });
      missing = result.missingTiles;
      for (const { reason } of result.failures) reasons.add(reason.replace(/[0-9a-f]{32}/, 'KEY'));
      await nextTask();
    }
    expect(validateNavMesh(world.navMesh)).toEqual([]);
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(whole));
    expect([...reasons].sort()).toEqual([
      'status 500',
      'the store has no tiles/KEY.navtile',
      'tiles/KEY.navtile is damaged, cut off, or of another tile',
    ]);
  });

  it('refuses a tile whose polygons are not sound, whatever its hash says', async () => {
    const store = await published();
    let isForged = true;
    const forging: BlobStore = {
      ...store,
      async get(name, signal) {
        const bytes = await store.get(name, signal);
        if (!isForged || !name.startsWith('tiles/')) return bytes;
        const key = name.slice(6, 38);
        const result = decodeEntry(bytes!, key)!;
        const { edgeNeighbor } = result.data!;
        edgeNeighbor[edgeNeighbor.findIndex((other) => other >= 0)] = -1;
        return encodeEntry(key, result);
      },
    };
    const world = await openWorld(forging);
    const around = [[middle[0]!, 0, middle[1]!]];
    const reasons = new Set<string>();
    for (let turn = 0; turn < 100; turn++) {
      for (const { reason } of streamAround(world, around, { radius: 5 }).failures) reasons.add(reason);
      await nextTask();
    }
    expect(reasons.size).toBeGreaterThan(0);
    for (const reason of reasons)
      expect(reason).toMatch(/^addTile: tile \(\d+, \d+\), layer 0: edgeNeighbor\[\d+\] is/);
    expect(world.navMesh.polyCount).toBe(0);
    isForged = false;
    await settle(world, around, { radius: 5 });
    expect(validateNavMesh(world.navMesh)).toEqual([]);
  });

  it('refuses invalid worlds, points and options', async () => {
    const world = await openWorld(await published());
    const bad =
      (points: unknown, stream: unknown): (() => void) =>
      () =>
        streamAround(world, points as number[][], stream as StreamOptions);
    expect(bad([[0, 0, 0]], { radius: 0 })).toThrow('streamAround: options.radius is 0; must be > 0');
    expect(bad([[0, 0, 0]], { radius: 5, keepRadius: 4 })).toThrow(
      'options.keepRadius is 4; must be finite and at least',
    );
    expect(bad([[0, NaN, 0]], { radius: 5 })).toThrow('streamAround: points[0] is [0, NaN, 0]');
    expect(bad([{ position: [0, 0, 0], speed: 1 }], { radius: 5 })).toThrow('points[0].speed is unknown');
    expect(bad(3, { radius: 5 })).toThrow('streamAround: points is 3; must be an array of points');
    expect(bad([], { radius: 5, maxRequests: 0 })).toThrow('options.maxRequests is 0');
    expect(() => streamAround(whole as never, [], { radius: 5 })).toThrow(
      'streamAround: world is an object; must be a world of',
    );
  });
});
