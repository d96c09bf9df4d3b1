/**
 * Finds a path around a corner that is not longer than a limit, among the polygons near a move.
 *
 * An edge is crossed only if some path of that length leads through it: its least sum of distances to both ends is within the limit.
 * So the search does not leave an ellipse around the move. The path is the string pulled through the polygons found.
 *
 * In: a polygon, a position on it, a target, the greatest length.
 * Out: the polygon of the target, and the length of the path.
 * Cost: linear in the edges of at most `MAX_EXPANDED` polygons, whose open list is searched through. No allocation after warm-up.
 * Based on: own; A* as in Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
 * Paths, 1968.
 */
import { portalCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import { isOverPoly } from '../../../mesh/ground.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { clearPolys, createCorridor } from '../../path/corridor.ts';
import { pullString } from '../../path/funnel.ts';
import { createPathLine } from '../../path/path-line.ts';

/** Most polygons that are expanded, and most that are visited. */
const MAX_EXPANDED = 32;
const MAX_VISITED = 96;
/** How much longer the path through the entry points may be than the string. */
const SLACK = 1.2;
/** Slots of the table of visited polygons: a power of two. */
const SLOTS = 256;

const nodePoly = new Int32Array(MAX_VISITED);
const nodeParent = new Int32Array(MAX_VISITED);
/** How the parent leads to the node; see mesh/crossing.ts. */
const nodeCrossing = new Int32Array(MAX_VISITED);
/** Entry point, length up to it, and length of the whole path at least. */
const node = new Float64Array(4 * MAX_VISITED);
const isClosed = new Uint8Array(MAX_VISITED);
/** Node + 1 of a visited polygon; 0: free. */
const table = new Int16Array(SLOTS);

const ends = new Float64Array(6);
/** The point of an edge at which a path is shortest, and its length. */
const best = new Float64Array(3);
const corridor = createCorridor();
const line = createPathLine();

/**
 * Kernel: returns the polygon that the target is over, or -1 if no path of at most `limit[0]` was found. Writes the length of the
 * path to `limit[0]`. World units, seen from above.
 */
// oxlint-disable-next-line max-params -- kernel
export function findAround(
  limit: Float64Array,
  mesh: NavMesh,
  startPoly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
): number {
  table.fill(0);
  let count = 1;
  nodePoly[0] = startPoly;
  nodeParent[0] = -1;
  isClosed[0] = 0;
  node[0] = start[0];
  node[1] = start[2];
  node[2] = 0;
  node[3] = 0;
  table[slotOf(startPoly)] = 1;
  for (let expanded = 0; expanded < MAX_EXPANDED; expanded++) {
    let at = -1;
    for (let i = 0; i < count; i++) if (isClosed[i] === 0 && (at < 0 || node[4 * i + 3] < node[4 * at + 3])) at = i;
    if (at < 0 || node[4 * at + 3] > SLACK * limit[0]) return -1;
    const poly = nodePoly[at];
    isClosed[at] = 1;
    if (at > 0 && isOverPoly(mesh, poly, end)) return pull(limit, mesh, at, start, end);
    const first = mesh.polyEdgeStart[poly];
    for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other >= 0) count = visit(count, limit, mesh, at, e, other, start, end, filter);
    }
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l])
      count = visit(count, limit, mesh, at, portalCrossing(l), mesh.portalPoly[l], start, end, filter);
  }
  return -1;
}

/** Returns the slot of a polygon in the table, which is free if the polygon is new. */
function slotOf(poly: number): number {
  let slot = Math.imul(poly, 0x9e3779b1) >>> 24;
  while (table[slot] !== 0 && nodePoly[table[slot] - 1] !== poly) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** Opens the polygon behind a crossing, or leads to it on a shorter way. Returns the number of nodes. */
// oxlint-disable-next-line max-params -- kernel
function visit(
  count: number,
  limit: Float64Array,
  mesh: NavMesh,
  parent: number,
  crossing: number,
  poly: number,
  start: Float64Array,
  end: Float64Array,
  filter: QueryFilter,
): number {
  const slot = slotOf(poly);
  let at = table[slot] - 1;
  if (at < 0 ? count === MAX_VISITED || !passesFilter(filter, mesh, poly) : isClosed[at] === 1) return count;
  setCrossingEnds(ends, mesh, nodePoly[parent], crossing);
  setShortest(start[0], start[2], end);
  if (best[2] > limit[0]) return count;
  const x = node[4 * parent];
  const z = node[4 * parent + 1];
  setShortest(x, z, end);
  const total = node[4 * parent + 2] + best[2];
  if (at >= 0 && node[4 * at + 3] <= total) return count;
  if (at < 0) {
    at = count++;
    table[slot] = at + 1;
    nodePoly[at] = poly;
    isClosed[at] = 0;
  }
  nodeParent[at] = parent;
  nodeCrossing[at] = crossing;
  node[4 * at] = best[0];
  node[4 * at + 1] = best[1];
  node[4 * at + 2] = node[4 * parent + 2] + lengthOf(best[0] - x, best[1] - z);
  node[4 * at + 3] = total;
  return count;
}

/** Writes the point of the crossing in `ends` at which a path from x, z to the end is shortest, and its length. */
function setShortest(x: number, z: number, end: Float64Array): void {
  const ux = ends[3] - ends[0];
  const uz = ends[5] - ends[2];
  const px = x - ends[0];
  const pz = z - ends[2];
  const qx = end[0] - ends[0];
  const qz = end[2] - ends[2];
  // As if both points were on opposite sides: a mirrored point has the same distances.
  const p = Math.abs(px * uz - pz * ux);
  const q = Math.abs(qx * uz - qz * ux);
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? (px * ux + pz * uz) / lengthSq : 0;
  if (lengthSq > 0 && p > 0) t += (p / (p + q)) * ((qx * ux + qz * uz) / lengthSq - t);
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  const dx = t * ux;
  const dz = t * uz;
  best[0] = ends[0] + dx;
  best[1] = ends[2] + dz;
  best[2] = lengthOf(dx - px, dz - pz) + lengthOf(dx - qx, dz - qz);
}

function lengthOf(dx: number, dz: number): number {
  return Math.sqrt(dx * dx + dz * dz);
}

/** Pulls the string to the end through the polygons that lead to a node. Returns its polygon, or -1 if the string is too long. */
function pull(limit: Float64Array, mesh: NavMesh, last: number, start: Float64Array, end: Float64Array): number {
  let count = 1;
  for (let at = last; at > 0; at = nodeParent[at]) count++;
  clearPolys(corridor, count);
  corridor.count = count;
  let at = last;
  for (let i = count - 1; i >= 0; i--) {
    corridor.polys[i] = nodePoly[at];
    if (i > 0) corridor.crossings[i - 1] = nodeCrossing[at];
    at = nodeParent[at];
  }
  pullString(line, mesh, corridor, start, end);
  const { points } = line;
  let length = 0;
  for (let k = 3; k < 3 * line.count; k += 3)
    length += lengthOf(points[k] - points[k - 3], points[k + 2] - points[k - 1]);
  if (length > limit[0]) return -1;
  limit[0] = length;
  return nodePoly[last];
}
