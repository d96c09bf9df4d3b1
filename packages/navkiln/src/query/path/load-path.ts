/**
 * Loads a path that a path function has returned back into a corridor: polygons and the crossings between them.
 *
 * In: a mesh and a path on it.
 * Out: a corridor.
 * Cost: linear in the path.
 * Based on: own.
 */
import { checkArray, checkHandle, checkNumbers, checkObject } from '../../base/data/refuse.ts';
import { linkEndCrossing, otherEnd } from '../../mesh/crossing.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { NO_CROSSING, clearPolys, findCrossing } from './corridor.ts';
import type { Corridor } from './corridor.ts';

/** A path from any path function. Points are `[x, y, z]`, or `[x, y]` on 2D maps. */
export interface CorridorPath<Point> {
  readonly points: readonly Point[];
  readonly polys: readonly PolyRef[];
}

type Point3 = [number, number, number];

/** Throws unless the value is a path with points and refs. @internal */
export function checkPath(caller: string, path: CorridorPath<ArrayLike<number>>): void {
  checkObject(caller, 'path', path);
  checkArray(caller, 'path.points', path.points);
  checkArray(caller, 'path.polys', path.polys);
  for (const [i, ref] of path.polys.entries()) checkHandle(caller, `path.polys[${i}]`, ref);
  for (const [i, point] of path.points.entries()) checkNumbers(caller, `path.points[${i}]`, point);
}

/**
 * Loads a path into a corridor. Returns false if a polygon was removed or two polygons are no longer connected. If two
 * polygons have several connections, the corridor has a link if the path has a point at its end, and otherwise the
 * widest portal.
 * @internal
 */
export function loadPath(
  corridor: Corridor,
  mesh: NavMesh,
  polys: readonly PolyRef[],
  corners: readonly Point3[],
): boolean {
  clearPolys(corridor, polys.length);
  corridor.count = polys.length;
  for (let i = 0; i < polys.length; i++) {
    corridor.polys[i] = polyIndexOf(mesh, polys[i]);
    if (corridor.polys[i] < 0) return false;
    if (i === 0) continue;
    const before = corridor.polys[i - 1];
    const crossing = findCrossing(mesh, before, corridor.polys[i]);
    const link = findLink(mesh, before, corridor.polys[i], corners, crossing === NO_CROSSING);
    if (crossing === NO_CROSSING && link < 0) return false;
    corridor.crossings[i - 1] = link < 0 ? crossing : linkEndCrossing(link);
  }
  return true;
}

/**
 * Returns the link end on a polygon whose link leads to another polygon and has two successive corners at its ends, or -1.
 * With `isAny`, any link to that polygon will do.
 */
function findLink(mesh: NavMesh, poly: number, other: number, corners: readonly Point3[], isAny: boolean): number {
  let found = -1;
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (mesh.linkPoly[otherEnd(linkEnd)] !== other) continue;
    if (findLinkPoint(mesh, linkEnd, corners, 0) >= 0) return linkEnd;
    if (isAny) found = linkEnd;
  }
  return found;
}

/**
 * Returns the index, `from` or later, of the point at which a path enters a link; the next point is at the link's other
 * end. Returns -1 if there is none.
 * @internal
 */
export function findLinkPoint(
  mesh: NavMesh,
  linkEnd: number,
  points: readonly (readonly number[])[],
  from: number,
): number {
  for (let i = from; i + 1 < points.length; i++) {
    if (isOnAnchor(mesh, linkEnd, points[i]) && isOnAnchor(mesh, otherEnd(linkEnd), points[i + 1])) return i;
  }
  return -1;
}

/** Returns whether a point is on a link end, seen from above and up to rounding. */
function isOnAnchor(mesh: NavMesh, linkEnd: number, [x, , z]: readonly number[]): boolean {
  const at = 6 * linkEnd;
  const [ax, , az, bx, , bz] = mesh.linkAnchors.subarray(at, at + 6);
  const length = distance(ax, az, bx, bz);
  const reach = distance(x, z, ax, az) + distance(x, z, bx, bz);
  return reach - length <= 1e-9 * (1 + Math.abs(x) + Math.abs(z));
}

function distance(ax: number, az: number, bx: number, bz: number): number {
  return Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
}
