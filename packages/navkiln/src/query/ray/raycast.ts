/**
 * How far can one walk straight from here? A ray along the ground, seen from above.
 *
 * In: a polygon, a point on it, an end. Out: how far the ray goes before a wall, the point there on the ground, the wall, the
 * polygons crossed (each a neighbour of the one before), and on demand the cost of the way.
 *
 *        left
 *     o--------o        A polygon is left through the edge from a corner right of the ray to one left of it. Sides are exact, so
 *     |   S----|--->    nothing is decided twice in different ways, and there are no tolerances: a ray that crosses a wall is
 *     o--------o        stopped, one that does not is not. The end lies in a polygon when it is not beyond that edge.
 *        right
 *
 * Corners. Walls may be touched: a ray that passes a corner, or runs along an edge, goes on when one of the polygons around
 * that corner, found from the one at hand through edges that end there, has ground ahead. So it never slips through between two
 * walls that meet in a corner, and from each corner of a path the next one is seen. On a tile's border the same holds for the
 * ends of portals, give or take `EDGE_SLACK`.
 *
 * Heights play no part: the ray stays on the floor it starts on. Cost: some 25 ns a polygon; passing a corner, linear in the
 * polygons around it.
 *
 * On real levels a ray crosses two polygons, so what counts is what is done once. Time left (kernel, city / terrain) after: the
 * height at its end made cheaper (ground-height.ts, ray-hit.ts) 0.75 / 0.7; all corners of a polygon looked at, without branches
 * on sides, which were mispredicted, 0.95 / 0.9. End to end: not asking before whether the start is over its polygon, but in the
 * first round, 0.85; polygons' refs only on demand 0.85.
 *
 * Based on: walking a triangulation (Olivier Devillers, Sylvain Pion, Monique Teillaud, Walking in a Triangulation, 2001), on
 * convex polygons; side predicates of Jonathan Shewchuk, 1997. What is answered is what Detour's raycast (Mikko Mononen)
 * answers, which clips the ray by every edge of each polygon, takes the first of the edges it leaves by in a corner (and so is
 * stopped by walls it only touches, or not, by the order of edges), and tells an end that was reached by the largest float.
 */
import { closestPointOnPoly, isOverPoly } from '../../navmesh/ground.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { passPoint } from './corner.ts';
import { addPoly, beginHit, countTo, createRayHit, endAt, spot, stopAt, stopAtSpot } from './hit.ts';
import type { RayHit, RaycastStatus } from './hit.ts';
import {
  ERROR_BOUND,
  NO_EXIT,
  crossing,
  exactExit,
  isBeyond,
  portalAt,
  setCrossing,
  setOnEdge,
  setRay,
} from './line.ts';
import { locateStart, requirePoly } from '../nearest/start.ts';
import type { WalkOptions } from '../walk/open-edges.ts';

export interface RaycastOptions extends WalkOptions {
  /** Also give the cost of the way. Default false. */
  withCost?: boolean;
  /** Also give the polygons crossed. Default false. */
  withPolys?: boolean;
}

export interface RaycastResult {
  status: RaycastStatus;
  /** Fraction of the way from start to end that can be walked: 1 when the end was reached, 0 when the start is off the mesh. */
  t: number;
  /** Where the ray ends, on the ground. The start as it was given when that is off the mesh. */
  point: [number, number, number];
  /** Of the wall that was hit: horizontal, of length 1, towards the walker. Zeros when none was. */
  normal: [number, number, number];
  /** Which edge of polygon `ref` was hit, from 0; -1: none. */
  edge: number;
  /** The polygon the ray ends on; `NULL_REF` when the start is off the mesh. */
  ref: PolyRef;
  /** Polygons crossed, from the start's on; empty without `withPolys`. */
  polys: PolyRef[];
  /** Length in each polygon, between heights of its outline, times the cost of its area; NaN without `withCost`. */
  cost: number;
}

const from = createNearestHit();
const place = new Float64Array(3);
const goal = new Float64Array(3);
const shared = createRayHit();

/**
 * How far one can walk straight from start to end, both seen from above. Throws a TypeError for what is no point, a RangeError
 * for a ref that names no polygon.
 */
