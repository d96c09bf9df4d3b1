/**
 * Opens a published world, from files or from the web, and loads its tiles around the middle of the view. Loaded with the first
 * `world.json`.
 *
 * In: files that were dropped, or the address of a `world.json`. Out: a mesh that changes while the camera moves.
 * Cost: the manifest; then the tiles within a radius and a budget of bytes.
 * Based on: own; `streamAround` of navkiln/world.
 */
import { enableWideLinks } from 'navkiln/links';
import { createHttpCache } from 'navkiln/worker';
import { openWorld, stopStreaming, streamAround } from 'navkiln/world';
import type { StreamedWorld } from 'navkiln/world';
import type { Core } from './core.ts';
import type { Bounds } from '../state/state.ts';
import { streamOptions } from '../world-view/options.ts';

/** Shortest time between two calls of `streamAround`, ms. */
const INTERVAL_MS = 100;

/** Opens the world of `files`, or that of a link (`open`). Rejects when its manifest cannot be read. */
export async function openWorldFiles(core: Core, files: readonly File[], open?: readonly string[]): Promise<boolean> {
  enableWideLinks();
  const address = open?.find((name) => /^https?:/i.test(name));
  const store =
    address === undefined ? storeOf(files) : createHttpCache(address.replace(/\/[^/]*$/, ''), { readOnly: true });
  const world = await openWorld(store);
  const source = { kind: 'files', names: ['world.json'], ...(open === undefined ? {} : { open }) } as const;
  core.work.openWorld(source, world, boundsOf(world));
  core.store.update({ tool: 'world' });
  follow(core, world);
  return true;
}

/** Returns a store over dropped files, which are read when their tile is needed. Their folders are not known. */
function storeOf(files: readonly File[]): Parameters<typeof openWorld>[0] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const refuse = (): Promise<never> => Promise.reject(new Error('these files cannot be changed'));
  return {
    async get(name) {
      const file = byName.get(name.slice(name.lastIndexOf('/') + 1));
      return file === undefined ? undefined : new Uint8Array(await file.arrayBuffer());
    },
    keys: () => Promise.resolve([...byName.keys()]),
    set: refuse,
    delete: refuse,
  };
}

function boundsOf({ manifest: { settings, countX, countZ, tiles } }: StreamedWorld): Bounds {
  const [x, , z] = settings.origin;
  const { tileSize } = settings;
  const low = tiles.minY.reduce((a, b) => Math.min(a, b), Infinity);
  const high = tiles.maxY.reduce((a, b) => Math.max(a, b), -Infinity);
  const [y0, y1] = low <= high ? [low, high] : [0, 0];
  return { min: [x, y0, z], max: [x + countX * tileSize, y1, z + countZ * tileSize] };
}

/** Loads tiles around the middle of the view until something else is open. */
function follow({ store, view }: Core, world: StreamedWorld): void {
  const timer = setInterval(() => {
    const state = store.get();
    if (state.world?.streamed !== world) {
      stopStreaming(world);
      return clearInterval(timer);
    }
    if (document.hidden) return;
    const result = streamAround(world, [view.pose().target], streamOptions(state));
    const isChanged = result.addedTiles + result.removedTiles > 0;
    const before = state.world.result;
    const isNews = isChanged || JSON.stringify(before) !== JSON.stringify(result);
    if (isNews) store.update({ world: { streamed: world, result } });
    if (isChanged && state.mesh !== undefined) store.update({ mesh: { ...state.mesh, navMesh: world.navMesh } });
  }, INTERVAL_MS);
}
