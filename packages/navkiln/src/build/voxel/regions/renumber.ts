/**
 * Renumbers regions as 1, 2, 3, … in the order in which their groups first occur. The end of every
 * partitioning.
 *
 * In: a region id per span, and the group of each id (0: dropped). Out: the new ids, in place.
 * Cost: one pass over the spans.
 * Based on: Mikko Mononen, Recast (2009), the ends of mergeAndFilterRegions and mergeAndFilterLayerRegions.
 *   As there, groups without spans take a number, too.
 */
import { BATCH } from '../batch.ts';
import { BORDER_REGION } from '../types.ts';

/**
 * Renumbers all spans outside of border regions. Returns the largest id in use.
 *
 * @param groups a group below groups.length for each id
 */
export function renumberRegions(region: Int32Array, groups: Int32Array): number {
  const names = new Int32Array(groups.length);
  const fresh = new Int32Array(groups.length);
  let count = 0;
  for (let id = 0; id < groups.length; id++) {
    const group = groups[id];
    if (group === 0) continue;
    if (names[group] === 0) names[group] = ++count;
    fresh[id] = names[group];
  }
  let largest = 0;
  const { length } = region;
  for (let i = 0; i < length; i += BATCH) largest = rename(region, fresh, largest, i, Math.min(i + BATCH, length));
  return largest;
}

/** Renames the ids of spans first .. end - 1. Returns the largest new one, at least `largest`. Ends with its loop, see batch.ts. */
function rename(region: Int32Array, fresh: Int32Array, largest: number, first: number, end: number): number {
  for (let i = first; i < end; i++) {
    const old = region[i];
    if (old >= BORDER_REGION) continue;
    const id = fresh[old];
    region[i] = id;
    if (id > largest) largest = id;
  }
  return largest;
}
