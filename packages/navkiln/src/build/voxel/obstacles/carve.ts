/**
 * Carves obstacles into a tile: cuts holes into the solid spans before erosion, sets area ids of compact spans after it.
 *
 * An obstacle covers every cell that its triangles touch, from the lowest to the highest point inside the cell. A thin door between two
 * cell centers therefore closes its passage. A floor is cut when the body of an agent that stands on it would reach into that interval.
 * Contacts of less than `CONTACT` cells do not count, so that a crate on a floor does not cut the floor above its top, nor the cell
 * next to its side.
 *
 * Cells are counted from the corner of the level, so that neighboring tiles carve the cells of their common border alike.
 *
 * In: placed obstacles and a tile's field. Out: the same field with fewer walkable spans, or with other areas.
 * Cost: for each obstacle, its triangles times the cells that each touches inside the tile; its corners times rows for an upright prism.
 * Based on: own; triangles are clipped as by Ivan Sutherland and Gary Hodgman, Reentrant polygon clipping (1974).
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { areaMapper } from '../area-codes.ts';
import type { AreaCodes } from '../area-codes.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { PlacedObstacle } from '../options.ts';
import type { CompactField, Heightfield } from '../types.ts';

/** Overlaps up to this count as contact, in cells and in voxels. */
const CONTACT = 1e-6;
/** Bits of a solid span without its area. */
const WITHOUT_AREA = 0x03ffffff;

/** The grid of a tile: its size, and its first cell counted from the corner of the level. */
interface Grid {
  /** Corner of the level, world units. */
  originX: number;
  originY: number;
  originZ: number;
  firstX: number;
  firstZ: number;
  width: number;
  depth: number;
  cellSize: number;
  cellHeight: number;
}

/** The cells of a tile that an obstacle covers: a box of cells, with an empty interval (low > high) where it covers none. */
interface Cover {
  x0: number;
  x1: number;
  z0: number;
  z1: number;
  /** By cell of the box, in voxels from the bottom of the level. */
  low: Float64Array;
  high: Float64Array;
}

/**
 * Removes the area of the spans on which an agent would touch a hole.
 *
 * @param level configuration of the level; x, z the tile
 */
export function cutHoles(
  solid: Heightfield,
  obstacles: readonly PlacedObstacle[],
  level: BakeConfig,
  x: number,
  z: number,
): void {
  const { columnStart, spans } = solid;
  const bodyCells = level.walkableHeightCells - 1;
  forCovered(obstacles, 'hole', gridOf(level, solid, x, z), (c, low, high) => {
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      const span = spans[i];
      const top = (span >>> 13) & 0x1fff;
      // The floor is rounded up to `top`, by at most one voxel.
      if (top - 1 < high && top + bodyCells > low) spans[i] = span & WITHOUT_AREA;
    }
  });
}

/** Returns the spans of a compact field that `cutHoles` would have removed for one hole. They ascend along each row of columns. */
export function spansInHole(
  field: CompactField,
  obstacle: PlacedObstacle,
  level: BakeConfig,
  x: number,
  z: number,
): Int32Array {
  const { columnStart, y } = field;
  const bodyCells = level.walkableHeightCells - 1;
  const out: number[] = [];
  forCovered([obstacle], 'hole', gridOf(level, field, x, z), (c, low, high) => {
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      if (y[i] - 1 < high && y[i] + bodyCells > low) out.push(i);
    }
  });
  return Int32Array.from(out);
}

/** Sets the area of the walkable spans inside area obstacles, in their order. Names stay. */
export function markObstacleAreas(
  field: CompactField,
  obstacles: readonly PlacedObstacle[],
  level: BakeConfig,
  x: number,
  z: number,
  codes: AreaCodes,
): void {
  const { columnStart, y, area } = field;
  let areaOf = areaMapper(codes, undefined, undefined);
  let last = -1;
  forCovered(obstacles, 'area', gridOf(level, field, x, z), (c, low, high, id) => {
    if (id !== last) areaOf = areaMapper(codes, undefined, (last = id));
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      if (area[i] !== AREA_NONE && y[i] - 1 < high && y[i] > low) area[i] = areaOf(area[i]);
    }
  });
}

