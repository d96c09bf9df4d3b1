/**
 * Finds polygons around a point that do not overlap each other seen from above.
 *
 * The search is breadth-first through edges and portals that touch the circle. A polygon that overlaps an
 * earlier one, such as a ramp that winds over itself, is skipped. Agents use this to collect walls of their
 * own floor only.
 *
 * In: a polygon, a point on it, a radius.
 * Out: polygons in breadth-first order, each with its parent.
 * Cost: quadratic in the polygons found, but bounding boxes reject most pairs; no allocation after warm-up.
 * Based on: Detour's findLocalNeighbourhood (Mikko Mononen), whose order this keeps; overlap test by separating axes
 * (Stefan Gottschalk, Separating Axis Theorem, 1996). Differences from Detour: no limit of 48 polygons, and a polygon
 * is compared with all earlier ones, including neighbors of its parent.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { beginSearch, createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { DISTANCE_SQ, measureEdge } from './edge-distance.ts';
import { WALK_KEYS, locateWalk, withRoom } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

/** Result of `findLocalNeighborhood`. */
export interface NeighborhoodResult {
  /**
   * 'found': the search ran. 'off-mesh': no walkable surface at the point. 'stale-ref': polygon `startRef` no longer
   * exists.
   */
  status: 'found' | 'off-mesh' | 'stale-ref';
  /** The polygons, starting with the point's own. */
  polys: PolyRef[];
  /** parents[i] is the polygon that found polys[i]. `NULL_REF` for the first. */
  parents: PolyRef[];
}

/** Layout of a bounding box in `Neighborhood.boxes`. */
const BOX_STRIDE = 4;
const MIN_X = 0;
const MIN_Z = 1;
const MAX_X = 2;
const MAX_Z = 3;

/** Result of the kernel. Create it with `createNeighborhood` and reuse it. */
export interface Neighborhood {
  count: number;
  /** Dense indices. The arrays may be longer than `count`. */
  polys: Int32Array;
  /** parents[i] is the position in `polys` of the polygon that found polys[i]; -1 for the first. */
  parents: Int32Array;
  /** Bounding boxes: min x, min z, max x, max z. Stride 4. */
  boxes: Float64Array;
}

/** Creates an empty result for `findLocalNeighborhoodInto`. It grows as needed. */
export function createNeighborhood(): Neighborhood {
  return { count: 0, polys: new Int32Array(0), parents: new Int32Array(0), boxes: new Float64Array(0) };
}

const origin = new Float64Array(3);
const from = createNearestHit();
const shared = createNeighborhood();
const sharedState = createSearchState();

/**
 * Returns the polygons within `radius` (world units, seen from above) of a point that can be reached inside
 * the circle and do not overlap each other.
 *
 * With `startRef` the status is 'stale-ref' when that polygon no longer exists. Throws a TypeError for
 * invalid points and a RangeError for a negative radius or unknown options.
 */
export function findLocalNeighborhood(
  mesh: NavMesh,
  point: PointLike,
  radius: number,
  options: WalkOptions = {},
): NeighborhoodResult {
  checkKeys('findLocalNeighborhood', options, WALK_KEYS);
  const filter = readFilter('findLocalNeighborhood', options, mesh);
  readPoint(origin, point, 'findLocalNeighborhood', 'point');
  if (typeof radius !== 'number' || !(radius >= 0)) refuse('findLocalNeighborhood', 'radius', radius, '>= 0');
  const status = locateWalk(from, mesh, origin, options, filter, 'findLocalNeighborhood');
  if (status !== 'found') return { status, polys: [], parents: [] };
  findLocalNeighborhoodInto(shared, sharedState, mesh, from.poly, from.point, radius, filter);
  const polys: PolyRef[] = [];
  const parents: PolyRef[] = [];
  for (let i = 0; i < shared.count; i++) {
    polys.push(refOf(mesh, shared.polys[i]));
    parents.push(i === 0 ? NULL_REF : polys[shared.parents[i]]);
  }
  return { status, polys, parents };
}

/** The part of an edge that is tested: from fraction part[0] to part[1]. */
const part = new Float64Array(2);
/** The part of an edge measured last; see `measureEdge`. */
const near = new Float64Array(2);
/** Squared radius. An array, because V8 may allocate numbers passed to functions. */
const circle = new Float64Array(1);

