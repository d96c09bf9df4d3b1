/**
 * Reads JSON rings as a 2D map: `{ polygons: [{ outline, holes }], obstacles, areas, layers, yAxis, precision }`. A polygon may be
 * a bare ring, and a map a bare polygon. Points are [x, y] or { x, y }. A repeated first point at the end of a ring
 * is dropped. y points up unless `yAxis` is 'down'.
 *
 * In: text, bytes or a parsed value.
 * Out: a 2D map.
 * Cost: linear.
 * Based on: own.
 */
import {
  createSource,
  fail,
  isRecord,
  readArray,
  readJson,
  readNumber,
  readRecord,
  readRing,
  show,
} from './json-source.ts';
import type { JsonRecord, JsonSource } from './json-source.ts';
import type { ParsedArea, ParsedLayer, ParsedLink, ParsedMap, ParsedPolygon, ParsedRing } from './map.ts';

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
      obstacles: readObstacles(source, '', map['obstacles']),
      ...readMarks(source, map),
      yAxis,
      warnings: [],
    };
  }
  if (map['polygons'] === undefined) {
    const form = '{ "polygons": [{ "outline": [[x, y], …], "holes": [[[x, y], …], …] }], "obstacles": […] }';
    fail(source, '', `has no "polygons"; a map is ${form}`);
  }
  const polygons = readPolygons(source, '', map['polygons']);
  if (polygons.length === 0) fail(source, '', 'has no polygon, so nothing is walkable');
  const obstacles = readObstacles(source, '', map['obstacles']);
  return { polygons, obstacles, ...readMarks(source, map), yAxis, warnings: [] };
}

/** Reads areas, layers, links and the precision. Fields that the map does not have are left out. */
function readMarks(source: JsonSource, map: JsonRecord): Pick<ParsedMap, 'areas' | 'layers' | 'links' | 'precision'> {
  const { areas, layers, links, precision } = map;
  return {
    ...(precision === undefined ? {} : { precision: readNumber(source, 'precision', precision) }),
    ...(areas === undefined ? {} : { areas: readAreas(source, '', areas) }),
    ...(layers === undefined ? {} : { layers: readLayers(source, layers) }),
    ...(links === undefined ? {} : { links: readLinks(source, links) }),
  };
}

function readLinks(source: JsonSource, value: unknown): ParsedLink[] {
  return readArray(source, 'links', value).map((one, i) => {
    const { start, end } = readRecord(source, `link ${i}`, one);
    const points = readRing(source, `link ${i}`, [start, end]);
    return { start: points[0], end: points[1] };
  });
}

function readAreas(source: JsonSource, where: string, value: unknown): ParsedArea[] {
  if (value === undefined) return [];
  return readArray(source, `${where}areas`, value).map((one, i) => {
    const at = `${where}area ${i}`;
    const area = readRecord(source, at, one);
    const { name, cost, enabled } = area;
    if (typeof name !== 'string' || name === '') fail(source, at, `has the name ${show(name)}, must have a string`);
    if (enabled !== undefined && typeof enabled !== 'boolean')
      fail(source, `${at}, enabled`, `is ${show(enabled)}, must be true or false`);
    return {
      name,
      ...(enabled === undefined ? {} : { enabled }),
      ...readPolygon(source, at, area),
      ...(cost === undefined ? {} : { cost: readNumber(source, `${at}, cost`, cost) }),
    };
  });
}

function readLayers(source: JsonSource, value: unknown): ParsedLayer[] {
  return readArray(source, 'layers', value).map((one, i) => {
    const where = `layer ${i}`;
    const { name, enabled = true, polygons, obstacles, areas } = readRecord(source, where, one);
    if (typeof name !== 'string' || name === '') fail(source, where, `has the name ${show(name)}, must have a string`);
    if (typeof enabled !== 'boolean') fail(source, `${where}, enabled`, `is ${show(enabled)}, must be true or false`);
    return {
      name,
      enabled,
      polygons: polygons === undefined ? [] : readPolygons(source, `${where}, `, polygons),
      obstacles: readObstacles(source, `${where}, `, obstacles),
      areas: readAreas(source, `${where}, `, areas),
    };
  });
}

function readPolygons(source: JsonSource, where: string, value: unknown): ParsedPolygon[] {
  return readArray(source, `${where}polygons`, value).map((one, i) => readPolygon(source, `${where}polygon ${i}`, one));
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

function readObstacles(source: JsonSource, where: string, value: unknown): ParsedRing[] {
  if (value === undefined) return [];
  return readArray(source, `${where}obstacles`, value).map((ring, i) =>
    readOpenRing(source, `${where}obstacle ${i}`, ring),
  );
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
