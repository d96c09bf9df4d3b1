/**
 * Adds, moves, removes and reads targets, and makes characters follow them. See targets/follow.ts for a tick.
 *
 * Based on: own.
 */
import { MOST_SIZE, readKept } from '../../crowd/state/limits.ts';
import { stopAgent } from '../../crowd/orders/orders.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import { checkSource, drawInto } from '../../../base/data/random.ts';
import type { RandomSource } from '../../../base/data/random.ts';
import { checkHandle, checkKeys, checkMutable, checkRecord, refuse } from '../../../base/data/refuse.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { findCharacter } from '../body/characters.ts';
import { MARK_UNREACHABLE } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { TARGET_CHARACTER, TARGET_FREE, TARGET_POINT, TARGET_ROWS } from '../types/targets.ts';
import type { TargetId, Targets } from '../types/targets.ts';

/** Options of `followTarget`. */
export interface FollowTargetOptions {
  /**
   * Distance at which the follower stops, seen from above; world units. Default: the character's
   * `arriveDistance` for a position, both radii plus half the follower's radius for another character.
   */
  distance?: number;
}

/** A copy of one target's state. */
export interface TargetInfo {
  id: TargetId;
  /** Position of the target or of its character, world units. */
  position: [number, number, number];
  /**
   * Goal of the followers: the surface under the target, or under its last position on the mesh. Null until there was
   * one.
   */
  ground: [number, number, number] | null;
  isAirborne: boolean;
  /** The character that the target is attached to; 0 for a position. */
  character: AgentId | 0;
}

const point = new Float64Array(3);
const drawn = new Float64Array(1);

const SOURCE_KEYS: readonly string[] = ['character'];
const FOLLOW_KEYS: readonly string[] = ['distance'];
/** Creates an empty record of targets for a set of characters. A second call returns the same record. */
export function createTargets(set: CharacterSet): Targets {
  checkRecord('createTargets', 'set', set, 'smoothVelocity', 'a CharacterSet');
  set.targets ??= noTargets();
  return set.targets;
}

/** Returns a record without targets. @internal */
export function noTargets(): Targets {
  return {
    rowCount: 0,
    count: 0,
    kind: new Uint8Array(16),
    generation: new Uint32Array(16),
    position: new Float64Array(48),
    character: new Float64Array(16),
    ground: new Float64Array(48),
    groundPoly: new Int32Array(16),
    groundRef: new Float64Array(16),
    isAirborne: new Uint8Array(16),
    isStale: new Uint8Array(16),
    revision: -1,
  };
}

/** Throws a TypeError unless `targets` are those of `createTargets`, and can change. */
function checkTargets(caller: string, targets: Targets): void {
  checkRecord(caller, 'targets', targets, 'groundRef', 'the Targets of createTargets');
  checkMutable(caller, 'targets', targets);
}

/**
 * Adds a target at a position, or one that moves with a character. Followers go to the surface under it, which is at
 * most the mesh's agent height below, or slightly to the side.
 *
 * @param source a position in world units, or { character: id }
 * @returns the target's id; 0 for the null character. A stale character id gives a target that the next tick
 *   removes.
 * @throws RangeError, TypeError for other values
 */
export function addTarget(targets: Targets, source: PointLike | { readonly character: AgentId }): TargetId {
  checkTargets('addTarget', targets);
  if (typeof source === 'object' && source !== null && 'character' in source) {
    checkKeys('addTarget', source, SOURCE_KEYS, 'source');
    checkHandle('addTarget', 'source.character', source.character);
    if (!(source.character > 0)) return 0 as TargetId;
    const row = takeRow(targets);
    targets.kind[row] = TARGET_CHARACTER;
    targets.character[row] = source.character;
    return idOf(targets, row);
  }
  readKept(point, source, 'addTarget', 'source');
  const row = takeRow(targets);
  targets.kind[row] = TARGET_POINT;
  targets.character[row] = 0;
  targets.position.set(point, 3 * row);
  return idOf(targets, row);
}

/**
 * Moves a target that is a position. The distance is not limited.
 *
 * @returns false when there is no such target
 * @throws RangeError for a target that is attached to a character
 */
