/** Options of crowds and agents: defaults, limits, units and checks. */
import { checkFilter } from '../../../query/filter.ts';
import { checkArray, checkKeys, checkNumberKeys, checkObject, checkRecord, refuse } from '../../../base/data/refuse.ts';
import { findSize, hasOneBody, readSize } from '../../../mesh/sizes.ts';
import type { SizeLike } from '../../../mesh/sizes.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { PathIndex } from '../../../query/index/types.ts';
import { indexOfType } from '../../../query/agent-types.ts';
import type { AgentType } from '../../../query/agent-types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { indexedCorridor } from '../../../query/path/indexed-corridor.ts';
import { readSampled } from '../avoidance/sampled.ts';
import type { SampledOptions, SampledParams } from '../avoidance/sampled.ts';
import { filterCount, typeOf } from './filters.ts';
import { MOST_SIZE } from './limits.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  MODE_LOW_DETAIL,
  MODE_MANUAL_LINKS,
  MODE_NO_BRAKE,
  MODE_PAUSED,
  SAMPLED_NUMBERS,
} from './types.ts';
import type { AgentArrays, Behavior, Crowd } from './types.ts';

/**
 * How an agent avoids other agents. 'orca': exact half-planes of velocities, the smoothest. 'sampled': tries
 * velocities, as Detour does. 'none': walks through other agents and is never pushed. Agents with avoidance also avoid
 * agents with 'none', unless their `mask` excludes them.
 */
export type AvoidanceKind = 'orca' | 'sampled' | 'none';

/**
 * How often an agent decides. 'full': thirty times per second. 'low': a quarter of that while it walks in open space or
 * rests, for agents far from the camera. Near corners, goals and narrow passages, and when it is held up, an agent with
 * 'low' decides as often as with 'full'.
 */
export type DetailKind = 'full' | 'low';

/** Options of `createCrowd`. */
export interface CrowdOptions {
  /** Maximum number of agents: a whole number, 1 .. 1048576. Default 1024. */
  maxAgents?: number;
  /** Seconds per tick, 0.0001 .. 0.25. Default 1/60. */
  stepSeconds?: number;
  /**
   * The number of polygons that path searches may expand per tick: a whole number, at least 1. Default 4000.
   */
  searchBudget?: number;
  /** The side on which agents pass each other. Default 'right'. */
  passingSide?: 'left' | 'right' | 'none';
  /**
   * 1 .. 256 filters, selected by `AgentOptions.filter`. Default: one filter that passes every polygon with a
   * flag.
   */
  filters?: QueryFilter[];
  /** Agent types of `createAgentTypes`, selected by `AgentOptions.type`. Default: none. */
  types?: readonly AgentType[];
  /**
   * An index of the mesh (`buildPathIndex` of `navkiln/index`). Where it matches the current mesh, agents get the
   * shortest paths from it in a fraction of the time; elsewhere a search finds them. It may change between ticks, by
   * `updatePathIndex` or through `Crowd.pathIndex`. Pass an index that comes from another thread to `updatePathIndex`
   * first. Default: none.
   */
  pathIndex?: PathIndex;
  /**
   * What the crowd can do beyond its usual behavior: `sampling`; for `createCoreCrowd` also `traffic`, `lanes`,
   * `passages`, `links`, `goalFields`, `shortcuts`, `meshChanges`, `repairs`, `sleeping`, `throttling`, `detours` and
   * `spacing`. Default: none.
   */
  behaviors?: readonly Behavior[];
}

