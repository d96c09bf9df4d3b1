/**
 * Drops islands that are too small, merges small regions into neighbors, and renumbers the rest from 1.
 *
 * The last step of watershed and monotone partitioning. A region is described by the ring of regions around
 * its (first) outline, and by the regions above and below it. Two regions merge only when they meet along one
 * piece of outline, have the same area and do not overlap. The order in which regions are visited decides the
 * result and is Recast's.
 *
 * In: a region id per span. Out: the same, renumbered.
 * Cost: one pass over the spans, one over the columns, each outline once.
 * Based on: Mikko Mononen, Recast (2009), mergeAndFilterRegions. Recast rewrites the rings of all regions
 *   after a merge; here each id knows the regions that mention it.
 */
import { BATCH } from '../batch.ts';
import { createRecord } from '../records.ts';
import { renumberRegions } from './renumber.ts';
import { stackedRegions } from './stacked.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField, Stacked } from '../types.ts';

interface Region {
  id: number;
  spanCount: number;
  /**
   * Its first span, which has no neighbor of the same region at -x. The walk around the outline begins there.
   */
  first: number;
  area: number;
  /** Regions along the outline, in order; 0: a wall. */
  ring: number[];
  /** Regions in the same columns. A region that contains itself lies above itself and is never merged. */
  stacked: Set<number> | undefined;
  /** Regions whose ring or stack has this id, some of them repeatedly. */
  mentionedBy: number[];
  /** Regions that were merged into this one. */
  members: number[];
}

/**
 * Merges and renumbers the regions of a field, and counts them. Returns which of them touch and share a column.
 *
 * @param idCount ids in `region` are below it, except those of border regions
 * @param minArea connected regions with fewer spans in all are dropped, unless they reach the tile's border
 * @param mergeArea larger regions that touch a wall stay as they are
 */
export function mergeSmallRegions(
  field: CompactField,
  region: Int32Array,
  idCount: number,
  minArea: number,
  mergeArea: number,
): Stacked {
  const regions = collectRegions(field, region, idCount + 1);
  dropIslands(regions, minArea);
  mergeNeighbors(regions, mergeArea);
  const groups = Int32Array.from(regions, ({ id }) => id);
  field.regionCount = renumberRegions(region, groups);
  const stacked: (Set<number> | undefined)[] = new Array(field.regionCount + 1).fill(undefined);
  for (const own of regions) {
    if (own.spanCount === 0) continue;
    for (const id of own.stacked ?? []) {
      const other = regions[groups[id]];
      if (other.spanCount === 0 || (other !== own && !other.ring.includes(own.id) && !own.ring.includes(other.id)))
        continue;
      (stacked[region[own.first]] ??= new Set()).add(region[other.first]);
    }
  }
  return stacked;
}

/** Returns the regions of a field, by id. */
function collectRegions(field: CompactField, region: Int32Array, count: number): Region[] {
  const { area } = field;
  const regions = stackedRegions(field, region, count).map((stacked, id): Region => ({
    id,
    spanCount: 0,
    first: 0,
    area: 0,
    ring: [],
    stacked,
    mentionedBy: [],
    members: [id],
  }));
  const { length } = region;
  const stretch = createRecord((): Stretch => ({ id: region[0], begin: 0 }));
  for (let i = 1; i < length; i += BATCH) countSpans(regions, region, stretch, i, Math.min(i + BATCH, length));
  endStretch(regions, stretch, length);
  regions.forEach((own, id) => {
    if (own.spanCount > 0) {
      own.area = area[own.first];
      own.ring = walkOutline(field, region, own.first, 0);
    }
    for (const other of own.ring) if (other < count) regions[other].mentionedBy.push(id);
    for (const other of own.stacked ?? []) regions[other].mentionedBy.push(id);
  });
  return regions;
}

/** Consecutive spans of one region. */
interface Stretch {
  id: number;
  begin: number;
}

/** Counts the stretches that end at spans first .. end - 1. Ends with its loop, see batch.ts. */
function countSpans(regions: Region[], region: Int32Array, stretch: Stretch, first: number, end: number): void {
  let last = stretch.id;
  for (let i = first; i < end; i++) {
    const id = region[i];
    if (id === last) continue;
    endStretch(regions, stretch, i);
    last = stretch.id = id;
    stretch.begin = i;
  }
}

/** Adds a stretch to its region. */
function endStretch(regions: Region[], { id, begin }: Stretch, end: number): void {
  const own = regions[id];
  if (id === 0 || own === undefined) return;
  if (own.spanCount === 0) own.first = begin;
  own.spanCount += end - begin;
}

/**
 * Returns the regions along the outline that passes side `startDir` of span `start`, in order and without
 * repeats.
 */
