/**
 * Where does one get who walks from here towards there and slides along walls? Small steps, mostly.
 *
 * In: a polygon, a point on it, an end. Out: the end itself when it lies on ground that is reached, else the point of a wall
 * nearest to it seen from above; its height on the ground; the polygons that lead there, each a neighbour of the one before.
 * What counts as reached: polygons found from the start's, nearest first, through edges that touch the circle around the middle
 * between start and end on which both lie. So a slide goes around no more than what lies between.
 *
 * Cost: linear in the polygons that touch the circle; a step within a polygon looks at its edges and no more. No limit on
 * polygons, no allocation after warm-up.
 *
 * Based on: Detour's moveAlongSurface (Mikko Mononen), whose region, order and ties this keeps. Other than there: not at most 48
 * polygons; the answer is on the ground and not at the height of an edge or of what was asked; of an edge on a tile's border only
 * what is open is open; the end may lie on a border without falling between.
 */
import { isOverPoly, setHeight } from '../../navmesh/ground.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { beginSearch, createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { locateWalk, nextGap, withRoom } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

/** 'reached': the end; 'blocked': as near to it as walls let; 'off-mesh': there is no ground at the start. */
export type SlideStatus = 'reached' | 'blocked' | 'off-mesh';

export interface SlideResult {
  status: SlideStatus;
  /** On the ground. The start as it was given when that is off the mesh. */
  point: [number, number, number];
  /** The polygon `point` is on; `NULL_REF` when the start is off the mesh. */
  ref: PolyRef;
  /** From the start's polygon to that one. */
  polys: PolyRef[];
}

/** What the kernel finds. Make one with `createSlide` and reuse it. */
export interface Slide {
  status: SlideStatus;
  point: Float64Array;
  /** polys[0 .. count - 1]: dense indices; the array may be longer. */
  count: number;
  polys: Int32Array;
}

export function createSlide(): Slide {
  return { status: 'off-mesh', point: new Float64Array(3), count: 0, polys: new Int32Array(16) };
}

/** Added to the circle's radius, world units. As in Detour. */
const RADIUS_SLACK = 0.001;

const from = createNearestHit();
const place = new Float64Array(3);
const goal = new Float64Array(3);
const shared = createSlide();
const sharedState = createSearchState();

/**
 * Walks from start towards end, both seen from above, sliding along walls. Throws a TypeError for what is no point, a RangeError
 * for a ref that names no polygon.
 */
export function moveAlongSurface(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: WalkOptions = {},
): SlideResult {
  const { filter = DEFAULT_FILTER } = options;
  readPoint(goal, end, 'moveAlongSurface', 'end');
  readPoint(place, start, 'moveAlongSurface', 'start');
  locateWalk(from, mesh, place, options, filter, 'moveAlongSurface');
  if (from.poly < 0) {
    return { status: 'off-mesh', point: [place[0], place[1], place[2]], ref: NULL_REF, polys: [] };
  }
  moveAlongSurfaceInto(shared, sharedState, mesh, from.poly, from.point, goal, filter);
  const { point, count } = shared;
  const polys: PolyRef[] = [];
  for (let i = 0; i < count; i++) polys.push(refOf(mesh, shared.polys[i]));
  return { status: shared.status, point: [point[0], point[1], point[2]], ref: polys[count - 1], polys };
}

/** The nearest point of a wall so far: x, z and squared distance. */
const best = new Float64Array(3);
const gap = new Float64Array(2);
/** Squared radius of the circle. In an array, as a number handed over might be allocated. */
const circle = new Float64Array(1);

