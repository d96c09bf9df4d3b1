/**
 * Finds paths on the mesh of a 2D map: [x, y] in, [x, y] out. The map's x and y are the mesh's x and z, at
 * height 0.
 *
 * The search is exact by default, because detours are obvious on 2D maps.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { checkKeys, refuse, showValue } from '../../data/refuse.ts';
import { createPathQuery, findPath, readPathQuery } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import { findMidpointPath } from '../path/midpoints.ts';
import type { LocatedPath } from '../path/result.ts';
import { findOptimalPath } from './optimal.ts';

/** A 2D point: [x, y], a typed array, or { x, y }. */
export type PointLike2d = ArrayLike<number> | { readonly x: number; readonly y: number };

/** Options of `findPath2d`. */
export interface PathOptions2d extends Pick<PathOptions, 'filter' | 'maxNodes'> {
  /**
   * Half the size of the box in which an end may be moved onto the mesh, or one number for both axes.
   * `Infinity` is allowed. Default: that of `findPath`.
   */
  halfExtents?: PointLike2d | number;
  /**
   * 'optimal' returns the shortest path; 'funnel' uses A* over polygons and a funnel, which is faster but may
   * return a longer path; 'midpoints' uses A* over the midpoints of edges and a funnel: paths between the two.
   * Default 'optimal'.
   */
  mode?: 'optimal' | 'midpoints' | 'funnel';
}

/** Result of `findPath2d`. */
export interface Path2d extends LocatedPath<[number, number]> {
  /** Whether no path is shorter; see `OptimalPath`. Always false in modes `'midpoints'` and `'funnel'`. */
  exact: boolean;
}

/**
 * Returns the path from start to end on the mesh of a 2D map. Points are [x, y] or { x, y }, in the map's
 * units.
 *
 * Throws a TypeError for invalid points and a RangeError for unknown or invalid options.
 */
export function findPath2d(mesh: NavMesh, start: PointLike2d, end: PointLike2d, options: PathOptions2d = {}): Path2d {
  checkKeys('findPath2d', options, ['mode', 'halfExtents', 'filter', 'maxNodes']);
  const { mode = 'optimal', halfExtents, filter, maxNodes } = options;
  const inner: PathOptions = { filter, maxNodes };
  if (typeof halfExtents === 'number') inner.halfExtents = halfExtents;
  else if (halfExtents !== undefined) {
    const [x, , z] = readPoint2d(halfExtents, 'options.halfExtents');
    inner.halfExtents = [x, 1, z];
  }
  const from = readPoint2d(start, 'start');
  const to = readPoint2d(end, 'end');
  if (mode !== 'optimal' && mode !== 'midpoints' && mode !== 'funnel') {
    refuse('findPath2d', 'options.mode', mode, "'optimal', 'midpoints' or 'funnel'");
  }
  // Checked here, so that messages name this function and not the one it calls.
  readPathQuery(checked, mesh, from, to, inner, 'findPath2d');
  const find = mode === 'funnel' ? findPath : findMidpointPath;
  const found =
    mode === 'optimal' ? findOptimalPath(mesh, from, to, inner) : { ...find(mesh, from, to, inner), exact: false };
  const { status, reason, points, polys, length, exact, cost, startDistance, endDistance } = found;
  return {
    status,
    reason,
    points: points.map(([x, , z]) => [x, z]),
    polys,
    length,
    exact,
    cost,
    startDistance,
    endDistance,
  };
}

const checked = createPathQuery();

/** Converts a map point to a mesh position. */
function readPoint2d(point: PointLike2d, name: string): [number, number, number] {
  if (typeof point === 'object' && point !== null) {
    const x = 'x' in point ? point.x : point[0];
    const y = 'x' in point ? point.y : point[1];
    if (typeof x === 'number' && typeof y === 'number' && x - x + (y - y) === 0) return [x, 0, y];
  }
  throw new TypeError(`findPath2d: ${name} is ${describe(point)}; must be [x, y] or { x, y }, both finite`);
}

function describe(point: PointLike2d): string {
  if (typeof point !== 'object' || point === null) return showValue(point);
  return 'x' in point ? `{ x: ${point.x}, y: ${point.y} }` : `[${Array.from(point).join(', ')}]`;
}
