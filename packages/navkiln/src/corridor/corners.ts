/**
 * The next corners of a corridor: the string through it, pulled no further than needed.
 *
 * In: a corridor, how many corners are wanted. Out: where to go next, one after another: corners to turn at, the place where a
 * link is entered (the list ends there), the target; and how far it is from the last of them. These are the first corners of what
 * query/path/funnel.ts pulls through all of the corridor. The funnel is the same deque of points: apex, chains of left and of right
 * corners; a corner is sure as soon as the apex moves to it, and then nothing that comes later is looked at.
 *
 * Corners to turn at that are nearer to the position than a fortieth of the agent's radius, seen from above, are passed: who
 * stands on one would not know where to go. (In Detour: 0.01, whatever the agent.) The target and links are never left out.
 *
 * Cost: linear in the polygons up to where the last corner is sure. Of a link from segment to segment, all of the corridor, as
 * where it is entered depends on what comes after. No allocation after warm-up. Two corners of 1,000 walkers, one after another,
 * on dungeon / terrain / city (26, 20, 20 polygons a corridor): 360 / 500 / 480 ns, looking at 8 / 12 / 10 crossings; 0.28 / 0.44
 * / 0.43 of all of the string.
 *
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers, 1984; that it stops:
 * own. (Detour: the funnel of one apex and two sides, begun again at each corner.)
 * Tried and lost: sides by the exact predicate at once, which is too long to be inlined at so many calls: 1.05 of the time.
 */
import { sideOfPoints } from '../math/predicates.ts';
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../navmesh/crossing.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { pullString } from '../query/path/funnel.ts';
import { createPathLine } from '../query/path/path-line.ts';
import type { PathCorridor } from './types.ts';
import { setExit } from './splice.ts';
import { CORNER_GOAL, CORNER_LINK, CORNER_TURN } from './types.ts';

/** Of the agent's radius: corners nearer than this are passed. */
const PASSED = 0.025;

/** Of the terms of a determinant: what it is not wrong by (more than Shewchuk's bound). */
const SURE = 4e-16;

/** Make one with `createCorridorCorners` and reuse it. */
export interface CorridorCorners {
  count: number;
  /** xyz of corner 0 .. count - 1. */
  points: Float64Array;
  /** CORNER_TURN, CORNER_GOAL or CORNER_LINK. */
  kinds: Uint8Array;
  /** The link end where a link is entered, else -1. */
  linkEnds: Int32Array;
  /** From the last corner to the target: straight to where the next polygon is left, then over the middles of crossings. */
  left: number;
}

/** Room for so many corners; grows when more are asked for. */
export function createCorridorCorners(maxCorners: number = 2): CorridorCorners {
  return {
    count: 0,
    points: new Float64Array(3 * maxCorners),
    kinds: new Uint8Array(maxCorners),
    linkEnds: new Int32Array(maxCorners),
    left: NaN,
  };
}

// Points at hand, known by their numbers, as sides are asked for by these: 0 the position, then left and right of each crossing.
let px = new Float64Array(64);
let py = new Float64Array(64);
let pz = new Float64Array(64);
/** The last crossing of each point. */
let pointPlace = new Int32Array(64);
/** head .. apex the left chain (outermost first), apex .. tail the right one. */
let deque = new Int32Array(256);

const ends = new Float64Array(6);
const exit = new Float64Array(3);
const wholeLine = createPathLine();