function gridOf(level: BakeConfig, { width, depth }: { width: number; depth: number }, x: number, z: number): Grid {
  const { boundsMin, offset, tileCells, borderCells, cellSize, cellHeight } = level;
  return {
    originX: boundsMin[0] + offset[0],
    originY: boundsMin[1] + offset[1],
    originZ: boundsMin[2] + offset[2],
    firstX: x * tileCells - borderCells,
    firstZ: z * tileCells - borderCells,
    width,
    depth,
    cellSize,
    cellHeight,
  };
}

/** Calls `work` for each column that obstacles with an effect cover, with the covered interval less its contacts. */
function forCovered(
  obstacles: readonly PlacedObstacle[],
  effect: PlacedObstacle['effect'],
  grid: Grid,
  work: (column: number, low: number, high: number, area: number) => void,
): void {
  for (const obstacle of obstacles) {
    const cover = obstacle.effect === effect ? coverCells(obstacle, grid) : null;
    if (cover === null) continue;
    const { x0, x1, z0, z1, low, high } = cover;
    for (let z = z0, i = 0; z < z1; z++) {
      for (let x = x0; x < x1; x++, i++) {
        if (low[i] <= high[i]) work(x + z * grid.width, low[i] + CONTACT, high[i] - CONTACT, obstacle.area);
      }
    }
  }
}

/** Returns the cells of the grid that an obstacle covers; null: none. */
function coverCells(obstacle: PlacedObstacle, grid: Grid): Cover | null {
  const { positions, indices, bounds } = obstacle;
  const { originX, originY, originZ, firstX, firstZ, width, depth, cellSize, cellHeight } = grid;
  const cellX = (value: number): number => (value - originX) / cellSize - firstX;
  const cellZ = (value: number): number => (value - originZ) / cellSize - firstZ;
  const x0 = Math.max(0, Math.floor(cellX(bounds[0]) + CONTACT));
  const x1 = Math.min(width, Math.ceil(cellX(bounds[3]) - CONTACT));
  const z0 = Math.max(0, Math.floor(cellZ(bounds[2]) + CONTACT));
  const z1 = Math.min(depth, Math.ceil(cellZ(bounds[5]) - CONTACT));
  if (!(x0 < x1 && z0 < z1)) return null;
  const count = (x1 - x0) * (z1 - z0);
  const cover: Cover = {
    x0,
    x1,
    z0,
    z1,
    low: new Float64Array(count).fill(Infinity),
    high: new Float64Array(count).fill(-Infinity),
  };
  if (isUpright(obstacle)) {
    const count = positions.length / 6;
    const ring = new Float64Array(3 * count);
    for (let k = 0; k < 3 * count; k += 3) {
      ring[k] = cellX(positions[k]);
      ring[k + 2] = cellZ(positions[k + 2]);
    }
    const y = (value: number): number => (value - originY) / cellHeight;
    const ends = [y(positions[1]), y(positions[3 * count + 1])];
    coverPrism(cover, ring, Math.min(...ends), Math.max(...ends));
    return cover;
  }
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const from = 3 * indices[t + k];
      corners[3 * k] = cellX(positions[from]);
      corners[3 * k + 1] = (positions[from + 1] - originY) / cellHeight;
      corners[3 * k + 2] = cellZ(positions[from + 2]);
    }
    coverTriangle(cover);
  }
  return cover;
}

/** Returns whether an obstacle is a prism whose sides are vertical. */
function isUpright({ isPrism, positions }: PlacedObstacle): boolean {
  const half = positions.length / 2;
  for (let k = 0; isPrism && k < half; k += 3) {
    if (positions[k] !== positions[half + k] || positions[k + 2] !== positions[half + k + 2]) return false;
    if (positions[k + 1] !== positions[1] || positions[half + k + 1] !== positions[half + 1]) return false;
  }
  return isPrism;
}

