/**
 * Writes the corridor and the corners of the path that an exact search has found.
 *
 * The corners are the roots of its nodes, from start to end. The funnel would find the same corners in most cases, but
 * may fail in polygons that are convex only up to rounding, where three corners are nearly collinear. A corner on the
 * line between its neighbors, up to rounding, is left out. If a link has segments as ends, the line comes from string
 * pulling instead, because the search only considers middles or some shares of the segments.
 *
 * In: a search state with a best node.
 * Out: a corridor and a path line.
 * Cost: linear in the nodes of the path.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, linkOf, otherEnd, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from '../path/corridor.ts';
import { pullString } from '../path/funnel.ts';
import type { PathLine } from '../path/path-line.ts';
import { setPathTo, turn } from './estimate.ts';
import {
  CROSSING,
  ENTRY,
  FLAGS,
  IS_FAN,
  LEFT,
  LEFT_IS_END,
  LINK_STRIDE,
  NODE_STRIDE,
  PARENT,
  PIECE,
  POLY,
  RIGHT,
  RIGHT_IS_END,
  ROOT,
  WITHIN,
} from './state.ts';
import type { OptimalState } from './state.ts';
import { withRoom } from '../walk/open-edges.ts';

/** An interval is narrow if its squared length is below this share of its squared distance. */
const NARROW = 1e-24;
/** A corner is left out if its distance from the straight line is at most this share of its coordinates. */
const ROUNDING = 1e-14;
/** The nodes of the path, beginning at the start, and for each the place of corners at its interval (see `PathLine`). */
let chain = new Int32Array(64);
let place = new Int32Array(64);
const ends = new Float64Array(6);
const target = new Float64Array(2);
const spot = new Float64Array(3);

/** Writes the polygons and crossings of the best path. */
export function writeOptimalCorridor(out: Corridor, state: OptimalState): void {
  const { link } = state;
  let count = 0;
  for (let at = state.bestNode; at >= 0; at = link[LINK_STRIDE * at + PARENT]) {
    if (link[LINK_STRIDE * at + CROSSING] !== WITHIN) count++;
  }
  out.polys = withRoom(out.polys, count);
  out.crossings = withRoom(out.crossings, count);
  out.count = count;
  out.visitedCount = state.visitedCount;
  for (let at = state.bestNode, i = count - 1; at >= 0; at = link[LINK_STRIDE * at + PARENT]) {
    const crossing = link[LINK_STRIDE * at + CROSSING];
    if (crossing === WITHIN) continue;
    out.polys[i] = link[LINK_STRIDE * at + POLY];
    if (i > 0) out.crossings[i - 1] = crossing;
    i--;
  }
}

