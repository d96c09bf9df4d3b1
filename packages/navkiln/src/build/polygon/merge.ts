/**
 * Stage 3: merges triangles to convex pieces: edges are removed, longest first, while both ends stay convex.
 *
 * Longest first keeps pieces compact, since a long edge between two triangles is what makes both thin. All
 * sides are exact. Pieces that share several consecutive edges lose all of them at once. A vertex in the
 * middle of a straight wall that belongs to one piece only is dropped.
 *
 * In: a `Triangulation`, its windings, the maximum number of corners of a piece.
 * Out: `ConvexPieces`.
 * Cost: linear, including the radix sort of edges.
 * Based on: Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple polygons, 1983 (any order gives at
 * most four times the minimum number of pieces).
 */
import { checkFinite, checkRecord } from '../../base/data/refuse.ts';
import { rootOf } from '../../base/data/union-find.ts';
import { sortByKey } from '../../base/plane/radix-sort.ts';
import type { ConvexPieces, Triangulation } from '../../base/plane/types.ts';

interface Faces {
  xs: Float64Array;
  ys: Float64Array;
  origin: Int32Array;
  next: Int32Array;
  prev: Int32Array;
  /** The piece of each half-edge, through `parent`; -1: outside. */
  face: Int32Array;
  parent: Int32Array;
  size: Int32Array;
}

/**
 * Merges the walkable triangles into convex pieces.
 *
 * @param area area ids by half-edge; pieces of different areas stay apart; default: one area
 */
export function mergeTriangles(
  mesh: Triangulation,
  winding: Int32Array,
  maxVertices: number,
  area?: Uint8Array,
): ConvexPieces {
  checkRecord('mergeTriangles', 'mesh', mesh, 'vertexEdge', 'a Triangulation');
  checkRecord('mergeTriangles', 'winding', { winding }, 'winding', 'the Int32Array of findWindings');
  checkFinite('mergeTriangles', 'maxVertices', maxVertices);
  const faces = facesInside(mesh, winding);
  const { edgeCount } = mesh;
  const gone = new Uint8Array(edgeCount);
  const inner = innerEdges(mesh, faces.face);
  const order = sortByKey(lengthKeys(mesh, inner));
  for (let k = 0; k < order.length; k++) {
    const e = inner[order[k]];
    if (gone[e] !== 0 || (area !== undefined && area[2 * e] !== area[2 * e + 1])) continue;
    tryRemove(faces, gone, e, maxVertices);
  }
  const { pieces, firstEdge } = collectPieces(mesh, faces, gone);
  return area === undefined ? pieces : { ...pieces, area: Uint8Array.from(firstEdge, (h) => area[h]) };
}

function facesInside({ edgeCount, origin, next: triangleNext, xs, ys }: Triangulation, winding: Int32Array): Faces {
  const next = triangleNext.slice(0, 2 * edgeCount);
  const prev = new Int32Array(2 * edgeCount);
  const face = new Int32Array(2 * edgeCount).fill(-1);
  let count = 0;
  for (let h = 0; h < 2 * edgeCount; h++) {
    if (face[h] >= 0 || next[h] < 0 || winding[h] <= 0) continue;
    const n = next[h];
    const m = next[n];
    face[h] = face[n] = face[m] = count++;
    prev[n] = h;
    prev[m] = n;
    prev[h] = m;
  }
  const parent = new Int32Array(count);
  for (let f = 0; f < count; f++) parent[f] = f;
  return { xs, ys, origin, next, prev, face, parent, size: new Int32Array(count).fill(3) };
}

function innerEdges({ edgeCount }: Triangulation, face: Int32Array): Int32Array {
  const edges = new Int32Array(edgeCount);
  let count = 0;
  for (let e = 0; e < edgeCount; e++) if (face[2 * e] >= 0 && face[2 * e + 1] >= 0) edges[count++] = e;
  return edges.subarray(0, count);
}

/** Returns keys of 22 bits, lower for longer edges: exponent and 14 bits of the squared length. */
function lengthKeys({ xs, ys, origin }: Triangulation, edges: Int32Array): Uint32Array {
  const squares = new Float32Array(edges.length);
  for (let k = 0; k < edges.length; k++) {
    const a = origin[2 * edges[k]];
    const b = origin[2 * edges[k] + 1];
    const dx = xs[a] - xs[b];
    const dy = ys[a] - ys[b];
    squares[k] = dx * dx + dy * dy;
  }
  const keys = new Uint32Array(squares.buffer);
  for (let k = 0; k < keys.length; k++) keys[k] = 0x3fffff - (keys[k] >>> 9);
  return keys;
}

