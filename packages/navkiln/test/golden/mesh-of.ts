/** Our NavMesh of a polygon mesh and a detail mesh: lets queries be compared with Detour's on the very same polygons. */
import { createNavMesh } from '../../src/navmesh/create.ts';
import { addTile } from '../../src/navmesh/tiles.ts';
import type { NavMesh, TileData } from '../../src/navmesh/types.ts';
import type { BakeConfig } from '../../src/voxel/options.ts';
import type { DetailMesh, PolyMesh } from '../../src/voxel/types.ts';

export function meshOf(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh): NavMesh {
  const nvp = mesh.maxVerticesPerPoly;
  const polyEdgeStart = new Int32Array(mesh.polyCount + 1);
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  for (let p = 0; p < mesh.polyCount; p++) {
    for (let k = 0; k < nvp && mesh.polys[p * nvp + k]! >= 0; k++) {
      edgeVertex.push(mesh.polys[p * nvp + k]!);
      edgeNeighbor.push(mesh.neighbors[p * nvp + k]!);
    }
    polyEdgeStart[p + 1] = edgeVertex.length;
  }
  const vertices = Float64Array.from(mesh.vertices, (v, k) =>
    Math.fround(config.boundsMin[k % 3]! + Math.fround(v * (k % 3 === 1 ? config.cellHeight : config.cellSize))));
  const tile: TileData = {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount: mesh.vertexCount,
    polyCount: mesh.polyCount,
    vertices,
    polyEdgeStart,
    polyArea: mesh.area,
    polyFlags: new Uint16Array(mesh.polyCount).fill(1),
    edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor),
    polyDetailVertexStart: detail.vertexStart,
    polyDetailTriStart: detail.triStart,
    detailVertices: detail.vertices,
    detailTris: detail.tris,
  };
  const navMesh = createNavMesh({
    agent: config.agent, cellSize: config.cellSize, cellHeight: config.cellHeight, origin: config.boundsMin,
  });
  addTile(navMesh, tile);
  return navMesh;
}
