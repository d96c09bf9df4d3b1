/**
 * Finds the pairs of segments (or boxes) whose boxes come within a distance of each other, seen from above.
 *
 * A hash grid of many levels: a segment lies in the cells that its box touches (four at most) of the level
 * whose cells are just wider than the segment is long. It looks for others on its own level and all wider
 * ones. So a long edge costs no more than a short one, and a pair is found once: in the cell with the lower
 * corner of the overlap of both boxes.
 *
 * In: segments and a distance, with coordinates up to 1e37.
 * Out: one call per pair.
 * Cost: linear in segments and pairs, times the number of levels (20 between a millimeter and a kilometer).
 * Based on: own; levels as in hierarchical hash grids (Christer Ericson, Real-Time Collision Detection, 2005,
 * 7.2).
 */
import { mixNumbers } from '../../../base/data/hash.ts';
import type { MemoryBudget } from '../../../base/data/memory-budget.ts';
import { spendSteps } from './budget.ts';

/** A pair that `visit` compares takes the time of this many looks at a segment that is not near; any other pair takes fewer. */
const PAIR_STEPS = 64;
const SKIPPED_STEPS = 16;
/** Steps that are free for each segment: 64 compared pairs. */
const FREE_STEPS = 64 * PAIR_STEPS;

/** ax, az, bx, bz each; a box is two opposite corners. */
export type Segments = Float64Array;

const floats = new Float32Array(1);
const bits = new Int32Array(floats.buffer);

/** Returns the exponent of the power of two above a length. */
function levelOf(length: number): number {
  floats[0] = length;
  return (bits[0] >> 23) - 126;
}

/**
 * Cells are at least this share of a box's distance from the origin. In smaller ones, so far away, the number of a
 * cell could be equal to the next one's.
 */
const LEAST_CELL = 2 ** -45;

function sizeOf(level: number): number {
  bits[0] = (level + 127) << 23;
  return floats[0];
}

/** Which pairs count. Segments from number `from` on never pair with each other. */
export interface NearKinds {
  from: number;
  /** Whether those before `from` pair with each other. */
  within: boolean;
}

/**
 * Calls `visit` once per pair; it returns whether it compared the two further. The first is not longer than the second
 * by a level; on the same level the earlier one comes first.
 */
export function forEachNear(
  segments: Segments,
  reach: number,
  budget: MemoryBudget,
  visit: (i: number, j: number) => boolean,
  { from, within }: NearKinds = { from: segments.length / 4, within: true },
): void {
  const count = segments.length / 4;
  const level = new Int8Array(count);
  const boxes = new Float64Array(segments.length);
  for (let i = 0, s = 0; i < count; i++, s += 4) {
    const ax = segments[s];
    const az = segments[s + 1];
    const bx = segments[s + 2];
    const bz = segments[s + 3];
    boxes[s] = (ax < bx ? ax : bx) - reach / 2;
    boxes[s + 1] = (az < bz ? az : bz) - reach / 2;
    boxes[s + 2] = (ax > bx ? ax : bx) + reach / 2;
    boxes[s + 3] = (az > bz ? az : bz) + reach / 2;
    const away = Math.max(-boxes[s], -boxes[s + 1], boxes[s + 2], boxes[s + 3]);
    level[i] = levelOf(Math.max(Math.max(Math.abs(bx - ax), Math.abs(bz - az)) + 2 * reach, LEAST_CELL * away));
  }
  findPairs(createGrid(boxes, level, from), within, budget, visit);
}

/**
 * The grid: boxes (4 numbers each) and their levels; the cells that boxes touch, by key; and by cell the boxes in it,
 * from the last to the first.
 */
interface LevelGrid {
  boxes: Float64Array;
  level: Int8Array;
  /** Boxes from this number on are of kind 1. */
  from: number;
  /** The levels in use, by kind. */
  isUsed: readonly [Uint8Array, Uint8Array];
  /** Open addressing: numbers of cells, or -1. */
  table: Int32Array;
  /** Of each cell: 2 * level + kind, and its column and row. */
  cellKind: Int32Array;
  cellX: Float64Array;
  cellZ: Float64Array;
  /** Where the entries of each cell begin. An entry is a number of a box, and a copy of the box. */
  start: Int32Array;
  entries: Int32Array;
  entryBoxes: Float64Array;
}