/** Writes the line through the corridor that `writeOptimalCorridor` wrote. */
export function writeOptimalLine(
  out: PathLine,
  state: OptimalState,
  mesh: NavMesh,
  corridor: Corridor,
  start: Float64Array,
  end: Float64Array,
): void {
  if (takesSegments(mesh, corridor)) {
    pullString(out, mesh, corridor, start, end);
    return;
  }
  const { node, link } = state;
  let last = -1;
  for (let at = state.bestNode; at >= 0; at = link[LINK_STRIDE * at + PARENT]) last++;
  const capacity = 2 * last + 16;
  chain = withRoom(chain, last + 1) as Int32Array<ArrayBuffer>;
  place = withRoom(place, last + 1) as Int32Array<ArrayBuffer>;
  if (out.places.length < 2 * capacity) {
    out.points = new Float64Array(12 * capacity);
    out.places = new Int32Array(4 * capacity);
    out.linkEnds = new Int32Array(4 * capacity);
  }
  for (let at = state.bestNode, i = last; i >= 0; i--) {
    chain[i] = at;
    at = link[LINK_STRIDE * at + PARENT];
  }
  place[0] = 0;
  for (let i = 1; i <= last; i++) {
    place[i] = place[i - 1] + (link[LINK_STRIDE * chain[i] + CROSSING] === WITHIN ? 0 : 2);
  }
  out.count = 0;
  addCorner(out, start, 0, -1);
  for (let i = 1; i <= last; i++) {
    const item = chain[i];
    const before = chain[i - 1];
    const crossing = link[LINK_STRIDE * item + CROSSING];
    if (crossing !== WITHIN && isLinkCrossing(crossing)) {
      const linkEnd = linkEndOf(crossing);
      setMiddle(mesh, linkEnd);
      target[0] = spot[0];
      target[1] = spot[2];
      turnTowards(out, state, mesh, i - 1, last);
      setMiddle(mesh, linkEnd);
      addCorner(out, spot, place[i] - 1, linkEnd);
      setMiddle(mesh, otherEnd(linkEnd));
      addCorner(out, spot, place[i], otherEnd(linkEnd));
      continue;
    }
    const x = node[NODE_STRIDE * item + ROOT];
    const z = node[NODE_STRIDE * item + ROOT + 1];
    if (x === node[NODE_STRIDE * before + ROOT] && z === node[NODE_STRIDE * before + ROOT + 1]) continue;
    addEnd(
      out,
      state,
      mesh,
      i - 1,
      last,
      x === node[NODE_STRIDE * before + RIGHT] && z === node[NODE_STRIDE * before + RIGHT + 1],
    );
  }
  target[0] = end[0];
  target[1] = end[2];
  turnTowards(out, state, mesh, last, last);
  addCorner(out, end, place[last] + 1, -1);
}

function takesSegments(mesh: NavMesh, corridor: Corridor): boolean {
  const { linkAnchors } = mesh;
  for (let i = 0; i + 1 < corridor.count; i++) {
    if (!isLinkCrossing(corridor.crossings[i])) continue;
    const at = 12 * linkOf(linkEndOf(corridor.crossings[i]));
    for (let k = 0; k < 3; k++) {
      if (linkAnchors[at + k] !== linkAnchors[at + 3 + k] || linkAnchors[at + 6 + k] !== linkAnchors[at + 9 + k])
        return true;
    }
  }
  return false;
}

/** Sets `spot` to the middle of a link end. */
function setMiddle(mesh: NavMesh, linkEnd: number): void {
  for (let k = 0; k < 3; k++) spot[k] = (mesh.linkAnchors[6 * linkEnd + k] + mesh.linkAnchors[6 * linkEnd + 3 + k]) / 2;
}

/**
 * Adds the end of node i's interval around which the path from the root to `target` turns, if it turns there. If the
 * interval is as narrow as a rounding error, adds the end that is a corner.
 */
function turnTowards(out: PathLine, state: OptimalState, mesh: NavMesh, i: number, last: number): void {
  const { node, link } = state;
  const item = chain[i];
  setPathTo(state, item, target, 0);
  if (turn[0] === 0) return;
  const flags = link[LINK_STRIDE * item + FLAGS];
  let isRight = turn[0] > 0;
  const at = NODE_STRIDE * item;
  const dx = node[at + LEFT] - node[at + RIGHT];
  const dz = node[at + LEFT + 1] - node[at + RIGHT + 1];
  const ux = node[at + RIGHT] - node[at + ROOT];
  const uz = node[at + RIGHT + 1] - node[at + ROOT + 1];
  if ((flags & (isRight ? RIGHT_IS_END : LEFT_IS_END)) === 0 && dx * dx + dz * dz <= NARROW * (ux * ux + uz * uz)) {
    isRight = !isRight;
  }
  addEnd(out, state, mesh, i, last, isRight);
}

/**
 * Adds an end of node i's interval. Its place is that of the last successive crossing with the same end.
 */
