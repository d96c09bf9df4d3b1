/**
 * Step: arriving, settling, giving way, giving up. What makes a crowd stop, and not stop too soon.
 *
 *   arrived   within `arriveDistance` of the goal (of an agent that is followed: within the distance asked for)
 *   settled   no nearer for a while, and it touches one that has come to rest, stands in its way and is there for the same goal,
 *             or on it: so a pile grows from the goal outwards, and nobody pushes on
 *   blocked   at the end of a way that does not lead to the goal
 *   yielding  one at rest steps aside for one that it keeps from moving, and goes back to its place; when others at rest leave it
 *             no room, it asks them in turn; of two on their way that keep each other from moving, the one of lower priority (or
 *             higher slot) does
 *   gave-up   no nearer for half a minute (in a jam for two minutes), after all of this and some searches, and standing; how near
 *             it was is forgotten slowly, so that who is carried away by others has time to come back
 *
 * Kept, of 400 on crossroads (3 seeds): asking in turn, places held until the goal's owner is back, and slow forgetting, 0 to 1
 * rest far from their goal or gave up (40 to 90 before). A pile is as wide as those at rest explain (`PILE_DENSITY`): settling at
 * first touch made tongues of 12 m of 100 who chased one, and left 4 to 50 too far off.
 *
 * Cost: a few comparisons an agent; those that get no nearer look at their neighbours. No allocation.
 * Based on: own; that who touches one at rest with the same goal has arrived, too, is the rule of Lukas Chodosevicius, Agents
 * Navigation, 2023, and of crowds in StarCraft II as told by others.
 */
import { noteEvent } from './state/events.ts';
import { isAimStale } from './search/aim.ts';
import { agentSlotOf } from './state/ids.ts';
import { isRestStatus } from './state/rest.ts';
import { cancelRequest, requestPath } from './search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_REPORTED_BLOCKED,
  EVENT_ARRIVED,
  EVENT_BLOCKED,
  EVENT_GAVE_UP,
  EVENT_SETTLED,
  GOAL_AGENT,
  GOAL_POINT,
  MAX_NEIGHBORS,
  MAX_WALLS,
  STATE_GROUND,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_SETTLED,
  STATUS_YIELDING,
} from './state/types.ts';
import { CORNER_GOAL, CORNER_NONE } from '../corridor/types.ts';
import type { AgentId, Crowd } from './state/types.ts';

/** Seconds without progress until an agent settles, asks others to make room, searches again, gives up. */
const SETTLE_SECONDS = 0.4;
const ASK_SECONDS = 0.6;
/** … until it asks all who rest near it, not only those ahead. */
const CORNERED_SECONDS = 3;
/** The same for one whose turn it is at a link. */
const TURN_SECONDS = 0.15;
const SEARCH_AGAIN_SECONDS = 3;
const GIVE_UP_SECONDS = 30;
/** The same for one beside others who are on their way: jams come apart. */
const JAM_GIVE_UP_SECONDS = 120;
/** Seconds without progress until who has somebody ahead stands in line, and for which that may go on after an order. */
const LINE_SECONDS = 0.5;
const MAX_LINE_SECONDS = 600;
/** Radii nearer that count as progress. */
const PROGRESS_RADII = 0.2;
/** Share of its speed by which what was nearest comes back to where it is now. */
const FORGET_SHARE = 0.12;
/** Seconds without progress until one settles that is farther from its goal than those at rest there explain. */
const LOOSE_SECONDS = 3;
/** Share of a circle around a goal that those who rest there fill, at least. */
const PILE_DENSITY = 0.5;
const MAX_PILES = 8;
/** Touching: within so much of the sum of radii. */
const TOUCH = 1.2;
/** Seconds between the times at which one that is to make room, and has none, asks others. */
const PASS_ON_SECONDS = 0.2;
/** Seconds one that yields takes to do so. */
const YIELD_SECONDS = 1.5;

