/**
 * Stage 0: reads the map and moves its rings onto the grid.
 *
 * The grid is the finest power of two at which the map, and the agent's radius around it, is less than 2^26
 * cells wide (see grid-predicates.ts). A step is about a hundred-millionth of the map. Integers and dyadic
 * fractions stay exact.
 *
 * In: polygons with holes, and obstacles.
 * Out: for each ring its points as integers, without repeated ones; the position of the grid.
 * Cost: one pass.
 * Based on: own.
 */
import {
  checkArray,
  checkNumbers,
  checkObject,
  checkString,
  isHollow,
  refuse,
  refuseType,
} from '../../base/data/refuse.ts';
import { plural } from '../../base/data/plural.ts';
import { advice } from '../../base/math/advice.ts';
import { POINT_2D, isPoint2d, showPoint2d, xOf, yOf } from '../../base/math/point-2d.ts';
import { MAX_GRID_EXTENT } from '../../base/plane/grid-predicates.ts';
import { ROUNDING_DISTANCE } from '../../base/plane/join-near.ts';
import { ringNameOf } from '../../base/plane/ring-names.ts';
import { listLayers, nameAreas } from './layers.ts';
import type { MapPolygon, NamedArea, PolygonConfig, PolygonMap, PolygonRing, PolygonWarning } from './options.ts';
import type { GridFrame, GridPoint } from '../../base/plane/types.ts';

/**
 * A ring on the grid: at least three different points, no two equal ones in a row; or no points when it is
 * degenerate.
 */
export interface GridRing {
  /** As in `polygons[0].holes[1]`, followed by where its reader found it. */
  name: string;
  points: GridPoint[];
  /** The index of each point in the ring as given. */
  given: number[];
  /** Whether a point was off the grid. */
  isRounded: boolean;
}

/** An area on the grid; its outline has no points when it is degenerate. */
export interface GridArea {
  id: number;
  outline: GridRing;
  holes: GridRing[];
}

/** A 2D map on the integer grid on which it is cleaned. */
export interface GridMap {
  frame: GridFrame;
  polygons: { outline: GridRing; holes: GridRing[] }[];
  obstacles: GridRing[];
  /** Areas, in the order in which they count. */
  areas: GridArea[];
  /** Names of areas, by id from 1 on. */
  named: NamedArea[];
  ringCount: number;
  pointCount: number;
  /** Distance at which what touches is joined: 0 where no point was rounded, so that the grid decides exactly. */
  joinCells: number;
}

/** Cells between the map and the limit of exactness, in addition to the radius. */
const MARGIN_CELLS = 16;

export type Warn = (warning: Omit<PolygonWarning, 'stage' | 'count'> & { count?: number }) => void;

/**
 * Reads a map onto the grid of exact coordinates.
 *
 * @param caller name of the function that error messages begin with
 * @throws TypeError, RangeError with ring and point for a value that is no point, a ring of fewer than three
 * points, or a map without polygons
 */
export function readPolygonMap(
  map: PolygonMap,
  config: PolygonConfig,
  warn: Warn,
  caller: string = 'readPolygonMap',
): GridMap {
  checkString('readPolygonMap', 'caller', caller);
  const read = readMapLayers(map, config, caller);
  return gridOfLayers(read, warn);
}

/** A layer of a map: its rings in map units. */
export interface ReadLayer {
  /** '' for the map itself. */
  name: string;
  isOn: boolean;
  polygons: NamedPolygon[];
  obstacles: NamedRing[];
  areas: NamedPolygon[];
  /** The id of each area. */
  ids: number[];
}

/** A map with all of its layers, also those that are off. */
export interface ReadMap {
  frame: GridFrame;
  layers: ReadLayer[];
  named: NamedArea[];
  /** As in `PolygonMap`; 0: not given. */
  precision: number;
}

