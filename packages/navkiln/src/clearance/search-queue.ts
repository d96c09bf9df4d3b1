/**
 * Orders the nodes of the search for an agent with a radius (search.ts): by the least length of a path through them. Of two roots at the
 * same end of a half-edge, only the better one is kept.
 *
 * In: a search, and the node or root in question. Out: the heap of nodes; the best root known at each end of a half-edge.
 * Cost: constant, and a step of the heap.
 * Based on: as search.ts.
 */
import { pushItem } from '../data/min-heap.ts';
import { FREE, NODE_FLOATS, NODE_INTS, ROOT_FLOATS, ROOT_INTS } from './search-memory.ts';
import type { Run } from './search-memory.ts';
import { distanceOf, turnBetween } from './tangent.ts';
import { nextOf } from './types.ts';

/** Returns whether a root at an end of a half-edge is no better than the one that is known there. Keeps the better one. */
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
  // The angle between the two is at least the distance of their directions, which often decides.
  const least = ends.radius * distanceOf(ax, av, bx, bv);
  const arc =
    Math.abs(gap) < least * (1 - 1e-9)
      ? least
      : isLater
        ? ends.radius * turnBetween(ax, av, bx, bv, side)
        : ends.radius * turnBetween(bx, bv, ax, av, side);
  // The path of the one that comes to the circle earlier goes on to where the other comes to it.
  if (isLater) {
    if (arc <= gap + 1e-12 * rootFloats[b]) return true;
    best[slot] = root;
    return false;
  }
  // It leaves in directions that the known one has passed; going back around the circle may still be shorter.
  if (arc <= -gap) return true;
  if (arc <= gap) best[slot] = root;
  return false;
}

/** Queues a node by the least length of a path through it: from where the path comes to the root, through the edge, to the goal. */
export function queueNode(
  { state, clearance: { xs, vs, corner }, ends: { radius, goalX, goalV } }: Run,
  node: number,
): void {
  const { nodeInts, nodeFloats, rootInts, rootFloats } = state;
  const at = NODE_INTS * node;
  const half = nodeInts[at + 1];
  const a = corner[half];
  const b = corner[nextOf(half)];
  const root = ROOT_FLOATS * nodeInts[at];
  const own = rootInts[ROOT_INTS * nodeInts[at]];
  const reach = radius * rootInts[ROOT_INTS * nodeInts[at] + 1];
  const px = rootFloats[root + 1];
  const pv = rootFloats[root + 2];
  const ex = xs[b] - xs[a];
  const ev = vs[b] - vs[a];
  // Signed distances from the edge, times its length: above 0 beyond it.
  const from = ex * (pv - vs[a]) - ev * (px - xs[a]);
  let gx = goalX;
  let gv = goalV;
  let to = ex * (gv - vs[a]) - ev * (gx - xs[a]);
  let rest = 0;
  if (from >= 0) rest = distanceOf(px, pv, gx, gv);
  else {
    if (to < 0) {
      const back = (2 * to) / (ex * ex + ev * ev);
      gx += back * ev;
      gv -= back * ex;
      to = -to;
    }
    // Where the straight line crosses the edge, as a share of it, within the part that the limits leave.
    const t = from / (from - to);
    const x = px + t * (gx - px);
    const v = pv + t * (gv - pv);
    let share = ((x - xs[a]) * ex + (v - vs[a]) * ev) / (ex * ex + ev * ev);
    let low = nodeInts[at + 2] === FREE ? 0 : shareOn(nodeFloats, NODE_FLOATS * node, 0);
    let high = nodeInts[at + 3] === FREE ? 1 : shareOn(nodeFloats, NODE_FLOATS * node + 3, 1);
    // Paths that turn around an end of the edge may cross it on that circle.
    const inner = radius / Math.sqrt(ex * ex + ev * ev);
    if (nodeInts[at + 2] === a) low = Math.min(low, inner);
    if (nodeInts[at + 3] === b) high = Math.max(high, 1 - inner);
    if (share < low) share = low;
    else if (share > high) share = high;
    const wx = xs[a] + share * ex;
    const wv = vs[a] + share * ev;
    rest = distanceOf(px, pv, wx, wv) + distanceOf(wx, wv, gx, gv);
  }
  state.keys[node] = rootFloats[root] + rest * (1 - 1e-12);
  pushItem(state.heap, node, state.keys);

  /** Returns where a limit crosses the edge; the whole edge on that side if the path crosses it before it leaves its root. */
  function shareOn(lines: Float64Array, k: number, whole: number): number {
    if (own >= 0) {
      const x = xs[own] + reach * lines[k + 1];
      const v = vs[own] - reach * lines[k];
      if (ex * (v - vs[a]) - ev * (x - xs[a]) >= 0) return whole;
    }
    const left = lines[k] * vs[a] - lines[k + 1] * xs[a] - lines[k + 2];
    const right = lines[k] * vs[b] - lines[k + 1] * xs[b] - lines[k + 2];
    return left <= 0 ? 0 : right >= 0 ? 1 : left / (left - right);
  }
}