/** Options of `addAgent` and `setAgentOptions`. */
export interface AgentOptions {
  /** World units, above 0. Default: the agent radius of the mesh, or 0.4. */
  radius?: number;
  /** World units, above 0. Default: the agent height of the mesh, or 1.8. */
  height?: number;
  /**
   * World units per second, at least 0. Default: 3.5 times the radius. An agent with speed 0 stands and keeps its
   * order; it does not give up.
   */
  maxSpeed?: number;
  /**
   * World units per second squared, above 0. Default: 8 times the maximum speed, or 8 times its default when
   * that is 0.
   */
  maxAcceleration?: number;
  /** Degrees per second, above 0. Default Infinity: the agent turns immediately. */
  maxTurnDegrees?: number;
  /** 0 .. 1. Of two agents that meet, the one with more priority gives way less. Default 0.5. */
  priority?: number;
  /** Default 'orca'. */
  avoidance?: AvoidanceKind;
  /** How far ahead collisions are avoided: seconds, above 0. Default 2. */
  horizon?: number;
  /**
   * Parameters of `avoidance: 'sampled'`; they have a horizon of their own. Default: those of
   * `createSampledParams`. `setAgentOptions` changes only the parameters that are given.
   */
  sampled?: SampledOptions;
  /**
   * How strongly a moving agent steers away from moving neighbors to keep its distance, 0 .. 1000. 1 is about as strong
   * as the pull of its goal. Default 0: not at all.
   */
  separationWeight?: number;
  /**
   * Largest gap to another agent that this agent avoids: world units, above 0.
   * Default: the distance covered within its horizon at full speed, 4 .. 32 times its radius.
   */
  queryRange?: number;
  /**
   * Distance up to which the agent looks for a straight shortcut along its path, after it was pushed aside: world
   * units, at least 0. 0 disables shortcuts, and also the search for a shorter path by an agent without progress.
   * Default: 40 times its radius.
   */
  pathOptimizationRange?: number;
  /**
   * An agent whose center is this near to its goal has arrived: world units, at least 0. Default: half its
   * radius.
   */
  arriveDistance?: number;
  /**
   * False: the agent keeps its speed up to its goal, and may run past it a little. For patrols without stops, and for
   * agents that the caller stops. Default true.
   */
  autoBrake?: boolean;
  /**
   * 'manual': on a link, the agent stays where it is until `completeLink`, and `setAgentPosition` moves it, as an animation does.
   * Default 'auto': the crowd moves it at its speed.
   */
  linkTraversal?: 'auto' | 'manual';
  /**
   * 'crowd': the crowd moves the agent. 'user': `setAgentPosition` moves it, and `AgentInfo.wish` is the
   * velocity the crowd suggests. Default 'crowd'.
   */
  owner?: 'crowd' | 'user';
  /**
   * True: other agents avoid it, and the crowd does nothing else with it. For players and vehicles. The caller moves it
   * with `setAgentPosition`; it takes no orders and may leave the mesh. Default false.
   */
  avoidOnly?: boolean;
  /** 16 bits: what the agent is. Default 1. */
  layers?: number;
  /** 16 bits: the agent avoids agents whose `layers` share a bit with it. Default 0xffff. */
  mask?: number;
  /** Index into `CrowdOptions.filters`. Default 0. */
  filter?: number;
  /**
   * On a mesh with sizes: the size whose polygons it walks on, see `findSize`; it then has that radius and height by default. Default: the
   * first that holds its radius and height.
   */
  size?: SizeLike;
  /**
   * Name of one of the crowd's types, in place of `filter` and `size`: its filter applies, and its size is the default of radius and height.
   * Default: none.
   */
  type?: string;
  /** 'low' takes less time, for agents that are far from the camera. Default 'full'. */
  detail?: DetailKind;
}

/** Agent options with every default filled in, in the units of `AgentArrays`. */
export interface ResolvedAgent {
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  maxTurn: number;
  priority: number;
  avoidance: number;
  horizon: number;
  sampled: SampledParams | undefined;
  separationWeight: number;
  /** 0: the default. */
  queryRange: number;
  pathOptimizationRange: number;
  arriveDistance: number;
  /** MODE_NO_BRAKE, MODE_MANUAL_LINKS and MODE_LOW_DETAIL. */
  modes: number;
  isUserOwned: boolean;
  isAvoidOnly: boolean;
  layers: number;
  mask: number;
  /** Index into `Crowd.filters`, which has a copy of each filter per size. */
  filter: number;
}

/** Options that are numbers. */
const NUMBER_KEYS = [
  'radius',
  'height',
  'maxSpeed',
  'maxAcceleration',
  'maxTurnDegrees',
  'priority',
  'horizon',
  'separationWeight',
  'queryRange',
  'pathOptimizationRange',
  'arriveDistance',
  'layers',
  'mask',
  'filter',
] as const satisfies readonly (keyof AgentOptions)[];
export const AGENT_KEYS: readonly (keyof AgentOptions)[] = /* @__PURE__ */ (
  NUMBER_KEYS as readonly (keyof AgentOptions)[]
).concat('avoidance', 'sampled', 'autoBrake', 'linkTraversal', 'owner', 'avoidOnly', 'size', 'type', 'detail');
/** Names of the kinds of avoidance, indexed by AVOID_*. */
const AVOIDANCE_NAMES: readonly AvoidanceKind[] = ['none', 'orca', 'sampled'];
const CROWD_KEYS: readonly (keyof CrowdOptions)[] = [
  'maxAgents',
  'stepSeconds',
  'searchBudget',
  'passingSide',
  'filters',
  'types',
  'pathIndex',
  'behaviors',
];