/** Covers the cells that a convex ring touches: of each row those between its ends, from `low` to `high`. */
function coverPrism(cover: Cover, ring: Float64Array, low: number, high: number): void {
  const { x0, x1, z0, z1 } = cover;
  const below = new Float64Array(ring.length + 6);
  const row = new Float64Array(ring.length + 12);
  let minZ = Infinity;
  let maxZ = -Infinity;
  for (let k = 2; k < ring.length; k += 3) {
    if (ring[k] < minZ) minZ = ring[k];
    if (ring[k] > maxZ) maxZ = ring[k];
  }
  const firstZ = Math.max(z0, Math.floor(minZ + CONTACT));
  const endZ = Math.min(z1, Math.ceil(maxZ - CONTACT));
  for (let z = firstZ; z < endZ; z++) {
    const count = clip(row, below, clip(below, ring, ring.length / 3, 2, z, 1), 2, z + 1, -1);
    let minX = Infinity;
    let maxX = -Infinity;
    for (let k = 0; k < 3 * count; k += 3) {
      if (row[k] < minX) minX = row[k];
      if (row[k] > maxX) maxX = row[k];
    }
    if (count === 0) continue;
    const first = Math.max(x0, Math.floor(minX + CONTACT));
    const end = Math.min(x1, Math.ceil(maxX - CONTACT));
    for (let x = first; x < end; x++) {
      const cell = (z - z0) * (x1 - x0) + (x - x0);
      cover.low[cell] = low;
      cover.high[cell] = high;
    }
  }
}

/** The current triangle and its clipped parts, x, y, z in cells and voxels. Each clip adds at most one vertex. */
const corners = new Float64Array(9);
const below = new Float64Array(21);
const row = new Float64Array(21);
const left = new Float64Array(21);
const part = new Float64Array(21);

/** Adds a triangle to the intervals of the cells that it touches. */
function coverTriangle(cover: Cover): void {
  const { x0, x1, z0, z1, low, high } = cover;
  const firstZ = Math.max(z0, Math.floor(Math.min(corners[2], corners[5], corners[8]) + CONTACT));
  const endZ = Math.min(z1, Math.ceil(Math.max(corners[2], corners[5], corners[8]) - CONTACT));
  for (let z = firstZ; z < endZ; z++) {
    const count = clip(row, below, clip(below, corners, 3, 2, z, 1), 2, z + 1, -1);
    if (count === 0) continue;
    let minX = Infinity;
    let maxX = -Infinity;
    for (let i = 0; i < 3 * count; i += 3) {
      if (row[i] < minX) minX = row[i];
      if (row[i] > maxX) maxX = row[i];
    }
    const firstX = Math.max(x0, Math.floor(minX + CONTACT));
    const endX = Math.min(x1, Math.ceil(maxX - CONTACT));
    for (let x = firstX; x < endX; x++) {
      const end = 3 * clip(part, left, clip(left, row, count, 0, x, 1), 0, x + 1, -1);
      const cell = (z - z0) * (x1 - x0) + (x - x0);
      for (let i = 1; i < end; i += 3) {
        if (part[i] < low[cell]) low[cell] = part[i];
        if (part[i] > high[cell]) high[cell] = part[i];
      }
    }
  }
}

/** Clips a polygon to the side of a plane where sign * (value - limit) >= 0 along an axis. Returns the number of vertices. */
function clip(
  out: Float64Array,
  polygon: Float64Array,
  count: number,
  axis: 0 | 2,
  limit: number,
  sign: 1 | -1,
): number {
  let n = 0;
  let from = 3 * (count - 1);
  for (let to = 0; to < 3 * count; to += 3) {
    const a = sign * (polygon[from + axis] - limit);
    const b = sign * (polygon[to + axis] - limit);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      const u = a / (a - b);
      for (let k = 0; k < 3; k++) out[n++] = polygon[from + k] + u * (polygon[to + k] - polygon[from + k]);
    }
    if (b >= 0) for (let k = 0; k < 3; k++) out[n++] = polygon[to + k];
    from = to;
  }
  return n / 3;
}
