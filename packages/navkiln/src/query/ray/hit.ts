/**
 * Writes the result of a ray: the point where it ends, the wall, the polygons and the cost.
 *
 * In: where and how the ray ends.
 * Out: a `RayHit`.
 * Cost: constant, plus the height of the end point, which is linear in the polygon's detail triangles. Points
 * on an edge of a polygon without extra detail vertices take their height from the edge instead.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER, costBetween, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { setHeightNear } from '../ground-height.ts';
import { nextEdge, setCrossing, setOnEdge, xs, zs } from './line.ts';
import { withRoom } from '../walk/open-edges.ts';

/**
 * 'reached': the ray reaches the end. 'wall': a wall blocks it. 'off-mesh': no walkable surface at the start.
 * 'stale-ref': polygon `startRef` no longer exists.
 */
export type RaycastStatus = 'reached' | 'wall' | 'off-mesh' | 'stale-ref';

/** Result of the kernel. Create it with `createRayHit` and reuse it. */
export interface RayHit {
  status: RaycastStatus;
  t: number;
  point: Float64Array;
  normal: Float64Array;
  /** Dense index of the edge that was hit, or -1. */
  edge: number;
  /** Dense index of the polygon that owns the edge, or of the polygon where the ray ends. */
  poly: number;
  /** The list is polys[0 .. count - 1], dense indices. The array may be longer. */
  count: number;
  polys: Int32Array;
  cost: number;
}

/** Creates an empty result for `raycastInto`. It grows as needed. */
export function createRayHit(): RayHit {
  return {
    status: 'off-mesh',
    t: NaN,
    point: new Float64Array(3),
    normal: new Float64Array(3),
    edge: -1,
    poly: -1,
    count: 0,
    polys: new Int32Array(16),
    cost: NaN,
  };
}

/** The last corner or border point that the ray passed. */
export const spot: Float64Array = new Float64Array(3);
/** The point up to which the cost has been added. */
const last = new Float64Array(3);
/** The filter whose costs count, and whether the caller wants the cost. */
let costFilter = DEFAULT_FILTER;
let isCounting = false;
/** With a `cost` method: how many polygons of the list are counted, and where the next one is entered. */
let countedPolys = 0;
const entrance = new Float64Array(3);

/** Resets the hit and adds the start's polygon. */
export function beginHit(out: RayHit, poly: number, start: Float64Array, filter: QueryFilter, withCost: boolean): void {
  refuseInMethod('raycast');
  out.edge = -1;
  out.normal[0] = 0;
  out.normal[1] = 0;
  out.normal[2] = 0;
  out.count = 0;
  out.cost = withCost ? 0 : NaN;
  costFilter = filter;
  isCounting = withCost;
  for (let k = 0; k < 3; k++) {
    last[k] = entrance[k] = start[k];
    spot[k] = start[k];
  }
  countedPolys = 0;
  addPoly(out, poly);
}

/** Restarts from another start, with the same filter and cost setting. */
export function restartHit(out: RayHit, poly: number, start: Float64Array): void {
  beginHit(out, poly, start, costFilter, isCounting);
}

export function addPoly(out: RayHit, poly: number): void {
  if (out.count === out.polys.length) out.polys = withRoom(out.polys, out.count + 1);
  out.polys[out.count++] = poly;
}

/** Adds the cost of the path inside a polygon, the last one of the list, up to a point. */
export function countTo(out: RayHit, mesh: NavMesh, poly: number, point: Float64Array): void {
  if (!isCounting) return;
  if (costFilter.cost === undefined) {
    const x = point[0] - last[0];
    const y = point[1] - last[1];
    const z = point[2] - last[2];
    out.cost += costFilter.areaCosts[mesh.polyArea[poly]] * Math.sqrt(x * x + y * y + z * z);
  } else {
    countPolys(out, mesh, out.count - 1);
  }
  last[0] = point[0];
  last[1] = point[1];
  last[2] = point[2];
}