/** Default maximum speed in agent radii per second. */
const DEFAULT_SPEED_RADII = 3.5;
/** Default `pathOptimizationRange`, in radii. */
const OPTIMIZATION_RADII = 40;
const MAX_SEPARATION_WEIGHT = 1000;
/** Fills in defaults. Throws a RangeError, in the name of `caller`, for an invalid option. @internal */
export function resolveAgent(crowd: Crowd, options: AgentOptions, caller: string): ResolvedAgent {
  const { behaviors, mesh, types, filters } = crowd;
  checkKeys(caller, options, AGENT_KEYS);
  checkNumberKeys(caller, options, NUMBER_KEYS);
  const type = readType(caller, crowd, options);
  const count = filterCount(crowd);
  const named =
    type >= 0 ? (types[type].filter.size ?? 0) : options.size === undefined ? -1 : readSize(caller, mesh, options.size);
  const body = mesh.sizes[named] ?? mesh.agent;
  const { radius = body.radius || 0.4, height = body.height || 1.8 } = options;
  const { maxSpeed = bounded(DEFAULT_SPEED_RADII * radius), maxTurnDegrees = Infinity } = options;
  const { maxAcceleration = bounded(8 * (maxSpeed > 0 ? maxSpeed : DEFAULT_SPEED_RADII * radius)) } = options;
  const { priority = 0.5, avoidance = 'orca', horizon = 2, arriveDistance = radius / 2 } = options;
  const { separationWeight = 0, queryRange, pathOptimizationRange = bounded(OPTIMIZATION_RADII * radius) } = options;
  const { autoBrake = true, linkTraversal = 'auto', detail = 'full' } = options;
  const { owner = 'crowd', avoidOnly = false, layers = 1, mask = 0xffff, filter = 0 } = options;
  const check = (isValid: boolean, name: keyof AgentOptions, value: unknown, mustBe: string): void => {
    if (!isValid) refuse(caller, `options.${name}`, value, mustBe);
  };
  const checkPositive = (name: keyof AgentOptions, value: number): void =>
    check(value > 0 && value <= MOST_SIZE, name, value, `finite and > 0, at most ${MOST_SIZE}`);
  const checkLength = (name: keyof AgentOptions, value: number): void =>
    check(value >= 0 && value <= MOST_SIZE, name, value, `finite and >= 0, at most ${MOST_SIZE}`);
  const checkBits = (name: keyof AgentOptions, value: number): void =>
    check(isWhole(value, 0, 0xffff), name, value, 'a whole number, 0 .. 0xffff');
  checkPositive('radius', radius);
  checkPositive('height', height);
  checkPositive('horizon', horizon);
  checkLength('maxSpeed', maxSpeed);
  checkPositive('maxAcceleration', maxAcceleration);
  check(maxTurnDegrees > 0, 'maxTurnDegrees', maxTurnDegrees, '> 0 degrees per second, or Infinity');
  check(priority >= 0 && priority <= 1, 'priority', priority, '0 .. 1');
  checkLength('arriveDistance', arriveDistance);
  check(
    separationWeight >= 0 && separationWeight <= MAX_SEPARATION_WEIGHT,
    'separationWeight',
    separationWeight,
    `0 .. ${MAX_SEPARATION_WEIGHT}`,
  );
  if (queryRange !== undefined) checkPositive('queryRange', queryRange);
  checkLength('pathOptimizationRange', pathOptimizationRange);
  checkOneOf(caller, 'avoidance', avoidance, 'orca', 'sampled', 'none');
  checkOneOf(caller, 'autoBrake', autoBrake, true, false);
  checkOneOf(caller, 'linkTraversal', linkTraversal, 'auto', 'manual');
  checkOneOf(caller, 'detail', detail, 'full', 'low');
  checkOneOf(caller, 'owner', owner, 'crowd', 'user');
  checkOneOf(caller, 'avoidOnly', avoidOnly, true, false);
  checkBits('layers', layers);
  checkBits('mask', mask);
  check(isWhole(filter, 0, count - 1), 'filter', filter, `the index of one of the crowd's ${count} filters`);
  behaviors.checkAgent?.(crowd, options, caller);
  const size = named < 0 ? sizeOfBody(caller, mesh, radius, height, avoidOnly) : named;
  const place = type < 0 ? filter + size * count : filters.length - types.length + type;
  return {
    radius,
    height,
    maxSpeed,
    maxAcceleration,
    maxTurn: maxTurnDegrees,
    priority,
    avoidance: AVOIDANCE_NAMES.indexOf(avoidance),
    horizon,
    sampled: resolveSamples(crowd, options, caller),
    separationWeight,
    queryRange: queryRange ?? 0,
    pathOptimizationRange,
    arriveDistance,
    modes:
      (autoBrake ? 0 : MODE_NO_BRAKE) |
      (linkTraversal === 'manual' ? MODE_MANUAL_LINKS : 0) |
      (detail === 'low' ? MODE_LOW_DETAIL : 0),
    isUserOwned: owner === 'user' || avoidOnly,
    isAvoidOnly: avoidOnly,
    layers,
    mask,
    filter: place,
  };
}

