/**
 * Loads the tiles of a published world around points, and removes distant tiles.
 *
 * Each call ranks the tiles within `radius` of a point by distance, tiles ahead of a moving point first, and keeps as
 * many as fit into `maxBytes`. Tiles beyond `keepRadius` are removed, and requests for them are aborted. The store
 * reads the files. A tile that has arrived is checked and added to the mesh, or waits for the next call when `maxMs`
 * have passed.
 *
 * In: a world and points. Out: the changed mesh, and counts.
 * Cost: linear in the tiles within `keepRadius` of each point, per call; one `addTile` for each new tile.
 * Based on: own.
 */
import {
  checkFinite,
  checkHandle,
  checkKeys,
  checkMutable,
  checkObject,
  refuse,
  refuseType,
} from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { addTile, removeTile } from '../../mesh/change/tiles.ts';
import type { DecodedTile } from '../worker/decode-jobs.ts';
import { tileName } from './manifest.ts';
import type { StreamedWorld, TileFailure } from './open.ts';

const CALLER = 'streamAround';
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_REQUESTS = 8;
const DEFAULT_MAX_MS = 2;
const DEFAULT_TIMEOUT_MS = 15_000;
/** `ahead` as a multiple of `radius`. */
const AHEAD = 2;
/** `keepRadius` as a multiple of `radius`. */
const KEEP = 1.25;
/** Seconds of a point's movement that count in the ranking of tiles. */
const AHEAD_SECONDS = 2;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;
const MOST_DOUBLINGS = 7;

/** A point to stream around, and its movement. */
export interface StreamPoint {
  position: PointLike;
  /** World units per second; tiles ahead come first. Default: the point stands. */
  velocity?: PointLike;
  /**
   * The points that it passes next, such as `points` and `rest` of a routed path. Tiles on this path are loaded, too.
   * Default: unknown.
   */
  path?: readonly PointLike[];
}

/** Options of `streamAround`. */
export interface StreamOptions {
  /** Tiles within this horizontal distance of a point are loaded, world units, > 0. */
  radius: number;
  /**
   * Tiles on the path of a point are loaded up to this distance along it, world units, >= 0. Default 2 ×
   * radius.
   */
  ahead?: number;
  /** Tiles further from all points are removed, world units, at least `radius`. Default 1.25 × radius. */
  keepRadius?: number;
  /** Limit for the bytes of the files of all loaded or requested tiles, > 0. Default 64 MiB. */
  maxBytes?: number;
  /** Limit of simultaneous requests, 1 or more. Default 8. */
  maxRequests?: number;
  /** Milliseconds for adding tiles per call; at least one is added. Default 2. */
  maxMs?: number;
  /** Milliseconds after which a request without an answer is aborted and counts as failed, > 0. Default 15,000. */
  timeoutMs?: number;
}

const OPTION_KEYS = ['radius', 'ahead', 'keepRadius', 'maxBytes', 'maxRequests', 'maxMs', 'timeoutMs'] as const;

/** Result of `streamAround`. */
export interface StreamResult {
  /** Numbers of tiles that this call added to the mesh and removed from it. */
  addedTiles: number;
  removedTiles: number;
  /** Number of tiles in the mesh. */
  loadedTiles: number;
  /** Number of tiles within `radius`, or on a path, that are not in the mesh yet: requested, waiting or failed. */
  missingTiles: number;
  /** Number of tiles within `radius` that exceed `maxBytes`; these are the furthest ones. */
  leftOutTiles: number;
  /** Bytes of the files of all tiles that are loaded or requested. */
  bytes: number;
  /** Tiles within `radius` that could not be loaded. They are requested again after a pause. */
  failures: TileFailure[];
}

interface Ranked {
  row: number;
  /** Horizontal distance to the nearest point. */
  distance: number;
  /** Tiles with smaller ranks come first. */
  rank: number;
}

/**
 * Loads the tiles of a world around points into its mesh, and removes distant ones. Call it often, for
 * example in each frame. It never waits: tiles that have not arrived yet are added by a later call.
 *
 * @throws TypeError, RangeError for an invalid world, points and options
 */
export function streamAround(
  world: StreamedWorld,
  points: readonly (PointLike | StreamPoint)[],
  options: StreamOptions,
): StreamResult {
  const limits = readOptions(world, points, options);
  failStalled(world, limits.timeoutMs);
  const ranked = rankTiles(world, readPoints(points), limits);
  const { wanted, leftOut } = chooseTiles(world, ranked, limits);
  const removedTiles = removeOthers(world, new Set(wanted.map(({ row }) => row)), ranked);
  const addedTiles = addArrived(world, wanted, limits.maxMs);
  requestMissing(world, wanted, limits);
  const near = wanted.filter(({ distance }) => distance <= limits.radius);
  return {
    addedTiles,
    removedTiles,
    loadedTiles: world.slots.size,
    missingTiles: near.filter(({ row }) => !world.slots.has(row)).length,
    leftOutTiles: leftOut,
    bytes: world.bytes,
    failures: near.flatMap(({ row }) => world.failures.get(row) ?? []),
  };
}

