/**
 * Adds, removes, changes and reads characters. See agents/characters/types/characters.ts for the record and
 * agents/characters/advance.ts for a tick.
 *
 * Based on: own.
 */
import { addAgent, getAgent, removeAgent, setAgentOptions } from '../../crowd/orders/agents.ts';
import type { AgentInfo } from '../../crowd/orders/agents.ts';
import { liftAgent } from '../../crowd/air.ts';
import { agentOptionsOf, dropReplaced } from '../../crowd/state/options.ts';
import { agentIdOf, agentSlotOf } from '../../crowd/state/ids.ts';
import { readKept } from '../../crowd/state/limits.ts';
import { STATE_AIR, STATE_FREE, STATE_GROUND } from '../../crowd/state/types.ts';
import type { AgentId, Crowd } from '../../crowd/state/types.ts';
import { checkHandle, checkKeys, checkObject, checkRecord, refuse } from '../../../base/data/refuse.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { NULL_REF, polyIndexOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { createNearestHit, findNearestInto } from '../../../query/nearest/nearest.ts';
import { createCharacterEvents } from './events.ts';
import { CHARACTER_KEYS, readDirection, resolveCharacter } from './options.ts';
import type { CharacterOptions, CharactersOptions, ResolvedCharacter } from './options.ts';
import { MARK_RUNS, MODE_FREE, MODE_GROUND, MODE_JUMP } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from './ground-below.ts';
import type { FloorHit } from './ground-below.ts';
import { groundNeighborsOf, slopeDegreesAt } from './ground-slope.ts';
import { checkCrowd } from '../../crowd/state/check-crowd.ts';

/** Where a character is: on the ground, on a link, or in the air by a jump or a fall. */
export type CharacterPlace = 'ground' | 'link' | 'jumping' | 'falling';

/** A copy of one character's state after the last tick. */
export interface CharacterInfo extends AgentInfo {
  /** Drawn position of the feet: the position with the smoothed height of recent steps. World units. */
  feet: [number, number, number];
  /** Facing, a unit vector (x, z). */
  facing: [number, number];
  /** Smoothed speed as a share of running speed, 0 .. 1, for blending animations. */
  speedFraction: number;
  standing: CharacterPlace;
  isRunning: boolean;
  /** The polygon under its feet; `NULL_REF` in the air and on links. */
  groundRef: PolyRef;
  /** Slope of the ground under its feet in degrees; 0 in the air and on links. */
  slopeDegrees: number;
  /** Polygons that can be entered from `groundRef`. */
  groundNeighbors: PolyRef[];
}

const point = new Float64Array(3);
const range = new Float64Array(3);
const SET_KEYS: readonly (keyof CharactersOptions)[] = ['bounds', 'fallLimit'];
const BOUNDS_KEYS: readonly string[] = ['min', 'max'];
const everywhere = new Float64Array(3).fill(Infinity);
const floor = createFloorHit();
const hit = createNearestHit();

/**
 * Creates an empty set of characters for a crowd. Agents of the crowd that are not characters are not
 * affected.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function createCharacters(crowd: Crowd, options: CharactersOptions = {}): CharacterSet {
  checkCrowd('createCharacters', crowd);
  checkKeys('createCharacters', options, SET_KEYS);
  const { bounds, fallLimit = 50 } = options;
  if (typeof fallLimit !== 'number' || !(fallLimit >= 0))
    refuse('createCharacters', 'options.fallLimit', fallLimit, 'a length >= 0');
  const count = crowd.maxAgents;
  const one = (): Float64Array => new Float64Array(count);
  const two = (): Float64Array => new Float64Array(2 * count);
  const three = (): Float64Array => new Float64Array(3 * count);
  const set: CharacterSet = {
    crowd,
    id: one(),
    mode: new Uint8Array(count),
    marks: new Uint8Array(count),
    respawn: new Uint8Array(count),
    spawn: three(),
    lastGround: three(),
    walkSpeed: one(),
    runSpeed: one(),
    acceleration: one(),
    deceleration: one(),
    gravity: one(),
    terminalSpeed: one(),
    fallVelocity: one(),
    stepOffset: one(),
    previousOffset: one(),
    stepRate: one(),
    facing: two(),
    previousFacing: two(),
    smoothVelocity: two(),
    facePoint: three(),
    deadZoneDegrees: one(),
    turnRate: one(),
    maxTurnDegrees: one(),
    wallTicks: new Uint16Array(count),
    speedFraction: one(),
    previousSpeedFraction: one(),
    priority: one(),
    targetId: one(),
    targetDistance: one(),
    arriveDistance: one(),
    isAiming: new Uint8Array(count),
    againTick: new Int32Array(count),
    targets: null,
    events: createCharacterEvents(),
    bounds: new Float64Array(6),
    hasBounds: bounds !== undefined,
    boundsRevision: -1,
    fallLimit,
    groundRevision: crowd.mesh.revision,
    time: new Float64Array(1),
  };
  if (bounds !== undefined) {
    checkKeys('createCharacters', bounds, BOUNDS_KEYS, 'options.bounds');
    readKept(point, bounds.min, 'createCharacters', 'options.bounds.min');
    set.bounds.set(point, 0);
    readKept(point, bounds.max, 'createCharacters', 'options.bounds.max');
    set.bounds.set(point, 3);
    for (let k = 0; k < 3; k++) {
      if (set.bounds[k] <= set.bounds[3 + k]) continue;
      refuse('createCharacters', 'options.bounds.min', [...set.bounds.subarray(0, 3)], 'at most bounds.max');
    }
  }
  return set;
}

/**
 * Adds a character with its feet at a position. It stands when there is walkable surface within the mesh's `maxClimb`
 * above or below; otherwise it falls from there.
 *
 * @param position world units
 * @returns the character's id, which is its agent's id; 0 when the crowd is full or the mesh has no walkable
 *   surface
 * @throws RangeError, TypeError for an invalid position and for unknown or invalid options
 */
