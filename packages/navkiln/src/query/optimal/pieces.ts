/**
 * Splits polygons that are convex only up to rounding into pieces that are exactly convex.
 *
 *     o------o------o      The corner in the middle of the lower side lies a rounding error too high. A search
 *     |    / |      |      that takes the polygon for convex decides some sides wrongly: it counts a part of
 *     |  /   |      |      the far side twice or never. Cut at that corner, every piece is convex, and all
 *     o-----'-`-----o      decisions are exact again.
 *
 * Triangles are cut off until one triangle remains, and joined again where both ends of a cut stay convex. Polygons
 * that cross or touch themselves have no such pieces.
 *
 * In: the polygons of a tile.
 * Out: their pieces, computed at the first query of a tile, and stored with the mesh.
 * Cost: linear in the tile's edges where all polygons are convex, as in voxel bakes and meshes of maps. Otherwise, for
 * each polygon, the number of corners times the number of dents.
 * Based on: Gary Meisters, Polygons Have Ears, 1975; Stefan Hertel, Kurt Mehlhorn, Fast Triangulation of the
 * Plane with Respect to Simple Polygons, 1983.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { withRoom } from '../walk/open-edges.ts';
import { isSliver } from './slivers.ts';

/**
 * Values in place of a polygon's first piece: the polygon is convex, has no pieces, or is a triangle without area along
 * a wall.
 */
export const WHOLE = -1;
export const ROUGH = -2;
export const SLIVER = -3;

/** The pieces of a mesh. A ring is a list of entries: an edge of the polygon, or a cut, at its start. */
export interface Pieces {
  /** Per tile slot: the generation that was split, plus 1. */
  tileKnown: Int32Array;
  /** Per polygon: its first piece, `WHOLE`, `ROUGH` or `SLIVER`, and the number of its pieces. */
  polyPiece: Int32Array;
  polyPieceCount: Int32Array;
  pieceCount: number;
  /** Per piece: its first entry, and the number of its entries. */
  pieceStart: Int32Array;
  pieceSize: Int32Array;
  entryCount: number;
  /**
   * Per entry: its start vertex, the polygon edge that starts there, the neighbor across that edge (as in
   * `edgeNeighbor`; across a cut, the polygon itself), and the piece across a cut.
   */
  entryVertex: Int32Array;
  entryEdge: Int32Array;
  entryNeighbor: Int32Array;
  entryPiece: Int32Array;
}

/** By `polyEdgeStart`, which overlays share, and which compaction replaces when it moves tiles. */
const piecesOf = new WeakMap<Int32Array, Pieces>();
/** Corners of the current polygon. */
let xs: Float64Array = new Float64Array(0);
let zs: Float64Array = new Float64Array(0);

export function createPieces(): Pieces {
  const none = new Int32Array(0);
  return {
    tileKnown: none,
    polyPiece: none,
    polyPieceCount: none,
    pieceCount: 0,
    pieceStart: none,
    pieceSize: none,
    entryCount: 0,
    entryVertex: none,
    entryEdge: none,
    entryNeighbor: none,
    entryPiece: none,
  };
}

/** Returns the pieces of a mesh, with memory for all its polygons. */
export function findPieces(mesh: NavMesh): Pieces {
  let pieces = piecesOf.get(mesh.polyEdgeStart);
  // Pieces of tiles that were removed stay until there are more entries than all edges could have. A search that is not
  // over keeps the record that it began with.
  if (pieces === undefined || pieces.entryCount > 4 * mesh.edgeCount + 1024) {
    pieces = createPieces();
    piecesOf.set(mesh.polyEdgeStart, pieces);
  }
  pieces.tileKnown = withRoom(pieces.tileKnown, mesh.tileGeneration.length);
  pieces.polyPiece = withRoom(pieces.polyPiece, mesh.polyCount);
  pieces.polyPieceCount = withRoom(pieces.polyPieceCount, mesh.polyCount);
  return pieces;
}

/** Returns the first piece of a polygon, `WHOLE`, `ROUGH` or `SLIVER`. */
export function pieceOf(pieces: Pieces, mesh: NavMesh, poly: number): number {
  const slot = mesh.polyTile[poly];
  if (pieces.tileKnown[slot] !== mesh.tileGeneration[slot] + 1) splitTile(pieces, mesh, slot);
  return pieces.polyPiece[poly];
}

/** Returns the entry of a polygon's pieces that is the given edge. */
export function entryOf(pieces: Pieces, poly: number, edge: number): number {
  const { pieceStart, pieceSize, entryEdge, entryNeighbor } = pieces;
  const first = pieces.polyPiece[poly];
  const start = pieceStart[first];
  const last = first + pieces.polyPieceCount[poly] - 1;
  const end = pieceStart[last] + pieceSize[last];
  for (let e = start; e < end; e++) if (entryEdge[e] === edge && entryNeighbor[e] !== poly) return e;
  return -1;
}

/** Returns the piece that an entry belongs to. */
export function pieceOfEntry(pieces: Pieces, poly: number, entry: number): number {
  let piece = pieces.polyPiece[poly];
  while (entry >= pieces.pieceStart[piece] + pieces.pieceSize[piece]) piece++;
  return piece;
}

function splitTile(pieces: Pieces, mesh: NavMesh, slot: number): void {
  const start = mesh.tilePolyStart[slot];
  pieces.tileKnown[slot] = mesh.tileGeneration[slot] + 1;
  for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) splitPoly(pieces, mesh, poly);
}

