/**
 * Rings: area, winding, and an area with holes as one ring.
 *
 * An obstacle is one ring. One with holes becomes one by going round the outline, over to a hole, round it the other way, and
 * back: the way there and back cancels out, so that whatever it crosses, winding numbers are 1 on the area and 0 elsewhere.
 * Linear, but for the choice of where to cross over. Based on: own.
 */
import type { ParsedPolygon, ParsedPoint, ParsedRing } from './map.ts';

/** Comparisons that may be spent on where to cross over to the holes. */
const MAX_COMPARISONS = 1e7;

/** Twice the area, positive when the ring is counter-clockwise with y up. Near the ring's place, for the sake of far maps. */
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

/** A polygon as one ring. */
export function asOneRing({ outline, holes }: ParsedPolygon): ParsedRing {
  if (holes.length === 0) return outline;
  const sign = doubleArea(outline) < 0 ? -1 : 1;
  // By outline point: the holes that are gone over to from there.
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
  return ring;
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
