/**
 * Step: links are entered, crossed and left, and those that hold few at a time are queued for.
 *
 * A link with traffic of its own (setLinkTraffic) is a resource, of both ends alike: who is nearest goes first, and every five
 * seconds of waiting count as one of the way, so that nobody waits for ever. The next in turn waits at the near end, the others
 * a little off, so that who comes out finds room; while it has yet to come, one that is there already goes (without that a
 * ladder of one second passed 0.9 a second). A traverse ends when its landing is clear, or after two seconds of waiting. A link
 * without is entered by whoever gets there, and crossed at the agent's speed.
 *
 * Cost: a comparison an agent; those at a link of few look at each other. No allocation.
 * Based on: own.
 */
import { refuse } from '../data/refuse.ts';
import { linkIndexOf, linkRefOf } from '../navmesh/links.ts';
import type { LinkRef } from '../navmesh/types.ts';
import { moveCorridorOverLink } from '../corridor/move.ts';
import { noteEvent } from './state/events.ts';
import { placeOnNearestPoly } from './nearby/place-on-mesh.ts';
import { syncCorridorStart, adoptCorridorPosition } from './state/position.ts';
import { requestPath } from './search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_STALE_CORNERS,
  AGENT_USER_OWNED,
  EVENT_LINK_ENTERED,
  EVENT_LINK_LEFT,
  STATE_GROUND,
  STATE_LINK,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_YIELDING,
  STATUS_SEARCHING,
} from './state/types.ts';
import { CORNER_LINK, CORNER_NONE } from '../corridor/types.ts';
import type { Crowd, LinkTraffic } from './state/types.ts';

export interface LinkTrafficOptions {
  /** Agents on the link at a time. Default Infinity. */
  capacity?: number;
  /** Seconds a traverse takes. Default: the link's length at the agent's speed. */
  seconds?: number;
}

/** Radii from the near end at which a link is entered; of one with a queue; at which the queue begins. */
const ENTER_RADII = 0.75;
const ENTER_QUEUE_RADII = 3;
const QUEUE_RADII = 12;
/** How much a second of waiting counts beside a second of the way that is left to the link. */
const WAIT_SHARE = 0.2;
/** Up to so many seconds of waiting less, one that is at the link goes before one that has yet to come to it. */
const PASS_SECONDS = 15;
/** Seconds a traverse may wait for its landing. */
const LANDING_SECONDS = 2;

/** Slots at links of few, and how many; agents on each link. */
let waiting = new Int32Array(0);
let waitingCount = 0;
let load = new Int32Array(0);

/** Says how a link is used. Throws a RangeError for a stale ref and for numbers that make no sense. */
export function setLinkTraffic(crowd: Crowd, ref: LinkRef, options: LinkTrafficOptions): void {
  const { capacity = Infinity, seconds = 0 } = options;
  if (linkIndexOf(crowd.mesh, ref) < 0) refuse('setLinkTraffic', 'the link', ref, 'a ref that addLink returned');
  if (!(capacity >= 1)) refuse('setLinkTraffic', 'capacity', capacity, 'a number of agents from 1 on');
  if (!(seconds >= 0 && seconds < Infinity)) refuse('setLinkTraffic', 'seconds', seconds, 'a finite time from 0 on');
  const known = crowd.linkTraffic.find((traffic) => traffic.ref === ref);
  if (known === undefined) crowd.linkTraffic.push({ ref, capacity, seconds });
  else Object.assign(known, { capacity, seconds });
}

function trafficOf(crowd: Crowd, link: number): LinkTraffic | undefined {
  const { linkTraffic, mesh } = crowd;
  if (linkTraffic.length === 0) return undefined;
  const ref = linkRefOf(mesh, link);
  for (let i = 0; i < linkTraffic.length; i++) if (linkTraffic[i].ref === ref) return linkTraffic[i];
  return undefined;
}

