/** Obstacles of worlds over 2D maps, as callers give them: convex shapes in the plane of the map. */
import type { PointLike2d } from '../../math/point-2d.ts';

/** Where an obstacle of a map is. */
export interface MapPlacement {
  /** Map units. Default [0, 0]. */
  position?: PointLike2d;
  /** Degrees, counter-clockwise on the screen. Default 0. */
  rotation?: number;
}

/** The shape of an obstacle of a map, map units. */
export type MapShape =
  /** Width and height; its origin is its middle. */
  | { type: 'box'; size: ArrayLike<number> }
  /** A circle, as the polygon of tangents that `arcTolerance` allows. */
  | { type: 'cylinder'; radius: number }
  /** The convex hull of the points. */
  | { type: 'convex'; outline: readonly PointLike2d[] };

/** An obstacle of a world over a 2D map. */
export type MapObstacle = MapShape &
  MapPlacement & {
    /** 'hole' removes the ground under it, with the agent's radius around it; 'area' gives the ground under it an area id. Default 'hole'. */
    effect?: 'hole' | 'area';
    /** Area id of effect 'area', 1 .. 63. */
    area?: number;
    /** As `WorldObstacle.carveAfterSeconds`. */
    carveAfterSeconds?: number;
    /** As `WorldObstacle.carveOnlyStationary`. */
    carveOnlyStationary?: boolean;
  };
