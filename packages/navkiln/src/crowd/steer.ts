/**
 * Step: where each agent would go if it were alone.
 *
 * In: corridors, goals, statuses. Out: `desired`, a velocity in the plane, and the corners it is made of. Towards the next
 * corner at full speed; braking before the goal so that it can be stopped at; towards its place for one at rest that was moved
 * out of it; as told for one that has a velocity. Who was pushed aside and sees the corner after the next goes straight for it;
 * without that nobody gets around a pillar on a mesh of small polygons, as its path leads back to where it was. Corners are
 * found afresh when the polygon, the path or the goal has changed, when one is near, and in every fourth turn.
 *
 * Cost: a few multiplications; the corners of one agent in eight. No allocation.
 * Based on: own.
 */
import { createRayHit } from '../query/ray/hit.ts';
import { createCorridorCorners, findCorridorCorners } from '../corridor/corners.ts';
import { optimizeCorridorVisibility } from '../corridor/optimize.ts';
import { noteNarrow } from './narrow.ts';
import { syncCorridorStart } from './state/position.ts';
import { isRestStatus } from './state/rest.ts';
import { ticksOfTurn } from './state/turn-ticks.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_STALE_CORNERS,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  GOAL_VELOCITY,
  MAX_NEIGHBORS,
  STATE_GROUND,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_SEARCHING,
  STATUS_SETTLED,
} from './state/types.ts';
import { CORNER_GOAL, CORNER_NONE, CORNER_TURN } from '../corridor/types.ts';
import type { Crowd } from './state/types.ts';

/** Of its turns an agent finds its corners in one of so many. */
const CORNER_TURNS = 4;
/** One at rest goes back to its place when it was moved out of it by so many radii, until it is within so many. */
const RETURN_RADII = 1;
const BACK_RADII = 0.15;
/** Share of its speed at which it goes back. */
const RETURN_SPEED = 0.6;

/** Seconds for which it tries to without coming nearer, and of each try. */
const RETURN_SECONDS = 20;
const TRY_SECONDS = 1;

/** Radii from a link at which those wait whose turn it is not. */
const QUEUE_HOLD_RADII = 5;

/** One turn in so many at finding corners it looks whether it can go straight on, so many radii ahead. */
const LOOK_TURNS = 4;
const LOOK_RADII = 40;

const corners = createCorridorCorners(2);
const ray = createRayHit();
const sight = new Float64Array(3);

/** Step: what agents' paths ask for. */
export function steer(crowd: Crowd): void {
  const { agents, thinking, thinkingCount, tick } = crowd;
  const { state, flags, status, goalKind, desired } = agents;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    desired[2 * slot] = 0;
    desired[2 * slot + 1] = 0;
    if (state[slot] !== STATE_GROUND) continue;
    if (tick < agents.yieldUntil[slot]) {
      makeWay(crowd, slot);
      continue;
    }
    const kind = goalKind[slot];
    if (kind === GOAL_VELOCITY) {
      steerVelocity(crowd, slot);
      continue;
    }
    if (kind === GOAL_NONE) {
      rest(crowd, slot);
      continue;
    }
    if ((flags[slot] & AGENT_AWAITS_PATH) === 0 && agents.searchTick[slot] === tick) {
      // The answer of this tick: on, whatever held it.
      if (status[slot] === STATUS_SEARCHING || status[slot] === STATUS_BLOCKED) {
        status[slot] = STATUS_MOVING;
        agents.progressTick[slot] = tick;
        agents.progressLeft[slot] = Infinity;
        agents.restTick[slot] = -1;
      }
    }
    if (status[slot] === STATUS_SEARCHING) continue;
    if (isRestStatus(status[slot])) rest(crowd, slot);
    else alongPath(crowd, slot);
  }
}

function steerVelocity(crowd: Crowd, slot: number): void {
  const { goal, desired, maxSpeed } = crowd.agents;
  const vx = goal[3 * slot];
  const vz = goal[3 * slot + 2];
  const speed = Math.sqrt(vx * vx + vz * vz);
  const scale = speed > maxSpeed[slot] ? maxSpeed[slot] / speed : 1;
  desired[2 * slot] = vx * scale;
  desired[2 * slot + 1] = vz * scale;
}

