/**
 * The ground around a point as one flat patch: polygons near it that do not overlap each other seen from above.
 *
 * In: a polygon, a point, a radius. Out: polygons, the start's first, found from there through openings that touch the circle,
 * nearest in steps first, each with the one it was found from. A polygon that would overlap one that is in already (a ramp that
 * winds over itself) is left out, and what lies behind it is found another way or not at all. For the walls around an agent,
 * say, so that those of other floors do not count.
 * Cost: O(k²) in the polygons found, of which most pairs are told apart by their boxes; no allocation after warm-up.
 *
 * Based on: Detour's findLocalNeighbourhood (Mikko Mononen), whose order this keeps; overlap by separating axes (Stefan
 * Gottschalk, Separating Axis Theorem, 1996). Other than there: not at most 48 polygons; and a polygon is compared with all
 * others, not only with those that do not touch the one it was found from.
 */
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { beginSearch, createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { locateWalk, withRoom } from './open-edges.ts';
import type { WalkOptions } from './open-edges.ts';

export interface NeighborhoodResult {
  /** 'found'; 'off-mesh': there is no ground at the point. */
  status: 'found' | 'off-mesh';
  /** The one the point is on first. */
  polys: PolyRef[];
  /** parents[i]: the polygon that polys[i] was found from; `NULL_REF` of the first. */
  parents: PolyRef[];
}

/** What the kernel finds. Make one with `createNeighborhood` and reuse it. */
export interface Neighborhood {
  count: number;
  /** Dense indices; arrays may be longer. */
  polys: Int32Array;
  /** parents[i]: place in `polys` of what polys[i] was found from; -1 of the first. */
  parents: Int32Array;
  /** 4 a polygon: min x, min z, max x, max z. */
  boxes: Float64Array;
}

export function createNeighborhood(): Neighborhood {
  return { count: 0, polys: new Int32Array(0), parents: new Int32Array(0), boxes: new Float64Array(0) };
}

const place = new Float64Array(3);
const from = createNearestHit();
const shared = createNeighborhood();
const sharedState = createSearchState();

/**
 * Polygons within `radius` (world units, seen from above) of a point that do not overlap. Throws a TypeError for what is no
 * point, a RangeError for a radius below 0 and for a ref that names no polygon.
 */
export function findLocalNeighborhood(
  mesh: NavMesh,
  point: PointLike,
  radius: number,
  options: WalkOptions = {},
): NeighborhoodResult {
  const { filter = DEFAULT_FILTER } = options;
  readPoint(place, point, 'findLocalNeighborhood', 'point');
  if (!(radius >= 0)) throw new RangeError(`findLocalNeighborhood: radius is ${radius}; give a number from 0 on`);
  locateWalk(from, mesh, place, options, filter, 'findLocalNeighborhood');
  if (from.poly < 0) return { status: 'off-mesh', polys: [], parents: [] };
  findLocalNeighborhoodInto(shared, sharedState, mesh, from.poly, from.point, radius, filter);
  const polys: PolyRef[] = [];
  const parents: PolyRef[] = [];
  for (let i = 0; i < shared.count; i++) {
    polys.push(refOf(mesh, shared.polys[i]));
    parents.push(i === 0 ? NULL_REF : polys[shared.parents[i]]);
  }
  return { status: 'found', polys, parents };
}

const part = new Float64Array(2);
/** Squared radius. In an array, as a number handed over might be allocated. */
const circle = new Float64Array(1);

/** Kernel of `findLocalNeighborhood`. Allocates nothing once `out` and `state` have grown. */
export function findLocalNeighborhoodInto(
  out: Neighborhood,
  state: SearchState,
  mesh: NavMesh,
  startPoly: number,
  point: Float64Array,
  radius: number,
  filter: QueryFilter,
): void {
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

/** Does the part of an edge touch the circle? */
function isInReach(mesh: NavMesh, edge: number, next: number, point: Float64Array): boolean {
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
  const x = ax + t * ux;
  const z = az + t * uz;
  return x * x + z * z <= circle[0];
}

/** Adds a polygon unless it overlaps one that is there. */
function take(out: Neighborhood, mesh: NavMesh, poly: number, parent: number): void {
  setBox(out, mesh, poly);
  const { boxes, polys, count } = out;
  const k = 4 * count;
  for (let i = 0; i < count; i++) {
    const j = 4 * i;
    if (
      boxes[j] >= boxes[k + 2] ||
      boxes[j + 2] <= boxes[k] ||
      boxes[j + 1] >= boxes[k + 3] ||
      boxes[j + 3] <= boxes[k + 1]
    ) {
      continue;
    }
    if (!isApart(mesh, polys[i], poly) && !isApart(mesh, poly, polys[i])) return;
  }
  polys[count] = poly;
  out.parents[count] = parent;
  out.count = count + 1;
}

/** The box of a polygon that may become the next. */
function setBox(out: Neighborhood, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex } = mesh;
  const { count } = out;
  if (out.polys.length === count) {
    out.polys = withRoom(out.polys, count + 1);
    out.parents = withRoom(out.parents, count + 1);
    const boxes = new Float64Array(4 * out.polys.length);
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
  out.boxes[4 * count] = minX;
  out.boxes[4 * count + 1] = minZ;
  out.boxes[4 * count + 2] = maxX;
  out.boxes[4 * count + 3] = maxZ;
}

/** How far polygons may reach into each other and still only touch, in squares of the edge between: voxel rounding. */
const TOUCH = 1e-4;

/** Does an edge of the first polygon have the whole second one on its outside? */
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
    const most = TOUCH * (ux * ux + uz * uz);
    let f = otherFirst;
    while (f < otherStop) {
      const v = 3 * edgeVertex[f];
      // How far inside, times the edge's length.
      if ((vertices[v] - ax) * uz - (vertices[v + 2] - az) * ux > most) break;
      f++;
    }
    if (f === otherStop) return true;
  }
  return false;
}
