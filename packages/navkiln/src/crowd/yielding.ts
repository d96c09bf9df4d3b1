/**
 * Yielding: an agent that cannot get past asks those in its way to make room.
 *
 * An agent at rest steps aside and returns to its place later. When agents at rest leave it no room, it asks
 * them in turn; one that returns to its place asks each of them a few times. Of two moving agents that wedge each other, as in
 * a door, the one of lower priority, or else of the higher slot, steps back, or aside when they meet head-on. An agent whose turn it is at a link may ask those that wait.
 * Agents without avoidance neither ask nor are asked.
 *
 * In: positions, desired velocities, neighbors, walls, statuses.
 * Out: `yieldUntil`, `yieldTo`, `yieldPoint`; `status` of moving agents that yield; `progress*` of agents at
 * rest.
 * Cost: a look at the neighbors, for agents without progress. No allocation.
 * Based on: own.
 * Tried: asking moving agents that come the other way to step aside. In a dense crowd each of them then holds up
 * others (`npm run bench -- --only crowd-flow`); avoidance and passing sides resolve such meetings better.
 */
import { isNearer, isSettledAtGoal } from './settle.ts';
import { MAX_PUSHES } from './settled-by.ts';
import { isRestStatus } from './state/rest.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  AVOID_NONE,
  MAX_NEIGHBORS,
  MAX_WALLS,
  PASSAGE_WAITS,
  STATE_GROUND,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_IDLE,
  STATUS_QUEUEING,
  STATUS_YIELDING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Time without progress after which an agent asks all neighbors at rest, not only those ahead, seconds. */
const CORNERED_SECONDS = 3;
/** Time without progress after which two agents that go the same way and hold each other count as wedged, seconds. */
const WEDGED_SECONDS = 4;
/** The same for two that meet head-on: avoidance that forbids no velocity may lead each into the other. */
const HEAD_ON_SECONDS = 1.5;
/** Part of its maximum speed up to which an agent stands. */
const STILL_SHARE = 0.01;
/** Distance at which they touch, as a share of the sum of radii. */
const TOUCH_SHARE = 1.02;
/** Time for which an agent stays out of the way, seconds. */
const YIELD_SECONDS = 1.5;
/** Distance at which two agents block each other, as a share of the sum of radii. */
export const NEAR_SHARE = 1.5;
/** Distance that a yielding agent keeps from the other one's path, as a share of the sum of radii. */
const ROOM_SHARE = 1.1;
/** Longest chain of agents that make room for each other; a longer one counts as a circle. */
const MAX_CHAIN = 32;
/** Part of its desired speed below which a yielding agent counts as blocked. */
const BLOCKED_SHARE = 0.3;

/** Returns whether an agent waits at a link for its turn. */
function isWaitingForLink({ agents }: Crowd, slot: number): boolean {
  return agents.queueLinkEnd[slot] >= 0 && agents.status[slot] === STATUS_QUEUEING;
}

/** Returns whether an agent waits for its turn, at a link or a narrow passage. */
export function isWaitingForTurn(crowd: Crowd, slot: number): boolean {
  return crowd.agents.passage[slot] === PASSAGE_WAITS || isWaitingForLink(crowd, slot);
}

/** Lets an agent at rest that yields or returns, and cannot, ask those in its way. */
export function passOnRequest(crowd: Crowd, slot: number): void {
  const { desired, velocity } = crowd.agents;
  const wantedSq = desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1];
  if (wantedSq === 0) return;
  if (!isNeeded(crowd, slot)) return;
  const along = velocity[2 * slot] * desired[2 * slot] + velocity[2 * slot + 1] * desired[2 * slot + 1];
  if (along < BLOCKED_SHARE * wantedSq) requestRoom(crowd, slot);
}

/**
 * Returns whether an agent at rest moves for a reason: it returns to its place, or the agent that it makes room for, directly
 * or through others, moves or returns. Otherwise a chain of requests may close to a circle, and agents would make room for
 * each other for ever.
 */
