/**
 * The smooth walk: a path as points on the ground, one a step, for whoever moves along it and wants neither corridor nor heights.
 *
 * In: a corridor, the string pulled through it, the longest step. Out: the corners of the string, and between two of them as many
 * points at equal distances as are needed; each with the polygon it is on and at the height of that polygon's ground. Steps are
 * measured from above. A link is one step, however far it leads. So the walk ends exactly where the path ends, is seen from above
 * exactly as long as the string, and how many points there are follows from lengths alone.
 *
 * Which polygon: a straight stretch crosses each polygon of the corridor once and in order, so that of a point is the first that
 * it is over, from the polygon of the point before on. Where by a rounding (or in the hair's breadth there may be between two
 * tiles) a point is over none, it is the one it is least beside; its height is that of the nearest edge.
 *
 * Cost: linear in points and polygons passed; some 60 ns a point where polygons have little detail. No allocation after warm-up.
 *
 * Based on: own; what is answered is what the follow mode of RecastDemo answers (Mikko Mononen, 2009), which steers towards the
 * next corner of a string pulled anew each step, slides along walls, and repairs its corridor.
 * Tried and lost: that way of going about it. On levels its walks are 1 to 1.03 times as long as the string (on squares, where
 * many corridors cost the same and a repaired one may be another, 0.994 to 1.09 times), and take 5 to 30 times as long to find.
 */
import { isOverPoly, setHeight } from '../../navmesh/ground.ts';
import { refOf } from '../../navmesh/ref.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { Corridor } from './corridor.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import { createPathBuffer, findPathInto, pathOf, readPathOptions } from './find-path.ts';
import { addPathCrossings, cornerFlags, cornerLink, readCrossings } from './details.ts';
import type { DetailedPath, DetailedPathOptions, PathCorner } from './details.ts';
import type { PathLine } from './path-line.ts';
import type { PointLike } from '../../math/point.ts';
import { createSearchState } from '../search-state.ts';

/** Points a walk may have; more would not fit into an array. */
const MAX_POINTS = 0x4000000;
/** Step where the agent has no radius, world units. */
const DEFAULT_STEP = 0.5;
/** Of a coordinate: what rounding may put a point beside its polygon by. */
const ROUNDING = 1e-14;

export interface SmoothPathOptions extends DetailedPathOptions {
  /** Longest step seen from above, world units; `Infinity`: corners only. Default: the agent's radius, 0.5 when that is 0. */
  step?: number;
}

export interface SmoothPath extends DetailedPath {
  /** One a point: where it is, and whether it takes a link. `poly` is the polygon the point is on. */
  corners: PathCorner[];
}

/** What the kernel writes. Make one with `createSmoothLine` and reuse it. */
export interface SmoothLine {
  /** Longest step seen from above, world units, above 0. To be set before the kernel is called. */
  step: number;
  count: number;
  /** xyz of point 0 .. count - 1; the arrays may be longer. */
  points: Float64Array;
  /** The polygon (dense index) each point is on. */
  polys: Int32Array;
  /** The link end that the point is at, or -1: as of a `PathLine`. */
  linkEnds: Int32Array;
  /** Of the line through the points. */
  length: number;
}

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

const startPoint = new Float64Array(3);
const endPoint = new Float64Array(3);
const extents = new Float64Array(3);
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();
const sharedLine = createSmoothLine();

/**
 * The path from start to end as points on the ground, at most `step` apart. Status, reason, polygons and cost as of `findPath`.
 * Throws a TypeError for what is no point, a RangeError for options out of range.
 */
