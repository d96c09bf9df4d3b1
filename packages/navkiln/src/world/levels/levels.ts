/**
 * Levels: several meshes of triangles, each placed in the world, and one NavMesh over all of them. Levels come, move and go; then
 * `updateLevels` builds the tiles anew that a change touches, and no others.
 *
 * In: triangles and placements. Out: the mesh that a bake of all levels together would give, tile for tile, whatever the order of
 * changes was. A tile that comes out as it was stays as it is, so that refs into it stay good.
 *
 * A tile depends on the triangles within its square and a border around it. For each level it is known which triangles those are
 * (level-tiles.ts); a change marks the tiles of the level as it was and as it is. Cost of a change: linear in the level that
 * changes, then the bake of each tile marked; other levels cost nothing unless they share a tile.
 *
 * Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import { addLink } from '../../navmesh/links.ts';
import { createNavMesh } from '../../navmesh/create.ts';
import { findTile, tileOfKey } from '../../navmesh/tile-grid.ts';
import { addTile, removeTile } from '../../navmesh/tiles.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { BuildOptions, TriangleInput } from '../../voxel/options.ts';
import type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel } from './builder.ts';
import { isMirrored, placementMatrix, placePositions } from './placement.ts';
import type { Affine, LevelPlacement } from './placement.ts';
import { isSameTile } from './same.ts';
import { ALL_TILES, tilesOfLevel } from './tiles.ts';
import type { LevelTiles, TileGrid } from './tiles.ts';
import { createVoxelBuilder } from './voxel.ts';

/** Names a level of a set: 1, 2, 3, … in the order they came; never given twice. */
export type LevelId = number;