function walkOutline(field: CompactField, region: Int32Array, start: number, startDir: number): number[] {
  const { neighbor } = field;
  const ring: number[] = [];
  let i = start;
  let dir = startDir;
  const id = region[start];
  let last = -1;
  // Each side is passed once at most.
  for (let step = 4 * field.spanCount; step >= 0; step--) {
    const a = neighbor[4 * i + dir];
    const other = a === -1 ? 0 : region[a];
    if (other !== id) {
      if (other !== last) ring.push((last = other));
      dir = (dir + 1) & 3;
    } else {
      i = a;
      dir = (dir + 3) & 3;
    }
    if (i === start && dir === startDir) break;
  }
  return withoutRepeats(ring);
}

/** Returns the ring without entries that equal the one before. At least one entry stays. */
function withoutRepeats(ring: number[]): number[] {
  const kept = ring.filter((id, k) => k === 0 || id !== ring[k - 1]);
  // The last entry meets the first one.
  if (kept.length > 1 && kept[0] === kept[kept.length - 1]) kept.pop();
  return kept;
}

/** Drops connected regions with fewer than `minArea` spans in all, unless they reach the tile's border. */
function dropIslands(regions: Region[], minArea: number): void {
  const visited = new Uint8Array(regions.length);
  for (let i = 0; i < regions.length; i++) {
    if (regions[i].spanCount === 0 || visited[i] === 1) continue;
    const group = [i];
    visited[i] = 1;
    let total = 0;
    let touchesBorder = false;
    for (let k = 0; k < group.length; k++) {
      const own = regions[group[k]];
      total += own.spanCount;
      for (const other of own.ring) {
        if (other >= BORDER_REGION) touchesBorder = true;
        else if (other !== 0 && visited[other] === 0) {
          visited[other] = 1;
          group.push(other);
        }
      }
    }
    if (total < minArea && !touchesBorder) {
      for (const id of group) {
        regions[id].spanCount = 0;
        regions[id].id = 0;
      }
    }
  }
}

/** Merges regions into their smallest suitable neighbor until none is left to merge. */
function mergeNeighbors(regions: Region[], mergeArea: number): void {
  let merged: boolean;
  do {
    merged = false;
    for (const own of regions) {
      if (own.id === 0 || own.spanCount === 0) continue;
      // A large region that touches a wall stays as it is.
      if (own.spanCount > mergeArea && own.ring.includes(0)) continue;
      let smallest = 0xfffffff;
      let into = own.id;
      for (const id of own.ring) {
        if (id >= BORDER_REGION) continue;
        const other = regions[id];
        if (other.id !== 0 && other.spanCount < smallest && canMerge(own, other) && canMerge(other, own)) {
          smallest = other.spanCount;
          into = other.id;
        }
      }
      if (into !== own.id && merge(regions, regions[into], own)) merged = true;
    }
  } while (merged);
}

/** Returns whether b may be merged into a, by the record of a. */
function canMerge(a: Region, b: Region): boolean {
  return (
    a.area === b.area &&
    a.ring.indexOf(b.id) === a.ring.lastIndexOf(b.id) &&
    a.stacked?.has(a.id) !== true &&
    a.stacked?.has(b.id) !== true
  );
}

/** Merges source into target. Returns false when they do not meet. */
function merge(regions: Region[], target: Region, source: Region): boolean {
  const oldId = source.id;
  const newId = target.id;
  const atTarget = target.ring.indexOf(oldId);
  const atSource = source.ring.indexOf(newId);
  if (atTarget === -1 || atSource === -1) return false;
  for (const id of source.ring) if (id < BORDER_REGION) regions[id].mentionedBy.push(newId);
  for (const id of source.stacked ?? []) {
    (target.stacked ??= new Set()).add(id);
    regions[id].mentionedBy.push(newId);
  }
  // Both rings are cut open where they meet, and joined.
  target.ring = withoutRepeats([
    ...target.ring.slice(atTarget + 1),
    ...target.ring.slice(0, atTarget),
    ...source.ring.slice(atSource + 1),
    ...source.ring.slice(0, atSource),
  ]);
  target.spanCount += source.spanCount;
  source.spanCount = 0;
  source.ring = [];

  for (const id of source.members) {
    regions[id].id = newId;
    target.members.push(id);
  }
  for (const id of source.mentionedBy) {
    const other = regions[id];
    if (other.id === 0) continue;
    if (other.stacked?.delete(oldId)) other.stacked.add(newId);
    if (other.ring.includes(oldId))
      other.ring = withoutRepeats(other.ring.map((name) => (name === oldId ? newId : name)));
    target.mentionedBy.push(id);
  }
  return true;
}