export function setTargetPosition(targets: Targets, id: TargetId, position: PointLike): boolean {
  checkTargets('setTargetPosition', targets);
  readKept(point, position, 'setTargetPosition', 'position');
  const row = findTarget(targets, id, 'setTargetPosition');
  if (row < 0) return false;
  if (targets.kind[row] === TARGET_CHARACTER) {
    refuse('setTargetPosition', 'id', id, 'a target at a position; this one is attached to a character');
  }
  const { position: positions } = targets;
  for (let k = 0; k < 3; k++) {
    if (positions[3 * row + k] !== point[k]) targets.isStale[row] = 1;
    positions[3 * row + k] = point[k];
  }
  return true;
}

/**
 * Removes a target. Its followers stop with the event 'target-lost'. Returns false when there is no such
 * target.
 */
export function removeTarget(targets: Targets, id: TargetId): boolean {
  checkTargets('removeTarget', targets);
  const row = findTarget(targets, id, 'removeTarget');
  if (row < 0) return false;
  targets.kind[row] = TARGET_FREE;
  targets.count--;
  return true;
}

/** Returns the ids of all targets in the order of their rows. */
export function listTargets(targets: Targets): TargetId[] {
  checkTargets('listTargets', targets);
  const ids: TargetId[] = [];
  for (let row = 0; row < targets.rowCount; row++) if (targets.kind[row] !== TARGET_FREE) ids.push(idOf(targets, row));
  return ids;
}

/** Returns a copy of a target's state after the last tick, or null when there is no such target. */
export function getTarget(targets: Targets, id: TargetId): TargetInfo | null {
  checkTargets('getTarget', targets);
  const row = findTarget(targets, id, 'getTarget');
  if (row < 0) return null;
  const { position, ground } = targets;
  const at = 3 * row;
  return {
    id,
    position: [position[at], position[at + 1], position[at + 2]],
    isAirborne: targets.isAirborne[row] === 1,
    ground: targets.groundPoly[row] < 0 ? null : [ground[at], ground[at + 1], ground[at + 2]],
    character: targets.character[row] as AgentId | 0,
  };
}

/**
 * Picks one of the targets other than `except` with equal probability.
 *
 * @param random from `createRandom`
 * @returns its id; 0 when there is none
 */
export function pickRandomTarget(targets: Targets, random: RandomSource, except: TargetId | 0 = 0): TargetId | 0 {
  if (except !== undefined) checkHandle('pickRandomTarget', 'except', except);
  checkSource('pickRandomTarget', random);
  checkTargets('pickRandomTarget', targets);
  const left = except !== 0 && targetRowOf(targets, except) >= 0 ? targets.count - 1 : targets.count;
  if (left === 0) return 0;
  drawInto(drawn, random, 1);
  let number = Math.floor(drawn[0] * left);
  for (let row = 0; row < targets.rowCount; row++) {
    if (targets.kind[row] === TARGET_FREE || idOf(targets, row) === except) continue;
    if (number-- === 0) return idOf(targets, row);
  }
  return 0;
}

/**
 * Makes a character follow a target until `clearTarget` or until the target is removed. The end of the path moves with
 * the target. A search runs only when that is not enough, at most once per second. Give the character no other orders
 * (`moveAgentTo`, `followAgent`, …) in the meantime.
 *
 * @returns false when there is no such character or target
 * @throws RangeError, TypeError for unknown or invalid options, and for a character that would follow itself
 */
export function followTarget(
  set: CharacterSet,
  character: AgentId,
  target: TargetId,
  options: FollowTargetOptions = {},
): boolean {
  checkRecord('followTarget', 'set', set, 'smoothVelocity', 'a CharacterSet');
  checkKeys('followTarget', options, FOLLOW_KEYS);
  checkHandle('followTarget', 'target', target);
  const { distance = -1 } = options;
  if (options.distance !== undefined && !(typeof distance === 'number' && distance >= 0 && distance <= MOST_SIZE)) {
    refuse('followTarget', 'options.distance', distance, `0 .. ${MOST_SIZE}`);
  }
  const slot = findCharacter(set, character, 'followTarget', 'character');
  const { targets } = set;
  const row = targets === null ? -1 : targetRowOf(targets, target);
  if (slot < 0 || targets === null || row < 0) return false;
  if (targets.character[row] === character) {
    refuse('followTarget', 'target', target, 'another target; a character cannot follow itself');
  }
  if (set.targetId[slot] === 0) set.arriveDistance[slot] = set.crowd.agents.arriveDistance[slot];
  if (set.targetId[slot] !== target) {
    set.isAiming[slot] = 0;
    set.marks[slot] &= ~MARK_UNREACHABLE;
  }
  set.targetId[slot] = target;
  set.targetDistance[slot] = distance;
  return true;
}

