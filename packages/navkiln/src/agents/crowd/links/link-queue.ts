/**
 * The queues of links with limited capacity. `setLinkTraffic` adds them to the behaviors of a crowd, so that
 * they are not in bundles without it.
 *
 * A link with limited capacity (link-traffic.ts) serves both of its ends equally. The agent that would arrive first
 * goes first. Five seconds of waiting count as one second of travel, so that no agent waits forever. The next in turn
 * waits at the link; the other agents keep a distance, which leaves space for agents that leave the link. While the
 * next in turn still approaches, an agent that is already at the link may go first.
 *
 * In: positions, corners, statuses; `linkTraffic`.
 * Out: `queue*`, `status`; agents on links.
 * Cost: agents at a link with limited capacity compare with each other. No allocation.
 * Based on: own.
 */
import { linkOf, otherEnd } from '../../../mesh/crossing.ts';
import { linkRefOf } from '../../../mesh/link-ref.ts';
import { CHANGE_LINK_BUSY, CHANGE_LINK_FREE, changeStatus } from '../state/status.ts';
import { STATE_GROUND, STATUS_MOVING, STATUS_QUEUEING, STATUS_YIELDING } from '../state/types.ts';
import type { LinkTraffic } from '../state/behaviors.ts';
import type { Behavior, Crowd } from '../state/types.ts';
import { MIN_SPEED, distanceSqToLink, enterLink, load } from './use-links.ts';

// Distances from the near end of a link, in radii:
/** at which an agent whose turn it is enters a link with limited capacity; */
const ENTER_QUEUE_RADII = 3;
/** at which agents join the queue of such a link. */
const QUEUE_RADII = 12;
/** Weight of a second of waiting, compared with a second of travel to the link. */
const WAIT_SHARE = 0.2;
/** An agent at the link goes before the next in turn, unless the latter has waited longer by at least this, seconds. */
const PASS_SECONDS = 15;

/** Slots of the agents that wait at links in this tick. */
let waiting = new Int32Array(0);
let waitingCount = 0;

/** The behavior of agents at links with limited capacity, which `setLinkTraffic` adds. */
export const linkQueues: Behavior = { linkTrafficOf, queueAtLink, serveLinks };

/** Returns the settings of a link (by index), or undefined when it has none. */
function linkTrafficOf({ linkTraffic, mesh }: Crowd, link: number): LinkTraffic | undefined {
  const ref = linkRefOf(mesh, link);
  for (let i = 0; i < linkTraffic.length; i++) if (linkTraffic[i].ref === ref) return linkTraffic[i];
  return undefined;
}

/** Lets an agent whose next corner is a link with limited capacity join its queue. */
function queueAtLink(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const { radius, status, queueLinkEnd, queueTick } = agents;
  const linkEnd = agents.cornerLinkEnd[slot];
  const distanceSq = distanceSqToLink(crowd, slot);
  if (waiting.length < crowd.maxAgents) waiting = new Int32Array(crowd.maxAgents);
  const reach = QUEUE_RADII * radius[slot];
  if (distanceSq > reach * reach && queueLinkEnd[slot] !== linkEnd) {
    queueLinkEnd[slot] = -1;
    return;
  }
  if (queueLinkEnd[slot] !== linkEnd) {
    queueLinkEnd[slot] = linkEnd;
    queueTick[slot] = crowd.tick;
  }
  if (status[slot] === STATUS_MOVING || status[slot] === STATUS_QUEUEING) {
    waiting[waitingCount++] = slot;
    changeStatus(crowd, slot, CHANGE_LINK_BUSY);
  } else if (status[slot] === STATUS_YIELDING && Math.sqrt(distanceSq) <= ENTER_QUEUE_RADII * radius[slot]) {
    // A yielding agent may also make way by crossing the link.
    waiting[waitingCount++] = slot;
  }
  if (mesh.linkPoly[otherEnd(linkEnd)] < 0) queueLinkEnd[slot] = -1;
}

/** Lets waiting agents enter. */
function serveLinks(crowd: Crowd): void {
  for (let i = 0; i < waitingCount; i++) serve(crowd, i);
  waitingCount = 0;
}

/** Serves the link of waiting[first], once per link and tick: agents enter in turn while the link has capacity. */
function serve(crowd: Crowd, first: number): void {
  const { agents, tick } = crowd;
  const { queueLinkEnd, queueTick, radius, status } = agents;
  const slot = waiting[first];
  const link = linkOf(queueLinkEnd[slot]);
  if (queueLinkEnd[slot] < 0) return;
  for (let i = 0; i < first; i++) if (linkOf(queueLinkEnd[waiting[i]]) === link) return;
  const traffic = linkTrafficOf(crowd, link);
  if (traffic === undefined) return;
  for (;;) {
    // The next in turn, and the first in turn among the agents at the link.
    let next = -1;
    let least = Infinity;
    let ready = -1;
    let leastReady = Infinity;
    for (let i = first; i < waitingCount; i++) {
      const other = waiting[i];
      const isHere = queueLinkEnd[other] >= 0 && linkOf(queueLinkEnd[other]) === link;
      if (!isHere || agents.state[other] !== STATE_GROUND) continue;
      const distance = Math.sqrt(distanceSqToLink(crowd, other));
      const key =
        distance / Math.max(agents.maxSpeed[other], MIN_SPEED) -
        WAIT_SHARE * (tick - queueTick[other]) * crowd.stepSeconds;
      if (key < least) {
        least = key;
        next = other;
      }
      if (key < leastReady && distance <= ENTER_QUEUE_RADII * radius[other]) {
        leastReady = key;
        ready = other;
      }
    }
    if (next < 0) return;
    // Waiting at the link for its turn counts as progress.
    if (ready >= 0) agents.progressTick[ready] = tick;
    const isFree = load[link] < traffic.capacity;
    if (isFree && ready >= 0 && (queueTick[ready] - queueTick[next]) * crowd.stepSeconds < PASS_SECONDS) next = ready;
    if (status[next] === STATUS_YIELDING) agents.yieldUntil[next] = tick;
    changeStatus(crowd, next, CHANGE_LINK_FREE);
    if (!isFree || next !== ready) return;
    enterLink(crowd, next, queueLinkEnd[next], traffic);
  }
}
