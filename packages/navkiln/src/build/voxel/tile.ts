/**
 * Turns a polygon mesh and its detail mesh into the tile data that a NavMesh takes in, in world units and
 * doubles.
 *
 * Vertices are counted in cells from the level's corner, so that neighboring tiles have equal numbers where
 * they meet. The offset (rebase.ts) is added last.
 *
 * In: both meshes, the configuration of the level (not of the tile), and the tile's coordinates. Out:
 *   TileData.
 * Cost: one pass over vertices and edges.
 * Based on: own; vertices are Recast's, boundsMin + cells * cellSize.
 */
import { FLAG_WALK } from '../../base/constants.ts';
import type { TileData, TileSettings } from '../../mesh/types.ts';
import type { BakeConfig } from './bake-config.ts';
import type { DetailMesh, PolyMesh } from './types.ts';

/** Creates the data of tile (x, z). The result shares no memory with a workspace. */
export function createTileData(
  mesh: PolyMesh,
  detail: DetailMesh,
  config: BakeConfig,
  x: number = 0,
  z: number = 0,
): TileData {
  const { polyCount, vertexCount, maxVerticesPerPoly: size, polys, neighbors } = mesh;
  const { cellSize, cellHeight, tileCells, boundsMin, offset } = config;
  const origin = [x * tileCells, 0, z * tileCells];
  const steps = [cellSize, cellHeight, cellSize];
  const vertices = new Float64Array(3 * vertexCount);
  const detailVertices = detail.vertices.slice();
  for (let k = 0; k < 3; k++) {
    for (let i = k; i < vertices.length; i += 3) {
      vertices[i] = boundsMin[k] + (origin[k] + mesh.vertices[i]) * steps[k] + offset[k];
    }
    // Detail vertices start at the tile's float32 corner; this moves them to the level's.
    const shift = boundsMin[k] - mesh.boundsMin[k] + origin[k] * steps[k];
    for (let i = k; i < detailVertices.length; i += 3) detailVertices[i] = detailVertices[i] + shift + offset[k];
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

/** Returns the settings of the mesh that takes the tiles of this configuration. */
export function tileSettings(config: BakeConfig): TileSettings {
  const { agent, cellSize, cellHeight, boundsMin, offset, tileCells, sizes } = config;
  return {
    agent: { ...agent },
    cellSize,
    cellHeight,
    tileSize: tileCells * cellSize,
    origin: boundsMin.map((value, axis) => value + offset[axis]),
    ...(sizes === undefined ? undefined : { sizes }),
  };
}
