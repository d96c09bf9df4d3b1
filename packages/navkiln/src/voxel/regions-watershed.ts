/**
 * Regions by watershed: floods the distance field from its summits down, level by level, so that regions meet in narrow
 * places. Best shapes of the three ways, and the slowest.
 *
 * Input: CompactField with areas and distance. Output: `region` (1 .. regionCount, 0 none). Ids and shapes are Recast's,
 * whose order decides: at each level the spans are taken in the order new ones (by index), then leftovers of the level
 * above; every eighth level new ones and leftovers together by index.
 *
 * Recast looks through the whole grid every eighth level and re-tests each waiting span in each of up to eight expansions.
 * Here one counting sort orders all spans by level, and an expansion looks only beside the spans it has just taken: the
 * first pass over a level sees each waiting span once, each later pass only the frontier. A pass reads what was known
 * before it and writes afterwards (a span that is taken carries the negative id until then), so order within it is free.
 *
 * Based on: Luc Vincent and Pierre Soille, Watersheds in digital spaces (1991); Mikko Mononen, Recast (2009),
 * rcBuildRegions.
 */
import { AREA_NONE } from '../constants.ts';
import { createWorkspace, takeInt32, takeUint16 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { mergeSmallRegions } from './regions-merge.ts';
import { paintBorder } from './regions-border.ts';
import { BORDER_REGION } from './types.ts';
import type { CompactField } from './types.ts';

/** Levels between two gatherings of the leftovers. */
const LEVELS_A_ROUND = 8;
/** Expansions a level: how far a region may grow before new ones are seeded. On the lowest level there is no end. */
const EXPANSIONS = 8;

interface Flood {
  field: CompactField;
  region: Int32Array;
  /** Steps from the region's seeds, for spans that have a region. */
  reach: Uint16Array;
  frontier: Int32Array;
  stack: Int32Array;
}

export function buildRegionsWatershed(
  field: CompactField, minArea: number, mergeArea: number, workspace: Workspace = createWorkspace(),
): void {
  const { spanCount, area, distance } = field;
  const region = takeInt32(workspace, 'field.region', spanCount).fill(0);
  const flood: Flood = {
    field, region, reach: takeUint16(workspace, 'regions.reach', spanCount),
    frontier: takeInt32(workspace, 'regions.frontier', spanCount), stack: takeInt32(workspace, 'regions.stack', spanCount),
  };
  let nextId = 1 + paintBorder(field, region);

  // Spans by level (two distances a level), highest first, by index within a level: bucket b ends at bucketEnd[b].
  const topLevel = (field.maxDistance + 1) >> 1;
  const bucketEnd = new Int32Array(topLevel + 2);
  for (let i = 0; i < spanCount; i++) if (area[i] !== AREA_NONE) bucketEnd[bucketOf(distance[i]!, topLevel) + 1]!++;
  for (let b = 1; b < topLevel; b++) bucketEnd[b + 1]! += bucketEnd[b]!;
  const ordered = takeInt32(workspace, 'regions.ordered', topLevel > 0 ? bucketEnd[topLevel]! : 0);
  if (topLevel > 0) {
    for (let i = 0; i < spanCount; i++) {
      if (area[i] !== AREA_NONE) ordered[bucketEnd[bucketOf(distance[i]!, topLevel)]!++] = i;
    }
  }

  let waiting = takeInt32(workspace, 'regions.waiting', spanCount);
  let spare = takeInt32(workspace, 'regions.spare', spanCount);
  let waitingCount = 0;
  let taken = 0;
  let step = -1;
  let level = topLevel * 2;
  while (level > 0) {
    level = level >= 2 ? level - 2 : 0;
    step = (step + 1) & (LEVELS_A_ROUND - 1);
    const bucketLast = bucketEnd[topLevel - 1 - (level >> 1)]!;
    let count = 0;
    if (step === 0) {
      const left = waiting.subarray(0, waitingCount).sort();
      let a = 0, b = taken;
      while (a < waitingCount || b < bucketLast) {
        const i = b >= bucketLast || (a < waitingCount && left[a]! < ordered[b]!) ? left[a++]! : ordered[b++]!;
        if (region[i] === 0) spare[count++] = i;
      }
    } else {
      for (let b = taken; b < bucketLast; b++) if (region[ordered[b]!] === 0) spare[count++] = ordered[b]!;
      for (let a = 0; a < waitingCount; a++) if (region[waiting[a]!] === 0) spare[count++] = waiting[a]!;
    }
    taken = bucketLast;
    const swap = waiting;
    waiting = spare;
    spare = swap;

    expand(flood, waiting, count, level, level > 0 ? EXPANSIONS : Infinity);
    for (let k = 0; k < count; k++) {
      const i = waiting[k]!;
      if (region[i] === 0 && floodFrom(flood, i, level, nextId)) nextId++;
    }
    waitingCount = 0;
    for (let k = 0; k < count; k++) if (region[waiting[k]!] === 0) waiting[waitingCount++] = waiting[k]!;
  }

  let count = 0;
  for (let i = 0; i < spanCount; i++) if (region[i] === 0 && area[i] !== AREA_NONE) waiting[count++] = i;
  expand(flood, waiting, count, 0, Infinity);

  field.regionCount = mergeSmallRegions(field, region, nextId, minArea, mergeArea);
  field.region = region;
}

/** Bucket of a span by its distance, two distances a bucket, the highest in bucket 0; a field of distance 0 has one. */
function bucketOf(distance: number, topLevel: number): number {
  const bucket = topLevel - 1 - (distance >> 1);
  return bucket < 0 ? 0 : bucket;
}

/** Grows regions into the waiting spans, at most `passes` steps far. */
function expand(flood: Flood, waiting: Int32Array, count: number, level: number, passes: number): void {
  const { field, region, frontier } = flood;
  const { neighbor, area, distance } = field;
  let size = 0;
  for (let k = 0; k < count; k++) {
    if (region[waiting[k]!] === 0 && adopt(flood, waiting[k]!)) frontier[size++] = waiting[k]!;
  }
  for (let k = 0; k < size; k++) region[frontier[k]!] = -region[frontier[k]!]!;
  let begin = 0;
  for (let pass = 1; pass < passes && begin < size; pass++) {
    const end = size;
    for (let k = begin; k < end; k++) {
      const i = frontier[k]!;
      const own = area[i];
      for (let e = 4 * i; e < 4 * i + 4; e++) {
        const a = neighbor[e]!;
        if (a !== -1 && region[a] === 0 && area[a] === own && distance[a]! >= level) {
          adopt(flood, a);
          frontier[size++] = a;
        }
      }
    }
    for (let k = end; k < size; k++) region[frontier[k]!] = -region[frontier[k]!]!;
    begin = end;
  }
}

/** Gives a span the region (negative, until the pass ends) of the neighbour nearest to its seed; false: none has one. */
function adopt(flood: Flood, i: number): boolean {
  const { field, region, reach } = flood;
  const { neighbor, area } = field;
  const own = area[i];
  let best = 0xffff, id = 0;
  for (let e = 4 * i; e < 4 * i + 4; e++) {
    const a = neighbor[e]!;
    if (a === -1) continue;
    const r = region[a]!;
    if (r > 0 && r < BORDER_REGION && area[a] === own && reach[a]! + 2 < best) {
      best = reach[a]! + 2;
      id = r;
    }
  }
  if (id === 0) return false;
  region[i] = -id;
  reach[i] = best;
  return true;
}

/** Starts region `id` at span `seed` and lets it run down one level; false: other regions are too near for even one span. */
function floodFrom(flood: Flood, seed: number, level: number, id: number): boolean {
  const { field, region, reach, stack } = flood;
  const { neighbor, area, distance } = field;
  const own = area[seed];
  const lowest = level >= 2 ? level - 2 : 0;
  region[seed] = id;
  reach[seed] = 0;
  stack[0] = seed;
  let size = 1, count = 0;
  next: while (size > 0) {
    const i = stack[--size]!;
    for (let dir = 0; dir < 4; dir++) {
      const a = neighbor[4 * i + dir]!;
      if (a === -1 || area[a] !== own) continue;
      const r = region[a]!;
      if (r >= BORDER_REGION) continue;
      if (r !== 0 && r !== id) {
        region[i] = 0;
        continue next;
      }
      const b = neighbor[4 * a + ((dir + 1) & 3)]!;
      if (b === -1 || area[b] !== own) continue;
      const s = region[b]!;
      if (s !== 0 && s !== id) {
        region[i] = 0;
        continue next;
      }
    }
    count++;
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      const a = neighbor[e]!;
      if (a !== -1 && area[a] === own && distance[a]! >= lowest && region[a] === 0) {
        region[a] = id;
        reach[a] = 0;
        stack[size++] = a;
      }
    }
  }
  return count > 0;
}
