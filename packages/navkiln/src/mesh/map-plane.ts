/**
 * Converts between the plane of a 2D map and its mesh. All other code uses these functions.
 *
 * x stays x, and the surface is at y = 0. Seen from above (x to the right, z down the page) the mesh looks like the
 * map on a screen. A map whose y points up lies at z = -y; a map whose y points down lies at z = y.
 *
 * In: points of a map, or positions on a mesh.
 * Out: the same in the other coordinates; exact.
 * Cost: constant.
 * Based on: own.
 */
import { checkHandle, checkObject } from '../base/data/refuse.ts';
import type { PointLike } from '../base/math/point.ts';
import { readPoint } from '../base/math/point.ts';
import { readPoint2d } from '../base/math/point-2d.ts';
import type { PointLike2d } from '../base/math/point-2d.ts';
import type { NavMesh } from './types.ts';

/** Returns z / y: -1 where the map's y points up, 1 where it points down and for meshes not made from a map. */
export function mapYSignOf({ mapYSign }: Pick<NavMesh, 'mapYSign'>): 1 | -1 {
  return mapYSign < 0 ? -1 : 1;
}

/**
 * Returns the position on the mesh, [x, 0, z], of a point [x, y] or { x, y } of its 2D map: for crowds, links and
 * other functions that take positions of the mesh.
 *
 * Throws a TypeError if the value is not a point.
 */
export function mapToMesh(mesh: Pick<NavMesh, 'mapYSign'>, point: PointLike2d): [x: number, y: number, z: number] {
  checkObject('mapToMesh', 'mesh', mesh);
  checkHandle('mapToMesh', 'mesh.mapYSign', mesh.mapYSign);
  const [x, y] = readPoint2d(point, 'mapToMesh', 'point');
  // Adding 0 turns -0 into 0.
  return [x, 0, mapYSignOf(mesh) * y + 0];
}

/**
 * Returns the point [x, y] of the 2D map that a position on its mesh belongs to.
 *
 * Throws a TypeError if the value is not a position.
 */
export function meshToMap(mesh: Pick<NavMesh, 'mapYSign'>, position: PointLike): [x: number, y: number] {
  checkObject('meshToMap', 'mesh', mesh);
  checkHandle('meshToMap', 'mesh.mapYSign', mesh.mapYSign);
  readPoint(spot, position, 'meshToMap', 'position');
  return [spot[0], mapYSignOf(mesh) * spot[2] + 0];
}

const spot = new Float64Array(3);
