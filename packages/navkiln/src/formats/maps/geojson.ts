/**
 * Reads GeoJSON (RFC 7946) as a 2D map.
 *
 * It reads Polygon and MultiPolygon, alone or in Features, FeatureCollections and GeometryCollections. A feature is
 * walkable unless its properties or the options make it an obstacle. Lines with a width and points with a radius become
 * areas; others are dropped with a warning. Elevations are dropped silently.
 *
 * In: text, bytes or the parsed object.
 * Out: walkable polygons, obstacles, and the projection that was used.
 * Cost: linear.
 * Based on: RFC 7946; own code.
 */
import { plural } from '../../base/data/plural.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import { nameRing } from '../../base/plane/ring-names.ts';
import { cosDegrees } from '../../base/math/degrees.ts';
import { createProjection, isProjection, projectPoint } from './geojson-projection.ts';
import { digitsOf, precisionOf } from './geojson/precision.ts';
import { roleOf } from './geojson/levels/roles.ts';
import { BUILDINGS, exampleOf, isLevelKey, levelOf, matches, readSelectors, tagsOf } from './geojson/select.ts';
import type { Selector } from './geojson/select.ts';
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
import { lengthOf, ringsOfLine } from './lines.ts';
import { areaOf, asOneRing } from './rings.ts';

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
  /**
   * Conditions that a feature must meet to be read, such as `["level=0"]`: "property=value", or "property" for any value but
   * false and "no". The member `feature_type` of IMDF counts as a property. Default: none.
   */
  where?: readonly string[];
  /** Features that meet one of these conditions are obstacles. Default: see `isObstacle`. */
  obstacles?: readonly string[];
  /** Features that meet one of these conditions are walkable, and no others. Default: all that are no obstacles. */
  walkable?: readonly string[];
  /** Width of lines without the property `width`, meters. Default: they are left out. */
  lineWidth?: number;
  /** The file is one of several that become one map, so it may have no floor. Default false. */
  isPart?: boolean;
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

/** A line with a width, before it is projected. */
interface Line {
  points: ParsedRing;
  width: number;
  out: ParsedPolygon[];
  isWalkable: boolean;
  /** Its feature. */
  where: string;
}

/** Where the shapes of a feature go. */
interface Target {
  out: ParsedPolygon[];
  isWalkable: boolean;
  /** Width of lines; undefined: they are left out. */
  width: number | undefined;
  /** Radius of points; undefined: they are left out. */
  radius: number | undefined;
}

interface Reader extends Features {
  source: JsonSource;
  options: GeoJsonOptions;
  /** Features of layers, by name. */
  layers: Map<string, Features & { enabled: boolean }>;
  where: Selector[];
  obstacleRules: Selector[];
  walkableRules: Selector[] | undefined;
  lines: Line[];
  /** Walkable features by the property that names their level, and its values. */
  levels: Map<string, Map<string, number>>;
  /** Those of these properties whose features are floors and rooms for `parseGeoJsonLevels`. */
  floorKeys: Set<string>;
  /** Walkable polygons that are buildings, by the condition that they meet. */
  buildings: Map<string, ParsedPolygon[]>;
  /** How many of each kind are left out. */
  left: Map<string, number>;
}

const OPTION_KEYS = ['projection', 'isObstacle', 'where', 'obstacles', 'walkable', 'lineWidth', 'isPart', 'name'];
const TYPES = 'Feature, FeatureCollection, Polygon, MultiPolygon or GeometryCollection';

/**
 * Reads a 2D map from GeoJSON. Throws an Error that names feature, ring and point for a fault in the file, or
 * when it has no area; throws a TypeError for a wrong argument.
 */
