/**
 * Detail mesh: triangles within each polygon that follow the floor's height.
 *
 * Input: PolyMesh and the CompactField it came from. Output: DetailMesh. For each polygon: samples of the floor along its
 * edges (floor-height.ts), of which as few are kept as the allowed error permits, found once and taken over by the polygon
 * on the other side; a triangulation of the outline; then, of a grid of samples inside, the worst is put in until all are
 * near enough (triangulation.ts). Cost: samples, each a few times.
 *
 * Errors are measured upright. Unlike Recast, a polygon may have 255 vertices instead of 127, edges any number of samples, a
 * sample distance of 0 means "corners only", and extra vertices stand at the height of the floor, not a voxel above it.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMeshDetail.
 */
import { createWorkspace, takeFloat64, takeInt32, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { createFloorSearch, floorHeight } from './floor-height.ts';
import type { FloorSearch } from './floor-height.ts';
import {
  createTriangulation, DETAIL_MAX_VERTICES, hangSamples, insertWorst, triangulateRing, worstTriangle,
} from './triangulation.ts';
import type { BakeConfig } from './options.ts';
import type { Triangulation } from './triangulation.ts';
import type { CompactField, DetailMesh, PolyMesh } from './types.ts';

/** What the detail of one polygon is made with; x and z in cells, y in world units above the bounds. */
interface Work {
  mesh: PolyMesh;
  tri: Triangulation;
  search: FloorSearch;
  /** In cells. */
  sampleDistance: number;
  maxError: number;
  cornerCount: number;
  ring: Int32Array;
  ringCount: number;
  edge: Float64Array;
  keep: Uint8Array;
  /** Extra vertices of all polygons so far. */
  vertices: Float64Array;
  vertexCount: number;
  /** For each slot of `polys`: where in `vertices` those on its edge begin, and how many there are. */
  edgeStart: Int32Array;
  edgeCount: Uint8Array;
  /** Of each side of the polygon that is not along x: where a row's inner part begins or ends, at z = 0 and a step on. */
  bound: Float64Array;
}

/** In sample distances: what lies on the margin is inside. */
const HAIR = 1e-7;

export interface DetailProblems {
  /** Polygons whose error is larger than allowed because a polygon may not have more vertices. */
  polygonsLimited: number;
}

export function buildDetailMesh(
  mesh: PolyMesh, field: CompactField, config: BakeConfig, problems: DetailProblems = { polygonsLimited: 0 },
  workspace: Workspace = createWorkspace(),
): DetailMesh {
  const { polyCount, maxVerticesPerPoly: size, boundsMin, cellSize } = mesh;
  const tri = createTriangulation();
  const work: Work = {
    mesh, tri, search: createFloorSearch(field, workspace),
    sampleDistance: config.detailSampleDistance / cellSize, maxError: config.detailMaxError, cornerCount: 0,
    ring: new Int32Array(DETAIL_MAX_VERTICES), ringCount: 0, edge: new Float64Array(256), keep: new Uint8Array(256),
    vertices: takeFloat64(workspace, 'detail.vertices', 1024), vertexCount: 0,
    edgeStart: takeInt32(workspace, 'detail.edgeStart', polyCount * size),
    edgeCount: takeUint8(workspace, 'detail.edgeCount', polyCount * size), bound: new Float64Array(2 * size),
  };
  const vertexStart = new Int32Array(polyCount + 1), triStart = new Int32Array(polyCount + 1);
  let tris = takeUint8(workspace, 'detail.tris', 4096);
  let triCount = 0;
  for (let p = 0; p < polyCount; p++) {
    if (buildPolyDetail(work, p)) problems.polygonsLimited++;
    const { corner, twin, triangleCount } = tri;
    const needed = 4 * (triCount + triangleCount);
    if (needed > tris.length) tris = takeUint8(workspace, 'detail.tris', 2 * needed, tris.length);
    for (let t = 0; t < triangleCount; t++) {
      const at = 4 * triCount++;
      tris[at] = corner[3 * t]!;
      tris[at + 1] = corner[3 * t + 1]!;
      tris[at + 2] = corner[3 * t + 2]!;
      tris[at + 3] = (twin[3 * t] === -1 ? 1 : 0) | (twin[3 * t + 1] === -1 ? 4 : 0) | (twin[3 * t + 2] === -1 ? 16 : 0);
    }
    const used = 3 * work.vertexCount, extra = 3 * tri.vertexCount - 3 * work.cornerCount;
    if (used + extra > work.vertices.length) {
      work.vertices = takeFloat64(workspace, 'detail.vertices', 2 * (used + extra), used);
    }
    for (let k = 0; k < extra; k++) work.vertices[used + k] = tri.vertices[3 * work.cornerCount + k]!;
    vertexStart[p + 1] = work.vertexCount = (used + extra) / 3;
    triStart[p + 1] = triCount;
  }
  const vertices = work.vertices.slice(0, 3 * work.vertexCount);
  for (let v = 0; v < vertices.length; v += 3) {
    vertices[v] = boundsMin[0] + vertices[v]! * cellSize;
    vertices[v + 1] = boundsMin[1] + vertices[v + 1]!;
    vertices[v + 2] = boundsMin[2] + vertices[v + 2]! * cellSize;
  }
  return { polyCount, vertexStart, vertices, triStart, tris: tris.slice(0, 4 * triCount) };
}

/** @returns whether a sample was left out for want of vertices. */
function buildPolyDetail(work: Work, p: number): boolean {
  const { mesh, tri, sampleDistance, maxError, edgeCount, edgeStart } = work;
  const { polys, vertices, cellHeight, maxVerticesPerPoly: size } = mesh;
  const v = tri.vertices;
  const first = p * size;
  let n = 0;
  for (; n < size && polys[first + n] !== -1; n++) {
    const at = 3 * polys[first + n]!;
    v[3 * n] = vertices[at]!;
    v[3 * n + 1] = vertices[at + 1]! * cellHeight;
    v[3 * n + 2] = vertices[at + 2]!;
  }
  work.cornerCount = tri.vertexCount = n;
  work.ringCount = 0;
  work.search.region = mesh.region[p]!;
  const sampled = sampleDistance > 0;
  for (let k = 0; k < n; k++) {
    work.ring[work.ringCount++] = k;
    if (!sampled) continue;
    edgeStart[first + k] = work.vertexCount + tri.vertexCount - n;
    const other = mesh.neighbors[first + k]!;
    const across = other >= 0 && other < p ? slotAcross(mesh, other, p) : -1;
    if (across === -1) sampleEdge(work, k, k + 1 === n ? 0 : k + 1);
    else copyEdge(work, edgeStart[across]!, edgeCount[across]!);
    edgeCount[first + k] = work.vertexCount + tri.vertexCount - n - edgeStart[first + k]!;
  }
  if (!triangulateRing(tri, work.ring, work.ringCount)) {
    // No ground between the corners: a fan, which has no height to get wrong.
    edgeCount.fill(0, first, first + n);
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

/** Slot of polygon p's edge to polygon `other`; -1 when there are several. */
function slotAcross(mesh: PolyMesh, p: number, other: number): number {
  const { neighbors, maxVerticesPerPoly: size } = mesh;
  let found = -1;
  for (let slot = p * size; slot < p * size + size; slot++) {
    if (neighbors[slot] !== other) continue;
    if (found !== -1) return -1;
    found = slot;
  }
  return found;
}

/** Takes over the vertices that the polygon across has put on the edge, from the last to the first. */
function copyEdge(work: Work, start: number, count: number): void {
  const { tri, vertices } = work;
  for (let k = start + count - 1; k >= start && tri.vertexCount < DETAIL_MAX_VERTICES; k--) {
    const at = tri.vertexCount++;
    tri.vertices[3 * at] = vertices[3 * k]!;
    tri.vertices[3 * at + 1] = vertices[3 * k + 1]!;
    tri.vertices[3 * at + 2] = vertices[3 * k + 2]!;
    work.ring[work.ringCount++] = at;
  }
}

/** Puts vertices along the edge from corner a to corner b where its straight line strays too far from the floor. */
function sampleEdge(work: Work, a: number, b: number): void {
  const { tri, search, sampleDistance, maxError } = work;
  const { cellHeight, borderCells } = work.mesh;
  const v = tri.vertices;
  // Always from the lower x (then z) end, so that a neighbour in another tile finds the same.
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
  edge[0] = ay;
  edge[steps] = ay + dy;
  keep[0] = keep[steps] = 1;
  for (let k = 1; k < steps; k++) {
    const u = k / steps;
    edge[k] = floorHeight(search, borderCells + ax + dx * u, borderCells + az + dz * u, (ay + dy * u) / cellHeight) * cellHeight;
    keep[k] = 0;
  }
  let begin = 0;
  while (begin < steps) {
    let end = begin + 1;
    while (keep[end] === 0) end++;
    let far = -1, most = maxError;
    const slope = (edge[end]! - edge[begin]!) / (end - begin);
    for (let k = begin + 1; k < end; k++) {
      const distance = Math.abs(edge[k]! - edge[begin]! - slope * (k - begin));
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
  const { tri, search, sampleDistance, bound } = work;
  const { cellHeight, borderCells } = work.mesh;
  const v = tri.vertices;
  const margin = sampleDistance / 2;
  let x0 = Infinity, x1 = -Infinity, z0 = Infinity, z1 = -Infinity, low = Infinity, high = -Infinity;
  for (let k = 0; k < n; k++) {
    const x = v[3 * k]!, y = v[3 * k + 1]!, z = v[3 * k + 2]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < low) low = y;
    if (y > high) high = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
    const next = k + 1 === n ? 0 : 3 * k + 3;
    const dx = v[next]! - x, dz = v[next + 2]! - z;
    bound[2 * k + 1] = dx / dz;
    bound[2 * k] = dz === 0 ? 0 : x + (margin * Math.sqrt(dx * dx + dz * dz) - dx * z) / dz;
  }
  const expected = (low + high) / 2 / cellHeight;
  const j0 = Math.ceil((z0 + margin) / sampleDistance - HAIR), j1 = Math.floor((z1 - margin) / sampleDistance + HAIR);
  const room = (j1 - j0 + 1) * (Math.floor((x1 - x0) / sampleDistance) + 2);
  if (tri.samples.length < 3 * room) {
    tri.samples = new Float64Array(6 * room);
    tri.nextSample = new Int32Array(2 * room);
  }
  const { samples } = tri;
  let count = 0;
  for (let j = j0; j <= j1; j++) {
    const z = j * sampleDistance;
    let begin = x0, end = x1;
    for (let k = 0; k < n; k++) {
      const dz = v[k + 1 === n ? 2 : 3 * k + 5]! - v[3 * k + 2]!;
      const x = bound[2 * k]! + bound[2 * k + 1]! * z;
      if (dz > 0 && x > begin) begin = x;
      else if (dz < 0 && x < end) end = x;
    }
    const last = Math.floor(end / sampleDistance + HAIR);
    for (let i = Math.ceil(begin / sampleDistance - HAIR); i <= last; i++) {
      const x = i * sampleDistance;
      samples[3 * count] = x;
      samples[3 * count + 1] = floorHeight(search, borderCells + x, borderCells + z, expected) * cellHeight;
      samples[3 * count + 2] = z;
      count++;
    }
  }
  return count;
}
