/**
 * String pulling: the shortest path through a corridor, seen from above.
 *
 *          left chain          The funnel is a deque of points: the chain of left corners, the apex, the chain of right
 *        o----o                corners. A new left (right) point removes what it makes needless from its own end; when it
 *       /      \  <- new left  reaches the apex and crosses the other chain, that chain's points become corners of the path
 *   apex                       and the last of them the new apex. Each point comes and goes once: linear, no restarts.
 *       \
 *        o----o right chain
 *
 * In: a corridor (polygons and what is crossed between them), a start on the first and an end on the last polygon. Out: corners,
 * each at the height of its vertex, without two equal ones in a row; points on straight stretches are left out.
 * Sides are decided exactly. Portals that the start lies on (or, by a rounding, behind) are passed already; where it lies on
 * the line of one, but beside it, the string has to go around its end.
 *
 * At a link the string ends at the middle of the near anchor and starts again at the middle of the far one. Where both anchors
 * are segments that face each other, and what comes before and after faces them too, it is pulled through both instead, and
 * crossings.ts puts the two corners where it crosses them.
 *
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers, 1984; Mikko
 * Mononen, Simple Stupid Funnel Algorithm, 2010 (what Detour does: one apex and two corners, restarted at each corner,
 * quadratic at worst).
 */
import { sideOfPoints } from '../../math/predicates.ts';
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { Corridor } from './corridor.ts';
import { addCrossings } from './crossings.ts';
import type { PathLine } from './path-line.ts';

/**
 * Points at hand: the start, then left and right of each portal, last the end. Doubles are never handed over: points are known
 * by their numbers.
 */
let px = new Float64Array(64);
let py = new Float64Array(64);
let pz = new Float64Array(64);
/** The place of the last portal with this point. */
let pointPlace = new Int32Array(64);
/** Numbers of points; head .. apex the left chain (outermost first), apex .. tail the right one. */
let deque = new Int32Array(256);
let head = 0;
let apex = 0;
let tail = 0;

const ends = new Float64Array(6);

/** Kernel. */
export function pullString(
  out: PathLine,
  mesh: NavMesh,
  corridor: Corridor,
  start: Float64Array,
  end: Float64Array,
): void {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const last = corridor.count - 1;
  // The start, two points at each crossing and six at a link, the end, and what is looked at beyond a link.
  const capacity = 6 * last + 12;
  if (px.length < capacity) {
    px = new Float64Array(2 * capacity);
    py = new Float64Array(2 * capacity);
    pz = new Float64Array(2 * capacity);
    pointPlace = new Int32Array(2 * capacity);
    deque = new Int32Array(4 * capacity);
  }
  if (out.places.length < capacity) {
    out.points = new Float64Array(6 * capacity);
    out.places = new Int32Array(2 * capacity);
    out.linkEnds = new Int32Array(2 * capacity);
  }
  out.count = 0;
  setPoint(0, start, 0);
  pointPlace[0] = 0;
  beginFunnel(out, 0, -1);
  let isThroughLink = false;
  // The point this funnel began with, as long as it has no portal.
  let origin = 0;
  let point = 1;
  let leftPoint = 0;
  let rightPoint = 0;
  let lastLeft = -1;
  let lastRight = -1;
  for (let i = 0; i < last; i++) {
    const poly = corridor.polys[i];
    const crossing = corridor.crossings[i];
    const place = 2 * i + 2;
    let left = -2;
    let right = -2;
    if (crossing >= 0) {
      // Seen from inside a counter-clockwise polygon, an edge runs from right to left.
      const first = polyEdgeStart[poly];
      right = edgeVertex[crossing];
      left = edgeVertex[crossing + 1 === first + polyVertexCount[poly] ? first : crossing + 1];
      if (origin >= 0) {
        setPoint(point, vertices, 3 * left);
        setPoint(point + 1, vertices, 3 * right);
      }
    } else if (isLinkCrossing(crossing)) {
      const linkEnd = linkEndOf(crossing);
      setLinkEnds(point, mesh, linkEnd);
      pointPlace[point] = pointPlace[point + 1] = pointPlace[point + 4] = place - 1;
      pointPlace[point + 2] = pointPlace[point + 3] = pointPlace[point + 5] = place;
      lastLeft = lastRight = -1;
      if (origin >= 0) leftPoint = rightPoint = origin;
      if (isFacing(point, mesh, corridor, i + 1, end, leftPoint, rightPoint)) {
        origin = -1;
        addRight(out, point);
        addLeft(out, point + 1);
        addRight(out, point + 2);
        addLeft(out, point + 3);
        rightPoint = point + 2;
        leftPoint = point + 3;
        isThroughLink = true;
      } else {
        endFunnel(out, point + 4, linkEnd);
        origin = point + 5;
        beginFunnel(out, origin, linkEnd ^ 1);
      }
      point += 6;
      continue;
    } else {
      setCrossingEnds(ends, mesh, poly, crossing);
      setPoint(point, ends, 3);
      setPoint(point + 1, ends, 0);
      lastLeft = lastRight = -1;
    }
    if (origin >= 0) {
      if (isPassed(point, point + 1, origin)) continue;
      origin = -1;
      lastLeft = lastRight = -1;
    }
    const isLeftNew = left !== lastLeft;
    const isRightNew = right !== lastRight;
    if (isLeftNew) {
      lastLeft = left;
      leftPoint = point++;
      if (left >= 0) setPoint(leftPoint, vertices, 3 * left);
    }
    if (isRightNew) {
      lastRight = right;
      rightPoint = point++;
      if (right >= 0) setPoint(rightPoint, vertices, 3 * right);
    }
    // Where tiles do not quite meet, or corners are in a row but for roundings, the apex may be behind the opening: the nearer
    // end comes first, or the string would go around the far one. Elsewhere the order does not show.
    const isRightFirst = isLeftNew && isRightNew && isRightNearer(leftPoint, deque[apex]);
    if (isRightFirst) addRight(out, rightPoint);
    if (isLeftNew) addLeft(out, leftPoint);
    if (isRightNew && !isRightFirst) addRight(out, rightPoint);
    pointPlace[leftPoint] = pointPlace[rightPoint] = place;
  }
  setPoint(point, end, 0);
  pointPlace[point] = 2 * last + 1;
  endFunnel(out, point, -1);
  for (let i = 0; i < out.count; i++) out.places[i] = pointPlace[out.places[i]];
  if (isThroughLink) addCrossings(out, mesh, corridor, 0);
}

