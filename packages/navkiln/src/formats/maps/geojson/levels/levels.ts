/**
 * Reads indoor data in GeoJSON as levels of a building: a 2D map for each level, and stairs, escalators, lifts and ramps between them.
 *
 * A feature lies on the levels of its property ("0", "0;1", "-1-2"), and on those that it repeats on. Rooms have walls with gaps
 * at their doors, where the data have doors.
 *
 * In: text, bytes or the parsed object.
 * Out: levels and connections; an input of `buildFromLevels`.
 * Cost: linear in the corners, and rooms times the doors near them.
 * Based on: RFC 7946; OpenStreetMap's Simple Indoor Tagging; IMDF 1.0; own code.
 */
import { checkKeys } from '../../../../base/data/refuse.ts';
import { plural } from '../../../../base/data/plural.ts';
import type { LevelConnection, LevelsMap } from '../../../../build/polygon/levels.ts';
import { createProjection, isProjection, projectPoint } from '../../geojson-projection.ts';
import type { MapProjection } from '../../geojson-projection.ts';
import { createSource, fail, isRecord, readArray, readJson, readRecord, show, warn } from '../../json-source.ts';
import type { JsonRecord, JsonSource } from '../../json-source.ts';
import { lengthOf, ringsOfLine } from '../../lines.ts';
import type { ParsedMapWarning, ParsedPolygon, ParsedRing } from '../../map.ts';
import { asOneRing } from '../../rings.ts';
import { digitsOf, precisionOf } from '../precision.ts';
import { HEIGHT_KEY, levelOf, matches, readSelectors, tagsOf } from '../select.ts';
import { connect } from './connections.ts';
import type { ConnectionCosts, Connector, LevelFloor } from './connections.ts';
import { addGeometry } from './geometry.ts';
import type { Geometry } from './geometry.ts';
import { roleOf } from './roles.ts';
import { readLevelValues, repeated } from './values.ts';
import { wallsOf } from './walls.ts';
import type { Door } from './walls.ts';

/** Options of `parseGeoJsonLevels`. */
export interface GeoJsonLevelOptions {
  /** The property that names the levels of a feature. Default: `level`, `floorId`, `verticalOrder` or the like, which most features have. */
  property?: string;
  /** Height of a level, world units. Default 3, and 1 where levels have heights, by the property `baseHeight`. */
  levelHeight?: number;
  /** Thickness of the walls around rooms, meters; 0: rooms have no walls. Default 0.1, and no walls without any door. */
  wallWidth?: number;
  /** Width of doors without the property `width`, meters. Default 1. */
  doorWidth?: number;
  /** Width of lines without the property `width`, meters. Default: they are left out. */
  lineWidth?: number;
  /** Costs of connections: meters of level floor that a meter of rise counts as, and waiting for a lift. Default: stairs 3, escalator 2, ramp 1, lift 1, liftWait 10. */
  costs?: Partial<ConnectionCosts>;
  /** Conditions that a feature must meet to be read, as in `parseGeoJson`. Default: none. */
  where?: readonly string[];
  /** Features that meet one of these conditions are obstacles. Default: walls, and those with `obstacle: true`. */
  obstacles?: readonly string[];
  /** Features that meet one of these conditions are floor, and no others. Default: all that are no walls, doors or buildings. */
  walkable?: readonly string[];
  /** As in `parseGeoJson`. Default 'local', and 'none' for a file with the member `projection: "none"`. */
  projection?: 'local' | 'none' | MapProjection;
  /** Name of the file in messages. Default 'GeoJSON'. */
  name?: string;
}

/** A level that was read from GeoJSON. */
export interface GeoJsonLevel {
  name: string;
  height: number;
  map: { polygons: ParsedPolygon[]; obstacles: ParsedRing[]; yAxis: 'up'; precision?: number };
}

