/**
 * Casts a ray along the walkable surface, seen from above, until it hits a wall.
 *
 *        left
 *     o--------o        The ray leaves a polygon through the edge whose start lies right of the ray and whose
 *     |   S----|--->    end lies left of it. Sides are exact, so there is no tolerance: a ray that crosses a
 *     o--------o        wall stops, and any other ray does not. The end lies in the polygon if it is not beyond
 *        right          that edge.
 *
 * A ray may touch walls. When it passes a corner or runs along an edge, it continues if a polygon around that corner
 * lies ahead; see corner.ts. It never slips between two walls that meet in a corner, and each corner of a path sees the
 * next one. The same holds for the ends of portals on a tile border, within `EDGE_SLACK`. Heights do not matter: the
 * ray stays on the floor where it starts.
 *
 * In: a polygon, a point on it, an end point.
 * Out: how far the ray goes, the point there on the surface, the wall, the polygons crossed and, on request,
 * the cost.
 * Cost: linear in the polygons crossed; passing a corner is quadratic in the polygons around it.
 * Based on: Olivier Devillers, Sylvain Pion, Monique Teillaud, Walking in a Triangulation, 2001, for convex polygons.
 * Detour's raycast (Mikko Mononen) answers the same query, but depends on the order of edges where a ray touches a
 * corner.
 * Tried: a loop over corners with branches on the side. Its branches are mispredicted, and it is slower (bench
 * `queries`).
 */
import { checkKeys } from '../../base/data/refuse.ts';
import { isOnSurface, isOverPoly } from '../../mesh/ground.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { passPoint } from './corner.ts';
import {
  addPoly,
  beginHit,
  countTo,
  countToEdge,
  createRayHit,
  endAt,
  spot,
  restartHit,
  stopAt,
  stopAtSpot,
} from './hit.ts';
import type { RayHit, RaycastStatus } from './hit.ts';
import {
  ERROR_BOUND,
  NO_EXIT,
  NO_PORTAL,
  PORTAL_END,
  crossing,
  exactExit,
  isBeyond,
  portalAt,
  setCrossing,
  setOnEdge,
  setRay,
  setRayStart,
  xs,
  zs,
} from './line.ts';
import { locateStart, resolvePoly } from '../nearest/start.ts';
import type { WalkOptions } from '../walk/open-edges.ts';

/** Options of `raycast`. */
export interface RaycastOptions extends WalkOptions {
  /** Whether to compute `cost`. Default false. */
  withCost?: boolean;
  /** Whether to list the polygons crossed. Default false. */
  withPolys?: boolean;
}

/** Result of `raycast`. */
export interface RaycastResult {
  status: RaycastStatus;
  /** Fraction of the segment from start to end that the ray covers, 0 to 1. 1 when it reaches the end. */
  t: number;
  /** Where the ray ends, on the walkable surface. The given start when there is no start polygon. */
  point: [number, number, number];
  /** Horizontal unit normal of the wall, towards the ray's start. Zeros when no wall was hit. */
  normal: [number, number, number];
  /** Index of the edge that was hit within polygon `ref`, or -1. */
  edge: number;
  /** The polygon where the ray ends. `NULL_REF` when there is no start polygon. */
  ref: PolyRef;
  /** The polygons crossed, starting with the start's. Empty without `withPolys`. */
  polys: PolyRef[];
  /**
   * Sum over the polygons: the length in each, measured between heights of its outline, times the cost of its area, or
   * the result of the filter's `cost`. NaN without `withCost`, and without a start polygon.
   */
  cost: number;
}

const RAYCAST_KEYS = [
  'startRef',
  'halfExtents',
  'filter',
  'size',
  'withCost',
  'withPolys',
] as const satisfies readonly (keyof RaycastOptions)[];

const from = createNearestHit();
const origin = new Float64Array(3);
const goal = new Float64Array(3);
const shared = createRayHit();

