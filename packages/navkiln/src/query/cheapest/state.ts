/**
 * Memory of a search for cheapest paths: gates, the sample points on them, and windows.
 *
 *     gate number                      gate
 *     0 .. edgeCount - 1               an edge; both sides of an inner edge share their samples
 *     edgeCount + l                    portal l; it shares its samples with the reverse portal
 *     edgeCount + portalCount + h      link end h, where a path enters the link
 *
 * A window is what a root sees of a gate: the root is the last point at which the path turned. `num` and `int` have
 * one row for each window. Gates, samples and windows are reserved when a search first meets them, so a search costs
 * only what it visits.
 *
 * Based on: own.
 */
import { createMinHeap } from '../../base/data/min-heap.ts';
import type { MinHeap } from '../../base/data/min-heap.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createOptimalState } from '../optimal/state.ts';
import type { OptimalState } from '../optimal/state.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

/** Columns of `num`: the root, its cost from the start, the left and right limit of what it sees. */
export const ROOT_X = 0;
export const ROOT_Z = 1;
export const ROOT_COST = 2;
export const LEFT_X = 3;
export const LEFT_Z = 4;
export const RIGHT_X = 5;
export const RIGHT_Z = 6;
/** Cost per unit of length of the polygons that the window has passed since its root. */
export const WEIGHT = 7;
export const NUM_STRIDE = 8;

/** Columns of `int`: the polygon that the window leads to, its crossing, gate, parent window and flags. */
export const POLY = 0;
export const CROSSING = 1;
export const GATE = 2;
export const PARENT = 3;
export const FLAGS = 4;
export const INT_STRIDE = 5;

/**
 * Columns of `gates`: the search that last met the gate; its first sample, or -1 if it is closed; twice the number of
 * samples, plus 1 if they run from left to right as seen from this side; the same gate from the other side, or -1.
 */
export const STAMP = 0;
export const FIRST = 1;
export const COUNT = 2;
export const TWIN = 3;
export const GATE_STRIDE = 4;

/** Columns of `samples`: its position, its cost from the start, and an estimate of the rest of the path. */
export const SAMPLE_X = 0;
export const SAMPLE_Z = 1;
export const SAMPLE_COST = 2;
export const SAMPLE_REST = 3;
export const SAMPLE_STRIDE = 4;

/** Offsets in `spacing`: of samples where costs change, of others; 1: divided by the larger cost beside the gate. */
export const BORDER = 0;
export const INNER = 1;
export const BY_COST = 2;

/** Stands for "no window yet"; -1 stands for the start. */
export const NO_WINDOW = -2;

/** Flags: that limit is the end of the gate. */
export const LEFT_IS_END = 1;
export const RIGHT_IS_END = 2;

/**
 * Memory of `findCheapestPathInto`. Create it with `createCheapestState` and reuse it.
 * @opaque
 */
export interface CheapestState extends SearchState {
  /** Spacing of samples, world units; see `BORDER`. */
  spacing: Float64Array;
  /** Rows of `GATE_STRIDE`. */
  gates: Int32Array;
  sampleCount: number;
  /** Rows of `SAMPLE_STRIDE`. */
  samples: Float64Array;
  /** The window that reached the sample at the least cost, or -1. */
  sampleOwner: Int32Array;
  windowCount: number;
  num: Float64Array;
  int: Int32Array;
  /** Key of each window in the heap. */
  key: Float64Array;
  heap: MinHeap;
  /** The end: x, z, cost of the best path to it. */
  target: Float64Array;
  /** The window from which the best path reaches the end, -1 or `NO_WINDOW`. */
  targetWindow: number;
  /** The root from which the best path reaches the end: x, z. */
  targetRoot: Float64Array;
  /** Paths that cost as much are not searched. */
  limit: number;
  startPoint: Float64Array;
  /** A search from the start with few samples, which tells a search from the end what the rest costs. */
  guide: CheapestState | null;
  /** State of the search from the end. */
  finer: CheapestState | null;
  /** State of the exact search, used where all costs are equal. */
  optimal: OptimalState;
}

/** Returns an empty state, which grows with the first search. */
export function createCheapestState(): CheapestState {
  const state = createState();
  state.finer = createState();
  return state;
}

function createState(): CheapestState {
  return {
    ...createSearchState(),
    spacing: new Float64Array(3),
    gates: new Int32Array(0),
    sampleCount: 0,
    samples: new Float64Array(0),
    sampleOwner: new Int32Array(0),
    windowCount: 0,
    num: new Float64Array(0),
    int: new Int32Array(0),
    key: new Float64Array(0),
    heap: createMinHeap(),
    target: new Float64Array(3),
    targetWindow: NO_WINDOW,
    targetRoot: new Float64Array(2),
    limit: Infinity,
    startPoint: new Float64Array(3),
    guide: null,
    finer: null,
    optimal: createOptimalState(),
  };
}

/** Empties the state for a search on a mesh. */
export function clearCheapest(state: CheapestState, mesh: NavMesh): void {
  const length = GATE_STRIDE * (mesh.edgeCount + mesh.portalCount + 2 * mesh.linkCount);
  if (state.gates.length < length) {
    state.gates = new Int32Array(length);
    state.stamp = 0;
  }
  state.stamp++;
  if (state.stamp > 0x7fffffff) {
    state.gates.fill(0);
    state.stamp = 1;
  }
  state.sampleCount = 0;
  state.windowCount = 0;
  state.heap.count = 0;
  state.targetWindow = NO_WINDOW;
  state.target[2] = Infinity;
}

/** Reserves memory for `count` more samples. */
export function reserveSamples(state: CheapestState, count: number): void {
  const needed = state.sampleCount + count;
  if (needed <= state.sampleOwner.length) return;
  const capacity = Math.max(needed, 2 * state.sampleOwner.length, 1024);
  state.samples = grown(state.samples, new Float64Array(SAMPLE_STRIDE * capacity));
  state.sampleOwner = grown(state.sampleOwner, new Int32Array(capacity));
}

/** Reserves a window and returns its number. */
export function addWindow(state: CheapestState): number {
  const window = state.windowCount++;
  if (window >= state.key.length) {
    const capacity = Math.max(2 * state.key.length, 1024);
    state.num = grown(state.num, new Float64Array(NUM_STRIDE * capacity));
    state.int = grown(state.int, new Int32Array(INT_STRIDE * capacity));
    state.key = grown(state.key, new Float64Array(capacity));
  }
  return window;
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
