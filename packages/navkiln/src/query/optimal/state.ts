/**
 * Holds the memory of an exact search: a pool of nodes, an open list, and facts about polygons, corners and
 * goals.
 *
 * A node is a visible interval. It is the part of an edge of the entered polygon that is visible from the
 * last corner of the path, the root. The interval goes from a right end R to a left end L, between two lines
 * through the root. Both lines pass through two points of the input (a mesh corner, a portal end, the start),
 * so sides can be decided exactly.
 *
 *   node, stride 16   root x z, right line x z x z, left line x z x z, R x z, L x z, length up to the root,
 *                     estimate of the whole path
 *   link, stride 8    parent, polygon entered, vertex at L or portal, crossing, key of the root, flags, depth,
 *                     piece of the polygon (pieces.ts)
 *
 * Nothing is cleared between searches: stamps mark the entries of the current search. Arrays grow and are reused for
 * any mesh.
 *
 * In: a mesh, targets, starts.
 * Out: nodes in the order of their estimates.
 * Cost: constant for each access; O(log n) for the open list.
 * Based on: own; the node is that of Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a
 * Navigation Mesh, 2017, except for the lines. The heap has four children per node (Donald Johnson, 1975).
 */
import { MOST_SHARES } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { blockUp, findBlocks } from './blocks.ts';
import type { Blocks } from './blocks.ts';
import { createPieces, findPieces } from './pieces.ts';
import type { Pieces } from './pieces.ts';
import { withRoom } from '../walk/open-edges.ts';

/** Layout of a node's doubles. */
export const NODE_STRIDE = 16;
export const ROOT = 0;
export const RIGHT_LINE = 2;
export const LEFT_LINE = 6;
export const RIGHT = 10;
export const LEFT = 12;
export const LENGTH = 14;
export const ESTIMATE = 15;
/** Layout of a node's integers. */
export const LINK_STRIDE = 8;
export const PARENT = 0;
export const POLY = 1;
export const ENTRY = 2;
export const CROSSING = 3;
export const KEY = 4;
export const FLAGS = 5;
/** The number of ancestors with the same root. */
export const DEPTH = 6;
/** With `IS_WITHIN` or `IS_FAN`: the piece that is entered. -1: a fan of all pieces. */
export const PIECE = 7;
/** Crossing from piece to piece of one polygon. */
export const WITHIN = -1;

/** R (or L) is an end of the edge or portal, not a cut point: the path may turn there. */
export const RIGHT_IS_END = 1;
export const LEFT_IS_END = 2;
/** The root may lie on the line of the edge. */
export const MAY_BE_FLAT = 4;
/** The root lies inside the polygon; the node has no interval. */
export const IS_FAN = 8;
/** `ENTRY` is a portal. */
export const IS_PORTAL = 16;
/** The node comes from another piece of the same polygon. */
export const IS_WITHIN = 32;

/** Bits of `polyBits`. `KNOWN`: the others are valid. `OPEN`: the polygon passes the filter. */
export const KNOWN = 1;
export const OPEN = 2;
/** The polygon is a dead end: no shortest path to a goal passes through it. */
export const DEAD_END = 4;
export const GOAL = 8;
/** The polygon is convex only up to rounding: the search goes through its pieces. */
export const DENTED = 16;

/** Last root that was fanned out, per polygon or piece: its key and length. */
export interface Fans {
  stamp: Int32Array;
  key: Int32Array;
  length: Float64Array;
}

/**
 * Memory of an exact search. Create it with `createOptimalState` and reuse it.
 * @opaque visitedCount
 */
export interface OptimalState {
  stamp: number;
  /** Per polygon: its bits, the first of its goals, and the root that was fanned out last. */
  polyStamp: Int32Array;
  polyBits: Uint8Array;
  polyGoal: Int32Array;
  fans: Fans;
  /** Pieces of polygons that are convex only up to rounding, and the roots that were fanned out in them. */
  pieces: Pieces;
  pieceFans: Fans;
  /** Blocks of dead ends, if known, and the blocks and polygons that are open nevertheless. */
  blocks: Blocks | undefined;
  blockStamp: Int32Array;
  topStamp: Int32Array;
  /** Per edge: the key of the corner at its start, or -1 if there is no corner. */
  cornerStamp: Int32Array;
  cornerKey: Int32Array;
  /** Per key: the smallest length up to that corner, and the key of the root before it. */
  keyStamp: Int32Array;
  keyLength: Float64Array;
  keyParent: Int32Array;
  nodeCount: number;
  node: Float64Array;
  link: Int32Array;
  heapSize: number;
  heapNode: Int32Array;
  heapKey: Float64Array;
  /** Polygons that the search has reached. */
  reachedCount: number;
  reached: Int32Array;
  /** The targets: x and z of each. */
  targetCount: number;
  targets: Float64Array;
  /** A target on a polygon: the target, and the next goal of the same polygon or -1. */
  goalCount: number;
  goalTarget: Int32Array;
  goalNext: Int32Array;
  /** Length of the best path so far, the node where it ends, and its target. */
  best: Float64Array;
  bestNode: number;
  bestTarget: number;
  /** The search ran out of its budget. */
  isShort: boolean;
  /** The search met links whose ends are segments. */
  hasSegments: boolean;
  /** The search met polygons that have no convex pieces. */
  hasRough: boolean;
  /** The search met polygons without convex pieces, or slivers. */
  hasFlat: boolean;
  /** The node that a search that ran out of its budget expands next. */
  held: number;
  /** The number of nodes expanded. */
  visitedCount: number;
}

