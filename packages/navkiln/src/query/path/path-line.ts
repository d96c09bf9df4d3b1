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
   * Where each corner lies in the corridor: 2i + 2 where polys[i + 1] is entered, 2i + 1 where a link leaves
   * polys[i] or the path ends on it.
   */
  places: Int32Array;
  /**
   * The link end at each corner; -1: none. A link has two corners in a row, one where it is entered and one
   * where it is left.
   */
  linkEnds: Int32Array;
}

/** Creates an empty line. */
export function createPathLine(): PathLine {
  return { count: 0, points: new Float64Array(0), places: new Int32Array(0), linkEnds: new Int32Array(0) };
}