function isNeeded({ agents, tick }: Crowd, slot: number): boolean {
  const { status, yieldTo, yieldUntil } = agents;
  let at = slot;
  for (let k = 0; k < MAX_CHAIN; k++) {
    if (!isRestStatus(status[at])) return true;
    if (yieldTo[at] < 0) return false;
    // Agents without orders take any place.
    if (tick >= yieldUntil[at]) return status[at] !== STATUS_IDLE && status[at] !== STATUS_GAVE_UP;
    at = yieldTo[at];
    if (at === slot) return false;
  }
  return false;
}

/** Asks the agents in the way to make room. */
export function requestRoom(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  if (agents.avoidance[slot] === AVOID_NONE) return;
  const { position, desired, neighbors, neighborCount, status, radius, priority, yieldUntil, settledPushes } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const aheadX = desired[2 * slot];
  const aheadZ = desired[2 * slot + 1];
  const isCornered =
    !isRestStatus(status[slot]) && tick - agents.progressTick[slot] > CORNERED_SECONDS / crowd.stepSeconds;
  const seconds = isRestStatus(status[slot]) ? 0 : (tick - agents.progressTick[slot]) * crowd.stepSeconds;
  const isMakingRoom = isRestStatus(status[slot]) && tick < yieldUntil[slot];
  const isReturning = isRestStatus(status[slot]) && !isMakingRoom;
  const isPartial = !isMakingRoom && (agents.flags[slot] & AGENT_PARTIAL) !== 0;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if ((agents.flags[other] & AGENT_AVOID_ONLY) !== 0 || agents.state[other] !== STATE_GROUND) continue;
    if (agents.avoidance[other] === AVOID_NONE) continue;
    if (tick < yieldUntil[other]) continue;
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const near = NEAR_SHARE * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz > near * near) continue;
    const isResting = isRestStatus(status[other]);
    // In a corner, agents beside and behind may be in the way, too.
    if (dx * aheadX + dz * aheadZ <= 0 && !(isCornered && isResting)) continue;
    // Agents nearer to the goal of a moving agent, which they share, have come first. Those of one that makes room have to make room, too.
    if (isResting && !isMakingRoom && isSettledAtGoal(crowd, slot, other) && isNearer(crowd, slot, other)) continue;
    // Neither of two that cannot reach their goals has a reason to push the other away.
    if (isPartial && status[other] === STATUS_BLOCKED) continue;
    if (isResting && isReturning) {
      // Places that are too near to each other would make both ask for ever.
      if (settledPushes[other] >= MAX_PUSHES) continue;
      settledPushes[other]++;
    }
    const isAtPassage = agents.passage[other] === PASSAGE_WAITS && agents.passage[slot] !== PASSAGE_WAITS;
    if (isResting || isAtPassage || (agents.queueLinkEnd[slot] >= 0 && isWaitingForLink(crowd, other))) {
      makeRoom(crowd, other, slot);
      continue;
    }
    if (seconds < HEAD_ON_SECONDS || status[other] === STATUS_YIELDING) continue;
    const isLower = priority[other] < priority[slot] || (priority[other] === priority[slot] && other > slot);
    if (!isLower) continue;
    const isFacing = desired[2 * other] * aheadX + desired[2 * other + 1] * aheadZ < 0;
    if (!isFacing && seconds < WEDGED_SECONDS) continue;
    if (!isWedgedBy(crowd, slot, other, isFacing ? HEAD_ON_SECONDS : WEDGED_SECONDS)) continue;
    if (isFacing) makeRoom(crowd, other, slot);
    else stepBack(crowd, other, slot);
    status[other] = STATUS_YIELDING;
  }
}

/**
 * Returns whether two moving agents hold each other: they touch, stand, have had no progress for so many seconds, and each
 * one's path leads into the other, as when both enter a door at the same time.
 */
function isWedgedBy(crowd: Crowd, slot: number, other: number, seconds: number): boolean {
  const { position, desired, radius, progressTick } = crowd.agents;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  const touching = TOUCH_SHARE * (radius[slot] + radius[other]);
  if (dx * dx + dz * dz > touching * touching) return false;
  if ((crowd.tick - progressTick[other]) * crowd.stepSeconds <= seconds) return false;
  if (desired[2 * other] * dx + desired[2 * other + 1] * dz >= 0) return false;
  return stands(crowd, slot) && stands(crowd, other);
}

