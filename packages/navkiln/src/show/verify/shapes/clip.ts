/**
 * Cuts a convex polygon of points (u, y, v) with the planes of a grid.
 *
 * In: points. Out: points. Cost: linear. Based on: Ivan Sutherland, Gary Hodgman, Reentrant Polygon Clipping, 1974.
 */

/** A polygon of at most 16 points. */
export interface Piece {
  count: number;
  /** u, y, v of each. */
  points: Float64Array;
}

export function createPiece(): Piece {
  return { count: 0, points: new Float64Array(48) };
}

/** Writes the part of a polygon where sign * (coordinate `axis` - at) <= 0. `axis` 0: u, 2: v. */
export function clipPiece(out: Piece, piece: Piece, axis: 0 | 2, at: number, sign: 1 | -1): void {
  const from = piece.points;
  const to = out.points;
  let n = 0;
  for (let k = 0; k < piece.count; k++) {
    const p = 3 * k;
    const q = k + 1 === piece.count ? 0 : p + 3;
    const dp = sign * (from[p + axis] - at);
    const dq = sign * (from[q + axis] - at);
    if (dp <= 0) {
      to[n++] = from[p];
      to[n++] = from[p + 1];
      to[n++] = from[p + 2];
    }
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
      const s = dp / (dp - dq);
      to[n] = from[p] + s * (from[q] - from[p]);
      to[n + 1] = from[p + 1] + s * (from[q + 1] - from[p + 1]);
      to[n + 2] = from[p + 2] + s * (from[q + 2] - from[p + 2]);
      to[n + axis] = at;
      n += 3;
    }
  }
  out.count = n / 3;
}
