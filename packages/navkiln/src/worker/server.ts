/**
 * The side of a bake pool that runs in a worker: keeps the levels that it has received and bakes their tiles.
 *
 * In: requests of a pool. Out: replies.
 * Cost: that of the bake.
 * Based on: own.
 * Tried: transferring the arrays of a tile. The first buffer that is transferred makes V8 check every access of every typed array for
 *   detached buffers from then on, in the whole worker: bakes take 12 % longer. Arrays are copied instead.
 */
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { Stage } from '../voxel/options.ts';
import { bakeTileJob, explainEmptyLevel, startLevelJob } from '../voxel/tile-jobs.ts';
import type { LevelJob, TileResult } from '../voxel/tile-jobs.ts';
import { encodeEntry } from './cache-entry.ts';
import { contentKey } from './content-key.ts';
import type { Reply, Request } from './protocol.ts';
import { packTiles } from './tile-arrays.ts';

/** Milliseconds of tiles that are sent together. */
const SEND_MS = 16;

/** Sends a reply. */
export type Post = (reply: Reply) => void;
/** Returns the function that does jobs of this setup. */
export type StartJobs = (setup: unknown, workspace: Workspace) => (job: unknown) => unknown;

/**
 * Returns the function that serves requests. It reports that it is ready. `startJobs`: what a worker needs for worlds, which are not
 * baked in the pool on this thread.
 */
export function createServer(post: Post, startJobs?: StartJobs): (request: Request) => void {
  const doers = new Map<number, (job: unknown) => unknown>();
  const jobs = new Map<number, LevelJob>();
  /** Arrays of levels that come in parts, by bake and name. */
  const arrays = new Map<number, Record<string, Uint8Array>>();
  const workspace = createWorkspace();
  post({ type: 'ready' });
  return (request) => {
    const { type, bake } = request;
    try {
      if (type === 'release') {
        jobs.delete(bake);
        arrays.delete(bake);
        doers.delete(bake);
      } else if (type === 'part') {
        const { name, length, at, part } = request;
        if (!arrays.has(bake)) arrays.set(bake, {});
        const known = arrays.get(bake)!;
        known[name] ??= new (part.constructor as Uint8ArrayConstructor)(length);
        known[name].set(part, at);
      } else if (type === 'level') {
        const input = { ...request.input, ...arrays.get(bake) };
        arrays.delete(bake);
        const job = startLevelJob(request.caller, input, { ...request.options, workspace });
        jobs.set(bake, job);
        post({ type, bake, summary: job.summary });
      } else if (type === 'setup') {
        doers.set(bake, startJobs!(request.setup, workspace));
        post({ type, bake });
      } else if (type === 'job') post({ type, bake, answer: doers.get(bake)!(request.job) });
      else answer(request, jobs.get(bake)!, post);
    } catch (error) {
      post({ type: 'failed', bake, error });
    }
  };
}

type TileRequest = Extract<Request, { type: 'tiles' | 'keys' | 'explain' }>;

function answer(request: TileRequest, job: LevelJob, post: Post): void {
  const { type, bake } = request;
  if (type === 'keys') {
    post({ type, bake, tiles: request.tiles, keys: request.tiles.map((tile) => contentKey(job.level, tile)) });
  } else if (type === 'explain') {
    post({ type, bake, warning: explainEmptyLevel(job, request.emptyStage) });
  } else bakeTiles(request, job, post);
}

/** Bakes tiles. Sends the ones that are done every few milliseconds, so that the asking thread is not woken for each. */
function bakeTiles({ bake, tiles, keys }: Extract<Request, { type: 'tiles' }>, job: LevelJob, post: Post): void {
  const isWhole = job.level.triangles === undefined;
  const onStage = isWhole ? (stage: Stage) => post({ type: 'stage', bake, stage }) : undefined;
  let results: TileResult[] = [];
  let entries: Uint8Array[] = [];
  let since = performance.now();
  for (const [i, tile] of [...tiles].entries()) {
    const result = bakeTileJob(job, tile, onStage);
    results.push(result);
    if (keys !== undefined) entries.push(encodeEntry(keys[i], result));
    const left = tiles.length - 1 - i;
    if (left > 0 && performance.now() - since < SEND_MS) continue;
    const packed = packTiles(results.map(({ data }) => data));
    const sent = joinCounts(results);
    post({ type: 'tiles', bake, results: sent, packed, entries: keys === undefined ? undefined : entries, left });
    results = [];
    entries = [];
    since = performance.now();
  }
}

/** Returns results without their data. The first one has the counts and times of all. */
function joinCounts(results: readonly TileResult[]): TileResult[] {
  const counts = { ...results[0].counts };
  const times: TileResult['times'] = new Map();
  let emptyStage = 0;
  for (const [i, result] of results.entries()) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) if (i > 0) counts[name] += result.counts[name];
    for (const [stage, ms] of result.times) times.set(stage, (times.get(stage) ?? 0) + ms);
    emptyStage = Math.max(emptyStage, result.emptyStage);
  }
  const none = { data: undefined, counts: {} as typeof counts, times: new Map(), emptyStage: 0 };
  return results.map((result, i) => ({
    ...result,
    ...(i === 0 ? { data: undefined, counts, times, emptyStage } : none),
  }));
}
