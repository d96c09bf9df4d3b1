/**
 * String pulling: finds the shortest path through a corridor, seen from above.
 *
 *          left chain
 *        o----o
 *       /      \  <- new left point
 *   apex
 *       \
 *        o----o right chain
 *
 * The funnel is a deque of points: the chain of left corners, the apex, the chain of right corners. A new
 * left (right) point removes the points of its own chain that are no longer on the tight string. If it passes the apex
 * and crosses the other chain, the crossed points of that chain become corners of the path. The last of them is the
 * new apex. Each point enters and leaves the deque once, so the algorithm is linear and never restarts.
 *
 * A link between two points ends the string at its near end and starts a new one at its far end. Links with segments as
 * ends are crossed by wide-links.ts.
 *
 * In: a corridor, a start on its first polygon and an end on its last one.
 * Out: corners at the height of their vertices. Points on straight stretches are left out; consecutive
 * corners differ.
 * Cost: linear in the corridor. Sides are decided exactly. No allocation after warm-up.
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers,
 * 1984. Detour uses Mikko Mononen, Simple Stupid Funnel Algorithm, 2010, which restarts at each corner and is
 * quadratic at worst.
 */
import { isLinkCrossing, linkEndOf, otherEnd } from '../../mesh/crossing.ts';
import { isWideLink, placesOfWide } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import type { PathLine } from './path-line.ts';
import {
  NEW_LEFT,
  NEW_RIGHT,
  RIGHT_FIRST,
  beginFeed,
  breakFeed,
  feed,
  feedPortal,
  isSlack,
  setPoint,
  sideOf,
} from './portals.ts';

/** Points; head .. apex is the left chain, outermost first, and apex .. tail the right chain. */
let deque = new Int32Array(256);
let head = 0;
let apex = 0;
let tail = 0;

/** The most points that the funnel has for a crossing: those of a wide link (wide-links.ts). */
const CROSSING_POINTS = 6;

export const WIDE_BROKEN = 0;
export const WIDE_THROUGH = 1;
export const WIDE_DONE = 2;

/** How strings cross wide links. `enableWideLinks` (wide-links.ts) sets it, once. */
export interface WideStrings {
  /**
   * Leads the string over the wide link at crossing i of the corridor. Returns `WIDE_DONE` if it has pulled the whole
   * string from `start` to `end`, `WIDE_THROUGH` if the string goes straight through the link, and otherwise
   * `WIDE_BROKEN`.
   */
  cross(out: PathLine, mesh: NavMesh, corridor: Corridor, i: number, start: Float64Array, end: Float64Array): number;
  /** Adds the corners of a pulled string at the links that it goes straight through. */
  finish(out: PathLine, mesh: NavMesh, corridor: Corridor): void;
}

/** Empty until `enableWideLinks` is called; `placesOfWide` throws before. */
export const wideStrings: WideStrings = {} as WideStrings;

/**
 * Kernel: pulls the string from `start` to `end` (xyz) through a corridor into `out`, whose arrays grow as
 * needed.
 *
 * Portals are skipped if the start lies on them, or beyond them by a rounding error. If the start is on the extended
 * line of a portal, but outside of the portal, the string goes around the portal's end.
 */
export function pullString(
  out: PathLine,
  mesh: NavMesh,
  corridor: Corridor,
  start: Float64Array,
  end: Float64Array,
): void {
  const last = corridor.count - 1;
  // Points: the start, the end, six for each crossing, and two for the portal ahead of a wide link.
  const capacity = CROSSING_POINTS * last + 12;
  beginFeed(capacity, start, end, mesh, corridor.polys[0]);
  reserveFunnel(out, capacity);
  beginFunnel(out, 0, -1);
  let outcome = WIDE_BROKEN;
  for (let i = 0; i < last; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) {
      const linkEnd = linkEndOf(crossing);
      if (isWideLink(mesh, linkEnd)) {
        placesOfWide();
        outcome |= wideStrings.cross(out, mesh, corridor, i, start, end);
        if (outcome >= WIDE_DONE) return;
      } else crossLink(out, mesh, i, linkEnd);
      continue;
    }
    const fresh = feedPortal(mesh, corridor.polys[i], crossing, 2 * i + 2, deque[apex]);
    if ((fresh & RIGHT_FIRST) !== 0) addRight(out, feed.right);
    if ((fresh & NEW_LEFT) !== 0) addLeft(out, feed.left);
    if ((fresh & (NEW_RIGHT | RIGHT_FIRST)) === NEW_RIGHT) addRight(out, feed.right);
  }
  const point = feed.next;
  setPoint(point, end, 0);
  feed.place[point] = 2 * last + 1;
  endFunnel(out, point, -1);
  for (let i = 0; i < out.count; i++) out.places[i] = feed.place[out.places[i]];
  if (outcome > WIDE_BROKEN) wideStrings.finish(out, mesh, corridor);
}

