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
 * A link ends the string at the middle of its near anchor and starts a new one at the middle of its far
 * anchor. Where both anchors are segments that face each other, and the portals before and after face them
 * too, the string goes straight through both; crossings.ts then adds the two corners at which it crosses
 * them. At a straight link, the string ends and starts where a straight line to the end of the path crosses the link,
 * unless the string is unfolded (unfold.ts).
 *
 * In: a corridor, a start on its first polygon and an end on its last one.
 * Out: corners at the height of their vertices. Points on straight stretches are left out; consecutive
 * corners differ.
 * Cost: linear in the corridor. Sides are decided exactly. No allocation after warm-up.
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers,
 * 1984. Detour uses Mikko Mononen, Simple Stupid Funnel Algorithm, 2010, which restarts at each corner and is
 * quadratic at worst.
 */
import { isLinkCrossing, linkEndOf, otherEnd, setCrossingEnds } from '../../mesh/crossing.ts';
import { isWideLink, setLinkPlace } from '../../mesh/straight-links.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import { CROSSINGS_AT_LINKS, addCrossings } from './crossings.ts';
import type { PathLine } from './path-line.ts';
import { pullUnfolded } from './unfold.ts';
import {
  NEW_LEFT,
  NEW_RIGHT,
  RIGHT_FIRST,
  beginFeed,
  breakFeed,
  feed,
  feedPortal,
  setPoint,
  sideOf,
} from './portals.ts';

/** Points; head .. apex is the left chain, outermost first, and apex .. tail the right chain. */
let deque = new Int32Array(256);
let head = 0;
let apex = 0;
let tail = 0;

// A link occupies six successive points; these are the offsets from the first. Right and left are seen by an agent
// that takes the link.
const NEAR_RIGHT = 0;
const NEAR_LEFT = 1;
const FAR_RIGHT = 2;
const FAR_LEFT = 3;
const NEAR_MIDDLE = 4;
const FAR_MIDDLE = 5;
const LINK_POINTS = 6;

const ends = new Float64Array(6);
const place = new Float64Array(6);

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
  // Points: the start, the end, six for each crossing, and two for the portal that `isFacing` looks at.
  const capacity = LINK_POINTS * last + 12;
  beginFeed(capacity, start, end, mesh, corridor.polys[0]);
  if (deque.length < 2 * capacity) deque = new Int32Array(4 * capacity);
  if (out.places.length < capacity) {
    out.points = new Float64Array(6 * capacity);
    out.places = new Int32Array(2 * capacity);
    out.linkEnds = new Int32Array(2 * capacity);
  }
  out.count = 0;
  beginFunnel(out, 0, -1);
  let isThroughLink = false;
  for (let i = 0; i < last; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) {
      if (isWideLink(mesh, linkEndOf(crossing))) {
        pullUnfolded(out, mesh, corridor, start, end);
        return;
      }
      if (crossLink(out, mesh, corridor, i, end)) isThroughLink = true;
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
  if (isThroughLink) addCrossings(out, mesh, corridor, CROSSINGS_AT_LINKS);
}

/**
 * Leads the string over the link at crossing i of the corridor. Returns true if the string goes straight through both
 * anchors of the link.
 */
function crossLink(out: PathLine, mesh: NavMesh, corridor: Corridor, i: number, end: Float64Array): boolean {
  const linkEnd = linkEndOf(corridor.crossings[i]);
  const point = feed.next;
  setLinkPlace(place, mesh, linkEnd, 0, 1);
  setLinkPoints(point, mesh, linkEnd, 2 * i + 1);
  feed.next += LINK_POINTS;
  breakFeed();
  if (feed.origin >= 0) feed.left = feed.right = feed.origin;
  setPortalAhead(feed.next, mesh, corridor, i + 1, end);
  if (!isFacing(point)) {
    endFunnel(out, point + NEAR_MIDDLE, linkEnd);
    feed.origin = point + FAR_MIDDLE;
    beginFunnel(out, feed.origin, otherEnd(linkEnd));
    return false;
  }
  feed.origin = -1;
  addRight(out, point + NEAR_RIGHT);
  addLeft(out, point + NEAR_LEFT);
  addRight(out, point + FAR_RIGHT);
  addLeft(out, point + FAR_LEFT);
  feed.right = point + FAR_RIGHT;
  feed.left = point + FAR_LEFT;
  return true;
}

