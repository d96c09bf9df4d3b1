/**
 * Drops islands whose area, summed over all tiles, is too small.
 *
 * Islands inside one tile were dropped before; these cross borders, so they are known only when all tiles are
 * joined.
 *
 * In: a mesh with all its tiles.
 * Out: tiles without the polygons of small islands.
 * Cost: linear.
 * Based on: own.
 */
import { islandOf } from '../../mesh/islands.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';

/** Returns the number of islands over all tiles. Islands must not be stale. */
export function countIslands({ islandParent, nodeCount }: NavMesh): number {
  let count = 0;
  for (let node = 0; node < nodeCount; node++) if (islandParent[node] === node) count++;
  return count;
}

/** Marks the polygons of islands smaller than `minArea` seen from above. Returns the lowest polygon of each. */
export function smallIslands(mesh: NavMesh, minArea: number, isSmall: Uint8Array): number[] {
  const area = new Float64Array(mesh.nodeCount);
  for (let poly = 0; poly < mesh.polyCount; poly++) area[islandOf(mesh, poly)] += areaOf(mesh, poly);
  const first = new Map<number, number>();
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const root = islandOf(mesh, poly);
    if (area[root] >= minArea) continue;
    isSmall[poly] = 1;
    if (!first.has(root)) first.set(root, poly);
  }
  return [...first.values()];
}

function areaOf({ vertices, edgeVertex, polyEdgeStart, polyVertexCount }: NavMesh, poly: number): number {
  const from = polyEdgeStart[poly];
  const count = polyVertexCount[poly];
  const o = 3 * edgeVertex[from];
  let double = 0;
  for (let k = 1; k + 1 < count; k++) {
    const a = 3 * edgeVertex[from + k];
    const b = 3 * edgeVertex[from + k + 1];
    double +=
      (vertices[a + 2] - vertices[o + 2]) * (vertices[b] - vertices[o]) -
      (vertices[a] - vertices[o]) * (vertices[b + 2] - vertices[o + 2]);
  }
  return double / 2;
}

/** Returns a tile without its marked polygons (marks start at `first`); only whole islands are marked. */
export function withoutPolys(tile: TileData, isDropped: Uint8Array, first: number): TileData {
  const { polyCount, polyEdgeStart, polyDetailVertexStart, polyDetailTriStart } = tile;
  const place = new Int32Array(polyCount);
  const vertexOf = new Int32Array(tile.vertexCount).fill(-1);
  const out = {
    vertices: [] as number[],
    edgeStart: [0],
    area: [] as number[],
    flags: [] as number[],
    edgeVertex: [] as number[],
    edgeNeighbor: [] as number[],
    detailVertexStart: [0],
    detailTriStart: [0],
    detailVertices: [] as number[],
    detailTris: [] as number[],
  };
  let kept = 0;
  for (let p = 0; p < polyCount; p++) place[p] = isDropped[first + p] === 1 ? -1 : kept++;
  for (let p = 0; p < polyCount; p++) {
    if (place[p] < 0) continue;
    out.area.push(tile.polyArea[p]);
    out.flags.push(tile.polyFlags[p]);
    for (let e = polyEdgeStart[p]; e < polyEdgeStart[p + 1]; e++) {
      const v = tile.edgeVertex[e];
      if (vertexOf[v] < 0) {
        vertexOf[v] = out.vertices.length / 3;
        for (let k = 3 * v; k < 3 * v + 3; k++) out.vertices.push(tile.vertices[k]);
      }
      const other = tile.edgeNeighbor[e];
      out.edgeVertex.push(vertexOf[v]);
      out.edgeNeighbor.push(other < 0 ? other : place[other]);
    }
    for (let k = 3 * polyDetailVertexStart[p]; k < 3 * polyDetailVertexStart[p + 1]; k++) {
      out.detailVertices.push(tile.detailVertices[k]);
    }
    for (let k = 4 * polyDetailTriStart[p]; k < 4 * polyDetailTriStart[p + 1]; k++)
      out.detailTris.push(tile.detailTris[k]);
    out.edgeStart.push(out.edgeVertex.length);
    out.detailVertexStart.push(out.detailVertices.length / 3);
    out.detailTriStart.push(out.detailTris.length / 4);
  }
  return {
    ...tile,
    vertexCount: out.vertices.length / 3,
    polyCount: kept,
    vertices: Float64Array.from(out.vertices),
    polyEdgeStart: Int32Array.from(out.edgeStart),
    polyArea: Uint8Array.from(out.area),
    polyFlags: Uint16Array.from(out.flags),
    edgeVertex: Int32Array.from(out.edgeVertex),
    edgeNeighbor: Int32Array.from(out.edgeNeighbor),
    polyDetailVertexStart: Int32Array.from(out.detailVertexStart),
    polyDetailTriStart: Int32Array.from(out.detailTriStart),
    detailVertices: Float64Array.from(out.detailVertices),
    detailTris: Uint8Array.from(out.detailTris),
  };
}