/** Result of `parseGeoJsonLevels`; an input of `buildFromLevels`. */
export interface GeoJsonLevels extends LevelsMap {
  levels: GeoJsonLevel[];
  connections: LevelConnection[];
  /** The projection that was used; undefined with projection 'none'. */
  projection: MapProjection | undefined;
  warnings: ParsedMapWarning[];
}

/** A level while it is read. */
interface Level extends LevelFloor {
  name: string;
  rooms: ParsedPolygon[];
  roomNames: string[];
  doors: Door[];
  obstacles: ParsedPolygon[];
  wide: { points: ParsedRing; width: number; isFloor: boolean }[];
}

interface Feature {
  where: string;
  properties: JsonRecord;
  featureType: unknown;
  geometry: Geometry;
}

const OPTION_KEYS = [
  'property',
  'levelHeight',
  'wallWidth',
  'doorWidth',
  'lineWidth',
  'costs',
  'where',
  'obstacles',
  'walkable',
  'projection',
  'name',
];
const COSTS: ConnectionCosts = { stairs: 3, escalator: 2, ramp: 1, lift: 1, liftWait: 10 };
const LEVEL_HEIGHT = 3;
const DEFAULT_WALL = 0.1;
/** Width of walls that are lines without a width. */
const LINE_WALL = 0.2;

/**
 * Reads the levels of a building. Throws an Error that names the feature for a fault in the file, or when no feature has a level;
 * throws a TypeError or RangeError for a wrong argument.
 */
export function parseGeoJsonLevels(
  input: string | Uint8Array | object,
  options: GeoJsonLevelOptions = {},
): GeoJsonLevels {
  const caller = 'parseGeoJsonLevels';
  checkKeys(caller, options, OPTION_KEYS);
  const { levelHeight, wallWidth, doorWidth = 1, lineWidth, costs = {}, name = 'GeoJSON', property } = options;
  checkKeys(caller, costs, Object.keys(COSTS), 'options.costs');
  for (const [key, value, least] of [
    ['levelHeight', levelHeight ?? 1, 1e-6],
    ['wallWidth', wallWidth ?? 1, 0],
    ['doorWidth', doorWidth, 0],
    ['lineWidth', lineWidth ?? 1, 1e-6],
    ...Object.entries(costs).map(([key, value]) => [`costs.${key}`, value, 0] as const),
  ] as const) {
    if (!(typeof value === 'number' && value >= least && value < Infinity))
      throw new RangeError(`${caller}: options.${key} is ${show(value)}; must be a finite number >= 0`);
  }
  const source = createSource(caller, name);
  const root = readJson(source, input);
  const { projection: wanted = root['projection'] === 'none' ? 'none' : 'local' } = options;
  if (wanted !== 'local' && wanted !== 'none' && !isProjection(wanted))
    throw new TypeError(
      `${caller}: options.projection is ${show(wanted)}; must be 'local', 'none' or a result of createProjection()`,
    );
  const features = readFeatures(source, root, readSelectors(caller, 'where', options.where ?? []));
  const polygons = features.flatMap(({ geometry }) => geometry.polygons);
  const digits = digitsOf(polygons);
  const projection = project(source, features, wanted);
  const key = property ?? commonKey(features);
  if (key === undefined || !features.some(({ properties }) => readLevelValues(properties[key]).values.length > 0)) {
    const what = property === undefined ? 'no feature has a level' : `no feature has the property ${show(property)}`;
    fail(
      source,
      '',
      `${what}; name the property of levels in the option property (--map-levels PROPERTY), or read it as one floor`,
    );
  }
  const levels = listLevels(source, features, key, levelHeight ?? (key === HEIGHT_KEY ? 1 : LEVEL_HEIGHT));
  const connectors = sortFeatures(source, features, { key, levels, options, doorWidth });
  warnOfDoors(source, levels, wallWidth);
  const isWalled = [...levels.values()].some(({ doors }) => doors.length > 0);
  const thickness = wallWidth ?? (isWalled ? DEFAULT_WALL : 0);
  const all = [...levels.values()];
  for (const level of all) for (const room of level.rooms) level.polygons.push(room);
  const precision = polygons.length === 0 ? 0 : precisionOf(polygons, digits, projection?.metersPerDegree[1]);
  const connections = connect(connectors, all, { ...COSTS, ...costs });
  const read = all.map((level): GeoJsonLevel => {
    const walls = thickness > 0 ? addWalls(source, level, thickness) : [];
    const ground = [...level.polygons];
    const obstacles = [...level.obstacles.map(asOneRing), ...walls];
    for (const { points, width, isFloor } of level.wide) {
      for (const outline of ringsOfLine(points, width, isFloor)) {
        if (isFloor) ground.push({ outline, holes: [] });
        else obstacles.push(outline);
      }
    }
    const map = { polygons: ground, obstacles, yAxis: 'up' as const, ...(precision > 0 ? { precision } : {}) };
    return { name: level.name, height: level.height, map };
  });
  if (!read.some(({ map }) => map.polygons.length > 0)) fail(source, '', 'has levels, but no floor on any of them');
  return { levels: read, connections, projection, warnings: [...source.warnings.values()] };
}

