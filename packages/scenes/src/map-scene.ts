/**
 * The type of a map scene: a seeded 2D map of outlines, holes and obstacles, with a suitable radius and a
 * path.
 */

export type MapPoint = [x: number, y: number];

/** The same shape as the library's `PolygonMap`. */
export interface SceneMap {
  polygons: { outline: MapPoint[]; holes?: MapPoint[][] }[];
  obstacles?: MapPoint[][];
}

export interface MapScene {
  /** Unique, kebab-case. */
  name: string;
  kind: 'map';
  title: string;
  /**
   * Makes the map. The same seed and scale give the same numbers in every engine. `scale` roughly multiplies
   * the number of points where `scalable` is set, and is ignored elsewhere. Default 1.
   */
  create: (seed?: number, scale?: number) => SceneMap;
  scalable: boolean;
  /** An agent radius that fits the map, in world units. */
  radius: number;
  /** Ends of a path on the map of the default seed at scale 1. */
  path: { from: MapPoint; to: MapPoint };
}
