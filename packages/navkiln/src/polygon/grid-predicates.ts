/**
 * Exact geometry on the grid: is a point inside the circle through three others? The sign is right for whole numbers whose
 * differences stay within 2^26 (`MAX_GRID_EXTENT`): then products of two differences and their sums are exact in a double, and
 * the determinant is three products of such numbers.
 *
 * A first try in doubles with an error bound decides nearly always; else the three products are summed exactly
 * (math/predicates.ts). On maps drawn on a grid four corners on one circle are the rule, so the second way has to be cheap,
 * too: 60 operations. The side of a point needs no such care: `(bx - ax) * (py - ay) - (by - ay) * (px - ax)` is exact as it
 * stands.
 *
 * Based on: Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997 (error
 * bound, two-product, grow-expansion).
 */

/** Differences of grid coordinates stay within this: cells. */
export const MAX_GRID_EXTENT = 67108864;
/** What the determinant may be wrong by, relative to the sum of its terms' sizes: three roundings, and room. */
export const CIRCLE_ERROR = 6e-16;
