/**
 * Renumbers regions as 1, 2, 3, … in the order in which their groups first occur. The end of every
 * partitioning.
 *
 * In: a region id per span, and the group of each id (0: dropped). Out: the new ids, in place.
 * Cost: one pass over the spans.
 * Based on: Mikko Mononen, Recast (2009), the ends of mergeAndFilterRegions and mergeAndFilterLayerRegions.
 *   As there, groups without spans take a number, too.
 */
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
  for (let i = 0; i < region.length; i++) {
    const old = region[i];
    if (old >= BORDER_REGION) continue;
    const id = fresh[old];
    region[i] = id;
    if (id > largest) largest = id;
  }
  return largest;
}
