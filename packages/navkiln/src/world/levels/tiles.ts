/**
 * Which tiles a level's triangles touch: those whose box, seen from above, comes nearer to a tile's square than a reach.
 *
 * In: placed triangles and the grid. Out: for each tile touched its triangles, in the order of the level. Two passes, count and
 * write; tiles are found by their number in a map, so that memory follows what is touched and not how far apart it lies.
 * Cost: linear in triangles and in tiles they touch. Neighbouring triangles are mostly in the same tile: its number is kept.
 *
 * Based on: own.
 */
import { MOST_TILES, keyOfTile } from '../../navmesh/tile-grid.ts';

/** Tiles a level may touch. */
const MAX_TOUCHED = 0x4000000;

export interface TileGrid {
  /** Side of a tile and corner of tile (0, 0) in x and z, world units. */
  tileSize: number;
  originX: number;
  originZ: number;
  /** How far beyond its square a tile's ground depends on triangles. */
  reach: number;
  /** First and last tiles there may be, along x and z. */
  range: readonly [number, number, number, number];
}

/** Triangles of the tile at place `keys[i]`: list[start[i]] .. list[start[i + 1] - 1]. */
export interface LevelTiles {
  keys: number[];
  /** Place -> i. */
  indexOf: Map<number, number>;
  start: Int32Array;
  list: Int32Array;
}

/** Every tile there may be without bounds. */
export const ALL_TILES: TileGrid['range'] = [1 - MOST_TILES, MOST_TILES - 1, 1 - MOST_TILES, MOST_TILES - 1];

/** @param indices three a triangle, of finite positions */
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
        if (range === ALL_TILES) tooFar(caller, tileSize);
        continue;
      }
      const fromX = x0 < firstX ? firstX : x0;
      const toX = x1 > lastX ? lastX : x1;
      const fromZ = z0 < firstZ ? firstZ : z0;
      const toZ = z1 > lastZ ? lastZ : z1;
      if (round === 0) {
        touched += (toX - fromX + 1) * (toZ - fromZ + 1);
        if (touched > MAX_TOUCHED) tooMany(caller, tileSize);
      }
      for (let z = fromZ; z <= toZ; z++) {
        for (let x = fromX; x <= toX; x++) {
          const key = keyOfTile(x, z);
          if (key !== lastKey) {
            lastKey = key;
            const known = indexOf.get(key);
            if (known === undefined) {
              index = keys.length;
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
  // Each has moved on to where the next begins.
  start.copyWithin(1, 0);
  if (start.length > 0) start[0] = 0;
  return { keys, indexOf, start, list };
}

function tooMany(caller: string, tileSize: number): never {
  throw new RangeError(
    `${caller}: the level touches more than ${MAX_TOUCHED} tiles of ${tileSize} a side; give a larger tileSize, or bounds`,
  );
}

function tooFar(caller: string, tileSize: number): never {
  throw new RangeError(
    `${caller}: the level lies more than ${MOST_TILES} tiles of ${tileSize} a side from the origin; give a placement nearer to it`,
  );
}
