/**
 * Avoidance by sampling: tries velocities around the desired one, and refines the search around the velocity with the
 * least penalty.
 *
 * The penalty of a velocity has four terms: its distance from the desired velocity, its distance from the current
 * velocity, passing neighbors on the wrong side, and a short time until it hits a neighbor or a wall. No velocity is
 * forbidden. So agents give way more softly than with `avoidByOrca`, sometimes touch, and may walk into a wall, where
 * the mesh stops them. A desired velocity without a collision within the horizon is returned unchanged.
 *
 * In: one agent's view (scene.ts), parameters.
 * Out: a velocity, never faster than the maximum.
 * Cost: (1 + divisions * rings) * depth samples, each linear in neighbors and walls until it is worse than
 * the best. No allocation.
 * Based on: Detour's obstacle avoidance with adaptive sampling (Mikko Mononen), whose terms and default weights this
 * keeps, after van den Berg, Lin, Manocha, Reciprocal Velocity Obstacles for Real-Time Multi-Agent Navigation, 2008.
 * Own: shares other than a half, the passing side, walls that count from their walkable side only, no sampling when the
 * desired velocity has no collision.
 */
import { checkKeys, refuse } from '../../../base/data/refuse.ts';
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import {
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_VX,
  SELF_VZ,
  WALL_STRIDE,
} from './scene.ts';
import type { AvoidanceScene } from './scene.ts';

/** Settings of the avoidance that samples velocities. Weights are without units. */
export interface SampledOptions {
  /** Center of the samples, 0 .. 1: 0 is standing still, 1 the desired velocity. Default 0.4. */
  velocityBias?: number;
  /** Weight of the distance from the desired velocity, 0 .. 1e6. Default 2. */
  weightDesired?: number;
  /** Weight of the distance from the present velocity, 0 .. 1e6. Default 0.75. */
  weightCurrent?: number;
  /** Weight of passing on the wrong side, 0 .. 1e6. Default 0.75. */
  weightSide?: number;
  /** Weight of colliding soon, 0 .. 1e6. Default 2.5. */
  weightImpact?: number;
  /** How far ahead collisions count, seconds, 0.001 .. 1e6. Default 2.5. */
  horizon?: number;
  /** Directions of samples, 3 .. 64. Default 7. */
  divisions?: number;
  /** Rings of samples, 1 .. 16. Default 2. */
  rings?: number;
  /** Number of refinements, 1 .. 16. Each lays the pattern around the best sample, at half the size. Default 5. */
  depth?: number;
}

/** Parameters of `avoidBySampling`, made by `createSampledParams`. */
export interface SampledParams extends Required<SampledOptions> {
  /** xz per sample, within the unit circle, for a desired velocity along +x. */
  pattern: Float64Array;
}

const DEFAULTS: Readonly<Required<SampledOptions>> = {
  velocityBias: 0.4,
  weightDesired: 2,
  weightCurrent: 0.75,
  weightSide: 0.75,
  weightImpact: 2.5,
  horizon: 2.5,
  divisions: 7,
  rings: 2,
  depth: 5,
};

const RANGES: Readonly<Record<keyof SampledOptions, readonly [number, number]>> = {
  velocityBias: [0, 1],
  weightDesired: [0, 1e6],
  weightCurrent: [0, 1e6],
  weightSide: [0, 1e6],
  weightImpact: [0, 1e6],
  horizon: [1e-3, 1e6],
  divisions: [3, 64],
  rings: [1, 16],
  depth: [1, 16],
};

/** Names of the options, in the order in which crowds store them. @internal */
export const SAMPLED_KEYS: readonly (keyof SampledOptions)[] = /* @__PURE__ */ Object.keys(
  RANGES,
) as (keyof SampledOptions)[];

/** Options that count something: whole numbers. */
const COUNTS: readonly string[] = ['divisions', 'rings', 'depth'];

/**
 * Returns parameters for `avoidBySampling`; absent options get their defaults. Throws a RangeError for an
 * unknown option or one out of its range.
 */
export function createSampledParams(options: SampledOptions = {}): SampledParams {
  return resolveSampled(options, 'createSampledParams', 'options');
}

