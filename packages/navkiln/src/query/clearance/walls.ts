/**
 * Reads the walls of a 2D mesh and triangulates the surface between them, so that each vertex is a corner of a wall.
 *
 * The polygons of the mesh are not suitable: areas, tiles and merged pieces have corners inside the walkable surface, and merging removes the
 * triangles whose edges measure passages. The vertices of the mesh lie on the map's grid, whose cell size is the largest power of two that
 * divides all coordinates.
 *
 * In: a mesh of a 2D map, a filter.
 * Out: triangles, counter-clockwise seen from above, in grid cells.
 * Cost: that of one triangulation, or two with tiles and areas.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { MAX_GRID_EXTENT } from '../../base/plane/grid-predicates.ts';
import { borderRings } from '../../base/plane/overlay.ts';
import { findWindings, triangulateRings, triangulateSegments } from '../../base/plane/triangulate.ts';
import type { Triangulation } from '../../base/plane/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';

/** The grid of a mesh. */
export interface MeshGrid {
  gridSize: number;
  originX: number;
  originV: number;
  mapYSign: number;
}

/** Triangles between walls; `twin` is -1 at walls. */
export interface WallTriangles {
  grid: MeshGrid;
  vertexCount: number;
  xs: Float64Array;
  vs: Float64Array;
  triangleCount: number;
  corner: Int32Array;
  twin: Int32Array;
}

/** Returns the triangles between the walls of a mesh. Throws a RangeError if its vertices are not on the grid of a 2D map. */
export function readWalls(mesh: NavMesh, filter: QueryFilter, caller: string): WallTriangles {
  const grid = readGrid(mesh, caller);
  let [triangles, inside] = cover(mesh, grid, filter);
  if (hasInnerCorner(triangles, inside)) {
    triangles = triangulateRings(borderRings(triangles, inside));
    inside = findWindings(triangles);
  }
  return collect(triangles, inside, grid);
}

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/** Returns the exponent of the lowest bit of a number that is not 0. */
function lowestBit(value: number): number {
  bits[0] = value;
  const exponent = (words[1] >>> 20) & 0x7ff;
  const low = words[0];
  const high = (words[1] & 0xfffff) | 0x100000;
  const trailing = low !== 0 ? 31 - Math.clz32(low & -low) : 63 - Math.clz32(high & -high);
  return exponent - 1075 + trailing;
}

function powerOfTwo(exponent: number): number {
  let power = 1;
  for (let k = Math.abs(exponent); k > 0; k--) power *= exponent < 0 ? 0.5 : 2;
  return power;
}

function readGrid(mesh: NavMesh, caller: string): MeshGrid {
  const { polyEdgeStart, polyVertexCount, edgeVertex, vertices } = mesh;
  let step = Infinity;
  let [minX, minV, maxX, maxV] = [Infinity, Infinity, -Infinity, -Infinity];
  forEachPoly(mesh, (poly) => {
    const first = polyEdgeStart[poly];
    for (let e = first; e < first + polyVertexCount[poly]; e++) {
      const x = vertices[3 * edgeVertex[e]];
      const v = -vertices[3 * edgeVertex[e] + 2];
      if (x !== 0) step = Math.min(step, lowestBit(x));
      if (v !== 0) step = Math.min(step, lowestBit(v));
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      minV = Math.min(minV, v);
      maxV = Math.max(maxV, v);
    }
  });
  let gridSize = step < Infinity ? powerOfTwo(step) : 1;
  const extent = Math.max(maxX - minX, maxV - minV);
  if (extent / gridSize >= MAX_GRID_EXTENT) refuse(caller, 'mesh', 'not on a grid', 'the mesh of a 2D map');
  // Margins for rounding errors are in cells, so a cell is always the same share of the map.
  while (extent > 0 && (2 * extent) / gridSize < MAX_GRID_EXTENT) gridSize /= 2;
  const isEmpty = minX === Infinity;
  return { gridSize, originX: isEmpty ? 0 : minX, originV: isEmpty ? 0 : minV, mapYSign: mapYSignOf(mesh) };
}

