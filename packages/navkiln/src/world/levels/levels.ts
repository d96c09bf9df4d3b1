/**
 * Builds one NavMesh over several levels. Levels are triangle meshes with a placement; they can be added,
 * moved and removed at any time. `updateLevels` then rebuilds only the tiles that a change touches.
 *
 * A tile depends on the triangles within its square and a border around it. Each level knows these triangles
 * by tile (tiles.ts). A change marks the tiles of the level before and after it.
 *
 * In: triangles and placements. Out: a mesh that equals a fresh build of all levels, tile for tile, in any
 * order of edits. A tile whose rebuild gives the same data stays in place, so that refs to its polygons
 * remain valid.
 * Cost: a change is linear in the changed level, plus the build of each marked tile. Other levels only cost
 * time where they share a tile.
 * Based on: own.
 */
import {
  checkArray,
  checkFunction,
  checkHandle,
  checkKeys,
  checkNumbers,
  checkObject,
  refuse,
  refuseType,
} from '../../data/refuse.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../data/two-sided.ts';
import { addLink } from '../../navmesh/links.ts';
import { emptyNavMesh } from '../../navmesh/create.ts';
import { findTile, tileOfKey } from '../../navmesh/tile-grid.ts';
import { addBuiltTile, removeTile } from '../../navmesh/tiles.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { BuildOptions, TriangleInput } from '../../voxel/options.ts';
import type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel } from './builder.ts';
import { mirrors, placementMatrix, transformed } from './placement.ts';
import type { Affine, LevelPlacement } from './placement.ts';
import { renameRefusals } from './rename.ts';
import { isSameTile } from './same.ts';
import { ALL_TILES, tilesOfLevel } from './tiles.ts';
import type { LevelTiles, TileGrid } from './tiles.ts';
import { createVoxelBuilder } from './voxel.ts';

/** The id of a level in its set: 1, 2, 3, … in the order of `addLevel`. Ids are never reused. */
export type LevelId = number;

/** Options of `createLevelSet`: those of `buildNavMesh`, and a builder. */
export interface LevelSetOptions extends BuildOptions {
  /**
   * How triangles become tiles. Default 'voxel', as in `buildNavMesh`. For surface meshes use
   * `createSurfaceLevelSet`.
   */
  build?: 'voxel' | LevelBuilder;
}

/** A placed level. */
interface Level {
  input: TriangleInput;
  matrix: Affine;
  positions: Float64Array;
  prepared: PreparedLevel;
  tiles: LevelTiles;
}

/** A set of levels and their mesh. Created by `createLevelSet`; only functions of this module change it. */
export interface LevelSet {
  /** The mesh of all levels. `updateLevels` changes it in place. */
  navMesh: NavMesh;
  builder: LevelBuilder;
  grid: TileGrid;
  nextId: LevelId;
  levels: Map<LevelId, Level>;
  /** Ids of the levels that reach into a tile, ascending, by the tile's key. */
  seenBy: Map<number, LevelId[]>;
  /** Keys of tiles to rebuild. */
  marked: Set<number>;
  /** Warnings of changes since the last update. */
  warnings: LevelWarning[];
}

/** Limits of one `updateLevels` call. */
export interface UpdateBudget {
  /** Most tiles to rebuild. Default: all. */
  maxTiles?: number;
  /**
   * Called before each tile except the first; true ends the update. For example `() => performance.now() >
   * end`.
   */
  isTimeUp?: () => boolean;
}

/** Result of `updateLevels`. */
export interface LevelUpdate {
  navMesh: NavMesh;
  /** [x, z] of the rebuilt tiles. */
  rebuiltTiles: [number, number][];
  /** How many of them were added, removed or changed. Refs to polygons of all other tiles stay valid. */
  changedTileCount: number;
  /** Tiles left for the next update; 0: the mesh is complete. */
  pendingTileCount: number;
  /** Warnings of the changes and tiles in this update. */
  warnings: LevelWarning[];
}

const BUDGET_KEYS: readonly (keyof UpdateBudget)[] = ['maxTiles', 'isTimeUp'];
/** The start of `addLink`'s messages, up to the name of a link's field. */
const LINK_PATH = /^addLink: (options|link)/;

/**
 * Creates an empty set of levels.
 *
 * @param options those of `buildNavMesh`; `tileSize` is required. With `bounds`, the walkable surface is cut
 *   off at them and tiles begin at their corner. Without, levels may be anywhere.
 * @throws RangeError, TypeError for unknown or invalid options, and without `tileSize`
 */
export function createLevelSet(options: LevelSetOptions): LevelSet {
  checkObject('createLevelSet', 'options', options);
  const { builder, links } = builderOf(options);
  const {
    settings: { agent, cellSize, cellHeight, tileSize, origin },
    reach,
    range = ALL_TILES,
  } = builder;
  // Builders have checked their settings.
  const navMesh = emptyNavMesh({ ...agent }, cellSize, cellHeight, Float64Array.from(origin), tileSize);
  if (links !== undefined) checkArray('createLevelSet', 'options.links', links);
  links?.forEach((link, i) => {
    const path = `createLevelSet: options.links[${i}]`;
    renameRefusals(path, () => addLink(navMesh, link), LINK_PATH);
  });
  return {
    navMesh,
    builder,
    grid: { tileSize, originX: origin[0], originZ: origin[2], reach, range },
    nextId: 1,
    levels: new Map(),
    seenBy: new Map(),
    marked: new Set(),
    warnings: [],
  };
}

