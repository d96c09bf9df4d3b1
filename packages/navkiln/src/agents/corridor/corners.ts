/**
 * Finds the next corners of a corridor: the string through it, pulled only as far as needed.
 *
 * The corners are the first ones that query/path/funnel.ts finds for the whole corridor. The funnel is the
 * same: a deque of points with the chain of left corners, the apex, and the chain of right corners. A corner
 * is final as soon as the apex moves to it; the search stops there.
 *
 * Turns are left out if they are nearer to the position than a fortieth of the agent's radius, seen from above.
 * Otherwise an agent on a corner would have no direction. Detour uses a distance of 0.01 for every agent. The target
 * and links are never left out.
 *
 * In: a corridor, and the number of corners to find.
 * Out: the corners: turns, the point where the path enters a link (the list ends there), the target. Also the path
 * length from the last corner to the target.
 * Cost: linear in the polygons up to the one where the last corner becomes final; a link between two segments
 * needs the whole corridor. No allocation after warm-up.
 * Based on: D. T. Lee, Franco Preparata, Euclidean Shortest Paths in the Presence of Rectilinear Barriers,
 * 1984; the early stop is own. Detour uses a funnel of one apex and two sides, which restarts at each
 * corner.
 */
import { refuse } from '../../base/data/refuse.ts';
import { isLinkCrossing, linkEndOf, otherEnd } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { pullString } from '../../query/path/funnel.ts';
import { createPathLine } from '../../query/path/path-line.ts';
import {
  NEW_LEFT,
  NEW_RIGHT,
  RIGHT_FIRST,
  beginFeed,
  feed,
  feedPortal,
  isSlack,
  setPoint,
  sideWithin,
  slack,
} from '../../query/path/portals.ts';
import { setExit } from './splice.ts';
import { CORNER_GOAL, CORNER_LINK, CORNER_TURN } from './types.ts';
import type { PathCorridor } from './types.ts';

/** Largest number of corners that a caller may request; no corridor has as many. */
export const MAX_CORNERS: number = 1 << 20;

/** Corners nearer than this are left out, in agent radii. */
const PASSED_RADII = 0.025;

/** The corners of a corridor. Create one with `createCorridorCorners` and reuse it. */
export interface CorridorCorners {
  count: number;
  /** xyz of corner 0 .. count - 1, world units. */
  points: Float64Array;
  /** CORNER_TURN, CORNER_GOAL or CORNER_LINK. */
  kinds: Uint8Array;
  /** The link end where the path enters a link; -1 for other corners. */
  linkEnds: Int32Array;
  /**
   * Path length from the last corner to the target, world units: straight to the crossing where the path leaves the next
   * polygon, then over the middles of the crossings.
   */
  left: number;
}

/** Creates an empty list with memory for `maxCorners` corners. It grows if more are requested. */
export function createCorridorCorners(maxCorners: number = 2): CorridorCorners {
  if (!Number.isInteger(maxCorners) || maxCorners < 1 || maxCorners > MAX_CORNERS) {
    refuse('createCorridorCorners', 'maxCorners', maxCorners, `a whole number, 1 .. ${MAX_CORNERS}`);
  }
  return {
    count: 0,
    points: new Float64Array(3 * maxCorners),
    kinds: new Uint8Array(maxCorners),
    linkEnds: new Int32Array(maxCorners),
    left: NaN,
  };
}

/** Points of `feed`; head .. apex is the left chain, outermost first, and apex .. tail the right chain. */
let deque = new Int32Array(256);

const exit = new Float64Array(3);
const wholeLine = createPathLine();

