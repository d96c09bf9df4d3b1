/**
 * A path service: threads that answer queries on a shared mesh in batches.
 *
 * Any free thread takes a batch without a room. Each room belongs to one thread, which has its overlay. So a room takes
 * memory only once, and its changes and queries keep their order. A thread that stops is replaced; the new thread gets
 * its rooms and repeats the batch, unless two threads have already stopped during it.
 *
 * In: a shared mesh, queries. Out: answers.
 * Cost: some 50 µs a batch on the calling thread, and 2 µs a query.
 * Based on: own, over seats.ts, and world/paths/ in the threads.
 */
import {
  checkArray,
  checkFunction,
  checkKeys,
  checkName,
  checkNumberKeys,
  checkObject,
  checkRecord,
  refuse,
} from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import type { PoolControl } from '../../build/voxel/pool-types.ts';
import type { PathIndex } from '../../query/index/types.ts';
import { freeSlot } from '../share/memory.ts';
import { checkShared, claimReader } from '../share/share.ts';
import type { SharedNavMesh } from '../share/share.ts';
import { runJobs } from './jobs.ts';
import { connectWorker, openThread, processorCount } from './port.ts';
import type { BakeWorker } from './port.ts';
import { createSeats, vacate } from './seats.ts';
import type { Seats } from './seats.ts';
import { unpackMoves, unpackPaths } from '../paths/answers.ts';
import type { ServiceMove, ServicePath } from '../paths/answers.ts';
import type { PathAnswer, PathJob, PathSetup, QueryJob, RoomJob } from '../paths/jobs.ts';

const CALLER = 'createPathService';
const MOST_THREADS = 256;
const NO_START =
  'no thread starts ($); set options.createWorker to a function that starts the script navkiln/path-worker';

/** Options of `createPathService`. */
export interface PathServiceOptions {
  /** The mesh, from `shareNavMesh`. Queries use its newest version when their batch begins. */
  shared: SharedNavMesh;
  /** An index of the mesh, from `sharePathIndex`. Paths are then those of `findIndexedPath`. Default: none. */
  index?: PathIndex;
  /** Number of threads, 1 .. 256. Default: the number of processors minus one, at least 1. */
  threads?: number;
  /** Largest number of queries that wait or run. Beyond it, calls are rejected. Default 100,000. */
  maxQueue?: number;
  /** Number of queries that a thread gets at a time, 1 or more. Default 64. */
  batchSize?: number;
  /** Largest number of nodes of each search; see `PathOptions`. Default: no limit. */
  maxNodes?: number;
  /** Starts a thread whose script is navkiln/path-worker, if the default does not find it; see `createBakePool`. */
  createWorker?: () => BakeWorker;
}

/** Options of a call. */
export interface PathCallOptions {
  /** The room whose doors count, from `setRoom`. Default: those of the shared mesh. */
  room?: string;
  /** Number of nodes that each search may visit. Default: `maxNodes` of the service. */
  maxNodes?: number;
}

/** Counters of a path service since its start, for metrics. */
export interface PathServiceMetrics {
  threads: number;
  rooms: number;
  /** Queries that wait or run. */
  queued: number;
  /** Queries that were answered. */
  answered: number;
  /** Queries of calls that were rejected because of `maxQueue`. */
  refused: number;
  /** Queries that failed for another reason. */
  failed: number;
  batches: number;
  /** Threads that replaced others that had stopped. */
  restarts: number;
  /** Milliseconds that all threads together have worked. */
  busyMs: number;
}

/** Pairs of positions: start and end. */
export type PathEnds = readonly (readonly [start: PointLike, end: PointLike])[];

