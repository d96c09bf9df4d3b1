/** The type of a level scene: a seeded generator with suitable bake options and a path. */

/** The triangles of a level: xyz in meters, y up, walkable tops counter-clockwise seen from above. */
import type { PartitionMethod } from 'navkiln/build';

export interface LevelMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

/** The bake options that scenes use. World units; names as in the library's `BuildOptions`. */
export interface LevelSceneOptions {
  agent: { radius: number; height: number; maxClimb: number; maxSlopeDegrees: number };
  cellSize: number;
  cellHeight: number;
  regionMinArea?: number;
  regionMergeArea?: number;
  maxEdgeError?: number;
  maxEdgeLength?: number;
  detailSampleDistance?: number;
  detailMaxError?: number;
  partition?: 'watershed' | PartitionMethod;
  filterLedges?: boolean;
}

export type Point = [x: number, y: number, z: number];

export interface LevelScene {
  /** Unique, kebab-case. */
  name: string;
  kind: 'level';
  title: string;
  /**
   * Makes the level. The same seed and scale give the same bytes in every engine. `scale` roughly multiplies
   * the number of triangles where `scalable` is set, and is ignored elsewhere. Default 1.
   */
  create: (seed?: number, scale?: number) => LevelMesh;
  scalable: boolean;
  options: LevelSceneOptions;
  /** Ends of a path on the level of the default seed at scale 1. Each lies within 2 m of the surface. */
  path: { from: Point; to: Point };
}
