/**
 * Turns paths around corners in an exact search: finds the corner at an end of a node's interval, and the
 * length up to it.
 *
 * In: a node, and an end of its interval.
 * Out: the key of the corner, unless another path is at most as long.
 * Cost: constant once the corner is known; see corner.ts.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { cornerAt, cornerAtPortal } from './corner.ts';
import { ENTRY, FLAGS, IS_PORTAL, KEY, LEFT, LENGTH, LINK_STRIDE, NODE_STRIDE, POLY, RIGHT, ROOT } from './state.ts';
import type { OptimalState } from './state.ts';

/** Values in place of a corner's key: the path may not turn there, or that is not known yet. */
export const NO_TURN = -1;
export const UNKNOWN_TURN = -2;

/** A length is certainly less than another one when it is below this share of it, in spite of rounding. */
const SURELY_LESS = 1 - 1e-12;

/** Length up to the corner that `turnAt` found last. */
export const turned: Float64Array = new Float64Array(1);

/** Returns the polygon's edge with the same start as an edge of its ring, or of the ring of a piece. */
export function realEdge(state: OptimalState, piece: number, edge: number): number {
  return piece < 0 ? edge : state.pieces.entryEdge[edge];
}

/**
 * Returns the key of the corner at an end of the node's interval, and sets `turned`. Returns `NO_TURN` where there is
 * no corner, or where another path to that corner is at most as long.
 */
export function turnAt(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  item: number,
  edge: number,
  isRight: boolean,
): number {
  const { node, keyStamp, keyLength, keyParent } = state;
  const key = keyOfEnd(state, mesh, filter, item, edge, isRight);
  if (key < 0) return NO_TURN;
  const at = NODE_STRIDE * item;
  const end = at + (isRight ? RIGHT : LEFT);
  const dx = node[end] - node[at + ROOT];
  const dz = node[end + 1] - node[at + ROOT + 1];
  const length = node[at + LENGTH] + Math.sqrt(dx * dx + dz * dz);
  const before = state.link[LINK_STRIDE * item + KEY];
  if (
    keyStamp[key] === state.stamp &&
    (keyLength[key] < length || (keyLength[key] === length && keyParent[key] !== before))
  ) {
    return NO_TURN;
  }
  keyStamp[key] = state.stamp;
  keyLength[key] = length;
  keyParent[key] = before;
  turned[0] = length;
  return key;
}

/**
 * Returns the key of the corner at an end of the node's entry edge or portal, or -1 if there is no corner. `edge`
 * starts at that end of the entry edge.
 */
function keyOfEnd(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  item: number,
  edge: number,
  isRight: boolean,
): number {
  const { link } = state;
  const poly = link[LINK_STRIDE * item + POLY];
  if ((link[LINK_STRIDE * item + FLAGS] & IS_PORTAL) !== 0) {
    return cornerAtPortal(state, mesh, filter, poly, link[LINK_STRIDE * item + ENTRY], isRight);
  }
  return cornerAt(state, mesh, filter, poly, edge);
}

/**
 * Returns whether a path around the corner at one end of the entry edge reaches the whole interval of a node sooner
 * than the node's own path. `edge` starts at that corner, `vertex` is its offset in `vertices`, and `end` is the offset
 * of the other end of the interval in the node's numbers.
 *
 * Away from the corner along the edge, the path around the corner grows by each step, and the node's own by at
 * most as much. So the lengths up to the end that is farther from the corner decide.
 */
export function isOvertaken(
  state: OptimalState,
  item: number,
  edge: number,
  vertices: Float64Array,
  vertex: number,
  end: number,
): boolean {
  const { node, keyLength, stamp } = state;
  if (state.cornerStamp[edge] !== stamp) return false;
  const key = state.cornerKey[edge];
  if (key < 0 || state.keyStamp[key] !== stamp) return false;
  const at = NODE_STRIDE * item;
  const ux = node[end] - vertices[vertex];
  const uz = node[end + 1] - vertices[vertex + 2];
  const vx = node[end] - node[at + ROOT];
  const vz = node[end + 1] - node[at + ROOT + 1];
  const length = node[at + LENGTH] + Math.sqrt(vx * vx + vz * vz);
  return keyLength[key] + Math.sqrt(ux * ux + uz * uz) < SURELY_LESS * length;
}
