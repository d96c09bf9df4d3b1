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

/** The arrays that tiles are written to. */
export interface Emitter {
  tile: TileData;
  /** New number of each vertex, or -1, and of each piece. */
  vertexOf: Int32Array;
  pieceOf: Int32Array;
  /** Per new vertex: 0 while its height is that of the line between two others. */
  isSet: Uint8Array;
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
  return { tile, vertexOf: none, pieceOf: none, isSet: new Uint8Array(0), same: 1e-5 * cellSize };
}

/** Most corners and extra vertices of a polygon. */
const MOST_LOCALS = 255;

/** Returns the pieces as a tile, which is valid until the next call; null: a polygon would have too many corners. */
export function emitTile(emitter: Emitter, pieces: Pieces, clean: CleanTile): TileData | null {
  const { from, next, twin, piece, first, source, state, pieceCount } = pieces;
  const out = emitter.tile;
  fit(emitter, pieces);
  const { vertexOf, pieceOf, isSet } = emitter;
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
        isSet[vertex] = v < clean.tile.vertexCount ? 1 : 0;
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
    else clipDetail(emitter, clean, s, begin, edge);
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
    emitter.isSet = new Uint8Array(2 * vertexCount);
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

/** Most sides of a part, which are bits. A part with more is the fan of its corners. */
const MOST_SIDES = 30;

/** The vertices of the current triangle while it is clipped: x, y, z; their numbers in its polygon, or -1; the sides of the part that they are on. */
let part = new Float64Array(192);
let rest = new Float64Array(192);
let partIds = new Int32Array(64);
let restIds = new Int32Array(64);
/** Four per side of the part: x, z of its start, and its direction. */
const sides = new Float64Array(4 * MOST_SIDES);
/** Per vertex of the polygon: the part that it is loaded for, x, y, z, the sides of the part that it is outside of, its number in the part or -1. */
const stamps = new Int32Array(256);
const own = new Float64Array(3 * 256);
const outside = new Int32Array(256);
const numbers = new Int32Array(256);
/** Per vertex of the part: the sides that it is on. */
const onSides = new Int32Array(256);
const locals = new Uint8Array(64);

/** Adds the triangles of a polygon that are clipped to the edges begin .. end - 1 of a part of it. */
function clipDetail(emitter: Emitter, clean: CleanTile, s: number, begin: number, end: number): void {
  const out = emitter.tile;
  const n = end - begin;
  if (n > MOST_SIDES) return;
  readSides(out, begin, n);
  const { minX, minZ, maxX, maxZ } = partBox;
  partStamp++;
  const firstExtra = extraCount;
  const firstTri = triCount;
  const { triStart, tris, triBoxes } = clean;
  for (let t = triStart[s]; t < triStart[s + 1]; t++) {
    if (
      triBoxes[4 * t] > maxX ||
      triBoxes[4 * t + 2] < minX ||
      triBoxes[4 * t + 1] > maxZ ||
      triBoxes[4 * t + 3] < minZ
    )
      continue;
    const i = tris[3 * t];
    const j = tris[3 * t + 1];
    const k = tris[3 * t + 2];
    const atI = outsideOf(clean, s, i, n);
    const atJ = outsideOf(clean, s, j, n);
    const atK = outsideOf(clean, s, k, n);
    if ((atI & atJ & atK) !== 0) continue;
    const size = clipTriangle(i, j, k, atI | atJ | atK);
    if (size < 3) continue;
    reserveDetail(out, size, size);
    for (let v = 0; v < size; v++) {
      const id = partIds[v];
      let local = id < 0 ? -1 : numbers[id];
      if (local < 0) local = localOf(emitter, 3 * v, begin, n, firstExtra);
      if (local < 0) {
        extraCount = firstExtra;
        triCount = firstTri;
        return;
      }
      if (id >= 0) numbers[id] = local;
      locals[v] = local;
    }
    for (let v = 2; v < size; v++) addTriangle(out, locals[0], locals[v - 1], locals[v]);
  }
}

/** The box of the current part, and its number. */
const partBox = { minX: 0, minZ: 0, maxX: 0, maxZ: 0 };
let partStamp = 0;

/** Loads the sides of a part. */
function readSides({ vertices, edgeVertex }: TileData, begin: number, n: number): void {
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
    sides[4 * k] = x;
    sides[4 * k + 1] = z;
    sides[4 * k + 2] = dx / length;
    sides[4 * k + 3] = dz / length;
    onSides[k] = (1 << k) | (1 << (k === 0 ? n - 1 : k - 1));
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  partBox.minX = minX;
  partBox.minZ = minZ;
  partBox.maxX = maxX;
  partBox.maxZ = maxZ;
}

/** Returns the sides of the current part, of `n` sides, that local vertex i of polygon s is outside of, as bits, and loads the vertex. */
function outsideOf({ tile }: CleanTile, s: number, i: number, n: number): number {
  if (stamps[i] === partStamp) return outside[i];
  stamps[i] = partStamp;
  const { polyEdgeStart, edgeVertex, polyDetailVertexStart, vertices, detailVertices } = tile;
  const first = polyEdgeStart[s];
  const corners = polyEdgeStart[s + 1] - first;
  const source = i < corners ? vertices : detailVertices;
  const v = 3 * (i < corners ? edgeVertex[first + i] : polyDetailVertexStart[s] + i - corners);
  const x = source[v];
  const z = source[v + 2];
  own[3 * i] = x;
  own[3 * i + 1] = source[v + 1];
  own[3 * i + 2] = z;
  numbers[i] = -1;
  let bits = 0;
  for (let k = 0; k < n; k++) {
    const c = 4 * k;
    if (sides[c + 3] * (x - sides[c]) - sides[c + 2] * (z - sides[c + 1]) < -same) bits |= 1 << k;
  }
  return (outside[i] = bits);
}

/** Clips a triangle of the polygon to the sides that it crosses. Returns the number of vertices in `part`. */
function clipTriangle(i: number, j: number, k: number, bits: number): number {
  for (let axis = 0; axis < 3; axis++) {
    part[axis] = own[3 * i + axis];
    part[3 + axis] = own[3 * j + axis];
    part[6 + axis] = own[3 * k + axis];
  }
  partIds[0] = i;
  partIds[1] = j;
  partIds[2] = k;
  let count = 3;
  for (; bits !== 0; bits &= bits - 1) {
    const c = 4 * (31 - Math.clz32(bits & -bits));
    const x = sides[c];
    const z = sides[c + 1];
    const dx = sides[c + 2];
    const dz = sides[c + 3];
    let before = count - 1;
    let d = dz * (part[3 * before] - x) - dx * (part[3 * before + 2] - z);
    let size = 0;
    let hasInside = false;
    for (let v = 0; v < count; before = v++) {
      const e = dz * (part[3 * v] - x) - dx * (part[3 * v + 2] - z);
      if ((d < -same && e > same) || (d > same && e < -same)) {
        const share = d / (d - e);
        for (let axis = 0; axis < 3; axis++) {
          const a = part[3 * before + axis];
          rest[3 * size + axis] = a + share * (part[3 * v + axis] - a);
        }
        restIds[size++] = -1;
      }
      if (e >= -same) {
        rest[3 * size] = part[3 * v];
        rest[3 * size + 1] = part[3 * v + 1];
        rest[3 * size + 2] = part[3 * v + 2];
        restIds[size++] = partIds[v];
        hasInside ||= e > same;
      }
      d = e;
    }
    if (!hasInside || size < 3) return 0;
    [part, rest] = [rest, part];
    [partIds, restIds] = [restIds, partIds];
    count = size;
  }
  return count;
}

/**
 * Returns the number of a vertex of `part`: that of a corner, which takes its height if a cut has made the corner, or of an extra vertex, or
 * of a new one. -1: there are too many.
 */
function localOf(emitter: Emitter, at: number, begin: number, n: number, firstExtra: number): number {
  const { tile, isSet } = emitter;
  const { vertices, edgeVertex, detailVertices } = tile;
  const x = part[at];
  const y = part[at + 1];
  const z = part[at + 2];
  for (let k = 0; k < n; k++) {
    if (Math.abs(sides[4 * k] - x) + Math.abs(sides[4 * k + 1] - z) >= 4 * same) continue;
    const v = edgeVertex[begin + k];
    if (isSet[v] === 0) vertices[3 * v + 1] = y;
    isSet[v] = 1;
    if (Math.abs(vertices[3 * v + 1] - y) < 8 * same) return k;
  }
  for (let v = 3 * firstExtra; v < 3 * extraCount; v += 3) {
    if (
      Math.abs(detailVertices[v] - x) + Math.abs(detailVertices[v + 1] - y) + Math.abs(detailVertices[v + 2] - z) <
      8 * same
    )
      return n + v / 3 - firstExtra;
  }
  const local = n + extraCount - firstExtra;
  if (local >= MOST_LOCALS) return -1;
  detailVertices[3 * extraCount] = x;
  detailVertices[3 * extraCount + 1] = y;
  detailVertices[3 * extraCount++ + 2] = z;
  let on = 0;
  for (let k = 0; k < n; k++) {
    const c = 4 * k;
    if (Math.abs(sides[c + 3] * (x - sides[c]) - sides[c + 2] * (z - sides[c + 1])) <= 2 * same) on |= 1 << k;
  }
  onSides[local] = on;
  return local;
}

/** Adds a triangle of vertices of the part, unless two are one. */
function addTriangle({ detailTris }: TileData, i: number, j: number, k: number): void {
  if (i === j || j === k || k === i) return;
  const at = 4 * triCount++;
  detailTris[at] = i;
  detailTris[at + 1] = j;
  detailTris[at + 2] = k;
  // Both ends of a side of the part are on it.
  detailTris[at + 3] =
    ((onSides[i] & onSides[j]) !== 0 ? 1 : 0) |
    ((onSides[j] & onSides[k]) !== 0 ? 4 : 0) |
    ((onSides[k] & onSides[i]) !== 0 ? 16 : 0);
}