/**
 * Creates the state of a search for `findOptimalPathInto`, for one call at a time. It grows with the mesh.
 */
export function createOptimalState(): OptimalState {
  const none = new Int32Array(0);
  return {
    stamp: 0,
    polyStamp: none,
    polyBits: new Uint8Array(0),
    polyGoal: none,
    fans: createFans(),
    pieces: createPieces(),
    pieceFans: createFans(),
    blocks: undefined,
    blockStamp: none,
    topStamp: none,
    cornerStamp: none,
    cornerKey: none,
    keyStamp: none,
    keyLength: new Float64Array(0),
    keyParent: none,
    nodeCount: 0,
    node: new Float64Array(0),
    link: none,
    heapSize: 0,
    heapNode: none,
    heapKey: new Float64Array(0),
    reachedCount: 0,
    reached: none,
    targetCount: 0,
    targets: new Float64Array(0),
    goalCount: 0,
    goalTarget: none,
    goalNext: none,
    best: new Float64Array(1),
    bestNode: -1,
    bestTarget: -1,
    isShort: false,
    hasSegments: false,
    hasRough: false,
    hasFlat: false,
    held: -1,
    visitedCount: 0,
  };
}

function createFans(): Fans {
  return { stamp: new Int32Array(0), key: new Int32Array(0), length: new Float64Array(0) };
}

/** Allocates memory for fans. Forgets the existing fans when it has to grow. */
export function reserveFans(fans: Fans, count: number): void {
  if (fans.stamp.length >= count) return;
  const capacity = Math.max(count, 2 * fans.stamp.length);
  fans.stamp = new Int32Array(capacity);
  fans.key = new Int32Array(capacity);
  fans.length = new Float64Array(capacity);
}

/**
 * Returns the key of a portal end. Keys of roots are numbered: corners at the start of an edge, then portal ends
 * (right, left), then far ends of links.
 */
export function portalKey(mesh: NavMesh, portal: number, isRight: boolean): number {
  return mesh.edgeCount + 2 * portal + (isRight ? 0 : 1);
}

/** Returns the key of a share of a link end. */
export function linkEndKey(mesh: NavMesh, linkEnd: number, share: number): number {
  return mesh.edgeCount + 2 * mesh.portalCount + MOST_SHARES * linkEnd + share;
}

/** Prepares the state for a new search. Targets and starts are added next. */
export function beginOptimal(state: OptimalState, mesh: NavMesh): void {
  const { polyCount, edgeCount } = mesh;
  const keyCount = edgeCount + 2 * mesh.portalCount + 2 * MOST_SHARES * mesh.linkCount;
  if (state.polyStamp.length < polyCount) {
    const capacity = Math.max(polyCount, 2 * state.polyStamp.length);
    state.polyStamp = new Int32Array(capacity);
    state.polyBits = new Uint8Array(capacity);
    state.polyGoal = new Int32Array(capacity);
    reserveFans(state.fans, capacity);
    state.blockStamp = new Int32Array(capacity);
    state.topStamp = new Int32Array(capacity);
    state.reached = new Int32Array(capacity);
  }
  if (state.cornerStamp.length < edgeCount) {
    const capacity = Math.max(edgeCount, 2 * state.cornerStamp.length);
    state.cornerStamp = new Int32Array(capacity);
    state.cornerKey = new Int32Array(capacity);
  }
  if (state.keyStamp.length < keyCount) {
    const capacity = Math.max(keyCount, 2 * state.keyStamp.length);
    state.keyStamp = new Int32Array(capacity);
    state.keyLength = new Float64Array(capacity);
    state.keyParent = new Int32Array(capacity);
  }
  if (state.stamp === 0x7fffffff) {
    const { polyStamp, fans, pieceFans, cornerStamp, keyStamp, blockStamp, topStamp } = state;
    for (const stamps of [polyStamp, fans.stamp, pieceFans.stamp, cornerStamp, keyStamp, blockStamp, topStamp]) {
      stamps.fill(0);
    }
    state.stamp = 0;
  }
  state.stamp++;
  state.nodeCount = state.heapSize = state.reachedCount = state.targetCount = state.goalCount = state.visitedCount = 0;
  state.best[0] = Infinity;
  state.bestNode = state.bestTarget = state.held = -1;
  state.isShort = state.hasSegments = state.hasRough = state.hasFlat = false;
  state.pieces = findPieces(mesh);
  state.blocks = findBlocks(mesh);
  if (state.blocks === undefined) return;
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++) {
    if (mesh.linkPoly[linkEnd] >= 0) openBlocks(state, mesh, mesh.linkPoly[linkEnd]);
  }
}

