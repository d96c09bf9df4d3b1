/**
 * Connects the server of a worker with its pool, in a Web Worker or in a worker thread of Node. Elsewhere it does nothing.
 *
 * Based on: the interfaces of HTML's workers and Node's worker_threads.
 */
import { builtin } from './port.ts';
import type { Request } from './protocol.ts';
import { startTileJobs } from '../levels/tile-worker.ts';
import { isChunkSetup, startChunkJobs } from './chunks/chunk-jobs.ts';
import type { ChunkJob } from './chunks/chunk-jobs.ts';
import { decodeInWorker, isDecodeSetup } from './decode-jobs.ts';
import type { DecodeJob } from './decode-jobs.ts';
import { createServer } from './server.ts';
import type { StartJobs } from './server.ts';

interface NodeThreads {
  isMainThread: boolean;
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

const startJobs: StartJobs = (setup, workspace) => {
  if (isDecodeSetup(setup)) return (job) => decodeInWorker(job as DecodeJob);
  if (!isChunkSetup(setup)) return startTileJobs(setup, workspace);
  const bake = startChunkJobs(setup, workspace);
  return (job) => bake(job as ChunkJob);
};

const parent = builtin<NodeThreads>('node:worker_threads')?.parentPort;
const scope = globalThis as unknown as WorkerScope;
if (parent) {
  const serve = createServer((reply) => parent.postMessage(reply), startJobs);
  parent.on('message', (message) => serve(message as Request));
} else if (scope.WorkerGlobalScope !== undefined) {
  const serve = createServer((reply) => scope.postMessage(reply), startJobs);
  scope.addEventListener('message', ({ data }) => serve(data as Request));
}