/** Merges the pieces on both sides of edge e if the result is convex and small enough. */
function tryRemove(faces: Faces, gone: Uint8Array, e: number, maxVertices: number): void {
  const { next, prev, face, parent, size } = faces;
  // The chain of edges from `first` to `last` that both share, along the piece of half-edge 2e.
  let first = 2 * e;
  let last = 2 * e;
  let shared = 1;
  while (prev[first] === (next[first ^ 1] ^ 1)) {
    first = prev[first];
    if (first === last) return;
    shared++;
  }
  while (next[last] === (prev[last ^ 1] ^ 1)) {
    last = next[last];
    shared++;
  }
  const one = rootOf(parent, face[first]);
  const two = rootOf(parent, face[first ^ 1]);
  if (one === two || size[one] + size[two] - 2 * shared > maxVertices) return;
  const beforeStart = prev[first];
  const afterStart = next[first ^ 1];
  const beforeEnd = prev[last ^ 1];
  const afterEnd = next[last];
  if (turns(faces, beforeStart, afterStart) < 0 || turns(faces, beforeEnd, afterEnd) < 0) return;
  for (let h = first; ; h = next[h]) {
    gone[h >> 1] = 1;
    if (h === last) break;
  }
  next[beforeStart] = afterStart;
  prev[afterStart] = beforeStart;
  next[beforeEnd] = afterEnd;
  prev[afterEnd] = beforeEnd;
  size[one] += size[two] - 2 * shared;
  parent[two] = one;
}

/**
 * Returns a positive number for a left turn from half-edge h into half-edge k, which starts where h ends.
 * Exact.
 */
function turns({ xs, ys, origin }: Faces, h: number, k: number): number {
  const a = origin[h];
  const b = origin[k];
  const c = origin[k ^ 1];
  return (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]);
}

/** Returns the pieces, and a half-edge of each. */
function collectPieces(
  { vertexCount }: Triangulation,
  faces: Faces,
  gone: Uint8Array,
): { pieces: ConvexPieces; firstEdge: Int32Array } {
  const { xs, ys, origin, next, face } = faces;
  const live = liveEdges(face, gone);
  dropStraightCorners(faces, live, gone, vertexCount);
  // Pieces in the order of their first half-edges, which roughly follows the curve.
  const piece = new Int32Array(face.length).fill(-1);
  const firstOf = new Int32Array(faces.parent.length);
  let pieceCount = 0;
  let cornerCount = 0;
  for (let k = 0; k < live.length; k++) {
    const h = live[k];
    if (piece[h] >= 0 || gone[h >> 1] !== 0) continue;
    firstOf[pieceCount] = h;
    for (let at = h; piece[at] < 0; at = next[at]) {
      piece[at] = pieceCount;
      cornerCount++;
    }
    pieceCount++;
  }
  const start = new Int32Array(pieceCount + 1);
  const firstEdge = firstOf.slice(0, pieceCount);
  const corner = new Int32Array(cornerCount);
  const neighbor = new Int32Array(cornerCount);
  const vertexOf = new Int32Array(vertexCount).fill(-1);
  let n = 0;
  for (let p = 0; p < pieceCount; p++) {
    const h = firstEdge[p];
    let at = h;
    do {
      vertexOf[origin[at]] = 0;
      corner[n] = origin[at];
      // Outside, no half-edge has a piece.
      neighbor[n++] = piece[at ^ 1];
      at = next[at];
    } while (at !== h);
    start[p + 1] = n;
  }
  let count = 0;
  for (let v = 0; v < vertexCount; v++) if (vertexOf[v] === 0) vertexOf[v] = count++;
  const x = new Int32Array(count);
  const y = new Int32Array(count);
  for (let v = 0; v < vertexCount; v++) {
    if (vertexOf[v] < 0) continue;
    x[vertexOf[v]] = xs[v];
    y[vertexOf[v]] = ys[v];
  }
  for (let c = 0; c < n; c++) corner[c] = vertexOf[corner[c]];
  return { pieces: { pieceCount, start, corner, neighbor, vertexCount: count, x, y }, firstEdge };
}

/** Returns the half-edges of pieces, in order. */
function liveEdges(face: Int32Array, gone: Uint8Array): Int32Array {
  const live = new Int32Array(face.length);
  let count = 0;
  // No branches: whether a half-edge is inside, and removed, follows no pattern.
  for (let h = 0; h < face.length; h++) {
    live[count] = h;
    count += (~face[h] >>> 31) & ~gone[h >> 1];
  }
  return live.subarray(0, count);
}

/** Drops corners in the middle of a straight wall of a piece that belong to no other piece. */
function dropStraightCorners(faces: Faces, live: Int32Array, gone: Uint8Array, vertexCount: number): void {
  const { origin, next, prev, face, parent, size } = faces;
  const uses = new Int32Array(vertexCount);
  for (let k = 0; k < live.length; k++) uses[origin[live[k]]]++;
  for (let k = 0; k < live.length; k++) {
    const h = live[k];
    if (uses[origin[h]] !== 1) continue;
    const before = prev[h];
    if (face[h ^ 1] >= 0 || face[before ^ 1] >= 0 || turns(faces, before, h) !== 0) continue;
    const f = rootOf(parent, face[h]);
    if (size[f] <= 3) continue;
    next[before] = next[h];
    prev[next[h]] = before;
    gone[h >> 1] = 1;
    size[f]--;
  }
}
