/**
 * Height patch: the floor's height in each cell of a polygon's box, looked up by the detail mesh.
 *
 * Input: CompactField with regions, a polygon. Output: a grid of voxel heights. Cells of the polygon's own region come first;
 * from its rim the heights spread along connections, breadth-first, so that cells outside get the floor that belongs to
 * this storey and not one above. Cost: the cells of the box, each written once.
 *
 * Based on: Mikko Mononen, Recast (2009), getHeightData.
 */
import type { CompactField, PolyMesh } from './types.ts';

/** No floor known. */
export const HEIGHT_NONE = 0xffff;

export interface HeightPatch {
  /** Corner of the grid in cells of the field. */
  x: number;
  z: number;
  width: number;
  depth: number;
  heights: Uint16Array;
  /** Queue of spans and their cells, scratch. */
  spans: Int32Array;
  cells: Int32Array;
}

export function createHeightPatch(): HeightPatch {
  return {
    x: 0, z: 0, width: 0, depth: 0, heights: new Uint16Array(0), spans: new Int32Array(0), cells: new Int32Array(0),
  };
}

/** Fills the patch for polygon p. */
export function fillHeightPatch(patch: HeightPatch, field: CompactField, mesh: PolyMesh, p: number): void {
  const { columnStart, region, y, neighbor, width: fieldWidth } = field;
  placeOverPoly(patch, field, mesh, p);
  const { x: x0, z: z0, width, depth } = patch;
  const size = width * depth;
  if (patch.heights.length < size) {
    patch.heights = new Uint16Array(size * 2);
    patch.spans = new Int32Array(size * 2);
    patch.cells = new Int32Array(size * 2);
  }
  const { heights, spans, cells } = patch;
  heights.fill(HEIGHT_NONE, 0, size);
  const own = mesh.region[p]!;
  let count = 0;
  for (let z = 0; z < depth; z++) {
    const rowStart = x0 + (z0 + z) * fieldWidth;
    for (let x = 0; x < width; x++) {
      const end = columnStart[rowStart + x + 1]!;
      for (let i = columnStart[rowStart + x]!; i < end; i++) {
        if (region[i] !== own) continue;
        heights[x + z * width] = y[i]!;
        const a = neighbor[4 * i]!, b = neighbor[4 * i + 1]!, c = neighbor[4 * i + 2]!, d = neighbor[4 * i + 3]!;
        if (
          (a !== -1 && region[a] !== own) || (b !== -1 && region[b] !== own)
          || (c !== -1 && region[c] !== own) || (d !== -1 && region[d] !== own)
        ) {
          spans[count] = i;
          cells[count++] = x + z * width;
        }
        break;
      }
    }
  }
  for (let k = 0; k < count; k++) {
    const i = spans[k]!, cell = cells[k]!;
    const x = cell % width;
    for (let dir = 0; dir < 4; dir++) {
      const a = neighbor[4 * i + dir]!;
      if (a === -1) continue;
      let next: number;
      if (dir === 0) {
        if (x === 0) continue;
        next = cell - 1;
      } else if (dir === 2) {
        if (x === width - 1) continue;
        next = cell + 1;
      } else {
        next = dir === 1 ? cell + width : cell - width;
        if (next < 0 || next >= size) continue;
      }
      if (heights[next] !== HEIGHT_NONE) continue;
      heights[next] = y[a]!;
      spans[count] = a;
      cells[count++] = next;
    }
  }
}

/** The polygon's box and a cell around, within the field. */
function placeOverPoly(patch: HeightPatch, field: CompactField, mesh: PolyMesh, p: number): void {
  const { polys, vertices, maxVerticesPerPoly: size, borderCells } = mesh;
  let x0 = field.width, x1 = 0, z0 = field.depth, z1 = 0;
  for (let k = p * size; k < p * size + size && polys[k] !== -1; k++) {
    const x = vertices[3 * polys[k]!]! + borderCells, z = vertices[3 * polys[k]! + 2]! + borderCells;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  patch.x = Math.max(0, x0 - 1);
  patch.z = Math.max(0, z0 - 1);
  patch.width = Math.max(1, Math.min(field.width, x1 + 1) - patch.x);
  patch.depth = Math.max(1, Math.min(field.depth, z1 + 1) - patch.z);
}

/**
 * Height at a place, in voxels. Where the cell has none, the cells around are asked, ring by ring, and of the first ring that
 * knows any the height closest to `expected` is taken; `expected` when there is none at all.
 *
 * @param x, z in cells from the field's corner
 */
export function heightAt(patch: HeightPatch, x: number, z: number, expected: number): number {
  const { width, depth, heights } = patch;
  // A hair inside, so that a place on a border belongs to the same cell for both neighbours.
  let cx = Math.floor(x + 0.01) - patch.x, cz = Math.floor(z + 0.01) - patch.z;
  if (cx < 0) cx = 0; else if (cx >= width) cx = width - 1;
  if (cz < 0) cz = 0; else if (cz >= depth) cz = depth - 1;
  const height = heights[cx + cz * width]!;
  if (height !== HEIGHT_NONE) return height;
  const last = Math.max(width, depth);
  for (let ring = 1; ring <= last; ring++) {
    let best = -1, closest = Infinity;
    for (let dz = -ring; dz <= ring; dz++) {
      const row = cz + dz;
      if (row < 0 || row >= depth) continue;
      const step = dz === -ring || dz === ring ? 1 : 2 * ring;
      for (let dx = -ring; dx <= ring; dx += step) {
        const column = cx + dx;
        if (column < 0 || column >= width) continue;
        const found = heights[column + row * width]!;
        if (found === HEIGHT_NONE) continue;
        const distance = Math.abs(found - expected);
        if (distance < closest) {
          closest = distance;
          best = found;
        }
      }
    }
    if (best !== -1) return best;
  }
  return expected;
}
