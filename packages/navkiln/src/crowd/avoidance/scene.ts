/**
 * What one agent knows when it chooses its velocity: itself, its neighbours, the walls near it. Both ways to choose
 * (orca.ts, sampled.ts) read this record, so that one may stand in for the other.
 *
 * The agent is the origin: all positions are relative to it, in the plane, x to the right and z down the page when seen from
 * above. One record serves all agents of a tick, one after the other; the caller fills it, nothing here allocates.
 *
 * Based on: own.
 */
import { refuse } from '../../data/refuse.ts';

// Where things are in `self`.
/** Velocity now, world units a second. */
export const SELF_VX = 0;
export const SELF_VZ = 1;
/** The velocity it would have if it were alone. */
export const SELF_DESIRED_X = 2;
export const SELF_DESIRED_Z = 3;
export const SELF_RADIUS = 4;
/** What is chosen is never faster. */
export const SELF_MAX_SPEED = 5;
/** Seconds, above 0: how long the chosen velocity shall be free of collisions with neighbours. */
export const SELF_HORIZON = 6;
/** Seconds, above 0: the same for walls. */
export const SELF_WALL_HORIZON = 7;
/** Seconds of a tick, above 0. */
export const SELF_STEP = 8;
/** -1: those who meet keep to their right; 1: to their left; 0: whatever is shorter. The same for all of a crowd. */
export const SELF_SIDE = 9;
/** Length of `self`. */
export const SELF_LENGTH = 10;

// Where things are in a neighbour's row.
/** Where it is, as seen from the agent. */
export const NEIGHBOR_DX = 0;
export const NEIGHBOR_DZ = 1;
/** Its velocity. */
export const NEIGHBOR_VX = 2;
export const NEIGHBOR_VZ = 3;
export const NEIGHBOR_RADIUS = 4;
/** 0 .. 1: how much of what keeps the two apart THIS agent does: 0.5 half, 1 all (the other will not), 0 it is ignored. */
export const NEIGHBOR_SHARE = 5;
/** Numbers a neighbour. */
export const NEIGHBOR_STRIDE = 6;

/** Numbers a wall: x1, z1, x2, z2. */
export const WALL_STRIDE = 4;

/** One agent's view; made by `createAvoidanceScene`, filled by the caller, read by `avoidByOrca` and `avoidBySampling`. */
export interface AvoidanceScene {
  /** See the `SELF_` offsets. */
  self: Float64Array;
  neighborCount: number;
  /**
   * Rows of `NEIGHBOR_STRIDE`, see the `NEIGHBOR_` offsets; nearest first is best, any order will do. For two agents at
   * exactly the same place give each a `dx` of a hair instead of 0, with opposite signs, say by their slots: then they part.
   */
  neighbors: Float64Array;
  wallCount: number;
  /**
   * Rows of `WALL_STRIDE`: a segment whose walkable side is to its left. The agent's centre may come as near as 0: the mesh
   * has been shrunk by its radius. Walls that belong together should share their ends to within a 256th of the radius.
   */
  walls: Float64Array;
  /** Scratch of the kernels: lines, and for how long each wall counts. */
  lines: Float64Array;
  wallHorizons: Float64Array;
}

/** Numbers a line of `lines`: nx, nz, c, ease; see orca.ts. */
export const LINE_STRIDE = 4;

/** A scene with room for so many neighbours and walls. Throws a RangeError for counts that are not whole numbers from 0 on. */
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
  if (!Number.isInteger(count) || count < 0 || count > 1e6) {
    refuse('createAvoidanceScene', name, count, 'a whole number from 0 to 1,000,000');
  }
}
