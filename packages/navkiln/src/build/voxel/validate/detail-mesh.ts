/**
 * Validates a DetailMesh: returns a list of violations, empty for a valid one.
 *
 * Each polygon's triangles must name its vertices and use all extra ones. None may be flipped or flat (except
 * in polygons that are flat themselves). Together they must have the polygon's area, and the flags must mark
 * the edges that no other triangle shares.
 *
 * In: DetailMesh and its PolyMesh. Out: violations.
 * Cost: linear in the triangles.
 * Based on: own.
 */
import { checkRecord } from '../../../base/data/refuse.ts';
import { countCorners } from './poly-mesh.ts';
import { checkStarts, createComplain } from './violations.ts';
import type { DetailMesh, PolyMesh } from '../types.ts';
import type { Complain, StageViolation } from './violations.ts';

/** Most vertices of a polygon: they are named in a byte, and 255 means none. */
const MAX_VERTICES = 255;
/** Tolerance for rounding far from the origin, in square cells per square cell. */
const AREA_ROUNDING = 1e-6;

/**
 * Returns the violations of a detail mesh.
 *
 * @param mesh the polygons that the detail belongs to
 */
export function validateDetailMesh(detail: DetailMesh, mesh: PolyMesh): StageViolation[] {
  checkRecord('validateDetailMesh', 'detail', detail, 'triStart', 'a DetailMesh');
  checkRecord('validateDetailMesh', 'mesh', mesh, 'neighbors', 'a PolyMesh');
  const violations: StageViolation[] = [];
  const complain = createComplain(violations);
  const { polyCount, vertexStart, vertices, triStart, tris } = detail;
  if (polyCount !== mesh.polyCount) {
    complain('size', 'polyCount', -1, `is ${polyCount}, must be that of the polygons, ${mesh.polyCount}`);
    return violations;
  }
  const hasStarts = checkStarts('vertexStart', vertexStart, polyCount, vertices.length / 3, complain);
  if (!checkStarts('triStart', triStart, polyCount, tris.length / 4, complain) || !hasStarts) return violations;
  for (let k = 0; k < vertices.length; k++) {
    if (!Number.isFinite(vertices[k])) complain('vertex', 'vertices', k, `is ${vertices[k]}, not finite`);
  }
  if (violations.length > 0) return violations;
  for (let p = 0; p < polyCount; p++) checkPoly(detail, mesh, p, complain);
  return violations;
}

/** Checks the triangles of polygon p. */
function checkPoly(detail: DetailMesh, mesh: PolyMesh, p: number, complain: Complain): void {
  const { vertexStart, triStart, tris } = detail;
  const n = countCorners(mesh, p);
  const first = vertexStart[p];
  const count = n + vertexStart[p + 1] - first;
  if (count > MAX_VERTICES) {
    complain('size', 'vertexStart', p + 1, `gives the polygon ${count} vertices, more than ${MAX_VERTICES}`);
  }
  // x and z of the vertices, in cells from the bounds.
  const at = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    for (let axis = 0; axis < 2; axis++) {
      at[2 * k + axis] =
        k < n
          ? mesh.vertices[3 * mesh.polys[p * mesh.maxVerticesPerPoly + k] + 2 * axis]
          : (detail.vertices[3 * (first + k - n) + 2 * axis] - mesh.boundsMin[2 * axis]) / mesh.cellSize;
    }
  }
  let polyArea = 0;
  for (let k = 1; k + 1 < n; k++) polyArea += area2(at, 0, k, k + 1);
  const used = new Uint8Array(count);
  const edges = new Set<number>();
  let covered = 0;
  for (let t = triStart[p]; t < triStart[p + 1]; t++) {
    const a = tris[4 * t];
    const b = tris[4 * t + 1];
    const c = tris[4 * t + 2];
    if (a >= count || b >= count || c >= count || a === b || b === c || c === a) {
      complain('index', 'tris', 4 * t, `names vertices ${a}, ${b}, ${c} of a polygon that has ${count}`);
      return;
    }
    used[a] = used[b] = used[c] = 1;
    const area = area2(at, a, b, c);
    covered += area;
    if (polyArea > 0 ? !(area > 0) : area < 0) {
      complain('detail-flipped', 'tris', 4 * t, `triangle ${a}, ${b}, ${c} is flipped or flat`);
    }
    for (const edge of [a * count + b, b * count + c, c * count + a]) {
      if (edges.has(edge))
        complain('detail-flipped', 'tris', 4 * t, `triangle ${a}, ${b}, ${c} overlaps another one at an edge`);
      edges.add(edge);
    }
  }
  if (Math.abs(covered - polyArea) > AREA_ROUNDING * (1 + polyArea)) {
    complain('detail-area', 'triStart', p, `triangles of ${covered / 2} square cells for a polygon of ${polyArea / 2}`);
  }
  for (let k = 0; k < count; k++) {
    if (used[k] === 0) complain('detail-unused', 'vertexStart', p, `no triangle uses vertex ${k} of the polygon`);
  }
  for (let t = triStart[p]; t < triStart[p + 1]; t++) {
    let flags = 0;
    for (let k = 0; k < 3; k++) {
      const a = tris[4 * t + k];
      const b = tris[4 * t + ((k + 1) % 3)];
      if (!edges.has(b * count + a)) flags |= 1 << (2 * k);
    }
    if (tris[4 * t + 3] !== flags) {
      complain(
        'detail-flags',
        'tris',
        4 * t + 3,
        `is ${tris[4 * t + 3]}, must be ${flags}, a bit per edge on the outline`,
      );
    }
  }
}

/** Returns twice the area of a, b, c; positive when counter-clockwise seen from above. */
function area2(at: Float64Array, a: number, b: number, c: number): number {
  const ax = at[2 * a];
  const az = at[2 * a + 1];
  return (at[2 * c] - ax) * (at[2 * b + 1] - az) - (at[2 * b] - ax) * (at[2 * c + 1] - az);
}
