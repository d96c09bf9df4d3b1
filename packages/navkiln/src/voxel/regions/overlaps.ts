/**
 * Cuts regions that lie above themselves, as watershed regions on spirals and around ramps do.
 *
 * The outline of such a region crosses itself and cannot be triangulated. The region is cut along lines of equal height. These
 * lines run straight across ramps and along the edges of steps, so that the new borders are short. Floors that lie above each other
 * differ by more than the agent's height. Between each two of them, near the middle, must be a cut; of all sets of such heights,
 * that with the shortest borders is taken. Recast does not cut these regions.
 *
 * In: CompactField with regions. Out: the same with more regions.
 * Cost: a pass over columns with several floors. If regions lie above each other, a pass over the spans; a few passes over the
 *   spans of each cut region.
 * Based on: own.
 */
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

/**
 * Steps beyond its border within which a region must not lie above itself: borders between regions become straight, and so leave
 * their cells.
 */
const MARGIN = 2;

/** Pairs of heights at which regions have floors above each other, the lower one first, by region. */
type Gaps = Map<number, number[]>;

/** Cuts the regions that lie above themselves, or nearly so. Returns their number. */
export function cutOverlaps(field: CompactField): number {
  const gapsOf: Gaps = new Map();
  const stacked = findStacked(field, gapsOf);
  if (stacked.size > 0) findNear(field, stacked, gapsOf);
  if (gapsOf.size === 0) return 0;
  const { region, spanCount } = field;
  const spansOf = new Map<number, number[]>();
  for (const id of gapsOf.keys()) spansOf.set(id, []);
  for (let i = 0; i < spanCount; i++) spansOf.get(region[i])?.push(i);
  for (const [id, gaps] of gapsOf) {
    const spans = spansOf.get(id)!;
    cutRegion(field, spans, chooseCuts(field, spans, gaps));
  }
  return gapsOf.size;
}

function addGap(gapsOf: Gaps, id: number, a: number, b: number): void {
  if (!gapsOf.has(id)) gapsOf.set(id, []);
  gapsOf.get(id)!.push(Math.min(a, b), Math.max(a, b));
}

/** Returns keys of the pairs of regions that share a column. Adds the gaps of regions that occur twice in one. */
function findStacked({ region, columnStart, regionCount, y }: CompactField, gapsOf: Gaps): Set<number> {
  const stacked = new Set<number>();
  let end = 0;
  let before = 0;
  let beforeCount = 0;
  for (let c = 1; c < columnStart.length; c++) {
    const begin = end;
    end = columnStart[c];
    const count = end - begin;
    if (count < 2) continue;
    // Most columns have the regions of the one before.
    let same = 0;
    if (count === beforeCount) while (same < count && region[begin + same] === region[before + same]) same++;
    before = begin;
    beforeCount = count;
    if (same === count) continue;
    for (let i = begin; i < end; i++) {
      const id = region[i];
      if (id === 0 || id > regionCount) continue;
      for (let j = i + 1; j < end; j++) {
        const other = region[j];
        if (other === id) {
          addGap(gapsOf, id, y[i], y[j]);
          // The heights of each such column count.
          beforeCount = 0;
        } else if (other !== 0 && other <= regionCount) stacked.add(keyOf(id, other));
      }
    }
  }
  return stacked;
}

/** Returns the key of a pair of regions, in any order. */
function keyOf(a: number, b: number): number {
  return Math.max(a, b) * BORDER_REGION + Math.min(a, b);
}

/** Adds the gaps of regions that continue in another region above or below themselves, and come near to the column there. */
function findNear(field: CompactField, stacked: ReadonlySet<number>, gapsOf: Gaps): void {
  const { region, neighbor, columnStart, y } = field;
  for (const [id, border] of findBorders(field, stacked)) {
    const reached = new Set(border);
    let rim = border;
    for (let steps = 1; steps <= MARGIN; steps++) {
      const further: number[] = [];
      for (const i of rim) {
        const c = columnOf(columnStart, i);
        for (let j = columnStart[c]; j < columnStart[c + 1]; j++) {
          if (region[j] === id) addGap(gapsOf, id, y[i], y[j]);
        }
        for (let e = 4 * i; e < 4 * i + 4; e++) {
          const a = neighbor[e];
          if (a === -1 || region[a] === id || reached.has(a)) continue;
          reached.add(a);
          further.push(a);
        }
      }
      rim = further;
    }
  }
}

