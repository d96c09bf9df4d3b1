/**
 * Step: characters off the ground. Applies gravity and ceilings, lands characters, and handles falls out of
 * the world.
 *
 * Heights follow the trapezoidal rule over old and new velocity, which is exact for constant gravity. The vertical
 * movement of a tick is swept, so that a fast character cannot pass through a floor. A jumping character stays above
 * the walkable surface, held by its walls, and lands on the polygon below, so that it never changes the storey. A
 * thrown or falling character moves with its velocity and lands on the highest floor between its old and new height.
 * Floors above it only stop the head.
 *
 * In: the set after the crowd's step. Out: positions, modes and events of characters in the air.
 * Cost: one floor query per tick and character in the air. No allocation.
 * Based on: own.
 */
import { landAgent, liftAgent, slideUnder } from '../../crowd/air.ts';
import { STATE_AIR, STATE_GROUND, STATE_LOST } from '../../crowd/state/types.ts';
import { removeAgent } from '../../crowd/orders/agents.ts';
import { MOST_SIZE } from '../../crowd/state/limits.ts';
import { polyIndexOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { createNearestHit, findNearestInto } from '../../../query/nearest/nearest.ts';
import { noteCharacter } from './events.ts';
import { findStand, isCharacter } from './characters.ts';
import {
  MARK_BELOW,
  MARK_OUTSIDE,
  MARK_WALL,
  MODE_FREE,
  MODE_GROUND,
  MODE_JUMP,
  RESPAWN_NEAREST,
  RESPAWN_NONE,
  RESPAWN_REMOVE,
} from '../types/characters.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import type { CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from './ground-below.ts';
import { maxRise } from './ground-slope.ts';

const point = new Float64Array(3);
const range = new Float64Array(3);
const floor = createFloorHit();
const hit = createNearestHit();
const everywhere = new Float64Array(3).fill(Infinity);

/** Step: after a change of the mesh, lands characters on removed polygons within `maxClimb`, or makes them fall. */
export function followGround(set: CharacterSet): void {
  const { crowd } = set;
  const { mesh, agents } = crowd;
  if (set.groundRevision === mesh.revision) return;
  set.groundRevision = mesh.revision;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot) || agents.state[slot] !== STATE_GROUND) continue;
    if (polyIndexOf(mesh, agents.polyRef[slot] as PolyRef) >= 0) continue;
    settle(set, slot);
  }
}

/** Puts a character on walkable surface within `maxClimb`, or makes it fall. */
function settle(set: CharacterSet, slot: number): void {
  const { crowd } = set;
  const { agents } = crowd;
  for (let k = 0; k < 3; k++) point[k] = agents.position[3 * slot + k];
  const stand = findStand(set, point, crowd.filters[agents.filter[slot]]);
  liftAgent(crowd, slot);
  // The first polygon of its path was removed.
  agents.poly[slot] = -1;
  if (stand !== null) {
    landAgent(crowd, slot, stand.poly, stand.point);
    set.isAiming[slot] = 0;
    return;
  }
  beginFall(set, slot);
}

/** Makes a character fall from its position. @internal */
export function beginFall(set: CharacterSet, slot: number): void {
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_FREE;
  set.fallVelocity[slot] = 0;
  noteCharacter(set, 'fell', slot, 0);
}

/** Step: moves characters in the air. Runs after the crowd's step. */
export function fly(set: CharacterSet): void {
  const { crowd } = set;
  const { agents } = crowd;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot)) continue;
    const state = agents.state[slot];
    if (state === STATE_LOST) beginFall(set, slot);
    else if (state !== STATE_AIR) {
      // This also applies after `teleportAgent` placed it on the mesh.
      set.mode[slot] = MODE_GROUND;
      set.fallVelocity[slot] = 0;
      if (state === STATE_GROUND)
        for (let k = 0; k < 3; k++) set.lastGround[3 * slot + k] = agents.position[3 * slot + k];
      continue;
    }
    move(set, slot);
  }
}

function move(set: CharacterSet, slot: number): void {
  const { crowd, fallVelocity } = set;
  const { agents, mesh, stepSeconds } = crowd;
  const { position, velocity } = agents;
  const at = 3 * slot;
  const oldY = position[at + 1];
  const before = fallVelocity[slot];
  const after = Math.max(before - set.gravity[slot] * stepSeconds, Math.min(before, -set.terminalSpeed[slot]));
  fallVelocity[slot] = after;
  const dx = velocity[2 * slot] * stepSeconds;
  const dz = velocity[2 * slot + 1] * stepSeconds;
  let y = oldY + ((before + after) / 2) * stepSeconds;
  point[0] = position[at] + dx;
  point[1] = oldY;
  point[2] = position[at + 2] + dz;
  const filter = crowd.filters[agents.filter[slot]];
  if (set.mode[slot] === MODE_JUMP) {
    slideUnder(crowd, slot, point);
    if (agents.poly[slot] < 0 || crowd.corridors[slot].revision !== mesh.revision) {
      set.mode[slot] = MODE_FREE;
    } else {
      const under = crowd.corridors[slot].position;
      point[0] = under[0];
      point[2] = under[2];
      velocity[2 * slot] = (under[0] - position[at]) / stepSeconds;
      velocity[2 * slot + 1] = (under[2] - position[at + 2]) / stepSeconds;
      if (y > oldY) y = heightBelowCeiling(set, slot, oldY, y);
      if (y <= under[1]) {
        y = under[1];
        if (fallVelocity[slot] <= 0) {
          floor.poly = agents.poly[slot];
          floor.point.set(under);
          land(set, slot);
          return;
        }
      }
      writePosition(set, slot, y);
      return;
    }
  }
  if (y > oldY) y = heightBelowCeiling(set, slot, oldY, y);
  // Rising ground must stop the fall: a tick's horizontal movement can pass below a slope.
  const { maxSlopeDegrees } = mesh.agent;
  range[0] = y;
  range[1] = oldY + maxRise(maxSlopeDegrees) * Math.sqrt(dx * dx + dz * dz);
  range[2] = fallVelocity[slot] < 0 ? mesh.agent.radius + mesh.cellSize : 0;
  // While the character rises, y is above the floor that it comes from.
  if (y <= range[1] && findFloorInto(floor, mesh, point, range, filter)) {
    land(set, slot);
    return;
  }
  writePosition(set, slot, y);
  checkDepth(set, slot);
}

