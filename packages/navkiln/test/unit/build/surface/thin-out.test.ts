/** Flat surface loses its inner points after an inset; ridges, areas and walls stay where they are. */
import { describe, expect, it } from 'vitest';
import { findMapScene } from 'navkiln-scenes';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { getHeight } from '../../../../src/query/height.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import type { SurfaceLevel } from '../../../../src/build/surface/options.ts';
import { seeded } from '../../meshes.ts';
import { buildValid } from './levels.ts';

const SIZE = 16;
const FOLD = 8;
const RADIUS = 0.3;
const heightAt = (x: number): number => Math.max(0, x - FOLD) * 0.3;
const areaAt = (z: number): number => (z < FOLD ? 1 : 5);

/** A square of 512 triangles with random inner points, folded along x = 8, of two areas along z = 8. */
function folded(seed: number): SurfaceLevel {
  const random = seeded(seed);
  const positions: number[] = [];
  const indices: number[] = [];
  const areas: number[] = [];
  const shift = (at: number): number => at + (at % FOLD === 0 ? 0 : 0.5 * random() - 0.25);
  for (let z = 0; z <= SIZE; z++) {
    for (let x = 0; x <= SIZE; x++) {
      const px = shift(x);
      positions.push(px, heightAt(px), shift(z));
      if (x === SIZE || z === SIZE) continue;
      const a = z * (SIZE + 1) + x;
      indices.push(a, a + SIZE + 1, a + SIZE + 2, a, a + SIZE + 2, a + 1);
      areas.push(areaAt(z), areaAt(z));
    }
  }
  return { positions, indices, areas };
}

/** Returns the area of a mesh, seen from above. */
function planAreaOf({ polyCount, polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh): number {
  let double = 0;
  for (let poly = 0; poly < polyCount; poly++) {
    const from = polyEdgeStart[poly];
    for (let k = 0; k < polyVertexCount[poly]; k++) {
      const a = 3 * edgeVertex[from + k];
      const b = 3 * edgeVertex[from + ((k + 1) % polyVertexCount[poly])];
      double += vertices[b] * vertices[a + 2] - vertices[a] * vertices[b + 2];
    }
  }
  return Math.abs(double) / 2;
}

describe('thin-out', () => {
  it.each([1, 2, 3, 4])('keeps heights, areas and walls of a folded square, seed %i', (seed) => {
    const { navMesh } = buildValid(folded(seed), { agent: { radius: RADIUS } });
    // Two slopes of two areas each; points on the lines between them stay. About 185 without thinning.
    expect(navMesh.polyCount).toBeLessThanOrEqual(40);
    expect(planAreaOf(navMesh)).toBeCloseTo((SIZE - 2 * RADIUS) ** 2, 6);
    const random = seeded(seed + 100);
    for (let i = 0; i < 500; i++) {
      const x = RADIUS + 0.01 + random() * (SIZE - 2 * RADIUS - 0.02);
      const z = RADIUS + 0.01 + random() * (SIZE - 2 * RADIUS - 0.02);
      const { found, ref, poly } = findNearest(navMesh, [x, heightAt(x), z], { halfExtents: [1e-4, 0.01, 1e-4] });
      expect(found, `${x}, ${z}`).toBe(true);
      expect(getHeight(navMesh, ref, x, z), `${x}, ${z}`).toBeCloseTo(heightAt(x), 5);
      if (Math.abs(z - FOLD) > 0.01) expect(navMesh.polyArea[poly], `${x}, ${z}`).toBe(areaAt(z));
    }
  });

  it.each(['shapes-map', 'twenty-five-corners', 'comb-map'])('gives few more pieces than a 2D map: %s', (name) => {
    const { create, radius } = findMapScene(name);
    const map = create();
    const flat = buildFromPolygons(map, { maxVertices: 3 }).navMesh;
    const indices = flat.edgeVertex.slice(0, flat.edgeCount);
    expect(indices.length).toBe(3 * flat.polyCount);
    const level = { positions: flat.vertices.slice(0, 3 * flat.vertexCount), indices };
    const surface = buildValid(level, { agent: { radius }, weldTolerance: radius / 1000 }).navMesh;
    // As fine as the arcs of a surface.
    const offset = buildFromPolygons(map, { radius, maxVertices: 6, arcTolerance: 0.02 }).navMesh;
    expect(planAreaOf(surface) / planAreaOf(offset)).toBeCloseTo(1, 3);
    expect(surface.polyCount).toBeLessThan(1.45 * offset.polyCount);
  });
});