export interface LevelSetOptions extends BuildOptions {
  /** How triangles become tiles. Default 'voxel': the bake of `buildNavMesh`. Walk meshes: `createSurfaceLevelSet`. */
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

/** Made by `createLevelSet`; changed by the functions of this file only. */
export interface LevelSet {
  /** The one mesh, from the beginning on: changed in place by `updateLevels`. */
  navMesh: NavMesh;
  builder: LevelBuilder;
  grid: TileGrid;
  nextId: LevelId;
  levels: Map<LevelId, Level>;
  /** Place of a tile -> the levels it sees, ids ascending. */
  seenBy: Map<number, LevelId[]>;
  /** Places of tiles to build anew. */
  marked: Set<number>;
  /** What changes had to say since the last update. */
  warnings: LevelWarning[];
}

export interface UpdateBudget {
  /** Tiles to build at most. Default: all. */
  maxTiles?: number;
  /** Asked before each tile but the first; true ends the update. Bring a clock: `() => performance.now() > end`. */
  isTimeUp?: () => boolean;
}

export interface LevelUpdate {
  navMesh: NavMesh;
  /** [x, z] of the tiles that were built anew. */
  rebuiltTiles: [number, number][];
  /** How many of them have come, gone or changed: refs into the others are still good. */
  changedTileCount: number;
  /** Tiles that the budget has left for the next update; 0: the mesh is that of all levels. */
  pendingTileCount: number;
  /** Of the changes and tiles of this update. */
  warnings: LevelWarning[];
}

/**
 * An empty set of levels.
 *
 * @param options those of `buildNavMesh`; `tileSize` is needed. With `bounds`, ground beyond them is cut off, and tiles begin at
 *   their corner; without, levels may lie anywhere.
 * @throws what `buildNavMesh` throws on such options; RangeError without a tileSize
 */
export function createLevelSet(options: LevelSetOptions): LevelSet {
  if (options === null || typeof options !== 'object') {
    throw new TypeError('createLevelSet: options must be an object such as { tileSize: 16 }');
  }
  const { builder, links } = builderOf(options);
  const {
    settings: { tileSize, origin },
    reach,
    range = ALL_TILES,
  } = builder;
  const navMesh = createNavMesh(builder.settings);
  links?.forEach((link, i) => {
    try {
      addLink(navMesh, link);
    } catch (error) {
      throw new RangeError(`createLevelSet: options.links[${i}]: ${(error as Error).message}`);
    }
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
  if (build === 'voxel' && !(rest.tileSize !== undefined && rest.tileSize > 0)) {
    refuse('createLevelSet', 'options.tileSize', rest.tileSize, 'the side of a tile, 32 to 128 cells');
  }
  if (build !== 'voxel' && typeof build?.buildTile !== 'function') {
    throw new TypeError(`createLevelSet: options.build is ${String(build)}; give 'voxel' or a LevelBuilder`);
  }
  return { builder: build === 'voxel' ? createVoxelBuilder(rest) : build, links: rest.links };
}

/**
 * Puts a level into the set. The mesh changes with the next `updateLevels`.
 *
 * @param input as for `buildNavMesh`; the arrays are kept, not copied: do not change them while the level is in the set
 * @returns the level's id
 * @throws TypeError, RangeError on indices out of range, on placements that are singular or not finite, on what is no level; the
 *   set is then as it was
 */
export function addLevel(set: LevelSet, input: TriangleInput, placement: LevelPlacement = {}): LevelId {
  const level = placeLevel(set, input, placementMatrix(placement, 'addLevel'), 'addLevel');
  const id = set.nextId++;
  enter(set, id, level);
  return id;
}

/** Places a level anew: what `placement` leaves out is as for `addLevel`, not as it was. Throws as `addLevel` does. */
export function moveLevel(set: LevelSet, id: LevelId, placement: LevelPlacement): void {
  const before = knownLevel(set, id, 'moveLevel');
  const matrix = placementMatrix(placement, 'moveLevel');
  if (matrix.every((value, k) => value === before.matrix[k])) return;
  const level = placeLevel(set, before.input, matrix, 'moveLevel');
  leave(set, id, before);
  enter(set, id, level);
}

/** Takes a level out of the set. */
export function removeLevel(set: LevelSet, id: LevelId): void {
  const level = knownLevel(set, id, 'removeLevel');
  leave(set, id, level);
  set.levels.delete(id);
}

/** The box around a level as it is placed, or around all levels; null when it has no triangles. World units. */
export function getLevelBounds(
  set: LevelSet,
  id?: LevelId,
): { min: [number, number, number]; max: [number, number, number] } | null {
  const levels = id === undefined ? set.levels.values() : [knownLevel(set, id, 'getLevelBounds')];
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

/** Ids of the levels in the set, ascending. */
export function listLevels(set: LevelSet): LevelId[] {
  return [...set.levels.keys()].sort((a, b) => a - b);
}

/**
 * Builds the tiles anew that changes since the last update have touched, row by row. With a budget, what is left waits for the
 * next update; until then the mesh is sound, old in places.
 *
 * @throws RangeError when a tile has too many polygons; Error on the first warning when the options are `strict`
 */
export function updateLevels(set: LevelSet, budget: UpdateBudget = {}): LevelUpdate {
  const { navMesh, builder, marked } = set;
  const { maxTiles = Infinity, isTimeUp } = budget;
  if (!(maxTiles >= 1)) refuse('updateLevels', 'budget.maxTiles', maxTiles, '1 or more');
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
      if (built.tile !== null) addTile(navMesh, built.tile);
      changedTileCount++;
    }
    warnings.push(...built.warnings);
    marked.delete(key);
    rebuiltTiles.push([x, z]);
  }
  return { navMesh, rebuiltTiles, changedTileCount, pendingTileCount: marked.size, warnings };
}

/** Heights are counted from below the lowest of all. */
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
  if (input?.positions === undefined) throw new TypeError(`${caller}: the level must be { positions, indices? }`);
  const positions = placePositions(input.positions, matrix);
  const given = input.indices ?? new Uint32Array(positions.length / 3).map((_, i) => i);
  const indices = isMirrored(matrix) ? turnedRound(given) : given;
  const { areas } = input;
  let prepared: PreparedLevel;
  try {
    prepared = set.builder.prepareLevel(areas === undefined ? { positions, indices } : { positions, indices, areas });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError)
      error.message = error.message.replace(/^\w+/, caller);
    throw error;
  }
  return { input, matrix, positions, prepared, tiles: tilesOfLevel(positions, prepared.indices, set.grid, caller) };
}

function turnedRound(indices: ArrayLike<number>): Uint32Array {
  const out = Uint32Array.from(indices);
  for (let i = 0; i + 2 < out.length; i += 3) {
    out[i + 1] = indices[i + 2];
    out[i + 2] = indices[i + 1];
  }
  return out;
}

function enter(set: LevelSet, id: LevelId, level: Level): void {
  const { seenBy, marked } = set;
  set.levels.set(id, level);
  for (const key of level.tiles.keys) {
    marked.add(key);
    const ids = seenBy.get(key);
    if (ids === undefined) seenBy.set(key, [id]);
    else {
      let at = ids.length;
      while (at > 0 && ids[at - 1] > id) at--;
      ids.splice(at, 0, id);
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

function knownLevel(set: LevelSet, id: LevelId, caller: string): Level {
  const level = set?.levels?.get(id);
  if (level === undefined) {
    throw new RangeError(`${caller}: ${String(id)} is no level of this set; give an id that addLevel returned`);
  }
  return level;
}
