/**
 * Repairs a farm after tiles failed: bakes one tile alone, and gives failed jobs back to the workers.
 *
 * In: a store, a tile, the address of a queue. Out: a tile in the store; jobs in the queue.
 * Based on: own.
 */
import { createPlanBaker, readPlan } from 'navkiln/publish';
import type { TileRow } from 'navkiln/publish';
import type { BlobStore } from 'navkiln/world';
import { checkQueue } from './queue/address.ts';
import { checkStore } from './refuse.ts';
import { readWorldId } from './world-id.ts';

/**
 * Bakes one tile of the plan on this thread and stores it, to see why it fails. A worker then finds it stored.
 *
 * @throws (rejects with) Error when there is no plan, and what the bake throws; RangeError for a tile that the plan does not bake
 */
export async function bakeFarmTile(store: BlobStore, x: number, z: number): Promise<TileRow> {
  const caller = 'bakeFarmTile';
  checkStore(caller, store);
  const plan = await readPlan(store);
  if (plan === undefined)
    throw new Error(`${caller}: the store has no plan; make one with planFarm (navkiln farm plan)`);
  const baker = createPlanBaker(store, plan);
  try {
    return await baker.bakeTile(x, z);
  } finally {
    baker.close();
  }
}

/**
 * Gives all failed jobs of a world back to its workers. Returns their number.
 *
 * @throws (rejects with) Error when the queue's server does not answer, with the remedy, and when the world has no queue
 */
export async function retryFarm(store: BlobStore, options: { queue: string }): Promise<number> {
  const caller = 'retryFarm';
  checkStore(caller, store);
  checkQueue(caller, options?.queue);
  const id = await readWorldId(store);
  if (id === undefined) throw new Error(`${caller}: the store has no plan; make one with planFarm (navkiln farm plan)`);
  const { openQueue } = await import('./queue/jobs.ts');
  const open = await openQueue(caller, options.queue, id);
  try {
    const { failed = 0 } = await open.queue.getJobCounts('failed');
    await open.queue.retryJobs({ state: 'failed' });
    return failed;
  } finally {
    await open.close();
  }
}
