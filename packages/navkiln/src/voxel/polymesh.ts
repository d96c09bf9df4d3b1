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
import { createWorkspace, takeFloat64, takeInt32, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { buildAdjacency } from './polymesh-adjacency.ts';
import { triangulate } from './triangulate.ts';
import type { BakeConfig } from './options.ts';
import type { ContourSet, PolyMesh } from './types.ts';

/** Vertices at one place are one when their heights differ by no more than this many voxels. */
const WELD_HEIGHT = 2;

/** Welded vertices and a hash of them by x and z, newest first. */
interface Welder {
  vertices: Int32Array;
  count: number;
  mask: number;
  first: Int32Array;
  next: Int32Array;
}

/** Polygons of the contour at hand, and the pairs of them that share an edge. */
interface Merger {
  size: number;
  polys: Int32Array;
  counts: Int32Array;
  count: number;
  pairA: Int32Array;
  pairB: Int32Array;
  value: Float64Array;
  pairCount: number;
  /** By vertex, -1 none; by edge. */
  firstEdge: Int32Array;
  nextEdge: Int32Array;
}

export interface PolyMeshProblems {
  /** Contours that could not be cut into triangles completely. */
  contoursNotTriangulated: number;
}

export function buildPolyMesh(
  contours: ContourSet, config: BakeConfig, problems: PolyMeshProblems = { contoursNotTriangulated: 0 },
  workspace: Workspace = createWorkspace(),
): PolyMesh {
  const { maxVerticesPerPoly: size } = config;
  const { start, vertices: points } = contours;
  let total = 0, longest = 3, triangleTotal = 0;
  for (let c = 0; c < contours.count; c++) {
    const n = start[c + 1]! - start[c]!;
    if (n < 3) continue;
    total += n;
    triangleTotal += n - 2;
    if (n > longest) longest = n;
  }
  const welder = createWelder(total, workspace);
  const merger = createMerger(longest, size, total, workspace);
  const triangles = takeInt32(workspace, 'polymesh.triangles', 3 * longest);
  const indices = takeInt32(workspace, 'polymesh.indices', longest);
  const polys = takeInt32(workspace, 'polymesh.polys', triangleTotal * size);
  const region = takeInt32(workspace, 'polymesh.region', triangleTotal);
  const area = takeUint8(workspace, 'polymesh.area', triangleTotal);
  let polyCount = 0;

  for (let c = 0; c < contours.count; c++) {
    const base = start[c]!, n = start[c + 1]! - base;
    if (n < 3) continue;
    const { count, complete } = triangulate(triangles, points, base, n);
    if (!complete) problems.contoursNotTriangulated++;
    for (let i = 0; i < n; i++) {
      const at = 4 * (base + i);
      indices[i] = weld(welder, points[at]!, points[at + 1]!, points[at + 2]!);
    }
    merger.count = 0;
    merger.polys.fill(-1, 0, count * size);
    for (let t = 0; t < count; t++) {
      const at = merger.count * size;
      merger.polys[at] = indices[triangles[3 * t]!]!;
      merger.polys[at + 1] = indices[triangles[3 * t + 1]!]!;
      merger.polys[at + 2] = indices[triangles[3 * t + 2]!]!;
      merger.counts[merger.count++] = 3;
    }
    if (size > 3 && merger.count > 1) {
      listPairs(merger, welder.vertices);
      while (mergeBest(merger, welder.vertices));
    }
    polys.set(merger.polys.subarray(0, merger.count * size), polyCount * size);
    region.fill(contours.region[c]!, polyCount, polyCount + merger.count);
    area.fill(contours.area[c]!, polyCount, polyCount + merger.count);
    polyCount += merger.count;
  }

  const mesh: PolyMesh = {
    boundsMin: contours.boundsMin, boundsMax: contours.boundsMax,
    cellSize: contours.cellSize, cellHeight: contours.cellHeight,
    borderCells: contours.borderCells, maxEdgeErrorCells: contours.maxEdgeErrorCells,
    maxVerticesPerPoly: size,
    vertexCount: welder.count, vertices: welder.vertices.slice(0, 3 * welder.count),
    polyCount, polys: polys.slice(0, polyCount * size),
    neighbors: new Int32Array(polyCount * size).fill(-1),
    region: region.slice(0, polyCount), area: area.slice(0, polyCount),
  };
  buildAdjacency(mesh, contours.width, contours.depth);
  return mesh;
}

function createWelder(capacity: number, workspace: Workspace): Welder {
  let buckets = 16;
  while (buckets < capacity) buckets *= 2;
  return {
    vertices: takeInt32(workspace, 'polymesh.vertices', 3 * capacity), count: 0, mask: buckets - 1,
    first: takeInt32(workspace, 'polymesh.first', buckets).fill(-1), next: takeInt32(workspace, 'polymesh.next', capacity),
  };
}

function weld(welder: Welder, x: number, y: number, z: number): number {
  const { vertices, first, next } = welder;
  const bucket = (Math.imul(x, 0x8da6b343) + Math.imul(z, 0xcb1ab31f) >>> 7) & welder.mask;
  for (let v = first[bucket]!; v !== -1; v = next[v]!) {
    if (vertices[3 * v] === x && vertices[3 * v + 2] === z && Math.abs(vertices[3 * v + 1]! - y) <= WELD_HEIGHT) return v;
  }
  const v = welder.count++;
  vertices[3 * v] = x;
  vertices[3 * v + 1] = y;
  vertices[3 * v + 2] = z;
  next[v] = first[bucket]!;
  first[bucket] = v;
  return v;
}

function createMerger(longest: number, size: number, vertexCount: number, workspace: Workspace): Merger {
  return {
    size, polys: takeInt32(workspace, 'polymesh.merged', longest * size),
    counts: takeInt32(workspace, 'polymesh.counts', longest), count: 0,
    pairA: takeInt32(workspace, 'polymesh.pairA', 3 * longest), pairB: takeInt32(workspace, 'polymesh.pairB', 3 * longest),
    value: takeFloat64(workspace, 'polymesh.value', 3 * longest), pairCount: 0,
    firstEdge: takeInt32(workspace, 'polymesh.firstEdge', vertexCount).fill(-1),
    nextEdge: takeInt32(workspace, 'polymesh.nextEdge', 3 * longest),
  };
}

/** Fills the pairs of triangles that share an edge. Edges hang on the lower of their vertices. */
function listPairs(merger: Merger, vertices: Int32Array): void {
  const { polys, size, count, firstEdge, nextEdge } = merger;
  merger.pairCount = 0;
  for (let p = 0; p < count; p++) {
    const at = p * size;
    for (let e = 0; e < 3; e++) {
      const a = polys[at + e]!, b = polys[e === 2 ? at : at + e + 1]!;
      const low = a < b ? a : b, sum = a + b;
      for (let other = firstEdge[low]!; other !== -1; other = nextEdge[other]!) {
        const q = (other / 3) | 0, k = other - 3 * q;
        if (polys[q * size + k]! + polys[k === 2 ? q * size : q * size + k + 1]! === sum && q !== p && !hasPair(merger, q, p)) {
          addPair(merger, q, p, vertices);
        }
      }
      nextEdge[3 * p + e] = firstEdge[low]!;
      firstEdge[low] = 3 * p + e;
    }
  }
  for (let p = 0; p < count; p++) for (let e = 0; e < 3; e++) firstEdge[polys[p * size + e]!] = -1;
}

function hasPair(merger: Merger, a: number, b: number): boolean {
  // Two triangles share one edge, rarely two; the list is searched only from its young end.
  for (let k = merger.pairCount - 1; k >= 0 && merger.pairB[k] === b; k--) if (merger.pairA[k] === a) return true;
  return false;
}

function addPair(merger: Merger, a: number, b: number, vertices: Int32Array): void {
  if (merger.pairCount === merger.pairA.length) {
    const length = merger.pairCount * 2;
    const pairA = new Int32Array(length), pairB = new Int32Array(length), value = new Float64Array(length);
    pairA.set(merger.pairA);
    pairB.set(merger.pairB);
    value.set(merger.value);
    merger.pairA = pairA;
    merger.pairB = pairB;
    merger.value = value;
  }
  const k = merger.pairCount++;
  merger.pairA[k] = a < b ? a : b;
  merger.pairB[k] = a < b ? b : a;
  merger.value[k] = mergeValue(merger, merger.pairA[k]!, merger.pairB[k]!, vertices);
}

/** Position in the first polygon (times 16) and in the second of the common edge that `mergeValue` found. */
let commonEdge = 0;

/** Squared length of the edge that polygons a and b share, when the two make one convex polygon; else -1. */
function mergeValue(merger: Merger, a: number, b: number, vertices: Int32Array): number {
  const { polys, counts, size } = merger;
  const na = counts[a]!, nb = counts[b]!;
  if (na + nb - 2 > size) return -1;
  const pa = a * size, pb = b * size;
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
function mergeBest(merger: Merger, vertices: Int32Array): boolean {
  const { polys, counts, size, pairA, pairB, value, pairCount } = merger;
  let best = -1, most = 0;
  for (let k = 0; k < pairCount; k++) {
    const v = value[k]!;
    if (v < most || v <= 0) continue;
    if (v > most || pairA[k]! < pairA[best]! || (pairA[k] === pairA[best] && pairB[k]! < pairB[best]!)) {
      most = v;
      best = k;
    }
  }
  if (best === -1) return false;
  const a = pairA[best]!, b = pairB[best]!;
  mergeValue(merger, a, b, vertices);
  joinPolys(polys, counts, size, a, b, commonEdge >> 4, commonEdge & 15);
  // The last polygon moves into the place that has become free.
  const last = merger.count - 1;
  if (b !== last) {
    polys.copyWithin(b * size, last * size, last * size + size);
    counts[b] = counts[last]!;
  }
  polys.fill(-1, last * size, last * size + size);
  merger.count = last;

  // Pairs of a and b become pairs of a, each once; pairs of the last are renamed.
  merger.pairCount = 0;
  const withA: number[] = [];
  for (let k = 0; k < pairCount; k++) {
    let p = pairA[k]!, q = pairB[k]!;
    const touchesA = p === a || q === a || p === b || q === b;
    if (touchesA) {
      let other = p === a || p === b ? q : p;
      if (other === a || other === b) continue;
      if (other === last) other = b;
      if (!withA.includes(other)) withA.push(other);
      continue;
    }
    const moved = p === last || q === last;
    if (p === last) p = b;
    if (q === last) q = b;
    const at = merger.pairCount++;
    pairA[at] = p < q ? p : q;
    pairB[at] = p < q ? q : p;
    value[at] = moved ? mergeValue(merger, pairA[at]!, pairB[at]!, vertices) : value[k]!;
  }
  for (const other of withA) addPair(merger, a, other, vertices);
  return true;
}

const joined = new Int32Array(32);

/** Polygon a becomes a and b joined over a's edge ea and b's edge eb. */
function joinPolys(
  polys: Int32Array, counts: Int32Array, size: number, a: number, b: number, ea: number, eb: number,
): void {
  const na = counts[a]!, nb = counts[b]!;
  let n = 0;
  for (let i = 0; i < na - 1; i++) joined[n++] = polys[a * size + (ea + 1 + i) % na]!;
  for (let i = 0; i < nb - 1; i++) joined[n++] = polys[b * size + (eb + 1 + i) % nb]!;
  for (let i = 0; i < n; i++) polys[a * size + i] = joined[i]!;
  counts[a] = n;
}
