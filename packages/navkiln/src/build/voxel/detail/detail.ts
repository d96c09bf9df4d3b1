/**
 * Builds the detail mesh: triangles within each polygon that follow the floor's height.
 *
 * The floor is sampled along the edges of a polygon (floor-height.ts), and as few samples are kept as the
 * allowed error permits. The polygon on the other side takes the kept vertices over. Then the outline is
 * triangulated, and of a grid of samples inside, the worst is inserted until all are near enough
 * (triangulation.ts). Errors are vertical distances.
 *
 * In: PolyMesh and the CompactField it came from. Out: DetailMesh.
 * Cost: samples, each a few times.
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMeshDetail. Here a polygon may have 255 vertices instead
 *   of 127, edges may have any number of samples, and extra vertices are on the floor, not a voxel above it
 *   (docs/deviations.md).
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { createFloorSearch, floorHeight, startFloors } from './floor-height.ts';
import type { FloorSearch } from './floor-height.ts';
import {
  corner,
  DETAIL_MAX_VERTICES,
  attachSamples,
  insertWorst,
  triangulateRing,
  twin,
  used,
  vertices as v,
  worstTriangle,
} from './triangulation.ts';
import { takeSlot } from '../memory.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import type { CompactField, DetailMesh, PolyMesh } from '../types.ts';

/** State of a build. x and z are in cells, y is in world units above the bounds. */
interface Work {
  mesh: PolyMesh;
  search: FloorSearch;
  /** Cells. */
  sampleDistance: number;
  /** World units. */
  maxError: number;
  /** Allowed error between samples, world units: the climb, or `maxError` if that is larger. */
  coarseError: number;
  /** Whether samples of the current polygon were left out. */
  isLimited: boolean;
  /** Extra vertices of all polygons so far. */
  extra: number[];
  /** For each edge the start of its vertices in `extra`; one more per polygon: their end. */
  edgeStart: Int32Array;
}

/** Tolerance in sample distances: a sample on the margin counts as inside. */
const EPSILON = 1e-7;

/** Least sample distance, cells. The floor has one height per cell. */
const LEAST_DISTANCE = 0.25;

/** Most samples along an edge, and about the most inside a polygon. The distance is larger where there would be more. */
const MOST_EDGE_SAMPLES = 1 << 16;
const MOST_SAMPLES = 1 << 20;

/** More than the triangles of a polygon. */
const MAX_TRIANGLES = 2 * DETAIL_MAX_VERTICES;

/** Length of a full vertex array. */
const FULL = 3 * DETAIL_MAX_VERTICES;

/** Vertices around the current polygon. */
const ring = new Int32Array(DETAIL_MAX_VERTICES);
let ringCount = 0;
/** Heights of the samples along an edge. */
const heights: number[] = [];
/** Whether each sample along the edge becomes a vertex. */
const keep: boolean[] = [];
/**
 * For each edge: the x where a row's inner part begins or ends at z = 0, its change per z, and the edge's
 * extent in z.
 */
const bound: number[] = [];
/** See `attachSamples`. */
const samples: number[] = [];

/** Counts of polygons whose detail is incomplete. */
export interface DetailProblems {
  /** Polygons whose error stays too large because they have the most vertices allowed. */
  polygonsLimited: number;
}

