/**
 * Step: what each agent will do, given its neighbours and the walls.
 *
 * In: `desired`, neighbours, walls. Out: `chosen`. Who makes room: two on their way share it by their priorities; one at rest
 * makes none, so that it can stand, and the other all; one that is only avoided makes none ever. Of two that go the same way
 * the one ahead makes none, and nobody steps back into those behind it unless it knows of counterflow.
 *
 * Kept, on 2 or 3 seeds: the first before an opening makes no room at all, the bottleneck of 150 is through in 110 s (155 with
 * 0.35 instead of 0.5); so does one right ahead (`AHEAD`), blocks in 60 s (80), crossroads in 85 s, all of 400 (some gave up);
 * no step back, the chase in 110 s (130). Lost: 0.5 at corners, too, the chase in 133 s (119), as those on the inside hold up
 * all others.
 *
 * Cost: that of the kernel (orca.ts, sampled.ts); nothing for those with nobody near. No allocation.
 * Based on: own.
 */
import {
  NEIGHBOR_STRIDE,
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
  createAvoidanceScene,
} from './avoidance/scene.ts';
import { knowsOfCounterflow } from './nearby/counterflow.ts';
import { avoidByOrca } from './avoidance/orca.ts';
import { isRestStatus } from './state/rest.ts';
import { SAMPLED_DEFAULTS, avoidBySampling } from './avoidance/sampled.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AVOID_NONE,
  AVOID_ORCA,
  MAX_NEIGHBORS,
  MAX_WALLS,
  NARROW_AHEAD,
  STATE_GROUND,
  STATUS_QUEUEING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Seconds ahead in which walls must not be walked into. */
const WALL_HORIZON = 0.3;

/**
 * In a jam, where all are equal, nobody gets on: agents that have come no nearer for a second weigh more or less by chance (of
 * their slots and of the time), for a second and a half each.
 */
const JAM_SECONDS = 1;
const JAM_EPOCH_SECONDS = 1.5;
const JAM_WEIGHT = 1.2;
/** Those who wait for a link make room for the one whose turn it is, and for those who come out. */
const QUEUE_WEIGHT = 0.3;
/** Of two that go the same way: what the first has before the other at an opening, at a corner, and when it is right ahead. */
const PRECEDENCE = 0.5;
const CORNER_PRECEDENCE = 0.35;
/**
 * How much of the common side is kept to. With all of it ways were 1.12 times as long as those of one alone (town), with half
 * of it 1.05, and crossings and circles took less time; with none circles jam.
 */
const SIDE_SHARE = 0.5;
const AHEAD = 0.8;

const scene = createAvoidanceScene(MAX_NEIGHBORS, MAX_WALLS);
const answer = new Float64Array(2);
/** How much more the one at hand makes room. In an array, as a number handed back might be allocated. */
const lead = new Float64Array(1);
/** One a slot: what decides who makes room. */
let weight = new Float64Array(0);

/** Step: velocities that keep clear of others and of walls. */
export function avoid(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { state, flags, desired, chosen, avoidance, neighborCount } = agents;
  const { self } = scene;
  weighAll(crowd);
  self[SELF_STEP] = crowd.stepSeconds;
  self[SELF_SIDE] = crowd.passingSide;
  self[SELF_WALL_HORIZON] = WALL_HORIZON;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0 || state[slot] !== STATE_GROUND) continue;
    const at = 2 * slot;
    const x = desired[at];
    const z = desired[at + 1];
    chosen[at] = x;
    chosen[at + 1] = z;
    if (avoidance[slot] === AVOID_NONE || (neighborCount[slot] === 0 && agents.wallCount[slot] === 0)) continue;
    // One that rests stands: others go around it, or push it (separate.ts).
    if (x === 0 && z === 0 && isRestStatus(agents.status[slot])) continue;
    fillScene(crowd, slot);
    if (scene.neighborCount === 0 && scene.wallCount === 0) continue;
    if (avoidance[slot] === AVOID_ORCA) avoidByOrca(answer, scene);
    else avoidBySampling(answer, scene, SAMPLED_DEFAULTS);
    const back = answer[0] * x + answer[1] * z;
    if (back < 0 && !knowsOfCounterflow(crowd, slot)) {
      // Rather than back into those behind it, it stands.
      const part = back / (x * x + z * z);
      answer[0] -= part * x;
      answer[1] -= part * z;
    }
    chosen[at] = answer[0];
    chosen[at + 1] = answer[1];
  }
}

function weighAll(crowd: Crowd): void {
  const { agents, active, activeCount, tick, stepSeconds } = crowd;
  const { priority, progressTick, status, yieldUntil } = agents;
  if (weight.length < crowd.maxAgents) weight = new Float64Array(crowd.maxAgents);
  const patience = JAM_SECONDS / stepSeconds;
  const epochTicks = Math.max(1, Math.round(JAM_EPOCH_SECONDS / stepSeconds));
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    weight[slot] =
      priority[slot] - (agents.queueLinkEnd[slot] >= 0 && status[slot] === STATUS_QUEUEING ? QUEUE_WEIGHT : 0);
    if (isRestStatus(status[slot]) || tick - progressTick[slot] < patience || tick < yieldUntil[slot]) continue;
    // Epochs begin at another time for each slot.
    const epoch = Math.floor((tick + (Math.imul(slot, 0x61) % epochTicks)) / epochTicks);
    let bits = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(epoch + 1, 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
    weight[slot] += JAM_WEIGHT * (((bits ^ (bits >>> 13)) >>> 0) / 4294967296 - 0.5);
  }
}

