/**
 * Sorts polygons into the cells of a grid, so that a query finds the polygon under a position without searching trees.
 *
 * Tried: four times as many cells. Queries take 3 % less time with warm caches, and 3 % more after their eviction.
 *
 * In: a mesh.
 * Out: the grid of the index.
 * Cost: linear in the polygons and the cells that they overlap.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import type { PathIndex } from '../types.ts';

/** Number of cells per polygon, and maximum number of entries per polygon. */
const CELLS_EACH = 4;
const ENTRIES_EACH = 16;
/** Margin around polygons that covers rounding, as a share of the mesh's size. */
const MARGIN = 1e-9;

/** Writes the grid into the index. */
export function sortIntoGrid(out: PathIndex, mesh: NavMesh): void {
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  let count = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    if (out.polyOpen[poly] === 0) continue;
    count++;
    const [lowX, lowZ, highX, highZ] = extentOf(mesh, poly);
    minX = Math.min(minX, lowX);
    maxX = Math.max(maxX, highX);
    minZ = Math.min(minZ, lowZ);
    maxZ = Math.max(maxZ, highZ);
  }
  if (count === 0) return;
  const width = Math.max(maxX - minX, 1e-3 * (maxZ - minZ), 1e-9);
  const depth = Math.max(maxZ - minZ, 1e-3 * (maxX - minX), 1e-9);
  const margin = MARGIN * Math.max(width, depth, Math.abs(minX), Math.abs(minZ));
  let cellSize = Math.sqrt((width * depth) / (CELLS_EACH * count));
  for (;;) {
    out.grid = Float64Array.of(minX - margin, minZ - margin, 1 / cellSize);
    out.gridWidth = Math.floor((width + 2 * margin) / cellSize) + 1;
    out.gridDepth = Math.floor((depth + 2 * margin) / cellSize) + 1;
    const starts = new Int32Array(out.gridWidth * out.gridDepth + 1);
    const total = listPolys(out, mesh, margin, starts, undefined);
    if (total <= ENTRIES_EACH * count || out.gridWidth * out.gridDepth === 1) {
      for (let cell = 0; cell + 1 < starts.length; cell++) starts[cell + 1] += starts[cell];
      out.cellPolys = new Int32Array(total);
      listPolys(out, mesh, margin, starts.slice(), out.cellPolys);
      out.cellStart = starts;
      return;
    }
    cellSize *= 2;
  }
}

/** Counts the polygons of each cell (in the entry after the cell), or writes them. Returns the number of entries. */
function listPolys(
  out: PathIndex,
  mesh: NavMesh,
  margin: number,
  starts: Int32Array,
  polys: Int32Array | undefined,
): number {
  const { grid, gridWidth, gridDepth } = out;
  const cellSize = 1 / grid[2];
  let total = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    if (out.polyOpen[poly] === 0) continue;
    const [lowX, lowZ, highX, highZ] = extentOf(mesh, poly);
    const fromX = cellOf(lowX - margin, grid[0], grid[2], gridWidth);
    const toX = cellOf(highX + margin, grid[0], grid[2], gridWidth);
    const fromZ = cellOf(lowZ - margin, grid[1], grid[2], gridDepth);
    const toZ = cellOf(highZ + margin, grid[1], grid[2], gridDepth);
    for (let cz = fromZ; cz <= toZ; cz++) {
      for (let cx = fromX; cx <= toX; cx++) {
        const x = grid[0] + cx * cellSize;
        const z = grid[1] + cz * cellSize;
        if (!reaches(mesh, poly, x - margin, z - margin, cellSize + 2 * margin)) continue;
        const cell = cz * gridWidth + cx;
        total++;
        if (polys === undefined) starts[cell + 1]++;
        else polys[starts[cell]++] = poly;
      }
    }
  }
  return total;
}

function cellOf(value: number, from: number, scale: number, count: number): number {
  const cell = Math.floor((value - from) * scale);
  return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

/** Returns false if the square at x, z is completely outside one edge of the polygon. */
function reaches(mesh: NavMesh, poly: number, x: number, z: number, size: number): boolean {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) {
    const a = 3 * edgeVertex[e];
    const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
    const ux = vertices[b] - vertices[a];
    const uz = vertices[b + 2] - vertices[a + 2];
    // The corner of the square that is furthest to the left of the edge, which is the inner side.
    const px = (uz > 0 ? x + size : x) - vertices[a];
    const pz = (ux < 0 ? z + size : z) - vertices[a + 2];
    if (px * uz - pz * ux < 0) return false;
  }
  return true;
}

/** Returns the smallest x and z, and the largest x and z, of a polygon's vertices. */
export function extentOf(mesh: NavMesh, poly: number): [number, number, number, number] {
  const first = mesh.polyEdgeStart[poly];
  let [minX, minZ, maxX, maxZ] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    const v = 3 * mesh.edgeVertex[e];
    minX = Math.min(minX, mesh.vertices[v]);
    maxX = Math.max(maxX, mesh.vertices[v]);
    minZ = Math.min(minZ, mesh.vertices[v + 2]);
    maxZ = Math.max(maxZ, mesh.vertices[v + 2]);
  }
  return [minX, minZ, maxX, maxZ];
}
