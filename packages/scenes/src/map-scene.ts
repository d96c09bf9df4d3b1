/** What a map scene is: a seeded 2D map of outlines, holes and obstacles, the radius it is meant for, a path to ask for. */

export type MapPoint = [x: number, y: number];

/** As in the library's `PolygonMap`. */
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
   * Makes the map. The same seed and scale give the same numbers in every engine. `scale` multiplies the number of points
   * (roughly) where `scalable` is set, and is ignored elsewhere. Default 1.
   */
  create: (seed?: number, scale?: number) => SceneMap;
  scalable: boolean;
  /** Agent's radius that fits the map, world units. */
  radius: number;
  /** Ends of a path on the map of the default seed at scale 1. */
  path: { from: MapPoint; to: MapPoint };
}
