/**
 * The workers of a pool: starts workers when needed, hands out requests, replaces stopped workers, and stops workers
 * that are busy with an aborted bake.
 *
 * Each worker has up to two requests, so that it does not wait for the next one. Idle workers do not keep a Node process alive.
 *
 * In: bakes. Out: replies to their requests.
 * Cost: about 0.1 ms per request.
 * Based on: own.
 */
import type { Port, PortHandlers } from './port.ts';
import type { Reply, Request } from './protocol.ts';
import type { SpareMemory } from './share.ts';

/** Number of requests that a worker has at a time. */
const REQUESTS_AHEAD = 2;
/** Number of consecutive workers that fail to start before the pool gives up. */
const MOST_FAILED_STARTS = 2;

/** Number of workers that a request may stop before the pool gives up. */
export const MOST_STOPS = 2;

/** A bake that a pool works on. */
export interface PoolBake {
  id: number;
  /** The function that the user called. */
  caller: string;
  /** Whether another worker should get the level. */
  wantsWorker: () => boolean;
  /** Returns the request that gives a worker the level. */
  levelRequest: (isRemote: boolean, post: Port['post']) => Promise<Request>;
  /** Takes the next request that a worker with the level can do. */
  nextRequest: () => Request | undefined;
  onReply: (reply: Reply, request: Request) => void;
  /** Called when a worker has stopped: during this request if `isSuspect`, otherwise before the request began. */
  onLost: (request: Request, isSuspect: boolean) => void;
  onFailure: (error: unknown) => void;
}

/** A seat for one worker. */
interface Seat {
  port: Port | undefined;
  isReady: boolean;
  /** Whether a level is being copied for this worker. */
  isSending: boolean;
  requests: { bake: PoolBake; request: Request }[];
  /** Bakes whose level the worker has. */
  levels: Set<number>;
}

/** The workers of a pool and the bakes that they work on. */
export interface Seats {
  seats: Seat[];
  bakes: Set<PoolBake>;
  /** Returns a port to a new worker, or to this thread. */
  connect: (handlers: PortHandlers) => Port;
  /** The error for workers that do not start; `$` stands for the reason. */
  noStart: string;
  /** Whether workers are other threads. */
  isRemote: boolean;
  isClosed: boolean;
  failedStarts: number;
  nextBake: number;
  /** Memory of the last bake. */
  spare: SpareMemory;
}

/** Returns seats without workers. 0 workers are one seat on this thread. */
export function createSeats(workers: number, connect: Seats['connect'], noStart: string): Seats {
  return {
    noStart,
    seats: Array.from({ length: Math.max(1, workers) }, emptySeat),
    bakes: new Set(),
    connect,
    isRemote: workers > 0,
    isClosed: false,
    failedStarts: 0,
    nextBake: 1,
    spare: [],
  };
}

function emptySeat(): Seat {
  return { port: undefined, isReady: false, isSending: false, requests: [], levels: new Set() };
}

/** Throws an Error for a pool that is closed. */
export function checkOpen({ isClosed }: Seats, caller: string): void {
  if (isClosed) throw new Error(`${caller}: options.pool is closed; must be one that closeBakePool has not closed`);
}

/** Returns the error for a request other than a tile that has stopped `MOST_STOPS` workers. */
export function lackOfMemory(caller: string, type: string): Error {
  const remedy = 'most likely for lack of memory; larger cells or fewer workers take less';
  return new Error(`${caller}: ${MOST_STOPS} workers stopped during the request "${type}", ${remedy}`);
}

/** Adds a bake and starts workers for it. */
export function addBake(state: Seats, bake: PoolBake): void {
  state.bakes.add(bake);
  feedAll(state);
}

/** Removes a bake that is done or has failed. If it failed, stops the workers that are busy with it. */
export function removeBake(state: Seats, bake: PoolBake, hasFailed: boolean): void {
  if (!state.bakes.delete(bake)) return;
  for (const seat of state.seats) {
    const isBusy = seat.requests.some((each) => each.bake === bake);
    if (hasFailed && isBusy && state.isRemote) {
      const others = seat.requests.filter((each) => each.bake !== bake);
      vacate(seat);
      for (const { bake: other, request } of others) other.onLost(request, false);
    } else if (seat.levels.delete(bake.id)) seat.port?.post({ type: 'release', bake: bake.id });
    hold(seat);
  }
  feedAll(state);
}

