/**
 * Connects a pool with a worker: a Web Worker or a worker thread of Node.
 *
 * In: a worker that runs a script of this library. Out: a port with the same interface for both.
 * Based on: the interfaces of HTML's Worker and Node's worker_threads.
 */
import { refuseType } from '../../base/data/refuse.ts';
import { builtin } from '../../base/data/threads.ts';
import type { Reply, Request } from './protocol.ts';

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

interface NodeThreads {
  Worker: new (url: URL) => NodeWorker;
}

/** Starts a thread of Node; undefined elsewhere. Bundlers for pages would copy a file whose address is written out. */
export function openThread(script: string): BakeWorker | undefined {
  const threads = builtin<NodeThreads>('node:worker_threads');
  return threads === undefined ? undefined : new threads.Worker(new URL(script, import.meta.url));
}

/** Returns the number of processors that this program may use. */
export function processorCount(): number {
  const os = builtin<{ availableParallelism: () => number }>('node:os');
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}
