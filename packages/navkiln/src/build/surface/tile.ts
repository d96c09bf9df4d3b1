/**
 * Tile stage: converts pieces to the `TileData` that a NavMesh takes.
 *
 * A piece that is not flat, or that meets others over a step, gets detail: its triangles with their original
 * heights. Polygons are in the order of their first triangles, vertices in the order of their first use.
 *
 * In: convex pieces.
 * Out: `TileData`.
 * Cost: linear.
 * Based on: own.
 */
import { FLAG_WALK } from '../../base/constants.ts';
import { takeFloat64, takeInt32, takeUint8 } from '../../base/data/workspace.ts';
import type { TileData, TileSettings } from '../../mesh/types.ts';
import type { Pieces } from './merge.ts';
import type { Ground, PointTable } from './types.ts';

/** The pieces of the tile in order, with their triangles. */
interface TileParts {
  ground: Ground;
  table: PointTable;
  group: Int32Array;
  /** Height of each vertex, at the number of its first point. */
  groupY: Float64Array;
  pieces: Pieces;
  /** The triangles that represent the pieces. */
  list: Int32Array;
  /** Triangles piece by piece: piece of list[k] has triangles[start[k] .. start[k + 1] - 1]. */
  start: Int32Array;
  triangles: Int32Array;
  /** Number of a point in the current piece, or -1. */
  localOf: Int32Array;
}

/** Collects the pieces of a tile. `polyOf`: the number of the piece that each triangle represents. */
function collectParts(
  ground: Ground,
  table: PointTable,
  group: Int32Array,
  pieces: Pieces,
  polyOf: Int32Array,
): TileParts {
  const { count, corner } = ground;
  const { piece } = pieces;
  const { workspace } = table;
  let total = 0;
  for (let t = 0; t < count; t++) if (piece[t] === t) polyOf[t] = total++;
  const list = new Int32Array(total);
  const start = new Int32Array(total + 1);
  for (let t = 0; t < count; t++) {
    if (piece[t] === t) list[polyOf[t]] = t;
    start[polyOf[piece[t]] + 1]++;
  }
  for (let k = 0; k < total; k++) start[k + 1] += start[k];
  const place = start.slice();
  const triangles = takeInt32(workspace, 'tile.triangles', count);
  for (let t = 0; t < count; t++) triangles[place[polyOf[piece[t]]]++] = t;
  const groupY = takeFloat64(workspace, 'tile.groupY', table.pointCount).fill(-Infinity);
  for (let i = 0; i < corner.length; i++) {
    const point = corner[i];
    const at = group[point];
    if (table.pointY[point] > groupY[at]) groupY[at] = table.pointY[point];
  }
  const localOf = takeInt32(workspace, 'tile.localOf', table.pointCount).fill(-1);
  return { ground, table, group, groupY, pieces, list, start, triangles, localOf };
}

/** Detail of all pieces so far. The arrays have room for that of all triangles. */
interface DetailLists {
  vertexCount: number;
  triCount: number;
  vertices: Float64Array;
  tris: Uint8Array;
}

/** A tile's position in the grid, and the settings of its mesh. */
interface TilePlace {
  settings: TileSettings;
  x: number;
  z: number;
}

/** Returns the tile at this position of the grid. */
export function createSurfaceTile(
  ground: Ground,
  table: PointTable,
  group: Int32Array,
  pieces: Pieces,
  { settings, x, z }: TilePlace,
): TileData {
  const { workspace } = table;
  const polyOf = takeInt32(workspace, 'tile.polyOf', ground.count);
  const parts = collectParts(ground, table, group, pieces, polyOf);
  const { groupY, list } = parts;
  const { corner, area } = ground;
  const { next, twin, piece } = pieces;
  const vertexOf = takeInt32(workspace, 'tile.vertexOf', table.pointCount).fill(-1);
  const polyCount = list.length;
  const polyEdgeStart = new Int32Array(polyCount + 1);
  const polyArea = new Uint8Array(polyCount);
  const polyDetailVertexStart = new Int32Array(polyCount + 1);
  const polyDetailTriStart = new Int32Array(polyCount + 1);
  const edgeVertex = takeInt32(workspace, 'tile.edgeVertex', corner.length);
  const edgeNeighbor = takeInt32(workspace, 'tile.edgeNeighbor', corner.length);
  const used = takeInt32(workspace, 'tile.used', Math.min(corner.length, table.pointCount));
  let edgeCount = 0;
  let vertexCount = 0;
  const detail: DetailLists = {
    vertexCount: 0,
    triCount: 0,
    vertices: takeFloat64(workspace, 'tile.detailVertices', 3 * corner.length),
    tris: takeUint8(workspace, 'tile.detailTris', 4 * ground.count),
  };
  for (let p = 0; p < polyCount; p++) {
    polyArea[p] = area[list[p]];
    const begin = liveEdge(parts, p);
    let h = begin;
    do {
      const at = group[corner[h]];
      if (vertexOf[at] < 0) {
        used[vertexCount] = at;
        vertexOf[at] = vertexCount++;
      }
      const other = twin[h];
      edgeVertex[edgeCount] = vertexOf[at];
      edgeNeighbor[edgeCount++] = other < 0 ? other : polyOf[piece[(other / 3) | 0]];
      h = next[h];
    } while (h !== begin);
    polyEdgeStart[p + 1] = edgeCount;
    if (needsDetail(parts, p, begin)) addDetail(parts, p, begin, detail);
    polyDetailVertexStart[p + 1] = detail.vertexCount;
    polyDetailTriStart[p + 1] = detail.triCount;
  }
  const vertices = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const plan = table.pointPlan[used[v]];
    vertices[3 * v] = table.planX[plan];
    vertices[3 * v + 1] = groupY[used[v]];
    vertices[3 * v + 2] = table.planZ[plan];
  }
  return {
    x,
    z,
    layer: 0,
    vertexCount,
    polyCount,
    vertices,
    polyEdgeStart,
    polyArea,
    polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex: edgeVertex.slice(0, edgeCount),
    edgeNeighbor: edgeNeighbor.slice(0, edgeCount),
    polyDetailVertexStart,
    polyDetailTriStart,
    detailVertices: detail.vertices.slice(0, 3 * detail.vertexCount),
    detailTris: detail.tris.slice(0, 4 * detail.triCount),
    settings,
  };
}

