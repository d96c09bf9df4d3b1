/**
 * One bake in a pool. The workers prepare the level and bake its tiles, and tiles are looked up in a cache. Tiles are
 * joined in their order, so that mesh and report do not depend on which worker bakes which tile.
 *
 * In: triangles and options. Out: a NavMesh and a report.
 * Cost: the bake, shared among the workers. Without shared memory, each worker prepares the level.
 * Based on: own.
 */
import { checkFunction } from '../../base/data/refuse.ts';
import { nextTurn } from '../../base/data/turn.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { addTile, removeTile } from '../../mesh/change/tiles.ts';
import { stagesOf, startMesh } from '../../build/voxel/assemble.ts';
import type { BakeCache, BakeOptions } from '../../build/voxel/pool-types.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import type { BuildReport, BuildResult, BuildWarning } from '../../build/voxel/report.ts';
import { checkBuildOptions } from '../../build/voxel/config.ts';
import { firstSteps, startPreparation, takeAnswer } from '../../build/voxel/prepare-parts.ts';
import type { Preparation, PrepareAnswer, PrepareStep, SharedLevel } from '../../build/voxel/prepare-parts.ts';
import { addTileResult, finishAssembly, repeatWarning, startAssembly } from '../../build/voxel/tile-jobs.ts';
import type { Assembly, LevelSummary, TileResult } from '../../build/voxel/tile-jobs.ts';
import { settingsOf } from '../../build/voxel/plain-options.ts';
import { decodeEntry } from './cache-entry.ts';
import type { Port } from './port.ts';
import type { Reply, Request } from './protocol.ts';
import { MOST_STOPS, addBake, checkOpen, feedAll, lackOfMemory, removeBake, tellAll } from './seats.ts';
import type { PoolBake, Seats } from './seats.ts';
import { canShare } from '../../base/data/threads.ts';
import { fieldsOf, sendParts, shareInput, takeShared } from './share.ts';
import { unpackTiles } from './tile-arrays.ts';
import { BAKING, DONE, FAILED, QUEUED, createTileStates } from './tile-states.ts';
import type { MarkTiles } from './tile-states.ts';

/** Milliseconds of adding results before the event loop runs. */
const TURN_MS = 4;
/** Expected milliseconds of the tiles that a worker gets in one request. */
const REQUEST_MS = 32;
/** Number of tiles whose keys are requested at a time. */
const KEYS_AT_A_TIME = 64;
/** A tile to bake. `key`: its content key, if there is a cache. */
interface OpenTile {
  tile: number;
  key: string | undefined;
}

/** A running bake. */
interface Run extends PoolBake {
  seats: Seats;
  input: TriangleInput;
  options: BuildOptions;
  cache: BakeCache | undefined;
  onTiles: BakeOptions['onTiles'];
  /** Reports states of tiles, as soon as tiles are known and if the caller wants the states. */
  mark: MarkTiles | undefined;
  begun: number;
  /** Time when the level was ready, by `performance.now()`. */
  readyAt: number;
  /**
   * The input in shared memory, which all workers get. Undefined: each worker gets a copy, or this thread uses the
   * input itself.
   */
  shared: Promise<TriangleInput> | undefined;
  /** The preparation by all workers together, while it runs, and its result. */
  preparation: Preparation | undefined;
  level: SharedLevel | undefined;
  /** Whether preparing the level together failed, so that each worker prepares it for itself. */
  isPreparedWhole: boolean;
  /** The shared memory of this bake, and the function that allocates it. */
  memory: SharedArrayBuffer[];
  take: (byteLength: number) => SharedArrayBuffer;
  /** Number of workers that have the level or wait for it. */
  levelCount: number;
  /** Number of workers that stopped while they prepared the level, or explained an empty mesh. */
  levelStops: number;
  /** Requests that no worker has, the next one last. They have priority over tiles. */
  waiting: Request[];
  /** Tiles that no worker has, the next one last. */
  open: OpenTile[];
  assembly: Assembly | undefined;
  /** A mesh for checks of cached tiles. */
  trial: NavMesh | undefined;
  tiles: number[];
  /** Results that wait for earlier tiles. */
  results: Map<number, TileResult>;
  /** Number of results that were added to the mesh. */
  added: number;
  isAdding: boolean;
  doneCount: number;
  /** Number of workers that each tile has stopped. */
  stops: Map<number, number>;
  workspaceBytes: number;
  found: NonNullable<BuildReport['cache']>;
  cacheError: string;
  writes: Set<Promise<void>>;
  finish: (result: BuildResult) => void;
}

