/**
 * A tick of characters around a tick of their crowd, and time. In this order:
 *
 *   before        what the caller has to say at this tick
 *   followGround  the mesh has changed: who stands on nothing falls
 *   setPace       who speeds up and who brakes
 *   followTargets where targets are, and who goes after them
 *   stepCrowd     those on the ground and on links walk
 *   tellOrders    arrived, settled, unreachable, gave up
 *   fly           those in the air
 *   showBodies    feet, faces, pace, walls, edges
 *
 * Ticks are all equally long, whatever frames are: the same calls at the same ticks give the same world to the last bit, at 30,
 * 60 or 144 pictures a second. What is done in `before` is done at a tick; what is done between frames, at the first tick
 * after.
 *
 * Based on: own.
 */
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
import { refuse } from '../data/refuse.ts';
import { noteCharacter } from './characters/events.ts';
import { fly, followGround } from './characters/air.ts';
import { showBodies } from './characters/body.ts';
import { isCharacter } from './characters/characters.ts';
import { MARK_UNREACHABLE } from './types/characters.ts';
import type { CharacterEventKind, CharacterSet } from './types/characters.ts';
import { followTargets, noteGaveUp } from './targets/follow.ts';

/** Ticks that one call catches up with at most; time beyond is dropped. */
const MAX_CATCH_UP = 8;
/** Sums of frames may be short of a tick by roundings: this share of one is forgiven. */
const SLACK = 1e-9;

/**
 * Lets so many seconds go by: the crowd and its characters take as many ticks as fit, the rest is kept for the next call.
 * Instead of `advanceCrowd`, not beside it. Events (`listCharacterEvents`) are those of all these ticks; more than eight ticks'
 * time at once is dropped.
 *
 * @param before called before each tick with its time in seconds since the crowd was made: what is done there (orders, targets
 *   that move) does not depend on how long frames are
 * @returns how far the time is into the next tick, 0 .. 1, for `interpolateCharacterInto`
 * @throws RangeError for what is no time; 0 is one
 */
export function advanceCharacters(set: CharacterSet, seconds: number, before?: (time: number) => void): number {
  if (!(seconds >= 0 && seconds < Infinity)) {
    refuse('advanceCharacters', 'seconds', seconds, 'the time since the last call, finite and not negative');
  }
  const { time, crowd } = set;
  const { stepSeconds } = crowd;
  set.events.count = 0;
  time[0] = Math.min(time[0] + seconds, (MAX_CATCH_UP + 0.999) * stepSeconds);
  while (time[0] >= (1 - SLACK) * stepSeconds) {
    time[0] -= stepSeconds;
    before?.(crowd.tick * stepSeconds);
    tick(set);
  }
  const alpha = time[0] / stepSeconds;
  return alpha > 0 ? alpha : 0;
}

/** One tick of the crowd's `stepSeconds`. */
export function stepCharacters(set: CharacterSet): void {
  set.events.count = 0;
  tick(set);
}

function tick(set: CharacterSet): void {
  fitBounds(set);
  followGround(set);
  setPace(set);
  followTargets(set);
  stepCrowd(set.crowd);
  tellOrders(set);
  fly(set);
  showBodies(set);
}

/** The world is the box around the mesh, unless it was given. */
function fitBounds(set: CharacterSet): void {
  const { bounds, crowd } = set;
  const { mesh } = crowd;
  if (set.hasBounds || set.boundsRevision === mesh.revision) return;
  set.boundsRevision = mesh.revision;
  let isFirst = true;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    for (let k = 0; k < 3; k++) {
      const low = mesh.tileBounds[6 * slot + k];
      const high = mesh.tileBounds[6 * slot + 3 + k];
      if (isFirst || low < bounds[k]) bounds[k] = low;
      if (isFirst || high > bounds[3 + k]) bounds[3 + k] = high;
    }
    isFirst = false;
  }
}

/** Braking has a rate of its own: whoever is to stand, or nears its goal. */
function setPace(set: CharacterSet): void {
  const { crowd, acceleration, deceleration } = set;
  const { agents } = crowd;
  const { velocity, position, corners } = agents;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot)) continue;
    // Told something new: it is said again when that cannot be reached either.
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

/** What the crowd has to say of its agents, and that a way leads to no goal as soon as it is known. */
function tellOrders(set: CharacterSet): void {
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
 * Writes how a character is to be drawn, between the last two ticks (`alpha`, from `advanceCharacters`): x, y, z of the feet,
 * x, z of where it faces (a unit vector), and its pace 0 .. 1, at out[0 .. 5].
 */
export function interpolateCharacterInto(out: Float64Array, set: CharacterSet, slot: number, alpha: number): void {
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
    // Right about: there is nothing between.
    x = set.facing[at];
    z = set.facing[at + 1];
    length = 1;
  }
  out[3] = x / length;
  out[4] = z / length;
  out[5] = set.previousSpeedFraction[slot] + alpha * (set.speedFraction[slot] - set.previousSpeedFraction[slot]);
}
