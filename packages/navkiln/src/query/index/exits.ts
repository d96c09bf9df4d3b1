/**
 * Hashes the exits of a polygon, so that an update can find polygons whose exits have changed.
 *
 * In: a mesh, a filter, a polygon.
 * Out: 32 bits.
 * Cost: linear in its edges and portals.
 * Based on: own.
 */
import { mixNumbers } from '../../base/data/hash.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';

const spans = new Float64Array(2);
const spanWords = new Int32Array(spans.buffer);

/** Returns a hash of a polygon's exits and the polygons behind them that pass a filter. It does not depend on positions in the pools. */
export function hashExits(mesh: NavMesh, filter: QueryFilter, poly: number): number {
  const { edgeNeighbor, polyTile, tilePolyStart, tileGeneration, portalPoly } = mesh;
  const first = mesh.polyEdgeStart[poly];
  let hash = mesh.polyVertexCount[poly];
  for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
    const other = edgeNeighbor[first + k];
    if (other < 0 || !passesFilter(filter, mesh, other)) continue;
    hash = mixNumbers(hash, k, other - tilePolyStart[polyTile[other]]);
  }
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    const other = portalPoly[l];
    if (!passesFilter(filter, mesh, other)) continue;
    const slot = polyTile[other];
    hash = mixNumbers(hash, mesh.portalEdge[l] - first, other - tilePolyStart[slot]);
    hash = mixNumbers(hash, slot, tileGeneration[slot]);
    spans[0] = mesh.portalSpan[2 * l];
    spans[1] = mesh.portalSpan[2 * l + 1];
    for (let k = 0; k < 4; k++) hash = mixNumbers(hash, spanWords[k]);
  }
  return hash >>> 0;
}
