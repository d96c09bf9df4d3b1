/**
 * Adjacency: which polygon lies on the other side of each edge, and which edges lie on the tile's border.
 *
 * Input: polygons of a PolyMesh. Output: its `neighbors`. Cost: expected constant per edge (edges hang on their lower vertex).
 * Of more than two polygons at one edge, the first two that fit are connected, as in Recast.
 *
 * Based on: Eric Lengyel, Building an edge list for an arbitrary mesh (2005); Mikko Mononen, Recast (2009).
 */
import type { PolyMesh } from './types.ts';

/** @param width, depth of the tile in cells, for its border */
export function buildAdjacency(mesh: PolyMesh, width: number, depth: number): void {
  const { polys, polyCount, vertexCount, maxVerticesPerPoly: size, neighbors, vertices } = mesh;
  const first = new Int32Array(vertexCount).fill(-1);
  // An edge is named by its slot in `polys`; only those that run from the lower to the higher vertex hang on a chain.
  const next = new Int32Array(polys.length);
  for (let p = 0; p < polyCount; p++) {
    for (let slot = p * size, end = slot + size; slot < end && polys[slot] !== -1; slot++) {
      const a = polys[slot]!, b = endOf(polys, size, p, slot);
      if (a < b) {
        next[slot] = first[a]!;
        first[a] = slot;
      }
    }
  }
  for (let p = 0; p < polyCount; p++) {
    for (let slot = p * size, end = slot + size; slot < end && polys[slot] !== -1; slot++) {
      const a = polys[slot]!, b = endOf(polys, size, p, slot);
      if (a <= b) continue;
      for (let e = first[b]!; e !== -1; e = next[e]!) {
        const owner = (e / size) | 0;
        if (neighbors[e] === -1 && endOf(polys, size, owner, e) === a) {
          // Recast takes a polygon's meeting with itself for "still free", too.
          if (owner !== p) {
            neighbors[e] = p;
            neighbors[slot] = owner;
          }
          break;
        }
      }
    }
  }
  if (mesh.borderCells <= 0) return;
  for (let p = 0; p < polyCount; p++) {
    for (let slot = p * size, end = slot + size; slot < end && polys[slot] !== -1; slot++) {
      if (neighbors[slot] !== -1) continue;
      const a = 3 * polys[slot]!, b = 3 * endOf(polys, size, p, slot);
      if (vertices[a] === 0 && vertices[b] === 0) neighbors[slot] = -2;
      else if (vertices[a + 2] === depth && vertices[b + 2] === depth) neighbors[slot] = -3;
      else if (vertices[a] === width && vertices[b] === width) neighbors[slot] = -4;
      else if (vertices[a + 2] === 0 && vertices[b + 2] === 0) neighbors[slot] = -5;
    }
  }
}

function endOf(polys: Int32Array, size: number, poly: number, slot: number): number {
  const next = slot + 1;
  return next === (poly + 1) * size || polys[next] === -1 ? polys[poly * size]! : polys[next]!;
}
