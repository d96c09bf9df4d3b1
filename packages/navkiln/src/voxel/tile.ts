/**
 * Tile: polygon mesh and detail mesh -> the tile that a NavMesh takes in. World units in doubles; one pass.
 *
 * In: both, the configuration of the level (not of the tile) and the tile's place. Vertices are counted in cells from the
 * level's corner, so that neighbouring tiles have the same numbers where they meet; the offset (rebase.ts) is added last.
 *
 * Based on: own; the vertices are Recast's, boundsMin + cells * cellSize.
 */
import { FLAG_WALK } from '../constants.ts';
import type { TileData, TileSettings } from '../navmesh/types.ts';
import type { BakeConfig } from './options.ts';
import type { DetailMesh, PolyMesh } from './types.ts';

export function createTileData(
  mesh: PolyMesh,
  detail: DetailMesh,
  config: BakeConfig,
  x: number = 0,
  z: number = 0,
): TileData {
  const { polyCount, vertexCount, maxVerticesPerPoly: size, polys, neighbors } = mesh;
  const { cellSize, cellHeight, tileCells, boundsMin, offset } = config;
  const place = [x * tileCells, 0, z * tileCells];
  const steps = [cellSize, cellHeight, cellSize];
  const vertices = new Float64Array(3 * vertexCount);
  const detailVertices = detail.vertices.slice();
  for (let k = 0; k < 3; k++) {
    for (let i = k; i < vertices.length; i += 3) {
      vertices[i] = boundsMin[k] + (place[k] + mesh.vertices[i]) * steps[k] + offset[k];
    }
    // From the tile's float32 corner to the level's.
    const moved = boundsMin[k] - mesh.boundsMin[k] + place[k] * steps[k];
    for (let i = k; i < detailVertices.length; i += 3) detailVertices[i] = detailVertices[i] + moved + offset[k];
  }
  const polyEdgeStart = new Int32Array(polyCount + 1);
  const edgeVertex = new Int32Array(polyCount * size);
  const edgeNeighbor = new Int32Array(polyCount * size);
  let n = 0;
  for (let p = 0; p < polyCount; p++) {
    for (let slot = p * size, end = slot + size; slot < end && polys[slot] !== -1; slot++) {
      edgeVertex[n] = polys[slot];
      edgeNeighbor[n++] = neighbors[slot];
    }
    polyEdgeStart[p + 1] = n;
  }
  return {
    x,
    z,
    layer: 0,
    vertexCount,
    polyCount,
    vertices,
    polyEdgeStart,
    polyArea: mesh.area.slice(),
    polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex: edgeVertex.slice(0, n),
    edgeNeighbor: edgeNeighbor.slice(0, n),
    polyDetailVertexStart: detail.vertexStart,
    polyDetailTriStart: detail.triStart,
    detailVertices,
    detailTris: detail.tris,
    settings: tileSettings(config),
  };
}

/** Settings of the mesh that takes such tiles. */
export function tileSettings({ agent, cellSize, cellHeight, boundsMin, offset, tileCells }: BakeConfig): TileSettings {
  return {
    agent: { ...agent },
    cellSize,
    cellHeight,
    tileSize: tileCells * cellSize,
    origin: boundsMin.map((value, axis) => value + offset[axis]),
  };
}
