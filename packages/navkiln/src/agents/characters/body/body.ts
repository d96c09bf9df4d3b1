/**
 * Step: updates the parts of a character that an application draws. Smooths the feet over steps, turns the facing,
 * smooths the speed fraction, and reports walls and the world's edge.
 *
 * Feet: a tick's change of height beyond what the steepest slope explains is a step. The drawn feet keep that
 * difference and let it decay; on slopes they are exactly on the ground. Facing: the character starts to turn when the
 * angle to the wanted direction leaves the dead zone, and turns until it is aligned. The remaining angle decays
 * exponentially, with the same result for any tick length, within the turning speed limit. This step does not move
 * characters.
 *
 * In: the set after its characters have moved. Out: offsets, facing, speed fractions, marks and events of the
 * set.
 * Cost: about 60 floating-point operations per character; the angle's series for turning characters. No
 * allocation.
 * Based on: own; the dead zone is common in character controllers.
 */
import { MAX_WALLS, STATE_AIR, STATE_GROUND, STATE_LINK } from '../../crowd/state/types.ts';
import { atan2Degrees } from '../../../base/math/angle.ts';
import { decay } from '../../../base/math/decay.ts';
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import { noteCharacter } from './events.ts';
import { isCharacter } from './characters.ts';
import { maxRise } from './ground-slope.ts';
import { MARK_FACES_POINT, MARK_GROUNDED, MARK_OUTSIDE, MARK_TURNING, MARK_WALL } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';

/** Share of the walking speed below which a velocity has no direction to face. */
const FACING_SHARE = 0.25;
/** Remaining angle at which a turn ends, in degrees. */
const ALIGNED_DEGREES = 0.25;
/**
 * Rate at which the wanted facing follows the velocity, 1 / seconds. Brief sidesteps do not turn a character.
 */
const GAZE_RATE = 4;
/** Rate at which the speed fraction follows the speed, 1 / seconds. */
const SPEED_RATE = 10;
/** Distances from a wall at which a contact begins and ends, in radii. */
const TOUCH_RADII = 0.1;
const RELEASE_RADII = 0.25;
/** Minimum cosine of the angle between the desired velocity and a wall's inward normal that counts as pushing. */
const INTO = 0.3;
/** Share of the desired speed below which a pushing character is blocked by the wall. */
const PRESSED = 0.6;
/** Duration before a contact is reported, seconds, so that brushed corners are not reported. */
const PRESSED_SECONDS = 0.1;
/** Layout of `agents.walls`: ax, az, bx, bz per wall. */
const WALL_STRIDE = 4;

/** Step: updates the drawn state of each character. Runs after characters have moved. */
export function showBodies(set: CharacterSet): void {
  const { crowd, marks, bounds, smoothVelocity } = set;
  const { agents, mesh, stepSeconds } = crowd;
  const { state, position, previous } = agents;
  const { maxSlopeDegrees, maxClimb } = mesh.agent;
  const rise = maxRise(maxSlopeDegrees);
  const speedShare = 1 - decay(SPEED_RATE * stepSeconds);
  const gazeShare = 1 - decay(GAZE_RATE * stepSeconds);
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot)) continue;
    const at = 3 * slot;
    const isGround = state[slot] === STATE_GROUND;
    const dx = position[at] - previous[at];
    const dz = position[at + 2] - previous[at + 2];
    const distance = Math.sqrt(dx * dx + dz * dz);
    set.previousOffset[slot] = set.stepOffset[slot];
    if (isGround && (marks[slot] & MARK_GROUNDED) !== 0) {
      smoothStep(set, slot, rise * Math.min(distance, 2 * set.runSpeed[slot] * stepSeconds), maxClimb);
    } else {
      set.stepOffset[slot] = 0;
    }
    marks[slot] = isGround ? marks[slot] | MARK_GROUNDED : marks[slot] & ~MARK_GROUNDED;

    const { velocity } = agents;
    smoothVelocity[2 * slot] += (velocity[2 * slot] - smoothVelocity[2 * slot]) * gazeShare;
    smoothVelocity[2 * slot + 1] += (velocity[2 * slot + 1] - smoothVelocity[2 * slot + 1]) * gazeShare;
    turn(set, slot);
    const speed =
      state[slot] === STATE_LINK
        ? distance / stepSeconds
        : Math.sqrt(velocity[2 * slot] * velocity[2 * slot] + velocity[2 * slot + 1] * velocity[2 * slot + 1]);
    const share = set.runSpeed[slot] > 0 ? Math.min(1, speed / set.runSpeed[slot]) : 0;
    set.previousSpeedFraction[slot] = set.speedFraction[slot];
    set.speedFraction[slot] += (share - set.speedFraction[slot]) * speedShare;

    if (isGround) touchWalls(set, slot);
    const isOutside =
      position[at] < bounds[0] ||
      position[at] > bounds[3] ||
      position[at + 2] < bounds[2] ||
      position[at + 2] > bounds[5];
    if (isOutside && (marks[slot] & MARK_OUTSIDE) === 0) noteCharacter(set, 'world-edge', slot, 0);
    marks[slot] = isOutside ? marks[slot] | MARK_OUTSIDE : marks[slot] & ~MARK_OUTSIDE;
  }
}

/**
 * Adds the part of a tick's height change that is a step to the offset of the feet, and lets the offset
 * decay.
 */
