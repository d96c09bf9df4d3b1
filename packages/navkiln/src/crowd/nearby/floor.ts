/**
 * Do two agents stand on the same floor? Those on different storeys, or above and below a ledge, do not feel each other.
 *
 * They do when their bodies overlap in height (neither stands above the other's head) and the ground between them could be
 * walked: the difference in height is at most what the steepest slope climbs over their distance, and a step.
 */
import { cosDegrees, sinDegrees } from '../../math/degrees.ts';
import type { AgentShape } from '../../navmesh/types.ts';
import type { AgentArrays } from '../state/types.ts';

/** Of ground that is steeper, walls included. */
const STEEPEST_SQ = 1e12;

/** The slope last asked for, degrees, and its climb: sines that are asked for once a tick are never compiled, and allocate. */
const known = Float64Array.of(-1, 0);

/** limits[0]: the steepest slope's climb a unit of distance, squared; limits[1]: the highest step. */
export function readFloorLimits(limits: Float64Array, shape: AgentShape): void {
  if (known[0] !== shape.maxSlopeDegrees) {
    const cosine = cosDegrees(Math.min(shape.maxSlopeDegrees, 90));
    const sine = sinDegrees(Math.min(shape.maxSlopeDegrees, 90));
    const climbSq = (sine * sine) / (cosine * cosine);
    known[0] = shape.maxSlopeDegrees;
    known[1] = climbSq < STEEPEST_SQ ? climbSq : STEEPEST_SQ;
  }
  limits[0] = known[1];
  limits[1] = shape.maxClimb;
}

/** Are two slots on one floor that are so far apart in the plane, squared? */
export function isOnFloor(
  limits: Float64Array,
  agents: AgentArrays,
  a: number,
  b: number,
  distanceSq: number,
): boolean {
  const { position, height } = agents;
  const dy = position[3 * b + 1] - position[3 * a + 1];
  if (dy === 0) return true;
  const rise = dy < 0 ? -dy : dy;
  if (rise >= (dy < 0 ? height[b] : height[a])) return false;
  const above = rise - limits[1];
  return above <= 0 || above * above <= distanceSq * limits[0];
}
