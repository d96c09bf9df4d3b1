/**
 * Keeps agents at rest at their resting position. An agent that was pushed away or has yielded goes back.
 *
 * The resting position is where the agent came to a stop, or its goal. The agent tries to return for a second, lets
 * other agents pass for a second, and tries again. After a while, or when the old position is taken, an agent that had
 * arrived goes to its goal again; other agents rest at their current position.
 *
 * In: positions, neighbors, `rest*`, `progress*`.
 * Out: `desired`; `restPoint`, `restTick`, `yieldTo`, `progress*`; `status` of agents that go on.
 * Cost: a few multiplications per agent at rest. No allocation.
 * Based on: own.
 */
import { goOnIfAway } from './review.ts';
import { COURSE_SPEED, COURSE_STOP, COURSE_X, COURSE_Z, course, takeCourse } from '../state/desired.ts';
import { isRestStatus } from '../state/rest.ts';
import {
  AGENT_USER_OWNED,
  GOAL_POINT,
  MAX_NEIGHBORS,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_IDLE,
  STATUS_SETTLED,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { RETURN_ANYWHERE_SECONDS, RETURN_SECONDS, TRY_SECONDS } from './times.ts';

/** Distance from its resting position at which an agent starts to go back, in radii. */
const RETURN_RADII = 1;
/** Distance at which an agent has reached its resting position, or the point that it yields to, in radii. */
const BACK_RADII = 0.15;
/** Share of its maximum speed at which it goes back. */
const RETURN_SPEED = 0.6;
/** Distance that counts as progress while it goes back, in radii. */
const PROGRESS_RADII = 0.05;
/** Distance between two resting positions that leaves space for both agents, as a share of the sum of radii. */
const APART_SHARE = 0.9;

/**
 * Steers a yielding agent aside, and an agent at rest back to its resting position. An agent that has just come to a stop
 * rests where it stands.
 */
export function keepPlace(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  if (tick < agents.yieldUntil[slot]) {
    steerAside(crowd, slot);
    return;
  }
  const { position, velocity, restPoint, restTick, radius } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  if (restTick[slot] < 0) {
    if (velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0 || isCrowded(crowd, slot)) return;
    restPoint[2 * slot] = x;
    restPoint[2 * slot + 1] = z;
    restTick[slot] = tick;
    agents.yieldTo[slot] = -1;
    return;
  }
  const dx = restPoint[2 * slot] - x;
  const dz = restPoint[2 * slot + 1] - z;
  const distance = Math.sqrt(dx * dx + dz * dz);
  const isReturning = agents.yieldTo[slot] >= 0;
  if (distance <= (isReturning ? BACK_RADII : RETURN_RADII) * radius[slot]) {
    agents.yieldTo[slot] = -1;
    return;
  }
  if (
    agents.status[slot] === STATUS_SETTLED ||
    (agents.status[slot] === STATUS_BLOCKED && agents.settledBy[slot] > 0)
  ) {
    // In a cluster, one position is as good as another.
    restTick[slot] = -1;
    return;
  }
  if (!isReturning || distance < agents.progressLeft[slot] - PROGRESS_RADII * radius[slot]) {
    if (!isReturning) agents.yieldTo[slot] = slot;
    agents.progressTick[slot] = tick;
    agents.progressLeft[slot] = distance;
  }
  const seconds = (tick - agents.progressTick[slot]) * crowd.stepSeconds;
  // An agent without an order, or one that gave up, has no reason to compete for its position.
  const isAnywhere = agents.status[slot] === STATUS_IDLE || agents.status[slot] === STATUS_GAVE_UP;
  const mayLeave = isAnywhere || seconds > TRY_SECONDS;
  const patience = isAnywhere ? RETURN_ANYWHERE_SECONDS : RETURN_SECONDS;
  if (seconds > patience || (mayLeave && isPlaceTaken(crowd, slot, isAnywhere))) {
    if (agents.status[slot] === STATUS_ARRIVED && goOnIfAway(crowd, slot)) return;
    restTick[slot] = -1;
    agents.yieldTo[slot] = -1;
    return;
  }
  const isPause = Math.floor(seconds / TRY_SECONDS) % 2 === 1;
  if (isPause) return;
  course[COURSE_X] = dx;
  course[COURSE_Z] = dz;
  course[COURSE_SPEED] = RETURN_SPEED * agents.maxSpeed[slot];
  course[COURSE_STOP] = distance;
  takeCourse(crowd, slot);
}

/** Steers a yielding agent to the point where it is out of the other agent's way. */
function steerAside(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, yieldPoint } = agents;
  const dx = yieldPoint[2 * slot] - position[3 * slot];
  const dz = yieldPoint[2 * slot + 1] - position[3 * slot + 2];
  const distance = Math.sqrt(dx * dx + dz * dz);
  if (distance < BACK_RADII * agents.radius[slot]) return;
  course[COURSE_X] = dx;
  course[COURSE_Z] = dz;
  course[COURSE_SPEED] = agents.maxSpeed[slot];
  course[COURSE_STOP] = distance;
  takeCourse(crowd, slot);
}

/** Returns whether an agent still overlaps with another one, which separation pushes away from it. */
function isCrowded(crowd: Crowd, slot: number): boolean {
  const { neighbors, neighborCount, neighborDistanceSq, radius } = crowd.agents;
  if (neighborCount[slot] === 0) return false;
  const nearest = MAX_NEIGHBORS * slot;
  const apart = APART_SHARE * (radius[slot] + radius[neighbors[nearest]]);
  return neighborDistanceSq[nearest] < apart * apart;
}

/**
 * Returns whether the resting position of another agent is so near that there is no space for both. An agent that rests
 * far from its own goal does not count, because it will be asked to step aside.
 */
function isPlaceTaken(crowd: Crowd, slot: number, isAnywhere: boolean): boolean {
  const { agents } = crowd;
  const { position, restPoint, neighbors, neighborCount, radius, status, flags } = agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const isFixed = (flags[other] & AGENT_USER_OWNED) !== 0;
    if (!isFixed && !isRestStatus(status[other])) continue;
    const hasPlace = agents.restTick[other] >= 0;
    // An agent without a resting position stays where it is, unless another agent has a reason to compete for it.
    if (!isFixed && !hasPlace && !isAnywhere) continue;
    if (!isFixed && hasPlace && status[other] === STATUS_ARRIVED && agents.goalKind[other] === GOAL_POINT) {
      const gx = restPoint[2 * other] - agents.goal[3 * other];
      const gz = restPoint[2 * other + 1] - agents.goal[3 * other + 2];
      const far = agents.arriveDistance[other] + radius[other];
      if (gx * gx + gz * gz > far * far) continue;
    }
    const isHere = isFixed || !hasPlace;
    const dx = (isHere ? position[3 * other] : restPoint[2 * other]) - restPoint[2 * slot];
    const dz = (isHere ? position[3 * other + 2] : restPoint[2 * other + 1]) - restPoint[2 * slot + 1];
    const apart = APART_SHARE * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz < apart * apart) return true;
  }
  return false;
}
