/**
 * Filters the walkability of solid spans: curbs become walkable, ledges and spans under low ceilings do not.
 *
 * Low-hanging obstacles come first and give walkability. The other two only take it away, and do not depend
 * on the areas of other spans. So one pass over the columns does all three, span by span from the bottom up.
 *
 * Nearly every span has a floor within reach and open space on the same storey of its four neighbors, counted
 * from above. Then no other floor matters, and the five tops decide without a loop. Minimum and maximum are
 * branch-free, because heights of rough surfaces mispredict. Spans that this does not decide wait until the
 * end of their row for `decideLedges`.
 *
 * Recast also removes spans whose accessible neighbors differ by more than the climb: in effect, a second limit for slopes, of the climb
 * over two cells. It deletes stairs whose riser is over half the climb. Slopes have a limit of their own, which is applied to triangles,
 * and compact.ts compares each step with the climb. So this rule is off unless `recast` is set.
 *
 * In: Heightfield. Out: the same with other areas.
 * Cost: one pass over the spans.
 * Based on: Mikko Mononen, Recast (2009), RecastFilter. Columns are contiguous here, so the neighbors of a
 *   span are runs of an array instead of linked lists.
 * Tried: three passes that search each neighbor's column from its bottom take 2.4 to 3.2 times as long,
 *   and Math.min and Math.max take 1.25 to 1.9 times as long (`npm run bench -- --only bake --stages`). See
 *   docs/notes/voxel.md.
 */
import { earlyRowStep } from '../batch.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import type { Heightfield } from '../types.ts';

/** Ceiling of a span with nothing above, voxels. */
const SKY = 0xffff;

/** The bits of a span without its area. */
const WITHOUT_AREA = 0x03ffffff;

/** Runs the filters that `config` turns on, in one pass. */
export function filterSpans(field: Heightfield, config: BakeConfig): void {
  filter(
    field,
    config.walkableHeightCells,
    config.walkableClimbCells,
    config.filterLowHangingObstacles,
    config.filterLowCeilings,
    config.filterLedges,
    config.recast,
  );
}

/** Makes spans walkable that are at most the climb above a walkable span: curbs, stairs, rubble. */
export function filterLowHangingObstacles(field: Heightfield, climbCells: number): void {
  filter(field, 0, climbCells, true, false, false, false);
}

/** Makes spans under a ceiling lower than the agent not walkable. */
export function filterLowCeilings(field: Heightfield, heightCells: number): void {
  filter(field, heightCells, 0, false, true, false, false);
}

/**
 * Makes spans not walkable that are next to a drop of more than the climb. With `recast`, also those whose neighbors' floors differ by
 * more.
 */
export function filterLedges(
  field: Heightfield,
  heightCells: number,
  climbCells: number,
  recast: boolean = false,
): void {
  filter(field, heightCells, climbCells, false, false, true, recast);
}

/** Returns the number of walkable spans. */
export function countWalkableSpans(field: Heightfield): number {
  const { spans, spanCount } = field;
  let count = 0;
  for (let i = 0; i < spanCount; i++) if (spans[i] >>> 26 !== 0) count++;
  return count;
}

/** The settings of a pass, and the spans of the current row that it does not decide. */
interface Pass {
  field: Heightfield;
  heightCells: number;
  climbCells: number;
  lowHanging: boolean;
  lowCeilings: boolean;
  ledges: boolean;
  /** Whether spans are ledges whose neighbors' floors differ by more than the climb. */
  recast: boolean;
  /** Undecided spans of a row, each followed by its column. */
  undecided: Int32Array;
}

// Rows are functions that end with their loop, see batch.ts.

