/**
 * Finds where two islands come closest. The cause that separates them is a gap that is too wide or a step that is too
 * high.
 *
 * In: a polygon of each island.
 * Out: the nearest two points, one on each island, among those on outlines of polygons; where one island lies
 *   above the other, also those straight above a corner.
 * Cost: for each polygon of one island, a walk through the boxes of the other that may be nearer than the
 *   best pair so far. For explanations, not for every frame.
 * Based on: own.
 */
import { polyBounds } from '../../mesh/tiles/bv-tree.ts';
import { isOverPoly, setHeight } from '../../mesh/ground.ts';
import { islandOf, refreshIslands } from '../../mesh/islands.ts';
import { closestOnSegments } from '../../base/math/segment-distance.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** Output of `findIslandGap`. Create it once with `createIslandGap` and reuse it. */
export interface IslandGap {
  /** xyz of the nearest point on the first island. */
  from: Float64Array;
  /** xyz of the nearest point on the second island. */
  to: Float64Array;
  /** Polygons of both points, dense indices; -1 when both are the same island. */
  fromPoly: number;
  toPoly: number;
  /** Squared distance between the points; Infinity when both are the same island. */
  distanceSq: number;
}

/** Returns an empty gap. */
export function createIslandGap(): IslandGap {
  return { from: new Float64Array(3), to: new Float64Array(3), fromPoly: -1, toPoly: -1, distanceSq: Infinity };
}

/** Bounds of the polygon that is compared. */
const box = new Float64Array(6);
/** Start and direction of an edge of the first island. */
const p = new Float64Array(3);
const d = new Float64Array(3);
/** Start and direction of an edge of the second island. */
const q = new Float64Array(3);
const e = new Float64Array(3);
const parameters = new Float64Array(2);

/** Writes the nearest points of the islands of polygons a and b. Recomputes islands that are stale. */
export function findIslandGap(out: IslandGap, mesh: NavMesh, a: number, b: number): void {
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  out.fromPoly = out.toPoly = -1;
  out.distanceSq = Infinity;
  const here = islandOf(mesh, a);
  const there = islandOf(mesh, b);
  if (here === there) return;
  compare(out, mesh, a, b);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (islandOf(mesh, poly) === here) searchFrom(out, mesh, poly, there);
    }
  }
}

/**
 * Compares a polygon with those of the island with root `there` whose boxes are nearer than the best pair so
 * far.
 */
function searchFrom(out: IslandGap, mesh: NavMesh, poly: number, there: number): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  polyBounds(box, 0, mesh, poly);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1 || !(gapSq(tileBounds, 6 * slot, 0, 0, 0) < out.distanceSq)) continue;
    const x = tileBounds[6 * slot];
    const y = tileBounds[6 * slot + 1];
    const z = tileBounds[6 * slot + 2];
    const end = mesh.tileNodeStart[slot] + mesh.tileNodeCount[slot];
    for (let node = mesh.tileNodeStart[slot]; node < end;) {
      const item = bvItem[node];
      const isNear = gapSq(bvBounds, 6 * node, x, y, z) < out.distanceSq;
      if (isNear && item >= 0 && islandOf(mesh, item) === there) compare(out, mesh, poly, item);
      node += isNear || item >= 0 ? 1 : -item;
    }
  }
}

/** Returns the squared distance between `box` and the box at `bounds[at]`, which is relative to (x, y, z). */
function gapSq(bounds: Float64Array | Float32Array, at: number, x: number, y: number, z: number): number {
  const dx = Math.max(bounds[at] + x - box[3], box[0] - bounds[at + 3] - x, 0);
  const dy = Math.max(bounds[at + 1] + y - box[4], box[1] - bounds[at + 4] - y, 0);
  const dz = Math.max(bounds[at + 2] + z - box[5], box[2] - bounds[at + 5] - z, 0);
  return dx * dx + dy * dy + dz * dz;
}

/** Compares the outlines of polygon a, of the first island, and b, of the second. */
function compare(out: IslandGap, mesh: NavMesh, a: number, b: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[a];
  const end = first + mesh.polyVertexCount[a];
  const otherFirst = mesh.polyEdgeStart[b];
  const otherEnd = otherFirst + mesh.polyVertexCount[b];
  for (let i = first; i < end; i++) {
    loadEdge(p, d, vertices, edgeVertex[i], edgeVertex[i + 1 === end ? first : i + 1]);
    compareAbove(out, mesh, p, a, b, false);
    for (let j = otherFirst; j < otherEnd; j++) {
      loadEdge(q, e, vertices, edgeVertex[j], edgeVertex[j + 1 === otherEnd ? otherFirst : j + 1]);
      const distanceSq = closestOnSegments(parameters, p, d, q, e);
      if (!(distanceSq < out.distanceSq)) continue;
      out.distanceSq = distanceSq;
      out.fromPoly = a;
      out.toPoly = b;
      for (let k = 0; k < 3; k++) {
        out.from[k] = p[k] + parameters[0] * d[k];
        out.to[k] = q[k] + parameters[1] * e[k];
      }
    }
  }
  for (let j = otherFirst; j < otherEnd; j++) {
    loadEdge(q, e, vertices, edgeVertex[j], edgeVertex[j]);
    compareAbove(out, mesh, q, a, b, true);
  }
}

/** Compares a corner of one polygon with the surface of the other straight above or below it. */
function compareAbove(out: IslandGap, mesh: NavMesh, corner: Float64Array, a: number, b: number, isOfB: boolean): void {
  const other = isOfB ? a : b;
  if (!isOverPoly(mesh, other, corner)) return;
  const point = isOfB ? p : q;
  point.set(corner);
  setHeight(point, mesh, other);
  const distanceSq = (point[1] - corner[1]) * (point[1] - corner[1]);
  if (distanceSq >= out.distanceSq) return;
  out.distanceSq = distanceSq;
  out.fromPoly = a;
  out.toPoly = b;
  out.from.set(isOfB ? point : corner);
  out.to.set(isOfB ? corner : point);
}

/** Writes start and direction of the edge from vertex a to vertex b. */
function loadEdge(point: Float64Array, direction: Float64Array, vertices: Float64Array, a: number, b: number): void {
  for (let k = 0; k < 3; k++) {
    point[k] = vertices[3 * a + k];
    direction[k] = vertices[3 * b + k] - point[k];
  }
}