/**
 * Casts a ray along the walkable surface from start to end, seen from above.
 *
 * Points are in world units; their y only selects the floor at the start. With `startRef` the status is
 * 'stale-ref' when that polygon no longer exists. Throws a TypeError for invalid points and a RangeError for
 * unknown options or invalid half extents.
 */
export function raycast(mesh: NavMesh, start: PointLike, end: PointLike, options: RaycastOptions = {}): RaycastResult {
  checkKeys('raycast', options, RAYCAST_KEYS);
  const filter = readFilter('raycast', options, mesh);
  const { withCost = false, withPolys = false, startRef } = options;
  readPoint(goal, end, 'raycast', 'end');
  readPoint(origin, start, 'raycast', 'start');
  const isGiven = startRef !== undefined;
  if (isGiven) from.poly = resolvePoly(mesh, startRef, 'raycast', 'options.startRef');
  else locateStart(from, mesh, origin, options, filter, 'raycast');
  if (from.poly < 0) {
    return {
      status: isGiven ? 'stale-ref' : 'off-mesh',
      t: 0,
      point: [origin[0], origin[1], origin[2]],
      normal: [0, 0, 0],
      edge: -1,
      ref: NULL_REF,
      polys: [],
      cost: NaN,
    };
  }
  const first = isGiven ? origin : from.point;
  setRay(first, goal);
  beginHit(shared, from.poly, first, filter, withCost);
  if (!cast(shared, mesh, from.poly, first, filter, isGiven)) {
    const isOn = isOnSurface(from.point, mesh, from.poly, origin);
    // The wall that its start is on does not stop a ray of no length.
    if (isOn && goal[0] === origin[0] && goal[2] === origin[2]) goal.set(from.point);
    raycastInto(shared, mesh, from.poly, from.point, goal, filter, withCost);
  }
  const { point, normal, poly, edge, count } = shared;
  const polys: PolyRef[] = [];
  if (withPolys) for (let i = 0; i < count; i++) polys.push(refOf(mesh, shared.polys[i]));
  return {
    status: shared.status,
    t: shared.t,
    point: [point[0], point[1], point[2]],
    normal: [normal[0], normal[1], normal[2]],
    edge: edge < 0 ? -1 : edge - mesh.polyEdgeStart[poly],
    ref: refOf(mesh, poly),
    polys,
    cost: shared.cost,
  };
}

/** Kernel of `raycast`: the start is on polygon `startPoly`. Allocates nothing once `out` has grown. */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function raycastInto(
  out: RayHit,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
  withCost: boolean,
): void {
  setRay(start, end);
  beginHit(out, startPoly, start, filter, withCost);
  cast(out, mesh, startPoly, start, filter, false);
}

/**
 * Casts the ray. With `isToCheck` it first tests whether the start is over its polygon; if not, it returns
 * false and leaves the hit unfinished. The caller has set the ray and begun the hit.
 */
