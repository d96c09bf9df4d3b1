/**
 * What an exact search remembers: a pool of nodes, an open list, and what is known of polygons, corners and goals.
 *
 * A node is what one sees of the polygon entered, standing at the last corner of the path (the root): a part of one of its edges,
 * from a right end R to a left end L, between two lines through the root. Both lines go through two points of the *input* (a
 * corner of the mesh, an end of a portal, the start), so that sides can be decided exactly.
 *
 *   doubles  node[16n ..]   root x z, right line x z x z, left line x z x z, R x z, L x z, length up to the root, estimate in all
 *   integers link[8n ..]    parent, polygon entered, vertex at L or portal, crossing, key of the root, flags, depth
 *
 * Nothing is cleared between searches: stamps tell what belongs to the one at hand. Arrays grow and are reused, by any mesh.
 *
 * Based on: own; the node is that of Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation
 * Mesh, 2017, but for the lines. The heap of four children a node is Donald Johnson's, 1975.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { blockUp, findBlocks } from './blocks.ts';
import type { Blocks } from './blocks.ts';
import { withRoom } from '../walk/open-edges.ts';

/** Places of a node's doubles. */
export const ROOT = 0;
export const RIGHT_LINE = 2;
export const LEFT_LINE = 6;
export const RIGHT = 10;
export const LEFT = 12;
export const LENGTH = 14;
export const ESTIMATE = 15;
/** Places of a node's integers. */
export const PARENT = 0;
export const POLY = 1;
export const ENTRY = 2;
export const CROSSING = 3;
export const KEY = 4;
export const FLAGS = 5;
/** How many nodes before have the same root, since it was turned at. */
export const DEPTH = 6;

/** R (or L) is an end of the edge or portal, not where a line cuts it: the path may turn there. */
export const RIGHT_IS_END = 1;
export const LEFT_IS_END = 2;
/** The root may lie on the line of the edge. */
export const MAY_BE_FLAT = 4;
/** The root is in the polygon: there is no edge. */
export const IS_FAN = 8;
/** `ENTRY` is a portal. */
export const IS_PORTAL = 16;

/** Bits of `polyBits`. */
export const KNOWN = 1;
export const OPEN = 2;
/** It only leads back: no shortest path to a goal goes through it. */
export const DEAD_END = 4;
export const GOAL = 8;

/** Reused memory of an exact search. Make one with `createOptimalState`. */
export interface OptimalState {
  stamp: number;
  /** By polygon: bits, the first of its goals, what was last fanned out in it. */
  polyStamp: Int32Array;
  polyBits: Uint8Array;
  polyGoal: Int32Array;
  fanStamp: Int32Array;
  fanKey: Int32Array;
  fanLength: Float64Array;
  /** Which ground only leads back, if that is known; blocks and polygons that are open nevertheless. */
  blocks: Blocks | undefined;
  blockStamp: Int32Array;
  topStamp: Int32Array;
  /** By edge: the key of the corner it starts at, or -1: it is none. */
  cornerStamp: Int32Array;
  cornerKey: Int32Array;
  /** By key: the least length up to there, and the key of the root before. */
  keyStamp: Int32Array;
  keyLength: Float64Array;
  keyParent: Int32Array;
  nodeCount: number;
  node: Float64Array;
  link: Int32Array;
  heapSize: number;
  heapNode: Int32Array;
  heapKey: Float64Array;
  /** Polygons that can be reached, as far as the search has come. */
  reachedCount: number;
  reached: Int32Array;
  /** What is searched for: x, z of each target. */
  targetCount: number;
  targets: Float64Array;
  /** A target on a polygon: which target, and the next on the same polygon or -1. */
  goalCount: number;
  goalTarget: Int32Array;
  goalNext: Int32Array;
  /** Length of the best path so far; the node it ends in, its target. */
  best: Float64Array;
  bestNode: number;
  bestTarget: number;
  /** Squared distance to the target of the nearest interval so far, and the node; only with a budget. */
  nearest: Float64Array;
  nearestNode: number;
  isBudgeted: boolean;
  /** The search stopped because of the budget. */
  isShort: boolean;
  /** Links were met whose ends are segments. */
  hasSegments: boolean;
  /** Nodes expanded. */
  visitedCount: number;
}

