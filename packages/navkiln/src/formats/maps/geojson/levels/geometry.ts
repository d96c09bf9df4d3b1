/**
 * Reads the geometry of indoor features: polygons, lines and points, in degrees or on a plane.
 *
 * Cost: linear.
 * Based on: RFC 7946; own code.
 */
import { MAX_NESTING, fail, readArray, readRecord, readRing, show } from '../../json-source.ts';
import type { JsonRecord, JsonSource } from '../../json-source.ts';
import type { ParsedPoint, ParsedPolygon, ParsedRing } from '../../map.ts';

export interface Geometry {
  polygons: ParsedPolygon[];
  lines: ParsedRing[];
  points: ParsedPoint[];
}

/** Adds the parts of a geometry. */
export function addGeometry(out: Geometry, source: JsonSource, given: JsonRecord, where: string, depth = 0): void {
  const { type, coordinates } = given;
  const list = (): readonly unknown[] => readArray(source, `${where}, coordinates`, coordinates);
  switch (type) {
    case 'Polygon':
      addPolygon(out, source, list(), where);
      break;
    case 'MultiPolygon':
      list().forEach((one, i) => addPolygon(out, source, readArray(source, `${where}, polygon ${i}`, one), where));
      break;
    case 'LineString':
      out.lines.push(readRing(source, where, coordinates));
      break;
    case 'MultiLineString':
      list().forEach((one) => out.lines.push(readRing(source, where, one)));
      break;
    case 'Point':
      for (const point of readRing(source, where, [coordinates])) out.points.push(point);
      break;
    case 'MultiPoint':
      for (const point of readRing(source, where, coordinates)) out.points.push(point);
      break;
    case 'GeometryCollection':
      if (depth === MAX_NESTING) fail(source, where, `has collections in collections ${MAX_NESTING} deep`);
      readArray(source, `${where}, geometries`, given['geometries']).forEach((one) =>
        addGeometry(out, source, readRecord(source, where, one), where, depth + 1),
      );
      break;
    default:
      fail(source, where, `has the type ${show(type)}, must be a geometry of GeoJSON`);
  }
}

function addPolygon(out: Geometry, source: JsonSource, given: readonly unknown[], where: string): void {
  const rings = given.map((one, i) => {
    const ring = readRing(source, `${where}, ring ${i}`, one);
    const [first, last] = [ring[0], ring[ring.length - 1]];
    if (ring.length > 1 && first[0] === last[0] && first[1] === last[1]) ring.pop();
    if (ring.length < 3)
      fail(source, `${where}, ring ${i}`, `has ${ring.length} different point(s), must have at least 3`);
    return ring;
  });
  if (rings.length > 0) out.polygons.push({ outline: rings[0], holes: rings.slice(1) });
}

/** Returns whether a point is inside a polygon. */
export function isInPolygon([x, y]: ParsedPoint, { outline, holes }: ParsedPolygon): boolean {
  let isInside = false;
  for (const ring of [outline, ...holes]) {
    let [ax, ay] = ring[ring.length - 1];
    for (const [bx, by] of ring) {
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
      [ax, ay] = [bx, by];
    }
  }
  return isInside;
}

/** Returns a point inside a polygon: the middle of the widest part of a line across it. */
export function pointInPolygon({ outline, holes }: ParsedPolygon): ParsedPoint {
  const ys = outline.map(([, y]) => y);
  const low = ys.reduce((a, b) => Math.min(a, b), Infinity);
  const high = ys.reduce((a, b) => Math.max(a, b), -Infinity);
  let best: ParsedPoint = outline[0];
  let widest = 0;
  for (const share of [0.5, 0.37, 0.63, 0.21, 0.79]) {
    const y = low + share * (high - low);
    const xs: number[] = [];
    for (const ring of [outline, ...holes]) {
      let [ax, ay] = ring[ring.length - 1];
      for (const [bx, by] of ring) {
        if (ay > y !== by > y) xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
        [ax, ay] = [bx, by];
      }
    }
    xs.sort((a, b) => a - b);
    for (let k = 0; k + 1 < xs.length; k += 2) {
      // The middle of the polygon counts a little more.
      const width = (xs[k + 1] - xs[k]) * (share === 0.5 ? 1.2 : 1);
      if (width <= widest) continue;
      widest = width;
      best = [(xs[k] + xs[k + 1]) / 2, y];
    }
  }
  return best;
}

/** Returns the distance between a point and a polygon; 0 inside. */
export function distanceToPolygon(point: ParsedPoint, polygon: ParsedPolygon): number {
  if (isInPolygon(point, polygon)) return 0;
  const [x, y] = point;
  let least = Infinity;
  for (const ring of [polygon.outline, ...polygon.holes]) {
    let [ax, ay] = ring[ring.length - 1];
    for (const [bx, by] of ring) {
      const [dx, dy] = [bx - ax, by - ay];
      const size = dx * dx + dy * dy;
      const share = size > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / size)) : 0;
      const [ex, ey] = [x - ax - share * dx, y - ay - share * dy];
      least = Math.min(least, ex * ex + ey * ey);
      [ax, ay] = [bx, by];
    }
  }
  return Math.sqrt(least);
}
