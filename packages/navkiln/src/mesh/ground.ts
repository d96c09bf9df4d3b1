/**
 * The walkable surface of one polygon: its height below a point, and its closest point to another.
 *
 * Heights come from the detail triangles or, without any, from the fan around the first vertex. A point is
 * "over" a polygon when it is inside its outline seen from above, the outline included. Two polygons that share an
 * edge compute the same numbers for it, so no point falls between them. For a point that is not over the polygon, the
 * closest point lies on the boundary of the detail triangles seen from above.
 *
 * Cost: linear in the polygon's triangles.
 * Based on: Detour's closestPointOnPoly (Mikko Mononen), whose choice by horizontal distance this keeps.
 */
import type { NavMesh } from './types.ts';

// Points are passed as arrays: V8 would allocate numbers that are passed to a function it does not inline.

/** Returns whether the point is inside the polygon seen from above, or on its outline. */
export function isOverPoly(mesh: NavMesh, poly: number, point: Float64Array): boolean {
  const x = point[0];
  const z = point[2];
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let a = 3 * edgeVertex[end - 1];
  let ax = vertices[a] - x;
  let az = vertices[a + 2] - z;
  let outline = 0;
  for (let e = first; e < end; e++) {
    a = 3 * edgeVertex[e];
    const bx = vertices[a] - x;
    const bz = vertices[a + 2] - z;
    // Exactly the negative of the same product for the neighbor's edge, which runs the other way.
    if (az * bx - ax * bz < 0) return false;
    outline += Math.abs(ax - bx) + Math.abs(az - bz);
    ax = bx;
    az = bz;
  }
  // Rounding leaves nothing of a polygon that is far away.
  return Math.abs(ax) + Math.abs(az) <= outline;
}

/** Corners of the current triangle: x, y, z three times. */
const tri = new Float64Array(9);

/** Returns the number of triangles of a polygon's surface. */
export function triCountOf(mesh: NavMesh, poly: number): number {
  const count = mesh.polyDetailTriCount[poly];
  return count > 0 ? count : mesh.polyVertexCount[poly] - 2;
}

/** Writes the corners of triangle t of a polygon: x, y, z three times. Returns its boundary flags. */
export function loadTriangle(out: Float64Array, mesh: NavMesh, poly: number, t: number): number {
  const { detailTris } = mesh;
  const corners = mesh.polyVertexCount[poly];
  const hasDetail = mesh.polyDetailTriCount[poly] > 0;
  const at = 4 * (mesh.polyDetailTriStart[poly] + t);
  for (let k = 0; k < 3; k++) {
    // Without detail triangles, the triangles are a fan around corner 0.
    const local = hasDetail ? detailTris[at + k] : k && t + k;
    const isCorner = local < corners;
    const source = isCorner ? mesh.vertices : mesh.detailVertices;
    const vertex = isCorner
      ? mesh.edgeVertex[mesh.polyEdgeStart[poly] + local]
      : mesh.polyDetailVertexStart[poly] - corners + local;
    for (let i = 0; i < 3; i++) out[3 * k + i] = source[3 * vertex + i];
  }
  return hasDetail ? detailTris[at + 3] : +(t === 0) | 4 | (t === corners - 3 ? 16 : 0);
}

/** Moves a point that is over the polygon onto the surface: sets its y. */
export function setHeight(point: Float64Array, mesh: NavMesh, poly: number): void {
  const { vertices, detailVertices, detailTris, edgeVertex } = mesh;
  const x = point[0];
  const z = point[2];
  const corners = mesh.polyVertexCount[poly];
  const edgeStart = mesh.polyEdgeStart[poly];
  const extraStart = mesh.polyDetailVertexStart[poly] - corners;
  const hasDetail = mesh.polyDetailTriCount[poly] > 0;
  const first = 4 * mesh.polyDetailTriStart[poly];
  const count = triCountOf(mesh, poly);
  for (let t = 0; t < count; t++) {
    const at = first + 4 * t;
    const i = hasDetail ? detailTris[at] : 0;
    const j = hasDetail ? detailTris[at + 1] : t + 1;
    const k = hasDetail ? detailTris[at + 2] : t + 2;
    const sourceA = i < corners ? vertices : detailVertices;
    const sourceB = j < corners ? vertices : detailVertices;
    const sourceC = k < corners ? vertices : detailVertices;
    const u = 3 * (i < corners ? edgeVertex[edgeStart + i] : extraStart + i);
    const v = 3 * (j < corners ? edgeVertex[edgeStart + j] : extraStart + j);
    const w = 3 * (k < corners ? edgeVertex[edgeStart + k] : extraStart + k);
    const ax = sourceA[u] - x;
    const az = sourceA[u + 2] - z;
    const bx = sourceB[v] - x;
    const bz = sourceB[v + 2] - z;
    const c = az * bx - ax * bz;
    const cx = sourceC[w] - x;
    const cz = sourceC[w + 2] - z;
    const a = bz * cx - bx * cz;
    const b = cz * ax - cx * az;
    // Without branches: each would be mispredicted half of the time.
    const isLeft = +(a >= 0) & +(b >= 0) & +(c >= 0);
    const isRight = +(a <= 0) & +(b <= 0) & +(c <= 0);
    if ((isLeft | isRight) === 1) {
      const sum = a + b + c;
      if (sum !== 0) {
        const y = sourceA[u + 1];
        point[1] = y + ((sourceB[v + 1] - y) * b + (sourceC[w + 1] - y) * c) / sum;
        return;
      }
    }
  }
  // The point lies between the outline and detail triangles that do not quite reach it.
  closestOnEdges(nearby, mesh, poly, point, false);
  point[1] = nearby[1];
}

