/**
 * The memory of a search for paths of an agent with a radius: roots, nodes, and a heap.
 *
 * Cost: 36 bytes per root, 72 bytes per node. The memory grows with the largest search.
 * Based on: own.
 */
import { createMinHeap } from '../../base/data/min-heap.ts';
import type { MinHeap } from '../../base/data/min-heap.ts';
import type { Clearance } from './types.ts';

/** Ends of a search, in cells, and the radius. */
export interface SearchEnds {
  radius: number;
  startTriangle: number;
  startX: number;
  startV: number;
  goalTriangle: number;
  goalX: number;
  goalV: number;
}

/** A limit of the lines of a node is the corner that the limit touches, or one of these values. */
export const ARRIVAL = -1; // The line on which the path reached its root.
export const FREE = -2; // No limit, since the root itself is at that end of the edge.

/** Roots: corner (-1: the start), side, parent; then the path length up to it, the point (x, v) where the path reaches it, its direction. */
export const ROOT_INTS = 3;
export const ROOT_FLOATS = 5;
/** Nodes: root, entered half-edge (-1: the goal), left and right limit; then direction and offset of both limits. */
export const NODE_INTS = 4;
export const NODE_FLOATS = 6;

/** Memory of searches. Create it once and reuse it for any clearance. */
export interface ClearSearch {
  rootCount: number;
  rootInts: Int32Array;
  rootFloats: Float64Array;
  nodeCount: number;
  nodeInts: Int32Array;
  nodeFloats: Float64Array;
  keys: Float64Array;
  heap: MinHeap;
  /** For each half-edge and side: the best root at that end, and the number of the search that wrote it. */
  best: Int32Array;
  bestStamp: Int32Array;
  stamp: number;
}

export function createClearSearch(): ClearSearch {
  return {
    rootCount: 0,
    rootInts: new Int32Array(64 * ROOT_INTS),
    rootFloats: new Float64Array(64 * ROOT_FLOATS),
    nodeCount: 0,
    nodeInts: new Int32Array(256 * NODE_INTS),
    nodeFloats: new Float64Array(256 * NODE_FLOATS),
    keys: new Float64Array(256),
    heap: createMinHeap(),
    best: new Int32Array(0),
    bestStamp: new Int32Array(0),
    stamp: 0,
  };
}

export function pushRoot(state: ClearSearch, corner: number, side: number, parent: number): number {
  const root = state.rootCount++;
  if (ROOT_INTS * state.rootCount > state.rootInts.length) {
    const ints = new Int32Array(2 * state.rootInts.length);
    ints.set(state.rootInts);
    state.rootInts = ints;
    const floats = new Float64Array(2 * state.rootFloats.length);
    floats.set(state.rootFloats);
    state.rootFloats = floats;
  }
  state.rootInts[ROOT_INTS * root] = corner;
  state.rootInts[ROOT_INTS * root + 1] = side;
  state.rootInts[ROOT_INTS * root + 2] = parent;
  return root;
}

export function pushNode(state: ClearSearch, root: number, half: number): number {
  const node = state.nodeCount++;
  if (state.nodeCount > state.keys.length) {
    const keys = new Float64Array(2 * state.keys.length);
    keys.set(state.keys);
    state.keys = keys;
    const ints = new Int32Array(2 * state.nodeInts.length);
    ints.set(state.nodeInts);
    state.nodeInts = ints;
    const floats = new Float64Array(2 * state.nodeFloats.length);
    floats.set(state.nodeFloats);
    state.nodeFloats = floats;
  }
  state.nodeInts[NODE_INTS * node] = root;
  state.nodeInts[NODE_INTS * node + 1] = half;
  return node;
}

export function copyLimit(state: ClearSearch, from: number, to: number, side: number, toSide: number = side): void {
  const { nodeInts, nodeFloats } = state;
  nodeInts[NODE_INTS * to + (toSide > 0 ? 2 : 3)] = nodeInts[NODE_INTS * from + (side > 0 ? 2 : 3)];
  const a = NODE_FLOATS * from + (side > 0 ? 0 : 3);
  const b = NODE_FLOATS * to + (toSide > 0 ? 0 : 3);
  for (let k = 0; k < 3; k++) nodeFloats[b + k] = nodeFloats[a + k];
}

/** A running search: the data that all its steps need. */
export interface Run {
  state: ClearSearch;
  clearance: Clearance;
  ends: SearchEnds;
}