/** Returns whether an agent did not move in the last tick, even if it tried to: others may have pushed it back. */
function stands({ agents, stepSeconds }: Crowd, slot: number): boolean {
  const { position, previous } = agents;
  const x = position[3 * slot] - previous[3 * slot];
  const z = position[3 * slot + 2] - previous[3 * slot + 2];
  const still = STILL_SHARE * agents.maxSpeed[slot] * stepSeconds;
  return x * x + z * z <= still * still;
}

/** Sends an agent back from where it wants to go, so that `mover` gets past. */
function stepBack(crowd: Crowd, slot: number, mover: number): void {
  const { agents } = crowd;
  const { position, desired, radius, yieldPoint } = agents;
  const x = desired[2 * slot];
  const z = desired[2 * slot + 1];
  const speed = Math.sqrt(x * x + z * z);
  if (speed === 0) return;
  const length = radius[slot] + radius[mover];
  yieldPoint[2 * slot] = position[3 * slot] - (length * x) / speed;
  yieldPoint[2 * slot + 1] = position[3 * slot + 2] - (length * z) / speed;
  agents.yieldUntil[slot] = crowd.tick + Math.round(YIELD_SECONDS / crowd.stepSeconds);
  agents.yieldTo[slot] = mover;
}

/**
 * Sends an agent out of the way of `mover`: to the side on which it stands, to the other side, or forwards,
 * as walls allow.
 */
function makeRoom(crowd: Crowd, slot: number, mover: number): void {
  const { agents } = crowd;
  const { position, desired, radius, yieldPoint } = agents;
  const speed = Math.sqrt(desired[2 * mover] * desired[2 * mover] + desired[2 * mover + 1] * desired[2 * mover + 1]);
  if (speed === 0) return;
  const ax = desired[2 * mover] / speed;
  const az = desired[2 * mover + 1] / speed;
  const dx = position[3 * slot] - position[3 * mover];
  const dz = position[3 * slot + 2] - position[3 * mover + 2];
  // Distance from the mover's path; positive to its left.
  const off = az * dx - ax * dz;
  const side = off > 0 ? 1 : -1;
  const room = ROOM_SHARE * (radius[slot] + radius[mover]);
  agents.yieldUntil[slot] = crowd.tick + Math.round(YIELD_SECONDS / crowd.stepSeconds);
  const wasAway = agents.yieldTo[slot] >= 0;
  agents.yieldTo[slot] = mover;
  if (isRestStatus(agents.status[slot]) && !(wasAway && isRestStatus(agents.status[mover]))) {
    // The way back starts then. Two agents at rest that ask each other do not restart it, so that they come
    // to an end.
    agents.progressTick[slot] = agents.yieldUntil[slot];
    agents.progressLeft[slot] = Infinity;
  }
  for (let attempt = 0; attempt < 3; attempt++) {
    const sign = attempt === 0 ? side : -side;
    const step = room - sign * off;
    const px = position[3 * slot] + (attempt < 2 ? sign * az * step : 2 * room * ax);
    const pz = position[3 * slot + 2] + (attempt < 2 ? -sign * ax * step : 2 * room * az);
    yieldPoint[2 * slot] = px;
    yieldPoint[2 * slot + 1] = pz;
    if (isYieldPointFree(crowd, slot)) return;
  }
}

/** Returns whether no wall lies between an agent and its `yieldPoint`. */
function isYieldPointFree(crowd: Crowd, slot: number): boolean {
  const { position, yieldPoint, walls, wallCount } = crowd.agents;
  const px = yieldPoint[2 * slot];
  const pz = yieldPoint[2 * slot + 1];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const first = 4 * MAX_WALLS * slot;
  for (let w = first; w < first + 4 * wallCount[slot]; w += 4) {
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    // Both segments cross when the ends of each lie on different sides of the other.
    const here = uz * (x - walls[w]) - ux * (z - walls[w + 1]);
    const there = uz * (px - walls[w]) - ux * (pz - walls[w + 1]);
    if (here >= 0 !== there >= 0) {
      const vx = px - x;
      const vz = pz - z;
      const a = vx * (walls[w + 1] - z) - vz * (walls[w] - x);
      const b = vx * (walls[w + 3] - z) - vz * (walls[w + 2] - x);
      if (a >= 0 !== b >= 0) return false;
    }
  }
  return true;
}