/** Step: who has arrived, who settles, who makes room, who gives up. */
export function updateTraffic(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { state, flags, goalKind, status } = agents;
  pileCount = 0;
  const passOn = Math.max(1, Math.round(PASS_ON_SECONDS / crowd.stepSeconds));
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if (goalKind[slot] !== GOAL_POINT && goalKind[slot] !== GOAL_AGENT && !isRestStatus(status[slot])) continue;
    if (status[slot] === STATUS_YIELDING && crowd.tick >= agents.yieldUntil[slot]) status[slot] = STATUS_MOVING;
    if (isRestStatus(status[slot])) {
      if (agents.yieldTo[slot] >= 0 && (crowd.tick + slot) % passOn === 0) passOnAsk(crowd, slot);
      continue;
    }
    if (agents.cornerKind[slot] === CORNER_NONE || isAimStale(crowd, slot)) continue;
    if (!arrive(crowd, slot)) advance(crowd, slot);
  }
}

/** Is the agent where it was told to be? */
function arrive(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, flags } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  if (agents.goalKind[slot] === GOAL_AGENT) {
    const other = agentSlotOf(crowd, agents.goalAgent[slot] as AgentId);
    if (other < 0) return false;
    const dx = position[3 * other] - x;
    const dy = position[3 * other + 1] - position[3 * slot + 1];
    const dz = position[3 * other + 2] - z;
    const reach = agents.followDistance[slot];
    const isOnFloor = dy < agents.height[slot] && -dy < agents.height[other];
    if (isOnFloor && dx * dx + dz * dz <= reach * reach && agents.cornerKind[slot] === CORNER_GOAL) {
      comeToRest(crowd, slot, STATUS_ARRIVED, EVENT_ARRIVED);
      return true;
    }
  }
  if (agents.cornerKind[slot] !== CORNER_GOAL) return false;
  const { target } = crowd.corridors[slot];
  const dx = target[0] - x;
  const dz = target[2] - z;
  const reach = Math.max(agents.arriveDistance[slot], 1e-3 * agents.radius[slot]);
  if (dx * dx + dz * dz > reach * reach) return false;
  if ((flags[slot] & AGENT_AWAITS_PATH) !== 0) return false;
  if ((flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
  else if (agents.goalKind[slot] === GOAL_POINT) comeToRest(crowd, slot, STATUS_ARRIVED, EVENT_ARRIVED);
  else return false;
  return true;
}

function comeToRest(crowd: Crowd, slot: number, status: number, event: number): void {
  const { agents } = crowd;
  agents.status[slot] = status;
  agents.restTick[slot] = -1;
  agents.yieldTo[slot] = -1;
  agents.yieldUntil[slot] = crowd.tick;
  if (status === STATUS_ARRIVED && agents.goalKind[slot] === GOAL_POINT) {
    // Its place from now on, wherever it is pushed before it stands.
    agents.restPoint[2 * slot] = agents.position[3 * slot];
    agents.restPoint[2 * slot + 1] = agents.position[3 * slot + 2];
    agents.restTick[slot] = crowd.tick;
  }
  cancelRequest(crowd, slot);
  noteEvent(crowd, event, slot);
}

/** The way ends here, and not at the goal. Said once an order. */
function block(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  agents.status[slot] = STATUS_BLOCKED;
  agents.restTick[slot] = -1;
  agents.retryTick[slot] = crowd.tick + Math.round(2 / crowd.stepSeconds);
  if ((agents.flags[slot] & AGENT_REPORTED_BLOCKED) !== 0) return;
  agents.flags[slot] |= AGENT_REPORTED_BLOCKED;
  noteEvent(crowd, EVENT_BLOCKED, slot);
}

/** Notes whether the agent has come nearer, and does something about it when it has not for a while. */
function advance(crowd: Crowd, slot: number): void {
  const { agents, tick, stepSeconds } = crowd;
  const { corners, position, progressLeft, progressTick } = agents;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  const left = Math.sqrt(dx * dx + dz * dz) + agents.pathLeft[slot];
  if (left < progressLeft[slot] - PROGRESS_RADII * agents.radius[slot] || isWaitingForLink(crowd, slot)) {
    progressLeft[slot] = left;
    progressTick[slot] = tick;
    return;
  }
  // Who is carried away by others begins anew, slowly.
  if (left > progressLeft[slot]) {
    progressLeft[slot] = Math.min(left, progressLeft[slot] + FORGET_SHARE * agents.maxSpeed[slot] * stepSeconds);
  }
  const seconds = (tick - progressTick[slot]) * stepSeconds;
  if (
    agents.queueLinkEnd[slot] < 0 &&
    (agents.status[slot] === STATUS_MOVING || agents.status[slot] === STATUS_QUEUEING)
  ) {
    const isInLine = seconds > LINE_SECONDS && standsInLine(crowd, slot);
    agents.status[slot] = isInLine ? STATUS_QUEUEING : STATUS_MOVING;
    // Those at the front have to get on; who waits behind them waits.
    if (isInLine && tick - agents.orderTick[slot] < MAX_LINE_SECONDS / stepSeconds) {
      progressTick[slot] = tick - Math.round(LINE_SECONDS / stepSeconds) - 1;
      settle(crowd, slot, LINE_SECONDS);
      return;
    }
  }
  if (seconds >= SETTLE_SECONDS && settle(crowd, slot, seconds)) return;
  const patience = agents.queueLinkEnd[slot] >= 0 ? TURN_SECONDS : ASK_SECONDS;
  if (seconds >= patience && agents.status[slot] !== STATUS_YIELDING) ask(crowd, slot, seconds >= 2 * ASK_SECONDS);
  if (seconds >= SEARCH_AGAIN_SECONDS && (agents.flags[slot] & AGENT_AWAITS_PATH) === 0) {
    if (tick - agents.searchTick[slot] >= SEARCH_AGAIN_SECONDS / stepSeconds) requestPath(crowd, slot);
  }
  if (seconds < GIVE_UP_SECONDS || isWalking(crowd, slot)) return;
  if (seconds >= JAM_GIVE_UP_SECONDS || !isInJam(crowd, slot)) comeToRest(crowd, slot, STATUS_GAVE_UP, EVENT_GAVE_UP);
}

/** Does it get on where it wants to, at this moment? */
function isWalking(crowd: Crowd, slot: number): boolean {
  const { desired, velocity } = crowd.agents;
  const x = desired[2 * slot];
  const z = desired[2 * slot + 1];
  return velocity[2 * slot] * x + velocity[2 * slot + 1] * z > 0.5 * (x * x + z * z);
}

/** Is one beside it on its way, too? */
function isInJam(crowd: Crowd, slot: number): boolean {
  const { neighbors, neighborCount, neighborDistanceSq, radius, status } = crowd.agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const near = 2 * (radius[slot] + radius[neighbors[n]]);
    if (!isRestStatus(status[neighbors[n]]) && neighborDistanceSq[n] <= near * near) return true;
  }
  return false;
}