// oxlint-disable-next-line max-params -- the three filters of one pass
function filter(
  field: Heightfield,
  heightCells: number,
  climbCells: number,
  lowHanging: boolean,
  lowCeilings: boolean,
  ledges: boolean,
  recast: boolean,
): void {
  const { width, depth, columnStart } = field;
  let capacity = 0;
  for (let z = 0; z < depth; z++) capacity = Math.max(capacity, columnStart[(z + 1) * width] - columnStart[z * width]);
  const undecided = new Int32Array(2 * capacity);
  const pass = createRecord((): Pass => ({
    field,
    heightCells,
    climbCells,
    lowHanging,
    lowCeilings,
    ledges,
    recast,
    undecided,
  }));
  const inset = ledges ? 1 : 0;
  if (ledges) for (let z = 0; z < depth; z++) clearEdge(field, z);
  const step = earlyRowStep(depth);
  for (const isEarly of [true, false]) {
    for (let z = inset; z < depth - inset; z++) {
      if ((z % step === 0) !== isEarly) continue;
      const undecidedCount = filterRow(pass, z);
      if (undecidedCount > 0) decideLedges(pass, undecidedCount);
    }
  }
}

/** Makes the spans of a row that are on the grid's edge not walkable: outside of the grid is a drop. */
function clearEdge({ width, depth, columnStart, spans }: Heightfield, z: number): void {
  const step = z === 0 || z === depth - 1 || width === 1 ? 1 : width - 1;
  for (let x = 0; x < width; x += step) {
    const c = x + z * width;
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) spans[i] = spans[i] & WITHOUT_AREA;
  }
}

/** Filters the spans of a row. Returns the number of entries in `undecided`. */
// oxlint-disable-next-line max-lines-per-function -- hot loop: keeps twenty numbers in registers
function filterRow(pass: Pass, z: number): number {
  const { field, heightCells, climbCells, lowHanging, lowCeilings, ledges, recast, undecided } = pass;
  const { width, columnStart, spans } = field;
  const inset = ledges ? 1 : 0;
  let undecidedCount = 0;
  const first = z * width + inset;
  const last = (z + 1) * width - inset;
  let westStart = 0;
  let begin = 0;
  let end = columnStart[first];
  let eastEnd = 0;
  let northStart = 0;
  let northEnd = 0;
  let southStart = 0;
  let southEnd = 0;
  if (ledges) {
    begin = columnStart[first - 1];
    eastEnd = columnStart[first + 1];
    northEnd = columnStart[first - width];
    southEnd = columnStart[first + width];
  }
  for (let c = first; c < last; c++) {
    westStart = begin;
    begin = end;
    end = ledges ? eastEnd : columnStart[c + 1];
    const count = end - begin;
    // Offsets from a span to the neighbors' spans on the same storey, counted from above.
    let west = 0;
    let east = 0;
    let north = 0;
    let south = 0;
    let hasStoreys = false;
    if (ledges) {
      eastEnd = columnStart[c + 2];
      northStart = northEnd;
      northEnd = columnStart[c - width + 1];
      southStart = southEnd;
      southEnd = columnStart[c + width + 1];
      west = -count;
      east = eastEnd - end;
      north = northEnd - end;
      south = southEnd - end;
      hasStoreys =
        climbCells < heightCells &&
        begin + west >= westStart &&
        east >= count &&
        begin + north >= northStart &&
        begin + south >= southStart;
    }
    // The span below before filtering: a curb does not make the next span a curb.
    let below = 0;
    for (let i = begin; i < end; i++) {
      const span = spans[i];
      const t = (span >>> 13) & 0x1fff;
      if (span >>> 26 === 0) {
        const isCurb = lowHanging && below >>> 26 !== 0 && t - ((below >>> 13) & 0x1fff) <= climbCells;
        if (isCurb) spans[i] = span | (below & 0xfc000000);
        below = span;
        if (!isCurb) continue;
      } else below = span;
      if (hasStoreys) {
        // Lowest and highest of five tops: the mask of its sign removes a difference unless it is negative.
        const a = (spans[i + west] >>> 13) & 0x1fff;
        const b = (spans[i + east] >>> 13) & 0x1fff;
        const d = (spans[i + north] >>> 13) & 0x1fff;
        const e = (spans[i + south] >>> 13) & 0x1fff;
        let less = (a - b) & ((a - b) >> 31);
        let low = (b + less) | 0;
        let high = (a - less) | 0;
        less = (d - low) & ((d - low) >> 31);
        low = (low + less) | 0;
        less = (e - low) & ((e - low) >> 31);
        low = (low + less) | 0;
        less = (t - low) & ((t - low) >> 31);
        low = (low + less) | 0;
        less = (high - d) & ((high - d) >> 31);
        high = (high - less) | 0;
        less = (high - e) & ((high - e) >> 31);
        high = (high - less) | 0;
        less = (high - t) & ((high - t) >> 31);
        high = (high - less) | 0;
        // Two tests that nearly always hold: the larger of both would mispredict on rough surfaces.
        if (high - t <= climbCells && t - low <= climbCells && (!recast || high - low <= climbCells)) {
          const head = high + heightCells;
          if (
            i + 1 === end ||
            ((spans[i + 1] & 0x1fff) >= head &&
              (spans[i + west + 1] & 0x1fff) >= head &&
              (spans[i + east + 1] & 0x1fff) >= head &&
              (spans[i + north + 1] & 0x1fff) >= head &&
              (spans[i + south + 1] & 0x1fff) >= head)
          )
            continue;
        }
      }
      if (lowCeilings && i + 1 < end && (spans[i + 1] & 0x1fff) - t < heightCells) spans[i] = span & WITHOUT_AREA;
      else if (ledges) {
        undecided[undecidedCount++] = i;
        undecided[undecidedCount++] = c;
      }
    }
  }
  return undecidedCount;
}

