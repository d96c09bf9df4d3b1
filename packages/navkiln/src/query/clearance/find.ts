/**
 * Finds paths on a 2D map for agents of any radius, from one clearance.
 *
 * In: a clearance, two points of the map, a radius.
 * Out: the shortest path with a distance of at least the radius from all walls, as lines, and arcs around corners.
 * Cost: logarithmic to decide whether a path exists; then that of the exact search (search.ts).
 * Based on: own.
 */
import { checkKeys, checkRecord, refuse } from '../../base/data/refuse.ts';
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import { clearEnds, layLine } from './ends.ts';
import type { ClearLine } from './ends.ts';
import { triangleAt, trianglesAt } from './locate.ts';
import { placeEnd } from './place.ts';
import type { PlacedEnd } from './place.ts';
import { beginSearch, queueGoal, rootsOf, stepSearch } from './search.ts';
import { createClearSearch } from './search-memory.ts';
import type { SearchEnds } from './search-memory.ts';
import { narrowestBetween } from './tree.ts';
import { nextOf, withLayout } from './types.ts';
import type { Clearance } from './types.ts';

/** Options of `findClearPath2d`. */
export interface ClearPathOptions {
  /**
   * Largest distance by which an end may be moved to a point with enough space for the agent, units of the
   * map. Default `Infinity`: the nearest such point at any distance. Results report the distance.
   */
  maxMove?: number;
  /** Largest distance of `points` from the arcs, as a share of the radius. They lie outside the arcs. Default 0.01. */
  arcTolerance?: number;
}

/** A turn of a path around a corner. Units of the map. */
export interface PathArc {
  /** The corner. */
  center: [x: number, y: number];
  start: [x: number, y: number];
  end: [x: number, y: number];
  /** The angle of the turn, radians. Positive angles are counter-clockwise with x to the right and y up. */
  turn: number;
}

/** A passage that is too narrow. Units of the map. */
export interface NarrowPassage {
  /** The middle of the passage. */
  at: [x: number, y: number];
  /** Its width. An agent needs twice its radius. */
  width: number;
}

/** The reason why there is no path; `''` if there is one. */
export type ClearPathReason = '' | 'start-off-mesh' | 'end-off-mesh' | 'unreachable';

/** Result of `findClearPath2d`. */
export interface ClearPath2d {
  status: 'complete' | 'none';
  reason: ClearPathReason;
  /**
   * The path as a polyline. Each arc is replaced by points that lie outside of it by at most `arcTolerance` times the radius. In a narrow
   * passage, they may be nearer to the wall on the other side by as much.
   */
  points: [x: number, y: number][];
  /**
   * The turns, in order. The exact path consists of these arcs and of straight lines between them and the
   * ends of the path.
   */
  arcs: PathArc[];
  /** Length along lines and arcs. */
  length: number;
  /** Distance by which each end was moved to a point with enough space; Infinity when it is off the mesh. */
  startDistance: number;
  endDistance: number;
  /** With `'unreachable'`: the narrowest passage of the widest route, which stops the agent. Absent if there is no route for any radius. */
  passage?: NarrowPassage;
}

const shared = createClearSearch();

/**
 * Returns the shortest path of an agent with this radius on a 2D map: no point of the path is nearer to a wall than
 * the radius. Points are [x, y] or { x, y }.
 *
 * The least radius above 0 is `clearance.gridSize`, about 3e-8 of the map's size: positions have no more digits.
 * An end with too little space is moved to the nearest point with enough space; `startDistance` and
 * `endDistance` are the distances. Throws a TypeError for invalid points, and a RangeError for an invalid radius and for
 * unknown or invalid options.
 */
