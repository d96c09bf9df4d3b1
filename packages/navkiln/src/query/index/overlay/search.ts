/**
 * Searches from gate to gate over the cells of an overlay.
 *
 *   +---------------+-------+---+---+
 *   |               |       | s |   |      Far from both ends the search crosses large cells, near them small ones: each cell is the
 *   |               +-------+---+---+      largest that holds neither end. Its table has the length between each two of its gates.
 *   +-------+-------+---+---+       |
 *   | t |   |       |   |   |       |
 *
 * A link is a separate step, from the gate at one end to the gate at the other.
 *
 * The same search within one cell, over the cells one level down, replaces the path through a large cell by paths through small ones.
 *
 * In: an index with an overlay, ends.
 * Out: the gates on the path, and the cell of each step.
 * Cost: O(m log n) in the gates that are nearer than the end, a few hundred.
 * Based on: Daniel Delling, Andrew Goldberg, Thomas Pajor, Renato Werneck, Customizable Route Planning, 2011; Peter Hart, Nils Nilsson,
 * Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import type { MinHeap } from '../../../base/data/min-heap.ts';
import { otherEnd } from '../../../mesh/crossing.ts';
import { withRoom } from '../../walk/open-edges.ts';
import { WAY_NONE } from '../links.ts';
import type { PathIndex } from '../types.ts';

/**
 * Offsets in `nodes`: the search that reached the gate, 1 if it is done, the previous gate, and the cell between both
 * or `VIA_LINK`.
 */
export const STAMP = 0;
const DONE = 1;
const PARENT = 2;
const VIA = 3;
/** A value of `VIA`: the gate was reached over a link. */
const VIA_LINK = -2;

/** Memory of a search. Entries of gates are valid where their stamp is the number of the search. Gate `gateCount` is the end. */
export interface GateSearch {
  stamp: number;
  /** Four numbers for each gate, which are read together: see `STAMP`, `DONE`, `PARENT` and `VIA`. */
  nodes: Int32Array;
  length: Float64Array;
  key: Float64Array;
  heap: MinHeap;
  /** Per gate in the end's cell: the number of the search, and the length to its end. */
  endStamps: Int32Array;
  endLength: Float64Array;
  /** Per cell: the number of the last search that divides it. */
  openStamps: Int32Array;
  /** x and z of the end. */
  end: Float64Array;
  /** The path from its first gate on: gates, and the lowest-level cell between each gate and the next. */
  count: number;
  gates: Int32Array;
  cells: Int32Array;
  /** Per gate of the path: the gate where the path continues, which is the other end of a link, or the gate itself. */
  exits: Int32Array;
  /** Steps to divide: two gates and a cell each. */
  stack: Int32Array;
}

export function createGateSearch(): GateSearch {
  return {
    stamp: 0,
    ...sized(0, 0),
    heap: createMinHeap(),
    end: new Float64Array(2),
    count: 0,
    gates: new Int32Array(64),
    cells: new Int32Array(64),
    exits: new Int32Array(64),
    stack: new Int32Array(64),
  };
}

function sized(gateCount: number, cellCount: number) {
  return {
    nodes: new Int32Array(4 * gateCount),
    length: new Float64Array(gateCount),
    key: new Float64Array(gateCount),
    endStamps: new Int32Array(gateCount),
    endLength: new Float64Array(gateCount),
    openStamps: new Int32Array(cellCount),
  };
}

/** Begins a search without ends. */
export function beginSearch(state: GateSearch, index: PathIndex): void {
  const gateCount = index.gateLevel.length + 1;
  const cellCount = index.cellParent.length;
  if (state.length.length < gateCount || state.openStamps.length < cellCount || state.stamp === 0x7fffffff) {
    Object.assign(state, sized(gateCount, cellCount));
    state.stamp = 0;
  }
  state.stamp++;
  state.heap.count = 0;
}

