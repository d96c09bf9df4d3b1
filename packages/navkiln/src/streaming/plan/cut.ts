/**
 * Plans the publication of a level: cuts it into chunks that machines bake independently of each other, and stores them.
 *
 * A tile that the last manifest has is in no chunk. The level is read once; then each chunk is written and forgotten. Planning the same
 * level again finds the same plan, and writes what is missing of it.
 *
 * In: triangles, options and a store. Out: a plan and chunks in the store.
 * Cost: linear in the triangles and in the tiles they touch; the memory of the level, the plan and one chunk.
 * Based on: own.
 */
import { checkFunction, checkKeys, refuse } from '../../data/refuse.ts';
import { nextTurn } from '../../data/turn.ts';
import type { BlobStore, BuildOptions, BuildProgress, TriangleInput } from '../../voxel/options.ts';
import { startLevelJob } from '../../voxel/tile-jobs.ts';
import type { LevelJob } from '../../voxel/tile-jobs.ts';
import { chunkKey, encodeChunk } from '../../worker/chunks/chunk-file.ts';
import type { ChunkSetup } from '../../worker/chunks/chunk-jobs.ts';
import { BAKE_VERSION, contentKey } from '../../worker/content-key.ts';
import { tileName } from '../manifest.ts';
import { checkPublication, headOfManifest, nextSequence, readOld, rowsOf } from '../rows.ts';
import {
  CURRENT_PLAN,
  FARM,
  chunkName,
  loadCurrent,
  planName,
  rowsName,
  sealPlan,
  toBytes,
  writePlan,
} from './plan-file.ts';
import type { PlannedChunk, PublicationPlan } from './plan-file.ts';

const CALLER = 'planPublication';
const DEFAULT_CHUNK_TILES = 16;
const MOST_CHUNK_TILES = 4096;
/** Triangles of all tiles of a chunk, above which it gets no further tile. */
const MOST_CHUNK_TRIANGLES = 1 << 18;
/** Tiles between turns of the event loop. */
const TURN_TILES = 64;

/** Options of `planPublication`. */
export interface PlanOptions {
  /** Tiles of a chunk, a whole number 1 .. 4,096. A machine bakes a chunk at a time. Default 16. */
  chunkTiles?: number;
  /** Gives up another plan of this world that is worked on. Default false: it is an error. */
  replace?: boolean;
  /** Stores the records that `openRouteGraph` loads when the plan ends. Default false. */
  routes?: boolean;
  /** Aborts the planning. */
  signal?: AbortSignal;
  /** Called after each chunk that is stored. */
  onProgress?: (progress: BuildProgress) => void;
}

/** A plan that was stored. */
export interface Planning {
  plan: PublicationPlan;
  /** Whether the store had this plan already, from a planning before. */
  isResumed: boolean;
  /** Tiles in chunks. */
  plannedTiles: number;
  /** Tiles that the last manifest has. */
  reusedTiles: number;
  /** Bytes of chunks that were written. */
  writtenBytes: number;
}

/**
 * Plans a publication and stores its chunks, for `createPlanBaker` on any machine that reads and writes the store. `publishWorld` does the
 * same work on this thread.
 *
 * @param options those of `publishWorld`
 * @throws (rejects with) what `publishWorld` throws; Error when another plan of this world is worked on
 */
export async function planPublication(
  store: BlobStore,
  input: TriangleInput,
  options: BuildOptions,
  planning: PlanOptions = {},
): Promise<Planning> {
  const { signal, onProgress, chunkTiles, isForced } = readOptions(store, options, planning);
  const old = await readOld(CALLER, store);
  const names = new Set(await store.keys());
  signal?.throwIfAborted();
  const job = startLevelJob(CALLER, input, { ...options, onProgress: undefined });
  const known = rowsOf(old);
  const plan = await cutLevel(job, chunkTiles, (key) => known.has(key) && names.has(tileName(key)), {
    sequence: nextSequence(old, [...names]),
    links: options.links,
    signal,
    ...(planning.routes === true ? { routes: true as const } : {}),
  });
  await checkAlone(store, plan, isForced);
  let writtenBytes = 0;
  for (const [i, chunk] of plan.chunks.entries()) {
    signal?.throwIfAborted();
    if (!names.has(chunkName(chunk.key)) && !names.has(rowsName(chunk.key)))
      writtenBytes += await storeChunk(store, job, plan, chunk);
    onProgress?.({ stage: 'chunk', done: i + 1, total: plan.chunks.length });
  }
  await store.set(planName(plan.key), writePlan(plan));
  await checkAlone(store, plan, isForced);
  await store.set(CURRENT_PLAN, toBytes({ plan: plan.key, sequence: plan.sequence }));
  await removeOthers(store, plan, names);
  const plannedTiles = plan.chunks.reduce((sum, { tiles }) => sum + tiles.length, 0);
  const reusedTiles = plan.tiles.number.length - plannedTiles;
  return { plan, isResumed: names.has(planName(plan.key)), plannedTiles, reusedTiles, writtenBytes };
}

