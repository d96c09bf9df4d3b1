/**
 * What characters may be told, with defaults, limits and units; refuses what makes no sense.
 * Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import type { AgentOptions } from '../../crowd/state/options.ts';
import type { PointLike } from '../../math/point.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { RESPAWN_NEAREST, RESPAWN_NONE, RESPAWN_REMOVE, RESPAWN_SPAWN } from '../types/characters.ts';

export interface CharactersOptions {
  /**
   * The world: leaving it is an event, falling far below it too. World units. Default: the box around the mesh, as it changes.
   */
  bounds?: { min: PointLike; max: PointLike };
  /** How far below the bounds one may fall. World units. Default 50. */
  fallLimit?: number;
}

/** What becomes of one that falls out of the world: ground near where it last stood, its first place, taken away, left alone. */
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
  | 'filter';

/** Of a character; those of its agent mean what they mean there. */
export interface CharacterOptions extends Pick<AgentOptions, OfAgent> {
  /** World units a second. Default: 3.5 radii. */
  walkSpeed?: number;
  /** World units a second, at least `walkSpeed`. Default: twice `walkSpeed`. */
  runSpeed?: number;
  /** World units a second squared, how fast it starts and turns. Default: 8 times `walkSpeed`. */
  acceleration?: number;
  /** How fast it brakes. Default: as `acceleration`. */
  deceleration?: number;
  /** World units a second squared; 0: it floats where there is no ground. Default 9.81. */
  gravity?: number;
  /** Greatest speed down, world units a second. Default 55. */
  terminalSpeed?: number;
  /** How much of the height of a step the drawn feet still have to go is gone each second, as a rate. Default 12. */
  stepRate?: number;
  /** It does not turn its face for less than this. Degrees, default 6. */
  deadZoneDegrees?: number;
  /** How fast it turns its face: the rate at which the angle left decays, 1 / seconds. Infinity: at once. Default 8. */
  turnRate?: number;
  /** Degrees a second at most. Default 540. */
  maxTurnDegrees?: number;
  /** Default 'nearest'. */
  respawn?: RespawnPolicy;
  /** Where it faces at first, (x, z) of a vector. Default [0, 1]. */
  facing?: readonly [number, number];
  /** True: it isRunning. Default false. */
  isRunning?: boolean;
}

export interface ResolvedCharacter {
  agent: AgentOptions;
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
];
const KEYS: readonly string[] = [
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

/** @internal */
export function resolveCharacter(mesh: NavMesh, options: CharacterOptions, caller: string): ResolvedCharacter {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${caller}: options are ${String(options)}; give an object such as { walkSpeed: 1.5 }`);
  }
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key))
      throw new RangeError(`${caller}: there is no option '${key}'; there are ${KEYS.join(', ')}`);
  }
  const number = (name: keyof CharacterOptions, fallback: number, isOpen: boolean, most = Number.MAX_VALUE): number => {
    const value = (options[name] ?? fallback) as number;
    if (typeof value === 'number' && value <= most && (isOpen ? value > 0 : value >= 0)) return value;
    const least = isOpen ? 'above 0' : 'from 0 on';
    return refuse(
      caller,
      name,
      value,
      most < Number.MAX_VALUE ? `a number ${least}, at most ${most}` : `a number ${least}`,
    );
  };
  const radius = number('radius', mesh.agent.radius || 0.4, true);
  const walkSpeed = number('walkSpeed', 3.5 * radius, true);
  const runSpeed = number('runSpeed', 2 * walkSpeed, true);
  if (runSpeed < walkSpeed) refuse(caller, 'runSpeed', runSpeed, `at least the walkSpeed of ${walkSpeed}`);
  const acceleration = number('acceleration', 8 * walkSpeed, true);
  const { respawn = 'nearest', isRunning = false } = options;
  if (!Object.hasOwn(RESPAWN, respawn)) refuse(caller, 'respawn', respawn, `one of ${POLICIES}`);
  if (typeof isRunning !== 'boolean') refuse(caller, 'isRunning', isRunning, 'true or false');
  const agent: AgentOptions = { maxSpeed: isRunning ? runSpeed : walkSpeed, maxAcceleration: acceleration, radius };
  for (const key of AGENT_KEYS) if (options[key] !== undefined) Object.assign(agent, { [key]: options[key] });
  return {
    agent,
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

/** Writes the unit vector of a direction; throws for none. @internal */
export function readDirection(out: Float64Array, at: number, x: number, z: number, caller: string, name: string): void {
  const length = Math.sqrt(x * x + z * z);
  if (!(length > 0 && length < Infinity)) refuse(caller, name, `[${x}, ${z}]`, 'a direction: (x, z), not both 0');
  out[at] = x / length;
  out[at + 1] = z / length;
}
