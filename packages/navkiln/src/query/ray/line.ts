/**
 * The ray at hand, for the queries that walk along one: its line, and how edges lie to it. All in module state, set anew by each
 * query; numbers that are handed over are in arrays, as they might have to be allocated otherwise.
 * Cost: constant, but where a polygon's corners are gone through.
 * Based on: own; predicates of Jonathan Shewchuk, 1997.
 */
import { sideOfPoints } from '../../math/predicates.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { EDGE_SLACK } from '../walk/open-edges.ts';

/** Points for the exact predicate: 0 the ray's start, 1 its end, 2 and 3 what is asked about. */
export const xs: Float64Array = new Float64Array(4);
export const zs: Float64Array = new Float64Array(4);
/** (3 + 16 u) u, as in math/predicates.ts. */
export const ERROR_BOUND: number = 3.3306690738754716e-16;
/** Where the ray crosses the edge at hand, as a fraction of it. */
export const crossing: Float64Array = new Float64Array(1);
/** How far a corner lies along the ray, in squares of its length. */
export const ahead: Float64Array = new Float64Array(1);

export function setRay(start: Float64Array, end: Float64Array): void {
  xs[0] = start[0];
  zs[0] = start[2];
  xs[1] = end[0];
  zs[1] = end[2];
}

/** Side of the start of an edge as seen along the ray: 1 left, -1 right, 0 exactly on its line. */
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

/** Is the ray's end right of the line from a to b (places in `vertices`)? */
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

/** How far along the ray the start of an edge lies. */
export function setAhead(mesh: NavMesh, edge: number): void {
  const v = 3 * mesh.edgeVertex[edge];
  ahead[0] = (mesh.vertices[v] - xs[0]) * (xs[1] - xs[0]) + (mesh.vertices[v + 2] - zs[0]) * (zs[1] - zs[0]);
}

/** What `exactExit` returns when the ray misses the polygon by a rounding. */
export const NO_EXIT: number = -0x80000000;

/**
 * The edge by which the ray leaves a polygon: from a corner right of it to one left of it; ~e when it passes the corner where
 * edge e starts instead. Looked for from the corner at vertex `right` on, when that is not -1.
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

/** The last corner on the ray of a polygon that does not lie on both sides of it; -1: the ray misses it by a rounding. */
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

/** Sets `crossing` for an edge that leads across the ray from right to left. */
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

/** The portal of a border edge that is open there; -1: none is, -2: where one ends. */
export function portalAt(mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): number {
  const at = crossing[0];
  let found = -1;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    const low = mesh.portalSpan[2 * l];
    const high = mesh.portalSpan[2 * l + 1];
    if (at > low + EDGE_SLACK && at < high - EDGE_SLACK) return l;
    if (at >= low - EDGE_SLACK && at <= high + EDGE_SLACK) found = -2;
  }
  return found;
}

/** Puts the point at fraction `crossing` of an edge into `point`. */
export function setOnEdge(point: Float64Array, mesh: NavMesh, poly: number, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const at = crossing[0];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, poly, edge)];
  for (let k = 0; k < 3; k++) point[k] = vertices[a + k] + at * (vertices[b + k] - vertices[a + k]);
}
