/**
 * The lines of a clearance search: where they leave a root, which circles their limits touch, and on which side of a limit corners lie.
 *
 * In: a run, nodes, roots and corners by number.
 * Out: numbers; lines in `limit`; changed limits of a node, and roots on a limit.
 * Cost: constant.
 * Based on: own; see search.ts.
 */
import { ARRIVAL, NODE_FLOATS, NODE_INTS, ROOT_FLOATS, ROOT_INTS, pushRoot } from './search-memory.ts';
import type { Run, SearchEnds } from './search-memory.ts';
import { setTangent, turnBetween } from './tangent.ts';

/** Margins for rounding errors grow by up to this factor if two corners that are close to each other define a limit. */
export const NEARLY = 1e6;

/** The current limit: direction, offset. */
export const limit: Float64Array = new Float64Array(3);

/** Returns the length of the path to a point, or to the point where it touches a circle, in the direction of `limit`. */
export function lengthTo({ state, clearance, ends }: Run, root: number, x: number, v: number): number {
  const { rootInts, rootFloats } = state;
  const side = rootInts[ROOT_INTS * root + 1];
  const at = ROOT_FLOATS * root;
  const dx = limit[0];
  const dv = limit[1];
  if (side === 0) return rootFloats[at] + dx * (x - rootFloats[at + 1]) + dv * (v - rootFloats[at + 2]);
  const turn = turnBetween(rootFloats[at + 3], rootFloats[at + 4], dx, dv, side);
  const own = rootInts[ROOT_INTS * root];
  return rootFloats[at] + ends.radius * turn + dx * (x - clearance.xs[own]) + dv * (v - clearance.vs[own]);
}

/** Returns the distance of lines from the centers of circles: the radius minus a margin for rounding errors. */
export function roomOf({ radius }: SearchEnds): number {
  return radius - 1e-10 * radius - 1e-7;
}

/** Sets `limit` to the line that leaves a root and touches the circle of a corner on a side. */
export function touch(run: Run, root: number, corner: number, side: number): void {
  touchPoint(run, root, run.clearance.xs[corner], run.clearance.vs[corner], side * run.ends.radius);
}

export function touchPoint({ state, clearance, ends }: Run, root: number, x: number, v: number, at: number): void {
  const own = state.rootInts[ROOT_INTS * root];
  const m = own < 0 ? 0 : state.rootInts[ROOT_INTS * root + 1] * ends.radius;
  const fromX = own < 0 ? ends.startX : clearance.xs[own];
  const fromV = own < 0 ? ends.startV : clearance.vs[own];
  setTangent(limit, fromX, fromV, m, x, v, at);
  limit[2] = limit[0] * fromV - limit[1] * fromX - m;
}

/** Adds a root that a path reaches on a limit of a node. Returns -1 if its circle lies before the circle from which the path comes. */
// oxlint-disable-next-line max-params -- kernel
export function addRootOnLimit(
  run: Run,
  parent: number,
  node: number,
  of: number,
  corner: number,
  side: number,
): number {
  const { state, clearance, ends } = run;
  const from = NODE_FLOATS * node + (of > 0 ? 0 : 3);
  limit[0] = state.nodeFloats[from];
  limit[1] = state.nodeFloats[from + 1];
  limit[2] = state.nodeFloats[from + 2];
  const dx = limit[0];
  const dv = limit[1];
  const x = clearance.xs[corner] + side * ends.radius * dv;
  const v = clearance.vs[corner] - side * ends.radius * dx;
  const length = lengthTo(run, parent, x, v);
  const parentLength = state.rootFloats[ROOT_FLOATS * parent];
  if (length < parentLength - 1e-6 * ends.radius) return -1;
  const root = pushRoot(state, corner, side, parent);
  const at = ROOT_FLOATS * root;
  state.rootFloats[at] = Math.max(length, parentLength);
  state.rootFloats[at + 1] = x;
  state.rootFloats[at + 2] = v;
  state.rootFloats[at + 3] = dx;
  state.rootFloats[at + 4] = dv;
  return root;
}

/** Makes `limit` the left (1) or right (-1) limit of a node. */
export function setLimit({ state }: Run, node: number, side: number, blocker: number): void {
  state.nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)] = blocker;
  const at = NODE_FLOATS * node + (side > 0 ? 0 : 3);
  state.nodeFloats[at] = limit[0];
  state.nodeFloats[at + 1] = limit[1];
  state.nodeFloats[at + 2] = limit[2];
}

/** Returns the distance of a corner to the left of a limit of a node. */
function leftOf({ state: { nodeFloats }, clearance: { xs, vs } }: Run, node: number, side: number, c: number): number {
  const at = NODE_FLOATS * node + (side > 0 ? 0 : 3);
  return nodeFloats[at] * vs[c] - nodeFloats[at + 1] * xs[c] - nodeFloats[at + 2];
}

/** Returns the coordinate of a corner along a limit of a node. */
export function along(
  { state: { nodeFloats }, clearance: { xs, vs } }: Run,
  node: number,
  side: number,
  c: number,
): number {
  const at = NODE_FLOATS * node + (side > 0 ? 0 : 3);
  return nodeFloats[at] * xs[c] + nodeFloats[at + 1] * vs[c];
}

/** Returns the coordinate along a limit of a node at which the limit leaves its root, as `along`. */
export function alongRoot(
  { state: { nodeFloats, rootInts }, clearance: { xs, vs }, ends }: Run,
  node: number,
  side: number,
  root: number,
): number {
  const own = rootInts[ROOT_INTS * root];
  const at = NODE_FLOATS * node + (side > 0 ? 0 : 3);
  return nodeFloats[at] * (own < 0 ? ends.startX : xs[own]) + nodeFloats[at + 1] * (own < 0 ? ends.startV : vs[own]);
}

/**
 * Returns whether a corner on the side of a limit narrows the limit. On a straight wall, corners around which the path may turn have priority
 * over other corners, even if a rounding error of a corner close to the root has turned the limit.
 */
export function narrows(run: Run, node: number, side: number, c: number): boolean {
  const { state, clearance, ends } = run;
  const inside = ends.radius - side * leftOf(run, node, side, c);
  let reserve = ends.radius - roomOf(ends);
  const blocker = state.nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)];
  if (blocker >= 0 && Math.abs(inside) < NEARLY * reserve) {
    const from = alongRoot(run, node, side, state.nodeInts[NODE_INTS * node]);
    const near = along(run, node, side, blocker) - from;
    const far = along(run, node, side, c) - from;
    if (far > near) reserve *= near > 0 ? Math.min(NEARLY, far / near) : 1;
  }
  // Between two corners around which the path may not turn, the later one wins, since the search tests turns at the ends of an edge.
  const isKept = clearance.isTurn[c] === 0 && (blocker < 0 || clearance.isTurn[blocker] !== 0);
  return inside > (isKept ? reserve : -reserve);
}

/** Returns whether a corner on the other side of the path is nearer to a limit than the radius, or beyond it. */
export function isInWay(run: Run, node: number, side: number, c: number): boolean {
  const across = side * leftOf(run, node, side, c);
  // If the line just touches the corner, no line remains between it and the line on which the path arrived.
  const isArrival = run.state.nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)] === ARRIVAL;
  if (across <= -(isArrival ? 2 * run.ends.radius - roomOf(run.ends) : roomOf(run.ends))) return false;
  // A corner beside or behind the circle that the line leaves does not block the line.
  return across >= 0 || along(run, node, side, c) > alongRoot(run, node, side, run.state.nodeInts[NODE_INTS * node]);
}
