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
 * In: a corridor (polygons and the edges between them), a start on the first and an end on the last polygon. Out: corners,
 * each at the height of its vertex, without two equal ones in a row; points on straight stretches are left out.
 * Sides are decided exactly. Portals that the start lies on (or, by a rounding, behind) are passed already.
 *
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers, 1984; Mikko
 * Mononen, Simple Stupid Funnel Algorithm, 2010 (what Detour does: one apex and two corners, restarted at each corner,
 * quadratic at worst).
 */
import { sideOfPoints } from '../math/predicates.ts';
import type { NavMesh } from '../navmesh/types.ts';
import type { Corridor } from './a-star.ts';

/** Corners of a path. Make one with `createPathLine` and reuse it. */
export interface PathLine {
  count: number;
  /** xyz of corner 0 .. count - 1; the array may be longer. */
  points: Float64Array;
}

export function createPathLine(): PathLine {
  return { count: 0, points: new Float64Array(0) };
}

/** Points of the portals at hand: 0 the start, then left and right of each portal, last the end. */
let px = new Float64Array(64);
let py = new Float64Array(64);
let pz = new Float64Array(64);
/** Numbers of points; head .. apex the left chain (outermost first), apex .. tail the right one. */
let deque = new Int32Array(256);
let head = 0;
let apex = 0;
let tail = 0;

/** Kernel. */
export function pullString(
  out: PathLine, mesh: NavMesh, corridor: Corridor, start: Float64Array, end: Float64Array,
): void {
  const portalCount = corridor.count - 1;
  const pointCount = 2 * portalCount + 2;
  // No more corners than the start, one for each point of a portal, and the end.
  if (out.points.length < 3 * pointCount) out.points = new Float64Array(Math.max(3 * pointCount, 2 * out.points.length));
  if (px.length < pointCount) {
    const capacity = Math.max(pointCount, 2 * px.length);
    px = new Float64Array(capacity);
    py = new Float64Array(capacity);
    pz = new Float64Array(capacity);
    deque = new Int32Array(2 * capacity + 2);
  }
  out.count = 0;
  setPoint(0, start, 0);
  emitPoint(out, 0);
  const last = portalCount > 0 ? pullThrough(out, mesh, corridor, end) : 1;
  setPoint(last, end, 0);
  emitPoint(out, last);
}

/** All corners between the start and the end; returns the number of the end's point. */
function pullThrough(out: PathLine, mesh: NavMesh, corridor: Corridor, end: Float64Array): number {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const portalCount = corridor.count - 1;
  head = apex = tail = portalCount + 1;
  deque[apex] = 0;
  let isAtStart = true;
  let point = 1;
  let lastLeft = -1;
  let lastRight = -1;
  for (let i = 0; i < portalCount; i++) {
    // Seen from inside a counter-clockwise polygon, an edge runs from right to left.
    const poly = corridor.polys[i];
    const e = corridor.crossings[i];
    const first = polyEdgeStart[poly];
    const right = edgeVertex[e];
    const left = edgeVertex[e + 1 === first + polyVertexCount[poly] ? first : e + 1];
    if (isAtStart) {
      setPoint(point, vertices, 3 * left);
      setPoint(point + 1, vertices, 3 * right);
      if (side(point + 1, point, 0) <= 0) continue;
      isAtStart = false;
    }
    if (left !== lastLeft) {
      lastLeft = left;
      setPoint(point, vertices, 3 * left);
      addLeft(out, point++);
    }
    if (right !== lastRight) {
      lastRight = right;
      setPoint(point, vertices, 3 * right);
      addRight(out, point++);
    }
  }
  setPoint(point, end, 0);
  addRight(out, point);
  // From the apex to the end along the right chain.
  for (let at = apex + 1; at < tail; at++) emitPoint(out, deque[at]);
  return point;
}

function setPoint(point: number, source: Float64Array, at: number): void {
  px[point] = source[at];
  py[point] = source[at + 1];
  pz[point] = source[at + 2];
}

/** Side of point c as seen when going from a to b: 1 left, -1 right, 0 on the line. */
function side(a: number, b: number, c: number): number {
  return sideOfPoints(px, pz, a, b, c);
}

function addLeft(out: PathLine, point: number): void {
  // The chain stays taut around a corner only when it turns left there.
  while (head < apex && side(deque[head + 1], deque[head], point) <= 0) head++;
  if (head === apex) {
    while (apex < tail && side(deque[apex], deque[apex + 1], point) < 0) emitPoint(out, deque[++apex]);
    head = apex;
  }
  deque[--head] = point;
}

function addRight(out: PathLine, point: number): void {
  while (tail > apex && side(deque[tail - 1], deque[tail], point) >= 0) tail--;
  if (tail === apex) {
    while (apex > head && side(deque[apex], deque[apex - 1], point) > 0) emitPoint(out, deque[--apex]);
    tail = apex;
  }
  deque[++tail] = point;
}

/** Appends a corner unless it is where the last one is. */
function emitPoint(out: PathLine, point: number): void {
  const { points } = out;
  const x = px[point];
  const y = py[point];
  const z = pz[point];
  const at = 3 * out.count;
  if (at > 0 && points[at - 3] === x && points[at - 2] === y && points[at - 1] === z) return;
  points[at] = x;
  points[at + 1] = y;
  points[at + 2] = z;
  out.count++;
}
