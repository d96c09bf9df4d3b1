/**
 * Brings the mesh of a world up to date by rebuilding the marked tiles, within a budget.
 *
 * If only obstacles have changed, a tile is built from the packed spans of its levels, otherwise from their triangles.
 * The tiles that have waited longest come first, so that no tile waits forever while other tiles keep changing. With
 * `maxMs`, a tile that takes too long is built stage by stage over several updates, from its state at the first stage.
 * If it has changed in the meantime, it is queued again.
 *
 * In: a world with marked tiles. Out: a mesh that equals a fresh bake of all levels and obstacles, tile for tile, in any order of
 *   changes. A tile whose rebuild gives the same data stays in place, so that refs to its polygons remain valid.
 * Cost: the build of each marked tile.
 * Based on: own.
 */
import { frameSeconds } from '../../base/data/frame-time.ts';
import { checkFunction, checkKeys, refuse } from '../../base/data/refuse.ts';
import { findTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import { addBuiltTile, removeTile } from '../../mesh/change/tiles.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { runAll } from '../../build/voxel/prepare.ts';
import type { BuiltTile, LevelBuilder, LevelPart, LevelWarning, TileCarving } from './builder.ts';
import { checkWorld, markTile } from './marks.ts';
import { carveWaiting } from './obstacles.ts';
import { isSameTile } from './same.ts';
import type { PartialTile, World } from './types.ts';

/** Limits of one `updateWorld` call, and the time that has passed. */
export interface UpdateBudget {
  /**
   * Limit in milliseconds. The next update continues a tile that takes longer. An update runs at least one stage of a
   * tile, or without tiles the first step of the path index. 0 builds one tile completely. Default: no limit.
   */
  maxMs?: number;
  /** Limit of rebuilt tiles, 1 or more. Default: all. */
  maxTiles?: number;
  /** Called before each tile and each step of the path index except the first; true ends the update. */
  isTimeUp?: () => boolean;
  /**
   * Seconds since the last update, 0 or more: the clock of `carveAfterSeconds`. A time between -1 and 0 counts as 0.
   * Default 0.
   */
  seconds?: number;
}

/** Result of `updateWorld`. */
export interface WorldUpdate {
  navMesh: NavMesh;
  /** [x, z] of the rebuilt tiles. With the option `provisional`, tiles that were cut come first. */
  rebuiltTiles: [number, number][];
  /** Number of these tiles that were added, removed or changed. Refs to polygons of all other tiles stay valid. */
  changedTileCount: number;
  /** Number of tiles that wait for a later update; 0: the mesh is complete. */
  pendingTileCount: number;
  /** Milliseconds by which the update was longer than `maxMs`; 0: it was not. One stage of a tile may be longer than the budget. */
  overMs: number;
  /**
   * [x, z] of the tiles that are cut and wait to be rebuilt: the option `provisional`. Refs into them change with the rebuild. Empty without
   * the option.
   */
  provisionalTiles: [number, number][];
  /** Whether the world's path index is up to date. True without an index. */
  isIndexCurrent: boolean;
  /** Whether the world's automatic links are up to date. True without such links. */
  areLinksCurrent: boolean;
  /** Number of obstacles that must stand still for longer before they carve. */
  waitingObstacleCount: number;
  /** Warnings of the changes and tiles in this update. */
  warnings: LevelWarning[];
}

const BUDGET_KEYS: readonly (keyof UpdateBudget)[] = ['maxMs', 'maxTiles', 'isTimeUp', 'seconds'];

/**
 * Rebuilds the tiles that changes since the last update touch, the longest waiting first, and tiles of one update row
 * by row. With a budget, the remaining tiles wait for the next update. Until then the mesh is valid but partly out of
 * date. When no tile waits, the rest of the budget updates the path index of the world.
 *
 * @throws RangeError, TypeError for an invalid budget; RangeError when a tile has too many polygons; Error on
 *   the first warning when the world's options are `strict`
 */
export function updateWorld(world: World, budget: UpdateBudget = {}): WorldUpdate {
  checkWorld('updateWorld', world);
  checkKeys('updateWorld', budget, BUDGET_KEYS, 'budget');
  const { navMesh, queued } = world;
  const { maxMs = Infinity, maxTiles = Infinity, isTimeUp, seconds = 0 } = budget;
  checkAtLeast('maxMs', maxMs, 0);
  checkAtLeast('maxTiles', maxTiles, 1);
  if (isTimeUp !== undefined) checkFunction('updateWorld', 'budget.isTimeUp', isTimeUp);
  carveWaiting(world, frameSeconds('updateWorld', 'budget.seconds', seconds));
  const hasLimit = maxMs < Infinity || isTimeUp !== undefined;
  let now = maxMs < Infinity ? performance.now() : 0;
  const end = now + maxMs;
  let longest = 0;
  /** Returns whether another step would end too late. Its expected duration is given, or the longest so far. */
  const isOver = (ms?: number): boolean => {
    if (maxMs < Infinity) {
      const then = performance.now();
      longest = ms ?? Math.max(longest, then - now);
      now = then;
    }
    return now + longest > end || isTimeUp?.() === true;
  };
  const isSliced = maxMs > 0 && maxMs < Infinity;
  if (!isSliced) world.partial = null;
  const rebuiltTiles: [number, number][] = [];
  const warnings = queueMarked(world, rebuiltTiles, hasLimit || maxTiles < Infinity ? isOver : undefined);
  const cutCount = rebuiltTiles.length;
  let changedTileCount = cutCount;
  let hasBegun = cutCount > 0;
  while (queued.size > 0 && rebuiltTiles.length < maxTiles + cutCount) {
    if (hasBegun && (isSliced ? isTimeUp?.() === true : isOver())) break;
    const partial = (world.partial ??= startTile(world));
    if (isSliced && !runSlice(world, partial, end, !hasBegun)) {
      hasBegun = true;
      break;
    }
    hasBegun = true;
    const { key } = partial;
    const from = isSliced ? performance.now() : 0;
    const built = partial.built ?? runAll(partial.steps);
    // If the tile has changed since its first stage, its spans may contain removed levels and are not kept.
    if (replaceTile(world, key, partial.isStale ? { ...built, layers: undefined } : built)) changedTileCount++;
    if (isSliced) noteStage(world, 'insert', performance.now() - from);
    if (partial.isStale) queued.add(key);
    warnings.push(...built.warnings);
    rebuiltTiles.push(tileOfKey(key));
  }
  /**
   * Updates links or the index with the rest of the budget, when no tile waits. Returns whether the update is complete.
   */
  const isCurrent = <T>(one: { update: (of: T, isTimeUp?: () => boolean) => boolean } | undefined, of: T): boolean => {
    if (one === undefined) return true;
    if (queued.size > 0 || (hasLimit && hasBegun && isOver())) return false;
    longest = 0;
    hasBegun = true;
    return one.update(of, hasLimit ? isOver : undefined);
  };
  if (world.areLinksPending) world.keepReachable?.restore(navMesh);
  const areLinksCurrent = isCurrent(world.worldLinks, world);
  world.areLinksPending = !areLinksCurrent;
  leaveOut(world, 'updateWorld', warnings);
  // Incomplete links have used up the time, so the index is never begun on a mesh that the next update changes.
  const isIndexCurrent = isCurrent(world.pathIndex, navMesh);
  return {
    navMesh,
    rebuiltTiles,
    changedTileCount,
    pendingTileCount: queued.size,
    overMs: Math.max(0, performance.now() - end),
    provisionalTiles: [],
    isIndexCurrent,
    areLinksCurrent,
    waitingObstacleCount: world.waiting.size,
    warnings,
    ...world.provisional?.report(world),
  };
}

/** Begins the tile that has waited longest. */
function startTile(world: World): PartialTile {
  const { builder, queued } = world;
  const [key] = queued;
  const [x, z] = tileOfKey(key);
  const [parts, carving] = [partsOf(world, key), carvingOf(world, key)];
  const build = (own: TileCarving): Generator<string, BuiltTile> =>
    builder.buildSteps?.(x, z, parts, own) ?? wholeTile(builder, x, z, parts, own);
  const steps = world.provisional?.build(world, key, carving, build) ?? build(carving);
  return { key, steps, stage: '', built: undefined, isStale: false };
}

function* wholeTile(
  builder: LevelBuilder,
  ...tile: Parameters<LevelBuilder['buildTile']>
): Generator<string, BuiltTile> {
  yield 'tile';
  return builder.buildTile(...tile);
}

/**
 * Weights of a new duration in the expected one, when it is longer and when it is shorter. The longer one weighs more,
 * because stages should end in time.
 */
const LONGER_SHARE = 0.4;
const SHORTER_SHARE = 0.2;
/** Durations above this many times the expected one are limited, because they include pauses of the program. */
const LONGEST_GROWTH = 4;

function noteStage({ stageMs }: World, stage: string, ms: number): void {
  const before = stageMs.get(stage) ?? ms;
  ms = Math.min(ms, LONGEST_GROWTH * before);
  stageMs.set(stage, before + (ms > before ? LONGER_SHARE : SHORTER_SHARE) * (ms - before));
}

/**
 * Runs stages of a tile while the next one is expected to end in time. The first stage of an update always runs.
 * Returns whether the tile can be put into the mesh.
 */
function runSlice(world: World, partial: PartialTile, end: number, isFirst: boolean): boolean {
  let now = performance.now();
  for (let mayWait = !isFirst; ; mayWait = true) {
    const { stage } = partial;
    if (mayWait && now + (world.stageMs.get(stage) ?? 0) > end) return false;
    if (partial.built !== undefined) return true;
    const step = partial.steps.next();
    if (step.done === true) {
      partial.built = step.value;
      partial.stage = 'insert';
    } else partial.stage = step.value;
    const then = performance.now();
    noteStage(world, stage, then - now);
    now = then;
  }
}

/**
 * Queues the tiles of all changes since the last update, and returns their warnings. With the option `provisional` and a budget, tiles that
 * are cut are added to `cut` instead.
 */
export function queueMarked(
  world: World,
  cut: [number, number][] = [],
  isTimeUp?: (expectedMs: number) => boolean,
): LevelWarning[] {
  const { marked, queued } = world;
  const warnings = world.warnings.splice(0);
  if (marked.size > 0) warnings.push(...fit(world));
  world.provisional?.update(world, cut, isTimeUp);
  for (const key of [...marked].sort((a, b) => a - b)) queued.add(key);
  marked.clear();
  return warnings;
}

/**
 * Replaces a tile of the mesh by a built one, unless both are equal, and removes it from the queue. Returns whether it
 * has changed.
 */
export function replaceTile(world: World, key: number, { tile, layers }: BuiltTile): boolean {
  const { navMesh } = world;
  const [x, z] = tileOfKey(key);
  world.keepReachable?.restore(navMesh);
  if (layers !== undefined) world.layers.set(key, layers);
  const slot = findTile(navMesh, x, z);
  const isSame = tile === null ? slot < 0 : slot >= 0 && isSameTile(navMesh, slot, tile);
  if (!isSame && !world.provisional?.swap(world, slot, tile)) {
    if (slot >= 0) removeTile(navMesh, slot);
    if (tile !== null) addBuiltTile(navMesh, tile);
  }
  world.worldLinks?.mark(key);
  world.queued.delete(key);
  world.building.delete(key);
  if (world.partial?.key === key) world.partial = null;
  return !isSame;
}

/** Leaves out mesh that the option `keepReachable` does not keep. Links come first, because they may lead there. */
export function leaveOut(world: World, caller: string, warnings: LevelWarning[]): void {
  world.keepReachable?.update(caller, { navMesh: world.navMesh, report: { warnings } }, world);
}

function checkAtLeast(key: keyof UpdateBudget, value: unknown, least: number): void {
  if (typeof value !== 'number' || !(value >= least)) refuse('updateWorld', `budget.${key}`, value, `${least} or more`);
}

/** Returns the lowest and the highest corner of all levels and added surfaces. */
export function heightsOf(world: World): { minY: number; maxY: number } {
  let minY = Infinity;
  let maxY = -Infinity;
  const include = (prepared: { minY: number; maxY: number }): void => {
    minY = Math.min(minY, prepared.minY);
    maxY = Math.max(maxY, prepared.maxY);
  };
  for (const { prepared } of world.levels.values()) include(prepared);
  for (const { carved } of world.obstacles.values()) if (carved?.surface) include(carved.surface);
  return { minY, maxY };
}

/** Fits the builder to the height of all levels and added surfaces. Marks all tiles when its first row moves. */
function fit(world: World): LevelWarning[] {
  const { navMesh, builder } = world;
  const { minY, maxY } = heightsOf(world);
  const { isMoved, warnings } = builder.fitHeight(minY, maxY);
  if (isMoved) {
    world.partial = null;
    world.layers.clear();
    for (const key of [...world.seenBy.keys(), ...world.carvedBy.keys()]) markTile(world, key);
  }
  navMesh.origin[1] = builder.settings.origin[1];
  return warnings;
}

/** Returns the triangles of levels that a tile depends on. */
export function partsOf(world: World, key: number): LevelPart[] {
  const ids = world.seenBy.get(key) ?? [];
  return ids.map((id) => {
    const {
      positions,
      prepared: { indices, areas },
      tiles,
    } = world.levels.get(id)!;
    const i = tiles.indexOf.get(key)!;
    return { positions, indices, areas, list: tiles.list, from: tiles.start[i], to: tiles.start[i + 1] };
  });
}

/** Returns the obstacles that carve a tile, and its packed spans. */
export function carvingOf(world: World, key: number): TileCarving {
  const carving: TileCarving = {
    obstacles: [],
    surfaces: [],
    layers: world.layers.get(key),
    base: world.base.get(key),
  };
  for (const id of world.carvedBy.get(key) ?? []) {
    const { placed, surface, tiles } = world.obstacles.get(id)!.carved!;
    carving.obstacles.push(placed);
    if (surface === null) continue;
    const { indices, areas } = surface;
    const i = tiles.indexOf.get(key)!;
    const [from, to] = [tiles.start[i], tiles.start[i + 1]];
    carving.surfaces.push({ positions: placed.positions, indices, areas, list: tiles.list, from, to });
  }
  return carving;
}
