/**
 * Advances a set of characters and their crowd in fixed ticks, and interpolates characters between ticks.
 *
 * One tick, in this order:
 *
 *   before         the caller's orders for this tick
 *   fitBounds      the world's box after a change of the mesh
 *   followGround   characters whose polygon was removed land nearby or fall
 *   setPace        acceleration or braking
 *   followTargets  positions of targets, goals of their followers
 *   stepCrowd      movement on the mesh and on links
 *   reportOrders   events: arrived, settled, unreachable, gave up
 *   fly            movement in the air
 *   showBodies     feet, facing, speed fraction, walls, world edge
 *
 * Ticks are equally long at any frame rate. The same calls at the same ticks give exactly the same world. Orders in
 * `before` belong to their tick; orders between frames take effect at the next tick.
 *
 * In: a character set and elapsed seconds. Out: the set and its crowd, changed in place; events.
 * Cost: the crowd's step, plus O(characters + targets). No allocation once lists have grown.
 * Based on: own; the fixed time step with an accumulator follows G. Fiedler, "Fix Your Timestep!", 2004.
 */
import { turnBackTicks } from '../crowd/state/clock.ts';
import { agentIdOf } from '../crowd/state/ids.ts';
import { isRestStatus } from '../crowd/state/rest.ts';
import { stepCrowd } from '../crowd/step.ts';
import {
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  EVENT_ARRIVED,
  EVENT_BLOCKED,
  EVENT_GAVE_UP,
  EVENT_SETTLED,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
  STATUS_BLOCKED,
} from '../crowd/state/types.ts';
import { CORNER_GOAL } from '../corridor/types.ts';
import { frameSeconds } from '../../base/data/frame-time.ts';
import { checkFinite, checkHandle, checkFunction, checkRecord } from '../../base/data/refuse.ts';
import { setMeshBox } from '../../mesh/mesh-box.ts';
import { noteCharacter } from './body/events.ts';
import { fly, followGround } from './body/air.ts';
import { showBodies } from './body/body.ts';
import { characterSlotOf, isCharacter } from './body/characters.ts';
import { MARK_UNREACHABLE } from './types/characters.ts';
import type { AgentId } from '../crowd/state/types.ts';
import type { CharacterEventKind, CharacterSet } from './types/characters.ts';
import { followTargets, noteGaveUp } from './targets/follow.ts';

/** Maximum number of ticks in one call; further time is dropped. */
const MAX_CATCH_UP = 8;
/** Tolerance for rounding of accumulated frame times, as a share of a tick. */
const TICK_EPSILON = 1e-9;

/**
 * Advances characters and their crowd by elapsed time. Runs as many ticks as fit and keeps the remainder for
 * the next call. Call it instead of `advanceCrowd`. `listCharacterEvents` then returns the events of all
 * these ticks. Time beyond eight ticks is dropped.
 *
 * @param seconds time since the last call, 0 or more; a time between -1 and 0 counts as 0, as in `advanceCrowd`
 * @param before called before each tick with the tick's time in seconds since the crowd was created
 *   tells when this time is set back. Orders given here do not depend on the frame rate.
 * @returns the position of the current time between the last two ticks, 0 .. 1, for
 *   `interpolateCharacterInto`
 * @throws RangeError when `seconds` is -1 or less, or not finite
 */
export function advanceCharacters(set: CharacterSet, seconds: number, before?: (time: number) => void): number {
  if (before !== undefined) checkFunction('advanceCharacters', 'before', before);
  checkRecord('advanceCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const passed = frameSeconds('advanceCharacters', 'seconds', seconds);
  const { time, crowd } = set;
  const { stepSeconds } = crowd;
  set.events.count = 0;
  time[0] = Math.min(time[0] + passed, (MAX_CATCH_UP + 0.999) * stepSeconds);
  while (time[0] >= (1 - TICK_EPSILON) * stepSeconds) {
    time[0] -= stepSeconds;
    before?.(crowd.tick * stepSeconds);
    tick(set);
  }
  const alpha = time[0] / stepSeconds;
  return alpha > 0 ? alpha : 0;
}

/** Runs one tick of the crowd's `stepSeconds`. */
export function stepCharacters(set: CharacterSet): void {
  checkRecord('stepCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  set.events.count = 0;
  tick(set);
}

function tick(set: CharacterSet): void {
  fitBounds(set);
  followGround(set);
  setPace(set);
  followTargets(set);
  const before = set.crowd.tick;
  stepCrowd(set.crowd);
  if (set.crowd.tick < before) turnBackTicks(set.againTick);
  reportOrders(set);
  fly(set);
  showBodies(set);
}

/** Sets the world's box to that of the mesh, unless the caller chose one. */
function fitBounds(set: CharacterSet): void {
  const { bounds, crowd } = set;
  const { mesh } = crowd;
  if (set.hasBounds || set.boundsRevision === mesh.revision) return;
  set.boundsRevision = mesh.revision;
  setMeshBox(bounds, mesh);
}

/** Sets each agent's acceleration. Characters at rest or close to their goal brake with `deceleration`. */
function setPace(set: CharacterSet): void {
  const { crowd, acceleration, deceleration } = set;
  const { agents } = crowd;
  const { velocity, position, corners } = agents;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot)) continue;
    // After a new order, an unreachable goal is reported again.
    if (agents.orderTick[slot] === crowd.tick) set.marks[slot] &= ~MARK_UNREACHABLE;
    agents.maxAcceleration[slot] = acceleration[slot];
    if (deceleration[slot] === acceleration[slot]) continue;
    const vx = velocity[2 * slot];
    const vz = velocity[2 * slot + 1];
    const speedSq = vx * vx + vz * vz;
    let isBraking = isRestStatus(agents.status[slot]);
    if (!isBraking && agents.cornerKind[slot] === CORNER_GOAL && agents.goalKind[slot] === GOAL_POINT) {
      const dx = corners[6 * slot] - position[3 * slot];
      const dz = corners[6 * slot + 2] - position[3 * slot + 2];
      isBraking = speedSq > 0.5 * deceleration[slot] * Math.sqrt(dx * dx + dz * dz);
    }
    if (isBraking) agents.maxAcceleration[slot] = deceleration[slot];
  }
}