/** To where it is out of another's way. */
function makeWay(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, yieldPoint, desired } = agents;
  const dx = yieldPoint[2 * slot] - position[3 * slot];
  const dz = yieldPoint[2 * slot + 1] - position[3 * slot + 2];
  const distance = Math.sqrt(dx * dx + dz * dz);
  if (distance < BACK_RADII * agents.radius[slot]) return;
  const speed = Math.min(agents.maxSpeed[slot], brakingSpeed(agents.maxAcceleration[slot], distance));
  desired[2 * slot] = (dx / distance) * speed;
  desired[2 * slot + 1] = (dz / distance) * speed;
}

/** One that rests takes its place when it has come to a stop, and goes back to it when it was moved away. */
function rest(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const { position, velocity, restPoint, restTick, radius, desired } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  if (restTick[slot] < 0) {
    if (velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0) return;
    restPoint[2 * slot] = x;
    restPoint[2 * slot + 1] = z;
    restTick[slot] = tick;
    agents.yieldTo[slot] = -1;
    return;
  }
  const dx = restPoint[2 * slot] - x;
  const dz = restPoint[2 * slot + 1] - z;
  const distance = Math.sqrt(dx * dx + dz * dz);
  const isOnItsWay = agents.yieldTo[slot] >= 0;
  if (distance <= (isOnItsWay ? BACK_RADII : RETURN_RADII) * radius[slot]) {
    agents.yieldTo[slot] = -1;
    return;
  }
  if (agents.status[slot] === STATUS_SETTLED) {
    // One place in a pile is as good as another.
    restTick[slot] = -1;
    return;
  }
  if (!isOnItsWay || distance < agents.progressLeft[slot] - 0.05 * radius[slot]) {
    if (!isOnItsWay) agents.yieldTo[slot] = slot;
    agents.progressTick[slot] = tick;
    agents.progressLeft[slot] = distance;
  }
  const seconds = (tick - agents.progressTick[slot]) * crowd.stepSeconds;
  if (seconds > RETURN_SECONDS || (seconds > TRY_SECONDS && isPlaceTaken(crowd, slot))) {
    // It stays where it is.
    restTick[slot] = -1;
    agents.yieldTo[slot] = -1;
    return;
  }
  // It tries, lets others pass, tries again.
  if (Math.floor(seconds / TRY_SECONDS) % 2 === 1) return;
  const speed = Math.min(RETURN_SPEED * agents.maxSpeed[slot], brakingSpeed(agents.maxAcceleration[slot], distance));
  desired[2 * slot] = (dx / distance) * speed;
  desired[2 * slot + 1] = (dz / distance) * speed;
}

/**
 * Is the place of one that rests so near to the place of an agent that there is no room for both? The place of one that rests far
 * from its own goal is no such place: it is asked to make room.
 */
function isPlaceTaken(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, restPoint, neighbors, neighborCount, radius, status, flags } = agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const isFixed = (flags[other] & AGENT_USER_OWNED) !== 0;
    if (!isFixed && (!isRestStatus(status[other]) || agents.restTick[other] < 0)) continue;
    if (!isFixed && status[other] === STATUS_ARRIVED && agents.goalKind[other] === GOAL_POINT) {
      const gx = restPoint[2 * other] - agents.goal[3 * other];
      const gz = restPoint[2 * other + 1] - agents.goal[3 * other + 2];
      const far = agents.arriveDistance[other] + radius[other];
      if (gx * gx + gz * gz > far * far) continue;
    }
    const dx = (isFixed ? position[3 * other] : restPoint[2 * other]) - restPoint[2 * slot];
    const dz = (isFixed ? position[3 * other + 2] : restPoint[2 * other + 1]) - restPoint[2 * slot + 1];
    const apart = 0.9 * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz < apart * apart) return true;
  }
  return false;
}

