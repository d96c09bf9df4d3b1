/** TODO: header. */
/** Corners of a path. Make one with `createPathLine` and reuse it. */
export interface PathLine {
  count: number;
  /** xyz of corner 0 .. count - 1; the arrays may be longer. */
  points: Float64Array;
  /** Where in the corridor: 2i + 2 where polys[i + 1] is entered, 2i + 1 where a link leaves polys[i], or at the end. */
  places: Int32Array;
  /** The link end that the corner is at, or -1. Links show as two corners in a row: where the way leaves, where it arrives. */
  linkEnds: Int32Array;
}

export function createPathLine(): PathLine {
  return { count: 0, points: new Float64Array(0), places: new Int32Array(0), linkEnds: new Int32Array(0) };
}
