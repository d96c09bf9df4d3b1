/**
 * The record that every level format is read into: triangles, their names, and warnings about the file. The
 * bake accepts it as a `TriangleInput`.
 */

import type { TwoSidedReport } from '../../base/data/sides.ts';

/** Triangles of a level file, their names, and warnings. */
export interface LevelMesh {
  /** xyz, as written in the file. */
  positions: Float64Array;
  /** Three per triangle, counter-clockwise seen from outside. */
  indices: Uint32Array;
  /** One per triangle, 1: it counts from both sides. Absent when the file has no two-sided material. */
  twoSided?: Uint8Array;
  /** Present with `twoSided`, unless the caller chose the sides: the areas of triangles that count from both sides, and that do not. */
  sides?: TwoSidedReport;
  /** Runs of triangles with one name and one material, in file order; they cover all triangles. */
  groups: LevelGroup[];
  warnings: LevelFileWarning[];
}

/** A range of a level's triangles that belong to one object and one material. */
export interface LevelGroup {
  /** Name of the object, group or node; '' when the file has none. */
  name: string;
  /** Name of the material; '' when the file has none. */
  material: string;
  triangleStart: number;
  triangleCount: number;
}

/**
 * A problem in a level file that the reader worked around. One entry per code, with the number of cases and
 * the first one.
 */
export interface LevelFileWarning {
  code: LevelFileWarningCode;
  count: number;
  /** One sentence: what was found, where first, and what the reader did. */
  message: string;
}

/** The code of a warning about a level file. */
export type LevelFileWarningCode =
  | 'unknown-statement'
  | 'face-too-small'
  | 'polygon-too-large'
  | 'skinned-mesh'
  | 'morphed-mesh'
  | 'not-triangles'
  | 'invalid-primitive'
  | 'singular-transform'
  | 'two-sided';
