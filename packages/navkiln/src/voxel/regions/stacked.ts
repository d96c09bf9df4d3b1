/**
 * Stacked regions: which regions lie above and below each other, and which above themselves.
 *
 * Input: a region id a span. Output: for each id below `count` the set of those it shares a column with, itself included if
 * it has two floors there; undefined for none, as most. Cost: one pass over the columns; only those are looked at whose
 * regions are not those of the column before (all of them, on levels of many storeys: 1.5 times the time of the stage).
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegions.
 */
import type { CompactField } from '../types.ts';

export function stackedRegions(field: CompactField, region: Int32Array, count: number): (Set<number> | undefined)[] {
  const { columnStart } = field;
  const stacked: (Set<number> | undefined)[] = new Array(count).fill(undefined);
  let before = 0;
  let beforeCount = 0;
  for (let c = 1, begin = 0, end = 0; c < columnStart.length; c++) {
    begin = end;
    end = columnStart[c];
    const floorCount = end - begin;
    if (floorCount < 2) continue;
    let same = 0;
    if (floorCount === beforeCount) while (same < floorCount && region[begin + same] === region[before + same]) same++;
    before = begin;
    beforeCount = floorCount;
    if (same < floorCount) meetInColumn(stacked, region, begin, end);
  }
  return stacked;
}

function meetInColumn(stacked: (Set<number> | undefined)[], region: Int32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const id = region[i];
    if (id === 0 || id >= stacked.length) continue;
    for (let j = begin; j < end; j++) {
      const other = region[j];
      if (i !== j && other > 0 && other < stacked.length) (stacked[id] ??= new Set()).add(other);
    }
  }
}