/** Step: who is on a link gets on, who is at one enters it or queues. */
export function useLinks(crowd: Crowd): void {
  const { agents, active, activeCount, mesh } = crowd;
  if (mesh.linkCount === 0) return;
  const { state, flags, cornerKind, queueLinkEnd } = agents;
  if (load.length < mesh.linkCount) load = new Int32Array(2 * mesh.linkCount);
  load.fill(0, 0, mesh.linkCount);
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (state[slot] === STATE_LINK) cross(crowd, slot);
  }
  if (waiting.length < crowd.maxAgents) waiting = new Int32Array(crowd.maxAgents);
  waitingCount = 0;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY | AGENT_USER_OWNED)) !== 0)
      continue;
    if (cornerKind[slot] === CORNER_LINK) approach(crowd, slot);
    else queueLinkEnd[slot] = -1;
  }
  for (let i = 0; i < waitingCount; i++) serve(crowd, i);
}

/** Seen from above, squared, from an agent to the near end of the link ahead. */
function distanceSqToCorner(crowd: Crowd, slot: number): number {
  const { position, corners } = crowd.agents;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  return dx * dx + dz * dz;
}

function approach(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const { radius, status, queueLinkEnd, queueTick } = agents;
  const linkEnd = agents.cornerLinkEnd[slot];
  const distanceSq = distanceSqToCorner(crowd, slot);
  const traffic = trafficOf(crowd, linkEnd >> 1);
  if (traffic === undefined || traffic.capacity === Infinity) {
    const reach = Math.max(ENTER_RADII * radius[slot], agents.maxSpeed[slot] * crowd.stepSeconds);
    if (distanceSq <= reach * reach) enter(crowd, slot, linkEnd, traffic);
    return;
  }
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
    status[slot] = STATUS_QUEUEING;
  } else if (status[slot] === STATUS_YIELDING && Math.sqrt(distanceSq) <= ENTER_QUEUE_RADII * radius[slot]) {
    // Over the link is out of the way, too.
    waiting[waitingCount++] = slot;
  }
  if (mesh.linkPoly[linkEnd ^ 1] < 0) queueLinkEnd[slot] = -1;
}

