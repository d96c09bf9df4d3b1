/**
 * Builds regions by watershed: floods the distance field from its summits down, level by level, so that
 * regions meet in narrow places.
 *
 * It gives the best shapes of the three partitionings, and is the slowest. Ids and shapes are Recast's, whose
 * order decides: at each level new spans come first (by index), then leftovers of the levels above. Every
 * eighth level, new spans and leftovers come together by index.
 *
 * One counting sort orders all spans by level. The first pass over a level visits each of its spans once, and
 * five of six find a region next to them. Each later pass visits what is left. A pass reads what was known
 * before it and writes afterwards, so the order within it is free. Neighbors are copied into the order of levels, in
 * which they are read. Large fields skip the copy, because it would be the largest array of a bake.
 *
 * A span finds its region without a branch: the least of four numbers `reach * 4 + direction`. Spans without
 * a region, walls, other areas and the border have the largest reach. A missing neighbor, -1, reads slot 0,
 * which has it, too.
 *
 * In: CompactField with areas and distance. Out: `region` (1 .. regionCount, 0: none).
 * Cost: a few passes over the spans. Later passes visit only what is left of a level.
 * Based on: Luc Vincent and Pierre Soille, Watersheds in digital spaces (1991); Mikko Mononen, Recast (2009),
 *   rcBuildRegions. Recast searches the whole grid every eighth level and tests each waiting span in each of
 *   up to eight expansions.
 * Tried: regions and areas of neighbors tested one by one take twice the time (`npm run bench -- --only bake
 *   --stages`). See docs/notes/voxel.md.
 */
import { AREA_NONE, ORDERED_LINK_SPANS } from '../../../base/constants.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH } from '../batch.ts';
import { takeSlot } from '../memory.ts';
import { createRecord } from '../records.ts';
import { mergeSmallRegions } from './merge.ts';
import { paintBorder } from './border.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField, Stacked } from '../types.ts';

/** Levels between two rounds in which leftovers and new spans come together. */
const LEVELS_PER_ROUND = 8;
/** Passes per level: how far a region may grow before new ones are seeded. The lowest level has no limit. */
const EXPANSIONS = 8;
/** Reach of a span without a region. Regions stop growing two steps before it. */
const NO_REACH = 0xffff;

interface Flood {
  field: CompactField;
  /** Neighbors of the same area, as in `CompactField.neighbor`. */
  link: Int32Array;
  /** All spans by level. Spans of passed levels that have no region are kept at the start. */
  ordered: Int32Array;
  /** Number of spans kept at the start of `ordered`. */
  restCount: number;
  /** Neighbors in the order of `ordered`, so that most reads pass through memory in a line. Empty for large fields. */
  orderedLink: Int32Array;
  region: Int32Array;
  /** Steps from the region's seeds: span i at i + 1, `NO_REACH` in slot 0. */
  reach: Uint16Array;
  /** Spans that get a region in the current pass, and the neighbors from which they get it. */
  taken: Int32Array;
  source: Int32Array;
  takenCount: number;
  stack: Int32Array;
}

/**
 * Builds the regions of a field by watershed. Returns which of them touch and share a column.
 *
 * @param minArea, mergeArea in spans, see `mergeSmallRegions`
 * @param copyLimit fields with more spans do not copy their neighbors
 */
