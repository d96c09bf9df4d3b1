/**
 * Reads GeoJSON (RFC 7946) as a 2D map.
 *
 * It reads Polygon and MultiPolygon, alone or in Features, FeatureCollections and GeometryCollections. A feature is
 * walkable unless its properties mark it as an obstacle. Points and lines have no area; they are dropped with a
 * warning. Elevations are dropped silently.
 *
 * In: text, bytes or the parsed object.
 * Out: walkable polygons, obstacles, and the projection that was used.
 * Cost: linear.
 * Based on: RFC 7946; own code.
 */
import { checkKeys } from '../data/refuse.ts';
import { cosDegrees } from '../math/degrees.ts';
import { createProjection, projectPoint } from './geojson-projection.ts';
import type { MapProjection } from './geojson-projection.ts';
import {
  MAX_NESTING,
  createSource,
  fail,
  isRecord,
  readArray,
  readJson,
  readNumber,
  readRecord,
  readRing,
  show,
  warn,
} from './json-source.ts';
import type { JsonRecord, JsonSource } from './json-source.ts';
import type { ParsedArea, ParsedMap, ParsedPoint, ParsedPolygon, ParsedRing } from './map.ts';
import { asOneRing } from './rings.ts';

/** Relative error of lengths at the edges of a map from which on a warning is given. */
const MAX_DISTORTION = 0.01;

/** Options of `parseGeoJson`. */
export interface GeoJsonOptions {
  /**
   * 'local': longitude and latitude in degrees become meters around the middle of the map, x east, y north. 'none':
   * coordinates are kept. The projection of an earlier map: both maps lie on the same plane. Default 'local', and
   * 'none' for a file whose root has the member `"projection": "none"`.
   */
  projection?: 'local' | 'none' | MapProjection;
  /**
   * Returns whether a feature is an obstacle. Default: its property `obstacle` is true, or `walkable` is
   * false.
   */
  isObstacle?: (properties: Readonly<Record<string, unknown>>, feature: Readonly<Record<string, unknown>>) => boolean;
  /** Name of the file in messages. Default 'GeoJSON'. */
  name?: string;
}

/** Result of `parseGeoJson`. */
export interface GeoJsonMap extends ParsedMap {
  /** The projection that was used; undefined with projection 'none'. */
  projection: MapProjection | undefined;
}

/** Roles of features: walkable, obstacle, or area. */
interface Features {
  ground: ParsedPolygon[];
  obstacles: ParsedPolygon[];
  areas: ParsedArea[];
}

interface Reader extends Features {
  source: JsonSource;
  options: GeoJsonOptions;
  /** Features of layers, by name. */
  layers: Map<string, Features & { enabled: boolean }>;
  /** Number of objects that were dropped. */
  otherCount: number;
}

const TYPES = 'Feature, FeatureCollection, Polygon, MultiPolygon or GeometryCollection';

/**
 * Reads a 2D map from GeoJSON. Throws an Error that names feature, ring and point for a fault in the file, or
 * when it has no area; throws a TypeError for a wrong argument.
 */
export function parseGeoJson(input: string | Uint8Array | object, options: GeoJsonOptions = {}): GeoJsonMap {
  checkKeys('parseGeoJson', options, ['projection', 'isObstacle', 'name']);
  const { isObstacle, name = 'GeoJSON' } = options;
  if (isObstacle !== undefined && typeof isObstacle !== 'function') {
    throw new TypeError(
      `parseGeoJson: options.isObstacle is ${show(isObstacle)}; must be a function of a feature's properties`,
    );
  }
  const source = createSource('parseGeoJson', name);
  const root = readJson(source, input);
  const { projection = root['projection'] === 'none' ? 'none' : 'local' } = options;
  if (projection !== 'local' && projection !== 'none' && !isProjection(projection)) {
    throw new TypeError(
      `parseGeoJson: options.projection is ${show(projection)}; must be 'local', 'none' or a result of createProjection()`,
    );
  }
  const reader: Reader = { source, options, ...noFeatures(), layers: new Map(), otherCount: 0 };
  readThing(reader, root, '', 0);
  const { ground, obstacles, areas, layers } = reader;
  if (ground.length === 0) {
    const others = obstacles.length > 0 ? `only ${obstacles.length} obstacle(s)` : 'no Polygon and no MultiPolygon';
    fail(source, '', `has ${others}, so nothing is walkable`);
  }
  const all = [reader, ...layers.values()].flatMap((one) => [...one.ground, ...one.obstacles, ...one.areas]);
  const digits = digitsOf(all);
  const used = project(source, all, projection);
  const precision = precisionOf(all, digits, used);
  const read = [...layers].map(([layer, { enabled, ...features }]) => ({
    name: layer,
    enabled,
    polygons: features.ground,
    obstacles: features.obstacles.map(asOneRing),
    areas: features.areas,
  }));
  return {
    polygons: ground,
    obstacles: obstacles.map(asOneRing),
    ...(areas.length > 0 ? { areas } : {}),
    ...(read.length > 0 ? { layers: read } : {}),
    yAxis: 'up',
    ...(precision > 0 ? { precision } : {}),
    warnings: [...source.warnings.values()],
    projection: used,
  };
}