/** Threads that answer queries, from `createPathService`. Calls throw a TypeError for positions that are none. */
export interface PathService {
  /** Returns a path for each pair: that of `findPath`, or of `findIndexedPath` with an index, without polygons. */
  findPaths: (ends: PathEnds, options?: PathCallOptions) => Promise<ServicePath[]>;
  /** Returns the length of the path for each pair; Infinity where it is not complete. */
  findDistances: (ends: PathEnds, options?: PathCallOptions) => Promise<Float64Array>;
  /** Moves along the surface for each pair, as `moveAlongSurface` does. */
  findMoves: (ends: PathEnds, options?: PathCallOptions) => Promise<ServiceMove[]>;
  /**
   * Adds a room with its own doors, or changes them: of all names of the mesh, exactly these are disabled in the room.
   * Later queries of the room see the change. Rejects for a name that the mesh does not have.
   */
  setRoom: (room: string, disabled: readonly string[]) => Promise<void>;
  /** Removes a room. Returns false if there is none. */
  removeRoom: (room: string) => boolean;
  getMetrics: () => PathServiceMetrics;
  /** Stops the threads. Calls that are not answered are rejected. */
  close: () => void;
}

/** A job that waits or runs, and what to do with its answer. */
interface Task {
  job: PathJob;
  resolve: (answer: PathAnswer) => void;
  reject: (error: Error) => void;
}

interface Thread {
  seats: Seats;
  slot: number;
  rooms: Map<string, RoomJob>;
  /** Jobs that only this thread does. */
  own: Task[];
  control: PoolControl | undefined;
  setups: number;
}

interface State {
  threads: Thread[];
  common: Task[];
  running: Map<unknown, Task>;
  roomThreads: Map<string, Thread>;
  failure: Error | undefined;
  metrics: Omit<PathServiceMetrics, 'threads' | 'rooms' | 'restarts'>;
}

/**
 * Returns a service that answers paths, distances and moves on a shared mesh in threads: worker threads in Node, Web Workers in pages that may
 * share memory. Threads start with the first query, and do not keep a Node process alive. Close it with `close()`.
 *
 * @throws TypeError, RangeError for invalid options; Error if memory cannot be shared (see `shareNavMesh`)
 */
