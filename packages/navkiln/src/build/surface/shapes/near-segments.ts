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
  const isLevel = new Uint8Array(256);
  for (let i = 0; i < count; i++) {
    const s = 4 * i;
    const dx = Math.abs(segments[s + 2] - segments[s]);
    const dz = Math.abs(segments[s + 3] - segments[s + 1]);
    boxes[s] = Math.min(segments[s], segments[s + 2]) - reach / 2;
    boxes[s + 1] = Math.min(segments[s + 1], segments[s + 3]) - reach / 2;
    boxes[s + 2] = Math.max(segments[s], segments[s + 2]) + reach / 2;
    boxes[s + 3] = Math.max(segments[s + 1], segments[s + 3]) + reach / 2;
    const away = Math.max(-boxes[s], -boxes[s + 1], boxes[s + 2], boxes[s + 3]);
    level[i] = levelOf(Math.max(Math.max(dx, dz) + 2 * reach, LEAST_CELL * away));
    isLevel[level[i] + 128] = 1;
  }
  const levels: number[] = [];
  for (let k = 0; k < 256; k++) if (isLevel[k] === 1) levels.push(k - 128);
  let buckets = 64;
  while (buckets < 2 * count) buckets *= 2;
  const mask = buckets - 1;
  // Counting sort of (cell, segment) by bucket.
  const start = new Int32Array(buckets + 1);
  for (let pass = 0, entries = new Int32Array(0); pass < 2; pass++) {
    for (let i = 0; i < count; i++) {
      const size = sizeOf(level[i]);
      const x1 = Math.floor(boxes[4 * i + 2] / size);
      const z1 = Math.floor(boxes[4 * i + 3] / size);
      for (let cz = Math.floor(boxes[4 * i + 1] / size); cz <= z1; cz++) {
        for (let cx = Math.floor(boxes[4 * i] / size); cx <= x1; cx++) {
          const bucket = mixNumbers(cx, cz, 2 * level[i] + (i < from ? 0 : 1)) & mask;
          if (pass === 0) start[bucket]++;
          else entries[--start[bucket]] = i;
        }
      }
    }
    if (pass === 1) findPairs({ boxes, level, levels, start, entries, mask, from, within }, budget, visit);
    else {
      for (let bucket = 0, sum = 0; bucket <= buckets; bucket++) start[bucket] = sum += start[bucket];
      entries = new Int32Array(start[buckets]);
    }
  }
}

/** The hash grid: boxes (4 numbers each) and their levels, the levels in use, buckets and their entries. */
interface LevelGrid extends NearKinds {
  boxes: Float64Array;
  level: Int8Array;
  levels: readonly number[];
  start: Int32Array;
  entries: Int32Array;
  mask: number;
}

function findPairs(grid: LevelGrid, budget: MemoryBudget, visit: (i: number, j: number) => boolean): void {
  const { boxes, level, levels, start, entries, mask, from, within } = grid;
  let free = FREE_STEPS * level.length;
  for (let i = 0; i < level.length; i++) {
    const ax0 = boxes[4 * i];
    const az0 = boxes[4 * i + 1];
    const ax1 = boxes[4 * i + 2];
    const az1 = boxes[4 * i + 3];
    for (let k = levels.length - 1; k >= 0 && levels[k] >= level[i]; k--) {
      const size = sizeOf(levels[k]);
      const x1 = Math.floor(ax1 / size);
      const z1 = Math.floor(az1 / size);
      const cx0 = Math.floor(ax0 / size);
      const cz0 = Math.floor(az0 / size);
      // Cells of both kinds, one after the other.
      const perKind = (x1 - cx0 + 1) * (z1 - cz0 + 1);
      const end = i < from ? 2 * perKind : perKind;
      for (let cell = i < from && !within ? perKind : 0; cell < end; cell++) {
        const kind = cell < perKind ? 0 : 1;
        const cx = cx0 + ((cell - kind * perKind) % (x1 - cx0 + 1));
        const cz = cz0 + Math.floor((cell - kind * perKind) / (x1 - cx0 + 1));
        const bucket = mixNumbers(cx, cz, 2 * levels[k] + kind) & mask;
        free -= start[bucket + 1] - start[bucket];
        for (let e = start[bucket]; e < start[bucket + 1]; e++) {
          const j = entries[e];
          if (level[j] !== levels[k] || j < from !== (kind === 0) || (level[j] === level[i] && j <= i)) continue;
          const bx0 = boxes[4 * j];
          const bz0 = boxes[4 * j + 1];
          if (bx0 > ax1 || bz0 > az1 || boxes[4 * j + 2] < ax0 || boxes[4 * j + 3] < az0) continue;
          if (Math.floor((ax0 > bx0 ? ax0 : bx0) / size) !== cx || Math.floor((az0 > bz0 ? az0 : bz0) / size) !== cz)
            continue;
          free -= visit(i, j) ? PAIR_STEPS : SKIPPED_STEPS;
        }
        if (free < 0) {
          spendSteps(budget, -free);
          free = 0;
        }
      }
    }
  }
}
