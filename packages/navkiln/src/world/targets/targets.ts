/**
 * Targets come, move, jump and go; characters are told to follow them. What a tick makes of it is in target-follow.ts.
 * Based on: own.
 */
import { stopAgent } from '../../crowd/orders/orders.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import { drawInto } from '../../data/random.ts';
import type { RandomSource } from '../../data/random.ts';
import { refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { characterSlotOf } from '../characters/characters.ts';
import { MARK_UNREACHABLE } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { TARGET_CHARACTER, TARGET_FREE, TARGET_POINT, TARGET_ROWS } from '../types/targets.ts';
import type { TargetId, Targets } from '../types/targets.ts';

export interface FollowTargetOptions {
  /**
   * How near to come, seen from above; world units. Default: of a place the character's `arriveDistance`, of another character
   * both radii and a half of the follower's.
   */
  distance?: number;
}

/** One target, as it is now: a copy. */
export interface TargetInfo {
  id: TargetId;
  /** Where it was put, or where the character is. */
  position: [number, number, number];
  /** The ground that followers go to: under it, or under where it last was on ground. Null: it never was on any. */
  ground: [number, number, number] | null;
  isAirborne: boolean;
  /** 0: a place. */
  character: AgentId | 0;
}

const place = new Float64Array(3);
const drawn = new Float64Array(1);

/** Gives a set of characters targets, at first none. A second call returns the same. */
export function createTargets(set: CharacterSet): Targets {
  set.targets ??= {
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
  return set.targets;
}

/**
 * A target at a point, or one that is wherever a character is (give its id as { character }). Followers go to the ground under
 * it: at most the mesh's agent height below, or a little beside. Throws for what is neither.
 */
export function addTarget(targets: Targets, source: PointLike | { readonly character: AgentId }): TargetId {
  if (typeof source === 'object' && source !== null && 'character' in source) {
    if (!(source.character > 0))
      refuse('addTarget', 'source.character', source.character, 'an id that addCharacter returned');
    const row = takeRow(targets);
    targets.kind[row] = TARGET_CHARACTER;
    targets.character[row] = source.character;
    return idOf(targets, row);
  }
  readPoint(place, source, 'addTarget', 'source');
  const row = takeRow(targets);
  targets.kind[row] = TARGET_POINT;
  targets.character[row] = 0;
  targets.position.set(place, 3 * row);
  return idOf(targets, row);
}

/** Moves a target that is a place, as far as it likes. False: there is no such target. Throws for one that is a character. */
export function setTargetPosition(targets: Targets, id: TargetId, point: PointLike): boolean {
  readPoint(place, point, 'setTargetPosition', 'point');
  const row = targetRowOf(targets, id);
  if (row < 0) return false;
  if (targets.kind[row] === TARGET_CHARACTER) {
    throw new RangeError(`setTargetPosition: target ${id} is a character; move that, or add a target at a point`);
  }
  const { position } = targets;
  for (let k = 0; k < 3; k++) {
    if (position[3 * row + k] !== place[k]) targets.isStale[row] = 1;
    position[3 * row + k] = place[k];
  }
  return true;
}

/** Takes a target out: who follows it stops, with the event 'target-lost'. False: there was none. */
export function removeTarget(targets: Targets, id: TargetId): boolean {
  const row = targetRowOf(targets, id);
  if (row < 0) return false;
  targets.kind[row] = TARGET_FREE;
  targets.count--;
  return true;
}

/** Ids of all targets, in the order of their rows. */
export function listTargets(targets: Targets): TargetId[] {
  const ids: TargetId[] = [];
  for (let row = 0; row < targets.rowCount; row++) if (targets.kind[row] !== TARGET_FREE) ids.push(idOf(targets, row));
  return ids;
}

/** A target as the last tick found it, or null when it was removed. */
export function getTarget(targets: Targets, id: TargetId): TargetInfo | null {
  const row = targetRowOf(targets, id);
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

/** One of the targets, each as likely, other than `except`; 0: there is none. `random`: see `createRandom`. */
export function pickRandomTarget(targets: Targets, random: RandomSource, except: TargetId | 0 = 0): TargetId | 0 {
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
 * Sends a character after a target, until `clearTarget`, or until the target is removed. Its way is kept as long as it leads
 * there: the end moves with the target, and a search is made only when that is not enough, at most one a second. In the
 * meantime give it no other orders (moveTo, follow, …). False: there is no such character or target. Throws for a distance that
 * makes no sense, and for a character that is to follow itself.
 */
export function followTarget(
  set: CharacterSet,
  character: AgentId,
  target: TargetId,
  options: FollowTargetOptions = {},
): boolean {
  const { distance = -1 } = options;
  if (options.distance !== undefined && !(distance >= 0 && distance < Infinity)) {
    refuse('followTarget', 'distance', distance, 'a finite length from 0 on');
  }
  const slot = characterSlotOf(set, character);
  const row = set.targets === null ? -1 : targetRowOf(set.targets, target);
  if (slot < 0 || row < 0) return false;
  if (set.targets!.character[row] === character) {
    throw new RangeError('followTarget: a character cannot follow itself; give another target');
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

/** It follows its target no more, and stands. False: there is no such character, or it follows none. */
export function clearTarget(set: CharacterSet, character: AgentId): boolean {
  const slot = characterSlotOf(set, character);
  if (slot < 0 || set.targetId[slot] === 0) return false;
  forgetTarget(set, slot);
  stopAgent(set.crowd, character);
  return true;
}

/** @internal */
export function forgetTarget(set: CharacterSet, slot: number): void {
  set.targetId[slot] = 0;
  set.isAiming[slot] = 0;
  set.marks[slot] &= ~MARK_UNREACHABLE;
  set.crowd.agents.arriveDistance[slot] = set.arriveDistance[slot];
}

/** What a character follows; 0: nothing. */
export function getTargetOf(set: CharacterSet, character: AgentId): TargetId | 0 {
  const slot = characterSlotOf(set, character);
  return slot < 0 ? 0 : (set.targetId[slot] as TargetId);
}

/** The row of a target, or -1. @internal */
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

function grow(targets: Targets, rows: number): void {
  if (rows > TARGET_ROWS) throw new RangeError(`addTarget: there are ${targets.count} targets; remove some first`);
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
