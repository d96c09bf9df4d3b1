/**
 * Step: chooses the velocity of each agent, given its neighbors and the walls.
 *
 * Two moving agents share the avoidance by their weights, which are their priorities with corrections. An agent at rest
 * does not give way, so that it can stand still. An agent that is only avoided, or has no avoidance, never gives way.
 * Of two agents with the same direction, the one ahead goes first. No agent moves backwards into agents behind it.
 * Exceptions are agents that know of counterflow, and agents at a narrow portal, where two that arrive at the same time
 * would wedge each other. Away from walls, an agent that other agents hold up looks for a way around them
 * (avoidance/detour.ts), in crowds with the behavior `detours`.
 *
 * In: `desired`, `position`, `velocity`, neighbors, walls, corners, narrow portals, `counterTick`.
 * Out: `chosen`; `desired` of agents with a separation weight (spacing.ts).
 * Cost: that of the kernel (avoidance/orca.ts, avoidance/sampled.ts); little for agents without obstruction (unhindered.ts). No
 * allocation.
 * Based on: own.
 * Tried: equal shares at portals, no precedence for the agent ahead, steps backwards anywhere, and passing sides at
 * portals without counterflow. Each makes some crowd scene slower (`npm run bench -- --only crowd`).
 */
import { avoidByOrca } from '../avoidance/orca.ts';
import {
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
  SELF_WALL_HORIZON,
  WALL_STRIDE,
  createAvoidanceScene,
} from '../avoidance/scene.ts';
import type { AvoidanceScene } from '../avoidance/scene.ts';
import { isRestStatus } from '../state/rest.ts';
import { isWaitingForTurn } from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AVOID_NONE,
  AVOID_ORCA,
  MAX_NEIGHBORS,
  MAX_WALLS,
  NARROW_AHEAD,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * Time ahead for which the chosen velocity does not lead through a wall, seconds. Longer slows agents down
 * near walls.
 */
const WALL_HORIZON = 0.3;
/**
 * In a jam all agents are equal, and no agent advances. An agent without progress for `JAM_SECONDS` gets a
 * pseudo-random weight, from -`JAM_WEIGHT` / 2 to `JAM_WEIGHT` / 2, for `JAM_EPOCH_SECONDS` each. It depends
 * on the slot and the tick alone.
 */
const JAM_SECONDS = 1;
/** Time without progress after which an agent looks for a way around others, seconds. */
const HELD_UP_SECONDS = 0.15;
const JAM_EPOCH_SECONDS = 1.5;
const JAM_WEIGHT = 2;
/**
 * Weight that an agent loses while it waits for a link, so that it gives way to the next in turn and to agents that
 * leave the link.
 */
const QUEUE_WEIGHT = 0.3;
/** Share of agents of equal weight. */
const EQUAL_SHARE = 0.5;
/**
 * Of two agents with the same direction, the second adds this to its share: at a portal, at a corner, and straight
 * behind the first.
 */
const PORTAL_PRECEDENCE = 0.5;
const CORNER_PRECEDENCE = 0.35;
const AHEAD_PRECEDENCE = 0.8;
/** Strength of the crowd's passing side, 0 .. 1. More makes paths longer; with 0, agents that cross a circle jam. */
const SIDE_SHARE = 0.5;
/** Two moving agents cross when the cosine between their directions is at most this. */
const ACROSS = 0.3;

const scene = createAvoidanceScene(MAX_NEIGHBORS, MAX_WALLS);
const answer = new Float64Array(2);
/** Whether a neighbor of the current agent stands still. */
let isBesideStanding = false;
/**
 * Weight that the current agent adds to its share for one neighbor. An array, because V8 may allocate returned numbers.
 */
const precedence = new Float64Array(1);
/** Per slot: weight of the agent. Of two agents, the one with more weight gives way less. */
let weight = new Float64Array(0);

