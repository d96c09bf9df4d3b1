/**
 * Converts options of a map into options of a mesh, for all 2D queries.
 *
 * Unlike on levels, a point outside the walkable area is moved to the nearest walkable point by default, at any
 * distance, as `defaultHalfExtents` has it on the mesh of a map.
 *
 * Cost: constant.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** Half extents of 2D queries. */
export interface ReachOptions2d {
  /**
   * Half the size of the box in which a point may be moved onto the mesh, or one number for both axes. Default
   * `Infinity`: the nearest walkable point at any distance; results report the distance.
   */
  halfExtents?: PointLike2d | number;
}

/** Returns `halfExtents` for a query on the mesh. Throws a TypeError or RangeError if the value is not a size. */
export function readReach(
  given: PointLike2d | number = Infinity,
  caller: string,
): number | [x: number, y: number, z: number] {
  const path = 'options.halfExtents';
  if (typeof given === 'number') {
    if (typeof given !== 'number' || !(given >= 0)) refuse(caller, path, given, 'a number >= 0');
    return given;
  }
  const size = readPoint2d(given, caller, path);
  for (let k = 0; k < 2; k++) if (size[k] < 0) refuse(caller, `${path}[${k}]`, size[k], 'a number >= 0');
  const [x, y] = size;
  // The surface of a map is flat, so any height works.
  return [x, Math.max(x, y, 1), y];
}

/** Returns a map point as a position on the mesh. Throws a TypeError if the value is not a point. */
export function placePoint(mesh: NavMesh, point: PointLike2d, caller: string, name: string): [number, number, number] {
  if ((point as number[] | undefined)?.[2] !== undefined) refuse(caller, name, point, '[x, y], without a height');
  const [x, y] = readPoint2d(point, caller, name);
  // Adding 0 converts -0 to 0.
  return [x, 0, mapYSignOf(mesh) * y + 0];
}

/** Returns the map point of a position on the mesh. */
export function mapPoint(mesh: NavMesh, [x, , z]: readonly [number, number, number]): [number, number] {
  return [x, mapYSignOf(mesh) * z + 0];
}