export function findClearPath2d(
  clearance: Clearance,
  start: PointLike2d,
  end: PointLike2d,
  radius: number,
  options: ClearPathOptions = {},
): ClearPath2d {
  const caller = 'findClearPath2d';
  checkRecord(caller, 'clearance', clearance, 'parentWidth', 'the result of createClearance');
  checkKeys(caller, options, ['maxMove', 'arcTolerance']);
  const { maxMove = Infinity, arcTolerance = 0.01 } = options;
  if (typeof radius !== 'number' || !(radius >= 0 && radius < Infinity)) {
    refuse(caller, 'radius', radius, 'a number >= 0');
  }
  if (radius > 0 && radius < clearance.gridSize && clearance.triangleCount > 0) {
    refuse(caller, 'radius', radius, `0, or at least ${clearance.gridSize}, a step of the map's grid`);
  }
  if (radius > clearance.maxRadius) {
    refuse(caller, 'radius', radius, `at most ${clearance.maxRadius}, the maxRadius of the clearance`);
  }
  if (typeof maxMove !== 'number' || !(maxMove >= 0)) refuse(caller, 'options.maxMove', maxMove, 'a number >= 0');
  if (typeof arcTolerance !== 'number' || !(arcTolerance >= 1e-6 && arcTolerance <= 1)) {
    refuse(caller, 'options.arcTolerance', arcTolerance, 'a number, 0.000001 .. 1');
  }
  const shape = withLayout(clearance);
  const from = placeEnd(shape, readPoint2d(start, caller, 'start'), radius, maxMove);
  const to = placeEnd(shape, readPoint2d(end, caller, 'end'), radius, maxMove);
  const found: ClearPath2d = {
    status: 'none',
    reason: from.triangle < 0 ? 'start-off-mesh' : to.triangle < 0 ? 'end-off-mesh' : '',
    points: [],
    arcs: [],
    length: 0,
    startDistance: from.distance,
    endDistance: to.distance,
  };
  if (found.reason === '') connect(found, shape, from, to, radius, arcTolerance);
  return found;
}

/** Sets the path between two placed ends, or the reason why there is none. */
// oxlint-disable-next-line max-params -- the parts of a query
function connect(
  found: ClearPath2d,
  clearance: Clearance,
  from: PlacedEnd,
  to: PlacedEnd,
  radius: number,
  arcTolerance: number,
): void {
  const { gridSize, width } = clearance;
  const cells = radius / gridSize;
  // An agent without a radius may start at a corner, and leave it on each side of the walls that meet there.
  const starts = radius > 0 ? [from.triangle] : trianglesAt(clearance, from.x, from.v);
  const goals = radius > 0 ? [to.triangle] : trianglesAt(clearance, to.x, to.v);
  const ends = endsOf(from, to, Math.min(cells, from.room, to.room));
  let line: ClearLine | undefined;
  let widest = -1;
  for (const start of starts) {
    for (const goal of goals) {
      const narrowest = narrowestBetween(clearance, start, goal);
      if (narrowest === -2) continue;
      if (narrowest >= 0 && width[narrowest] < 2 * cells) {
        if (widest < 0 || width[narrowest] > width[widest]) widest = narrowest;
        continue;
      }
      ends.startTriangle = start;
      ends.goalTriangle = goal;
      const made = searchLine(clearance, ends);
      if (made !== undefined && (line === undefined || made.length < line.length)) line = made;
    }
  }
  if (line === undefined) {
    if (widest < 0 && clearance.whole !== undefined) {
      const { whole } = clearance;
      const [a, b] = [from, to].map((end) => ({ ...end, triangle: triangleAt(whole, end.x, end.v) }));
      if (a.triangle >= 0 && b.triangle >= 0) connect(found, whole, a, b, radius, arcTolerance);
      else found.reason = 'unreachable';
      return;
    }
    found.reason = 'unreachable';
    if (widest >= 0) found.passage = passageAt(clearance, widest);
    return;
  }
  found.status = 'complete';
  found.length = line.length * gridSize;
  writePoints(found, clearance, line, ends.radius, arcTolerance);
}

function endsOf(from: PlacedEnd, to: PlacedEnd, radius: number): SearchEnds {
  return {
    radius,
    startTriangle: from.triangle,
    startX: from.x,
    startV: from.v,
    goalTriangle: to.triangle,
    goalX: to.x,
    goalV: to.v,
  };
}

