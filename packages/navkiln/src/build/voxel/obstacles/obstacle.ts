/**
 * Converts obstacles to triangles in world coordinates, and refuses obstacles that are not solid.
 *
 * All shapes become triangles, so that one routine covers cells for any shape and rotation (carve.ts), and added surface is rasterized
 * like a level. A cylinder becomes a prism of 32 sides, a convex shape the prism over the hull of its outline.
 *
 * In: an obstacle of the caller. Out: triangles in world units, counter-clockwise seen from outside, with their box.
 * Cost: linear in vertices; n log n for an outline.
 * Based on: own; the hull is A. M. Andrew's monotone chain (1979).
 */
import { AREA_COUNT, AREA_GROUND } from '../../../base/constants.ts';
import { boxOf, placementMatrix, transformed } from '../../../base/data/placement.ts';
import { checkKeys, checkNumbers, checkObject, refuse } from '../../../base/data/refuse.ts';
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import { sideOfPoints } from '../../../base/math/predicates.ts';
import type { Obstacle, ObstaclePlacement, ObstacleShape, PlacedObstacle } from '../options.ts';

/** Sides of the prism that replaces a cylinder. */
const CYLINDER_SIDES = 32;
/** Most points of a convex outline. */
const MOST_POINTS = 1 << 16;
/** Beyond this, coordinates overflow in float32. */
const MOST_COORDINATE = 1e30;
/** Least extent of a mesh relative to its largest coordinate: it must not vanish by rounding. */
const LEAST_EXTENT = 1e-12;

const SHAPE_KEYS: Record<ObstacleShape['type'], readonly string[]> = {
  box: ['size'],
  cylinder: ['radius', 'height'],
  convex: ['outline', 'minY', 'maxY'],
  mesh: ['positions', 'indices'],
};
const PLACEMENT_KEYS = ['position', 'rotation'];
const COMMON_KEYS = ['type', 'position', 'rotation', 'effect', 'area'];

/** Triangles in an obstacle's own coordinates. */
interface Solid {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/**
 * Returns an obstacle as triangles in world coordinates.
 *
 * @param path name of the obstacle in messages
 * @param others further keys that the caller accepts
 * @throws RangeError, TypeError for unknown keys and for shapes, placements and effects that are invalid
 */
export function placeObstacle(
  caller: string,
  obstacle: Obstacle,
  path: string,
  others: readonly string[] = [],
): PlacedObstacle {
  checkObject(caller, path, obstacle);
  const { type, effect = 'hole' } = obstacle;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPE_KEYS, type)) {
    refuse(caller, `${path}.type`, type, "'box', 'cylinder', 'convex' or 'mesh'");
  }
  checkKeys(caller, obstacle, [...COMMON_KEYS, ...SHAPE_KEYS[type], ...others], path);
  if (effect !== 'hole' && effect !== 'area' && effect !== 'surface') {
    refuse(caller, `${path}.effect`, effect, "'hole', 'area' or 'surface'");
  }
  const area = areaOf(caller, obstacle, effect, path);
  const { positions: shape, indices } = solidOf(caller, obstacle, path);
  return place(
    caller,
    { effect, area, isPrism: type !== 'mesh', shape: Float64Array.from(shape), indices: Uint32Array.from(indices) },
    obstacle,
    path,
  );
}

/** Returns a placed obstacle with another position and rotation. See `placeObstacle`. */
export function replaceObstacle(caller: string, placed: PlacedObstacle, placement: ObstaclePlacement): PlacedObstacle {
  checkKeys(caller, placement, PLACEMENT_KEYS, 'placement');
  return place(caller, placed, placement, 'placement');
}

function place(
  caller: string,
  { effect, area, isPrism, shape, indices }: Omit<PlacedObstacle, 'positions' | 'bounds'>,
  { position, rotation }: ObstaclePlacement,
  path: string,
): PlacedObstacle {
  const positions = transformed(shape, placementMatrix({ position, rotation }, caller, path));
  const bounds = boxOf(positions, indices);
  for (let k = 0; k < 6; k++) {
    if (!(Math.abs(bounds[k]) < MOST_COORDINATE))
      refuse(caller, `the box of ${path}`, bounds[k], `within ${MOST_COORDINATE} of the origin`);
  }
  return { effect, area, isPrism, shape, positions, indices, bounds };
}

function areaOf(caller: string, { area }: Obstacle, effect: PlacedObstacle['effect'], path: string): number {
  if (effect === 'hole') {
    if (area !== undefined) refuse(caller, `${path}.area`, area, "absent, or effect must be 'area' or 'surface'");
    return 0;
  }
  const value = area ?? (effect === 'surface' ? AREA_GROUND : NaN);
  if (typeof value !== 'number' || !(value >= 1 && value < AREA_COUNT) || value % 1 !== 0) {
    refuse(caller, `${path}.area`, area, `a whole number from 1 to ${AREA_COUNT - 1}`);
  }
  return value;
}

