/**
 * Smooth paths: a path as points on the walkable surface, at most one step apart. Code can move an object along them
 * without a corridor or height queries.
 *
 * Between two corners of the straightened path, points are placed at equal distances, measured from above.
 * Each point lies on a polygon of the corridor, at the height of its surface. A link of any length counts as one
 * step. So a smooth path ends exactly at the end of the path and has the same length seen from above. The number of
 * points depends only on lengths.
 *
 * A straight stretch crosses the polygons of its corridor in order. A point belongs to the first polygon that contains
 * it seen from above, counted from the previous point's polygon. Because of rounding, or in a narrow gap between two
 * tiles, no polygon may contain a point. Then the point belongs to the nearest polygon, at the height of its nearest
 * edge.
 *
 * In: a corridor, the line pulled through it, the longest step.
 * Out: points, their polygons and their link ends.
 * Cost: linear in points and in polygons. No allocation in the kernel after warm-up.
 * Based on: own. The follow mode of RecastDemo (Mikko Mononen, 2009) has the same purpose: it steers towards the next
 *   corner, slides along walls and repairs its corridor. navkiln's points lie on the shortest line instead.
 * Tried: the follow mode; it takes 5 to 30 times as long, for paths of 0.99 to 1.09 times the length
 *   (test/property/smooth.test.ts).
 */
import { otherEnd } from '../../mesh/crossing.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { isOverPoly, setHeight } from '../../mesh/ground.ts';
import { refOf } from '../../mesh/ref.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import { createPathBuffer, createPathQuery, findPathInto, pathOf, readPathQuery } from './find-path.ts';
import { DETAILED_PATH_KEYS, addPathCrossings, cornerFlags, cornerLink, readCrossings } from './details.ts';
import type { DetailedPath, DetailedPathOptions, PathCorner } from './details.ts';
import type { PathLine } from './path-line.ts';
import { pointsOf } from './result.ts';
import type { PointLike } from '../../base/math/point.ts';
import { createSearchState } from '../search-state.ts';

/** Largest number of points of a smooth path; more would exceed the largest typed array. */
const MAX_POINTS = 0x4000000;
/** Default step when the agent has no radius, world units. */
const DEFAULT_STEP = 0.5;
/** How far outside of its polygon rounding may put a point, as a fraction of its coordinates. */
const ROUNDING = 1e-14;

/** Options of `findSmoothPath`. */
export interface SmoothPathOptions extends DetailedPathOptions {
  /**
   * Longest step seen from above, world units, above 0; `Infinity` gives corners only. Default: the agent's
   * radius, or 0.5 when that is 0.
   */
  step?: number;
}

const SMOOTH_PATH_KEYS: readonly string[] = DETAILED_PATH_KEYS.concat('step');

/** Result of `findSmoothPath`. */
export interface SmoothPath extends DetailedPath {
  /** One for each of `points`. `poly` is the polygon of the point. */
  corners: PathCorner[];
}

/** Output of the kernel. Create it once with `createSmoothLine` and reuse it. */
export interface SmoothLine {
  /** Longest step seen from above, world units, above 0. Set by the caller. */
  step: number;
  count: number;
  /** xyz of point 0 .. count - 1; the arrays may be longer. */
  points: Float64Array;
  /** The polygon (dense index) of each point. */
  polys: Int32Array;
  /** The link end that the point is at, or -1; see `PathLine`. */
  linkEnds: Int32Array;
  /** Length of the line through the points, world units. */
  length: number;
}

/** Returns an empty line for `smoothLineInto`, with a step of 0.5. */
export function createSmoothLine(): SmoothLine {
  return {
    step: DEFAULT_STEP,
    count: 0,
    points: new Float64Array(0),
    polys: new Int32Array(0),
    linkEnds: new Int32Array(0),
    length: NaN,
  };
}

const sharedQuery = createPathQuery();
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();
const sharedLine = createSmoothLine();

/**
 * Returns the path from start to end as points on the walkable surface, at most `step` apart. Status, reason,
 * polygons and cost are those of `findPath`.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function findSmoothPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: SmoothPathOptions = {},
): SmoothPath {
  checkNavMesh('findSmoothPath', mesh);
  checkKeys('findSmoothPath', options, SMOOTH_PATH_KEYS);
  const { step = mesh.agent.radius > 0 ? mesh.agent.radius : DEFAULT_STEP } = options;
  if (typeof step !== 'number' || !(step > 0)) refuse('findSmoothPath', 'options.step', step, 'a number > 0');
  const crossings = readCrossings(options, 'findSmoothPath');
  readPathQuery(sharedQuery, mesh, start, end, options, 'findSmoothPath');
  findPathInto(sharedBuffer, sharedState, mesh, sharedQuery);
  addPathCrossings(sharedBuffer, mesh, crossings);
  sharedLine.step = step;
  smoothLineInto(sharedLine, mesh, sharedBuffer.corridor, sharedBuffer.line);
  const { count, points, polys, linkEnds, length } = sharedLine;
  const corners: PathCorner[] = [];
  for (let i = 0; i < count; i++) {
    corners.push({
      flags: cornerFlags(i, count, linkEnds[i]),
      poly: refOf(mesh, polys[i]),
      link: cornerLink(mesh, linkEnds[i]),
    });
  }
  return { ...pathOf(mesh, sharedBuffer), points: pointsOf(points, count), length, corners };
}

/** The current point. */
const position = new Float64Array(3);

