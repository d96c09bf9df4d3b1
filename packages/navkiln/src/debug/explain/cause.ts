/** What is said of a place that cannot be walked: codes, numbers, sentences. Based on: own. */

/**
 * 'walkable'; no ground at all: 'outside' the tile, 'no-triangles'; the triangle: 'slope', 'faces-down', 'degenerate', 'no-area'
 * (given as not walkable), 'buried' in solid voxels; filters: 'ceiling', 'ledge' beside a drop, 'steps' too uneven, 'edge' of the
 * level; 'near-border'; 'volume' with area 0; 'region-small', 'no-region', 'tile-border'; 'no-outline', 'simplified' away.
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

export interface PositionExplanation {
  /** Name of the stage, as in a report; 'navmesh' when the place is walkable. */
  stage: string;
  code: PositionCode;
  /** One sentence. */
  text: string;
  /** What decided, world units and degrees: `slope` and `maxSlope`, `clearance` and `height`, `drop` and `maxClimb`, … */
  numbers: Readonly<Record<string, number>>;
  /** The middle of the voxel's top that the answer is about, world units. */
  place: [number, number, number];
  /** Triangle of the level that the place lies on, -1: none is near. */
  triangle: number;
  /** Where what decided lies, when it is elsewhere: the border that is too near, the drop. World units. */
  where?: [number, number, number];
}

export type Cause = Pick<PositionExplanation, 'stage' | 'code' | 'text' | 'numbers' | 'where'>;

/** A length as people read it. */
export function metres(value: number): string {
  return `${Number(value.toFixed(value < 0.1 ? 3 : 2))} m`;
}