export function addCharacter(set: CharacterSet, position: PointLike, options: CharacterOptions = {}): AgentId {
  checkRecord('addCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  readKept(point, position, 'addCharacter', 'position');
  const { crowd } = set;
  const resolved = resolveCharacter(crowd, options, 'addCharacter');
  const facing = readDirection(options.facing ?? [0, 1], 'addCharacter', 'options.facing');
  const filter = crowd.filters[resolved.filter];
  const start = point.slice();
  const isOnGround = findStand(set, start, filter) !== null;
  if (!isOnGround) {
    findNearestInto(hit, crowd.mesh, start, everywhere, filter);
    if (hit.poly < 0) return 0 as AgentId;
  }
  const id = addAgent(crowd, isOnGround ? floor.point : hit.point, resolved.agent);
  if (id === 0) return id;
  const slot = agentSlotOf(crowd, id);
  clearRow(set, slot);
  set.id[slot] = id;
  writeOptions(set, slot, resolved);
  set.facing.set(facing, 2 * slot);
  set.previousFacing.set(facing, 2 * slot);
  if (isOnGround) {
    set.lastGround.set(floor.point, 3 * slot);
  } else {
    set.lastGround.set(hit.point, 3 * slot);
    liftAgent(crowd, slot);
    set.mode[slot] = MODE_FREE;
    crowd.agents.position.set(start, 3 * slot);
    crowd.agents.previous.set(start, 3 * slot);
  }
  set.spawn.set(isOnGround ? floor.point : start, 3 * slot);
  return id;
}

/**
 * Returns the floor within `maxClimb` of a point, or null. The nearest floor below has priority over floors above. The
 * next call overwrites the result. @internal
 */
export function findStand(set: CharacterSet, point: Float64Array, filter: QueryFilter): FloorHit | null {
  const { mesh } = set.crowd;
  range[0] = point[1] - mesh.agent.maxClimb;
  range[1] = point[1] + 1e-6 * mesh.agent.height;
  range[2] = mesh.agent.radius + mesh.cellSize;
  if (findFloorInto(floor, mesh, point, range, filter)) return floor;
  range[1] = point[1] + mesh.agent.maxClimb;
  return findFloorInto(floor, mesh, point, range, filter) ? floor : null;
}

/**
 * Changes options of a character. Options that are absent keep their value; `facing` is ignored.
 *
 * @returns false when the set has no such character
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function setCharacterOptions(set: CharacterSet, id: AgentId, options: CharacterOptions): boolean {
  checkRecord('setCharacterOptions', 'set', set, 'smoothVelocity', 'a CharacterSet');
  checkObject('setCharacterOptions', 'options', options);
  checkKeys('setCharacterOptions', options, CHARACTER_KEYS);
  const slot = findCharacter(set, id, 'setCharacterOptions');
  if (slot < 0) return false;
  const { agents } = set.crowd;
  const { filter, size, type } = agentOptionsOf(set.crowd, slot);
  const present: CharacterOptions = { filter, size, type };
  dropReplaced(present, options);
  const known: CharacterOptions = {
    radius: agents.radius[slot],
    height: agents.height[slot],
    priority: set.priority[slot],
    horizon: agents.horizon[slot],
    avoidance: (['none', 'orca', 'sampled'] as const)[agents.avoidance[slot]],
    layers: agents.layers[slot],
    mask: agents.mask[slot],
    ...present,
    arriveDistance: set.targetId[slot] !== 0 ? set.arriveDistance[slot] : agents.ownArriveDistance[slot],
    walkSpeed: set.walkSpeed[slot],
    runSpeed: set.runSpeed[slot],
    acceleration: set.acceleration[slot],
    deceleration: set.deceleration[slot],
    gravity: set.gravity[slot],
    terminalSpeed: set.terminalSpeed[slot],
    stepRate: set.stepRate[slot],
    deadZoneDegrees: set.deadZoneDegrees[slot],
    turnRate: set.turnRate[slot],
    maxTurnDegrees: set.maxTurnDegrees[slot],
    respawn: (['nearest', 'spawn', 'remove', 'none'] as const)[set.respawn[slot]],
    isRunning: (set.marks[slot] & MARK_RUNS) !== 0,
  };
  const resolved = resolveCharacter(set.crowd, { ...known, ...options }, 'setCharacterOptions');
  setAgentOptions(set.crowd, id, resolved.agent);
  set.arriveDistance[slot] = agents.ownArriveDistance[slot];
  writeOptions(set, slot, resolved);
  return true;
}

/**
 * Removes a character and its agent. Its id stays invalid.
 *
 * @returns false when the set has no such character
 */
export function removeCharacter(set: CharacterSet, id: AgentId): boolean {
  checkRecord('removeCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, id, 'removeCharacter');
  if (slot < 0) return false;
  set.id[slot] = 0;
  return removeAgent(set.crowd, id);
}

/** Returns the ids of all characters in the order of their slots. */
export function listCharacters(set: CharacterSet): AgentId[] {
  checkRecord('listCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const ids: AgentId[] = [];
  for (let slot = 0; slot < set.crowd.slotCount; slot++) if (isCharacter(set, slot)) ids.push(set.id[slot] as AgentId);
  return ids;
}

/** Returns a copy of a character's state, or null when the set has no such character. */
export function getCharacter(set: CharacterSet, id: AgentId): CharacterInfo | null {
  checkRecord('getCharacter', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const slot = findCharacter(set, id, 'getCharacter');
  const agent = slot < 0 ? null : getAgent(set.crowd, id);
  if (agent === null) return null;
  const { agents, mesh } = set.crowd;
  const [x, y, z] = agent.position;
  point.set(agent.position);
  const isUp = agents.state[slot] === STATE_AIR;
  // The ref is used, because tiles may have changed since the last tick.
  const poly = agents.state[slot] === STATE_GROUND ? polyIndexOf(mesh, agent.ref) : -1;
  return {
    ...agent,
    feet: [x, y + set.stepOffset[slot], z],
    velocity: isUp ? [agent.velocity[0], set.fallVelocity[slot], agent.velocity[2]] : agent.velocity,
    facing: [set.facing[2 * slot], set.facing[2 * slot + 1]],
    speedFraction: set.speedFraction[slot],
    standing: isUp
      ? set.mode[slot] === MODE_JUMP
        ? 'jumping'
        : 'falling'
      : agent.place === 'link'
        ? 'link'
        : 'ground',
    isRunning: (set.marks[slot] & MARK_RUNS) !== 0,
    groundRef: poly >= 0 ? agent.ref : NULL_REF,
    slopeDegrees: poly >= 0 ? slopeDegreesAt(mesh, poly, point) : 0,
    groundNeighbors: poly >= 0 ? groundNeighborsOf(mesh, poly) : [],
  };
}

/**
 * Returns the slot of a character for a public function, or -1. Throws a TypeError when the id is not a
 * number. @internal
 */
export function findCharacter(set: CharacterSet, id: AgentId, caller: string, path: string = 'id'): number {
  checkHandle(caller, path, id);
  return characterSlotOf(set, id);
}

/** Returns the slot of a character, or -1. @internal */
export function characterSlotOf(set: CharacterSet, id: AgentId): number {
  const slot = agentSlotOf(set.crowd, id);
  return slot >= 0 && set.id[slot] === id ? slot : -1;
}

/** Returns whether a slot holds a character whose agent still exists. @internal */
export function isCharacter(set: CharacterSet, slot: number): boolean {
  return (
    set.id[slot] !== 0 && set.crowd.agents.state[slot] !== STATE_FREE && agentIdOf(set.crowd, slot) === set.id[slot]
  );
}

function clearRow(set: CharacterSet, slot: number): void {
  set.mode[slot] = MODE_GROUND;
  set.marks[slot] = 0;
  set.fallVelocity[slot] = 0;
  set.smoothVelocity.fill(0, 2 * slot, 2 * slot + 2);
  set.stepOffset[slot] = set.previousOffset[slot] = 0;
  set.speedFraction[slot] = set.previousSpeedFraction[slot] = 0;
  set.targetId[slot] = 0;
  set.isAiming[slot] = 0;
  set.againTick[slot] = 0;
  set.wallTicks[slot] = 0;
}

function writeOptions(set: CharacterSet, slot: number, resolved: ResolvedCharacter): void {
  set.priority[slot] = set.crowd.agents.priority[slot];
  set.walkSpeed[slot] = resolved.walkSpeed;
  set.runSpeed[slot] = resolved.runSpeed;
  set.acceleration[slot] = resolved.acceleration;
  set.deceleration[slot] = resolved.deceleration;
  set.gravity[slot] = resolved.gravity;
  set.terminalSpeed[slot] = resolved.terminalSpeed;
  set.stepRate[slot] = resolved.stepRate;
  set.deadZoneDegrees[slot] = resolved.deadZoneDegrees;
  set.turnRate[slot] = resolved.turnRate;
  set.maxTurnDegrees[slot] = resolved.maxTurnDegrees;
  set.respawn[slot] = resolved.respawn;
  set.marks[slot] = resolved.isRunning ? set.marks[slot] | MARK_RUNS : set.marks[slot] & ~MARK_RUNS;
}
