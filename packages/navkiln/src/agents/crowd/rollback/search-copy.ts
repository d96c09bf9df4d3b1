/**
 * Copies the A* search of a crowd that is in progress: the nodes that it has visited, and its heap.
 *
 * A search is continued and never repeated, because standing bodies may have weighed in its earlier steps.
 *
 * In: the searches of a crowd. Out: a copy, or the search as it was, under another stamp.
 * Cost: a look at each node's stamp, and the visited nodes. Nothing without a search. No allocation once grown.
 * Based on: own.
 */
import { beginSearch } from '../../../query/search-state.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { Searches } from '../state/search-types.ts';
import { SEARCH_CORRIDOR } from '../search/record.ts';

const DOUBLES = 5;
const INTS = 4;

/** The visited nodes of a search: five doubles and four integers each, and the heap. */
export interface SearchCopy {
  isLive: boolean;
  nodeCount: number;
  heapSize: number;
  doubles: Float64Array;
  ints: Int32Array;
  heapNode: Int32Array;
  heapKey: Float64Array;
}

/** Creates a copy of no search. */
export function createSearchCopy(): SearchCopy {
  const none = new Float64Array(0);
  const empty = new Int32Array(0);
  return { isLive: false, nodeCount: 0, heapSize: 0, doubles: none, ints: empty, heapNode: empty, heapKey: none };
}

/** Copies the search in progress. `visitedCount` is the number of its nodes. */
export function copySearch(out: SearchCopy, { current, state }: Searches, mesh: NavMesh): void {
  out.isLive = current.slot >= 0 && current.kind === SEARCH_CORRIDOR && current.revision === mesh.revision;
  if (!out.isLive) return;
  const { stamp, nodeStamp, node, nodeCost, nodeParent, nodeCrossing, nodeHeapIndex, heapNode, heapKey } = state;
  reserve(out, state.visitedCount, state.heapSize);
  out.heapSize = state.heapSize;
  const { doubles, ints } = out;
  let [d, i] = [0, 0];
  // Nodes are not listed anywhere.
  for (let n = 0; n < nodeStamp.length; n++) {
    if (nodeStamp[n] !== stamp) continue;
    for (let k = 0; k < 4; k++) doubles[d++] = node[4 * n + k];
    doubles[d++] = nodeCost[n];
    ints[i++] = n;
    ints[i++] = nodeParent[n];
    ints[i++] = nodeCrossing[n];
    ints[i++] = nodeHeapIndex[n];
  }
  out.nodeCount = i / INTS;
  for (let k = 0; k < out.heapSize; k++) {
    out.heapNode[k] = heapNode[k];
    out.heapKey[k] = heapKey[k];
  }
}

/** Restores the search of a copy, except the fields that are copied by name. The mesh must be that of the copy. */
export function restoreSearch({ state }: Searches, mesh: NavMesh, copy: SearchCopy): void {
  if (!copy.isLive) return;
  beginSearch(state, mesh);
  const { stamp, nodeStamp, node, nodeCost, nodeParent, nodeCrossing, nodeHeapIndex, heapNode, heapKey } = state;
  const { doubles, ints } = copy;
  let [d, i] = [0, 0];
  for (let left = copy.nodeCount; left > 0; left--) {
    const n = ints[i++];
    nodeStamp[n] = stamp;
    for (let k = 0; k < 4; k++) node[4 * n + k] = doubles[d++];
    nodeCost[n] = doubles[d++];
    nodeParent[n] = ints[i++];
    nodeCrossing[n] = ints[i++];
    nodeHeapIndex[n] = ints[i++];
  }
  for (let k = 0; k < copy.heapSize; k++) {
    heapNode[k] = copy.heapNode[k];
    heapKey[k] = copy.heapKey[k];
  }
}

function reserve(out: SearchCopy, nodeCount: number, heapSize: number): void {
  if (out.ints.length < INTS * nodeCount) {
    out.doubles = new Float64Array(2 * DOUBLES * nodeCount);
    out.ints = new Int32Array(2 * INTS * nodeCount);
  }
  if (out.heapNode.length < heapSize) {
    out.heapNode = new Int32Array(2 * heapSize);
    out.heapKey = new Float64Array(2 * heapSize);
  }
}
