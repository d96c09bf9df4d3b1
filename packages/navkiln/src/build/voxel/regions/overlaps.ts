/**
 * Cuts regions that lie above themselves, as watershed regions on spirals and around ramps do.
 *
 * The outline of such a region crosses itself and cannot be triangulated. The region is cut along lines of equal height. These
 * lines run straight across ramps and along the edges of steps, so that the new borders are short. Floors that lie above each other
 * differ by more than the agent's height. Between each two of them, near the middle, must be a cut; of all sets of such heights,
 * that with the shortest borders is taken. Recast does not cut these regions.
 *
 * In: CompactField with regions. Out: the same with more regions.
 * Cost: if regions that share columns touch, a pass over the spans. A few passes over the spans of each cut region.
 * Based on: own.
 */
import { BATCH } from '../batch.ts';
import { columnOf } from '../column-of.ts';
import { stackedRegions } from './stacked.ts';
import type { CompactField, Stacked } from '../types.ts';

/**
 * Steps beyond its border within which a region must not lie above itself: borders between regions become straight, and so leave
 * their cells.
 */
const MARGIN = 2;

/** What is found in a field. */
interface Found {
  /** Pairs of heights at which regions have floors above each other, the lower one first, by region. */
  gaps: Map<number, number[]>;
  stacked: Stacked;
  /** By region the spans next to it of regions with which it shares a column. */
  borders: Map<number, number[]>;
}

/**
 * Cuts the regions that lie above themselves, or nearly so. Returns their number.
 *
 * @param stacked the regions of the field that share columns; those that do not touch may be left out
 */
export function cutOverlaps(
  field: CompactField,
  stacked: Stacked = stackedRegions(field, field.region, field.regionCount + 1),
): number {
  const { columnStart, region, spanCount } = field;
  const found: Found = { gaps: new Map(), stacked, borders: new Map() };
  const last = columnStart.length - 1;
  if (stacked.some((ids, id) => ids?.has(id))) for (let c = 0; c < last; c++) addColumn(field, found, c);
  const isStacked = Uint8Array.from(stacked, (ids) => (ids === undefined ? 0 : 1));
  if (isStacked.includes(1)) {
    for (let i = 0; i < spanCount; i += BATCH) findBorders(field, isStacked, found, i, Math.min(i + BATCH, spanCount));
    findNear(field, found);
  }
  if (found.gaps.size === 0) return 0;
  const spansOf = new Map<number, number[]>();
  for (const id of found.gaps.keys()) spansOf.set(id, []);
  for (let i = 0; i < spanCount; i++) spansOf.get(region[i])?.push(i);
  for (const [id, gaps] of found.gaps) {
    const spans = spansOf.get(id)!;
    cutRegion(field, spans, chooseCuts(field, spans, gaps));
  }
  return found.gaps.size;
}

/** Adds the gaps of regions that lie above themselves in column c. */
function addColumn(field: CompactField, { gaps, stacked }: Found, c: number): void {
  const { region, columnStart } = field;
  const end = columnStart[c + 1];
  for (let i = columnStart[c]; i < end; i++) {
    if (stacked[region[i]]?.has(region[i]) !== true) continue;
    for (let j = i + 1; j < end; j++) if (region[j] === region[i]) addGap(field, gaps, i, j);
  }
}

/** Finds the borders at spans first .. last - 1. Ends with its loop, see batch.ts. */
function findBorders(field: CompactField, isStacked: Uint8Array, found: Found, first: number, last: number): void {
  const { region, neighbor } = field;
  for (let i = first; i < last; i++) {
    const own = region[i];
    if (own >= isStacked.length || isStacked[own] === 0) continue;
    const south = neighbor[4 * i + 1];
    const east = neighbor[4 * i + 2];
    if (south !== -1 && region[south] !== own) addBorder(region, found, i, south);
    if (east !== -1 && region[east] !== own) addBorder(region, found, i, east);
  }
}

/** Adds two connected spans to the borders of their regions if these share a column. */
function addBorder(region: Int32Array, { stacked, borders }: Found, i: number, j: number): void {
  if (stacked[region[i]]?.has(region[j]) !== true) return;
  for (const [id, beyond] of [
    [region[i], j],
    [region[j], i],
  ]) {
    if (!borders.has(id)) borders.set(id, []);
    borders.get(id)!.push(beyond);
  }
}

/** Finds the gaps of regions that continue in another region above or below themselves, and come near to the column there. */
function findNear(field: CompactField, { borders, gaps }: Found): void {
  const { region, neighbor, columnStart } = field;
  for (const [id, border] of borders) {
    const reached = new Set(border);
    let rim = border;
    for (let steps = 1; steps <= MARGIN; steps++) {
      const further: number[] = [];
      for (const i of rim) {
        const c = columnOf(columnStart, i);
        for (let j = columnStart[c]; j < columnStart[c + 1]; j++) if (region[j] === id) addGap(field, gaps, j, i);
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

/** Adds the heights of a region's span and of another one in its column. */
function addGap({ region, y }: CompactField, gaps: Found['gaps'], i: number, j: number): void {
  const id = region[i];
  if (!gaps.has(id)) gaps.set(id, []);
  gaps.get(id)!.push(Math.min(y[i], y[j]), Math.max(y[i], y[j]));
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
