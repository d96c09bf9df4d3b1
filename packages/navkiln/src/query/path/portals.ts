/**
 * Feeds the portals of a corridor to a funnel, one crossing after the other. `pullString` and
 * `findCorridorCorners` share this code.
 *
 *       left ends   o-----o------o
 *                  /     /      /
 *      origin x    |     |      |
 *                  \   /      /
 *       right ends  o-o------o
 *
 * Consecutive portals often share an end. A funnel only needs the new ends: `feedPortal` stores them as points and
 * reports which ends are new. Portals are skipped if the origin lies on them or beyond them.
 *
 * Functions refer to points by number and pass no coordinates, since V8 would allocate them.
 * There is one feed for all callers; it is valid until the next `beginFeed`.
 *
 * In: a mesh, and the crossings of a corridor in order.
 * Out: the points of `feed`, and for each crossing which ends are new.
 * Cost: constant for each crossing. No allocation once the columns have grown.
 * Based on: own.
 */
import { setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** `feedPortal`: the left end is new. */
export const NEW_LEFT = 1;
/** `feedPortal`: the right end is new. */
export const NEW_RIGHT = 2;
/** `feedPortal`: the right end must be added to the funnel before the left one. */
export const RIGHT_FIRST = 4;

/** Stands for "no vertex": for the end of a portal on a tile border, or if there is no end yet. */
const NO_VERTEX = -1;
const PART_OF_EDGE = -2;
/** Rounding errors of coordinates, as a share of the largest. */
const ROUNDING = 4e-15;

/** The points, and the last portal that was fed. */
export interface PortalFeed {
  /** Coordinates of each point. */
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** For each point, the index of the last portal that has it. The caller numbers the portals. */
  place: Int32Array;
  /** The next free point. */
  next: number;
  /** The start point of the funnel while all portals so far were skipped; -1 after the first other portal. */
  origin: number;
  /** The points of the last portal. */
  left: number;
  right: number;
  /** The vertices of the last portal. */
  leftVertex: number;
  rightVertex: number;
}

export const feed: PortalFeed = {
  x: new Float64Array(64),
  y: new Float64Array(64),
  z: new Float64Array(64),
  place: new Int32Array(64),
  next: 0,
  origin: -1,
  left: 0,
  right: 0,
  leftVertex: NO_VERTEX,
  rightVertex: NO_VERTEX,
};

const ends = new Float64Array(6);
/** A point of the current feed counts as on a line if its distance is at most this, world units. */
export const slack: Float64Array = new Float64Array(1);

/**
 * Returns the side of point c when going from a to b: 1 left, -1 right, 0 on the line within `slack`. The tolerance
 * is needed for polygons that are convex only up to rounding.
 */
export function sideOf(a: number, b: number, c: number): number {
  return sideWithin(feed.x, feed.z, slack, a, b, c);
}

/** The same as `sideOf`, for hot loops that keep the columns of the feed and `slack` in locals. */
export function sideWithin(
  x: Float64Array,
  z: Float64Array,
  within: Float64Array,
  a: number,
  b: number,
  c: number,
): number {
  const ax = x[a] - x[c];
  const az = z[a] - z[c];
  const bx = x[b] - x[c];
  const bz = z[b] - z[c];
  const det = az * bx - ax * bz;
  const doubt = within[0] * (Math.abs(ax) + Math.abs(az) + Math.abs(bx) + Math.abs(bz));
  return det > doubt ? 1 : det < -doubt ? -1 : 0;
}

/**
 * Returns whether a string from a over b to c is not tight around b, an end of the last portal on the right (1) or left
 * (-1). Where it turns back on its own line, and not to a point of the portal from `left` to `right`, b is the end of a
 * wall, such as the open side of a stair that the floor continues beside: the string goes around it, unless a is the start and the portal is
 * on that line, too.
 */
// oxlint-disable-next-line max-params -- kernel
export function isSlack(side: number, a: number, b: number, c: number, left: number, right: number): boolean {
  side *= sideOf(a, b, c);
  if (side !== 0) return side > 0;
  return (a === 0 && sideOf(a, left, right) === 0) || isAhead(a, b, b, c) || isSkipped(left, right, c);
}

/** Returns whether point c is not before point `from`, in the direction from a to b. */
function isAhead(a: number, b: number, from: number, c: number): boolean {
  const { x, z } = feed;
  return (x[b] - x[a]) * (x[c] - x[from]) + (z[b] - z[a]) * (z[c] - z[from]) >= 0;
}

/**
 * Starts a feed with memory for `capacity` points. Point 0 is the start (xyz) of the funnel, which lies on
 * `poly`.
 */
export function beginFeed(capacity: number, start: Float64Array, end: Float64Array, mesh: NavMesh, poly: number): void {
  setSlack(mesh, poly, end);
  reserveFeed(capacity);
  setPoint(0, start, 0);
  feed.place[0] = feed.origin = feed.left = feed.right = 0;
  feed.next = 1;
  breakFeed();
}

/** Reserves memory for `capacity` points; the current ones are lost. */
export function reserveFeed(capacity: number): void {
  if (feed.x.length >= capacity) return;
  feed.x = new Float64Array(2 * capacity);
  feed.y = new Float64Array(2 * capacity);
  feed.z = new Float64Array(2 * capacity);
  feed.place = new Int32Array(2 * capacity);
}

/** Sets `slack` for the coordinates of a polygon's tile and a point. It is not returned, since V8 may allocate a returned number. */
function setSlack(mesh: NavMesh, poly: number, point: Float64Array): void {
  const { tileBounds } = mesh;
  let size = 0;
  for (let k = 0; k < 9; k++) {
    if (k % 3 === 1) continue;
    const value = k < 6 ? tileBounds[6 * mesh.polyTile[poly] + k] : point[k - 6];
    size = Math.max(size, Math.abs(value));
  }
  slack[0] = ROUNDING * size;
}

/** Sets a point to the coordinates at source[at .. at + 2]. */
export function setPoint(point: number, source: Float64Array, at: number): void {
  feed.x[point] = source[at];
  feed.y[point] = source[at + 1];
  feed.z[point] = source[at + 2];
}

/** Makes both ends of the next portal new, because a link lies between it and the last portal. */
export function breakFeed(): void {
  feed.leftVertex = NO_VERTEX;
  feed.rightVertex = NO_VERTEX;
}

/**
 * Feeds the edge or portal by which a path leaves `poly`, as the portal with index `place`. `apex` is the
 * apex of the funnel.
 *
 * Returns which ends are new (NEW_LEFT, NEW_RIGHT); `feed.left` and `feed.right` are their points. Returns 0
 * for a portal that is skipped, because the origin lies on it or beyond it. RIGHT_FIRST matters only if the apex is
 * beyond the portal by a rounding error, for example where tiles do not meet exactly. Then the nearer end must be
 * added first, or the string would go around the farther end.
 */
export function feedPortal(mesh: NavMesh, poly: number, crossing: number, place: number, apex: number): number {
  const { edgeVertex } = mesh;
  const point = feed.next;
  let left = PART_OF_EDGE;
  let right = PART_OF_EDGE;
  setCrossingEnds(ends, mesh, poly, crossing);
  setPoint(point, ends, 3);
  setPoint(point + 1, ends, 0);
  if (crossing >= 0) {
    // Seen from inside a counter-clockwise polygon, an edge runs from right to left.
    const first = mesh.polyEdgeStart[poly];
    right = edgeVertex[crossing];
    left = edgeVertex[crossing + 1 === first + mesh.polyVertexCount[poly] ? first : crossing + 1];
  } else breakFeed();
  if (feed.origin >= 0) {
    if (isSkipped(point, point + 1, feed.origin)) return 0;
    feed.origin = -1;
    breakFeed();
  }
  let fresh = 0;
  if (left !== feed.leftVertex) {
    fresh = NEW_LEFT;
    feed.leftVertex = left;
    feed.left = feed.next++;
  }
  if (right !== feed.rightVertex) {
    fresh |= NEW_RIGHT;
    feed.rightVertex = right;
    feed.right = feed.next++;
    setPoint(feed.right, ends, 0);
  }
  feed.place[feed.left] = place;
  feed.place[feed.right] = place;
  return fresh === (NEW_LEFT | NEW_RIGHT) && isRightNearer(feed.left, apex) ? fresh | RIGHT_FIRST : fresh;
}

/**
 * Returns true if a point lies on the portal from a to b, or beyond it by a rounding error. A point on the extended
 * line of the portal, but outside of the portal, counts as before it.
 */
function isSkipped(a: number, b: number, point: number): boolean {
  return sideOf(b, a, point) <= 0 && isAhead(a, b, a, point) && isAhead(b, a, b, point);
}

/** Returns true if point `left` + 1 is nearer to point `from` than point `left` is. */
function isRightNearer(left: number, from: number): boolean {
  const { x, z } = feed;
  const dx = x[left + 1] - x[left];
  const dz = z[left + 1] - z[left];
  return (x[left + 1] + x[left] - 2 * x[from]) * dx + (z[left + 1] + z[left] - 2 * z[from]) * dz < 0;
}
