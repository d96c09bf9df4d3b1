/**
 * Step: characters off the ground. Gravity, ceilings, landing on the floor below, falling out of the world.
 *
 * Heights go by the trapezoid of old and new velocity, which for constant gravity is exact; a tick's way down is swept, so that
 * no floor is passed however fast it goes. One that jumps stays over the ground of the mesh, held by walls, and lands on the
 * ground it is over, so it never comes to another storey; one that is pushed or falls goes where its velocity takes it and
 * lands on the highest floor between where it was and where it would be. Floors above never count, but for the head: it stops
 * there.
 *
 * Cost: one look at the floors below a tick for each that is up. No allocation.
 * Based on: own.
 */
import { landAgent, liftAgent, slideUnder } from '../../crowd/air.ts';
import { STATE_AIR, STATE_GROUND, STATE_LOST } from '../../crowd/state/types.ts';
import { removeAgent } from '../../crowd/orders/agents.ts';
import { cosDegrees, sinDegrees } from '../../math/degrees.ts';
import { polyIndexOf } from '../../navmesh/ref.ts';
import type { PolyRef } from '../../navmesh/types.ts';
import { createNearestHit, findNearestInto } from '../../query/nearest/nearest.ts';
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
import type { AgentId, CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from './ground-below.ts';

const point = new Float64Array(3);
const range = new Float64Array(3);
const floor = createFloorHit();
const hit = createNearestHit();
const everywhere = new Float64Array(3).fill(Infinity);

/** Before a tick: the mesh has changed, and who stands on what is gone falls, unless there is ground within a step. */
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

/** Stands on the ground within a step, or falls. */
function settle(set: CharacterSet, slot: number): void {
  const { crowd } = set;
  const { agents } = crowd;
  for (let k = 0; k < 3; k++) point[k] = agents.position[3 * slot + k];
  const stand = findStand(set, point, crowd.filters[agents.filter[slot]]);
  liftAgent(crowd, slot);
  // What the path began on is gone.
  agents.poly[slot] = -1;
  if (stand !== null) {
    landAgent(crowd, slot, stand.poly, stand.point);
    set.isAiming[slot] = 0;
    return;
  }
  beginFall(set, slot);
}

/** It falls from where it is, with the velocity it has. @internal */
export function beginFall(set: CharacterSet, slot: number): void {
  liftAgent(set.crowd, slot);
  set.mode[slot] = MODE_FREE;
  set.fallVelocity[slot] = 0;
  noteCharacter(set, 'fell', slot, 0);
}

/** Step: who is up. After the crowd's tick. */
export function fly(set: CharacterSet): void {
  const { crowd } = set;
  const { agents } = crowd;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (!isCharacter(set, slot)) continue;
    const state = agents.state[slot];
    if (state === STATE_LOST) beginFall(set, slot);
    else if (state !== STATE_AIR) {
      // Also one that was put on ground by others (teleport).
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
  const old = position[at + 1];
  const before = fallVelocity[slot];
  const after = Math.max(before - set.gravity[slot] * stepSeconds, Math.min(before, -set.terminalSpeed[slot]));
  fallVelocity[slot] = after;
  const dx = velocity[2 * slot] * stepSeconds;
  const dz = velocity[2 * slot + 1] * stepSeconds;
  let y = old + ((before + after) / 2) * stepSeconds;
  point[0] = position[at] + dx;
  point[1] = old;
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
      if (y > old) y = underCeiling(set, slot, old, y);
      if (y <= under[1]) {
        y = under[1];
        if (fallVelocity[slot] <= 0) {
          floor.poly = agents.poly[slot];
          floor.point.set(under);
          land(set, slot);
          return;
        }
      }
      place(set, slot, y);
      return;
    }
  }
  if (y > old) y = underCeiling(set, slot, old, y);
  // Ground that rises as steeply as ground may is not passed by going into it.
  const { maxSlopeDegrees } = mesh.agent;
  const climb = maxSlopeDegrees < 89 ? sinDegrees(maxSlopeDegrees) / cosDegrees(maxSlopeDegrees) : 60;
  range[0] = y;
  range[1] = old + climb * Math.sqrt(dx * dx + dz * dz);
  range[2] = fallVelocity[slot] < 0 ? mesh.agent.radius + mesh.cellSize : 0;
  // On its way up, too: the floor it comes from is below `y` by then.
  if (y <= range[1] && findFloorInto(floor, mesh, point, range, filter)) {
    land(set, slot);
    return;
  }
  place(set, slot, y);
  checkDepth(set, slot);
}

/** Puts a character that is up at `point`, so high. */
function place(set: CharacterSet, slot: number, y: number): void {
  const { position } = set.crowd.agents;
  position[3 * slot] = point[0];
  position[3 * slot + 1] = y;
  position[3 * slot + 2] = point[2];
}

/** How high the feet get before the head is at a floor above. */
function underCeiling(set: CharacterSet, slot: number, old: number, y: number): number {
  const { crowd, fallVelocity } = set;
  const { agents, mesh } = crowd;
  const height = agents.height[slot];
  // The lowest of the floors passed by the head is looked for from above downwards: few, and rare.
  let top = y;
  for (let round = 0; round < 8; round++) {
    range[0] = old + height;
    range[1] = top + height;
    range[2] = 0;
    if (!findFloorInto(floor, mesh, point, range, crowd.filters[agents.filter[slot]])) break;
    fallVelocity[slot] = 0;
    const under = floor.point[1] - height - 2e-3 * mesh.agent.maxClimb;
    if (under <= old) return old;
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

/** Has it fallen out of the world? */
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
    // In the air where it first was: it falls from there. Without any ground it comes back each time it has fallen.
    for (let k = 0; k < 3; k++) agents.position[3 * slot + k] = set.spawn[3 * slot + k];
  }
  for (let k = 0; k < 3; k++) agents.previous[3 * slot + k] = agents.position[3 * slot + k];
  noteCharacter(set, 'respawned', slot, 0);
}
