/**
 * Describes the walkable surface under a point of a polygon: its slope and its neighbors.
 *
 * The slope is that of the detail triangle at the point, so the treads of a stair within one polygon are flat.
 *
 * In: a mesh, a polygon and a point. Out: degrees, or refs.
 * Cost: linear in the polygon's triangles and edges.
 * Based on: own; triangles by barycentric coordinates.
 */
import { atan2Degrees } from '../../../base/math/angle.ts';
import { neighborPolysOf } from '../../../mesh/tiles/neighbors.ts';
import { refOf } from '../../../mesh/ref.ts';
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import type { NavMesh, PolyRef } from '../../../mesh/types.ts';

const corner = new Float64Array(9);

/** Slope above which `maxRise` is capped, and its value there, close to the tangent. */
const CAPPED_DEGREES = 89;
const CAPPED_RISE = 60;
/** Layout of `detailTris`: three vertices and flags. */
const DETAIL_TRI_STRIDE = 4;

/**
 * Returns the greatest rise per horizontal distance on slopes up to an angle: its tangent, capped near the
 * vertical.
 */
export function maxRise(slopeDegrees: number): number {
  return slopeDegrees < CAPPED_DEGREES ? sinDegrees(slopeDegrees) / cosDegrees(slopeDegrees) : CAPPED_RISE;
}

/** Copies a vertex of a polygon's detail triangle to `corner`. The polygon's own vertices come first. */
function readCorner(mesh: NavMesh, poly: number, at: number, local: number): void {
  const corners = mesh.polyVertexCount[poly];
  const isOwn = local < corners;
  const source = isOwn ? mesh.vertices : mesh.detailVertices;
  const vertex = isOwn
    ? mesh.edgeVertex[mesh.polyEdgeStart[poly] + local]
    : mesh.polyDetailVertexStart[poly] + local - corners;
  for (let k = 0; k < 3; k++) corner[at + k] = source[3 * vertex + k];
}

/** Returns the slope in degrees of a polygon (dense index) at (point[0], point[2]). */
export function slopeDegreesAt(mesh: NavMesh, poly: number, point: Float64Array): number {
  const count = mesh.polyDetailTriCount[poly];
  const total = count > 0 ? count : mesh.polyVertexCount[poly] - 2;
  const first = DETAIL_TRI_STRIDE * mesh.polyDetailTriStart[poly];
  let best = -Infinity;
  let slope = 0;
  for (let t = 0; t < total; t++) {
    for (let k = 0; k < 3; k++) {
      const local = count > 0 ? mesh.detailTris[first + DETAIL_TRI_STRIDE * t + k] : k === 0 ? 0 : t + k;
      readCorner(mesh, poly, 3 * k, local);
    }
    const inside = leastWeight(point);
    if (!(inside > best)) continue;
    best = inside;
    const ux = corner[3] - corner[0];
    const uy = corner[4] - corner[1];
    const uz = corner[5] - corner[2];
    const vx = corner[6] - corner[0];
    const vy = corner[7] - corner[1];
    const vz = corner[8] - corner[2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    slope = atan2Degrees(Math.sqrt(nx * nx + nz * nz), ny < 0 ? -ny : ny);
    if (best >= 0) break;
  }
  return slope;
}

/**
 * Returns the smallest barycentric weight of the point in the triangle. It is negative outside, and NaN for a vertical
 * triangle.
 */
function leastWeight(point: Float64Array): number {
  const ax = corner[0] - point[0];
  const az = corner[2] - point[2];
  const bx = corner[3] - point[0];
  const bz = corner[5] - point[2];
  const cx = corner[6] - point[0];
  const cz = corner[8] - point[2];
  const a = bz * cx - bx * cz;
  const b = cz * ax - cx * az;
  const c = az * bx - ax * bz;
  const sum = a + b + c;
  return Math.min(a / sum, b / sum, c / sum);
}

/** Returns the polygons that can be entered from a polygon (dense index), each once. */
export function groundNeighborsOf(mesh: NavMesh, poly: number): PolyRef[] {
  const found = neighborPolysOf(mesh, poly);
  found.delete(poly);
  return Array.from(found, (index) => refOf(mesh, index));
}