function smoothStep(set: CharacterSet, slot: number, explained: number, maxClimb: number): void {
  const { stepOffset } = set;
  const { position, previous } = set.crowd.agents;
  const rise = position[3 * slot + 1] - previous[3 * slot + 1];
  const excess = rise > explained ? rise - explained : rise < -explained ? rise + explained : 0;
  if (excess > 1.5 * maxClimb || excess < -1.5 * maxClimb) {
    // Too high for a step: the character was teleported.
    stepOffset[slot] = 0;
    return;
  }
  let offset = stepOffset[slot] - excess;
  if (offset === 0) return;
  offset *= decay(set.stepRate[slot] * set.crowd.stepSeconds);
  offset = offset > maxClimb ? maxClimb : offset < -maxClimb ? -maxClimb : offset;
  stepOffset[slot] = offset < 1e-4 * maxClimb && offset > -1e-4 * maxClimb ? 0 : offset;
}

function turn(set: CharacterSet, slot: number): void {
  const { facing, previousFacing, marks, crowd } = set;
  const { agents } = crowd;
  const at = 2 * slot;
  const hx = facing[at];
  const hz = facing[at + 1];
  previousFacing[at] = hx;
  previousFacing[at + 1] = hz;
  let x = 0;
  let z = 0;
  if ((marks[slot] & MARK_FACES_POINT) !== 0) {
    x = set.facePoint[3 * slot] - agents.position[3 * slot];
    z = set.facePoint[3 * slot + 2] - agents.position[3 * slot + 2];
    const near = 1e-3 * agents.radius[slot];
    if (x * x + z * z < near * near) x = z = 0;
  } else if (agents.state[slot] === STATE_LINK) {
    x = agents.heading[at];
    z = agents.heading[at + 1];
  } else if (agents.state[slot] !== STATE_AIR) {
    x = set.smoothVelocity[at];
    z = set.smoothVelocity[at + 1];
    const least = FACING_SHARE * set.walkSpeed[slot];
    if (x * x + z * z < least * least) x = z = 0;
  }
  if (x === 0 && z === 0) return;
  // The signed angle from its facing, positive from +z towards +x (a rotation about +y).
  const cross = hz * x - hx * z;
  const dot = hx * x + hz * z;
  const angle = atan2Degrees(cross, dot);
  const size = angle < 0 ? -angle : angle;
  if ((marks[slot] & MARK_TURNING) === 0) {
    if (size <= set.deadZoneDegrees[slot]) return;
    marks[slot] |= MARK_TURNING;
  }
  const { stepSeconds } = crowd;
  const most = set.maxTurnDegrees[slot] * stepSeconds;
  let step = size * (1 - decay(set.turnRate[slot] * stepSeconds));
  if (size - step <= ALIGNED_DEGREES) step = size;
  if (step > most) step = most;
  if (step === size) {
    const length = Math.sqrt(x * x + z * z);
    facing[at] = x / length;
    facing[at + 1] = z / length;
    marks[slot] &= ~MARK_TURNING;
    return;
  }
  const cos = cosDegrees(step);
  const sin = angle < 0 ? -sinDegrees(step) : sinDegrees(step);
  const fx = hx * cos + hz * sin;
  const fz = hz * cos - hx * sin;
  const length = Math.sqrt(fx * fx + fz * fz);
  facing[at] = fx / length;
  facing[at + 1] = fz / length;
}

/** Reports a character that is pressed against a wall, once per contact. */
function touchWalls(set: CharacterSet, slot: number): void {
  const { crowd, marks } = set;
  const { position, walls, wallCount, desired, velocity, radius } = crowd.agents;
  const wantX = desired[2 * slot];
  const wantZ = desired[2 * slot + 1];
  const want = Math.sqrt(wantX * wantX + wantZ * wantZ);
  const isReported = (marks[slot] & MARK_WALL) !== 0;
  if (want < 0.1 * set.walkSpeed[slot]) {
    marks[slot] &= ~MARK_WALL;
    set.wallTicks[slot] = 0;
    return;
  }
  const along = velocity[2 * slot] * wantX + velocity[2 * slot + 1] * wantZ;
  const isHeld = along < PRESSED * want * want;
  const reach = (isReported ? RELEASE_RADII : TOUCH_RADII) * radius[slot];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  let isPressed = false;
  const first = WALL_STRIDE * MAX_WALLS * slot;
  for (let w = first; w < first + WALL_STRIDE * wallCount[slot] && !isPressed; w += WALL_STRIDE) {
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    const lengthSq = ux * ux + uz * uz;
    if (lengthSq === 0) continue;
    const px = x - walls[w];
    const pz = z - walls[w + 1];
    let t = (px * ux + pz * uz) / lengthSq;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const qx = px - t * ux;
    const qz = pz - t * uz;
    if (qx * qx + qz * qz > reach * reach) continue;
    // The walkable side is to the left of a wall, so the sign tells whether the desired velocity points into the wall.
    const into = (wantZ * ux - wantX * uz) / (Math.sqrt(lengthSq) * want);
    isPressed = into > INTO;
  }
  set.wallTicks[slot] = isPressed && isHeld && !isReported ? set.wallTicks[slot] + 1 : 0;
  if (set.wallTicks[slot] * crowd.stepSeconds >= PRESSED_SECONDS) {
    set.wallTicks[slot] = 0;
    marks[slot] |= MARK_WALL;
    noteCharacter(set, 'wall', slot, 0);
  } else if (!isPressed) {
    marks[slot] &= ~MARK_WALL;
  }
}
