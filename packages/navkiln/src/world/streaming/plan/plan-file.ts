/**
 * The plan of a publication: the tiles of the next manifest, and the chunks of the tiles to bake.
 *
 * While a plan is in progress, a store contains: `farm/current.json`, which names the plan; `farm/plans/KEY.json`;
 * `farm/parts/KEY.json`, a few thousand tiles of the manifest and their chunks; `farm/chunks/KEY.chunk`, the triangles
 * of some tiles; `farm/rows/KEY.json`, the manifest rows of a chunk's tiles, after these are stored; and
 * `farm/routes/KEY.navroutes`, their route records. All are removed after the manifest has been written. Keys are
 * hashes of the input of files, so files never change.
 *
 * In: a plan. Out: bytes, and the reverse.
 * Cost: a plan has one line per part, and a part about 60 bytes per tile. No reader needs all parts at a time.
 * Based on: own.
 */
import { addTextToHash, createLongHash, hexOfHash } from '../../../base/data/hash.ts';
import type { BlobStore } from '../../../build/voxel/pool-types.ts';
import { BAKE_VERSION } from '../../worker/content-key.ts';
import { isContentKey } from '../manifest.ts';
import { checkPlanFile, isPart } from './check-plan.ts';
import type { PlanPart, PublicationPlan } from './types.ts';

const FORMAT = 'navkiln-plan';
const VERSION = 2;
const ROWS_FILE = /^farm\/rows\/([0-9a-f]{32})\.json$/;
/** The folder of all files of plans in a store. */
export const FARM = 'farm/';
/** The name of the file that names the current plan. */
export const CURRENT_PLAN = 'farm/current.json';

/** Returns the name of the file of a plan. */
export function planName(key: string): string {
  return `${FARM}plans/${key}.json`;
}

/** Returns the name of the file of a part. */
export function partName(key: string): string {
  return `${FARM}parts/${key}.json`;
}

/** Returns the name of the file with the route records of a chunk. */
export function chunkRoutesName(key: string): string {
  return `${FARM}routes/${key}.navroutes`;
}

/** Returns the name of the file of a chunk. */
export function chunkName(key: string): string {
  return `${FARM}chunks/${key}.chunk`;
}

/** Returns the name of the file of the rows of a chunk. */
export function rowsName(key: string): string {
  return `${FARM}rows/${key}.json`;
}

/** The names of the files of a chunk by its key. */
export const CHUNK_FILES: readonly ((key: string) => string)[] = [chunkName, rowsName, chunkRoutesName];

/** Returns the key in the name of a file of rows, or undefined for other names. */
export function keyOfRows(name: string): string | undefined {
  return ROWS_FILE.exec(name)?.[1];
}

/** Returns a plan with its key. */
export function sealPlan(plan: Omit<PublicationPlan, 'key'>): PublicationPlan {
  const hash = createLongHash();
  addTextToHash(hash, JSON.stringify(plan, plainNumber));
  return { key: hexOfHash(hash), ...plan };
}

/** Returns the key of a part. */
export function partKey(part: PlanPart): string {
  const hash = createLongHash();
  addTextToHash(hash, JSON.stringify([part.tiles, part.chunks]));
  return hexOfHash(hash);
}

/** Returns a plan as bytes. */
export function writePlan(plan: PublicationPlan): Uint8Array<ArrayBuffer> {
  return toBytes({ format: FORMAT, version: VERSION, ...plan });
}

/** Returns JSON in UTF-8, which keeps -0, infinite numbers and typed arrays (as arrays). */
export function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value, plainNumber));
}

/** Converts infinite numbers and -0, which JSON does not have. */
function plainNumber(_: string, value: unknown): unknown {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { number: Object.is(value, -0) ? '-0' : String(value) };
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
}

function revive(_: string, value: unknown): unknown {
  const text = (value as { number?: unknown } | null)?.number;
  return typeof text === 'string' ? Number(text) : value;
}

/** Returns the record in JSON text in UTF-8, or undefined when the text is not a record. */
export function fromBytes(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), revive);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of the current plan, and the number of its manifest, or undefined. */
export async function loadCurrent(store: BlobStore): Promise<{ plan: string; sequence: number } | undefined> {
  const bytes = await store.get(CURRENT_PLAN);
  const { plan, sequence } = (bytes === undefined ? undefined : fromBytes(bytes)) ?? {};
  return isContentKey(plan) && Number.isInteger(sequence) ? { plan, sequence: sequence as number } : undefined;
}

/**
 * Returns the plan with this key, or undefined when the store has none.
 *
 * @throws (rejects with) Error for a plan that is damaged or of another version
 */
export async function loadPlan(caller: string, store: BlobStore, key: string): Promise<PublicationPlan | undefined> {
  const name = planName(key);
  const bytes = await store.get(name);
  if (bytes === undefined) return undefined;
  const value = fromBytes(bytes);
  if (value?.['format'] !== FORMAT) throw new Error(`${caller}: ${name}: it is damaged or not a plan; plan again`);
  if (value['version'] !== VERSION) throw new Error(otherVersion(caller, name, 'version', value['version'], VERSION));
  const { format: _format, version: _version, ...plan } = value as unknown as PublicationPlan & Record<string, unknown>;
  if (plan.bakeVersion !== BAKE_VERSION)
    throw new Error(otherVersion(caller, name, 'bake version', plan.bakeVersion, BAKE_VERSION));
  const { key: own, ...rest } = plan;
  if (own !== key || sealPlan(rest as Omit<PublicationPlan, 'key'>).key !== key)
    throw new Error(`${caller}: ${name}: its content does not match its name; plan again`);
  try {
    checkPlanFile(plan);
  } catch (error) {
    throw new Error(`${caller}: ${name}: it is damaged: ${(error as Error).message}; plan again`, { cause: error });
  }
  return revivedPlan(plan);
}

/**
 * Reads the parts of a plan one after the other.
 *
 * @throws (rejects with) Error for a part that is missing or damaged; errors of the store
 */
export async function* loadParts(
  caller: string,
  store: BlobStore,
  { parts }: PublicationPlan,
): AsyncGenerator<PlanPart, void> {
  for (const key of parts) {
    const name = partName(key);
    const bytes = await store.get(name);
    const part = (bytes === undefined ? undefined : fromBytes(bytes)) as PlanPart | undefined;
    if (part === undefined || !isPart(part) || partKey(part) !== key)
      throw new Error(`${caller}: ${name} is missing or damaged; plan again`);
    yield part;
  }
}

function otherVersion(caller: string, name: string, what: string, found: unknown, own: number): string {
  return `${caller}: ${name}: its ${what} is ${String(found)}, and this navkiln has ${own}; install the same version of navkiln on all machines and plan again`;
}

/** Returns a plan whose obstacles have typed arrays again. */
function revivedPlan(plan: PublicationPlan): PublicationPlan {
  const obstacles = plan.setup.obstacles.map((obstacle) => ({
    ...obstacle,
    shape: Float64Array.from(obstacle.shape),
    positions: Float64Array.from(obstacle.positions),
    indices: Uint32Array.from(obstacle.indices),
    bounds: Float64Array.from(obstacle.bounds),
  }));
  return { ...plan, setup: { ...plan.setup, obstacles } };
}