/**
 * Writes the position of a character in the air: `point` at height y. An endless fall or flight stops at `MOST_SIZE`.
 */
function writePosition(set: CharacterSet, slot: number, y: number): void {
  const { position } = set.crowd.agents;
  point[1] = y;
  for (let k = 0; k < 3; k++) position[3 * slot + k] = Math.min(Math.max(point[k], -MOST_SIZE), MOST_SIZE);
}

/** Returns the height that the feet reach before the head touches a floor above. */
function heightBelowCeiling(set: CharacterSet, slot: number, oldY: number, y: number): number {
  const { crowd, fallVelocity } = set;
  const { agents, mesh } = crowd;
  const height = agents.height[slot];
  // Finds the lowest floor that the head passes, from the top down. There are only a few.
  let top = y;
  for (let round = 0; round < 8; round++) {
    range[0] = oldY + height;
    range[1] = top + height;
    range[2] = 0;
    if (!findFloorInto(floor, mesh, point, range, crowd.filters[agents.filter[slot]])) break;
    fallVelocity[slot] = 0;
    const under = floor.point[1] - height - 2e-3 * mesh.agent.maxClimb;
    if (under <= oldY) return oldY;
    top = under;
  }
  return top;
}

function land(set: CharacterSet, slot: number): void {
  const { crowd } = set;
  const speed = set.fallVelocity[slot] < 0 ? -set.fallVelocity[slot] : 0;
  landAgent(crowd, slot, floor.poly, floor.point);
  set.mode[slot] = MODE_GROUND;
  set.fallVelocity[slot] = 0;
  set.isAiming[slot] = 0;
  set.marks[slot] &= ~MARK_BELOW;
  for (let k = 0; k < 3; k++) set.lastGround[3 * slot + k] = crowd.agents.position[3 * slot + k];
  noteCharacter(set, 'landed', slot, speed);
}

/** Reports a fall out of the world and applies the respawn policy. */
function checkDepth(set: CharacterSet, slot: number): void {
  const { crowd } = set;
  const { agents } = crowd;
  if (agents.position[3 * slot + 1] >= set.bounds[1] - set.fallLimit || (set.marks[slot] & MARK_BELOW) !== 0) return;
  set.marks[slot] |= MARK_BELOW;
  noteCharacter(set, 'out-of-world', slot, 0);
  const policy = set.respawn[slot];
  if (policy === RESPAWN_NONE) return;
  if (policy === RESPAWN_REMOVE) {
    noteCharacter(set, 'removed', slot, 0);
    const id = set.id[slot] as AgentId;
    set.id[slot] = 0;
    removeAgent(crowd, id);
    return;
  }
  respawn(set, slot, policy === RESPAWN_NEAREST ? set.lastGround : set.spawn);
}

function respawn(set: CharacterSet, slot: number, from: Float64Array): void {
  const { crowd } = set;
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) point[k] = from[3 * slot + k];
  set.fallVelocity[slot] = 0;
  agents.velocity[2 * slot] = 0;
  agents.velocity[2 * slot + 1] = 0;
  set.marks[slot] &= ~(MARK_BELOW | MARK_OUTSIDE | MARK_WALL);
  set.stepOffset[slot] = set.previousOffset[slot] = 0;
  const isSpawn = from === set.spawn;
  findNearestInto(hit, mesh, point, everywhere, crowd.filters[agents.filter[slot]]);
  const height = mesh.agent.maxClimb;
  const dx = hit.point[0] - point[0];
  const dz = hit.point[2] - point[2];
  const isThere =
    hit.poly >= 0 && (!isSpawn || (dx * dx + dz * dz < 1e-12 && Math.abs(hit.point[1] - point[1]) <= height));
  if (isThere) {
    agents.poly[slot] = -1;
    landAgent(crowd, slot, hit.poly, hit.point);
    set.mode[slot] = MODE_GROUND;
    set.isAiming[slot] = 0;
  } else {
    // The first position was in the air, so the character falls from there. Without ground below it respawns
    // forever.
    for (let k = 0; k < 3; k++) agents.position[3 * slot + k] = set.spawn[3 * slot + k];
  }
  for (let k = 0; k < 3; k++) agents.previous[3 * slot + k] = agents.position[3 * slot + k];
  noteCharacter(set, 'respawned', slot, 0);
}
