/**
 * What a crowd and its agents may be told, with defaults, limits and units; refuses what makes no sense.
 */
import { refuse } from '../../data/refuse.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { AVOID_NONE, AVOID_ORCA, AVOID_SAMPLED } from './types.ts';

/** 'orca': exact half-planes, the best; 'sampled': as Detour does; 'none': through everybody. */
export type AvoidanceKind = 'orca' | 'sampled' | 'none';

export interface CrowdOptions {
  /** Agents there can be at a time, at most 2^20. Default 1024. */
  maxAgents?: number;
  /** Seconds a tick, at most 0.25. Default 1/60. */
  stepSeconds?: number;
  /** Polygons that searches may expand in a tick. Default 4000. */
  searchBudget?: number;
  /** On which side of each other those who meet pass. Default 'right'. */
  passingSide?: 'left' | 'right' | 'none';
  /** What agents may walk on, chosen by `AgentOptions.filter`; at most 256. Default: one, all that has a flag. */
  filters?: QueryFilter[];
}

export interface AgentOptions {
  /** Default: the mesh's agent radius, or 0.4. World units. */
  radius?: number;
  /** Default: the mesh's agent height, or 1.8. World units. */
  height?: number;
  /** World units a second. Default: 3.5 radii. */
  maxSpeed?: number;
  /** World units a second squared. Default: 8 times the maximum speed. */
  maxAcceleration?: number;
  /** How fast it turns, degrees a second. Default Infinity: at once. */
  maxTurnDegrees?: number;
  /** 0 .. 1: of two that meet the one with more makes less room. Default 0.5. */
  priority?: number;
  /** Default 'orca'. */
  avoidance?: AvoidanceKind;
  /** How far ahead others are avoided, seconds. Default 2. */
  horizon?: number;
  /** How near to its goal, centre to point, it has arrived. World units. Default: half its radius. */
  arriveDistance?: number;
  /** 'crowd': the crowd moves it. 'user': `setAgentPosition` does, the crowd only says what it would do. Default 'crowd'. */
  owner?: 'crowd' | 'user';
  /** True: others go around it, and that is all (players, vehicles). Moved by `setAgentPosition`. Default false. */
  avoidOnly?: boolean;
  /** What it is, 16 bits. Default 1. */
  layers?: number;
  /** Whom it goes around: those with one of these bits. Default 0xffff. */
  mask?: number;
  /** Which of the crowd's filters. Default 0. */
  filter?: number;
}

/** Options with nothing left open, in the units of `AgentArrays`. */
export interface ResolvedAgent {
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  maxTurn: number;
  priority: number;
  avoidance: number;
  horizon: number;
  arriveDistance: number;
  isUserOwned: boolean;
  isAvoidOnly: boolean;
  layers: number;
  mask: number;
  filter: number;
}

const AVOIDANCE: Readonly<Record<AvoidanceKind, number>> = {
  none: AVOID_NONE,
  orca: AVOID_ORCA,
  sampled: AVOID_SAMPLED,
};
const AGENT_KEYS: readonly (keyof AgentOptions)[] = [
  'radius',
  'height',
  'maxSpeed',
  'maxAcceleration',
  'maxTurnDegrees',
  'priority',
  'avoidance',
  'horizon',
  'arriveDistance',
  'owner',
  'avoidOnly',
  'layers',
  'mask',
  'filter',
];
const CROWD_KEYS: readonly (keyof CrowdOptions)[] = [
  'maxAgents',
  'stepSeconds',
  'searchBudget',
  'passingSide',
  'filters',
];