function readFeatures(source: JsonSource, root: JsonRecord, where: ReturnType<typeof readSelectors>): Feature[] {
  if (root['type'] !== 'FeatureCollection' && root['type'] !== 'Feature')
    fail(source, '', `has the type ${show(root['type'])}, must be a FeatureCollection with levels in its properties`);
  const list = root['type'] === 'Feature' ? [root] : readArray(source, 'features', root['features']);
  return list.flatMap((given, i): Feature[] => {
    const feature = readRecord(source, `feature ${i}`, given);
    const { id, geometry } = feature;
    const place = typeof id === 'string' || typeof id === 'number' ? `feature ${i} (id ${show(id)})` : `feature ${i}`;
    const properties = tagsOf(feature, isRecord(feature['properties']) ? feature['properties'] : {});
    const featureType = properties['feature_type'];
    if (!where.every((rule) => matches(properties, rule))) return [];
    const read: Geometry = { polygons: [], lines: [], points: [] };
    if (geometry !== null && geometry !== undefined)
      addGeometry(read, source, readRecord(source, `${place}, geometry`, geometry), place);
    return [{ where: place, properties: { ...properties, id }, featureType, geometry: read }];
  });
}

/** Moves all points to the plane. */
function project(
  source: JsonSource,
  features: readonly Feature[],
  wanted: 'local' | 'none' | MapProjection,
): MapProjection | undefined {
  if (wanted === 'none') return undefined;
  const points = features.flatMap(({ geometry: { polygons, lines, points: own } }) => [
    ...polygons.flatMap(({ outline, holes }) => [outline, ...holes]).flat(),
    ...lines.flat(),
    ...own,
  ]);
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    if (!(x >= -180 && x <= 180 && y > -90 && y < 90))
      fail(
        source,
        '',
        `holds [${x}, ${y}], which is no longitude and latitude; are they in metres? Then use projection: 'none'`,
      );
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
  }
  if (points.length === 0) return undefined;
  const used =
    wanted === 'local' ? createProjection([(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2]) : wanted;
  // Points that are read once are moved once, although lists share them.
  for (const point of new Set(points)) [point[0], point[1]] = projectPoint(used, point);
  return used;
}

