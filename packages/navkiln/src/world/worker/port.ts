/**
 * Connects a pool with a worker: a Web Worker, a worker thread of Node, or this thread itself.
 *
 * In: a worker that runs navkiln/bake-worker. Out: a port with the same interface for all of them.
 * Based on: the interfaces of HTML's Worker and Node's worker_threads.
 */
import { refuseType } from '../../base/data/refuse.ts';
import { nextTurn } from '../../base/data/turn.ts';
import { builtin } from '../paths/listen.ts';
import type { Reply, Request } from './protocol.ts';
import { createServer } from './server.ts';

/** Milliseconds of serving requests on this thread before the event loop runs. */
const TURN_MS = 8;

/** Milliseconds within which a worker must report that it is ready. */
const START_MS = 30_000;

const NOT_READY = `it did not report within ${START_MS / 1000} seconds; most likely it runs another script than navkiln/bake-worker`;
const NOT_LOADED = 'its script did not load, or the content security policy of the page forbids workers';

/** A Web Worker or a worker of `node:worker_threads` that runs navkiln/bake-worker. */
export type BakeWorker = WebWorker | NodeWorker;

interface WebWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: string, listener: (event: { data?: unknown; message?: string }) => void) => void;
  terminate: () => unknown;
}

interface NodeWorker {
  postMessage: (message: unknown) => void;
  on: (type: string, listener: (value: unknown) => void) => unknown;
  terminate: () => unknown;
  ref: () => unknown;
  unref: () => unknown;
}

/** One side of a connection. */
export interface Port {
  /** Sends a request. Throws the errors of `postMessage` for values that cannot be cloned. */
  post: (request: Request) => void;
  /** Stops the worker. No handler is called afterwards. */
  close: () => void;
  /** Sets whether the process waits for the worker; has an effect only in Node. */
  hold: (isHeld: boolean) => void;
}

/** Handlers of a port. */
export interface PortHandlers {
  onReply: (reply: Reply) => void;
  /** Called when the worker has stopped and is closed, with the reason. */
  onStop: (reason: string) => void;
}

/** Throws a TypeError unless the result of a caller's `createWorker` has the functions of a worker. */
function checkWorker(worker: unknown): void {
  const given = Object(worker) as Record<string, unknown>;
  const needed = 'on' in given ? ['on', 'ref', 'unref'] : ['addEventListener'];
  if ([...needed, 'postMessage', 'terminate'].some((name) => typeof given[name] !== 'function'))
    refuseType('createWorker', 'its result', worker, 'a worker');
}

/** Returns a port to a worker. Throws a TypeError for other values. */
export function connectWorker(worker: BakeWorker, { onReply, onStop }: PortHandlers): Port {
  checkWorker(worker);
  let isOpen = true;
  const timer = setTimeout(() => stop(NOT_READY), START_MS);
  const close = (): void => {
    clearTimeout(timer);
    isOpen = false;
    void worker.terminate();
  };
  const reply = (message: unknown): void => {
    clearTimeout(timer);
    if (isOpen) onReply(message as Reply);
  };
  const stop = (reason: string): void => {
    if (!isOpen) return;
    close();
    onStop(reason);
  };
  const post: Port['post'] = (request) => worker.postMessage(request);
  if ('on' in worker) {
    worker.on('message', reply);
    worker.on('messageerror', () => stop('a reply could not be read'));
    worker.on('error', (error) => stop(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (status) => stop(`it ended with status ${String(status)}`));
    return { post, close, hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()) };
  }
  worker.addEventListener('message', ({ data }) => reply(data));
  worker.addEventListener('messageerror', () => stop('a reply could not be read'));
  // For a script that did not load, Chromium has no message, and other browsers have an empty one.
  worker.addEventListener('error', ({ message }) => stop(message || NOT_LOADED));
  return { post, close, hold: () => {} };
}

/** Returns a port to this thread. Requests are served in separate turns of the event loop, for 8 ms at a time. */
export function connectSelf({ onReply }: Pick<PortHandlers, 'onReply'>): Port {
  let isOpen = true;
  const queue: Request[] = [];
  let serve: ((request: Request) => void) | undefined;
  const run = (): void => {
    const begun = performance.now();
    serve ??= createServer((reply) => isOpen && onReply(reply));
    while (isOpen && queue.length > 0) {
      serve(queue.shift()!);
      if (performance.now() - begun >= TURN_MS) break;
    }
    if (isOpen && queue.length > 0) void nextTurn().then(run);
  };
  return {
    post: (request) => {
      if (queue.push(request) === 1) void nextTurn().then(run);
    },
    close: () => {
      isOpen = false;
    },
    hold: () => {},
  };
}

interface NodeThreads {
  Worker: new (url: URL) => NodeWorker;
}

/** Starts a thread of Node. Bundlers for pages would take an address that is written out for another file to copy. */
function openThread(Thread: NodeThreads['Worker'], script: string): NodeWorker {
  return new Thread(new URL(script, import.meta.url));
}

/** Starts a worker of a bake pool. */
export function openWorker(): BakeWorker {
  const Thread = threadOfNode();
  if (Thread !== undefined) return openThread(Thread, '../bake-worker.js');
  // Bundlers recognize exactly this expression.
  return new Worker(new URL('../bake-worker.js', import.meta.url), { type: 'module' }) as unknown as WebWorker;
}

/** Starts a worker of a path service. */
export function openPathWorker(): BakeWorker {
  const Thread = threadOfNode();
  if (Thread !== undefined) return openThread(Thread, '../path-worker.js');
  return new Worker(new URL('../path-worker.js', import.meta.url), { type: 'module' }) as unknown as WebWorker;
}

function threadOfNode(): NodeThreads['Worker'] | undefined {
  return builtin<NodeThreads>('node:worker_threads')?.Worker;
}

/** Returns the number of processors that this program may use. */
export function processorCount(): number {
  const os = builtin<{ availableParallelism: () => number }>('node:os');
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}
