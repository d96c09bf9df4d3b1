/**
 * Paths on the mesh of a 2D map: [x, y] in, [x, y] out. The map's x and y are the mesh's x and z, its ground is at height 0.
 *
 * The search is exact unless another is asked for: on 2D maps people see a detour at a glance. Cost: that of the search.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { findPath } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import type { LocatedPath } from '../path/result.ts';
import { findOptimalPath } from './optimal.ts';

/** [x, y], a typed array, or { x, y }. */
export type PointLike2d = ArrayLike<number> | { readonly x: number; readonly y: number };

export interface PathOptions2d extends Pick<PathOptions, 'filter' | 'maxNodes'> {
  /**
   * Half the size of the box in which an end may be moved onto the mesh, or one number for both, `Infinity` too. Default: as
   * `findPath`.
   */
  halfExtents?: PointLike2d | number;
  /** 'optimal': the shortest path there is; 'funnel': A* and a funnel, which is faster and may miss it. Default 'optimal'. */
  mode?: 'optimal' | 'funnel';
}

export interface Path2d extends LocatedPath<[number, number]> {
  /** No path is shorter. False: see `OptimalPath`; always false in mode `'funnel'`. */
  exact: boolean;
}

/**
 * The path from start to end on the mesh of a 2D map. Throws a TypeError for what is no point, a RangeError for options out of
 * range.
 */
export function findPath2d(mesh: NavMesh, start: PointLike2d, end: PointLike2d, options: PathOptions2d = {}): Path2d {
  const { mode = 'optimal', halfExtents, filter, maxNodes } = options;
  const inner: PathOptions = { filter, maxNodes };
  if (typeof halfExtents === 'number') inner.halfExtents = halfExtents;
  else if (halfExtents !== undefined) {
    const [x, , z] = place(halfExtents, 'halfExtents');
    inner.halfExtents = [x, 1, z];
  }
  const from = place(start, 'start'),
    to = place(end, 'end');
  if (mode !== 'optimal' && mode !== 'funnel') {
    throw new RangeError(`findPath2d: mode is ${String(mode)}; give 'optimal' or 'funnel'`);
  }
  const isOptimal = mode === 'optimal';
  const found = isOptimal
    ? findOptimalPath(mesh, from, to, inner)
    : { ...findPath(mesh, from, to, inner), exact: false };
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

/** A point of the map in the mesh. */
function place(point: PointLike2d, name: string): [number, number, number] {
  if (typeof point === 'object' && point !== null) {
    const x = 'x' in point ? point.x : point[0];
    const y = 'x' in point ? point.y : point[1];
    if (typeof x === 'number' && typeof y === 'number' && x - x + (y - y) === 0) return [x, 0, y];
  }
  throw new TypeError(`findPath2d: ${name} is ${describe(point)}; give [x, y] or { x, y } with two finite numbers`);
}

function describe(point: PointLike2d): string {
  if (typeof point !== 'object' || point === null) return String(point);
  return 'x' in point ? `{ x: ${point.x}, y: ${point.y} }` : `[${Array.from(point).join(', ')}]`;
}
