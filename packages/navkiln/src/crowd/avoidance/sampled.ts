/**
 * Avoidance by trying velocities: the one of least penalty among samples around the desired one, refined around the best.
 *
 * In: one agent's view (avoidance.ts) and parameters. Out: a velocity, never faster than the maximum. A velocity is penalised for
 * being off the desired one, off the present one, for leading past others on the wrong side, and for the time until it leads
 * into somebody or a wall. No velocity is forbidden: agents give way more softly than with `avoidByOrca`, touch now and then, and
 * may be led into a wall, where the mesh stops them. A desired velocity that meets nothing within the horizon comes back bit for
 * bit.
 *
 * Cost: (1 + divisions * rings) * depth samples, each linear in neighbours and walls until it is worse than the best. No
 * allocation.
 *
 * Based on: Detour's obstacle avoidance with adaptive sampling (Mikko Mononen), whose terms and default weights this keeps; there
 * after van den Berg, Lin, Manocha, Reciprocal Velocity Obstacles for Real-Time Multi-Agent Navigation, 2008. Own: shares other
 * than a half, the common side, walls seen from their walkable side only, no sampling where nothing is in the way.
 */
import { refuse } from '../../data/refuse.ts';
import { cosDegrees, sinDegrees } from '../../math/degrees.ts';
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

export interface SampledOptions {
  /** 0 .. 1: where the samples' middle is between standing still and the desired velocity. Default 0.4. */
  velocityBias?: number;
  /** Weight of being off the desired velocity. Default 2. */
  weightDesired?: number;
  /** Weight of being off the present velocity. Default 0.75. */
  weightCurrent?: number;
  /** Weight of passing on the wrong side. Default 0.75. */
  weightSide?: number;
  /** Weight of colliding soon. Default 2.5. */
  weightImpact?: number;
  /** How far ahead collisions count, seconds. Default 2.5. */
  horizon?: number;
  /** Directions of samples, 3 .. 64. Default 7. */
  divisions?: number;
  /** Rings of samples, 1 .. 16. Default 2. */
  rings?: number;
  /** How often the pattern is laid around the best so far, half as large each time; 1 .. 16. Default 5. */
  depth?: number;
}