/** Aborts all requests of a world. Its mesh does not change. */
export function stopStreaming(world: StreamedWorld): void {
  checkStreamed('stopStreaming', world);
  for (const row of world.requests.keys()) abort(world, row);
}

type Limits = Required<StreamOptions>;

function checkStreamed(caller: string, world: StreamedWorld): void {
  const isWorld = typeof world === 'object' && world !== null && world.slots instanceof Map;
  if (!isWorld) refuseType(caller, 'world', world, 'a world of openWorld(store)');
}

function readOptions(world: StreamedWorld, points: unknown, options: StreamOptions): Limits {
  checkStreamed(CALLER, world);
  checkMutable(CALLER, 'world', world);
  if (!Array.isArray(points)) refuseType(CALLER, 'points', points, 'an array of points');
  checkObject(CALLER, 'options', options);
  checkKeys(CALLER, options, OPTION_KEYS);
  const { radius, maxBytes = DEFAULT_MAX_BYTES, maxRequests = DEFAULT_MAX_REQUESTS, maxMs = DEFAULT_MAX_MS } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  checkFinite(CALLER, 'options.radius', radius);
  if (!(radius > 0)) refuse(CALLER, 'options.radius', radius, '> 0');
  const { keepRadius = KEEP * radius, ahead = AHEAD * radius } = options;
  const numbers = { keepRadius, ahead, maxBytes, maxRequests, maxMs, timeoutMs };
  for (const [name, value] of Object.entries(numbers)) checkHandle(CALLER, `options.${name}`, value);
  if (!(keepRadius >= radius && keepRadius < Infinity)) {
    refuse(CALLER, 'options.keepRadius', keepRadius, `finite and at least the radius, ${radius}`);
  }
  if (!(ahead >= 0 && ahead < Infinity)) refuse(CALLER, 'options.ahead', ahead, 'finite and 0 or more');
  if (!(timeoutMs > 0)) refuse(CALLER, 'options.timeoutMs', timeoutMs, '> 0');
  if (!(maxBytes > 0)) refuse(CALLER, 'options.maxBytes', maxBytes, '> 0');
  if (!(Number.isInteger(maxRequests) && maxRequests >= 1)) {
    refuse(CALLER, 'options.maxRequests', maxRequests, 'a whole number from 1');
  }
  if (!(maxMs >= 0)) refuse(CALLER, 'options.maxMs', maxMs, '0 or more');
  return { radius, ...numbers };
}

/** A point: x, z, velocity x, z, and x and z of the points on its path. */
interface Walker {
  at: readonly [number, number, number, number];
  path: readonly (readonly [number, number])[];
}

function readPoints(points: readonly (PointLike | StreamPoint)[]): Walker[] {
  const out = new Float64Array(3);
  const read = (point: PointLike, path: string): [number, number] => {
    readPoint(out, point, CALLER, path);
    return [out[0], out[2]];
  };
  return points.map((point, i): Walker => {
    const name = `points[${i}]`;
    const moving = point as StreamPoint | null;
    if (typeof moving !== 'object' || moving?.position === undefined)
      return { at: [...read(point as PointLike, name), 0, 0], path: [] };
    checkKeys(CALLER, moving, ['position', 'velocity', 'path'], name);
    const velocity = moving.velocity === undefined ? ([0, 0] as const) : read(moving.velocity, `${name}.velocity`);
    const { path = [] } = moving;
    if (!Array.isArray(path)) refuseType(CALLER, `${name}.path`, path, 'an array of points');
    return {
      at: [...read(moving.position, `${name}.position`), ...velocity],
      path: path.map((next: PointLike, k: number) => read(next, `${name}.path[${k}]`)),
    };
  });
}

