/**
 * Finds the wall nearest to a point, seen from above.
 *
 * The search expands polygons by their reach: the largest distance from the point to any portal on the path
 * to the polygon. It stops when that reach exceeds the nearest wall so far. A wall behind another wall is
 * therefore never found, and neither is a wall of another floor that only a wider detour leads to.
 *
 * In: a polygon, a point on it, a maximum distance.
 * Out: the nearest wall point on the surface, its distance and the wall's normal.
 * Cost: O(n log n) in the polygons within the distance; no allocation after warm-up.
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, with the widest step as path
 * length. Detour's findDistanceToWall (Mikko Mononen) answers the same query, but orders polygons by path lengths over
 * edge midpoints, treats border edges as open, and returns the height of the edge.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { beginSearch, createSearchState, popNode, pushOrLower } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { DISTANCE_SQ, FRACTION, measureEdge, writeOnEdge } from './edge-distance.ts';
import { WALK_KEYS, locateWalk, nextGap } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

/**
 * 'found': a wall was found. 'none': no wall within the distance. 'off-mesh': no walkable surface at the point.
 * 'stale-ref': polygon `startRef` no longer exists.
 */
export type WallStatus = 'found' | 'none' | 'off-mesh' | 'stale-ref';

/** Result of `findDistanceToWall`. */
export interface WallResult {
  status: WallStatus;
  /** Distance to the wall seen from above, in world units. Infinity unless a wall was found. */
  distance: number;
  /** The wall point, on the walkable surface. The given point unless a wall was found. */
  point: [number, number, number];
  /**
   * Horizontal unit vector from the wall towards the point; the wall's own normal when the point lies on it.
   * Zeros unless a wall was found.
   */
  normal: [number, number, number];
  /** The polygon that the wall belongs to. `NULL_REF` unless a wall was found. */
  ref: PolyRef;
}

/** Result of the kernel. Create it with `createWallHit` and reuse it. */
export interface WallHit {
  /** Dense index of the polygon that the wall belongs to, or -1 for none. */
  poly: number;
  /** Dense index of the wall's edge. */
  edge: number;
  distanceSq: number;
  point: Float64Array;
  normal: Float64Array;
}

/** Creates an empty result for `findDistanceToWallInto`. */
export function createWallHit(): WallHit {
  return { poly: -1, edge: -1, distanceSq: Infinity, point: new Float64Array(3), normal: new Float64Array(3) };
}

const origin = new Float64Array(3);
const from = createNearestHit();
const shared = createWallHit();
const sharedState = createSearchState();

/**
 * Returns the wall nearest to a point, at most `maxDistance` (world units) away seen from above.
 *
 * With `startRef` the status is 'stale-ref' when that polygon no longer exists. Throws a TypeError for
 * invalid points and a RangeError for unknown options or a `maxDistance` that is not above 0.
 */
export function findDistanceToWall(
  mesh: NavMesh,
  point: PointLike,
  maxDistance: number,
  options: WalkOptions = {},
): WallResult {
  checkKeys('findDistanceToWall', options, WALK_KEYS);
  const filter = readFilter('findDistanceToWall', options, mesh);
  readPoint(origin, point, 'findDistanceToWall', 'point');
  if (typeof maxDistance !== 'number' || !(maxDistance > 0))
    refuse('findDistanceToWall', 'maxDistance', maxDistance, '> 0');
  const startStatus = locateWalk(from, mesh, origin, options, filter, 'findDistanceToWall');
  const isOn = startStatus === 'found';
  if (isOn) findDistanceToWallInto(shared, sharedState, mesh, from.poly, from.point, maxDistance, filter);
  const isFound = isOn && shared.poly >= 0;
  const at = isFound ? shared.point : isOn ? from.point : origin;
  return {
    status: isFound || !isOn ? startStatus : 'none',
    distance: isFound ? Math.sqrt(shared.distanceSq) : Infinity,
    point: [at[0], at[1], at[2]],
    normal: isFound ? [shared.normal[0], 0, shared.normal[2]] : [0, 0, 0],
    ref: isFound ? refOf(mesh, shared.poly) : NULL_REF,
  };
}

/** The part of an edge that is measured: from fraction part[0] to part[1]. */
const part = new Float64Array(2);
/** The part of an edge measured last; see `measureEdge`. */
const near = new Float64Array(2);
/** Squared distance of the nearest wall so far, or the squared maximum distance. */
const best = new Float64Array(1);

