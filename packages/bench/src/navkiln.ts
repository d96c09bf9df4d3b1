/** Bakes and finds paths with navkiln through its public API. */
import { findNearest, findPath } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import type { BuildOptions, BuildReport } from 'navkiln/build';
import { createRandom } from './harness.ts';

export type { NavMesh } from 'navkiln';

export type Point = [number, number, number];

export interface NavkilnBake {
  navMesh: NavMesh;
  report: BuildReport;
}

export function bakeWithNavkiln(positions: Float32Array, indices: Uint32Array, options: BuildOptions): NavkilnBake {
  return buildNavMesh({ positions, indices }, options);
}

/**
 * Returns points on random polygons: random mixes of the polygon's corners, projected down to the surface. On steep
 * terrain, a large polygon can be further above its surface than the search box for path ends reaches.
 */
export function randomPoints(navMesh: NavMesh, count: number, seed: number): Point[] {
  const random = createRandom(seed);
  const points: Point[] = [];
  for (let k = 0; k < count; k++) {
    const poly = Math.floor(random() * navMesh.polyCount);
    const point: Point = [0, 0, 0];
    let sum = 0;
    for (let e = 0; e < navMesh.polyVertexCount[poly]; e++) {
      const weight = random() + 0.01;
      const vertex = navMesh.edgeVertex[navMesh.polyEdgeStart[poly] + e];
      for (let axis = 0; axis < 3; axis++) point[axis] += weight * navMesh.vertices[vertex * 3 + axis];
      sum += weight;
    }
    const mixed: Point = [point[0] / sum, point[1] / sum, point[2] / sum];
    const ground = findNearest(navMesh, mixed, { halfExtents: [0.1, 20, 0.1] });
    points.push(ground.found ? [ground.point[0], ground.point[1], ground.point[2]] : mixed);
  }
  return points;
}

/** Returns the corners of the path, or null when it does not reach the end. */
export function findPathWithNavkiln(
  navMesh: NavMesh,
  start: Point,
  end: Point,
  halfExtents: Point,
): readonly Point[] | null {
  const result = findPath(navMesh, start, end, { halfExtents });
  return result.status === 'complete' ? (result.points as Point[]) : null;
}

export function findNearestWithNavkiln(navMesh: NavMesh, point: Point, halfExtents: Point): boolean {
  return findNearest(navMesh, point, { halfExtents }).found;
}