/** Builds the detail of all polygons. The result shares no memory with a workspace. */
export function buildDetailMesh(
  mesh: PolyMesh,
  field: CompactField,
  config: BakeConfig,
  problems: DetailProblems = { polygonsLimited: 0 },
  workspace: Workspace = createWorkspace(),
): DetailMesh {
  const { polyCount, maxVerticesPerPoly: size, boundsMin, cellSize } = mesh;
  const extra: number[] = [];
  let tris = takeSlot(workspace, 'detail.tris', 4 * MAX_TRIANGLES);
  let end = 0;
  const search = createFloorSearch(field, config.walkableClimbCells, workspace);
  const edgeStart = takeSlot(workspace, 'detail.edgeStart', polyCount * (size + 1));
  const work = createRecord((): Work => ({
    mesh,
    search,
    sampleDistance:
      config.detailSampleDistance > 0 ? Math.max(config.detailSampleDistance / cellSize, LEAST_DISTANCE) : 0,
    maxError: config.detailMaxError,
    coarseError: Math.max(config.detailMaxError, config.walkableClimbCells * config.cellHeight),
    isLimited: false,
    extra,
    edgeStart,
  }));
  const vertexStart = new Int32Array(polyCount + 1);
  const triStart = new Int32Array(polyCount + 1);
  for (let p = 0; p < polyCount; p++) {
    let n = 0;
    while (n < size && mesh.polys[p * size + n] !== -1) n++;
    if (buildPolyDetail(work, p, n)) problems.polygonsLimited++;
    if (end + 4 * MAX_TRIANGLES > tris.length) tris = takeSlot(workspace, 'detail.tris', 2 * tris.length, end);
    const { corners } = used;
    for (let e = 0; e < corners; e += 3) {
      for (let k = e; k < e + 3; k++) tris[end++] = corner[k] / 3;
      tris[end++] = (twin[e] >>> 31) | ((twin[e + 1] >>> 31) << 2) | ((twin[e + 2] >>> 31) << 4);
    }
    for (let k = 3 * n; k < used.vertices; k++) extra.push(v[k]);
    vertexStart[p + 1] = extra.length / 3;
    triStart[p + 1] = end / 4;
  }
  const vertices = new Float64Array(extra);
  for (let k = 0; k < vertices.length; k++) vertices[k] = boundsMin[k % 3] + vertices[k] * (k % 3 === 1 ? 1 : cellSize);
  return { polyCount, vertexStart, vertices, triStart, tris: tris.slice(0, end) };
}

/**
 * Builds the detail of polygon p with n vertices. Returns whether samples were left out, because there were too many
 * or because the vertices were full.
 */
function buildPolyDetail(work: Work, p: number, n: number): boolean {
  const { mesh, sampleDistance, maxError, extra, edgeStart } = work;
  const { polys, vertices, neighbors, cellHeight, maxVerticesPerPoly: size } = mesh;
  const first = p * size;
  const edge = first + p;
  work.isLimited = false;
  used.vertices = ringCount = 0;
  for (let k = 0; k < n; k++) {
    const at = 3 * polys[first + k];
    addVertex(vertices[at], vertices[at + 1] * cellHeight, vertices[at + 2]);
  }
  ringCount = 0;
  startFloors(work.search, mesh.region[p], mesh.borderCells + v[0], v[1] / cellHeight, mesh.borderCells + v[2]);
  for (let k = 0; k < n; k++) {
    ring[ringCount++] = 3 * k;
    edgeStart[edge + k] = extra.length + used.vertices - 3 * n;
    if (!(sampleDistance > 0)) continue;
    // If the polygon across this edge is done and shares only this edge, its vertices are used in reverse order.
    const other = neighbors[first + k];
    const begin = other * size;
    const slot = other >= 0 && other < p ? neighbors.indexOf(p, begin) : -1;
    if (slot === -1 || neighbors.lastIndexOf(p, begin + size - 1) !== slot) {
      sampleEdge(work, 3 * k, k + 1 === n ? 0 : 3 * k + 3);
    } else {
      for (let at = edgeStart[slot + other + 1] - 3; at >= edgeStart[slot + other]; at -= 3) {
        addVertex(extra[at], extra[at + 1], extra[at + 2]);
      }
    }
  }
  edgeStart[edge + n] = extra.length + used.vertices - 3 * n;
  if (!triangulateRing(ring, ringCount, false)) {
    // The polygon has no area. A fan will do, because it has no heights to follow.
    edgeStart.fill(extra.length, edge, edge + n + 1);
    used.vertices = 3 * n;
    for (let k = 0; k < n; k++) ring[k] = 3 * k;
    triangulateRing(ring, n, true);
    return false;
  }
  if (!(sampleDistance > 0)) return work.isLimited;
  const extent = leastExtent(3 * n);
  if (extent >= 2 * sampleDistance && !refine(work, 3 * n, sampleDistance, maxError)) return true;
  // In a narrow polygon with relief that is no plane, the places between these samples must be within the climb.
  const isPlane = used.vertices === 3 * n;
  if (isPlane || extent < sampleDistance / 2 || extent > 4 * sampleDistance || !hasRelief(work.coarseError))
    return work.isLimited;
  return !refine(work, 3 * n, sampleDistance / 2, work.coarseError) || work.isLimited;
}