export function buildRegionsWatershed(
  field: CompactField,
  minArea: number,
  mergeArea: number,
  workspace: Workspace = createWorkspace(),
  copyLimit: number = ORDERED_LINK_SPANS,
): Stacked {
  const { spanCount } = field;
  const none = new Int32Array(0);
  const region = takeSlot(workspace, 'field.region', spanCount).fill(0);
  let nextId = 1 + paintBorder(field, region);
  const hasBorder = nextId > 1;

  const topLevel = (field.maxDistance + 1) >> 1;
  const last = topLevel - 1;
  const bucketEnd = new Int32Array(topLevel + 2);
  const levels = createRecord((): Levels => ({ last, bucketEnd, anyArea: AREA_NONE, several: 0, hasBorder }));
  for (let i = 0; i < spanCount; i += BATCH) countLevels(field, region, levels, i, Math.min(i + BATCH, spanCount));
  for (let b = 1; b < topLevel; b++) bucketEnd[b + 1] += bucketEnd[b];
  const link =
    levels.several === 0
      ? field.neighbor
      : linksWithinAreas(field, takeSlot(workspace, 'watershed.link', 4 * spanCount));
  const orderedCount = bucketEnd[Math.max(1, topLevel)];
  const ordered = takeSlot(workspace, 'watershed.ordered', orderedCount);
  const isCopied = orderedCount <= copyLimit;
  const orderedLink = isCopied ? takeSlot(workspace, 'watershed.orderedLink', 4 * orderedCount) : none;
  const reach = takeSlot(workspace, 'watershed.reach', spanCount + 1).fill(NO_REACH);
  const flood = createRecord((): Flood => ({
    field,
    link,
    orderedLink,
    region,
    reach,
    ordered,
    restCount: 0,
    taken: none,
    source: none,
    takenCount: 0,
    stack: none,
  }));
  for (let i = 0; i < spanCount; i += BATCH) orderSpans(flood, levels, i, Math.min(i + BATCH, spanCount));
  for (let b = 0, begin = 0; b < topLevel; b++) {
    const level = 2 * (last - b);
    const end = bucketEnd[b];
    // A list holds at most the rest, this level and the next.
    const longest = flood.restCount + bucketEnd[b + 1] - begin;
    if (longest > flood.stack.length) {
      const room = longest + (longest >> 1);
      flood.taken = takeSlot(workspace, 'watershed.taken', room);
      flood.source = takeSlot(workspace, 'watershed.source', room);
      flood.stack = takeSlot(workspace, 'watershed.stack', room);
    }
    expand(flood, begin, end, level);
    begin = end;
    if (b % LEVELS_PER_ROUND === 0) ordered.subarray(0, flood.restCount).sort();
    nextId = floodRest(flood, level, nextId);
  }
  expand(flood, 0, 0, 0);

  field.region = region;
  return mergeSmallRegions(field, region, nextId, minArea, mergeArea);
}

/** The spans by level (two distances per level), highest first, by index within a level. */
interface Levels {
  /** The bucket of the lowest level. */
  last: number;
  /** The end of each bucket. While spans are counted and ordered, that of the bucket before it. */
  bucketEnd: Int32Array;
  /** An area, and the bits in which others differ from it. */
  anyArea: number;
  several: number;
  hasBorder: boolean;
}

// The next functions end with their loop, see batch.ts.

/** Counts the spans first .. end - 1 of each level. */
function countLevels(field: CompactField, region: Int32Array, levels: Levels, first: number, end: number): void {
  const { area, distance } = field;
  const { last, bucketEnd, hasBorder } = levels;
  let { anyArea, several } = levels;
  for (let i = first; i < end; i++) {
    const own = area[i];
    if (own === AREA_NONE) continue;
    if (anyArea === AREA_NONE) anyArea = own;
    several |= own ^ anyArea;
    if (hasBorder && region[i] !== 0) continue;
    // With an even maximum there is one distance more than pairs.
    const bucket = last - (distance[i] >> 1);
    bucketEnd[bucket < 0 ? 1 : bucket + 1]++;
  }
  levels.anyArea = anyArea;
  levels.several = several;
}

/** Sorts spans first .. end - 1 into their levels, with their neighbors unless the field is large. */
function orderSpans(flood: Flood, { last, bucketEnd, hasBorder }: Levels, first: number, end: number): void {
  const { link, ordered, orderedLink, region } = flood;
  const { area, distance } = flood.field;
  const isCopied = orderedLink.length > 0;
  for (let i = first; i < end; i++) {
    if (area[i] === AREA_NONE || (hasBorder && region[i] !== 0)) continue;
    const bucket = last - (distance[i] >> 1);
    const at = bucketEnd[bucket < 0 ? 0 : bucket]++;
    ordered[at] = i;
    if (!isCopied) continue;
    const to = at << 2;
    const from = i << 2;
    orderedLink[to] = link[from];
    orderedLink[to + 1] = link[from + 1];
    orderedLink[to + 2] = link[from + 2];
    orderedLink[to + 3] = link[from + 3];
  }
}

/** Starts regions at spans of the rest, from id `nextId` on. Returns the next id. */
function floodRest(flood: Flood, level: number, nextId: number): number {
  const { ordered, reach } = flood;
  for (let k = 0; k < flood.restCount; k++) {
    const seed = ordered[k];
    if (reach[seed + 1] === NO_REACH && floodFrom(flood, seed, level, nextId)) nextId++;
  }
  return nextId;
}

