/**
 * Finds the wall parts of edges, for all queries that walk along the surface.
 *
 * A walk leads from polygon to polygon through whole edges and through portals. Links do not open walls. On a tile
 * border, the parts of an edge that no passable portal covers are walls. Portals may overlap where tiles have layers.
 *
 * In: a border edge.
 * Out: its wall parts, in order.
 * Cost: quadratic in the edge's portals, usually one or two.
 * Based on: own; Detour treats a border edge with one passable neighbor as open over its whole length.
 */
import { closestPointOnPoly, isOverPoly } from '../../mesh/ground.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { locateStart, resolvePoly } from '../nearest/start.ts';
import type { StartOptions, StartStatus } from '../nearest/start.ts';

/** Where a walk starts and which polygons it may enter. */
export interface WalkOptions extends StartOptions {
  /** Which polygons may be entered. The polygon `startRef` is not tested. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

/** Keys of `WalkOptions`, for `checkKeys`. */
export const WALK_KEYS = ['startRef', 'halfExtents', 'filter', 'size'] as const;

/** Works like `locateStart`, but a point over polygon `startRef` keeps its position and height. @internal */
export function locateWalk(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  options: WalkOptions,
  filter: QueryFilter,
  caller: string,
): StartStatus {
  const { startRef } = options;
  if (startRef === undefined) return locateStart(out, mesh, point, options, filter, caller);
  out.poly = resolvePoly(mesh, startRef, caller, 'options.startRef');
  if (out.poly < 0) return 'stale-ref';
  out.isOver = isOverPoly(mesh, out.poly, point);
  if (out.isOver) out.point.set(point);
  else closestPointOnPoly(out.point, mesh, out.poly, point);
  return 'found';
}

/**
 * Tolerance for the ends of portals, as a fraction of a border edge: less than a step of the grid of 2D maps, whose walls may end a step
 * from the corner of a tile.
 */
export const EDGE_SLACK = 1e-8;

/**
 * Finds the next wall part of a border edge: gap[0] .. gap[1] as fractions of the edge. Set gap[1] = 0 for the first
 * call. Returns false when no wall part remains; `gap` is then undefined.
 */
export function nextGap(gap: Float64Array, mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): boolean {
  const { portalNext, portalEdge, portalPoly, portalSpan } = mesh;
  let from = gap[1];
  while (from < 1 - EDGE_SLACK) {
    // `reach`: how far passable portals extend from here. `next`: where the next portal begins.
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

/** Returns an array with space for `count` numbers and the same content. @internal */
export function withRoom(array: Int32Array, count: number): Int32Array {
  if (array.length >= count) return array;
  const larger = new Int32Array(Math.max(count, 2 * array.length, 16));
  larger.set(array);
  return larger;
}