/**
 * Hands out requests to all workers: first one to each, then further ones, so that few requests are spread over the
 * workers.
 */
export function feedAll(state: Seats): void {
  for (let most = 1; most <= REQUESTS_AHEAD; most++) for (const seat of state.seats) feed(state, seat, most);
}

/** Sends a request without a reply to all workers that have the level of a bake. */
export function tellAll(state: Seats, bake: PoolBake, request: Request): void {
  for (const { port, levels } of state.seats) if (levels.has(bake.id)) port?.post(request);
}

function feed(state: Seats, seat: Seat, most: number): void {
  for (const bake of state.bakes) {
    while (!seat.isSending && seat.requests.length < most) {
      if (!seat.levels.has(bake.id)) {
        if (!bake.wantsWorker()) break;
        sendLevel(state, seat, bake);
        break;
      }
      const request = bake.nextRequest();
      if (request === undefined) break;
      send(seat, bake, request);
    }
  }
  hold(seat);
}

/** Makes Node wait for workers with requests. */
function hold({ port, requests, isSending }: Seat): void {
  port?.hold(requests.length > 0 || isSending);
}

function sendLevel(state: Seats, seat: Seat, bake: PoolBake): void {
  if (seat.port === undefined) open(state, seat);
  const { port } = seat;
  // A worker that failed to start may already have been replaced and sent the level.
  if (port === undefined || seat.isSending) return;
  seat.isSending = true;
  seat.levels.add(bake.id);
  void bake.levelRequest(state.isRemote, port.post).then(
    (request) => {
      seat.isSending = false;
      // In the meantime, the bake or the worker may have ended.
      if (seat.port === port && state.bakes.has(bake)) send(seat, bake, request);
      else if (seat.port === port) seat.levels.delete(bake.id);
      feedAll(state);
    },
    (error: unknown) => {
      seat.isSending = false;
      bake.onFailure(error);
    },
  );
}

function send(seat: Seat, bake: PoolBake, request: Request): void {
  try {
    seat.port!.post(request);
    seat.requests.push({ bake, request });
  } catch (error) {
    seat.levels.delete(bake.id);
    const { message } = error as Error;
    bake.onFailure(
      new TypeError(
        `${bake.caller}: the input or an option cannot be sent to a worker (${message}); must be plain data`,
      ),
    );
  }
}

function open(state: Seats, seat: Seat): void {
  const handlers: PortHandlers = {
    onReply: (reply) => {
      if (reply.type === 'ready') {
        seat.isReady = true;
        state.failedStarts = 0;
        return;
      }
      const { bake, request } = seat.requests[0];
      // A stage, or tiles before the last ones, do not complete the request.
      const isDone = reply.type === 'tiles' ? reply.left === 0 : reply.type !== 'stage';
      if (isDone) seat.requests.shift();
      if (state.bakes.has(bake)) bake.onReply(reply, request);
      feedAll(state);
    },
    onStop: (reason) => {
      const { isReady, requests } = seat;
      vacate(seat);
      if (!isReady) state.failedStarts++;
      if (state.failedStarts > MOST_FAILED_STARTS) {
        for (const bake of state.bakes)
          bake.onFailure(new Error(`${bake.caller}: ${state.noStart.replace('$', () => reason)}`));
        state.failedStarts = 0;
        return;
      }
      for (const [i, { bake, request }] of requests.entries()) bake.onLost(request, isReady && i === 0);
      feedAll(state);
    },
  };
  try {
    seat.port = state.connect(handlers);
  } catch (error) {
    // Called later, because the caller is feeding seats and would open them again and again.
    queueMicrotask(() => handlers.onStop(error instanceof Error ? error.message : String(error)));
  }
}

/** Stops the worker of a seat. */
export function vacate(seat: Seat): void {
  seat.port?.close();
  Object.assign(seat, emptySeat());
}