export function parseGeoJson(input: string | Uint8Array | object, options: GeoJsonOptions = {}): GeoJsonMap {
  checkKeys('parseGeoJson', options, OPTION_KEYS);
  const { isObstacle, isPart, name = 'GeoJSON' } = options;
  if (isPart !== undefined && typeof isPart !== 'boolean')
    throw new TypeError(`parseGeoJson: options.isPart is ${show(isPart)}; must be true or false`);
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
  const { where: conditions = [], obstacles: blocking = [], walkable, lineWidth } = options;
  if (lineWidth !== undefined && !(typeof lineWidth === 'number' && lineWidth > 0 && lineWidth < Infinity)) {
    throw new RangeError(`parseGeoJson: options.lineWidth is ${show(lineWidth)}; must be > 0`);
  }
  const reader: Reader = {
    source,
    options,
    ...noFeatures(),
    layers: new Map(),
    where: readSelectors('parseGeoJson', 'where', conditions),
    obstacleRules: readSelectors('parseGeoJson', 'obstacles', blocking),
    walkableRules: walkable === undefined ? undefined : readSelectors('parseGeoJson', 'walkable', walkable),
    lines: [],
    levels: new Map(),
    floorKeys: new Set(),
    buildings: new Map(),
    left: new Map(),
  };
  readThing(reader, root, '', 0);
  const { ground, obstacles, areas, layers } = reader;
  const isEmpty = ground.length === 0 && !reader.lines.some(({ out }) => out === ground);
  if (isEmpty && (isPart !== true || obstacles.length + areas.length + layers.size + reader.lines.length === 0))
    failWithoutGround(reader);
  // Lines are projected as rings, and become areas on the plane.
  const lines = reader.lines.map(({ points }) => ({ outline: points, holes: [] }));
  const all = [reader, ...layers.values()].flatMap((one) => [...one.ground, ...one.obstacles, ...one.areas]);
  for (const line of lines) all.push(line);
  const digits = digitsOf(all);
  const used = project(source, all, projection);
  for (const { points, width, out, isWalkable, where } of reader.lines) {
    for (const outline of ringsOfLine(points, width, isWalkable))
      out.push({ outline: nameRing(outline, `${source.name}, ${where}`), holes: [] });
  }
  warnOfLevels(reader);
  warnOfBuildings(reader);
  const precision = precisionOf(all, digits, used?.metersPerDegree[1]);
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

function noFeatures(): Features {
  return { ground: [], obstacles: [], areas: [] };
}

/** Throws an Error that counts what the file has, with what makes it walkable. */
function failWithoutGround({ source, obstacles, areas, layers, left }: Reader): never {
  if (obstacles.length > 0) left.set('obstacle(s)', obstacles.length);
  if (areas.length > 0) left.set('area(s)', areas.length);
  if (layers.size > 0) left.set('layer(s)', layers.size);
  const has = (...types: string[]): boolean => types.some((type) => left.has(type));
  const list = [...left].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const what = [`has ${list === '' ? 'no Polygon and no MultiPolygon' : `only ${list}`}, so nothing is walkable`];
  if (has('obstacle(s)', 'area(s)', 'layer(s)')) what.push('a Polygon around them, as a further feature, is the floor');
  if (has('LineString', 'MultiLineString'))
    what.push('the property width, or lineWidth: 2 (--map-line-width 2), makes lines walkable');
  if (has('Point', 'MultiPoint')) what.push('the property radius makes points walkable');
  fail(source, '', what.join('; '));
}

function leave({ left }: Reader, kind: string): void {
  left.set(kind, (left.get(kind) ?? 0) + 1);
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
    const target = { out: reader.ground, isWalkable: true, width: reader.options.lineWidth, radius: undefined };
    readGeometry(reader, thing, where, target, depth);
  }
}