/** Does it wait at a link for its turn? Then standing is what it should do. */
function isWaitingForLink(crowd: Crowd, slot: number): boolean {
  return crowd.agents.queueLinkEnd[slot] >= 0 && crowd.agents.status[slot] === STATUS_QUEUEING;
}

/** Is there one right ahead that goes the same way? */
function standsInLine(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, corners, desired, neighbors, neighborCount, status, radius } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const aheadX = corners[6 * slot] - x;
  const aheadZ = corners[6 * slot + 2] - z;
  const ahead = Math.sqrt(aheadX * aheadX + aheadZ * aheadZ);
  const speed = agents.maxSpeed[slot];
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other]) || status[other] === STATUS_YIELDING) continue;
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const distanceSq = dx * dx + dz * dz;
    const touch = 1.5 * (radius[slot] + radius[other]);
    if (distanceSq > touch * touch) continue;
    const along = dx * aheadX + dz * aheadZ;
    if (along <= 0 || along * along < 0.5 * distanceSq * ahead * ahead) continue;
    const same = desired[2 * other] * aheadX + desired[2 * other + 1] * aheadZ;
    if (same > 0.3 * speed * ahead) return true;
  }
  return false;
}

/** Settles when what is in the way has come to rest for the same goal, or on it. */
function settle(crowd: Crowd, slot: number, seconds: number): boolean {
  const { agents } = crowd;
  const { position, corners, neighbors, neighborCount, status, radius } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const { target } = crowd.corridors[slot];
  const aheadX = corners[6 * slot] - x;
  const aheadZ = corners[6 * slot + 2] - z;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (!isRestStatus(status[other]) || status[other] === STATUS_GAVE_UP) continue;
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const touch = TOUCH * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz > touch * touch || dx * aheadX + dz * aheadZ <= 0) continue;
    // So near to the goal that there is no arriving beside it.
    const taken = radius[slot] + radius[other] - Math.min(agents.arriveDistance[slot], 0.5 * radius[slot]);
    const ox = position[3 * other] - target[0];
    const oz = position[3 * other + 2] - target[2];
    // One that is on its way out of another's stands there for a moment only.
    const isThere =
      ox * ox + oz * oz <= taken * taken && agents.cornerKind[slot] === CORNER_GOAL && agents.yieldTo[other] < 0;
    if (!isThere && !isSettledThere(crowd, slot, other)) continue;
    if (!isThere && seconds < LOOSE_SECONDS && !isPacked(crowd, slot)) continue;
    if ((agents.flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
    else comeToRest(crowd, slot, STATUS_SETTLED, EVENT_SETTLED);
    return true;
  }
  return false;
}

