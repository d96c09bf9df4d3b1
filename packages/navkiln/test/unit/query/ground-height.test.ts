/** `setHeightNear` compared with `setHeight`, and rays over polygons with many corners. */
import { describe, expect, it } from 'vitest';
import { isOverPoly, setHeight } from '../../../src/mesh/ground.ts';
import { refOf } from '../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { setHeightNear } from '../../../src/query/ground-height.ts';
import { raycast } from '../../../src/query/ray/raycast.ts';
import { meshOf, seeded, tileOf } from '../meshes.ts';

const SEED = 7;

/** Returns a mesh of one convex polygon with n corners around (at, -at); with detail, its middle is raised. */
function discMesh(n: number, at: number, hasDetail: boolean): NavMesh {
  const corners = Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n;
    return [at + 3 * Math.cos(angle), Math.cos(5 * angle), -at - 3 * Math.sin(angle)];
  });
  const tile = tileOf(corners, [{ corners: corners.map((_, i) => i) }]);
  if (hasDetail) {
    tile.polyDetailVertexStart = Int32Array.of(0, 1);
    tile.polyDetailTriStart = Int32Array.of(0, n);
    tile.detailVertices = Float64Array.of(at + 0.4, 5, -at - 0.3);
    tile.detailTris = Uint8Array.from(corners.flatMap((_, i) => [i, (i + 1) % n, n, 1]));
  }
  return meshOf(tile);
}

describe.each([
  [0, 1e-12],
  [100_000, 1e-7],
])('heights at %f', (at, tolerance) => {
  it.each([
    [5, true],
    [5, false],
    [40, true],
    [200, true],
  ])('%i corners, with detail: %s', (n, hasDetail) => {
    const mesh = discMesh(n, at, hasDetail);
    const random = seeded(SEED);
    const [near, exact] = [new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < 500; i++) {
      near[0] = exact[0] = at + 6 * random() - 3;
      near[2] = exact[2] = -at + 6 * random() - 3;
      if (!isOverPoly(mesh, 0, near)) continue;
      setHeightNear(near, mesh, 0);
      setHeight(exact, mesh, 0);
      expect(Math.abs(near[1] - exact[1]), `seed ${SEED}, point ${i}`).toBeLessThan(tolerance);
    }
    for (let i = 0; i < 500; i++) {
      const e = Math.floor(n * random());
      const [a, b] = [e, (e + 1) % n].map((k) => 3 * mesh.edgeVertex[k]);
      const s = random();
      const [x, y, z] = [0, 1, 2].map((k) => mesh.vertices[a + k] + s * (mesh.vertices[b + k] - mesh.vertices[a + k]));
      near.set([x, NaN, z]);
      setHeightNear(near, mesh, 0);
      expect(Math.abs(near[1] - y), `seed ${SEED}, edge ${e} at ${s}`).toBeLessThan(1e3 * tolerance);
      const ray = raycast(mesh, [at, 0, -at], [2 * x - at, 0, 2 * z + at], { startRef: refOf(mesh, 0) });
      expect(ray, `seed ${SEED}, edge ${e} at ${s}`).toMatchObject({ status: 'wall', edge: e });
      expect(Math.abs(ray.point[1] - y)).toBeLessThan(1e4 * tolerance);
      expect(ray.t).toBeCloseTo(0.5, 9);
    }
  });
});

it('takes the nearest height where triangles do not reach the outline', () => {
  const mesh = discMesh(4, 0, true);
  mesh.polyDetailTriCount[0] = 3;
  const point = Float64Array.of(1.5, NaN, 1);
  const exact = Float64Array.from(point);
  setHeightNear(point, mesh, 0);
  setHeight(exact, mesh, 0);
  expect(point[1]).toBe(exact[1]);
});