/** Sets the six points of a link. `first` is the place of the near anchor in the corridor; the far anchor has the next place. */
function setLinkPoints(point: number, mesh: NavMesh, linkEnd: number, first: number): void {
  const { linkAnchors } = mesh;
  for (let side = 0; side < 2; side++) {
    setPoint(point + NEAR_MIDDLE + side, place, 3 * side);
    feed.place[point + NEAR_MIDDLE + side] = first + side;
  }
  for (let side = 0; side < 2; side++) {
    const at = 6 * (linkEnd ^ side);
    const right = point + (side === 0 ? NEAR_RIGHT : FAR_RIGHT);
    setPoint(right, linkAnchors, at);
    const firstIsLeft = sideOf(point + NEAR_MIDDLE, point + FAR_MIDDLE, right) > 0 ? 3 : 0;
    setPoint(right, linkAnchors, at + firstIsLeft);
    setPoint(right + 1, linkAnchors, at + 3 - firstIsLeft);
    feed.place[right] = feed.place[right + 1] = first + side;
  }
}

/**
 * Sets `point` and the next one to the ends of crossing i of the corridor. After the last crossing, both are set to
 * the end of the path.
 */
function setPortalAhead(point: number, mesh: NavMesh, corridor: Corridor, i: number, end: Float64Array): void {
  if (i + 1 >= corridor.count) {
    setPoint(point, end, 0);
    setPoint(point + 1, end, 0);
    return;
  }
  const crossing = corridor.crossings[i];
  if (isLinkCrossing(crossing)) {
    for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEndOf(crossing) + k];
  } else {
    setCrossingEnds(ends, mesh, corridor.polys[i], crossing);
  }
  setPoint(point, ends, 0);
  setPoint(point + 1, ends, 3);
}

/**
 * Returns true when the string can go straight through both anchors of the link at `point`: the anchors face
 * each other, the near one faces the portal before it, and the far one faces the portal ahead.
 */
function isFacing(point: number): boolean {
  const near = point + NEAR_RIGHT;
  const far = point + FAR_RIGHT;
  const ahead = point + LINK_POINTS;
  return (
    sideOf(near, near + 1, point + FAR_MIDDLE) < 0 &&
    sideOf(far, far + 1, point + NEAR_MIDDLE) > 0 &&
    sideOf(near, near + 1, feed.left) >= 0 &&
    sideOf(near, near + 1, feed.right) >= 0 &&
    sideOf(far, far + 1, ahead) <= 0 &&
    sideOf(far, far + 1, ahead + 1) <= 0
  );
}

function beginFunnel(out: PathLine, point: number, linkEnd: number): void {
  head = apex = tail = deque.length >> 1;
  deque[apex] = point;
  emitPoint(out, point, linkEnd);
}

/** Appends all corners up to a point, and the point. */
function endFunnel(out: PathLine, point: number, linkEnd: number): void {
  addRight(out, point);
  // The right chain from the apex onward is the rest of the string.
  for (let at = apex + 1; at < tail; at++) emitPoint(out, deque[at], -1);
  emitPoint(out, point, linkEnd);
}

function addLeft(out: PathLine, point: number): void {
  // The chain is tight around a corner only if it turns left there.
  while (head < apex && sideOf(deque[head + 1], deque[head], point) <= 0) head++;
  if (head === apex) {
    while (apex < tail && sideOf(deque[apex], deque[apex + 1], point) < 0) emitPoint(out, deque[++apex], -1);
    head = apex;
  }
  deque[--head] = point;
}

function addRight(out: PathLine, point: number): void {
  while (tail > apex && sideOf(deque[tail - 1], deque[tail], point) >= 0) tail--;
  if (tail === apex) {
    while (apex > head && sideOf(deque[apex], deque[apex - 1], point) > 0) emitPoint(out, deque[--apex], -1);
    tail = apex;
  }
  deque[++tail] = point;
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