function readFeature(reader: Reader, feature: JsonRecord, place: string): void {
  const { source, options } = reader;
  const { id, type, geometry } = feature;
  const where = typeof id === 'string' || typeof id === 'number' ? `${place} (id ${show(id)})` : place;
  if (type !== 'Feature') fail(source, where, `has the type ${show(type)}, must be a Feature`);
  const properties = isRecord(feature['properties']) ? feature['properties'] : {};
  const tags = tagsOf(feature, properties);
  if (geometry === null || geometry === undefined) return leave(reader, 'feature(s) without a geometry');
  if (!reader.where.every((rule) => matches(tags, rule))) return leave(reader, 'feature(s) that do not meet where');
  const says = properties['obstacle'] === true || properties['walkable'] === false;
  const lists = layerOf(reader, properties, where);
  const shape = readRecord(source, `${where}, geometry`, geometry);
  const { area, cost } = properties;
  if (typeof area === 'string' && area !== '') {
    const polygons: ParsedPolygon[] = [];
    readGeometry(reader, shape, where, { out: polygons, isWalkable: true, width: undefined, radius: undefined }, 0);
    const known = cost === undefined || cost === null ? {} : { cost: readNumber(source, `${where}, cost`, cost) };
    for (const polygon of polygons) lists.areas.push({ name: area, ...known, ...polygon });
    return;
  }
  const isObstacle =
    reader.obstacleRules.some((rule) => matches(tags, rule)) || (options.isObstacle?.(properties, feature) ?? says);
  if (!isObstacle && reader.walkableRules?.some((rule) => matches(tags, rule)) === false) {
    leave(reader, 'feature(s) that do not meet walkable');
    warn(source, 'not-selected', where, 'is neither walkable nor an obstacle by the options; left out');
    return;
  }
  const out = isObstacle ? lists.obstacles : lists.ground;
  const before = out.length;
  const width = lengthOf(properties['width']) ?? options.lineWidth;
  readGeometry(
    reader,
    shape,
    where,
    { out, isWalkable: !isObstacle, width, radius: lengthOf(properties['radius']) },
    0,
  );
  if (isObstacle) return;
  const level = levelOf(tags);
  if (level !== undefined) {
    const values = reader.levels.get(level.key) ?? new Map<string, number>();
    reader.levels.set(level.key, values.set(level.value, (values.get(level.value) ?? 0) + 1));
    const { shape: part } = roleOf(properties, tags['feature_type']);
    if (part === 'floor' || part === 'room') reader.floorKeys.add(level.key);
  }
  const rule = BUILDINGS.find((one) => matches(tags, one));
  if (rule === undefined) return;
  const condition = rule.value === undefined ? rule.key : `${rule.key}=${rule.value}`;
  const polygons = reader.buildings.get(condition) ?? [];
  reader.buildings.set(condition, polygons);
  for (const polygon of out.slice(before)) polygons.push(polygon);
}

/** Warns of storeys that became one floor, by the property that most features have. */
function warnOfLevels({ source, levels, where, floorKeys }: Reader): void {
  if (where.some(({ key, value }) => value !== undefined && isLevelKey(key))) return;
  const size = (values: ReadonlyMap<string, number>): number => [...values.values()].reduce((a, b) => a + b, 0);
  const [most] = [...levels].filter(([, values]) => values.size > 1).sort((a, b) => size(b[1]) - size(a[1]));
  if (most === undefined) return;
  const [key, values] = most;
  const list = [...values].slice(0, 6).map(([value, count]) => `${show(value)} (${count})`);
  const one = exampleOf(key, [...values.keys()]);
  const remedies = one === undefined ? [] : [`where: [${one.text}] (--map-where ${one.word}) reads one`];
  if (floorKeys.has(key)) remedies.push(`parseGeoJsonLevels (--map-levels ${key}) reads each as a level`);
  const what = `${values.size} levels become one floor, by the property ${key}: ${list.join(', ')}`;
  warn(source, 'levels-merged', '', [what, ...remedies].join('; '));
  const hasFloors = floorKeys.has(key);
  source.warnings.get('levels-merged')!.levels = { property: key, values: [...values.keys()], hasFloors };
}

