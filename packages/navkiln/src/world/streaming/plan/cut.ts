/**
 * Plans the publication of a level: cuts it into chunks that machines bake independently, and stores the chunks.
 *
 * Tiles of the last manifest are not in any chunk. The level is read once; then each chunk and each part of the plan is
 * written and released. Planning the same level again gives the same plan, and writes its missing files.
 *
 * In: triangles, options and a store. Out: a plan and chunks in the store.
 * Cost: linear in the triangles and in the tiles they touch. Memory: the level sorted into tiles, one chunk, one part,
 *   and the keys of the last manifest.
 * Based on: own.
 */
import { checkFunction, checkKeys, checkSignal, refuse } from '../../../base/data/refuse.ts';
import { nextTurn } from '../../../base/data/turn.ts';
import type { BlobStore } from '../../../build/voxel/pool-types.ts';
import type { BuildOptions, BuildProgress, TriangleInput } from '../../../build/voxel/options.ts';
import { startLevelJob } from '../../../build/voxel/tile-jobs.ts';
import type { LevelJob } from '../../../build/voxel/tile-jobs.ts';
import { settingsOf } from '../../../build/voxel/plain-options.ts';
import type { BuildSettings } from '../../../build/voxel/plain-options.ts';
import { chunkKey, encodeChunk } from '../../worker/chunks/chunk-file.ts';
import type { ChunkSetup } from '../../worker/chunks/chunk-jobs.ts';
import { BAKE_VERSION, contentKey } from '../../worker/content-key.ts';
import { tileName } from '../manifest.ts';
import { checkPublication, headOfManifest, nextSequence, readOld } from '../rows.ts';
import {
  CHUNK_FILES,
  CURRENT_PLAN,
  FARM,
  chunkName,
  loadCurrent,
  loadParts,
  partKey,
  partName,
  planName,
  rowsName,
  sealPlan,
  toBytes,
  writePlan,
} from './plan-file.ts';
import type { PlanPart, PublicationPlan } from './types.ts';

const CALLER = 'planPublication';
const DEFAULT_CHUNK_TILES = 16;
const MOST_CHUNK_TILES = 4096;
/** Number of triangles above which a chunk gets no further tiles. */
const MOST_CHUNK_TRIANGLES = 1 << 18;
/** Number of tiles in a part of a plan. */
const PART_TILES = 4096;
/** Number of tiles between turns of the event loop. */
const TURN_TILES = 64;

/** Options of `planPublication`. */
export interface PlanOptions {
  /** Number of tiles per chunk, a whole number 1 .. 4,096. A machine bakes one chunk at a time. Default 16. */
  chunkTiles?: number;
  /** Abandons another plan of this world that is in progress. Default false: such a plan is an error. */
  replace?: boolean;
  /** Stores the records that `openRouteGraph` loads when the plan ends. Default false. */
  routes?: boolean;
  /** Aborts the planning. */
  signal?: AbortSignal;
  /** Called after each chunk, with the number of planned tiles. */
  onProgress?: (progress: BuildProgress) => void;
}

/** A plan that was stored. */
export interface Planning {
  plan: PublicationPlan;
  /** Whether the store already had this plan, from an earlier call. */
  isResumed: boolean;
  /** Number of tiles in chunks. */
  plannedTiles: number;
  /** Number of tiles that the last manifest already has. */
  reusedTiles: number;
  /** Bytes of the written chunks. */
  writtenBytes: number;
}

/**
 * Plans a publication and stores its chunks, for `createPlanBaker` on any machine that reads and writes the store. `publishWorld` does the
 * same work on this thread.
 *
 * @param options those of `publishWorld`
 * @throws (rejects with) the errors of `publishWorld`; Error when another plan of this world is in progress
 */
export async function planPublication(
  store: BlobStore,
  input: TriangleInput,
  options: BuildOptions,
  planning: PlanOptions = {},
): Promise<Planning> {
  const { signal, onProgress, chunkTiles, isForced } = readOptions(store, options, planning);
  const old = await readOld(CALLER, store);
  const names = await store.keys();
  signal?.throwIfAborted();
  const stored = new Set(old === undefined ? [] : names);
  const reused = new Set(old?.tiles.key.filter((key) => stored.has(tileName(key))));
  const farm = new Set(names.filter((name) => name.startsWith(FARM)));
  const job = startLevelJob(CALLER, input, { ...options, onProgress: undefined });
  const cut: Cut = {
    job,
    chunkTiles,
    reused,
    sequence: nextSequence(old, names),
    links: options.links,
    signal,
    routes: planning.routes === true,
  };
  // Other plans are detected before anything is written.
  const other = await loadCurrent(store);
  if (other !== undefined) checkAlone(other, await cutLevel(cut, async () => {}), isForced);
  let writtenBytes = 0;
  const total = job.summary.tiles.length;
  const plan = await cutLevel(cut, async (piece) => {
    if (!farm.has(piece.name) && !(piece.done !== undefined && farm.has(piece.done))) {
      const bytes = piece.encode();
      await store.set(piece.name, bytes);
      if (piece.done !== undefined) writtenBytes += bytes.length;
    }
    if (piece.done !== undefined) onProgress?.({ stage: 'tile', done: piece.tiles, total });
  });
  const isResumed = farm.has(planName(plan.key));
  await store.set(planName(plan.key), writePlan(plan));
  checkAlone(await loadCurrent(store), plan, isForced);
  await store.set(CURRENT_PLAN, toBytes({ plan: plan.key, sequence: plan.sequence }));
  await removeOthers(store, plan, farm);
  return {
    plan,
    isResumed,
    plannedTiles: plan.plannedTiles,
    reusedTiles: plan.tiles - plan.plannedTiles,
    writtenBytes,
  };
}

