/**
 * The part of a bake pool that runs in a worker. It keeps the received levels and bakes their tiles.
 *
 * In: requests of a pool. Out: replies.
 * Cost: the bake.
 * Based on: own.
 * Tried: transferring the arrays of a tile. After the first transfer, V8 checks every access of every typed array in
 *   the worker for detached buffers, and bakes take 12 % longer. Arrays are copied instead.
 */
import { createWorkspace } from '../../base/data/workspace.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import type { Stage, TriangleInput } from '../../build/voxel/options.ts';
import { doStep } from '../../build/voxel/prepare-parts.ts';
import type { SharedLevel } from '../../build/voxel/prepare-parts.ts';
import { bakeTileJob, explainEmptyLevel, startLevelJob } from '../../build/voxel/tile-jobs.ts';
import type { LevelJob, TileResult } from '../../build/voxel/tile-jobs.ts';
import { optionsFromSent } from '../../build/voxel/sent-options.ts';
import { encodeEntry } from './cache-entry.ts';
import { contentKey } from './content-key.ts';
import type { Reply, Request } from './protocol.ts';
import { canShare } from '../../base/data/threads.ts';
import { packTiles } from './tile-arrays.ts';

/** Milliseconds of baking whose tiles are sent together. */
const SEND_MS = 16;

/** Sends a reply. */
export type Post = (reply: Reply) => void;
/** Returns the function that runs jobs of this setup. */
export type StartJobs = (setup: unknown, workspace: Workspace) => (job: unknown) => unknown;

/**
 * Returns the function that serves requests. It first reports that it is ready. `startJobs`: starts jobs of worlds;
 * only workers need it, because worlds are not baked in the pool on this thread.
 */
export function createServer(post: Post, startJobs?: StartJobs): (request: Request) => void {
  const doers = new Map<number, (job: unknown) => unknown>();
  const jobs = new Map<number, LevelJob>();
  /** Levels that this worker may have to prepare for itself. */
  const inputs = new Map<number, Extract<Request, { type: 'input' }>>();
  /** Arrays of levels that arrive in parts, by bake and name. */
  const arrays = new Map<number, Record<string, Uint8Array>>();
  const workspace = createWorkspace();
  const jobOf = (bake: number): LevelJob => {
    let job = jobs.get(bake);
    if (job === undefined) {
      const { caller, input, options } = inputs.get(bake)!;
      jobs.set(bake, (job = startLevelJob(caller, input, { ...optionsFromSent(options), workspace })));
    }
    return job;
  };
  const takePrepared = (bake: number, caller: string, input: TriangleInput, { level, summary }: SharedLevel): void => {
    jobs.set(bake, {
      caller,
      input,
      level: { ...level, options: { ...optionsFromSent(level.options), workspace } },
      summary,
    });
  };
  post({ type: 'ready' });
  return (request) => {
    const { type, bake } = request;
    try {
      if (type === 'release') {
        jobs.delete(bake);
        inputs.delete(bake);
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
        const job = startLevelJob(request.caller, input, { ...optionsFromSent(request.options), workspace });
        jobs.set(bake, job);
        post({ type, bake, summary: job.summary });
      } else if (type === 'input') {
        const { caller, input, shared } = request;
        inputs.set(bake, request);
        if (shared !== undefined) takePrepared(bake, caller, input, shared);
        post({ type, bake });
      } else if (type === 'prepared') takePrepared(bake, request.caller, request.input, request.shared);
      else if (type === 'prepare') {
        const { caller, input } = inputs.get(bake)!;
        post({ type, bake, answer: doStep(caller, input, request.step) });
      } else if (type === 'summary') post({ type: 'level', bake, summary: jobOf(bake).summary });
      else if (type === 'setup') {
        doers.set(bake, startJobs!(request.setup, workspace));
        post({ type, bake });
      } else if (type === 'job') post({ type, bake, answer: doers.get(bake)!(request.job) });
      else answer(request, jobOf(bake), post);
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

/**
 * Bakes tiles. Sends finished tiles every few milliseconds, so that the requesting thread does not wake up for each
 * tile.
 */
function bakeTiles({ bake, tiles, keys }: Extract<Request, { type: 'tiles' }>, job: LevelJob, post: Post): void {
  const isWhole = job.level.triangles === undefined;
  const isShared = canShare();
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
    post({
      type: 'tiles',
      bake,
      count: results.length,
      sum: sumOf(results),
      packed: packTiles(
        results.map(({ data }) => data),
        isShared,
      ),
      warnings: results.some(({ warnings }) => warnings.length > 0)
        ? results.map(({ warnings }) => warnings)
        : undefined,
      layers: results.some(({ layers }) => layers !== undefined) ? results.map(({ layers }) => layers) : undefined,
      entries: keys === undefined ? undefined : entries,
      left,
    });
    results = [];
    entries = [];
    since = performance.now();
  }
}

/** Returns the counts, times and memory of tiles together. */
function sumOf(results: readonly TileResult[]): TileResult {
  const counts = { ...results[0].counts };
  const times: TileResult['times'] = new Map();
  let emptyStage = 0;
  let bytes = 0;
  for (const [i, result] of results.entries()) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) if (i > 0) counts[name] += result.counts[name];
    for (const [stage, ms] of result.times) times.set(stage, (times.get(stage) ?? 0) + ms);
    emptyStage = Math.max(emptyStage, result.emptyStage);
    bytes = Math.max(bytes, result.workspaceBytes);
  }
  const { tile } = results[0];
  return { tile, data: undefined, counts, warnings: [], emptyStage, times, workspaceBytes: bytes };
}