export function createPathService(options: PathServiceOptions): PathService {
  const { shared, index, threads, maxQueue, batchSize, maxNodes, createWorker } = readOptions(options);
  const state: State = {
    threads: [],
    common: [],
    running: new Map(),
    roomThreads: new Map(),
    failure: undefined,
    metrics: { queued: 0, answered: 0, refused: 0, failed: 0, batches: 0, busyMs: 0 },
  };
  const open = createWorker ?? openPathWorker;
  for (let i = 0; i < threads; i++) {
    const seats = createSeats(1, (handlers) => connectWorker(open(), handlers), NO_START);
    const slot = claimReader(CALLER, shared);
    state.threads.push({ seats, slot, rooms: new Map(), own: [], control: undefined, setups: 0 });
  }
  const { metrics } = state;
  const ask = async (
    caller: string,
    kind: QueryJob['kind'],
    ends: PathEnds,
    call: PathCallOptions = {},
  ): Promise<PathAnswer[]> => {
    const points = readEnds(caller, ends);
    checkObject(caller, 'options', call);
    checkKeys(caller, call, ['room', 'maxNodes']);
    const { room } = call;
    const most = readMaxNodes(caller, call, maxNodes);
    const thread = room === undefined ? undefined : state.roomThreads.get(room);
    if (room !== undefined && thread === undefined) refuse(caller, 'options.room', room, 'a room of setRoom()');
    if (metrics.queued + ends.length > maxQueue) {
      metrics.refused += ends.length;
      throw new Error(
        `${caller}: ${metrics.queued} queries wait, and maxQueue is ${maxQueue}; await answers first, or set maxQueue of createPathService`,
      );
    }
    metrics.queued += ends.length;
    const answers: Promise<PathAnswer>[] = [];
    for (let at = 0; at < points.length; at += 6 * batchSize) {
      const job: QueryJob = { kind, points: points.slice(at, at + 6 * batchSize), room, maxNodes: most };
      answers.push(add(state, shared, index, thread, job));
    }
    const done = await Promise.allSettled(answers);
    metrics.queued -= ends.length;
    const lost = done.find((each) => each.status === 'rejected');
    if (lost !== undefined) {
      metrics.failed += ends.length;
      throw new Error(`${caller}: ${(lost.reason as Error).message}`);
    }
    metrics.answered += ends.length;
    return done.map((each) => (each as PromiseFulfilledResult<PathAnswer>).value);
  };
  return {
    findPaths: async (ends, call) =>
      (await ask('findPaths', 'paths', ends, call)).flatMap(({ paths }) => unpackPaths(paths!)),
    findDistances: async (ends, call) =>
      Float64Array.from((await ask('findDistances', 'distances', ends, call)).flatMap(({ numbers }) => [...numbers!])),
    findMoves: async (ends, call) =>
      (await ask('findMoves', 'moves', ends, call)).flatMap(({ numbers }) => unpackMoves(numbers!)),
    setRoom: async (room, disabled) => {
      checkName('setRoom', 'room', room);
      checkArray('setRoom', 'disabled', disabled);
      for (const [i, name] of disabled.entries()) checkName('setRoom', `disabled[${i}]`, name);
      const thread = state.roomThreads.get(room) ?? leastRooms(state);
      const job: RoomJob = { kind: 'room', room, disabled: [...disabled] };
      const before = thread.rooms.get(room);
      state.roomThreads.set(room, thread);
      thread.rooms.set(room, job);
      try {
        await add(state, shared, index, thread, job);
      } catch (error) {
        // The room is as it was before, unless another call has changed it in the meantime.
        if (thread.rooms.get(room) === job) {
          if (before === undefined) state.roomThreads.delete(room);
          if (before === undefined) thread.rooms.delete(room);
          else thread.rooms.set(room, before);
        }
        throw new Error(`setRoom: ${(error as Error).message}`, { cause: error });
      }
    },
    removeRoom: (room) => {
      const thread = state.roomThreads.get(room);
      if (thread === undefined) return false;
      state.roomThreads.delete(room);
      thread.rooms.delete(room);
      // Queries of the room that were asked before are answered before.
      add(state, shared, index, thread, { kind: 'room', room, disabled: undefined }).catch(() => {});
      return true;
    },
    getMetrics: () => ({
      threads,
      rooms: state.roomThreads.size,
      restarts: state.threads.reduce((sum, { setups }) => sum + Math.max(0, setups - 1), 0),
      ...metrics,
    }),
    close: () => end(state, shared, new Error('the path service is closed; create another one')),
  };
}

/** Starts a thread of a path service. */
function openPathWorker(): BakeWorker {
  // Bundlers recognize exactly this expression.
  return (
    openThread('../path-worker.js') ??
    (new Worker(new URL('../path-worker.js', import.meta.url), { type: 'module' }) as unknown as BakeWorker)
  );
}

function readOptions(
  options: PathServiceOptions,
): Required<Omit<PathServiceOptions, 'index' | 'createWorker'>> & Pick<PathServiceOptions, 'index' | 'createWorker'> {
  checkObject(CALLER, 'options', options);
  checkKeys(CALLER, options, ['shared', 'index', 'threads', 'maxQueue', 'batchSize', 'maxNodes', 'createWorker']);
  checkNumberKeys(CALLER, options, ['threads', 'maxQueue', 'batchSize', 'maxNodes']);
  const { shared, index, maxQueue = 100_000, batchSize = 64, createWorker } = options;
  checkShared(CALLER, shared, 'options.shared');
  if (index !== undefined) checkRecord(CALLER, 'options.index', index, 'polyCone', 'a PathIndex');
  if (createWorker !== undefined) checkFunction(CALLER, 'options.createWorker', createWorker);
  const { threads = Math.max(1, Math.min(processorCount() - 1, MOST_THREADS)) } = options;
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS))
    refuse(CALLER, 'options.threads', threads, `a whole number 1 .. ${MOST_THREADS}`);
  for (const [name, value] of Object.entries({ maxQueue, batchSize }))
    if (!(Number.isInteger(value) && value >= 1)) refuse(CALLER, `options.${name}`, value, 'a whole number >= 1');
  return {
    shared,
    index,
    threads,
    maxQueue,
    batchSize,
    maxNodes: readMaxNodes(CALLER, options, Infinity),
    createWorker,
  };
}

