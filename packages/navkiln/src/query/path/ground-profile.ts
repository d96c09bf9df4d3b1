/**
 * The height of the walkable surface under a straight stretch of a path, as a profile: points where the surface bends
 * below the stretch, in order. Between two successive points, the surface is straight. Two points at the same distance
 * are a step of the surface.
 *
 * In: polygons in the order in which the stretch crosses them.
 * Out: distance, height and polygon of each point.
 * Cost: linear in the triangles of the polygons, plus sorting those below the stretch.
 * Based on: own; the stretch is clipped against each triangle as Mike Cyrus and Jay Beck do, 1978.
 */
import { loadTriangle, setHeight, triCountOf } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** How far outside of a polygon or triangle a stretch may run, as a share of the largest coordinate of its tile. */
const ROUNDING = 1e-9;
/** A stretch runs along an edge if it stays within the tolerance for longer than this many times the tolerance. */
const SHALLOW = 1e4;
/** Points nearer to each other than this many times the tolerance are one place. */
const SAME = 16;

/** Points of the surface below a path, in order. */
export interface GroundProfile {
  /** xyz of each point. */
  points: number[];
  /** Distance of each point along the path, seen from above, world units. */
  distances: number[];
  /** The polygon (dense index) of each point. */
  polys: number[];
}

/** A straight piece of a path, seen from above. Shares run from 0 to 1. */
export interface Stretch {
  x: number;
  z: number;
  dx: number;
  dz: number;
  length: number;
  /** Distance of its first point along the path, world units. */
  distance: number;
  /** The share up to which the profile is written. */
  share: number;
}

/** The part of a stretch over one triangle: the shares and heights at its ends. */
interface Run {
  from: number;
  to: number;
  low: number;
  high: number;
}

const spot = new Float64Array(3);
/** The share of a stretch that `clip` leaves. */
const kept = new Float64Array(2);
/** Corners of the current triangle: x, y, z three times. */
const tri = new Float64Array(9);

/** Returns the share at which a stretch leaves a polygon; 1 or more if it ends in it. At least `stretch.share`. @internal */
export function exitShare(mesh: NavMesh, poly: number, stretch: Stretch): number {
  const epsilon = epsilonOf(mesh, poly);
  const late = Math.max(stretch.share, exitWith(mesh, poly, stretch, epsilon));
  if (late >= 1) return late;
  // Along an edge, the stretch may lie outside by a rounding error.
  const exact = Math.max(stretch.share, exitWith(mesh, poly, stretch, 0));
  return (late - exact) * stretch.length > SHALLOW * epsilon ? late : exact;
}

function exitWith(mesh: NavMesh, poly: number, stretch: Stretch, margin: number): number {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  kept[0] = -Infinity;
  kept[1] = Infinity;
  for (let e = first, last = end - 1; e < end; last = e++) {
    const a = 3 * edgeVertex[last];
    const b = 3 * edgeVertex[e];
    clip(stretch, vertices[a], vertices[a + 2], vertices[b], vertices[b + 2], margin);
  }
  return kept[1];
}

/** Adds the surface of a polygon below a stretch, from `stretch.share` to the share `end`. @internal */
export function addSurface(out: GroundProfile, mesh: NavMesh, poly: number, stretch: Stretch, end: number): void {
  const begin = stretch.share;
  stretch.share = end;
  if (out.distances.length === 0) addPoint(out, mesh, poly, stretch, 0, NaN);
  for (const { from, to, low, high } of runsOver(mesh, poly, stretch, begin, end)) {
    addPoint(out, mesh, poly, stretch, from, low);
    addPoint(out, mesh, poly, stretch, to, high);
  }
  if (end === 1) addPoint(out, mesh, poly, stretch, 1, NaN);
}

/** Adds a point at a share of the stretch. Without a height, it takes that of the surface. */
// oxlint-disable-next-line max-params -- kernel
function addPoint(
  out: GroundProfile,
  mesh: NavMesh,
  poly: number,
  stretch: Stretch,
  share: number,
  height: number,
): void {
  spot[0] = share === 1 ? stretch.x + stretch.dx : stretch.x + share * stretch.dx;
  spot[2] = share === 1 ? stretch.z + stretch.dz : stretch.z + share * stretch.dz;
  spot[1] = height;
  if (Number.isNaN(height)) setHeight(spot, mesh, poly);
  const distance = stretch.distance + share * stretch.length;
  const { points, distances, polys } = out;
  const count = distances.length;
  const epsilon = epsilonOf(mesh, poly);
  let start = count;
  // Such points are one place. That of a corner is exact.
  while (start > 0 && distance - distances[start - 1] <= SAME * epsilon) start--;
  for (let i = start; i < count && share === 1; i++) {
    points[3 * i] = spot[0];
    points[3 * i + 2] = spot[2];
    distances[i] = distance;
  }
  if (start < count && Math.abs(spot[1] - points[3 * count - 2]) <= epsilon) return;
  if (start === count) points.push(spot[0], spot[1], spot[2]);
  else points.push(points[3 * start], spot[1], points[3 * start + 2]);
  distances.push(start === count ? distance : distances[start]);
  polys.push(poly);
}

