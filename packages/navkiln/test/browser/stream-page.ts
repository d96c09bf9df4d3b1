/** The part of the tests of streaming that runs in a page. The page loads the built package as plain modules. */
import { closeBakePool, createBakePool, createHttpCache, createIndexedDbCache } from 'navkiln/worker';
import { openRouteGraph } from 'navkiln/routes';
import { createKeptStore, openWorld, stopStreaming, streamAround } from 'navkiln/world';

export interface Streamed {
  tiles: number;
  polygons: number;
  routeTiles: number;
}

/** Loads all tiles of a world, with a pool of workers, and with files kept in a database if it has a name. */
export async function stream(address: string, workers: number, kept?: string): Promise<Streamed> {
  const http = createHttpCache(address, { readOnly: true });
  const store = kept === undefined ? http : createKeptStore(http, createIndexedDbCache(kept));
  const pool = createBakePool({ workers });
  const world = await openWorld(store, { pool });
  const { settings, countX, countZ } = world.manifest;
  const middle: [number, number, number] = [
    settings.origin[0]! + (countX * settings.tileSize) / 2,
    0,
    settings.origin[2]! + (countZ * settings.tileSize) / 2,
  ];
  const radius = settings.tileSize * Math.max(countX, countZ);
  for (let turn = 0; turn < 2000; turn++) {
    const { missingTiles, failures } = streamAround(world, [middle], { radius, maxMs: 0 });
    if (missingTiles === 0) break;
    if (failures.some(({ attempts }) => attempts > 4)) throw new Error(failures[0]!.reason);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const graph = await openRouteGraph(world);
  stopStreaming(world);
  closeBakePool(pool);
  const { tileState, tilePolyCount } = world.navMesh;
  const slots = Array.from(tileState.keys()).filter((slot) => tileState[slot] === 1);
  const polygons = slots.reduce((sum, slot) => sum + tilePolyCount[slot]!, 0);
  return { tiles: slots.length, polygons, routeTiles: graph.slots.size };
}

/** Damages a kept file: of its first tile, one bit. */
export async function damage(kept: string): Promise<void> {
  const database = createIndexedDbCache(kept);
  const name = (await database.keys()).find((key) => key.startsWith('tiles/'))!;
  const bytes = (await database.get(name))!;
  bytes[200]! ^= 1;
  await database.set(name, bytes);
}

/** Returns the names of all kept files. */
export async function listKept(kept: string): Promise<string[]> {
  return createIndexedDbCache(kept).keys();
}
