/**
 * Finds the polygon on the other side of each edge, and the edges on the tile's border.
 *
 * If more than two polygons share an edge, the first two that fit are connected, as in Recast.
 *
 * In: the polygons of a PolyMesh. Out: its `neighbors`.
 * Cost: expected constant per edge; edges are chained at their lower vertex.
 * Based on: Eric Lengyel, Building an edge list for an arbitrary mesh (2005); Mikko Mononen, Recast (2009).
 */
import type { PolyMesh } from '../types.ts';

/**
 * Fills `neighbors` of a mesh.
 *
 * @param width, depth size of the tile in cells without its border
 */
export function buildAdjacency(mesh: PolyMesh, width: number, depth: number): void {
  const { polys, vertexCount, maxVerticesPerPoly: size, neighbors, vertices: v } = mesh;
  // An edge is named by its slot in `polys`. Only edges from the lower to the higher vertex are chained.
  const first = new Int32Array(vertexCount).fill(-1);
  const next = new Int32Array(polys.length);
  const ends = new Int32Array(polys.length);
  for (let slot = 0; slot < polys.length; slot++) {
    const a = polys[slot];
    const after = slot + 1;
    const b = (ends[slot] = after % size === 0 || polys[after] === -1 ? polys[slot - (slot % size)] : polys[after]);
    if (a !== -1 && a < b) {
      next[slot] = first[a];
      first[a] = slot;
    }
  }
  for (let slot = 0; slot < polys.length; slot++) {
    const a = polys[slot];
    const b = ends[slot];
    if (a <= b) continue;
    let e = first[b];
    while (e !== -1 && (neighbors[e] !== -1 || ends[e] !== a)) e = next[e];
    const p = (slot / size) | 0;
    const owner = (e / size) | 0;
    // An edge at which a polygon meets itself stays free, as in Recast.
    if (e !== -1 && owner !== p) {
      neighbors[e] = p;
      neighbors[slot] = owner;
    }
  }
  if (mesh.borderCells <= 0) return;
  for (let slot = 0; slot < polys.length; slot++) {
    if (polys[slot] === -1 || neighbors[slot] !== -1) continue;
    const ax = v[3 * polys[slot]];
    const az = v[3 * polys[slot] + 2];
    const bx = v[3 * ends[slot]];
    const bz = v[3 * ends[slot] + 2];
    const side = [ax | bx, (depth - az) | (depth - bz), (width - ax) | (width - bx), az | bz].indexOf(0);
    if (side !== -1) neighbors[slot] = -2 - side;
  }
}