/** Warns of buildings whose insides are walkable. */
function warnOfBuildings({ source, buildings, ground, layers, walkableRules }: Reader): void {
  const found = [...buildings.values()].flat();
  if (found.length === 0 || walkableRules !== undefined) return;
  const all = [ground, ...[...layers.values()].map((one) => one.ground)].flat();
  const sum = (polygons: readonly ParsedPolygon[]): number =>
    polygons.reduce((total, { outline }) => total + areaOf(outline), 0);
  const share = Math.round((1000 * sum(found)) / (sum(all) || 1)) / 10;
  const keys = [...buildings.keys()];
  const texts = keys.map((key) => `"${key}"`).join(', ');
  const words = keys.join(',');
  const blocked = `obstacles: [${texts}] (--map-obstacles ${words})`;
  const isOne = found.length === 1;
  const [them, what] = isOne ? ['it', 'it an obstacle'] : ['them', 'them obstacles'];
  const remedy =
    found.length < all.length
      ? `${blocked} makes ${what}`
      : `with a Polygon around ${them} as a further feature, the floor, ${blocked} makes ${what}; walkable: [${texts}] (--map-floor ${words}) keeps ${them} walkable`;
  const [are, count] = [isOne ? 'is' : 'are', plural(found.length, 'building')];
  warn(source, 'buildings-walkable', '', `${count} ${are} walkable, ${share} % of the area; ${remedy}`);
  source.warnings.get('buildings-walkable')!.count = found.length;
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

function readGeometry(reader: Reader, geometry: JsonRecord, where: string, target: Target, depth: number): void {
  const { source } = reader;
  const { type, coordinates } = geometry;
  const at = (part: string): string => (where === '' ? part : `${where}, ${part}`);
  switch (type) {
    case 'Polygon':
      readPolygon(source, coordinates, where, target.out);
      break;
    case 'MultiPolygon': {
      const polygons = readArray(source, at('coordinates'), coordinates);
      for (let i = 0; i < polygons.length; i++) readPolygon(source, polygons[i], at(`polygon ${i}`), target.out);
      break;
    }
    case 'GeometryCollection': {
      if (depth === MAX_NESTING) fail(source, where, `has collections in collections ${MAX_NESTING} deep`);
      const geometries = readArray(source, at('geometries'), geometry['geometries']);
      for (let i = 0; i < geometries.length; i++) {
        const part = at(`geometry ${i}`);
        // Deep nesting would make long names.
        readGeometry(reader, readRecord(source, part, geometries[i]), depth < 3 ? part : where, target, depth + 1);
      }
      break;
    }
    case 'Point':
    case 'MultiPoint':
    case 'LineString':
    case 'MultiLineString':
      readLines(reader, type, coordinates, where, target);
      break;
    default:
      if (type === 'Topology')
        fail(source, where, 'is TopoJSON, must be GeoJSON; convert it, for example with topo2geo');
      fail(source, where, `has the type ${show(type)}, must be ${TYPES}`);
  }
}

/** Reads lines that have a width, and points that have a radius. */
function readLines(
  reader: Reader,
  type: 'Point' | 'MultiPoint' | 'LineString' | 'MultiLineString',
  coordinates: unknown,
  where: string,
  { out, isWalkable, width, radius }: Target,
): void {
  const { source, lines } = reader;
  const isPoint = type === 'Point' || type === 'MultiPoint';
  const wide = isPoint ? radius && 2 * radius : width;
  if (wide === undefined) {
    leave(reader, type);
    const remedy = 'the property radius gives points an area; width, or the option lineWidth, gives lines one';
    warn(source, 'not-an-area', where, `a ${type} has no area; left out (${remedy})`);
    return;
  }
  const parts = type === 'MultiLineString' ? readArray(source, `${where}, coordinates`, coordinates) : [coordinates];
  for (const part of parts) {
    const points = readRing(source, `${where}, coordinates`, type === 'Point' ? [part] : part);
    const separate = isPoint ? points.map((point) => [point]) : [points];
    for (const one of separate) lines.push({ points: one, width: wide, out, isWalkable, where });
  }
}

function readPolygon(source: JsonSource, coordinates: unknown, where: string, out: ParsedPolygon[]): void {
  const at = (part: string): string => (where === '' ? part : `${where}, ${part}`);
  const rings = readArray(source, at('coordinates'), coordinates);
  const place = where === '' ? '' : `, ${where}`;
  // An empty polygon is valid and has no area.
  if (rings.length === 0) return;
  const read = rings.map((ring, i) =>
    nameRing(readClosedRing(source, ring, at(`ring ${i}`)), `${source.name}${i === 0 ? place : `${place}, ring ${i}`}`),
  );
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
