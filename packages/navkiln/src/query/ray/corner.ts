/**
 * A ray passes a corner, runs along edges, or meets the end of a portal: where does it go on?
 *
 * The polygons around the point are gathered from the one at hand, through open edges that end there and portals that reach it
 * (the fan). The ray goes on in one whose corner there it points into, or along an edge from there to the next corner, where the
 * same is asked again. In a fan that has neither, it stops.
 * Cost: quadratic in the polygons around the point, a handful.
 * Based on: own.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { countTo, endAt, setWall, spot, stopAtSpot } from './hit.ts';
import type { RayHit } from './hit.ts';
import { ahead, crossing, nextEdge, previousEdge, setAhead, setOnEdge, sideOf, xs, zs } from './line.ts';
import { EDGE_SLACK, withRoom } from '../walk/open-edges.ts';

/** Polygons around the point that is passed: edge and fraction along it where the point lies, and whence it was found. */
let fanPoly: Int32Array = new Int32Array(16);
let fanEdge: Int32Array = new Int32Array(16);
let fanFrom: Int32Array = new Int32Array(16);
let fanAt = new Float64Array(16);
let fanCount = 0;

/**
 * The ray has come to the point at fraction `crossing` of an edge, which is a corner or the end of a portal. Returns the polygon
 * that it goes on in, or -1 when it has ended.
 */
export function passPoint(
  out: RayHit,
  mesh: NavMesh,
  poly: number,
  edge: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
  withCost: boolean,
): number {
  const dx = end[0] - start[0];
  const dz = end[2] - start[2];
  // Along edges from corner to corner: each lies further on.
  for (let steps = 2 * mesh.edgeCount + 2; steps > 0; steps--) {
    setOnEdge(spot, mesh, poly, edge);
    if ((end[0] - spot[0]) * dx + (end[2] - spot[2]) * dz <= 0) {
      endAt(out, mesh, poly, end, withCost);
      return -1;
    }
    if (withCost) countTo(out, mesh, poly, spot);
    collectFan(mesh, poly, edge, filter);
    let along = -1;
    for (let i = 0; i < fanCount; i++) {
      const way = wayOn(mesh, i);
      if (way === INSIDE) {
        addChain(out, i);
        return fanPoly[i];
      }
      if (way !== BLOCKED && along < 0) {
        along = i;
        edge = way;
      }
    }
    if (along < 0) {
      stopAtFan(out, mesh, start, end, filter, withCost);
      return -1;
    }
    addChain(out, along);
    poly = fanPoly[along];
    crossing[0] = 0;
  }
  out.poly = poly;
  stopAtSpot(out, mesh, start, end, withCost);
  return -1;
}

/** Polygons around the point at fraction `crossing` of an edge, from this one on through edges and portals at that point. */
function collectFan(mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): void {
  fanCount = 0;
  addToFan(mesh, poly, edge, -1);
  for (let i = 0; i < fanCount; i++) {
    const at = fanPoly[i];
    const e = fanEdge[i];
    crossing[0] = fanAt[i];
    openFan(mesh, i, at, e, e, filter);
    if (fanAt[i] > 0) continue;
    crossing[0] = 1;
    openFan(mesh, i, at, previousEdge(mesh, at, e), e, filter);
  }
}

/** Adds what lies behind an edge, at fraction `crossing` of it; `corner` is the edge that starts there, if any does. */
function openFan(mesh: NavMesh, i: number, poly: number, edge: number, corner: number, filter: QueryFilter): void {
  const { edgeVertex, portalEdge, portalSpan } = mesh;
  const other = mesh.edgeNeighbor[edge];
  if (other >= 0) {
    if (!passesFilter(filter, mesh, other)) return;
    const first = mesh.polyEdgeStart[other];
    for (let e = first; e < first + mesh.polyVertexCount[other]; e++) {
      if (edgeVertex[e] !== edgeVertex[corner]) continue;
      crossing[0] = 0;
      addToFan(mesh, other, e, i);
      return;
    }
  }
  if (other >= -1) return;
  const at = crossing[0];
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    const low = portalSpan[2 * l];
    const high = portalSpan[2 * l + 1];
    if (at < low - EDGE_SLACK || at > high + EDGE_SLACK) continue;
    const back = mesh.portalBack[l];
    const backLow = portalSpan[2 * back];
    const backHigh = portalSpan[2 * back + 1];
    crossing[0] = backHigh - ((at - low) / (high - low)) * (backHigh - backLow);
    addToFan(mesh, mesh.portalPoly[l], portalEdge[back], i);
  }
}

