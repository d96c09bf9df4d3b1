/**
 * Spreads the cones of corners over the mesh, polygon by polygon.
 *
 *            /     \
 *       left \  P  / right       A cone enters a polygon through an edge. What lies between its two limiting lines is visible
 *             \   /              from the corner. Through each other edge that faces the corner it leads on, with the ends of
 *              \ /               that edge as limits where they are narrower.
 *               c
 *
 * A cone goes from neighbor to neighbor, so storeys and tiles need no special case. Limits are vertices, and sides of lines are
 * decided exactly, so no part of an edge is lost or seen twice.
 *
 * In: corners with the cones as they leave them.
 * Out: for each polygon, the cones that enter it.
 * Cost: linear in the cones that are stored, times the edges of a polygon.
 * Based on: own; visibility as in Bojie Shen et al., Euclidean Pathfinding with Compressed Path Databases, 2020.
 */
import { sideOfPoints } from '../../../base/math/predicates.ts';
import { passesFilter } from '../../filter.ts';
import { withRoom } from '../../walk/open-edges.ts';
import { START_STRIDE } from './sectors.ts';
import type { Ground, Sectors } from './sectors.ts';

/** Cones in the order in which they were found: polygon, corner, and right and left limit as vertices; ~v: reversed. */
export interface Cones {
  count: number;
  poly: Int32Array;
  corner: Int32Array;
  right: Int32Array;
  left: Int32Array;
  /** One corner has more cones than is possible in a mesh of convex polygons that do not fold over each other. */
  isEndless: boolean;
  /** Per polygon: the last cone in it, and the corner of that cone plus 1. */
  last: Int32Array;
  lastCorner: Int32Array;
}

/** Numbers of a cone on the stack: polygon, edge that leads back, limits, previous polygon. */
const FRAME = 5;
/** Sine of an angle that counts as 0. */
const NEARLY = 1e-12;
let stack: Int32Array = new Int32Array(64);
let depth = 0;

export function createCones(): Cones {
  const none = new Int32Array(0);
  return {
    count: 0,
    poly: none,
    corner: none,
    right: none,
    left: none,
    isEndless: false,
    last: none,
    lastCorner: none,
  };
}

/** Adds the cones of one corner, whose starts begin at number `start`. Returns the first start of the next corner. */
export function spreadCones(out: Cones, ground: Ground, sectors: Sectors, start: number): number {
  const { mesh, filter, xs, zs, portalEnds } = ground;
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, polyPortal, portalNext, portalEdge, portalPoly } =
    mesh;
  const { starts } = sectors;
  const corner = starts[START_STRIDE * start];
  const vertex = sectors.vertex[corner];
  let at = start;
  depth = 0;
  for (; at < sectors.startCount && starts[START_STRIDE * at] === corner; at++) {
    const s = START_STRIDE * at;
    push(starts[s + 1], starts[s + 2], starts[s + 3], starts[s + 4], -1);
  }
  const from = out.count;
  const limit = from + 64 * (mesh.polyCount + 16);
  while (depth > 0) {
    const frame = FRAME * --depth;
    const poly = stack[frame];
    const entry = stack[frame + 1];
    const right = stack[frame + 2];
    const left = stack[frame + 3];
    const before = stack[frame + 4];
    addCone(out, poly, corner, right, left);
    if (out.count > limit) {
      out.isEndless = true;
      return at;
    }
    const rightPoint = right < 0 ? ~right : right;
    const leftPoint = left < 0 ? ~left : left;
    const rightSign = right < 0 ? -1 : 1;
    const leftSign = left < 0 ? -1 : 1;
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let edge = first; edge < end; edge++) {
      const beyond = edgeNeighbor[edge];
      if (edge === entry || beyond === -1 || (beyond >= 0 && !passesFilter(filter, mesh, beyond))) continue;
      let portal = beyond < 0 ? polyPortal[poly] : -1;
      for (;;) {
        while (portal >= 0 && (portalEdge[portal] !== edge || !passesFilter(filter, mesh, portalPoly[portal])))
          portal = portalNext[portal];
        if (beyond < 0 && portal < 0) break;
        const a = portal >= 0 ? portalEnds[2 * portal] : edgeVertex[edge];
        const b = portal >= 0 ? portalEnds[2 * portal + 1] : edgeVertex[edge + 1 === end ? first : edge + 1];
        if (
          sideOfPoints(xs, zs, vertex, a, b) > 0 &&
          (sideOfPoints(xs, zs, vertex, rightPoint, b) * rightSign > 0 || isOpposite(ground, vertex, right, b)) &&
          (sideOfPoints(xs, zs, vertex, leftPoint, a) * leftSign < 0 || isOpposite(ground, vertex, left, a))
        ) {
          const isCutRight = sideOfPoints(xs, zs, vertex, rightPoint, a) * rightSign <= 0;
          const isCutLeft = sideOfPoints(xs, zs, vertex, leftPoint, b) * leftSign >= 0;
          let nextPoly = beyond;
          let nextEntry = -1;
          if (portal >= 0) {
            nextPoly = portalPoly[portal];
            nextEntry = portalEdge[mesh.portalBack[portal]];
          } else if (nextPoly === before) {
            nextEntry = edgeBehind(ground, vertex, nextPoly, poly);
          }
          push(nextPoly, nextEntry, isCutRight ? right : a, isCutLeft ? left : b, poly);
        }
        if (portal < 0) break;
        portal = portalNext[portal];
      }
    }
  }
  joinCones(out, ground, sectors, from);
  return at;
}

