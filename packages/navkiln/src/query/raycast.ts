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
 * Heights play no part: the ray stays on the floor it starts on. Cost: some 20 ns a polygon; passing a corner, linear in the
 * polygons around it.
 *
 * Based on: walking a triangulation (Olivier Devillers, Sylvain Pion, Monique Teillaud, Walking in a Triangulation, 2001), on
 * convex polygons; side predicates of Jonathan Shewchuk, 1997. What is answered is what Detour's raycast (Mikko Mononen)
 * answers, which clips the ray by every edge of each polygon, takes the first of the edges it leaves by in a corner (and so is
 * stopped by walls it only touches, or not, by the order of edges), and tells an end that was reached by the largest float.
 */
import { isOverPoly } from '../navmesh/ground.ts';
import { NULL_REF, refOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from './filter.ts';
import type { QueryFilter } from './filter.ts';
import { createNearestHit } from './nearest.ts';
import { readPoint } from './point.ts';
import type { PointLike } from './point.ts';
import { passPoint } from './ray-corner.ts';
import { addPoly, beginHit, countTo, createRayHit, endAt, spot, stopAt, stopAtSpot } from './ray-hit.ts';
import type { RayHit, RaycastStatus } from './ray-hit.ts';
import {
  ERROR_BOUND, crossing, grazedCorner, isBeyond, portalAt, setCrossing, setOnEdge, setRay, sideOf,
} from './ray-line.ts';
import { locateWalk } from './walk.ts';
import type { WalkOptions } from './walk.ts';

export interface RaycastOptions extends WalkOptions {
  /** Also give the cost of the way. Default false. */
  withCost?: boolean;
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
  /** Polygons crossed, from the start's on. */
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
  const { filter = DEFAULT_FILTER, withCost = false } = options;
  readPoint(goal, end, 'raycast', 'end');
  readPoint(place, start, 'raycast', 'start');
  locateWalk(from, mesh, place, options, filter, 'raycast');
  if (from.poly < 0) {
    return {
      status: 'off-mesh', t: 0, point: [place[0], place[1], place[2]], normal: [0, 0, 0], edge: -1, ref: NULL_REF, polys: [],
      cost: NaN,
    };
  }
  raycastInto(shared, mesh, from.poly, from.point, goal, filter, withCost);
  const { point, normal, poly, edge, count } = shared;
  const polys: PolyRef[] = [];
  for (let i = 0; i < count; i++) polys.push(refOf(mesh, shared.polys[i]));
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
  out: RayHit, mesh: NavMesh, startPoly: number, start: Float64Array, end: Float64Array, filter: QueryFilter,
  withCost: boolean,
): void {
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
  // A corner known to be right of the ray, or -1.
  let right = -1;
  if (dx === 0 && dz === 0) {
    endAt(out, mesh, poly, end, withCost);
    return;
  }
  // Each polygon is left further along the ray than it was entered; this is only for meshes that are none.
  for (let steps = 2 * mesh.edgeCount + 2; steps > 0; steps--) {
    const first = polyEdgeStart[poly];
    const count = polyVertexCount[poly];
    const stop = first + count;
    let edge = right < 0 ? first : right;
    let next = edge;
    let before = right < 0 ? sideOf(mesh, edge) : -1;
    let side = -1;
    for (let k = count; k > 0; k--) {
      next = edge + 1 === stop ? first : edge + 1;
      const v = 3 * edgeVertex[next];
      const l = (vertices[v] - sx) * dz;
      const r = (vertices[v + 2] - sz) * dx;
      const det = l - r;
      const doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
      side = det > doubt ? 1 : det < -doubt ? -1 : doubt === 0 ? 0 : sideOf(mesh, next);
      if (side >= 0 && before < 0) break;
      before = side;
      edge = next;
      side = -1;
    }
    if (side !== 1) {
      // Through a corner, along an edge, or past the polygon by a rounding.
      const corner = side === 0 ? next : grazedCorner(mesh, poly);
      if (corner < 0) {
        if (out.count > 1 || !moveInside(mesh, poly, start)) break;
        raycastInto(out, mesh, poly, inside, end, filter, withCost);
        return;
      }
      crossing[0] = 0;
      poly = passPoint(out, mesh, poly, corner, start, end, filter, withCost);
      if (poly < 0) return;
      right = -1;
      continue;
    }
    const a = 3 * edgeVertex[edge];
    const b = 3 * edgeVertex[next];
    const l = (vertices[a + 2] - ez) * (vertices[b] - ex);
    const r = (vertices[a] - ex) * (vertices[b + 2] - ez);
    const det = l - r;
    const doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
    if (det > doubt || (det >= -doubt && !isBeyond(mesh, a, b))) {
      endAt(out, mesh, poly, end, withCost);
      return;
    }
    const other = edgeNeighbor[edge];
    if (other >= 0) {
      if (!passesFilter(filter, mesh, other)) {
        stopAt(out, mesh, poly, edge, start, end, withCost);
        return;
      }
      if (withCost) {
        setCrossing(mesh, edge, next);
        setOnEdge(spot, mesh, poly, edge);
        countTo(out, mesh, poly, spot);
      }
      right = polyEdgeStart[other];
      const vertex = edgeVertex[edge];
      for (let k = polyVertexCount[other]; edgeVertex[right] !== vertex; right++) {
        if (--k === 0) break;
      }
      if (edgeVertex[right] !== vertex) right = -1;
      poly = other;
      addPoly(out, poly);
      continue;
    }
    if (other === -1) {
      stopAt(out, mesh, poly, edge, start, end, withCost);
      return;
    }
    // On a tile's border.
    setCrossing(mesh, edge, next);
    const portal = portalAt(mesh, poly, edge, filter);
    if (portal === -1) {
      stopAt(out, mesh, poly, edge, start, end, withCost);
      return;
    }
    if (portal >= 0) {
      setOnEdge(spot, mesh, poly, edge);
      if (withCost) countTo(out, mesh, poly, spot);
      poly = mesh.portalPoly[portal];
      addPoly(out, poly);
    } else {
      poly = passPoint(out, mesh, poly, edge, start, end, filter, withCost);
      if (poly < 0) return;
    }
    right = -1;
  }
  // By a rounding the ray misses the polygon and leads away from it.
  out.poly = poly;
  stopAtSpot(out, mesh, start, end, withCost);
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
