/**
 * The manifest of a published world: its settings, and for each tile the content key, the size of its file
 * and what a client needs to decide whether to load it.
 *
 * A store holds `world.json`, the manifest that counts; `manifests/00000007.json`, a copy of each one that
 * was published; and `tiles/KEY.navtile`, files of tiles, which never change; and `routes/KEY.navroutes`,
 * records of blocks of tiles. A manifest is JSON with a column for each property of the tiles.
 *
 * In: a manifest. Out: bytes; or bytes to a manifest, whose every number was checked.
 * Cost: linear in the tiles; about 60 bytes a tile.
 * Based on: own.
 */
import { createNavMesh } from '../navmesh/create.ts';
import { addLink } from '../navmesh/links.ts';
import type { LinkOptions } from '../navmesh/links.ts';
import { copySizes } from '../navmesh/sizes-file.ts';
import type { NavMesh, TileSettings } from '../navmesh/types.ts';

const FORMAT = 'navkiln-world';
const VERSION = 1;
/** The name of the manifest that counts. */
export const CURRENT = 'world.json';
/** The folder of the files of routes. */
export const ROUTES = 'routes/';
const HISTORY = /^manifests\/(\d{8})\.json$/;
const TILE_FILE = /^tiles\/([0-9a-f]{32})\.navtile$/;
const ROUTE_FILE = /^routes\/([0-9a-f]{32})\.navroutes$/;
const KEY = /^[0-9a-f]{32}$/;
const MAX_SEQUENCE = 99_999_999;
const MAX_TILES = 2 ** 20;

/** What a published world consists of: its settings, and the content key of each tile. */
export interface WorldManifest {
  /** Number of the publication, from 1. */
  sequence: number;
  /** Version of the bake's results, which content keys cover. */
  bakeVersion: number;
  settings: TileSettings;
  /** Tiles in x and in z. */
  countX: number;
  countZ: number;
  /** Off-mesh links. */
  links: LinkOptions[];
  tiles: ManifestTiles;
  /** Files of routes; absent: the world was published without. */
  routes?: ManifestRoutes;
}

/** Files with the route records of blocks of tiles, a column for each property. */
export interface ManifestRoutes {
  /** Number of the block, increasing. */
  number: number[];
  /** Names of files. */
  key: string[];
  /** Bytes of the file. */
  bytes: number[];
}

/** A column for each property; equal positions belong to one tile. */
export interface ManifestTiles {
  /** x + z * countX, increasing. */
  number: number[];
  /** Content keys. */
  key: string[];
  /** Bytes of the file. */
  bytes: number[];
  /** Polygons; 0: the file need not be loaded. */
  polys: number[];
  /** The lowest and the highest vertex, world units. */
  minY: number[];
  maxY: number[];
}

const COLUMNS = ['number', 'key', 'bytes', 'polys', 'minY', 'maxY'] as const;

/** Returns the name of the file of a tile. */
export function tileName(key: string): string {
  return `tiles/${key}.navtile`;
}

/** Returns the name of the file of the routes of a block. */
export function routesName(key: string): string {
  return `${ROUTES}${key}.navroutes`;
}

/** Returns the key in a name, or undefined if it is neither that of a tile nor of routes. */
export function keyOfName(name: string): string | undefined {
  return (TILE_FILE.exec(name) ?? ROUTE_FILE.exec(name))?.[1];
}

/** Returns the name of the copy of a manifest. */
export function historyName(sequence: number): string {
  return `manifests/${String(sequence).padStart(8, '0')}.json`;
}

