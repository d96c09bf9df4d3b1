/**
 * Rings: area, winding, and a polygon with holes as one ring.
 *
 * An obstacle is one ring. A polygon with holes becomes one ring by following the outline, crossing to a
 * hole, following it in reverse, and crossing back. Both crossings cancel out, so winding numbers are 1
 * inside and 0 elsewhere, whatever the crossings intersect.
 *
 * Cost: linear, except for the choice of crossings.
 * Based on: own.
 */
import { nameRing, ringNameOf } from '../../base/plane/ring-names.ts';
import type { ParsedPolygon, ParsedPoint, ParsedRing } from './map.ts';

/** Maximum number of comparisons for the choice of crossings. */
const MAX_COMPARISONS = 1e7;

/**
 * Returns twice the area of a ring, positive when it is counter-clockwise with y up. Computed relative to the
 * ring, so it is exact enough for maps far from the origin.
 */
export function doubleArea(ring: ParsedRing): number {
  let sum = 0;
  const [ox, oy] = ring[0];
  let [ax, ay] = ring[ring.length - 1];
  for (const [bx, by] of ring) {
    sum += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy);
    ax = bx;
    ay = by;
  }
  return sum;
}

/** Returns a polygon as one ring. */
export function asOneRing({ outline, holes }: ParsedPolygon): ParsedRing {
  if (holes.length === 0) return outline;
  const sign = doubleArea(outline) < 0 ? -1 : 1;
  // The holes that are crossed to from each outline point.
  const visits = new Map<number, ParsedRing[]>();
  for (const hole of holes) {
    const turned = doubleArea(hole) * sign > 0 ? [...hole].reverse() : hole;
    const at = outline.length * holes.length > MAX_COMPARISONS ? 0 : nearestPoint(outline, turned[0]);
    const others = visits.get(at);
    if (others === undefined) visits.set(at, [turned]);
    else others.push(turned);
  }
  const ring: ParsedRing = [];
  for (let i = 0; i < outline.length; i++) {
    ring.push(outline[i]);
    for (const hole of visits.get(i) ?? []) {
      for (const point of hole) ring.push(point);
      ring.push(hole[0], outline[i]);
    }
  }
  return nameRing(ring, ringNameOf(outline));
}

function nearestPoint(ring: ParsedRing, [x, y]: ParsedPoint): number {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < ring.length; i++) {
    const dx = ring[i][0] - x;
    const dy = ring[i][1] - y;
    if (dx * dx + dy * dy >= least) continue;
    least = dx * dx + dy * dy;
    best = i;
  }
  return best;
}

/** Returns whether a point is inside a ring, by the even-odd rule. */
export function isInRing(ring: ParsedRing, x: number, y: number): boolean {
  let isIn = false;
  let [ax, ay] = ring[ring.length - 1];
  for (const [bx, by] of ring) {
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) isIn = !isIn;
    ax = bx;
    ay = by;
  }
  return isIn;
}

/** Returns the mean of the corners of a ring. */
export function middleOf(ring: ParsedRing): ParsedPoint {
  let sumX = 0;
  let sumY = 0;
  for (const [x, y] of ring) {
    sumX += x;
    sumY += y;
  }
  return [sumX / ring.length, sumY / ring.length];
}

/** Returns the area of a ring. */
export function areaOf(ring: ParsedRing): number {
  return Math.abs(doubleArea(ring)) / 2;
}
