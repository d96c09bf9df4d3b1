/**
 * Connects a bake pool: with a worker that runs navkiln/bake-worker, or with this thread.
 *
 * In: handlers of replies. Out: a port. Cost: that of the requests, on this thread.
 * Based on: own.
 */
import { nextTurn } from '../../base/data/turn.ts';
import { openThread } from './port.ts';
import type { BakeWorker, Port, PortHandlers } from './port.ts';
import type { Request } from './protocol.ts';
import { createServer } from './server.ts';

/** Milliseconds of serving requests on this thread before the event loop runs. */
const TURN_MS = 8;

/** Starts a worker of a bake pool. */
export function openWorker(): BakeWorker {
  // Bundlers recognize exactly this expression.
  return (
    openThread('../bake-worker.js') ??
    (new Worker(new URL('../bake-worker.js', import.meta.url), { type: 'module' }) as unknown as BakeWorker)
  );
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