/** Finds the next corners of a corridor, at most `maxCorners`. Unchecked: see checked.ts. */
export function findCorridorCorners(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, maxCorners: number): void {
  const { corridor } = c;
  const last = corridor.count - 1;
  out.count = 0;
  out.left = 0;
  if (last < 0 || !(maxCorners >= 1)) return;
  reserveCorners(out, maxCorners);
  const capacity = 2 * last + 3;
  beginFeed(capacity, c.position, c.target, mesh, corridor.polys[0]);
  if (deque.length < 2 * capacity) deque = new Int32Array(4 * capacity);
  // This hot loop uses local variables and inlines the chains; funnel.ts has the same chains as functions.
  const xs = feed.x;
  const zs = feed.z;
  const chains = deque;
  const { polys, crossings } = corridor;
  let head = chains.length >> 1;
  let apex = head;
  let tail = head;
  chains[apex] = 0;
  let i = 0;
  let linkEnd = -1;
  for (; i < last; i++) {
    const crossing = crossings[i];
    if (isLinkCrossing(crossing)) {
      linkEnd = linkEndOf(crossing);
      break;
    }
    let fresh = feedPortal(mesh, polys[i], crossing, i, chains[apex]);
    while ((fresh & (NEW_LEFT | NEW_RIGHT)) !== 0) {
      if ((fresh & RIGHT_FIRST) !== 0 || (fresh & NEW_LEFT) === 0) {
        fresh &= NEW_LEFT;
        const right = feed.right;
        while (tail > apex && isSlack(1, chains[tail - 1], chains[tail], right, chains[head], chains[tail])) tail--;
        if (tail === apex) {
          while (apex > head && sideWithin(xs, zs, slack, chains[apex], chains[apex - 1], right) > 0) {
            if (addCorner(out, c, mesh, chains[--apex], maxCorners)) return;
          }
          tail = apex;
        }
        chains[++tail] = right;
      } else {
        fresh &= NEW_RIGHT;
        const left = feed.left;
        // The chain is tight around a corner only if it turns left there.
        while (head < apex && isSlack(-1, chains[head + 1], chains[head], left, chains[head], chains[tail])) head++;
        if (head === apex) {
          while (apex < tail && sideWithin(xs, zs, slack, chains[apex], chains[apex + 1], left) < 0) {
            if (addCorner(out, c, mesh, chains[++apex], maxCorners)) return;
          }
          head = apex;
        }
        chains[--head] = left;
      }
    }
  }
  const point = feed.next;
  if (linkEnd < 0) {
    setPoint(point, c.target, 0);
  } else if (isSegment(mesh, linkEnd) && isSegment(mesh, otherEnd(linkEnd))) {
    useWholeLine(out, c, mesh, maxCorners);
    return;
  } else {
    setExit(exit, c, mesh, i);
    setPoint(point, exit, 0);
  }
  // The end is a right point; the right chain is then the rest of the string.
  while (tail > apex && isSlack(1, chains[tail - 1], chains[tail], point, chains[head], chains[tail])) tail--;
  if (tail === apex) {
    while (apex > head && sideWithin(xs, zs, slack, chains[apex], chains[apex - 1], point) > 0) {
      if (addCorner(out, c, mesh, chains[--apex], maxCorners)) return;
    }
    tail = apex;
  }
  for (let at = apex + 1; at <= tail; at++) if (addCorner(out, c, mesh, chains[at], maxCorners)) return;
  addEnd(out, point, linkEnd);
  out.left = c.left[i];
}

function reserveCorners(out: CorridorCorners, maxCorners: number): void {
  if (out.kinds.length >= maxCorners) return;
  out.points = new Float64Array(3 * maxCorners);
  out.kinds = new Uint8Array(maxCorners);
  out.linkEnds = new Int32Array(maxCorners);
}

/** Returns true when the last corner of a list equals a point of the feed. */
function isLastCorner({ points, count }: CorridorCorners, point: number): boolean {
  return (
    points[3 * count - 3] === feed.x[point] &&
    points[3 * count - 2] === feed.y[point] &&
    points[3 * count - 1] === feed.z[point]
  );
}

function writeCorner(out: CorridorCorners, corner: number, point: number, kind: number, linkEnd: number): void {
  out.points[3 * corner] = feed.x[point];
  out.points[3 * corner + 1] = feed.y[point];
  out.points[3 * corner + 2] = feed.z[point];
  out.kinds[corner] = kind;
  out.linkEnds[corner] = linkEnd;
  out.count = corner + 1;
}

/**
 * Appends a turn, unless the agent is on it or it equals the last corner. Returns true if the list is full.
 */
function addCorner(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, point: number, maxCorners: number): boolean {
  const { count } = out;
  if (count === 0) {
    const epsilon = PASSED_RADII * mesh.agent.radius;
    const dx = feed.x[point] - feed.x[0];
    const dz = feed.z[point] - feed.z[0];
    if (dx * dx + dz * dz <= epsilon * epsilon) return false;
  } else if (isLastCorner(out, point)) {
    return false;
  }
  writeCorner(out, count, point, CORNER_TURN, -1);
  if (out.count < maxCorners) return false;
  setLeft(out, c, mesh, feed.place[point]);
  return true;
}

/** Sets the path length from the last corner, which lies on crossing `place`, to the target. */
function setLeft(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, place: number): void {
  const at = 3 * out.count - 3;
  setExit(exit, c, mesh, place + 1);
  const dx = exit[0] - out.points[at];
  const dy = exit[1] - out.points[at + 1];
  const dz = exit[2] - out.points[at + 2];
  out.left = Math.sqrt(dx * dx + dy * dy + dz * dz) + c.left[place + 1];
}

/** Appends the target, or the point where the path enters a link. It replaces the last corner if both are equal. */
function addEnd(out: CorridorCorners, point: number, linkEnd: number): void {
  const corner = out.count > 0 && isLastCorner(out, point) ? out.count - 1 : out.count;
  writeCorner(out, corner, point, linkEnd < 0 ? CORNER_GOAL : CORNER_LINK, linkEnd);
}

/** Returns true when the anchor of a link end is a segment, and not a point. */
function isSegment(mesh: NavMesh, linkEnd: number): boolean {
  const { linkAnchors } = mesh;
  const at = 6 * linkEnd;
  return linkAnchors[at] !== linkAnchors[at + 3] || linkAnchors[at + 2] !== linkAnchors[at + 5];
}

/**
 * Takes the corners from the string through the whole corridor, because the string may go straight through a link
 * between two segments.
 */
function useWholeLine(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, maxCorners: number): void {
  pullString(wholeLine, mesh, c.corridor, c.position, c.target);
  const { points, linkEnds, places, count } = wholeLine;
  // From here on, point 0 of the feed is the position, and point 1 is the current corner.
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
    feed.place[1] = place - 1;
    if (addCorner(out, c, mesh, 1, maxCorners)) return;
  }
}
