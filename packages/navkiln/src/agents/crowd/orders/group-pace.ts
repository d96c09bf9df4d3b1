/**
 * Step: sets the speed of agents of a group, so that they move in formation and arrive together.
 *
 * The member with the longest remaining path sets the pace. The speed of another member is multiplied by the fourth
 * power of the ratio of its remaining length to the longest. So the lengths become equal long before the goal, and
 * agents keep their offsets. No member slows down to less than a fifth of its speed. A member with another agent close
 * behind keeps full speed, so that doors are not blocked. Members that rest, have given up, are paused or lost do not
 * count.
 *
 * In: `group`, positions, corners, `pathLeft`, `status`.
 * Out: the longest length of each group, which `paceOf` reads within the tick.
 * Cost: nothing without groups; one pass over the agents with them. No allocation.
 * Based on: own.
 */
import { CORNER_NONE } from '../../corridor/types.ts';
import { isRestStatus } from '../state/rest.ts';
import { MAX_NEIGHBORS, MODE_PAUSED, STATE_GROUND, STATE_LINK } from '../state/types.ts';
import type { Behavior, Crowd } from '../state/types.ts';

/** Smallest share of its speed at which a member moves. Slower ones would seem to make no progress. */
const LEAST_SHARE = 0.2;
/** Members do not wait for each other when the longest remaining path is at most this, in radii. */
const FREE_RADII = 4;
/** Distance within which another agent is close, as a share of the sum of radii. */
const CLOSE_SHARE = 1.4;
/** That agent walks towards a member when the squared cosine of its heading is above this. */
const BEHIND_SQ = 0.5;

/**
 * Per group: the longest remaining path of its members, and the speed of its slowest member. Written by
 * `measureGroups`.
 */
let longest = new Float64Array(0);
let slowest = new Float64Array(0);

/** The behavior of groups, which `moveGroupTo` adds. */
export const groups: Behavior = { measureGroups, paceOf };

/** Step: measures the remaining paths of all groups. */
function measureGroups(crowd: Crowd): void {
  const { agents, active, activeCount, maxAgents } = crowd;
  const { group } = agents;
  if (!crowd.hasGroups) return;
  if (longest.length <= maxAgents) {
    longest = new Float64Array(maxAgents + 1);
    slowest = new Float64Array(maxAgents + 1);
  }
  longest.fill(0, 0, maxAgents + 1);
  slowest.fill(Infinity, 0, maxAgents + 1);
  crowd.hasGroups = false;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const number = group[slot];
    if (number === 0) continue;
    crowd.hasGroups = true;
    if (!isUnderWay(crowd, slot)) continue;
    longest[number] = Math.max(longest[number], lengthLeft(crowd, slot));
    slowest[number] = Math.min(slowest[number], agents.maxSpeed[slot]);
  }
}

/** Returns the speed of a member of a group in this tick. */
function paceOf(crowd: Crowd, slot: number): number {
  const number = crowd.agents.group[slot];
  return paceWithin(crowd, slot, longest[number], slowest[number]);
}

/** Returns the share of its speed at which a member of a group moves. For use between ticks. @internal */
export function shareOfPace(crowd: Crowd, slot: number): number {
  const { agents, slotCount } = crowd;
  let most = 0;
  let least = Infinity;
  for (let other = 0; other < slotCount; other++) {
    if (agents.group[other] !== agents.group[slot] || !isUnderWay(crowd, other)) continue;
    most = Math.max(most, lengthLeft(crowd, other));
    least = Math.min(least, agents.maxSpeed[other]);
  }
  return paceWithin(crowd, slot, most, least) / agents.maxSpeed[slot];
}

function paceWithin(crowd: Crowd, slot: number, most: number, least: number): number {
  const { radius, maxSpeed } = crowd.agents;
  const left = lengthLeft(crowd, slot);
  const speed = Math.min(maxSpeed[slot], least);
  if (most <= FREE_RADII * radius[slot] || left >= most) return speed;
  if (isFollowedClosely(crowd, slot)) return speed;
  const ratio = left / most;
  return Math.max(LEAST_SHARE * maxSpeed[slot], speed * ratio * ratio * ratio * ratio);
}

/**
 * Returns whether another agent is close behind a member and walks towards it. Slowing down would hold that agent up,
 * for example in a door with the last members of the group behind.
 */
function isFollowedClosely({ agents }: Crowd, slot: number): boolean {
  const { position, radius, heading, status, neighbors, neighborCount, neighborDistanceSq } = agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const close = CLOSE_SHARE * (radius[slot] + radius[other]);
    if (neighborDistanceSq[n] > close * close || isRestStatus(status[other])) continue;
    const dx = position[3 * slot] - position[3 * other];
    const dz = position[3 * slot + 2] - position[3 * other + 2];
    const towards = dx * heading[2 * other] + dz * heading[2 * other + 1];
    if (towards > 0 && towards * towards > BEHIND_SQ * (dx * dx + dz * dz)) return true;
  }
  return false;
}

/** Returns whether a member moves towards the goal of its group. */
function isUnderWay({ agents }: Crowd, slot: number): boolean {
  const state = agents.state[slot];
  const isOnMesh = state === STATE_GROUND || state === STATE_LINK;
  return isOnMesh && !isRestStatus(agents.status[slot]) && (agents.modes[slot] & MODE_PAUSED) === 0;
}

/** Returns the remaining length of a member's path; the straight distance to the goal while it has no corners. */
function lengthLeft({ agents }: Crowd, slot: number): number {
  const { position, corners, goal } = agents;
  const hasCorners = agents.cornerKind[slot] !== CORNER_NONE;
  const to = hasCorners ? corners : goal;
  const at = (hasCorners ? 6 : 3) * slot;
  const dx = to[at] - position[3 * slot];
  const dz = to[at + 2] - position[3 * slot + 2];
  return Math.sqrt(dx * dx + dz * dz) + (hasCorners ? agents.pathLeft[slot] : 0);
}
