/**
 * Holds the current ray and classifies edges against it.
 *
 * The ray is module state that each query sets again. Numbers are exchanged through typed arrays, because a
 * number that a function returns may be allocated on the heap.
 *
 * In: a ray, polygons and their edges.
 * Out: sides, exit edges, crossing fractions.
 * Cost: constant; `exactExit` is linear in the polygon's corners.
 * Based on: own; side predicates by Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { EDGE_SLACK } from '../walk/open-edges.ts';

/** Points of the exact predicate: 0 is the ray's start, 1 its end, 2 and 3 are the points to classify. */
export const xs: Float64Array = new Float64Array(4);
export const zs: Float64Array = new Float64Array(4);
/** (3 + 16 u) u with u = 2^-53; see base/math/predicates.ts. */
export const ERROR_BOUND: number = 3.3306690738754716e-16;
/** Fraction of the current edge where the ray crosses it. */
export const crossing: Float64Array = new Float64Array(1);
/** Distance of a corner along the ray, times the ray's length. */
export const ahead: Float64Array = new Float64Array(1);

/** Sets the ray from start to end (xyz each). */
export function setRay(start: Float64Array, end: Float64Array): void {
  setRayStart(start);
  xs[1] = end[0];
  zs[1] = end[2];
}

/** Moves the start of the ray; its end stays. */
export function setRayStart(start: Float64Array): void {
  xs[0] = start[0];
  zs[0] = start[2];
}

/** Returns the side of an edge's start as seen along the ray: 1 left, -1 right, 0 exactly on the line. */
export function sideOf(mesh: NavMesh, edge: number): number {
  const { vertices } = mesh;
  const v = 3 * mesh.edgeVertex[edge];
  const l = (vertices[v] - xs[0]) * (zs[1] - zs[0]);
  const r = (vertices[v + 2] - zs[0]) * (xs[1] - xs[0]);
  const det = l - r;
  const doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
  if (det > doubt) return 1;
  if (det < -doubt) return -1;
  if (doubt === 0) return 0;
  xs[2] = vertices[v];
  zs[2] = vertices[v + 2];
  return sideOfPoints(xs, zs, 0, 1, 2);
}

/** Returns whether the ray's end lies right of the line from a to b (offsets in `vertices`). */
export function isBeyond(mesh: NavMesh, a: number, b: number): boolean {
  xs[2] = mesh.vertices[a];
  zs[2] = mesh.vertices[a + 2];
  xs[3] = mesh.vertices[b];
  zs[3] = mesh.vertices[b + 2];
  return sideOfPoints(xs, zs, 2, 3, 1) < 0;
}

export function nextEdge(mesh: NavMesh, poly: number, edge: number): number {
  const first = mesh.polyEdgeStart[poly];
  return edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1;
}

export function previousEdge(mesh: NavMesh, poly: number, edge: number): number {
  const first = mesh.polyEdgeStart[poly];
  return edge === first ? first + mesh.polyVertexCount[poly] - 1 : edge - 1;
}

/** Sets `ahead` for the start of an edge. */
export function setAhead(mesh: NavMesh, edge: number): void {
  const v = 3 * mesh.edgeVertex[edge];
  ahead[0] = (mesh.vertices[v] - xs[0]) * (xs[1] - xs[0]) + (mesh.vertices[v + 2] - zs[0]) * (zs[1] - zs[0]);
}

/** Result of `exactExit` when the ray misses the polygon by a rounding error. */
export const NO_EXIT: number = -0x80000000;

/**
 * Returns the edge through which the ray leaves a polygon: its start lies right of the ray, its end left.
 * Returns ~e when the ray passes the corner at the start of edge e. The search begins at the vertex `right`
 * unless that is -1.
 */
export function exactExit(mesh: NavMesh, poly: number, right: number): number {
  const { edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  let edge = first;
  if (right >= 0) while (edge < first + count && edgeVertex[edge] !== right) edge++;
  if (edge === first + count) edge = first;
  let before = sideOf(mesh, edge);
  for (let k = count; k > 0; k--) {
    const next = nextEdge(mesh, poly, edge);
    const side = sideOf(mesh, next);
    if (before < 0 && side >= 0) return side > 0 ? edge : ~next;
    before = side;
    edge = next;
  }
  const corner = grazedCorner(mesh, poly);
  return corner < 0 ? NO_EXIT : ~corner;
}

/**
 * Returns the last corner on the ray when the polygon lies on one side of it, or -1 when the ray misses the
 * polygon by a rounding error.
 */
function grazedCorner(mesh: NavMesh, poly: number): number {
  const first = mesh.polyEdgeStart[poly];
  let best = -1;
  let bestAhead = -Infinity;
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    if (sideOf(mesh, e) !== 0) continue;
    setAhead(mesh, e);
    if (ahead[0] > bestAhead) {
      bestAhead = ahead[0];
      best = e;
    }
  }
  return best;
}

/** Sets `crossing` for an edge that crosses the ray from right to left. */
export function setCrossing(mesh: NavMesh, edge: number, next: number): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
  const right = (vertices[a + 2] - zs[0]) * dx - (vertices[a] - xs[0]) * dz;
  const left = (vertices[b] - xs[0]) * dz - (vertices[b + 2] - zs[0]) * dx;
  const at = right / (right + left);
  crossing[0] = at > 0 ? (at < 1 ? at : 1) : 0;
}

/** Results of `portalAt` other than a portal: the edge is wall there, or a portal ends there. */
export const NO_PORTAL = -1;
export const PORTAL_END = -2;

/** Returns the passable portal at fraction `crossing` of a border edge, or `NO_PORTAL` or `PORTAL_END`. */
export function portalAt(mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): number {
  const at = crossing[0];
  let found: number = NO_PORTAL;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    const low = mesh.portalSpan[2 * l];
    const high = mesh.portalSpan[2 * l + 1];
    if (at > low + EDGE_SLACK && at < high - EDGE_SLACK) return l;
    if (at >= low - EDGE_SLACK && at <= high + EDGE_SLACK) found = PORTAL_END;
  }
  return found;
}

/** Writes the point at fraction `crossing` of an edge. */
export function setOnEdge(point: Float64Array, mesh: NavMesh, poly: number, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const at = crossing[0];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, poly, edge)];
  for (let k = 0; k < 3; k++) point[k] = vertices[a + k] + at * (vertices[b + k] - vertices[a + k]);
}
