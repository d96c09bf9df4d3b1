/** Codes, numbers and sentences of explanations. */

/**
 * Why a position is not walkable, or 'walkable'.
 *
 * - No surface: 'outside' the tile, 'no-triangles'.
 * - Its triangle: 'slope', 'faces-down', 'degenerate', 'no-area' (the input's area is 0), 'buried' in solid
 *   voxels.
 * - Filters: 'ceiling', 'ledge' (a drop beside it), 'steps' (too uneven), 'edge' (of the level).
 * - Erosion: 'near-border'. Volumes: 'volume' (area 0).
 * - Regions: 'region-small', 'no-region', 'tile-border'. Contours: 'no-outline', 'simplified'.
 */
export type PositionCode =
  | 'walkable'
  | 'outside'
  | 'no-triangles'
  | 'slope'
  | 'faces-down'
  | 'degenerate'
  | 'no-area'
  | 'buried'
  | 'ceiling'
  | 'ledge'
  | 'steps'
  | 'edge'
  | 'near-border'
  | 'volume'
  | 'region-small'
  | 'no-region'
  | 'tile-border'
  | 'no-outline'
  | 'simplified';

/** Result of `explainPosition`. */
export interface PositionExplanation {
  /** Name of the deciding stage as in reports; 'navmesh' for a walkable position. */
  stage: string;
  code: PositionCode;
  /** A sentence for people. */
  message: string;
  /**
   * The deciding numbers, in world units and degrees: `slope` and `maxSlope`, `clearance` and `height`,
   * `drop` and `maxClimb`, …
   */
  numbers: Readonly<Record<string, number>>;
  /** Center of the top of the explained voxel, world units. */
  place: [number, number, number];
  /** Index of the triangle of the level at the position; -1: none is near. */
  triangle: number;
  /** Position of the cause when it is elsewhere, such as a border that is too close, or a drop. World units. */
  where?: [number, number, number];
}

/** The part of an explanation that a stage contributes. */
export type Cause = Pick<PositionExplanation, 'stage' | 'code' | 'message' | 'numbers' | 'where'>;

/** Returns a length as text. */
export function meters(value: number): string {
  return `${Number(value.toFixed(value < 0.1 ? 3 : 2))} m`;
}