function readMaxNodes(caller: string, options: { maxNodes?: number }, fallback: number): number {
  const { maxNodes = fallback } = options;
  if (typeof maxNodes !== 'number' || !(maxNodes >= 1)) refuse(caller, 'options.maxNodes', maxNodes, 'a number >= 1');
  return maxNodes;
}

function readEnds(caller: string, ends: PathEnds): Float64Array {
  checkArray(caller, 'ends', ends);
  const points = new Float64Array(6 * ends.length);
  for (const [i, pair] of ends.entries()) {
    checkArray(caller, `ends[${i}]`, pair);
    for (let k = 0; k < 2; k++)
      readPoint(points.subarray(6 * i + 3 * k, 6 * i + 3 * k + 3), pair[k], caller, `ends[${i}][${k}]`);
  }
  return points;
}

function leastRooms({ threads }: State): Thread {
  return threads.reduce((least, thread) => (thread.rooms.size < least.rooms.size ? thread : least));
}

/** Adds a job for one thread, or for any. */
function add(
  state: State,
  shared: SharedNavMesh,
  index: PathIndex | undefined,
  thread: Thread | undefined,
  job: PathJob,
): Promise<PathAnswer> {
  if (state.failure !== undefined) return Promise.reject(state.failure);
  return new Promise((resolve, reject) => {
    (thread === undefined ? state.common : thread.own).push({ job, resolve, reject });
    for (const each of thread === undefined ? state.threads : [thread]) {
      if (each.control === undefined) start(state, each, { shared, slot: each.slot, index });
      else each.control.feed();
    }
  });
}

/** Starts a thread when it gets its first job. */
function start(state: State, thread: Thread, setup: Omit<PathSetup, 'rooms'>): void {
  const { running, metrics, common } = state;
  const { own } = thread;
  const settle = (job: unknown, act: (task: Task) => void): void => {
    const task = running.get(job);
    running.delete(job);
    if (task !== undefined) act(task);
  };
  const run = runJobs(
    thread.seats,
    CALLER,
    (control) => {
      thread.control = control;
      return {
        // Read for each thread that starts, so that one that replaces another gets its rooms.
        get setup() {
          thread.setups++;
          return { ...setup, rooms: [...thread.rooms.values()] };
        },
        hasNext: () => own.length > 0 || common.length > 0,
        next: () => {
          const task = own.shift() ?? common.shift();
          if (task !== undefined) running.set(task.job, task);
          return task?.job;
        },
        receive: (job, answer) =>
          settle(job, ({ resolve, reject }) => {
            const { error, ms } = answer as PathAnswer;
            metrics.busyMs += ms;
            metrics.batches++;
            if (error === undefined) resolve(answer as PathAnswer);
            else reject(new Error(error));
          }),
        giveUp: (job) => settle(job, ({ reject }) => reject(new Error('two threads stopped during the batch'))),
      };
    },
    undefined,
  );
  run.catch((error: Error) => end(state, setup.shared, error));
}

/** Stops all threads and rejects what is not answered. */
function end(state: State, shared: SharedNavMesh, failure: Error): void {
  if (state.failure !== undefined) return;
  state.failure = failure;
  const tasks = [...state.running.values(), ...state.common, ...state.threads.flatMap(({ own }) => own)];
  state.running.clear();
  state.common.length = 0;
  for (const { seats, slot, own, control } of state.threads) {
    own.length = 0;
    control?.end();
    for (const seat of seats.seats) vacate(seat);
    freeSlot(shared, slot);
  }
  for (const { reject } of tasks) reject(failure);
}
