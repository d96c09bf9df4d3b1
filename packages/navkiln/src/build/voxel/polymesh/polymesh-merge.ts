/**
 * Cuts a ring into convex polygons: triangles (triangulate.ts) are merged as long as the result is convex and
 * small enough.
 *
 * The two polygons with the longest common edge are merged first. Only pairs that share an edge are listed,
 * with their value; a merge changes the pairs of two polygons.
 *
 * In: a ring of points. Out: polygons appended to the mesh being built.
 * Cost: triangles squared, with a very small constant.
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMesh, which compares all pairs of polygons before each
 *   merge; Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple polygons (1983).
 */
import { area2 } from '../contours/integer-geometry.ts';
import { triangulate } from './triangulate.ts';

/**
 * A polygon mesh being built: `size` slots per polygon in `polys`, of which `counts` are in use and the rest
 * are -1.
 */
export interface PolyWork {
  size: number;
  vertices: Int32Array;
  polys: Int32Array;
  counts: Uint8Array;
  region: Int32Array;
  area: Uint8Array;
  count: number;
  /** Corners may become straight, which Recast's may not. */
  mayBeStraight: boolean;
  /** First edge chained at each vertex; -1: none. */
  firstEdge: Int32Array;
  /** Next edge in the chain, by edge. */
  nextEdge: Int32Array;
}

/**
 * A ring to cut: points base .. base + count - 1 of `points` (stride 4), with the mesh vertex, region and area of
 * each point.
 */
export interface Ring {
  points: Int32Array;
  base: number;
  count: number;
  indices: number[];
  regions: number[];
  areas: number[];
}

/** Counts of problems with a polygon mesh. */
export interface PolyMeshProblems {
  /** Contours and rings around removed vertices that could not be triangulated completely. */
  contoursNotTriangulated: number;
}

/** Region of polygons that were merged across regions, such as those around a removed border vertex. */
const SEVERAL_REGIONS = 0;

/** Pairs of polygons that share an edge: lower polygon, higher polygon, value. Some occur twice. */
const pairs: number[] = [];
let triangles = new Int32Array(1024);

/** Adds the polygons of a ring. Returns whether the whole ring could be triangulated. */
export function addPolys(work: PolyWork, ring: Ring): boolean {
  const { size, polys, counts, region, area, count: first } = work;
  const { points, base, count: n, indices, regions, areas } = ring;
  if (3 * n > triangles.length) triangles = new Int32Array(6 * n);
  const { count, complete } = triangulate(triangles, points, base, n);
  work.count += count;
  polys.fill(-1, first * size, work.count * size);
  for (let p = first, t = 0; p < work.count; p++, t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const at = p * size;
    polys[at] = indices[a];
    polys[at + 1] = indices[b];
    polys[at + 2] = indices[c];
    counts[p] = 3;
    region[p] = regions[a] === regions[b] && regions[b] === regions[c] ? regions[a] : SEVERAL_REGIONS;
    area[p] = areas[a];
  }
  if (size > 3) {
    listPairs(work, first);
    while (mergeBest(work));
  }
  return complete;
}

/**
 * Lists the pairs of triangles from `begin` on that share an edge. Edges are chained at their lower vertex.
 */
function listPairs(work: PolyWork, begin: number): void {
  const { polys, size, count, firstEdge: first, nextEdge: next } = work;
  pairs.length = 0;
  for (let p = begin; p < count; p++) {
    const at = p * size;
    for (let e = 0; e < 3; e++) {
      const a = polys[at + e];
      const b = polys[e === 2 ? at : at + e + 1];
      const low = a < b ? a : b;
      const sum = a + b;
      for (let other = first[low]; other !== -1; other = next[other]) {
        const q = (other / 3) | 0;
        const k = other - 3 * q;
        const start = q * size;
        if (q !== p && polys[start + k] + polys[k === 2 ? start : start + k + 1] === sum) {
          pairs.push(q, p, mergeValue(work, q, p));
        }
      }
      next[3 * p + e] = first[low];
      first[low] = 3 * p + e;
    }
  }
  for (let p = begin; p < count; p++) for (let e = 0; e < 3; e++) first[polys[p * size + e]] = -1;
}