function builderOf(options: LevelSetOptions): { builder: LevelBuilder; links: BuildOptions['links'] } {
  const { build = 'voxel', ...rest } = options;
  if (build === 'voxel' && !(typeof rest.tileSize === 'number' && rest.tileSize > 0)) {
    refuse(
      'createLevelSet',
      'options.tileSize',
      rest.tileSize,
      'the side of a tile in world units, usually 32 to 128 cells',
    );
  }
  if (build !== 'voxel' && typeof build?.buildTile !== 'function') {
    refuseType('createLevelSet', 'options.build', build, "'voxel' or a LevelBuilder");
  }
  if (build !== 'voxel') checkObject('createLevelSet', 'options.build.settings', build.settings);
  const builder = build === 'voxel' ? renameRefusals('createLevelSet', () => createVoxelBuilder(rest)) : build;
  return { builder, links: rest.links };
}

/**
 * Adds a level to a set. The next `updateLevels` changes the mesh.
 *
 * @param input as for `buildNavMesh`. The arrays are kept without a copy and must not change while the level
 *   is in the set.
 * @returns the level's id
 * @throws RangeError, TypeError for invalid triangles and for unknown, singular or non-finite placements; the
 *   set is unchanged
 */
export function addLevel(set: LevelSet, input: TriangleInput, placement: LevelPlacement = {}): LevelId {
  checkSet('addLevel', set);
  const matrix = placementMatrix(placement, 'addLevel');
  const level = placeLevel(set, input, matrix, 'addLevel');
  const id = set.nextId++;
  enter(set, id, level);
  return id;
}

/**
 * Moves a level to another placement. Fields that `placement` leaves out have their defaults, not their
 * previous values. The next `updateLevels` changes the mesh.
 *
 * @returns false when the set has no such level
 * @throws as `addLevel`
 */
export function moveLevel(set: LevelSet, id: LevelId, placement: LevelPlacement): boolean {
  checkSet('moveLevel', set);
  const before = findLevel(set, id, 'moveLevel');
  const matrix = placementMatrix(placement, 'moveLevel');
  if (before === undefined) return false;
  if (matrix.every((value, k) => value === before.matrix[k])) return true;
  const level = placeLevel(set, before.input, matrix, 'moveLevel');
  leave(set, id, before);
  enter(set, id, level);
  return true;
}

/**
 * Removes a level from its set. The next `updateLevels` changes the mesh. Returns false when the set has no
 * such level.
 */
export function removeLevel(set: LevelSet, id: LevelId): boolean {
  checkSet('removeLevel', set);
  const level = findLevel(set, id, 'removeLevel');
  if (level === undefined) return false;
  leave(set, id, level);
  set.levels.delete(id);
  return true;
}

/**
 * Returns the box around a placed level, or around all levels without an id, in world units. Returns null
 * when there are no triangles or no such level.
 */
export function getLevelBounds(
  set: LevelSet,
  id?: LevelId,
): { min: [number, number, number]; max: [number, number, number] } | null {
  checkSet('getLevelBounds', set);
  const level = id === undefined ? undefined : findLevel(set, id, 'getLevelBounds');
  if (id !== undefined && level === undefined) return null;
  const levels = level === undefined ? set.levels.values() : [level];
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const {
    positions,
    prepared: { indices },
  } of levels) {
    for (let i = 0; i < indices.length; i++) {
      for (let k = 0; k < 3; k++) {
        const value = positions[3 * indices[i] + k];
        if (value < min[k]) min[k] = value;
        if (value > max[k]) max[k] = value;
      }
    }
  }
  return min[0] <= max[0] ? { min, max } : null;
}

/** Returns the ids of the levels in the set, ascending. */
export function listLevels(set: LevelSet): LevelId[] {
  checkSet('listLevels', set);
  return [...set.levels.keys()].sort((a, b) => a - b);
}

/**
 * Rebuilds the tiles that changes since the last update touch, row by row. With a budget, the remaining tiles
 * wait for the next update. Until then the mesh is valid but partly out of date.
 *
 * @throws RangeError, TypeError for an invalid budget; RangeError when a tile has too many polygons; Error on
 *   the first warning when the set's options are `strict`
 */