/** Slots whose goals' piles have been measured in this tick, and the sums of squared radii at rest there. */
const piles = new Int32Array(MAX_PILES);
const pileSizes = new Float64Array(MAX_PILES);
let pileCount = 0;

/**
 * Is an agent as near to its goal as those at rest there explain, packed as loosely as a crowd that comes from all sides? Farther
 * out it should go around them. Of more than eight goals a tick the others' have to wait for the next one.
 */
function isPacked(crowd: Crowd, slot: number): boolean {
  const { agents, active, activeCount } = crowd;
  const { radius, position } = agents;
  let pile = 0;
  while (pile < pileCount && piles[pile] !== slot && !hasSameGoal(crowd, slot, piles[pile])) pile++;
  if (pile === pileCount) {
    if (pile === MAX_PILES) return false;
    pileCount++;
    piles[pile] = slot;
    pileSizes[pile] = 0;
    for (let i = 0; i < activeCount; i++) {
      const other = active[i];
      if (isSettledThere(crowd, slot, other)) pileSizes[pile] += radius[other] * radius[other];
    }
  }
  const { target } = crowd.corridors[slot];
  const dx = target[0] - position[3 * slot];
  const dz = target[2] - position[3 * slot + 2];
  const around = agents.goalKind[slot] === GOAL_AGENT ? agents.followDistance[slot] : agents.arriveDistance[slot];
  const reach = around + radius[slot] + Math.sqrt(pileSizes[pile] / PILE_DENSITY);
  return dx * dx + dz * dz <= reach * reach;
}

/** Has another arrived or settled at the goal of an agent, as its own? */
function isSettledThere(crowd: Crowd, slot: number, other: number): boolean {
  const { status } = crowd.agents;
  return status[other] >= STATUS_ARRIVED && status[other] !== STATUS_GAVE_UP && hasSameGoal(crowd, slot, other);
}

function hasSameGoal(crowd: Crowd, slot: number, other: number): boolean {
  const { goal, goalKind, goalAgent, height, radius } = crowd.agents;
  if (goalKind[slot] === GOAL_AGENT) return goalKind[other] === GOAL_AGENT && goalAgent[other] === goalAgent[slot];
  if (goalKind[slot] !== GOAL_POINT || goalKind[other] !== GOAL_POINT) return false;
  const reach = radius[slot] + radius[other];
  const dx = goal[3 * other] - goal[3 * slot];
  const dy = goal[3 * other + 1] - goal[3 * slot + 1];
  const dz = goal[3 * other + 2] - goal[3 * slot + 2];
  return dx * dx + dz * dz <= reach * reach && dy < height[slot] && -dy < height[slot];
}

/** One at rest that goes out of another's way, or back, and cannot: those in its way make room in turn. */
function passOnAsk(crowd: Crowd, slot: number): void {
  const { desired, velocity } = crowd.agents;
  const wanted = desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1];
  if (wanted === 0) return;
  const along = velocity[2 * slot] * desired[2 * slot] + velocity[2 * slot + 1] * desired[2 * slot + 1];
  if (along < 0.3 * wanted) ask(crowd, slot, false);
}

