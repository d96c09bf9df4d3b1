/** A path corridor: the polygons from where one is to where one goes, kept valid while both ends move. */
import { createCorridor } from '../query/a-star.ts';
import type { Corridor } from '../query/a-star.ts';

export interface PathCorridor {
  /** Polygons (dense indices) and the crossings between them. */
  corridor: Corridor;
  /** Of each polygon, so that it is found again when the mesh has changed. */
  refs: Float64Array;
  /** Length of the way from where polygon i is left to the target, over the middles of crossings. */
  left: Float64Array;
  /** xyz, on the first polygon. */
  position: Float64Array;
  /** xyz, on the last polygon. */
  target: Float64Array;
  /** Of the mesh, when `refs` and polygons were last found to agree. */
  revision: number;
}

export function createPathCorridor(): PathCorridor {
  return {
    corridor: createCorridor(), refs: new Float64Array(0), left: new Float64Array(0), position: new Float64Array(3),
    target: new Float64Array(3), revision: 0,
  };
}
