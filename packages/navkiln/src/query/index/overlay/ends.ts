/**
 * Measures the approximate lengths from a position to the gates of its cell.
 *
 * Lengths spread from polygon to polygon, over the middles of the edges between them, within the cell.
 *
 * In: an index with an overlay, a position on a polygon.
 * Out: a length per gate of the cell; Infinity: not reached.
 * Cost: O(m log m) in the polygons of the cell.
 * Based on: Edsger W. Dijkstra, A note on two problems in connexion with graphs, 1959.
 */
import { portalCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { beginNodes, popNode, pushOrLower } from '../../search-state.ts';
import type { SearchState } from '../../search-state.ts';
import type { PathIndex } from '../types.ts';

/** Lengths from a position to the gates of its cell, in the order of the gates. The array may be longer. */
export interface EndLengths {
  cell: number;
  lengths: Float64Array;
}

const ends = new Float64Array(6);

export function createEndLengths(): EndLengths {
  return { cell: -1, lengths: new Float64Array(0) };
}

/** Kernel. Writes the lengths from a position on a polygon. */
// oxlint-disable-next-line max-params -- kernel: a position is a polygon and a point
export function measureEnd(
  out: EndLengths,
  state: SearchState,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  point: Float64Array,
): void {
  const { polyCell, cellGateStart, cellGates, gatePoly, gateCell, gatePoint } = index;
  const { edgeNeighbor, polyEdgeStart, polyVertexCount, polyPortal, portalNext, portalPoly } = mesh;
  beginNodes(state, mesh.polyCount);
  const { stamp, nodeStamp, nodeCost, nodeHeapIndex, node } = state;
  const cell = polyCell[poly];
  out.cell = cell;
  nodeStamp[poly] = stamp;
  nodeCost[poly] = 0;
  nodeHeapIndex[poly] = -1;
  node[4 * poly] = point[0];
  node[4 * poly + 2] = point[2];
  node[4 * poly + 3] = 0;
  pushOrLower(state, poly);
  while (state.heapSize > 0) {
    const at = popNode(state);
    const first = polyEdgeStart[at];
    const end = first + polyVertexCount[at];
    let portal = polyPortal[at];
    for (let edge = first; edge < end || portal >= 0; edge++) {
      let crossing = edge;
      let other = -1;
      if (edge < end) {
        other = edgeNeighbor[edge];
      } else {
        crossing = portalCrossing(portal);
        other = portalPoly[portal];
        portal = portalNext[portal];
      }
      if (other < 0 || polyCell[other] !== cell || !passesFilter(filter, mesh, other)) continue;
      setCrossingEnds(ends, mesh, at, crossing);
      const x = (ends[0] + ends[3]) / 2;
      const z = (ends[2] + ends[5]) / 2;
      const dx = x - node[4 * at];
      const dz = z - node[4 * at + 2];
      const total = nodeCost[at] + Math.sqrt(dx * dx + dz * dz);
      if (nodeStamp[other] !== stamp) {
        nodeStamp[other] = stamp;
        nodeHeapIndex[other] = -1;
      } else if (total >= nodeCost[other]) {
        continue;
      }
      nodeCost[other] = total;
      node[4 * other] = x;
      node[4 * other + 2] = z;
      node[4 * other + 3] = 0;
      pushOrLower(state, other);
    }
  }
  const first = cellGateStart[cell];
  const count = cellGateStart[cell + 1] - first;
  if (out.lengths.length < count) out.lengths = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const gate = cellGates[first + i];
    const side = gateCell[2 * gate] === cell ? 0 : 1;
    const place = gatePoly[2 * gate + side];
    out.lengths[i] = Infinity;
    if (nodeStamp[place] !== stamp) continue;
    const dx = gatePoint[3 * gate] - node[4 * place];
    const dz = gatePoint[3 * gate + 2] - node[4 * place + 2];
    out.lengths[i] = nodeCost[place] + Math.sqrt(dx * dx + dz * dz);
  }
}