/** Inserts samples of a grid whose error is too large. Returns false if the vertices are full. */
function refine(work: Work, end: number, distance: number, maxError: number): boolean {
  attachSamples(samples, sampleInside(work, end, distance));
  for (;;) {
    const t = worstTriangle(maxError);
    if (t === -1) return true;
    if (used.vertices === FULL) return false;
    insertWorst(t);
  }
}

/** Returns whether the heights of the polygon's vertices differ by more than `most`. */
function hasRelief(most: number): boolean {
  let low = v[1];
  let high = low;
  for (let k = 4; k < used.vertices; k += 3) {
    if (v[k] < low) low = v[k];
    if (v[k] > high) high = v[k];
  }
  return high - low > most;
}

/** Adds a vertex to the ring, if there is room. */
function addVertex(x: number, y: number, z: number): void {
  const at = used.vertices;
  if (at === FULL) return;
  v[at] = x;
  v[at + 1] = y;
  v[at + 2] = z;
  ring[ringCount++] = at;
  used.vertices += 3;
}

/** Returns the height of the floor at a position; `y` where there is none. */
function floorAt({ search, mesh: { borderCells, cellHeight } }: Work, x: number, y: number, z: number): number {
  return floorHeight(search, borderCells + x, borderCells + z, y / cellHeight) * cellHeight;
}

/**
 * Adds vertices along the edge from corner a to corner b where its straight line is too far from the floor.
 */
function sampleEdge(work: Work, a: number, b: number): void {
  const { sampleDistance, maxError } = work;
  // Samples start at the end with the lower x (then z), so that a neighbor in another tile finds the same vertices.
  const swap = v[a] === v[b] ? v[a + 2] > v[b + 2] : v[a] > v[b];
  const from = swap ? b : a;
  const to = swap ? a : b;
  const ax = v[from];
  const ay = v[from + 1];
  const az = v[from + 2];
  const dx = v[to] - ax;
  const dy = v[to + 1] - ay;
  const dz = v[to + 2] - az;
  const steps = Math.min(1 + Math.floor(Math.sqrt(dx * dx + dz * dz) / sampleDistance), MOST_EDGE_SAMPLES);
  if (steps === MOST_EDGE_SAMPLES) work.isLimited = true;
  heights[0] = ay;
  for (let k = 1; k < steps; k++) {
    const u = k / steps;
    heights[k] = floorAt(work, ax + dx * u, ay + dy * u, az + dz * u);
    keep[k] = false;
  }
  heights[steps] = ay + dy;
  keep[steps] = true;
  const isLine = !keepFar(1, steps, maxError);
  // Between the samples of an edge with relief that is no line, the middles must be within the climb.
  let parts = steps;
  if (!isLine && reliefOf(steps) > work.coarseError && steps < MOST_EDGE_SAMPLES / 2) {
    parts = 2 * steps;
    for (let k = steps; k > 0; k--) {
      heights[2 * k] = heights[k];
      keep[2 * k] = keep[k];
    }
    for (let k = 1; k < parts; k += 2) {
      const u = k / parts;
      heights[k] = floorAt(work, ax + dx * u, (heights[k - 1] + heights[k + 1]) / 2, az + dz * u);
      keep[k] = false;
    }
    keepFar(2, parts, work.coarseError);
  }
  for (let s = 1; s < parts; s++) {
    const k = swap ? parts - s : s;
    const u = k / parts;
    if (keep[k]) addVertex(ax + dx * u, heights[k], az + dz * u);
  }
}

/**
 * Keeps the samples of an edge that are too far from the line between kept ones: each one, or with a stride of 2 the odd ones. Returns
 * whether there are any.
 */
