/** A NavMesh as flat arrays: the triangles of its ground with their polygons, its edges by kind, its links. */
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../app/state.ts';

export interface GroundArrays {
  /** Relative to the origin. */
  positions: Float32Array;
  indices: Uint32Array;
  /** Polygon of each triangle: an index into the mesh. */
  polys: Int32Array;
  /** Polygon of each point. */
  pointPolys: Int32Array;
}

export function forEachPoly(mesh: NavMesh, visit: (poly: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const start = mesh.tilePolyStart[slot]!;
    const end = start + mesh.tilePolyCount[slot]!;
    for (let poly = start; poly < end; poly++) visit(poly);
  }
}

/** The detail triangles of each polygon, or its fan. */
export function groundArrays(mesh: NavMesh, origin: Vec3): GroundArrays {
  let points = 0;
  let count = 0;
  forEachPoly(mesh, (poly) => {
    const triangles = mesh.polyDetailTriCount[poly]!;
    points += mesh.polyVertexCount[poly]! + (triangles === 0 ? 0 : mesh.polyDetailVertexCount[poly]!);
    count += triangles === 0 ? mesh.polyVertexCount[poly]! - 2 : triangles;
  });
  const positions = new Float32Array(3 * points);
  const indices = new Uint32Array(3 * count);
  const polys = new Int32Array(count);
  const pointPolys = new Int32Array(points);
  let point = 0;
  let triangle = 0;
  const addPoint = (from: ArrayLike<number>, at: number, poly: number): void => {
    for (let k = 0; k < 3; k++) positions[3 * point + k] = from[at + k]! - origin[k as 0]!;
    pointPolys[point++] = poly;
  };
  const addTriangle = (poly: number, a: number, b: number, c: number): void => {
    indices[3 * triangle] = a;
    indices[3 * triangle + 1] = b;
    indices[3 * triangle + 2] = c;
    polys[triangle++] = poly;
  };
  forEachPoly(mesh, (poly) => {
    const base = point;
    const corners = mesh.polyVertexCount[poly]!;
    const first = mesh.polyEdgeStart[poly]!;
    for (let k = 0; k < corners; k++) addPoint(mesh.vertices, 3 * mesh.edgeVertex[first + k]!, poly);
    const triangles = mesh.polyDetailTriCount[poly]!;
    if (triangles === 0) {
      for (let k = 2; k < corners; k++) addTriangle(poly, base, base + k - 1, base + k);
      return;
    }
    const extra = mesh.polyDetailVertexStart[poly]!;
    for (let k = 0; k < mesh.polyDetailVertexCount[poly]!; k++) addPoint(mesh.detailVertices, 3 * (extra + k), poly);
    const start = 4 * mesh.polyDetailTriStart[poly]!;
    const { detailTris } = mesh;
    for (let t = start; t < start + 4 * triangles; t += 4) {
      addTriangle(poly, base + detailTris[t]!, base + detailTris[t + 1]!, base + detailTris[t + 2]!);
    }
  });
  return { positions, indices, polys, pointPolys };
}

export type EdgeKind = 'inner' | 'wall' | 'border';

/** Two points an edge, lifted a little. Edges between two polygons come once. */
export function edgeArrays(mesh: NavMesh, origin: Vec3, kind: EdgeKind, lift: number): Float32Array {
  const out: number[] = [];
  forEachPoly(mesh, (poly) => {
    const first = mesh.polyEdgeStart[poly]!;
    const count = mesh.polyVertexCount[poly]!;
    for (let k = 0; k < count; k++) {
      const neighbor = mesh.edgeNeighbor[first + k]!;
      const found: EdgeKind = neighbor >= 0 ? 'inner' : neighbor === -1 ? 'wall' : 'border';
      if (found !== kind || (kind === 'inner' && neighbor < poly)) continue;
      for (const at of [mesh.edgeVertex[first + k]!, mesh.edgeVertex[first + ((k + 1) % count)]!]) {
        const { vertices } = mesh;
        out.push(vertices[3 * at]! - origin[0], vertices[3 * at + 1]! - origin[1] + lift, vertices[3 * at + 2]! - origin[2]);
      }
    }
  });
  return Float32Array.from(out);
}
