/**
 * The record every level format is read into: triangles, what they were called, and what was odd about the file.
 * It is a `TriangleInput` of the bake as it stands.
 */

export interface LevelMesh {
  /** xyz, as written in the file. */
  positions: Float64Array;
  /** Three a triangle, counter-clockwise seen from outside. */
  indices: Uint32Array;
  /** Runs of triangles with one name and one material, in file order; they cover all triangles. */
  groups: LevelGroup[];
  warnings: LevelFileWarning[];
}

export interface LevelGroup {
  /** Of the object, group or node; '' when the file gives none. */
  name: string;
  /** '' when the file gives none. */
  material: string;
  triangleStart: number;
  triangleCount: number;
}

/** Something odd in a level file that was worked around. One entry a code, with how often and where first. */
export interface LevelFileWarning {
  code: LevelFileWarningCode;
  count: number;
  /** One sentence: what was found, where first, what was done. */
  message: string;
}

export type LevelFileWarningCode =
  | 'unknown-statement'
  | 'face-too-small'
  | 'polygon-too-large'
  | 'skinned-mesh'
  | 'morphed-mesh'
  | 'not-triangles'
  | 'invalid-primitive'
  | 'singular-transform';
