/**
 * Leads a corridor around the other side of a vertex.
 *
 * A path that is refined within its corridor may press against a vertex at which the polygons on the other side are
 * open. The cheapest path may pass there.
 *
 * In: a corridor, a range of crossings that all have an end at the vertex.
 * Out: another corridor, if polygons lead around the other side.
 * Cost: linear in the corridor and in the polygons at the vertex.
 * Based on: own.
 */
import { isLinkCrossing, portalCrossing, portalOf, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { clearPolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';

/** Most polygons around a vertex. */
const MOST_AROUND = 64;
/** Two ends are at one place if they differ by at most this share of their coordinates. */
const ROUNDING = 1e-12;

const ends = new Float64Array(6);
const aroundPolys = new Int32Array(MOST_AROUND);
const aroundCrossings = new Int32Array(MOST_AROUND);

/** The crossings of a corridor from `first` to `last`, and the vertex at which they end. */
export interface Turn {
  first: number;
  last: number;
  x: number;
  z: number;
}

/** Returns 1 if the right end of a crossing is at (x, z), 2 if its left end is, 0 if none is. */
export function endAt(mesh: NavMesh, poly: number, crossing: number, { x, z }: Turn): number {
  setCrossingEnds(ends, mesh, poly, crossing);
  const slack = ROUNDING * (Math.abs(x) + Math.abs(z));
  if (Math.abs(ends[0] - x) <= slack && Math.abs(ends[2] - z) <= slack) return 1;
  return Math.abs(ends[3] - x) <= slack && Math.abs(ends[5] - z) <= slack ? 2 : 0;
}

/** Writes the corridor around the other side into `out`. Returns the number of polygons between, or -1 if none leads. */
export function flipAround(out: Corridor, mesh: NavMesh, filter: QueryFilter, corridor: Corridor, turn: Turn): number {
  const { first, last } = turn;
  const { polys, crossings, count } = corridor;
  const goal = polys[last + 1];
  let poly = polys[first];
  let back = crossings[first];
  let steps = 0;
  for (;;) {
    const crossing = nextAround(mesh, poly, back, turn);
    if (crossing === 0x7fffffff || steps === MOST_AROUND) return -1;
    aroundCrossings[steps] = crossing;
    const next = crossing >= 0 ? mesh.edgeNeighbor[crossing] : mesh.portalPoly[portalOf(crossing)];
    if (!passesFilter(filter, mesh, next)) return -1;
    aroundPolys[steps++] = next;
    if (next === goal) break;
    back = backOf(mesh, poly, crossing, next);
    poly = next;
  }
  const total = count - (last - first) + steps - 1;
  clearPolys(out, total);
  out.count = total;
  out.outcome = corridor.outcome;
  out.visitedCount = corridor.visitedCount;
  for (let i = 0; i <= first; i++) out.polys[i] = polys[i];
  for (let i = 0; i < first; i++) out.crossings[i] = crossings[i];
  for (let i = 0; i < steps; i++) {
    out.crossings[first + i] = aroundCrossings[i];
    out.polys[first + 1 + i] = aroundPolys[i];
  }
  const shift = steps - (last - first + 1);
  for (let i = last + 1; i < count; i++) {
    out.polys[i + shift] = polys[i];
    if (i < count - 1) out.crossings[i + shift] = crossings[i];
  }
  return steps;
}

/** Returns another crossing of a polygon that has an end at the vertex, or 0x7fffffff. */
function nextAround(mesh: NavMesh, poly: number, back: number, turn: Turn): number {
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) {
    if (mesh.edgeNeighbor[e] >= 0 && e !== back && endAt(mesh, poly, e, turn) !== 0) return e;
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    const crossing = portalCrossing(portal);
    if (crossing !== back && endAt(mesh, poly, crossing, turn) !== 0) return crossing;
  }
  return 0x7fffffff;
}

/** Returns the crossing of `next` that leads back to `poly`. */
function backOf(mesh: NavMesh, poly: number, crossing: number, next: number): number {
  if (crossing < 0) return isLinkCrossing(crossing) ? -1 : portalCrossing(mesh.portalBack[portalOf(crossing)]);
  const { edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const first = polyEdgeStart[next];
  const last = first + polyVertexCount[next] - 1;
  for (let e = first; e <= last; e++) {
    if (mesh.edgeNeighbor[e] === poly && edgeVertex[e === last ? first : e + 1] === edgeVertex[crossing]) return e;
  }
  return -1;
}
