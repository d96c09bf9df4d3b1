/** The corners of a path, as the funnel writes them. */

/**
 * The corners of a path in columns. Create one with `createPathLine` and reuse it; the arrays grow and may be
 * longer than `count`.
 */
export interface PathLine {
  count: number;
  /** xyz of corner 0 .. count - 1, world units. */
  points: Float64Array;
  /**
   * Place of each corner in the corridor: 2i + 2 if the path enters polys[i + 1] there, 2i + 1 if a link leaves
   * polys[i] or the path ends on it.
   */
  places: Int32Array;
  /**
   * The link end at each corner, or -1. A link has two successive corners, one where the path enters it and one
   * where the path leaves it.
   */
  linkEnds: Int32Array;
}

/** Creates an empty line. */
export function createPathLine(): PathLine {
  return { count: 0, points: new Float64Array(0), places: new Int32Array(0), linkEnds: new Int32Array(0) };
}