function alongPath(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const { position, flags, desired, cornerKind } = agents;
  const corner = agents.corners;
  const at = 6 * slot;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  let dx = corner[at] - x;
  let dz = corner[at + 2] - z;
  let distance = Math.sqrt(dx * dx + dz * dz);
  const cornerTicks = CORNER_TURNS * ticksOfTurn(crowd.stepSeconds);
  const near = 4 * agents.maxSpeed[slot] * crowd.stepSeconds;
  if ((flags[slot] & AGENT_STALE_CORNERS) !== 0 || (tick + slot) % cornerTicks === 0 || distance < near) {
    updateCorners(crowd, slot);
    if (
      cornerKind[slot] === CORNER_TURN &&
      (tick + slot) % (cornerTicks * LOOK_TURNS) === 0 &&
      looksStraight(crowd, slot)
    ) {
      updateCorners(crowd, slot);
    }
    dx = corner[at] - x;
    dz = corner[at + 2] - z;
    distance = Math.sqrt(dx * dx + dz * dz);
  }
  if (cornerKind[slot] === CORNER_NONE || distance === 0) return;
  if (agents.queueLinkEnd[slot] >= 0 && agents.status[slot] === STATUS_QUEUEING) {
    // Not its turn: it waits where there is room for those who come out.
    const off = distance - QUEUE_HOLD_RADII * agents.radius[slot];
    if (off <= 0) return;
    const speed = Math.min(agents.maxSpeed[slot], brakingSpeed(agents.maxAcceleration[slot], off));
    desired[2 * slot] = (dx / distance) * speed;
    desired[2 * slot + 1] = (dz / distance) * speed;
    return;
  }
  let speed = agents.maxSpeed[slot];
  if (cornerKind[slot] === CORNER_GOAL && agents.goalKind[slot] !== GOAL_AGENT) {
    speed = Math.min(speed, brakingSpeed(agents.maxAcceleration[slot], distance));
  }
  desired[2 * slot] = (dx / distance) * speed;
  desired[2 * slot + 1] = (dz / distance) * speed;
}

/** Who was pushed aside and now sees the corner after the next goes straight for it. True: its path has changed. */
function looksStraight(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const at = 6 * slot + 3;
  for (let k = 0; k < 3; k++) sight[k] = agents.corners[at + k];
  const filter = crowd.filters[agents.filter[slot]];
  return optimizeCorridorVisibility(crowd.corridors[slot], mesh, ray, sight, LOOK_RADII * agents.radius[slot], filter);
}

/** The speed from which one can still stop within a distance, braking half as hard as one can. */
function brakingSpeed(acceleration: number, distance: number): number {
  return Math.sqrt(acceleration * distance);
}

/** Finds an agent's next two corners afresh. @internal */
export function updateCorners(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  agents.flags[slot] &= ~AGENT_STALE_CORNERS;
  syncCorridorStart(crowd, slot);
  findCorridorCorners(corners, crowd.corridors[slot], mesh, 2);
  const { count, points, kinds, linkEnds } = corners;
  noteNarrow(crowd, slot);
  const at = 6 * slot;
  if (count === 0) {
    // On the spot: the goal is here.
    const { target } = crowd.corridors[slot];
    for (let k = 0; k < 3; k++) agents.corners[at + k] = agents.corners[at + 3 + k] = target[k];
    agents.cornerKind[slot] = CORNER_GOAL;
    agents.pathLeft[slot] = 0;
    return;
  }
  const second = count > 1 ? 3 : 0;
  for (let k = 0; k < 3; k++) {
    agents.corners[at + k] = points[k];
    agents.corners[at + 3 + k] = points[second + k];
  }
  agents.cornerKind[slot] = kinds[0];
  agents.cornerLinkEnd[slot] = linkEnds[0];
  let left = corners.left;
  if (count > 1) {
    const dx = points[3] - points[0];
    const dy = points[4] - points[1];
    const dz = points[5] - points[2];
    left += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  agents.pathLeft[slot] = left;
}
