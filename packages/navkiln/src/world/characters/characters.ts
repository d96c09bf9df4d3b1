/**
 * Characters come and go, and are looked at. See character-types.ts for the record, character-advance.ts for a tick.
 * Based on: own.
 */
import { addAgent, getAgent, removeAgent, setAgentOptions } from '../../crowd/orders/agents.ts';
import type { AgentInfo } from '../../crowd/orders/agents.ts';
import { liftAgent } from '../../crowd/air.ts';
import { agentIdOf, agentSlotOf } from '../../crowd/state/ids.ts';
import { STATE_AIR, STATE_FREE, STATE_GROUND } from '../../crowd/state/types.ts';
import type { AgentId, Crowd } from '../../crowd/state/types.ts';
import { refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { NULL_REF } from '../../navmesh/ref.ts';
import type { PolyRef } from '../../navmesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { createNearestHit, findNearestInto } from '../../query/nearest/nearest.ts';
import { createCharacterEvents } from './events.ts';
import { readDirection, resolveCharacter } from './options.ts';
import type { CharacterOptions, CharactersOptions, ResolvedCharacter } from './options.ts';
import { MARK_RUNS, MARK_TURNING, MODE_FREE, MODE_GROUND, MODE_JUMP } from '../types/characters.ts';
import type { CharacterSet } from '../types/characters.ts';
import { createFloorHit, findFloorInto } from './ground-below.ts';
import type { FloorHit } from './ground-below.ts';
import { groundNeighborsOf, slopeDegreesAt } from './ground-slope.ts';

/** How it is on, or off, the ground. */
export type CharacterPlace = 'ground' | 'link' | 'jumping' | 'falling';

/** One character, as it is after the last tick: a copy. */
export interface CharacterInfo extends AgentInfo {
  /** The feet: the position, and what is left of the height of steps just taken. */
  feet: [number, number, number];
  /** Where it faces, unit vector in the plane (x, z). */
  facing: [number, number];
  /** Speed as a share of running speed, 0 .. 1, smoothed: for blending animations. */
  speedFraction: number;
  standing: CharacterPlace;
  isRunning: boolean;
  /** The polygon under its feet; `NULL_REF` in the air. */
  groundRef: PolyRef;
  /** Of the ground under its feet; 0 in the air. */
  slopeDegrees: number;
  /** Polygons one can walk to from `groundRef`. */
  groundNeighbors: PolyRef[];
}

const place = new Float64Array(3);
const range = new Float64Array(3);
const everywhere = new Float64Array(3).fill(Infinity);
const floor = createFloorHit();
const hit = createNearestHit();

/** An empty set of characters over a crowd. Agents of the crowd that are no characters are left alone. Throws for bad options. */
export function createCharacters(crowd: Crowd, options: CharactersOptions = {}): CharacterSet {
  for (const key of Object.keys(options)) {
    if (key !== 'bounds' && key !== 'fallLimit') {
      throw new RangeError(`createCharacters: there is no option '${key}'; there are bounds, fallLimit`);
    }
  }
  const { bounds, fallLimit = 50 } = options;
  if (!(fallLimit >= 0)) refuse('createCharacters', 'fallLimit', fallLimit, 'a length from 0 on');
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
    readPoint(place, bounds.min, 'createCharacters', 'bounds.min');
    set.bounds.set(place, 0);
    readPoint(place, bounds.max, 'createCharacters', 'bounds.max');
    set.bounds.set(place, 3);
    for (let k = 0; k < 3; k++) {
      if (set.bounds[k] <= set.bounds[3 + k]) continue;
      refuse('createCharacters', 'bounds.min', [...set.bounds.subarray(0, 3)], 'one below max');
    }
  }
  return set;
}

/**
 * Adds a character where its feet are. It stands when there is ground at most a step (the mesh's maxClimb) below or above, else
 * it falls from there onto what is below. Its id is that of its agent; 0: the crowd is full or the mesh has no ground at all.
 * Throws for what is no point and for options that make no sense.
 */
