/**
 * Removes lines again, longest first, while the corners at both ends stay convex and the piece has at most
 * `maxVertices`; then writes the pieces.
 *
 * One pass is enough: a line that must stay now can never be removed, as corners only get wider and pieces
 * larger. Each remaining line is an edge of two pieces and makes them neighbors. A vertex in the middle of a
 * straight wall that belongs to one piece only is dropped.
 *
 * In: convex `Faces`.
 * Out: which lines were removed, and `ConvexPieces`.
 * Cost: a sort of the lines.
 * Based on: Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple polygons, 1983 (a line stays only
 * if a corner needs it: at most four times the minimum number of pieces, when the cuts are a triangulation).
 */
import { rootOf } from '../../../base/data/union-find.ts';
import { turn, twinOf } from './faces.ts';
import type { Faces } from './types.ts';
import type { ConvexPieces } from '../../../base/plane/types.ts';

/** Unlinks corners in the middle of straight walls where no line ends: next is -1 then. */
export function dropStraightCorners(faces: Faces): void {
  const { wallCount, firstAt, nextAt, origin, prev } = faces;
  for (let h = 0; h < wallCount; h++) {
    const isOnly = firstAt[origin[h]] === h && nextAt[h] < 0;
    if (isOnly && prev[h] < wallCount && isStraight(faces, prev[h], h)) unlink(faces, h);
  }
}

function isStraight(faces: Faces, before: number, after: number): boolean {
  const { origin, next } = faces;
  return turn(faces, origin[before], origin[after], origin[next[after]]) === 0;
}

function unlink({ next, prev }: Faces, h: number): void {
  next[prev[h]] = next[h];
  prev[next[h]] = prev[h];
  next[h] = -1;
}

/**
 * Unlinks lines that are not needed and marks them with 1 in the result. Line i is half-edge wallCount + 2 i.
 */
export function removeLines(faces: Faces, maxVertices: number): Uint8Array {
  const { wallCount, halfEdgeCount, origin, next, prev } = faces;
  const isGone = new Uint8Array((halfEdgeCount - wallCount) >> 1);
  const faceOf = new Int32Array(halfEdgeCount).fill(-1);
  const sizes: number[] = [];
  const cornersAt = new Int32Array(faces.vertexCount);
  for (let first = 0; first < halfEdgeCount; first++) {
    if (next[first] < 0 || faceOf[first] >= 0) continue;
    const face = sizes.push(0) - 1;
    for (let h = first; faceOf[h] < 0; h = next[h]) {
      faceOf[h] = face;
      sizes[face]++;
      cornersAt[origin[h]]++;
    }
  }
  const parent = Int32Array.from(sizes, (_, face) => face);
  /**
   * Returns whether the corner at the start of line half-edge h vanishes in the middle of a wall when the
   * line is removed.
   */
  const vanishes = (h: number, side: number): boolean =>
    side === 0 && cornersAt[origin[h]] === 2 && prev[h] < wallCount && next[twinOf(faces, h)] < wallCount;
  for (const line of longestFirst(faces)) {
    const h = wallCount + 2 * line;
    const t = h + 1;
    const sideAtStart = turn(faces, origin[h], origin[next[next[t]]], origin[prev[h]]);
    const sideAtEnd = turn(faces, origin[t], origin[next[next[h]]], origin[prev[t]]);
    if (sideAtStart < 0 || sideAtEnd < 0) continue;
    const one = rootOf(parent, faceOf[h]);
    const two = rootOf(parent, faceOf[t]);
    const isStartGone = vanishes(h, sideAtStart);
    const isEndGone = vanishes(t, sideAtEnd);
    const size = sizes[one] + sizes[two] - 2 - Number(isStartGone) - Number(isEndGone);
    if (size > maxVertices) continue;
    isGone[line] = 1;
    parent[two] = one;
    sizes[one] = size;
    cornersAt[origin[h]]--;
    cornersAt[origin[t]]--;
    const afterStart = next[t];
    const afterEnd = next[h];
    next[prev[h]] = afterStart;
    prev[afterStart] = prev[h];
    next[prev[t]] = afterEnd;
    prev[afterEnd] = prev[t];
    next[h] = next[t] = -1;
    if (isStartGone) unlink(faces, afterStart);
    if (isEndGone) unlink(faces, afterEnd);
  }
  return isGone;
}

/** Returns lines by length, equal ones by the vertices at their ends. */
function longestFirst({ wallCount, halfEdgeCount, origin, xs, ys }: Faces): Int32Array {
  const lineCount = (halfEdgeCount - wallCount) >> 1;
  const lengths = new Float64Array(lineCount);
  const low = new Int32Array(lineCount);
  const high = new Int32Array(lineCount);
  for (let line = 0; line < lineCount; line++) {
    const h = wallCount + 2 * line;
    const v = origin[h];
    const w = origin[h + 1];
    lengths[line] = (xs[w] - xs[v]) * (xs[w] - xs[v]) + (ys[w] - ys[v]) * (ys[w] - ys[v]);
    low[line] = Math.min(v, w);
    high[line] = Math.max(v, w);
  }
  return Int32Array.from({ length: lineCount }, (_, line) => line).sort(
    (i, j) => lengths[j] - lengths[i] || low[i] - low[j] || high[i] - high[j],
  );
}

/** Returns the faces as pieces over their vertices. */
export function piecesOf(faces: Faces): ConvexPieces {
  const { wallCount, halfEdgeCount, origin, next, vertexCount, xs, ys } = faces;
  const pieceOf = new Int32Array(halfEdgeCount).fill(-1);
  const vertexOf = new Int32Array(vertexCount).fill(-1);
  const start = [0];
  const edges: number[] = [];
  for (let first = 0; first < halfEdgeCount; first++) {
    if (pieceOf[first] >= 0 || next[first] < 0) continue;
    for (let h = first; pieceOf[h] < 0; h = next[h]) {
      pieceOf[h] = start.length - 1;
      vertexOf[origin[h]] = 0;
      edges.push(h);
    }
    start.push(edges.length);
  }
  const x: number[] = [];
  const y: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (vertexOf[v] < 0) continue;
    vertexOf[v] = x.length;
    x.push(xs[v]);
    y.push(ys[v]);
  }
  return {
    pieceCount: start.length - 1,
    start: Int32Array.from(start),
    corner: Int32Array.from(edges, (h) => vertexOf[origin[h]]),
    neighbor: Int32Array.from(edges, (h) => (h < wallCount ? -1 : pieceOf[twinOf(faces, h)])),
    vertexCount: x.length,
    x: Int32Array.from(x),
    y: Int32Array.from(y),
  };
}