/** Kernel: the next corners, at most `maxCorners`; none when the corridor is empty. */
export function findCorridorCorners(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, maxCorners: number): void {
  const { corridor } = c;
  const last = corridor.count - 1;
  out.count = 0;
  out.left = 0;
  if (last < 0 || !(maxCorners >= 1)) return;
  if (out.kinds.length < maxCorners) {
    out.points = new Float64Array(3 * maxCorners);
    out.kinds = new Uint8Array(maxCorners);
    out.linkEnds = new Int32Array(maxCorners);
  }
  reserve(2 * last + 3);
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const { polys, crossings } = corridor;
  const xs = px;
  const zs = pz;
  const places = pointPlace;
  const chains = deque;
  setPoint(0, c.position, 0);
  let head = chains.length >> 1;
  let apex = head;
  let tail = head;
  chains[apex] = 0;
  let isAtStart = true;
  let point = 1;
  let leftPoint = 0;
  let rightPoint = 0;
  let lastLeft = -1;
  let lastRight = -1;
  let i = 0;
  let linkEnd = -1;
  for (; i < last; i++) {
    const crossing = crossings[i];
    let left = -2;
    let right = -2;
    if (crossing >= 0) {
      // Seen from inside a counter-clockwise polygon, an edge runs from right to left.
      const first = polyEdgeStart[polys[i]];
      right = edgeVertex[crossing];
      left = edgeVertex[crossing + 1 === first + polyVertexCount[polys[i]] ? first : crossing + 1];
      if (isAtStart) {
        setPoint(point, vertices, 3 * left);
        setPoint(point + 1, vertices, 3 * right);
      }
    } else if (isLinkCrossing(crossing)) {
      linkEnd = linkEndOf(crossing);
      break;
    } else {
      setCrossingEnds(ends, mesh, polys[i], crossing);
      setPoint(point, ends, 3);
      setPoint(point + 1, ends, 0);
      lastLeft = lastRight = -1;
    }
    if (isAtStart) {
      if (isPassed(point)) continue;
      isAtStart = false;
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
    places[leftPoint] = places[rightPoint] = i;
    // The nearer end first, for openings that the apex is behind by a rounding: as in query/path/funnel.ts.
    const isRightFirst = isLeftNew && isRightNew && isRightNearer(leftPoint, chains[apex]);
    let sides = +isLeftNew | (+isRightNew << 1);
    while (sides !== 0) {
      if (sides === 2 || (isRightFirst && sides === 3)) {
        sides &= 1;
        while (tail > apex && side(xs, zs, chains[tail - 1], chains[tail], rightPoint) >= 0) tail--;
        if (tail === apex) {
          while (apex > head && side(xs, zs, chains[apex], chains[apex - 1], rightPoint) > 0) {
            if (addCorner(out, c, mesh, chains[--apex], maxCorners)) return;
          }
          tail = apex;
        }
        chains[++tail] = rightPoint;
      } else {
        sides &= 2;
        // The chain stays taut around a corner only when it turns left there.
        while (head < apex && side(xs, zs, chains[head + 1], chains[head], leftPoint) <= 0) head++;
        if (head === apex) {
          while (apex < tail && side(xs, zs, chains[apex], chains[apex + 1], leftPoint) < 0) {
            if (addCorner(out, c, mesh, chains[++apex], maxCorners)) return;
          }
          head = apex;
        }
        chains[--head] = leftPoint;
      }
    }
  }
  if (linkEnd >= 0) {
    if (isSegment(mesh, linkEnd) && isSegment(mesh, linkEnd ^ 1)) {
      takeWholeLine(out, c, mesh, maxCorners);
      return;
    }
    setExit(exit, c, mesh, i);
    setPoint(point, exit, 0);
  } else {
    setPoint(point, c.target, 0);
  }
  // The end as a right point; then the right chain is the rest of the string.
  while (tail > apex && side(xs, zs, chains[tail - 1], chains[tail], point) >= 0) tail--;
  if (tail === apex) {
    while (apex > head && side(xs, zs, chains[apex], chains[apex - 1], point) > 0) {
      if (addCorner(out, c, mesh, chains[--apex], maxCorners)) return;
    }
    tail = apex;
  }
  for (let at = apex + 1; at <= tail; at++) if (addCorner(out, c, mesh, chains[at], maxCorners)) return;
  addEnd(out, point, linkEnd);
  out.left = c.left[i];
}

/** As `sideOfPoints`, which is asked when in doubt: short enough to be inlined. Whole numbers, as doubles would be allocated. */
function side(xs: Float64Array, zs: Float64Array, a: number, b: number, p: number): number {
  const left = (zs[a] - zs[p]) * (xs[b] - xs[p]);
  const right = (xs[a] - xs[p]) * (zs[b] - zs[p]);
  const doubt = SURE * (Math.abs(left) + Math.abs(right));
  if (left - right > doubt) return 1;
  return right - left > doubt ? -1 : sideOfPoints(xs, zs, a, b, p);
}

function reserve(count: number): void {
  if (px.length >= count) return;
  px = new Float64Array(2 * count);
  py = new Float64Array(2 * count);
  pz = new Float64Array(2 * count);
  pointPlace = new Int32Array(2 * count);
  deque = new Int32Array(8 * count);
}

function setPoint(point: number, source: Float64Array, at: number): void {
  px[point] = source[at];
  py[point] = source[at + 1];
  pz[point] = source[at + 2];
}

/** Does the position lie on the opening from left `point` to right `point` + 1, or behind it by a rounding? */
function isPassed(point: number): boolean {
  if (sideOfPoints(px, pz, point + 1, point, 0) > 0) return false;
  const dx = px[point + 1] - px[point];
  const dz = pz[point + 1] - pz[point];
  return (
    (px[0] - px[point]) * dx + (pz[0] - pz[point]) * dz >= 0 &&
    (px[0] - px[point + 1]) * dx + (pz[0] - pz[point + 1]) * dz <= 0
  );
}

/** Of a left and a right point in a row, as seen from a third. */
function isRightNearer(left: number, from: number): boolean {
  const dx = px[left + 1] - px[left];
  const dz = pz[left + 1] - pz[left];
  return (px[left + 1] + px[left] - 2 * px[from]) * dx + (pz[left + 1] + pz[left] - 2 * pz[from]) * dz < 0;
}

/** Appends a corner, unless it is passed or there already; true when there is room for no more. */
function addCorner(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, point: number, maxCorners: number): boolean {
  const { points, count } = out;
  if (count === 0) {
    const hair = PASSED * mesh.agent.radius;
    const dx = px[point] - px[0];
    const dz = pz[point] - pz[0];
    if (dx * dx + dz * dz <= hair * hair) return false;
  } else if (
    points[3 * count - 3] === px[point] &&
    points[3 * count - 2] === py[point] &&
    points[3 * count - 1] === pz[point]
  ) {
    return false;
  }
  points[3 * count] = px[point];
  points[3 * count + 1] = py[point];
  points[3 * count + 2] = pz[point];
  out.kinds[count] = CORNER_TURN;
  out.linkEnds[count] = -1;
  out.count = count + 1;
  if (out.count < maxCorners) return false;
  setLeft(out, c, mesh, pointPlace[point]);
  return true;
}

/** The way left from the last corner, which lies on a crossing. */
function setLeft(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, place: number): void {
  const at = 3 * out.count - 3;
  setExit(exit, c, mesh, place + 1);
  const dx = exit[0] - out.points[at];
  const dy = exit[1] - out.points[at + 1];
  const dz = exit[2] - out.points[at + 2];
  out.left = Math.sqrt(dx * dx + dy * dy + dz * dz) + c.left[place + 1];
}

/** Appends the target, or where a link is entered; a corner in the same place becomes it. */
function addEnd(out: CorridorCorners, point: number, linkEnd: number): void {
  const { points } = out;
  let at = out.count;
  if (
    at > 0 &&
    points[3 * at - 3] === px[point] &&
    points[3 * at - 2] === py[point] &&
    points[3 * at - 1] === pz[point]
  )
    at--;
  points[3 * at] = px[point];
  points[3 * at + 1] = py[point];
  points[3 * at + 2] = pz[point];
  out.kinds[at] = linkEnd < 0 ? CORNER_GOAL : CORNER_LINK;
  out.linkEnds[at] = linkEnd;
  out.count = at + 1;
}

function isSegment(mesh: NavMesh, linkEnd: number): boolean {
  const { linkAnchors } = mesh;
  const at = 6 * linkEnd;
  return linkAnchors[at] !== linkAnchors[at + 3] || linkAnchors[at + 2] !== linkAnchors[at + 5];
}

/** Where a link leads from segment to segment, the string may go straight through both: it is pulled as a whole. */
function takeWholeLine(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, maxCorners: number): void {
  pullString(wholeLine, mesh, c.corridor, c.position, c.target);
  const { points, linkEnds, places, count } = wholeLine;
  setPoint(0, c.position, 0);
  out.count = 0;
  for (let corner = linkEnds[0] >= 0 ? 0 : 1; corner < count; corner++) {
    setPoint(1, points, 3 * corner);
    const place = places[corner] >> 1;
    if (linkEnds[corner] >= 0 || corner === count - 1) {
      addEnd(out, 1, linkEnds[corner]);
      out.left = c.left[place];
      return;
    }
    pointPlace[1] = place - 1;
    if (addCorner(out, c, mesh, 1, maxCorners)) return;
  }
}
