/**
 * Groups the landings of a wall: neighboring lanes that enter one polygon at about the same distance.
 *
 * In: lanes with landings, limits. Out: groups, in the order of their first lanes.
 * Cost: the number of landings times the number of floors that lanes reach.
 * Based on: own.
 */
import type { Lanes } from './lanes.ts';
import { allows } from './limits.ts';
import type { LinkSearch } from '../options.ts';

/** Successive lanes that enter one polygon, with the distances at which they enter it. */
export interface Group {
  poly: number;
  first: number;
  count: number;
  /** Whether lanes start above the polygon: then bodies must pass a ledge whose distance is not known. */
  isBelow: boolean;
  /** Index in `Landings` of the first lane's landing, and of the last lane's. `Landings.next` leads from one to the next. */
  landing: number;
  lastLanding: number;
  near: number;
  far: number;
}

/** Returns the groups of a wall. */
export function groupLanes({ landings, y }: Lanes, search: LinkSearch): Group[] {
  const { cell, inset } = search;
  const groups: Group[] = [];
  // Groups before index `open` are complete.
  let open = 0;
  for (let at = 0; at < landings.count; at++) {
    const lane = landings.lane[at];
    const enter = landings.enter[at];
    // All lanes of a group land at the distance of the farthest lane, so lanes out of reach must not join a group.
    if (!isWithinLimits(search, enter + inset, landings.y[at] - y[lane])) continue;
    while (open < groups.length && groups[open].first + groups[open].count < lane) open++;
    const poly = landings.poly[at];
    const isBelow = landings.isBelow[at] === 1;
    let k = open;
    for (; k < groups.length; k++) {
      const group = groups[k];
      if (group.poly !== poly || group.isBelow !== isBelow || group.first + group.count !== lane) continue;
      const near = Math.min(group.near, enter);
      if (Math.max(group.far, enter) - near <= 2 * cell + 0.25 * near) break;
    }
    if (k === groups.length)
      groups.push({ poly, first: lane, count: 1, isBelow, landing: at, lastLanding: at, near: enter, far: enter });
    else join(groups[k], landings, at);
  }
  return groups;
}

function join(group: Group, { next, enter }: Lanes['landings'], at: number): void {
  group.count++;
  next[group.lastLanding] = at;
  group.lastLanding = at;
  group.near = Math.min(group.near, enter[at]);
  group.far = Math.max(group.far, enter[at]);
}

/** Returns whether the limits allow a link of this length and rise, of any kind and in either direction. */
export function isWithinLimits({ profiles }: LinkSearch, distance: number, rise: number): boolean {
  for (const profile of profiles) {
    const { maxDistance, maxRise, maxDrop, runSpeed } = profile;
    if (distance > maxDistance) continue;
    // Most profiles are decided without a call, since V8 allocates numbers that it passes to a function it does not inline.
    const isUsual = (rise <= maxRise && -rise <= maxDrop) || (-rise <= maxRise && rise <= maxDrop);
    if (isUsual && (runSpeed === 0 || allows(profile, distance, rise) || allows(profile, distance, -rise))) return true;
  }
  return false;
}
