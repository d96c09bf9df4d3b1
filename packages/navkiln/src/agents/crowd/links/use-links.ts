/**
 * Step: lets agents enter, cross and leave links. Links with limited capacity have queues (link-queue.ts).
 *
 * A traversal ends when its landing is clear, or after waiting two seconds for that. Links without limited capacity are
 * entered immediately and crossed at the agent's speed.
 *
 * In: positions, corners, statuses; `linkTraffic`.
 * Out: `state`, `link*`, `queue*`, `status`; `position` and `heading` on links; corridors; events.
 * Cost: one comparison per agent; agents at a link with limited capacity compare with each other. No
 * allocation.
 * Based on: own.
 */
import { linkOf } from '../../../mesh/crossing.ts';
import { moveCorridorOverLink } from '../../corridor/move.ts';
import { CORNER_LINK, CORNER_NONE } from '../../corridor/types.ts';
import { linkIndexOf, linkRefOf } from '../../../mesh/link-ref.ts';
import type { LinkRef } from '../../../mesh/types.ts';
import { placeOnNearestPoly } from '../nearby/place-on-mesh.ts';
import { requestPath } from '../search/record.ts';
import { noteEvent } from '../state/events.ts';
import { adoptCorridorPosition, syncCorridorStart } from '../state/position.ts';
import { CHANGE_LINK_ENTERED, changeStatus, restartProgress } from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_STALE_CORNERS,
  AGENT_USER_OWNED,
  AVOID_NONE,
  EVENT_LINK_ENTERED,
  EVENT_LINK_LEFT,
  MODE_MANUAL_LINKS,
  STATE_GROUND,
  STATE_LINK,
  STATUS_MOVING,
  STATUS_SEARCHING,
} from '../state/types.ts';
import { YIELD_SECONDS } from '../traffic/times.ts';
import type { LinkTraffic } from '../state/behaviors.ts';
import type { Crowd } from '../state/types.ts';

/** Distance from the near end at which an agent enters a link without limited capacity, in radii. */
const ENTER_RADII = 0.75;
/** Longest time for which a traversal waits for its landing to clear, seconds. */
const LANDING_SECONDS = 20;
/** Distance to another agent at which a landing is clear, as a share of the sum of radii. */
const LANDING_SHARE = 0.97;
/** Distance from a landing to which agents step aside, as a multiple of that at which it is clear. */
const ASIDE = 1.15;
/** Speed assumed for slower agents, world units per second. It keeps times finite. */
export const MIN_SPEED = 1e-3;

/** Added to `load` for an agent that waits to leave. No agent enters before it has left. */
const WAITS = 1 << 20;
/** Per link: how many agents are on it in this tick. */
export let load: Int32Array = new Int32Array(0);

/** Step: moves agents on links, then lets waiting agents enter. */
export function useLinks(crowd: Crowd): void {
  const { agents, active, activeCount, mesh } = crowd;
  if (mesh.linkCount === 0) return;
  const { state, flags, maxSpeed, cornerKind, queueLinkEnd } = agents;
  if (load.length < mesh.linkCount) load = new Int32Array(2 * mesh.linkCount);
  load.fill(0, 0, mesh.linkCount);
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (state[slot] === STATE_LINK) cross(crowd, slot);
  }
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY | AGENT_USER_OWNED)) !== 0)
      continue;
    // An agent of speed 0 stands, even at a link.
    if (cornerKind[slot] === CORNER_LINK && maxSpeed[slot] > 0) approach(crowd, slot);
    else queueLinkEnd[slot] = -1;
  }
  if (crowd.linkTraffic.length > 0) crowd.behaviors.serveLinks?.(crowd);
}

/** Returns the squared distance, in the plane, from an agent to the near end of the link ahead. */
export function distanceSqToLink(crowd: Crowd, slot: number): number {
  const { position, corners } = crowd.agents;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  return dx * dx + dz * dz;
}

/** Lets an agent whose next corner is a link enter it, or join its queue. */
function approach(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const linkEnd = agents.cornerLinkEnd[slot];
  const traffic = crowd.linkTraffic.length === 0 ? undefined : crowd.behaviors.linkTrafficOf?.(crowd, linkOf(linkEnd));
  if (traffic !== undefined && traffic.capacity < Infinity) {
    crowd.behaviors.queueAtLink?.(crowd, slot);
    return;
  }
  const reach = Math.max(ENTER_RADII * agents.radius[slot], agents.maxSpeed[slot] * crowd.stepSeconds);
  if (load[linkOf(linkEnd)] < WAITS && distanceSqToLink(crowd, slot) <= reach * reach)
    enterLink(crowd, slot, linkEnd, traffic);
}

