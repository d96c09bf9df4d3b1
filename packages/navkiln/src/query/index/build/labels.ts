/**
 * Computes hub labels: for each corner, its distances to a few hubs, so that any two corners share a hub on a shortest path.
 *
 * Corners become hubs in the order of the number of shortest paths that pass them, estimated by a sample of trees. From
 * each hub, a search spreads that stops at corners whose distance follows from earlier hubs. The remaining entries are
 * the labels.
 *
 * In: an index with its graph of corners.
 * Out: `labelStart`, `labelHub`, `labelLength` and `labelNext` of the index.
 * Cost: about the number of labels times their mean number per corner, which grows like n^0.3 to n^0.75.
 * Based on: Takuya Akiba, Yoichi Iwata, Yuichi Yoshida, Fast Exact Shortest-Path Distance Queries on Large Networks by Pruned Landmark
 * Labeling, 2013.
 * Tried: labels of a corner in a linked list take 2 to 6 times as long. Only taut turns in the search give 27 % more
 * labels (city x4).
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import type { MinHeap } from '../../../base/data/min-heap.ts';
import { withRoom } from '../../walk/open-edges.ts';
import { linkFrom, linkLengthAt } from '../links.ts';
import type { PathIndex } from '../types.ts';

/** Number of trees that determine the order of hubs. 48 trees give 4 to 9 % more labels, 768 trees 2 to 7 % fewer. */
const SAMPLES = 192;

/**
 * Labels that are being computed. Those of corner c are hub[i], length[i] and next[i] for i = start[c] ..
 * start[c] + size[c] - 1, in the order of hubs. When the space of a corner is full, its labels move to the
 * end with twice the space, so that they stay next to each other.
 */
export interface LabelState {
  /** Corners in the order in which they become hubs. */
  order: Int32Array;
  /** Number of labels of all corners. */
  count: number;
  start: Int32Array;
  size: Int32Array;
  room: Int32Array;
  /** Number of entries of the arrays below that are in use, or were. */
  end: number;
  hub: Int32Array;
  length: Float64Array;
  next: Int32Array;
  /** Per corner: distance from the current hub, and the previous corner. Per hub: distance from the current hub. */
  distance: Float64Array;
  parent: Int32Array;
  toHub: Float64Array;
  reached: Int32Array;
  heap: MinHeap;
}

export function createLabelState(index: PathIndex): LabelState {
  const { cornerCount } = index;
  const none = new Int32Array(0);
  const state: LabelState = {
    order: none,
    count: 0,
    start: new Int32Array(cornerCount),
    size: new Int32Array(cornerCount),
    room: new Int32Array(cornerCount),
    end: 0,
    hub: none,
    length: new Float64Array(0),
    next: none,
    distance: new Float64Array(cornerCount).fill(Infinity),
    parent: new Int32Array(cornerCount),
    toHub: new Float64Array(cornerCount).fill(Infinity),
    reached: new Int32Array(cornerCount),
    heap: createMinHeap(),
  };
  state.order = orderHubs(index, state);
  return state;
}

/** Returns the corners by the number of shortest paths that pass them in a sample of trees, largest first. */
function orderHubs(index: PathIndex, state: LabelState): Int32Array {
  const { cornerCount, edgeStart, edgeTarget, edgeLength } = index;
  const { distance, parent, reached, heap } = state;
  const passed = new Float64Array(cornerCount);
  const below = new Float64Array(cornerCount);
  const isDone = new Uint8Array(cornerCount);
  for (let sample = 0; sample < Math.min(SAMPLES, cornerCount); sample++) {
    const root = Math.floor((sample * cornerCount) / Math.min(SAMPLES, cornerCount));
    let count = 0;
    isDone.fill(0);
    distance.fill(Infinity);
    distance[root] = 0;
    parent[root] = -1;
    pushItem(heap, root, distance);
    while (heap.count > 0) {
      const at = popItem(heap);
      if (isDone[at] === 1) continue;
      isDone[at] = 1;
      reached[count++] = at;
      for (let i = edgeStart[at]; i < edgeStart[at + 1]; i++) {
        const total = distance[at] + edgeLength[i];
        if (total >= distance[edgeTarget[i]]) continue;
        distance[edgeTarget[i]] = total;
        parent[edgeTarget[i]] = at;
        pushItem(heap, edgeTarget[i], distance);
      }
      const over = linkFrom(index, at);
      if (over < 0 || distance[at] + linkLengthAt(index, at) >= distance[over]) continue;
      distance[over] = distance[at] + linkLengthAt(index, at);
      parent[over] = at;
      pushItem(heap, over, distance);
    }
    below.fill(1);
    for (let i = count - 1; i > 0; i--) {
      below[parent[reached[i]]] += below[reached[i]];
      passed[reached[i]] += below[reached[i]] - 1;
    }
  }
  distance.fill(Infinity);
  const degree = (corner: number): number => edgeStart[corner + 1] - edgeStart[corner];
  return Int32Array.from(passed.keys()).sort((a, b) => passed[b] - passed[a] || degree(b) - degree(a) || a - b);
}