export function createOptimalState(): OptimalState {
  const none = new Int32Array(0);
  return {
    stamp: 0,
    polyStamp: none,
    polyBits: new Uint8Array(0),
    polyGoal: none,
    fanStamp: none,
    fanKey: none,
    fanLength: new Float64Array(0),
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
    nearest: new Float64Array(1),
    nearestNode: -1,
    isBudgeted: false,
    isShort: false,
    hasSegments: false,
    visitedCount: 0,
  };
}

/** Keys of roots: the corner an edge starts at, ends of portals (right, left), far ends of links. */
export function portalKey(mesh: NavMesh, portal: number, isRight: boolean): number {
  return mesh.edgeCount + 2 * portal + (isRight ? 0 : 1);
}

export function linkEndKey(mesh: NavMesh, linkEnd: number): number {
  return mesh.edgeCount + 2 * mesh.portalCount + linkEnd;
}

/** Makes the state ready for a search without targets and starts. */
export function beginOptimal(state: OptimalState, mesh: NavMesh): void {
  const { polyCount, edgeCount } = mesh;
  const keyCount = edgeCount + 2 * mesh.portalCount + 2 * mesh.linkCount;
  if (state.polyStamp.length < polyCount) {
    const capacity = Math.max(polyCount, 2 * state.polyStamp.length);
    state.polyStamp = new Int32Array(capacity);
    state.polyBits = new Uint8Array(capacity);
    state.polyGoal = new Int32Array(capacity);
    state.fanStamp = new Int32Array(capacity);
    state.fanKey = new Int32Array(capacity);
    state.fanLength = new Float64Array(capacity);
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
    const { polyStamp, fanStamp, cornerStamp, keyStamp, blockStamp, topStamp } = state;
    for (const stamps of [polyStamp, fanStamp, cornerStamp, keyStamp, blockStamp, topStamp]) stamps.fill(0);
    state.stamp = 0;
  }
  state.stamp++;
  state.nodeCount = state.heapSize = state.reachedCount = state.targetCount = state.goalCount = state.visitedCount = 0;
  state.best[0] = state.nearest[0] = Infinity;
  state.bestNode = state.bestTarget = state.nearestNode = -1;
  state.isBudgeted = state.isShort = state.hasSegments = false;
  state.blocks = findBlocks(mesh);
  if (state.blocks === undefined) return;
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++) {
    if (mesh.linkPoly[linkEnd] >= 0) openBlocks(state, mesh, mesh.linkPoly[linkEnd]);
  }
}

/** Ground from this polygon up to the root of its tile's blocks may be part of a path. */
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

/** Adds a target; returns its number. Name the polygons it is on with `addGoal`. */
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

/** Adds a node that fans out from a root in `poly`: a start. Its root and length are the caller's to set, and its key if any. */
export function addFan(state: OptimalState, poly: number, parent: number, crossing: number): number {
  reserveNodes(state, 1);
  const item = state.nodeCount++;
  const { link } = state;
  link[8 * item + PARENT] = parent;
  link[8 * item + POLY] = poly;
  link[8 * item + ENTRY] = -1;
  link[8 * item + CROSSING] = crossing;
  link[8 * item + KEY] = -1;
  link[8 * item + FLAGS] = IS_FAN;
  link[8 * item + DEPTH] = 0;
  return item;
}

/** Room for `count` more nodes. Arrays may be others afterwards. */
export function reserveNodes(state: OptimalState, count: number): void {
  const needed = state.nodeCount + count;
  if (8 * needed <= state.link.length) return;
  const capacity = Math.max(needed, state.link.length >> 2, 256);
  const node = new Float64Array(16 * capacity);
  node.set(state.node);
  state.node = node;
  state.link = withRoom(state.link, 8 * capacity);
}

/** Puts a node with its estimate into the open list. It rises past equal estimates when its root is further on. */
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
  const key = node[16 * item + ESTIMATE];
  const length = node[16 * item + LENGTH];
  while (at > 0) {
    const parent = (at - 1) >> 2;
    const other = heapKey[parent];
    if (other < key || (other === key && node[16 * heapNode[parent] + LENGTH] >= length)) break;
    heapNode[at] = heapNode[parent];
    heapKey[at] = other;
    at = parent;
  }
  heapNode[at] = item;
  heapKey[at] = key;
}

/** Takes the first node out of the open list, which must not be empty. */
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
