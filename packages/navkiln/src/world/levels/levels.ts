/**
 * Adds, moves and removes the levels of a world: triangle meshes with a placement. `updateWorld` then rebuilds only the tiles that a
 * change touches.
 *
 * A tile depends on the triangles within its square and a border around it. Each level lists these triangles by tile (tiles.ts). A
 * change marks the tiles of the level before and after it.
 *
 * In: triangles and placements. Out: marked tiles.
 * Cost: linear in the changed level.
 * Based on: own.
 */
import { boxOf, mirrors, placementMatrix, transformed } from '../../base/data/placement.ts';
import type { Affine, LevelPlacement } from '../../base/data/placement.ts';
import { checkHandle, checkNumbers, checkObject } from '../../base/data/refuse.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import { addToTiles, checkWorld, removeFromTiles } from './marks.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import { tilesOfLevel } from './tiles.ts';
import type { Level, LevelId, World } from './types.ts';

/**
 * Adds a level to a world. The next `updateWorld` changes the mesh.
 *
 * @param input as for `buildNavMesh`. The arrays are not copied and must not change while the level is in the world.
 * @returns the level's id
 * @throws RangeError, TypeError for invalid triangles and for unknown, singular or non-finite placements; the
 *   world is unchanged
 */
export function addLevel(world: World, input: TriangleInput, placement: LevelPlacement = {}): LevelId {
  checkWorld('addLevel', world);
  const matrix = placementMatrix(placement, 'addLevel');
  const level = placeLevel(world, input, matrix, 'addLevel');
  const id = world.nextId++;
  enter(world, id, level);
  return id;
}

/**
 * Moves a level to another placement. Fields that `placement` leaves out have their defaults, not their
 * previous values. The next `updateWorld` changes the mesh.
 *
 * @returns false when the world has no such level
 * @throws the errors of `addLevel`
 */
export function moveLevel(world: World, id: LevelId, placement: LevelPlacement): boolean {
  checkWorld('moveLevel', world);
  const before = findLevel(world, id, 'moveLevel');
  const matrix = placementMatrix(placement, 'moveLevel');
  if (before === undefined) return false;
  if (matrix.every((value, k) => value === before.matrix[k])) return true;
  const level = placeLevel(world, before.input, matrix, 'moveLevel');
  leave(world, id, before);
  enter(world, id, level);
  return true;
}

/**
 * Removes a level from its world. The next `updateWorld` changes the mesh. Returns false when the world has no
 * such level.
 */
export function removeLevel(world: World, id: LevelId): boolean {
  checkWorld('removeLevel', world);
  const level = findLevel(world, id, 'removeLevel');
  if (level === undefined) return false;
  leave(world, id, level);
  world.levels.delete(id);
  return true;
}

/**
 * Returns the box around a placed level, or without an id around all levels, in world units. Returns null when there
 * are no triangles or no such level.
 */
export function getLevelBounds(
  world: World,
  id?: LevelId,
): { min: [number, number, number]; max: [number, number, number] } | null {
  checkWorld('getLevelBounds', world);
  const level = id === undefined ? undefined : findLevel(world, id, 'getLevelBounds');
  if (id !== undefined && level === undefined) return null;
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const { bounds } of level === undefined ? world.levels.values() : [level]) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], bounds[k]);
      max[k] = Math.max(max[k], bounds[3 + k]);
    }
  }
  return min[0] <= max[0] ? { min, max } : null;
}

/** Returns the ids of the levels in the world, ascending. */
export function listLevels(world: World): LevelId[] {
  checkWorld('listLevels', world);
  return [...world.levels.keys()].sort((a, b) => a - b);
}

function placeLevel(world: World, input: TriangleInput, matrix: Affine, caller: string): Level {
  checkObject(caller, 'input', input);
  checkNumbers(caller, 'input.positions', input.positions);
  if (input.indices !== undefined) checkNumbers(caller, 'input.indices', input.indices, true);
  const positions = transformed(input.positions, matrix);
  const given = input.indices ?? new Uint32Array(positions.length / 3).map((_, i) => i);
  const { areas, twoSided } = input;
  checkTwoSided(caller, 'input', twoSided, given.length / 3);
  const indices = turnTwoSidedUp(positions, mirrors(matrix) ? reversed(given) : given, twoSided);
  const prepared = renameRefusals(caller, () =>
    world.builder.prepareLevel(areas === undefined ? { positions, indices } : { positions, indices, areas }),
  );
  const bounds = boxOf(positions, prepared.indices);
  const tiles = tilesOfLevel(positions, prepared.indices, world.grid, caller);
  return { input, matrix, positions, bounds, prepared, tiles };
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
function enter(world: World, id: LevelId, level: Level): void {
  world.levels.set(id, level);
  addToTiles(world, world.seenBy, level.tiles, id);
  for (const key of level.tiles.keys) world.layers.delete(key);
  for (const warning of level.prepared.warnings) {
    world.warnings.push({
      ...warning,
      message: `level ${id}: ${warning.message}`,
      where: { level: id, ...warning.where },
    });
  }
}

/** Removes a level from the tiles that it reaches, and marks them. */
function leave(world: World, id: LevelId, level: Level): void {
  removeFromTiles(world, world.seenBy, level.tiles, id);
  for (const key of level.tiles.keys) world.layers.delete(key);
  world.warnings = world.warnings.filter(({ where }) => where.level !== id);
}

function findLevel(world: World, id: LevelId, caller: string): Level | undefined {
  checkHandle(caller, 'id', id);
  return world.levels.get(id);
}
