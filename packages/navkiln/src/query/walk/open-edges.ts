/**
 * What walking queries share: what of an edge is wall.
 *
 * A walk goes from polygon to polygon through whole edges and through portals; links open no wall. What of an edge on a tile's
 * border no passable portal opens is wall, in as many gaps as there are (portals may overlap where tiles lie in layers).
 * Cost: of a border edge quadratic in its portals, of which there are one or two.
 * Based on: own. (Detour takes a border edge with one passable neighbour for open as a whole when it slides or measures.)
 */
import { closestPointOnPoly, isOverPoly } from '../../navmesh/ground.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { locateStart, requirePoly } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

/** Where a walk begins and what it may walk on. */
export interface WalkOptions extends StartOptions {
  /** What may be entered; the polygon `startRef` names is not asked. Default: all that has a flag. */
  filter?: QueryFilter;
}

/** As `locateStart`, but a point over the polygon `startRef` names stays as it is, also in height. @internal */
export function locateWalk(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  options: WalkOptions,
  filter: QueryFilter,
  caller: string,
): void {
  const { startRef } = options;
  if (startRef === undefined) {
    locateStart(out, mesh, point, options, filter, caller);
    return;
  }
  out.poly = requirePoly(mesh, startRef, caller);
  out.isOver = isOverPoly(mesh, out.poly, point);
  if (!out.isOver) {
    closestPointOnPoly(out.point, mesh, out.poly, point);
    return;
  }
  out.point[0] = point[0];
  out.point[1] = point[1];
  out.point[2] = point[2];
}

/** Fraction of a border edge that is no gap: what the ends of portals may be off by. */
export const EDGE_SLACK = 1e-4;

/**
 * The next part of a border edge that is wall, as gap[0] .. gap[1] (0 .. 1 from the edge's start), after the one that is there;
 * begin with gap[1] = 0. False: there is no more, and `gap` is of no use.
 */
export function nextGap(gap: Float64Array, mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): boolean {
  const { portalNext, portalEdge, portalPoly, portalSpan } = mesh;
  let from = gap[1];
  while (from < 1 - EDGE_SLACK) {
    // As far as portals that open here lead, and where the next one begins.
    let reach = from;
    let next = 1;
    for (let l = mesh.polyPortal[poly]; l >= 0; l = portalNext[l]) {
      if (portalEdge[l] !== edge || !passesFilter(filter, mesh, portalPoly[l])) continue;
      const low = portalSpan[2 * l];
      const high = portalSpan[2 * l + 1];
      if (low <= from + EDGE_SLACK) {
        if (high > reach) reach = high;
      } else if (low < next) {
        next = low;
      }
    }
    if (reach === from) {
      gap[0] = from;
      gap[1] = next > 1 - EDGE_SLACK ? 1 : next;
      return true;
    }
    from = reach;
  }
  return false;
}

/** Room for `count` numbers, what was there kept. @internal */
export function withRoom(array: Int32Array, count: number): Int32Array {
  if (array.length >= count) return array;
  const larger = new Int32Array(Math.max(count, 2 * array.length, 16));
  larger.set(array);
  return larger;
}
