/**
 * Step: finds the velocity of each agent as if it were alone.
 *
 * An agent with a path walks towards its next corner at full speed and brakes before its goal. An agent with a velocity
 * takes that. An agent at rest goes back to its resting position when it was pushed away (keep-place.ts). An agent that
 * was pushed aside looks for a shorter path (search/shorten.ts). Otherwise its path would lead back to where it was,
 * and on a mesh of small polygons no agent would get around a pillar. Corners are found again when the path or the goal
 * has changed, when a corner is near, and when the agent no longer sees its corner (nearby/corner-sight.ts). It checks
 * its sight after each portal and in every fourth turn.
 *
 * In: corridors, goals, statuses.
 * Out: `desired`; `corners`, `corner*`, `pathLeft`, `sight*`, `narrow*`; `status` of agents whose path has arrived.
 * Cost: a few multiplications per agent; a few agents per tick find their corners. No allocation.
 * Based on: own.
 */
import { createCorridorCorners, findCorridorCorners } from '../corridor/corners.ts';
import { CORNER_GOAL, CORNER_NONE, CORNER_TURN } from '../corridor/types.ts';
import { COURSE_SPEED, COURSE_STOP, COURSE_X, COURSE_Z, course, takeCourse } from './state/desired.ts';
import { syncCorridorStart } from './state/position.ts';
import { isRestStatus } from './state/rest.ts';
import { ticksOfTurn } from './state/turn-ticks.ts';
import { CHANGE_PATH_FOUND, changeStatus, isWaitingForLink, restartProgress } from './state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_PASSED_PORTAL,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_VELOCITY,
  MODE_NO_BRAKE,
  MODE_PASSING,
  MODE_STOPS,
  STATE_GROUND,
  STATUS_BLOCKED,
  STATUS_SEARCHING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** An agent checks in one of this many turns whether it still sees its corner. */
const CORNER_TURNS = 4;
/** An agent finds its corners in each turn when it walks to the next corner in this many ticks or fewer. */
const NEAR_CORNER_TICKS = 4;
/** In one of this many turns that find corners, the agent also looks for a shorter path. */
const SHORTCUT_TURNS = 4;
/**
 * Distance from a link at which agents wait for their turn, in radii. It leaves space for agents that leave the link.
 */
const QUEUE_HOLD_RADII = 5;

/** A blocked agent starts when the end of its path is farther than the arrive distance plus this, in radii. */
const AWAY_RADII = 1;

const corners = createCorridorCorners(2);

/** Step: sets `desired` of the agents whose turn it is. */
export function steer(crowd: Crowd): void {
  const { agents, behaviors, thinking, thinkingCount, tick } = crowd;
  const { state, flags, status, goalKind, desired } = agents;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    desired[2 * slot] = 0;
    desired[2 * slot + 1] = 0;
    if (state[slot] !== STATE_GROUND) continue;
    if (tick < agents.yieldUntil[slot]) {
      behaviors.keepPlace?.(crowd, slot);
      continue;
    }
    const kind = goalKind[slot];
    if (kind === GOAL_VELOCITY) {
      steerVelocity(crowd, slot);
      continue;
    }
    if (kind === GOAL_NONE) {
      behaviors.keepPlace?.(crowd, slot);
      continue;
    }
    if ((flags[slot] & AGENT_AWAITS_PATH) === 0) startOnPath(crowd, slot);
    if (status[slot] === STATUS_SEARCHING) continue;
    if (isRestStatus(status[slot])) behaviors.keepPlace?.(crowd, slot);
    else steerAlongPath(crowd, slot);
  }
}

/**
 * Starts an agent whose search was answered. An agent that yields at that time starts later. A blocked agent starts if
 * it now has a path to its goal, or can get nearer to it.
 */
function startOnPath(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const isAnswered = agents.searchTick[slot] === tick;
  if (agents.status[slot] === STATUS_BLOCKED) {
    const isPartial = (agents.flags[slot] & AGENT_PARTIAL) !== 0;
    if (isPartial ? !isAnswered || isAtEnd(crowd, slot) : agents.goalPoly[slot] < 0) return;
    if (isPartial && crowd.behaviors.staysBlocked?.(crowd, slot) === true) return;
  } else if (agents.status[slot] !== STATUS_SEARCHING || agents.searchTick[slot] < agents.orderTick[slot]) return;
  changeStatus(crowd, slot, CHANGE_PATH_FOUND);
  restartProgress(crowd, slot);
  agents.restTick[slot] = -1;
}

