/**
 * Detail mesh: triangles within each polygon that follow the floor's height.
 *
 * Input: PolyMesh and the CompactField it came from. Output: DetailMesh. For each polygon: heights of its surroundings
 * (height-patch.ts); samples along its edges, of which as few are kept as the allowed error permits (the same ones from both
 * sides of an edge); a triangulation of the outline; then, of a grid of samples inside, the worst is put in until all are
 * near enough (triangulation.ts). Cost: cells and samples, each a few times.
 *
 * Errors are measured upright. Unlike Recast, a polygon may have 255 vertices instead of 127, edges any number of samples, a
 * sample distance of 0 means "corners only", and extra vertices stand at the height of the floor, not a voxel above it.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMeshDetail.
 */
import { createHeightPatch, fillHeightPatch, heightAt } from './height-patch.ts';
import {
  createTriangulation, DETAIL_MAX_VERTICES, hangSamples, insertWorst, triangulateRing, worstTriangle,
} from './triangulation.ts';
import type { HeightPatch } from './height-patch.ts';
import type { BakeConfig } from './options.ts';
import type { Triangulation } from './triangulation.ts';
import type { CompactField, DetailMesh, PolyMesh } from './types.ts';

/** What the detail of one polygon is made with; x and z in cells, y in world units above the bounds. */
interface Work {
  tri: Triangulation;
  patch: HeightPatch;
  cellHeight: number;
  /** In cells. */
  sampleDistance: number;
  maxError: number;
  cornerCount: number;
  ring: Int32Array;
  ringCount: number;
  edge: Float64Array;
  keep: Uint8Array;
}

export interface DetailProblems {
  /** Polygons whose error is larger than allowed because a polygon may not have more vertices. */
  polygonsLimited: number;
}

export function buildDetailMesh(
  mesh: PolyMesh, field: CompactField, config: BakeConfig, problems: DetailProblems = { polygonsLimited: 0 },
): DetailMesh {
  const { polyCount, boundsMin, cellSize } = mesh;
  const work: Work = {
    tri: createTriangulation(), patch: createHeightPatch(), cellHeight: mesh.cellHeight,
    sampleDistance: config.detailSampleDistance / cellSize, maxError: config.detailMaxError,
    cornerCount: 0, ring: new Int32Array(DETAIL_MAX_VERTICES), ringCount: 0,
    edge: new Float64Array(256), keep: new Uint8Array(256),
  };
  const vertexStart = new Int32Array(polyCount + 1), triStart = new Int32Array(polyCount + 1);
  let vertices = new Float64Array(1024), tris = new Uint8Array(4096);
  let vertexCount = 0, triCount = 0;
  for (let p = 0; p < polyCount; p++) {
    const limited = buildPolyDetail(work, mesh, field, p);
    if (limited) problems.polygonsLimited++;
    const { tri, cornerCount } = work;
    const extra = tri.vertexCount - cornerCount;
    if (3 * (vertexCount + extra) > vertices.length) {
      const larger = new Float64Array(Math.max(vertices.length * 2, 3 * (vertexCount + extra)));
      larger.set(vertices);
      vertices = larger;
    }
    for (let k = cornerCount; k < tri.vertexCount; k++) {
      vertices[3 * vertexCount] = boundsMin[0] + tri.vertices[3 * k]! * cellSize;
      vertices[3 * vertexCount + 1] = boundsMin[1] + tri.vertices[3 * k + 1]!;
      vertices[3 * vertexCount + 2] = boundsMin[2] + tri.vertices[3 * k + 2]! * cellSize;
      vertexCount++;
    }
    if (4 * (triCount + tri.triangleCount) > tris.length) {
      const larger = new Uint8Array(Math.max(tris.length * 2, 4 * (triCount + tri.triangleCount)));
      larger.set(tris);
      tris = larger;
    }
    for (let t = 0; t < tri.triangleCount; t++) {
      const at = 4 * triCount++;
      tris[at] = tri.corner[3 * t]!;
      tris[at + 1] = tri.corner[3 * t + 1]!;
      tris[at + 2] = tri.corner[3 * t + 2]!;
      tris[at + 3] = (tri.twin[3 * t] === -1 ? 1 : 0) | (tri.twin[3 * t + 1] === -1 ? 4 : 0)
        | (tri.twin[3 * t + 2] === -1 ? 16 : 0);
    }
    vertexStart[p + 1] = vertexCount;
    triStart[p + 1] = triCount;
  }
  return {
    polyCount, vertexStart, vertices: vertices.slice(0, 3 * vertexCount), triStart, tris: tris.slice(0, 4 * triCount),
  };
}

