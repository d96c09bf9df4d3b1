/**
 * Fills the table of distances between corners, and of the last edge on the path from one to the other.
 *
 * The edge is stored in the row of the first corner, so that tracing a path back from any corner stays within that row
 * of memory.
 *
 * In: an index with its graph of corners.
 * Out: one row of the table for each call.
 * Cost: O(m log n) for each corner.
 * Based on: Edsger W. Dijkstra, A note on two problems in connexion with graphs, 1959.
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import type { MinHeap } from '../../../base/data/min-heap.ts';
import { linkFrom, linkLengthAt } from '../links.ts';
import type { PathIndex } from '../types.ts';

/** Memory of a search from one corner. */
export interface RowState {
  heap: MinHeap;
  length: Float64Array;
  isDone: Uint8Array;
  /** Per edge: the number of its reverse edge among the edges of its target. */
  edgeBack: Int32Array;
}

export function createRowState(index: PathIndex): RowState {
  const { cornerCount, edgeTarget } = index;
  const edgeBack = new Int32Array(edgeTarget.length);
  // Edges are ordered by target, so edges to a corner come in the order of its own edges.
  const next = new Int32Array(cornerCount);
  for (let edge = 0; edge < edgeTarget.length; edge++) edgeBack[edge] = next[edgeTarget[edge]]++;
  return {
    heap: createMinHeap(),
    length: new Float64Array(cornerCount),
    isDone: new Uint8Array(cornerCount),
    edgeBack,
  };
}

/** Returns the bytes of one entry of the table. */
export function tableEntryBytes(index: PathIndex): number {
  return largestDegree(index) < 256 ? 5 : 6;
}

/** Creates the table, filled with "unreachable". */
export function createTable(out: PathIndex): void {
  const size = out.cornerCount * out.cornerCount;
  out.tableLength = new Float32Array(size).fill(Infinity);
  out.tableHop = largestDegree(out) < 256 ? new Uint8Array(size) : new Uint16Array(size);
}

function largestDegree({ cornerCount, edgeStart }: PathIndex): number {
  let largest = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    largest = Math.max(largest, edgeStart[corner + 1] - edgeStart[corner]);
  }
  return largest;
}

/** Fills the row of one corner. */
export function fillRow(out: PathIndex, state: RowState, corner: number): void {
  const { edgeStart, edgeTarget, edgeLength, tableLength, tableHop, cornerCount } = out;
  const { heap, length, isDone, edgeBack } = state;
  const row = corner * cornerCount;
  length.fill(Infinity);
  isDone.fill(0);
  heap.count = 0;
  length[corner] = 0;
  pushItem(heap, corner, length);
  while (heap.count > 0) {
    const at = popItem(heap);
    if (isDone[at] === 1) continue;
    isDone[at] = 1;
    tableLength[row + at] = length[at];
    for (let i = edgeStart[at]; i < edgeStart[at + 1]; i++) {
      const other = edgeTarget[i];
      const total = length[at] + edgeLength[i];
      if (total >= length[other]) continue;
      length[other] = total;
      tableHop[row + other] = edgeBack[i];
      pushItem(heap, other, length);
    }
    const over = linkFrom(out, at);
    if (over < 0 || length[at] + linkLengthAt(out, at) >= length[over]) continue;
    length[over] = length[at] + linkLengthAt(out, at);
    tableHop[row + over] = edgeStart[over + 1] - edgeStart[over];
    pushItem(heap, over, length);
  }
}