/** Does what `createSampledParams` does. Messages name `caller` and `path`. @internal */
export function resolveSampled(options: SampledOptions, caller: string, path: string): SampledParams {
  checkKeys(caller, options, SAMPLED_KEYS, path);
  const params = { ...DEFAULTS, pattern: new Float64Array(0) };
  for (const name of SAMPLED_KEYS) {
    const value = options[name];
    if (value === undefined) continue;
    const [least, most] = RANGES[name];
    const isCount = COUNTS.includes(name);
    if (typeof value !== 'number' || !(value >= least && value <= most) || (isCount && !Number.isInteger(value))) {
      refuse(caller, `${path}.${name}`, value, `a ${isCount ? 'whole ' : ''}number, ${least} .. ${most}`);
    }
    params[name] = value;
  }
  const { divisions, rings } = params;
  const pattern = new Float64Array(2 * (1 + divisions * rings));
  let at = 2;
  for (let ring = rings; ring > 0; ring--) {
    // Every other ring is turned by half a division, so that samples do not line up.
    const first = (rings - ring) % 2 === 0 ? 0 : 0.5;
    for (let i = 0; i < divisions; i++) {
      const degrees = ((i + first) * 360) / divisions;
      pattern[at++] = (cosDegrees(degrees) * ring) / rings;
      pattern[at++] = (sinDegrees(degrees) * ring) / rings;
    }
  }
  params.pattern = pattern;
  return params;
}

/** The parameters of all defaults. */
export const SAMPLED_DEFAULTS: SampledParams = /* @__PURE__ */ createSampledParams();

/** Stores parameters in a column of a crowd, from the index `at`. @internal */
export function storeSampled(out: Float64Array, at: number, params: SampledParams): void {
  SAMPLED_KEYS.forEach((key, i) => (out[at + i] = params[key]));
}

/** Returns the options that a column of a crowd holds from the index `at`. @internal */
export function readSampled(column: Float64Array, at: number): SampledOptions {
  return Object.fromEntries(SAMPLED_KEYS.map((key, i) => [key, column[at + i]]));
}

/** Shortest time to a collision, as a share of the horizon: keeps the penalty finite. */
const SOONEST = 0.1;
/** Distance at which a wall counts as touched, world units. */
const TOUCH = 0.01;
/** Sine of the angle up to which neighbors are passed on the passing side although the other side is shorter. */
const SIDE_BIAS = 0.1;
/** Relative error allowed in speeds. */
const TOLERANCE = 1e-9;
/** Squared relative speed below which two agents never meet, world units per second squared. */
const MIN_SPEED_SQ = 1e-8;

// Layout of `basis`.
const DESIRED_X = 0;
const DESIRED_Z = 1;
const CURRENT_X = 2;
const CURRENT_Z = 3;
const RADIUS = 4;
/** 1 / maximum speed. */
const PER_MAX = 5;
const SIDE = 6;
/** The inputs of the rating of samples. An array, because V8 may allocate numbers passed between functions. */
const basis = new Float64Array(7);

// Layout of `sample`.
const X = 0;
const Z = 1;
/** Least penalty so far. */
const LEAST = 2;
/** The current sample. */
const sample = new Float64Array(3);

/**
 * Writes the chosen velocity (vx, vz) for `scene` to out[0], out[1]. The horizon of `params` replaces those
 * of `scene.self`. All numbers must be finite. Nothing is checked.
 */
export function avoidBySampling(out: Float64Array, scene: AvoidanceScene, params: SampledParams): void {
  const { self } = scene;
  const max = self[SELF_MAX_SPEED];
  let x = self[SELF_DESIRED_X];
  let z = self[SELF_DESIRED_Z];
  let speed = Math.sqrt(x * x + z * z);
  if (speed > max * (1 + TOLERANCE)) {
    x *= max / speed;
    z *= max / speed;
    speed = max;
  }
  out[0] = x;
  out[1] = z;
  if (!(max > 0)) return;
  basis[DESIRED_X] = x;
  basis[DESIRED_Z] = z;
  basis[CURRENT_X] = self[SELF_VX];
  basis[CURRENT_Z] = self[SELF_VZ];
  basis[RADIUS] = self[SELF_RADIUS];
  basis[PER_MAX] = 1 / max;
  basis[SIDE] = self[SELF_SIDE];
  sample[X] = x;
  sample[Z] = z;
  sample[LEAST] = Infinity;
  // The desired velocity is chosen when it has no collision; otherwise it is the first sample.
  if (judgeSample(scene, params)) return;
  const ux = speed > 0 ? x / speed : 1;
  const uz = speed > 0 ? z / speed : 0;
  const { pattern, depth, velocityBias } = params;
  let centerX = x * velocityBias;
  let centerZ = z * velocityBias;
  let reach = max * (1 - velocityBias);
  const limitSq = max * max * (1 + TOLERANCE);
  for (let k = 0; k < depth; k++) {
    for (let i = 0; i < pattern.length; i += 2) {
      const px = centerX + (pattern[i] * ux - pattern[i + 1] * uz) * reach;
      const pz = centerZ + (pattern[i] * uz + pattern[i + 1] * ux) * reach;
      if (px * px + pz * pz > limitSq) continue;
      sample[X] = px;
      sample[Z] = pz;
      const before = sample[LEAST];
      judgeSample(scene, params);
      if (sample[LEAST] < before) {
        out[0] = px;
        out[1] = pz;
      }
    }
    centerX = out[0];
    centerZ = out[1];
    reach /= 2;
  }
}