function solidOf(caller: string, obstacle: Obstacle, path: string): Solid {
  switch (obstacle.type) {
    case 'box': {
      checkNumbers(caller, `${path}.size`, obstacle.size);
      if (obstacle.size.length !== 3) refuse(caller, `${path}.size.length`, obstacle.size.length, '3');
      const [x, y, z] = [0, 1, 2].map((k) => positive(caller, `${path}.size[${k}]`, obstacle.size[k]) / 2);
      return prism([-x, -z, -x, z, x, z, x, -z], -y, y);
    }
    case 'cylinder': {
      const radius = positive(caller, `${path}.radius`, obstacle.radius);
      const half = positive(caller, `${path}.height`, obstacle.height) / 2;
      const ring: number[] = [];
      for (let k = 0; k < CYLINDER_SIDES; k++) {
        const degrees = (k * 360) / CYLINDER_SIDES;
        ring.push(radius * sinDegrees(degrees), radius * cosDegrees(degrees));
      }
      return prism(ring, -half, half);
    }
    case 'convex':
      return convexSolid(caller, obstacle, path);
    default:
      return meshSolid(caller, obstacle, path);
  }
}

function positive(caller: string, path: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value < MOST_COORDINATE) return value;
  return refuse(caller, path, value, `above 0 and below ${MOST_COORDINATE}`);
}

/** Returns the prism over a ring of x, z, counter-clockwise seen from above (x to -z). */
function prism(ring: readonly number[], minY: number, maxY: number): Solid {
  const count = ring.length / 2;
  const positions: number[] = [];
  const indices: number[] = [];
  for (const y of [minY, maxY]) for (let k = 0; k < count; k++) positions.push(ring[2 * k], y, ring[2 * k + 1]);
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    indices.push(k, next, count + next, k, count + next, count + k);
    if (k > 1) indices.push(count, count + k - 1, count + k, 0, k, k - 1);
  }
  return { positions, indices };
}

function convexSolid(
  caller: string,
  { outline, minY, maxY }: Extract<Obstacle, { type: 'convex' }>,
  path: string,
): Solid {
  for (const [key, value] of [
    ['minY', minY],
    ['maxY', maxY],
  ] as const) {
    if (typeof value !== 'number' || !(Math.abs(value) < MOST_COORDINATE))
      refuse(caller, `${path}.${key}`, value, 'finite');
  }
  if (!(minY < maxY)) refuse(caller, `${path}.maxY`, maxY, `above minY, which is ${minY}`);
  const length = (outline as ArrayLike<unknown> | undefined)?.length;
  if (!Array.isArray(outline) || outline.length < 3 || outline.length > MOST_POINTS) {
    refuse(caller, `${path}.outline.length`, length, `3 .. ${MOST_POINTS} points [x, z]`);
  }
  const points = Array.from(outline, (point, k): [number, number] => {
    checkNumbers(caller, `${path}.outline[${k}]`, point);
    const isGood = point.length === 2 && Math.abs(point[0]) < MOST_COORDINATE && Math.abs(point[1]) < MOST_COORDINATE;
    if (!isGood) refuse(caller, `${path}.outline[${k}]`, point, 'two finite numbers, x and z');
    return [point[0], point[1]];
  });
  const ring = hull(points);
  if (ring.length < 6) refuse(caller, `${path}.outline`, outline, 'points that are not all on one line');
  return prism(ring, minY, maxY);
}

/** Returns the convex hull of points as x, z, counter-clockwise seen from above (x to -z); no point lies on an edge. */
function hull(points: [number, number][]): number[] {
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const xs = Float64Array.from(points, ([x]) => x);
  const zs = Float64Array.from(points, ([, z]) => z);
  const half = (order: readonly number[]): number[] => {
    const chain: number[] = [];
    for (const p of order) {
      while (chain.length > 1 && sideOfPoints(xs, zs, chain.at(-2)!, chain.at(-1)!, p) <= 0) chain.pop();
      const last = chain.at(-1);
      if (last === undefined || xs[last] !== xs[p] || zs[last] !== zs[p]) chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const order = points.map((_, k) => k);
  return [...half(order), ...half(order.slice().reverse())].flatMap((k) => [xs[k], zs[k]]);
}

function meshSolid(caller: string, obstacle: Extract<Obstacle, { type: 'mesh' }>, path: string): Solid {
  const { positions } = obstacle;
  checkNumbers(caller, `${path}.positions`, positions);
  if (obstacle.indices !== undefined) checkNumbers(caller, `${path}.indices`, obstacle.indices, true);
  const count = positions.length / 3;
  const indices = obstacle.indices ?? Uint32Array.from({ length: count }, (_, i) => i);
  if (positions.length % 3 !== 0) refuse(caller, `${path}.positions.length`, positions.length, 'a multiple of 3');
  if (indices.length % 3 !== 0 || indices.length === 0) {
    refuse(caller, `${path}.indices.length`, indices.length, 'a multiple of 3, above 0');
  }
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= count)
      refuse(caller, `${path}.indices[${i}]`, indices[i], `a whole number from 0 to ${count - 1}`);
    for (let k = 0; k < 3; k++) {
      const value = positions[3 * indices[i] + k];
      if (!(Math.abs(value) < MOST_COORDINATE)) refuse(caller, `${path}.positions`, value, 'finite numbers');
      min[k] = Math.min(min[k], value);
      max[k] = Math.max(max[k], value);
    }
  }
  // A plank may be flat; a line or a point has no size.
  const sizes = [0, 1, 2].filter((k) => max[k] - min[k] > LEAST_EXTENT * Math.max(-min[k], max[k]));
  if (sizes.length < 2) refuse(caller, `${path}.positions`, 'a line or a point', 'triangles with an area');
  return { positions, indices };
}
