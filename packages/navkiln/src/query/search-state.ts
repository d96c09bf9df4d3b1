/**
 * What a search over polygons remembers: one node a polygon, found by its dense index (and more over tiles and links, see
 * a-star.ts), and a heap of open nodes.
 *
 * Nothing is cleared between searches: a node belongs to the current one when its stamp says so. The arrays grow with the
 * mesh and are then reused, by any mesh.
 *
 * The heap is a binary one that knows where each node stands, so lowering a key is O(log n). Ties: a node moves up only
 * past strictly larger keys; on the way down the left child goes first unless the right one is strictly smaller; a popped
 * root's place is filled by sinking the hole to the bottom and letting the last node rise from there (as in Detour). That order
 * decides between paths of equal cost, and is deterministic. `pushOrLower` and `popNode` are what wall.ts uses; a-star.ts has
 * the heap written out in its loop, where the last node sinks from the top.
 */
import type { NavMesh } from '../navmesh/types.ts';

export interface SearchState {
  /** Nodes there is room for. */
  capacity: number;
  stamp: number;
  nodeStamp: Int32Array;
  /** 4 a node: where the path enters the polygon (x, y, z) and the estimate from there on. */
  node: Float64Array;
  nodeCost: Float64Array;
  nodeParent: Int32Array;
  /** Edge of the parent that leads here. */
  nodeCrossing: Int32Array;
  /** Place in the heap, -1: closed. */
  nodeHeapIndex: Int32Array;
  heapSize: number;
  heapNode: Int32Array;
  /** Has room for one more. */
  heapKey: Float64Array;
  /** Of a search for a corridor: where it goes, and how far it has come. See a-star.ts. */
  endPoly: number;
  /** The end (x, y, z), what a straight distance is multiplied by for an estimate, the least estimate so far. */
  goal: Float64Array;
  /** To be expanded next; the end: reached; -1: there is none left. */
  best: number;
  /** The node nearest to the end so far. */
  nearest: number;
  visitedCount: number;
  /** Nodes expanded so far. */
  expandedCount: number;
  /** Polygons were left out because of the budget. */
  isShort: boolean;
}

export function createSearchState(): SearchState {
  return {
    ...sizedArrays(0),
    stamp: 0,
    heapSize: 0,
    endPoly: -1,
    goal: new Float64Array(5),
    best: -1,
    nearest: -1,
    visitedCount: 0,
    expandedCount: 0,
    isShort: false,
  };
}

function sizedArrays(capacity: number) {
  return {
    capacity,
    nodeStamp: new Int32Array(capacity),
    node: new Float64Array(4 * capacity),
    nodeCost: new Float64Array(capacity),
    nodeParent: new Int32Array(capacity),
    nodeCrossing: new Int32Array(capacity),
    nodeHeapIndex: new Int32Array(capacity),
    heapNode: new Int32Array(capacity),
    heapKey: new Float64Array(capacity + 1),
  };
}

/** Makes the state ready for a search on this mesh. */
export function beginSearch(state: SearchState, mesh: NavMesh): void {
  const count = mesh.polyCount + mesh.portalCount + 2 * mesh.linkCount;
  if (count > state.capacity) Object.assign(state, sizedArrays(Math.max(count, 2 * state.capacity)));
  state.heapSize = 0;
  state.stamp++;
  if (state.stamp > 0x7fffffff) {
    state.nodeStamp.fill(0);
    state.stamp = 1;
  }
}

// A node's key is its cost and its estimate, taken from the node: a number handed over might have to be allocated.

/** Puts a node into the heap, or moves it up when it is there with a larger key. */
export function pushOrLower(state: SearchState, node: number): void {
  const { nodeHeapIndex } = state;
  let at = nodeHeapIndex[node];
  if (at < 0) at = state.heapSize++;
  // In its place first: a number handed over might have to be allocated.
  state.heapKey[at] = state.nodeCost[node] + state.node[4 * node + 3];
  rise(state.heapNode, state.heapKey, nodeHeapIndex, at, node, at);
}

/** Takes out the node with the least key. The heap must not be empty. */
export function popNode(state: SearchState): number {
  const { heapNode, heapKey, nodeHeapIndex } = state;
  const top = heapNode[0];
  nodeHeapIndex[top] = -1;
  const size = --state.heapSize;
  if (size === 0) return top;
  let at = 0;
  let child = 1;
  while (child < size) {
    if (child + 1 < size && heapKey[child] > heapKey[child + 1]) child++;
    const moved = heapNode[child];
    heapNode[at] = moved;
    heapKey[at] = heapKey[child];
    nodeHeapIndex[moved] = at;
    at = child;
    child = 2 * at + 1;
  }
  rise(heapNode, heapKey, nodeHeapIndex, at, heapNode[size], size);
  return top;
}

function rise(
  heapNode: Int32Array,
  heapKey: Float64Array,
  nodeHeapIndex: Int32Array,
  from: number,
  node: number,
  keyAt: number,
): void {
  const key = heapKey[keyAt];
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const parentKey = heapKey[parent];
    if (!(parentKey > key)) break;
    const moved = heapNode[parent];
    heapNode[at] = moved;
    heapKey[at] = parentKey;
    nodeHeapIndex[moved] = at;
    at = parent;
  }
  heapNode[at] = node;
  heapKey[at] = key;
  nodeHeapIndex[node] = at;
}