function createGrid(boxes: Float64Array, level: Int8Array, from: number): LevelGrid {
  const count = level.length;
  const isUsed = [new Uint8Array(256), new Uint8Array(256)] as const;
  // Column and row where each box begins, and how many of both it touches.
  const first = new Float64Array(2 * count);
  const sides = new Int32Array(2 * count);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const size = sizeOf(level[i]);
    isUsed[i < from ? 0 : 1][level[i] + 128] = 1;
    first[2 * i] = Math.floor(boxes[4 * i] / size);
    first[2 * i + 1] = Math.floor(boxes[4 * i + 1] / size);
    sides[2 * i] = Math.floor(boxes[4 * i + 2] / size) - first[2 * i] + 1;
    sides[2 * i + 1] = Math.floor(boxes[4 * i + 3] / size) - first[2 * i + 1] + 1;
    total += sides[2 * i] * sides[2 * i + 1];
  }
  let slots = 64;
  while (slots < 2 * total) slots *= 2;
  const grid: LevelGrid = {
    boxes,
    level,
    from,
    isUsed,
    table: new Int32Array(slots).fill(-1),
    cellKind: new Int32Array(total),
    cellX: new Float64Array(total),
    cellZ: new Float64Array(total),
    start: new Int32Array(total + 1),
    entries: new Int32Array(total),
    entryBoxes: new Float64Array(4 * total),
  };
  const { table, cellKind, cellX, cellZ, start, entries, entryBoxes } = grid;
  const cellOf = new Int32Array(total);
  let cells = 0;
  for (let i = 0, e = 0; i < count; i++) {
    const kind = 2 * level[i] + (i < from ? 0 : 1);
    for (let row = 0; row < sides[2 * i + 1]; row++) {
      for (let column = 0; column < sides[2 * i]; column++) {
        const x = first[2 * i] + column;
        const z = first[2 * i + 1] + row;
        const slot = slotOf(grid, x, z, kind);
        let cell = table[slot];
        if (cell < 0) {
          cell = table[slot] = cells++;
          cellKind[cell] = kind;
          cellX[cell] = x;
          cellZ[cell] = z;
        }
        start[cell]++;
        cellOf[e++] = cell;
      }
    }
  }
  for (let cell = 0, sum = 0; cell <= cells; cell++) start[cell] = sum += cell < cells ? start[cell] : 0;
  for (let i = 0, e = 0; i < count; i++) {
    for (let k = sides[2 * i] * sides[2 * i + 1]; k > 0; k--) {
      const at = --start[cellOf[e++]];
      entries[at] = i;
      for (let c = 0; c < 4; c++) entryBoxes[4 * at + c] = boxes[4 * i + c];
    }
  }
  return grid;
}

/** Returns the slot of a cell in the table, or the empty one where it belongs. */
function slotOf({ table, cellKind, cellX, cellZ }: LevelGrid, x: number, z: number, kind: number): number {
  const mask = table.length - 1;
  let slot = mixNumbers(x, z, kind) & mask;
  for (let cell = table[slot]; cell >= 0; cell = table[slot]) {
    if (cellX[cell] === x && cellZ[cell] === z && cellKind[cell] === kind) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

function findPairs(
  grid: LevelGrid,
  within: boolean,
  budget: MemoryBudget,
  visit: (i: number, j: number) => boolean,
): void {
  const { boxes, level, from, isUsed, table, start, entries, entryBoxes } = grid;
  const levels: number[] = [];
  for (let k = 255; k >= 0; k--) if (isUsed[0][k] + isUsed[1][k] > 0) levels.push(k - 128);
  let free = FREE_STEPS * level.length;
  for (let i = 0; i < level.length; i++) {
    const ax0 = boxes[4 * i];
    const az0 = boxes[4 * i + 1];
    const ax1 = boxes[4 * i + 2];
    const az1 = boxes[4 * i + 3];
    for (let l = 0; l < levels.length && levels[l] >= level[i]; l++) {
      const k = levels[l];
      const size = sizeOf(k);
      const x1 = Math.floor(ax1 / size);
      const z1 = Math.floor(az1 / size);
      const x0 = Math.floor(ax0 / size);
      const z0 = Math.floor(az0 / size);
      // Cells of both kinds, one after the other.
      for (let kind = i < from && !within ? 1 : 0; kind < (i < from ? 2 : 1); kind++) {
        if (isUsed[kind][k + 128] === 0) continue;
        // On its own level, a box looks for later ones.
        const last = k > level[i] ? -1 : i;
        for (let z = z0; z <= z1; z++) {
          for (let x = x0; x <= x1; x++) {
            const cell = table[slotOf(grid, x, z, 2 * k + kind)];
            if (cell < 0) continue;
            const end = start[cell + 1];
            let e = start[cell];
            for (; e < end && entries[e] > last; e++) {
              const bx0 = entryBoxes[4 * e];
              const bz0 = entryBoxes[4 * e + 1];
              // One test for all four sides: which of them is apart is hard to predict.
              const besideX = Math.max(bx0 - ax1, ax0 - entryBoxes[4 * e + 2]);
              if (Math.max(besideX, bz0 - az1, az0 - entryBoxes[4 * e + 3]) > 0) continue;
              if (Math.floor((ax0 > bx0 ? ax0 : bx0) / size) !== x || Math.floor((az0 > bz0 ? az0 : bz0) / size) !== z)
                continue;
              free -= visit(i, entries[e]) ? PAIR_STEPS : SKIPPED_STEPS;
            }
            free -= e - start[cell];
            if (free >= 0) continue;
            spendSteps(budget, -free);
            free = 0;
          }
        }
      }
    }
  }
}
