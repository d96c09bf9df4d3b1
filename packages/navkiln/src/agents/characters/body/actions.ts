/**
 * Orders to characters besides paths: run, jump, push, teleport, turn.
 *
 * All return false when the set has no such character, and throw a TypeError when the id is not a number.
 */
import { setSpeed } from '../../crowd/state/options.ts';
import { landAgent, liftAgent } from '../../crowd/air.ts';
import { STATE_AIR, STATE_GROUND } from '../../crowd/state/types.ts';
import { MOST_SIZE, readKept } from '../../crowd/state/limits.ts';
import { checkRecord, refuse } from '../../../base/data/refuse.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { findCharacter, findStand } from './characters.ts';
import {
  MARK_FACES_POINT,
  MARK_GROUNDED,
  MARK_RUNS,
  MARK_TURNING,
  MODE_FREE,
  MODE_GROUND,
  MODE_JUMP,
} from '../types/characters.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import type { CharacterSet } from '../types/characters.ts';

const vector = new Float64Array(3);

/**
 * Makes a character run or walk from now on.
 *
 * @returns false when the set has no such character
 */
export function setCharacterRunning(set: CharacterSet, id: AgentId, isRunning: boolean): boolean {
  checkRecord('setCharacterRunning', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, id, 'setCharacterRunning');
  if (slot < 0) return false;
  set.marks[slot] = isRunning ? set.marks[slot] | MARK_RUNS : set.marks[slot] & ~MARK_RUNS;
  setSpeed(set.crowd.agents, slot, isRunning ? set.runSpeed[slot] : set.walkSpeed[slot]);
  return true;
}

/**
 * Makes a character jump from the ground and keep its velocity. It stays above the walkable surface, so it
 * can jump onto and off steps but not over gaps; use links for gaps. Its goal is kept.
 *
 * @param speed upward speed, world units per second, above 0, at most 1e12
 * @returns false when the character is not on the ground, or the set has no such character
 * @throws RangeError for other speeds
 */
export function jumpCharacter(set: CharacterSet, id: AgentId, speed: number): boolean {
  checkRecord('jumpCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  if (typeof speed !== 'number' || !(speed > 0 && speed <= MOST_SIZE))
    refuse('jumpCharacter', 'speed', speed, `above 0, at most ${MOST_SIZE}`);
  const slot = findCharacter(set, id, 'jumpCharacter');
  if (slot < 0 || set.crowd.agents.state[slot] !== STATE_GROUND) return false;
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_JUMP;
  set.fallVelocity[slot] = speed;
  return true;
}

/**
 * Throws a character with a velocity (x, y, z). It flies over ledges and gaps until it reaches walkable surface.
 * Without an upward part it lands immediately. Navigation meshes have no walls in the air, so the caller must ensure
 * that the trajectory is free. Its goal is kept.
 *
 * @param velocity world units per second
 * @returns false when the set has no such character
 */
export function pushCharacter(set: CharacterSet, id: AgentId, velocity: PointLike): boolean {
  checkRecord('pushCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  readKept(vector, velocity, 'pushCharacter', 'velocity');
  const slot = findCharacter(set, id, 'pushCharacter');
  if (slot < 0) return false;
  const { agents } = set.crowd;
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_FREE;
  agents.velocity[2 * slot] = vector[0];
  agents.velocity[2 * slot + 1] = vector[2];
  set.fallVelocity[slot] = vector[1];
  return true;
}

/**
 * Moves a character to another position immediately. It stands when there is walkable surface within the mesh's
 * `maxClimb`; otherwise it falls from there. Its goal is kept, with a new path.
 *
 * @param position of the feet, world units
 * @returns false when the set has no such character
 */
export function teleportCharacter(set: CharacterSet, id: AgentId, position: PointLike): boolean {
  checkRecord('teleportCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  readKept(vector, position, 'teleportCharacter', 'position');
  const slot = findCharacter(set, id, 'teleportCharacter');
  if (slot < 0) return false;
  const { crowd } = set;
  const { agents } = crowd;
  const floor = findStand(set, vector, crowd.filters[agents.filter[slot]]);
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
    agents.position.set(vector, 3 * slot);
  }
  agents.previous.set(agents.position.subarray(3 * slot, 3 * slot + 3), 3 * slot);
  return true;
}

/**
 * Turns a character to face a point, seen from above, and keeps it facing there while it stands or walks. The dead zone
 * of walking applies: the character starts to turn when the angle exceeds `deadZoneDegrees`, and turns until it is
 * aligned. With `deadZoneDegrees: 0` it faces the point exactly. `turnCharacterToMovement` ends it.
 *
 * @returns false when the set has no such character
 */
export function turnCharacterTo(set: CharacterSet, id: AgentId, point: PointLike): boolean {
  checkRecord('turnCharacterTo', 'set', set, 'smoothVelocity', 'a CharacterSet');
  readKept(vector, point, 'turnCharacterTo', 'point');
  const slot = findCharacter(set, id, 'turnCharacterTo');
  if (slot < 0) return false;
  set.facePoint.set(vector, 3 * slot);
  // A turn towards the movement ends here. A turn towards the previous point continues to this point.
  if ((set.marks[slot] & MARK_FACES_POINT) === 0) set.marks[slot] &= ~MARK_TURNING;
  set.marks[slot] |= MARK_FACES_POINT;
  return true;
}

/**
 * Turns a character to its direction of movement, when the angle exceeds its dead zone. This is the default.
 *
 * @returns false when the set has no such character
 */
export function turnCharacterToMovement(set: CharacterSet, id: AgentId): boolean {
  checkRecord('turnCharacterToMovement', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, id, 'turnCharacterToMovement');
  if (slot < 0) return false;
  set.marks[slot] &= ~(MARK_FACES_POINT | MARK_TURNING);
  return true;
}
