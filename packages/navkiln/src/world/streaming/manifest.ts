/**
 * The manifest of a published world: its settings, and for each tile the content key, the size of its file, and the
 * data with which a client decides whether to load it.
 *
 * A store contains `world.json`, the current manifest; `manifests/00000007.json`, a copy of each published manifest;
 * `tiles/KEY.navtile`, files of tiles, which never change; and `routes/KEY.navroutes`, records of blocks of tiles. A
 * manifest is JSON with a column for each property of the tiles.
 *
 * In: a manifest. Out: bytes. The reverse checks every number of the manifest.
 * Cost: linear in the tiles; about 60 bytes per tile.
 * Based on: own.
 */
import { createNavMesh } from '../../mesh/create.ts';
import { addLink } from '../../mesh/change/links.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import { copySizes } from '../../mesh/sizes-file.ts';
import type { NavMesh, TileSettings } from '../../mesh/types.ts';

const FORMAT = 'navkiln-world';
const VERSION = 1;
/** The name of the current manifest. */
export const CURRENT = 'world.json';
/** The folder of route files. */
export const ROUTES = 'routes/';
const HISTORY = /^manifests\/(\d{8})\.json$/;
const TILE_FILE = /^tiles\/([0-9a-f]{32})\.navtile$/;
const ROUTE_FILE = /^routes\/([0-9a-f]{32})\.navroutes$/;
const KEY = /^[0-9a-f]{32}$/;
const MAX_SEQUENCE = 99_999_999;
const MAX_TILES = 2 ** 20;

/** The content of a published world: its settings, and the content key of each tile. */
export interface WorldManifest {
  /** Number of the publication, from 1. */
  sequence: number;
  /** Version of the bake's results, which content keys cover. */
  bakeVersion: number;
  settings: TileSettings;
  /** Number of tiles along x and along z. */
  countX: number;
  countZ: number;
  /** Off-mesh links. */
  links: LinkOptions[];
  tiles: ManifestTiles;
  /** Route files; absent if the world was published without routes. */
  routes?: ManifestRoutes;
}

/** Files with the route records of blocks of tiles, one column per property. */
export interface ManifestRoutes {
  /** Number of the block, increasing. */
  number: number[];
  /** Names of files. */
  key: string[];
  /** Bytes of the file. */
  bytes: number[];
}

/** One column per property; equal positions belong to one tile. */
export interface ManifestTiles {
  /** x + z * countX, increasing. */
  number: number[];
  /** Content keys. */
  key: string[];
  /** Bytes of the file. */
  bytes: number[];
  /** Number of polygons; 0: the file need not be loaded. */
  polys: number[];
  /** Heights of the lowest and the highest vertex, world units. */
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

/** Returns the key in a file name, or undefined if it is neither a tile nor a route file. */
export function keyOfName(name: string): string | undefined {
  return (TILE_FILE.exec(name) ?? ROUTE_FILE.exec(name))?.[1];
}

/** Returns the name of the copy of a manifest. */
export function historyName(sequence: number): string {
  return `manifests/${String(sequence).padStart(8, '0')}.json`;
}

/** Returns the sequence in the name of a manifest's copy, or undefined for other names. */
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

/** Returns the manifest in `bytes`. Throws an Error that describes the problem. */
export function readManifest(bytes: Uint8Array): WorldManifest {
  const value = parse(bytes);
  if (value['format'] !== FORMAT) fail('it is not a manifest of a world; check the address of the store');
  if (value['version'] !== VERSION) {
    fail(
      `its version is ${String(value['version'])}, and this navkiln reads version ${VERSION}; install the version that wrote it, or publish again`,
    );
  }
  const { sequence, bakeVersion, settings, countX, countZ, links, tiles, routes } = value as unknown as WorldManifest;
  const manifest: WorldManifest = { sequence, bakeVersion, settings, countX, countZ, links, tiles };
  checkHead(manifest);
  checkTiles(manifest);
  if (routes !== undefined) {
    checkRoutes(routes);
    manifest.routes = routes;
  }
  return manifest;
}

/** Throws an Error for numbers, settings and links that a manifest cannot have. */
export function checkHead(manifest: WorldManifest): void {
  checkWhole('sequence', manifest.sequence, 1, MAX_SEQUENCE);
  checkWhole('bakeVersion', manifest.bakeVersion, 1, Number.MAX_SAFE_INTEGER);
  checkWhole('countX', manifest.countX, 1, MAX_TILES);
  checkWhole('countZ', manifest.countZ, 1, MAX_TILES);
  // Creating the mesh throws for invalid settings and links.
  createStreamedMesh(manifest);
}

/** Returns whether a value is a content key. */
export function isContentKey(value: unknown): value is string {
  return typeof value === 'string' && KEY.test(value);
}

/** Returns the mesh of a manifest, with its links and without tiles. */
export function createStreamedMesh({ settings, links }: WorldManifest): NavMesh {
  try {
    if (!(settings?.tileSize > 0)) throw new Error('settings.tileSize must be > 0');
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
    if (!isContentKey(tiles.key[i])) fail(`tiles.key[${i}] is not a content key`);
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
    if (!isContentKey(key[i])) fail(`routes.key[${i}] is not a key`);
  }
}
