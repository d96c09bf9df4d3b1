/**
 * Cuts regions that lie above themselves. Watershed regions on spiral ramps can do so.
 *
 * The outline of such a region crosses itself and cannot be triangulated. Recast does not cut these regions.
 *
 * In: CompactField with regions. Out: the same with more regions.
 * Cost: a pass over columns with several floors; a search over the spans of each cut region.
 * Based on: own.
 */
import type { CompactField } from '../types.ts';

/** Cuts the regions that lie above themselves. */
export function cutOverlaps(field: CompactField): void {
  const { region, neighbor, columnStart, regionCount, spanCount } = field;
  const isStacked = new Uint8Array(regionCount + 1);
  if (!findStacked(field, isStacked)) return;
  const columnOf = new Int32Array(spanCount);
  for (let c = 1; c < columnStart.length; c++) columnOf.fill(c - 1, columnStart[c - 1], columnStart[c]);
  /** The last part that has a span in each column. */
  const part = new Int32Array(columnStart.length);
  for (let i = 0; i < spanCount; i++) {
    const id = region[i];
    if (id > regionCount || isStacked[id] === 0) continue;
    const own = ++field.regionCount;
    const queue = [i];
    region[i] = part[columnOf[i]] = own;
    for (const span of queue) {
      for (let k = 0; k < 4; k++) {
        const next = neighbor[4 * span + k];
        if (next === -1 || region[next] !== id || part[columnOf[next]] === own) continue;
        region[next] = part[columnOf[next]] = own;
        queue.push(next);
      }
    }
  }
}

/** Marks the regions that occur twice in a column. Returns whether there are any. */
function findStacked({ region, columnStart, regionCount }: CompactField, isStacked: Uint8Array): boolean {
  let found = false;
  let end = 0;
  for (let c = 1; c < columnStart.length; c++) {
    const begin = end;
    end = columnStart[c];
    for (let i = begin; i < end - 1; i++) {
      const id = region[i];
      if (id === 0 || id > regionCount) continue;
      for (let j = i + 1; j < end; j++) {
        if (region[j] !== id) continue;
        isStacked[id] = 1;
        found = true;
      }
    }
  }
  return found;
}