export function addCharacter(set: CharacterSet, position: PointLike, options: CharacterOptions = {}): AgentId {
  readPoint(place, position, 'addCharacter', 'position');
  const { crowd } = set;
  const resolved = resolveCharacter(crowd.mesh, options, 'addCharacter');
  const filter = crowd.filters[resolved.agent.filter ?? 0] ?? crowd.filters[0];
  const start = place.slice();
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
  const [x, z] = options.facing ?? [0, 1];
  readDirection(set.facing, 2 * slot, x, z, 'addCharacter', 'facing');
  set.previousFacing.set(set.facing.subarray(2 * slot, 2 * slot + 2), 2 * slot);
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

/** The floor within a step of a place: the nearest below, else one above; null: none. Overwritten by the next. @internal */
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
 * Changes options of a character; those not named stay, `facing` is left as it is. False: there is no such character. Throws as
 * `addCharacter`.
 */
export function setCharacterOptions(set: CharacterSet, id: AgentId, options: CharacterOptions): boolean {
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  const { agents, mesh } = set.crowd;
  const known: CharacterOptions = {
    radius: agents.radius[slot],
    height: agents.height[slot],
    priority: set.priority[slot],
    horizon: agents.horizon[slot],
    avoidance: (['none', 'orca', 'sampled'] as const)[agents.avoidance[slot]],
    layers: agents.layers[slot],
    mask: agents.mask[slot],
    filter: agents.filter[slot],
    arriveDistance: set.targetId[slot] !== 0 ? set.arriveDistance[slot] : agents.arriveDistance[slot],
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
  const resolved = resolveCharacter(mesh, { ...known, ...options }, 'setCharacterOptions');
  setAgentOptions(set.crowd, id, resolved.agent);
  set.arriveDistance[slot] = agents.arriveDistance[slot];
  writeOptions(set, slot, resolved);
  return true;
}

/** Takes a character out, and its agent. Its id names none from now on. False: there was none. */
export function removeCharacter(set: CharacterSet, id: AgentId): boolean {
  const slot = characterSlotOf(set, id);
  if (slot < 0) return false;
  set.id[slot] = 0;
  return removeAgent(set.crowd, id);
}

/** Is this the id of a character of this set? */
export function hasCharacter(set: CharacterSet, id: AgentId): boolean {
  return characterSlotOf(set, id) >= 0;
}

/** Ids of all characters, in the order of their slots. */
export function listCharacters(set: CharacterSet): AgentId[] {
  const ids: AgentId[] = [];
  for (let slot = 0; slot < set.crowd.slotCount; slot++) if (isCharacter(set, slot)) ids.push(set.id[slot] as AgentId);
  return ids;
}

/** A character as it is now, or null when it is none (any more). */
export function getCharacter(set: CharacterSet, id: AgentId): CharacterInfo | null {
  const slot = characterSlotOf(set, id);
  const agent = slot < 0 ? null : getAgent(set.crowd, id);
  if (agent === null) return null;
  const { agents, mesh } = set.crowd;
  const [x, y, z] = agent.position;
  place.set(agent.position);
  const isUp = agents.state[slot] === STATE_AIR;
  const isStanding = agents.state[slot] === STATE_GROUND && agents.poly[slot] >= 0;
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
    groundRef: isStanding ? agent.ref : NULL_REF,
    slopeDegrees: isStanding ? slopeDegreesAt(mesh, agents.poly[slot], place) : 0,
    groundNeighbors: isStanding ? groundNeighborsOf(mesh, agents.poly[slot]) : [],
  };
}

/** The slot of a character, or -1. @internal */
export function characterSlotOf(set: CharacterSet, id: AgentId): number {
  const slot = agentSlotOf(set.crowd, id);
  return slot >= 0 && set.id[slot] === id ? slot : -1;
}

/** Does the slot hold a character, and still the same one? @internal */
export function isCharacter(set: CharacterSet, slot: number): boolean {
  return (
    set.id[slot] !== 0 && set.crowd.agents.state[slot] !== STATE_FREE && agentIdOf(set.crowd, slot) === set.id[slot]
  );
}

function clearRow(set: CharacterSet, slot: number): void {
  set.mode[slot] = MODE_GROUND;
  set.marks[slot] = MARK_TURNING;
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
