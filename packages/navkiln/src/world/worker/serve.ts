/** Starts the server of a bake pool's worker. In other threads it does nothing. */
import { startTileJobs } from '../levels/tile-worker.ts';
import { isChunkSetup, startChunkJobs } from './chunks/chunk-jobs.ts';
import type { ChunkJob } from './chunks/chunk-jobs.ts';
import { decodeInWorker, isDecodeSetup } from './decode-jobs.ts';
import type { DecodeJob } from './decode-jobs.ts';
import { listenToPool } from '../../base/data/threads.ts';
import { createServer } from './server.ts';
import type { StartJobs } from './server.ts';

const startJobs: StartJobs = (setup, workspace) => {
  if (isDecodeSetup(setup)) return (job) => decodeInWorker(job as DecodeJob);
  if (!isChunkSetup(setup)) return startTileJobs(setup, workspace);
  const bake = startChunkJobs(setup, workspace);
  return (job) => bake(job as ChunkJob);
};

listenToPool((post) => createServer(post, startJobs));