/** Step: sets `chosen` of the agents whose turn it is. */
export function avoid(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { isUnhindered, keepSpacing, knowsOfCounterflow, passStanding, sample, standsStill, takeDetour } =
    crowd.behaviors;
  const { state, flags, desired, chosen, avoidance, separationWeight, neighborCount } = agents;
  const { self } = scene;
  weighAll(crowd);
  self[SELF_STEP] = crowd.stepSeconds;
  self[SELF_SIDE] = crowd.passingSide;
  self[SELF_WALL_HORIZON] = WALL_HORIZON;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0 || state[slot] !== STATE_GROUND) continue;
    const at = 2 * slot;
    if (separationWeight[slot] > 0 && avoidance[slot] !== AVOID_NONE) keepSpacing!(crowd, slot);
    const x = desired[at];
    const z = desired[at + 1];
    chosen[at] = x;
    chosen[at + 1] = z;
    if (avoidance[slot] === AVOID_NONE || (neighborCount[slot] === 0 && agents.wallCount[slot] === 0)) continue;
    // An agent at rest stands: others go around it, or push it (separate.ts).
    if (x === 0 && z === 0 && isRestStatus(agents.status[slot])) continue;
    fillSelf(crowd, slot);
    if (avoidance[slot] === AVOID_ORCA && isUnhindered?.(crowd, slot) === true && !isBeforeWall(answer, scene))
      continue;
    const isCounter = knowsOfCounterflow !== undefined && knowsOfCounterflow(crowd, slot);
    fillNeighbors(crowd, slot, isCounter);
    if (scene.neighborCount === 0 && scene.wallCount === 0) continue;
    const isBeforePortal = agents.narrow[NARROW_AHEAD * slot] > 0;
    if (avoidance[slot] !== AVOID_ORCA) sample!(answer, scene, crowd.sampledParams[slot]!);
    else {
      avoidByOrca(answer, scene);
      const isOpen = !isBeforePortal && agents.wallCount[slot] === 0;
      if (isOpen && isHeldUp(crowd, slot)) takeDetour?.(answer, scene);
      if (isBesideStanding && !isBeforePortal) passStanding?.(answer, scene);
    }
    const back = answer[0] * x + answer[1] * z;
    if (back < 0 && !isBeforePortal && !isCounter) {
      // Remove the part of the velocity that leads backwards.
      const part = back / (x * x + z * z);
      answer[0] -= part * x;
      answer[1] -= part * z;
    }
    if (scene.neighborCount > 0 && standsStill?.(answer, crowd, slot) === true) answer[0] = answer[1] = 0;
    chosen[at] = answer[0];
    chosen[at + 1] = answer[1];
  }
}

/**
 * Returns whether agents that stand or cross hold up an agent: immediately when its nearest neighbor rests, otherwise
 * after `HELD_UP_SECONDS` without progress. Returns false in queues, as before links.
 */
function isHeldUp({ agents, tick, stepSeconds, passingSide }: Crowd, slot: number): boolean {
  const isMet = scene.self[SELF_SIDE] !== 0 || passingSide === 0;
  if (!isMet || agents.queueLinkEnd[slot] >= 0 || agents.neighborCount[slot] === 0) return false;
  if (isRestStatus(agents.status[agents.neighbors[MAX_NEIGHBORS * slot]])) return true;
  return (tick - agents.progressTick[slot]) * stepSeconds > HELD_UP_SECONDS;
}

/** Sets `weight` of all agents. */
function weighAll(crowd: Crowd): void {
  const { agents, active, activeCount, tick, stepSeconds } = crowd;
  const { priority, progressTick, status, yieldUntil } = agents;
  if (weight.length < crowd.maxAgents) weight = new Float64Array(crowd.maxAgents);
  const patience = JAM_SECONDS / stepSeconds;
  const epochTicks = Math.max(1, Math.round(JAM_EPOCH_SECONDS / stepSeconds));
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    weight[slot] = priority[slot] - (isWaitingForTurn(crowd, slot) ? QUEUE_WEIGHT : 0);
    if (isRestStatus(status[slot]) || tick - progressTick[slot] < patience || tick < yieldUntil[slot]) continue;
    // Each slot has its own phase, so that weights do not all change in one tick.
    const epoch = Math.floor((tick + (Math.imul(slot, 0x61) % epochTicks)) / epochTicks);
    let bits = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(epoch + 1, 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
    weight[slot] += JAM_WEIGHT * (((bits ^ (bits >>> 13)) >>> 0) / 4294967296 - 0.5);
  }
}

/**
 * Sets `precedence`, which is positive when `other` goes first. Of two agents with the same direction, the agent nearer
 * to their common narrow portal, or to their common corner, goes first. Elsewhere the agent ahead goes first, and its
 * precedence is highest straight ahead.
 */
function setPrecedence(crowd: Crowd, slot: number, other: number): void {
  precedence[0] = 0;
  const { corners, position, radius, desired, narrow, narrowAt } = crowd.agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const otherX = position[3 * other];
  const otherZ = position[3 * other + 2];
  const portal = narrow[NARROW_AHEAD * slot];
  if (portal > 0 && portal === narrow[NARROW_AHEAD * other]) {
    const mx = narrowAt[2 * slot];
    const mz = narrowAt[2 * slot + 1];
    const lead =
      (mx - x) * (mx - x) + (mz - z) * (mz - z) - ((mx - otherX) * (mx - otherX) + (mz - otherZ) * (mz - otherZ));
    precedence[0] = lead > 0 ? PORTAL_PRECEDENCE : lead < 0 ? -PORTAL_PRECEDENCE : 0;
    return;
  }
  const sumX = desired[2 * slot] + desired[2 * other];
  const sumZ = desired[2 * slot + 1] + desired[2 * other + 1];
  if (desired[2 * slot] * desired[2 * other] + desired[2 * slot + 1] * desired[2 * other + 1] <= 0) return;
  const a = 6 * slot;
  const b = 6 * other;
  const gapX = corners[a] - corners[b];
  const gapZ = corners[a + 2] - corners[b + 2];
  const slack = radius[slot] + radius[other];
  if (gapX * gapX + gapZ * gapZ <= slack * slack) {
    const ax = corners[a] - x;
    const az = corners[a + 2] - z;
    const bx = corners[b] - otherX;
    const bz = corners[b + 2] - otherZ;
    const lead = ax * ax + az * az - (bx * bx + bz * bz);
    precedence[0] = lead > 0 ? CORNER_PRECEDENCE : lead < 0 ? -CORNER_PRECEDENCE : 0;
    return;
  }
  const dx = otherX - x;
  const dz = otherZ - z;
  const length = Math.sqrt((sumX * sumX + sumZ * sumZ) * (dx * dx + dz * dz));
  precedence[0] = length > 0 ? (AHEAD_PRECEDENCE * (sumX * dx + sumZ * dz)) / length : 0;
}

