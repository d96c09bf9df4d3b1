/**
 * Splits the polygons of a mesh that are not convex into triangles.
 *
 * Simplified outlines may touch and cross each other, and so may the rings around removed border vertices. Their
 * triangulation then has triangles that are empty, reversed or on top of each other, and merging them gives
 * polygons that turn right at a corner or wind twice. Recast keeps these. No query works on them, so they are
 * triangulated again, each on its own. Triangles that face down are dropped, and so is what cannot be triangulated.
 *
 * In: the mesh of `buildPolyMesh`. Out: the same record when all polygons are convex; otherwise one without the
 *   others, whose first triangles take their places and whose further triangles follow at the end.
 * Cost: one pass over the corners; the neighbors of the whole mesh when a polygon is split.
 * Based on: own.
 */
import { area2 } from './integer-geometry.ts';
import { buildAdjacency } from './polymesh-adjacency.ts';
import { triangulate } from './triangulate.ts';
import type { ContourSet, PolyMesh } from './types.ts';

/** Counts of polygons that were not convex. */
export interface ConvexProblems {
  /** Polygons that were split, those of which nothing is left included. */
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
  const triangles = new Map<number, number[]>();
  for (let p = 0; p < polyCount; p++) {
    const n = countCorners(polys, p * size, size);
    if (n > 3 && !isConvex(vertices, polys, p * size, n)) triangles.set(p, trianglesOf(mesh, p, n));
  }
  if (triangles.size === 0) return mesh;

  const corners: number[] = [];
  const region: number[] = [];
  const area: number[] = [];
  const add = (p: number, list: ArrayLike<number>): void => {
    for (let k = 0; k < size; k++) corners.push(k < list.length ? list[k] : -1);
    region.push(mesh.region[p]);
    area.push(mesh.area[p]);
  };
  for (let p = 0; p < polyCount; p++) {
    const split = triangles.get(p);
    if (split === undefined) add(p, polys.subarray(p * size, p * size + size));
    else if (split.length > 0) add(p, split.slice(0, 3));
  }
  for (const [p, split] of triangles) for (let k = 3; k < split.length; k += 3) add(p, split.slice(k, k + 3));
  problems.polygonsSplit += triangles.size;
  const result: PolyMesh = {
    ...mesh,
    polyCount: region.length,
    polys: Int32Array.from(corners),
    neighbors: new Int32Array(corners.length).fill(-1),
    region: Int32Array.from(region),
    area: Uint8Array.from(area),
  };
  buildAdjacency(result, contours.width, contours.depth);
  return result;
}

/** Returns the number of corners of the polygon at `base`. */
function countCorners(polys: Int32Array, base: number, size: number): number {
  let n = 3;
  while (n < size && polys[base + n] !== -1) n++;
  return n;
}

/**
 * Returns whether a polygon turns left or not at all at each corner, and winds once: as the check of a finished
 * mesh (navmesh/shape.ts), but exact.
 */
function isConvex(vertices: Int32Array, polys: Int32Array, base: number, n: number): boolean {
  const a = 3 * polys[base];
  const b = 3 * polys[base + 1];
  let u = a;
  let v = b;
  for (let k = 2; k <= n + 1; k++) {
    const w = 3 * polys[base + (k < n ? k : k - n)];
    if (area2(vertices, u, v, w) > 0 || area2(vertices, a, u, v) > 0 || area2(vertices, a, b, v) > 0) return false;
    u = v;
    v = w;
  }
  return true;
}

/** Returns the triangles of polygon p that face up or have no area, three vertices each. */
function trianglesOf({ polys, vertices, maxVerticesPerPoly: size }: PolyMesh, p: number, n: number): number[] {
  const ring = polys.subarray(p * size, p * size + n);
  const points = new Int32Array(4 * n);
  for (let k = 0; k < n; k++) {
    points[4 * k] = vertices[3 * ring[k]];
    points[4 * k + 2] = vertices[3 * ring[k] + 2];
  }
  const out = new Int32Array(3 * n);
  const { count } = triangulate(out, points, 0, n);
  const kept: number[] = [];
  for (let t = 0; t < 3 * count; t += 3) {
    const a = ring[out[t]];
    const b = ring[out[t + 1]];
    const c = ring[out[t + 2]];
    if (a === b || b === c || c === a || area2(vertices, 3 * a, 3 * b, 3 * c) > 0) continue;
    kept.push(a, b, c);
  }
  return kept;
}