function addEnd(out: PathLine, state: OptimalState, mesh: NavMesh, i: number, last: number, isRight: boolean): void {
  const { node, link } = state;
  const item = chain[i];
  const end = NODE_STRIDE * item + (isRight ? RIGHT : LEFT);
  let k = i;
  while (k < last) {
    const at = NODE_STRIDE * chain[k + 1];
    if ((link[LINK_STRIDE * chain[k + 1] + FLAGS] & IS_FAN) !== 0) break;
    const isOnRight = node[at + RIGHT] === node[end] && node[at + RIGHT + 1] === node[end + 1];
    if (!isOnRight && !(node[at + LEFT] === node[end] && node[at + LEFT + 1] === node[end + 1])) break;
    k++;
  }
  const crossing = link[LINK_STRIDE * item + CROSSING];
  if (crossing === WITHIN) setCutEnds(state, mesh, item);
  else setCrossingEnds(ends, mesh, link[LINK_STRIDE * chain[i - 1] + POLY], crossing);
  spot[0] = node[end];
  spot[2] = node[end + 1];
  spot[1] = ends[isRight ? 1 : 4];
  if ((link[LINK_STRIDE * item + FLAGS] & (isRight ? RIGHT_IS_END : LEFT_IS_END)) === 0) {
    const dx = ends[3] - ends[0];
    const dz = ends[5] - ends[2];
    const share = ((spot[0] - ends[0]) * dx + (spot[2] - ends[2]) * dz) / (dx * dx + dz * dz);
    spot[1] = share > 0 ? (share < 1 ? ends[1] + share * (ends[4] - ends[1]) : ends[4]) : ends[1];
  }
  addCorner(out, spot, place[k], -1);
}

/** Sets `ends` to the right and left end of the cut through which a node enters a piece of a polygon. */
function setCutEnds(state: OptimalState, mesh: NavMesh, item: number): void {
  const { entryVertex, pieceStart, pieceSize } = state.pieces;
  const left = state.link[LINK_STRIDE * item + ENTRY];
  const piece = state.link[LINK_STRIDE * item + PIECE];
  const first = pieceStart[piece];
  let at = first;
  while (entryVertex[at] !== left) at++;
  const right = entryVertex[at + 1 === first + pieceSize[piece] ? first : at + 1];
  for (let k = 0; k < 3; k++) {
    ends[k] = mesh.vertices[3 * right + k];
    ends[3 + k] = mesh.vertices[3 * left + k];
  }
}

/**
 * Appends a corner. Skips a repeated position, and replaces the last corner if it lies on the line to the new
 * one. Link ends are kept.
 */
function addCorner(out: PathLine, point: Float64Array, at: number, linkEnd: number): void {
  const { points, places, linkEnds } = out;
  let corner = out.count;
  if (corner > 0 && isAt(points, corner - 1, point) && (linkEnd < 0 || linkEnds[corner - 1] < 0)) {
    corner--;
    if (linkEnd < 0) linkEnd = linkEnds[corner];
  } else if (corner > 1 && linkEnds[corner - 1] < 0 && isBetween(points, corner - 1, point)) {
    corner--;
  }
  points[3 * corner] = point[0];
  points[3 * corner + 1] = point[1];
  points[3 * corner + 2] = point[2];
  places[corner] = at;
  linkEnds[corner] = linkEnd;
  out.count = corner + 1;
}

function isAt(points: Float64Array, corner: number, point: Float64Array): boolean {
  return points[3 * corner] === point[0] && points[3 * corner + 1] === point[1] && points[3 * corner + 2] === point[2];
}

/**
 * Returns whether a corner lies between the previous corner and a point, on their line up to rounding. The tolerance is
 * needed because a start on the edge that ends at the corner is off that edge by a rounding error.
 */
function isBetween(points: Float64Array, corner: number, point: Float64Array): boolean {
  const a = 3 * corner - 3;
  const b = 3 * corner;
  const ux = points[b] - points[a];
  const uz = points[b + 2] - points[a + 2];
  const vx = point[0] - points[b];
  const vz = point[2] - points[b + 2];
  if (!(ux * vx + uz * vz > 0)) return false;
  const dx = ux + vx;
  const dz = uz + vz;
  const area = ux * dz - uz * dx;
  const slack = ROUNDING * (Math.abs(points[b]) + Math.abs(points[b + 2]));
  return area * area <= slack * slack * (dx * dx + dz * dz);
}