/** Makes the ledges among undecided spans not walkable. Their columns are not on the grid's edge. */
function decideLedges({ field, heightCells, climbCells, recast, undecided }: Pass, count: number): void {
  const { spans, columnStart, width } = field;
  next: for (let at = 0; at < count; at += 2) {
    const i = undecided[at];
    const c = undecided[at + 1];
    const begin = columnStart[c];
    const ceiling = i + 1 < columnStart[c + 1] ? spans[i + 1] & 0x1fff : SKY;
    const floor = (spans[i] >>> 13) & 0x1fff;
    const head = floor + heightCells;
    // No agent fits in here, so none can fall.
    if (ceiling < head) continue;
    // Floors above this one are out of reach.
    let reach = floor + climbCells;
    if (ceiling - heightCells < reach) reach = ceiling - heightCells;
    let lowest = floor;
    let highest = floor;
    for (let dir = 0; dir < 4; dir++) {
      const other = dir === 0 ? c - 1 : dir === 1 ? c + width : dir === 2 ? c + 1 : c - width;
      const low = columnStart[other];
      const high = columnStart[other + 1];
      let k = low + i - begin;
      // Without a floor below its first span, the neighbor is a drop.
      let isDrop = low === high || (spans[low] & 0x1fff) >= head;
      if (!isDrop) {
        if (k >= high) k = high - 1;
        // A span's bottom is the ceiling of the floor below it: go down to the floors under which the agent fits.
        while ((spans[k] & 0x1fff) >= head) k--;
        for (; k < high; k++) {
          const otherFloor = (spans[k] >>> 13) & 0x1fff;
          if (otherFloor > reach) break;
          const otherCeiling = k + 1 < high ? spans[k + 1] & 0x1fff : SKY;
          if (otherCeiling < head || otherCeiling - otherFloor < heightCells) continue;
          isDrop = floor - otherFloor > climbCells;
          if (isDrop) break;
          if (otherFloor < lowest) lowest = otherFloor;
          else if (otherFloor > highest) highest = otherFloor;
        }
      }
      if (isDrop) {
        spans[i] = spans[i] & WITHOUT_AREA;
        continue next;
      }
    }
    if (recast && highest - lowest > climbCells) spans[i] = spans[i] & WITHOUT_AREA;
  }
}
