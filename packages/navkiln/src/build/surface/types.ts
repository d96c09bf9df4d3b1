/**
 * The records between the stages of `buildFromSurface`. "Plan" means seen from above: x and z.
 *
 * All corners are points of one `PointTable`: a plan position and a height. Positions closer to each other
 * than the tolerance are one position. From then on, "equal seen from above" means the same number, whatever
 * the heights, and no distance is compared again.
 */

import type { MemoryBudget } from '../../base/data/memory-budget.ts';
import type { Workspace } from '../../base/data/workspace.ts';

/** Plan positions, and the points at each. */
export interface PointTable {
  tolerance: number;
  /** Memory that stages reuse from tile to tile. */
  workspace: Workspace;
  /** Budget for the work on pairs and pieces. */
  budget: MemoryBudget;
  /**
   * The current tile, if there are several. Positions within the tolerance of a line of its square are moved
   * onto the line.
   */
  square: TileSquare | undefined;
  /** Side of a cell of the lookup. */
  cell: number;
  planCount: number;
  planX: Float64Array;
  planZ: Float64Array;
  /** First point at each position, or -1; `pointNext` leads to the others. */
  planPoint: Int32Array;
  /** Next position in the same bucket, or -1. */
  planNext: Int32Array;
  planBucket: Int32Array;
  pointCount: number;
  pointPlan: Int32Array;
  pointY: Float64Array;
  pointNext: Int32Array;
}

/**
 * Triangles as half-edges: half-edge 3t + k runs from corner k of triangle t to the next, counter-clockwise
 * seen from above.
 */
export interface Ground {
  count: number;
  /** 3 per triangle: points. */
  corner: Int32Array;
  /**
   * 3 per triangle: the half-edge on the other side, or -1. Both have the same plan positions but may differ
   * in height. In the surface of one tile: -2 .. -5, there is surface beyond the side -x, +z, +x, -z of its
   * square.
   */
  twin: Int32Array;
  /** 3 per triangle: 1 when a wall on the edge keeps it from being joined. */
  blocked: Uint8Array;
  area: Uint8Array;
  /** The ground triangle of the input that each triangle comes from. */
  source: Int32Array;
}

/** The square of a tile, and how far around it surface is considered, world units. */
export interface TileSquare {
  /** Its position in the grid. */
  x: number;
  z: number;
  x0: number;
  z0: number;
  x1: number;
  z1: number;
  rim: number;
}

/** Triangles that stand on the surface, or lie above it. */
export interface Surroundings {
  /** xyz of all vertices. */
  positions: Float64Array;
  /** 3 per upright triangle: vertices. */
  wallVertex: Int32Array;
  /** 3 per triangle that is neither ground nor upright: vertices. */
  otherVertex: Int32Array;
}

/** The input with all levels in one. */
export interface SurfaceInput extends Surroundings {
  /** First triangle of each level, and the end. */
  levelStart: number[];
  /** 3 per ground triangle: vertices. */
  groundVertex: Int32Array;
  /** The number of each ground triangle in the input. */
  groundSource: Int32Array;
  groundArea: Uint8Array;
}

/** The input of one tile. */
export interface TileInput extends Surroundings {
  /** Triangles list[from] .. list[to - 1] of the ground. */
  ground: SurfaceInput;
  list: Int32Array;
  from: number;
  to: number;
}