/** Fraction `crossing` of an edge, when near an end, counts as the corner there. */
function addToFan(mesh: NavMesh, poly: number, edge: number, fromIndex: number): void {
  for (let i = 0; i < fanCount; i++) if (fanPoly[i] === poly) return;
  if (fanCount === fanPoly.length) {
    fanPoly = withRoom(fanPoly, fanCount + 1);
    fanEdge = withRoom(fanEdge, fanCount + 1);
    fanFrom = withRoom(fanFrom, fanCount + 1);
    const at = fanAt;
    fanAt = new Float64Array(fanPoly.length);
    fanAt.set(at);
  }
  const at = crossing[0];
  fanPoly[fanCount] = poly;
  fanEdge[fanCount] = at > 1 - EDGE_SLACK ? nextEdge(mesh, poly, edge) : edge;
  fanAt[fanCount] = at > EDGE_SLACK && at <= 1 - EDGE_SLACK ? at : 0;
  fanFrom[fanCount++] = fromIndex;
}

const BLOCKED = -1;
const INSIDE = -2;

/** How the ray goes on in polygon i of the fan: `BLOCKED`, `INSIDE`, or along an edge: the edge that starts at its end. */
function wayOn(mesh: NavMesh, i: number): number {
  const { vertices, edgeVertex } = mesh;
  const poly = fanPoly[i];
  const edge = fanEdge[i];
  const next = nextEdge(mesh, poly, edge);
  if (fanAt[i] > 0) {
    const a = 3 * edgeVertex[edge];
    const b = 3 * edgeVertex[next];
    const ux = vertices[b] - vertices[a];
    const uz = vertices[b + 2] - vertices[a + 2];
    const dx = xs[1] - xs[0];
    const dz = zs[1] - zs[0];
    const det = dx * uz - dz * ux;
    if (det !== 0) return det > 0 ? INSIDE : BLOCKED;
    return ux * dx + uz * dz > 0 ? next : edge;
  }
  const previous = previousEdge(mesh, poly, edge);
  setAhead(mesh, edge);
  const here = ahead[0];
  const nextSide = sideOf(mesh, next);
  if (nextSide === 0) {
    setAhead(mesh, next);
    if (ahead[0] > here) return next;
  }
  const previousSide = sideOf(mesh, previous);
  if (previousSide === 0) {
    setAhead(mesh, previous);
    if (ahead[0] > here) return previous;
  }
  return nextSide < 0 && previousSide > 0 ? INSIDE : BLOCKED;
}

/** Writes the way through the fan to its polygon i; the first is there already. */
function addChain(out: RayHit, i: number): void {
  let length = 0;
  for (let k = i; k > 0; k = fanFrom[k]) length++;
  if (out.polys.length < out.count + length) out.polys = withRoom(out.polys, out.count + length);
  out.count += length;
  let at = out.count;
  for (let k = i; k > 0; k = fanFrom[k]) out.polys[--at] = fanPoly[k];
}

/** No polygon of the fan goes on: the wall is the edge among those that end there which faces the ray most. */
function stopAtFan(
  out: RayHit,
  mesh: NavMesh,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
  withCost: boolean,
): void {
  const { vertices, edgeVertex, edgeNeighbor } = mesh;
  const dx = end[0] - start[0];
  const dz = end[2] - start[2];
  let best = -Infinity;
  let wall = -1;
  let owner = 0;
  for (let i = 0; i < fanCount; i++) {
    const poly = fanPoly[i];
    for (let k = 0; k < (fanAt[i] > 0 ? 1 : 2); k++) {
      const edge = k === 0 ? fanEdge[i] : previousEdge(mesh, poly, fanEdge[i]);
      const other = edgeNeighbor[edge];
      if (other >= 0 && passesFilter(filter, mesh, other)) continue;
      const a = 3 * edgeVertex[edge];
      const b = 3 * edgeVertex[nextEdge(mesh, poly, edge)];
      const ux = vertices[b] - vertices[a];
      const uz = vertices[b + 2] - vertices[a + 2];
      const facing = (ux * dz - uz * dx) / Math.sqrt(ux * ux + uz * uz);
      if (!(facing > best)) continue;
      best = facing;
      wall = edge;
      owner = i;
    }
  }
  addChain(out, owner);
  out.poly = fanPoly[owner];
  if (wall >= 0) setWall(out, mesh, wall);
  stopAtSpot(out, mesh, start, end, withCost);
}