function readOptions(
  store: BlobStore,
  options: BuildOptions,
  planning: PlanOptions,
): Pick<PlanOptions, 'signal' | 'onProgress'> & { chunkTiles: number; isForced: boolean } {
  checkPublication(CALLER, store, options);
  checkKeys(CALLER, planning, ['chunkTiles', 'replace', 'routes', 'signal', 'onProgress'], 'planning');
  const { chunkTiles = DEFAULT_CHUNK_TILES, replace, signal, onProgress } = planning;
  if (!(Number.isInteger(chunkTiles) && chunkTiles >= 1 && chunkTiles <= MOST_CHUNK_TILES)) {
    refuse(CALLER, 'planning.chunkTiles', chunkTiles, `a whole number 1 .. ${MOST_CHUNK_TILES}`);
  }
  if (onProgress !== undefined) checkFunction(CALLER, 'planning.onProgress', onProgress);
  signal?.throwIfAborted();
  return { signal, onProgress, chunkTiles, isForced: replace === true };
}

/** Sorts the tiles of a level into chunks. `isStored`: the last manifest and the store have the tile of a key. */
async function cutLevel(
  { level, summary }: LevelJob,
  chunkTiles: number,
  isStored: (key: string) => boolean,
  {
    sequence,
    links,
    signal,
    routes,
  }: Pick<PublicationPlan, 'sequence' | 'routes'> & Pick<BuildOptions, 'links'> & Pick<PlanOptions, 'signal'>,
): Promise<PublicationPlan> {
  const { config, obstacles, triangles } = level;
  const chunks: PlannedChunk[] = [];
  const tiles: PublicationPlan['tiles'] = { number: [], key: [] };
  let open = { tiles: [] as number[], keys: [] as string[], triangles: 0 };
  const close = (): void => {
    if (open.tiles.length > 0) chunks.push({ key: chunkKey(open.tiles, open.keys), tiles: open.tiles });
    open = { tiles: [], keys: [], triangles: 0 };
  };
  for (const [i, number] of summary.tiles.entries()) {
    const key = contentKey(level, number);
    tiles.number.push(number);
    tiles.key.push(key);
    if (i % TURN_TILES === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    if (isStored(key)) continue;
    open.tiles.push(number);
    open.keys.push(key);
    open.triangles += triangles!.start[number + 1] - triangles!.start[number];
    if (open.tiles.length === chunkTiles || open.triangles > MOST_CHUNK_TRIANGLES) close();
  }
  close();
  const head = headOfManifest(config, links);
  const setup: ChunkSetup = { kind: 'chunks', options: plainOptions(level.options), config, obstacles: [...obstacles] };
  return sealPlan({
    bakeVersion: BAKE_VERSION,
    sequence,
    head,
    tiles,
    setup,
    chunks,
    warnings: summary.warnings,
    ...(routes === undefined ? {} : { routes }),
  });
}

/** Returns the options that the bake of a tile reads. */
function plainOptions({ volumes, bounds, strict }: BuildOptions): BuildOptions {
  return { volumes, bounds, strict };
}

/** Throws an Error when another plan of the world is worked on, unless the world was published since, so that it cannot end. */
async function checkAlone(store: BlobStore, { key, sequence }: PublicationPlan, isForced: boolean): Promise<void> {
  const other = await loadCurrent(store);
  if (other === undefined || other.plan === key || other.sequence < sequence || isForced) return;
  throw new Error(
    `${CALLER}: another plan (${other.plan.slice(0, 8)}) of this world is worked on; let it end, or give it up with the option replace`,
  );
}

async function storeChunk(
  store: BlobStore,
  job: LevelJob,
  plan: PublicationPlan,
  chunk: PlannedChunk,
): Promise<number> {
  const keyOf = keysOf(plan);
  const bytes = encodeChunk(
    job.level,
    chunk.tiles,
    chunk.tiles.map((tile) => keyOf.get(tile)!),
  );
  await store.set(chunkName(chunk.key), bytes);
  return bytes.length;
}

const keysByPlan = new WeakMap<PublicationPlan, Map<number, string>>();

/** Returns the content keys of a plan by the numbers of their tiles. */
export function keysOf(plan: PublicationPlan): ReadonlyMap<number, string> {
  let keys = keysByPlan.get(plan);
  if (keys === undefined) {
    keys = new Map(plan.tiles.number.map((number, i) => [number, plan.tiles.key[i]]));
    keysByPlan.set(plan, keys);
  }
  return keys;
}

/** Removes the files of plans that were given up or ended halfway. */
async function removeOthers(store: BlobStore, plan: PublicationPlan, names: ReadonlySet<string>): Promise<void> {
  const own = new Set([CURRENT_PLAN, planName(plan.key)]);
  for (const { key } of plan.chunks) own.add(chunkName(key)).add(rowsName(key));
  for (const name of names) if (PLAN_FILE.test(name) && !own.has(name)) await store.delete(name);
}

/** Files of plans; a farm keeps others in the same folder. */
const PLAN_FILE = new RegExp(`^${FARM}(plans|chunks|rows)/`);