/**
 * Lowers `sample[LEAST]` to the penalty of the sample when that is less. Returns whether the sample has no collision
 * within the horizon, which matters for the desired velocity only.
 */
function judgeSample(scene: AvoidanceScene, params: SampledParams): boolean {
  const { neighbors, neighborCount, walls, wallCount } = scene;
  const { weightImpact, horizon } = params;
  const x = sample[X];
  const z = sample[Z];
  const least = sample[LEAST];
  const perMax = basis[PER_MAX];
  const currentX = basis[CURRENT_X];
  const currentZ = basis[CURRENT_Z];
  let offX = x - basis[DESIRED_X];
  let offZ = z - basis[DESIRED_Z];
  let penalty = params.weightDesired * perMax * Math.sqrt(offX * offX + offZ * offZ);
  offX = x - currentX;
  offZ = z - currentZ;
  penalty += params.weightCurrent * perMax * Math.sqrt(offX * offX + offZ * offZ);
  // A collision sooner than this makes the sample worse than the best: weightImpact / (SOONEST + time /
  // horizon) > rest.
  const rest = least - penalty;
  if (!(rest > 0)) return false;
  const tooSoon = rest < Infinity ? (weightImpact / rest - SOONEST) * horizon : -Infinity;
  let soonest = horizon;
  let side = 0;
  let sides = 0;
  let isFree = true;
  for (let k = 0; k < neighborCount; k++) {
    const at = NEIGHBOR_STRIDE * k;
    const share = neighbors[at + NEIGHBOR_SHARE];
    if (!(share > 0)) continue;
    const dx = neighbors[at + NEIGHBOR_DX];
    const dz = neighbors[at + NEIGHBOR_DZ];
    // The relative velocity when the neighbor takes its own share, too.
    const rx = currentX + (x - currentX) / share - neighbors[at + NEIGHBOR_VX];
    const rz = currentZ + (z - currentZ) / share - neighbors[at + NEIGHBOR_VZ];
    const reach = basis[RADIUS] + neighbors[at + NEIGHBOR_RADIUS];
    const distanceSq = dx * dx + dz * dz;
    const distance = Math.sqrt(distanceSq);
    const ax = distance > 0 ? dx / distance : 1 - 2 * (k & 1);
    const az = distance > 0 ? dz / distance : 0;
    // The side on which this agent should not pass the neighbor.
    const wantX = basis[DESIRED_X] - neighbors[at + NEIGHBOR_VX];
    const wantZ = basis[DESIRED_Z] - neighbors[at + NEIGHBOR_VZ];
    const leaning = ax * wantZ - az * wantX - basis[SIDE] * SIDE_BIAS * Math.sqrt(wantX * wantX + wantZ * wantZ);
    const wrong = leaning >= 0 ? 1 : -1;
    const toward = (ax * rx + az * rz) / 2 + 0.5;
    const across = 2 * wrong * (az * rx - ax * rz);
    const lesser = toward < across ? toward : across;
    side += lesser < 0 ? 0 : lesser > 1 ? 1 : lesser;
    sides++;
    const speedSq = rx * rx + rz * rz;
    if (!(speedSq > MIN_SPEED_SQ)) continue;
    const along = rx * dx + rz * dz;
    const root = along * along - speedSq * (distanceSq - reach * reach);
    if (root < 0) continue;
    let time = (along - Math.sqrt(root)) / speedSq;
    // For agents that overlap: the longer ago they would have met on this course, the sooner they separate.
    if (time < 0 && (along + Math.sqrt(root)) / speedSq > 0) time /= -2;
    if (time < 0 || time >= soonest) continue;
    isFree = false;
    soonest = time;
    if (soonest < tooSoon) return false;
  }
  for (let k = 0; k < wallCount; k++) {
    const w = WALL_STRIDE * k;
    const x1 = walls[w];
    const z1 = walls[w + 1];
    const ux = walls[w + 2] - x1;
    const uz = walls[w + 3] - z1;
    const lengthSq = ux * ux + uz * uz;
    const distance = ux * z1 - uz * x1;
    const approach = ux * z - uz * x;
    if (!(approach > 0)) continue;
    const touch = TOUCH * Math.sqrt(lengthSq);
    if (distance < -touch) continue;
    const time = distance > touch ? distance / approach : 0;
    if (time >= horizon) continue;
    const along = (x * ux + z * uz) * time - x1 * ux - z1 * uz;
    if (along < 0 || along > lengthSq) continue;
    isFree = false;
    // Walls do not approach by themselves, so they are half as urgent.
    if (2 * time >= soonest) continue;
    soonest = 2 * time;
    if (soonest < tooSoon) return false;
  }
  if (sides > 0) penalty += (params.weightSide * side) / sides;
  penalty += weightImpact / (SOONEST + soonest / horizon);
  if (penalty < least) sample[LEAST] = penalty;
  return isFree;
}