/** Reads a map and all of its layers. Throws as `readPolygonMap`. @internal */
export function readMapLayers(map: PolygonMap, config: PolygonConfig, caller: string): ReadMap {
  checkObject(caller, 'config', config);
  checkNumbers(caller, 'config.radii', config.radii);
  const list = readArray<MapPolygon>(caller, 'map.polygons', (map as PolygonMap | undefined)?.polygons as MapPolygon[]);
  if (list.length === 0) throw new RangeError(`${caller}: map.polygons is empty; must have at least one outline`);
  const { precision = 0 } = map;
  if (!(typeof precision === 'number' && precision >= 0 && precision < FARTHEST))
    refuse(caller, 'map.precision', precision, 'a number >= 0');
  const listed = listLayers(caller, map, config.layers ?? {});
  const named = nameAreas(caller, listed);
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  // Layers that are off are checked, too, and the grid covers them.
  const layers = listed.map(({ path, isOn, layer }) => ({
    name: layer.name ?? '',
    isOn,
    polygons: readPolygons(caller, `${path}polygons`, layer.polygons ?? [], bounds),
    obstacles: readArray(caller, `map.${path}obstacles`, layer.obstacles ?? []).map((one, i) =>
      checkRing(caller, `${path}obstacles[${i}]`, one, bounds),
    ),
    areas: readPolygons(caller, `${path}areas`, layer.areas ?? [], bounds),
    ids: (layer.areas ?? []).map(({ name }) => named.get(name)!.id),
  }));
  return { frame: chooseFrame(caller, bounds, config), layers, named: [...named.values()], precision };
}

/** Returns the layers that are on as one map on the grid. @internal */
export function gridOfLayers({ frame, layers, named, precision }: ReadMap, warn: Warn): GridMap {
  let ringCount = 0;
  let pointCount = 0;
  let isRounded = false;
  const snap = ([name, ring]: NamedRing): GridRing => {
    ringCount++;
    pointCount += ring.length / 2;
    const snapped = snapRing(name, ring, frame, warn);
    isRounded ||= snapped.isRounded;
    return snapped;
  };
  const snapPolygon = ({ outline, holes }: NamedPolygon): { outline: GridRing; holes: GridRing[] } => ({
    outline: snap(outline),
    holes: holes.map(snap),
  });
  const on = layers.filter(({ isOn }) => isOn);
  const polygons = on.flatMap((layer) => layer.polygons.map(snapPolygon));
  const obstacles = on.flatMap((layer) => layer.obstacles.map(snap));
  const areas = on.flatMap(({ areas: given, ids }) => given.map((area, i) => ({ id: ids[i], ...snapPolygon(area) })));
  const joinCells = Math.max(isRounded ? ROUNDING_DISTANCE : 0, precision / frame.gridSize);
  return { frame, polygons, obstacles, areas, named, ringCount, pointCount, joinCells };
}

export interface NamedPolygon {
  outline: NamedRing;
  holes: NamedRing[];
}

function readPolygons(caller: string, path: string, list: readonly MapPolygon[], bounds: number[]): NamedPolygon[] {
  return readArray(caller, `map.${path}`, list).map((polygon, i) => ({
    outline: checkRing(caller, `${path}[${i}].outline`, polygon?.outline, bounds),
    holes: readArray(caller, `${path}[${i}].holes`, polygon.holes ?? []).map((hole, k) =>
      checkRing(caller, `${path}[${i}].holes[${k}]`, hole, bounds),
    ),
  }));
}

/** x and y of each point. */
type NamedRing = readonly [name: string, points: Float64Array];

function readArray<T>(caller: string, name: string, given: readonly T[]): readonly T[] {
  checkArray(caller, name, given);
  return given;
}

function checkRing(caller: string, name: string, ring: PolygonRing, bounds: number[]): NamedRing {
  if (!Array.isArray(ring)) refuseType(caller, name, ring, 'an array of points [x, y]');
  if (isHollow(ring)) refuse(caller, `${name}.length`, ring.length, 'the number of its points');
  if (ring.length < 3) throw new RangeError(`${caller}: ${name} has ${ring.length} points; must have at least three`);
  const points = new Float64Array(2 * ring.length);
  // Unlike forEach, the iterator visits holes, which are no points.
  for (const [i, point] of ring.entries()) {
    if (!isPoint2d(point)) {
      const text = showPoint2d(point);
      const note = advice.of(name, point, POINT_2D);
      throw new RangeError(`${caller}: ${name}[${i}] is ${text}; must be ${POINT_2D}${note}`);
    }
    const x = xOf(point);
    const y = yOf(point);
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
    points[2 * i] = x;
    points[2 * i + 1] = y;
  }
  const from = ringNameOf(ring);
  return [from === undefined ? name : `${name} (${from})`, points];
}

