/**
 * Makes our NavMesh of a polygon mesh and a detail mesh, so that queries run on exactly Detour's polygons.
 */
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { DetailMesh, PolyMesh } from '../../src/build/voxel/types.ts';

export function meshOf(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh): NavMesh {
  const nvp = mesh.maxVerticesPerPoly;
  const polyEdgeStart = new Int32Array(mesh.polyCount + 1);
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  for (let p = 0; p < mesh.polyCount; p++) {
    for (let k = 0; k < nvp && mesh.polys[p * nvp + k] >= 0; k++) {
      edgeVertex.push(mesh.polys[p * nvp + k]);
      edgeNeighbor.push(mesh.neighbors[p * nvp + k]);
    }
    polyEdgeStart[p + 1] = edgeVertex.length;
  }
  const vertices = Float64Array.from(mesh.vertices, (v, k) =>
    Math.fround(config.boundsMin[k % 3] + Math.fround(v * (k % 3 === 1 ? config.cellHeight : config.cellSize))),
  );
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
    agent: config.agent,
    cellSize: config.cellSize,
    cellHeight: config.cellHeight,
    origin: config.boundsMin,
  });
  addTile(navMesh, tile);
  return navMesh;
}

/** Compares a built NavMesh with a polygon mesh. Returns the first difference, or undefined. */
export function differFromPolyMesh(navMesh: NavMesh, config: BakeConfig, mesh: PolyMesh): string | undefined {
  if (navMesh.polyCount !== mesh.polyCount) return `${navMesh.polyCount} polygons instead of ${mesh.polyCount}`;
  if (navMesh.vertexCount !== mesh.vertexCount) return `${navMesh.vertexCount} vertices instead of ${mesh.vertexCount}`;
  for (let k = 0; k < mesh.vertexCount * 3; k++) {
    const size = k % 3 === 1 ? config.cellHeight : config.cellSize;
    const cells = (navMesh.vertices[k] - config.boundsMin[k % 3]) / size;
    if (Math.abs(cells - mesh.vertices[k]) > 1e-6) {
      return `vertex ${Math.floor(k / 3)}: ${cells} cells instead of ${mesh.vertices[k]}`;
    }
  }
  const nvp = mesh.maxVerticesPerPoly;
  for (let p = 0; p < mesh.polyCount; p++) {
    const edges = [...Array(navMesh.polyVertexCount[p]).keys()].map((e) => navMesh.polyEdgeStart[p] + e);
    const ours = edges.map((e) => `${navMesh.edgeVertex[e]}:${navMesh.edgeNeighbor[e]}`).join(' ');
    const theirs = [...Array(nvp).keys()]
      .filter((k) => mesh.polys[p * nvp + k] >= 0)
      .map((k) => `${mesh.polys[p * nvp + k]}:${mesh.neighbors[p * nvp + k]}`)
      .join(' ');
    if (ours !== theirs) return `polygon ${p}, vertices:neighbors ${ours} instead of ${theirs}`;
    if (navMesh.polyArea[p] !== mesh.area[p])
      return `area of polygon ${p}: ${navMesh.polyArea[p]} instead of ${mesh.area[p]}`;
  }
  return undefined;
}