/** Opens all blocks from this polygon up to the root of its tile's tree. */
export function openBlocks(state: OptimalState, mesh: NavMesh, poly: number): void {
  const { blocks, blockStamp, topStamp, stamp } = state;
  if (blocks === undefined) return;
  let block = blockUp(blocks, mesh, poly);
  topStamp[poly] = stamp;
  while (block >= 0 && blockStamp[block] !== stamp) {
    blockStamp[block] = stamp;
    const top = blocks.top[block];
    topStamp[top] = stamp;
    block = blocks.up[top];
  }
}

/** Adds a target and returns its number. Add the polygons it lies on with `addGoal`. */
export function addTarget(state: OptimalState, point: Float64Array): number {
  const at = 2 * state.targetCount;
  if (state.targets.length < at + 2) {
    const larger = new Float64Array(Math.max(8, 2 * state.targets.length));
    larger.set(state.targets);
    state.targets = larger;
  }
  state.targets[at] = point[0];
  state.targets[at + 1] = point[2];
  return state.targetCount++;
}

export function addGoal(state: OptimalState, poly: number, target: number): void {
  const { polyStamp, polyBits, polyGoal, stamp } = state;
  if (polyStamp[poly] !== stamp) {
    polyStamp[poly] = stamp;
    polyBits[poly] = 0;
    polyGoal[poly] = -1;
  }
  const goal = state.goalCount++;
  state.goalTarget = withRoom(state.goalTarget, goal + 1);
  state.goalNext = withRoom(state.goalNext, goal + 1);
  state.goalTarget[goal] = target;
  state.goalNext[goal] = polyGoal[poly];
  polyBits[poly] |= GOAL;
  polyGoal[poly] = goal;
}

/**
 * Adds a node that fans out from a root inside `poly`. The caller sets its root, length and, if any, its key.
 */
export function addFan(state: OptimalState, poly: number, parent: number, crossing: number): number {
  reserveNodes(state, 1);
  const item = state.nodeCount++;
  const { link } = state;
  link[LINK_STRIDE * item + PARENT] = parent;
  link[LINK_STRIDE * item + POLY] = poly;
  link[LINK_STRIDE * item + ENTRY] = -1;
  link[LINK_STRIDE * item + CROSSING] = crossing;
  link[LINK_STRIDE * item + KEY] = -1;
  link[LINK_STRIDE * item + FLAGS] = IS_FAN;
  link[LINK_STRIDE * item + DEPTH] = 0;
  link[LINK_STRIDE * item + PIECE] = -1;
  return item;
}

/** Allocates memory for `count` more nodes. May replace the arrays. */
export function reserveNodes(state: OptimalState, count: number): void {
  const needed = state.nodeCount + count;
  if (LINK_STRIDE * needed <= state.link.length) return;
  const capacity = Math.max(needed, state.link.length >> 2, 256);
  const node = new Float64Array(NODE_STRIDE * capacity);
  node.set(state.node);
  state.node = node;
  state.link = withRoom(state.link, LINK_STRIDE * capacity);
}

/**
 * Pushes a node onto the open list by its estimate. At equal estimates, the node whose root is further along goes
 * first.
 */
export function pushOpen(state: OptimalState, item: number): void {
  const { node } = state;
  let at = state.heapSize++;
  if (at === state.heapNode.length) {
    state.heapNode = withRoom(state.heapNode, at + 1);
    const keys = new Float64Array(state.heapNode.length);
    keys.set(state.heapKey);
    state.heapKey = keys;
  }
  const { heapNode, heapKey } = state;
  const key = node[NODE_STRIDE * item + ESTIMATE];
  const length = node[NODE_STRIDE * item + LENGTH];
  while (at > 0) {
    const parent = (at - 1) >> 2;
    const other = heapKey[parent];
    if (other < key || (other === key && node[NODE_STRIDE * heapNode[parent] + LENGTH] >= length)) break;
    heapNode[at] = heapNode[parent];
    heapKey[at] = other;
    at = parent;
  }
  heapNode[at] = item;
  heapKey[at] = key;
}

/** Removes and returns the first node of the open list, which must not be empty. */
export function popOpen(state: OptimalState): number {
  const { heapNode, heapKey } = state;
  const top = heapNode[0];
  const size = --state.heapSize;
  const item = heapNode[size];
  const key = heapKey[size];
  let at = 0;
  for (let child = 1; child < size; child = 4 * at + 1) {
    const end = child + 4 < size ? child + 4 : size;
    let least = child;
    let leastKey = heapKey[child];
    for (let k = child + 1; k < end; k++) {
      const other = heapKey[k];
      if (other < leastKey) {
        least = k;
        leastKey = other;
      }
    }
    if (key <= leastKey) break;
    heapNode[at] = heapNode[least];
    heapKey[at] = leastKey;
    at = least;
  }
  heapNode[at] = item;
  heapKey[at] = key;
  return top;
}
