/**
 * The walls of a mesh: edges and parts of edges behind which there is no polygon.
 *
 * In: a mesh. Out: one record per wall, by tile position, polygon and edge.
 * Cost: linear in the edges.
 * Based on: own.
 */
import { isPolyBefore } from '../navmesh/tile-grid.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { createFilter, passEverything } from '../query/filter.ts';
import type { QueryFilter } from '../query/filter.ts';
import { nextGap } from '../query/walk/open-edges.ts';

/** A wall from a to b, xyz, as its polygon's outline runs. */
export interface Wall {
  poly: number;
  a: Float64Array;
  b: Float64Array;
}

/** Passes every polygon, disabled ones as well: links are built for doors that may open. */
export const EVERY_POLY: QueryFilter = createFilter({ passes: passEverything });

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
    const first = mesh.polyEdgeStart[poly];
    for (let edge = first; edge < first + mesh.polyVertexCount[poly]; edge++) {
      const neighbor = mesh.edgeNeighbor[edge];
      if (neighbor >= 0) continue;
      if (neighbor === -1) {
        walls.push(wallOf(mesh, poly, edge, 0, 1));
        continue;
      }
      gap[1] = 0;
      while (nextGap(gap, mesh, poly, edge, EVERY_POLY)) walls.push(wallOf(mesh, poly, edge, gap[0], gap[1]));
    }
  }
  return walls;
}

/** Returns whether a point at share t of an edge is a wall. */
export function isWallAt(mesh: NavMesh, poly: number, edge: number, t: number): boolean {
  const neighbor = mesh.edgeNeighbor[edge];
  if (neighbor >= 0) return false;
  if (neighbor === -1) return true;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] === edge && mesh.portalSpan[2 * l] <= t && mesh.portalSpan[2 * l + 1] >= t) return false;
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