/**
 * The common edge that `mergeValue` found: its position in the first polygon times 16, plus that in the
 * second.
 */
let commonEdge = 0;

/**
 * Returns the squared length of the common edge of polygons a and b if they form one convex polygon; else -1.
 */
function mergeValue({ polys, counts, size, vertices, mayBeStraight }: PolyWork, a: number, b: number): number {
  const na = counts[a];
  const nb = counts[b];
  const pa = a * size;
  const pb = b * size;
  if (na + nb - 2 > size) return -1;
  let ea = -1;
  let eb = -1;
  for (let i = 0, u = polys[pa]; i < na; i++) {
    const v = polys[i + 1 === na ? pa : pa + i + 1];
    for (let j = 0, s = polys[pb]; j < nb; j++) {
      const t = polys[j + 1 === nb ? pb : pb + j + 1];
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
  const a0 = 3 * polys[pa + ea];
  const a1 = 3 * polys[pa + ((ea + 1) % na)];
  // Both ends of the edge must stay convex.
  if (isDented(vertices, 3 * polys[pa + ((ea + na - 1) % na)], a0, 3 * polys[pb + ((eb + 2) % nb)], mayBeStraight))
    return -1;
  const before = 3 * polys[pb + ((eb + nb - 1) % nb)];
  if (isDented(vertices, before, 3 * polys[pb + eb], 3 * polys[pa + ((ea + 2) % na)], mayBeStraight)) return -1;
  const dx = vertices[a0] - vertices[a1];
  const dz = vertices[a0 + 2] - vertices[a1 + 2];
  return dx * dx + dz * dz;
}

/** Returns whether a ring turns right at a vertex or goes back, or, unless that is allowed, goes straight on. */
function isDented(v: Int32Array, before: number, at: number, after: number, mayBeStraight: boolean): boolean {
  const turn = area2(v, before, at, after);
  if (turn !== 0 || !mayBeStraight) return turn >= 0;
  return (v[at] - v[before]) * (v[after] - v[at]) + (v[at + 2] - v[before + 2]) * (v[after + 2] - v[at + 2]) <= 0;
}

/**
 * Merges the pair with the greatest value; of several, the first by polygon numbers. Returns false when no pair can
 * be merged.
 */
function mergeBest(work: PolyWork): boolean {
  const { polys, counts, size, region, area } = work;
  let a = -1;
  let b = -1;
  let most = 0;
  for (let k = 0; k < pairs.length; k += 3) {
    const v = pairs[k + 2];
    if (v < most) continue;
    const p = pairs[k];
    const q = pairs[k + 1];
    if (v > most || p < a || (p === a && q < b)) {
      most = v;
      a = p;
      b = q;
    }
  }
  if (a === -1) return false;
  // Polygon a becomes the union, from the end of the common edge on. The last polygon moves to the free slot
  // b.
  mergeValue(work, a, b);
  const joined: number[] = [];
  for (const [poly, edge] of [
    [a, commonEdge >> 4],
    [b, commonEdge & 15],
  ] as const) {
    const n = counts[poly];
    for (let i = 1; i < n; i++) joined.push(polys[poly * size + ((edge + i) % n)]);
  }
  polys.set(joined, a * size);
  counts[a] = joined.length;
  if (region[a] !== region[b]) region[a] = SEVERAL_REGIONS;
  const last = --work.count;
  polys.copyWithin(b * size, last * size, last * size + size).fill(-1, last * size, last * size + size);
  counts[b] = counts[last];
  region[b] = region[last];
  area[b] = area[last];

  let end = 0;
  for (let k = 0; k < pairs.length; k += 3) {
    const oldP = pairs[k];
    const oldQ = pairs[k + 1];
    const p = oldP === b ? a : oldP === last ? b : oldP;
    const q = oldQ === b ? a : oldQ === last ? b : oldQ;
    if (p === q) continue;
    const low = p < q ? p : q;
    const high = p < q ? q : p;
    pairs[end] = low;
    pairs[end + 1] = high;
    // Pairs of the merged and of the moved polygon have a new value.
    pairs[end + 2] = p === a || q === a || p !== oldP || q !== oldQ ? mergeValue(work, low, high) : pairs[k + 2];
    end += 3;
  }
  pairs.length = end;
  return true;
}
