/**
 * Yielding: an agent that cannot get past asks the agents that block it to step aside.
 *
 * An agent at rest steps aside and returns to its resting position later. When agents at rest leave it no space, it
 * asks them in turn. An agent that returns to its resting position asks each of them only a few times. Of two moving
 * agents that wedge each other, as in a door, the one with lower priority, or else with the higher slot, steps back, or
 * aside when they meet head-on. An agent in the queue of a link may ask waiting agents. Agents without avoidance
 * neither ask nor are asked.
 *
 * In: positions, desired velocities, neighbors, walls, statuses.
 * Out: `yieldUntil`, `yieldTo`, `yieldPoint`; `status` of moving agents that yield; `progress*` of agents at
 * rest.
 * Cost: linear in the neighbors, for agents without progress. No allocation.
 * Based on: own.
 * Tried: asking oncoming agents to step aside. In a dense crowd each of them then holds up other agents (`npm run bench
 * -- --only crowd-flow`). Avoidance and passing sides resolve such meetings better.
 */
import { isNearer, isSettledAtGoal } from '../rest/settle.ts';
import { MAX_PUSHES } from '../rest/settled-by.ts';
import { isRestStatus } from '../state/rest.ts';
import { CHANGE_ASKED_ASIDE, changeStatus, isWaitingForLink } from '../state/status.ts';
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
  STATUS_YIELDING,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { CORNERED_SECONDS, HEAD_ON_SECONDS, WEDGED_SECONDS, YIELD_SECONDS } from './times.ts';

/** Share of its maximum speed up to which an agent counts as standing. */
const STILL_SHARE = 0.01;
/** Distance at which two agents touch, as a share of the sum of radii. */
const TOUCH_SHARE = 1.02;
/** Distance at which two agents block each other, as a share of the sum of radii. */
export const NEAR_SHARE = 1.5;
/** Distance that a yielding agent keeps from the other one's path, as a share of the sum of radii. */
const ROOM_SHARE = 1.1;
/** Longest chain of agents that step aside for each other. A longer chain counts as a cycle. */
const MAX_CHAIN = 32;
/** Share of its desired speed below which a yielding agent counts as blocked. */
const BLOCKED_SHARE = 0.3;

/** Lets an agent at rest that cannot yield or return ask the agents that block it. */
export function passOnRequest(crowd: Crowd, slot: number): void {
  const { desired, velocity } = crowd.agents;
  const wantedSq = desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1];
  if (wantedSq === 0) return;
  if (!isNeeded(crowd, slot)) return;
  const along = velocity[2 * slot] * desired[2 * slot] + velocity[2 * slot + 1] * desired[2 * slot + 1];
  if (along < BLOCKED_SHARE * wantedSq) requestRoom(crowd, slot);
}

/**
 * Returns whether an agent at rest moves for a reason: it returns to its resting position, or it steps aside, directly
 * or through a chain, for an agent that moves or returns. Without this test, a chain of requests could form a cycle,
 * and agents would step aside for each other forever.
 */
function isNeeded({ agents, tick }: Crowd, slot: number): boolean {
  const { status, yieldTo, yieldUntil } = agents;
  let at = slot;
  for (let k = 0; k < MAX_CHAIN; k++) {
    if (!isRestStatus(status[at])) return true;
    if (yieldTo[at] < 0) return false;
    // Agents without orders accept any position.
    if (tick >= yieldUntil[at]) return status[at] !== STATUS_IDLE && status[at] !== STATUS_GAVE_UP;
    at = yieldTo[at];
    if (at === slot) return false;
  }
  return false;
}

/** Asks the agents that block an agent to step aside. */
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
    // In a corner, agents beside and behind may block it, too.
    if (dx * aheadX + dz * aheadZ <= 0 && !(isCornered && isResting)) continue;
    // Agents at rest that share the goal of a moving agent and are nearer to it have come first and stay. They do step
    // aside for an agent that yields itself.
    if (isResting && !isMakingRoom && isSettledAtGoal(crowd, slot, other) && isNearer(crowd, slot, other)) continue;
    // Of two agents that cannot reach their goals, neither has a reason to push the other away.
    if (isPartial && status[other] === STATUS_BLOCKED) continue;
    if (isResting && isReturning) {
      // Two agents whose resting positions are too near to each other would ask each other forever.
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
    changeStatus(crowd, other, CHANGE_ASKED_ASIDE);
  }
}

/**
 * Returns whether two moving agents hold each other, as when both enter a door at the same time. They touch, stand,
 * have had no progress for `seconds`, and the path of each leads into the other.
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

/** Returns whether an agent did not move in the last tick. It may have tried to and been pushed back. */
function stands({ agents, stepSeconds }: Crowd, slot: number): boolean {
  const { position, previous } = agents;
  const x = position[3 * slot] - previous[3 * slot];
  const z = position[3 * slot + 2] - previous[3 * slot + 2];
  const still = STILL_SHARE * agents.maxSpeed[slot] * stepSeconds;
  return x * x + z * z <= still * still;
}

/** Sends an agent back, against its desired direction, so that `mover` gets past. */
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
 * Sends an agent out of the path of `mover`: to the side on which it stands, to the other side, or forwards, as walls
 * allow.
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
    // The return starts at that tick. Two agents at rest that ask each other do not restart it, so that the requests
    // end.
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
