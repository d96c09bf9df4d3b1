/**
 * Adds, moves and removes the obstacles of a world. `updateWorld` then rebuilds the tiles that they touch, from the packed spans of the
 * levels.
 *
 * An obstacle may wait until it has stood still before the mesh follows it, as Unity's NavMeshObstacle does. `carved`
 * is its placement in the mesh, `current` its actual placement.
 *
 * In: shapes and placements. Out: marked tiles.
 * Cost: linear in the triangles of the obstacle and in the tiles that they touch.
 * Based on: own; Unity's NavMeshObstacle has the same rules of carving.
 */
import { checkHandle, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { placeObstacle, replaceObstacle } from '../../build/voxel/obstacles/obstacle.ts';
import type { ObstaclePlacement, PlacedObstacle } from '../../build/voxel/options.ts';
import { addToTiles, checkWorld, markTile, removeFromTiles } from './marks.ts';
import type { MapObstacle, MapPlacement } from './map-obstacle.ts';
import { VOXEL_CARVER } from './recarve.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import { isSameList } from '../../base/data/same-list.ts';
import { tilesOfBox, tilesOfLevel } from './tiles.ts';
import type { Carving, LiveObstacle, ObstacleId, World, WorldObstacle } from './types.ts';

const WAIT_KEYS = ['carveAfterSeconds', 'carveOnlyStationary'];
/** Default of `carveAfterSeconds` with `carveOnlyStationary`. */
const STATIONARY_SECONDS = 0.5;

/**
 * Adds an obstacle to a world: a hole, an area or added surface. The next `updateWorld` changes the mesh, or a later
 * call if the obstacle must stand still first. Any number of changes may wait for an update.
 *
 * @returns the obstacle's id
 * @throws RangeError, TypeError for unknown keys, for shapes without size, numbers that are not finite, and obstacles
 *   that are outside of the world or larger than the world; the world is then unchanged
 */
export function addObstacle(world: World, obstacle: WorldObstacle | MapObstacle): ObstacleId {
  checkWorld('addObstacle', world);
  if (world.builder.canCarve !== true) {
    refuseType(
      'addObstacle',
      'world',
      'built from a surface mesh or by a builder of your own',
      'one of createWorld or createMapWorld; pass the triangles of the obstacle to addLevel instead, which removes the surface below them, or disable a named link',
    );
  }
  const { solidOf } = world.builder;
  if (solidOf !== undefined) checkObject('addObstacle', 'obstacle', obstacle);
  const solid = solidOf?.('addObstacle', obstacle as MapObstacle) ?? (obstacle as WorldObstacle);
  const placed = placeObstacle('addObstacle', solid, 'obstacle', WAIT_KEYS);
  const { carveOnlyStationary = false } = obstacle;
  if (typeof carveOnlyStationary !== 'boolean') {
    refuse('addObstacle', 'obstacle.carveOnlyStationary', carveOnlyStationary, 'true or false');
  }
  const { carveAfterSeconds = carveOnlyStationary ? STATIONARY_SECONDS : 0 } = obstacle;
  if (typeof carveAfterSeconds !== 'number' || !(carveAfterSeconds >= 0 && carveAfterSeconds < Infinity)) {
    refuse('addObstacle', 'obstacle.carveAfterSeconds', carveAfterSeconds, 'a finite number >= 0');
  }
  const current = carvingAt(world, placed, 'addObstacle', 'obstacle');
  world.builder.carver ??= VOXEL_CARVER;
  const id = world.nextObstacleId++;
  const live: LiveObstacle = {
    obstacle: { ...obstacle },
    carveAfterSeconds,
    carveOnlyStationary,
    current,
    carved: null,
    waitSeconds: 0,
  };
  world.obstacles.set(id, live);
  follow(world, id, live);
  return id;
}

/**
 * Moves an obstacle. Fields that `placement` leaves out have their defaults, not their previous values. The mesh
 * changes as after `addObstacle`.
 *
 * @returns false when the world has no such obstacle
 * @throws the errors of `addObstacle`
 */
export function moveObstacle(world: World, id: ObstacleId, placement: ObstaclePlacement | MapPlacement): boolean {
  checkWorld('moveObstacle', world);
  checkObject('moveObstacle', 'placement', placement);
  const live = findObstacle(world, id, 'moveObstacle');
  if (live === undefined) return false;
  const given =
    world.builder.placementOf?.('moveObstacle', placement as MapPlacement, 'placement') ??
    (placement as ObstaclePlacement);
  const placed = replaceObstacle('moveObstacle', live.current.placed, given);
  if (isSameList(placed.positions, live.current.placed.positions)) return true;
  live.current = carvingAt(world, placed, 'moveObstacle', 'placement');
  live.obstacle.position = placement.position;
  live.obstacle.rotation = placement.rotation;
  follow(world, id, live);
  return true;
}

/** Removes an obstacle. The next `updateWorld` changes the mesh. Returns false when the world has no such obstacle. */
export function removeObstacle(world: World, id: ObstacleId): boolean {
  checkWorld('removeObstacle', world);
  const live = findObstacle(world, id, 'removeObstacle');
  if (live === undefined) return false;
  uncarve(world, id, live);
  world.waiting.delete(id);
  world.obstacles.delete(id);
  return true;
}

/** Returns the ids of the obstacles in the world, ascending. */
export function listObstacles(world: World): ObstacleId[] {
  checkWorld('listObstacles', world);
  return [...world.obstacles.keys()];
}

/**
 * Returns an obstacle at its current placement, in the form of `addObstacle`, or null when the world has no such
 * obstacle.
 */
export function getObstacle(world: World, id: ObstacleId): WorldObstacle | MapObstacle | null {
  checkWorld('getObstacle', world);
  const live = findObstacle(world, id, 'getObstacle');
  return live === undefined ? null : { ...live.obstacle };
}

/** Advances the time of waiting obstacles, and carves obstacles that have stood still for long enough. @internal */
export function carveWaiting(world: World, seconds: number): void {
  for (const id of world.waiting) {
    const live = world.obstacles.get(id)!;
    live.waitSeconds -= seconds;
    if (live.waitSeconds <= 0) carve(world, id, live);
  }
}

/** Carves an obstacle that has moved, or lets it wait. */
function follow(world: World, id: ObstacleId, live: LiveObstacle): void {
  if (live.carveAfterSeconds === 0) return carve(world, id, live);
  if (live.carveOnlyStationary) uncarve(world, id, live);
  live.waitSeconds = live.carveAfterSeconds;
  world.waiting.add(id);
}

function carve(world: World, id: ObstacleId, live: LiveObstacle): void {
  const { keys } = live.current.tiles;
  if (live.carved !== null && isSameList(live.carved.tiles.keys, keys)) {
    for (const key of keys) markTile(world, key);
  } else {
    uncarve(world, id, live);
    addToTiles(world, world.carvedBy, live.current.tiles, id);
  }
  live.carved = live.current;
  world.waiting.delete(id);
}

function uncarve(world: World, id: ObstacleId, live: LiveObstacle): void {
  if (live.carved !== null) removeFromTiles(world, world.carvedBy, live.carved.tiles, id);
  live.carved = null;
}

/** Finds the tiles of a placed obstacle. Throws for an obstacle that is outside of the world or larger than it. */
function carvingAt(world: World, placed: PlacedObstacle, caller: string, path: string): Carving {
  const { positions, indices, bounds, effect, area } = placed;
  const { extent } = world.builder;
  // Added surface may extend a world without bounds.
  if (extent !== undefined || effect !== 'surface')
    checkExtent(caller, path, bounds, extent ?? levelExtent(world, caller));
  const surface =
    effect === 'surface'
      ? renameRefusals(caller, () =>
          world.builder.prepareLevel({ positions, indices, areas: new Uint8Array(indices.length / 3).fill(area) }),
        )
      : null;
  const tiles =
    (surface === null ? tilesOfBox(bounds, world.grid) : null) ??
    tilesOfLevel(positions, surface?.indices ?? indices, world.grid, caller);
  return { placed, surface, tiles };
}

function checkExtent(caller: string, path: string, bounds: Float64Array, extent: readonly number[]): void {
  const minX = extent[0];
  const minZ = extent[1];
  const maxX = extent[2];
  const maxZ = extent[3];
  const isOutside = !(bounds[0] < maxX && bounds[3] > minX && bounds[2] < maxZ && bounds[5] > minZ);
  const isLarger = bounds[3] - bounds[0] > maxX - minX && bounds[5] - bounds[2] > maxZ - minZ;
  if (!isOutside && !isLarger) return;
  const world = `the world, which is x ${minX} .. ${maxX}, z ${minZ} .. ${maxZ}`;
  refuse(caller, `the box of ${path}`, [...bounds], isOutside ? `within ${world}` : `smaller than ${world}`);
}

/** Returns min x, min z, max x and max z of all levels. */
function levelExtent(world: World, caller: string): readonly number[] {
  const out = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { bounds } of world.levels.values()) {
    for (let k = 0; k < 2; k++) {
      out[k] = Math.min(out[k], bounds[2 * k]);
      out[2 + k] = Math.max(out[2 + k], bounds[3 + 2 * k]);
    }
  }
  if (!(out[0] <= out[2])) refuse(caller, 'world.levels.size', 0, '1 or more: add a level first');
  return out;
}

function findObstacle(world: World, id: ObstacleId, caller: string): LiveObstacle | undefined {
  checkHandle(caller, 'id', id);
  return world.obstacles.get(id);
}
