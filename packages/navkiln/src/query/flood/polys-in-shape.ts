/**
 * The polygons in a convex shape that can be reached without leaving it, cheapest first, with parents and costs.
 *
 * As in a circle (polys-in-circle.ts), with a convex polygon instead: a sector of view, a room, a box that is turned. The
 * way begins in the middle of its corners. Sides are decided exactly. Cost: that of a flood, times the shape's corners.
 *
 * Based on: Detour's findPolysAroundShape (Mikko Mononen).
 */
import { sideOfPoints } from '../../math/predicates.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import type { FloodBounds } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

export interface PolysInShapeOptions extends StartOptions {
  filter?: QueryFilter;
}

const corner = new Float64Array(3);
const middle = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * The polygons that a convex shape touches, seen from above, and that can be reached inside of it from its middle on.
 * `corners`: three or more in order, to the left or to the right around; their heights only say where the middle is, which is
 * moved to the nearest ground. Throws a TypeError or RangeError for corners that are no points or not convex, and stale refs.
 */
export function findPolysInShape(
  mesh: NavMesh,
  corners: readonly PointLike[],
  options: PolysInShapeOptions = {},
): Reached {
  loadShape(bounds, middle, corners);
  const filter = options.filter ?? DEFAULT_FILTER;
  locateStart(hit, mesh, middle, options, filter, 'findPolysInShape');
  if (hit.poly < 0) return nothingReached(middle);
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/** Puts a shape into the bounds of a flood, counter-clockwise, and its corners' mean into `mean`. Throws if not convex. */
export function loadShape(out: FloodBounds, mean: Float64Array, corners: readonly PointLike[]): void {
  const count = corners.length;
  if (!(count >= 3)) throw new RangeError(`findPolysInShape: ${count} corners; give at least 3`);
  out.within = 'shape';
  out.shapeCount = count;
  if (out.shapeX.length < count + 2) {
    out.shapeX = new Float64Array(2 * count + 2);
    out.shapeZ = new Float64Array(2 * count + 2);
  }
  const { shapeX, shapeZ } = out;
  mean.fill(0);
  for (let i = 0; i < count; i++) {
    readPoint(corner, corners[i], 'findPolysInShape', `corner ${i}`);
    shapeX[i] = corner[0];
    shapeZ[i] = corner[2];
    for (let k = 0; k < 3; k++) mean[k] += corner[k] / count;
  }
  // All turns the same way, and once around: x goes up and down once.
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
    throw new RangeError('findPolysInShape: the corners are not those of a convex shape; give its hull, in order');
  }
  if (right === 0) return;
  shapeX.subarray(0, count).reverse();
  shapeZ.subarray(0, count).reverse();
}

/** By x, then z. */
function isEarlier(shape: FloodBounds, a: number, b: number): boolean {
  const { shapeX, shapeZ } = shape;
  return shapeX[a] < shapeX[b] || (shapeX[a] === shapeX[b] && shapeZ[a] < shapeZ[b]);
}