function keepFar(stride: number, last: number, maxError: number): boolean {
  let hasAny = false;
  for (let begin = 0; begin < last;) {
    let end = begin + 1;
    let far = -1;
    let most = maxError;
    while (!keep[end]) end++;
    const slope = (heights[end] - heights[begin]) / (end - begin);
    for (let k = stride === 2 ? begin | 1 : begin + 1; k < end; k += stride) {
      const distance = Math.abs(heights[k] - heights[begin] - slope * (k - begin));
      if (distance > most) {
        most = distance;
        far = k;
      }
    }
    if (far === -1) begin = end;
    else hasAny = keep[far] = true;
  }
  return hasAny;
}

/** Returns the difference of the highest and the lowest of the samples of an edge. */
function reliefOf(steps: number): number {
  let low = heights[0];
  let high = low;
  for (let k = 1; k <= steps; k++) {
    low = Math.min(low, heights[k]);
    high = Math.max(high, heights[k]);
  }
  return high - low;
}

/**
 * Returns the least width of the polygon, measured across one of its edges, in cells. Its vertices are those
 * up to `end`.
 */
function leastExtent(end: number): number {
  let least = Infinity;
  for (let a = 0; a < end; a += 3) {
    const b = a + 3 === end ? 0 : a + 3;
    const dx = v[b] - v[a];
    const dz = v[b + 2] - v[a + 2];
    const scale = 1 / Math.sqrt(dx * dx + dz * dz);
    let most = 0;
    for (let k = 0; k < end; k += 3) {
      const distance = Math.abs((v[k] - v[a]) * dz - dx * (v[k + 2] - v[a + 2])) * scale;
      if (distance > most) most = distance;
    }
    if (most < least) least = most;
  }
  return least;
}

/**
 * Fills the samples of a grid over the polygon, at least half a sample distance inside its edges. Returns
 * their end.
 */
function sampleInside(work: Work, end: number, distance: number): number {
  let x0 = Infinity;
  let x1 = -Infinity;
  let z0 = Infinity;
  let z1 = -Infinity;
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < end; k += 3) {
    const x = v[k];
    const y = v[k + 1];
    const z = v[k + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < low) low = y;
    if (y > high) high = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  let sampleDistance = distance;
  while ((x1 - x0) * (z1 - z0) > MOST_SAMPLES * sampleDistance * sampleDistance) {
    sampleDistance *= 2;
    work.isLimited = true;
  }
  const margin = sampleDistance / 2;
  for (let k = 0; k < end; k += 3) {
    const x = v[k];
    const z = v[k + 2];
    const next = k + 3 === end ? 0 : k + 3;
    const dx = v[next] - x;
    const dz = v[next + 2] - z;
    bound[k] = dz === 0 ? 0 : x + (margin * Math.sqrt(dx * dx + dz * dz) - dx * z) / dz;
    bound[k + 1] = dx / dz;
    bound[k + 2] = dz;
  }
  const { search } = work;
  const { cellHeight } = work.mesh;
  const floors = search.field.y;
  const middle = (low + high) / 2;
  const j1 = Math.floor((z1 - margin) / sampleDistance + EPSILON);
  let count = 0;
  for (let j = Math.ceil((z0 + margin) / sampleDistance - EPSILON); j <= j1; j++) {
    const z = j * sampleDistance;
    let from = x0;
    let to = x1;
    for (let k = 0; k < end; k += 3) {
      const x = bound[k] + bound[k + 1] * z;
      if (bound[k + 2] > 0 && x > from) from = x;
      else if (bound[k + 2] < 0 && x < to) to = x;
    }
    const last = Math.floor(to / sampleDistance + EPSILON);
    for (let i = Math.ceil(from / sampleDistance - EPSILON); i <= last; i++) {
      const x = i * sampleDistance;
      samples[count++] = x;
      // Near the floor that was found last in the polygon.
      samples[count++] = floorAt(work, x, search.last === -1 ? middle : floors[search.last] * cellHeight, z);
      samples[count++] = z;
      samples[count++] = -1;
    }
  }
  return count;
}
