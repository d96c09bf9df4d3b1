/**
 * Paths on the mesh of a 2D map: [x, y] in, [x, y] out. The map's x and y are the mesh's x and z, its ground is at height 0.
 *
 * The search is whoever's is given: `findPath` by default, so that nobody loads another. Cost: that of the search.
 */
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { findPath } from './find-path.ts';
import type { Path, PathOptions, PathReason, PathStatus } from './find-path.ts';
import type { PointLike } from './point.ts';

/** [x, y], a typed array, or { x, y }. */
export type PointLike2d = ArrayLike<number> | { readonly x: number; readonly y: number };

export interface PathOptions2d extends Omit<PathOptions, 'halfExtents'> {
  /**
   * Half the size of the box in which an end may be moved onto the mesh, or one number for both, `Infinity` too. Default: as
   * `findPath`.
   */
  halfExtents?: PointLike2d | number;
  /** The search: `findPath`, or another with its arguments and result. Default `findPath`. */
  search?: (mesh: NavMesh, start: PointLike, end: PointLike, options?: PathOptions) => Path;
}

export interface Path2d {
  status: PathStatus;
  reason: PathReason;
  /** Corners from the start to the end, both moved onto the mesh. Empty when the status is 'none'. */
  points: [number, number][];
  /** The polygons passed, in order. */
  polys: PolyRef[];
  /** Of the line through the points. */
  length: number;
  /** As of `Path`. */
  cost: number;
  startDistance: number;
  endDistance: number;
}

/**
 * The path from start to end on the mesh of a 2D map. Throws a TypeError for what is no point, and what the search throws for
 * other options.
 */
export function findPath2d(mesh: NavMesh, start: PointLike2d, end: PointLike2d, options: PathOptions2d = {}): Path2d {
  const { search = findPath, halfExtents, ...rest } = options;
  const inner: PathOptions = rest;
  if (typeof halfExtents === 'number') inner.halfExtents = halfExtents;
  else if (halfExtents !== undefined) {
    const [x, , z] = place(halfExtents, 'halfExtents');
    inner.halfExtents = [x, 1, z];
  }
  const found = search(mesh, place(start, 'start'), place(end, 'end'), inner);
  const { status, reason, points, polys, length, cost, startDistance, endDistance } = found;
  return { status, reason, points: points.map(([x, , z]) => [x, z]), polys, length, cost, startDistance, endDistance };
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