/** Bakes in a pool; see `bakeNavMesh`. */
export async function bakeInPool(
  seats: Seats,
  caller: string,
  input: TriangleInput,
  options: BuildOptions,
  { signal, cache, onTiles }: Pick<BakeOptions, 'signal' | 'cache' | 'onTiles'>,
): Promise<BuildResult> {
  checkBuildOptions(caller, options);
  for (const name of cache === undefined ? [] : (['get', 'set'] as const)) {
    checkFunction(caller, `options.cache.${name}`, cache?.[name]);
  }
  if (onTiles !== undefined) checkFunction(caller, 'options.onTiles', onTiles);
  checkOpen(seats, caller);
  signal?.throwIfAborted();
  let stop: (() => void) | undefined;
  let run: Run | undefined;
  let hasFailed = true;
  try {
    const result = await new Promise<BuildResult>((resolve, reject) => {
      run = createRun({
        seats,
        caller,
        input: fieldsOf(input),
        options: untilAborted(options, signal),
        cache,
        onTiles,
        finish: resolve,
        onFailure: reject,
      });
      stop = () => reject(signal!.reason);
      signal?.addEventListener('abort', stop);
      reportStage(run, 'input');
      addBake(seats, run);
    });
    hasFailed = false;
    return result;
  } finally {
    signal?.removeEventListener('abort', stop!);
    removeBake(seats, run!, hasFailed);
  }
}

/**
 * Stops reports of progress when the signal aborts. Results that arrive before the bake has rejected are not reported.
 */
function untilAborted(options: BuildOptions, signal: AbortSignal | undefined): BuildOptions {
  const { onProgress } = options;
  if (signal === undefined || onProgress === undefined) return options;
  return { ...options, onProgress: (progress) => (signal.aborted ? undefined : onProgress(progress)) };
}

type RunStart = Pick<Run, 'seats' | 'caller' | 'input' | 'options' | 'cache' | 'onTiles' | 'finish' | 'onFailure'>;

function createRun(start: RunStart): Run {
  const { seats, options, onFailure } = start;
  const run: Run = {
    ...start,
    mark: undefined,
    id: seats.nextBake++,
    begun: performance.now(),
    readyAt: 0,
    shared: undefined,
    preparation: undefined,
    level: undefined,
    isPreparedWhole: false,
    memory: [],
    take: (byteLength) => {
      const memory = takeShared(seats.spare, byteLength);
      run.memory.push(memory);
      return memory;
    },
    levelCount: 0,
    levelStops: 0,
    waiting: [],
    open: [],
    assembly: undefined,
    trial: undefined,
    tiles: [],
    results: new Map(),
    added: 0,
    isAdding: false,
    doneCount: 0,
    stops: new Map(),
    workspaceBytes: 0,
    found: { hits: 0, misses: 0, damaged: 0, errors: 0 },
    cacheError: '',
    writes: new Set(),
    wantsWorker: () =>
      run.assembly === undefined
        ? Boolean(options.tileSize) || run.levelCount === 0
        : run.waiting.length + run.open.length > 0,
    levelRequest: (isRemote, post) => levelRequest(run, isRemote, post),
    nextRequest: () => run.waiting.pop() ?? nextTiles(run),
    onReply: (reply, request) => {
      try {
        receive(run, reply, request);
      } catch (error) {
        onFailure(error);
      }
    },
    onLost: (request, isSuspect) => handleLost(run, request, isSuspect),
  };
  return run;
}

