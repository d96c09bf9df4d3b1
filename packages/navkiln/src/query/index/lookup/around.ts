/**
 * Finds the polygons around a position, and positions where obstacles touch.
 *
 * A position on an edge or a vertex lies on several polygons. Polygons that are connected around it form one group.
 * Where obstacles touch in a vertex, there are several groups at the same position.
 *
 * In: a polygon, a position on it.
 * Out: the polygons of its group, and whether there are other groups.
 * Cost: linear in the edges of these polygons.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { addPoly, createPolyList, findPolysInBoxInto } from '../../nearest/polys-in-box.ts';
import type { PolyList } from '../../nearest/polys-in-box.ts';
import { EDGE_SLACK } from '../../walk/open-edges.ts';

/** Maximum distance of a position from an edge or vertex that it lies on, as a share of its coordinates. */
const SLACK = 1e-14;

/** Distance that `moveInside` moves a position, in rounding errors. */
const INWARD = 8;

const around = createPolyList();
const near = createPolyList();
const reach = new Float64Array(3);
const along = new Float64Array(1);

/** Returns whether `other` is one of the polygons around a position on `poly`. */
export function isAround(
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  point: Float64Array,
  other: number,
): boolean {
  if (poly === other) return true;
  collectAround(around, mesh, filter, poly, point);
  for (let i = 1; i < around.count; i++) if (around.polys[i] === other) return true;
  return false;
}

/** Returns whether a position is at a vertex of its polygon with other polygons that are not connected around it. */
export function isPinched(mesh: NavMesh, filter: QueryFilter, poly: number, point: Float64Array): boolean {
  if (!isAtVertex(mesh, poly, point)) return false;
  collectAround(around, mesh, filter, poly, point);
  reach[0] = reach[2] = SLACK * (Math.abs(point[0]) + Math.abs(point[2]));
  reach[1] = mesh.agent.maxClimb;
  findPolysInBoxInto(near, mesh, point, reach, filter);
  for (let i = 0; i < near.count; i++) {
    let isKnown = false;
    for (let k = 0; k < around.count && !isKnown; k++) isKnown = around.polys[k] === near.polys[i];
    if (!isKnown && isAtVertex(mesh, near.polys[i], point)) return true;
  }
  return false;
}

/**
 * Bits that tell whether a position is on the outline of its polygon, or at one of its vertices, up to rounding errors;
 * 0: inside.
 */
export const ON_OUTLINE = 1;
export const AT_VERTEX = 2;

/** Returns the bits above for a position on a polygon. */
export function placeIn(mesh: NavMesh, poly: number, point: Float64Array): number {
  const { vertices, edgeVertex } = mesh;
  const x = point[0];
  const z = point[2];
  const slack = SLACK * (Math.abs(x) + Math.abs(z));
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let v = 3 * edgeVertex[end - 1];
  let ax = vertices[v] - x;
  let az = vertices[v + 2] - z;
  let place = 0;
  for (let e = first; e < end; e++) {
    v = 3 * edgeVertex[e];
    const bx = vertices[v] - x;
    const bz = vertices[v + 2] - z;
    const ux = bx - ax;
    const uz = bz - az;
    if (az * bx - ax * bz <= slack * (Math.abs(ux) + Math.abs(uz))) {
      place |= ON_OUTLINE;
      if (isAtVertex(mesh, poly, point)) place |= AT_VERTEX;
    }
    ax = bx;
    az = bz;
  }
  return place;
}

/** Writes a position on the outline, moved towards the middle of its polygon by several rounding errors. */
export function moveInside(out: Float64Array, mesh: NavMesh, poly: number, point: Float64Array): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  let dx = 0;
  let dz = 0;
  for (let e = first; e < first + count; e++) {
    dx += (vertices[3 * edgeVertex[e]] - point[0]) / count;
    dz += (vertices[3 * edgeVertex[e] + 2] - point[2]) / count;
  }
  const length = Math.sqrt(dx * dx + dz * dz);
  const share = length > 0 ? Math.min(0.5, (INWARD * SLACK * (Math.abs(point[0]) + Math.abs(point[2]))) / length) : 0;
  out[0] = point[0] + share * dx;
  out[1] = point[1];
  out[2] = point[2] + share * dz;
}

function isAtVertex(mesh: NavMesh, poly: number, point: Float64Array): boolean {
  const { vertices, edgeVertex } = mesh;
  const x = point[0];
  const z = point[2];
  const epsilon = SLACK * (Math.abs(x) + Math.abs(z));
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) {
    const v = 3 * edgeVertex[e];
    const dx = vertices[v] - x;
    const dz = vertices[v + 2] - z;
    if (dx <= epsilon && dx >= -epsilon && dz <= epsilon && dz >= -epsilon) return true;
  }
  return false;
}

/** Writes the polygons that are connected around a position, `poly` first. */
export function collectAround(
  out: PolyList,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  point: Float64Array,
): void {
  const { edgeNeighbor, portalSpan, portalEdge, portalPoly } = mesh;
  out.count = 0;
  addPoly(out, poly);
  for (let i = 0; i < out.count; i++) {
    const at = out.polys[i];
    const first = mesh.polyEdgeStart[at];
    const end = first + mesh.polyVertexCount[at];
    for (let edge = first; edge < end; edge++) {
      const other = edgeNeighbor[edge];
      if (other === -1 || !setAlong(mesh, edge, edge + 1 === end ? first : edge + 1, point)) continue;
      if (other >= 0) {
        addNew(out, mesh, filter, other);
        continue;
      }
      for (let l = mesh.polyPortal[at]; l >= 0; l = mesh.portalNext[l]) {
        if (portalEdge[l] !== edge) continue;
        if (along[0] < portalSpan[2 * l] - EDGE_SLACK || along[0] > portalSpan[2 * l + 1] + EDGE_SLACK) continue;
        addNew(out, mesh, filter, portalPoly[l]);
      }
    }
  }
}

/** Sets `along` to the fraction of an edge at which a position lies. Returns false if the position is off the edge. */
function setAlong(mesh: NavMesh, edge: number, after: number, point: Float64Array): boolean {
  // Not an argument, because V8 may allocate doubles that are passed to a function.
  const slack = SLACK * (Math.abs(point[0]) + Math.abs(point[2]));
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[after];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const px = point[0] - vertices[a];
  const pz = point[2] - vertices[a + 2];
  const lengthSq = ux * ux + uz * uz;
  const area = px * uz - pz * ux;
  if (area * area > slack * slack * lengthSq) return false;
  const share = (px * ux + pz * uz) / lengthSq;
  const epsilon = slack / Math.sqrt(lengthSq);
  along[0] = share;
  return share >= -epsilon && share <= 1 + epsilon;
}

function addNew(out: PolyList, mesh: NavMesh, filter: QueryFilter, poly: number): void {
  for (let i = 0; i < out.count; i++) if (out.polys[i] === poly) return;
  if (passesFilter(filter, mesh, poly)) addPoly(out, poly);
}
