/**
 * Links with limited capacity: how many agents may be on a link at a time, and how long a traversal takes.
 *
 * Based on: own.
 */
import { checkHandle, checkKeys, checkObject, refuse } from '../../../base/data/refuse.ts';
import { linkIndexOf } from '../../../mesh/link-ref.ts';
import type { LinkRef } from '../../../mesh/types.ts';
import { linkQueues } from './link-queue.ts';
import { MOST_SECONDS } from '../state/limits.ts';
import type { Crowd } from '../state/types.ts';
import { addBehavior } from '../state/behaviors.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/** Options of `setLinkTraffic`. */
export interface LinkTrafficOptions {
  /** Maximum number of agents on the link at a time, in both directions together; 1 or more. Default Infinity. */
  capacity?: number;
  /**
   * Duration of a traversal, seconds; 0 .. 1e9. Default, and at 0: the length of the link at the agent's
   * speed.
   */
  seconds?: number;
}

const KEYS: readonly (keyof LinkTrafficOptions)[] = ['capacity', 'seconds'];

/**
 * Sets how the agents of a crowd use a link. Replaces all earlier settings of the link: options that are absent get
 * their defaults. Agents wait for their turn at a link with limited capacity. The settings are saved with the crowd.
 *
 * Returns false, and does nothing, when `ref` is stale. Throws a TypeError when `ref` is not a number, and a
 * RangeError for unknown option keys, a capacity below 1, or seconds that are not 0 .. 1e9.
 */
export function setLinkTraffic(crowd: Crowd, ref: LinkRef, options: LinkTrafficOptions): boolean {
  checkObject('setLinkTraffic', 'options', options);
  checkCrowd('setLinkTraffic', crowd);
  checkHandle('setLinkTraffic', 'ref', ref);
  checkKeys('setLinkTraffic', options, KEYS);
  const { capacity = Infinity, seconds = 0 } = options;
  if (typeof capacity !== 'number' || !(capacity >= 1))
    refuse('setLinkTraffic', 'options.capacity', capacity, 'a number of agents, 1 or more');
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= MOST_SECONDS)) {
    refuse('setLinkTraffic', 'options.seconds', seconds, `a time, 0 .. ${MOST_SECONDS}`);
  }
  if (linkIndexOf(crowd.mesh, ref) < 0) return false;
  const known = crowd.linkTraffic.find((traffic) => traffic.ref === ref);
  if (known === undefined) crowd.linkTraffic.push({ ref, capacity, seconds });
  else Object.assign(known, { capacity, seconds });
  addBehavior(crowd, linkQueues);
  return true;
}