async function levelRequest(run: Run, isRemote: boolean, post: Port['post']): Promise<Request> {
  run.levelCount++;
  const { id, caller } = run;
  // A worker does not need functions and options of this thread. `strict` is applied in the order of the tiles.
  const {
    onProgress: _,
    links: __,
    workspace: ___,
    strict: ____,
    autoLinks: _____,
    keepReachable: ______,
    ...rest
  } = run.options;
  const options = settingsOf(rest);
  let { input } = run;
  if (isRemote && canShare()) input = await (run.shared ??= shareInput(input, run.take));
  else if (isRemote) input = await sendParts(input, id, post);
  if (isRemote && run.assembly === undefined && run.preparation === undefined && canShare()) {
    run.preparation = startPreparation(caller, input, rest, run.seats.seats.length, run.take);
    if (run.preparation !== undefined) run.waiting.push(...prepareRequests(id, firstSteps(run.preparation)));
  }
  if (run.preparation !== undefined) return { type: 'input', bake: id, caller, input, options, shared: run.level };
  return { type: 'level', bake: id, caller, input, options };
}

function prepareRequests(bake: number, steps: readonly PrepareStep[]): Request[] {
  return steps.map((step): Request => ({ type: 'prepare', bake, step })).reverse();
}

/** Handles a step of the preparation: hands out the next steps, or the level. */
async function receiveStep(run: Run, step: PrepareStep, answer: PrepareAnswer | undefined): Promise<void> {
  const { id, caller, seats, waiting, preparation } = run;
  if (run.isPreparedWhole) return;
  const next = takeAnswer(preparation!, step, answer);
  if (next === 'unusual') {
    run.isPreparedWhole = true;
    waiting.length = 0;
    waiting.push({ type: 'summary', bake: id });
  } else if (Array.isArray(next)) waiting.push(...prepareRequests(id, next));
  else {
    run.level = next;
    tellAll(seats, run, { type: 'prepared', bake: id, caller, input: await run.shared!, shared: next });
    begin(run, next.summary);
  }
  feedAll(seats);
}

function receive(run: Run, reply: Reply, request: Request): void {
  if (reply.type === 'failed') run.onFailure(reply.error);
  else if (reply.type === 'stage') reportStage(run, reply.stage);
  else if (reply.type === 'level') {
    if (run.assembly === undefined) begin(run, reply.summary);
  } else if (reply.type === 'prepare' && request.type === 'prepare') {
    void receiveStep(run, request.step, reply.answer).catch(run.onFailure);
  } else if (reply.type === 'keys') void lookUp(run, reply.tiles, reply.keys).catch(run.onFailure);
  else if (reply.type === 'tiles' && request.type === 'tiles') receiveTiles(run, reply, request);
  else if (reply.type === 'explain') void finish(run, reply.warning).catch(run.onFailure);
}

function receiveTiles(
  run: Run,
  { count, sum, packed, warnings, layers, entries }: Extract<Reply, { type: 'tiles' }>,
  request: Extract<Request, { type: 'tiles' }>,
): void {
  // The request keeps the tiles that its worker still has.
  const tiles = request.tiles.splice(0, count);
  const done = request.keys?.splice(0, count);
  const data = unpackTiles(packed);
  run.workspaceBytes = Math.max(run.workspaceBytes, sum.workspaceBytes);
  for (const [i, tile] of tiles.entries()) {
    if (entries !== undefined) keep(run, done![i], entries[i]);
    // The first tile gets the counts and times of all.
    const counted = i === 0 ? sum : NOTHING_COUNTED;
    run.results.set(tile, { ...counted, tile, data: data[i], warnings: warnings?.[i] ?? [], layers: layers?.[i] });
    noteResult(run, tile);
  }
  run.mark?.(tiles, DONE);
  void addReady(run).catch(run.onFailure);
}

const NOTHING_COUNTED: TileResult = {
  tile: 0,
  data: undefined,
  counts: {} as TileResult['counts'],
  warnings: [],
  emptyStage: 0,
  times: new Map(),
  workspaceBytes: 0,
};

/**
 * Takes the next tiles, for some milliseconds of work. Takes fewer when few are left, and takes tiles that may stop a
 * worker one by one.
 */
function nextTiles({ id, seats, open, stops, doneCount, readyAt, cache, mark }: Run): Request | undefined {
  if (open.length === 0) return undefined;
  const workers = seats.seats.length;
  const tileMs = (workers * (performance.now() - readyAt)) / Math.max(1, doneCount);
  const most = doneCount === 0 || !seats.isRemote ? 1 : Math.min(REQUEST_MS / tileMs, open.length / (4 * workers));
  const tiles: number[] = [];
  const keys: string[] = [];
  do {
    const { tile, key } = open.pop()!;
    tiles.push(tile);
    if (key !== undefined) keys.push(key);
    if (stops.has(tile) || stops.has(open.at(-1)?.tile ?? -1)) break;
  } while (tiles.length < most && open.length > 0);
  mark?.(tiles, BAKING);
  return { type: 'tiles', bake: id, tiles, keys: cache === undefined ? undefined : keys };
}