export function findSmoothPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: SmoothPathOptions = {},
): SmoothPath {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity } = options;
  const { step = mesh.agent.radius > 0 ? mesh.agent.radius : DEFAULT_STEP } = options;
  if (!(step > 0)) throw new RangeError(`findSmoothPath: step is ${step}; give a length above 0`);
  const crossings = readCrossings(options);
  readPathOptions(startPoint, endPoint, extents, mesh, start, end, options);
  findPathInto(sharedBuffer, sharedState, mesh, startPoint, endPoint, extents, filter, maxNodes);
  addPathCrossings(sharedBuffer, mesh, crossings);
  sharedLine.step = step;
  smoothLineInto(sharedLine, mesh, sharedBuffer.corridor, sharedBuffer.line);
  const path = pathOf(mesh, sharedBuffer);
  const { count, points, polys, linkEnds } = sharedLine;
  path.points = [];
  const corners: PathCorner[] = [];
  for (let i = 0; i < count; i++) {
    const linkEnd = linkEnds[i];
    path.points.push([points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
    corners.push({
      flags: cornerFlags(i, count, linkEnd),
      poly: refOf(mesh, polys[i]),
      link: cornerLink(mesh, linkEnd),
    });
  }
  return { ...path, length: sharedLine.length, corners };
}

/** A point at hand. */
const place = new Float64Array(3);

/** Kernel of `findSmoothPath`: the line was pulled through the corridor. Allocates nothing once `out` has grown. */
export function smoothLineInto(out: SmoothLine, mesh: NavMesh, corridor: Corridor, line: PathLine): void {
  const { points, places, linkEnds } = line;
  reserve(out, line);
  out.count = 0;
  out.length = 0;
  // Where in the corridor the last point was.
  let at = 0;
  for (let corner = 0; corner < line.count; corner++) {
    const linkEnd = linkEnds[corner];
    const to = 3 * corner;
    const here = places[corner] >> 1;
    if (corner > 0 && !(linkEnd >= 0 && linkEnds[corner - 1] === (linkEnd ^ 1))) {
      const ax = points[to - 3];
      const az = points[to - 1];
      const dx = points[to] - ax;
      const dz = points[to + 2] - az;
      const parts = countParts(out, points, to);
      for (let i = 1; i < parts; i++) {
        place[0] = ax + (i / parts) * dx;
        place[2] = az + (i / parts) * dz;
        at = findPlace(mesh, corridor, at, here);
        addPoint(out, mesh, corridor.polys[at], -1);
      }
    }
    place[0] = points[to];
    place[2] = points[to + 2];
    // At an edge, rather what is entered than what is left.
    let poly = linkEnd >= 0 ? mesh.linkPoly[linkEnd] : corridor.polys[here];
    if (linkEnd < 0 && here > at && !isOverPoly(mesh, poly, place))
      poly = corridor.polys[findPlace(mesh, corridor, here - 1, here)];
    addPoint(out, mesh, poly, linkEnd);
    at = here;
  }
}

/** Into how many parts the stretch to the corner at `to` is cut. Doubles are read here: handed over, they might be allocated. */
function countParts(out: SmoothLine, points: Float64Array, to: number): number {
  const dx = points[to] - points[to - 3];
  const dz = points[to + 2] - points[to - 1];
  const parts = Math.ceil(Math.sqrt(dx * dx + dz * dz) / out.step);
  if (!(parts <= MAX_POINTS)) {
    throw new RangeError(`findSmoothPath: a step of ${out.step} makes ${parts} points of this path; give a longer one`);
  }
  return parts > 1 ? parts | 0 : 1;
}

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

/** The first of the corridor's polygons, `from` .. `to`, that the point at hand is over; else the one it is least beside. */
function findPlace(mesh: NavMesh, corridor: Corridor, from: number, to: number): number {
  const { polys } = corridor;
  if (from === to || isOverPoly(mesh, polys[from], place)) return from;
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const hair = -ROUNDING * (Math.abs(place[0]) + Math.abs(place[2]));
  let best = -Infinity;
  let found = from;
  for (let i = from; i <= to; i++) {
    const first = polyEdgeStart[polys[i]];
    const end = first + polyVertexCount[polys[i]];
    // How far inside the polygon's edges the point is; negative: outside.
    let depth = Infinity;
    let a = 3 * edgeVertex[end - 1];
    for (let e = first; e < end; e++) {
      const b = 3 * edgeVertex[e];
      const ax = vertices[a] - place[0];
      const az = vertices[a + 2] - place[2];
      const bx = vertices[b] - place[0];
      const bz = vertices[b + 2] - place[2];
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
    } else if (best >= hair) {
      break;
    }
  }
  return found;
}

/** Appends the point at hand, at the height of the ground of a polygon. */
function addPoint(out: SmoothLine, mesh: NavMesh, poly: number, linkEnd: number): void {
  const { points, count } = out;
  setHeight(place, mesh, poly);
  const at = 3 * count;
  points[at] = place[0];
  points[at + 1] = place[1];
  points[at + 2] = place[2];
  out.polys[count] = poly;
  out.linkEnds[count] = linkEnd;
  out.count = count + 1;
  if (count === 0) return;
  const dx = place[0] - points[at - 3];
  const dy = place[1] - points[at - 2];
  const dz = place[2] - points[at - 1];
  out.length += Math.sqrt(dx * dx + dy * dy + dz * dz);
}