/** Kernel of `moveAlongSurface`: the start is on polygon `startPoly`. Allocates nothing once `out` and `state` have grown. */
export function moveAlongSurfaceInto(
  out: Slide,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
): void {
  if (isOverPoly(mesh, startPoly, end)) {
    out.status = 'reached';
    out.point[0] = end[0];
    out.point[2] = end[2];
    setHeight(out.point, mesh, startPoly);
    out.polys[0] = startPoly;
    out.count = 1;
    return;
  }
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  beginSearch(state, mesh);
  // The heap's array serves as the queue.
  const { nodeStamp, nodeParent, heapNode: queue, stamp } = state;
  const sx = end[0] - start[0];
  const sy = end[1] - start[1];
  const sz = end[2] - start[2];
  const reach = Math.sqrt(sx * sx + sy * sy + sz * sz) / 2 + RADIUS_SLACK;
  const reachSq = reach * reach;
  circle[0] = reachSq;
  const endX = end[0];
  const endZ = end[2];
  best[0] = start[0];
  best[1] = start[2];
  best[2] = Infinity;
  let found = startPoly;
  let isReached = false;
  nodeStamp[startPoly] = stamp;
  nodeParent[startPoly] = -1;
  queue[0] = startPoly;
  let tail = 1;
  for (let head = 0; head < tail; head++) {
    const poly = queue[head];
    if (head > 0 && isOverPoly(mesh, poly, end)) {
      found = poly;
      isReached = true;
      break;
    }
    const first = polyEdgeStart[poly];
    const stop = first + polyVertexCount[poly];
    // From the last edge on, as ties go to what comes first.
    let e = stop - 1;
    for (let next = first; next < stop; e = next++) {
      const other = edgeNeighbor[e];
      const a = 3 * edgeVertex[e];
      const b = 3 * edgeVertex[next];
      const ax = vertices[a] - endX;
      const az = vertices[a + 2] - endZ;
      const ux = vertices[b] - vertices[a];
      const uz = vertices[b + 2] - vertices[a + 2];
      const lengthSq = ux * ux + uz * uz;
      if (other >= 0) {
        if (nodeStamp[other] === stamp) continue;
        if (passesFilter(filter, mesh, other)) {
          // The middle of the circle is half the way back.
          const mx = ax + sx / 2;
          const mz = az + sz / 2;
          let t = lengthSq > 0 ? -(mx * ux + mz * uz) / lengthSq : 0;
          t = t < 0 ? 0 : t > 1 ? 1 : t;
          const qx = mx + t * ux;
          const qz = mz + t * uz;
          if (qx * qx + qz * qz > reachSq) continue;
          nodeStamp[other] = stamp;
          nodeParent[other] = poly;
          queue[tail++] = other;
          continue;
        }
      }
      if (other <= -2) {
        if (offerBorder(mesh, poly, e, next, end, filter)) found = poly;
        if (!isNear(mesh, e, next, start, end)) continue;
        for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
          const behind = mesh.portalPoly[l];
          if (mesh.portalEdge[l] !== e || nodeStamp[behind] === stamp || !passesFilter(filter, mesh, behind)) continue;
          nodeStamp[behind] = stamp;
          nodeParent[behind] = poly;
          queue[tail++] = behind;
        }
        continue;
      }
      let t = lengthSq > 0 ? -(ax * ux + az * uz) / lengthSq : 0;
      t = t < 0 ? 0 : t > 1 ? 1 : t;
      const qx = ax + t * ux;
      const qz = az + t * uz;
      const distanceSq = qx * qx + qz * qz;
      if (distanceSq < best[2]) {
        best[2] = distanceSq;
        best[0] = t === 1 ? vertices[b] : vertices[a] + t * ux;
        best[1] = t === 1 ? vertices[b + 2] : vertices[a + 2] + t * uz;
        found = poly;
      }
    }
  }
  out.status = isReached ? 'reached' : 'blocked';
  out.point[0] = isReached ? endX : best[0];
  out.point[2] = isReached ? endZ : best[1];
  setHeightNear(out.point, mesh, found);
  let count = 0;
  for (let at = found; at >= 0; at = nodeParent[at]) count++;
  out.polys = withRoom(out.polys, count);
  out.count = count;
  for (let at = found; at >= 0; at = nodeParent[at]) out.polys[--count] = at;
}

/** Does an edge touch the circle around the middle between start and end? */
function isNear(mesh: NavMesh, edge: number, next: number, start: Float64Array, end: Float64Array): boolean {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const mx = vertices[a] - end[0] + (end[0] - start[0]) / 2;
  const mz = vertices[a + 2] - end[2] + (end[2] - start[2]) / 2;
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? -(mx * ux + mz * uz) / lengthSq : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const qx = mx + t * ux;
  const qz = mz + t * uz;
  return qx * qx + qz * qz <= circle[0];
}

/** Offers the walls of a border edge, and what of its portals the end is so near to that it may lie between two tiles. */
function offerBorder(
  mesh: NavMesh,
  poly: number,
  edge: number,
  next: number,
  end: Float64Array,
  filter: QueryFilter,
): boolean {
  const { portalSpan } = mesh;
  let isBetter = false;
  gap[1] = 0;
  while (nextGap(gap, mesh, poly, edge, filter)) {
    if (offerPart(mesh, edge, next, end, false)) isBetter = true;
  }
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    gap[0] = portalSpan[2 * l];
    gap[1] = portalSpan[2 * l + 1];
    if (offerPart(mesh, edge, next, end, true)) isBetter = true;
  }
  return isBetter;
}

/** Offers the part gap[0] .. gap[1] of an edge, only within a hair of it when it is open; true when it is the best so far. */
function offerPart(mesh: NavMesh, edge: number, next: number, end: Float64Array, isOpen: boolean): boolean {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const ax = vertices[a] - end[0];
  const az = vertices[a + 2] - end[2];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? -(ax * ux + az * uz) / lengthSq : 0;
  t = t < gap[0] ? gap[0] : t > gap[1] ? gap[1] : t;
  const qx = ax + t * ux;
  const qz = az + t * uz;
  const distanceSq = qx * qx + qz * qz;
  if (distanceSq >= best[2]) return false;
  // Tiles lie that close to each other: see navmesh/portals.ts.
  const hair = mesh.cellSize / 20;
  if (isOpen && distanceSq > hair * hair + 1e-12 * lengthSq) return false;
  best[0] = t === 1 ? vertices[b] : vertices[a] + t * ux;
  best[1] = t === 1 ? vertices[b + 2] : vertices[a + 2] + t * uz;
  best[2] = distanceSq;
  return true;
}
