/** The cause of a bake without polygons, as the functions of `navkiln/debug` find it. Types only. */

/** The cause of a bake without polygons. */
export type EmptyCause =
  | 'no-triangles'
  | 'no-areas'
  | 'flipped-faces'
  | 'wrong-up-axis'
  | 'wrong-scale'
  | 'too-steep'
  | 'low-headroom'
  | 'large-radius'
  | 'outside-bounds'
  | 'cut-by-volumes'
  | 'coarse-cells'
  | 'small-pieces'
  | 'coarse-outlines'
  | 'ledges'
  | 'coarse-weld'
  | 'unknown';

/** The cause of a bake without polygons, with measurements and a remedy. */
export interface EmptyReason {
  cause: EmptyCause;
  /** Extent of the level along x, y and z, world units. */
  size: [number, number, number];
  /** Number of triangles with finite corners. */
  triangles: number;
  /** Body of the agents, world units. */
  radius: number;
  height: number;
  /** Square units of triangles that face up, down, along +z and along -z, each within the agent's slope limit. */
  facing: { up: number; down: number; plusZ: number; minusZ: number };
  /**
   * Path of the remedy: an option such as `agent.radius`, or `input.positions` (scale or turn the level),
   * `input.indices` (swap two corners of each triangle), `input.areas`. Absent when no remedy is known.
   */
  option?: string;
  /**
   * Value of the option that gives polygons. For `input.positions`: the factor for 'wrong-scale', the degrees of a
   * turn about the x axis for 'wrong-up-axis'. Absent: omit the option.
   */
  value?: number | boolean;
  /** Whether a bake with the remedy gave polygons. False: the level is too large to try, or more is wrong. */
  isTried: boolean;
}
