/**
 * Cuts a level into a grid of tiles: finds the triangles of each tile, and the configuration that it is baked
 * with.
 *
 * A tile is baked with a border of `borderCells` around it, so that erosion, ledges, regions and outlines
 * near its sides come out as in the tiles next to it. Triangles are sorted by the tiles that their box
 * touches, seen from above: one counting sort that keeps the order of the input. A level given as doubles is
 * rebased tile by tile (rebase.ts), so that float32 serves for worlds of any width.
 *
 * In: the prepared level and its configuration. Out: per tile its triangles, configuration and input.
 * Cost: linear in triangles and in the tiles they touch.
 * Based on: own; border and box of a tile are those of Recast's demo (Mikko Mononen), which finds triangles
 *   by a tree.
 * Tried: smaller tiles take longer in all, because of their borders (`npm run bench -- --growth`).
 */
import { refuse } from '../../base/data/refuse.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import { MAX_TILE_SLOTS } from '../../mesh/ref.ts';
import type { PreparedInput } from './input.ts';
import { takeSlot } from './memory.ts';
import type { BakeConfig } from './bake-config.ts';
import { rebaseOffset } from './rebase.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

/** Most tiles that a triangle may touch: the most that a mesh can have. */
const MOST_TILES_TOUCHED = MAX_TILE_SLOTS;
/** Most pairs of a triangle and a tile that its box touches. */
export const MOST_PAIRS: number = 2 ** 27;

/**
 * The triangles of all tiles. Those of tile i are list[start[i]] .. list[start[i + 1] - 1]; i = x + z *
 * tileCountX.
 */
export interface TileTriangles {
  start: Int32Array;
  list: Int32Array;
}

/**
 * Sorts the triangles of a level by the tiles that they touch, borders included.
 *
 * @throws RangeError when they touch more tiles than a mesh can have
 */
export function sortIntoTiles(input: PreparedInput, config: BakeConfig, caller: string): TileTriangles {
  const start = new Int32Array(config.tileCountX * config.tileCountZ + 1);
  countTriangles(input, config, 0, input.triangleCount, start, caller);
  for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
  const list = new Int32Array(start[start.length - 1]);
  listTriangles(input, config, 0, input.triangleCount, start.slice(), list);
  return { start, list };
}

/** The corners of triangles. */
type Corners = Pick<PreparedInput, 'positions' | 'indices'>;

/** The numbers of the tiles that a triangle touches: columns `x0` .. `x1` and rows `z0` .. `z1`. */
interface Touched {
  x0: number;
  x1: number;
  z0: number;
  z1: number;
}

/** Returns the function that finds the tiles of a triangle. */
function tileFinder(
  { positions, indices }: Corners,
  { tileCells, borderCells, cellSize, boundsMin, tileCountX, tileCountZ }: BakeConfig,
): (t: number, out: Touched) => void {
  // One cell more than the border covers rounding errors.
  const size = tileCells * cellSize;
  const reach = (borderCells + 1) * cellSize;
  const [minX, , minZ] = boundsMin;
  return (t, out) => {
    const a = 3 * indices[3 * t];
    const b = 3 * indices[3 * t + 1];
    const c = 3 * indices[3 * t + 2];
    const ax = positions[a];
    const bx = positions[b];
    const cx = positions[c];
    const az = positions[a + 2];
    const bz = positions[b + 2];
    const cz = positions[c + 2];
    out.x0 = Math.max(0, Math.floor((Math.min(ax, bx, cx) - reach - minX) / size));
    out.x1 = Math.min(tileCountX - 1, Math.floor((Math.max(ax, bx, cx) + reach - minX) / size));
    out.z0 = Math.max(0, Math.floor((Math.min(az, bz, cz) - reach - minZ) / size));
    out.z1 = Math.min(tileCountZ - 1, Math.floor((Math.max(az, bz, cz) + reach - minZ) / size));
  };
}

/**
 * Adds to `counts[i + 1]` how many of the triangles `from` .. `to` - 1 touch tile i.
 *
 * @throws RangeError when they touch more tiles than a mesh can have
 */
export function countTriangles(
  input: Corners,
  config: BakeConfig,
  from: number,
  to: number,
  counts: Int32Array,
  caller: string,
): void {
  const { tileCountX } = config;
  const find = tileFinder(input, config);
  const touched: Touched = { x0: 0, x1: 0, z0: 0, z1: 0 };
  let pairs = 0;
  for (let t = from; t < to; t++) {
    find(t, touched);
    const { x0, x1, z0, z1 } = touched;
    if (x0 > x1 || z0 > z1) continue;
    const count = (x1 - x0 + 1) * (z1 - z0 + 1);
    pairs += count;
    if (count > MOST_TILES_TOUCHED || pairs > MOST_PAIRS) {
      const why = `larger: triangle ${t} touches ${count} tiles, a mesh has at most ${MAX_TILE_SLOTS}`;
      refuse(caller, 'options.tileSize', config.tileCells * config.cellSize, why);
    }
    for (let z = z0; z <= z1; z++) {
      for (let i = x0 + z * tileCountX; i <= x1 + z * tileCountX; i++) counts[i + 1]++;
    }
  }
}

