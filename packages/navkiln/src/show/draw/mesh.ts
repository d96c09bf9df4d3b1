/**
 * Draws the walkable surface of a NavMesh as debug geometry: its triangles and the outlines of its polygons,
 * both at the height of the detail mesh.
 *
 * In: a mesh. Out: triangles, with separate vertices per polygon so that neighbors can have different colors;
 * lines.
 * Cost: linear in the drawn elements.
 * Based on: own. As in Recast's demo (Mikko Mononen), outlines follow the detail triangles' edges that are marked as
 * boundary. Each belongs to the nearest polygon edge.
 */
import { checkOptions } from '../check-options.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import {
  addLine,
  createLineList,
  finishLines,
  liftOfLines,
  numberColor,
  originOfMesh,
  putColor,
  rgba,
  slotsToDraw,
} from './geometry.ts';
import type { DebugGeometry, DebugGeometryOptions, Rgba } from './geometry.ts';
import { areaFill, GROUND_EDGE } from '../palette.ts';

/** Options of `navMeshTriangles`. */
export interface TriangleOptions extends DebugGeometryOptions {
  /** Color by area (default), by tile, or a function that returns 0xrrggbbaa for a polygon's dense index. */
  color?: 'area' | 'tile' | ((poly: number) => Rgba);
  /** Polygons to draw, by dense index. Default: all. */
  filter?: (poly: number) => boolean;
}

/** Options of `navMeshOutlines`. */
export interface OutlineOptions extends DebugGeometryOptions {
  /** Edges to draw: at walls, between polygons of a tile, at tile borders. Default: all. */
  edges?: readonly ('wall' | 'inner' | 'border')[];
  /** Polygons to draw, by dense index. Default: all. */
  filter?: (poly: number) => boolean;
}

const TRIANGLE_KEYS: readonly (keyof TriangleOptions)[] = ['color', 'filter', 'lift', 'slots'];
const OUTLINE_KEYS: readonly (keyof OutlineOptions)[] = ['edges', 'filter', 'lift', 'slots'];
/** Layout of `detailTris`: three vertices and the boundary flags of the edges, two bits each. */
const DETAIL_TRI_STRIDE = 4;
const DETAIL_TRI_FLAGS = 3;

/**
 * Draws the walkable surface. `polys` contains the polygon of each triangle.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function navMeshTriangles(mesh: NavMesh, options: TriangleOptions = {}): DebugGeometry {
  checkNavMesh('navMeshTriangles', mesh);
  checkKeys('navMeshTriangles', options, TRIANGLE_KEYS);
  checkOptions('navMeshTriangles', options);
  const { color = 'area', filter, lift = 0.02 * mesh.agent.height } = options;
  const origin = originOfMesh(mesh);
  const chosen: number[] = [];
  let vertexCount = 0;
  let triCount = 0;
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      if (filter?.(poly) === false) continue;
      chosen.push(poly);
      vertexCount += mesh.polyVertexCount[poly] + mesh.polyDetailVertexCount[poly];
      triCount += mesh.polyDetailTriCount[poly] || mesh.polyVertexCount[poly] - 2;
    }
  }
  const positions = new Float32Array(3 * vertexCount);
  const colors = new Uint8Array(4 * vertexCount);
  const indices = new Uint32Array(3 * triCount);
  const polys = new Int32Array(triCount);
  let vertex = 0;
  let tri = 0;
  for (const poly of chosen) {
    const own = colorOf(mesh, poly, color);
    const corners = mesh.polyVertexCount[poly];
    const first = mesh.polyEdgeStart[poly];
    const put = (source: Float64Array, index: number, at: number): void => {
      for (let k = 0; k < 3; k++) positions[3 * at + k] = source[3 * index + k] + (k === 1 ? lift : 0) - origin[k];
      putColor(colors, at, own);
    };
    const extras = mesh.polyDetailVertexCount[poly];
    for (let k = 0; k < corners; k++) put(mesh.vertices, mesh.edgeVertex[first + k], vertex + k);
    for (let k = 0; k < extras; k++)
      put(mesh.detailVertices, mesh.polyDetailVertexStart[poly] + k, vertex + corners + k);
    const detail = mesh.polyDetailTriCount[poly];
    for (let t = 0; t < (detail || corners - 2); t++, tri++) {
      const at = DETAIL_TRI_STRIDE * (mesh.polyDetailTriStart[poly] + t);
      for (let k = 0; k < 3; k++)
        indices[3 * tri + k] = vertex + (detail > 0 ? mesh.detailTris[at + k] : k === 0 ? 0 : t + k);
      polys[tri] = poly;
    }
    vertex += corners + extras;
  }
  return { kind: 'triangles', positions, colors, indices, polys, origin };
}

function colorOf(mesh: NavMesh, poly: number, color: NonNullable<TriangleOptions['color']>): Rgba {
  if (typeof color === 'function') return color(poly);
  return color === 'tile' ? numberColor(mesh.polyTile[poly], 150) : rgba(areaFill(mesh.polyArea[poly]), 150);
}

const EDGE_COLORS = { wall: rgba(GROUND_EDGE), inner: rgba(GROUND_EDGE, 90), border: rgba('#e69f00', 200) };

/**
 * Draws the edges of polygons: dark at walls, faint between polygons, orange at tile borders. Inner edges are
 * drawn once.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function navMeshOutlines(mesh: NavMesh, options: OutlineOptions = {}): DebugGeometry {
  checkNavMesh('navMeshOutlines', mesh);
  checkKeys('navMeshOutlines', options, OUTLINE_KEYS);
  checkOptions('navMeshOutlines', options);
  const { edges = ['wall', 'inner', 'border'], filter } = options;
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      if (filter?.(poly) === false) continue;
      forEachOutlineLine(mesh, poly, (edge, ends) => {
        const neighbor = mesh.edgeNeighbor[edge];
        if (neighbor >= 0 && neighbor < poly && filter?.(neighbor) !== false) return;
        const kind = neighbor >= 0 ? 'inner' : neighbor === -1 ? 'wall' : 'border';
        if (edges.includes(kind)) addLine(list, ends, EDGE_COLORS[kind], poly, lift);
      });
    }
  }
  return finishLines(list, true);
}

/**
 * Receives a segment of a polygon's outline: the edge it belongs to, and xyz of both ends, which the next
 * call overwrites.
 */