/** Returns the parts of a stretch over the triangles of a polygon, in order, without overlaps. */
function runsOver(mesh: NavMesh, poly: number, stretch: Stretch, begin: number, end: number): Run[] {
  const epsilon = epsilonOf(mesh, poly);
  const least = epsilon / stretch.length;
  const runs: Run[] = [];
  if (!(end - begin > least)) return runs;
  const count = triCountOf(mesh, poly);
  for (let t = 0; t < count; t++) {
    loadTriangle(tri, mesh, poly, t);
    // Slivers are left out: their neighbors cover them within the tolerance.
    if (!clipTriangle(stretch, begin, end, epsilon, epsilon)) continue;
    let [from, to] = kept;
    // Along an edge, the stretch may lie outside of both triangles by a rounding error.
    const isCrossed = clipTriangle(stretch, begin, end, 0, epsilon);
    if (isCrossed && (to - from - (kept[1] - kept[0])) * stretch.length <= SHALLOW * epsilon) [from, to] = kept;
    runs.push({ from, to, low: heightAt(stretch, from), high: heightAt(stretch, to) });
  }
  runs.sort((a, b) => a.from - b.from || a.to - b.to);
  let reached = begin;
  return runs.filter((run) => {
    if (run.to - reached <= least) return false;
    if (run.from < reached) {
      run.low += ((reached - run.from) / (run.to - run.from)) * (run.high - run.low);
      run.from = reached;
    }
    reached = run.to;
    return true;
  });
}

/**
 * Sets `kept` to the share over the current triangle and up to `margin` around it. Returns false if that is at most
 * `epsilon` long, and for a triangle that is at most `epsilon` wide.
 */
function clipTriangle(stretch: Stretch, begin: number, end: number, margin: number, epsilon: number): boolean {
  kept[0] = begin;
  kept[1] = end;
  const ux = tri[3] - tri[0];
  const uz = tri[5] - tri[2];
  const vx = tri[6] - tri[0];
  const vz = tri[8] - tri[2];
  const area = uz * vx - ux * vz;
  const wx = vx - ux;
  const wz = vz - uz;
  const longest = Math.sqrt(Math.max(ux * ux + uz * uz, vx * vx + vz * vz, wx * wx + wz * wz));
  if (!(Math.abs(area) > epsilon * longest)) return false;
  for (let a = 0, last = 6; a < 9; last = a, a += 3) {
    const [from, to] = area > 0 ? [last, a] : [a, last];
    clip(stretch, tri[from], tri[from + 2], tri[to], tri[to + 2], margin);
  }
  return (kept[1] - kept[0]) * stretch.length > epsilon;
}

/** Limits `kept` to the side of an edge on which polygons lie, and up to `margin` beside it. */
// oxlint-disable-next-line max-params -- kernel
function clip(stretch: Stretch, ax: number, az: number, bx: number, bz: number, margin: number): void {
  const ux = bx - ax;
  const uz = bz - az;
  const size = Math.sqrt(ux * ux + uz * uz);
  if (size === 0) return;
  const inside = (uz * (stretch.x - ax) - ux * (stretch.z - az)) / size + margin;
  const slope = (uz * stretch.dx - ux * stretch.dz) / size;
  if (slope < 0) kept[1] = Math.min(kept[1], Math.max(inside, 0) / -slope);
  else if (slope > 0) kept[0] = Math.max(kept[0], -inside / slope);
  else if (inside < 0) kept[1] = -Infinity;
}

/** Returns the height of the current triangle at a share of the stretch, within that of its corners. */
function heightAt(stretch: Stretch, share: number): number {
  const x = stretch.x + share * stretch.dx - tri[0];
  const z = stretch.z + share * stretch.dz - tri[2];
  const ux = tri[3] - tri[0];
  const uz = tri[5] - tri[2];
  const vx = tri[6] - tri[0];
  const vz = tri[8] - tri[2];
  const area = uz * vx - ux * vz;
  const y = tri[1] + ((tri[4] - tri[1]) * (z * vx - x * vz) + (tri[7] - tri[1]) * (uz * x - ux * z)) / area;
  return Math.min(Math.max(y, Math.min(tri[1], tri[4], tri[7])), Math.max(tri[1], tri[4], tri[7]));
}

/** Returns the tolerance for points of a polygon, world units. */
function epsilonOf(mesh: NavMesh, poly: number): number {
  const at = 6 * mesh.polyTile[poly];
  let most = 0;
  for (let k = at; k < at + 6; k++) most = Math.max(most, Math.abs(mesh.tileBounds[k]));
  return ROUNDING * most;
}