/** Returns the sequence of the name of a manifest's copy, or undefined if it is none. */
export function sequenceOfName(name: string): number | undefined {
  const match = HISTORY.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Returns a manifest without tiles. */
export function emptyTiles(): ManifestTiles {
  return { number: [], key: [], bytes: [], polys: [], minY: [], maxY: [] };
}

/** Returns a manifest as bytes: JSON in UTF-8, the same for equal manifests. */
export function writeManifest(manifest: WorldManifest): Uint8Array<ArrayBuffer> {
  const { sequence, bakeVersion, settings, countX, countZ, links, tiles, routes } = manifest;
  const { agent, cellSize, cellHeight, tileSize, origin, sizes } = settings;
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const text = JSON.stringify({
    format: FORMAT,
    version: VERSION,
    sequence,
    bakeVersion,
    settings: {
      agent: { radius, height, maxClimb, maxSlopeDegrees },
      cellSize,
      cellHeight,
      tileSize,
      origin,
      ...(sizes === undefined ? {} : { sizes: copySizes(sizes) }),
    },
    countX,
    countZ,
    links,
    tiles: Object.fromEntries(COLUMNS.map((name) => [name, tiles[name]])),
    ...(routes === undefined ? {} : { routes: { number: routes.number, key: routes.key, bytes: routes.bytes } }),
  });
  return new TextEncoder().encode(text);
}

/** Returns the manifest in `bytes`. Throws an Error that names what is wrong. */
export function readManifest(bytes: Uint8Array): WorldManifest {
  const value = parse(bytes);
  if (value['format'] !== FORMAT) fail('it is no manifest of a world; check the address of the store');
  if (value['version'] !== VERSION) {
    fail(
      `its version is ${String(value['version'])}, and this navkiln reads version ${VERSION}; install the version that wrote it, or publish again`,
    );
  }
  const { sequence, bakeVersion, settings, countX, countZ, links, tiles, routes } = value as unknown as WorldManifest;
  checkWhole('sequence', sequence, 1, MAX_SEQUENCE);
  checkWhole('bakeVersion', bakeVersion, 1, Number.MAX_SAFE_INTEGER);
  checkWhole('countX', countX, 1, MAX_TILES);
  checkWhole('countZ', countZ, 1, MAX_TILES);
  const manifest: WorldManifest = { sequence, bakeVersion, settings, countX, countZ, links, tiles };
  checkTiles(manifest);
  if (routes !== undefined) {
    checkRoutes(routes);
    manifest.routes = routes;
  }
  // Creating the mesh refuses invalid settings and links.
  createStreamedMesh(manifest);
  return manifest;
}

/** Returns a mesh of a manifest: its links and no tiles. */
export function createStreamedMesh({ settings, links }: WorldManifest): NavMesh {
  try {
    if (!(settings.tileSize > 0)) throw new Error('settings.tileSize must be > 0');
    const mesh = createNavMesh(settings);
    if (!Array.isArray(links)) throw new Error('links must be an array');
    for (const link of links) addLink(mesh, link);
    return mesh;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(what: string): never {
  throw new Error(`the manifest of the world cannot be used: ${what}`);
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    fail('it is not JSON, or cut off; check the address of the store, or publish again');
  }
  return fail('it is not a JSON object');
}

function checkWhole(name: string, value: unknown, least: number, most: number): void {
  if (!(Number.isInteger(value) && (value as number) >= least && (value as number) <= most)) {
    fail(`${name} must be a whole number from ${least} to ${most}`);
  }
}

function checkTiles({ countX, countZ, tiles }: WorldManifest): void {
  if (typeof tiles !== 'object' || tiles === null) fail('it has no tiles');
  const count = Array.isArray(tiles.number) ? tiles.number.length : 0;
  for (const name of COLUMNS) {
    const column: unknown = tiles[name];
    if (!Array.isArray(column) || column.length !== count) fail(`tiles.${name} must have an entry for each tile`);
  }
  if (count > MAX_TILES) fail(`it has more than ${MAX_TILES} tiles`);
  for (let i = 0; i < count; i++) {
    checkWhole(`tiles.number[${i}]`, tiles.number[i], i > 0 ? tiles.number[i - 1] + 1 : 0, countX * countZ - 1);
    checkWhole(`tiles.bytes[${i}]`, tiles.bytes[i], 1, 2 ** 31);
    checkWhole(`tiles.polys[${i}]`, tiles.polys[i], 0, 2 ** 16);
    if (typeof tiles.key[i] !== 'string' || !KEY.test(tiles.key[i])) fail(`tiles.key[${i}] is no content key`);
    if (!(Number.isFinite(tiles.minY[i]) && tiles.minY[i] <= tiles.maxY[i] && Number.isFinite(tiles.maxY[i]))) {
      fail(`tiles.minY[${i}] and tiles.maxY[${i}] must be finite and in order`);
    }
  }
}

function checkRoutes(routes: ManifestRoutes): void {
  const { number, key, bytes } = typeof routes === 'object' && routes !== null ? routes : ({} as ManifestRoutes);
  const isSame = [number, key, bytes].every((column) => Array.isArray(column) && column.length === number.length);
  if (!isSame || number.length > MAX_TILES) fail('routes must have a number, a key and bytes for each block');
  for (let i = 0; i < number.length; i++) {
    checkWhole(`routes.number[${i}]`, number[i], i > 0 ? number[i - 1] + 1 : 0, MAX_TILES);
    checkWhole(`routes.bytes[${i}]`, bytes[i], 1, 2 ** 31);
    if (typeof key[i] !== 'string' || !KEY.test(key[i])) fail(`routes.key[${i}] is no key`);
  }
}