/** Puts an agent on a link. When its corridor no longer leads over the link, its corners become stale instead. */
export function enterLink(crowd: Crowd, slot: number, linkEnd: number, traffic: LinkTraffic | undefined): void {
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
    traffic !== undefined && traffic.seconds > 0
      ? traffic.seconds
      : length / Math.max(agents.maxSpeed[slot], MIN_SPEED);
  agents.state[slot] = STATE_LINK;
  agents.linkEnd[slot] = linkEnd;
  agents.linkRef[slot] = linkRefOf(mesh, linkOf(linkEnd));
  agents.linkTime[slot] = 0;
  agents.linkDuration[slot] = Math.max(seconds, crowd.stepSeconds);
  agents.queueLinkEnd[slot] = -1;
  agents.cornerKind[slot] = CORNER_NONE;
  changeStatus(crowd, slot, CHANGE_LINK_ENTERED);
  agents.velocity.fill(0, 2 * slot, 2 * slot + 2);
  agents.poly[slot] = corridor.corridor.polys[0];
  agents.polyRef[slot] = corridor.refs[0];
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  load[linkOf(linkEnd)]++;
  noteEvent(crowd, EVENT_LINK_ENTERED, slot);
}

/** Moves an agent on a link by one tick, and lands it when the traversal is over and the landing is clear. */
function cross(crowd: Crowd, slot: number): void {
  const { agents, stepSeconds } = crowd;
  const { linkTime, linkDuration } = agents;
  const { position: landing } = crowd.corridors[slot];
  const link = linkIndexOf(crowd.mesh, agents.linkRef[slot] as LinkRef);
  restartProgress(crowd, slot);
  if ((agents.modes[slot] & MODE_MANUAL_LINKS) !== 0 && linkTime[slot] < linkDuration[slot]) {
    // The agent stays on the link until `completeLink`.
    if (link >= 0) load[link]++;
    return;
  }
  linkTime[slot] += stepSeconds;
  moveOnLink(crowd, slot, landing);
  // Times are rounded sums, so the tick nearest to the end counts.
  const isOver = linkTime[slot] + stepSeconds / 2 > linkDuration[slot];
  const isLate = linkTime[slot] > linkDuration[slot] + LANDING_SECONDS;
  const isClear = isLandingClear(crowd, slot, landing);
  if (!isOver || (!isLate && !isClear)) {
    if (link < 0) return;
    load[link] += isOver ? WAITS : 1;
    return;
  }
  agents.state[slot] = STATE_GROUND;
  agents.linkEnd[slot] = -1;
  agents.wallPoly[slot] = -1;
  noteEvent(crowd, EVENT_LINK_LEFT, slot);
  if (agents.poly[slot] < 0) placeOnNearestPoly(crowd, slot);
  else adoptCorridorPosition(crowd, slot);
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  // The agent got a new order on the link.
  if (agents.status[slot] === STATUS_SEARCHING) requestPath(crowd, slot);
}

/** Sets position and heading of an agent on a link. */
function moveOnLink({ agents }: Crowd, slot: number, landing: Float64Array): void {
  const { position, previous, linkFrom, heading } = agents;
  const at = 3 * slot;
  const t = Math.min(1, agents.linkTime[slot] / agents.linkDuration[slot]);
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
}

/**
 * Returns whether no agent stands where the traversal ends, or the agent has no avoidance. Agents that stand there step
 * aside.
 */
function isLandingClear(crowd: Crowd, slot: number, landing: Float64Array): boolean {
  const { agents, active, activeCount } = crowd;
  if (agents.avoidance[slot] === AVOID_NONE) return true;
  const { position, radius, height, state, status, cornerKind, yieldUntil, yieldPoint } = agents;
  let isClear = true;
  for (let i = 0; i < activeCount; i++) {
    const other = active[i];
    if (other === slot || state[other] !== STATE_GROUND) continue;
    // An agent exactly on the landing needs a direction, too.
    const dx = position[3 * other] - landing[0] + 1e-6;
    const dz = position[3 * other + 2] - landing[2];
    const apart = LANDING_SHARE * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz >= apart * apart) continue;
    const dy = position[3 * other + 1] - landing[1];
    if (dy >= height[slot] || -dy >= height[other]) continue;
    isClear = false;
    const isPassing = status[other] === STATUS_MOVING && cornerKind[other] !== CORNER_LINK;
    if (isPassing || crowd.tick < yieldUntil[other]) continue;
    const step = (ASIDE * apart) / Math.sqrt(dx * dx + dz * dz);
    yieldPoint[2 * other] = landing[0] + dx * step;
    yieldPoint[2 * other + 1] = landing[2] + dz * step;
    yieldUntil[other] = crowd.tick + Math.round(YIELD_SECONDS / crowd.stepSeconds);
    agents.yieldTo[other] = slot;
  }
  return isClear;
}