/** Digits after the point from which on coordinates are as exact as numbers can be. */
const MAX_DIGITS = 12;
/** Fewer digits than these are of maps drawn on a grid, whose points are where they should be. */
const LEAST_DIGITS = 3;
/** Corners of rooms are not joined over more than this: meters, and a share of the map's extent. */
const MAX_PRECISION = 0.05;
const MAX_PRECISION_SHARE = 1e-4;

function* pointsOf(polygons: readonly ParsedPolygon[]): Generator<ParsedPoint> {
  for (const { outline, holes } of polygons) for (const ring of [outline, ...holes]) yield* ring;
}

/** Returns the largest number of digits after the point of all coordinates, up to `MAX_DIGITS`. */
function digitsOf(polygons: readonly ParsedPolygon[]): number {
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
function precisionOf(
  polygons: readonly ParsedPolygon[],
  digits: number,
  projection: MapProjection | undefined,
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
  const unit = projection === undefined ? 1 : projection.metersPerDegree[1];
  let scale = 1;
  for (let k = 0; k < digits; k++) scale *= 10;
  const most = projection === undefined ? Infinity : MAX_PRECISION;
  return Math.min((1.5 * unit) / scale, most, MAX_PRECISION_SHARE * extent);
}

function noFeatures(): Features {
  return { ground: [], obstacles: [], areas: [] };
}

function isProjection(value: unknown): value is MapProjection {
  return (
    isRecord(value) &&
    [value['origin'], value['metersPerDegree']].every((pair) => {
      return (
        Array.isArray(pair) &&
        pair.length === 2 &&
        pair.every((number) => Number.isFinite(number) && number !== Infinity)
      );
    })
  );
}

/** Reads a GeoJSON object that can be the root of a file. */
function readThing(reader: Reader, thing: JsonRecord, where: string, depth: number): void {
  const { source } = reader;
  if (thing['type'] === 'FeatureCollection') {
    const features = readArray(source, 'features', thing['features']);
    for (let i = 0; i < features.length; i++) {
      readFeature(reader, readRecord(source, `feature ${i}`, features[i]), `feature ${i}`);
    }
  } else if (thing['type'] === 'Feature') {
    readFeature(reader, thing, 'the feature');
  } else {
    readGeometry(reader, thing, where, reader.ground, depth);
  }
}

function readFeature(reader: Reader, feature: JsonRecord, place: string): void {
  const { source, options } = reader;
  const { id, type, geometry } = feature;
  const where = typeof id === 'string' || typeof id === 'number' ? `${place} (id ${show(id)})` : place;
  if (type !== 'Feature') fail(source, where, `has the type ${show(type)}, must be a Feature`);
  const properties = isRecord(feature['properties']) ? feature['properties'] : {};
  if (geometry === null || geometry === undefined) return;
  const says = properties['obstacle'] === true || properties['walkable'] === false;
  const lists = layerOf(reader, properties, where);
  const shape = readRecord(source, `${where}, geometry`, geometry);
  const { area, cost } = properties;
  if (typeof area === 'string' && area !== '') {
    const polygons: ParsedPolygon[] = [];
    readGeometry(reader, shape, where, polygons, 0);
    const known = cost === undefined || cost === null ? {} : { cost: readNumber(source, `${where}, cost`, cost) };
    for (const polygon of polygons) lists.areas.push({ name: area, ...known, ...polygon });
    return;
  }
  const out = (options.isObstacle?.(properties, feature) ?? says) ? lists.obstacles : lists.ground;
  readGeometry(reader, shape, where, out, 0);
}

/** Returns the lists of a feature's layer. A layer is off when one of its features has `enabled: false`. */
function layerOf(reader: Reader, { layer, enabled }: JsonRecord, where: string): Features {
  if (layer === undefined || layer === null) return reader;
  if (typeof layer !== 'string' || layer === '')
    fail(reader.source, where, `has the layer ${show(layer)}, must be a string`);
  let known = reader.layers.get(layer);
  if (known === undefined) reader.layers.set(layer, (known = { ...noFeatures(), enabled: true }));
  if (enabled === false) known.enabled = false;
  return known;
}

function readGeometry(reader: Reader, geometry: JsonRecord, where: string, out: ParsedPolygon[], depth: number): void {
  const { source } = reader;
  const { type, coordinates } = geometry;
  const at = (part: string): string => (where === '' ? part : `${where}, ${part}`);
  switch (type) {
    case 'Polygon':
      readPolygon(source, coordinates, where, out);
      break;
    case 'MultiPolygon': {
      const polygons = readArray(source, at('coordinates'), coordinates);
      for (let i = 0; i < polygons.length; i++) readPolygon(source, polygons[i], at(`polygon ${i}`), out);
      break;
    }
    case 'GeometryCollection': {
      if (depth === MAX_NESTING) fail(source, where, `has collections in collections ${MAX_NESTING} deep`);
      const geometries = readArray(source, at('geometries'), geometry['geometries']);
      for (let i = 0; i < geometries.length; i++) {
        const part = at(`geometry ${i}`);
        // Deep nesting would make long names.
        readGeometry(reader, readRecord(source, part, geometries[i]), depth < 3 ? part : where, out, depth + 1);
      }
      break;
    }
    case 'Point':
    case 'MultiPoint':
    case 'LineString':
    case 'MultiLineString':
      warn(source, 'not-an-area', where, `a ${type} has no area; left out`);
      break;
    default:
      if (type === 'Topology')
        fail(source, where, 'is TopoJSON, must be GeoJSON; convert it, for example with topo2geo');
      fail(source, where, `has the type ${show(type)}, must be ${TYPES}`);
  }
}

function readPolygon(source: JsonSource, coordinates: unknown, where: string, out: ParsedPolygon[]): void {
  const at = (part: string): string => (where === '' ? part : `${where}, ${part}`);
  const rings = readArray(source, at('coordinates'), coordinates);
  // An empty polygon is valid and has no area.
  if (rings.length === 0) return;
  const read = rings.map((ring, i) => readClosedRing(source, ring, at(`ring ${i}`)));
  out.push({ outline: read[0], holes: read.slice(1) });
}

function readClosedRing(source: JsonSource, value: unknown, where: string): ParsedRing {
  const ring = readRing(source, where, value);
  if (ring.length > 1) {
    const [x, y] = ring[0];
    const [u, v] = ring[ring.length - 1];
    if (x === u && y === v) ring.pop();
    else warn(source, 'ring-not-closed', where, 'does not end where it begins; closed by a straight line');
  }
  if (ring.length < 3) fail(source, where, `has ${ring.length} different point(s), must have at least 3`);
  return ring;
}

/** Projects all rings onto the plane. Returns the projection that was used. */
function project(
  source: JsonSource,
  polygons: readonly ParsedPolygon[],
  wanted: 'local' | 'none' | MapProjection,
): MapProjection | undefined {
  if (wanted === 'none') return undefined;
  const min: ParsedPoint = [Infinity, Infinity];
  const max: ParsedPoint = [-Infinity, -Infinity];
  for (const { outline, holes } of polygons) {
    for (const ring of [outline, ...holes]) {
      for (const [x, y] of ring) {
        if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) {
          const remedy = "are they in metres? Then use projection: 'none'";
          fail(source, '', `holds [${x}, ${y}], which is no longitude and latitude; ${remedy}`);
        }
        if (x < min[0]) min[0] = x;
        if (x > max[0]) max[0] = x;
        if (y < min[1]) min[1] = y;
        if (y > max[1]) max[1] = y;
      }
    }
  }
  const projection =
    wanted === 'local' ? createProjection([(min[0] + max[0]) / 2, middle(source, min[1], max[1])]) : wanted;
  const here = cosDegrees(projection.origin[1]);
  const distortion = Math.max(Math.abs(cosDegrees(min[1]) - here), Math.abs(cosDegrees(max[1]) - here)) / here;
  if (distortion > MAX_DISTORTION || max[0] - min[0] > 180) {
    const reach = `${(max[0] - min[0]).toFixed(2)} x ${(max[1] - min[1]).toFixed(2)} degrees`;
    const error = `${(100 * distortion).toFixed(1)} %`;
    warn(source, 'wide-area', '', `reaches over ${reach}: on a plane, lengths are wrong by up to ${error}`);
  }
  for (const { outline, holes } of polygons) {
    for (const ring of [outline, ...holes]) {
      for (const point of ring) [point[0], point[1]] = projectPoint(projection, point);
    }
  }
  return projection;
}

function middle(source: JsonSource, least: number, most: number): number {
  const latitude = (least + most) / 2;
  if (latitude === 90 || latitude === -90)
    fail(source, '', `lies at a pole, where there is no plane of longitude and latitude`);
  return latitude;
}
