/**
 * Plans the bake of a world: cuts the level into chunks, stores them, and adds a job for each to the queue.
 *
 * In: triangles, options, a store and the address of a queue. Out: a plan in the store, jobs in the queue.
 * Cost: that of `planPublication`; a job of some hundred bytes per chunk.
 * Based on: own.
 */
import type { BuildOptions, TriangleInput } from 'navkiln/build';
import { currentPlan, listDoneChunks, planPublication, readPlanParts } from 'navkiln/publish';
import type { PlanOptions, Planning, PublicationPlan } from 'navkiln/publish';
import type { BlobStore } from 'navkiln/world';
import { DEFAULT_ATTEMPTS, DEFAULT_BACKOFF_MS } from './defaults.ts';
import { checkQueue } from './queue/address.ts';
import { checkCount } from './refuse.ts';
import { ensureWorldId } from './world-id.ts';

const CALLER = 'planFarm';

export interface FarmPlanOptions extends PlanOptions {
  /** Address of the queue: redis://, rediss://, valkey:// or postgres://. Default: none, for `runFarmWorker` without a queue. */
  queue?: string;
  /** Attempts at a chunk before it waits in the list of failures, 1 .. 100. Default 5. */
  attempts?: number;
  /** Milliseconds before the second attempt; the pause doubles from one to the next. Default 1,000. */
  backoffMs?: number;
}

/** A plan that machines can work on. */
export interface FarmPlan extends Planning {
  /** Jobs that were added; 0: the queue had them, or there is no queue. */
  addedJobs: number;
  /** Name of the queue, for dashboards; undefined without a queue. */
  queueName: string | undefined;
}

/**
 * Plans the bake of a level into a world. Workers (`runFarmWorker`) bake it, and the last one writes the manifest. Call it again after a
 * fault: it finds what is done, and adds what is missing.
 *
 * @param options those of `publishWorld`
 * @throws (rejects with) what `planPublication` throws; Error when the queue's server does not answer, with the remedy
 */
export async function planFarm(
  store: BlobStore,
  input: TriangleInput,
  options: BuildOptions,
  farm: FarmPlanOptions = {},
): Promise<FarmPlan> {
  const { queue: address, attempts = DEFAULT_ATTEMPTS, backoffMs = DEFAULT_BACKOFF_MS, ...planning } = farm;
  checkCount(CALLER, 'attempts', attempts, 1, 100);
  checkCount(CALLER, 'backoffMs', backoffMs, 1, 3_600_000);
  if (address === undefined) {
    return { ...(await planPublication(store, input, options, planning)), addedJobs: 0, queueName: undefined };
  }
  checkQueue(CALLER, address);
  const { addJobs, openQueue } = await import('./queue/jobs.ts');
  // The server is contacted before the planning, which may take long, so that a wrong address is reported at once.
  const id = await ensureWorldId(store);
  const open = await openQueue(CALLER, address, id);
  try {
    const planned = await planPublication(store, input, options, planning);
    const { plan } = planned;
    const addedJobs = await addJobs(open, plan.key, missingChunks(store, plan), { attempts, backoffMs });
    const [now, last] = [await ensureWorldId(store), await currentPlan(store)];
    // A farm of one tile may have ended meanwhile, and then there is no plan.
    if (now !== id || (last !== undefined && last.plan !== plan.key)) {
      await open.queue.obliterate({ force: true });
      throw new Error(
        `${CALLER}: another planner has planned this world at the same time; its plan counts, this one is given up`,
      );
    }
    return { ...planned, addedJobs, queueName: open.name };
  } finally {
    await open.close();
  }
}

/** Returns the keys of the chunks that are not done, part by part. */
async function* missingChunks(store: BlobStore, plan: PublicationPlan): AsyncGenerator<string[]> {
  const done = await listDoneChunks(store);
  for await (const { chunks } of readPlanParts(store, plan))
    yield chunks.flatMap(({ key }) => (done.has(key) ? [] : [key]));
}
