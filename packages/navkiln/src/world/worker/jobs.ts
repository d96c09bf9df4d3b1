/**
 * Runs jobs in the workers of a pool, for `bakeWorld`.
 *
 * In: jobs as plain data. Out: their results, in any order.
 * Cost: one message in each direction per job.
 * Based on: own.
 */
import type { PoolControl, PoolJobs } from '../../build/voxel/pool-types.ts';
import { MOST_STOPS, addBake, checkOpen, feedAll, lackOfMemory, removeBake } from './seats.ts';
import type { PoolBake, Seats } from './seats.ts';

/** Runs the jobs that `start` returns until they end; see `bakeWorld`. */
export async function runJobs(
  seats: Seats,
  caller: string,
  start: (control: PoolControl) => PoolJobs,
  signal: AbortSignal | undefined,
): Promise<void> {
  checkOpen(seats, caller);
  signal?.throwIfAborted();
  let stop: (() => void) | undefined;
  let run: PoolBake | undefined;
  let hasFailed = true;
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (error?: unknown): void => (error === undefined ? resolve() : reject(error as Error));
      run = createRun(seats, caller, start({ feed: () => feedAll(seats), end }), reject);
      stop = () => reject(signal!.reason as Error);
      signal?.addEventListener('abort', stop);
      addBake(seats, run);
    });
    hasFailed = false;
  } finally {
    signal?.removeEventListener('abort', stop!);
    if (run !== undefined) removeBake(seats, run, hasFailed);
  }
}

function createRun(seats: Seats, caller: string, jobs: PoolJobs, onFailure: PoolBake['onFailure']): PoolBake {
  const id = seats.nextBake++;
  /** Jobs of workers that have stopped, and the number of workers that each job has stopped. */
  const again: unknown[] = [];
  const stops = new Map<unknown, number>();
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      onFailure(error);
    }
  };
  return {
    id,
    caller,
    wantsWorker: () => again.length > 0 || jobs.hasNext(),
    levelRequest: () => Promise.resolve({ type: 'setup', bake: id, setup: jobs.setup }),
    nextRequest: () => {
      let job = again.pop();
      if (job === undefined) attempt(() => (job = jobs.next()));
      return job === undefined ? undefined : { type: 'job', bake: id, job };
    },
    onReply: (reply, request) => {
      if (reply.type === 'failed') onFailure(reply.error);
      else if (reply.type === 'job' && request.type === 'job') attempt(() => jobs.receive(request.job, reply.answer));
    },
    onLost: (request, isSuspect) => {
      const subject = request.type === 'job' ? request.job : undefined;
      const count = (stops.get(subject) ?? 0) + (isSuspect ? 1 : 0);
      stops.set(subject, count);
      if (count < MOST_STOPS) {
        if (subject !== undefined) again.push(subject);
      } else if (subject !== undefined) attempt(() => jobs.giveUp(subject));
      else onFailure(lackOfMemory(caller, request.type));
    },
    onFailure,
  };
}