/** Returns whether an agent is at the end of its path, or nearly. */
function isAtEnd({ agents, corridors }: Crowd, slot: number): boolean {
  const { target } = corridors[slot];
  const far = agents.arriveDistance[slot] + AWAY_RADII * agents.radius[slot];
  const dx = target[0] - agents.position[3 * slot];
  const dz = target[2] - agents.position[3 * slot + 2];
  return dx * dx + dz * dz <= far * far;
}

/** Steers at the ordered velocity, within the maximum speed. */
function steerVelocity(crowd: Crowd, slot: number): void {
  const { goal, desired, maxSpeed } = crowd.agents;
  const vx = goal[3 * slot];
  const vz = goal[3 * slot + 2];
  const speed = Math.sqrt(vx * vx + vz * vz);
  const scale = speed > maxSpeed[slot] ? maxSpeed[slot] / speed : 1;
  desired[2 * slot] = vx * scale;
  desired[2 * slot + 1] = vz * scale;
}

/** Steers towards the next corner, and finds the corners again when they may have changed. */
function steerAlongPath(crowd: Crowd, slot: number): void {
  const { agents, behaviors, tick } = crowd;
  const { position, flags, cornerKind } = agents;
  const corner = agents.corners;
  const at = 6 * slot;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  let dx = corner[at] - x;
  let dz = corner[at + 2] - z;
  let distance = Math.sqrt(dx * dx + dz * dz);
  const cornerTicks = CORNER_TURNS * ticksOfTurn(crowd.stepSeconds);
  const near = NEAR_CORNER_TICKS * agents.maxSpeed[slot] * crowd.stepSeconds;
  const isNew = (flags[slot] & AGENT_STALE_CORNERS) !== 0 || distance < near;
  const hasPassed = (flags[slot] & AGENT_PASSED_PORTAL) !== 0;
  if (isNew || hasPassed || (tick + slot) % cornerTicks === 0) {
    if (isNew || behaviors.seesCorner?.(crowd, slot) !== true) updateCorners(crowd, slot);
    else if (hasPassed) behaviors.noteNarrow?.(crowd, slot);
    flags[slot] &= ~AGENT_PASSED_PORTAL;
    if (cornerKind[slot] === CORNER_TURN && (tick + slot) % (cornerTicks * SHORTCUT_TURNS) === 0) {
      syncCorridorStart(crowd, slot);
      if (behaviors.shortenPath?.(crowd, slot, cornerTicks * SHORTCUT_TURNS) === true) updateCorners(crowd, slot);
    }
    dx = corner[at] - x;
    dz = corner[at + 2] - z;
    distance = Math.sqrt(dx * dx + dz * dz);
  }
  if (agents.wayCount[slot] > 0 && behaviors.steerAlongWay?.(crowd, slot) === true) return;
  if (cornerKind[slot] === CORNER_NONE || distance === 0) return;
  course[COURSE_X] = dx;
  course[COURSE_Z] = dz;
  course[COURSE_SPEED] = agents.group[slot] === 0 ? agents.maxSpeed[slot] : behaviors.paceOf!(crowd, slot);
  // An agent that covers more than its radius in a turn would run far past a corner, and again past it on its way back.
  const modes = agents.modes[slot];
  const isFast = near * cornerTicks > NEAR_CORNER_TICKS * CORNER_TURNS * agents.radius[slot];
  course[COURSE_STOP] = isFast && (modes & MODE_NO_BRAKE) === 0 ? distance : Infinity;
  if (isWaitingForLink(crowd, slot)) {
    const left = distance - QUEUE_HOLD_RADII * agents.radius[slot];
    if (left <= 0) return;
    course[COURSE_STOP] = left;
  } else if (cornerKind[slot] === CORNER_GOAL && agents.goalKind[slot] !== GOAL_AGENT) {
    let left = distance;
    // The agent stops soon after it has arrived, at most half its radius nearer to the goal.
    if ((modes & MODE_STOPS) !== 0) left -= Math.max(0, agents.arriveDistance[slot] - agents.radius[slot] / 2);
    if ((modes & (MODE_NO_BRAKE | MODE_PASSING)) === 0) course[COURSE_STOP] = Math.max(0, left);
  }
  takeCourse(crowd, slot);
}

/** Finds the next two corners of an agent, and the narrow portals ahead. */
function updateCorners(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  agents.flags[slot] &= ~AGENT_STALE_CORNERS;
  syncCorridorStart(crowd, slot);
  findCorridorCorners(corners, crowd.corridors[slot], mesh, 2);
  const { count, points, kinds, linkEnds } = corners;
  crowd.behaviors.noteNarrow?.(crowd, slot);
  const at = 6 * slot;
  if (count === 0) {
    // The agent stands on its goal.
    agents.sightPortals[slot] = 0;
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
  crowd.behaviors.noteSight?.(crowd, slot, count > 1 ? kinds[1] : -1);
}
