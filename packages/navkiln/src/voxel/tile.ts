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
  const { polyCount, vertexCount, maxVerticesPerPoly: size, boundsMin, cellSize, cellHeight } = mesh;
  const vertices = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    vertices[3 * v] = boundsMin[0] + mesh.vertices[3 * v]! * cellSize + offset[0];
    vertices[3 * v + 1] = boundsMin[1] + mesh.vertices[3 * v + 1]! * cellHeight + offset[1];
    vertices[3 * v + 2] = boundsMin[2] + mesh.vertices[3 * v + 2]! * cellSize + offset[2];
  }
  const polyEdgeStart = new Int32Array(polyCount + 1);
  for (let p = 0; p < polyCount; p++) {
    let n = 0;
    while (n < size && mesh.polys[p * size + n] !== -1) n++;
    polyEdgeStart[p + 1] = polyEdgeStart[p]! + n;
  }
  const edgeVertex = new Int32Array(polyEdgeStart[polyCount]!);
  const edgeNeighbor = new Int32Array(polyEdgeStart[polyCount]!);
  for (let p = 0; p < polyCount; p++) {
    const begin = polyEdgeStart[p]!, n = polyEdgeStart[p + 1]! - begin;
    for (let k = 0; k < n; k++) {
      edgeVertex[begin + k] = mesh.polys[p * size + k]!;
      edgeNeighbor[begin + k] = mesh.neighbors[p * size + k]!;
    }
  }
  return {
    x, z, layer, vertexCount, polyCount, vertices, polyEdgeStart,
    polyArea: mesh.area.slice(), polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex, edgeNeighbor,
    polyDetailVertexStart: detail.vertexStart, polyDetailTriStart: detail.triStart,
    detailVertices: detail.vertices.map((value, i) => value + offset[i % 3]!), detailTris: detail.tris,
  };
}