export function raycast(mesh: NavMesh, start: PointLike, end: PointLike, options: RaycastOptions = {}): RaycastResult {
  const { filter = DEFAULT_FILTER, withCost = false, withPolys = false } = options;
  readPoint(goal, end, 'raycast', 'end');
  readPoint(place, start, 'raycast', 'start');
  const { startRef } = options;
  const isGiven = startRef !== undefined;
  if (isGiven) from.poly = requirePoly(mesh, startRef, 'raycast');
  else locateStart(from, mesh, place, options, filter, 'raycast');
  if (from.poly < 0) {
    return {
      status: 'off-mesh',
      t: 0,
      point: [place[0], place[1], place[2]],
      normal: [0, 0, 0],
      edge: -1,
      ref: NULL_REF,
      polys: [],
      cost: NaN,
    };
  }
  if (!cast(shared, mesh, from.poly, isGiven ? place : from.point, goal, filter, withCost, isGiven)) {
    closestPointOnPoly(from.point, mesh, from.poly, place);
    cast(shared, mesh, from.poly, from.point, goal, filter, withCost, false);
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
export function raycastInto(
  out: RayHit,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
  withCost: boolean,
): void {
  cast(out, mesh, startPoly, start, end, filter, withCost, false);
}

/** The same; false, and nothing else, when it is to be checked whether the start is over its polygon, and it is not. */
function cast(
  out: RayHit,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
  withCost: boolean,
  isToCheck: boolean,
): boolean {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const sx = start[0];
  const sz = start[2];
  const ex = end[0];
  const ez = end[2];
  const dx = ex - sx;
  const dz = ez - sz;
  setRay(start, end);
  beginHit(out, startPoly, start, filter, withCost);
  let poly = startPoly;
  // The vertex right of the ray where the polygon was entered, or -1.
  let right = -1;
  if (dx === 0 && dz === 0) {
    if (isToCheck && !isOverPoly(mesh, poly, start)) return false;
    endAt(out, mesh, poly, end, withCost);
    return true;
  }
  // Each polygon is left further along the ray than it was entered; this is only for meshes that are none.
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
    // Bit k: corner k is right, corner k + 1 is not.
    const exits = rights & ~((rights >>> 1) | ((rights & 1) << (count - 1)));
    const isClear = unsure === 0 && exits !== 0 && (exits & (exits - 1)) === 0 && count <= 32;
    const edge = isClear ? first + 31 - Math.clz32(exits) : exactExit(mesh, poly, right);
    if (edge < 0) {
      // Through a corner, along an edge, or past the polygon by a rounding.
      if (edge === NO_EXIT) {
        if (out.count > 1 || !moveInside(mesh, poly, start)) break;
        return cast(out, mesh, poly, inside, end, filter, withCost, false);
      }
      crossing[0] = 0;
      poly = passPoint(out, mesh, poly, ~edge, start, end, filter, withCost);
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
      endAt(out, mesh, poly, end, withCost);
      return true;
    }
    const other = edgeNeighbor[edge];
    if (other >= 0) {
      if (!passesFilter(filter, mesh, other)) {
        stopAt(out, mesh, poly, edge, start, end, withCost);
        return true;
      }
      if (withCost) {
        setCrossing(mesh, edge, next);
        setOnEdge(spot, mesh, poly, edge);
        countTo(out, mesh, poly, spot);
      }
      right = edgeVertex[edge];
      poly = other;
      addPoly(out, poly);
      continue;
    }
    if (other === -1) {
      stopAt(out, mesh, poly, edge, start, end, withCost);
      return true;
    }
    // On a tile's border.
    setCrossing(mesh, edge, next);
    const portal = portalAt(mesh, poly, edge, filter);
    if (portal === -1) {
      stopAt(out, mesh, poly, edge, start, end, withCost);
      return true;
    }
    if (portal >= 0) {
      setOnEdge(spot, mesh, poly, edge);
      if (withCost) countTo(out, mesh, poly, spot);
      poly = mesh.portalPoly[portal];
      addPoly(out, poly);
    } else {
      poly = passPoint(out, mesh, poly, edge, start, end, filter, withCost);
      if (poly < 0) return true;
    }
    right = -1;
  }
  // By a rounding the ray misses the polygon and leads away from it.
  out.poly = poly;
  stopAtSpot(out, mesh, start, end, withCost);
  return true;
}

const inside = new Float64Array(3);

/**
 * The start is off its polygon by a rounding, and the ray passes it by: begin a hair further inside, which is more than roundings
 * are. False: it is off by more, or was moved before.
 */
function moveInside(mesh: NavMesh, poly: number, start: Float64Array): boolean {
  if (start === inside) return false;
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let e = first; e < first + count; e++) sum += vertices[3 * edgeVertex[e] + k] - start[k];
    inside[k] = start[k] + (1e-9 * sum) / count;
  }
  return isOverPoly(mesh, poly, inside);
}
