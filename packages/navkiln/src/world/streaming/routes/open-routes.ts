/**
 * Opens the route graph of a published world: the records of all tiles, loaded or not.
 *
 * In: a world of `openWorld`. Out: a graph for `findRoute` and `findRoutedPath`.
 * Cost: one file per 256 tiles; linear in the tiles. Complete records of only two rows of files are in memory.
 * Based on: own.
 */
import { checkKeys, checkSignal, refuse, refuseType } from '../../../base/data/refuse.ts';
import { nextTurn } from '../../../base/data/turn.ts';
import { ensureGroup } from '../../../mesh/named.ts';
import { readSize } from '../../../mesh/sizes.ts';
import type { SizeLike } from '../../../mesh/sizes.ts';
import { updateRouteGraph } from '../../../query/routes/build.ts';
import { createRouteGraph, putRouteTile, trimGraph } from '../../../query/routes/graph.ts';
import { slimTiles } from '../../../query/routes/record/slim.ts';
import type { RouteGraph, RouteTile } from '../../../query/routes/types.ts';
import { readRoutes } from '../../worker/route-records.ts';
import { routesName } from '../manifest.ts';
import type { StreamedWorld } from '../open.ts';
import { BLOCK } from './route-files.ts';

const CALLER = 'openRouteGraph';
const DEFAULT_REQUESTS = 8;
/** Number of requests for a file before opening the graph fails, and the first pause between them. */
const ATTEMPTS = 6;
const PAUSE_MS = 100;

/** Number of tiles between turns of the event loop, which take a few milliseconds. */
const TURN_TILES = 64;

/** Options of `openRouteGraph`. */
export interface RouteGraphOptions {
  /** Limit of simultaneous requests, 1 or more. Default 8. */
  maxRequests?: number;
  /** Aborts the requests. */
  signal?: AbortSignal;
  /** For a world with sizes: the size that the graph serves. Default: the first. */
  size?: SizeLike;
}

/**
 * Loads the route graph of a world that was published with `routes`. A file that is late, damaged or missing
 * is requested again. The mesh gets the names of all its areas, for `setEnabled`.
 *
 * @throws (rejects with) TypeError for an invalid world; Error when it was published without routes, or a
 *   file cannot be loaded; the signal's reason
 */
export async function openRouteGraph(world: StreamedWorld, options: RouteGraphOptions = {}): Promise<RouteGraph> {
  const isWorld = typeof world === 'object' && world !== null && world.slots instanceof Map;
  if (!isWorld) refuseType(CALLER, 'world', world, 'a world of openWorld(store)');
  checkKeys(CALLER, options, ['maxRequests', 'signal', 'size']);
  const { maxRequests = DEFAULT_REQUESTS, signal } = options;
  if (!(Number.isInteger(maxRequests) && maxRequests >= 1))
    refuse(CALLER, 'options.maxRequests', maxRequests, 'a whole number from 1');
  checkSignal(CALLER, 'options.signal', signal);
  const { sizes } = world.navMesh;
  const size = options.size === undefined ? 0 : readSize(CALLER, world.navMesh, options.size);
  const { routes } = world.manifest;
  if (routes === undefined)
    throw new Error(`${CALLER}: the world was published without routes; publish it with the option routes`);
  const pending = new Map<number, Promise<RouteTile[]>>();
  const request = (i: number): void => {
    if (i >= routes.key.length) return;
    const block = loadBlock(world, routes.key[i], routes.bytes[i], signal);
    // The promise is awaited below, unless an earlier one fails.
    block.catch(() => {});
    pending.set(i, block);
  };
  for (let i = 0; i < Math.min(maxRequests, routes.key.length); i++) request(i);
  const graph = createRouteGraph(world.navMesh, 'records', sizes.length === 0 ? -1 : size);
  const slim = createSlimming();
  let done = 0;
  for (let i = 0; i < routes.key.length; i++) {
    const all = await pending.get(i)!;
    const tiles = sizes.length === 0 ? all : all.filter((_, k) => k % sizes.length === size);
    pending.delete(i);
    request(i + maxRequests);
    for (const tile of tiles) {
      putRouteTile(graph, tile, 0);
      // With this, `setEnabled` knows names whose tiles are not loaded yet.
      for (const name of tile.cellName) if (name !== '') ensureGroup(world.navMesh, name);
      if (++done % TURN_TILES !== 0) continue;
      await nextTurn();
      signal?.throwIfAborted();
    }
    slim.add(tiles);
  }
  slim.end();
  trimGraph(graph);
  updateRouteGraph(graph, world.navMesh);
  return graph;
}

/** Returns functions that slim the records of a block after all its neighbors were added, two rows later. */
function createSlimming(): { add: (tiles: RouteTile[]) => void; end: () => void } {
  let waiting: { row: number; tiles: RouteTile[] }[] = [];
  const slimBefore = (row: number): void => {
    for (const block of waiting) if (block.row < row) slimTiles(block.tiles);
    waiting = waiting.filter((block) => block.row >= row);
  };
  return {
    add: (tiles) => {
      if (tiles.length === 0) return;
      const row = Math.floor(tiles[0].z / BLOCK);
      waiting.push({ row, tiles });
      slimBefore(row - 1);
    },
    end: () => slimBefore(Infinity),
  };
}

async function loadBlock(
  { store, navMesh }: StreamedWorld,
  key: string,
  size: number,
  signal?: AbortSignal,
): Promise<RouteTile[]> {
  const name = routesName(key);
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    signal?.throwIfAborted();
    try {
      const bytes = await store.get(name, signal, size);
      const tiles = bytes === undefined ? undefined : readRoutes(bytes, key, navMesh.tileSize);
      if (tiles !== undefined) return tiles;
      reason = bytes === undefined ? `the store has no ${name}` : `${name} is damaged or cut off`;
    } catch (error) {
      signal?.throwIfAborted();
      reason = error instanceof Error ? error.message : String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS << attempt));
  }
  throw new Error(`${CALLER}: ${reason}`);
}
