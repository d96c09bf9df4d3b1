/**
 * Checks the bounding-volume tree of one tile: one depth-first tree over the tile's polygons, nested subtrees
 * and boxes, one leaf per polygon, one subtree per island.
 *
 * In: a tile whose polygons are sound.
 * Out: reports through `expect`.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { polyBounds } from '../tiles/bv-tree.ts';
import { groupOfPoly } from '../named.ts';
import type { Expect } from './report.ts';
import type { NavMesh } from '../types.ts';

const box = new Float64Array(6);

export function checkTree(mesh: NavMesh, slot: number, expect: Expect): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  const first = mesh.tileNodeStart[slot];
  const count = mesh.tileNodeCount[slot];
  const polyStart = mesh.tilePolyStart[slot];
  const polyCount = mesh.tilePolyCount[slot];
  if (!expect(count === Math.max(0, 2 * polyCount - 1), 'tree-shape', 'tileNodeCount', slot)) return;
  // Node of each polygon; -1 until its leaf was met.
  const leafNode = new Int32Array(polyCount).fill(-1);
  const leavesBefore = new Int32Array(count + 1);
  // The inner nodes that contain the current node, outermost first.
  const path = new Int32Array(count);
  let depth = 0;
  for (let i = 0; i < count; i++) {
    const node = first + i;
    const item = bvItem[node];
    while (depth > 0 && path[depth - 1] - bvItem[path[depth - 1]] <= node) depth--;
    const parent = depth > 0 ? path[depth - 1] : -1;
    const end = depth > 0 ? parent - bvItem[parent] : first + count;
    if (
      !expect((depth > 0 || i === 0) && item !== -1 && node - Math.min(item, -1) <= end, 'tree-shape', 'bvItem', node)
    )
      return;
    leavesBefore[i + 1] = leavesBefore[i];
    if (item < 0) {
      path[depth++] = node;
    } else {
      if (!expect(item >= polyStart && leafNode[item - polyStart] === -1, 'tree-item', 'bvItem', node)) return;
      leafNode[item - polyStart] = i;
      leavesBefore[i + 1]++;
      polyBounds(box, 0, mesh, item);
    }
    for (let k = 0; k < 3; k++) {
      const low = bvBounds[6 * node + k];
      const high = bvBounds[6 * node + 3 + k];
      const min = tileBounds[6 * slot + k];
      expect(
        low <= high &&
          (parent < 0 || (low >= bvBounds[6 * parent + k] && high <= bvBounds[6 * parent + 3 + k])) &&
          (item < 0 || (box[k] - min >= low && box[3 + k] - min <= high)),
        'tree-bounds',
        'bvBounds',
        6 * node + k,
      );
    }
  }
  const isWhole = expect(leavesBefore[count] === polyCount, 'tree-shape', 'tileNodeStart', slot);
  if (isWhole) checkIslands(mesh, slot, leafNode, leavesBefore, expect);
}

/**
 * Checks that each island's name is the root of a subtree with exactly its polygons, and that neighbors share
 * one name, unless one of them is of another named group.
 */
function checkIslands(
  mesh: NavMesh,
  slot: number,
  leafNode: Int32Array,
  leavesBefore: Int32Array,
  expect: Expect,
): void {
  const { polyIsland, bvItem, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const polyStart = mesh.tilePolyStart[slot];
  const members = new Int32Array(leavesBefore.length);
  const endOf = (island: number): number => island + Math.max(1, -bvItem[mesh.tileNodeStart[slot] + island]);
  for (let i = 0; i < leafNode.length; i++) {
    const poly = polyStart + i;
    const island = polyIsland[poly];
    let isGood = leafNode[i] >= island && leafNode[i] < endOf(island);
    for (let e = polyEdgeStart[poly]; e < polyEdgeStart[poly] + polyVertexCount[poly]; e++) {
      const other = edgeNeighbor[e];
      const isOne = other < 0 || groupOfPoly(mesh, other) === groupOfPoly(mesh, poly);
      if (other >= 0 && (polyIsland[other] === island) !== isOne) isGood = false;
    }
    if (!expect(isGood && island >= 0, 'island', 'polyIsland', poly)) return;
    members[island]++;
  }
  for (let i = 0; i < leafNode.length; i++) {
    const island = polyIsland[polyStart + i];
    const leaves = leavesBefore[endOf(island)] - leavesBefore[island];
    if (!expect(members[island] === leaves, 'island', 'polyIsland', polyStart + i)) return;
  }
}