function setPoint(point: number, source: Float64Array, at: number): void {
  px[point] = source[at];
  py[point] = source[at + 1];
  pz[point] = source[at + 2];
}

/** Right and left of the near anchor, of the far one, and the middles of both: six points. */
function setLinkEnds(point: number, mesh: NavMesh, linkEnd: number): void {
  const { linkAnchors } = mesh;
  for (let i = 0; i < 2; i++) {
    const at = 6 * (linkEnd ^ i);
    for (let k = 0; k < 3; k++) ends[k] = (linkAnchors[at + k] + linkAnchors[at + 3 + k]) / 2;
    setPoint(point + 4 + i, ends, 0);
  }
  for (let i = 0; i < 4; i += 2) {
    const at = 6 * (linkEnd ^ (i >> 1));
    setPoint(point + i, linkAnchors, at);
    const isLeft = side(point + 4, point + 5, point + i) > 0 ? 3 : 0;
    setPoint(point + i, linkAnchors, at + isLeft);
    setPoint(point + i + 1, linkAnchors, at + 3 - isLeft);
  }
}

/**
 * Can the string be pulled straight through both anchors at `point`? They must face each other, the near one what was crossed
 * before it, and the far one what is crossed next.
 */
function isFacing(
  point: number,
  mesh: NavMesh,
  corridor: Corridor,
  next: number,
  end: Float64Array,
  leftPoint: number,
  rightPoint: number,
): boolean {
  const far = point + 2;
  const ahead = point + 6;
  if (next + 1 < corridor.count) {
    const crossing = corridor.crossings[next];
    if (isLinkCrossing(crossing)) {
      for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEndOf(crossing) + k];
    } else {
      setCrossingEnds(ends, mesh, corridor.polys[next], crossing);
    }
    setPoint(ahead, ends, 0);
    setPoint(ahead + 1, ends, 3);
  } else {
    setPoint(ahead, end, 0);
    setPoint(ahead + 1, end, 0);
  }
  return (
    side(point, point + 1, point + 5) < 0 &&
    side(far, far + 1, point + 4) > 0 &&
    side(point, point + 1, leftPoint) >= 0 &&
    side(point, point + 1, rightPoint) >= 0 &&
    side(far, far + 1, ahead) <= 0 &&
    side(far, far + 1, ahead + 1) <= 0
  );
}

/** Does the point lie on the portal from a to b, or behind it by a rounding? On its line, but beside it, is before it. */
function isPassed(a: number, b: number, point: number): boolean {
  if (side(b, a, point) > 0) return false;
  const dx = px[b] - px[a];
  const dz = pz[b] - pz[a];
  return (
    (px[point] - px[a]) * dx + (pz[point] - pz[a]) * dz >= 0 && (px[point] - px[b]) * dx + (pz[point] - pz[b]) * dz <= 0
  );
}

/** Of a left and a right point in a row, as seen from a third. */
function isRightNearer(left: number, from: number): boolean {
  const dx = px[left + 1] - px[left];
  const dz = pz[left + 1] - pz[left];
  return (px[left + 1] + px[left] - 2 * px[from]) * dx + (pz[left + 1] + pz[left] - 2 * pz[from]) * dz < 0;
}

/** Side of point c as seen when going from a to b: 1 left, -1 right, 0 on the line. */
function side(a: number, b: number, c: number): number {
  return sideOfPoints(px, pz, a, b, c);
}

function beginFunnel(out: PathLine, point: number, linkEnd: number): void {
  head = apex = tail = deque.length >> 1;
  deque[apex] = point;
  emitPoint(out, point, linkEnd);
}

/** All corners up to the point, and the point. */
function endFunnel(out: PathLine, point: number, linkEnd: number): void {
  addRight(out, point);
  // From the apex on along the right chain.
  for (let at = apex + 1; at < tail; at++) emitPoint(out, deque[at], -1);
  emitPoint(out, point, linkEnd);
}

function addLeft(out: PathLine, point: number): void {
  // The chain stays taut around a corner only when it turns left there.
  while (head < apex && side(deque[head + 1], deque[head], point) <= 0) head++;
  if (head === apex) {
    while (apex < tail && side(deque[apex], deque[apex + 1], point) < 0) emitPoint(out, deque[++apex], -1);
    head = apex;
  }
  deque[--head] = point;
}

function addRight(out: PathLine, point: number): void {
  while (tail > apex && side(deque[tail - 1], deque[tail], point) >= 0) tail--;
  if (tail === apex) {
    while (apex > head && side(deque[apex], deque[apex - 1], point) > 0) emitPoint(out, deque[--apex], -1);
    tail = apex;
  }
  deque[++tail] = point;
}

/** Appends a corner (its place is its point's number for now) unless it is where the last one is; link ends are never lost. */
function emitPoint(out: PathLine, point: number, linkEnd: number): void {
  const { points, linkEnds } = out;
  const x = px[point];
  const y = py[point];
  const z = pz[point];
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