/** Handles the first prepared level, which lists the tiles to bake. */
function begin(run: Run, summary: LevelSummary): void {
  const { id, caller, options, cache, begun } = run;
  run.assembly = startAssembly(caller, options, summary, begun);
  run.readyAt = performance.now();
  const tiles = (run.tiles = summary.tiles);
  if (run.onTiles !== undefined) run.mark = createTileStates(run.assembly.config, run.onTiles);
  run.mark?.(tiles, QUEUED);
  if (cache === undefined) {
    run.open = tiles.map((tile) => ({ tile, key: undefined })).reverse();
  } else {
    for (let at = 0; at < tiles.length; at += KEYS_AT_A_TIME) {
      run.waiting.push({ type: 'keys', bake: id, tiles: tiles.slice(at, at + KEYS_AT_A_TIME) });
    }
    run.waiting.reverse();
  }
  void addReady(run).catch(run.onFailure);
}

/** Looks tiles up in the cache. Missing tiles are baked. */
async function lookUp(run: Run, tiles: number[], keys: string[]): Promise<void> {
  const { found } = run;
  const entries = await Promise.all(keys.map((key) => readCache(run, key)));
  if (hasEnded(run)) return;
  const missing: OpenTile[] = [];
  for (const [i, tile] of tiles.entries()) {
    const entry = entries[i];
    const result = entry === undefined ? undefined : readEntry(run, entry, keys[i], tile);
    if (result !== undefined) {
      found.hits++;
      run.mark?.([tile], DONE);
      addResult(run, result);
      continue;
    }
    if (entry !== undefined) found.damaged++;
    found.misses++;
    missing.push({ tile, key: keys[i] });
  }
  run.open = [...missing.reverse(), ...run.open];
  feedAll(run.seats);
}

/** Returns whether the bake has failed, or was aborted, in the meantime. */
function hasEnded(run: Run): boolean {
  return !run.seats.bakes.has(run);
}

async function readCache(run: Run, key: string): Promise<Uint8Array | undefined> {
  try {
    const entry: unknown = await run.cache!.get(key);
    if (entry === undefined || entry instanceof Uint8Array) return entry;
    throw new TypeError('cache.get did not return a Uint8Array');
  } catch (error) {
    noteCacheError(run, error);
    return undefined;
  }
}

/** Returns the tile in an entry, if it is valid for this bake. */
function readEntry(run: Run, entry: Uint8Array, key: string, tile: number): TileResult | undefined {
  const { bake, config } = run.assembly!;
  const trial = (run.trial ??= startMesh(bake, config));
  try {
    const result = decodeEntry(entry, key);
    if (result === undefined || result.tile !== tile) return undefined;
    for (const part of [result.data, result.layers]) {
      if (part !== undefined && part.x + part.z * config.tileCountX !== tile) return undefined;
    }
    if (result.data !== undefined) {
      removeTile(trial, addTile(trial, result.data));
    }
    return result;
  } catch {
    return undefined;
  }
}

function keep(run: Run, key: string, entry: Uint8Array): void {
  const write = Promise.resolve()
    .then(() => run.cache!.set(key, entry))
    .catch((error: unknown) => noteCacheError(run, error))
    .finally(() => run.writes.delete(write));
  run.writes.add(write);
}

function noteCacheError(run: Run, error: unknown): void {
  run.found.errors++;
  run.cacheError ||= error instanceof Error ? error.message : String(error);
}

function addResult(run: Run, result: TileResult): void {
  run.results.set(result.tile, result);
  noteResult(run, result.tile);
  void addReady(run).catch(run.onFailure);
}

/** Counts a tile that is done, and reports the progress. */
function noteResult(run: Run, tile: number): void {
  run.doneCount++;
  const { options, assembly, tiles, doneCount, readyAt } = run;
  if (!options.tileSize || options.onProgress === undefined) return;
  const { config } = assembly!;
  const x = tile % config.tileCountX;
  const msLeft = ((performance.now() - readyAt) / doneCount) * (tiles.length - doneCount);
  const stage = `tile ${x}, ${(tile - x) / config.tileCountX}`;
  options.onProgress({ stage, done: 1 + doneCount, total: 2 + tiles.length, msLeft });
}

