/**
 * Moves gates from the outline of polygons slightly inwards, so that rays between them need no exact tests.
 */
import type { NavMesh } from '../../../mesh/types.ts';

/** Distance that gates are moved, as a share of the distance to the middle of the polygon. */
const INWARD = 1e-4;

/** Writes the position at points[3 * gate], moved towards the middle of a polygon, to out[0 .. 2]. */
export function setInside(out: Float64Array, mesh: NavMesh, poly: number, points: Float64Array, gate: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let e = first; e < first + count; e++) sum += vertices[3 * edgeVertex[e] + k];
    out[k] = points[3 * gate + k] + INWARD * (sum / count - points[3 * gate + k]);
  }
}
