/**
 * Continues a ray that passes a corner, runs along an edge, or meets the end of a portal.
 *
 * The polygons around the point form a fan. It is collected from the current polygon through passable edges
 * that end at the point and through portals that touch it. The ray continues in a polygon of the fan whose
 * interior it points into. Otherwise it follows an edge from the point to the next corner, where the same
 * step repeats. If the fan has neither, the ray stops.
 *
 * In: a polygon, one of its edges and the position of the point on that edge.
 * Out: the polygon in which the ray continues, or the finished hit.
 * Cost: quadratic in the polygons around the point, usually a handful.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { countTo, endAt, setWall, spot, stopAtSpot } from './hit.ts';
import type { RayHit } from './hit.ts';
import { ahead, crossing, nextEdge, previousEdge, setAhead, setOnEdge, sideOf, xs, zs } from './line.ts';
import { EDGE_SLACK, withRoom } from '../walk/open-edges.ts';

/**
 * The fan: each polygon, its edge and the fraction along it where the point lies, and the entry that found
 * it.
 */
let fanPoly: Int32Array = new Int32Array(16);
let fanEdge: Int32Array = new Int32Array(16);
let fanFrom: Int32Array = new Int32Array(16);
let fanAt = new Float64Array(16);
let fanCount = 0;

/**
 * Continues the ray at fraction `crossing` of an edge, which is a corner or the end of a portal. Returns the polygon in
 * which the ray continues, or -1 when it has ended.
 */
export function passPoint(out: RayHit, mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): number {
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
  // Follows edges from corner to corner. Each corner lies further along the ray.
  for (let steps = 2 * mesh.edgeCount + 2; steps > 0; steps--) {
    setOnEdge(spot, mesh, poly, edge);
    if ((xs[1] - spot[0]) * dx + (zs[1] - spot[2]) * dz <= 0) {
      endAt(out, mesh, poly);
      return -1;
    }
    countTo(out, mesh, poly, spot);
    collectFan(mesh, poly, edge, filter);
    let along = -1;
    for (let i = 0; i < fanCount; i++) {
      const course = courseIn(mesh, i);
      if (course === INSIDE) {
        addChain(out, i);
        return fanPoly[i];
      }
      if (course !== BLOCKED && along < 0) {
        along = i;
        edge = course;
      }
    }
    if (along < 0) {
      stopAtFan(out, mesh, filter);
      return -1;
    }
    addChain(out, along);
    poly = fanPoly[along];
    crossing[0] = 0;
  }
  out.poly = poly;
  stopAtSpot(out, mesh);
  return -1;
}

/** Collects the polygons around the point at fraction `crossing` of an edge, starting with `poly`. */
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

/**
 * Adds the polygons behind an edge, at fraction `crossing` of it. `corner` is the edge that starts at the
 * point, if the point is a corner.
 */
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

/** Adds a polygon to the fan. A fraction `crossing` near an end of the edge counts as the corner there. */
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

/** Results of `courseIn`: the polygon does not continue the ray; the ray points into its interior. */
const BLOCKED = -1;
const INSIDE = -2;

/**
 * Returns how the ray continues in polygon i of the fan: `BLOCKED`, `INSIDE`, or, when it runs along an edge,
 * the edge that starts at that edge's end.
 */
function courseIn(mesh: NavMesh, i: number): number {
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

/**
 * Appends the polygons that lead through the fan to polygon i. The first polygon of the fan is already in the
 * list.
 */
function addChain(out: RayHit, i: number): void {
  let length = 0;
  for (let k = i; k > 0; k = fanFrom[k]) length++;
  if (out.polys.length < out.count + length) out.polys = withRoom(out.polys, out.count + length);
  out.count += length;
  let at = out.count;
  for (let k = i; k > 0; k = fanFrom[k]) out.polys[--at] = fanPoly[k];
}

/** Stops the ray at the fan. The wall is the edge at the point that faces the ray most directly. */
function stopAtFan(out: RayHit, mesh: NavMesh, filter: QueryFilter): void {
  const { vertices, edgeVertex, edgeNeighbor } = mesh;
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
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
  stopAtSpot(out, mesh);
}