/** Coordinates from here on are refused, as in files (mesh/file/derive.ts): squares of lengths could overflow. */
const FARTHEST = 1e99;

function chooseFrame(
  caller: string,
  [minX, minY, maxX, maxY]: number[],
  { radii, gridSize, arcTolerance }: PolygonConfig,
): GridFrame {
  const extent = Math.max(maxX - minX, maxY - minY);
  // Offsetting draws shapes beyond the map.
  const needed = extent + 2 * (1 + arcTolerance) * radii.reduce((most, radius) => Math.max(most, radius));
  const farthest = Math.max(-minX, -minY, maxX, maxY) + needed;
  if (!(farthest < FARTHEST)) {
    throw new RangeError(`${caller}: the map reaches to ${farthest}; coordinates must be below ${FARTHEST}`);
  }
  let step = 1;
  const isEnough = (cell: number): boolean =>
    needed / cell + MARGIN_CELLS < MAX_GRID_EXTENT && farthest / cell < 2 ** 51 && cell > 1e-150;
  while (isEnough(step / 2)) step /= 2;
  while (!isEnough(step)) step *= 2;
  if (gridSize > 0) {
    let wanted = step;
    while (wanted * 2 <= gridSize) wanted *= 2;
    if (wanted > gridSize) {
      throw new RangeError(
        `${caller}: options.gridSize is ${gridSize}; an extent of ${extent} needs ${step} or more; leave it out`,
      );
    }
    step = wanted;
  }
  const center = (low: number, high: number): number => Math.round((low / 2 + high / 2) / step) * step;
  return { gridSize: step, originX: center(minX, maxX), originY: center(minY, maxY) };
}

function snapRing(name: string, ring: NamedRing[1], { gridSize, originX, originY }: GridFrame, warn: Warn): GridRing {
  const points: GridPoint[] = [];
  const given: number[] = [];
  let merged = 0;
  let firstMerged = -1;
  let isRounded = false;
  for (let i = 0; 2 * i < ring.length; i++) {
    const givenX = (ring[2 * i] - originX) / gridSize;
    const givenY = (ring[2 * i + 1] - originY) / gridSize;
    const x = Math.round(givenX);
    const y = Math.round(givenY);
    isRounded ||= x !== givenX || y !== givenY;
    const last = points[points.length - 1];
    if (last !== undefined && last.x === x && last.y === y) {
      if (merged++ === 0) firstMerged = i;
      continue;
    }
    // Adding 0 turns -0 into 0.
    points.push({ x: x + 0, y: y + 0 });
    given.push(i);
  }
  // A ring may be closed by a copy of its first point without a warning.
  while (
    points.length > 1 &&
    points[0].x === points[points.length - 1].x &&
    points[0].y === points[points.length - 1].y
  ) {
    points.pop();
    given.pop();
  }
  if (merged > 0) {
    warn({
      code: 'points-merged',
      count: merged,
      where: { ring: name, point: firstMerged, at: [ring[2 * firstMerged], ring[2 * firstMerged + 1]] },
      message: `${name}: ${plural(merged, 'point')} ${merged === 1 ? 'repeats' : 'repeat'} the one before, on a grid of ${gridSize}; the first is point ${firstMerged}`,
    });
  }
  if (points.length < 3 || !hasArea(points)) {
    warn({ code: 'degenerate-ring', where: { ring: name }, message: `${name} has no area and is left out` });
    return { name, points: [], given: [], isRounded };
  }
  return { name, points, given, isRounded };
}

/** Returns whether the points are not all on one line. */
function hasArea(points: GridPoint[]): boolean {
  const [a, b] = points;
  return points.some((c) => (b.x - a.x) * (c.y - a.y) !== (b.y - a.y) * (c.x - a.x));
}