/**
 * Stops a character's pursuit of its target. Returns false when there is no such character, or it follows no
 * target.
 */
export function clearTarget(set: CharacterSet, character: AgentId): boolean {
  checkRecord('clearTarget', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, character, 'clearTarget', 'character');
  if (slot < 0 || set.targetId[slot] === 0) return false;
  forgetTarget(set, slot);
  stopAgent(set.crowd, character);
  return true;
}

/** Ends a pursuit without stopping the agent. @internal */
export function forgetTarget(set: CharacterSet, slot: number): void {
  set.targetId[slot] = 0;
  set.isAiming[slot] = 0;
  set.marks[slot] &= ~MARK_UNREACHABLE;
  set.crowd.agents.arriveDistance[slot] = set.arriveDistance[slot];
}

/** Returns the target that a character follows; 0 when it follows none or there is no such character. */
export function getTargetOf(set: CharacterSet, character: AgentId): TargetId | 0 {
  checkRecord('getTargetOf', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, character, 'getTargetOf', 'character');
  return slot < 0 ? 0 : (set.targetId[slot] as TargetId);
}

/**
 * Returns the row of a target for a public function, or -1. Throws a TypeError when the id is not a number.
 */
function findTarget(targets: Targets, id: TargetId, caller: string): number {
  checkHandle(caller, 'id', id);
  return targetRowOf(targets, id);
}

/** Returns the row of a target, or -1. @internal */
export function targetRowOf(targets: Targets, id: number): number {
  const row = id % TARGET_ROWS;
  const isThere = id > 0 && row < targets.rowCount && targets.kind[row] !== TARGET_FREE;
  return isThere && targets.generation[row] === (id - row) / TARGET_ROWS ? row : -1;
}

function idOf(targets: Targets, row: number): TargetId {
  return (targets.generation[row] * TARGET_ROWS + row) as TargetId;
}

function takeRow(targets: Targets): number {
  let row = targets.count === targets.rowCount ? targets.rowCount : targets.kind.indexOf(TARGET_FREE);
  if (row >= targets.rowCount) {
    row = targets.rowCount++;
    if (row === targets.kind.length) grow(targets, 2 * row);
  }
  targets.count++;
  targets.generation[row]++;
  targets.groundPoly[row] = -1;
  targets.groundRef[row] = 0;
  targets.isStale[row] = 1;
  targets.isAirborne[row] = 0;
  return row;
}

/** Grows targets to a number of rows, unless they already have space for it. @internal */
export function reserveTargetRows(targets: Targets, rows: number): void {
  if (rows > targets.kind.length) grow(targets, rows);
}

function grow(targets: Targets, rows: number): void {
  if (rows > TARGET_ROWS) refuse('addTarget', 'the number of targets', rows, `at most ${TARGET_ROWS}; remove some`);
  const longer = <T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(old: T, length: number): T => {
    const array = new (old.constructor as new (length: number) => T)(length);
    array.set(old);
    return array;
  };
  targets.kind = longer(targets.kind, rows);
  targets.generation = longer(targets.generation, rows);
  targets.position = longer(targets.position, 3 * rows);
  targets.character = longer(targets.character, rows);
  targets.ground = longer(targets.ground, 3 * rows);
  targets.groundPoly = longer(targets.groundPoly, rows);
  targets.groundRef = longer(targets.groundRef, rows);
  targets.isAirborne = longer(targets.isAirborne, rows);
  targets.isStale = longer(targets.isStale, rows);
}