/** Throws a RangeError unless an option is one of these values. */
function checkOneOf<T extends string | boolean>(caller: string, name: string, value: T, ...allowed: T[]): void {
  if (allowed.includes(value)) return;
  const names = allowed.map((one) => (typeof one === 'string' ? `'${one}'` : String(one)));
  const last = names.pop();
  refuse(caller, `options.${name}`, value, `${names.join(', ')} or ${last}`);
}

/** Returns the parameters of `avoidance: 'sampled'`, which other crowds than those with that behavior refuse. */
function resolveSamples({ behaviors }: Crowd, options: AgentOptions, caller: string): SampledParams | undefined {
  const { avoidance, sampled } = options;
  if (behaviors.resolveSampled !== undefined) return behaviors.resolveSampled(sampled ?? {}, caller, 'options.sampled');
  if (avoidance === 'sampled' || sampled !== undefined) refuseWithout(caller, 'that sample velocities', 'sampling');
  return undefined;
}

/** Throws a RangeError for agents that need a behavior that the crowd does not have. @internal */
export function refuseWithout(caller: string, kind: string, behavior: string): never {
  throw new RangeError(`${caller}: agents ${kind} need createCrowd(mesh, { behaviors: [${behavior}] })`);
}

/** Returns the index of an agent's type among those of the crowd; -1: it has none. */
function readType(caller: string, { types }: Crowd, { type, size, filter }: AgentOptions): number {
  if (type === undefined) return -1;
  const index = indexOfType(caller, types, type, 'options.type');
  for (const [key, value] of Object.entries({ size, filter }))
    if (value !== undefined) refuse(caller, `options.${key}`, value, 'absent with a type');
  return index;
}

/** Returns the radius and height that an agent with these options has by default. @internal */
export function defaultBody(caller: string, crowd: Crowd, options: AgentOptions): { radius: number; height: number } {
  const { mesh, types } = crowd;
  const type = readType(caller, crowd, options);
  if (type >= 0) return mesh.sizes[types[type].filter.size ?? 0] ?? mesh.agent;
  return (options.size === undefined ? null : findSize(mesh, options.size)) ?? mesh.agent;
}

/** Returns the index of the size that holds a body. An agent that is only avoided may be larger than all sizes. */
function sizeOfBody(caller: string, mesh: NavMesh, radius: number, height: number, avoidOnly: boolean): number {
  const { sizes } = mesh;
  if (hasOneBody(mesh)) return 0;
  const found = findSize(mesh, { radius, height })?.index ?? (avoidOnly ? sizes.length - 1 : -1);
  if (found >= 0) return found;
  const known = sizes.map((one) => `${one.name} (${one.radius}, ${one.height})`).join(', ');
  return refuse(
    caller,
    'options.radius',
    radius,
    `with height ${height} within one of mesh.sizes: ${known}; or give a size`,
  );
}

