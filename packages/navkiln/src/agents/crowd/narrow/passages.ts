/**
 * Step: lets agents into long narrow passages in turns, for example into the corridors of a junction.
 *
 * A passage is a run of portals and polygons on an agent's path that is too narrow for two agents side by side. If two agents met inside,
 * one would have to walk backwards. So an agent waits in front of a passage while an oncoming agent is inside it. Agents whose paths do not
 * oppose each other enter together. While oncoming agents wait, a turn lets agents in through one portal only. The turn ends after
 * `TURN_SECONDS`. When the passage is empty, the agent that has waited longest enters next.
 *
 * In: corridors, `passage` from the search for corners.
 * Out: `passage`, `passageTick`; `desired` and `status` of agents that wait.
 * Cost: nothing without such passages. Otherwise linear in the next portals of agents in passages or in front of them.
 *   No allocation once grown.
 * Based on: own; railways admit trains to a single track by tokens in the same way (Edward Tyer, 1878).
 */
import { findPassage, firstRoomOf, way } from '../nearby/passage-ahead.ts';
import { isRestStatus } from '../state/rest.ts';
import { CHANGE_PASSAGE_BUSY, CHANGE_PASSAGE_CHECKED, changeStatus } from '../state/status.ts';
import {
  AVOID_NONE,
  PASSAGE_ADMITTED,
  PASSAGE_AHEAD,
  PASSAGE_INSIDE,
  PASSAGE_NONE,
  PASSAGE_WAITS,
  STATE_GROUND,
  STATUS_MOVING,
  STATUS_QUEUEING,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Distance from a passage at which agents wait for their turn, and distance at which they first check whether it is free, in radii. */
const HOLD_RADII = 5;
const NEAR_RADII = 9;
/** Share of `HOLD_RADII` below which an agent goes back, and share of its maximum speed at which it does so. */
const BACK_SHARE = 0.8;
const BACK_SPEED = 0.5;
/** Length of a turn while agents wait on the other side, seconds. */
const TURN_SECONDS = 12;
/** Longest wait in front of an occupied passage, seconds. After that, the agent enters. */
const MAX_WAIT_SECONDS = 150;

/** Marks of a portal: a waiting agent wants to pass it; an agent that is next wants to pass it. */
const ASKED = 1;
const NEXT = 2;
/**
 * Per portal number: the first tick of the turn in which agents pass the portal (0 if none do), and the marks of the
 * portal.
 */
let held = new Int32Array(0);
let marks = new Uint8Array(0);
/** The numbers of portals with an entry. */
let touched = new Int32Array(64);
let touchedCount = 0;
/** Slots of agents that wait, the longest wait first. */
let waiting = new Int32Array(16);
let waitingCount = 0;

/** Step: lets agents into passages, or stops them in front of them. */
export function takeTurns(crowd: Crowd): void {
  const { agents, active, activeCount, mesh } = crowd;
  const { passage, status } = agents;
  let isNeeded = false;
  for (let i = 0; i < activeCount && !isNeeded; i++) isNeeded = passage[active[i]] !== PASSAGE_NONE;
  if (!isNeeded) return;
  const size = firstRoomOf(mesh) + mesh.polyCount;
  if (held.length < size) {
    held = new Int32Array(size);
    marks = new Uint8Array(size);
  }
  waitingCount = 0;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (passage[slot] === PASSAGE_NONE) continue;
    if (agents.state[slot] !== STATE_GROUND || isRestStatus(status[slot]) || agents.avoidance[slot] === AVOID_NONE) {
      passage[slot] = PASSAGE_NONE;
      continue;
    }
    findPassage(crowd, slot);
    updatePassage(crowd, slot);
    if (passage[slot] >= PASSAGE_ADMITTED) hold(agents.passageTick[slot]);
    else if (passage[slot] === PASSAGE_WAITS) enqueue(crowd, slot);
  }
  admit(crowd);
  for (; touchedCount > 0; touchedCount--) held[touched[touchedCount - 1]] = marks[touched[touchedCount - 1]] = 0;
}

/** Sets where an agent is: away from its next passage, in front of it, or in it. */
function updatePassage(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const { passage, passageTick, position } = agents;
  const was = passage[slot];
  // A waiting agent that was pushed into the passage walks back.
  if (way.isInside && was !== PASSAGE_WAITS) {
    if (was < PASSAGE_ADMITTED) passageTick[slot] = tick;
    passage[slot] = PASSAGE_INSIDE;
    return;
  }
  if (was === PASSAGE_ADMITTED && way.count > 0) return;
  if (was === PASSAGE_WAITS && agents.status[slot] === STATUS_QUEUEING)
    changeStatus(crowd, slot, CHANGE_PASSAGE_CHECKED);
  passage[slot] = way.count > 0 ? PASSAGE_AHEAD : PASSAGE_NONE;
  if (way.count === 0) return;
  const dx = way.entry[0] - position[3 * slot];
  const dz = way.entry[1] - position[3 * slot + 2];
  const near = NEAR_RADII * agents.radius[slot];
  if (!way.isInside && dx * dx + dz * dz > near * near) return;
  if (was !== PASSAGE_WAITS) passageTick[slot] = tick;
  passage[slot] = PASSAGE_WAITS;
}