const nearby = new Float64Array(3);

/**
 * Writes the point of the polygon's surface closest to `point` seen from above. Returns whether the point is
 * over the polygon.
 */
export function closestPointOnPoly(out: Float64Array, mesh: NavMesh, poly: number, point: Float64Array): boolean {
  if (isOverPoly(mesh, poly, point)) {
    out[0] = point[0];
    out[2] = point[2];
    setHeight(out, mesh, poly);
    return true;
  }
  closestPointBeside(out, mesh, poly, point);
  return false;
}

/** A point this close to a surface lies on it, as a share of the largest coordinate of its tile. */
const ON_OUTLINE = 1e-14;

/** Does the same, and returns whether the point is over the polygon or on the outline of its surface, where rounding may put it outside. */
export function isOnSurface(out: Float64Array, mesh: NavMesh, poly: number, point: Float64Array): boolean {
  if (closestPointOnPoly(out, mesh, poly, point)) return true;
  const at = 6 * mesh.polyTile[poly];
  const most = ON_OUTLINE * Math.max(...mesh.tileBounds.subarray(at, at + 6).map(Math.abs));
  return Math.abs(out[0] - point[0]) <= most && Math.abs(out[2] - point[2]) <= most;
}

/**
 * Does what `closestPointOnPoly` does for a point that is known not to be over the polygon. `box`: half the size of a box around the point, in which the result
 * lies, up to rounding, seen from above. Returns false when the polygon does not reach into it.
 */
export function closestPointBeside(
  out: Float64Array,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  box?: Float64Array,
): boolean {
  return closestOnEdges(out, mesh, poly, point, true, box) || closestOnEdges(out, mesh, poly, point, false, box);
}

/**
 * Writes the point of the triangles' edges (or of the boundary edges only) closest to a point seen from
 * above, and in a box around it; the first of equals.
 */
// oxlint-disable-next-line max-params -- kernel
function closestOnEdges(
  out: Float64Array,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  onBoundary: boolean,
  box?: Float64Array,
): boolean {
  const x = point[0];
  const z = point[2];
  const count = triCountOf(mesh, poly);
  let best = Infinity;
  for (let t = 0; t < count; t++) {
    const flags = loadTriangle(tri, mesh, poly, t);
    for (let k = 0; k < 3; k++) {
      if (onBoundary && ((flags >> (2 * k)) & 1) === 0) continue;
      const a = 3 * k;
      const b = k === 2 ? 0 : a + 3;
      const dx = tri[b] - tri[a];
      const dz = tri[b + 2] - tri[a + 2];
      const px = x - tri[a];
      const pz = z - tri[a + 2];
      const lengthSq = dx * dx + dz * dz;
      let s = lengthSq > 0 ? (px * dx + pz * dz) / lengthSq : 0;
      if (s < 0) s = 0;
      if (s > 1) s = 1;
      let ex = s * dx - px;
      let ez = s * dz - pz;
      if (box !== undefined && (Math.abs(ex) > box[0] || Math.abs(ez) > box[2])) {
        // The shares of the edge within the box. Along an axis, all or none: they are infinite, or NaN on a side.
        let low = 0;
        let high = 1;
        for (let axis = 0; axis < 3; axis += 2) {
          const along = tri[b + axis] - tri[a + axis];
          const at = point[axis] - tri[a + axis];
          const reach = along < 0 ? -box[axis] : box[axis];
          const from = (at - reach) / along;
          const to = (at + reach) / along;
          if (from > low) low = from;
          if (to < high) high = to;
        }
        if (low > high) continue;
        s = s < low ? low : s > high ? high : s;
        ex = s * dx - px;
        ez = s * dz - pz;
      }
      const distanceSq = ex * ex + ez * ez;
      if (distanceSq < best) {
        best = distanceSq;
        for (let i = 0; i < 3; i++) out[i] = s === 1 ? tri[b + i] : tri[a + i] + s * (tri[b + i] - tri[a + i]);
      }
    }
  }
  return best < Infinity;
}
