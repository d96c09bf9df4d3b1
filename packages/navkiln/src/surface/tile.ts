/**
 * Tile: pieces -> the tiles that a NavMesh takes in.
 *
 * A piece that is not flat, or that meets others over a step, gets detail: the triangles it is made of, at the heights they were
 * given with. Tiles come in the order of their places, polygons in that of their first triangles, vertices in that of their first
 * use. Cost: linear. Based on: own.
 */
import { FLAG_WALK } from '../constants.ts';
import type { TileData, TileSettings } from '../navmesh/types.ts';
import { tileOf } from './cut.ts';
import type { Pieces } from './merge.ts';
import type { Ground, PointTable } from './types.ts';

/** Triangles of each piece, tile by tile. */
export interface TilePlan {
  /** Of each triangle: the number of its tile. */
  tile: Int32Array;
  x: number[];
  z: number[];
}

/** Which tile each triangle is in; tiles are numbered row by row. */
export function planTiles(ground: Ground, table: PointTable): TilePlan {
  const { count, corner } = ground;
  const { tileSize, pointPlan, planX, planZ } = table;
  const tile = new Int32Array(count);
  if (tileSize === 0) return { tile, x: count > 0 ? [0] : [], z: count > 0 ? [0] : [] };
  const xs = new Int32Array(count);
  const zs = new Int32Array(count);
  const rows = new Map<number, Map<number, number>>();
  for (let t = 0; t < count; t++) {
    const a = pointPlan[corner[3 * t]];
    const b = pointPlan[corner[3 * t + 1]];
    const c = pointPlan[corner[3 * t + 2]];
    xs[t] = tileOf((planX[a] + planX[b] + planX[c]) / 3, tileSize);
    zs[t] = tileOf((planZ[a] + planZ[b] + planZ[c]) / 3, tileSize);
    if (t > 0 && xs[t] === xs[t - 1] && zs[t] === zs[t - 1]) continue;
    let row = rows.get(zs[t]);
    if (row === undefined) rows.set(zs[t], row = new Map<number, number>());
    row.set(xs[t], 0);
  }
  const x: number[] = [];
  const z: number[] = [];
  for (const rowZ of [...rows.keys()].sort((a, b) => a - b)) {
    const row = rows.get(rowZ)!;
    for (const rowX of [...row.keys()].sort((a, b) => a - b)) {
      row.set(rowX, x.length);
      x.push(rowX);
      z.push(rowZ);
    }
  }
  for (let t = 0; t < count; t++) {
    tile[t] = t > 0 && xs[t] === xs[t - 1] && zs[t] === zs[t - 1] ? tile[t - 1] : rows.get(zs[t])!.get(xs[t])!;
  }
  return { tile, x, z };
}

/** What the tiles are made of: pieces in order, with their triangles. */
export interface TileParts {
  ground: Ground;
  table: PointTable;
  group: Int32Array;
  /** Height of each vertex, at the number of its first point. */
  groupY: Float64Array;
  pieces: Pieces;
  plan: TilePlan;
  /** Of each triangle that stands for a piece: its number in its tile. */
  polyOf: Int32Array;
  /** Triangles piece by piece: piece of list[k] has triangles[start[k] .. start[k + 1] - 1]. */
  list: Int32Array;
  start: Int32Array;
  triangles: Int32Array;
  /** First piece of each tile in the list, and the end. */
  tileStart: Int32Array;
}