/**
 * Adds the results of a `cost` method for the first `count` polygons of the list. A polygon is counted when the ray has
 * left it, since its segment names the next polygon. A polygon that is only touched at a corner has a segment of length
 * 0.
 */
function countPolys(out: RayHit, mesh: NavMesh, count: number): void {
  const { polys } = out;
  for (; countedPolys < count; countedPolys++) {
    const i = countedPolys;
    const previous = i > 0 ? polys[i - 1] : -1;
    const next = i + 1 < out.count ? polys[i + 1] : -1;
    out.cost += costBetween(costFilter, mesh, previous, polys[i], next, entrance, 0, last, 0);
    entrance.set(last);
  }
}

/** Adds the cost up to the point where a finished ray ends, on polygon `poly`. */
function countToEnd(out: RayHit, mesh: NavMesh, poly: number): void {
  countTo(out, mesh, poly, out.point);
  if (isCounting && costFilter.cost !== undefined) countPolys(out, mesh, out.count);
}

/** Adds the cost up to the point where the ray crosses an edge from right to left. */
export function countToEdge(out: RayHit, mesh: NavMesh, poly: number, edge: number, next: number): void {
  if (!isCounting) return;
  setCrossing(mesh, edge, next);
  setOnEdge(spot, mesh, poly, edge);
  countTo(out, mesh, poly, spot);
}

/** Finishes a ray that reaches its end. */
export function endAt(out: RayHit, mesh: NavMesh, poly: number): void {
  out.status = 'reached';
  out.t = 1;
  out.poly = poly;
  out.point[0] = xs[1];
  out.point[2] = zs[1];
  setHeightNear(out.point, mesh, poly);
  countToEnd(out, mesh, poly);
}

/** Finishes a ray that hits a wall edge from inside its polygon. */
export function stopAt(out: RayHit, mesh: NavMesh, poly: number, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, poly, edge)];
  const ax = vertices[a] - xs[0];
  const az = vertices[a + 2] - zs[0];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
  const det = dx * uz - dz * ux;
  const t = (ax * uz - az * ux) / det;
  const { point } = out;
  const share = t > 0 ? (t < 1 ? t : 1) : 0;
  out.t = share;
  out.poly = poly;
  point[0] = xs[0] + share * dx;
  point[2] = zs[0] + share * dz;
  setWall(out, mesh, edge);
  if (mesh.polyDetailVertexCount[poly] === 0) {
    // Without extra detail vertices the surface follows the straight edge.
    const s = (ax * dz - az * dx) / det;
    const y = vertices[a + 1];
    point[1] = y + (s > 0 ? (s < 1 ? s : 1) : 0) * (vertices[b + 1] - y);
  } else {
    setHeightNear(point, mesh, poly);
  }
  countToEnd(out, mesh, poly);
}

/** Finishes a ray that cannot continue from `spot`, on polygon `out.poly`. */
export function stopAtSpot(out: RayHit, mesh: NavMesh): void {
  const dx = xs[1] - xs[0];
  const dz = zs[1] - zs[0];
  const t = ((spot[0] - xs[0]) * dx + (spot[2] - zs[0]) * dz) / (dx * dx + dz * dz);
  out.status = 'wall';
  out.t = t > 0 ? (t < 1 ? t : 1) : 0;
  out.point.set(spot);
  setHeightNear(out.point, mesh, out.poly);
  countToEnd(out, mesh, out.poly);
}

/** Records the edge that was hit, an edge of polygon `out.poly`. */
export function setWall(out: RayHit, mesh: NavMesh, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[nextEdge(mesh, out.poly, edge)];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const length = Math.sqrt(ux * ux + uz * uz);
  out.status = 'wall';
  out.edge = edge;
  if (length === 0) return;
  out.normal[0] = uz / length;
  out.normal[2] = (vertices[a] - vertices[b]) / length;
}