/** Has whoever stands in the way make room. */
function ask(crowd: Crowd, slot: number, isUrgent: boolean): void {
  const { agents, tick } = crowd;
  const { position, desired, neighbors, neighborCount, status, radius, priority, yieldUntil } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const aheadX = desired[2 * slot];
  const aheadZ = desired[2 * slot + 1];
  const isCornered =
    !isRestStatus(status[slot]) && tick - agents.progressTick[slot] > CORNERED_SECONDS / crowd.stepSeconds;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if ((agents.flags[other] & AGENT_AVOID_ONLY) !== 0 || agents.state[other] !== STATE_GROUND) continue;
    if (tick < yieldUntil[other]) continue;
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const touch = 1.5 * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz > touch * touch) continue;
    // In a corner who stands beside or behind may be in the way, too.
    if (dx * aheadX + dz * aheadZ <= 0 && !(isCornered && isRestStatus(status[other]))) continue;
    // One whose turn it is at a link passes those who wait.
    if (isRestStatus(status[other]) && isSettledThere(crowd, slot, other)) continue;
    if (isRestStatus(status[other]) || (agents.queueLinkEnd[slot] >= 0 && isWaitingForLink(crowd, other))) {
      makeRoom(crowd, other, slot);
      continue;
    }
    const facing = desired[2 * other] * aheadX + desired[2 * other + 1] * aheadZ;
    if (facing >= 0 || !isUrgent || status[other] === STATUS_YIELDING) continue;
    const loses = priority[other] < priority[slot] || (priority[other] === priority[slot] && other > slot);
    if (!loses) continue;
    makeRoom(crowd, other, slot);
    status[other] = STATUS_YIELDING;
  }
}

/** Sends one out of the way of another: to the side on which it is already, to the other one, or along, as walls allow. */
function makeRoom(crowd: Crowd, slot: number, mover: number): void {
  const { agents } = crowd;
  const { position, desired, radius, yieldPoint } = agents;
  const speed = Math.sqrt(desired[2 * mover] * desired[2 * mover] + desired[2 * mover + 1] * desired[2 * mover + 1]);
  if (speed === 0) return;
  const ax = desired[2 * mover] / speed;
  const az = desired[2 * mover + 1] / speed;
  const dx = position[3 * slot] - position[3 * mover];
  const dz = position[3 * slot + 2] - position[3 * mover + 2];
  // To the left of where the mover goes: > 0.
  const off = az * dx - ax * dz;
  const side = off > 0 ? 1 : -1;
  const room = 1.1 * (radius[slot] + radius[mover]);
  agents.yieldUntil[slot] = crowd.tick + Math.round(YIELD_SECONDS / crowd.stepSeconds);
  const wasAway = agents.yieldTo[slot] >= 0;
  agents.yieldTo[slot] = mover;
  if (isRestStatus(agents.status[slot]) && !(wasAway && isRestStatus(agents.status[mover]))) {
    // From then on it goes back. Two at rest that ask each other come to an end.
    agents.progressTick[slot] = agents.yieldUntil[slot];
    agents.progressLeft[slot] = Infinity;
  }
  for (let attempt = 0; attempt < 3; attempt++) {
    const way = attempt === 0 ? side : -side;
    const step = room - way * off;
    const px = position[3 * slot] + (attempt < 2 ? way * az * step : 2 * room * ax);
    const pz = position[3 * slot + 2] + (attempt < 2 ? -way * ax * step : 2 * room * az);
    yieldPoint[2 * slot] = px;
    yieldPoint[2 * slot + 1] = pz;
    if (isFree(crowd, slot)) return;
  }
}

/** Is there no wall between an agent and where it is to make way to? */
function isFree(crowd: Crowd, slot: number): boolean {
  const { position, yieldPoint, walls, wallCount } = crowd.agents;
  const px = yieldPoint[2 * slot];
  const pz = yieldPoint[2 * slot + 1];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const first = 4 * MAX_WALLS * slot;
  for (let w = first; w < first + 4 * wallCount[slot]; w += 4) {
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    // The ground is to the left of a wall: seen from above with z down the page.
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
