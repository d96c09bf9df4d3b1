/**
 * Finds paths on the mesh of a 2D map. Arguments and results are points of the map.
 *
 * The search is exact by default, because detours are obvious on 2D maps. Ends outside the walkable area are
 * moved to the nearest walkable point.
 *
 * Cost: the same as `findOptimalPath` or `findPath`.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { CheapestOptions } from '../cheapest/cheapest.ts';
import { findOptimalPath } from '../optimal/optimal.ts';
import { createPathQuery, findPath, readPathQuery } from '../path/find-path.ts';
import type { LocatedPath } from '../path/result.ts';
import { mapPoint, placePoint, readReach } from './plane.ts';
import type { ReachOptions2d } from './plane.ts';

/** Options of `findPath2d`. */
export interface PathOptions2d extends ReachOptions2d, Pick<CheapestOptions, 'filter' | 'maxNodes' | 'maxError'> {
  /**
   * 'optimal' returns the shortest path. 'funnel' uses A* over polygons and a funnel, which is faster but may return a
   * longer path. The function `findMidpointPath` uses A* over the midpoints of edges and a funnel; its speed and path
   * lengths are in between. The function `findCheapestPath` finds the cheapest path where area costs differ, within
   * `maxError`; the other modes often miss it there. Default 'optimal'.
   */
  mode?: 'optimal' | 'funnel' | typeof findPath;
}

/** Result of `findPath2d`. */
export interface Path2d extends LocatedPath<[number, number]> {
  /** Whether no path is shorter; see `OptimalPath`. Always false in other modes than `'optimal'` and `findCheapestPath`. */
  exact: boolean;
  /** With mode `findCheapestPath`: by how much the cost may exceed the least; see `CheapestPath`. */
  bound?: number;
}

/**
 * Returns the path from start to end on the mesh of a 2D map. Points are [x, y] or { x, y }, in the map's
 * units.
 *
 * An end outside the walkable area is moved to the nearest walkable point; `startDistance` and `endDistance` are the
 * distances, and `halfExtents` limits them. `maxNodes` has the meaning and default of the mode's function; for
 * 'optimal' the default is finite, see `findOptimalPath`. Throws a TypeError for invalid points and a RangeError for
 * unknown or invalid options.
 */
export function findPath2d(mesh: NavMesh, start: PointLike2d, end: PointLike2d, options: PathOptions2d = {}): Path2d {
  checkKeys('findPath2d', options, ['mode', 'halfExtents', 'filter', 'maxNodes', 'maxError']);
  checkNavMesh('findPath2d', mesh);
  const { mode = 'optimal', filter, maxNodes, maxError } = options;
  const inner: CheapestOptions = { filter, maxNodes, halfExtents: readReach(options.halfExtents, 'findPath2d') };
  const from = placePoint(mesh, start, 'findPath2d', 'start');
  const to = placePoint(mesh, end, 'findPath2d', 'end');
  if (mode !== 'optimal' && mode !== 'funnel' && typeof mode !== 'function') {
    refuse('findPath2d', 'options.mode', mode, "'optimal', 'funnel' or the function findMidpointPath");
  }
  if (maxError !== undefined && typeof mode !== 'function') {
    refuse('findPath2d', 'options.mode', mode, 'the function findCheapestPath with options.maxError');
  }
  // The check is here, so that messages name this function and not the one it calls.
  readPathQuery(checked, mesh, from, to, inner, 'findPath2d');
  if (maxError !== undefined) inner.maxError = maxError;
  const find = mode === 'funnel' ? findPath : mode === 'optimal' ? findOptimalPath : mode;
  const found: LocatedPath & Pick<Partial<Path2d>, 'exact' | 'bound'> = find(mesh, from, to, inner);
  const { status, reason, points, polys, length, exact = false, bound, cost, startDistance, endDistance } = found;
  return {
    status,
    reason,
    points: points.map((point) => mapPoint(mesh, point)),
    polys,
    length,
    exact,
    ...(bound === undefined ? {} : { bound }),
    cost,
    startDistance,
    endDistance,
  };
}

const checked = createPathQuery();
