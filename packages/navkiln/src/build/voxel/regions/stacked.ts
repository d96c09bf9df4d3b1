/**
 * Finds which regions lie above and below each other, and which above themselves.
 *
 * In: a region id per span. Out: for each id the set of ids that share a column with it.
 * Cost: one pass over the columns. A column with the regions of the one before it is skipped.
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegions.
 */
import { BATCH } from '../batch.ts';
import { createRecord } from '../records.ts';
import type { CompactField, Stacked } from '../types.ts';

/**
 * Returns for each id below `count` the set of ids below `count` in the same columns. An id that has two floors in one column is in its own set.
 */
export function stackedRegions(field: CompactField, region: Int32Array, count: number): Stacked {
  const last = field.columnStart.length - 1;
  const stacked: (Set<number> | undefined)[] = new Array(count).fill(undefined);
  const stack = createRecord((): Stack => ({ stacked, before: 0, beforeCount: 0 }));
  for (let c = 0; c < last; c += BATCH) meetInColumns(field, region, stack, c, Math.min(c + BATCH, last));
  return stacked;
}

interface Stack {
  stacked: (Set<number> | undefined)[];
  /** First span and number of spans of the last column with several floors. */
  before: number;
  beforeCount: number;
}

/** Finds the regions that share columns first .. last - 1. Ends with its loop, see batch.ts. */
function meetInColumns(field: CompactField, region: Int32Array, stack: Stack, first: number, last: number): void {
  const { columnStart } = field;
  const { stacked } = stack;
  let { before, beforeCount } = stack;
  let end = columnStart[first];
  for (let c = first + 1; c <= last; c++) {
    const begin = end;
    end = columnStart[c];
    const floorCount = end - begin;
    if (floorCount < 2) continue;
    let same = 0;
    if (floorCount === beforeCount) while (same < floorCount && region[begin + same] === region[before + same]) same++;
    before = begin;
    beforeCount = floorCount;
    if (same < floorCount) meetInColumn(stacked, region, begin, end);
  }
  stack.before = before;
  stack.beforeCount = beforeCount;
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
