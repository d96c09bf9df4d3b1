/**
 * Options of character sets and characters: defaults, units, limits.
 */
import { MOST_SIZE } from '../../crowd/state/limits.ts';
import { defaultBody, resolveAgent } from '../../crowd/state/options.ts';
import type { AgentOptions } from '../../crowd/state/options.ts';
import type { Crowd } from '../../crowd/state/types.ts';
import { checkKeys, checkNumbers, refuse } from '../../../base/data/refuse.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { RESPAWN_NEAREST, RESPAWN_NONE, RESPAWN_REMOVE, RESPAWN_SPAWN } from '../types/characters.ts';

/** Options of `createCharacters`. */
export interface CharactersOptions {
  /**
   * The world's box, in world units. A character that leaves it causes the event 'world-edge'; a fall far below it is a
   * fall out of the world. Default: the box around the mesh, updated when the mesh changes.
   */
  bounds?: { min: PointLike; max: PointLike };
  /** Depth below the bounds at which a character has fallen out of the world. World units. Default 50. */
  fallLimit?: number;
}

/**
 * Policy for a character that falls out of the world: 'nearest' places it on the mesh near its last position,
 * 'spawn' at its first position, 'remove' removes it, 'none' lets it fall.
 */
export type RespawnPolicy = 'nearest' | 'spawn' | 'remove' | 'none';

type OfAgent =
  | 'radius'
  | 'height'
  | 'priority'
  | 'avoidance'
  | 'horizon'
  | 'arriveDistance'
  | 'layers'
  | 'mask'
  | 'filter'
  | 'size'
  | 'type';

/** Options of a character. Options with the names of `AgentOptions` have the same meaning. */
export interface CharacterOptions extends Pick<AgentOptions, OfAgent> {
  /** Walking speed, world units per second, at least 0. Default: 3.5 radii. */
  walkSpeed?: number;
  /** Running speed, world units per second, at least `walkSpeed`. Default: twice `walkSpeed`. */
  runSpeed?: number;
  /**
   * Acceleration in any direction, world units per second squared. Default: 8 times `walkSpeed`, or 8 times its default
   * when that is 0.
   */
  acceleration?: number;
  /** Braking, world units per second squared. Default: `acceleration`. */
  deceleration?: number;
  /** World units per second squared. With 0 the character floats where there is no floor. Default 9.81. */
  gravity?: number;
  /** Greatest downward speed, world units per second. Default 55. */
  terminalSpeed?: number;
  /** Rate at which the drawn feet catch up after a step, 1 / seconds. Default 12. */
  stepRate?: number;
  /** Angle below which the character does not turn, degrees. Default 6. */
  deadZoneDegrees?: number;
  /** Rate at which the angle to the wanted facing decays, 1 / seconds. Infinity turns immediately. Default 8. */
  turnRate?: number;
  /** Turning speed limit, degrees per second. Default 540. */
  maxTurnDegrees?: number;
  /** Policy after a fall out of the world. Default 'nearest'. */
  respawn?: RespawnPolicy;
  /** Initial facing, a vector (x, z) of any length above 0. Default [0, 1]. Ignored by `setCharacterOptions`. */
  facing?: readonly [number, number];
  /** True: the character runs. Default false. */
  isRunning?: boolean;
}

export interface ResolvedCharacter {
  agent: AgentOptions;
  /** Index into `Crowd.filters`, which has a copy of each filter per size. */
  filter: number;
  walkSpeed: number;
  runSpeed: number;
  acceleration: number;
  deceleration: number;
  gravity: number;
  terminalSpeed: number;
  stepRate: number;
  deadZoneDegrees: number;
  turnRate: number;
  maxTurnDegrees: number;
  respawn: number;
  isRunning: boolean;
}