function splitPoly(pieces: Pieces, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  if (xs.length < count) {
    xs = new Float64Array(2 * count);
    zs = new Float64Array(2 * count);
  }
  for (let k = 0; k < count; k++) {
    xs[k] = vertices[3 * edgeVertex[first + k]];
    zs[k] = vertices[3 * edgeVertex[first + k] + 2];
  }
  pieces.polyPiece[poly] = WHOLE;
  if (isConvex(count)) return;
  const rings = splitRing(count);
  if (rings !== undefined) {
    pieces.polyPiece[poly] = pieces.pieceCount;
    addPieces(pieces, mesh, poly, rings);
  } else {
    pieces.polyPiece[poly] = isSliver(mesh, poly) ? SLIVER : ROUGH;
  }
}

/** Returns whether the first `count` corners turn left or are straight, and none turns back. */
function isConvex(count: number): boolean {
  let a = count - 2;
  let b = count - 1;
  for (let c = 0; c < count; c++) {
    const side = sideOfPoints(xs, zs, a, b, c);
    if (side < 0) return false;
    if (side === 0 && (xs[b] - xs[a]) * (xs[c] - xs[b]) + (zs[b] - zs[a]) * (zs[c] - zs[b]) <= 0) return false;
    a = b;
    b = c;
  }
  return true;
}

/** Returns rings of corners, each exactly convex, or undefined when there are none. */
function splitRing(count: number): number[][] | undefined {
  const rest = Array.from({ length: count }, (_, k) => k);
  const triangles: number[][] = [];
  let at = 0;
  for (let failed = 0; rest.length > 3;) {
    if (failed > rest.length) return undefined;
    at %= rest.length;
    if (!isEar(rest, at)) {
      failed++;
      at++;
      continue;
    }
    const size = rest.length;
    triangles.push([rest[(at + size - 1) % size], rest[at], rest[(at + 1) % size]]);
    rest.splice(at, 1);
    failed = 0;
    at++;
  }
  if (sideOfPoints(xs, zs, rest[0], rest[1], rest[2]) <= 0) return undefined;
  triangles.push(rest);
  return joinRings(triangles);
}

/** Returns whether the triangle at a corner of the ring has an area and contains no other corner. */
function isEar(ring: readonly number[], at: number): boolean {
  const size = ring.length;
  const a = ring[(at + size - 1) % size];
  const b = ring[at];
  const c = ring[(at + 1) % size];
  if (sideOfPoints(xs, zs, a, b, c) <= 0) return false;
  for (const k of ring) {
    if (k === a || k === b || k === c) continue;
    if (
      sideOfPoints(xs, zs, a, b, k) >= 0 &&
      sideOfPoints(xs, zs, b, c, k) >= 0 &&
      sideOfPoints(xs, zs, c, a, k) >= 0
    ) {
      return false;
    }
  }
  return true;
}

/** Joins the triangles that were cut off where the result is convex, the last triangle first. */
function joinRings(triangles: readonly number[][]): number[][] {
  const rings: number[][] = [];
  for (let i = triangles.length - 1; i >= 0; i--) {
    // The cut was from a to c; the ring on its other side runs from a to c.
    const [a, b, c] = triangles[i];
    let isJoined = false;
    for (const ring of rings) {
      const at = ring.indexOf(a);
      const size = ring.length;
      if (at < 0 || ring[(at + 1) % size] !== c) continue;
      isJoined =
        sideOfPoints(xs, zs, ring[(at + size - 1) % size], a, b) >= 0 &&
        sideOfPoints(xs, zs, b, c, ring[(at + 2) % size]) >= 0;
      if (isJoined) ring.splice(at + 1, 0, b);
      break;
    }
    if (!isJoined) rings.push([a, b, c]);
  }
  return rings;
}

function addPieces(pieces: Pieces, mesh: NavMesh, poly: number, rings: readonly number[][]): void {
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  const begin = pieces.pieceCount;
  pieces.polyPieceCount[poly] = rings.length;
  pieces.pieceStart = withRoom(pieces.pieceStart, begin + rings.length);
  pieces.pieceSize = withRoom(pieces.pieceSize, begin + rings.length);
  /** Per cut (keyed by its corners): the piece on its left. */
  const pieceAt = new Map<number, number>();
  rings.forEach((ring, i) => ring.forEach((k, j) => pieceAt.set(k * count + ring[(j + 1) % ring.length], begin + i)));
  for (const ring of rings) {
    const piece = pieces.pieceCount++;
    const size = ring.length;
    const entries = pieces.entryCount + size;
    pieces.entryVertex = withRoom(pieces.entryVertex, entries);
    pieces.entryEdge = withRoom(pieces.entryEdge, entries);
    pieces.entryNeighbor = withRoom(pieces.entryNeighbor, entries);
    pieces.entryPiece = withRoom(pieces.entryPiece, entries);
    pieces.pieceStart[piece] = pieces.entryCount;
    pieces.pieceSize[piece] = size;
    ring.forEach((k, j) => {
      const entry = pieces.entryCount++;
      const next = ring[(j + 1) % size];
      const isCut = next !== (k + 1) % count;
      pieces.entryVertex[entry] = mesh.edgeVertex[first + k];
      pieces.entryEdge[entry] = first + k;
      pieces.entryNeighbor[entry] = isCut ? poly : mesh.edgeNeighbor[first + k];
      pieces.entryPiece[entry] = isCut ? pieceAt.get(next * count + k)! : -1;
    });
  }
}
