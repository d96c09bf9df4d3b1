/**
 * Moves the ends of a query onto the mesh like `findNearestInto`, but with the grid of the index where possible.
 *
 * Usually the position is over a polygon and within one step of it, so that no polygon is nearer. The grid lists the
 * polygons that overlap the cell of the position. In all other cases, the trees of the tiles are searched.
 *
 * In: an index that fits the mesh, a position, a box, a filter.
 * Out: the nearest point, the same as without an index.
 * Cost: a few side tests for each polygon of a cell, usually 2 to 4.
 * Based on: own.
 */
import { setHeight } from '../../../mesh/ground.ts';
import { isPolyBefore } from '../../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { findNearestInto } from '../../nearest/nearest.ts';
import type { NearestHit } from '../../nearest/nearest.ts';
import type { PathIndex } from '../types.ts';

const spot = new Float64Array(3);

/** Kernel. Writes the point of the mesh nearest to a position, or `poly` -1. The index must fit the whole mesh. */
export function locateInto(
  out: NearestHit,
  index: PathIndex,
  mesh: NavMesh,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  const { grid, gridWidth, gridDepth, cellStart, cellPolys } = index;
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const x = point[0];
  const z = point[2];
  const cx = Math.floor((x - grid[0]) * grid[2]);
  const cz = Math.floor((z - grid[1]) * grid[2]);
  out.poly = -1;
  if (cx >= 0 && cz >= 0 && cx < gridWidth && cz < gridDepth) {
    const cell = cz * gridWidth + cx;
    const end = cellStart[cell + 1];
    for (let i = cellStart[cell]; i < end; i++) {
      const poly = cellPolys[i];
      const first = polyEdgeStart[poly];
      const stop = first + polyVertexCount[poly];
      let v = 3 * edgeVertex[stop - 1];
      let ax = vertices[v] - x;
      let az = vertices[v + 2] - z;
      let e = first;
      for (; e < stop; e++) {
        v = 3 * edgeVertex[e];
        const bx = vertices[v] - x;
        const bz = vertices[v + 2] - z;
        if (az * bx - ax * bz < 0) break;
        ax = bx;
        az = bz;
      }
      // The grid has only polygons that the default filter passes.
      if (e === stop && (filter === DEFAULT_FILTER || passesFilter(filter, mesh, poly)))
        offer(out, mesh, poly, point, halfExtents);
    }
  }
  if (out.poly < 0) findNearestInto(out, mesh, point, halfExtents, filter);
}

/** Writes a polygon that the position is over if it is within one step, and nearer than the one in `out`. */
function offer(out: NearestHit, mesh: NavMesh, poly: number, point: Float64Array, halfExtents: Float64Array): void {
  spot[0] = point[0];
  spot[2] = point[2];
  setHeight(spot, mesh, poly);
  const dy = Math.abs(spot[1] - point[1]);
  if (!(dy <= mesh.agent.maxClimb) || dy > halfExtents[1]) return;
  const distanceSq = dy * dy;
  if (out.poly >= 0) {
    if (distanceSq > out.distanceSq || (distanceSq === out.distanceSq && isPolyBefore(mesh, out.poly, poly))) return;
  }
  out.poly = poly;
  out.isOver = true;
  out.score = 0;
  out.distanceSq = distanceSq;
  out.point[0] = spot[0];
  out.point[1] = spot[1];
  out.point[2] = spot[2];
}