function forEachPoly(mesh: NavMesh, visit: (poly: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    for (let i = 0; i < mesh.tilePolyCount[slot]; i++) visit(mesh.tilePolyStart[slot] + i);
  }
}

/** Returns the triangulation of all polygons, and for each half-edge 1 if its triangle is inside a polygon, else 0. */
function cover(mesh: NavMesh, grid: MeshGrid, filter: QueryFilter): [triangles: Triangulation, inside: Int32Array] {
  const { gridSize, originX, originV } = grid;
  const { polyEdgeStart, polyVertexCount, edgeVertex, edgeNeighbor, vertices } = mesh;
  const x: number[] = [];
  const v: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const pointOf = new Map<number, number>();
  const point = (vertex: number): number => {
    let at = pointOf.get(vertex);
    if (at === undefined) {
      at = x.length;
      pointOf.set(vertex, at);
      x.push(Math.round((vertices[3 * vertex] - originX) / gridSize));
      v.push(Math.round((-vertices[3 * vertex + 2] - originV) / gridSize));
    }
    return at;
  };
  forEachPoly(mesh, (poly) => {
    if (!passesFilter(filter, mesh, poly)) return;
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const neighbor = edgeNeighbor[e];
      // Edges between two polygons cancel each other.
      if (neighbor >= 0 && passesFilter(filter, mesh, neighbor)) continue;
      from.push(point(edgeVertex[e]));
      to.push(point(edgeVertex[e + 1 < end ? e + 1 : first]));
    }
  });
  const segments = {
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    weight: new Int32Array(from.length).fill(1),
  };
  const triangles = triangulateSegments(Int32Array.from(x), Int32Array.from(v), segments);
  const inside = findWindings(triangles);
  for (let h = 0; h < inside.length; h++) inside[h] = inside[h] > 0 ? 1 : 0;
  return [triangles, inside];
}

/** Returns whether a fixed edge has surface on both sides: a border of tiles, whose ends may lie inside the surface. */
function hasInnerCorner({ edgeCount, fixed }: Triangulation, inside: Int32Array): boolean {
  for (let e = 0; e < edgeCount; e++) if (fixed[e] !== 0 && inside[2 * e] + inside[2 * e + 1] === 2) return true;
  return false;
}

function collect(triangles: Triangulation, inside: Int32Array, grid: MeshGrid): WallTriangles {
  const { edgeCount, origin, next } = triangles;
  const vertexOf = new Int32Array(triangles.vertexCount).fill(-1);
  const halfOf = new Int32Array(2 * edgeCount).fill(-1);
  let count = 0;
  for (let h = 0; h < 2 * edgeCount; h++) {
    if (inside[h] <= 0 || next[h] < 0 || halfOf[h] >= 0) continue;
    halfOf[h] = count;
    halfOf[next[h]] = count + 1;
    halfOf[next[next[h]]] = count + 2;
    count += 3;
  }
  const corner = new Int32Array(count);
  const twin = new Int32Array(count);
  let vertexCount = 0;
  for (let h = 0; h < 2 * edgeCount; h++) {
    if (halfOf[h] < 0) continue;
    if (vertexOf[origin[h]] < 0) vertexOf[origin[h]] = vertexCount++;
    corner[halfOf[h]] = vertexOf[origin[h]];
    twin[halfOf[h]] = halfOf[h ^ 1];
  }
  const xs = new Float64Array(vertexCount);
  const vs = new Float64Array(vertexCount);
  for (let v = 0; v < triangles.vertexCount; v++) {
    if (vertexOf[v] < 0) continue;
    xs[vertexOf[v]] = triangles.xs[v];
    vs[vertexOf[v]] = triangles.ys[v];
  }
  return { grid, vertexCount, xs, vs, triangleCount: count / 3, corner, twin };
}
