/**
 * The records between the stages of `buildFromSurface`. "Plan" is what is seen from above: x and z.
 *
 * All corners are points of one `PointTable`: a plan place and a height. Places that are nearer to each other than the tolerance
 * are one place, so from there on "the same seen from above" is the same number, whatever the heights, and no distance is
 * compared again.
 */

/** Places seen from above, and the points over each. */
export interface PointTable {
  tolerance: number;
  /** Side of the grid's tiles, 0: none. What is within the tolerance of a line of it is moved onto it. */
  tileSize: number;
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
  /** 3 a triangle: the half-edge on the other side, -1: none. The two have the same places, but may differ in height. */
  twin: Int32Array;
  /** 3 a triangle: 1: there is a wall on it, which keeps it from being joined. */
  blocked: Uint8Array;
  area: Uint8Array;
  /** Triangle of the input each comes from. */
  source: Int32Array;
}

/** What was given, all levels in one. */
export interface SurfaceInput {
  /** First triangle of each level, and the end. */
  levelStart: number[];
  /** xyz of all vertices. */
  positions: Float64Array;
  /** 3 a ground triangle: vertices. */
  groundVertex: Int32Array;
  groundSource: Int32Array;
  groundArea: Uint8Array;
  /** 3 an upright triangle: vertices. */
  wallVertex: Int32Array;
  /** 3 a triangle that is neither: vertices. */
  otherVertex: Int32Array;
}
