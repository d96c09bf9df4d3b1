/** Meshes and paths of Detour itself (npm recast-navigation), as the reference for queries. */
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { NavMeshQuery, init } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';
import { AREA_GROUND } from '../../src/base/constants.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { AgentShape, NavMesh, TileData } from '../../src/mesh/types.ts';

export interface DetourPair {
  mesh: NavMesh;
  detour: DetourNavMesh;
  query: NavMeshQuery;
}

export interface DetourBake {
  agent: AgentShape;
  cellSize: number;
  cellHeight: number;
}

let isReady = false;

/** Bakes with Recast and takes the one tile over into our record. */
export async function bakePair(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  bake: DetourBake,
): Promise<DetourPair> {
  if (!isReady) await init();
  isReady = true;
  const { agent, cellSize, cellHeight } = bake;
  const result = generateSoloNavMesh(positions, indices, {
    cs: cellSize,
    ch: cellHeight,
    walkableSlopeAngle: agent.maxSlopeDegrees,
    walkableHeight: Math.ceil(agent.height / cellHeight),
    walkableClimb: Math.floor(agent.maxClimb / cellHeight),
    walkableRadius: Math.ceil(agent.radius / cellSize),
    maxEdgeLen: 40,
    maxSimplificationError: 1.3,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: 6,
    detailSampleDist: 6,
    detailSampleMaxError: 1,
  });
  if (!result.success || result.navMesh === undefined) throw new Error(`bakePair: Recast says ${String(result.error)}`);
  const mesh = createNavMesh({ agent, cellSize, cellHeight });
  const tile = tileOfDetour(result.navMesh, 0);
  // Detour discounts the climb in whole voxels.
  mesh.agent.maxClimb = Math.fround(result.navMesh.getTile(0).header()?.walkableClimb() ?? agent.maxClimb);
  addTile(mesh, tile);
  return { mesh, detour: result.navMesh, query: new NavMeshQuery(result.navMesh, { maxNodes: 65535 }) };
}

function tileOfDetour(detour: DetourNavMesh, index: number): TileData {
  const tile = detour.getTile(index);
  const header = tile.header();
  if (header === null) throw new Error(`tileOfDetour: no tile ${index}`);
  const polyCount = header.polyCount();
  const numbers = (count: number, at: (i: number) => number): number[] =>
    Array.from({ length: count }, (_, i) => at(i));
  const polyEdgeStart = [0];
  const polyDetailVertexStart = [0];
  const polyDetailTriStart = [0];
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  const detailVertices: number[] = [];
  const detailTris: number[] = [];
  for (let p = 0; p < polyCount; p++) {
    const poly = tile.polys(p);
    for (let k = 0; k < poly.vertCount(); k++) {
      edgeVertex.push(poly.verts(k));
      edgeNeighbor.push(poly.neis(k) - 1);
    }
    const detail = tile.detailMeshes(p);
    for (let i = 0; i < 3 * detail.vertCount(); i++) detailVertices.push(tile.detailVerts(3 * detail.vertBase() + i));
    for (let i = 0; i < 4 * detail.triCount(); i++) detailTris.push(tile.detailTris(4 * detail.triBase() + i));
    polyEdgeStart.push(edgeVertex.length);
    polyDetailVertexStart.push(detailVertices.length / 3);
    polyDetailTriStart.push(detailTris.length / 4);
  }
  return {
    x: 0,
    z: 0,
    layer: 0,
    polyCount,
    vertexCount: header.vertCount(),
    vertices: Float64Array.from(numbers(3 * header.vertCount(), (i) => tile.verts(i))),
    polyEdgeStart: Int32Array.from(polyEdgeStart),
    polyArea: new Uint8Array(polyCount).fill(AREA_GROUND),
    polyFlags: new Uint16Array(polyCount).fill(1),
    edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor),
    polyDetailVertexStart: Int32Array.from(polyDetailVertexStart),
    polyDetailTriStart: Int32Array.from(polyDetailTriStart),
    detailVertices: Float64Array.from(detailVertices),
    detailTris: Uint8Array.from(detailTris),
  };
}
