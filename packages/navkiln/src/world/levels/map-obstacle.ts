/** Obstacles of worlds over 2D maps, as callers pass them: convex shapes in the plane of the map. */
import type { PointLike2d } from '../../base/math/point-2d.ts';

/** Placement of an obstacle of a map. */
export interface MapPlacement {
  /** Position in map units. Default [0, 0]. */
  position?: PointLike2d;
  /** Rotation in degrees, counter-clockwise on the screen. Default 0. */
  rotation?: number;
}

/** The shape of an obstacle of a map, map units. */
export type MapShape =
  /** A box of a width and a height; its origin is its middle. */
  | { type: 'box'; size: ArrayLike<number> }
  /** A circle, approximated by a polygon of tangents within `arcTolerance`. */
  | { type: 'cylinder'; radius: number }
  /** The convex hull of the points. */
  | { type: 'convex'; outline: readonly PointLike2d[] };

/** An obstacle of a world over a 2D map. */
export type MapObstacle = MapShape &
  MapPlacement & {
    /**
     * 'hole' removes the walkable area under it, plus the agent's radius around it. 'area' gives the walkable area
     * under it an area id. Default 'hole'.
     */
    effect?: 'hole' | 'area';
    /** Area id of effect 'area', 1 .. 63. */
    area?: number;
    /** See `WorldObstacle.carveAfterSeconds`. */
    carveAfterSeconds?: number;
    /** See `WorldObstacle.carveOnlyStationary`. */
    carveOnlyStationary?: boolean;
  };
