/**
 * Region merging: drops islands that are too small, merges small regions into neighbours, and numbers what is left from 1.
 * The last step of watershed and monotone partitioning.
 *
 * Input: a region id a span. Output: the same, renumbered. A region is known by the ring of regions around its (first)
 * outline and by the regions above and below it; two merge only when they meet along one piece of outline, have the same
 * area, and do not overlap. The order in which regions are looked at decides and is Recast's.
 *
 * Cost: one pass over the spans, one over the columns, each outline once; stacked floors are looked at where they change
 * along a row (with them in each column, levels of many storeys took 1.5 times as long).
 *
 * After a merge Recast rewrites the rings of all regions; here each id knows who mentions it, so only those are touched.
 *
 * Based on: Mikko Mononen, Recast (2009), mergeAndFilterRegions.
 */
import { renumberRegions } from './regions-renumber.ts';
import { BORDER_REGION } from './types.ts';
import type { CompactField } from './types.ts';

interface Region {
  id: number;
  spanCount: number;
  area: number;
  /** It lies above itself somewhere: never merged. */
  overlaps: boolean;
  /** Regions met when walking around the outline, in order; 0: nothing there. */
  ring: number[];
  /** Regions in the same columns. */
  floors: Set<number>;
  /** Regions whose ring or floors hold this id, some of them repeatedly. */
  mentionedBy: number[];
  /** Regions that were merged into this one. */
  members: number[];
}

/** Most regions have no others above or below: they share one set. */
const NO_FLOORS: Set<number> = new Set();

/** @returns the largest id in use afterwards. */
export function mergeSmallRegions(
  field: CompactField, region: Int32Array, idCount: number, minArea: number, mergeArea: number,
): number {
  const regions = collectRegions(field, region, idCount + 1);
  dropIslands(regions, minArea);
  mergeNeighbors(regions, mergeArea);
  return renumberRegions(region, Int32Array.from(regions, ({ id }) => id));
}

function collectRegions(field: CompactField, region: Int32Array, count: number): Region[] {
  const { width, depth, spanCount, columnStart, area } = field;
  const regions: Region[] = [];
  for (let id = 0; id < count; id++) {
    regions.push({
      id, spanCount: 0, area: 0, overlaps: false, ring: [], floors: NO_FLOORS, mentionedBy: [], members: [id],
    });
  }
  // The first span of a region has no neighbour of its own to the west: the walk begins there.
  const first = new Int32Array(count).fill(-1);
  let last = 0, run = 0;
  for (let i = 0; i < spanCount; i++) {
    const id = region[i]!;
    if (id !== last) {
      if (last > 0 && last < count) regions[last]!.spanCount += run;
      last = id;
      run = 0;
      if (id > 0 && id < count && first[id] === -1) first[id] = i;
    }
    run++;
  }
  if (last > 0 && last < count) regions[last]!.spanCount += run;

  // Stacked floors: a column like the one before says nothing new.
  const columnCount = width * depth;
  for (let c = 0, begin = 0, end = 0, before = 0, beforeCount = 0; c < columnCount; c++) {
    begin = end;
    end = columnStart[c + 1]!;
    const floorCount = end - begin;
    if (floorCount < 2) continue;
    let same = 0;
    if (floorCount === beforeCount) while (same < floorCount && region[begin + same] === region[before + same]) same++;
    before = begin;
    beforeCount = floorCount;
    if (same < floorCount) addFloors(regions, region, begin, end);
  }
  for (let id = 0; id < count; id++) {
    const own = regions[id]!;
    if (first[id] !== -1) {
      own.area = area[first[id]!]!;
      own.ring = walkOutline(field, region, first[id]!, 0);
    }
    for (const other of own.ring) if (other < count) regions[other]!.mentionedBy.push(id);
    for (const other of own.floors) regions[other]!.mentionedBy.push(id);
  }
  return regions;
}

/** Makes the regions of a column known to each other. */
function addFloors(regions: Region[], region: Int32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const id = region[i]!;
    if (id === 0 || id >= regions.length) continue;
    for (let j = begin; j < end; j++) {
      const other = region[j]!;
      if (j === i || other === 0 || other >= regions.length) continue;
      if (other === id) regions[id]!.overlaps = true;
      addFloor(regions[id]!, other);
    }
  }
}

function addFloor(region: Region, id: number): void {
  if (region.floors === NO_FLOORS) region.floors = new Set();
  region.floors.add(id);
}