/**
 * Of two that go the same way the one ahead goes first, and the other makes the room: the one nearer to a narrow opening that
 * both are bound for; to a corner that both turn at; else as far as it is ahead.
 */
function setPrecedence(crowd: Crowd, slot: number, other: number): void {
  lead[0] = 0;
  const { corners, position, radius, desired, narrow, narrowAt } = crowd.agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const otherX = position[3 * other];
  const otherZ = position[3 * other + 2];
  const opening = narrow[NARROW_AHEAD * slot];
  if (opening > 0 && opening === narrow[NARROW_AHEAD * other]) {
    const mx = narrowAt[2 * slot];
    const mz = narrowAt[2 * slot + 1];
    const ahead =
      (mx - x) * (mx - x) + (mz - z) * (mz - z) - ((mx - otherX) * (mx - otherX) + (mz - otherZ) * (mz - otherZ));
    lead[0] = ahead > 0 ? PRECEDENCE : ahead < 0 ? -PRECEDENCE : 0;
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
    const ahead = ax * ax + az * az - (bx * bx + bz * bz);
    lead[0] = ahead > 0 ? CORNER_PRECEDENCE : ahead < 0 ? -CORNER_PRECEDENCE : 0;
    return;
  }
  const dx = otherX - x;
  const dz = otherZ - z;
  const length = Math.sqrt((sumX * sumX + sumZ * sumZ) * (dx * dx + dz * dz));
  lead[0] = length > 0 ? (AHEAD * (sumX * dx + sumZ * dz)) / length : 0;
}

/** Is another one met: does it stand, or go elsewhere than this one? Those bound for the same opening go the same way. */
function comesAcross(crowd: Crowd, slot: number, other: number): boolean {
  const { desired, maxSpeed, narrow, status, flags } = crowd.agents;
  if ((flags[other] & AGENT_AVOID_ONLY) !== 0 || isRestStatus(status[other])) return true;
  const along = desired[2 * slot] * desired[2 * other] + desired[2 * slot + 1] * desired[2 * other + 1];
  if (along > 0.3 * maxSpeed[slot] * maxSpeed[other]) return false;
  const opening = narrow[NARROW_AHEAD * slot];
  return opening === 0 || opening !== narrow[NARROW_AHEAD * other];
}

function fillScene(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, velocity, desired, radius, flags } = agents;
  const { self, neighbors, walls } = scene;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  self[SELF_VX] = velocity[2 * slot];
  self[SELF_VZ] = velocity[2 * slot + 1];
  self[SELF_DESIRED_X] = desired[2 * slot];
  self[SELF_DESIRED_Z] = desired[2 * slot + 1];
  self[SELF_RADIUS] = radius[slot];
  self[SELF_MAX_SPEED] = agents.maxSpeed[slot];
  self[SELF_HORIZON] = agents.horizon[slot];
  let count = 0;
  let isMet = knowsOfCounterflow(crowd, slot);
  const first = MAX_NEIGHBORS * slot;
  const end = first + agents.neighborCount[slot];
  for (let n = first; n < end; n++) {
    const other = agents.neighbors[n];
    const to = NEIGHBOR_STRIDE * count++;
    neighbors[to] = position[3 * other] - x;
    neighbors[to + 1] = position[3 * other + 2] - z;
    const stands = (flags[other] & AGENT_ASLEEP) !== 0;
    neighbors[to + 2] = stands ? 0 : velocity[2 * other];
    neighbors[to + 3] = stands ? 0 : velocity[2 * other + 1];
    neighbors[to + 4] = radius[other];
    let share = 1;
    const walks =
      !isRestStatus(agents.status[other]) || (!stands && (desired[2 * other] !== 0 || desired[2 * other + 1] !== 0));
    if ((flags[other] & AGENT_AVOID_ONLY) === 0 && walks) {
      setPrecedence(crowd, slot, other);
      share = 0.5 + weight[other] - weight[slot] + lead[0];
      if (share < 0) share = 0;
      else if (share > 1) share = 1;
    }
    neighbors[to + 5] = share;
    if (!isMet && comesAcross(crowd, slot, other)) isMet = true;
  }
  // Who goes the same way is not passed on a side: all would drift there.
  self[SELF_SIDE] = isMet ? SIDE_SHARE * crowd.passingSide : 0;
  scene.neighborCount = count;
  const wallEnd = 4 * agents.wallCount[slot];
  const from = 4 * MAX_WALLS * slot;
  for (let w = 0; w < wallEnd; w += 4) {
    walls[w] = agents.walls[from + w] - x;
    walls[w + 1] = agents.walls[from + w + 1] - z;
    walls[w + 2] = agents.walls[from + w + 2] - x;
    walls[w + 3] = agents.walls[from + w + 3] - z;
  }
  scene.wallCount = agents.wallCount[slot];
}
