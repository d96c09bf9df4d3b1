/**
 * Turns pieces into the data of a tile.
 *
 * A piece has the surface of the polygon that it is a part of: its detail triangles are those of the polygon, clipped to the piece. A piece
 * of a plane needs none.
 *
 * In: pieces and their tile without holes. Out: a tile whose arrays belong to the emitter and are longer than it needs.
 * Cost: linear in the pieces; for parts of polygons that are not flat, their triangles times the corners of the parts.
 * Based on: own; triangles are clipped as by Ivan Sutherland and Gary Hodgman, Reentrant polygon clipping (1974).
 */
import type { TileData } from '../../mesh/types.ts';
import type { CleanTile } from './clean.ts';
import { GONE, PINNED, WHOLE } from './pieces.ts';
import type { Pieces } from './pieces.ts';
import { loadTriangle, triangle, triangleCount } from './surface.ts';

/** The arrays that tiles are written to. */
export interface Emitter {
  tile: TileData;
  /** New number of each vertex, or -1, and of each piece. */
  vertexOf: Int32Array;
  pieceOf: Int32Array;
  /** Vertices of a part that are this near are one, world units. */
  same: number;
}

export function createEmitter(cellSize: number): Emitter {
  const none = new Int32Array(0);
  const tile: TileData = {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount: 0,
    polyCount: 0,
    vertices: new Float64Array(0),
    polyEdgeStart: none,
    polyArea: new Uint8Array(0),
    polyFlags: new Uint16Array(0),
    edgeVertex: none,
    edgeNeighbor: none,
    polyDetailVertexStart: none,
    polyDetailTriStart: none,
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
  return { tile, vertexOf: none, pieceOf: none, same: 1e-5 * cellSize };
}

/** Most corners and extra vertices of a polygon. */
const MOST_LOCALS = 255;

/** Returns the pieces as a tile, which is valid until the next call; null: a polygon would have too many corners. */
export function emitTile(emitter: Emitter, pieces: Pieces, clean: CleanTile): TileData | null {
  const { from, next, twin, piece, first, source, state, pieceCount } = pieces;
  const out = emitter.tile;
  fit(emitter, pieces);
  const { vertexOf, pieceOf } = emitter;
  const { polyEdgeStart, polyArea, polyFlags, edgeVertex, edgeNeighbor, vertices } = out;
  const { polyDetailVertexStart, polyDetailTriStart } = out;
  let polyCount = 0;
  for (let p = 0; p < pieceCount; p++) pieceOf[p] = state[p] === GONE ? -1 : polyCount++;
  vertexOf.fill(-1, 0, pieces.vertexCount);
  let vertexCount = 0;
  let edge = 0;
  extraCount = 0;
  triCount = 0;
  same = emitter.same;
  polyDetailVertexStart[0] = polyDetailTriStart[0] = 0;
  for (let p = 0; p < pieceCount; p++) {
    const own = pieceOf[p];
    if (own < 0) continue;
    const begin = edge;
    let side = first[p];
    do {
      const v = from[side];
      let vertex = vertexOf[v];
      if (vertex < 0) {
        vertexOf[v] = vertex = vertexCount++;
        vertices[3 * vertex] = pieces.vertices[3 * v];
        vertices[3 * vertex + 1] = pieces.vertices[3 * v + 1];
        vertices[3 * vertex + 2] = pieces.vertices[3 * v + 2];
      }
      edgeVertex[edge] = vertex;
      edgeNeighbor[edge++] = twin[side] < 0 ? twin[side] : pieceOf[piece[twin[side]]];
      side = next[side];
    } while (side !== first[p]);
    if (edge - begin > MOST_LOCALS) return null;
    polyEdgeStart[own + 1] = edge;
    const s = source[p];
    polyArea[own] = clean.tile.polyArea[s];
    polyFlags[own] = clean.tile.polyFlags[s];
    if (state[p] === WHOLE) copyDetail(out, clean, s);
    else if (clean.isFlat[s] === 1) {
      // The fan around its first corner is its surface.
    } else if (state[p] === PINNED) renumberDetail(out, clean, s, pieces, first[p]);
    else clipDetail(out, clean, s, begin, edge);
    polyDetailVertexStart[own + 1] = extraCount;
    polyDetailTriStart[own + 1] = triCount;
  }
  out.x = clean.tile.x;
  out.z = clean.tile.z;
  out.layer = clean.tile.layer;
  out.vertexCount = vertexCount;
  out.polyCount = polyCount;
  out.groups = clean.names === undefined ? undefined : groupsOf(clean.names, pieces, pieceOf);
  return out;
}

/** Makes the arrays of a tile long enough, except those of details, which grow. */
function fit(emitter: Emitter, { vertexCount, sideCount, pieceCount }: Pieces): void {
  const { tile } = emitter;
  if (emitter.vertexOf.length < vertexCount) {
    emitter.vertexOf = new Int32Array(2 * vertexCount);
    tile.vertices = new Float64Array(6 * vertexCount);
  }
  if (tile.edgeVertex.length < sideCount) {
    tile.edgeVertex = new Int32Array(2 * sideCount);
    tile.edgeNeighbor = new Int32Array(2 * sideCount);
  }
  if (emitter.pieceOf.length >= pieceCount) return;
  emitter.pieceOf = new Int32Array(2 * pieceCount);
  tile.polyArea = new Uint8Array(2 * pieceCount);
  tile.polyFlags = new Uint16Array(2 * pieceCount);
  tile.polyEdgeStart = new Int32Array(2 * pieceCount + 1);
  tile.polyDetailVertexStart = new Int32Array(2 * pieceCount + 1);
  tile.polyDetailTriStart = new Int32Array(2 * pieceCount + 1);
}

function groupsOf(names: readonly string[], { source, pieceCount }: Pieces, pieceOf: Int32Array): TileData['groups'] {
  const byName = new Map<string, number[]>();
  for (let p = 0; p < pieceCount; p++) {
    const name = names[source[p]];
    if (pieceOf[p] < 0 || name === '') continue;
    const polys = byName.get(name);
    if (polys === undefined) byName.set(name, [pieceOf[p]]);
    else polys.push(pieceOf[p]);
  }
  return [...byName].map(([name, polys]) => ({ name, polys }));
}

let extraCount = 0;
let triCount = 0;

/** Makes room for the details of one more polygon. */
function reserveDetail(out: TileData, extras: number, tris: number): void {
  const needed = 3 * (extraCount + extras);
  if (out.detailVertices.length < needed) {
    const more = new Float64Array(2 * needed);
    more.set(out.detailVertices);
    out.detailVertices = more;
  }
  if (out.detailTris.length >= 4 * (triCount + tris)) return;
  const more = new Uint8Array(8 * (triCount + tris));
  more.set(out.detailTris);
  out.detailTris = more;
}

function copyDetail(out: TileData, { tile }: CleanTile, s: number): void {
  const fromVertex = tile.polyDetailVertexStart[s];
  const toVertex = tile.polyDetailVertexStart[s + 1];
  const fromTri = tile.polyDetailTriStart[s];
  const toTri = tile.polyDetailTriStart[s + 1];
  reserveDetail(out, toVertex - fromVertex, toTri - fromTri);
  const { detailVertices, detailTris } = out;
  let at = 3 * extraCount;
  for (let v = 3 * fromVertex; v < 3 * toVertex; v++) detailVertices[at++] = tile.detailVertices[v];
  at = 4 * triCount;
  for (let t = 4 * fromTri; t < 4 * toTri; t++) detailTris[at++] = tile.detailTris[t];
  extraCount += toVertex - fromVertex;
  triCount += toTri - fromTri;
}

/** Local numbers of corners before and after corners were added. */
const renumbered = new Uint8Array(256);

/** Copies the details of a polygon that has more corners than before. */
function renumberDetail(out: TileData, clean: CleanTile, s: number, { next }: Pieces, begin: number): void {
  const { polyEdgeStart } = clean.tile;
  const firstSide = polyEdgeStart[s];
  const corners = polyEdgeStart[s + 1] - firstSide;
  let count = 0;
  let side = begin;
  do {
    const local = side - firstSide;
    if (local >= 0 && local < corners) renumbered[local] = count;
    count++;
    side = next[side];
  } while (side !== begin);
  const extras = clean.tile.polyDetailVertexStart[s + 1] - clean.tile.polyDetailVertexStart[s];
  // Without details, the polygon is the fan of its own corners.
  if (count + extras > MOST_LOCALS) return;
  const from = 4 * triCount;
  copyDetail(out, clean, s);
  const { detailTris } = out;
  for (let t = from; t < 4 * triCount; t++) {
    if ((t & 3) === 3) continue;
    const local = detailTris[t];
    detailTris[t] = local < corners ? renumbered[local] : local + count - corners;
  }
}

/** See `Emitter.same`. */
let same = 0;

let part = new Float64Array(1024);
let rest = new Float64Array(1024);
/** The corners of the part: x, y, z, and the direction of the side that begins there. */
const corner = new Float64Array(5 * 256);
const locals = new Uint8Array(1024);

/** Adds the triangles of a polygon that are clipped to the sides begin .. end - 1 of a part of it. */
// oxlint-disable-next-line max-lines-per-function -- hot loop: the part stays in local variables
function clipDetail(out: TileData, clean: CleanTile, s: number, begin: number, end: number): void {
  const { vertices, edgeVertex } = out;
  const n = end - begin;
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  for (let k = 0; k < n; k++) {
    const v = 3 * edgeVertex[begin + k];
    const w = 3 * edgeVertex[k + 1 === n ? begin : begin + k + 1];
    const x = vertices[v];
    const z = vertices[v + 2];
    const dx = vertices[w] - x;
    const dz = vertices[w + 2] - z;
    const length = Math.sqrt(dx * dx + dz * dz);
    corner[5 * k] = x;
    corner[5 * k + 1] = vertices[v + 1];
    corner[5 * k + 2] = z;
    corner[5 * k + 3] = dx / length;
    corner[5 * k + 4] = dz / length;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const firstExtra = extraCount;
  const firstTri = triCount;
  const count = triangleCount(clean, s);
  for (let t = 0; t < count; t++) {
    loadTriangle(clean, s, t);
    if (
      Math.max(triangle[0], triangle[3], triangle[6]) <= minX ||
      Math.min(triangle[0], triangle[3], triangle[6]) >= maxX ||
      Math.max(triangle[2], triangle[5], triangle[8]) <= minZ ||
      Math.min(triangle[2], triangle[5], triangle[8]) >= maxZ
    )
      continue;
    const size = clipTriangle(n);
    if (size < 3) continue;
    reserveDetail(out, size, size);
    for (let k = 0; k < size; k++) {
      const local = localOf(out, 3 * k, n, firstExtra);
      if (local < 0) {
        // Too many vertices: the part is the fan of its corners.
        extraCount = firstExtra;
        triCount = firstTri;
        return;
      }
      locals[k] = local;
    }
    for (let k = 2; k < size; k++) addTriangle(out, 0, k - 1, k, n);
  }
}

/** Clips the loaded triangle to the n sides of the part. Returns the number of vertices in `part`. */
function clipTriangle(n: number): number {
  let count = 3;
  part.set(triangle);
  for (let c = 0; c < 5 * n; c += 5) {
    const x = corner[c];
    const z = corner[c + 2];
    const dx = corner[c + 3];
    const dz = corner[c + 4];
    let before = 3 * (count - 1);
    let d = dz * (part[before] - x) - dx * (part[before + 2] - z);
    let isWhole = d >= -same;
    let isGone = d <= same;
    for (let k = 0; k < 3 * (count - 1); k += 3) {
      const e = dz * (part[k] - x) - dx * (part[k + 2] - z);
      isWhole = isWhole && e >= -same;
      isGone = isGone && e <= same;
    }
    if (isGone) return 0;
    if (isWhole) continue;
    let size = 0;
    for (let k = 0; k < 3 * count; before = k, k += 3) {
      const e = dz * (part[k] - x) - dx * (part[k + 2] - z);
      if ((d < -same && e > same) || (d > same && e < -same)) {
        const share = d / (d - e);
        for (let axis = 0; axis < 3; axis++)
          rest[size++] = part[before + axis] + share * (part[k + axis] - part[before + axis]);
      }
      if (e >= -same) for (let axis = 0; axis < 3; axis++) rest[size++] = part[k + axis];
      d = e;
    }
    [part, rest] = [rest, part];
    count = size / 3;
    if (count < 3) return 0;
  }
  return count;
}

/** Returns the local number of a vertex of `part`: a corner, an extra vertex, or a new one. -1: there are too many. */
function localOf(out: TileData, at: number, n: number, firstExtra: number): number {
  const x = part[at];
  const y = part[at + 1];
  const z = part[at + 2];
  for (let c = 0; c < 5 * n; c += 5) {
    if (Math.abs(corner[c] - x) + Math.abs(corner[c + 1] - y) + Math.abs(corner[c + 2] - z) < 8 * same) return c / 5;
  }
  const { detailVertices } = out;
  for (let v = 3 * firstExtra; v < 3 * extraCount; v += 3) {
    if (
      Math.abs(detailVertices[v] - x) + Math.abs(detailVertices[v + 1] - y) + Math.abs(detailVertices[v + 2] - z) <
      8 * same
    )
      return n + v / 3 - firstExtra;
  }
  if (n + extraCount - firstExtra >= MOST_LOCALS) return -1;
  detailVertices[3 * extraCount] = x;
  detailVertices[3 * extraCount + 1] = y;
  detailVertices[3 * extraCount + 2] = z;
  return n + extraCount++ - firstExtra;
}

/** Adds a triangle of vertices of `part`, unless two are one. */
function addTriangle(out: TileData, i: number, j: number, k: number, n: number): void {
  if (locals[i] === locals[j] || locals[j] === locals[k] || locals[k] === locals[i]) return;
  const { detailTris } = out;
  const at = 4 * triCount++;
  detailTris[at] = locals[i];
  detailTris[at + 1] = locals[j];
  detailTris[at + 2] = locals[k];
  detailTris[at + 3] = isOnSide(3 * i, 3 * j, n) | (isOnSide(3 * j, 3 * k, n) << 2) | (isOnSide(3 * k, 3 * i, n) << 4);
}

/** Returns 1 if two vertices of `part` lie on one side of the part. */
function isOnSide(u: number, v: number, n: number): number {
  for (let c = 0; c < 5 * n; c += 5) {
    const x = corner[c];
    const z = corner[c + 2];
    const dx = corner[c + 3];
    const dz = corner[c + 4];
    if (
      Math.abs(dz * (part[u] - x) - dx * (part[u + 2] - z)) <= 2 * same &&
      Math.abs(dz * (part[v] - x) - dx * (part[v + 2] - z)) <= 2 * same
    )
      return 1;
  }
  return 0;
}
