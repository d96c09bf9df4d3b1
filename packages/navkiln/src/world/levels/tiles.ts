/**
 * Lists the triangles of a level per tile. A triangle belongs to a tile when its bounding rectangle, seen from above,
 * is within a reach of the tile's square.
 *
 * Two passes, count and write. Tiles are found by their key in a map, so memory depends on the touched tiles and not on
 * the level's extent. Consecutive triangles are mostly in the same tile, so the last tile's index is kept.
 *
 * In: placed triangles and the grid. Out: for each touched tile its triangles, in the order of the level.
 * Cost: linear in the triangles and in the tiles they touch.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { MAX_TILE_SLOTS } from '../../mesh/ref.ts';
import { MOST_TILES, keyOfTile } from '../../mesh/tiles/tile-grid.ts';

/** Maximum number of pairs of a triangle and a touched tile per level. */
const MAX_TOUCHED = 0x4000000;
/** Maximum number of tiles per level, which is that of a mesh. */
const MOST_KEYS = MAX_TILE_SLOTS;

/** The grid of tiles, and how far triangles affect tiles. */
export interface TileGrid {
  /** Side of a tile and corner of tile (0, 0) in x and z, world units. */
  tileSize: number;
  originX: number;
  originZ: number;
  /** Distance beyond a tile's square within which triangles affect the tile, world units. */
  reach: number;
  /** First and last valid tile along x, first and last along z. */
  range: readonly [number, number, number, number];
}

/** Triangles per tile. The triangles of the tile with key `keys[i]` are list[start[i]] .. list[start[i + 1] - 1]. */
export interface LevelTiles {
  keys: number[];
  /** Index i for each key. */
  indexOf: ReadonlyMap<number, number>;
  start: Int32Array;
  list: Int32Array;
}

/** The range of a grid without bounds. */
export const ALL_TILES: TileGrid['range'] = [1 - MOST_TILES, MOST_TILES - 1, 1 - MOST_TILES, MOST_TILES - 1];

/**
 * Lists the triangles of a level per tile.
 *
 * @param indices three per triangle; their positions must be finite
 * @throws RangeError when the level touches too many tiles or lies too far from the origin
 */
export function tilesOfLevel(
  positions: Float64Array,
  indices: ArrayLike<number>,
  grid: TileGrid,
  caller: string,
): LevelTiles {
  const { tileSize, originX, originZ, reach, range } = grid;
  const [firstX, lastX, firstZ, lastZ] = range;
  const keys: number[] = [];
  const counts: number[] = [];
  const indexOf = new Map<number, number>();
  let start = new Int32Array(0);
  let list = start;
  let touched = 0;
  for (let round = 0; round < 2; round++) {
    let lastKey = -1;
    let index = -1;
    for (let t = 0; t + 2 < indices.length; t += 3) {
      const a = 3 * indices[t];
      const b = 3 * indices[t + 1];
      const c = 3 * indices[t + 2];
      const x0 = Math.floor((Math.min(positions[a], positions[b], positions[c]) - reach - originX) / tileSize);
      const x1 = Math.floor((Math.max(positions[a], positions[b], positions[c]) + reach - originX) / tileSize);
      const z0 = Math.floor(
        (Math.min(positions[a + 2], positions[b + 2], positions[c + 2]) - reach - originZ) / tileSize,
      );
      const z1 = Math.floor(
        (Math.max(positions[a + 2], positions[b + 2], positions[c + 2]) + reach - originZ) / tileSize,
      );
      if (x1 < firstX || x0 > lastX || z1 < firstZ || z0 > lastZ) {
        if (range === ALL_TILES) refuseDistance(caller, tileSize);
        continue;
      }
      const fromX = x0 < firstX ? firstX : x0;
      const toX = x1 > lastX ? lastX : x1;
      const fromZ = z0 < firstZ ? firstZ : z0;
      const toZ = z1 > lastZ ? lastZ : z1;
      if (round === 0) {
        const more = (toX - fromX + 1) * (toZ - fromZ + 1);
        touched += more;
        if (touched > MAX_TOUCHED || more > MOST_KEYS) refuseCount(caller, tileSize);
      }
      for (let z = fromZ; z <= toZ; z++) {
        for (let x = fromX; x <= toX; x++) {
          const key = keyOfTile(x, z);
          if (key !== lastKey) {
            lastKey = key;
            const known = indexOf.get(key);
            if (known === undefined) {
              index = keys.length;
              if (index === MOST_KEYS) refuseCount(caller, tileSize);
              keys.push(key);
              counts.push(0);
              indexOf.set(key, index);
            } else index = known;
          }
          if (round === 0) counts[index]++;
          else list[start[index]++] = t / 3;
        }
      }
    }
    if (round > 0) break;
    start = new Int32Array(keys.length + 1);
    for (let i = 0; i < keys.length; i++) start[i + 1] = start[i] + counts[i];
    list = new Int32Array(start[keys.length]);
  }
  // Writing moved each start to the next tile's start; shift them back.
  start.copyWithin(1, 0);
  if (start.length > 0) start[0] = 0;
  return { keys, indexOf, start, list };
}

/** Maximum number of tiles of a box that `tilesOfBox` lists. */
const FEW_TILES = 4;
const NO_TRIANGLES = new Int32Array(0);
const NO_INDEX: ReadonlyMap<number, number> = new Map();

/**
 * Lists the tiles of a box without testing triangles, if there are few tiles. Returns null for a larger or an empty
 * box, and near the ends of the grid, because triangles may touch fewer tiles.
 */
export function tilesOfBox(
  bounds: Float64Array,
  { tileSize, originX, originZ, reach, range }: TileGrid,
): LevelTiles | null {
  const x0 = Math.floor((bounds[0] - reach - originX) / tileSize);
  const x1 = Math.floor((bounds[3] + reach - originX) / tileSize);
  const z0 = Math.floor((bounds[2] - reach - originZ) / tileSize);
  const z1 = Math.floor((bounds[5] + reach - originZ) / tileSize);
  const [firstX, lastX, firstZ, lastZ] = range;
  if (!((x1 - x0 + 1) * (z1 - z0 + 1) <= FEW_TILES && x0 >= firstX && x1 <= lastX && z0 >= firstZ && z1 <= lastZ))
    return null;
  const keys: number[] = [];
  for (let z = z0; z <= z1; z++) for (let x = x0; x <= x1; x++) keys.push(keyOfTile(x, z));
  return { keys, indexOf: NO_INDEX, start: NO_TRIANGLES, list: NO_TRIANGLES };
}

function refuseCount(caller: string, tileSize: number): never {
  const remedy = `at most ${MOST_KEYS}; use a larger tileSize than ${tileSize}, or bounds`;
  return refuse(caller, 'the number of tiles that the level touches', `above ${MOST_KEYS}`, remedy);
}

function refuseDistance(caller: string, tileSize: number): never {
  const remedy = `at most ${MOST_TILES} tiles of ${tileSize} from the origin; use a placement closer to it`;
  return refuse(caller, "the level's distance", 'too large', remedy);
}