export function collectParts(
  ground: Ground, table: PointTable, group: Int32Array, pieces: Pieces, plan: TilePlan,
): TileParts {
  const { count } = ground;
  const { piece } = pieces;
  const tileCount = plan.x.length;
  const tileStart = new Int32Array(tileCount + 1);
  const sizes = new Int32Array(count);
  for (let t = 0; t < count; t++) {
    sizes[piece[t]]++;
    if (piece[t] === t) tileStart[plan.tile[t] + 1]++;
  }
  for (let k = 0; k < tileCount; k++) tileStart[k + 1] += tileStart[k];
  const total = tileStart[tileCount];
  const list = new Int32Array(total);
  const polyOf = new Int32Array(count);
  const fill = tileStart.slice();
  for (let t = 0; t < count; t++) {
    if (piece[t] !== t) continue;
    const tile = plan.tile[t];
    polyOf[t] = fill[tile] - tileStart[tile];
    list[fill[tile]++] = t;
  }
  const start = new Int32Array(total + 1);
  const place = new Int32Array(count);
  for (let k = 0; k < total; k++) {
    place[list[k]] = start[k];
    start[k + 1] = start[k] + sizes[list[k]];
  }
  const triangles = new Int32Array(count);
  for (let t = 0; t < count; t++) triangles[place[piece[t]]++] = t;
  const groupY = new Float64Array(table.pointCount).fill(-Infinity);
  for (let i = 0; i < ground.corner.length; i++) {
    const point = ground.corner[i];
    const at = group[point];
    if (table.pointY[point] > groupY[at]) groupY[at] = table.pointY[point];
  }
  return { ground, table, group, groupY, pieces, plan, polyOf, list, start, triangles, tileStart };
}

/** Numbers given to points or groups while one tile or piece is made. */
interface Scratch {
  vertexOf: Int32Array;
  localOf: Int32Array;
}

export function createScratch(table: PointTable): Scratch {
  return { vertexOf: new Int32Array(table.pointCount).fill(-1), localOf: new Int32Array(table.pointCount).fill(-1) };
}

/** Tile number k; `scratch` is left as it was. */
export function createSurfaceTile(parts: TileParts, k: number, settings: TileSettings, scratch: Scratch): TileData {
  const { ground, table, group, groupY, pieces, plan, polyOf, list, tileStart } = parts;
  const { corner, area } = ground;
  const { next, twin, piece } = pieces;
  const { vertexOf } = scratch;
  const first = tileStart[k];
  const polyCount = tileStart[k + 1] - first;
  const polyEdgeStart = new Int32Array(polyCount + 1);
  const polyArea = new Uint8Array(polyCount);
  const polyDetailVertexStart = new Int32Array(polyCount + 1);
  const polyDetailTriStart = new Int32Array(polyCount + 1);
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  const used: number[] = [];
  const detailVertices: number[] = [];
  const detailTris: number[] = [];
  for (let p = 0; p < polyCount; p++) {
    const root = list[first + p];
    polyArea[p] = area[root];
    const begin = liveEdge(parts, first + p);
    let h = begin;
    do {
      const at = group[corner[h]];
      if (vertexOf[at] < 0) vertexOf[at] = used.push(at) - 1;
      edgeVertex.push(vertexOf[at]);
      const other = twin[h];
      edgeNeighbor.push(other < 0 ? -1 : neighborOf(plan, polyOf, piece, k, (other / 3) | 0));
      h = next[h];
    } while (h !== begin);
    polyEdgeStart[p + 1] = edgeVertex.length;
    if (needsDetail(parts, first + p, begin)) addDetail(parts, scratch, first + p, begin, detailVertices, detailTris);
    polyDetailVertexStart[p + 1] = detailVertices.length / 3;
    polyDetailTriStart[p + 1] = detailTris.length / 4;
  }
  const vertices = new Float64Array(3 * used.length);
  used.forEach((at, v) => {
    vertices[3 * v] = table.planX[table.pointPlan[at]];
    vertices[3 * v + 1] = groupY[at];
    vertices[3 * v + 2] = table.planZ[table.pointPlan[at]];
    vertexOf[at] = -1;
  });
  return {
    x: plan.x[k], z: plan.z[k], layer: 0, vertexCount: used.length, polyCount, vertices, polyEdgeStart, polyArea,
    polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK), edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor), polyDetailVertexStart, polyDetailTriStart,
    detailVertices: Float64Array.from(detailVertices), detailTris: Uint8Array.from(detailTris), settings,
  };
}