/** Returns the tiles within `keepRadius` of a point or on a path that have polygons, the most urgent ones first. */
function rankTiles(world: StreamedWorld, points: readonly Walker[], limits: Limits): Ranked[] {
  const { radius, keepRadius } = limits;
  const { countX, countZ, settings, tiles } = world.manifest;
  const { tileSize, origin } = settings;
  const found = new Map<number, Ranked>();
  const cellOf = (value: number, axis: number, count: number): number =>
    Math.min(count, Math.max(-1, Math.floor((value - origin[axis]) / tileSize)));
  const offer = (row: number, distance: number, rank: number): void => {
    const before = found.get(row);
    if (before === undefined) found.set(row, { row, distance, rank });
    else {
      before.distance = Math.min(before.distance, distance);
      before.rank = Math.min(before.rank, rank);
    }
  };
  for (const {
    at: [x, z, velocityX, velocityZ],
    path,
  } of points) {
    const aheadX = x + AHEAD_SECONDS * velocityX;
    const aheadZ = z + AHEAD_SECONDS * velocityZ;
    const lastX = Math.min(countX - 1, cellOf(x + keepRadius, 0, countX));
    const lastZ = Math.min(countZ - 1, cellOf(z + keepRadius, 2, countZ));
    for (let tileZ = Math.max(0, cellOf(z - keepRadius, 2, countZ)); tileZ <= lastZ; tileZ++) {
      for (let tileX = Math.max(0, cellOf(x - keepRadius, 0, countX)); tileX <= lastX; tileX++) {
        const row = world.rows.get(tileX + tileZ * countX);
        if (row === undefined || tiles.polys[row] === 0) continue;
        const minX = origin[0] + tileX * tileSize;
        const minZ = origin[2] + tileZ * tileSize;
        const distance = distanceToSquare(x, z, minX, minZ, tileSize);
        if (distance > keepRadius) continue;
        // The tile that a point is over comes first at any speed.
        const ahead = distanceToSquare(aheadX, aheadZ, minX, minZ, tileSize);
        // Tiles beside a known path can wait.
        const later = (distance > radius ? radius : 0) + (path.length > 0 ? radius : 0);
        const rank = distance === 0 ? 0 : later + distance + ahead;
        offer(row, distance, rank);
      }
    }
    walkPath(x, z, path, limits.ahead, PATH_STEP * tileSize, (atX, atZ, walked) => {
      const tileX = cellOf(atX, 0, countX);
      const row = tileX < 0 || tileX === countX ? undefined : world.rows.get(tileX + cellOf(atZ, 2, countZ) * countX);
      // Tiles on the path count as near, and come in the order in which the path reaches them.
      if (row !== undefined && tiles.polys[row] > 0) offer(row, Math.min(walked, radius), walked);
    });
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank || a.row - b.row);
}

/**
 * Distance between positions along a path, as a share of a tile's side. It is small enough for a path that cuts off the
 * corner of a tile.
 */
const PATH_STEP = 1 / 16;

/** Visits positions along a path with their distances along it, up to `ahead`. */
// oxlint-disable-next-line max-params -- a start, a path and how to walk along it
function walkPath(
  startX: number,
  startZ: number,
  path: Walker['path'],
  ahead: number,
  step: number,
  visit: (x: number, z: number, walked: number) => void,
): void {
  let [x, z, walked] = [startX, startZ, 0];
  for (const [nextX, nextZ] of path) {
    const length = Math.sqrt((nextX - x) * (nextX - x) + (nextZ - z) * (nextZ - z));
    const count = Math.ceil(Math.min(length, ahead - walked) / step);
    for (let i = 1; i <= count; i++) {
      const t = Math.min(1, (i * step) / length);
      visit(x + t * (nextX - x), z + t * (nextZ - z), walked + t * length);
    }
    walked += length;
    if (walked >= ahead) return;
    x = nextX;
    z = nextZ;
  }
}

function distanceToSquare(x: number, z: number, minX: number, minZ: number, side: number): number {
  const dx = Math.max(minX - x, 0, x - minX - side);
  const dz = Math.max(minZ - z, 0, z - minZ - side);
  return Math.sqrt(dx * dx + dz * dz);
}

/**
 * Returns the wanted tiles: those within the radius, followed by loaded ones up to `keepRadius`, while they fit into
 * `maxBytes`.
 */
function chooseTiles(
  world: StreamedWorld,
  ranked: readonly Ranked[],
  { radius, maxBytes }: Limits,
): { wanted: Ranked[]; leftOut: number } {
  const { bytes } = world.manifest.tiles;
  const wanted: Ranked[] = [];
  let sum = 0;
  let leftOut = 0;
  const isNear = ({ distance }: Ranked): boolean => distance <= radius;
  const isHeld = ({ row }: Ranked): boolean =>
    world.slots.has(row) || world.arrived.has(row) || world.requests.has(row);
  for (const tile of [...ranked.filter(isNear), ...ranked.filter((one) => !isNear(one) && isHeld(one))]) {
    if (sum + bytes[tile.row] > maxBytes) {
      if (isNear(tile)) leftOut++;
      continue;
    }
    sum += bytes[tile.row];
    wanted.push(tile);
  }
  return { wanted, leftOut };
}

