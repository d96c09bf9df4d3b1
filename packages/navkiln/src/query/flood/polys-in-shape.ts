/**
 * Finds the polygons that can be reached inside a convex shape, such as a view sector or a rotated box,
 * cheapest first.
 *
 * It works like polys-in-circle.ts. The search starts at the mean of the shape's corners. Sides are exact.
 *
 * In: the corners of a convex polygon.
 * Out: polygons with parents and costs.
 * Cost: one flood, times the number of corners.
 * Based on: Detour's findPolysAroundShape (Mikko Mononen).
 */
import { checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import { sideOfPoints } from '../../base/math/predicates.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import type { FloodBounds } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

/** Options of `findPolysInShape`. */
export interface PolysInShapeOptions extends StartOptions {
  /** Which polygons may be entered. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

const corner = new Float64Array(3);
const middle = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * Returns the polygons that a convex shape touches, seen from above, and that can be reached inside it from
 * its middle.
 *
 * `corners` are three or more points in order, in either direction. Their heights only determine the height
 * of the middle, which is moved to the nearest polygon. The status is 'none' if no polygon is near, and
 * 'stale-ref' if polygon `startRef` no longer exists. Throws a TypeError for invalid points and a RangeError
 * for a concave shape or unknown options.
 */
export function findPolysInShape(
  mesh: NavMesh,
  corners: readonly PointLike[],
  options: PolysInShapeOptions = {},
): Reached {
  checkObject('findPolysInShape', 'corners', corners);
  checkKeys('findPolysInShape', options, ['startRef', 'halfExtents', 'filter', 'size']);
  loadShape(bounds, middle, corners);
  const filter = readFilter('findPolysInShape', options, mesh);
  const found = locateStart(hit, mesh, middle, options, filter, 'findPolysInShape');
  if (found !== 'found') return nothingReached(found, middle);
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/**
 * Loads a shape into the bounds of a flood, counter-clockwise, and writes the mean of its corners. Throws a
 * RangeError if it is not convex.
 */
export function loadShape(out: FloodBounds, mean: Float64Array, corners: readonly PointLike[]): void {
  const count = corners.length;
  if (typeof count !== 'number' || !(count >= 3)) refuse('findPolysInShape', 'corners.length', count, '>= 3');
  out.within = 'shape';
  out.shapeCount = count;
  if (out.shapeX.length < count + 2) {
    out.shapeX = new Float64Array(2 * count + 2);
    out.shapeZ = new Float64Array(2 * count + 2);
  }
  const { shapeX, shapeZ } = out;
  mean.fill(0);
  for (let i = 0; i < count; i++) {
    readPoint(corner, corners[i], 'findPolysInShape', `corners[${i}]`);
    shapeX[i] = corner[0];
    shapeZ[i] = corner[2];
    for (let k = 0; k < 3; k++) mean[k] += corner[k] / count;
  }
  // All turns have the same direction, and the outline goes around once: x rises and falls once.
  let left = 0;
  let right = 0;
  let turnsOfX = 0;
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const side = sideOfPoints(shapeX, shapeZ, i, next, (i + 2) % count);
    if (side > 0) left++;
    if (side < 0) right++;
    if (isEarlier(out, i, next) !== isEarlier(out, next, (i + 2) % count)) turnsOfX++;
  }
  if (left + right === 0 || (left > 0 && right > 0) || turnsOfX > 2) {
    refuse('findPolysInShape', 'corners', corners, 'the corners of a convex shape, in order');
  }
  if (right === 0) return;
  shapeX.subarray(0, count).reverse();
  shapeZ.subarray(0, count).reverse();
}

/** Orders corners by x, then z. */
function isEarlier(shape: FloodBounds, a: number, b: number): boolean {
  const { shapeX, shapeZ } = shape;
  return shapeX[a] < shapeX[b] || (shapeX[a] === shapeX[b] && shapeZ[a] < shapeZ[b]);
}
