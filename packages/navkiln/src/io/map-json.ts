/**
 * Reads JSON rings as a 2D map: `{ polygons: [{ outline, holes }], obstacles, yAxis }`. A polygon may be a bare
 * ring, and a map a bare polygon. Points are [x, y] or { x, y }. A repeated first point at the end of a ring
 * is dropped. y points up unless `yAxis` is 'down'.
 *
 * In: text, bytes or a parsed value.
 * Out: a 2D map.
 * Cost: linear.
 * Based on: own.
 */
import { createSource, fail, isRecord, readArray, readJson, readRecord, readRing, show } from './json-source.ts';
import type { JsonSource } from './json-source.ts';
import type { ParsedPolygon, ParsedRing, ParsedMap } from './map.ts';

/**
 * Reads a 2D map from text, bytes or an object of unknown origin. Throws an Error that names polygon, ring
 * and point for a fault in the map, and a TypeError for a wrong argument. `name` is the name of the file in
 * messages.
 */
export function parsePolygonMap(input: string | Uint8Array | object, name: string = 'map'): ParsedMap {
  const source = createSource('parsePolygonMap', name);
  const map = readJson(source, input);
  const yAxis = map['yAxis'] ?? 'up';
  if (yAxis !== 'up' && yAxis !== 'down') fail(source, 'yAxis', `is ${show(yAxis)}, must be "up" or "down"`);
  if (map['polygons'] === undefined && map['outline'] !== undefined) {
    return {
      polygons: [readPolygon(source, '', map)],
      obstacles: readObstacles(source, map['obstacles']),
      yAxis,
      warnings: [],
    };
  }
  if (map['polygons'] === undefined) {
    const form = '{ "polygons": [{ "outline": [[x, y], …], "holes": [[[x, y], …], …] }], "obstacles": […] }';
    fail(source, '', `has no "polygons"; a map is ${form}`);
  }
  const polygons = readArray(source, 'polygons', map['polygons']).map((value, i) =>
    readPolygon(source, `polygon ${i}`, value),
  );
  if (polygons.length === 0) fail(source, '', 'has no polygon, so there is no ground to walk on');
  return { polygons, obstacles: readObstacles(source, map['obstacles']), yAxis, warnings: [] };
}

function readPolygon(source: JsonSource, where: string, value: unknown): ParsedPolygon {
  const at = (part: string): string => (where === '' ? part : `${where}, ${part}`);
  // A bare ring is an outline.
  if (Array.isArray(value)) return { outline: readOpenRing(source, at('outline'), value), holes: [] };
  const polygon = readRecord(source, where, value);
  if (polygon['outline'] === undefined) {
    fail(source, where, `has no "outline" (its keys: ${show(Object.keys(polygon).slice(0, 4))})`);
  }
  const holes = polygon['holes'] === undefined ? [] : readArray(source, at('holes'), polygon['holes']);
  return {
    outline: readOpenRing(source, at('outline'), polygon['outline']),
    holes: holes.map((hole, i) => readOpenRing(source, at(`hole ${i}`), hole)),
  };
}

function readObstacles(source: JsonSource, value: unknown): ParsedRing[] {
  if (value === undefined) return [];
  return readArray(source, 'obstacles', value).map((ring, i) => readOpenRing(source, `obstacle ${i}`, ring));
}

function readOpenRing(source: JsonSource, where: string, value: unknown): ParsedRing {
  const ring = readRing(source, where, value);
  if (ring.length > 3) {
    const [x, y] = ring[0];
    const [u, v] = ring[ring.length - 1];
    if (x === u && y === v) ring.pop();
  }
  if (ring.length < 3) fail(source, where, `has ${ring.length} point(s), must have at least 3`);
  return ring;
}

/** Returns the format of a parsed JSON file, or undefined when it is none of the known formats. */
export function guessMapFormat(value: unknown): 'geojson' | 'tiled' | 'map' | undefined {
  if (!isRecord(value)) return undefined;
  if (value['polygons'] !== undefined || value['outline'] !== undefined) return 'map';
  if (value['type'] === 'map' || value['tiledversion'] !== undefined || value['layers'] !== undefined) return 'tiled';
  return typeof value['type'] === 'string' ? 'geojson' : undefined;
}
