/**
 * Walks along a path from corner to corner and lists the polygons that it crosses.
 *
 * In: a line whose corners see each other, the polygons of both ends.
 * Out: a corridor, or false if the line crosses a polygon that the filter excludes.
 * Cost: linear in the crossed polygons.
 * Based on: own; each stretch is a ray (query/ray).
 */
import { linkEndCrossing, otherEnd } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter, passesLinkEnd } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { NO_CROSSING, findCrossing, reservePolys } from '../../path/corridor.ts';
import type { Corridor } from '../../path/corridor.ts';
import type { PathLine } from '../../path/path-line.ts';
import { createRayHit } from '../../ray/hit.ts';
import { raycastInto } from '../../ray/raycast.ts';
import { isAround } from './around.ts';
import { isIndexedLink } from '../identity.ts';
import type { PathIndex } from '../types.ts';

const hit = createRayHit();
const from = new Float64Array(3);
const to = new Float64Array(3);

/**
 * Kernel. Writes the corridor of a line, and the places of its corners in the corridor. Returns false when a wall
 * blocks the line.
 */
// oxlint-disable-next-line max-params -- kernel
export function walkLine(
  out: Corridor,
  line: PathLine,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  endPoly: number,
): boolean {
  const { points, places, linkEnds } = line;
  const last = line.count - 1;
  let poly = startPoly;
  out.count = 0;
  append(out, mesh, poly);
  places[0] = 0;
  setPoint(to, points, 0);
  for (let corner = 1; corner <= last; corner++) {
    from.set(to);
    setPoint(to, points, corner);
    const linkEnd = linkEnds[corner - 1];
    if (linkEnd >= 0 && linkEnds[corner] === otherEnd(linkEnd)) {
      if (!isIndexedLink(index, mesh, linkEnd >> 1)) return false;
      poly = cross(out, mesh, filter, linkEnd, poly, from);
      if (poly < 0) return false;
      places[corner - 1] = 2 * out.count - 3;
      places[corner] = 2 * out.count - 2;
      continue;
    }
    raycastInto(hit, mesh, poly, from, to, filter, false);
    if (hit.status !== 'reached') return false;
    for (let i = 1; i < hit.count; i++) if (!append(out, mesh, hit.polys[i])) return false;
    poly = hit.poly;
    if (out.polys[out.count - 1] !== poly && !append(out, mesh, poly)) return false;
    // The place where the path enters the next polygon; corrected below for corners after the last crossing.
    places[corner] = 2 * out.count;
  }
  if (poly !== endPoly) {
    to[1] = points[3 * last + 1];
    if (!isAround(mesh, filter, endPoly, to, poly) || !append(out, mesh, endPoly)) return false;
  }
  for (let corner = 1; corner < last; corner++) places[corner] = Math.min(places[corner], 2 * out.count - 2);
  places[last] = 2 * out.count - 1;
  return true;
}

/** Appends the polygon behind a link and returns it; -1: the link cannot be entered from `poly` at its end. */
function cross(
  out: Corridor,
  mesh: NavMesh,
  filter: QueryFilter,
  linkEnd: number,
  poly: number,
  at: Float64Array,
): number {
  const near = mesh.linkPoly[linkEnd];
  const far = mesh.linkPoly[otherEnd(linkEnd)];
  if (near < 0 || !passesLinkEnd(filter, mesh, linkEnd)) return -1;
  if (!passesFilter(filter, mesh, near) || !passesFilter(filter, mesh, far)) return -1;
  if (poly !== near && (!isAround(mesh, filter, near, at, poly) || !append(out, mesh, near))) return -1;
  if (out.polys.length === out.count) reservePolys(out, out.count + 16);
  out.crossings[out.count - 1] = linkEndCrossing(linkEnd);
  out.polys[out.count++] = far;
  return far;
}

function setPoint(out: Float64Array, points: Float64Array, corner: number): void {
  out[0] = points[3 * corner];
  out[1] = points[3 * corner + 1];
  out[2] = points[3 * corner + 2];
}

/** Appends a polygon and the crossing to it. Returns false when it is not a neighbor of the last one. */
function append(out: Corridor, mesh: NavMesh, poly: number): boolean {
  const { count } = out;
  if (out.polys.length === count) reservePolys(out, count + 16);
  if (count > 0) {
    if (out.polys[count - 1] === poly) return true;
    const crossing = findCrossing(mesh, out.polys[count - 1], poly);
    if (crossing === NO_CROSSING) return false;
    out.crossings[count - 1] = crossing;
  }
  out.polys[count] = poly;
  out.count++;
  return true;
}
