/**
 * Reports the progress of a farm: tiles done, rate, failures, time left.
 *
 * The progress is read from the store, so it is right after any fault of the queue. Rates come from durations that
 * workers measured, so the clocks of machines may differ.
 *
 * In: a store and the address of a queue. Out: a report; text for Prometheus.
 * Cost: the names of the store, once; some hundred jobs.
 * Based on: own; the text is Prometheus' exposition format.
 */
import { listDoneChunks, readPlan, readPlanParts } from 'navkiln/publish';
import type { FailedTile, PublicationPlan } from 'navkiln/publish';
import { openWorld } from 'navkiln/world';
import type { BlobStore } from 'navkiln/world';
import type { FarmJob, JobFailure, OpenQueue } from './queue/jobs.ts';
import { checkQueue } from './queue/address.ts';
import { checkStore } from './refuse.ts';
import { readWorldId } from './world-id.ts';

const CALLER = 'readFarmStatus';
/** Completed jobs from which rates are taken. */
const RATE_JOBS = 100;
/** Failed jobs that are listed. */
const MOST_FAILURES = 100;

/** A report of a farm. */
export interface FarmStatus {
  /** The world as clients see it; undefined: nothing is published. */
  published: { sequence: number; tiles: number } | undefined;
  /** The plan that is worked on; undefined: none. */
  plan:
    | {
        key: string;
        sequence: number;
        tiles: number;
        plannedTiles: number;
        doneTiles: number;
        chunks: number;
        doneChunks: number;
      }
    | undefined;
  /** The queue; undefined without one, or before the first plan. */
  queue: QueueCounts | undefined;
  /** Tiles per second of all workers together; undefined: not known yet. */
  tilesPerSecond: number | undefined;
  secondsLeft: number | undefined;
  /** Chunks that failed at all their attempts, and wait for `retryFarm`. */
  failures: FarmFailure[];
}

export interface QueueCounts {
  name: string;
  /** Host, port and database. */
  server: string;
  /** Jobs by their state. A job is a chunk, or the manifest. */
  waiting: number;
  active: number;
  /** Failed, and waiting for the next attempt. */
  delayed: number;
  failed: number;
  /** Workers that are connected; undefined: the server does not tell. */
  workers: number | undefined;
}

export interface FarmFailure {
  /** Key of the chunk; undefined: the manifest failed. */
  chunk: string | undefined;
  attempts: number;
  reason: string;
  /** The tiles that failed; all of the chunk if their worker vanished. */
  tiles: FailedTile[];
}

/**
 * Reports the farm of a world.
 *
 * @param options `queue`: address of the queue; default: none
 * @throws (rejects with) TypeError for an invalid store; Error when the queue's server does not answer, with the
 *   remedy; errors of the store
 */
export async function readFarmStatus(store: BlobStore, options: { queue?: string } = {}): Promise<FarmStatus> {
  checkStore(CALLER, store);
  const { queue: address } = options;
  if (address !== undefined) checkQueue(CALLER, address);
  const plan = await readPlan(store);
  const status: FarmStatus = {
    published: await readPublished(store, plan !== undefined),
    plan: plan === undefined ? undefined : await readProgress(store, plan),
    queue: undefined,
    tilesPerSecond: undefined,
    secondsLeft: undefined,
    failures: [],
  };
  const id = await readWorldId(store);
  if (address === undefined || id === undefined) return status;
  const { openQueue } = await import('./queue/jobs.ts');
  const open = await openQueue(CALLER, address, id);
  try {
    await readQueue(store, open, plan, status);
  } finally {
    await open.close();
  }
  return status;
}

/** Returns the published manifest, if any. `isReplaced`: an unreadable manifest is ignored, since the plan replaces it. */
async function readPublished(store: BlobStore, isReplaced: boolean): Promise<FarmStatus['published']> {
  if ((await store.get('world.json')) === undefined) return undefined;
  try {
    const { manifest } = await openWorld(store);
    return { sequence: manifest.sequence, tiles: manifest.tiles.number.length };
  } catch (error) {
    if (isReplaced && error instanceof Error && error.message.startsWith('openWorld: world.json: ')) return undefined;
    throw error;
  }
}

