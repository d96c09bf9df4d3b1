/**
 * The queue of a world: one job per chunk, and the job that ends the publication when all of them are done. BullMQ keeps the jobs, hands
 * them out at least once, repeats those that fail or whose worker has vanished, and starts the last one.
 *
 * Jobs name plans and chunks by their keys. They hold no address and no password.
 *
 * In: a server and the id of a world. Out: jobs and their counts.
 * Based on: BullMQ's guide, flows.
 */
import { FlowProducer, Queue, Worker, createPostgresBackend } from 'bullmq';
import type { Job, QueueOptions, WorkerOptions } from 'bullmq';
import type { FailedTile } from 'navkiln/publish';
import { connectServer } from './connect.ts';
import type { QueueServer } from './connect.ts';

/** The data of a job: the keys of its plan and chunk. */
export interface JobData {
  plan: string;
  /** Absent: the job that ends the publication. */
  chunk?: string;
}

/** The result of a chunk's job. */
export interface JobResult {
  tiles: number;
  bakedTiles: number;
  /** Milliseconds, by the worker's own clock. */
  ms: number;
}

/** The report of a chunk's failed job. */
export interface JobFailure {
  failed: FailedTile[];
}

export type FarmJob = Job<JobData, JobResult | undefined>;
export type FarmQueue = Queue<JobData, JobResult | undefined>;
export type FarmWorker = Worker<JobData, JobResult | undefined>;

/** Milliseconds by which a job is delayed so that no worker gets it: a year. */
const HOLD_MS = 365 * 86_400_000;
/** Completed jobs that are kept, for rates. */
const KEPT_JOBS = 200;

/** A queue that is open. */
export interface OpenQueue {
  server: QueueServer;
  name: string;
  queue: FarmQueue;
  close: () => Promise<void>;
}

/** Returns the name of the queue of a world. */
export function queueName(worldId: string): string {
  return `navkiln-${worldId}`;
}

/** Opens the queue of a world. `onError`: errors of connections, which are made again. */
export async function openQueue(
  caller: string,
  address: string,
  worldId: string,
  onError: (error: Error) => void = () => {},
): Promise<OpenQueue> {
  const server = await connectServer(caller, address);
  const name = queueName(worldId);
  const queue = new Queue(name, optionsOf(server), backendOf(server)) as unknown as FarmQueue;
  queue.on('error', onError);
  const close = async (): Promise<void> => {
    await queue.close();
    await server.close();
  };
  try {
    await queue.waitUntilReady();
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return { server, name, queue, close };
}

/** Starts a worker of a queue. */
export function startWorker(
  { server, name }: OpenQueue,
  work: (job: FarmJob) => Promise<JobResult | undefined>,
  options: Omit<WorkerOptions, 'connection'>,
): FarmWorker {
  return new Worker(
    name,
    work as never,
    { ...options, ...optionsOf(server) },
    backendOf(server),
  ) as unknown as FarmWorker;
}

function optionsOf({ connection }: QueueServer): QueueOptions {
  return { connection: connection as QueueOptions['connection'] };
}

/** Returns the backend of BullMQ for a server; undefined: its default, Redis. */
function backendOf({ kind }: QueueServer): undefined {
  return (kind === 'postgres' ? createPostgresBackend : undefined) as undefined;
}

/** Settings for retries of failed jobs. */
export interface RetryOptions {
  attempts: number;
  backoffMs: number;
}

/** Returns the id of the job that ends a publication. */
function lastJobId(plan: string): string {
  return `${plan}-manifest`;
}

/** Returns the id of the job that keeps the last one from starting before all others have been added. No worker gets it. */
function holdJobId(plan: string): string {
  return `${plan}-hold`;
}

/**
 * Adds the jobs of a plan, part by part, unless the queue has them. A planner that was killed in between is continued.
 *
 * @param parts keys of chunks that are not done
 * @returns the number of added jobs
 */
export async function addJobs(
  { queue, server, name }: OpenQueue,
  plan: string,
  parts: AsyncIterable<readonly string[]>,
  { attempts, backoffMs }: RetryOptions,
): Promise<number> {
  const last = await queue.getJob(lastJobId(plan));
  const state = await last?.getState();
  if (last !== undefined && state === 'failed') {
    await last.retry();
    return 1;
  }
  const opts = {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: { count: KEPT_JOBS },
    removeOnFail: false,
  };
  const isThere = last !== undefined && state !== 'completed' && state !== 'unknown';
  if (isThere && (await queue.getJob(holdJobId(plan))) === undefined) return 0;
  if (!isThere) {
    // Jobs of plans that were given up, or have ended.
    await queue.obliterate({ force: true });
    const hold = { name: 'hold', queueName: name, data: { plan }, opts: { jobId: holdJobId(plan), delay: HOLD_MS } };
    const producer = new FlowProducer(optionsOf(server), backendOf(server));
    producer.on('error', () => {});
    try {
      const ownOpts = { ...opts, jobId: lastJobId(plan) };
      await producer.add({ name: 'manifest', queueName: name, data: { plan }, opts: ownOpts, children: [hold] });
    } finally {
      await producer.close();
    }
  }
  const parent = { id: lastJobId(plan), queue: queue.qualifiedName };
  let added = 1;
  for await (const chunks of parts) {
    // Another planner of the same plan has added all.
    if ((await queue.getJob(holdJobId(plan))) === undefined) break;
    await queue.addBulk(
      chunks.map((chunk) => ({
        name: 'chunk',
        data: { plan, chunk },
        opts: { ...opts, jobId: `${plan}-${chunk}`, parent },
      })),
    );
    added += chunks.length;
  }
  await (await queue.getJob(holdJobId(plan)))?.remove();
  return added;
}