/** @returns whether a sample was left out for want of vertices. */
function buildPolyDetail(work: Work, mesh: PolyMesh, field: CompactField, p: number): boolean {
  const { tri, sampleDistance, maxError } = work;
  const v = tri.vertices;
  const size = mesh.maxVerticesPerPoly;
  let n = 0;
  for (let slot = p * size; n < size && mesh.polys[slot] !== -1; slot++, n++) {
    const at = 3 * mesh.polys[slot]!;
    v[3 * n] = mesh.vertices[at]!;
    v[3 * n + 1] = mesh.vertices[at + 1]! * work.cellHeight;
    v[3 * n + 2] = mesh.vertices[at + 2]!;
  }
  work.cornerCount = tri.vertexCount = n;
  work.ringCount = 0;
  const sampled = sampleDistance > 0;
  if (sampled) {
    fillHeightPatch(work.patch, field, mesh, p);
    // The field has a border that the polygon mesh has not.
    work.patch.x -= mesh.borderCells;
    work.patch.z -= mesh.borderCells;
  }
  for (let k = 0; k < n; k++) {
    work.ring[work.ringCount++] = k;
    if (sampled) sampleEdge(work, k, k + 1 === n ? 0 : k + 1);
  }
  if (!triangulateRing(tri, work.ring, work.ringCount)) {
    // No ground between the corners: a fan, which has no height to get wrong.
    tri.vertexCount = n;
    tri.triangleCount = n - 2;
    for (let t = 0; t < n - 2; t++) {
      tri.corner[3 * t] = 0;
      tri.corner[3 * t + 1] = t + 1;
      tri.corner[3 * t + 2] = t + 2;
      tri.twin[3 * t] = t === 0 ? -1 : 0;
      tri.twin[3 * t + 1] = -1;
      tri.twin[3 * t + 2] = t === n - 3 ? -1 : 0;
    }
    return false;
  }
  if (!sampled || leastExtent(v, n) < 2 * sampleDistance) return false;
  const count = sampleInside(work, n);
  if (count === 0) return false;
  hangSamples(tri, count);
  for (;;) {
    const t = worstTriangle(tri);
    if (t === -1 || tri.error[t]! <= maxError) return false;
    if (tri.vertexCount >= DETAIL_MAX_VERTICES) return true;
    insertWorst(tri, t);
  }
}

/** Puts vertices along the edge from corner a to corner b where its straight line strays too far from the floor. */
function sampleEdge(work: Work, a: number, b: number): void {
  const { tri, patch, cellHeight, sampleDistance, maxError } = work;
  const v = tri.vertices;
  // Always from the lower x (then z) end, so that the neighbour finds the same.
  const swap = v[3 * a] === v[3 * b] ? v[3 * a + 2]! > v[3 * b + 2]! : v[3 * a]! > v[3 * b]!;
  const from = swap ? b : a, to = swap ? a : b;
  const ax = v[3 * from]!, ay = v[3 * from + 1]!, az = v[3 * from + 2]!;
  const dx = v[3 * to]! - ax, dy = v[3 * to + 1]! - ay, dz = v[3 * to + 2]! - az;
  const steps = 1 + Math.floor(Math.sqrt(dx * dx + dz * dz) / sampleDistance);
  if (steps < 2) return;
  if (steps >= work.edge.length) {
    work.edge = new Float64Array(steps * 2);
    work.keep = new Uint8Array(steps * 2);
  }
  const { edge, keep } = work;
  for (let k = 0; k <= steps; k++) {
    const u = k / steps;
    const expected = ay + dy * u;
    edge[k] = heightAt(patch, ax + dx * u, az + dz * u, expected / cellHeight) * cellHeight;
    keep[k] = 0;
  }
  edge[0] = ay;
  edge[steps] = ay + dy;
  keep[0] = keep[steps] = 1;
  let begin = 0;
  while (begin < steps) {
    let end = begin + 1;
    while (keep[end] === 0) end++;
    let far = -1, most = maxError;
    for (let k = begin + 1; k < end; k++) {
      const line = edge[begin]! + (edge[end]! - edge[begin]!) * ((k - begin) / (end - begin));
      const distance = Math.abs(edge[k]! - line);
      if (distance > most) {
        most = distance;
        far = k;
      }
    }
    if (far === -1) begin = end;
    else keep[far] = 1;
  }
  // Corners of other edges and some of the inside need room, too.
  for (let s = 1; s < steps; s++) {
    const k = swap ? steps - s : s;
    if (keep[k] === 0 || tri.vertexCount >= DETAIL_MAX_VERTICES) continue;
    const at = tri.vertexCount++;
    v[3 * at] = ax + dx * (k / steps);
    v[3 * at + 1] = edge[k]!;
    v[3 * at + 2] = az + dz * (k / steps);
    work.ring[work.ringCount++] = at;
  }
}

