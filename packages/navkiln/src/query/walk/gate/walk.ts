/**
 * Walks from a position towards a target, polygon by polygon, and slides along walls.
 *
 * Each step lies in one convex polygon and ends at one of its edges. The walk leaves a polygon only through an open edge or a
 * portal, and at its position on that edge. So the line of the walk lies on the mesh by construction, and no wall is crossed,
 * however thin it is. At a wall, the walk goes to the point of that wall nearest to the target. It ends where no step leads
 * nearer, or after the given length.
 *
 * In: a polygon, a position on it, a target not further away than the walk may be long.
 * Out: the position, its polygon, the length, and why the walk ended.
 * Cost: linear in the polygons crossed, with a limit; no allocation.
 * Based on: own. The exit of a polygon is that of Mike Cyrus, Jay Beck, Generalized Two- and Three-Dimensional Clipping, 1978.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { EDGE_SLACK } from '../open-edges.ts';

/** Layout of `walk`: position, target, length so far, greatest length. World units, seen from above. */
export const AT_X = 0;
export const AT_Z = 1;
export const TO_X = 2;
export const TO_Z = 3;
export const LENGTH = 4;
export const LIMIT = 5;
/** The current walk. The caller sets it. */
export const walk: Float64Array = new Float64Array(6);
/** The polygon at the end of the walk. */
export const walkEnd: Int32Array = new Int32Array(1);

/** How a walk ends: at the target, at a wall, at its greatest length, or after the greatest number of polygons. */
export const ARRIVED = 0;
export const BLOCKED = 1;
const SPENT = 2;
export const OUT_OF_POLYS = 3;

/** Results of `cross` and `exitOf` other than a polygon or an edge. */
const CLOSED = -1;
const NONE = -1;
/** The walk has reached its greatest length. */
const ENDED = -2;

/** Shares of a step within which two edges are left at once. */
const AT_ONCE = 1e-12;

/** Where the walk leaves the polygon: a share of the way to the target. */
const exitAt = new Float64Array(1);

/** Kernel: walks from `poly`. It enters at most `maxPolys` polygons. */
export function walkTowards(mesh: NavMesh, poly: number, filter: QueryFilter, maxPolys: number): number {
  let wall = NONE;
  let idle = 0;
  let outcome = OUT_OF_POLYS;
  for (let steps = 0; steps < maxPolys; steps++) {
    const edge = exitOf(mesh, poly, wall, 1);
    // The walk stands at the end of a wall, with the target behind it. Only another edge at this corner leads on.
    if (wall !== NONE && (edge === NONE || exitAt[0] > AT_ONCE)) {
      outcome = BLOCKED;
      break;
    }
    const share = exitAt[0];
    const isIn =
      edge === NONE
        ? stepTo(walk[TO_X], walk[TO_Z])
        : stepTo(walk[AT_X] + share * (walk[TO_X] - walk[AT_X]), walk[AT_Z] + share * (walk[TO_Z] - walk[AT_Z]));
    if (edge === NONE || !isIn) {
      outcome = isIn ? ARRIVED : SPENT;
      break;
    }
    let next = cross(mesh, poly, edge, filter);
    if (next === CLOSED && wall === NONE) {
      // A corner leaves the polygon through two edges, and one of them may be open.
      const other = exitOf(mesh, poly, edge, AT_ONCE);
      if (other !== NONE) next = cross(mesh, poly, other, filter);
    }
    if (next === CLOSED) {
      const before = walk[LENGTH];
      const slid = slideAlong(mesh, poly, edge, filter);
      if (slid !== AT_END) {
        outcome = slid === ENDED ? SPENT : BLOCKED;
        break;
      }
      idle = walk[LENGTH] > before ? 0 : idle + 1;
      if (idle > 2) {
        outcome = BLOCKED;
        break;
      }
      wall = edge;
      next = cross(mesh, poly, edge, filter);
      if (next === CLOSED) continue;
    }
    if (next === ENDED) {
      outcome = SPENT;
      break;
    }
    poly = next;
    wall = NONE;
  }
  walkEnd[0] = poly;
  return outcome;
}

/**
 * Returns the first edge at which the way to the target leaves a convex polygon, before the share `before` of it, or `NONE`. The
 * edge `skip` does not count. Sets `exitAt`.
 */
function exitOf(mesh: NavMesh, poly: number, skip: number, before: number): number {
  const { vertices, edgeVertex } = mesh;
  const x = walk[AT_X];
  const z = walk[AT_Z];
  const dx = walk[TO_X] - x;
  const dz = walk[TO_Z] - z;
  const first = mesh.polyEdgeStart[poly];
  const stop = first + mesh.polyVertexCount[poly];
  let exit = NONE;
  let e = stop - 1;
  let a = 3 * edgeVertex[e];
  let ax = vertices[a] - x;
  let az = vertices[a + 2] - z;
  for (let next = first; next < stop; e = next++) {
    a = 3 * edgeVertex[next];
    const bx = vertices[a] - x;
    const bz = vertices[a + 2] - z;
    // How fast the way approaches the edge, and how far the edge is; both times its length.
    const speed = dz * (bx - ax) - dx * (bz - az);
    if (speed > 0 && e !== skip) {
      const distance = az * bx - ax * bz;
      if (distance < before * speed) {
        before = distance > 0 ? distance / speed : 0;
        exit = e;
      }
    }
    ax = bx;
    az = bz;
  }
  exitAt[0] = before;
  return exit;
}

