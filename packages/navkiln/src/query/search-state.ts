/**
 * State of a search over polygons: nodes, found by dense index, and a heap of open nodes.
 *
 * A polygon has one node; over tiles and links it has more (see a-star.ts). Nothing is cleared between
 * searches: a node belongs to the current search when its stamp says so. The arrays grow with the mesh and
 * serve any mesh afterwards.
 *
 * The heap is binary and stores the position of each node, so lowering a key is O(log n). Ties are resolved
 * deterministically, because they decide between paths of equal cost. A node rises only past strictly larger keys. A
 * hole sinks to the left child unless the right child is strictly smaller. `popNode` lets the root's hole sink to the
 * bottom and the last node rise from there, as Detour does. a-star.ts lets a node sink from the top instead.
 *
 * Cost: O(log n) per push and pop; 68 bytes per node.
 * Based on: Detour's dtNodePool and dtNodeQueue (Mikko Mononen, 2009), with arrays in place of a hash table.
 */
import type { NavMesh } from '../mesh/types.ts';

/**
 * Memory of a search. Create it once with `createSearchState`, reuse it for any mesh, and treat the fields as
 * read only.
 * @opaque visitedCount, expandedCount, isShort
 */
export interface SearchState {
  /** Number of nodes that the arrays hold. */
  capacity: number;
  /** Number of the current search. */
  stamp: number;
  /** The search that last visited the node. */
  nodeStamp: Int32Array;
  /** 4 per node: where the path enters the polygon (x, y, z), and the estimate from there to the end. */
  node: Float64Array;
  /** Cost from the start to the node. */
  nodeCost: Float64Array;
  /** The previous node; -1 for the start. */
  nodeParent: Int32Array;
  /** How the parent leads to the node: an edge, a portal or a link end; see mesh/crossing.ts. */
  nodeCrossing: Int32Array;
  /** Position in the heap; -1 when the node is not in it. */
  nodeHeapIndex: Int32Array;
  heapSize: number;
  heapNode: Int32Array;
  /** One longer than `heapNode`, for a sentinel. */
  heapKey: Float64Array;
  /** The start polygon of midpoints.ts. */
  startPoly: number;
  /** The polygon that a-star.ts and midpoints.ts search for. Only these two files use the fields from here on. */
  endPoly: number;
  /** The end point has a node of its own, because a link has both ends on `endPoly`. */
  hasEndNode: boolean;
  /** The end (x, y, z), the factor from straight distance to estimate, the smallest estimate so far. */
  goal: Float64Array;
  /**
   * The node to expand next; a node of the end polygon when the search is complete; -1 when no node is left.
   */
  best: number;
  /** The node nearest to the end so far. */
  nearest: number;
  /** Number of nodes visited so far. */
  visitedCount: number;
  /** Number of nodes expanded so far. */
  expandedCount: number;
  /** Nodes were left out because of the budget. */
  isShort: boolean;
}

/** Returns an empty state, which grows with the first search. */
export function createSearchState(): SearchState {
  return {
    ...sizedArrays(0),
    stamp: 0,
    heapSize: 0,
    startPoly: -1,
    endPoly: -1,
    hasEndNode: false,
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

/** Prepares the state for a search over the polygons of a mesh: a node for each, for portals, link ends and the end. */
export function beginSearch(state: SearchState, mesh: NavMesh): void {
  beginNodes(state, mesh.polyCount + mesh.portalCount + 2 * mesh.linkCount + 1);
}

/** Prepares the state for a search over `count` nodes. */
export function beginNodes(state: SearchState, count: number): void {
  if (count > state.capacity) Object.assign(state, sizedArrays(Math.max(count, 2 * state.capacity)));
  state.heapSize = 0;
  state.stamp++;
  if (state.stamp > 0x7fffffff) {
    state.nodeStamp.fill(0);
    state.stamp = 1;
  }
}

// A node's key is cost plus estimate. It is read from the arrays, because V8 may allocate doubles passed to a function.

/** Puts a node into the heap, or moves it up after its cost was lowered. */
export function pushOrLower(state: SearchState, node: number): void {
  const { nodeHeapIndex, heapNode, heapKey } = state;
  let at = nodeHeapIndex[node];
  if (at < 0) at = state.heapSize++;
  heapKey[at] = state.nodeCost[node] + state.node[4 * node + 3];
  riseInHeap(heapNode, heapKey, nodeHeapIndex, at, node);
}

/** Removes and returns the node with the smallest key. The heap must not be empty. */
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
  heapKey[at] = heapKey[size];
  riseInHeap(heapNode, heapKey, nodeHeapIndex, at, heapNode[size]);
  return top;
}

/** Moves a node up from position `from`, where its key already is, past larger keys. @internal */
export function riseInHeap(
  heapNode: Int32Array,
  heapKey: Float64Array,
  nodeHeapIndex: Int32Array,
  from: number,
  node: number,
): void {
  const key = heapKey[from];
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

/** Moves a node down from the root, where its key already is, past smaller keys. @internal */
export function sinkInHeap(
  heapNode: Int32Array,
  heapKey: Float64Array,
  nodeHeapIndex: Int32Array,
  size: number,
  node: number,
): void {
  const key = heapKey[0];
  let at = 0;
  // A sentinel after the last key, for the comparison of two children.
  heapKey[size] = Infinity;
  for (let child = 1; child < size; child = (at << 1) | 1) {
    // Choose the smaller child without a branch that would be mispredicted.
    child += +(heapKey[child + 1] < heapKey[child]);
    const childKey = heapKey[child];
    if (!(childKey < key)) break;
    const moved = heapNode[child];
    heapNode[at] = moved;
    heapKey[at] = childKey;
    nodeHeapIndex[moved] = at;
    at = child;
  }
  heapNode[at] = node;
  heapKey[at] = key;
  nodeHeapIndex[node] = at;
}