/**
 * Joins cones of one corner in one polygon if they share a limit, starting at cone `from`. Such cones entered the
 * polygon through two edges that meet there. Behind many vertices, this applies to most cones.
 */
function joinCones(cones: Cones, { mesh, xs, zs }: Ground, { vertex }: Sectors, from: number): void {
  if (cones.last.length < mesh.polyCount) {
    cones.last = new Int32Array(mesh.polyCount);
    cones.lastCorner = new Int32Array(mesh.polyCount);
  }
  const { poly, corner, right, left, last, lastCorner } = cones;
  // Cones of a link end may surround it. Joined cones must not be wider than a half turn.
  const isNarrow = (apex: number, rightLimit: number, leftLimit: number): boolean =>
    vertex[apex] < mesh.vertexCount || sideOfPoints(xs, zs, vertex[apex], rightLimit, leftLimit) > 0;
  let count = from;
  for (let i = from; i < cones.count; i++) {
    const p = poly[i];
    const apex = corner[i];
    if (lastCorner[p] === apex + 1) {
      const known = last[p];
      if (left[known] === right[i] && isNarrow(apex, right[known], left[i])) {
        left[known] = left[i];
        continue;
      }
      if (right[known] === left[i] && isNarrow(apex, right[i], left[known])) {
        right[known] = right[i];
        continue;
      }
    }
    last[p] = count;
    lastCorner[p] = apex + 1;
    poly[count] = p;
    corner[count] = apex;
    right[count] = right[i];
    left[count++] = left[i];
  }
  cones.count = count;
}

/**
 * Returns whether a vertex lies opposite of a limit, up to rounding. A polygon whose outline passes straight through
 * the corner spans a half turn. Elsewhere, the other limit cuts off the surplus that this test accepts.
 */
function isOpposite({ xs, zs }: Ground, corner: number, limit: number, vertex: number): boolean {
  const sign = limit < 0 ? -1 : 1;
  const point = limit < 0 ? ~limit : limit;
  const ux = sign * (xs[point] - xs[corner]);
  const uz = sign * (zs[point] - zs[corner]);
  const vx = xs[vertex] - xs[corner];
  const vz = zs[vertex] - zs[corner];
  if (ux * vx + uz * vz >= 0) return false;
  return Math.abs(ux * vz - uz * vx) <= NEARLY * (Math.abs(ux) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vz));
}

/**
 * Returns the edge of `poly` through which a line of sight left it for `other`, when the line returns from there. This
 * happens when several edges between two polygons form a straight line, up to rounding. Lines that crossed such an edge
 * must not cross it again.
 */
function edgeBehind({ mesh, xs, zs }: Ground, vertex: number, poly: number, other: number): number {
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let edge = first; edge < end; edge++) {
    if (mesh.edgeNeighbor[edge] !== other) continue;
    const next = mesh.edgeVertex[edge + 1 === end ? first : edge + 1];
    if (sideOfPoints(xs, zs, vertex, mesh.edgeVertex[edge], next) > 0) return edge;
  }
  return -1;
}

function push(poly: number, entry: number, right: number, left: number, before: number): void {
  const frame = FRAME * depth++;
  stack = withRoom(stack, frame + FRAME);
  stack[frame] = poly;
  stack[frame + 1] = entry;
  stack[frame + 2] = right;
  stack[frame + 3] = left;
  stack[frame + 4] = before;
}

/** Adds a cone that enters a polygon. */
export function addCone(out: Cones, poly: number, corner: number, right: number, left: number): void {
  const cone = out.count++;
  if (out.poly.length <= cone) {
    out.poly = withRoom(out.poly, cone + 1);
    out.corner = withRoom(out.corner, cone + 1);
    out.right = withRoom(out.right, cone + 1);
    out.left = withRoom(out.left, cone + 1);
  }
  out.poly[cone] = poly;
  out.corner[cone] = corner;
  out.right[cone] = right;
  out.left[cone] = left;
}
