/**
 * The records between the stages of `buildFromSurface`. "Plan" is what is seen from above: x and z.
 *
 * All corners are points of one `PointTable`: a plan place and a height. Places that are nearer to each other than the tolerance
 * are one place, so from there on "the same seen from above" is the same number, whatever the heights, and no distance is
 * compared again.
 */

import type { Workspace } from '../data/workspace.ts';

/** Places seen from above, and the points over each. */
export interface PointTable {
  tolerance: number;
  /** Memory that stages leave to those of the next tile. */
  workspace: Workspace;
  /** The tile at hand, if there are several. What is within the tolerance of a line that its square ends at is moved onto it. */
  square: TileSquare | undefined;
  /** Side of a cell of the look-up. */
  cell: number;
  planCount: number;
  planX: Float64Array;
  planZ: Float64Array;
  /** First point at each place, or -1; go on with `pointNext`. */
  planPoint: Int32Array;
  /** Next place in the same bucket, or -1. */
  planNext: Int32Array;
  planBucket: Int32Array;
  pointCount: number;
  pointPlan: Int32Array;
  pointY: Float64Array;
  pointNext: Int32Array;
}

/** Triangles in half-edges: half-edge 3t + k runs from corner k of triangle t to the next, counter-clockwise seen from above. */
export interface Ground {
  count: number;
  /** 3 a triangle: points. */
  corner: Int32Array;
  /**
   * 3 a triangle: the half-edge on the other side, -1: none. The two have the same places, but may differ in height. Of the
   * ground of one tile: -2 .. -5: there is ground beyond the side -x, +z, +x, -z of its square.
   */
  twin: Int32Array;
  /** 3 a triangle: 1: there is a wall on it, which keeps it from being joined. */
  blocked: Uint8Array;
  area: Uint8Array;
  /** Ground triangle of the input each comes from. */
  source: Int32Array;
}

/** The square of a tile, and how far around it ground is looked at, world units. */
export interface TileSquare {
  /** Its place in the grid. */
  x: number;
  z: number;
  x0: number;
  z0: number;
  x1: number;
  z1: number;
  rim: number;
}

/** What stands on ground, or over it. */
export interface Surroundings {
  /** xyz of all vertices. */
  positions: Float64Array;
  /** 3 an upright triangle: vertices. */
  wallVertex: Int32Array;
  /** 3 a triangle that is neither: vertices. */
  otherVertex: Int32Array;
}

/** What was given, all levels in one. */
export interface SurfaceInput extends Surroundings {
  /** First triangle of each level, and the end. */
  levelStart: number[];
  /** 3 a ground triangle: vertices. */
  groundVertex: Int32Array;
  /** Triangle of the input each is. */
  groundSource: Int32Array;
  groundArea: Uint8Array;
}

/** What one tile is made of. */
export interface TileInput extends Surroundings {
  /** Triangles list[from] .. list[to - 1] of the ground. */
  ground: SurfaceInput;
  list: Int32Array;
  from: number;
  to: number;
}
