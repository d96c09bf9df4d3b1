/**
 * Converts Tiled's objects to rings: rectangles, polygons, ellipses and capsules, with their rotation.
 *
 * Round obstacles become polygons around the shape, round walkable areas polygons inside it. No side is
 * further from the shape than the tolerance.
 *
 * Cost: linear in corners.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import { isRecord, readNumber, readRing, show, spend, warn } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import { ringsOfLine } from '../lines.ts';
import type { ParsedRing } from '../map.ts';
import { compose, rotation, transform, translation } from './affine.ts';
import { fail } from '../json-source.ts';

const MAX_SIDES = 1024;
/** Memory of a point [x, y] of a ring, twice: as read and as transformed. */
export const POINT_BYTES = 96;

/**
 * Returns the ring of an object in its own coordinates, or undefined (with a warning where useful) when it
 * has no area. `isGround`: round shapes are walkable, so they are approximated from inside.
 */
export function readShape(
  source: JsonSource,
  where: string,
  object: JsonRecord,
  tolerance: number,
  isGround: boolean,
): ParsedRing | undefined {
  const number = (key: string): number => readNumber(source, `${where}, ${key}`, object[key], 0);
  if (object['point'] === true || isRecord(object['text'])) return undefined;
  if (object['polyline'] !== undefined) {
    warn(source, 'not-an-area', where, 'a polyline has no area; left out');
    return undefined;
  }
  const x = number('x');
  const y = number('y');
  const width = number('width');
  const height = number('height');
  const degrees = number('rotation');
  let ring: ParsedRing;
  if (object['polygon'] !== undefined) {
    ring = readRing(source, `${where}, polygon`, object['polygon']);
    if (ring.length < 3) fail(source, `${where}, polygon`, `has ${ring.length} point(s), must have at least 3`);
  } else {
    if (width < 0 || height < 0)
      fail(source, where, `is ${show(width, source)} x ${show(height, source)} large; sizes must not be negative`);
    if (width === 0 || height === 0) {
      warn(
        source,
        'shape-without-area',
        where,
        width === 0 && height === 0
          ? 'a shape without a size has no area; left out'
          : 'a shape without a width or a height has no area; left out',
      );
      return undefined;
    }
    if (object['ellipse'] === true)
      ring = roundShape(width, height, Math.max(width, height) / 2, tolerance, isGround, false);
    else if (object['capsule'] === true)
      ring = roundShape(width, height, Math.min(width, height) / 2, tolerance, isGround, true);
    else
      ring = [
        [0, 0],
        [width, 0],
        [width, height],
        [0, height],
      ];
  }
  spend(source, where, POINT_BYTES * ring.length, `a shape of ${ring.length} corners`);
  const placed = translation(x, y);
  return transform(ring, degrees === 0 ? placed : compose(placed, rotation(degrees)));
}

/** Width of polylines on layers of walls, pixels. */
const LINE_WIDTH = 1;

/** Returns a polyline as rings of a pixel's width, in the coordinates of its layer. */
export function readLine(source: JsonSource, where: string, object: JsonRecord): ParsedRing[] {
  const number = (key: string): number => readNumber(source, `${where}, ${key}`, object[key], 0);
  const points = readRing(source, `${where}, polyline`, object['polyline']);
  const rings = ringsOfLine(points, LINE_WIDTH, false);
  const placed = compose(translation(number('x'), number('y')), rotation(number('rotation')));
  for (const ring of rings) spend(source, where, POINT_BYTES * ring.length, `a line of ${points.length} points`);
  return rings.map((ring) => transform(ring, placed));
}

/** Returns how many sides a polygon has that is no further than the tolerance from a circle. */
function sidesOf(radius: number, tolerance: number): number {
  // A polygon around a circle is at most r (1 / cos - 1) away from it; one inside it is closer. Scaling down
  // moves nothing further.
  let sides = 8;
  while (sides < MAX_SIDES && radius * (1 / cosDegrees(180 / sides) - 1) > tolerance) sides += 4;
  return sides;
}

/**
 * Fails when the round shapes of a layer would take more than the budget, before the first is made: an object of a few bytes has up
 * to `MAX_SIDES` corners.
 */
export function checkRoundShapes(
  source: JsonSource,
  where: string,
  objects: readonly unknown[],
  tolerance: number,
): void {
  let points = 0;
  for (const object of objects) {
    if (!isRecord(object) || (object['ellipse'] !== true && object['capsule'] !== true)) continue;
    const { width, height } = object;
    if (typeof width !== 'number' || typeof height !== 'number') continue;
    const size = object['ellipse'] === true ? Math.max(width, height) : Math.min(width, height);
    // The largest shapes are the ones that matter; the exact number of the others is not worth its time.
    points += size > 1000 * tolerance ? sidesOf(size / 2, tolerance) : 8;
    if (POINT_BYTES * points > source.budget.limitBytes) break;
  }
  spend(source, where, POINT_BYTES * points, `round shapes of ${points} corners or more`);
}

/**
 * Returns an ellipse that fills width x height, or a capsule: a rectangle with half circles at its short
 * sides.
 */
function roundShape(
  width: number,
  height: number,
  radius: number,
  tolerance: number,
  isGround: boolean,
  isCapsule: boolean,
): ParsedRing {
  const sides = sidesOf(radius, tolerance);
  const reach = isGround ? 1 : 1 / cosDegrees(180 / sides);
  const rx = isCapsule ? radius : width / 2;
  const ry = isCapsule ? radius : height / 2;
  const ring: ParsedRing = [];
  for (let i = 0; i < sides; i++) {
    // Corners lie off the axes, so that both halves of a capsule have the same number.
    const angle = ((i + 0.5) * 360) / sides;
    const c = cosDegrees(angle);
    const s = sinDegrees(angle);
    const cx = c > 0 ? width - rx : rx;
    const cy = s > 0 ? height - ry : ry;
    ring.push([cx + rx * reach * c, cy + ry * reach * s]);
  }
  return ring;
}
