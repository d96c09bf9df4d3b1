/**
 * Decides exactly whether a grid point is inside the circle through three others.
 *
 * The sign is right for integers whose differences stay within 2^26 (`MAX_GRID_EXTENT`). Products of two
 * differences and their sums are then exact in a double, and the determinant is three products of such
 * numbers. A first attempt in doubles with an error bound decides nearly always; otherwise the three products
 * are summed exactly (base/math/predicates.ts). On maps drawn on a grid, four corners on one circle are common, so
 * the exact path must be fast, too. The side of a point needs no such care: `(bx - ax) * (py - ay) - (by -
 * ay) * (px - ax)` is exact.
 *
 * Cost: about 60 operations when in doubt.
 * Based on: Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates, 1997 (error bound, two-product, grow-expansion).
 */

/** Limit of the differences of grid coordinates, cells. */
export const MAX_GRID_EXTENT = 67108864;
/** Error bound of the determinant relative to the sum of its terms' sizes: three roundings, with reserve. */
export const CIRCLE_ERROR = 6e-16;