/** Divides a cell and the cells that contain it, so that the search crosses the cells one level down. */
export function openCell(state: GateSearch, { cellParent }: PathIndex, cell: number): void {
  for (let at = cell; at >= 0; at = cellParent[at]) state.openStamps[at] = state.stamp;
}

/** Starts the search at a gate. Its `length` is already set. */
export function addStart(state: GateSearch, index: PathIndex, gate: number, via: number): void {
  openGate(state, index, gate, -1, via, true);
}

/**
 * Adds a gate that is reached through a cell or a link from the gate `before`; -1: from the start. Its `length` is
 * already set. Without a goal, all gates are searched.
 */
function openGate(
  state: GateSearch,
  { gatePoint, linkScale }: PathIndex,
  gate: number,
  before: number,
  via: number,
  hasGoal: boolean,
): void {
  const { nodes, length, key, end } = state;
  const node = 4 * gate;
  nodes[node + STAMP] = state.stamp;
  nodes[node + DONE] = 0;
  nodes[node + PARENT] = before;
  nodes[node + VIA] = via;
  const dx = gatePoint[3 * gate] - end[0];
  const dz = gatePoint[3 * gate + 2] - end[1];
  key[gate] = hasGoal ? length[gate] + linkScale * Math.sqrt(dx * dx + dz * dz) : length[gate];
  pushItem(state.heap, gate, key);
}

/**
 * Runs the search to gate `goal`, or with `goal` = -1 to all gates. `region`: the cell whose parts may be crossed; -1:
 * all. Returns whether the goal was reached.
 */
export function runSearch(state: GateSearch, index: PathIndex, region: number, goal: number): boolean {
  const { gateCell, gateLevel, cellParent, cellGateStart, cellGates, cellLengthStart, cellLengths } = index;
  const { gateLink, linkGate, linkWays, linkLength } = index;
  const { stamp, nodes, length, key, heap, endStamps, endLength, openStamps } = state;
  const endGate = gateLevel.length;
  while (heap.count > 0) {
    const at = popItem(heap);
    const node = 4 * at;
    if (nodes[node + DONE] === 1) continue;
    nodes[node + DONE] = 1;
    if (at === goal) return true;
    const base = length[at];
    const isNearer = nodes[4 * endGate + STAMP] !== stamp || base + endLength[at] < length[endGate];
    if (endStamps[at] === stamp && isNearer) {
      nodes[4 * endGate + STAMP] = stamp;
      nodes[4 * endGate + DONE] = 0;
      nodes[4 * endGate + PARENT] = at;
      length[endGate] = key[endGate] = base + endLength[at];
      pushItem(heap, endGate, key);
    }
    const linkEnd = gateLink[at];
    if (linkEnd >= 0 && linkWays[linkEnd] !== WAY_NONE) {
      const other = linkGate[otherEnd(linkEnd)];
      const total = base + linkLength[linkEnd >> 1];
      const isIn = region < 0 || isWithin(index, gateCell[2 * other], region);
      if (isIn && !(nodes[4 * other + STAMP] === stamp && total >= length[other])) {
        length[other] = total;
        openGate(state, index, other, at, VIA_LINK, goal >= 0);
      }
    }
    // A link end belongs to one cell only.
    for (let side = linkEnd >= 0 ? 1 : 0; side < 2; side++) {
      let cell = gateCell[2 * at + side];
      let isLowest = true;
      for (let up = cellParent[cell]; up >= 0 && openStamps[up] !== stamp; up = cellParent[cell]) {
        cell = up;
        isLowest = false;
      }
      if (cell === nodes[node + VIA] || (region >= 0 && cellParent[cell] !== region)) continue;
      const first = cellGateStart[cell];
      const count = cellGateStart[cell + 1] - first;
      const place = placeOfGate(index, cell, at);
      if (place < 0) continue;
      const table = cellLengthStart[cell];
      const row = table + (place * (place - 1)) / 2;
      const directedRow = isCellDirected(index, cell) ? table + place * count : -1;
      for (let i = 0; i < count; i++) {
        if (i === place) continue;
        const other = cellGates[first + i];
        if (isLowest && gateLevel[other] === 0) break;
        const entry = directedRow >= 0 ? directedRow + i : i < place ? row + i : table + (i * (i - 1)) / 2 + place;
        const total = base + cellLengths[entry];
        if (nodes[4 * other + STAMP] === stamp ? total >= length[other] : total === Infinity) continue;
        length[other] = total;
        openGate(state, index, other, at, cell, goal >= 0);
      }
    }
  }
  return false;
}

