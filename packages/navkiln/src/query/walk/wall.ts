/**
 * How far is the nearest wall?
 *
 * In: a polygon, a point, a greatest distance. Out: the nearest point of a wall seen from above, on the ground, its distance, and
 * the direction from it. Polygons are gone through in the order of how far one must go out, at the least, to get to them:
 * the farthest of the openings on the way to a polygon, each measured from the point. When that is farther than the nearest wall
 * so far, the search ends. So no wall counts that lies behind another one, nor one of another floor that is reached only by a
 * detour wider than the wall is far.
 * Cost: O(n log n) in the polygons within the distance of the nearest wall; no allocation after warm-up.
 *
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, with the widest step of a way for its length.
 * What is answered is what Detour's findDistanceToWall (Mikko Mononen) answers, which goes by lengths of ways over edge
 * midpoints, takes a border edge for open as a whole, gives the wall at its edge's height, and gives a normal also when
 * there is no wall near.
 */
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { beginSearch, createSearchState, popNode, pushOrLower } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { locateWalk, nextGap } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

/** 'found': a wall; 'none': none within the distance; 'off-mesh': there is no ground at the point. */
export type WallStatus = 'found' | 'none' | 'off-mesh';

export interface WallResult {
  status: WallStatus;
  /** To the wall, seen from above, world units; Infinity unless one was found. */
  distance: number;
  /** Of the wall, on the ground; the point that was asked about unless one was found. */
  point: [number, number, number];
  /** From the wall towards the point, horizontal, of length 1; of a point on a wall, the wall's. Zeros unless one was found. */
  normal: [number, number, number];
  /** The polygon whose wall it is; `NULL_REF` unless one was found. */
  ref: PolyRef;
}

/** What the kernel finds. Make one with `createWallHit` and reuse it. */
export interface WallHit {
  /** Dense index of the polygon whose wall it is, or -1: none. */
  poly: number;
  /** Dense index of the edge. */
  edge: number;
  distanceSq: number;
  point: Float64Array;
  normal: Float64Array;
}

export function createWallHit(): WallHit {
  return { poly: -1, edge: -1, distanceSq: Infinity, point: new Float64Array(3), normal: new Float64Array(3) };
}

const place = new Float64Array(3);
const from = createNearestHit();
const shared = createWallHit();
const sharedState = createSearchState();

/**
 * The wall nearest to a point, at most `maxDistance` (world units) away seen from above. Throws a TypeError for what is no point,
 * a RangeError for a distance that is not above 0 and for a ref that names no polygon.
 */
export function findDistanceToWall(
  mesh: NavMesh,
  point: PointLike,
  maxDistance: number,
  options: WalkOptions = {},
): WallResult {
  const { filter = DEFAULT_FILTER } = options;
  readPoint(place, point, 'findDistanceToWall', 'point');
  if (!(maxDistance > 0)) {
    throw new RangeError(`findDistanceToWall: maxDistance is ${maxDistance}; give a number above 0`);
  }
  locateWalk(from, mesh, place, options, filter, 'findDistanceToWall');
  const isOn = from.poly >= 0;
  if (isOn) findDistanceToWallInto(shared, sharedState, mesh, from.poly, from.point, maxDistance, filter);
  const isFound = isOn && shared.poly >= 0;
  const at = isFound ? shared.point : isOn ? from.point : place;
  return {
    status: isFound ? 'found' : isOn ? 'none' : 'off-mesh',
    distance: isFound ? Math.sqrt(shared.distanceSq) : Infinity,
    point: [at[0], at[1], at[2]],
    normal: isFound ? [shared.normal[0], 0, shared.normal[2]] : [0, 0, 0],
    ref: isFound ? refOf(mesh, shared.poly) : NULL_REF,
  };
}

const part = new Float64Array(2);
/** Squared distance to the part of an edge at hand, and how far along the edge its nearest point is. */
const near = new Float64Array(2);
/** Squared distance of the nearest wall so far, or of the greatest distance. */
const best = new Float64Array(1);

/** Kernel of `findDistanceToWall`: the point is on polygon `startPoly`. Allocates nothing once `state` has grown. */
export function findDistanceToWallInto(
  out: WallHit,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  point: Float64Array,
  maxDistance: number,
  filter: QueryFilter,
): void {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount, portalNext, portalSpan } = mesh;
  beginSearch(state, mesh);
  const { node, nodeCost, nodeStamp, nodeHeapIndex, stamp } = state;
  out.poly = -1;
  out.edge = -1;
  // A wall at just that distance counts.
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
          setNear(mesh, e, next, point);
          open(state, mesh.portalPoly[l], poly);
        }
        continue;
      }
      if (other >= 0 && nodeStamp[other] === stamp && nodeHeapIndex[other] < 0) continue;
      part[0] = 0;
      part[1] = 1;
      if (other >= 0 && passesFilter(filter, mesh, other)) {
        setNear(mesh, e, next, point);
        open(state, other, poly);
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

/** Puts a polygon behind an opening (`near`) into the heap, unless it is out of reach or known by a nearer way. */
function open(state: SearchState, poly: number, parent: number): void {
  const { nodeCost, nodeStamp, stamp } = state;
  const widest = state.nodeCost[parent];
  const key = near[0] > widest ? near[0] : widest;
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

/** Where the part of an edge is nearest to the point. */
function setNear(mesh: NavMesh, edge: number, next: number, point: Float64Array): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const ax = vertices[a] - point[0];
  const az = vertices[a + 2] - point[2];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? -(ax * ux + az * uz) / lengthSq : 0;
  t = t < part[0] ? part[0] : t > part[1] ? part[1] : t;
  // An end of the edge is that vertex exactly, so that walls that meet there are equally far.
  const x = t === 1 ? vertices[b] - point[0] : ax + t * ux;
  const z = t === 1 ? vertices[b + 2] - point[2] : az + t * uz;
  near[0] = x * x + z * z;
  near[1] = t;
}

function offerWall(out: WallHit, mesh: NavMesh, poly: number, edge: number, next: number, point: Float64Array): void {
  setNear(mesh, edge, next, point);
  if (near[0] > best[0] || (near[0] === best[0] && out.poly >= 0)) return;
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const t = near[1];
  best[0] = near[0];
  out.poly = poly;
  out.edge = edge;
  out.point[0] = t === 1 ? vertices[b] : vertices[a] + t * (vertices[b] - vertices[a]);
  out.point[2] = t === 1 ? vertices[b + 2] : vertices[a + 2] + t * (vertices[b + 2] - vertices[a + 2]);
}

/** Height and normal of what was found. */
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
  if (length <= 1e-12 * size) {
    x = vertices[b + 2] - vertices[a + 2];
    z = vertices[a] - vertices[b];
    length = Math.sqrt(x * x + z * z);
  }
  out.normal[0] = length > 0 ? x / length : 0;
  out.normal[1] = 0;
  out.normal[2] = length > 0 ? z / length : 0;
}