export type OutlineVisitor = (edge: number, ends: Float64Array) => void;

/**
 * Visits the outline of a polygon along its detail triangles, or along its edges when it has none. @internal
 */
export function forEachOutlineLine(mesh: NavMesh, poly: number, visit: OutlineVisitor): void {
  const { vertices: v, detailVertices, edgeVertex, detailTris } = mesh;
  const ends = new Float64Array(6);
  const first = mesh.polyEdgeStart[poly];
  const corners = mesh.polyVertexCount[poly];
  const triCount = mesh.polyDetailTriCount[poly];
  if (triCount === 0) {
    for (let k = 0; k < corners; k++) {
      const a = 3 * edgeVertex[first + k];
      const b = 3 * edgeVertex[first + ((k + 1) % corners)];
      for (let axis = 0; axis < 3; axis++) {
        ends[axis] = v[a + axis];
        ends[3 + axis] = v[b + axis];
      }
      visit(first + k, ends);
    }
    return;
  }
  const extraStart = mesh.polyDetailVertexStart[poly] - corners;
  for (let t = 0; t < triCount; t++) {
    const at = DETAIL_TRI_STRIDE * (mesh.polyDetailTriStart[poly] + t);
    for (let k = 0; k < 3; k++) {
      if (((detailTris[at + DETAIL_TRI_FLAGS] >> (2 * k)) & 1) === 0) continue;
      const i = detailTris[at + k];
      const j = detailTris[at + ((k + 1) % 3)];
      const p = i < corners ? v : detailVertices;
      const q = j < corners ? v : detailVertices;
      const a = 3 * (i < corners ? edgeVertex[first + i] : extraStart + i);
      const b = 3 * (j < corners ? edgeVertex[first + j] : extraStart + j);
      for (let axis = 0; axis < 3; axis++) {
        ends[axis] = p[a + axis];
        ends[3 + axis] = q[b + axis];
      }
      visit(nearestEdge(mesh, poly, ends), ends);
    }
  }
}

/** Returns the edge of a polygon that is nearest to both ends of a segment, seen from above. */
function nearestEdge(mesh: NavMesh, poly: number, ends: Float64Array): number {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const corners = mesh.polyVertexCount[poly];
  let best = Infinity;
  let edge = first;
  for (let k = 0; k < corners; k++) {
    const u = 3 * edgeVertex[first + k];
    const w = 3 * edgeVertex[first + ((k + 1) % corners)];
    const dx = vertices[w] - vertices[u];
    const dz = vertices[w + 2] - vertices[u + 2];
    const length = Math.sqrt(dx * dx + dz * dz);
    if (length === 0) continue;
    const off = (x: number, z: number): number =>
      Math.abs(dx * (z - vertices[u + 2]) - dz * (x - vertices[u])) / length;
    const distance = off(ends[0], ends[2]) + off(ends[3], ends[5]);
    if (distance < best) {
      best = distance;
      edge = first + k;
    }
  }
  return edge;
}