/** Regions on the other side of the outline that passes side `dir` of span `i`, in order, neighbours in the list different. */
function walkOutline(field: CompactField, region: Int32Array, start: number, startDir: number): number[] {
  const { neighbor } = field;
  const ring: number[] = [];
  let i = start, dir = startDir;
  const id = region[start]!;
  let current = -1;
  // Each side is passed once at most.
  for (let step = 4 * field.spanCount; step >= 0; step--) {
    const a = neighbor[4 * i + dir]!;
    const other = a === -1 ? 0 : region[a]!;
    if (other !== id) {
      if (other !== current) {
        current = other;
        ring.push(other);
      }
      dir = (dir + 1) & 3;
    } else {
      i = a;
      dir = (dir + 3) & 3;
    }
    if (i === start && dir === startDir) break;
  }
  removeRepeats(ring);
  return ring;
}

/** Removes entries that equal the next one around the ring, at least one stays. */
function removeRepeats(ring: number[]): void {
  let size = 0;
  for (let k = 0; k < ring.length; k++) {
    if (k + 1 < ring.length && ring[k] === ring[k + 1]) continue;
    ring[size++] = ring[k]!;
  }
  // The last meets the first; it goes, as long as there is another.
  while (size > 1 && ring[size - 1] === ring[0]) size--;
  ring.length = size;
}

/** Connected regions that together are smaller than minArea vanish, unless they reach the tile's border. */
function dropIslands(regions: Region[], minArea: number): void {
  const visited = new Uint8Array(regions.length);
  for (let i = 0; i < regions.length; i++) {
    if (i === 0 || regions[i]!.spanCount === 0 || visited[i] === 1) continue;
    const group = [i];
    visited[i] = 1;
    let total = 0, touchesBorder = false;
    for (let k = 0; k < group.length; k++) {
      const own = regions[group[k]!]!;
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
        regions[id]!.spanCount = 0;
        regions[id]!.id = 0;
      }
    }
  }
}

function mergeNeighbors(regions: Region[], mergeArea: number): void {
  let merged: boolean;
  do {
    merged = false;
    for (const own of regions) {
      if (own.id === 0 || own.overlaps || own.spanCount === 0) continue;
      // A large region that has nothing on some side stays as it is.
      if (own.spanCount > mergeArea && own.ring.includes(0)) continue;
      let smallest = 0xfffffff, into = own.id;
      for (const id of own.ring) {
        if (id >= BORDER_REGION) continue;
        const other = regions[id]!;
        if (other.id === 0 || other.overlaps || other.spanCount >= smallest) continue;
        if (canMerge(own, other) && canMerge(other, own)) {
          smallest = other.spanCount;
          into = other.id;
        }
      }
      if (into !== own.id && merge(regions, regions[into]!, own)) merged = true;
    }
  } while (merged);
}

function canMerge(a: Region, b: Region): boolean {
  if (a.area !== b.area) return false;
  let meetings = 0;
  for (const id of a.ring) if (id === b.id) meetings++;
  return meetings <= 1 && !a.floors.has(b.id);
}

function merge(regions: Region[], target: Region, source: Region): boolean {
  const oldId = source.id, newId = target.id;
  const atTarget = target.ring.indexOf(oldId), atSource = source.ring.indexOf(newId);
  if (atTarget === -1 || atSource === -1) return false;
  // The two rings are cut open where they meet and joined.
  const ring = [
    ...target.ring.slice(atTarget + 1), ...target.ring.slice(0, atTarget),
    ...source.ring.slice(atSource + 1), ...source.ring.slice(0, atSource),
  ];
  removeRepeats(ring);
  for (const id of source.ring) if (id < BORDER_REGION) regions[id]!.mentionedBy.push(newId);
  for (const id of source.floors) {
    addFloor(target, id);
    regions[id]!.mentionedBy.push(newId);
  }
  target.ring = ring;
  target.spanCount += source.spanCount;
  source.spanCount = 0;
  source.ring = [];

  for (const id of source.members) {
    regions[id]!.id = newId;
    target.members.push(id);
  }
  for (const id of source.mentionedBy) {
    const other = regions[id]!;
    if (other.id === 0) continue;
    if (other.floors.delete(oldId)) other.floors.add(newId);
    let changed = false;
    for (let k = 0; k < other.ring.length; k++) {
      if (other.ring[k] === oldId) {
        other.ring[k] = newId;
        changed = true;
      }
    }
    if (changed) removeRepeats(other.ring);
    target.mentionedBy.push(id);
  }
  return true;
}
