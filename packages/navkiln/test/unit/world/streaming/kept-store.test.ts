/** A store that keeps files that were read: requests for them, damaged files, and a source that does not answer. */
import { expect, it } from 'vitest';
import { createKeptStore } from '../../../../src/world/streaming/kept-store.ts';
import { openWorld } from '../../../../src/world/streaming/open.ts';
import { publishWorld } from '../../../../src/world/streaming/publish.ts';
import { openRouteGraph } from '../../../../src/world/streaming/routes/open-routes.ts';
import { streamAround } from '../../../../src/world/streaming/stream.ts';
import type { BlobStore } from '../../../../src/build/voxel/pool-types.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';

it('requests whole files once, the manifest each time, and opens a world without its source', async () => {
  const published = createMemoryCache();
  const level = { positions: [0, 0, 0, 0, 0, 60, 60, 0, 60, 60, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  await publishWorld(published, level, { cellSize: 0.5, tileSize: 16 }, { routes: true });
  const asked: string[] = [];
  let isThere = true;
  let isDamaged = false;
  const source: BlobStore = {
    ...published,
    get: async (name) => {
      asked.push(name);
      if (!isThere) throw new Error('no network');
      const bytes = await published.get(name);
      return isDamaged && name.startsWith('tiles/') ? bytes!.slice(0, bytes!.length - 8) : bytes;
    },
  };
  const kept = createMemoryCache();
  const load = async (): Promise<number> => {
    asked.length = 0;
    const world = await openWorld(createKeptStore(source, kept));
    await openRouteGraph(world);
    for (let turn = 0; turn < 500; turn++) {
      if (streamAround(world, [[30, 0, 30]], { radius: 100 }).missingTiles === 0) break;
      if (isDamaged && turn > 3) break;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return world.slots.size;
  };
  isDamaged = true;
  expect(await load()).toBe(0);
  isDamaged = false;
  expect(await load()).toBe(16);
  expect(asked.length).toBe(1 + 16);
  expect(await load()).toBe(16);
  expect(asked).toEqual(['world.json']);
  // Files that were damaged where they are kept, in their length or not, are refused by the reader and requested again.
  const [first, second] = (await kept.keys()).filter((name) => name.startsWith('tiles/'));
  const flip = (bytes: Uint8Array): Uint8Array => bytes.map((value, i) => (i === 150 ? value ^ 1 : value));
  await kept.set(first!, flip((await kept.get(first!))!));
  await kept.set(second!, (await kept.get(second!))!.slice(8));
  expect(await load()).toBe(16);
  expect(asked.sort()).toEqual([first, second, 'world.json'].sort());
  expect(await load()).toBe(16);
  expect(asked).toEqual(['world.json']);
  isThere = false;
  expect(await load()).toBe(16);
  await kept.delete('world.json');
  await expect(load()).rejects.toThrow('no network');
  expect(() => createKeptStore(source, {} as never)).toThrow('createKeptStore: store.get');
});