/** Ends the string at the near end of a link between two points, and starts a new one at its far end. */
function crossLink(out: PathLine, { linkAnchors }: NavMesh, i: number, linkEnd: number): void {
  const near = feed.next;
  feed.next += 2;
  setPoint(near, linkAnchors, 6 * linkEnd);
  setPoint(near + 1, linkAnchors, 6 * otherEnd(linkEnd));
  feed.place[near] = 2 * i + 1;
  feed.place[near + 1] = 2 * i + 2;
  breakString(out, near, linkEnd);
}

/** Ends the string at a point, a near end of a link, and starts a new one at the next point, its far end. @internal */
export function breakString(out: PathLine, near: number, linkEnd: number): void {
  breakFeed();
  endFunnel(out, near, linkEnd);
  feed.origin = near + 1;
  beginFunnel(out, near + 1, otherEnd(linkEnd));
}

/** Reserves memory for `capacity` points, and empties the line. @internal */
export function reserveFunnel(out: PathLine, capacity: number): void {
  if (deque.length < 2 * capacity) deque = new Int32Array(4 * capacity);
  if (out.places.length < capacity) {
    out.points = new Float64Array(6 * capacity);
    out.places = new Int32Array(2 * capacity);
    out.linkEnds = new Int32Array(2 * capacity);
  }
  out.count = 0;
}

/** Returns the point of the feed at the apex. @internal */
export function apexPoint(): number {
  return deque[apex];
}

/** Starts a funnel at a point of the feed. @internal */
export function beginFunnel(out: PathLine, point: number, linkEnd: number): void {
  head = apex = tail = deque.length >> 1;
  deque[apex] = point;
  emitPoint(out, point, linkEnd);
}

/** Appends all corners up to a point, and the point. @internal */
export function endFunnel(out: PathLine, point: number, linkEnd: number): void {
  addRight(out, point);
  // The right chain from the apex onward is the rest of the string.
  for (let at = apex + 1; at < tail; at++) emitPoint(out, deque[at], -1);
  emitPoint(out, point, linkEnd);
}

/** Adds a left point to the funnel. @internal */
export function addLeft(out: PathLine, point: number): void {
  head = addToChain(out, point, -1, head, tail);
}

/** Adds a right point to the funnel. @internal */
export function addRight(out: PathLine, point: number): void {
  tail = addToChain(out, point, 1, tail, head);
}

/** Adds a point to the left (-1) or right (1) chain, from the apex to `end`. Returns the new end. */
function addToChain(out: PathLine, point: number, side: number, end: number, other: number): number {
  // The chain is tight around a corner only if it turns to its side there.
  while (end !== apex && isSlack(side, deque[end - side], deque[end], point, deque[head], deque[tail])) end -= side;
  if (end === apex) {
    while (apex !== other && side * sideOf(deque[apex], deque[apex - side], point) > 0) {
      emitPoint(out, deque[(apex -= side)], -1);
    }
    end = apex;
  }
  deque[(end += side)] = point;
  return end;
}

/**
 * Appends a corner, unless it equals the last one. Link ends are never dropped: if one of two equal corners is at a
 * link end, that corner remains. `out.places` holds the corner's point until `pullString` replaces it.
 */
function emitPoint(out: PathLine, point: number, linkEnd: number): void {
  const { points, linkEnds } = out;
  const x = feed.x[point];
  const y = feed.y[point];
  const z = feed.z[point];
  let corner = out.count;
  const at = 3 * corner;
  if (
    corner > 0 &&
    points[at - 3] === x &&
    points[at - 2] === y &&
    points[at - 1] === z &&
    (linkEnd < 0 || linkEnds[corner - 1] < 0)
  ) {
    corner--;
    if (linkEnd < 0) linkEnd = linkEnds[corner];
  } else {
    points[at] = x;
    points[at + 1] = y;
    points[at + 2] = z;
    out.count++;
  }
  out.places[corner] = point;
  linkEnds[corner] = linkEnd;
}
