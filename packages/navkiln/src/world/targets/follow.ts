/**
 * Step: where targets are, and who goes after them.
 *
 * The ground under a target is looked up once a tick for all that follow it, and only when it has moved or the mesh has
 * changed; that of a character is the polygon it stands on. A target in the air, or on ground there is none of, leaves its
 * followers the way to where it was on ground last. Who is a target has the right of way. One that has gone stops them, with an
 * event; one that never was on ground is 'unreachable', and is tried again as it moves.
 *
 * Cost: a look-up for each target that moved, a comparison for each follower. Searches are the crowd's: at most one a second
 * for a follower, and only when the end of its path cannot follow (crowd/goals.ts). No allocation. Based on: own.
 */
import { aimAtPoint, stopAgent } from '../../crowd/orders/orders.ts';
import { pursue } from '../../crowd/orders/pursue.ts';
import { STATE_GROUND, STATE_LINK, STATUS_GAVE_UP } from '../../crowd/state/types.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import { polyIndexOf, refOf } from '../../navmesh/ref.ts';
import type { PolyRef } from '../../navmesh/types.ts';
import { noteCharacter } from '../characters/events.ts';
import { characterSlotOf, isCharacter } from '../characters/characters.ts';
import { MARK_UNREACHABLE } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from '../characters/ground-below.ts';
import { forgetTarget, targetRowOf } from './targets.ts';
import { TARGET_CHARACTER, TARGET_FREE } from '../types/targets.ts';
import type { Targets } from '../types/targets.ts';

/** Seconds after which a follower that gave up tries again. */
const AGAIN_SECONDS = 5;

const point = new Float64Array(3);
const range = new Float64Array(3);
const floor = createFloorHit();

/** Step: before the crowd's tick. */
export function followTargets(set: CharacterSet): void {
  const { targets, crowd } = set;
  if (targets === null) return;
  const { agents } = crowd;
  for (let slot = 0; slot < crowd.slotCount; slot++)
    if (isCharacter(set, slot)) agents.priority[slot] = set.priority[slot];
  locateTargets(set, targets);
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (set.targetId[slot] === 0 || !isCharacter(set, slot)) continue;
    const row = targetRowOf(targets, set.targetId[slot]);
    if (row < 0) {
      forgetTarget(set, slot);
      stopAgent(crowd, set.id[slot] as AgentId);
      noteCharacter(set, 'target-lost', slot, 0);
      continue;
    }
    if (targets.groundPoly[row] < 0) {
      if ((set.marks[slot] & MARK_UNREACHABLE) !== 0) continue;
      set.marks[slot] |= MARK_UNREACHABLE;
      noteCharacter(set, 'unreachable', slot, 0);
      continue;
    }
    if (agents.state[slot] !== STATE_GROUND) continue;
    for (let k = 0; k < 3; k++) point[k] = targets.ground[3 * row + k];
    const distance = distanceOf(set, targets, slot, row);
    const isAgain = agents.status[slot] === STATUS_GAVE_UP && crowd.tick >= set.againTick[slot];
    if (set.isAiming[slot] === 1 && !isAgain) {
      pursue(crowd, slot, targets.groundPoly[row], point, distance);
      continue;
    }
    set.isAiming[slot] = 1;
    agents.arriveDistance[slot] = distance;
    aimAtPoint(crowd, slot, targets.groundPoly[row], point);
  }
}

/** How near to come. */
function distanceOf(set: CharacterSet, targets: Targets, slot: number, row: number): number {
  const { agents } = set.crowd;
  if (set.targetDistance[slot] >= 0) return set.targetDistance[slot];
  if (targets.kind[row] !== TARGET_CHARACTER) return set.arriveDistance[slot];
  const other = characterSlotOf(set, targets.character[row] as AgentId);
  return 1.5 * agents.radius[slot] + (other < 0 ? 0 : agents.radius[other]);
}

/** One that follows gave up: it tries again after a while. @internal */
export function noteGaveUp(set: CharacterSet, slot: number): void {
  set.againTick[slot] = set.crowd.tick + Math.round(AGAIN_SECONDS / set.crowd.stepSeconds);
}

function locateTargets(set: CharacterSet, targets: Targets): void {
  const { mesh } = set.crowd;
  const hasChanged = targets.revision !== mesh.revision;
  targets.revision = mesh.revision;
  for (let row = 0; row < targets.rowCount; row++) {
    if (targets.kind[row] === TARGET_FREE) continue;
    if (hasChanged && targets.groundPoly[row] >= 0) {
      targets.groundPoly[row] = polyIndexOf(mesh, targets.groundRef[row] as PolyRef);
    }
    if (targets.kind[row] === TARGET_CHARACTER) {
      locateCharacter(set, targets, row);
      continue;
    }
    if (!hasChanged && targets.isStale[row] === 0) continue;
    targets.isStale[row] = 0;
    for (let k = 0; k < 3; k++) point[k] = targets.position[3 * row + k];
    const isFound = look(set, targets, row);
    targets.isAirborne[row] = isFound ? 0 : 1;
    if (isFound || targets.groundPoly[row] >= 0) continue;
    // The ground it last was on is gone, too: what is there now?
    for (let k = 0; k < 3; k++) point[k] = targets.ground[3 * row + k];
    if (targets.groundRef[row] !== 0) look(set, targets, row);
  }
}

/** Takes the floor at `point`, if there is one, for the target's ground. */
function look(set: CharacterSet, targets: Targets, row: number): boolean {
  const { mesh, filters } = set.crowd;
  const { radius, height, maxClimb } = mesh.agent;
  range[0] = point[1] - height;
  range[1] = point[1] + maxClimb;
  range[2] = Math.max(2 * radius + 2 * mesh.cellSize, 0.1 * height);
  if (!findFloorInto(floor, mesh, point, range, filters[0])) return false;
  targets.groundPoly[row] = floor.poly;
  targets.groundRef[row] = refOf(mesh, floor.poly);
  for (let k = 0; k < 3; k++) targets.ground[3 * row + k] = floor.point[k];
  return true;
}

function locateCharacter(set: CharacterSet, targets: Targets, row: number): void {
  const { agents } = set.crowd;
  const other = characterSlotOf(set, targets.character[row] as AgentId);
  if (other < 0) {
    targets.kind[row] = TARGET_FREE;
    targets.count--;
    return;
  }
  // Else those who come after it stand in its way, and it would have to push through them.
  agents.priority[other] = 1;
  const state = agents.state[other];
  for (let k = 0; k < 3; k++) targets.position[3 * row + k] = agents.position[3 * other + k];
  targets.isAirborne[row] = state === STATE_GROUND || state === STATE_LINK ? 0 : 1;
  if (state !== STATE_GROUND || agents.poly[other] < 0) return;
  const poly = polyIndexOf(set.crowd.mesh, agents.polyRef[other] as PolyRef);
  if (poly < 0) return;
  targets.groundPoly[row] = poly;
  targets.groundRef[row] = agents.polyRef[other];
  for (let k = 0; k < 3; k++) targets.ground[3 * row + k] = agents.position[3 * other + k];
}
