/**
 * What this thread can do: share memory, serve the pool that started it, use modules of Node.
 *
 * Based on: the interfaces of HTML's workers and Node's worker_threads; HTML's conditions for `SharedArrayBuffer`.
 */

interface NodeThreads {
  parentPort: {
    postMessage: (message: unknown) => void;
    on: (type: 'message', listener: (message: unknown) => void) => void;
  } | null;
}

interface WorkerScope {
  postMessage: (message: unknown) => void;
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void;
  WorkerGlobalScope?: unknown;
}

/** Serves the requests of the pool that started this worker; elsewhere does nothing. `create` gets the function that sends replies. */
export function listenToPool<Request, Reply>(
  create: (post: (reply: Reply) => void) => (request: Request) => void,
): void {
  const parent = builtin<NodeThreads>('node:worker_threads')?.parentPort;
  const scope = globalThis as unknown as WorkerScope;
  if (parent) {
    const serve = create((reply) => parent.postMessage(reply));
    parent.on('message', (message) => serve(message as Request));
  } else if (scope.WorkerGlobalScope !== undefined) {
    const serve = create((reply) => scope.postMessage(reply));
    scope.addEventListener('message', ({ data }) => serve(data as Request));
  }
}

/** Returns a module of Node; undefined elsewhere. */
export function builtin<T>(name: string): T | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as T | undefined;
}

/**
 * Returns whether memory can be shared with workers. This is always so in Node, and in pages that are isolated from
 * other origins.
 */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}
