/**
 * The ground of a NavMesh as a draw list: its triangles, and the outlines of its polygons, both at the height of the detail mesh.
 *
 * Each polygon has vertices of its own, so that neighbours may have different colours. Cost: linear in what is drawn.
 *
 * Based on: own. Lines along detail triangles are found as in Recast's demo (Mikko Mononen): those marked as boundary, by the
 * edge they are nearest to.
 */
import type { NavMesh } from '../../navmesh/types.ts';
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
} from './list.ts';
import type { DebugGeometry, DebugGeometryOptions, Rgba } from './list.ts';
import { areaFill, GROUND_EDGE } from '../palette.ts';

export interface TriangleOptions extends DebugGeometryOptions {
  /** By area (default), by tile, or 0xrrggbbaa by the polygon's dense index. */
  color?: 'area' | 'tile' | ((poly: number) => Rgba);
  /** Polygons to draw, by dense index. Default: all. */
  filter?: (poly: number) => boolean;
}

export interface OutlineOptions extends DebugGeometryOptions {
  /** Edges to draw: along walls, between polygons of a tile, on borders of tiles. Default: all. */
  edges?: readonly ('wall' | 'inner' | 'border')[];
  filter?: (poly: number) => boolean;
}

/** The walkable ground. `polys` tells the polygon of each triangle. */
export function navMeshTriangles(mesh: NavMesh, options: TriangleOptions = {}): DebugGeometry {
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
      const at = 4 * (mesh.polyDetailTriStart[poly] + t);
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

/** The edges of polygons: dark along walls, faint between polygons, orange on borders of tiles. Inner edges come once. */
export function navMeshOutlines(mesh: NavMesh, options: OutlineOptions = {}): DebugGeometry {
  const { edges = ['wall', 'inner', 'border'], filter } = options;
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      if (filter?.(poly) === false) continue;
      forEachOutlineLine(mesh, poly, (edge, ax, ay, az, bx, by, bz) => {
        const neighbor = mesh.edgeNeighbor[edge];
        if (neighbor >= 0 && neighbor < poly && filter?.(neighbor) !== false) return;
        const kind = neighbor >= 0 ? 'inner' : neighbor === -1 ? 'wall' : 'border';
        if (edges.includes(kind)) addLine(list, ax, ay + lift, az, bx, by + lift, bz, EDGE_COLORS[kind], poly);
      });
    }
  }
  return finishLines(list, true);
}

/** A piece of a polygon's outline: of which edge, from where, to where. */
export type OutlineVisitor = (
  edge: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
) => void;

/** The outline of a polygon along its detail triangles, or its edges if it has none. */
export function forEachOutlineLine(mesh: NavMesh, poly: number, visit: OutlineVisitor): void {
  const { vertices: v, detailVertices, edgeVertex, detailTris } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const corners = mesh.polyVertexCount[poly];
  const triCount = mesh.polyDetailTriCount[poly];
  if (triCount === 0) {
    for (let k = 0; k < corners; k++) {
      const a = 3 * edgeVertex[first + k];
      const b = 3 * edgeVertex[first + ((k + 1) % corners)];
      visit(first + k, v[a], v[a + 1], v[a + 2], v[b], v[b + 1], v[b + 2]);
    }
    return;
  }
  const extraStart = mesh.polyDetailVertexStart[poly] - corners;
  for (let t = 0; t < triCount; t++) {
    const at = 4 * (mesh.polyDetailTriStart[poly] + t);
    for (let k = 0; k < 3; k++) {
      if (((detailTris[at + 3] >> (2 * k)) & 1) === 0) continue;
      const i = detailTris[at + k];
      const j = detailTris[at + ((k + 1) % 3)];
      const p = i < corners ? v : detailVertices;
      const q = j < corners ? v : detailVertices;
      const a = 3 * (i < corners ? edgeVertex[first + i] : extraStart + i);
      const b = 3 * (j < corners ? edgeVertex[first + j] : extraStart + j);
      const edge = nearestEdge(mesh, poly, p[a], p[a + 2], q[b], q[b + 2]);
      visit(edge, p[a], p[a + 1], p[a + 2], q[b], q[b + 1], q[b + 2]);
    }
  }
}

/** The edge of a polygon that two points are nearest to, seen from above. */
function nearestEdge(mesh: NavMesh, poly: number, ax: number, az: number, bx: number, bz: number): number {
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
    const distance = off(ax, az) + off(bx, bz);
    if (distance < best) {
      best = distance;
      edge = first + k;
    }
  }
  return edge;
}