/** @internal */
export function resolveAgent(mesh: NavMesh, filterCount: number, options: AgentOptions, caller: string): ResolvedAgent {
  checkKeys(options, AGENT_KEYS, caller);
  const { radius = mesh.agent.radius || 0.4, height = mesh.agent.height || 1.8 } = options;
  const {
    maxSpeed = 3.5 * radius,
    maxAcceleration = 8 * maxSpeed,
    maxTurnDegrees = Infinity,
    priority = 0.5,
  } = options;
  const { avoidance = 'orca', horizon = 2, arriveDistance = radius / 2, owner = 'crowd', avoidOnly = false } = options;
  const { layers = 1, mask = 0xffff, filter = 0 } = options;
  const above = (name: string, value: number): void => {
    if (!(value > 0 && value < Infinity)) refuse(caller, name, value, 'a finite number above 0');
  };
  above('radius', radius);
  above('height', height);
  above('horizon', horizon);
  above('maxAcceleration', maxAcceleration);
  if (!(maxSpeed >= 0 && maxSpeed < Infinity)) refuse(caller, 'maxSpeed', maxSpeed, 'a finite number from 0 on');
  if (!(maxTurnDegrees > 0)) refuse(caller, 'maxTurnDegrees', maxTurnDegrees, 'degrees a second above 0, or Infinity');
  if (!(priority >= 0 && priority <= 1)) refuse(caller, 'priority', priority, '0 .. 1');
  if (!(arriveDistance >= 0 && arriveDistance < Infinity)) {
    refuse(caller, 'arriveDistance', arriveDistance, 'a finite length from 0 on');
  }
  if (AVOIDANCE[avoidance] === undefined) refuse(caller, 'avoidance', avoidance, `'orca', 'sampled' or 'none'`);
  if (owner !== 'crowd' && owner !== 'user') refuse(caller, 'owner', owner, `'crowd' or 'user'`);
  for (const [name, bits] of [
    ['layers', layers],
    ['mask', mask],
  ] as const) {
    if (!(Number.isInteger(bits) && bits >= 0 && bits <= 0xffff)) refuse(caller, name, bits, '16 bits, 0 .. 0xffff');
  }
  if (!(Number.isInteger(filter) && filter >= 0 && filter < filterCount)) {
    refuse(caller, 'filter', filter, `the number of one of the crowd's ${filterCount} filters`);
  }
  return {
    radius,
    height,
    maxSpeed,
    maxAcceleration,
    maxTurn: maxTurnDegrees,
    priority,
    avoidance: AVOIDANCE[avoidance],
    horizon,
    arriveDistance,
    isUserOwned: owner === 'user' || avoidOnly,
    isAvoidOnly: avoidOnly,
    layers,
    mask,
    filter,
  };
}

/** @internal */
export function checkCrowdOptions(options: CrowdOptions): void {
  checkKeys(options, CROWD_KEYS, 'createCrowd');
  const { maxAgents = 1024, stepSeconds = 1 / 60, searchBudget = 4000, passingSide = 'right', filters } = options;
  if (!(Number.isInteger(maxAgents) && maxAgents >= 1 && maxAgents <= 1 << 20)) {
    refuse('createCrowd', 'maxAgents', maxAgents, 'a whole number, 1 .. 1048576');
  }
  if (!(stepSeconds >= 1e-4 && stepSeconds <= 0.25))
    refuse('createCrowd', 'stepSeconds', stepSeconds, 'seconds, 0.0001 .. 0.25');
  if (!(Number.isInteger(searchBudget) && searchBudget >= 1)) {
    refuse('createCrowd', 'searchBudget', searchBudget, 'a whole number of polygons from 1 on');
  }
  if (passingSide !== 'left' && passingSide !== 'right' && passingSide !== 'none') {
    refuse('createCrowd', 'passingSide', passingSide, `'left', 'right' or 'none'`);
  }
  if (filters !== undefined && !(filters.length >= 1 && filters.length <= 256)) {
    refuse('createCrowd', 'the number of filters', filters.length, '1 .. 256');
  }
}

function checkKeys(options: object, known: readonly string[], caller: string): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key))
      throw new RangeError(`${caller}: there is no option '${key}'; there are ${known.join(', ')}`);
  }
}
