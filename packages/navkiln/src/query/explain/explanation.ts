/**
 * The result of explainPath: the reason as a sentence and as data.
 */
import type { LinkRef, PolyRef } from '../../mesh/types.ts';
import type { LocatedPath } from '../path/result.ts';

export type Point = [number, number, number];

/** One end of the path. */
export interface EndExplanation {
  /** A polygon that passes the filter is within `halfExtents`. */
  isOnMesh: boolean;
  /**
   * Start of the path, or its end. When `isOnMesh` is false, the nearest point of the mesh at any distance and for any
   * filter; null when the mesh has no polygons.
   */
  nearest: Point | null;
  /** The polygon of `nearest`; `NULL_REF` when there is none. */
  ref: PolyRef;
  /** Distance to `nearest` seen from above, world units; Infinity when there is none. */
  across: number;
  /** Difference in height to `nearest`, world units; above 0 when `nearest` is higher. */
  up: number;
  /**
   * Axis towards `nearest` seen from above: `'+x'`, `'-x'`, `'+z'`, `'-z'`, or `''` when it is straight above
   * or below.
   */
  direction: string;
  /** Area of `ref`; 0 when there is none. */
  area: number;
  /** Flags of `ref`; 0 when there is none. */
  flags: number;
  /** A polygon is within `halfExtents`, but the filter does not pass it. */
  isFiltered: boolean;
  /**
   * Id of the island, equal for ends that are connected, valid until the mesh changes; -1 when there is none.
   */
  island: number;
}

/** Where two islands come closest. */
export interface GapExplanation {
  /** Point on the start's island. */
  from: Point;
  /** Point on the end's island. */
  to: Point;
  /** Distance seen from above, world units. */
  across: number;
  /** Difference in height, world units; above 0 when `to` is higher. */
  up: number;
  /** The height that the agent can climb, world units. */
  maxClimb: number;
  /**
   * Agent radius. The mesh ends this far from walls, so the sides of a wall are at least two radii apart.
   * World units.
   */
  radius: number;
  /** Name of the agent's size; '' on a mesh without sizes. */
  size: string;
}

/** A passage that is too narrow or too low for the size of the agent, on a mesh with sizes. */
export interface PassageExplanation {
  /** The size that does not fit, and a size that fits. */
  size: string;
  fits: string;
  /** The diameter of the agent, world units. */
  needs: number;
  /**
   * The smallest width of the passage, in world units. It is measured on the mesh, with an error of up to two cells,
   * and only up to the sum of both diameters.
   */
  has: number;
  /** The middle of the passage where it is narrowest. */
  point: Point;
  /** Whether the passage is wide enough, but the agent is too tall for it, or cannot climb its steps. */
  isTooLow: boolean;
}

/** The first polygon or link of the route that the filter or a disabled name blocks. */
export interface BlockExplanation {
  /** The polygon; `NULL_REF` when it is a link. */
  ref: PolyRef;
  /** The link; 0 when it is a polygon. */
  link: LinkRef;
  /** The name of the polygon or link (`setEnabled`); '' without one. */
  name: string;
  area: number;
  flags: number;
  /** The middle of the polygon, or the near end of the link. */
  point: Point;
}

/**
 * Why a path is not complete. Causes are an end off the mesh or outside the filter, a gap between islands, a disabled
 * name (`setEnabled`), the size of the agent, the filter, links that only lead in the other direction, and the budget.
 * `'none'`: the path is complete.
 */
export type PathCause =
  | 'none'
  | 'empty-mesh'
  | 'start-off-mesh'
  | 'end-off-mesh'
  | 'start-filtered'
  | 'end-filtered'
  | 'gap'
  | 'disabled'
  | 'size'
  | 'filter'
  | 'one-way-link'
  | 'budget';

/** Result of `explainPath`. */
export interface PathExplanation {
  /** The explanation in English, one sentence or several. */
  message: string;
  cause: PathCause;
  /** The result of `findPath`. */
  path: LocatedPath;
  start: EndExplanation;
  end: EndExplanation;
  /** For cause `'gap'`, and for cause `'size'` where other sizes use a link; otherwise null. */
  gap: GapExplanation | null;
  /**
   * For causes `'disabled'` and `'filter'` when the polygon or link was found; for `'size'` when it is a link;
   * otherwise null.
   */
  block: BlockExplanation | null;
  /** For cause `'size'`, unless it is a link, and for ends on which only the size does not fit; otherwise null. */
  passage: PassageExplanation | null;
  /**
   * Distance from the last point of the path to the end, world units: 0 when complete, Infinity when there is
   * no path.
   */
  missing: number;
}