function cast(
  out: RayHit,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  filter: QueryFilter,
  isToCheck: boolean,
): boolean {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const sx = xs[0];
  const sz = zs[0];
  const ex = xs[1];
  const ez = zs[1];
  const dx = ex - sx;
  const dz = ez - sz;
  let poly = startPoly;
  // The vertex right of the ray where it entered the polygon, or -1.
  let right = -1;
  if (dx === 0 && dz === 0) {
    if (isToCheck && !isOverPoly(mesh, poly, start)) return false;
    endAt(out, mesh, poly);
    return true;
  }
  // The ray leaves each polygon further along than it entered. The limit only guards against invalid meshes.
  for (let steps = 2 * mesh.edgeCount + 2; steps > 0; steps--) {
    const first = polyEdgeStart[poly];
    const count = polyVertexCount[poly];
    const stop = first + count;
    let rights = 0;
    let unsure = 0;
    let outside = 0;
    const last = 3 * edgeVertex[stop - 1];
    let ax = vertices[last] - sx;
    let az = vertices[last + 2] - sz;
    for (let k = 0; k < count; k = (k + 1) | 0) {
      const v = 3 * edgeVertex[first + k];
      const bx = vertices[v] - sx;
      const bz = vertices[v + 2] - sz;
      outside |= +(az * bx - ax * bz < 0);
      ax = bx;
      az = bz;
      const l = bx * dz;
      const r = bz * dx;
      const det = l - r;
      rights |= +(det < 0) << k;
      unsure |= +(Math.abs(det) <= ERROR_BOUND * (Math.abs(l) + Math.abs(r)));
    }
    if (isToCheck) {
      if (outside !== 0) return false;
      isToCheck = false;
    }
    // Bit k is set if corner k is right of the ray and corner k + 1 is not.
    const exits = rights & ~((rights >>> 1) | ((rights & 1) << (count - 1)));
    const isClear = unsure === 0 && exits !== 0 && (exits & (exits - 1)) === 0 && count <= 32;
    const edge = isClear ? first + 31 - Math.clz32(exits) : exactExit(mesh, poly, right);
    if (edge < 0) {
      // The ray leads through a corner, along an edge, or past the polygon by a rounding error.
      if (edge === NO_EXIT) {
        if (out.count > 1 || !moveInside(mesh, poly, start)) break;
        setRayStart(inside);
        restartHit(out, poly, inside);
        return cast(out, mesh, poly, inside, filter, false);
      }
      crossing[0] = 0;
      poly = passPoint(out, mesh, poly, ~edge, filter);
      if (poly < 0) return true;
      right = -1;
      continue;
    }
    const next = edge + 1 === stop ? first : edge + 1;
    const a = 3 * edgeVertex[edge];
    const b = 3 * edgeVertex[next];
    const l = (vertices[a + 2] - ez) * (vertices[b] - ex);
    const r = (vertices[a] - ex) * (vertices[b + 2] - ez);
    const det = l - r;
    const doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
    if (det > doubt || (det >= -doubt && !isBeyond(mesh, a, b))) {
      endAt(out, mesh, poly);
      return true;
    }
    const other = edgeNeighbor[edge];
    if (other >= 0 && passesFilter(filter, mesh, other)) {
      countToEdge(out, mesh, poly, edge, next);
      right = edgeVertex[edge];
      poly = other;
      addPoly(out, poly);
      continue;
    }
    if (other >= -1) {
      stopAt(out, mesh, poly, edge);
      return true;
    }
    poly = crossBorder(out, mesh, poly, edge, next, filter);
    if (poly < 0) return true;
    right = -1;
  }
  // The ray misses the polygon by a rounding error and leads away from it.
  out.poly = poly;
  stopAtSpot(out, mesh);
  return true;
}

/** Crosses an edge on a tile border. Returns the next polygon, or -1 when the ray has ended. */
function crossBorder(
  out: RayHit,
  mesh: NavMesh,
  poly: number,
  edge: number,
  next: number,
  filter: QueryFilter,
): number {
  setCrossing(mesh, edge, next);
  const portal = portalAt(mesh, poly, edge, filter);
  if (portal === NO_PORTAL) {
    stopAt(out, mesh, poly, edge);
    return -1;
  }
  if (portal === PORTAL_END) return passPoint(out, mesh, poly, edge, filter);
  setOnEdge(spot, mesh, poly, edge);
  countTo(out, mesh, poly, spot);
  const other = mesh.portalPoly[portal];
  addPoly(out, other);
  return other;
}

/** The start moved inward, and by how much: a share of the distance to the polygon's center. */
const inside = new Float64Array(3);
const INWARD = 1e-9;

/**
 * Moves the start inward when it is off its polygon by a rounding error and the ray misses the polygon.
 * Returns false when it is off by more, or was already moved.
 */
function moveInside(mesh: NavMesh, poly: number, start: Float64Array): boolean {
  if (start === inside) return false;
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let e = first; e < first + count; e++) sum += vertices[3 * edgeVertex[e] + k] - start[k];
    inside[k] = start[k] + (INWARD * sum) / count;
  }
  return isOverPoly(mesh, poly, inside);
}
