/**
 * Step: locates targets and sends their followers after them.
 *
 * The surface under a target is looked up once per tick for all followers, and only when the target has moved or the
 * mesh has changed. For a character as a target, its own polygon is used. While a target is in the air or off the mesh,
 * its followers head for its last position on the surface. Targets have priority over other characters. A removed
 * target stops its followers with the event 'target-lost'. A target that was never on the surface is 'unreachable' and
 * is retried when it moves.
 *
 * In: targets and characters after the last tick. Out: goals and priorities of agents, events.
 * Cost: a floor query per moved target, a comparison per follower. The crowd searches at most once per second
 * and follower, and only when the end of the path cannot be moved (agents/crowd/search/aim.ts). No allocation.
 * Based on: own.
 */
import { aimAtPoint, stopAgent } from '../../crowd/orders/orders.ts';
import { pursue } from '../../crowd/orders/pursue.ts';
import { STATE_GROUND, STATE_LINK, STATUS_GAVE_UP } from '../../crowd/state/types.ts';
import { MOST_SIZE } from '../../crowd/state/limits.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import { polyIndexOf, refOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { noteCharacter } from '../body/events.ts';
import { characterSlotOf, isCharacter } from '../body/characters.ts';
import { MARK_UNREACHABLE } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from '../body/ground-below.ts';
import { forgetTarget, targetRowOf } from './targets.ts';
import { TARGET_CHARACTER, TARGET_FREE } from '../types/targets.ts';
import type { Targets } from '../types/targets.ts';

/** Seconds after which a follower that gave up retries. */
const RETRY_SECONDS = 5;

const point = new Float64Array(3);
const range = new Float64Array(3);
const floor = createFloorHit();

/** Step: locates targets and updates the goals of followers. Runs before the crowd's tick. */
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
    const isRetry = agents.status[slot] === STATUS_GAVE_UP && crowd.tick >= set.againTick[slot];
    if (set.isAiming[slot] === 1 && !isRetry) {
      pursue(crowd, slot, targets.groundPoly[row], point, distance);
      continue;
    }
    set.isAiming[slot] = 1;
    agents.arriveDistance[slot] = distance;
    aimAtPoint(crowd, slot, targets.groundPoly[row], point);
  }
}

/** Returns the distance at which a follower stops. */
function distanceOf(set: CharacterSet, targets: Targets, slot: number, row: number): number {
  const { agents } = set.crowd;
  if (set.targetDistance[slot] >= 0) return set.targetDistance[slot];
  if (targets.kind[row] !== TARGET_CHARACTER) return set.arriveDistance[slot];
  const other = characterSlotOf(set, targets.character[row] as AgentId);
  return Math.min(1.5 * agents.radius[slot] + (other < 0 ? 0 : agents.radius[other]), MOST_SIZE);
}

/** Schedules the retry of a follower that gave up. @internal */
export function noteGaveUp(set: CharacterSet, slot: number): void {
  set.againTick[slot] = set.crowd.tick + Math.round(RETRY_SECONDS / set.crowd.stepSeconds);
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
    const isFound = locateOnMesh(set, targets, row);
    targets.isAirborne[row] = isFound ? 0 : 1;
    if (isFound || targets.groundPoly[row] >= 0) continue;
    // The polygon below its last position was also removed, so look for a replacement there.
    for (let k = 0; k < 3; k++) point[k] = targets.ground[3 * row + k];
    if (targets.groundRef[row] !== 0) locateOnMesh(set, targets, row);
  }
}

/** Sets the target's surface position to the floor at `point`. Returns false when there is no floor. */
function locateOnMesh(set: CharacterSet, targets: Targets, row: number): boolean {
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
  // Without priority, the target would have to push through the followers in front of it.
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
