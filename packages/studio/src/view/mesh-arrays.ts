/**
 * The edges of polygons by kind, as straight lines from vertex to vertex. Layers count one line per edge,
 * whereas `navMeshOutlines` of navkiln/debug follows the detail triangles.
 */
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../state/state.ts';

/** Calls `visit` with the dense index of each polygon. */
export function forEachPoly(mesh: NavMesh, visit: (poly: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const start = mesh.tilePolyStart[slot];
    const end = start + mesh.tilePolyCount[slot];
    for (let poly = start; poly < end; poly++) visit(poly);
  }
}

export type EdgeKind = 'inner' | 'wall' | 'border';

/**
 * Returns two points for each edge of a kind, raised by `lift` world units. Edges between two polygons are
 * listed once. Polygons that are marked in `leftOut` have none.
 */
export function edgeArrays(
  mesh: NavMesh,
  origin: Vec3,
  kind: EdgeKind,
  lift: number,
  leftOut?: Uint8Array,
): Float32Array {
  const out: number[] = [];
  forEachPoly(mesh, (poly) => {
    if (leftOut?.[poly] === 1) return;
    const first = mesh.polyEdgeStart[poly];
    const count = mesh.polyVertexCount[poly];
    for (let k = 0; k < count; k++) {
      const neighbor = mesh.edgeNeighbor[first + k];
      const edgeKind: EdgeKind = neighbor >= 0 ? 'inner' : neighbor === -1 ? 'wall' : 'border';
      if (edgeKind !== kind || (kind === 'inner' && neighbor < poly)) continue;
      for (const vertex of [mesh.edgeVertex[first + k], mesh.edgeVertex[first + ((k + 1) % count)]]) {
        const { vertices } = mesh;
        out.push(
          vertices[3 * vertex] - origin[0],
          vertices[3 * vertex + 1] - origin[1] + lift,
          vertices[3 * vertex + 2] - origin[2],
        );
      }
    }
  });
  return Float32Array.from(out);
}