/** Returns a half-edge of the ring of a piece. */
function liveEdge({ triangles, start, pieces: { gone } }: TileParts, at: number): number {
  for (let k = start[at]; ; k++) {
    const h = 3 * triangles[k];
    if (gone[h] === 0) return h;
    if (gone[h + 1] === 0) return h + 1;
    if (gone[h + 2] === 0) return h + 2;
  }
}

/** Returns whether heights differ from those of the fan around the first corner. */
function needsDetail(
  { ground, table, group, groupY, pieces, triangles, start }: TileParts,
  at: number,
  begin: number,
): boolean {
  const { corner } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  let h = begin;
  do {
    const point = corner[h];
    if (groupY[group[point]] !== pointY[point]) return true;
    h = pieces.next[h];
  } while (h !== begin);
  if (start[at + 1] - start[at] === 1) return false;
  const { piece, normal } = pieces;
  const root = 3 * piece[triangles[start[at]]];
  const o = corner[begin];
  const gx = -normal[root] / normal[root + 1];
  const gz = -normal[root + 2] / normal[root + 1];
  const x = planX[pointPlan[o]];
  const z = planZ[pointPlan[o]];
  for (let k = start[at]; k < start[at + 1]; k++) {
    for (let i = 3 * triangles[k]; i < 3 * triangles[k] + 3; i++) {
      const point = corner[i];
      const p = pointPlan[point];
      const off = pointY[o] + gx * (planX[p] - x) + gz * (planZ[p] - z) - pointY[point];
      if (!(off <= tolerance / 4 && off >= -tolerance / 4)) return true;
    }
  }
  return false;
}

function addDetail(
  { ground, table, group, groupY, pieces, triangles, start, localOf }: TileParts,
  at: number,
  begin: number,
  detail: DetailLists,
): void {
  const { corner } = ground;
  const { planX, planZ, pointPlan, pointY } = table;
  let local = 0;
  let h = begin;
  do {
    if (groupY[group[corner[h]]] === pointY[corner[h]]) localOf[corner[h]] = local;
    local++;
    h = pieces.next[h];
  } while (h !== begin);
  for (let k = start[at]; k < start[at + 1]; k++) {
    let flags = 0;
    for (let e = 0; e < 3; e++) {
      const edge = 3 * triangles[k] + e;
      const point = corner[edge];
      if (localOf[point] < 0) {
        localOf[point] = local++;
        const at = 3 * detail.vertexCount++;
        detail.vertices[at] = planX[pointPlan[point]];
        detail.vertices[at + 1] = pointY[point];
        detail.vertices[at + 2] = planZ[pointPlan[point]];
      }
      detail.tris[4 * detail.triCount + e] = localOf[point];
      if (isBoundary(ground, pieces, edge)) flags |= 1 << (2 * e);
    }
    detail.tris[4 * detail.triCount++ + 3] = flags;
  }
  for (let k = start[at]; k < start[at + 1]; k++) {
    for (let e = 0; e < 3; e++) localOf[corner[3 * triangles[k] + e]] = -1;
  }
}

/** Returns whether another piece, or nothing, is behind this edge of a triangle. */
function isBoundary({ twin }: Ground, { piece }: Pieces, edge: number): boolean {
  const other = twin[edge];
  return other < 0 || piece[(other / 3) | 0] !== piece[(edge / 3) | 0];
}
