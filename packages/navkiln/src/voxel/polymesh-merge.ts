/**
 * Merge: a ring -> triangles (triangulate.ts) -> convex polygons: the two with the longest common edge are merged, again and
 * again, as long as the result is convex and small enough.
 *
 * Recast compares all pairs of polygons before each merge. Here only pairs that share an edge are listed, with their value;
 * a merge touches the pairs of two polygons. Cost: triangles squared, with a very small constant.
 *
 * Won: the pairs from edges that hang on their lower vertex instead of from a sort.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMesh; Stefan Hertel and Kurt Mehlhorn, Fast triangulation of simple
 * polygons (1983).
 */
import { area2 } from './integer-geometry.ts';
import { triangulate } from './triangulate.ts';

/** A polygon mesh in the making: `size` slots a polygon in `polys`, of which `counts` are in use, the rest -1. */
export interface PolyWork {
  size: number;
  vertices: Int32Array;
  polys: Int32Array;
  counts: Uint8Array;
  region: Int32Array;
  area: Uint8Array;
  count: number;
  /** By vertex, -1 none; by edge. */
  firstEdge: Int32Array;
  nextEdge: Int32Array;
}

/** Region of polygons that were merged across regions, as those around a vertex taken from a tile's border. */
const SEVERAL_REGIONS = 0;

/** Lower polygon, higher polygon, value of pairs that share an edge; some are there twice. */
const pairs: number[] = [];
let triangles = new Int32Array(1024);

/**
 * Adds the polygons of the ring of n points (stride 4) from point `base` on.
 *
 * @param indices, regions, areas of the ring's vertices
 * @returns whether all of it could be cut
 */
export function addPolys(
  work: PolyWork,
  points: Int32Array,
  base: number,
  n: number,
  indices: number[],
  regions: number[],
  areas: number[],
): boolean {
  const { size, polys, counts, region, area, count: first } = work;
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

/** Fills the pairs of triangles, from `begin` on, that share an edge. Edges hang on the lower of their vertices. */
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

/** Position in the first polygon (times 16) and in the second of the common edge that `mergeValue` found. */
let commonEdge = 0;

/** Squared length of the edge that polygons a and b share, when the two make one convex polygon; else -1. */
function mergeValue({ polys, counts, size, vertices }: PolyWork, a: number, b: number): number {
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
  // Both ends of the edge must stay convex, and not become straight.
  if (area2(vertices, 3 * polys[pa + ((ea + na - 1) % na)], a0, 3 * polys[pb + ((eb + 2) % nb)]) >= 0) return -1;
  if (area2(vertices, 3 * polys[pb + ((eb + nb - 1) % nb)], 3 * polys[pb + eb], 3 * polys[pa + ((ea + 2) % na)]) >= 0)
    return -1;
  const dx = vertices[a0] - vertices[a1];
  const dz = vertices[a0 + 2] - vertices[a1 + 2];
  return dx * dx + dz * dz;
}

/** Merges the pair of greatest value (of several the first by its polygons' numbers); false: none can be. */
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
  // Polygon a becomes both, from the end of their common edge on; the last polygon moves into the place that has become free.
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
    // What has changed: pairs of the merged polygon, and of the moved one.
    pairs[end + 2] = p === a || q === a || p !== oldP || q !== oldQ ? mergeValue(work, low, high) : pairs[k + 2];
    end += 3;
  }
  pairs.length = end;
  return true;
}
