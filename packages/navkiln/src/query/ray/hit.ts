/**
 * What a ray finds, and how it is written down.
 * Cost: constant, but the height of the point, linear in the polygon's triangles, unless it is on an edge of a polygon without
 * inner vertices (0.76 of a ray's time where nearly all end so).
 * Based on: own.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, costOf } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { nextEdge } from './line.ts';
import { withRoom } from '../walk/open-edges.ts';

/** 'reached': the end can be seen; 'wall': something is in between; 'off-mesh': there is no ground at the start. */
export type RaycastStatus = 'reached' | 'wall' | 'off-mesh';

/** What the kernel finds. Make one with `createRayHit` and reuse it. */
export interface RayHit {
  status: RaycastStatus;
  t: number;
  point: Float64Array;
  normal: Float64Array;
  /** Dense index of the edge that was hit, or -1. */
  edge: number;
  /** The polygon that edge is of, or the one the ray ends on. */
  poly: number;
  /** polys[0 .. count - 1]: dense indices; the array may be longer. */
  count: number;
  polys: Int32Array;
  cost: number;
}

export function createRayHit(): RayHit {
  return {
    status: 'off-mesh',
    t: NaN,
    point: new Float64Array(3),
    normal: new Float64Array(3),
    edge: -1,
    poly: -1,
    count: 0,
    polys: new Int32Array(16),
    cost: NaN,
  };
}

/** The last corner or border that the ray passed. */
export const spot: Float64Array = new Float64Array(3);
/** The point up to which the cost has been counted. */
const last = new Float64Array(3);
let costFilter = DEFAULT_FILTER;

/** Begins with the start's polygon. */
export function beginHit(out: RayHit, poly: number, start: Float64Array, filter: QueryFilter, withCost: boolean): void {
  out.edge = -1;
  out.normal[0] = 0;
  out.normal[1] = 0;
  out.normal[2] = 0;
  out.count = 0;
  out.cost = withCost ? 0 : NaN;
  costFilter = filter;
  for (let k = 0; k < 3; k++) {
    last[k] = start[k];
    spot[k] = start[k];
  }
  addPoly(out, poly);
}

export function addPoly(out: RayHit, poly: number): void {
  if (out.count === out.polys.length) out.polys = withRoom(out.polys, out.count + 1);
  out.polys[out.count++] = poly;
}

/** Counts the way in a polygon up to a point. */
export function countTo(out: RayHit, mesh: NavMesh, poly: number, point: Float64Array): void {
  const x = point[0] - last[0];
  const y = point[1] - last[1];
  const z = point[2] - last[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  // A number handed over might have to be allocated: only where it must be.
  if (costFilter.cost === undefined) out.cost += costFilter.areaCosts[mesh.polyArea[poly]] * length;
  else out.cost += costOf(costFilter, mesh, poly, length);
  last[0] = point[0];
  last[1] = point[1];
  last[2] = point[2];
}

/** The end was reached. */
export function endAt(out: RayHit, mesh: NavMesh, poly: number, end: Float64Array, withCost: boolean): void {
  out.status = 'reached';
  out.t = 1;
  out.poly = poly;
  out.point[0] = end[0];
  out.point[2] = end[2];
  setHeightNear(out.point, mesh, poly);
  if (withCost) countTo(out, mesh, poly, out.point);
}

/** An edge that is wall was hit on its way from right to left. */
export function stopAt(
  out: RayHit,
  mesh: NavMesh,
  poly: number,
  edge: number,
  start: Float64Array,
  end: Float64Array,
  withCost: boolean,
): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, poly, edge)];
  const ax = vertices[a] - start[0];
  const az = vertices[a + 2] - start[2];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const dx = end[0] - start[0];
  const dz = end[2] - start[2];
  const det = dx * uz - dz * ux;
  const t = (ax * uz - az * ux) / det;
  const { point, normal } = out;
  const share = t > 0 ? (t < 1 ? t : 1) : 0;
  out.status = 'wall';
  out.t = share;
  out.poly = poly;
  out.edge = edge;
  point[0] = start[0] + share * dx;
  point[2] = start[2] + share * dz;
  const length = Math.sqrt(ux * ux + uz * uz);
  if (length > 0) {
    normal[0] = uz / length;
    normal[2] = (vertices[a] - vertices[b]) / length;
  }
  if (mesh.polyDetailVertexCount[poly] === 0) {
    // All along the edge the ground is as high as on the straight line.
    const s = (ax * dz - az * dx) / det;
    const y = vertices[a + 1];
    point[1] = y + (s > 0 ? (s < 1 ? s : 1) : 0) * (vertices[b + 1] - y);
  } else {
    setHeightNear(point, mesh, poly);
  }
  if (withCost) countTo(out, mesh, poly, point);
}

/** The ray cannot go on from `spot`, on polygon `out.poly`. */
export function stopAtSpot(
  out: RayHit,
  mesh: NavMesh,
  start: Float64Array,
  end: Float64Array,
  withCost: boolean,
): void {
  const dx = end[0] - start[0];
  const dz = end[2] - start[2];
  const t = ((spot[0] - start[0]) * dx + (spot[2] - start[2]) * dz) / (dx * dx + dz * dz);
  out.status = 'wall';
  out.t = t > 0 ? (t < 1 ? t : 1) : 0;
  out.point.set(spot);
  setHeightNear(out.point, mesh, out.poly);
  if (withCost) countTo(out, mesh, out.poly, out.point);
}

/** Notes the edge that was hit, of polygon `out.poly`. */
export function setWall(out: RayHit, mesh: NavMesh, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, out.poly, edge)];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const length = Math.sqrt(ux * ux + uz * uz);
  out.status = 'wall';
  out.edge = edge;
  if (length === 0) return;
  out.normal[0] = uz / length;
  out.normal[2] = (vertices[a] - vertices[b]) / length;
}