/** Moves the walk straight to a point of its polygon. Returns false, and goes part of the way, if that is too far. */
function stepTo(x: number, z: number): boolean {
  const dx = x - walk[AT_X];
  const dz = z - walk[AT_Z];
  const length = Math.sqrt(dx * dx + dz * dz);
  const rest = walk[LIMIT] - walk[LENGTH];
  if (length > rest) {
    const share = rest > 0 ? rest / length : 0;
    walk[AT_X] += share * dx;
    walk[AT_Z] += share * dz;
    walk[LENGTH] = walk[LIMIT];
    return false;
  }
  walk[AT_X] = x;
  walk[AT_Z] = z;
  walk[LENGTH] += length;
  return true;
}

/** The edge that `loadEdge` loaded: its start, its vector, and the share of it at which the walk or the target is. */
const EDGE_X = 0;
const EDGE_Z = 1;
const EDGE_DX = 2;
const EDGE_DZ = 3;
const EDGE_AT = 4;
const side = new Float64Array(5);

function loadEdge(mesh: NavMesh, poly: number, edge: number, x: number, z: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const lengthSq = ux * ux + uz * uz;
  const t = lengthSq > 0 ? ((x - vertices[a]) * ux + (z - vertices[a + 2]) * uz) / lengthSq : 0;
  side[EDGE_X] = vertices[a];
  side[EDGE_Z] = vertices[a + 2];
  side[EDGE_DX] = ux;
  side[EDGE_DZ] = uz;
  side[EDGE_AT] = t > 0 ? (t < 1 ? t : 1) : 0;
}

/**
 * Crosses an edge at the position of the walk. Returns the polygon behind it, `CLOSED`, or `ENDED`. Two tiles may be a little
 * apart; the walk then steps from one border to the other.
 */
function cross(mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): number {
  const other = mesh.edgeNeighbor[edge];
  if (other >= 0) return passesFilter(filter, mesh, other) ? other : CLOSED;
  if (other === -1) return CLOSED;
  const { portalSpan } = mesh;
  loadEdge(mesh, poly, edge, walk[AT_X], walk[AT_Z]);
  const at = side[EDGE_AT];
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge) continue;
    const low = portalSpan[2 * l];
    const high = portalSpan[2 * l + 1];
    const behind = mesh.portalPoly[l];
    if (at < low - EDGE_SLACK || at > high + EDGE_SLACK || !passesFilter(filter, mesh, behind)) continue;
    const back = mesh.portalBack[l];
    const share = at < low ? 0 : at > high ? 1 : (at - low) / (high - low);
    const t = portalSpan[2 * back + 1] - share * (portalSpan[2 * back + 1] - portalSpan[2 * back]);
    loadEdge(mesh, behind, mesh.portalEdge[back], 0, 0);
    const x = side[EDGE_X] + t * side[EDGE_DX];
    const z = side[EDGE_Z] + t * side[EDGE_DZ];
    const beforeX = walk[AT_X];
    const beforeZ = walk[AT_Z];
    if (stepTo(x, z)) return behind;
    // Between two tiles is no mesh.
    walk[AT_X] = beforeX;
    walk[AT_Z] = beforeZ;
    return ENDED;
  }
  return CLOSED;
}

/** Results of `slideAlong`: the walk is at an end of the wall, or between its ends. */
const AT_END = 1;
const BETWEEN = 0;

/** Moves the walk to the point nearest to the target of the wall on which it stands. */
function slideAlong(mesh: NavMesh, poly: number, edge: number, filter: QueryFilter): number {
  let low = 0;
  let high = 1;
  if (mesh.edgeNeighbor[edge] <= -2) {
    loadEdge(mesh, poly, edge, walk[AT_X], walk[AT_Z]);
    const at = side[EDGE_AT];
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      if (mesh.portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
      const from = mesh.portalSpan[2 * l];
      const to = mesh.portalSpan[2 * l + 1];
      if (to <= at && to > low) low = to;
      if (from >= at && from < high) high = from;
    }
  }
  loadEdge(mesh, poly, edge, walk[TO_X], walk[TO_Z]);
  let t = side[EDGE_AT];
  t = t < low ? low : t > high ? high : t;
  const isIn = stepTo(side[EDGE_X] + t * side[EDGE_DX], side[EDGE_Z] + t * side[EDGE_DZ]);
  return isIn ? (t === low || t === high ? AT_END : BETWEEN) : ENDED;
}
