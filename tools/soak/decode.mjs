/**
 * `npm run soak -- decode [--rounds N]`: the longest time that streaming keeps its thread busy, with files decoded there and in a worker, in
 * turns. Times are CPU times of the thread between two pauses, as Linux counts them, so other programs do not count.
 *
 * In: the built packages. Out: text. Cost: half a minute.
 * Based on: own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** Side of the tiles of a terrain. */
const TILE_SIZES = [40, 160];

/** Returns the milliseconds that this thread has run, up to its last pause. */
function ownMs() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Loads all tiles of a world. Returns the longest time that the thread was busy, and all of its time. */
async function load(world, streamAround) {
  const { settings, countX, countZ } = world.manifest;
  const { origin, tileSize } = settings;
  const middle = [origin[0] + (countX * tileSize) / 2, 0, origin[2] + (countZ * tileSize) / 2];
  const options = { radius: countX * tileSize, maxBytes: 1e10, maxMs: 0, maxRequests: 16 };
  let isDone = false;
  let longest = 0;
  const begun = ownMs();
  const watch = (async () => {
    for (let last = begun; !isDone;) {
      await sleep(1);
      const now = ownMs();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  while (streamAround(world, [middle], options).missingTiles > 0) await sleep(4);
  isDone = true;
  await watch;
  return { longest, total: ownMs() - begun };
}

export async function soak(args) {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '15' } } });
  if (!existsSync('/proc/self/schedstat')) {
    console.error('decode: needs the times of threads in /proc, as Linux has them');
    return 2;
  }
  const { closeBakePool, createBakePool, createMemoryCache } = await import('navkiln/worker');
  const { openWorld, publishWorld, streamAround } = await import('navkiln/world');
  const { findLevelScene } = await import('navkiln-scenes');
  const scene = findLevelScene('terrain');
  const pool = createBakePool({ workers: 1 });
  for (const tileSize of TILE_SIZES) {
    const store = createMemoryCache();
    const { manifest } = await publishWorld(store, scene.create(undefined, 4), { ...scene.options, tileSize });
    const { bytes } = manifest.tiles;
    // Files come one by one, as over a network.
    const late = { ...store, get: (name) => sleep(1).then(() => store.get(name)) };
    const results = { 'on the thread': [], 'in a worker': [] };
    for (let round = -2; round < Number(values.rounds); round++) {
      for (const [name, list] of Object.entries(results)) {
        const world = await openWorld(late, name === 'in a worker' ? { pool } : {});
        const result = await load(world, streamAround);
        if (round >= 0) list.push(result);
      }
    }
    const size = Math.round(bytes.reduce((sum, one) => sum + one, 0) / bytes.length / 1000);
    for (const [name, list] of Object.entries(results)) {
      const [longest, total] = ['longest', 'total'].map((field) => median(list.map((one) => one[field])).toFixed(2));
      console.log(
        `${bytes.length} tiles of ${size} kB, decoded ${name}: busy ${longest} ms at a time, ${total} ms in all`,
      );
    }
  }
  closeBakePool(pool);
  return 0;
}