/**
 * Turns the crowd's events into character events. Reports an unreachable goal as soon as a search shows it.
 */
function reportOrders(set: CharacterSet): void {
  const { crowd, marks } = set;
  const { agents, events, tick: now } = crowd;
  for (let i = 0; i < events.count; i++) {
    const slot = events.slot[i];
    if (!isCharacter(set, slot) || agentIdOf(crowd, slot) !== set.id[slot]) continue;
    const kind = kindOf(events.kind[i]);
    if (kind === null) continue;
    if (kind === 'unreachable') {
      if ((marks[slot] & MARK_UNREACHABLE) !== 0) continue;
      marks[slot] |= MARK_UNREACHABLE;
    }
    if (kind === 'gave-up') noteGaveUp(set, slot);
    noteCharacter(set, kind, slot, 0);
  }
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot) || agents.state[slot] !== STATE_GROUND) continue;
    if (agents.goalKind[slot] !== GOAL_POINT && agents.goalKind[slot] !== GOAL_AGENT) continue;
    const isPartial = (agents.flags[slot] & AGENT_PARTIAL) !== 0;
    if (!isPartial) {
      if (agents.status[slot] !== STATUS_BLOCKED && agents.goalPoly[slot] >= 0) {
        if ((agents.flags[slot] & AGENT_AWAITS_PATH) === 0) marks[slot] &= ~MARK_UNREACHABLE;
      }
      continue;
    }
    if (agents.searchTick[slot] !== now || (marks[slot] & MARK_UNREACHABLE) !== 0) continue;
    marks[slot] |= MARK_UNREACHABLE;
    noteCharacter(set, 'unreachable', slot, 0);
  }
}

function kindOf(kind: number): CharacterEventKind | null {
  switch (kind) {
    case EVENT_ARRIVED:
      return 'arrived';
    case EVENT_SETTLED:
      return 'settled';
    case EVENT_BLOCKED:
      return 'unreachable';
    case EVENT_GAVE_UP:
      return 'gave-up';
    default:
      return null;
  }
}

/**
 * Writes the interpolated state of a character between the last two ticks to out[0 .. 5]: x, y, z of its feet in world
 * units, x, z of its facing (a unit vector), and its speed as a share of running speed, 0 .. 1.
 *
 * @param alpha from `advanceCharacters`, 0 .. 1
 * @returns false when the set has no such character; `out` is then unchanged
 */
export function interpolateCharacterInto(out: Float64Array, set: CharacterSet, id: AgentId, alpha: number): boolean {
  checkRecord('interpolateCharacterInto', 'out', { out }, 'out', 'a Float64Array');
  checkHandle('interpolateCharacterInto', 'id', id);
  checkFinite('interpolateCharacterInto', 'alpha', alpha);
  checkRecord('interpolateCharacterInto', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  const { position, previous } = set.crowd.agents;
  for (let k = 0; k < 3; k++) {
    const from = previous[3 * slot + k];
    out[k] = from + alpha * (position[3 * slot + k] - from);
  }
  out[1] += set.previousOffset[slot] + alpha * (set.stepOffset[slot] - set.previousOffset[slot]);
  const at = 2 * slot;
  let x = set.previousFacing[at] + alpha * (set.facing[at] - set.previousFacing[at]);
  let z = set.previousFacing[at + 1] + alpha * (set.facing[at + 1] - set.previousFacing[at + 1]);
  let length = Math.sqrt(x * x + z * z);
  if (length < 1e-6) {
    // There is no direction between opposite directions.
    x = set.facing[at];
    z = set.facing[at + 1];
    length = 1;
  }
  out[3] = x / length;
  out[4] = z / length;
  out[5] = set.previousSpeedFraction[slot] + alpha * (set.speedFraction[slot] - set.previousSpeedFraction[slot]);
  return true;
}
