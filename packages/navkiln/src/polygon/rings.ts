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
import { checkNumbers, checkObject, showValue } from '../data/refuse.ts';
import { isPoint2d, showPoint2d, xOf, yOf } from '../math/point-2d.ts';
import { MAX_GRID_EXTENT } from './grid-predicates.ts';
import type { MapPolygon, PolygonConfig, PolygonMap, PolygonRing, PolygonWarning } from './options.ts';
import type { GridFrame } from './types.ts';

export interface GridPoint {
  x: number;
  y: number;
}

/**
 * A ring on the grid: at least three different points, no two equal ones in a row; or no points when it is
 * degenerate.
 */
export interface GridRing {
  /** As in `polygons[0].holes[1]`. */
  name: string;
  points: GridPoint[];
  /** The index of each point in the ring as given. */
  given: number[];
}

export interface GridMap {
  frame: GridFrame;
  polygons: { outline: GridRing; holes: GridRing[] }[];
  obstacles: GridRing[];
  ringCount: number;
  pointCount: number;
}

/** Cells between the map and the limit of exactness, in addition to the radius. */
const MARGIN_CELLS = 16;

export type Warn = (warning: Omit<PolygonWarning, 'stage' | 'count'> & { count?: number }) => void;

/**
 * @throws TypeError, RangeError with ring and point for a value that is no point, a ring of fewer than three
 * points, or a map without polygons
 */
export function readPolygonMap(map: PolygonMap, config: PolygonConfig, warn: Warn): GridMap {
  checkObject('readPolygonMap', 'config', config);
  checkNumbers('readPolygonMap', 'config.radii', config.radii);
  const list = readArray<MapPolygon>('map.polygons', (map as PolygonMap | undefined)?.polygons as MapPolygon[]);
  if (list.length === 0)
    throw new RangeError('buildFromPolygons: map.polygons is empty; must have at least one outline');
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  const polygons = list.map((polygon, i) => ({
    outline: checkRing(`polygons[${i}].outline`, polygon?.outline, bounds),
    holes: readArray(`polygons[${i}].holes`, polygon.holes ?? []).map((hole, k) =>
      checkRing(`polygons[${i}].holes[${k}]`, hole, bounds),
    ),
  }));
  const obstacles = readArray('map.obstacles', map.obstacles ?? []).map((one, i) =>
    checkRing(`obstacles[${i}]`, one, bounds),
  );
  const frame = chooseFrame(bounds, config);
  let ringCount = 0;
  let pointCount = 0;
  const snap = ([name, ring]: NamedRing): GridRing => {
    ringCount++;
    pointCount += ring.length;
    return snapRing(name, ring, frame, warn);
  };
  return {
    frame,
    polygons: polygons.map(({ outline, holes }) => ({ outline: snap(outline), holes: holes.map(snap) })),
    obstacles: obstacles.map(snap),
    ringCount,
    pointCount,
  };
}

type NamedRing = readonly [name: string, points: readonly (readonly number[])[]];

function readArray<T>(name: string, given: readonly T[]): readonly T[] {
  if (Array.isArray(given)) return given;
  throw new TypeError(`buildFromPolygons: ${name} is ${showValue(given)}; must be an array`);
}

function checkRing(name: string, ring: PolygonRing, bounds: number[]): NamedRing {
  if (!Array.isArray(ring))
    throw new TypeError(`buildFromPolygons: ${name} is ${showValue(ring)}; must be an array of points [x, y]`);
  if (ring.length < 3)
    throw new RangeError(`buildFromPolygons: ${name} has ${ring.length} points; must have at least three`);
  const points = ring.map((point, i) => {
    if (!isPoint2d(point)) {
      const text = showPoint2d(point);
      throw new RangeError(`buildFromPolygons: ${name}[${i}] is ${text}; must be [x, y] or { x, y }, both finite`);
    }
    const x = xOf(point);
    const y = yOf(point);
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
    return [x, y];
  });
  return [name, points];
}

/** Coordinates from here on are refused, as in files (navmesh/derive.ts): squares of lengths could overflow. */
const FARTHEST = 1e99;

function chooseFrame([minX, minY, maxX, maxY]: number[], { radii, gridSize, arcTolerance }: PolygonConfig): GridFrame {
  const extent = Math.max(maxX - minX, maxY - minY);
  // Offsetting draws shapes beyond the map.
  const needed = extent + 2 * (1 + arcTolerance) * Math.max(...radii);
  const farthest = Math.max(-minX, -minY, maxX, maxY) + needed;
  if (!(farthest < FARTHEST)) {
    throw new RangeError(`buildFromPolygons: the map reaches to ${farthest}; coordinates must be below ${FARTHEST}`);
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
        `buildFromPolygons: options.gridSize is ${gridSize}; an extent of ${extent} needs ${step} or more; leave it out`,
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
  ring.forEach((point, i) => {
    const x = Math.round((point[0] - originX) / gridSize);
    const y = Math.round((point[1] - originY) / gridSize);
    const last = points[points.length - 1];
    if (last !== undefined && last.x === x && last.y === y) {
      if (merged++ === 0) firstMerged = i;
      return;
    }
    // Adding 0 turns -0 into 0.
    points.push({ x: x + 0, y: y + 0 });
    given.push(i);
  });
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
      where: { ring: name, point: firstMerged, at: [ring[firstMerged][0], ring[firstMerged][1]] },
      message: `${name}: ${merged} points repeat the one before, on a grid of ${gridSize}; the first is point ${firstMerged}`,
    });
  }
  if (points.length < 3 || !hasArea(points)) {
    warn({ code: 'degenerate-ring', where: { ring: name }, message: `${name} has no area and is left out` });
    return { name, points: [], given: [] };
  }
  return { name, points, given };
}

/** Returns whether the points are not all on one line. */
function hasArea(points: GridPoint[]): boolean {
  const [a, b] = points;
  return points.some((c) => (b.x - a.x) * (c.y - a.y) !== (b.y - a.y) * (c.x - a.x));
}
