/**
 * Moves a point along the walkable surface and slides it along walls.
 *
 * The result is the end itself if a polygon of the region covers it, otherwise the wall point nearest to it seen from
 * above. The region consists of the polygons found breadth-first from the start through edges that touch the circle
 * with start and end on its rim. A slide therefore never goes around anything larger than the step itself.
 *
 * In: a polygon, a point on it, an end point.
 * Out: the position on the surface, and the polygons that lead there.
 * Cost: linear in the polygons that touch the circle; a step inside one polygon only tests its edges. No
 * limit on polygons, no allocation after warm-up.
 * Based on: Detour's moveAlongSurface (Mikko Mononen), whose region, order and ties this keeps. Differences from
 * Detour: no limit of 48 polygons, the result lies on the surface, and a border edge is open only where portals are.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import { isOnSurface, isOverPoly, setHeight } from '../../mesh/ground.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { beginSearch, createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { DISTANCE_SQ, measureEdge, writeOnEdge } from './edge-distance.ts';
import { WALK_KEYS, locateWalk, nextGap, withRoom } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

/**
 * 'reached': the slide reached the end. 'blocked': it stopped at the nearest position that walls allow. 'off-mesh': no
 * walkable surface at the start. 'stale-ref': polygon `startRef` no longer exists.
 */
export type SlideStatus = 'reached' | 'blocked' | 'off-mesh' | 'stale-ref';

/** Result of `moveAlongSurface`. */
export interface SlideResult {
  status: SlideStatus;
  /** On the walkable surface. The given start when there is no start polygon. */
  point: [number, number, number];
  /** The polygon of `point`. `NULL_REF` when there is no start polygon. */
  ref: PolyRef;
  /** The polygons from the start to `ref`, each a neighbor of the previous one. */
  polys: PolyRef[];
}

/** Result of the kernel. Create it with `createSlide` and reuse it. */
export interface Slide {
  status: SlideStatus;
  point: Float64Array;
  /** The list is polys[0 .. count - 1], dense indices. The array may be longer. */
  count: number;
  polys: Int32Array;
}

/** Creates an empty result for `moveAlongSurfaceInto`. It grows as needed. */
export function createSlide(): Slide {
  return { status: 'off-mesh', point: new Float64Array(3), count: 0, polys: new Int32Array(16) };
}

/** Margin added to the circle's radius, in world units, as in Detour. */
const RADIUS_SLACK = 0.001;

const from = createNearestHit();
const origin = new Float64Array(3);
const goal = new Float64Array(3);
const landing = new Float64Array(3);
const shared = createSlide();
const sharedState = createSearchState();

/**
 * Moves from start towards end, both in world units and seen from above, and slides along walls.
 *
 * With `startRef` the status is 'stale-ref' when that polygon no longer exists. Throws a TypeError for
 * invalid points and a RangeError for unknown options or invalid half extents.
 */
export function moveAlongSurface(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: WalkOptions = {},
): SlideResult {
  checkKeys('moveAlongSurface', options, WALK_KEYS);
  const filter = readFilter('moveAlongSurface', options, mesh);
  readPoint(goal, end, 'moveAlongSurface', 'end');
  readPoint(origin, start, 'moveAlongSurface', 'start');
  const status = locateWalk(from, mesh, origin, options, filter, 'moveAlongSurface');
  if (status !== 'found') {
    return { status, point: [origin[0], origin[1], origin[2]], ref: NULL_REF, polys: [] };
  }
  moveAlongSurfaceInto(shared, sharedState, mesh, from.poly, from.point, goal, filter);
  // The end may be a point that another query returned, which rounding put outside of the last polygon, or of the first.
  for (const count of shared.status === 'blocked' ? [shared.count, 1] : []) {
    if (!isOnSurface(landing, mesh, shared.polys[count - 1], goal)) continue;
    shared.status = 'reached';
    shared.count = count;
    shared.point.set(landing);
    break;
  }
  const { point, count } = shared;
  const polys: PolyRef[] = [];
  for (let i = 0; i < count; i++) polys.push(refOf(mesh, shared.polys[i]));
  return { status: shared.status, point: [point[0], point[1], point[2]], ref: polys[count - 1], polys };
}

/** The nearest wall point so far: x, z and squared distance. */
const best = new Float64Array(3);
/** The part of an edge that is tested: from fraction gap[0] to gap[1]. */
const gap = new Float64Array(2);
/** The part of an edge measured last; see `measureEdge`. */
const near = new Float64Array(2);

/** Kernel of `moveAlongSurface`: the start is on `startPoly`. Allocates nothing after warm-up. */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function moveAlongSurfaceInto(
  out: Slide,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
): void {
  refuseInMethod('moveAlongSurfaceInto');
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
    // Starts at the last edge, because the first of equal candidates wins, as in Detour.
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
      // The code of `measureEdge` is inlined, because both uses share the loads and this loop is hot.
      if (other >= 0 && nodeStamp[other] === stamp) continue;
      const isBorder = other <= -2;
      if (isBorder && offerBorder(mesh, poly, e, next, end, filter)) found = poly;
      if (isBorder || (other >= 0 && passesFilter(filter, mesh, other))) {
        // The circle's center is half a step back.
        const mx = ax + sx / 2;
        const mz = az + sz / 2;
        let t = lengthSq > 0 ? -(mx * ux + mz * uz) / lengthSq : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        const qx = mx + t * ux;
        const qz = mz + t * uz;
        if (qx * qx + qz * qz > reachSq) continue;
        if (!isBorder) {
          nodeStamp[other] = stamp;
          nodeParent[other] = poly;
          queue[tail++] = other;
          continue;
        }
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

/**
 * Offers the wall parts of a border edge, and open parts so close to the end that the end may lie between two tiles.
 * Returns true when one of them is the nearest so far.
 */
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

/**
 * Offers the part gap[0] .. gap[1] of an edge. An open part counts only within the gap between tiles. Returns
 * true when it is the nearest so far.
 */
function offerPart(mesh: NavMesh, edge: number, next: number, end: Float64Array, isOpen: boolean): boolean {
  measureEdge(near, mesh, edge, next, end, gap);
  const distanceSq = near[DISTANCE_SQ];
  if (distanceSq >= best[2]) return false;
  if (isOpen) {
    const { vertices, edgeVertex } = mesh;
    const a = 3 * edgeVertex[edge];
    const b = 3 * edgeVertex[next];
    const ux = vertices[b] - vertices[a];
    const uz = vertices[b + 2] - vertices[a + 2];
    // Neighboring tiles may be this far apart; see mesh/tiles/portals.ts.
    const epsilon = mesh.cellSize / 20;
    if (distanceSq > epsilon * epsilon + 1e-12 * (ux * ux + uz * uz)) return false;
  }
  writeOnEdge(best, 1, mesh, edge, next, near);
  best[2] = distanceSq;
  return true;
}
