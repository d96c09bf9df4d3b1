/**
 * A tree of the widest passages between triangles. The narrowest edge between two triangles in the tree is the narrowest edge of the widest
 * route between them. So a walk up the tree decides whether an agent of any radius can get from one to the other.
 *
 * Edges join sets of triangles, beginning with the widest edge. The root of the smaller set becomes a child of the larger set's root, so the
 * depth is logarithmic.
 *
 * Cost: O(n log n) to build, O(log n) per query.
 * Based on: the spanning tree of Joseph Kruskal, 1956. The union by size, without path compression, is the tree.
 */
import type { Clearance } from './types.ts';

type Tree = Pick<Clearance, 'parent' | 'parentWidth' | 'parentEdge'>;

export function joinTriangles(triangleCount: number, twin: Int32Array, width: Float64Array): Tree {
  const parent = new Int32Array(triangleCount).fill(-1);
  const parentWidth = new Float64Array(triangleCount).fill(-1);
  const parentEdge = new Int32Array(triangleCount).fill(-1);
  const size = new Int32Array(triangleCount).fill(1);
  const edges = new Int32Array(3 * triangleCount);
  let count = 0;
  for (let h = 0; h < 3 * triangleCount; h++) if (twin[h] > h) edges[count++] = h;
  const order = edges.subarray(0, count).sort((a, b) => width[b] - width[a] || a - b);
  for (const h of order) {
    let a = rootOf(parent, (h / 3) | 0);
    let b = rootOf(parent, (twin[h] / 3) | 0);
    if (a === b) continue;
    if (size[a] < size[b]) [a, b] = [b, a];
    size[a] += size[b];
    parent[b] = a;
    parentWidth[b] = width[h];
    parentEdge[b] = h;
  }
  return { parent, parentWidth, parentEdge };
}

function rootOf(parent: Int32Array, at: number): number {
  while (parent[at] >= 0) at = parent[at];
  return at;
}

/** Returns the narrowest half-edge of the widest route between two triangles; -1 if both are the same, -2 if there is no route. */
export function narrowestBetween({ parent, parentWidth, parentEdge }: Tree, a: number, b: number): number {
  let narrowest = -1;
  while (a !== b) {
    // Widths never increase towards the root, so the wider connection is climbed first.
    if (parentWidth[a] < parentWidth[b]) [a, b] = [b, a];
    if (parent[a] < 0) return -2;
    narrowest = parentEdge[a];
    a = parent[a];
  }
  return narrowest;
}
