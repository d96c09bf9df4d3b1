/**
 * What characters do beside walking: run, jump, are pushed and put elsewhere, turn to face something.
 */
import { landAgent, liftAgent } from '../../crowd/air.ts';
import { STATE_AIR, STATE_GROUND } from '../../crowd/state/types.ts';
import { refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { characterSlotOf, findStand } from './characters.ts';
import {
  MARK_FACES_POINT,
  MARK_GROUNDED,
  MARK_RUNS,
  MARK_TURNING,
  MODE_FREE,
  MODE_GROUND,
  MODE_JUMP,
} from '../types/characters.ts';
import type { AgentId, CharacterSet } from '../types/characters.ts';

const place = new Float64Array(3);

/** From now on it isRunning, or walks. False: there is no such character. */
export function setCharacterRunning(set: CharacterSet, id: AgentId, isRunning: boolean): boolean {
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  set.marks[slot] = isRunning ? set.marks[slot] | MARK_RUNS : set.marks[slot] & ~MARK_RUNS;
  set.crowd.agents.maxSpeed[slot] = isRunning ? set.runSpeed[slot] : set.walkSpeed[slot];
  return true;
}

/**
 * Jumps: up with `speed` (world units a second), on with the velocity it has. It stays over the ground of the mesh, so it leaps
 * onto and off steps but over no gap; over gaps lead links. It keeps its goal. False: it is not on the ground, or there is no
 * such character. Throws for a speed that is not above 0.
 */
export function jumpCharacter(set: CharacterSet, id: AgentId, speed: number): boolean {
  if (!(speed > 0 && speed < Infinity)) refuse('jumpCharacter', 'speed', speed, 'a finite speed above 0');
  const slot = characterSlotOf(set, id);
  if (slot < 0 || set.crowd.agents.state[slot] !== STATE_GROUND) return false;
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_JUMP;
  set.fallVelocity[slot] = speed;
  return true;
}

/**
 * Has it fly with a velocity (x, y, z; world units a second): over ledges, off bridges, through the air until there is ground
 * below. Without a part upwards it is down again at once. The mesh knows of no walls in the air: whoever pushes sees to it that
 * there are none. It keeps its goal. False: there is no such character.
 */
export function pushCharacter(set: CharacterSet, id: AgentId, velocity: PointLike): boolean {
  readPoint(place, velocity, 'pushCharacter', 'velocity');
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  const { agents } = set.crowd;
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_FREE;
  agents.velocity[2 * slot] = place[0];
  agents.velocity[2 * slot + 1] = place[2];
  set.fallVelocity[slot] = place[1];
  return true;
}

/**
 * Puts it elsewhere at once, feet first: on the ground within a step of there, else it falls from there. It keeps its goal and
 * looks for a new way. False: there is no such character.
 */
export function teleportCharacter(set: CharacterSet, id: AgentId, position: PointLike): boolean {
  readPoint(place, position, 'placeCharacter', 'position');
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  const { crowd } = set;
  const { agents } = crowd;
  const floor = findStand(set, place, crowd.filters[agents.filter[slot]]);
  const isAirborne = agents.state[slot] === STATE_AIR;
  liftAgent(crowd, slot);
  agents.velocity.fill(0, 2 * slot, 2 * slot + 2);
  set.fallVelocity[slot] = 0;
  set.stepOffset[slot] = set.previousOffset[slot] = 0;
  set.marks[slot] &= ~MARK_GROUNDED;
  if (floor !== null) {
    agents.poly[slot] = -1;
    landAgent(crowd, slot, floor.poly, floor.point);
    set.mode[slot] = MODE_GROUND;
    set.isAiming[slot] = 0;
  } else {
    if (!isAirborne) agents.poly[slot] = -1;
    set.mode[slot] = MODE_FREE;
    agents.position.set(place, 3 * slot);
  }
  agents.previous.set(agents.position.subarray(3 * slot, 3 * slot + 3), 3 * slot);
  return true;
}

/**
 * Turns its face to a place, seen from above, and keeps it there while it stands or walks; `faceMovement` ends it. It does not
 * turn for less than its dead zone. False: there is no such character.
 */
export function turnCharacterTo(set: CharacterSet, id: AgentId, point: PointLike): boolean {
  readPoint(place, point, 'rotateTo', 'point');
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  set.facePoint.set(place, 3 * slot);
  set.marks[slot] |= MARK_FACES_POINT;
  return true;
}

/** Has it face where it goes, as it does at first. False: there is no such character. */
export function turnCharacterToMovement(set: CharacterSet, id: AgentId): boolean {
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  set.marks[slot] &= ~(MARK_FACES_POINT | MARK_TURNING);
  return true;
}
