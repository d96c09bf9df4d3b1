/**
 * Polygon mesh: contours -> convex polygons over shared vertices, with their neighbours.
 *
 * Input: ContourSet. Output: PolyMesh, vertex for vertex and polygon for polygon the one of Recast. Each contour is cut into
 * triangles (triangulate.ts), vertices of all contours are welded (same x and z, heights within 2 voxels), and within a
 * contour the two polygons with the longest common edge are merged as long as the result is convex and small enough.
 *
 * Recast compares all pairs of polygons before each merge. Here only pairs that share an edge are listed, with their value;
 * a merge touches the pairs of two polygons. Cost: contour triangles squared, with a very small constant.
 *
 * Won: the pairs from edges that hang on their lower vertex instead of from a sort (with the ears' lengths kept and boxes
 * tested by bits in triangulate.ts, the stage takes 0.65 of the time).
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMesh; Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple
 * polygons (1983).
 */
import { createWorkspace, takeInt32, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { buildAdjacency } from './polymesh-adjacency.ts';
import { triangulate } from './triangulate.ts';
import type { BakeConfig } from './options.ts';
import type { ContourSet, PolyMesh } from './types.ts';

/** Vertices at one place are one when their heights differ by no more than this many voxels. */
const WELD_HEIGHT = 2;

export interface PolyMeshProblems {
  /** Contours that could not be cut into triangles completely. */
  contoursNotTriangulated: number;
}

export function buildPolyMesh(
  contours: ContourSet, config: BakeConfig, problems: PolyMeshProblems = { contoursNotTriangulated: 0 },
  workspace: Workspace = createWorkspace(),
): PolyMesh {
  const { maxVerticesPerPoly: size } = config;
  const { start, vertices: points, count, boundsMin, boundsMax, cellSize, cellHeight, borderCells, maxEdgeErrorCells } = contours;
  let longest = 3, buckets = 16;
  for (let c = 0; c < count; c++) longest = Math.max(longest, start[c + 1]! - start[c]!);
  // No more triangles than points, either.
  const total = start[count]!;
  while (buckets < total) buckets *= 2;
  const vertices = takeInt32(workspace, 'polymesh.vertices', 3 * total);
  const first = takeInt32(workspace, 'polymesh.first', buckets).fill(-1), next = takeInt32(workspace, 'polymesh.next', total);
  const triangles = takeInt32(workspace, 'polymesh.triangles', 3 * longest);
  const indices = takeInt32(workspace, 'polymesh.indices', longest);
  const polys = takeInt32(workspace, 'polymesh.polys', total * size).fill(-1);
  const counts = takeUint8(workspace, 'polymesh.counts', longest);
  const region = takeInt32(workspace, 'polymesh.region', total), area = takeUint8(workspace, 'polymesh.area', total);
  const firstEdge = takeInt32(workspace, 'polymesh.firstEdge', total).fill(-1);
  const nextEdge = takeInt32(workspace, 'polymesh.nextEdge', 3 * longest);
  let polyCount = 0, vertexCount = 0;

  for (let c = 0; c < count; c++) {
    const base = start[c]!, n = start[c + 1]! - base;
    if (n < 3) continue;
    const cut = triangulate(triangles, points, base, n);
    if (!cut.complete) problems.contoursNotTriangulated++;
    for (let i = 0; i < n; i++) {
      const x = points[4 * (base + i)]!, y = points[4 * (base + i) + 1]!, z = points[4 * (base + i) + 2]!;
      // Vertices are hashed by x and z, the newest first.
      const bucket = (Math.imul(x, 0x8da6b343) + Math.imul(z, 0xcb1ab31f) >>> 7) & (buckets - 1);
      let v = first[bucket]!;
      while (
        v !== -1 && (vertices[3 * v] !== x || vertices[3 * v + 2] !== z || Math.abs(vertices[3 * v + 1]! - y) > WELD_HEIGHT)
      ) v = next[v]!;
      if (v === -1) {
        v = vertexCount++;
        vertices[3 * v] = x;
        vertices[3 * v + 1] = y;
        vertices[3 * v + 2] = z;
        next[v] = first[bucket]!;
        first[bucket] = v;
      }
      indices[i] = v;
    }
    const merger: Merger = { size, polys: polys.subarray(polyCount * size), counts, count: cut.count, pairs: [], vertices };
    for (let t = 0; t < cut.count; t++) {
      for (let k = 0; k < 3; k++) merger.polys[t * size + k] = indices[triangles[3 * t + k]!]!;
      counts[t] = 3;
    }
    if (size > 3) {
      listPairs(merger, firstEdge, nextEdge);
      while (mergeBest(merger));
    }
    const end = polyCount + merger.count;
    region.fill(contours.region[c]!, polyCount, end);
    area.fill(contours.area[c]!, polyCount, end);
    polyCount = end;
  }

  const mesh: PolyMesh = {
    boundsMin, boundsMax, cellSize, cellHeight, borderCells, maxEdgeErrorCells, maxVerticesPerPoly: size,
    vertexCount, vertices: vertices.slice(0, 3 * vertexCount), polyCount, polys: polys.slice(0, polyCount * size),
    neighbors: new Int32Array(polyCount * size).fill(-1), region: region.slice(0, polyCount), area: area.slice(0, polyCount),
  };
  buildAdjacency(mesh, contours.width, contours.depth);
  return mesh;
}

/** Polygons of the contour at hand, and the pairs of them that share an edge. */
interface Merger {
  size: number;
  polys: Int32Array;
  counts: Uint8Array;
  count: number;
  /** Lower polygon, higher polygon, value; some pairs are there twice. */
  pairs: number[];
  vertices: Int32Array;
}

/** Fills the pairs of triangles that share an edge. Edges hang on the lower of their vertices; `first` is -1 before and after. */
function listPairs(merger: Merger, first: Int32Array, next: Int32Array): void {
  const { polys, size, count, pairs } = merger;
  for (let p = 0; p < count; p++) {
    const at = p * size;
    for (let e = 0; e < 3; e++) {
      const a = polys[at + e]!, b = polys[e === 2 ? at : at + e + 1]!;
      const low = a < b ? a : b, sum = a + b;
      for (let other = first[low]!; other !== -1; other = next[other]!) {
        const q = (other / 3) | 0, k = other - 3 * q, begin = q * size;
        if (q !== p && polys[begin + k]! + polys[k === 2 ? begin : begin + k + 1]! === sum) {
          pairs.push(q, p, mergeValue(merger, q, p));
        }
      }
      next[3 * p + e] = first[low]!;
      first[low] = 3 * p + e;
    }
  }
  for (let p = 0; p < count; p++) for (let e = 0; e < 3; e++) first[polys[p * size + e]!] = -1;
}

/** Position in the first polygon (times 16) and in the second of the common edge that `mergeValue` found. */
let commonEdge = 0;

/** Squared length of the edge that polygons a and b share, when the two make one convex polygon; else -1. */
function mergeValue({ polys, counts, size, vertices }: Merger, a: number, b: number): number {
  const na = counts[a]!, nb = counts[b]!, pa = a * size, pb = b * size;
  if (na + nb - 2 > size) return -1;
  let ea = -1, eb = -1;
  for (let i = 0, u = polys[pa]!; i < na; i++) {
    const v = polys[i + 1 === na ? pa : pa + i + 1]!;
    for (let j = 0, s = polys[pb]!; j < nb; j++) {
      const t = polys[j + 1 === nb ? pb : pb + j + 1]!;
      if (u + v === s + t && (u === s || u === t)) {
        ea = i;
        eb = j;
        break;
      }
      s = t;
    }
    u = v;
  }
  if (ea === -1) return -1;
  commonEdge = ea * 16 + eb;
  const a0 = polys[pa + ea]!, a1 = polys[pa + (ea + 1) % na]!;
  if (!turnsLeft(vertices, polys[pa + (ea + na - 1) % na]!, a0, polys[pb + (eb + 2) % nb]!)) return -1;
  if (!turnsLeft(vertices, polys[pb + (eb + nb - 1) % nb]!, polys[pb + eb]!, polys[pa + (ea + 2) % na]!)) return -1;
  const dx = vertices[3 * a0]! - vertices[3 * a1]!, dz = vertices[3 * a0 + 2]! - vertices[3 * a1 + 2]!;
  return dx * dx + dz * dz;
}

function turnsLeft(v: Int32Array, a: number, b: number, c: number): boolean {
  const ax = v[3 * a]!, az = v[3 * a + 2]!;
  return (v[3 * b]! - ax) * (v[3 * c + 2]! - az) - (v[3 * c]! - ax) * (v[3 * b + 2]! - az) < 0;
}

/** Merges the pair of greatest value (of several the first by its polygons' numbers); false: none can be. */
function mergeBest(merger: Merger): boolean {
  const { polys, counts, size, pairs } = merger;
  let a = -1, b = -1, most = 0;
  for (let k = 0; k < pairs.length; k += 3) {
    const v = pairs[k + 2]!;
    if (v < most) continue;
    const p = pairs[k]!, q = pairs[k + 1]!;
    if (v > most || p < a || (p === a && q < b)) {
      most = v;
      a = p;
      b = q;
    }
  }
  if (a === -1) return false;
  // Polygon a becomes both, from the end of their common edge on; the last polygon moves into the place that has become free.
  mergeValue(merger, a, b);
  const joined: number[] = [];
  for (const [poly, edge] of [[a, commonEdge >> 4], [b, commonEdge & 15]] as const) {
    const n = counts[poly]!;
    for (let i = 1; i < n; i++) joined.push(polys[poly * size + (edge + i) % n]!);
  }
  polys.set(joined, a * size);
  counts[a] = joined.length;
  const last = --merger.count;
  polys.copyWithin(b * size, last * size, last * size + size).fill(-1, last * size, last * size + size);
  counts[b] = counts[last]!;

  let end = 0;
  for (let k = 0; k < pairs.length; k += 3) {
    const oldP = pairs[k]!, oldQ = pairs[k + 1]!;
    const p = oldP === b ? a : oldP === last ? b : oldP, q = oldQ === b ? a : oldQ === last ? b : oldQ;
    if (p === q) continue;
    const low = p < q ? p : q, high = p < q ? q : p;
    pairs[end] = low;
    pairs[end + 1] = high;
    // What has changed: pairs of the merged polygon, and of the moved one.
    pairs[end + 2] = p === a || q === a || p !== oldP || q !== oldQ ? mergeValue(merger, low, high) : pairs[k + 2]!;
    end += 3;
  }
  pairs.length = end;
  return true;
}
