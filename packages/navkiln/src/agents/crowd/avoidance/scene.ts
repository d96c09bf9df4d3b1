/**
 * The input of an agent that chooses its velocity: itself, its neighbors, and the walls near it. Both
 * kernels (orca.ts, sampled.ts) read this record, so that one may replace the other.
 *
 * The agent is the origin. All positions are relative to it, in the plane: x to the right and z down the
 * page, seen from above. One record serves all agents of a tick, one after the other. The caller fills it;
 * the kernels do not allocate.
 *
 * Based on: own.
 */
import { refuse } from '../../../base/data/refuse.ts';

// Layout of `self`.
/** Present velocity, world units per second. */
export const SELF_VX = 0;
/** z of the agent's velocity, world units per second. */
export const SELF_VZ = 1;
/** Velocity that the agent would have if it were alone. */
export const SELF_DESIRED_X = 2;
/** z of the velocity that the agent would have alone, world units per second. */
export const SELF_DESIRED_Z = 3;
/** World units. */
export const SELF_RADIUS = 4;
/** World units per second; the chosen velocity is never faster. */
export const SELF_MAX_SPEED = 5;
/** Seconds, above 0: how long the chosen velocity should be free of collisions with neighbors. */
export const SELF_HORIZON = 6;
/** Seconds, above 0: how long the chosen velocity should be free of collisions with walls. */
export const SELF_WALL_HORIZON = 7;
/** Seconds of a tick, above 0. */
export const SELF_STEP = 8;
/**
 * Side on which agents that meet pass each other: -1 right, 1 left, 0 the shorter side. All agents of a crowd use the
 * same value.
 */
export const SELF_SIDE = 9;
/** Numbers in `self`. */
export const SELF_LENGTH = 10;

// Layout of a row of `neighbors`.
/** Position, relative to the agent. */
export const NEIGHBOR_DX = 0;
/** z of the neighbor's position relative to the agent, world units. */
export const NEIGHBOR_DZ = 1;
/** Velocity, world units per second. */
export const NEIGHBOR_VX = 2;
/** z of the neighbor's velocity, world units per second. */
export const NEIGHBOR_VZ = 3;
/** Radius of the neighbor, world units. */
export const NEIGHBOR_RADIUS = 4;
/**
 * Share of the avoidance that this agent takes, 0 .. 1. 0.5 is half; 1 is all of it, for a neighbor that does not give
 * way; 0 ignores the neighbor.
 */
export const NEIGHBOR_SHARE = 5;
/** Numbers in a row of `neighbors`. */
export const NEIGHBOR_STRIDE = 6;

/** Numbers in a row of `walls`: x1, z1, x2, z2. */
export const WALL_STRIDE = 4;

// Layout of a row of `lines`: velocities v with n · v >= c are allowed. See orca.ts.
/** Unit normal n. */
export const LINE_NX = 0;
export const LINE_NZ = 1;
export const LINE_C = 2;
/** How much more this line may be violated than others. */
export const LINE_EASE = 3;
/** Numbers in a row of `lines`. */
export const LINE_STRIDE = 4;

/**
 * One agent's view, made by `createAvoidanceScene`. The caller fills it; `avoidByOrca` and `avoidBySampling`
 * read it.
 */
export interface AvoidanceScene {
  /** See the `SELF_` offsets. */
  self: Float64Array;
  neighborCount: number;
  /**
   * Rows of `NEIGHBOR_STRIDE`, see the `NEIGHBOR_` offsets, in any order; nearest first is fastest. For two agents at
   * exactly the same position, give each a tiny `dx` of opposite sign instead of 0, so that they separate.
   */
  neighbors: Float64Array;
  wallCount: number;
  /**
   * Rows of `WALL_STRIDE`: segments with the walkable side to the left. The agent's center may touch them,
   * because the mesh has been shrunk by its radius. Ends of adjacent walls should coincide to within a 256th
   * of the radius.
   */
  walls: Float64Array;
  /** Scratch: rows of `LINE_STRIDE`. */
  lines: Float64Array;
  /** Scratch: the time for which each wall counts, seconds. */
  wallHorizons: Float64Array;
}

/** Largest number of neighbors or walls of a scene. */
const MAX_COUNT = 1e6;

/**
 * Returns a scene with space for `maxNeighbors` neighbors and `maxWalls` walls. Throws a RangeError unless both are
 * whole numbers, 0 .. 1,000,000.
 */
export function createAvoidanceScene(maxNeighbors: number, maxWalls: number): AvoidanceScene {
  requireCount(maxNeighbors, 'maxNeighbors');
  requireCount(maxWalls, 'maxWalls');
  return {
    self: new Float64Array(SELF_LENGTH),
    neighborCount: 0,
    neighbors: new Float64Array(NEIGHBOR_STRIDE * maxNeighbors),
    wallCount: 0,
    walls: new Float64Array(WALL_STRIDE * maxWalls),
    lines: new Float64Array(2 * LINE_STRIDE * (maxNeighbors + maxWalls)),
    wallHorizons: new Float64Array(maxWalls),
  };
}

function requireCount(count: number, name: string): void {
  if (!Number.isInteger(count) || count < 0 || count > MAX_COUNT) {
    refuse('createAvoidanceScene', name, count, 'a whole number, 0 .. 1,000,000');
  }
}
