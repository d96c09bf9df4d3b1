/**
 * The height of the surface at the end of a walk, inside a polygon or on its outline, with tolerance for rounding.
 *
 * It works like `setHeight` (mesh/ground.ts), except for points outside all triangles by a rounding error. Such a
 * point takes the height of the first triangle that is near enough. Half of all points on walls are such points.
 * `setHeight` would search the closest point of the outline, which is expensive.
 *
 * In: a point, a polygon.
 * Out: the point's y.
 * Cost: linear in the polygon's triangles. Corners are loaded once, and each triangle is tested with one
 *   branch.
 * Based on: own.
 */
import { setHeight } from '../mesh/ground.ts';
import type { NavMesh } from '../mesh/types.ts';

/** How far outside of a triangle a point may be, as a fraction of the triangle. */
const SLACK = 1e-9;

/** Corners of the polygon, followed by its inner vertices, relative to the point. */
const xs = new Float64Array(512);
const zs = new Float64Array(512);

/** Sets the y of a point that is over the polygon, or beside it by rounding, to the height of the surface. */
export function setHeightNear(point: Float64Array, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex, detailVertices, detailTris } = mesh;
  const x = point[0];
  const z = point[2];
  const corners = mesh.polyVertexCount[poly];
  const edgeStart = mesh.polyEdgeStart[poly];
  for (let k = 0; k < corners; k++) {
    const v = 3 * edgeVertex[edgeStart + k];
    xs[k] = vertices[v] - x;
    zs[k] = vertices[v + 2] - z;
  }
  const hasDetail = mesh.polyDetailTriCount[poly] > 0;
  const count = hasDetail ? mesh.polyDetailTriCount[poly] : corners - 2;
  const extraCount = hasDetail ? mesh.polyDetailVertexCount[poly] : 0;
  const extraStart = mesh.polyDetailVertexStart[poly];
  for (let k = 0; k < extraCount; k++) {
    const v = 3 * (extraStart + k);
    xs[corners + k] = detailVertices[v] - x;
    zs[corners + k] = detailVertices[v + 2] - z;
  }
  const first = 4 * mesh.polyDetailTriStart[poly];
  for (let t = 0; t < count; t++) {
    // Without detail triangles, the triangles are a fan around corner 0.
    const at = first + 4 * t;
    const i = hasDetail ? detailTris[at] : 0;
    const j = hasDetail ? detailTris[at + 1] : t + 1;
    const k = hasDetail ? detailTris[at + 2] : t + 2;
    // Twice the areas of the three triangles between the point and the edges.
    const a = zs[j] * xs[k] - xs[j] * zs[k];
    const b = zs[k] * xs[i] - xs[k] * zs[i];
    const c = zs[i] * xs[j] - xs[i] * zs[j];
    const sum = a + b + c;
    const slack = SLACK * Math.abs(sum);
    if ((Math.min(a, b, c) < -slack && Math.max(a, b, c) > slack) || sum === 0) continue;
    const low = corners - extraStart;
    const ya = i < corners ? vertices[3 * edgeVertex[edgeStart + i] + 1] : detailVertices[3 * (i - low) + 1];
    const yb = j < corners ? vertices[3 * edgeVertex[edgeStart + j] + 1] : detailVertices[3 * (j - low) + 1];
    const yc = k < corners ? vertices[3 * edgeVertex[edgeStart + k] + 1] : detailVertices[3 * (k - low) + 1];
    point[1] = ya + ((yb - ya) * b + (yc - ya) * c) / sum;
    return;
  }
  // The point is between the outline and triangles that do not quite reach it.
  setHeight(point, mesh, poly);
}
