/**
 * Select stage: lists for each tile the triangles it sees, those whose box comes within its rim seen from
 * above.
 *
 * A tile exists where ground triangles are; other triangles create none. Tiles are found by position in a
 * map, which is queried only when the next triangle is in another tile than the last, so memory follows the
 * number of tiles.
 *
 * In: the input and the grid.
 * Out: tiles row by row, with lists in the order of the input. A RangeError for more tiles than a mesh can have.
 * Cost: two passes (count and write), linear in triangles and the tiles they touch.
 * Based on: own.
 */
import { MAX_TILE_SLOTS } from '../../mesh/ref.ts';
import { MOST_TILES, keyOfTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import type { SurfaceConfig } from './options.ts';
import type { SurfaceInput, TileInput, TileSquare } from './types.ts';

/** How far beyond its square a tile looks for surface to join, in tolerances. */
const RIM_TOLERANCES = 32;
/** The same distance in radii: corners are approximated from outside (inset.ts), and a little more is visited. */
const RIM_RADII = 1.1;
/** Most tiles that a level may touch: the most that a mesh can have. */
const MOST_SQUARES = MAX_TILE_SLOTS;
/** Most pairs of a triangle and a tile that its box touches. */
const MOST_PAIRS = 2 ** 26;

export interface TileLists {
  squares: TileSquare[];
  /** Ground, upright and other triangles: those of tile k are list[start[k]] .. list[start[k + 1] - 1]. */
  ground: List;
  walls: List;
  others: List;
}

interface List {
  start: Int32Array;
  list: Int32Array;
}

/** Returns how far around its square a tile's surface depends on triangles. */
export function rimOf({ weldTolerance, maxGap, agent }: SurfaceConfig): number {
  return RIM_TOLERANCES * weldTolerance + RIM_RADII * agent.radius + (maxGap ?? 0);
}

export function squareAt(x: number, z: number, tileSize: number, rim: number): TileSquare {
  return { x, z, x0: x * tileSize, z0: z * tileSize, x1: (x + 1) * tileSize, z1: (z + 1) * tileSize, rim };
}

export function selectTiles(input: SurfaceInput, tileSize: number, rim: number): TileLists {
  const { positions, groundVertex, wallVertex, otherVertex } = input;
  const places = new Map<number, number>();
  const grid: Grid = { tileSize, rim, positions, first: 1 - MOST_TILES, last: MOST_TILES - 1, pairs: 0 };
  const boxes = listBoxes(groundVertex, grid, true);
  for (let t = 0; t < boxes.length; t += 4) {
    if (
      t > 0 &&
      boxes[t] === boxes[t - 4] &&
      boxes[t + 1] === boxes[t - 3] &&
      boxes[t + 2] === boxes[t - 2] &&
      boxes[t + 3] === boxes[t - 1]
    )
      continue;
    for (let z = boxes[t + 1]; z <= boxes[t + 3]; z++)
      for (let x = boxes[t]; x <= boxes[t + 2]; x++) places.set(keyOfTile(x, z), 0);
    if (places.size > MOST_SQUARES) refuseTiles(tileSize);
  }
  const keys = [...places.keys()].sort((a, b) => a - b);
  keys.forEach((key, k) => places.set(key, k));
  const squares = keys.map((key) => {
    const [x, z] = tileOfKey(key);
    return squareAt(x, z, tileSize, rim);
  });
  const count = squares.length;
  return {
    squares,
    ground: listOf(boxes, places, count),
    walls: listOf(listBoxes(wallVertex, grid, false), places, count),
    others: listOf(listBoxes(otherVertex, grid, false), places, count),
  };
}

interface Grid {
  positions: Float64Array;
  tileSize: number;
  rim: number;
  /** The least and the greatest coordinate of a tile. */
  first: number;
  last: number;
  /** Pairs of a triangle and a tile so far. */
  pairs: number;
}

function refuseTiles(tileSize: number): never {
  throw new RangeError(
    `buildFromSurface: tiles of ${tileSize} are too small for the level, which touches more than ${MOST_SQUARES} of them ` +
      'or reaches too far from the origin; use a larger tileSize',
  );
}

/**
 * Returns the first and last tile along x and z of each triangle: x0, z0, x1, z1. For triangles that are not ground,
 * only tiles between the outermost ones of the ground count.
 */
function listBoxes(vertices: Int32Array, grid: Grid, isGround: boolean): Int32Array {
  const { positions, tileSize, rim, first, last } = grid;
  let low = last;
  let high = first;
  const out = new Int32Array((vertices.length / 3) * 4);
  for (let i = 0, o = 0; i < vertices.length; i += 3, o += 4) {
    const a = 3 * vertices[i];
    const b = 3 * vertices[i + 1];
    const c = 3 * vertices[i + 2];
    const ax = positions[a];
    const bx = positions[b];
    const cx = positions[c];
    const az = positions[a + 2];
    const bz = positions[b + 2];
    const cz = positions[c + 2];
    let x0 = Math.floor(((ax < bx ? (ax < cx ? ax : cx) : bx < cx ? bx : cx) - rim) / tileSize);
    let z0 = Math.floor(((az < bz ? (az < cz ? az : cz) : bz < cz ? bz : cz) - rim) / tileSize);
    let x1 = Math.floor(((ax > bx ? (ax > cx ? ax : cx) : bx > cx ? bx : cx) + rim) / tileSize);
    let z1 = Math.floor(((az > bz ? (az > cz ? az : cz) : bz > cz ? bz : cz) + rim) / tileSize);
    if (x0 < first || z0 < first || x1 > last || z1 > last) {
      if (isGround) refuseTiles(tileSize);
      x0 = Math.min(Math.max(x0, first), last + 1);
      z0 = Math.min(Math.max(z0, first), last + 1);
      x1 = Math.max(Math.min(x1, last), first - 1);
      z1 = Math.max(Math.min(z1, last), first - 1);
    }
    out[o] = x0;
    out[o + 1] = z0;
    out[o + 2] = x1;
    out[o + 3] = z1;
    if (x0 > x1 || z0 > z1) continue;
    low = Math.min(low, x0, z0);
    high = Math.max(high, x1, z1);
    const pairs = (x1 - x0 + 1) * (z1 - z0 + 1);
    grid.pairs += pairs;
    if (grid.pairs > MOST_PAIRS || (isGround && pairs > MOST_SQUARES)) refuseTiles(tileSize);
  }
  if (isGround) {
    grid.first = low;
    grid.last = high;
  }
  return out;
}

/** Returns the list of triangles of each tile. A first round counts them, a second one writes them. */
function listOf(boxes: Int32Array, places: Map<number, number>, count: number): List {
  const start = new Int32Array(count + 1);
  let list = new Int32Array(0);
  for (let round = 0; round < 2; round++) {
    let lastX = NaN;
    let lastZ = NaN;
    let last: number | undefined;
    for (let t = 0, at = 0; at < boxes.length; t++, at += 4) {
      for (let z = boxes[at + 1]; z <= boxes[at + 3]; z++) {
        for (let x = boxes[at]; x <= boxes[at + 2]; x++) {
          if (x !== lastX || z !== lastZ) {
            last = places.get(keyOfTile(x, z));
            lastX = x;
            lastZ = z;
          }
          if (last === undefined) continue;
          if (round === 0) start[last]++;
          else list[start[last]++] = t;
        }
      }
    }
    if (round === 1) break;
    for (let k = 0, sum = 0; k <= count; k++) {
      sum += start[k];
      start[k] = sum - start[k];
    }
    list = new Int32Array(start[count]);
  }
  start.copyWithin(1, 0, count);
  start[0] = 0;
  return { start, list };
}

/** Returns the input of tile k. */
export function tileInput(input: SurfaceInput, lists: TileLists, k: number): TileInput {
  const { ground, walls, others } = lists;
  return {
    ground: input,
    list: ground.list,
    from: ground.start[k],
    to: ground.start[k + 1],
    positions: input.positions,
    wallVertex: gather(input.wallVertex, walls, k),
    otherVertex: gather(input.otherVertex, others, k),
  };
}

/** Returns the whole input as one tile. */
export function wholeInput(input: SurfaceInput): TileInput {
  const count = input.groundSource.length;
  const list = new Int32Array(count);
  for (let t = 0; t < count; t++) list[t] = t;
  const { positions, wallVertex, otherVertex } = input;
  return { ground: input, list, from: 0, to: count, positions, wallVertex, otherVertex };
}

function gather(vertices: Int32Array, { start, list }: List, k: number): Int32Array {
  const out = new Int32Array(3 * (start[k + 1] - start[k]));
  for (let i = start[k], o = 0; i < start[k + 1]; i++) {
    for (let c = 3 * list[i]; c < 3 * list[i] + 3; c++) out[o++] = vertices[c];
  }
  return out;
}
