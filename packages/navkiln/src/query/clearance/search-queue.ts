/**
 * Orders the nodes of the search for an agent with a radius (search.ts) by the least length of a path through them. If two roots are at the
 * same end of a half-edge, only the better one is kept.
 *
 * In: a search, and the node or root in question. Out: the heap of nodes; the best root known at each end of a half-edge.
 * Cost: constant, and a step of the heap.
 * Based on: as search.ts.
 */
import { pushItem } from '../../base/data/min-heap.ts';
import { FREE, NODE_FLOATS, NODE_INTS, ROOT_FLOATS, ROOT_INTS } from './search-memory.ts';
import type { Run } from './search-memory.ts';
import { distanceOf, turnBetween } from './tangent.ts';
import { nextOf } from './types.ts';

/** Returns whether a root at an end of a half-edge is not better than the known root there. Keeps the better one. */
export function isWorse({ state, ends }: Run, half: number, side: number, root: number): boolean {
  const { best, bestStamp, stamp, rootFloats } = state;
  const slot = 2 * half + (side > 0 ? 0 : 1);
  if (bestStamp[slot] !== stamp) {
    bestStamp[slot] = stamp;
    best[slot] = root;
    return false;
  }
  const known = best[slot];
  if (known === root) return false;
  const a = ROOT_FLOATS * known;
  const b = ROOT_FLOATS * root;
  const ax = rootFloats[a + 3];
  const av = rootFloats[a + 4];
  const bx = rootFloats[b + 3];
  const bv = rootFloats[b + 4];
  const isLater = side * (ax * bv - av * bx) >= -1e-12;
  const early = isLater ? known : root;
  const late = isLater ? root : known;
  const gap = rootFloats[ROOT_FLOATS * late] - rootFloats[ROOT_FLOATS * early];
  // The angle between both directions is at least their distance, which is often enough to decide.
  const least = ends.radius * distanceOf(ax, av, bx, bv);
  const arc =
    Math.abs(gap) < least * (1 - 1e-9)
      ? least
      : isLater
        ? ends.radius * turnBetween(ax, av, bx, bv, side)
        : ends.radius * turnBetween(bx, bv, ax, av, side);
  // The path that reaches the circle earlier continues around it to the point where the other path reaches it.
  if (isLater) {
    if (arc <= gap + 1e-12 * rootFloats[b]) return true;
    best[slot] = root;
    return false;
  }
  // The new root can leave in directions that the known root has passed. Going back around the circle may still be shorter.
  if (arc <= -gap) return true;
  if (arc <= gap) best[slot] = root;
  return false;
}

/** Queues a node by its estimate. */
export function queueNode(run: Run, node: number): void {
  estimate(run, node);
  pushItem(run.state.heap, node, run.state.keys);
}

/** Sets a node's key to the least length of a path through it: to the root, through the edge, and to the goal. */
export function estimate(
  { state, clearance: { xs, vs, corner }, ends: { radius, goalX, goalV } }: Run,
  node: number,
): void {
  const { nodeInts, nodeFloats, rootInts, rootFloats, keys } = state;
  const at = NODE_INTS * node;
  const half = nodeInts[at + 1];
  const a = corner[half];
  const b = corner[nextOf(half)];
  const root = ROOT_FLOATS * nodeInts[at];
  const px = rootFloats[root + 1];
  const pv = rootFloats[root + 2];
  const ax = xs[a];
  const av = vs[a];
  const ex = xs[b] - ax;
  const ev = vs[b] - av;
  // Signed distances from the edge, times its length. They are positive beyond the edge.
  const from = ex * (pv - av) - ev * (px - ax);
  if (from >= 0) {
    keys[node] = rootFloats[root] + distanceOf(px, pv, goalX, goalV) * (1 - 1e-12);
    return;
  }
  const lengthSq = ex * ex + ev * ev;
  let gx = goalX;
  let gv = goalV;
  let to = ex * (gv - av) - ev * (gx - ax);
  if (to < 0) {
    const back = (2 * to) / lengthSq;
    gx += back * ev;
    gv -= back * ex;
    to = -to;
  }
  // The share of the edge at which the straight line crosses it, within the part between the limits.
  const t = from / (from - to);
  const x = px + t * (gx - px);
  const v = pv + t * (gv - pv);
  let share = ((x - ax) * ex + (v - av) * ev) / lengthSq;
  const own = rootInts[ROOT_INTS * nodeInts[at]];
  const reach = radius * rootInts[ROOT_INTS * nodeInts[at] + 1];
  let low = 0;
  let high = 1;
  const k = NODE_FLOATS * node;
  // A limit crosses the edge, unless the path crosses it before it leaves its root. Paths around an end may cross the edge on its circle.
  if (nodeInts[at + 2] !== FREE && !leavesBeyond(k)) {
    low = shareOn(k);
    if (nodeInts[at + 2] === a) low = Math.min(low, radius / Math.sqrt(lengthSq));
  }
  if (nodeInts[at + 3] !== FREE && !leavesBeyond(k + 3)) {
    high = shareOn(k + 3);
    if (nodeInts[at + 3] === b) high = Math.max(high, 1 - radius / Math.sqrt(lengthSq));
  }
  if (share < low) share = low;
  else if (share > high) share = high;
  const wx = ax + share * ex;
  const wv = av + share * ev;
  const rest = distanceOf(px, pv, wx, wv) + distanceOf(wx, wv, gx, gv);
  keys[node] = rootFloats[root] + rest * (1 - 1e-12);

  /** Returns whether a limit leaves its root beyond the edge. */
  function leavesBeyond(line: number): boolean {
    if (own < 0) return false;
    const rootX = xs[own] + reach * nodeFloats[line + 1];
    const rootV = vs[own] - reach * nodeFloats[line];
    return ex * (rootV - av) - ev * (rootX - ax) >= 0;
  }

  /** Returns the share of the edge at which a limit crosses it. */
  function shareOn(line: number): number {
    const lx = nodeFloats[line];
    const lv = nodeFloats[line + 1];
    const left = lx * av - lv * ax - nodeFloats[line + 2];
    const right = lx * (av + ev) - lv * (ax + ex) - nodeFloats[line + 2];
    return left <= 0 ? 0 : right >= 0 ? 1 : left / (left - right);
  }
}
