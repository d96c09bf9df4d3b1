/**
 * The line of a path on the walkable surface: over ramps, bridges, stairs and hills, with as few points as a given
 * error allows. The points of a path are only its corners, and the straight line between two corners may leave the
 * surface.
 *
 *     corners     o-------------------o     through the hill, or above the valley
 *     on ground   o-----o-----o-------o     every point of the line within `maxError` of the surface
 *
 * The surface below each stretch is a profile of straight pieces. A line over some of its points is within the error
 * where it passes all of the points between at most that far above or below. A search in breadth finds the fewest.
 *
 * In: a mesh and a path on it, of any path function.
 * Out: points on the surface, and the polygon of each.
 * Cost: linear in the triangles below the path; the choice of points takes, for each stretch, at most the points of its
 *   profile times those that one segment spans.
 * Based on: own; the segments that a point can reach are found as in Hiroshi Imai and Masao Iri, Computational-geometric
 *   methods for polygonal approximations of a curve, 1986.
 */
import { checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { isLinkCrossing, linkEndOf } from '../../mesh/crossing.ts';
import { refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { createCorridor } from './corridor.ts';
import { addSurface, exitShare } from './ground-profile.ts';
import type { GroundProfile, Stretch } from './ground-profile.ts';
import { checkPath, findLinkPoint, loadPath } from './load-path.ts';
import type { CorridorPath } from './load-path.ts';

/** Default error for agents that climb no steps, as a share of their height. */
const ERROR_SHARE = 0.05;
/** Rounding of heights, as a share of the coordinates. */
const ROUNDING = 1e-12;

/** Options of `getGroundLine`. */
export interface GroundLineOptions {
  /**
   * Largest height of the line above or below the surface, world units, 0 or more. Default: half of the agent's
   * `maxClimb`, or a twentieth of its height if it climbs no steps.
   */
  maxError?: number;
}

/** Result of `getGroundLine`. */
export interface GroundLine {
  /** Points on the walkable surface, from start to end, among them all corners of the path. World units. */
  points: [number, number, number][];
  /** The polygon of each point. */
  polys: PolyRef[];
}

const corridor = createCorridor();

/**
 * Returns the line of a path on the walkable surface: the corners of the path, and the fewest points between them for
 * which no point of the line is more than `maxError` above or below the surface. Where the surface has a step that is too
 * high for the error, the line has a point at its foot and one at its edge. Links are straight, from end to end.
 *
 * Returns null if a polygon of the path was removed or is no longer connected to the next one. An empty path gives an
 * empty line. Throws a RangeError for options out of range and unknown keys, and a TypeError for points that are not
 * `[x, y, z]`.
 */
export function getGroundLine(
  mesh: NavMesh,
  path: CorridorPath<[number, number, number]>,
  options: GroundLineOptions = {},
): GroundLine | null {
  checkNavMesh('getGroundLine', mesh);
  checkPath('getGroundLine', path);
  checkKeys('getGroundLine', options, ['maxError']);
  const { maxClimb, height } = mesh.agent;
  const { maxError = maxClimb > 0 ? maxClimb / 2 : ERROR_SHARE * height } = options;
  if (typeof maxError !== 'number' || !(maxError >= 0)) {
    refuse('getGroundLine', 'options.maxError', maxError, 'a number of at least 0');
  }
  const { points, polys } = path;
  for (const [i, point] of points.entries()) {
    if (point.length !== 3) refuseType('getGroundLine', `path.points[${i}]`, point, 'a position [x, y, z]');
  }
  const line: GroundLine = { points: [], polys: [] };
  if (polys.length === 0 || points.length === 0) return line;
  if (!loadPath(corridor, mesh, polys, points)) return null;
  let from = 0;
  let first = 0;
  for (let i = 0; i < polys.length; i++) {
    const isLast = i === polys.length - 1;
    if (!isLast && !isLinkCrossing(corridor.crossings[i])) continue;
    // Where the path takes a link, its line ends and continues at the link's other end.
    const to = isLast ? points.length - 1 : findLinkPoint(mesh, linkEndOf(corridor.crossings[i]), points, from);
    if (to < 0) return null;
    addStretches(line, mesh, points.slice(from, to + 1), corridor.polys.subarray(first, i + 1), maxError);
    from = to + 1;
    first = i + 1;
  }
  return line;
}

/** Adds the line over polygons that edges and portals connect. */
function addStretches(
  out: GroundLine,
  mesh: NavMesh,
  corners: readonly (readonly number[])[],
  polys: Int32Array,
  maxError: number,
): void {
  const profile: GroundProfile = { points: [], distances: [], polys: [] };
  // Index in the profile of the first point at each corner.
  const starts = [0];
  let at = 0;
  let distance = 0;
  for (let k = 0; k < Math.max(corners.length - 1, 1); k++) {
    const [a, b] = [corners[k], corners[Math.min(k + 1, corners.length - 1)]];
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const length = Math.sqrt(dx * dx + dz * dz);
    const stretch: Stretch = { x: a[0], z: a[2], dx, dz, length, distance, share: 0 };
    const isLast = k >= corners.length - 2;
    // A stretch that ends in a polygon leaves it no more. The last one crosses all that follow.
    for (; at < polys.length - 1; at++) {
      const share = exitShare(mesh, polys[at], stretch);
      if (share >= 1 && !isLast) break;
      addSurface(profile, mesh, polys[at], stretch, Math.min(share, 1));
    }
    addSurface(profile, mesh, polys[at], stretch, 1);
    distance += length;
    starts.push(startOf(profile, distance));
  }
  for (const i of fewestPoints(profile, starts, maxError)) {
    out.points.push([profile.points[3 * i], profile.points[3 * i + 1], profile.points[3 * i + 2]]);
    out.polys.push(refOf(mesh, profile.polys[i]));
  }
}

/** Returns the index of the first of the last points that have the same position seen from above. */
function startOf({ points, distances }: GroundProfile, distance: number): number {
  let i = distances.length - 1;
  const [x, z] = [points[3 * i], points[3 * i + 2]];
  while (i > 0 && points[3 * i - 3] === x && points[3 * i - 1] === z && distances[i - 1] === distance) i--;
  return i;
}

/**
 * Returns the fewest points of a profile, in order, for which the line over them passes all others within the error. It
 * has the first and the last point, and at least one at each corner.
 */
function fewestPoints(profile: GroundProfile, starts: readonly number[], maxError: number): number[] {
  const count = profile.distances.length;
  const steps = new Int32Array(count).fill(-1);
  const before = new Int32Array(count).fill(-1);
  steps[0] = 0;
  for (let k = 1; k < starts.length; k++) {
    // All points up to the next corner, with those at this corner and at the next.
    const end = k + 1 < starts.length ? cornerEnd(profile, starts[k]) : count;
    reachPoints(profile, steps, before, starts[k - 1], end, starts[k], maxError);
  }
  const chosen: number[] = [];
  for (let i = count - 1; i >= 0; i = before[i]) chosen.push(i);
  return chosen.reverse();
}

/** Returns the index after the last point with the position of a point. */
function cornerEnd({ distances }: GroundProfile, start: number): number {
  let end = start + 1;
  while (end < distances.length && distances[end] === distances[start]) end++;
  return end;
}

/**
 * Search in breadth over the points of a profile from `begin` to `end`: writes the fewest steps to each point, up to those
 * from `corner` on, and the point before it.
 */
// oxlint-disable-next-line max-params -- kernel
function reachPoints(
  { points, distances }: GroundProfile,
  steps: Int32Array,
  before: Int32Array,
  begin: number,
  end: number,
  corner: number,
  maxError: number,
): void {
  const open: number[] = [];
  for (let i = begin; i < end; i++) if (steps[i] >= 0) open.push(i);
  open.sort((a, b) => steps[a] - steps[b] || b - a);
  let waiting = 0;
  for (let i = corner; i < end; i++) if (steps[i] < 0) waiting++;
  for (let head = 0; head < open.length && waiting > 0; head++) {
    const i = open[head];
    const y = points[3 * i + 1];
    const error = maxError + ROUNDING * (1 + Math.abs(y) + Math.abs(points[3 * i]) + Math.abs(points[3 * i + 2]));
    let low = -Infinity;
    let high = Infinity;
    for (let j = i + 1; j < end && low <= high; j++) {
      const run = distances[j] - distances[i];
      const rise = points[3 * j + 1] - y;
      const isReached = run > 0 ? rise >= low * run && rise <= high * run : low === -Infinity;
      if (isReached && steps[j] < 0) {
        steps[j] = steps[i] + 1;
        before[j] = i;
        if (j >= corner) waiting--;
        insert(open, head, j, steps);
      }
      if (run > 0) {
        low = Math.max(low, (rise - error) / run);
        high = Math.min(high, (rise + error) / run);
      } else if (Math.abs(rise) > error) break;
    }
  }
}

/** Adds a point to the open ones, which are in the order of their steps. */
function insert(open: number[], head: number, i: number, steps: Int32Array): void {
  let at = open.length;
  while (at > head + 1 && steps[open[at - 1]] > steps[i]) at--;
  open.splice(at, 0, i);
}
