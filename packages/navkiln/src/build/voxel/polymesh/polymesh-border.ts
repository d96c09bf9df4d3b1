/**
 * Removes vertices that contours have only because a tile's border cuts regions there.
 *
 * Two tiles see different regions along their common side, so the corners between regions do not agree.
 * Without these corners the border's edges run from one real corner to the next, equal in both tiles.
 *
 * In: polygons being built. Out: the same without those vertices. The polygons at a vertex are removed, their
 *   rim becomes a ring, and the ring's polygons are added at the end.
 * Cost: polygons x vertices removed, a search for a number in an array.
 * Based on: Mikko Mononen, Recast (2009), canRemoveVertex and removeVertex. Recast renumbers vertices after
 *   each removal; here they are renumbered once.
 */
import { addPolys } from './polymesh-merge.ts';
import type { PolyMeshProblems, PolyWork } from './polymesh-merge.ts';

/**
 * Removes the vertices `onBorder` where possible. Returns the number of vertices removed. Rings that could not be
 * triangulated completely are added to `problems`.
 */
export function removeBorderVertices(
  work: PolyWork,
  onBorder: ReadonlySet<number>,
  vertexCount: number,
  problems: PolyMeshProblems,
): number {
  const { vertices, polys, size } = work;
  const gone = new Set([...onBorder].sort((a, b) => a - b).filter((vertex) => removeVertex(work, vertex, problems)));
  if (gone.size === 0) return 0;
  const numberOf: number[] = [];
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    numberOf[v] = count;
    if (!gone.has(v)) vertices.copyWithin(3 * count++, 3 * v, 3 * v + 3);
  }
  for (let slot = 0; slot < work.count * size; slot++) polys[slot] = numberOf[polys[slot]] ?? -1;
  return gone.size;
}

/**
 * Removes a vertex. Returns false when too little is left around it, or its polygons are not all adjacent.
 */
function removeVertex(work: PolyWork, vertex: number, problems: PolyMeshProblems): boolean {
  const { polys, counts, region, area, size, vertices } = work;
  /** Returns the first polygon from p on that has the vertex; -1: none. */
  const next = (p: number): number => {
    const slot = polys.subarray(0, work.count * size).indexOf(vertex, p * size);
    return slot === -1 ? -1 : (slot / size) | 0;
  };
  let left = 0;
  // Polygons at each edge of the vertex, by the edge's other end.
  const shared = new Map<number, number>();
  for (let p = next(0); p !== -1; p = next(p + 1)) {
    left--;
    for (const [a, b] of edgesOf(work, p)) {
      if (b !== vertex) left++;
      const other = a === vertex ? b : a;
      if (a === vertex || b === vertex) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }
  if (left <= 2 || [...shared.values()].filter((count) => count < 2).length > 2) return false;

  // Edges of the rim: two vertices, region and area.
  const edges: number[][] = [];
  for (let p = next(0); p !== -1; p = next(p)) {
    for (const [a, b] of edgesOf(work, p)) if (a !== vertex && b !== vertex) edges.push([a, b, region[p], area[p]]);
    const last = --work.count;
    polys.copyWithin(p * size, last * size, last * size + size);
    counts[p] = counts[last];
    region[p] = region[last];
    area[p] = area[last];
  }
  if (edges.length === 0) return true;

  // A chain of vertices, each with region and area of an adjacent edge. It grows at both ends, round after
  // round.
  const chain = [[edges[0][0], ...edges[0].slice(2)]];
  for (let before = -1; before !== edges.length;) {
    before = edges.length;
    for (let i = 0; i < edges.length; i++) {
      const [a, b, ...rest] = edges[i] as [number, number, number, number];
      if (chain[0][0] === b) chain.unshift([a, ...rest]);
      else if (chain.at(-1)![0] === a) chain.push([b, ...rest]);
      else continue;
      // The last edge replaces this one and is tested next.
      edges[i--] = edges.at(-1)!;
      edges.pop();
    }
  }
  const [indices, regions, areas] = [0, 1, 2].map((k) => chain.map((one) => one[k])) as [number[], number[], number[]];
  const points = Int32Array.from(indices.flatMap((v) => [vertices[3 * v], 0, vertices[3 * v + 2], 0]));
  const isComplete = addPolys(work, { points, base: 0, count: indices.length, indices, regions, areas });
  if (!isComplete) problems.contoursNotTriangulated++;
  return true;
}

/** Returns the two vertices of each edge, beginning with the edge to the first vertex. */
function edgesOf({ polys, counts, size }: PolyWork, p: number): [number, number][] {
  const poly = [...polys.subarray(p * size, p * size + counts[p])];
  return poly.map((b, k) => [poly.at(k - 1)!, b]);
}
