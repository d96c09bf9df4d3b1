/**
 * Splits the polygons of a mesh that are not convex into triangles.
 *
 * Simplified outlines may touch and cross each other, and so may the rings around removed border vertices. Their
 * triangulation then has triangles that are empty, reversed or on top of each other, and merging them gives
 * polygons that turn right at a corner or wind twice. Recast keeps these. No query works on them, so they are
 * triangulated again, each on its own. Triangles that face down and parts that cannot be triangulated are dropped.
 *
 * In: the mesh of `buildPolyMesh`. Out: the same record when all polygons are convex. Otherwise a new record, in
 *   which the first triangle of each concave polygon has its index and further triangles follow at the end.
 * Cost: one pass over the corners; the neighbors of the whole mesh when a polygon is split.
 * Based on: own.
 */
import { area2 } from '../contours/integer-geometry.ts';
import { buildAdjacency } from './polymesh-adjacency.ts';
import { triangulate } from './triangulate.ts';
import type { ContourSet, PolyMesh } from '../types.ts';

/** Counts of polygons that were not convex. */
export interface ConvexProblems {
  /** Polygons that were split, including those that left no triangle. */
  polygonsSplit: number;
}

/**
 * Returns a mesh whose polygons of more than three vertices are all convex.
 *
 * @param contours the contours that the mesh was built from
 */
export function splitConcavePolys(
  mesh: PolyMesh,
  contours: Pick<ContourSet, 'width' | 'depth'>,
  problems: ConvexProblems = { polygonsSplit: 0 },
): PolyMesh {
  const { polyCount, maxVerticesPerPoly: size, polys, vertices } = mesh;
  // The polygons and the triangles that follow them: corners, region and area.
  const kept: [ArrayLike<number>, number][] = [];
  const added: [ArrayLike<number>, number][] = [];
  let split = 0;
  for (let p = 0; p < polyCount; p++) {
    const slots = polys.subarray(p * size, p * size + size);
    const n = slots.indexOf(-1);
    const ring = n < 0 ? slots : slots.subarray(0, n);
    if (ring.length < 4 || isConvex(vertices, ring)) {
      kept.push([ring, p]);
      continue;
    }
    split++;
    trianglesOf(vertices, ring).forEach((triangle, k) => (k > 0 ? added : kept).push([triangle, p]));
  }
  if (split === 0) return mesh;
  problems.polygonsSplit += split;
  const all = [...kept, ...added];
  const result: PolyMesh = {
    ...mesh,
    polyCount: all.length,
    polys: new Int32Array(all.length * size).fill(-1),
    neighbors: new Int32Array(all.length * size).fill(-1),
    region: Int32Array.from(all, ([, p]) => mesh.region[p]),
    area: Uint8Array.from(all, ([, p]) => mesh.area[p]),
  };
  all.forEach(([ring], p) => result.polys.set(ring, p * size));
  buildAdjacency(result, contours.width, contours.depth);
  return result;
}

/**
 * Returns whether a polygon turns left or not at all at each corner, and winds once: as the check of a finished
 * mesh (mesh/shape.ts), but exact.
 */
function isConvex(vertices: Int32Array, ring: Int32Array): boolean {
  const n = ring.length;
  const a = 3 * ring[0];
  const b = 3 * ring[1];
  for (let k = 0, u = a, v = b; k < n; k++) {
    const w = 3 * ring[(k + 2) % n];
    if (area2(vertices, u, v, w) > 0 || area2(vertices, a, u, v) > 0 || area2(vertices, a, b, v) > 0) return false;
    u = v;
    v = w;
  }
  return true;
}

/** Returns the triangles of a polygon that face up or have no area, three vertices each. */
function trianglesOf(vertices: Int32Array, ring: Int32Array): number[][] {
  const points = new Int32Array(4 * ring.length);
  ring.forEach((v, k) => points.set(vertices.subarray(3 * v, 3 * v + 3), 4 * k));
  const out = new Int32Array(3 * ring.length);
  const { count } = triangulate(out, points, 0, ring.length);
  return Array.from({ length: count }, (_, t) => Array.from(out.subarray(3 * t, 3 * t + 3), (k) => ring[k])).filter(
    ([a, b, c]) => a !== b && b !== c && c !== a && area2(vertices, 3 * a, 3 * b, 3 * c) <= 0,
  );
}
