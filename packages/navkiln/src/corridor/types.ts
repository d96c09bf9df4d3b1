/** TODO: header. */
import type { Corridor } from '../query/path/corridor.ts';
import { createCorridor } from '../query/path/corridor.ts';

export interface PathCorridor {
  /** Polygons (dense indices) and the crossings between them. */
  corridor: Corridor;
  /** Of each polygon, so that it is found again when the mesh has changed. */
  refs: Float64Array;
  /**
   * Length of the way from where polygon i is left to the target, over the middles of crossings; 0 for the last. A link counts
   * as its cost, or as long as it is when it has none.
   */
  left: Float64Array;
  /** xyz, on the first polygon. */
  position: Float64Array;
  /** xyz, on the last polygon. */
  target: Float64Array;
  /** Of the mesh, when `refs` and polygons were last found to agree. */
  revision: number;
}

/** An empty one: `resetCorridor` makes it useful. */
export function createPathCorridor(): PathCorridor {
  return {
    corridor: createCorridor(),
    refs: new Float64Array(0),
    left: new Float64Array(0),
    position: new Float64Array(3),
    target: new Float64Array(3),
    revision: 0,
  };
}

// agents.cornerKind: what the next corner is.
export const CORNER_NONE = 0;

export const CORNER_TURN = 1;

/** The end of the corridor. */
export const CORNER_GOAL = 2;

/** Where a link is entered: link end `cornerLinkEnd`. */
export const CORNER_LINK = 3;