/** Returns whether the lengths of a cell differ by direction. */
export function isCellDirected({ cellGateStart, cellLengthStart }: PathIndex, cell: number): boolean {
  const count = cellGateStart[cell + 1] - cellGateStart[cell];
  return cellLengthStart[cell + 1] - cellLengthStart[cell] === count * count;
}

/** Returns whether a cell of the lowest level is in an upper cell. */
function isWithin({ cellParent }: PathIndex, cell: number, region: number): boolean {
  let at = cell;
  while (at >= 0 && at !== region) at = cellParent[at];
  return at === region;
}

/** Returns the index of a gate in the list of a cell, or -1. */
export function placeOfGate({ cellGateStart, cellGates }: PathIndex, cell: number, gate: number): number {
  const first = cellGateStart[cell];
  let low = first;
  let high = cellGateStart[cell + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cellGates[middle] < gate) low = middle + 1;
    else high = middle;
  }
  return low < cellGateStart[cell + 1] && cellGates[low] === gate ? low - first : -1;
}

/**
 * Writes gates and lowest-level cells of the path that a search to the end has found: `exits[i]` leads to `gates[i +
 * 1]` through `cells[i]`. Searches again within the large cells that the path crosses. Returns false if a loaded index
 * is inconsistent.
 */
export function writeGates(state: GateSearch, index: PathIndex): boolean {
  const { gatePoint } = index;
  const lowestCount = index.viaStart.length - 1;
  const last = state.nodes[4 * index.gateLevel.length + PARENT];
  let depth = pushSteps(state, last, 0);
  state.gates[0] = depth > 0 ? state.stack[depth - 3] : last;
  state.exits[0] = state.gates[0];
  state.count = 1;
  while (depth > 0) {
    depth -= 3;
    const from = state.stack[depth];
    const to = state.stack[depth + 1];
    const cell = state.stack[depth + 2];
    if (cell === VIA_LINK) {
      state.exits[state.count - 1] = to;
      continue;
    }
    if (cell < lowestCount) {
      if (state.gates.length < state.count + 1) {
        state.gates = withRoom(state.gates, state.count + 1);
        state.cells = withRoom(state.cells, state.count + 1);
        state.exits = withRoom(state.exits, state.count + 1);
      }
      state.cells[state.count - 1] = cell;
      state.exits[state.count] = to;
      state.gates[state.count++] = to;
      continue;
    }
    beginSearch(state, index);
    openCell(state, index, cell);
    state.end[0] = gatePoint[3 * to];
    state.end[1] = gatePoint[3 * to + 2];
    state.length[from] = 0;
    addStart(state, index, from, -1);
    if (!runSearch(state, index, cell, to)) return false;
    depth = pushSteps(state, to, depth);
  }
  return true;
}

/** Pushes the steps to a gate, with the first step on top. Returns the new depth of the stack. */
function pushSteps(state: GateSearch, last: number, depth: number): number {
  const { nodes } = state;
  let count = depth;
  for (let at = last; nodes[4 * at + PARENT] >= 0; at = nodes[4 * at + PARENT]) {
    state.stack = withRoom(state.stack, count + 3);
    state.stack[count++] = nodes[4 * at + PARENT];
    state.stack[count++] = at;
    state.stack[count++] = nodes[4 * at + VIA];
  }
  return count;
}
