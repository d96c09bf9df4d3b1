/**
 * The first steps of publishing a world: checks of its arguments, the last manifest with its rows by content
 * key, and the head of the next manifest.
 *
 * In: a store, options, results of tiles. Out: rows and heads of manifests.
 * Cost: linear in the tiles.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { addLink, getLink, listLinks } from '../../mesh/change/links.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import type { BuildOptions } from '../../build/voxel/options.ts';
import type { BlobStore } from '../../build/voxel/pool-types.ts';
import { checkBuildOptions } from '../../build/voxel/config.ts';
import { tileSettings } from '../../build/voxel/tile.ts';
import { BAKE_VERSION } from '../worker/content-key.ts';
import type { TileRow } from '../worker/tile-row.ts';
import { CURRENT, sequenceOfName } from './manifest.ts';
import type { ManifestTiles, WorldManifest } from './manifest.ts';
import { checkStore, manifestIn } from './store.ts';

/** Throws for an invalid store, and for options that a publication cannot have. */
export function checkPublication(caller: string, store: BlobStore, options: BuildOptions): void {
  checkStore(caller, store);
  checkBuildOptions(caller, options);
  const { tileSize, dynamic, autoLinks, keepReachable } = options;
  if (!(typeof tileSize === 'number' && tileSize > 0)) {
    refuse(caller, 'options.tileSize', tileSize, 'the side of a tile in world units, usually 32 to 128 cells');
  }
  if (dynamic !== undefined) refuse(caller, 'options.dynamic', dynamic, 'absent; published tiles have no layers');
  if (autoLinks !== undefined)
    refuse(caller, 'options.autoLinks', autoLinks, 'absent; bake once, and pass findLinkCandidates as links');
  if (keepReachable !== undefined)
    refuse(caller, 'options.keepReachable', 'set', 'absent; pruneUnreachable leaves mesh out of the loaded tiles');
}

/** Returns the last manifest, or undefined if there is none or it cannot be read and will be replaced. */
export async function readOld(caller: string, store: BlobStore): Promise<WorldManifest | undefined> {
  const bytes = await store.get(CURRENT);
  if (bytes === undefined) return undefined;
  try {
    return manifestIn(caller, CURRENT, bytes);
  } catch {
    return undefined;
  }
}

/** Returns the rows of a manifest by the content keys of their tiles. */
export function rowsOf(manifest: WorldManifest | undefined): Map<string, TileRow> {
  const rows = new Map<string, TileRow>();
  if (manifest === undefined) return rows;
  const { key, bytes, polys, minY, maxY } = manifest.tiles;
  for (let i = 0; i < key.length; i++) {
    rows.set(key[i], { bytes: bytes[i], polys: polys[i], minY: minY[i], maxY: maxY[i] });
  }
  return rows;
}

/** Appends a tile to those of a manifest. */
export function addRow(rows: ManifestTiles, number: number, key: string, { bytes, polys, minY, maxY }: TileRow): void {
  rows.number.push(number);
  rows.key.push(key);
  rows.bytes.push(bytes);
  rows.polys.push(polys);
  rows.minY.push(minY);
  rows.maxY.push(maxY);
}

/** Returns the number of the next publication. */
export function nextSequence(old: WorldManifest | undefined, names: readonly string[]): number {
  return 1 + names.reduce((most, name) => Math.max(most, sequenceOfName(name) ?? 0), old?.sequence ?? 0);
}

/** Returns the properties of a manifest except its number and its tiles. */
export function headOfManifest(
  config: BakeConfig,
  links: BuildOptions['links'],
): Omit<WorldManifest, 'sequence' | 'tiles'> {
  const settings = tileSettings(config);
  return {
    bakeVersion: BAKE_VERSION,
    settings,
    countX: config.tileCountX,
    countZ: config.tileCountZ,
    links: plainLinks(settings, links),
  };
}

/** Returns links with all their options as plain JSON values. */
function plainLinks(settings: WorldManifest['settings'], links: BuildOptions['links']): LinkOptions[] {
  const mesh = createNavMesh(settings);
  for (const link of links?.list ?? []) addLink(mesh, link);
  return listLinks(mesh).map((ref) => {
    const info = getLink(mesh, ref)!;
    const { start, end, bothWays, radius, area, cost, flags, userId, enabled, name, sizes, kind, crossing } = info;
    const plain: LinkOptions = { start, end, bothWays, radius, area, flags, userId, enabled };
    if (cost >= 0) plain.cost = cost;
    if (kind !== 'other') plain.kind = kind;
    if (name !== '') plain.name = name;
    if (sizes.length < mesh.sizes.length) plain.sizes = sizes;
    if (crossing !== 'any') plain.crossing = crossing;
    return plain;
  });
}
