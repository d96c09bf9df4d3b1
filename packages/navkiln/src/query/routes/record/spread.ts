/**
 * Spreads lengths from a position over the polygons of its cell, over the middles of the edges between them.
 *
 * In: a position on a polygon, the cells of its tile.
 * Out: nodes of a search state: the reached polygons with their parents and crossings.
 * Cost: O(m log m) in the polygons of the cell.
 * Based on: Edsger W. Dijkstra, A note on two problems in connexion with graphs, 1959.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { clearPolys } from '../../path/corridor.ts';
import type { Corridor } from '../../path/corridor.ts';
import { beginNodes, popNode, pushOrLower } from '../../search-state.ts';
import type { SearchState } from '../../search-state.ts';
import type { TileCells } from './cells.ts';

/** Kernel. Spreads from a point on a polygon (dense index). */
export function spreadInCell(
  state: SearchState,
  mesh: NavMesh,
  cells: TileCells,
  poly: number,
  point: Float64Array,
): void {
  const { edgeNeighbor, edgeVertex, polyEdgeStart, polyVertexCount, vertices } = mesh;
  const polyStart = mesh.tilePolyStart[cells.slot];
  const { cellOf } = cells;
  const cell = cellOf[poly - polyStart];
  beginNodes(state, mesh.polyCount);
  const { stamp, nodeStamp, nodeCost, nodeHeapIndex, node, nodeParent, nodeCrossing } = state;
  nodeStamp[poly] = stamp;
  nodeCost[poly] = 0;
  nodeHeapIndex[poly] = -1;
  nodeParent[poly] = -1;
  for (let k = 0; k < 3; k++) node[4 * poly + k] = point[k];
  node[4 * poly + 3] = 0;
  pushOrLower(state, poly);
  while (state.heapSize > 0) {
    const at = popNode(state);
    const first = polyEdgeStart[at];
    const end = first + polyVertexCount[at];
    for (let edge = first; edge < end; edge++) {
      const other = edgeNeighbor[edge];
      if (other < 0 || cellOf[other - polyStart] !== cell) continue;
      const a = 3 * edgeVertex[edge];
      const b = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
      const x = (vertices[a] + vertices[b]) / 2;
      const y = (vertices[a + 1] + vertices[b + 1]) / 2;
      const z = (vertices[a + 2] + vertices[b + 2]) / 2;
      const dx = x - node[4 * at];
      const dy = y - node[4 * at + 1];
      const dz = z - node[4 * at + 2];
      const total = nodeCost[at] + Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (nodeStamp[other] !== stamp) {
        nodeStamp[other] = stamp;
        nodeHeapIndex[other] = -1;
      } else if (total >= nodeCost[other]) {
        continue;
      }
      nodeCost[other] = total;
      nodeParent[other] = at;
      nodeCrossing[other] = edge;
      node[4 * other] = x;
      node[4 * other + 1] = y;
      node[4 * other + 2] = z;
      node[4 * other + 3] = 0;
      pushOrLower(state, other);
    }
  }
}

/** Writes the polygons from the start of the last `spreadInCell` to a polygon that it has reached. */
export function traceInCell(out: Corridor, { nodeParent, nodeCrossing }: SearchState, poly: number): void {
  let count = 0;
  for (let at = poly; at >= 0; at = nodeParent[at]) count++;
  clearPolys(out, count);
  out.count = count;
  for (let at = poly; at >= 0; at = nodeParent[at]) {
    out.polys[--count] = at;
    if (count > 0) out.crossings[count - 1] = nodeCrossing[at];
  }
}