async function readProgress(store: BlobStore, plan: PublicationPlan): Promise<FarmStatus['plan']> {
  const { key, sequence, tiles, plannedTiles, chunks } = plan;
  const done = await listDoneChunks(store);
  let [doneTiles, doneChunks] = [0, 0];
  for await (const part of readPlanParts(store, plan)) {
    for (const chunk of part.chunks) {
      if (!done.has(chunk.key)) continue;
      doneTiles += chunk.tiles.length;
      doneChunks++;
    }
  }
  return { key, sequence, tiles, plannedTiles, doneTiles, chunks, doneChunks };
}

async function readQueue(
  store: BlobStore,
  { queue, server, name }: OpenQueue,
  plan: PublicationPlan | undefined,
  status: FarmStatus,
): Promise<void> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const workers = await queue.getWorkersCount().catch(() => undefined);
  status.queue = { name, server: server.shown, waiting, active, delayed, failed, workers };
  const jobs = await queue.getCompleted(0, RATE_JOBS - 1);
  let [tiles, ms] = [0, 0];
  for (const { returnvalue, data } of jobs) {
    if (returnvalue?.bakedTiles === undefined || data.plan !== plan?.key) continue;
    tiles += returnvalue.bakedTiles;
    ms += returnvalue.ms;
  }
  if (ms > 0 && active > 0) status.tilesPerSecond = (1000 * active * tiles) / ms;
  if (status.tilesPerSecond !== undefined && status.tilesPerSecond > 0 && status.plan !== undefined)
    status.secondsLeft = (status.plan.plannedTiles - status.plan.doneTiles) / status.tilesPerSecond;
  const failures = await queue.getFailed(0, MOST_FAILURES - 1);
  const planned = new Map(failures.map(({ data }) => [data.chunk, [] as number[]]));
  if (plan !== undefined && failures.length > 0) {
    for await (const { chunks } of readPlanParts(store, plan))
      for (const { key, tiles } of chunks) if (planned.has(key)) planned.set(key, tiles);
  }
  status.failures = failures.map((job) => describeFailure(job, planned.get(job.data.chunk)!, plan?.head.countX ?? 1));
}

function describeFailure(
  { data, failedReason, attemptsMade, progress }: FarmJob,
  planned: readonly number[],
  countX: number,
): FarmFailure {
  const { failed = [] } = (typeof progress === 'object' ? progress : {}) as Partial<JobFailure>;
  const reason = (failedReason ?? 'not known').replace(/^bakeChunk: |^finishPublication: /, '');
  const tiles =
    failed.length > 0 ? failed : planned.map((tile) => ({ x: tile % countX, z: Math.floor(tile / countX), reason }));
  return { chunk: data.chunk, attempts: attemptsMade, reason, tiles };
}

/** Returns a report as text that Prometheus reads. */
export function formatFarmMetrics(status: FarmStatus): string {
  const { published, plan, queue, tilesPerSecond, secondsLeft } = status;
  const rows: [name: string, help: string, value: number | undefined, labels?: string][] = [
    ['publication', 'Number of the publication that clients see.', published?.sequence ?? 0],
    ['planned_tiles', 'Tiles of the plan that are to be baked.', plan?.plannedTiles ?? 0],
    ['done_tiles', 'Tiles of the plan that are stored.', plan?.doneTiles ?? 0],
    ['waiting_jobs', 'Jobs that wait for a worker.', queue?.waiting],
    ['active_jobs', 'Jobs that workers have.', queue?.active],
    ['delayed_jobs', 'Jobs that failed and are tried again.', queue?.delayed],
    ['failed_jobs', 'Jobs that failed at all their attempts.', queue?.failed],
    ['workers', 'Workers that are connected.', queue?.workers],
    ['tiles_per_second', 'Tiles that all workers bake per second.', tilesPerSecond],
    ['left_seconds', 'Estimated time to the end of the plan.', secondsLeft],
  ];
  return rows
    .filter(([, , value]) => value !== undefined)
    .map(
      ([name, help, value]) =>
        `# HELP navkiln_farm_${name} ${help}\n# TYPE navkiln_farm_${name} gauge\nnavkiln_farm_${name} ${value}\n`,
    )
    .join('');
}
