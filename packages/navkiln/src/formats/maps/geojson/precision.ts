/**
 * Finds out with how many digits a map was written, and how far apart points may lie therefore that should touch.
 *
 * Cost: linear. Based on: own.
 */
import type { ParsedPoint, ParsedPolygon } from '../map.ts';

/** Digits after the point from which on coordinates are as exact as numbers can be. */
const MAX_DIGITS = 12;
/** Fewer digits than these are of maps drawn on a grid, whose points are where they should be. */
const LEAST_DIGITS = 3;
/** Corners of rooms are not joined over more than this: meters, and a share of the map's extent. */
const MAX_PRECISION = 0.05;
const MAX_PRECISION_SHARE = 1e-3;

function* pointsOf(polygons: readonly ParsedPolygon[]): Generator<ParsedPoint> {
  for (const { outline, holes } of polygons) for (const ring of [outline, ...holes]) yield* ring;
}

/** Returns the largest number of digits after the point of all coordinates, up to `MAX_DIGITS`. */
export function digitsOf(polygons: readonly ParsedPolygon[]): number {
  let digits = 0;
  let scale = 1;
  for (const point of pointsOf(polygons)) {
    for (const value of point) {
      while (digits < MAX_DIGITS && Math.round(value * scale) / scale !== value) {
        digits++;
        scale *= 10;
      }
    }
  }
  return digits;
}

/** Returns how far apart points may lie that should touch: corner and side are off by half a unit of the last digit each. */
export function precisionOf(
  polygons: readonly ParsedPolygon[],
  digits: number,
  metersPerUnit: number | undefined,
): number {
  if (digits >= MAX_DIGITS || digits < LEAST_DIGITS) return 0;
  const min: ParsedPoint = [Infinity, Infinity];
  const max: ParsedPoint = [-Infinity, -Infinity];
  for (const [x, y] of pointsOf(polygons)) {
    min[0] = Math.min(min[0], x);
    min[1] = Math.min(min[1], y);
    max[0] = Math.max(max[0], x);
    max[1] = Math.max(max[1], y);
  }
  const extent = Math.max(max[0] - min[0], max[1] - min[1]);
  const unit = metersPerUnit ?? 1;
  let scale = 1;
  for (let k = 0; k < digits; k++) scale *= 10;
  const most = metersPerUnit === undefined ? Infinity : MAX_PRECISION;
  return Math.min((1.5 * unit) / scale, most, MAX_PRECISION_SHARE * extent);
}