/** Parameters with the pattern made from them: by `createSampledParams`. */
export interface SampledParams extends Required<SampledOptions> {
  /** xz a sample, within the unit circle, for a desired velocity along +x. */
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

/** Throws a RangeError for an option that is unknown or out of its range. */
export function createSampledParams(options: SampledOptions = {}): SampledParams {
  const params = { ...DEFAULTS, pattern: new Float64Array(0) };
  for (const [name, value] of Object.entries(options)) {
    const range = RANGES[name as keyof SampledOptions];
    if (range === undefined) refuse('createSampledParams', name, value, `one of ${Object.keys(RANGES).join(', ')}`);
    if (value === undefined) continue;
    const isCount = name === 'divisions' || name === 'rings' || name === 'depth';
    if (!(value >= range[0] && value <= range[1]) || (isCount && !Number.isInteger(value))) {
      refuse('createSampledParams', name, value, `a ${isCount ? 'whole ' : ''}number from ${range[0]} to ${range[1]}`);
    }
    params[name as keyof SampledOptions] = value;
  }
  const { divisions, rings } = params;
  const pattern = new Float64Array(2 * (1 + divisions * rings));
  let at = 2;
  for (let ring = rings; ring > 0; ring--) {
    // Every other ring is turned by half a division, so that samples do not stand in rows.
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

/** Those of all defaults. */
export const SAMPLED_DEFAULTS: SampledParams = /* @__PURE__ */ createSampledParams();

/** Of the horizon, below this no time counts as sooner: keeps the penalty finite. */
const SOONEST = 0.1;
/** World units: a wall this near is touched. */
const TOUCH = 0.01;

/** What the samples are judged by: desired x, z, present x, z, radius, 1 / maximum speed, common side. */
const judge = new Float64Array(7);
/** The sample in question (x, z), and the least penalty so far. */
const sample = new Float64Array(3);

/**
 * Chooses out[0], out[1] (vx, vz) for `scene`. The horizons of `scene.self` are not used: that of `params` is. All numbers must
 * be finite.
 */
export function avoidBySampling(out: Float64Array, scene: AvoidanceScene, params: SampledParams): void {
  const { self } = scene;
  const max = self[SELF_MAX_SPEED];
  let x = self[SELF_DESIRED_X];
  let z = self[SELF_DESIRED_Z];
  let speed = Math.sqrt(x * x + z * z);
  if (speed > max * (1 + 1e-9)) {
    x *= max / speed;
    z *= max / speed;
    speed = max;
  }
  out[0] = x;
  out[1] = z;
  if (!(max > 0)) return;
  judge[0] = x;
  judge[1] = z;
  judge[2] = self[SELF_VX];
  judge[3] = self[SELF_VZ];
  judge[4] = self[SELF_RADIUS];
  judge[5] = 1 / max;
  judge[6] = self[SELF_SIDE];
  sample[0] = x;
  sample[1] = z;
  sample[2] = Infinity;
  // It may stay as it is when it meets nothing; else it is the first sample.
  if (isImproved(scene, params)) return;
  const ux = speed > 0 ? x / speed : 1;
  const uz = speed > 0 ? z / speed : 0;
  const { pattern, depth, velocityBias } = params;
  let middleX = x * velocityBias;
  let middleZ = z * velocityBias;
  let reach = max * (1 - velocityBias);
  const limitSq = max * max * (1 + 1e-9);
  for (let k = 0; k < depth; k++) {
    for (let i = 0; i < pattern.length; i += 2) {
      const px = middleX + (pattern[i] * ux - pattern[i + 1] * uz) * reach;
      const pz = middleZ + (pattern[i] * uz + pattern[i + 1] * ux) * reach;
      if (px * px + pz * pz > limitSq) continue;
      sample[0] = px;
      sample[1] = pz;
      const before = sample[2];
      isImproved(scene, params);
      if (sample[2] < before) {
        out[0] = px;
        out[1] = pz;
      }
    }
    middleX = out[0];
    middleZ = out[1];
    reach /= 2;
  }
}

/**
 * Lowers sample[2] to the sample's penalty when that is less. True when the sample leads into nothing within the horizon: of
 * interest for the desired velocity only.
 */
function isImproved(scene: AvoidanceScene, params: SampledParams): boolean {
  const { neighbors, neighborCount, walls, wallCount } = scene;
  const { weightImpact, horizon } = params;
  const x = sample[0];
  const z = sample[1];
  const least = sample[2];
  const perMax = judge[5];
  const currentX = judge[2];
  const currentZ = judge[3];
  let offX = x - judge[0];
  let offZ = z - judge[1];
  let penalty = params.weightDesired * perMax * Math.sqrt(offX * offX + offZ * offZ);
  offX = x - currentX;
  offZ = z - currentZ;
  penalty += params.weightCurrent * perMax * Math.sqrt(offX * offX + offZ * offZ);
  // Sooner than this it is worse than the best already: weightImpact / (SOONEST + time / horizon) alone makes up the rest.
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
    // As if the other changed its velocity by its own share of what this one changes.
    const rx = currentX + (x - currentX) / share - neighbors[at + NEIGHBOR_VX];
    const rz = currentZ + (z - currentZ) / share - neighbors[at + NEIGHBOR_VZ];
    const reach = judge[4] + neighbors[at + NEIGHBOR_RADIUS];
    const distanceSq = dx * dx + dz * dz;
    const distance = Math.sqrt(distanceSq);
    const ax = distance > 0 ? dx / distance : 1 - 2 * (k & 1);
    const az = distance > 0 ? dz / distance : 0;
    // To the left of the other as seen from here, or to the right: where this one shall not go.
    const wantX = judge[0] - neighbors[at + NEIGHBOR_VX];
    const wantZ = judge[1] - neighbors[at + NEIGHBOR_VZ];
    const leaning = ax * wantZ - az * wantX - judge[6] * 0.1 * Math.sqrt(wantX * wantX + wantZ * wantZ);
    const wrong = leaning >= 0 ? 1 : -1;
    const toward = (ax * rx + az * rz) / 2 + 0.5;
    const across = 2 * wrong * (az * rx - ax * rz);
    const lesser = toward < across ? toward : across;
    side += lesser < 0 ? 0 : lesser > 1 ? 1 : lesser;
    sides++;
    const speedSq = rx * rx + rz * rz;
    if (!(speedSq > 1e-8)) continue;
    const along = rx * dx + rz * dz;
    const root = along * along - speedSq * (distanceSq - reach * reach);
    if (root < 0) continue;
    let time = (along - Math.sqrt(root)) / speedSq;
    // Of two that overlap: the longer ago they met on this course, the sooner they part.
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
    // Walls do not come nearer by themselves: half as urgent.
    if (2 * time >= soonest) continue;
    soonest = 2 * time;
    if (soonest < tooSoon) return false;
  }
  if (sides > 0) penalty += (params.weightSide * side) / sides;
  penalty += weightImpact / (SOONEST + soonest / horizon);
  if (penalty < least) sample[2] = penalty;
  return isFree;
}