/**
 * Returns whether `other` stands or has another direction. Agents that enter a portal from the same side have the same
 * direction.
 */
function comesAcross(crowd: Crowd, slot: number, other: number): boolean {
  const { desired, maxSpeed, narrow, status, flags } = crowd.agents;
  if ((flags[other] & AGENT_AVOID_ONLY) !== 0 || isRestStatus(status[other])) return true;
  const along = desired[2 * slot] * desired[2 * other] + desired[2 * slot + 1] * desired[2 * other + 1];
  if (along > ACROSS * maxSpeed[slot] * maxSpeed[other]) return false;
  const portal = narrow[NARROW_AHEAD * slot];
  return portal === 0 || portal !== narrow[NARROW_AHEAD * other];
}

/** Returns whether the desired velocity leads through a wall. Changes `out`. */
function isBeforeWall(out: Float64Array, view: AvoidanceScene): boolean {
  if (view.wallCount === 0) return false;
  view.neighborCount = 0;
  avoidByOrca(out, view);
  return out[0] !== view.self[SELF_DESIRED_X] || out[1] !== view.self[SELF_DESIRED_Z];
}

/** Fills `scene` with the agent's view of itself and its walls. */
function fillSelf(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, velocity, desired, radius } = agents;
  const { self } = scene;
  self[SELF_VX] = velocity[2 * slot];
  self[SELF_VZ] = velocity[2 * slot + 1];
  self[SELF_DESIRED_X] = desired[2 * slot];
  self[SELF_DESIRED_Z] = desired[2 * slot + 1];
  self[SELF_RADIUS] = radius[slot];
  self[SELF_MAX_SPEED] = agents.maxSpeed[slot];
  self[SELF_HORIZON] = agents.horizon[slot];
  const { walls } = scene;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const wallEnd = WALL_STRIDE * agents.wallCount[slot];
  const from = WALL_STRIDE * MAX_WALLS * slot;
  for (let w = 0; w < wallEnd; w += 2) {
    walls[w] = agents.walls[from + w] - x;
    walls[w + 1] = agents.walls[from + w + 1] - z;
  }
  scene.wallCount = agents.wallCount[slot];
}

/**
 * Fills the neighbors of `scene`, with the share that the agent takes for each, and the passing side. `isCounter`: the agent knows of
 * counterflow.
 */
function fillNeighbors(crowd: Crowd, slot: number, isCounter: boolean): void {
  const { agents } = crowd;
  const { position, velocity, desired, radius, flags, avoidance } = agents;
  const { self, neighbors } = scene;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  isBesideStanding = false;
  let count = 0;
  let isMet = isCounter;
  // At a narrow portal, lanes.ts finds out whether agents come through it.
  const isQuiet = !isCounter && agents.narrow[NARROW_AHEAD * slot] > 0;
  const first = MAX_NEIGHBORS * slot;
  const end = first + agents.neighborCount[slot];
  for (let n = first; n < end; n++) {
    const other = agents.neighbors[n];
    const to = NEIGHBOR_STRIDE * count++;
    neighbors[to + NEIGHBOR_DX] = position[3 * other] - x;
    neighbors[to + NEIGHBOR_DZ] = position[3 * other + 2] - z;
    const isAsleep = (flags[other] & AGENT_ASLEEP) !== 0;
    neighbors[to + NEIGHBOR_VX] = isAsleep ? 0 : velocity[2 * other];
    neighbors[to + NEIGHBOR_VZ] = isAsleep ? 0 : velocity[2 * other + 1];
    neighbors[to + NEIGHBOR_RADIUS] = radius[other];
    let share = 1;
    const isMoving =
      !isRestStatus(agents.status[other]) || (!isAsleep && (desired[2 * other] !== 0 || desired[2 * other + 1] !== 0));
    const makesRoom = (flags[other] & AGENT_AVOID_ONLY) === 0 && avoidance[other] !== AVOID_NONE;
    if (!isMoving) isBesideStanding = true;
    if (makesRoom && isMoving) {
      setPrecedence(crowd, slot, other);
      share = EQUAL_SHARE + weight[other] - weight[slot] + precedence[0];
      if (share < 0) share = 0;
      else if (share > 1) share = 1;
    }
    neighbors[to + NEIGHBOR_SHARE] = share;
    if (!isMet && !isQuiet && comesAcross(crowd, slot, other)) isMet = true;
  }
  // Without crossing agents there is no passing side: all would drift to that side.
  self[SELF_SIDE] = isMet ? SIDE_SHARE * crowd.passingSide : 0;
  scene.neighborCount = count;
}
