/**
 * Chooses the gate on each border that a path crosses.
 *
 *   s  |  x     o  |     t
 *      |  o  -> x  |          Each border between two cells of the path is a layer of gates. The shortest path over all layers takes
 *      |  o     o  |          one gate of each.
 *
 * The search from cell to cell uses few gates of a border; this step considers all of them.
 *
 * In: an index with an overlay, the cells on the path, lengths from both ends.
 * Out: a gate for each border.
 * Cost: the product of the gates of neighboring borders.
 * Based on: own.
 */
import { withRoom } from '../../walk/open-edges.ts';
import type { PathIndex } from '../types.ts';
import type { EndLengths } from './ends.ts';
import { placeOfGate } from './search.ts';
import type { GateSearch } from './search.ts';

/** Memory of the choice. Layer i has the entries layerStart[i] .. layerStart[i + 1] - 1. */
export interface Layers {
  layerStart: Int32Array;
  /** Per entry: its indices in the gate lists of the cells before and after the border. */
  before: Int32Array;
  behind: Int32Array;
  /** Per entry: the smallest length from the start, and the entry of the previous layer. */
  length: Float64Array;
  parent: Int32Array;
  /** Per border: the index of the chosen gate in the lists of the cells before and after it. */
  left: Int32Array;
  entered: Int32Array;
}

export function createLayers(): Layers {
  const none = new Int32Array(0);
  return {
    layerStart: none,
    before: none,
    behind: none,
    length: new Float64Array(0),
    parent: none,
    left: none,
    entered: none,
  };
}

/**
 * Chooses a gate of each border. The path leads from the first end's cell over `path.cells` to the other end's cell.
 * Returns the number of borders; 0 when no path was found.
 */
export function chooseGates(
  out: Layers,
  index: PathIndex,
  path: GateSearch,
  start: EndLengths,
  end: EndLengths,
): number {
  const { cellLengths, cellLengthStart } = index;
  const borderCount = path.count;
  out.layerStart = withRoom(out.layerStart, borderCount + 1);
  out.left = withRoom(out.left, borderCount);
  out.entered = withRoom(out.entered, borderCount);
  let count = 0;
  for (let border = 0; border < borderCount; border++) {
    const cell = border === 0 ? start.cell : path.cells[border - 1];
    const next = border + 1 === borderCount ? end.cell : path.cells[border];
    out.layerStart[border] = count;
    const gate = path.gates[border];
    const exit = path.exits[border];
    count = addLayer(out, index, cell, next, gate, exit, count);
    const toll = gate === exit ? 0 : index.linkLength[index.gateLink[gate] >> 1];
    const { length, before, behind, parent, layerStart } = out;
    for (let i = layerStart[border]; i < count; i++) {
      if (border === 0) {
        length[i] = start.lengths[before[i]] + toll;
        continue;
      }
      let least = Infinity;
      let best = -1;
      const to = before[i];
      const table = cellLengthStart[cell];
      const row = table + (to * (to - 1)) / 2;
      for (let j = layerStart[border - 1]; j < layerStart[border]; j++) {
        const from = behind[j];
        const step = from === to ? 0 : cellLengths[from < to ? row + from : table + (from * (from - 1)) / 2 + to];
        const total = length[j] + step;
        if (total >= least) continue;
        least = total;
        best = j;
      }
      length[i] = least + toll;
      parent[i] = best;
    }
  }
  let least = Infinity;
  let best = -1;
  for (let i = out.layerStart[borderCount - 1]; i < count; i++) {
    const total = out.length[i] + end.lengths[out.behind[i]];
    if (total >= least) continue;
    least = total;
    best = i;
  }
  if (best < 0) return 0;
  for (let border = borderCount - 1; border >= 0; border--) {
    out.left[border] = out.before[best];
    out.entered[border] = out.behind[best];
    best = out.parent[best];
  }
  return borderCount;
}

/** Adds the gates between two cells, or only `gate` when both are the same, or the link from `gate` to `exit`. Returns the new number of entries. */
// oxlint-disable-next-line max-params -- kernel: a border is two cells and a gate
function addLayer(
  out: Layers,
  index: PathIndex,
  cell: number,
  next: number,
  gate: number,
  exit: number,
  begun: number,
): number {
  const { cellGateStart, cellGates, gateCell } = index;
  const first = cellGateStart[cell];
  const end = cellGateStart[cell + 1];
  const nextFirst = cellGateStart[next];
  let count = begun;
  // Gates increase in both lists.
  let place = 0;
  if (out.before.length < begun + end - first + 1) {
    out.before = withRoom(out.before, begun + end - first + 1);
    out.behind = withRoom(out.behind, out.before.length);
    out.parent = withRoom(out.parent, out.before.length);
    const length = out.length;
    out.length = new Float64Array(out.before.length);
    out.length.set(length);
  }
  if (exit !== gate) {
    out.before[count] = placeOfGate(index, cell, gate);
    out.behind[count] = placeOfGate(index, next, exit);
    return count + 1;
  }
  for (let i = first; i < end; i++) {
    const at = cellGates[i];
    if (cell === next) {
      if (at !== gate) continue;
      out.before[count] = out.behind[count] = i - first;
      return count + 1;
    }
    if (gateCell[2 * at] !== next && gateCell[2 * at + 1] !== next) continue;
    while (cellGates[nextFirst + place] !== at) place++;
    out.before[count] = i - first;
    out.behind[count++] = place;
  }
  return count;
}