/** Fills `link` with the field's neighbors, -1 for those of other areas. */
function linksWithinAreas(field: CompactField, link: Int32Array): Int32Array {
  const { spanCount, neighbor, area } = field;
  for (let e = 0; e < 4 * spanCount; e++) {
    const a = neighbor[e];
    link[e] = a === -1 || area[a] !== area[e >> 2] ? -1 : a;
  }
  return link;
}

/**
 * Grows regions into spans ordered[begin .. end - 1] of a new level and into the rest of the levels above.
 * Spans that get no region are the new rest: new ones first, then old ones.
 */
function expand(flood: Flood, begin: number, end: number, level: number): void {
  const { ordered, orderedLink, stack } = flood;
  // The old rest moves away to make room.
  const old = flood.restCount;
  stack.set(ordered.subarray(0, old));
  flood.restCount = 0;
  adopt(flood, ordered, begin, end, orderedLink.length > 0 ? orderedLink : undefined);
  adopt(flood, stack, 0, old);
  for (let pass = 1; settle(flood) > 0 && flood.restCount > 0 && (level === 0 || pass < EXPANSIONS); pass++) {
    const count = flood.restCount;
    flood.restCount = 0;
    adopt(flood, ordered, 0, count);
  }
}

/**
 * Finds for each span without a region of list[begin .. end - 1] the neighbor nearest to its seed. Spans
 * without one join the rest.
 */
function adopt(flood: Flood, list: Int32Array, begin: number, end: number, orderedLink?: Int32Array): void {
  const { reach, taken, source, ordered } = flood;
  const link = orderedLink ?? flood.link;
  let { takenCount, restCount } = flood;
  for (let k = begin; k < end; k++) {
    const i = list[k];
    if (reach[i + 1] !== NO_REACH) continue;
    const e = (orderedLink ? k : i) << 2;
    const a = reach[(link[e] + 1) | 0] << 2;
    const b = (reach[(link[e + 1] + 1) | 0] << 2) | 1;
    const c = (reach[(link[e + 2] + 1) | 0] << 2) | 2;
    const d = (reach[(link[e + 3] + 1) | 0] << 2) | 3;
    const ab = (b + ((a - b) & ((a - b) >> 31))) | 0;
    const cd = (d + ((c - d) & ((c - d) >> 31))) | 0;
    const least = (cd + ((ab - cd) & ((ab - cd) >> 31))) | 0;
    if (least >= (NO_REACH - 2) << 2) {
      ordered[restCount++] = i;
    } else {
      taken[takenCount] = i;
      source[takenCount++] = link[e + (least & 3)];
    }
  }
  flood.takenCount = takenCount;
  flood.restCount = restCount;
}

/** Ends a pass: writes the regions that it found. Returns their number. */
function settle(flood: Flood): number {
  const { region, reach, taken, source, takenCount } = flood;
  for (let k = 0; k < takenCount; k++) {
    const i = taken[k];
    const from = source[k];
    region[i] = region[from];
    reach[i + 1] = reach[from + 1] + 2;
  }
  flood.takenCount = 0;
  return takenCount;
}

/**
 * Starts region `id` at span `seed` and floods it down one level. Returns false when other regions are too
 * near.
 */
function floodFrom(flood: Flood, seed: number, level: number, id: number): boolean {
  const { field, link, region, reach, stack } = flood;
  const { area, distance } = field;
  const lowest = level >= 2 ? level - 2 : 0;
  region[seed] = id;
  reach[seed + 1] = 0;
  stack[0] = seed;
  let size = 1;
  let count = 0;
  next: while (size > 0) {
    const i = stack[--size];
    for (let dir = 0; dir < 4; dir++) {
      const a = link[4 * i + dir];
      if (a === -1 || area[a] === AREA_NONE) continue;
      const r = region[a];
      if (r >= BORDER_REGION) continue;
      const b = link[4 * a + ((dir + 1) & 3)];
      const s = b === -1 ? 0 : region[b];
      if ((r !== 0 && r !== id) || (s !== 0 && s !== id)) {
        region[i] = 0;
        reach[i + 1] = NO_REACH;
        continue next;
      }
    }
    count++;
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      const a = link[e];
      if (a === -1 || region[a] !== 0 || area[a] === AREA_NONE || distance[a] < lowest) continue;
      region[a] = id;
      reach[a + 1] = 0;
      stack[size++] = a;
    }
  }
  return count > 0;
}
