/**
 * Tile: polygon mesh and detail mesh -> the tile that a NavMesh takes in. World units in doubles, `offset` (rebase.ts) added
 * last; one pass.
 *
 * Based on: own; the vertices are Recast's, boundsMin + cells * cellSize.
 */
import { FLAG_WALK } from '../constants.ts';
import type { TileData } from '../navmesh/types.ts';
import type { DetailMesh, PolyMesh } from './types.ts';

export function createTileData(
  mesh: PolyMesh, detail: DetailMesh, x: number, z: number, layer: number, offset: readonly [number, number, number] = [0, 0, 0],
): TileData {
  const { polyCount, vertexCount, maxVerticesPerPoly: size, boundsMin, cellSize, cellHeight, polys, neighbors } = mesh;
  const vertices = new Float64Array(3 * vertexCount);
  for (let v = 0; v < 3 * vertexCount; v += 3) {
    vertices[v] = boundsMin[0] + mesh.vertices[v]! * cellSize + offset[0];
    vertices[v + 1] = boundsMin[1] + mesh.vertices[v + 1]! * cellHeight + offset[1];
    vertices[v + 2] = boundsMin[2] + mesh.vertices[v + 2]! * cellSize + offset[2];
  }
  const polyEdgeStart = new Int32Array(polyCount + 1);
  const edgeVertex = new Int32Array(polyCount * size), edgeNeighbor = new Int32Array(polyCount * size);
  let n = 0;
  for (let p = 0; p < polyCount; p++) {
    for (let slot = p * size, end = slot + size; slot < end && polys[slot] !== -1; slot++) {
      edgeVertex[n] = polys[slot]!;
      edgeNeighbor[n++] = neighbors[slot]!;
    }
    polyEdgeStart[p + 1] = n;
  }
  return {
    x, z, layer, vertexCount, polyCount, vertices, polyEdgeStart,
    polyArea: mesh.area.slice(), polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex: edgeVertex.slice(0, n), edgeNeighbor: edgeNeighbor.slice(0, n),
    polyDetailVertexStart: detail.vertexStart, polyDetailTriStart: detail.triStart,
    detailVertices: detail.vertices.map((value, i) => value + offset[i % 3]!), detailTris: detail.tris,
  };
}
