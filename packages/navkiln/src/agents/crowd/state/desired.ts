/**
 * Writes desired velocities towards a point, at a speed from which the agent can still stop.
 *
 * Based on: own.
 */
import type { Crowd } from './types.ts';

// Layout of `course`.
/** The point to walk to, relative to the agent; not (0, 0). */
export const COURSE_X = 0;
export const COURSE_Z = 1;
/** World units per second: the highest speed. */
export const COURSE_SPEED = 2;
/**
 * World units: the distance within which the agent must be able to stop at half of its maximum acceleration; Infinity:
 * no limit.
 */
export const COURSE_STOP = 3;

/** The input of `takeCourse`. An array, because V8 may allocate numbers passed between functions. @internal */
export const course: Float64Array = new Float64Array(4);

/**
 * Sets `desired` to the velocity that `course` describes. In one tick, the agent covers at most the distance within which it
 * must stop: with long ticks, it would step over its goal again and again. @internal
 */
export function takeCourse({ agents, stepSeconds }: Crowd, slot: number): void {
  const { desired, maxAcceleration } = agents;
  const dx = course[COURSE_X];
  const dz = course[COURSE_Z];
  const stop = course[COURSE_STOP];
  let speed = course[COURSE_SPEED];
  if (stop < Infinity) {
    speed = Math.min(speed, Math.sqrt(maxAcceleration[slot] * stop), stop / stepSeconds);
  }
  const distance = Math.sqrt(dx * dx + dz * dz);
  desired[2 * slot] = (dx / distance) * speed;
  desired[2 * slot + 1] = (dz / distance) * speed;
}