/** Of those that wait for one link, whoever has waited longest may go, and enters when it is there and there is room. */
function serve(crowd: Crowd, first: number): void {
  const { agents, tick } = crowd;
  const { queueLinkEnd, queueTick, radius, status } = agents;
  const slot = waiting[first];
  const link = queueLinkEnd[slot] >> 1;
  if (queueLinkEnd[slot] < 0) return;
  // Each link once: at the first of those that wait for it.
  for (let i = 0; i < first; i++) if (queueLinkEnd[waiting[i]] >> 1 === link) return;
  const traffic = trafficOf(crowd, link);
  if (traffic === undefined) return;
  for (;;) {
    let next = -1;
    let least = Infinity;
    let ready = -1;
    let leastReady = Infinity;
    for (let i = first; i < waitingCount; i++) {
      const other = waiting[i];
      if (queueLinkEnd[other] < 0 || queueLinkEnd[other] >> 1 !== link || agents.state[other] !== STATE_GROUND)
        continue;
      const distance = Math.sqrt(distanceSqToCorner(crowd, other));
      const key =
        distance / Math.max(agents.maxSpeed[other], 1e-3) - WAIT_SHARE * (tick - queueTick[other]) * crowd.stepSeconds;
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
    // It waits at the link for its turn: this is not standing still.
    if (ready >= 0) agents.progressTick[ready] = tick;
    const isFree = load[link] < traffic.capacity;
    // A link does not stay empty for one that is on its way to it, unless that one has waited much longer.
    if (isFree && ready >= 0 && (queueTick[ready] - queueTick[next]) * crowd.stepSeconds < PASS_SECONDS) next = ready;
    if (status[next] === STATUS_YIELDING) agents.yieldUntil[next] = tick;
    status[next] = STATUS_MOVING;
    if (!isFree || next !== ready) return;
    enter(crowd, next, queueLinkEnd[next], traffic);
  }
}

function enter(crowd: Crowd, slot: number, linkEnd: number, traffic: LinkTraffic | undefined): void {
  const { agents, mesh } = crowd;
  const { linkFrom, position } = agents;
  const corridor = crowd.corridors[slot];
  syncCorridorStart(crowd, slot);
  for (let k = 0; k < 3; k++) linkFrom[3 * slot + k] = position[3 * slot + k];
  if (!moveCorridorOverLink(corridor, mesh, linkEnd)) {
    agents.flags[slot] |= AGENT_STALE_CORNERS;
    return;
  }
  const dx = corridor.position[0] - linkFrom[3 * slot];
  const dy = corridor.position[1] - linkFrom[3 * slot + 1];
  const dz = corridor.position[2] - linkFrom[3 * slot + 2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const seconds =
    traffic !== undefined && traffic.seconds > 0 ? traffic.seconds : length / Math.max(agents.maxSpeed[slot], 1e-3);
  agents.state[slot] = STATE_LINK;
  agents.linkEnd[slot] = linkEnd;
  agents.linkRef[slot] = linkRefOf(mesh, linkEnd >> 1);
  agents.linkTime[slot] = 0;
  agents.linkDuration[slot] = Math.max(seconds, crowd.stepSeconds);
  agents.queueLinkEnd[slot] = -1;
  agents.cornerKind[slot] = CORNER_NONE;
  agents.status[slot] = STATUS_MOVING;
  agents.velocity.fill(0, 2 * slot, 2 * slot + 2);
  agents.poly[slot] = corridor.corridor.polys[0];
  agents.polyRef[slot] = corridor.refs[0];
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  load[linkEnd >> 1]++;
  noteEvent(crowd, EVENT_LINK_ENTERED, slot);
}

function cross(crowd: Crowd, slot: number): void {
  const { agents, stepSeconds } = crowd;
  const { position, previous, linkFrom, linkTime, linkDuration, heading } = agents;
  const { position: landing } = crowd.corridors[slot];
  const link = linkIndexOf(crowd.mesh, agents.linkRef[slot] as LinkRef);
  linkTime[slot] += stepSeconds;
  const at = 3 * slot;
  const t = Math.min(1, linkTime[slot] / linkDuration[slot]);
  for (let k = 0; k < 3; k++) {
    previous[at + k] = position[at + k];
    position[at + k] = linkFrom[at + k] + t * (landing[k] - linkFrom[at + k]);
  }
  const dx = landing[0] - linkFrom[at];
  const dz = landing[2] - linkFrom[at + 2];
  const length = Math.sqrt(dx * dx + dz * dz);
  if (length > 0) {
    heading[2 * slot] = dx / length;
    heading[2 * slot + 1] = dz / length;
  }
  agents.progressTick[slot] = crowd.tick;
  agents.progressLeft[slot] = Infinity;
  // Half a step early rather than late: times are sums.
  const isOver = linkTime[slot] + stepSeconds / 2 > linkDuration[slot];
  const isLate = linkTime[slot] > linkDuration[slot] + LANDING_SECONDS;
  if (!isOver || (!isLate && !isClear(crowd, slot, landing))) {
    if (link >= 0) load[link]++;
    return;
  }
  agents.state[slot] = STATE_GROUND;
  agents.linkEnd[slot] = -1;
  agents.wallPoly[slot] = -1;
  noteEvent(crowd, EVENT_LINK_LEFT, slot);
  if (agents.poly[slot] < 0) placeOnNearestPoly(crowd, slot);
  else adoptCorridorPosition(crowd, slot);
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  // It was told something new on its way over.
  if (agents.status[slot] === STATUS_SEARCHING) requestPath(crowd, slot);
}

/** Does nobody stand where the traverse ends? */
function isClear(crowd: Crowd, slot: number, landing: Float64Array): boolean {
  const { agents, active, activeCount } = crowd;
  const { position, radius, height, state } = agents;
  for (let i = 0; i < activeCount; i++) {
    const other = active[i];
    if (other === slot || state[other] !== STATE_GROUND) continue;
    const dx = position[3 * other] - landing[0];
    const dz = position[3 * other + 2] - landing[2];
    const apart = 0.97 * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz >= apart * apart) continue;
    const dy = position[3 * other + 1] - landing[1];
    if (dy < height[slot] && -dy < height[other]) return false;
  }
  return true;
}
