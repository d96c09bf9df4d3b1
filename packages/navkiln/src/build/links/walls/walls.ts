/**
 * The walls of a surface: edges and parts of edges of open polygons behind which no polygon is open.
 *
 * In: a surface (sizes.ts). Out: one record per wall, by tile position, polygon and edge.
 * Cost: linear in the edges.
 * Based on: own.
 */
import { isPolyBefore } from '../../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../../query/filter.ts';
import { nextGap } from '../../../query/walk/open-edges.ts';

/** A wall from a to b, xyz, in the direction of its polygon's outline. */
export interface Wall {
  poly: number;
  a: Float64Array;
  b: Float64Array;
}

/** Returns all polygons by tile position and number, or those of one tile. */
export function orderedPolys(mesh: NavMesh, only: number = -1): number[] {
  const polys: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1 || (only >= 0 && slot !== only)) continue;
    for (let i = 0; i < mesh.tilePolyCount[slot]; i++) polys.push(mesh.tilePolyStart[slot] + i);
  }
  return polys.sort((a, b) => (a === b ? 0 : isPolyBefore(mesh, a, b) ? -1 : 1));
}

/** Returns the walls of polygons, in their order. */
export function findWalls(mesh: NavMesh, polys: readonly number[]): Wall[] {
  const walls: Wall[] = [];
  const gap = new Float64Array(2);
  for (const poly of polys) {
    if (mesh.polyFlags[poly] === 0) continue;
    const first = mesh.polyEdgeStart[poly];
    for (let edge = first; edge < first + mesh.polyVertexCount[poly]; edge++) {
      const neighbor = mesh.edgeNeighbor[edge];
      if (neighbor >= 0 && mesh.polyFlags[neighbor] !== 0) continue;
      if (neighbor >= -1) {
        walls.push(wallOf(mesh, poly, edge, 0, 1));
        continue;
      }
      gap[1] = 0;
      while (nextGap(gap, mesh, poly, edge, DEFAULT_FILTER)) walls.push(wallOf(mesh, poly, edge, gap[0], gap[1]));
    }
  }
  return walls;
}

/** Returns whether a point at share t of an edge is a wall. */
export function isWallAt(mesh: NavMesh, poly: number, edge: number, t: number): boolean {
  const neighbor = mesh.edgeNeighbor[edge];
  if (neighbor >= -1) return neighbor === -1 || mesh.polyFlags[neighbor] === 0;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (
      mesh.portalEdge[l] === edge &&
      mesh.portalSpan[2 * l] <= t &&
      mesh.portalSpan[2 * l + 1] >= t &&
      mesh.polyFlags[mesh.portalPoly[l]] !== 0
    )
      return false;
  }
  return true;
}

// oxlint-disable-next-line max-params -- kernel
function wallOf(mesh: NavMesh, poly: number, edge: number, from: number, to: number): Wall {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const u = 3 * edgeVertex[edge];
  const v = 3 * edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
  const a = new Float64Array(3);
  const b = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    const length = vertices[v + k] - vertices[u + k];
    a[k] = from === 0 ? vertices[u + k] : vertices[u + k] + from * length;
    b[k] = to === 1 ? vertices[v + k] : vertices[u + k] + to * length;
  }
  return { poly, a, b };
}