/** Kernel of `findDistanceToWall`: the point is on `startPoly`. Allocates nothing once `state` has grown. */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function findDistanceToWallInto(
  out: WallHit,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  point: Float64Array,
  maxDistance: number,
  filter: QueryFilter,
): void {
  refuseInMethod('findDistanceToWallInto');
  const { edgeNeighbor, polyEdgeStart, polyVertexCount, portalNext, portalSpan } = mesh;
  beginSearch(state, mesh);
  const { node, nodeCost, nodeStamp, nodeHeapIndex, stamp } = state;
  out.poly = -1;
  out.edge = -1;
  // A wall at exactly the maximum distance counts.
  best[0] = maxDistance * maxDistance * (1 + 1e-15);
  nodeStamp[startPoly] = stamp;
  nodeCost[startPoly] = 0;
  node[4 * startPoly + 3] = 0;
  nodeHeapIndex[startPoly] = -1;
  let poly = startPoly;
  for (;;) {
    const reach = nodeCost[poly];
    if (reach > best[0]) break;
    const first = polyEdgeStart[poly];
    const stop = first + polyVertexCount[poly];
    for (let e = first; e < stop; e++) {
      const next = e + 1 === stop ? first : e + 1;
      const other = edgeNeighbor[e];
      if (other <= -2) {
        part[1] = 0;
        while (nextGap(part, mesh, poly, e, filter)) offerWall(out, mesh, poly, e, next, point);
        for (let l = mesh.polyPortal[poly]; l >= 0; l = portalNext[l]) {
          if (mesh.portalEdge[l] !== e || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
          part[0] = portalSpan[2 * l];
          part[1] = portalSpan[2 * l + 1];
          measure(mesh, e, next, point);
          openPoly(state, mesh.portalPoly[l], poly);
        }
        continue;
      }
      if (other >= 0 && nodeStamp[other] === stamp && nodeHeapIndex[other] < 0) continue;
      part[0] = 0;
      part[1] = 1;
      if (other >= 0 && passesFilter(filter, mesh, other)) {
        measure(mesh, e, next, point);
        openPoly(state, other, poly);
      } else {
        offerWall(out, mesh, poly, e, next, point);
      }
    }
    if (state.heapSize === 0) break;
    poly = popNode(state);
  }
  if (out.poly < 0) best[0] = Infinity;
  out.distanceSq = best[0];
  if (out.poly >= 0) finish(out, mesh, point);
}

/** Pushes the polygon behind a portal, unless its reach is too large or not smaller than before. */
function openPoly(state: SearchState, poly: number, parent: number): void {
  const { nodeCost, nodeStamp, stamp } = state;
  const widest = nodeCost[parent];
  const distanceSq = near[DISTANCE_SQ];
  const key = distanceSq > widest ? distanceSq : widest;
  if (key > best[0]) return;
  if (nodeStamp[poly] !== stamp) {
    nodeStamp[poly] = stamp;
    state.nodeHeapIndex[poly] = -1;
    state.node[4 * poly + 3] = 0;
  } else if (key >= nodeCost[poly]) {
    return;
  }
  nodeCost[poly] = key;
  pushOrLower(state, poly);
}

/**
 * Sets `near` for `part` of an edge. The result is exact at its end, so that walls that meet there have equal
 * distances.
 */
function measure(mesh: NavMesh, edge: number, next: number, point: Float64Array): void {
  measureEdge(near, mesh, edge, next, point, part);
  if (near[FRACTION] !== 1) return;
  const end = 3 * mesh.edgeVertex[next];
  const x = mesh.vertices[end] - point[0];
  const z = mesh.vertices[end + 2] - point[2];
  near[DISTANCE_SQ] = x * x + z * z;
}

/** Takes `part` of an edge as the wall if it is the nearest so far. */
function offerWall(out: WallHit, mesh: NavMesh, poly: number, edge: number, next: number, point: Float64Array): void {
  measure(mesh, edge, next, point);
  const distanceSq = near[DISTANCE_SQ];
  if (distanceSq > best[0] || (distanceSq === best[0] && out.poly >= 0)) return;
  best[0] = distanceSq;
  out.poly = poly;
  out.edge = edge;
  writeOnEdge(out.point, 2, mesh, edge, next, near);
}

/** A point this close to the wall lies on it, as a share of its coordinates. */
const ON_WALL = 1e-12;

/** Sets the height and normal of the wall that was found. */
function finish(out: WallHit, mesh: NavMesh, point: Float64Array): void {
  setHeightNear(out.point, mesh, out.poly);
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[out.poly];
  const next = out.edge + 1 === first + mesh.polyVertexCount[out.poly] ? first : out.edge + 1;
  let x = point[0] - out.point[0];
  let z = point[2] - out.point[2];
  let length = Math.sqrt(x * x + z * z);
  const a = 3 * edgeVertex[out.edge];
  const b = 3 * edgeVertex[next];
  const size = Math.abs(out.point[0]) + Math.abs(out.point[2]);
  if (length <= ON_WALL * size) {
    x = vertices[b + 2] - vertices[a + 2];
    z = vertices[a] - vertices[b];
    length = Math.sqrt(x * x + z * z);
  }
  out.normal[0] = length > 0 ? x / length : 0;
  out.normal[1] = 0;
  out.normal[2] = length > 0 ? z / length : 0;
}