/** Reports a stage of the level as a whole. */
function reportStage({ options }: Run, stage: string): void {
  const stages: string[] = stagesOf(options);
  options.onProgress?.({ stage, done: stages.indexOf(stage), total: options.tileSize ? 0 : stages.length });
}

/** Adds the results that are next in order. */
async function addReady(run: Run): Promise<void> {
  const { results, tiles } = run;
  if (run.isAdding) return;
  run.isAdding = true;
  let since = performance.now();
  for (let result; (result = results.get(tiles[run.added])) !== undefined;) {
    results.delete(result.tile);
    addTileResult(run.assembly!, result);
    run.added++;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    if (hasEnded(run)) return;
    since = performance.now();
  }
  run.isAdding = false;
  if (run.added < tiles.length) return;
  const { bake } = run.assembly!;
  if (bake.counts.tiles > 0) return finish(run, undefined);
  run.waiting.push({ type: 'explain', bake: run.id, emptyStage: bake.emptyStage });
  feedAll(run.seats);
}

async function finish(run: Run, empty: BuildWarning | undefined): Promise<void> {
  const { assembly, cache, found, options, tiles, workspaceBytes } = run;
  await Promise.all(run.writes);
  if (hasEnded(run)) return;
  if (found.errors > 0) {
    const message = `${found.errors} calls of the cache failed (${run.cacheError}); tiles that it did not give were baked`;
    repeatWarning(
      assembly!.bake,
      { code: 'cache-failed', stage: 'navmesh', count: found.errors, message },
      () => message,
    );
  }
  const result = finishAssembly(assembly!, workspaceBytes, empty);
  if (cache !== undefined) result.report.cache = found;
  options.autoLinks?.addTo(run.caller, run.input, options, result);
  options.keepReachable?.update(run.caller, result, options);
  const total = options.tileSize ? 2 + tiles.length : stagesOf(options).length;
  options.onProgress?.({ stage: '', done: total, total, msLeft: 0 });
  // The memory is reused only if no worker was stopped, because such a worker may still be using it.
  if (run.stops.size + run.levelStops === 0) run.seats.spare = run.memory.map((memory) => new WeakRef(memory));
  run.finish(result);
}

/**
 * Handles a worker that has stopped. Other workers get its requests, except for a tile that has stopped several
 * workers.
 */
function handleLost(run: Run, request: Request, isSuspect: boolean): void {
  const { caller, stops } = run;
  if (request.type === 'level' || request.type === 'input') run.levelCount--;
  if (request.type === 'tiles') {
    // Any of the tiles may have stopped the worker. They are baked again one by one.
    for (const [i, tile] of request.tiles.entries()) {
      const count = (stops.get(tile) ?? 0) + (isSuspect ? 1 : 0);
      if (isSuspect) stops.set(tile, count);
      run.mark?.([tile], count >= MOST_STOPS ? FAILED : QUEUED);
      if (count >= MOST_STOPS) leaveOut(run, tile);
      else run.open.push({ tile, key: request.keys?.[i] });
    }
    return;
  }
  if (isSuspect && ++run.levelStops >= MOST_STOPS) {
    run.onFailure(lackOfMemory(caller, request.type));
    return;
  }
  // Steps of an abandoned preparation are not repeated.
  const isOver = request.type === 'prepare' && run.isPreparedWhole;
  if (request.type !== 'level' && request.type !== 'input' && !isOver) run.waiting.push(request);
}

function leaveOut(run: Run, tile: number): void {
  const { counts } = run.assembly!.bake;
  const none = Object.fromEntries(Object.keys(counts).map((name) => [name, 0])) as typeof counts;
  const warning: BuildWarning = { code: 'tile-lost', stage: 'navmesh', count: 1, message: '' };
  try {
    addResult(run, {
      tile,
      data: undefined,
      counts: none,
      warnings: [warning],
      emptyStage: 0,
      times: new Map(),
      workspaceBytes: 0,
    });
  } catch (error) {
    run.onFailure(error);
  }
}