function readOptions(
  store: BlobStore,
  options: BuildOptions,
  planning: PlanOptions,
): Pick<PlanOptions, 'signal' | 'onProgress'> & { chunkTiles: number; isForced: boolean } {
  checkKeys(CALLER, planning, ['chunkTiles', 'replace', 'routes', 'signal', 'onProgress'], 'planning');
  checkPublication(CALLER, store, options);
  const { chunkTiles = DEFAULT_CHUNK_TILES, replace, signal, onProgress } = planning;
  if (!(Number.isInteger(chunkTiles) && chunkTiles >= 1 && chunkTiles <= MOST_CHUNK_TILES)) {
    refuse(CALLER, 'planning.chunkTiles', chunkTiles, `a whole number 1 .. ${MOST_CHUNK_TILES}`);
  }
  if (onProgress !== undefined) checkFunction(CALLER, 'planning.onProgress', onProgress);
  checkSignal(CALLER, 'planning.signal', signal);
  return { signal, onProgress, chunkTiles, isForced: replace === true };
}

/** A level to cut, and the settings. */
interface Cut {
  job: LevelJob;
  chunkTiles: number;
  /** Keys of tiles that the last manifest and the store have. */
  reused: ReadonlySet<string>;
  sequence: number;
  links: BuildOptions['links'];
  signal: AbortSignal | undefined;
  routes: boolean;
}

/** A file of a plan. */
interface Piece {
  name: string;
  /** For a chunk: the name of the file that exists when it is done. */
  done?: string;
  /** Number of tiles of the level up to its end. */
  tiles: number;
  encode: () => Uint8Array<ArrayBuffer>;
}

/** Sorts the tiles of a level into chunks and parts, and gives each to `take`. */
async function cutLevel(cut: Cut, take: (piece: Piece) => Promise<void>): Promise<PublicationPlan> {
  const { job, chunkTiles, reused, sequence, links, signal, routes } = cut;
  const { level, summary } = job;
  const { config, obstacles, triangles } = level;
  const counts = { tiles: 0, plannedTiles: 0, chunks: 0 };
  const parts: string[] = [];
  let part = emptyPart();
  let open = { tiles: [] as number[], keys: [] as string[], triangles: 0 };
  const closeChunk = async (): Promise<void> => {
    const { tiles, keys } = open;
    if (tiles.length === 0) return;
    open = { tiles: [], keys: [], triangles: 0 };
    const key = chunkKey(tiles, keys);
    part.chunks.push({ key, tiles });
    counts.chunks++;
    counts.plannedTiles += tiles.length;
    const encode = (): Uint8Array<ArrayBuffer> => encodeChunk(level, tiles, keys);
    await take({ name: chunkName(key), done: rowsName(key), tiles: counts.tiles, encode });
  };
  const closePart = async (): Promise<void> => {
    if (part.tiles.number.length === 0) return;
    await closeChunk();
    const closed = part;
    part = emptyPart();
    const key = partKey(closed);
    parts.push(key);
    await take({ name: partName(key), tiles: counts.tiles, encode: () => toBytes(closed) });
  };
  for (const number of summary.tiles) {
    const key = contentKey(level, number);
    part.tiles.number.push(number);
    part.tiles.key.push(key);
    if (counts.tiles++ % TURN_TILES === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    if (!reused.has(key)) {
      open.tiles.push(number);
      open.keys.push(key);
      open.triangles += triangles!.start[number + 1] - triangles!.start[number];
      if (open.tiles.length === chunkTiles || open.triangles > MOST_CHUNK_TRIANGLES) await closeChunk();
    }
    if (part.tiles.number.length === PART_TILES) await closePart();
  }
  await closePart();
  const setup: ChunkSetup = { kind: 'chunks', options: plainOptions(level.options), config, obstacles: [...obstacles] };
  return sealPlan({
    bakeVersion: BAKE_VERSION,
    sequence,
    head: headOfManifest(config, links),
    ...counts,
    parts,
    setup,
    warnings: summary.warnings,
    ...(routes ? { routes } : {}),
  });
}

function emptyPart(): PlanPart {
  return { tiles: { number: [], key: [] }, chunks: [] };
}

/** Returns the options that the bake of a tile needs. */
function plainOptions({ volumes, bounds, strict, sizes }: BuildOptions): BuildSettings {
  return settingsOf({ volumes, bounds, strict, ...(sizes === undefined ? {} : { sizes }) });
}

/**
 * Throws an Error when another plan of the world is in progress. A plan that can no longer end, because the world was
 * published since, does not count.
 */
function checkAlone(
  other: { plan: string; sequence: number } | undefined,
  { key, sequence }: PublicationPlan,
  isForced: boolean,
): void {
  if (other === undefined || other.plan === key || other.sequence < sequence || isForced) return;
  throw new Error(
    `${CALLER}: another plan (${other.plan.slice(0, 8)}) of this world is worked on; let it end, or give it up with the option replace`,
  );
}

/** Removes the files of abandoned or incomplete plans. `names`: existing files of plans. */
async function removeOthers(store: BlobStore, plan: PublicationPlan, names: ReadonlySet<string>): Promise<void> {
  const old = new Set([...names].filter((name) => PLAN_FILE.test(name)));
  if (old.size === 0) return;
  for (const name of [planName(plan.key), ...plan.parts.map(partName)]) old.delete(name);
  for await (const { chunks } of loadParts(CALLER, store, plan)) {
    for (const { key } of chunks) for (const nameOf of CHUNK_FILES) old.delete(nameOf(key));
  }
  for (const name of old) await store.delete(name);
}

/** Matches files of plans; a farm keeps other files in the same folder. */
const PLAN_FILE = new RegExp(`^${FARM}(plans|parts|chunks|rows|routes)/`);
