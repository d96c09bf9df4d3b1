/**
 * The edges of polygons by kind, as straight lines from vertex to vertex. Layers count one line per edge,
 * whereas `navMeshOutlines` of navkiln/debug follows the detail triangles.
 */
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../state/state.ts';
import type { Part } from './layers.ts';

/** Calls `visit` with the dense index of each polygon. */
export function forEachPoly(mesh: NavMesh, visit: (poly: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const start = mesh.tilePolyStart[slot];
    const end = start + mesh.tilePolyCount[slot];
    for (let poly = start; poly < end; poly++) visit(poly);
  }
}

const ALL: Part = { start: 0, end: Infinity };

export type EdgeKind = 'inner' | 'wall' | 'border';

/**
 * Returns two points for each edge of a kind, raised by `lift` world units. Edges between two polygons are
 * listed once. Polygons that are marked in `leftOut` or are not in `part` have none.
 */
export function edgeArrays(
  mesh: NavMesh,
  origin: Vec3,
  kind: EdgeKind,
  lift: number,
  { leftOut, part: { start, end } = ALL }: { leftOut?: Uint8Array; part?: Part } = {},
): Float32Array {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const [originX, originY, originZ] = [origin[0], origin[1] - lift, origin[2]];
  let out = new Float32Array(0);
  let length = 0;
  // First the edges are counted, then written: lists that grow would block the page for large meshes.
  for (const isCounting of [true, false]) {
    if (!isCounting) out = new Float32Array(length);
    length = 0;
    forEachPoly(mesh, (poly) => {
      if (leftOut?.[poly] === 1 || poly < start || poly >= end) return;
      const first = polyEdgeStart[poly];
      const count = polyVertexCount[poly];
      for (let k = 0; k < count; k++) {
        const neighbor = edgeNeighbor[first + k];
        const isKind = kind === 'inner' ? neighbor >= poly : kind === 'wall' ? neighbor === -1 : neighbor < -1;
        if (!isKind) continue;
        length += 6;
        if (isCounting) continue;
        const [a, b] = [3 * edgeVertex[first + k], 3 * edgeVertex[first + (k + 1 === count ? 0 : k + 1)]];
        out[length - 6] = vertices[a] - originX;
        out[length - 5] = vertices[a + 1] - originY;
        out[length - 4] = vertices[a + 2] - originZ;
        out[length - 3] = vertices[b] - originX;
        out[length - 2] = vertices[b + 1] - originY;
        out[length - 1] = vertices[b + 2] - originZ;
      }
    });
  }
  return out;
}
