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
import type { FailedTile, PublicationPlan } from 'navkiln/publish';
import { connectServer } from './connect.ts';
import type { QueueServer } from './connect.ts';

/** What a job names. */
export interface JobData {
  plan: string;
  /** Absent: the job that ends the publication. */
  chunk?: string;
}

/** What a job of a chunk has done. */
export interface JobResult {
  tiles: number;
  bakedTiles: number;
  /** Milliseconds, by the worker's own clock. */
  ms: number;
}

/** What a job of a chunk that failed reports. */
export interface JobFailure {
  failed: FailedTile[];
}

export type FarmJob = Job<JobData, JobResult | undefined>;
export type FarmQueue = Queue<JobData, JobResult | undefined>;
export type FarmWorker = Worker<JobData, JobResult | undefined>;

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

/** BullMQ's own default is Redis. */
function backendOf({ kind }: QueueServer): undefined {
  return (kind === 'postgres' ? createPostgresBackend : undefined) as undefined;
}

/** How jobs are repeated. */
export interface RetryOptions {
  attempts: number;
  backoffMs: number;
}

/** Returns the id of the job that ends a publication. */
function lastJobId(plan: string): string {
  return `${plan}-manifest`;
}

/** Adds the jobs of a plan, unless the queue has them. `isDone`: chunks without a job. Returns the number of added jobs. */
export async function addJobs(
  open: OpenQueue,
  { key: plan, chunks }: PublicationPlan,
  isDone: (chunk: string) => boolean,
  { attempts, backoffMs }: RetryOptions,
): Promise<number> {
  const { queue, server, name } = open;
  const last = await queue.getJob(lastJobId(plan));
  const state = await last?.getState();
  if (last !== undefined && state === 'failed') {
    await last.retry();
    return 1;
  }
  if (last !== undefined && state !== 'completed' && state !== 'unknown') return 0;
  // Jobs of plans that were given up, or have ended.
  await queue.obliterate({ force: true });
  const opts = {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: { count: KEPT_JOBS },
    removeOnFail: false,
  };
  const missing = chunks.filter(({ key }) => !isDone(key));
  const producer = new FlowProducer(optionsOf(server), backendOf(server));
  producer.on('error', () => {});
  try {
    await producer.add({
      name: 'manifest',
      queueName: name,
      data: { plan },
      opts: { ...opts, jobId: lastJobId(plan) },
      children: missing.map(({ key: chunk }) => ({
        name: 'chunk',
        queueName: name,
        data: { plan, chunk },
        opts: { ...opts, jobId: `${plan}-${chunk}` },
      })),
    });
  } finally {
    await producer.close();
  }
  return missing.length + 1;
}
