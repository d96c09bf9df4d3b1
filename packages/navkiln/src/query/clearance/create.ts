/**
 * Creates the clearance of a 2D map from its mesh.
 *
 * In: the mesh of a 2D map that was built without a radius.
 * Out: a `Clearance`.
 * Cost: about that of triangulating the map three times.
 * Based on: own; see feet.ts.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { findBridges } from './bridges.ts';
import { findFeet } from './feet.ts';
import { fillSquares } from './locate.ts';
import { mostRoomIn } from './nearest-room.ts';
import { refine } from './refine.ts';
import type { RefinedTriangles } from './refine.ts';
import { joinTriangles } from './tree.ts';
import { beforeOf, nextOf, withLayout } from './types.ts';
import type { Clearance } from './types.ts';
import { readWalls } from './walls.ts';
import { measureWidths } from './widths.ts';

/** Options of `createClearance`. */
export interface ClearanceOptions {
  /**
   * Selects the walkable polygons. Edges to all other polygons are walls. Costs are ignored. Default: all
   * polygons with at least one flag.
   */
  filter?: QueryFilter;
  /**
   * Largest radius of the agents, units of the map. Passages that are wide enough for it are not measured, so queries take less time. Queries
   * for larger radii throw. The clearance takes about twice the memory, and about twice the time to create. Default `Infinity`.
   */
  maxRadius?: number;
}

/**
 * Returns the clearance of a 2D map, for `findClearPath2d` with any radius. Create it again after the mesh
 * has changed.
 *
 * Throws a RangeError for a mesh that was built with a radius, or not from a 2D map.
 */
export function createClearance(mesh: NavMesh, options: ClearanceOptions = {}): Clearance {
  checkKeys('createClearance', options, ['filter', 'maxRadius']);
  checkNavMesh('createClearance', mesh);
  const filter = readFilter('createClearance', options, mesh);
  if (mesh.agent.radius > 0) {
    refuse('createClearance', 'mesh.agent.radius', mesh.agent.radius, '0: build the map without a radius');
  }
  const { maxRadius = Infinity } = options;
  if (typeof maxRadius !== 'number' || !(maxRadius >= 0)) {
    refuse('createClearance', 'options.maxRadius', maxRadius, 'a number >= 0');
  }
  const base = readWalls(mesh, filter, 'createClearance');
  // The limit is slightly larger, because heights are rounded.
  const made = refine(base, findFeet(base, (2 * maxRadius * (1 + 1e-6)) / base.grid.gridSize));
  const { width, missed } = measureWidths(made);
  const { vertexCount, cornerCount, xs, vs, triangleCount, corner, twin, grid } = made;
  const isTurn = findTurns(made);
  const shape = { vertexCount, cornerCount, isTurn, xs, vs, triangleCount, corner, twin, width, missed };
  const tree = joinTriangles(triangleCount, twin, width);
  let mostRoom = 0;
  for (let t = 0; t < triangleCount; t++) mostRoom = Math.max(mostRoom, mostRoomIn(made, t));
  return withLayout({
    ...grid,
    maxRadius,
    whole: maxRadius < Infinity ? createClearance(mesh, { filter: options.filter }) : undefined,
    ...shape,
    mostRoom,
    ...tree,
    ...findBridges(triangleCount, twin),
    ...fillSquares(shape),
  });
}

/** Marks the vertices that paths may turn around. */
function findTurns({ vertexCount, cornerCount, triangleCount, xs, vs, corner, twin }: RefinedTriangles): Uint8Array {
  const isTurn = new Uint8Array(vertexCount);
  for (let h = 0; h < 3 * triangleCount; h++) {
    const v = corner[h];
    if (twin[h] >= 0 || v >= cornerCount) continue;
    // Walks through the triangles around the vertex to the other wall of the surface.
    let before = beforeOf(h);
    while (twin[before] >= 0) before = beforeOf(twin[before]);
    const from = corner[before];
    const to = corner[nextOf(h)];
    if ((xs[v] - xs[from]) * (vs[to] - vs[v]) - (vs[v] - vs[from]) * (xs[to] - xs[v]) < 0) isTurn[v] = 1;
  }
  return isTurn;
}
