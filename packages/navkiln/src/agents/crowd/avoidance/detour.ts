/**
 * Steers around agents that stand or move slowly ahead. It compares the velocity that avoidance has chosen with two
 * that aim 60 degrees to the left and right of the desired velocity, and takes the best.
 *
 * The velocity nearest to the desired one is slow when agents are straight ahead. Crossing streams would jam in open
 * space. A velocity is better when it leads farther along the desired direction, is faster, and differs less from the
 * current one.
 *
 * In: one agent's view (scene.ts), after `avoidByOrca`. Out: a velocity.
 * Cost: one comparison for an agent that advances; otherwise two linear programs, and a third next to standing bodies.
 * No allocation.
 * Based on: own; Detour's crowd also tries velocities to both sides (Mikko Mononen, since 2009).
 * Tried: aiming at 90 degrees as well, no weight for the current velocity, and other limits; none is faster. Detours
 * next to walls mix the queues before ramps: `rooms-flow` makes 312 instead of 391 trips a minute. Without detours, 300
 * agents in open space make 680 instead of 920 trips a minute (`npm run bench -- --only crowd-flow`).
 */
import { aimByOrca, avoidByOrca } from './orca.ts';
import { SELF_DESIRED_X, SELF_DESIRED_Z, SELF_VX, SELF_VZ } from './scene.ts';
import type { AvoidanceScene } from './scene.ts';

/** An agent tries a detour when its speed along the desired direction is below this share of the desired speed. */
const BELOW = 0.5;
/** Below this share, it tries to pass standing bodies on the side of its desired velocity. */
const PASS_BELOW = 0.8;
/** Cosine and sine of the turn. */
const AHEAD = 0.5;
const ASIDE: number = Math.sqrt(1 - AHEAD * AHEAD);
/**
 * Weights of the speed in any direction, and of the current velocity, compared with progress along the desired
 * direction.
 */
const SPEED_WEIGHT = 0.5;
const KEEP_WEIGHT = 0.2;

const trial = new Float64Array(2);
const aimed = new Float64Array(2);
/**
 * Ratings of the best velocity and of a trial; higher is better. An array, because V8 may allocate returned numbers.
 */
const worth = new Float64Array(2);
const BEST = 0;
const TRIAL = 1;

/** Improves the velocity `out`, which `avoidByOrca` has chosen for `scene`. */
export function takeDetour(out: Float64Array, scene: AvoidanceScene): void {
  const { self } = scene;
  const x = self[SELF_DESIRED_X];
  const z = self[SELF_DESIRED_Z];
  const speedSq = x * x + z * z;
  if (speedSq === 0 || out[0] * x + out[1] * z > BELOW * speedSq) return;
  setWorth(BEST, out, self);
  for (let side = -1; side <= 1; side += 2) {
    aimed[0] = AHEAD * x - side * ASIDE * z;
    aimed[1] = AHEAD * z + side * ASIDE * x;
    aimByOrca(trial, scene, aimed);
    setWorth(TRIAL, trial, self);
    if (worth[TRIAL] <= worth[BEST]) continue;
    worth[BEST] = worth[TRIAL];
    out[0] = trial[0];
    out[1] = trial[1];
  }
}

/**
 * Improves the velocity `out`, which `avoidByOrca` has chosen for `scene`, between standing bodies. The half-planes of
 * `avoidByOrca` depend on the current velocity, so that an agent that walks along a row of bodies would not turn into a
 * gap.
 */
export function passStanding(out: Float64Array, scene: AvoidanceScene): void {
  const { self } = scene;
  const x = self[SELF_DESIRED_X];
  const z = self[SELF_DESIRED_Z];
  const speedSq = x * x + z * z;
  if (speedSq === 0 || out[0] * x + out[1] * z > PASS_BELOW * speedSq) return;
  avoidByOrca(trial, scene, true);
  setWorth(TRIAL, trial, self);
  setWorth(BEST, out, self);
  if (worth[TRIAL] <= worth[BEST]) return;
  out[0] = trial[0];
  out[1] = trial[1];
}

/** Sets `worth[at]` to the rating of a velocity. */
function setWorth(at: number, velocity: Float64Array, self: Float64Array): void {
  const x = velocity[0];
  const z = velocity[1];
  const desiredX = self[SELF_DESIRED_X];
  const desiredZ = self[SELF_DESIRED_Z];
  const speedSq = desiredX * desiredX + desiredZ * desiredZ;
  const along = x * desiredX + z * desiredZ;
  const kept = x * self[SELF_VX] + z * self[SELF_VZ];
  worth[at] = along + SPEED_WEIGHT * Math.sqrt((x * x + z * z) * speedSq) + KEEP_WEIGHT * kept;
}