/** Returns the shortest path between two placed ends. @internal */
export function searchLine(clearance: Clearance, ends: SearchEnds): ClearLine | undefined {
  const run = beginSearch(shared, clearance, ends);
  /** Paths with added turns around corners near their ends, by node. */
  const cleared = new Map<number, ClearLine>();
  for (;;) {
    const node = stepSearch(run);
    if (node === -2) return undefined;
    if (node < 0) continue;
    const known = cleared.get(node);
    if (known !== undefined) return known;
    const { corner, side } = rootsOf(run, node);
    const line = layLine(clearance, ends, corner, side);
    const clear = clearEnds(clearance, ends, line);
    if (clear === line && line.length <= run.state.keys[node] * (1 + 1e-9)) return line;
    // The path with added turns is longer than its estimate in the search, so other paths may be shorter.
    if (clear !== undefined) cleared.set(queueGoal(run, 0, clear.length), clear);
  }
}

function passageAt(clearance: Clearance, half: number): NarrowPassage {
  const { xs, vs, corner, width, gridSize } = clearance;
  const a = corner[half];
  const b = corner[nextOf(half)];
  return { at: pointAt(clearance, (xs[a] + xs[b]) / 2, (vs[a] + vs[b]) / 2), width: width[half] * gridSize };
}

/** Returns the point of the map at a position in cells. */
export function pointAt(
  { gridSize, originX, originV, mapYSign }: Clearance,
  x: number,
  v: number,
): [x: number, y: number] {
  return [originX + x * gridSize, -mapYSign * (originV + v * gridSize) + 0];
}

function writePoints(
  out: ClearPath2d,
  clearance: Clearance,
  { corner, side, lines, turns }: ClearLine,
  radius: number,
  arcTolerance: number,
): void {
  const { xs, vs, mapYSign } = clearance;
  const { points, arcs } = out;
  // Successive tangents meet outside the circle, at a distance equal to the tolerance.
  const cosHalf = 1 / (1 + arcTolerance);
  points.push(pointAt(clearance, lines[0], lines[1]));
  for (let i = 0; i < corner.length; i++) {
    const k = 6 * i;
    const x = xs[corner[i]];
    const v = vs[corner[i]];
    arcs.push({
      center: pointAt(clearance, x, v),
      start: pointAt(clearance, lines[k + 2], lines[k + 3]),
      end: pointAt(clearance, lines[k + 6], lines[k + 7]),
      turn: side[i] * turns[i] * -mapYSign + 0,
    });
    if (radius === 0) {
      points.push(pointAt(clearance, x, v));
      continue;
    }
    // Unit vectors from the center to the points where the path reaches and leaves the circle.
    const ux = (lines[k + 2] - x) / radius;
    const uv = (lines[k + 3] - v) / radius;
    const mx = ux + (lines[k + 6] - x) / radius;
    const mv = uv + (lines[k + 7] - v) / radius;
    const middleSq = mx * mx + mv * mv;
    if (middleSq >= 4 * cosHalf * cosHalf && turns[i] < 3) {
      // One corner is enough. It lies in the direction of the sum of both vectors.
      points.push(pointAt(clearance, x + (2 * radius * mx) / middleSq, v + (2 * radius * mv) / middleSq));
      continue;
    }
    const degrees = (turns[i] * 180) / Math.PI;
    let parts = 2;
    while (cosDegrees(degrees / (2 * parts)) < cosHalf) parts++;
    const half = degrees / (2 * parts);
    const far = radius / cosDegrees(half);
    for (let n = 0; n < parts; n++) {
      const cos = cosDegrees((2 * n + 1) * half);
      const sin = side[i] * sinDegrees((2 * n + 1) * half);
      points.push(pointAt(clearance, x + far * (ux * cos - uv * sin), v + far * (ux * sin + uv * cos)));
    }
  }
  const last = lines.length - 6;
  points.push(pointAt(clearance, lines[last + 2], lines[last + 3]));
}
