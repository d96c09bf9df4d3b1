/**
 * Enters polygons in an exact search: chooses the piece of a polygon that a node enters, and the part that its root
 * sees.
 *
 * In: a node.
 * Out: a piece, fans for the pieces at a root, or the part that the root sees.
 * Cost: constant; linear in the pieces of polygons that are convex only up to rounding.
 * Based on: own.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { entryOf, pieceOfEntry } from './pieces.ts';
import {
  ENTRY,
  FLAGS,
  IS_FAN,
  IS_PORTAL,
  IS_WITHIN,
  KEY,
  LEFT,
  LENGTH,
  LINK_STRIDE,
  NODE_STRIDE,
  PIECE,
  POLY,
  RIGHT,
  ROOT,
  WITHIN,
  addFan,
} from './state.ts';
import type { OptimalState } from './state.ts';

/** Maximum distance of a start from its piece, as a share of coordinates. */
const START_SLACK = 1e-14;
/** The part of a polygon that a root sees: its interval, the whole polygon, or the polygon from an end of the interval. */
export const SEES_INTERVAL = 0;
export const SEES_ALL = 1;
export const SEES_FROM_RIGHT = 2;
export const SEES_FROM_LEFT = 3;
/** Points of the exact predicate: two on a line, and the point to classify. */
const xs = new Float64Array(3);
const zs = new Float64Array(3);

/**
 * Adds fans from the root of a node inside its polygon, for all pieces that the root lies on. If it lies off the
 * polygon, adds fans for all pieces.
 */
export function addPieceFans(state: OptimalState, mesh: NavMesh, item: number): void {
  const { pieces } = state;
  const poly = state.link[LINK_STRIDE * item + POLY];
  const begin = pieces.polyPiece[poly];
  const end = begin + pieces.polyPieceCount[poly];
  let on = begin;
  while (on < end && !isOnPiece(state, mesh, item, on)) on++;
  for (let piece = on < end ? on : begin; piece < end; piece++) {
    if (on < end && !isOnPiece(state, mesh, item, piece)) continue;
    const fan = addFan(state, poly, item, WITHIN);
    const { node, link } = state;
    node[NODE_STRIDE * fan + ROOT] = node[NODE_STRIDE * item + ROOT];
    node[NODE_STRIDE * fan + ROOT + 1] = node[NODE_STRIDE * item + ROOT + 1];
    node[NODE_STRIDE * fan + LENGTH] = node[NODE_STRIDE * item + LENGTH];
    link[LINK_STRIDE * fan + KEY] = link[LINK_STRIDE * item + KEY];
    link[LINK_STRIDE * fan + PIECE] = piece;
  }
}

/** Returns whether the root of a node lies on a piece, up to rounding. */
function isOnPiece(state: OptimalState, mesh: NavMesh, item: number, piece: number): boolean {
  const { entryVertex, pieceStart, pieceSize } = state.pieces;
  const { vertices } = mesh;
  const x = state.node[NODE_STRIDE * item + ROOT];
  const z = state.node[NODE_STRIDE * item + ROOT + 1];
  const first = pieceStart[piece];
  const stop = first + pieceSize[piece];
  let a = 3 * entryVertex[stop - 1];
  for (let at = first; at < stop; at++) {
    const b = 3 * entryVertex[at];
    const dx = vertices[b] - vertices[a];
    const dz = vertices[b + 2] - vertices[a + 2];
    const size = Math.abs(vertices[b]) + Math.abs(vertices[b + 2]) + Math.abs(dx) + Math.abs(dz);
    const off = (x - vertices[b]) * dz - (z - vertices[b + 2]) * dx;
    if (off < -START_SLACK * size * (Math.abs(dx) + Math.abs(dz))) return false;
    a = b;
  }
  return true;
}

/** Returns the piece that a node enters; -1 for a fan of the whole polygon. */
export function pieceEntered(state: OptimalState, mesh: NavMesh, item: number): number {
  const { link, pieces } = state;
  const it = LINK_STRIDE * item;
  const poly = link[it + POLY];
  const flags = link[it + FLAGS];
  if ((flags & (IS_WITHIN | IS_FAN)) !== 0) return link[it + PIECE];
  let edge = mesh.polyEdgeStart[poly];
  if ((flags & IS_PORTAL) !== 0) edge = mesh.portalEdge[link[it + ENTRY]];
  else while (mesh.edgeVertex[edge] !== link[it + ENTRY]) edge++;
  return pieceOfEntry(pieces, poly, entryOf(pieces, poly, edge));
}

/**
 * Returns the part that the root of a node sees when the root may lie on the line of the entry edge. This is its
 * interval, if the root is not on the line; the whole polygon, if it lies on the edge; otherwise the polygon seen from
 * the nearer end of the interval.
 */
export function viewFrom(node: Float64Array, at: number, vertices: Float64Array, a: number, b: number): number {
  const rootX = node[at + ROOT];
  const rootZ = node[at + ROOT + 1];
  xs[0] = vertices[a];
  zs[0] = vertices[a + 2];
  xs[1] = vertices[b];
  zs[1] = vertices[b + 2];
  xs[2] = rootX;
  zs[2] = rootZ;
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
  const along = (rootX - xs[0]) * dx + (rootZ - zs[0]) * dz;
  const right = (node[at + RIGHT] - xs[0]) * dx + (node[at + RIGHT + 1] - zs[0]) * dz;
  const left = (node[at + LEFT] - xs[0]) * dx + (node[at + LEFT + 1] - zs[0]) * dz;
  const isBeside = along < right || along > left;
  if (sideOfPoints(xs, zs, 0, 1, 2) > 0) return SEES_INTERVAL;
  return !isBeside ? SEES_ALL : along < right ? SEES_FROM_RIGHT : SEES_FROM_LEFT;
}