/** Default `walkSpeed`, in radii per second. */
const WALK_RADII = 3.5;
const AGENT_KEYS: readonly OfAgent[] = [
  'radius',
  'height',
  'priority',
  'avoidance',
  'horizon',
  'arriveDistance',
  'layers',
  'mask',
  'filter',
  'size',
  'type',
];
/** Names of all options. @internal */
export const CHARACTER_KEYS: readonly string[] = [
  ...AGENT_KEYS,
  'walkSpeed',
  'runSpeed',
  'acceleration',
  'deceleration',
  'gravity',
  'terminalSpeed',
  'stepRate',
  'deadZoneDegrees',
  'turnRate',
  'maxTurnDegrees',
  'respawn',
  'facing',
  'isRunning',
];
const RESPAWN: Readonly<Record<RespawnPolicy, number>> = {
  nearest: RESPAWN_NEAREST,
  spawn: RESPAWN_SPAWN,
  remove: RESPAWN_REMOVE,
  none: RESPAWN_NONE,
};
const POLICIES = Object.keys(RESPAWN)
  .map((name) => `'${name}'`)
  .join(', ');

/** Checks options and fills in defaults. Throws the errors of `addCharacter`, in the name of `caller`. @internal */
export function resolveCharacter(crowd: Crowd, options: CharacterOptions, caller: string): ResolvedCharacter {
  checkKeys(caller, options, CHARACTER_KEYS);
  const number = (name: keyof CharacterOptions, fallback: number, isOpen: boolean, most = MOST_SIZE): number => {
    const value = options[name] ?? fallback;
    if (typeof value === 'number' && value <= most && (isOpen ? value > 0 : value >= 0)) return value;
    const limit = most < Infinity ? ` and at most ${most}` : '';
    return refuse(caller, `options.${name}`, value, `a number ${isOpen ? 'above 0' : '>= 0'}${limit}`);
  };
  const { radius: ownRadius } = defaultBody(caller, crowd, options);
  const radius = number('radius', ownRadius || 0.4, true);
  const walkSpeed = number('walkSpeed', WALK_RADII * radius, false);
  const runSpeed = number('runSpeed', 2 * walkSpeed, false);
  if (runSpeed < walkSpeed) refuse(caller, 'options.runSpeed', runSpeed, `at least walkSpeed, ${walkSpeed}`);
  const acceleration = number('acceleration', 8 * (walkSpeed > 0 ? walkSpeed : WALK_RADII * radius), true);
  const { respawn = 'nearest', isRunning = false } = options;
  if (typeof respawn !== 'string' || !Object.hasOwn(RESPAWN, respawn))
    refuse(caller, 'options.respawn', respawn, `one of ${POLICIES}`);
  if (typeof isRunning !== 'boolean') refuse(caller, 'options.isRunning', isRunning, 'true or false');
  const agent: AgentOptions = { maxSpeed: isRunning ? runSpeed : walkSpeed, maxAcceleration: acceleration, radius };
  for (const key of AGENT_KEYS) if (options[key] !== undefined) Object.assign(agent, { [key]: options[key] });
  // Called for its checks only. The errors of `addAgent` would name a function that the user did not call.
  const { filter } = resolveAgent(crowd, agent, caller);
  return {
    agent,
    filter,
    walkSpeed,
    runSpeed,
    acceleration,
    deceleration: number('deceleration', acceleration, true),
    gravity: number('gravity', 9.81, false),
    terminalSpeed: number('terminalSpeed', 55, true),
    stepRate: number('stepRate', 12, true, Infinity),
    deadZoneDegrees: number('deadZoneDegrees', 6, false, 180),
    turnRate: number('turnRate', 8, true, Infinity),
    maxTurnDegrees: number('maxTurnDegrees', 540, true, Infinity),
    respawn: RESPAWN[respawn],
    isRunning,
  };
}

/** Returns a vector (x, z) as a unit vector. Throws a RangeError when it has no direction. @internal */
export function readDirection(vector: readonly [number, number], caller: string, path: string): [number, number] {
  checkNumbers(caller, path, vector);
  const { 0: x, 1: z } = vector;
  const length = Math.sqrt(x * x + z * z);
  if (!(length > 0 && length < Infinity)) refuse(caller, path, vector, 'a finite vector [x, z], not both 0');
  return [x / length, z / length];
}
