/**
 * A live world below the crowd: obstacles that the user places and drags. Their changes rebuild only the tiles that they touch, a few
 * milliseconds in each frame, while the crowd walks on. Loaded with the first obstacle.
 *
 * In: the open level or 2D map with its settings and edits. Out: a world whose mesh the crowd uses.
 * Cost: a bake in tiles at first, 4 ms at a time; then that of `updateWorld`.
 * Based on: own.
 */
import { optionsFromSettings } from 'navkiln/build';
import { cutByDiagonals, meshToMap } from 'navkiln/polygon';
import {
  addLevel,
  addObstacle,
  bakeWorld,
  createMapWorld,
  createWorld,
  moveObstacle,
  removeObstacle,
  updateWorld,
} from 'navkiln/world';
import type { MapObstacle, World } from 'navkiln/world';
import { withParts } from '../../state/parts.ts';
import { keepTypes, withSizes } from '../../bake/with-sizes.ts';
import { bakeOptions, mapOptions } from '../../state/settings.ts';
import { boundsOf, mapOf, planeOf } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import type { Ray } from '../../view/view.ts';
import type { Live, LiveObstacle, ObstacleShape } from './types.ts';

/** Sides of a tile, in cells, of a level that is not divided into tiles. */
const TILE_CELLS = 48;
/** Tiles along the longer side of a 2D map. */
const MAP_TILES = 10;
/** Milliseconds of a frame that rebuilding may take. */
const UPDATE_MS = 4;
/** Shortest time between two changes of the drawn mesh, ms. */
const PUBLISH_MS = 80;

/** Bakes the open content as a world. Throws an error for content that cannot be one. */
export async function createLive(state: StudioState, onProgress: (done: number, total: number) => void): Promise<Live> {
  const world = createWorldOf(state);
  await bakeWorld(world, { onProgress: ({ done, total }) => onProgress(done, total) });
  const isMap = state.level === undefined;
  return { world, isMap, obstacles: [], pending: 0, rebuilt: [], ms: 0, publishedAt: 0 };
}

function createWorldOf(state: StudioState): World {
  const { level, settings, edits } = state;
  if (level === undefined) {
    const map = mapOf(state);
    const bounds = boundsOf(state);
    if (state.map?.levels !== undefined)
      throw new Error('Obstacles need one floor. Read one level of the file under Import.');
    if (map === undefined || bounds === undefined) throw new Error('Open a level or a 2D map first.');
    const side = Math.max(bounds.max[0] - bounds.min[0], bounds.max[2] - bounds.min[2]);
    const world = createMapWorld(map, { ...mapOptions(settings), cutByDiagonals, tileSize: side / MAP_TILES });
    keepTypes(world.navMesh, settings.agentTypes);
    return world;
  }
  const { dynamic: _dynamic, ...options } = withSizes(bakeOptions(settings, edits), settings);
  const cellSize = state.mesh?.navMesh.cellSize || 0.2;
  const tileSize = options.tileSize || Number((TILE_CELLS * cellSize).toFixed(6));
  const world = createWorld({ ...optionsFromSettings(options), tileSize });
  addLevel(world, withParts(level, edits.parts ?? []));
  return world;
}

/** Adds an obstacle with the middle of its base at a point. Throws an error outside of the world. */
export function putObstacle(live: Live, state: StudioState, position: Vec3, shape: ObstacleShape): LiveObstacle {
  const { width, height } = shape;
  const placement = placementOf(live, state, position, height);
  const own = (
    live.isMap
      ? shape.shape === 'box'
        ? { type: 'box', size: [width, width] }
        : { type: 'cylinder', radius: width / 2 }
      : shape.shape === 'box'
        ? { type: 'box', size: [width, height, width] }
        : { type: 'cylinder', radius: width / 2, height }
  ) as MapObstacle;
  const obstacle = { ...shape, id: addObstacle(live.world, { ...own, ...placement } as MapObstacle), position };
  live.obstacles.push(obstacle);
  return obstacle;
}

/** Moves an obstacle. Outside of the world, it stays at its last position. */
export function dragObstacle(live: Live, state: StudioState, obstacle: LiveObstacle, position: Vec3): void {
  try {
    moveObstacle(
      live.world,
      obstacle.id,
      placementOf(live, state, position, obstacle.height) as { position: number[] },
    );
    obstacle.position = position;
  } catch {
    // Outside of the world.
  }
}

export function dropObstacle(live: Live, obstacle: LiveObstacle): void {
  removeObstacle(live.world, obstacle.id);
  live.obstacles = live.obstacles.filter((other) => other !== obstacle);
}

function placementOf(
  { isMap }: Live,
  state: StudioState,
  [x, y, z]: Vec3,
  height: number,
): { position: readonly number[] } {
  return { position: isMap ? meshToMap(planeOf(state), [x, y, z]) : [x, y + height / 2, z] };
}

/** Rebuilds tiles for a part of a frame. Returns true when the drawn mesh should change. */
export function updateLive(live: Live, seconds: number): boolean {
  const start = performance.now();
  const { rebuiltTiles, changedTileCount, pendingTileCount } = updateWorld(live.world, { maxMs: UPDATE_MS, seconds });
  live.pending = pendingTileCount;
  if (changedTileCount > 0) {
    for (const tile of rebuiltTiles) live.rebuilt.push(tile);
    live.ms += performance.now() - start;
  }
  return live.rebuilt.length > 0 && (pendingTileCount === 0 || start - live.publishedAt > PUBLISH_MS);
}

/** Returns the obstacle under a ray, the nearest one, or undefined. */
export function obstacleUnder({ obstacles }: Live, { origin, direction }: Ray): LiveObstacle | undefined {
  let best: LiveObstacle | undefined;
  let nearest = Infinity;
  for (const obstacle of obstacles) {
    const { position, width, height } = obstacle;
    const low = [position[0] - width / 2, position[1], position[2] - width / 2];
    const high = [position[0] + width / 2, position[1] + height, position[2] + width / 2];
    let [enter, leave] = [0, Infinity];
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [low, high].map((corner) => (corner[axis] - origin[axis as 0]) / direction[axis as 0]);
      enter = Math.max(enter, Math.min(a, b));
      leave = Math.min(leave, Math.max(a, b));
    }
    if (enter <= leave && enter < nearest) [best, nearest] = [obstacle, enter];
  }
  return best;
}
