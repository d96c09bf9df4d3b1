/**
 * Ends a planned publication: joins the rows of all chunks, writes the manifest, and removes the files of the plan.
 *
 * The plan contains the number of the manifest, so ending it twice writes the same manifest, and only one of two plans
 * can end.
 *
 * In: a plan whose chunks are baked. Out: a manifest in the store.
 * Cost: two small files per chunk; linear in the tiles; the memory of the manifest.
 * Based on: own.
 */
import type { BlobStore } from '../../../build/voxel/pool-types.ts';
import type { PackedRoutes } from '../../../query/routes/record/file.ts';
import { decodeEntry } from '../../worker/cache-entry.ts';
import { readJoinedRoutes, recordKeys } from '../../worker/route-records.ts';
import { rowOf } from '../../worker/tile-row.ts';
import type { TileRow } from '../../worker/tile-row.ts';
import { CURRENT, ROUTES, emptyTiles, historyName, tileName, writeManifest } from '../manifest.ts';
import type { WorldManifest } from '../manifest.ts';
import { publishRoutes } from '../routes/route-files.ts';
import type { KnownRoutes } from '../routes/route-files.ts';
import { addRow, readOld, rowsOf } from '../rows.ts';
import { checkStore } from '../store.ts';
import { checkPlan, loadRows } from './bake.ts';
import { CHUNK_FILES, CURRENT_PLAN, chunkRoutesName, loadCurrent, loadParts, partName, planName } from './plan-file.ts';
import type { PublicationPlan } from './types.ts';

const CALLER = 'finishPublication';
/** Maximum number of rows of tiles whose records are kept in memory: those of two rows of blocks, and their chunks. */
const MOST_HELD_ROWS = 48;

/**
 * Writes the manifest of a plan whose chunks are all baked, and removes the plan. Clients with the old manifest are not
 * affected.
 *
 * @throws (rejects with) TypeError for an invalid store or plan; Error when chunks are missing, when another plan has
 *   replaced this one, or when the world was published in the meantime; errors of the store
 */
export async function finishPublication(store: BlobStore, plan: PublicationPlan): Promise<WorldManifest> {
  checkStore(CALLER, store);
  checkPlan(CALLER, plan);
  const other = await loadCurrent(store);
  if (other !== undefined && other.plan !== plan.key)
    throw new Error(`${CALLER}: another plan (${other.plan.slice(0, 8)}) has replaced this one, which is abandoned`);
  const { sequence, head } = plan;
  const manifest: WorldManifest = { sequence, ...head, tiles: emptyTiles() };
  const chunkOfRow = await collectRows(store, plan, manifest);
  if (plan.routes === true) {
    const names = new Set((await store.keys()).filter((name) => name.startsWith(ROUTES)));
    const known = knownRoutes(store, manifest, chunkOfRow);
    manifest.routes = await publishRoutes(CALLER, { store, has: (name) => names.has(name), known }, manifest);
  }
  const bytes = writeManifest(manifest);
  const name = historyName(sequence);
  const before = await store.get(name);
  const newest = (await readOld(CALLER, store))?.sequence ?? 0;
  if (newest > sequence || (before !== undefined && !isEqual(before, bytes)))
    throw new Error(
      `${CALLER}: the world was published meanwhile (publication ${Math.max(newest, sequence)}); plan again`,
    );
  if (before === undefined) await store.set(name, bytes);
  if (newest < sequence) await store.set(CURRENT, bytes);
  await removePlan(store, plan);
  return manifest;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/**
 * Adds the rows of all tiles of a plan to a manifest. Returns for each row the chunk that baked its tile, or undefined.
 */
async function collectRows(
  store: BlobStore,
  plan: PublicationPlan,
  manifest: WorldManifest,
): Promise<(string | undefined)[]> {
  const chunkOfRow: (string | undefined)[] = [];
  let missing = 0;
  let old: Map<string, TileRow> | undefined;
  for await (const { tiles, chunks } of loadParts(CALLER, store, plan)) {
    const rows = new Map<number, { row: TileRow; key: string }>();
    for (const { key, tiles: numbers } of chunks) {
      const own = await loadRows(store, key);
      if (own?.length !== numbers.length) missing++;
      else for (const [i, number] of numbers.entries()) rows.set(number, { row: own[i], key });
    }
    if (missing > 0) continue;
    for (const [i, number] of tiles.number.entries()) {
      const key = tiles.key[i];
      const baked = rows.get(number);
      if (baked === undefined) old ??= rowsOf(await readOld(CALLER, store));
      const row = baked?.row ?? old!.get(key) ?? (await storedRow(store, number, key));
      addRow(manifest.tiles, number, key, row);
      chunkOfRow.push(baked?.key);
    }
  }
  if (missing > 0) throw new Error(`${CALLER}: ${missing} of ${plan.chunks} chunks are not baked; bake them first`);
  return chunkOfRow;
}

/**
 * Returns a function that finds the records that chunks have stored. It keeps the records of current blocks in memory.
 */
function knownRoutes(
  store: BlobStore,
  { countX, links, tiles }: WorldManifest,
  chunkOfRow: readonly (string | undefined)[],
): KnownRoutes {
  const keyOf = recordKeys({ links });
  const held = new Map<string, Map<string, PackedRoutes>>();
  let count = 0;
  return async (row) => {
    const chunk = chunkOfRow[row];
    if (chunk === undefined) return undefined;
    let records = held.get(chunk);
    if (records === undefined) {
      const bytes = await store.get(chunkRoutesName(chunk));
      records = readJoinedRoutes(bytes ?? new Uint8Array(0));
      held.set(chunk, records);
      count += records.size;
      // Blocks are processed row by row.
      for (const [key, { size }] of held) {
        if (count <= MOST_HELD_ROWS * countX || key === chunk) break;
        held.delete(key);
        count -= size;
      }
    }
    return records.get(keyOf(tiles.key[row]));
  };
}

/** Returns the row of a tile that was in the last manifest when the plan was created. */
async function storedRow(store: BlobStore, number: number, key: string): Promise<TileRow> {
  const name = tileName(key);
  const bytes = await store.get(name);
  const result = bytes === undefined ? undefined : decodeEntry(bytes, key);
  if (result?.tile !== number) throw new Error(`${CALLER}: ${name} is missing or damaged; plan again`);
  return rowOf(result, bytes!.length);
}

/** Removes the files of a plan. The file that names the plan is removed first, so that no baker begins with it. */
async function removePlan(store: BlobStore, plan: PublicationPlan): Promise<void> {
  await store.delete(CURRENT_PLAN);
  await store.delete(planName(plan.key));
  for await (const { chunks } of loadParts(CALLER, store, plan)) {
    for (const { key } of chunks) for (const nameOf of CHUNK_FILES) await store.delete(nameOf(key));
  }
  for (const key of plan.parts) await store.delete(partName(key));
}
