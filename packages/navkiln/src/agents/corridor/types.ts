/** The record of a path corridor, and the kinds of its corners. */
import type { Corridor } from '../../query/path/corridor.ts';
import { createCorridor } from '../../query/path/corridor.ts';

/**
 * A path as the polygons that it leads through. Create one with `createPathCorridor` and reuse it.
 */
export interface PathCorridor {
  /** The polygons (dense indices) and the crossings between them. */
  corridor: Corridor;
  /** The `PolyRef` of each polygon, which finds it again after the mesh has changed. */
  refs: Float64Array;
  /**
   * For polygon i: the path length from its exit to the target, over the middles of crossings, in world units; 0 for
   * the last polygon. A link counts with its cost, or with its length when it has none.
   */
  left: Float64Array;
  /** xyz, on the first polygon, world units. */
  position: Float64Array;
  /** xyz, on the last polygon, world units. */
  target: Float64Array;
  /** `mesh.revision` at which the polygons (dense indices) are valid. */
  revision: number;
  /** How often its polygons, crossings or lengths have changed. Only snapshots read it. */
  version: number;
}

/** Creates an empty corridor; `resetCorridor` gives it its first polygon. */
export function createPathCorridor(): PathCorridor {
  return {
    corridor: createCorridor(),
    refs: new Float64Array(0),
    left: new Float64Array(0),
    position: new Float64Array(3),
    target: new Float64Array(3),
    revision: 0,
    version: 0,
  };
}

// CorridorCorners.kinds, AgentArrays.cornerKind: the kind of a corner.
/** There is no corner. */
export const CORNER_NONE = 0;
/** A corner where the path turns. */
export const CORNER_TURN = 1;
/** The end of the corridor. */
export const CORNER_GOAL = 2;
/** The point at which a link is entered. */
export const CORNER_LINK = 3;

/**
 * Values of `CorridorCorners.kinds` and `AgentArrays.cornerKind`: `none`, no corner; `turn`, where the path turns; `goal`, its end; `link`,
 * where a link is entered.
 */
export const CORNER_KINDS: Readonly<Record<'none' | 'turn' | 'goal' | 'link', number>> = {
  none: CORNER_NONE,
  turn: CORNER_TURN,
  goal: CORNER_GOAL,
  link: CORNER_LINK,
};