export function updateLevels(set: LevelSet, budget: UpdateBudget = {}): LevelUpdate {
  checkSet('updateLevels', set);
  checkKeys('updateLevels', budget, BUDGET_KEYS, 'budget');
  const { navMesh, builder, marked } = set;
  const { maxTiles = Infinity, isTimeUp } = budget;
  if (typeof maxTiles !== 'number' || !(maxTiles >= 1))
    refuse('updateLevels', 'budget.maxTiles', maxTiles, '1 or more');
  if (isTimeUp !== undefined) checkFunction('updateLevels', 'budget.isTimeUp', isTimeUp);
  const warnings = set.warnings.splice(0);
  if (marked.size > 0) warnings.push(...fit(set));
  const rebuiltTiles: [number, number][] = [];
  let changedTileCount = 0;
  for (const key of [...marked].sort((a, b) => a - b)) {
    if (rebuiltTiles.length >= maxTiles || (rebuiltTiles.length > 0 && isTimeUp?.() === true)) break;
    const [x, z] = tileOfKey(key);
    const built = builder.buildTile(x, z, partsOf(set, key));
    const slot = findTile(navMesh, x, z);
    const isSame = built.tile === null ? slot < 0 : slot >= 0 && isSameTile(navMesh, slot, built.tile);
    if (!isSame) {
      if (slot >= 0) removeTile(navMesh, slot);
      if (built.tile !== null) addBuiltTile(navMesh, built.tile);
      changedTileCount++;
    }
    warnings.push(...built.warnings);
    marked.delete(key);
    rebuiltTiles.push([x, z]);
  }
  return { navMesh, rebuiltTiles, changedTileCount, pendingTileCount: marked.size, warnings };
}

/** Fits the builder to the height of all levels. Marks all tiles when its first row moves. */
function fit(set: LevelSet): LevelWarning[] {
  const { navMesh, builder, marked } = set;
  let minY = Infinity;
  let maxY = -Infinity;
  for (const { prepared } of set.levels.values()) {
    minY = Math.min(minY, prepared.minY);
    maxY = Math.max(maxY, prepared.maxY);
  }
  const { isMoved, warnings } = builder.fitHeight(minY, maxY);
  if (isMoved) for (const key of set.seenBy.keys()) marked.add(key);
  navMesh.origin[1] = builder.settings.origin[1];
  return warnings;
}

function partsOf(set: LevelSet, key: number): LevelPart[] {
  const ids = set.seenBy.get(key) ?? [];
  return ids.map((id) => {
    const {
      positions,
      prepared: { indices, areas },
      tiles,
    } = set.levels.get(id)!;
    const i = tiles.indexOf.get(key)!;
    return { positions, indices, areas, list: tiles.list, from: tiles.start[i], to: tiles.start[i + 1] };
  });
}

function placeLevel(set: LevelSet, input: TriangleInput, matrix: Affine, caller: string): Level {
  checkObject(caller, 'input', input);
  checkNumbers(caller, 'input.positions', input.positions);
  if (input.indices !== undefined) checkNumbers(caller, 'input.indices', input.indices, true);
  const positions = transformed(input.positions, matrix);
  const given = input.indices ?? new Uint32Array(positions.length / 3).map((_, i) => i);
  const { areas, twoSided } = input;
  checkTwoSided(caller, 'input', twoSided, given.length / 3);
  const indices = turnTwoSidedUp(positions, mirrors(matrix) ? reversed(given) : given, twoSided);
  const prepared = renameRefusals(caller, () =>
    set.builder.prepareLevel(areas === undefined ? { positions, indices } : { positions, indices, areas }),
  );
  return { input, matrix, positions, prepared, tiles: tilesOfLevel(positions, prepared.indices, set.grid, caller) };
}

/** Returns the triangles with the opposite winding. */
function reversed(indices: ArrayLike<number>): Uint32Array {
  const out = Uint32Array.from(indices);
  for (let i = 0; i + 2 < out.length; i += 3) {
    out[i + 1] = indices[i + 2];
    out[i + 2] = indices[i + 1];
  }
  return out;
}

/** Adds a level to the tiles that it reaches, and marks them. */
function enter(set: LevelSet, id: LevelId, level: Level): void {
  const { seenBy, marked } = set;
  set.levels.set(id, level);
  for (const key of level.tiles.keys) {
    marked.add(key);
    const ids = seenBy.get(key);
    if (ids === undefined) seenBy.set(key, [id]);
    else {
      let index = ids.length;
      while (index > 0 && ids[index - 1] > id) index--;
      ids.splice(index, 0, id);
    }
  }
  for (const warning of level.prepared.warnings) {
    set.warnings.push({
      ...warning,
      message: `level ${id}: ${warning.message}`,
      where: { level: id, ...warning.where },
    });
  }
}

/** Removes a level from the tiles that it reaches, and marks them. */
function leave(set: LevelSet, id: LevelId, level: Level): void {
  const { seenBy, marked } = set;
  for (const key of level.tiles.keys) {
    marked.add(key);
    const ids = seenBy.get(key)!;
    if (ids.length === 1) seenBy.delete(key);
    else ids.splice(ids.indexOf(id), 1);
  }
  set.warnings = set.warnings.filter(({ where }) => where.level !== id);
}

function findLevel(set: LevelSet, id: LevelId, caller: string): Level | undefined {
  checkHandle(caller, 'id', id);
  return set.levels.get(id);
}

function checkSet(caller: string, set: LevelSet): void {
  const levels: unknown = (set as LevelSet | null | undefined)?.levels;
  if (!(levels instanceof Map)) refuseType(caller, 'set', set, 'the LevelSet of createLevelSet');
}
