/**
 * A planner or a worker that is killed, as a process of its own, from the build. Its argument is JSON. While the file `full` is there, the
 * disk is full. It prints a line of JSON for each event.
 */
import { existsSync, writeSync } from 'node:fs';
import { createFolderStore } from 'navkiln-cli/cache';
import { planFarm, runFarmWorker } from 'navkiln-farm';
import { PLAIN, createPlain } from './plain.mjs';

const { role, world, full, seed, side, queue, lockMs, chunkTiles, dies } = JSON.parse(process.argv[2]);
const folder = createFolderStore(world);
const store = {
  ...folder,
  set: async (name, bytes) => {
    if (existsSync(full)) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await folder.set(name, bytes);
  },
};
const print = (event) => writeSync(1, `${JSON.stringify({ ...event, kilobytes: process.resourceUsage().maxRSS })}\n`);
if (role === 'plan') {
  await planFarm(store, createPlain(side, seed), PLAIN, {
    queue,
    chunkTiles,
    attempts: 50,
    backoffMs: 20,
    routes: true,
  });
  print({ type: 'planned' });
} else {
  const report = ({ type, chunk, bakedTiles, ms }) => {
    print({ type, chunk, bakedTiles, ms });
    // Some die when a chunk is stored and reported, before the queue knows.
    if (type === 'chunk' && bakedTiles > 0 && Math.random() < dies) process.kill(process.pid, 'SIGKILL');
  };
  await runFarmWorker(store, { queue, threads: 1, lockMs, onEvent: report });
}
