/**
 * Tells whether two agents stand on the same floor. Agents on different levels of a building, or above and
 * below a ledge, ignore each other.
 *
 * Two agents share a floor when their bodies overlap in height and the surface between them could be walkable. For
 * this, the difference in height is at most one climb plus the rise of the steepest slope over their distance.
 *
 * Based on: own.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import type { AgentShape } from '../../../mesh/types.ts';
import type { AgentArrays } from '../state/types.ts';

// Layout of floor limits.
/** Rise of the steepest walkable slope per unit of distance, squared. */
export const FLOOR_SLOPE_SQ = 0;
/** Highest climb, world units. */
export const FLOOR_CLIMB = 1;

/** Rise, squared, that stands for vertical surfaces, whose slope is infinite. */
const MAX_SLOPE_SQ = 1e12;

/**
 * The last slope in degrees and its `FLOOR_SLOPE_SQ`. It is cached because V8 does not optimize functions
 * that are called once per tick, and unoptimized trigonometry allocates.
 */
const cached = Float64Array.of(-1, 0);

/** Writes `FLOOR_SLOPE_SQ` and `FLOOR_CLIMB` of the mesh's agent shape. */
export function readFloorLimits(limits: Float64Array, shape: AgentShape): void {
  if (cached[0] !== shape.maxSlopeDegrees) {
    const cosine = cosDegrees(Math.min(shape.maxSlopeDegrees, 90));
    const sine = sinDegrees(Math.min(shape.maxSlopeDegrees, 90));
    const slopeSq = (sine * sine) / (cosine * cosine);
    cached[0] = shape.maxSlopeDegrees;
    cached[1] = slopeSq < MAX_SLOPE_SQ ? slopeSq : MAX_SLOPE_SQ;
  }
  limits[FLOOR_SLOPE_SQ] = cached[1];
  limits[FLOOR_CLIMB] = shape.maxClimb;
}

/** Returns whether slots a and b stand on one floor. */
export function isOnFloor(limits: Float64Array, agents: AgentArrays, a: number, b: number): boolean {
  const { position, height } = agents;
  const dy = position[3 * b + 1] - position[3 * a + 1];
  if (dy === 0) return true;
  const rise = dy < 0 ? -dy : dy;
  if (rise >= (dy < 0 ? height[b] : height[a])) return false;
  const above = rise - limits[FLOOR_CLIMB];
  if (above <= 0) return true;
  const dx = position[3 * b] - position[3 * a];
  const dz = position[3 * b + 2] - position[3 * a + 2];
  return above * above <= (dx * dx + dz * dz) * limits[FLOOR_SLOPE_SQ];
}