/** Returns by region the spans next to it of regions with which it shares a column. */
function findBorders(field: CompactField, stacked: ReadonlySet<number>): Map<number, number[]> {
  const { region, neighbor, regionCount, spanCount } = field;
  const borders = new Map<number, number[]>();
  for (let i = 0; i < spanCount; i++) {
    const id = region[i];
    if (id === 0 || id > regionCount) continue;
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      const a = neighbor[e];
      if (a === -1 || region[a] === id || !stacked.has(keyOf(id, region[a]))) continue;
      if (!borders.has(id)) borders.set(id, []);
      borders.get(id)!.push(a);
    }
  }
  return borders;
}

/** Returns the column of span i. */
function columnOf(columnStart: Int32Array, i: number): number {
  let low = 0;
  let high = columnStart.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (columnStart[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Returns the heights of the cuts, upwards. Each pair of floors in `gaps` has one between them, at least a quarter of their distance away
 * from both. So the ends of a piece keep apart where it winds around.
 */
function chooseCuts(
  { region, neighbor, y }: CompactField,
  spans: readonly number[],
  gaps: readonly number[],
): number[] {
  let low = Infinity;
  let high = 0;
  for (const i of spans) {
    if (y[i] < low) low = y[i];
    if (y[i] > high) high = y[i];
  }
  const count = high - low + 2;
  // Connections that a cut at each height cuts: first the changes of their number.
  const cost = new Int32Array(count + 1);
  for (const i of spans) {
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      const a = neighbor[e];
      if (a === -1 || region[a] !== region[i] || y[a] <= y[i]) continue;
      cost[y[i] + 1 - low]++;
      cost[y[a] + 1 - low]--;
    }
  }
  // Below each height, the highest place above which a cut must be.
  const above = new Int32Array(count + 1).fill(-1);
  for (let k = 0; k < gaps.length; k += 2) {
    const margin = (gaps[k + 1] - gaps[k]) >> 2;
    const last = gaps[k + 1] - margin - low;
    above[last + 1] = Math.max(above[last + 1], gaps[k] + margin - low);
  }
  // The least cost of all cuts up to one at each height, and the cut before it. Height count - 1 is above all spans.
  const least = new Float64Array(count);
  const before = new Int32Array(count).fill(-1);
  const window: number[] = [];
  let head = 0;
  for (let h = 1; h < count; h++) {
    cost[h] += cost[h - 1];
    above[h] = Math.max(above[h], above[h - 1]);
    while (head < window.length && window[head] <= above[h]) head++;
    least[h] = h < count - 1 ? cost[h] + 1 : 0;
    if (above[h] >= 0) {
      before[h] = window[head];
      least[h] += least[window[head]];
    }
    while (window.length > head && least[window[window.length - 1]] >= least[h]) window.pop();
    window.push(h);
  }
  const cuts: number[] = [];
  for (let h = before[count - 1]; h !== -1; h = before[h]) cuts.unshift(h + low);
  return cuts;
}

/** Gives each connected part of a region between two cuts an id of its own. The first part keeps that of the region. */
function cutRegion(field: CompactField, spans: readonly number[], cuts: readonly number[]): void {
  const { region, neighbor, y } = field;
  const id = region[spans[0]];
  const bandOf = (i: number): number => {
    let band = 0;
    while (band < cuts.length && cuts[band] <= y[i]) band++;
    return band;
  };
  const isSeen = new Set<number>();
  let own = id;
  for (const first of spans) {
    if (isSeen.has(first)) continue;
    isSeen.add(first);
    const band = bandOf(first);
    const part = [first];
    for (const span of part) {
      for (let e = 4 * span; e < 4 * span + 4; e++) {
        const next = neighbor[e];
        if (next === -1 || region[next] !== id || isSeen.has(next) || bandOf(next) !== band) continue;
        isSeen.add(next);
        part.push(next);
      }
    }
    for (const span of part) region[span] = own;
    own = ++field.regionCount;
  }
  field.regionCount--;
}