/** Removes tiles and aborts requests that are not wanted. Returns the number of tiles removed from the mesh. */
function removeOthers(world: StreamedWorld, wanted: ReadonlySet<number>, ranked: readonly Ranked[]): number {
  const { navMesh, slots, arrived, requests, failures } = world;
  let count = 0;
  for (const [row, slot] of slots) {
    if (wanted.has(row)) continue;
    removeTile(navMesh, slot);
    slots.delete(row);
    free(world, row);
    count++;
  }
  for (const row of arrived.keys()) {
    if (wanted.has(row)) continue;
    arrived.delete(row);
    free(world, row);
  }
  for (const row of requests.keys()) if (!wanted.has(row)) abort(world, row);
  const near = new Set(ranked.map(({ row }) => row));
  for (const row of failures.keys()) if (!near.has(row)) failures.delete(row);
  return count;
}

function free(world: StreamedWorld, row: number): void {
  world.bytes -= world.manifest.tiles.bytes[row];
}

function abort(world: StreamedWorld, row: number): void {
  world.requests.get(row)!.abort();
  world.requests.delete(row);
  free(world, row);
}

/** Adds tiles that have arrived to the mesh, the most urgent first. Returns their number. */
function addArrived(world: StreamedWorld, wanted: readonly Ranked[], maxMs: number): number {
  const { navMesh, slots, arrived, failures } = world;
  const begun = performance.now();
  let count = 0;
  for (const { row } of wanted) {
    if (arrived.size === 0) break;
    const tile = arrived.get(row);
    if (tile === undefined) continue;
    if (count > 0 && performance.now() - begun >= maxMs) break;
    arrived.delete(row);
    try {
      slots.set(row, addTile(navMesh, tile));
      failures.delete(row);
      count++;
    } catch (error) {
      fail(world, row, (error as Error).message);
    }
  }
  return count;
}

/** Aborts requests that have had no answer for too long. */
function failStalled(world: StreamedWorld, timeoutMs: number): void {
  const now = performance.now();
  for (const [row, control] of world.requests) {
    if (now - world.begun.get(row)! < timeoutMs) continue;
    world.requests.delete(row);
    fail(world, row, `${tileName(world.manifest.tiles.key[row])} did not arrive within ${timeoutMs} ms`);
    control.abort();
  }
}

/** Requests wanted tiles, the most urgent first. */
function requestMissing(world: StreamedWorld, wanted: readonly Ranked[], { maxRequests }: Limits): void {
  const { requests, slots, arrived, failures, manifest } = world;
  for (const { row } of wanted) {
    if (requests.size >= maxRequests) return;
    if (slots.has(row) || arrived.has(row) || requests.has(row)) continue;
    if ((failures.get(row)?.retryAt ?? 0) > performance.now()) continue;
    const control = new AbortController();
    requests.set(row, control);
    world.begun.set(row, performance.now());
    world.bytes += manifest.tiles.bytes[row];
    void load(world, row, control);
  }
}

async function load(world: StreamedWorld, row: number, control: AbortController): Promise<void> {
  const { store, manifest, requests, arrived } = world;
  const key = manifest.tiles.key[row];
  const size = manifest.tiles.bytes[row];
  let reason = '';
  let tile: DecodedTile | undefined;
  try {
    const bytes = await store.get(tileName(key), control.signal, size);
    if (bytes === undefined) reason = `the store has no ${tileName(key)}`;
    else if (bytes.length > size) reason = `${tileName(key)} has ${bytes.length} bytes; the manifest says ${size}`;
    else {
      tile = await world.decode(bytes, key);
      if (tile?.data === undefined || tile.tile !== manifest.tiles.number[row]) {
        tile = undefined;
        reason = `${tileName(key)} is damaged, cut off, or of another tile`;
      }
    }
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  // Aborted requests are no longer in the list, and their tiles may have been requested again.
  if (requests.get(row) !== control) return;
  requests.delete(row);
  if (tile?.data !== undefined) arrived.set(row, tile.data);
  else fail(world, row, reason);
}

/** Notes that a tile could not be loaded. Pauses double from one attempt to the next. */
function fail(world: StreamedWorld, row: number, reason: string): void {
  const { manifest, failures } = world;
  const number = manifest.tiles.number[row];
  const x = number % manifest.countX;
  const attempts = 1 + (failures.get(row)?.attempts ?? 0);
  const pause = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS << Math.min(attempts - 1, MOST_DOUBLINGS));
  const retryAt = performance.now() + pause;
  failures.set(row, { x, z: (number - x) / manifest.countX, reason, attempts, retryAt });
  free(world, row);
}
