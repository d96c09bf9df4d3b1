/**
 * Ends a planned publication: puts the rows of all chunks together, writes the manifest, and removes the files of the plan.
 *
 * The number of the manifest is in the plan, so ending it twice writes the same manifest, and of two plans only one can end.
 *
 * In: a plan whose chunks are baked. Out: a manifest in the store.
 * Cost: a small file per chunk; linear in the tiles.
 * Based on: own.
 */
import type { BlobStore } from '../../voxel/options.ts';
import { decodeEntry } from '../../worker/cache-entry.ts';
import { rowOf } from '../../worker/tile-row.ts';
import type { TileRow } from '../../worker/tile-row.ts';
import { CURRENT, emptyTiles, historyName, tileName, writeManifest } from '../manifest.ts';
import type { WorldManifest } from '../manifest.ts';
import { publishRoutes } from '../routes/route-files.ts';
import { addRow, readOld, rowsOf } from '../rows.ts';
import { checkStore } from '../store.ts';
import { checkPlan, loadRows } from './bake.ts';
import { CURRENT_PLAN, chunkName, loadCurrent, planName, rowsName } from './plan-file.ts';
import type { PublicationPlan } from './plan-file.ts';

const CALLER = 'finishPublication';

/**
 * Writes the manifest of a plan whose chunks are all baked, and removes the plan. Clients that have the old manifest are not disturbed.
 *
 * @throws (rejects with) TypeError for a store or a plan that are none; Error when chunks are missing, when another plan has replaced this
 *   one, or when the world was published meanwhile; errors of the store
 */
export async function finishPublication(store: BlobStore, plan: PublicationPlan): Promise<WorldManifest> {
  checkStore(CALLER, store);
  checkPlan(CALLER, plan);
  const other = await loadCurrent(store);
  if (other !== undefined && other.plan !== plan.key)
    throw new Error(`${CALLER}: another plan (${other.plan.slice(0, 8)}) has replaced this one, which is given up`);
  const rows = await collectRows(store, plan);
  const { sequence, head } = plan;
  const manifest: WorldManifest = { sequence, ...head, tiles: emptyTiles() };
  for (const [i, number] of plan.tiles.number.entries()) {
    const key = plan.tiles.key[i];
    addRow(manifest.tiles, number, key, rows.get(number) ?? (await storedRow(store, number, key)));
  }
  if (plan.routes === true) manifest.routes = await publishRoutes(CALLER, store, manifest, new Set(await store.keys()));
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

/** Returns the rows of all tiles of a plan that the last manifest or a chunk has, by the numbers of the tiles. */
async function collectRows(store: BlobStore, plan: PublicationPlan): Promise<Map<number, TileRow>> {
  const rows = new Map<number, TileRow>();
  const missing: string[] = [];
  for (const chunk of plan.chunks) {
    const { key, tiles } = chunk;
    const own = await loadRows(store, chunk);
    if (own === undefined) missing.push(key);
    else for (const [i, tile] of tiles.entries()) rows.set(tile, own[i]);
  }
  if (missing.length > 0)
    throw new Error(`${CALLER}: ${missing.length} of ${plan.chunks.length} chunks are not baked; bake them first`);
  const old = rowsOf(await readOld(CALLER, store));
  for (const [i, number] of plan.tiles.number.entries()) {
    const row = old.get(plan.tiles.key[i]);
    if (row !== undefined && !rows.has(number)) rows.set(number, row);
  }
  return rows;
}

/** Returns the row of a tile that was in the last manifest when the plan was made. */
async function storedRow(store: BlobStore, number: number, key: string): Promise<TileRow> {
  const name = tileName(key);
  const bytes = await store.get(name);
  const result = bytes === undefined ? undefined : decodeEntry(bytes, key);
  if (result?.tile !== number) throw new Error(`${CALLER}: ${name} is missing or damaged; plan again`);
  return rowOf(result, bytes!.length);
}

/** Removes the files of a plan, the one that names it first, so that no baker begins with it. */
async function removePlan(store: BlobStore, plan: PublicationPlan): Promise<void> {
  await store.delete(CURRENT_PLAN);
  await store.delete(planName(plan.key));
  for (const { key } of plan.chunks) {
    await store.delete(chunkName(key));
    await store.delete(rowsName(key));
  }
}