/** Kernel of `findLocalNeighborhood`. Allocates nothing once `out` and `state` have grown. */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function findLocalNeighborhoodInto(
  out: Neighborhood,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  point: Float64Array,
  radius: number,
  filter: QueryFilter,
): void {
  refuseInMethod('findLocalNeighborhoodInto');
  const { edgeNeighbor, polyEdgeStart, polyVertexCount, portalSpan } = mesh;
  circle[0] = radius * radius;
  beginSearch(state, mesh);
  const { nodeStamp, stamp } = state;
  nodeStamp[startPoly] = stamp;
  out.count = 0;
  setBox(out, mesh, startPoly);
  out.polys[0] = startPoly;
  out.parents[0] = -1;
  out.count = 1;
  for (let head = 0; head < out.count; head++) {
    const poly = out.polys[head];
    const first = polyEdgeStart[poly];
    const stop = first + polyVertexCount[poly];
    for (let e = first; e < stop; e++) {
      const next = e + 1 === stop ? first : e + 1;
      const other = edgeNeighbor[e];
      if (other >= 0) {
        part[0] = 0;
        part[1] = 1;
        if (nodeStamp[other] !== stamp && passesFilter(filter, mesh, other) && isInReach(mesh, e, next, point)) {
          nodeStamp[other] = stamp;
          take(out, mesh, other, head);
        }
        continue;
      }
      if (other === -1) continue;
      for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
        const behind = mesh.portalPoly[l];
        if (mesh.portalEdge[l] !== e || nodeStamp[behind] === stamp || !passesFilter(filter, mesh, behind)) continue;
        part[0] = portalSpan[2 * l];
        part[1] = portalSpan[2 * l + 1];
        if (!isInReach(mesh, e, next, point)) continue;
        nodeStamp[behind] = stamp;
        take(out, mesh, behind, head);
      }
    }
  }
}

/** Returns whether the part of an edge touches the circle. */
function isInReach(mesh: NavMesh, edge: number, next: number, point: Float64Array): boolean {
  measureEdge(near, mesh, edge, next, point, part);
  return near[DISTANCE_SQ] <= circle[0];
}

/** Adds a polygon unless it overlaps an earlier one. */
function take(out: Neighborhood, mesh: NavMesh, poly: number, parent: number): void {
  setBox(out, mesh, poly);
  const { boxes, polys, count } = out;
  const k = BOX_STRIDE * count;
  for (let i = 0; i < count; i++) {
    const j = BOX_STRIDE * i;
    if (
      boxes[j + MIN_X] >= boxes[k + MAX_X] ||
      boxes[j + MAX_X] <= boxes[k + MIN_X] ||
      boxes[j + MIN_Z] >= boxes[k + MAX_Z] ||
      boxes[j + MAX_Z] <= boxes[k + MIN_Z]
    ) {
      continue;
    }
    if (!isApart(mesh, polys[i], poly) && !isApart(mesh, poly, polys[i])) return;
  }
  polys[count] = poly;
  out.parents[count] = parent;
  out.count = count + 1;
}

/** Writes the bounding box of the candidate at position `count`. */
function setBox(out: Neighborhood, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex } = mesh;
  const { count } = out;
  if (out.polys.length === count) {
    out.polys = withRoom(out.polys, count + 1);
    out.parents = withRoom(out.parents, count + 1);
    const boxes = new Float64Array(BOX_STRIDE * out.polys.length);
    boxes.set(out.boxes);
    out.boxes = boxes;
  }
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    const v = 3 * edgeVertex[e];
    const x = vertices[v];
    const z = vertices[v + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const box = BOX_STRIDE * count;
  out.boxes[box + MIN_X] = minX;
  out.boxes[box + MIN_Z] = minZ;
  out.boxes[box + MAX_X] = maxX;
  out.boxes[box + MAX_Z] = maxZ;
}

/** Maximum overlap of polygons that count as only touching, as a share of the separating edge (voxel rounding). */
const TOUCH = 1e-4;

/** Returns whether an edge of the first polygon separates it from the second. */
function isApart(mesh: NavMesh, poly: number, other: number): boolean {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const stop = first + mesh.polyVertexCount[poly];
  const otherFirst = mesh.polyEdgeStart[other];
  const otherStop = otherFirst + mesh.polyVertexCount[other];
  for (let e = first; e < stop; e++) {
    const a = 3 * edgeVertex[e];
    const b = 3 * edgeVertex[e + 1 === stop ? first : e + 1];
    const ax = vertices[a];
    const az = vertices[a + 2];
    const ux = vertices[b] - ax;
    const uz = vertices[b + 2] - az;
    const maxDepth = TOUCH * (ux * ux + uz * uz);
    let f = otherFirst;
    while (f < otherStop) {
      const v = 3 * edgeVertex[f];
      // Depth inside the edge, times the edge's length.
      if ((vertices[v] - ax) * uz - (vertices[v + 2] - az) * ux > maxDepth) break;
      f++;
    }
    if (f === otherStop) return true;
  }
  return false;
}