/**
 * Kernel of `findSmoothPath`: writes the points of a line that was pulled through the corridor. Allocates
 * nothing once `out` has grown.
 */
export function smoothLineInto(out: SmoothLine, mesh: NavMesh, corridor: Corridor, line: PathLine): void {
  const { points, places, linkEnds } = line;
  reserve(out, line);
  out.count = 0;
  out.length = 0;
  // Index in the corridor of the last point's polygon.
  let last = 0;
  for (let corner = 0; corner < line.count; corner++) {
    const linkEnd = linkEnds[corner];
    const to = 3 * corner;
    const here = places[corner] >> 1;
    const isAfterLink = corner > 0 && linkEnd >= 0 && linkEnds[corner - 1] === otherEnd(linkEnd);
    if (corner > 0 && !isAfterLink) {
      const ax = points[to - 3];
      const az = points[to - 1];
      const dx = points[to] - ax;
      const dz = points[to + 2] - az;
      const parts = countParts(out, points, to);
      for (let i = 1; i < parts; i++) {
        position[0] = ax + (i / parts) * dx;
        position[2] = az + (i / parts) * dz;
        last = findPoly(mesh, corridor, last, here);
        addPoint(out, mesh, corridor.polys[last], -1);
      }
    }
    position[0] = points[to];
    position[2] = points[to + 2];
    // A corner on an edge belongs to the polygon that the path enters, not to the one that it leaves.
    let poly = linkEnd >= 0 ? mesh.linkPoly[linkEnd] : corridor.polys[here];
    if (linkEnd < 0 && here > last && !isOverPoly(mesh, poly, position)) {
      poly = corridor.polys[findPoly(mesh, corridor, here - 1, here)];
    }
    addPoint(out, mesh, poly, linkEnd);
    last = here;
  }
}

/** Returns the number of steps for the stretch to the corner at offset `to`. */
function countParts(out: SmoothLine, points: Float64Array, to: number): number {
  // The function reads coordinates itself, since V8 may allocate doubles that are passed to it.
  const dx = points[to] - points[to - 3];
  const dz = points[to + 2] - points[to - 1];
  const parts = Math.ceil(Math.sqrt(dx * dx + dz * dz) / out.step);
  if (!(parts <= MAX_POINTS)) {
    refuse('findSmoothPath', 'options.step', out.step, `longer; this path would have ${parts} points`);
  }
  return parts > 1 ? parts | 0 : 1;
}

/** Reserves memory for all points of a line. */
function reserve(out: SmoothLine, line: PathLine): void {
  const { points } = line;
  let count = 1;
  for (let i = 3; i < 3 * line.count; i += 3) count += countParts(out, points, i);
  if (out.polys.length >= count) return;
  const capacity = Math.max(count, 2 * out.polys.length);
  out.points = new Float64Array(3 * capacity);
  out.polys = new Int32Array(capacity);
  out.linkEnds = new Int32Array(capacity);
}

/**
 * Returns the index in the corridor, `from` .. `to`, of the first polygon that contains `position` seen from above. If no
 * polygon contains it, returns that of the nearest polygon.
 */
function findPoly(mesh: NavMesh, corridor: Corridor, from: number, to: number): number {
  const { polys } = corridor;
  if (from === to || isOverPoly(mesh, polys[from], position)) return from;
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const epsilon = -ROUNDING * (Math.abs(position[0]) + Math.abs(position[2]));
  let best = -Infinity;
  let found = from;
  for (let i = from; i <= to; i++) {
    const first = polyEdgeStart[polys[i]];
    const end = first + polyVertexCount[polys[i]];
    // Distance to the nearest edge from inside; negative when the point is outside.
    let depth = Infinity;
    let a = 3 * edgeVertex[end - 1];
    for (let e = first; e < end; e++) {
      const b = 3 * edgeVertex[e];
      const ax = vertices[a] - position[0];
      const az = vertices[a + 2] - position[2];
      const bx = vertices[b] - position[0];
      const bz = vertices[b + 2] - position[2];
      const ux = bx - ax;
      const uz = bz - az;
      const inside = (az * bx - ax * bz) / Math.sqrt(ux * ux + uz * uz);
      if (inside < depth) depth = inside;
      a = b;
    }
    if (depth > best) {
      best = depth;
      found = i;
      if (depth >= 0) break;
    } else if (best >= epsilon) {
      break;
    }
  }
  return found;
}

/** Appends `position`, at the height of the polygon's surface. */
function addPoint(out: SmoothLine, mesh: NavMesh, poly: number, linkEnd: number): void {
  const { points, count } = out;
  setHeight(position, mesh, poly);
  const at = 3 * count;
  points[at] = position[0];
  points[at + 1] = position[1];
  points[at + 2] = position[2];
  out.polys[count] = poly;
  out.linkEnds[count] = linkEnd;
  out.count = count + 1;
  if (count === 0) return;
  const dx = position[0] - points[at - 3];
  const dy = position[1] - points[at - 2];
  const dz = position[2] - points[at - 1];
  out.length += Math.sqrt(dx * dx + dy * dy + dz * dz);
}
