/**
 * The edges of a NavMesh's polygons by kind, straight from corner to corner: one line an edge, which is what
 * the layers count. `navMeshOutlines` of navkiln/debug follows the detail triangles instead.
 */
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../state/state.ts';

export function forEachPoly(mesh: NavMesh, visit: (poly: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const start = mesh.tilePolyStart[slot];
    const end = start + mesh.tilePolyCount[slot];
    for (let poly = start; poly < end; poly++) visit(poly);
  }
}

export type EdgeKind = 'inner' | 'wall' | 'border';

/** Two points an edge, lifted a little. Edges between two polygons come once. */
export function edgeArrays(mesh: NavMesh, origin: Vec3, kind: EdgeKind, lift: number): Float32Array {
  const out: number[] = [];
  forEachPoly(mesh, (poly) => {
    const first = mesh.polyEdgeStart[poly];
    const count = mesh.polyVertexCount[poly];
    for (let k = 0; k < count; k++) {
      const neighbor = mesh.edgeNeighbor[first + k];
      const found: EdgeKind = neighbor >= 0 ? 'inner' : neighbor === -1 ? 'wall' : 'border';
      if (found !== kind || (kind === 'inner' && neighbor < poly)) continue;
      for (const at of [mesh.edgeVertex[first + k], mesh.edgeVertex[first + ((k + 1) % count)]]) {
        const { vertices } = mesh;
        out.push(
          vertices[3 * at] - origin[0],
          vertices[3 * at + 1] - origin[1] + lift,
          vertices[3 * at + 2] - origin[2],
        );
      }
    }
  });
  return Float32Array.from(out);
}