/** Admits agents whose passage is free, the longest wait first, and stops the others. */
function admit(crowd: Crowd): void {
  const { agents, tick, stepSeconds } = crowd;
  const { passage, passageTick, status } = agents;
  for (let k = 0; k < waitingCount; k++) {
    findPassage(crowd, waiting[k]);
    mark(ASKED);
  }
  let hasStarted = false;
  for (let k = 0; k < waitingCount; k++) {
    const slot = waiting[k];
    findPassage(crowd, slot);
    // Agents that enter through the same portal now belong to the same turn.
    const since = held[way.portals[0]] > 0 ? held[way.portals[0]] : tick;
    const isNew = since === tick;
    const isFree = isFreeFor(since) && !(isNew && hasStarted && isOpposed());
    if (isFree || (tick - passageTick[slot]) * stepSeconds > MAX_WAIT_SECONDS) {
      passage[slot] = PASSAGE_ADMITTED;
      passageTick[slot] = since;
      hold(since);
      if (isNew) hasStarted = true;
      continue;
    }
    if ((tick - oldestTurn()) * stepSeconds >= TURN_SECONDS) mark(NEXT);
    if (status[slot] === STATUS_MOVING) changeStatus(crowd, slot, CHANGE_PASSAGE_BUSY);
    if (tick >= agents.yieldUntil[slot]) standInFront(crowd, slot);
  }
}

/**
 * Returns whether an agent may enter the passage in `way`, in the turn that began at tick `since`. This requires that
 * no oncoming agent is inside and that no agent is marked as next. While oncoming agents wait, agents of another turn
 * must not be inside either.
 */
function isFreeFor(since: number): boolean {
  const isContested = isOpposed();
  for (let i = 0; i < way.count; i++) {
    const portal = way.portals[i];
    if (held[portal ^ 1] > 0 || ((marks[portal] | marks[portal ^ 1]) & NEXT) !== 0) return false;
    if (isContested && (isOfOtherTurn(portal, since) || (i < way.count - 1 && isOfOtherTurn(way.rooms[i], since))))
      return false;
  }
  return true;
}

function isOfOtherTurn(index: number, since: number): boolean {
  return held[index] > 0 && held[index] !== since;
}

/** Returns whether agents wait to pass the passage in `way` in the opposite direction. */
function isOpposed(): boolean {
  for (let i = 0; i < way.count; i++) if ((marks[way.portals[i] ^ 1] & ASKED) !== 0) return true;
  return false;
}

/** Returns the first tick of the oldest turn in the passage in `way`; Infinity: the passage is empty. */
function oldestTurn(): number {
  let oldest = Infinity;
  for (let i = 0; i < way.count; i++) {
    if (held[way.portals[i]] > 0) oldest = Math.min(oldest, held[way.portals[i]]);
    if (held[way.portals[i] ^ 1] > 0) oldest = Math.min(oldest, held[way.portals[i] ^ 1]);
  }
  return oldest;
}

function mark(bit: number): void {
  for (let i = 0; i < way.count; i++) {
    marks[way.portals[i]] |= bit;
    touch(way.portals[i]);
  }
}

/** Stops an agent far enough from its passage that agents can leave it, or sends the agent back to that distance. */
function standInFront({ agents }: Crowd, slot: number): void {
  const { position, desired, radius, corners } = agents;
  const dx = (way.isInside ? corners[6 * slot] : way.entry[0]) - position[3 * slot];
  const dz = (way.isInside ? corners[6 * slot + 2] : way.entry[1]) - position[3 * slot + 2];
  const distance = Math.sqrt(dx * dx + dz * dz);
  const far = HOLD_RADII * radius[slot];
  if (!way.isInside && distance > far) return;
  const goesBack = distance > 0 && (way.isInside || distance < BACK_SHARE * far);
  const scale = goesBack ? (BACK_SPEED * agents.maxSpeed[slot]) / distance : 0;
  desired[2 * slot] = -dx * scale;
  desired[2 * slot + 1] = -dz * scale;
}

/** Notes that an agent of a turn is in the passage in `way` or enters it. */
function hold(since: number): void {
  for (let i = 0; i < way.count; i++) {
    holdOne(way.portals[i], since);
    if (i < way.count - 1) holdOne(way.rooms[i], since);
  }
}

function holdOne(index: number, since: number): void {
  held[index] = held[index] > 0 ? Math.min(held[index], since) : since;
  touch(index);
}

/** Notes that a portal has an entry in `held` or `marks`. */
function touch(portal: number): void {
  if (touchedCount === touched.length) {
    const longer = new Int32Array(2 * touched.length);
    longer.set(touched);
    touched = longer;
  }
  touched[touchedCount++] = portal;
}

/** Adds an agent to `waiting`, in order. */
function enqueue({ agents, maxAgents }: Crowd, slot: number): void {
  if (waiting.length < maxAgents) waiting = new Int32Array(maxAgents);
  let k = waitingCount++;
  // Slots come in ascending order.
  for (; k > 0 && agents.passageTick[waiting[k - 1]] > agents.passageTick[slot]; k--) waiting[k] = waiting[k - 1];
  waiting[k] = slot;
}