/** The least width of the polygon seen along one of its edges, in cells. */
function leastExtent(v: Float64Array, n: number): number {
  let least = Infinity;
  for (let i = 0; i < n; i++) {
    const a = 3 * i, b = 3 * (i + 1 === n ? 0 : i + 1);
    const dx = v[b]! - v[a]!, dz = v[b + 2]! - v[a + 2]!;
    const scale = 1 / Math.sqrt(dx * dx + dz * dz);
    let most = 0;
    for (let k = 0; k < n; k++) {
      const distance = Math.abs((v[3 * k]! - v[a]!) * dz - dx * (v[3 * k + 2]! - v[a + 2]!)) * scale;
      if (distance > most) most = distance;
    }
    if (most < least) least = most;
  }
  return least;
}

/** Fills the samples of a grid over the polygon, at least half a sample distance inside its edges. */
function sampleInside(work: Work, n: number): number {
  const { tri, patch, cellHeight, sampleDistance } = work;
  const v = tri.vertices;
  let x0 = Infinity, x1 = -Infinity, z0 = Infinity, z1 = -Infinity, low = Infinity, high = -Infinity;
  for (let k = 0; k < n; k++) {
    x0 = Math.min(x0, v[3 * k]!);
    x1 = Math.max(x1, v[3 * k]!);
    low = Math.min(low, v[3 * k + 1]!);
    high = Math.max(high, v[3 * k + 1]!);
    z0 = Math.min(z0, v[3 * k + 2]!);
    z1 = Math.max(z1, v[3 * k + 2]!);
  }
  const expected = (low + high) / 2 / cellHeight;
  const i0 = Math.floor(x0 / sampleDistance), i1 = Math.ceil(x1 / sampleDistance);
  const j0 = Math.floor(z0 / sampleDistance), j1 = Math.ceil(z1 / sampleDistance);
  const room = (i1 - i0) * (j1 - j0);
  if (tri.samples.length < 3 * room) {
    tri.samples = new Float64Array(6 * room);
    tri.nextSample = new Int32Array(2 * room);
  }
  const { samples } = tri;
  let count = 0;
  for (let j = j0; j < j1; j++) {
    const z = j * sampleDistance;
    for (let i = i0; i < i1; i++) {
      const x = i * sampleDistance;
      if (!isWellInside(v, n, x, z, sampleDistance / 2)) continue;
      samples[3 * count] = x;
      samples[3 * count + 1] = heightAt(patch, x, z, expected) * cellHeight;
      samples[3 * count + 2] = z;
      count++;
    }
  }
  return count;
}

function isWellInside(v: Float64Array, n: number, x: number, z: number, margin: number): boolean {
  for (let i = 0; i < n; i++) {
    const a = 3 * i, b = 3 * (i + 1 === n ? 0 : i + 1);
    const dx = v[b]! - v[a]!, dz = v[b + 2]! - v[a + 2]!;
    const inner = (x - v[a]!) * dz - dx * (z - v[a + 2]!);
    if (inner < margin * Math.sqrt(dx * dx + dz * dz)) return false;
  }
  return true;
}