/** Adds the labels of one hub. */
export function addHub(index: PathIndex, state: LabelState, rank: number): void {
  const { edgeStart, edgeTarget, edgeLength } = index;
  const { order, distance, parent, toHub, reached, heap, start, size } = state;
  const root = order[rank];
  let count = 0;
  for (let i = start[root]; i < start[root] + size[root]; i++) toHub[state.hub[i]] = state.length[i];
  distance[root] = 0;
  parent[root] = root;
  reached[count++] = root;
  pushItem(heap, root, distance);
  while (heap.count > 0) {
    const at = popItem(heap);
    // Negative: the corner is done.
    if (parent[at] < 0) continue;
    const next = parent[at];
    parent[at] = ~next;
    if (isKnown(state, at)) continue;
    const from = distance[at];
    addLabel(state, at, rank, next);
    for (let i = edgeStart[at]; i < edgeStart[at + 1]; i++) {
      const other = edgeTarget[i];
      const total = from + edgeLength[i];
      if (total >= distance[other]) continue;
      if (distance[other] === Infinity) reached[count++] = other;
      distance[other] = total;
      parent[other] = at;
      pushItem(heap, other, distance);
    }
    const over = linkFrom(index, at);
    if (over < 0 || from + linkLengthAt(index, at) >= distance[over]) continue;
    if (distance[over] === Infinity) reached[count++] = over;
    distance[over] = from + linkLengthAt(index, at);
    parent[over] = at;
    pushItem(heap, over, distance);
  }
  for (let i = 0; i < count; i++) distance[reached[i]] = Infinity;
  for (let i = start[root]; i < start[root] + size[root]; i++) toHub[state.hub[i]] = Infinity;
}

/** Returns whether the labels of a corner already give its distance from the current hub. */
function isKnown({ start, size, hub, length, toHub, distance }: LabelState, corner: number): boolean {
  const from = distance[corner];
  const end = start[corner] + size[corner];
  // The first hubs are on most paths, so they usually decide.
  for (let i = start[corner]; i < end; i++) if (toHub[hub[i]] + length[i] <= from) return true;
  return false;
}

function addLabel(state: LabelState, corner: number, rank: number, next: number): void {
  const { start, size } = state;
  if (size[corner] === state.room[corner]) moveToEnd(state, corner);
  const entry = start[corner] + size[corner]++;
  state.hub[entry] = rank;
  state.length[entry] = state.distance[corner];
  state.next[entry] = next;
  state.count++;
}

/** Doubles the space of a corner. */
function moveToEnd(state: LabelState, corner: number): void {
  const { start, size, room, end } = state;
  const from = start[corner];
  room[corner] = Math.max(8, 2 * room[corner]);
  state.end += room[corner];
  state.hub = withRoom(state.hub, state.end);
  state.next = withRoom(state.next, state.end);
  if (state.length.length < state.end) {
    const length = new Float64Array(state.hub.length);
    length.set(state.length);
    state.length = length;
  }
  state.hub.copyWithin(end, from, from + size[corner]);
  state.length.copyWithin(end, from, from + size[corner]);
  state.next.copyWithin(end, from, from + size[corner]);
  start[corner] = end;
}

/** Writes the labels into the index, ordered by corner and hub. */
export function packLabels(out: PathIndex, state: LabelState): void {
  const { cornerCount } = out;
  const { start, size, hub, length, next } = state;
  out.labelStart = new Int32Array(cornerCount + 1);
  out.labelHub = new Int32Array(state.count);
  out.labelLength = new Float64Array(state.count);
  out.labelNext = new Int32Array(state.count);
  let at = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    for (let i = start[corner]; i < start[corner] + size[corner]; i++, at++) {
      out.labelHub[at] = hub[i];
      out.labelLength[at] = length[i];
      out.labelNext[at] = next[i];
    }
    out.labelStart[corner + 1] = at;
  }
}