/** Writes the triangles `from` .. `to` - 1 into the list: those of tile i from `next[i]` on, which moves behind them. */
export function listTriangles(
  input: Corners,
  config: BakeConfig,
  from: number,
  to: number,
  next: Int32Array,
  list: Int32Array,
): void {
  const { tileCountX } = config;
  const find = tileFinder(input, config);
  const touched: Touched = { x0: 0, x1: 0, z0: 0, z1: 0 };
  for (let t = from; t < to; t++) {
    find(t, touched);
    const { x0, x1, z0, z1 } = touched;
    for (let z = z0; z <= z1; z++) {
      for (let i = x0 + z * tileCountX; i <= x1 + z * tileCountX; i++) list[next[i]++] = t;
    }
  }
}

/** Returns the configuration of one tile with its border. `isMoved`: the level's positions are doubles. */
export function tileConfig(config: BakeConfig, x: number, z: number, isMoved: boolean): BakeConfig {
  const { tileCells, borderCells, cellSize, boundsMin, boundsMax, offset } = config;
  const side = tileCells + 2 * borderCells;
  // In the level's local coordinates.
  const minX = boundsMin[0] + (x * tileCells - borderCells) * cellSize;
  const minZ = boundsMin[2] + (z * tileCells - borderCells) * cellSize;
  const middle = [minX + (side / 2) * cellSize + offset[0], offset[1], minZ + (side / 2) * cellSize + offset[2]];
  const own = isMoved ? rebaseOffset({ min: middle, max: middle }) : offset;
  const localX = minX + (offset[0] - own[0]);
  const localZ = minZ + (offset[2] - own[2]);
  return {
    ...config,
    offset: own,
    widthCells: side,
    depthCells: side,
    // Of the place, so that bakes whose first tiles differ agree. The fraction keeps usual corners away from where it changes.
    tileParity:
      (x + z + Math.floor((boundsMin[0] + offset[0] + boundsMin[2] + offset[2]) / (tileCells * cellSize) + 0.3)) & 1,
    boundsMin: [f(localX), boundsMin[1], f(localZ)],
    boundsMax: [f(localX + side * cellSize), boundsMax[1], f(localZ + side * cellSize)],
  };
}

/** The part of the input that a tile is baked from. */
export interface TileInput {
  positions: Float32Array;
  indices: ArrayLike<number>;
  areas: Uint8Array;
}

/**
 * Returns the input of one tile in its local coordinates; undefined when no triangle is walkable.
 *
 * @param areas area id of each triangle of the level
 * @param list the tile's triangles
 * @param isKept returns the input in any case
 */
export function tileInput(
  prepared: PreparedInput,
  areas: Uint8Array,
  list: Int32Array,
  tile: BakeConfig,
  workspace: Workspace,
  isKept: boolean = false,
): TileInput | undefined {
  const { indices: all, given, offset } = prepared;
  const own = tile.offset;
  const count = list.length;
  const indices = takeSlot(workspace, 'tile.indices', 3 * count);
  const tileAreas = takeSlot(workspace, 'tile.areas', count);
  let walkable = 0;
  for (let i = 0; i < count; i++) {
    const t = list[i];
    for (let k = 0; k < 3; k++) indices[3 * i + k] = all[3 * t + k];
    walkable |= tileAreas[i] = areas[t];
  }
  if (walkable === 0 && !isKept) return undefined;
  let { positions } = prepared;
  if (given !== undefined && (own[0] !== offset[0] || own[2] !== offset[2])) {
    positions = new Float32Array(3 * indices.length);
    for (let i = 0; i < indices.length; i++) {
      for (let k = 0; k < 3; k++) positions[3 * i + k] = given[3 * indices[i] + k] - own[k];
      indices[i] = i;
    }
  }
  return { positions, indices, areas: tileAreas };
}

/**
 * Removes the spans of a tile that lie outside of the level's columns: triangles may reach beyond `bounds`, and into half a column
 * that a bake without tiles has not. Recast keeps the latter.
 */
export function cropToLevel(solid: Heightfield, level: BakeConfig, x: number, z: number): void {
  const { widthCells, depthCells, tileCells, borderCells } = level;
  const { width, depth, columnStart, spans } = solid;
  const firstX = x * tileCells - borderCells;
  const firstZ = z * tileCells - borderCells;
  let from = 0;
  let out = 0;
  for (let c = 0; c < width * depth; c++) {
    const end = columnStart[c + 1];
    const cx = firstX + (c % width);
    // Between two rows in all columns but the first, which changes no comparison.
    const cz = firstZ + c / width;
    columnStart[c] = out;
    if (cx >= 0 && cx < widthCells && cz >= 0 && cz < depthCells) {
      if (out < from) spans.copyWithin(out, from, end);
      out += end - from;
    }
    from = end;
  }
  columnStart[width * depth] = solid.spanCount = out;
  solid.spans = spans.subarray(0, out);
}