/** Returns the property of levels that most features have. */
function commonKey(features: readonly Feature[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { properties, featureType } of features) {
    const key = levelOf(properties)?.key;
    // Levels of IMDF describe levels, and lie on none.
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + (featureType === 'level' ? 0 : 1));
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Returns the levels by their values, from the lowest to the highest. */
function listLevels(
  source: JsonSource,
  features: readonly Feature[],
  key: string,
  levelHeight: number,
): Map<number | string, Level> {
  const found = new Set<number | string>();
  // Levels of IMDF are features of their own, with a number each.
  const ordinals = new Map<unknown, { ordinal: number; name: string }>();
  for (const { properties, featureType, geometry } of features) {
    if (featureType === 'level' && typeof properties['ordinal'] === 'number') {
      const { id, ordinal, short_name: short } = properties;
      const text = isRecord(short) ? Object.values(short)[0] : short;
      ordinals.set(id, { ordinal, name: typeof text === 'string' ? text : String(ordinal) });
      continue;
    }
    // Points alone make no level: many are corners of lines, such as steps.
    if (
      geometry.polygons.length + geometry.lines.length === 0 &&
      roleOf(properties, featureType).connects === undefined
    )
      continue;
    const values = readLevelValues(properties[key]);
    for (const set of repeated(values, readLevelValues(properties['repeat_on']))) {
      // A range names levels that exist, and is no reason for others.
      if (!values.isRange) for (const value of set) found.add(value);
      else for (const value of [set[0], set[set.length - 1]]) found.add(value);
    }
  }
  const numberOf = (value: number | string): number | undefined =>
    typeof value === 'number' ? value : ordinals.get(value)?.ordinal;
  const numbered = [...found]
    .filter((value) => numberOf(value) !== undefined)
    .sort((a, b) => numberOf(a)! - numberOf(b)!);
  const others = [...found].filter((value) => numberOf(value) === undefined);
  if (others.length > 0) {
    const list = others
      .slice(0, 6)
      .map((value) => show(value))
      .join(', ');
    const message = `${plural(others.length, 'level')} of ${found.size} have names without a number, and lie above the others in the order of the file: ${list}`;
    warn(source, 'levels-unordered', '', message);
    source.warnings.get('levels-unordered')!.count = others.length;
  }
  const top = numbered.length === 0 ? -1 : Math.floor(numberOf(numbered[numbered.length - 1])!);
  return new Map(
    [...numbered, ...others].map((value, i) => {
      const number = numberOf(value) ?? top + 1 + i - numbered.length;
      const name = ordinals.get(value)?.name ?? String(value);
      const isBetween = key !== HEIGHT_KEY && number % 1 !== 0;
      const lists = { polygons: [], rooms: [], roomNames: [], doors: [], obstacles: [], wide: [] };
      return [value, { name, height: number * levelHeight, isBetween, ...lists }];
    }),
  );
}

interface Sorting {
  key: string;
  levels: Map<number | string, Level>;
  options: GeoJsonLevelOptions;
  doorWidth: number;
}

/** Puts features on their levels. Returns those that connect levels. */
function sortFeatures(
  source: JsonSource,
  features: readonly Feature[],
  { key, levels, options, doorWidth }: Sorting,
): Connector[] {
  const blocking = readSelectors(source.caller, 'obstacles', options.obstacles ?? []);
  const floorRules =
    options.walkable === undefined ? undefined : readSelectors(source.caller, 'walkable', options.walkable);
  const index = new Map([...levels.keys()].map((value, i) => [value, i]));
  const connectors: Connector[] = [];
  const count = (code: ParsedMapWarning['code'], where: string, what: string): void => warn(source, code, where, what);
  for (const { where, properties, featureType, geometry } of features) {
    const role = roleOf(properties, featureType);
    const given = readLevelValues(properties[key]);
    const sets = repeated(given, readLevelValues(properties['repeat_on'])).map((set) =>
      set.filter((value) => levels.has(value)),
    );
    const on = [...new Set(sets.flat())].map((value) => levels.get(value)!);
    const { polygons, lines, points } = geometry;
    const isBlocking =
      blocking.some((rule) => matches(properties, rule)) ||
      properties['obstacle'] === true ||
      properties['walkable'] === false;
    if (given.values.length === 0) {
      // Corners of lines are often points without any tag.
      if (polygons.length + lines.length > 0 && role.shape !== 'none')
        count(
          'level-missing',
          where,
          `has no ${key}, and is left out, as are others without one; where (--map-where) selects features`,
        );
      continue;
    }
    const label = [properties['name'], properties['ref']].find((one) => typeof one === 'string') ?? '';
    if (role.isDoor && polygons.length === 0) {
      const width = lengthOf(properties['width']) ?? doorWidth;
      for (const level of on) {
        for (const point of points) level.doors.push({ points: [point], width });
        for (const line of lines) level.doors.push({ points: line, width });
      }
      continue;
    }
    const isRamp =
      role.connects === undefined && polygons.length === 0 && sets.some((set) => set.length > 1) && lines.length > 0;
    const kind = role.connects ?? (isRamp && role.shape === 'floor' ? 'ramp' : undefined);
    if (kind !== undefined) {
      const text = String(properties['incline'] ?? '');
      const incline = /^\s*-|down/.test(text) ? -1 : text === '' || text === 'yes' ? 0 : 1;
      for (const set of sets) {
        const own = set.map((value) => index.get(value)!);
        connectors.push({ kind, name: String(label), geometry, levels: own, incline, direction: role.direction });
      }
      // Lines between levels, and points of lifts, are no floor.
      if (polygons.length === 0) continue;
    }
    if (role.shape === 'none' && !isBlocking) continue;
    if (isBlocking || role.shape === 'wall') {
      for (const level of on) {
        for (const polygon of polygons) level.obstacles.push(polygon);
        for (const line of lines)
          level.wide.push({ points: line, width: lengthOf(properties['width']) ?? LINE_WALL, isFloor: false });
      }
      continue;
    }
    if (floorRules?.some((rule) => matches(properties, rule)) === false) {
      count('not-selected', where, 'is neither walkable nor an obstacle by the options; left out');
      continue;
    }
    const width = lengthOf(properties['width']) ?? options.lineWidth;
    if (lines.length > 0 && width === undefined)
      count(
        'not-an-area',
        where,
        'a line has no area; the property width, or the option lineWidth, (--map-line-width) gives it one; left out',
      );
    for (const level of on) {
      if (role.shape === 'room') {
        for (const polygon of polygons) {
          level.rooms.push(polygon);
          level.roomNames.push(String(label === '' ? where : label));
        }
      } else for (const polygon of polygons) level.polygons.push(polygon);
      if (width !== undefined) for (const points_ of lines) level.wide.push({ points: points_, width, isFloor: true });
    }
  }
  return connectors;
}

function addWalls(source: JsonSource, level: Level, thickness: number): ParsedRing[] {
  const { walls, closed, isComplete, usedDoors } = wallsOf(level.rooms, level.doors, thickness);
  const add = (code: ParsedMapWarning['code'], count: number, what: string): void => {
    const known = source.warnings.get(code)?.count ?? 0;
    warn(source, code, '', what);
    source.warnings.get(code)!.count = known + count;
  };
  if (closed.length > 0) {
    const names = closed.slice(0, 4).map((i) => `"${level.roomNames[i]}"`);
    const what = `${closed.length} of ${level.rooms.length} rooms of level ${show(level.name)} have no door`;
    const effect = isComplete
      ? 'so nothing leads into them; wallWidth: 0 removes the walls of all rooms'
      : 'more than half, so these have no walls and are open to what touches them';
    add('rooms-without-door', closed.length, `${what}, ${effect}: ${names.join(', ')}`);
  }
  const unused = level.doors.length - usedDoors.size;
  if (unused > 0) {
    const what = `${unused} of ${level.doors.length} doors of level ${show(level.name)} lie on no outline of a room, so they open nothing`;
    add('doors-unused', unused, what);
  }
  return walls;
}

function warnOfDoors(
  source: JsonSource,
  levels: ReadonlyMap<number | string, Level>,
  wallWidth: number | undefined,
): void {
  const all = [...levels.values()];
  const rooms = all.reduce((sum, level) => sum + level.rooms.length, 0);
  if (rooms === 0 || wallWidth !== undefined || all.some(({ doors }) => doors.length > 0)) return;
  warn(
    source,
    'doors-missing',
    '',
    `${plural(rooms, 'room')}, and no doors, so rooms that touch are open to each other; wallWidth puts walls around them`,
  );
  source.warnings.get('doors-missing')!.count = rooms;
}