/** Returns the options that the columns of a slot hold. @internal */
export function agentOptionsOf(crowd: Crowd, slot: number): AgentOptions {
  const { agents, mesh } = crowd;
  const count = filterCount(crowd);
  const place = agents.filter[slot];
  const type = typeOf(crowd, place);
  const queryRange = agents.queryRange[slot];
  return {
    radius: agents.radius[slot],
    height: agents.height[slot],
    maxSpeed: speedOf(agents, slot),
    maxAcceleration: agents.maxAcceleration[slot],
    maxTurnDegrees: agents.maxTurn[slot],
    priority: agents.priority[slot],
    avoidance: AVOIDANCE_NAMES[agents.avoidance[slot]],
    horizon: agents.horizon[slot],
    ...(crowd.sampledParams[slot] === undefined
      ? {}
      : { sampled: readSampled(agents.sampled, SAMPLED_NUMBERS * slot) }),
    separationWeight: agents.separationWeight[slot],
    ...(queryRange > 0 ? { queryRange } : {}),
    pathOptimizationRange: agents.pathOptimizationRange[slot],
    arriveDistance: agents.ownArriveDistance[slot],
    autoBrake: (agents.modes[slot] & MODE_NO_BRAKE) === 0,
    linkTraversal: (agents.modes[slot] & MODE_MANUAL_LINKS) !== 0 ? 'manual' : 'auto',
    owner: (agents.flags[slot] & AGENT_USER_OWNED) !== 0 ? 'user' : 'crowd',
    avoidOnly: (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0,
    layers: agents.layers[slot],
    mask: agents.mask[slot],
    ...(type === undefined ? { filter: place % count } : { type }),
    ...(type === undefined && mesh.sizes.length > 0 ? { size: mesh.sizes[Math.floor(place / count)]?.name } : {}),
    detail: (agents.modes[slot] & MODE_LOW_DETAIL) !== 0 ? 'low' : 'full',
  };
}

/** Removes those of the current filter, size and type of an agent that new options replace. @internal */
export function dropReplaced(known: AgentOptions, { radius, height, type, size, filter }: AgentOptions): void {
  // A type includes size and filter.
  if (size !== undefined || filter !== undefined) delete known.type;
  if (type !== undefined) delete known.filter;
  // Another body may need another size.
  if (type !== undefined || radius !== undefined || height !== undefined) delete known.size;
}

/** Returns the maximum speed of an agent, even while it is paused. @internal */
export function speedOf({ modes, resumeSpeed, maxSpeed }: AgentArrays, slot: number): number {
  return (modes[slot] & MODE_PAUSED) !== 0 ? resumeSpeed[slot] : maxSpeed[slot];
}

/** Sets an agent's maximum speed. For a paused agent, it takes effect on resume. @internal */
export function setSpeed({ modes, resumeSpeed, maxSpeed }: AgentArrays, slot: number, speed: number): void {
  if ((modes[slot] & MODE_PAUSED) !== 0) resumeSpeed[slot] = speed;
  else maxSpeed[slot] = speed;
}

/** Throws a RangeError for an option of a crowd that is unknown or out of range. @internal */
export function checkCrowdOptions(caller: string, { sizes }: NavMesh, options: CrowdOptions): void {
  checkKeys(caller, options, CROWD_KEYS);
  checkNumberKeys(caller, options, ['maxAgents', 'stepSeconds', 'searchBudget']);
  const { maxAgents = 1024, stepSeconds = 1 / 60, searchBudget = 4000, passingSide = 'right', filters } = options;
  const check = (isValid: boolean, path: string, value: unknown, mustBe: string): void => {
    if (!isValid) refuse(caller, `options.${path}`, value, mustBe);
  };
  check(isWhole(maxAgents, 1, 1 << 20), 'maxAgents', maxAgents, 'a whole number, 1 .. 1048576');
  check(stepSeconds >= 1e-4 && stepSeconds <= 0.25, 'stepSeconds', stepSeconds, '0.0001 .. 0.25 seconds');
  check(isWhole(searchBudget, 1, Infinity), 'searchBudget', searchBudget, 'a whole number, at least 1');
  checkOneOf(caller, 'passingSide', passingSide, 'left', 'right', 'none');
  if (options.pathIndex !== undefined)
    checkRecord(caller, 'options.pathIndex', options.pathIndex, 'polyCone', 'a PathIndex');
  if (options.pathIndex !== undefined && indexedCorridor.find === undefined)
    throw new TypeError(`${caller}: options.pathIndex comes from another thread; use updatePathIndex`);
  const { behaviors = [] } = options;
  checkArray(caller, 'options.behaviors', behaviors);
  behaviors.forEach((behavior, i) => {
    checkObject(caller, `options.behaviors[${i}]`, behavior);
    check(Object.values(behavior).every(isFunction), `behaviors[${i}]`, behavior, 'a behavior of navkiln/crowd');
  });
  checkTypes(caller, options.types ?? [], Math.max(1, sizes.length));
  if (filters === undefined) return;
  check(Array.isArray(filters), 'filters', filters, 'an array of filters');
  check(isWhole(filters.length, 1, 256), 'filters.length', filters.length, '1 .. 256');
  filters.forEach((filter, i) => checkFilter(caller, filter, `options.filters[${i}]`));
}

/** Throws unless `types` may be agent types of a mesh with `sizeCount` sizes. */
function checkTypes(caller: string, types: readonly AgentType[], sizeCount: number): void {
  checkArray(caller, 'options.types', types);
  types.forEach((type, i) => {
    const path = `options.types[${i}].filter`;
    checkFilter(caller, type?.filter, path);
    const { size = 0 } = type.filter;
    if (!(size < sizeCount)) refuse(caller, `${path}.size`, size, `a size of this mesh, below ${sizeCount}`);
  });
}

/** Returns a default value, limited to the largest value that callers may pass. */
function bounded(value: number): number {
  return Math.min(value, MOST_SIZE);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