/** A half-edge of the ring of the piece at this place of the list. */
function liveEdge({ triangles, start, pieces: { gone } }: TileParts, at: number): number {
  for (let k = start[at]; ; k++) {
    const h = 3 * triangles[k];
    if (gone[h] === 0) return h;
    if (gone[h + 1] === 0) return h + 1;
    if (gone[h + 2] === 0) return h + 2;
  }
}

/** The polygon of a triangle as tile k names it: a number in the tile, or a side of its border. */
function neighborOf({ tile, x, z }: TilePlan, polyOf: Int32Array, piece: Int32Array, k: number, triangle: number): number {
  const other = tile[triangle];
  if (other === k) return polyOf[piece[triangle]];
  const dx = x[other] - x[k];
  const dz = z[other] - z[k];
  if (dz === 0) return dx < 0 ? -2 : -4;
  return dx !== 0 ? -1 : dz > 0 ? -3 : -5;
}

/** Are heights other than those of the fan around the first corner? */
function needsDetail({ ground, table, group, groupY, pieces, triangles, start }: TileParts, at: number, begin: number): boolean {
  const { corner } = ground;
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  let h = begin;
  do {
    const point = corner[h];
    if (groupY[group[point]] !== pointY[point]) return true;
    h = pieces.next[h];
  } while (h !== begin);
  if (start[at + 1] - start[at] === 1) return false;
  // The plane of the first triangle with any width, which is all of a flat piece's.
  const o = corner[begin];
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let k = start[at]; k < start[at + 1]; k++) {
    const [a, b, c] = [corner[3 * triangles[k]], corner[3 * triangles[k] + 1], corner[3 * triangles[k] + 2]];
    const ux = planX[pointPlan[b]] - planX[pointPlan[a]];
    const uy = pointY[b] - pointY[a];
    const uz = planZ[pointPlan[b]] - planZ[pointPlan[a]];
    const vx = planX[pointPlan[c]] - planX[pointPlan[a]];
    const vy = pointY[c] - pointY[a];
    const vz = planZ[pointPlan[c]] - planZ[pointPlan[a]];
    nx += uy * vz - uz * vy;
    ny += uz * vx - ux * vz;
    nz += ux * vy - uy * vx;
  }
  const gx = -nx / ny;
  const gz = -nz / ny;
  for (let i = 3 * start[at]; i < 3 * start[at + 1]; i++) {
    const point = corner[3 * triangles[(i / 3) | 0] + (i % 3)];
    const p = pointPlan[point];
    const y = pointY[o] + gx * (planX[p] - planX[pointPlan[o]]) + gz * (planZ[p] - planZ[pointPlan[o]]);
    if (!(Math.abs(y - pointY[point]) <= tolerance / 4)) return true;
  }
  return false;
}

function addDetail(
  { ground, table, group, groupY, pieces, triangles, start }: TileParts, { localOf }: Scratch, at: number, begin: number,
  detailVertices: number[], detailTris: number[],
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
        detailVertices.push(planX[pointPlan[point]], pointY[point], planZ[pointPlan[point]]);
      }
      detailTris.push(localOf[point]);
      if (isBoundary(ground, pieces, edge)) flags |= 1 << (2 * e);
    }
    detailTris.push(flags);
  }
  for (let k = start[at]; k < start[at + 1]; k++) {
    for (let e = 0; e < 3; e++) localOf[corner[3 * triangles[k] + e]] = -1;
  }
}

/** Is another piece, or nothing, behind this edge of a triangle? */
function isBoundary({ twin }: Ground, { piece }: Pieces, edge: number): boolean {
  const other = twin[edge];
  return other < 0 || piece[(other / 3) | 0] !== piece[(edge / 3) | 0];
}
