/**
 * Exact geometry on the grid: is a point inside the circle through three others? The sign is right for whole numbers whose
 * differences stay within 2^26 (`MAX_GRID_EXTENT`): then products of two differences and their sums are exact in a double, and
 * the determinant is three products of such numbers.
 *
 * A first try in doubles with an error bound decides nearly always; else the six halves of the three products are summed
 * exactly. On maps drawn on a grid four corners on one circle are the rule, so the second way has to be cheap, too: 60
 * operations. The side of a point needs no such care: `(bx - ax) * (py - ay) - (by - ay) * (px - ax)` is exact as it stands.
 *
 * Based on: Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997 (error
 * bound, two-product, grow-expansion).
 */

/** Differences of grid coordinates stay within this: cells. */
export const MAX_GRID_EXTENT = 67108864;
/** What the determinant may be wrong by, relative to the sum of its terms' sizes: three roundings, and room. */
export const CIRCLE_ERROR = 6e-16;
const SPLITTER = 134217729;

const expansion = new Float64Array(6);

/**
 * Sign of a0 * a1 + b0 * b1 + c0 * c1, exactly, for whole numbers up to 2^53 in `factors` [a0, a1, b0, b1, c0, c1]: 1, 0, -1.
 */
export function signOfThreeProducts(factors: Float64Array): number {
  let count = 0;
  for (let i = 0; i < 6; i += 2) {
    const a = factors[i], b = factors[i + 1];
    const product = a * b;
    let c = SPLITTER * a;
    const aHigh = c - (c - a), aLow = a - aHigh;
    c = SPLITTER * b;
    const bHigh = c - (c - b), bLow = b - bHigh;
    const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
    for (let k = 0; k < 2; k++) {
      let carry = k === 0 ? error : product;
      for (let j = 0; j < count; j++) {
        const part = expansion[j];
        const sum = carry + part;
        const virtual = sum - carry;
        expansion[j] = carry - (sum - virtual) + (part - virtual);
        carry = sum;
      }
      expansion[count++] = carry;
    }
  }
  while (count > 0) {
    const part = expansion[--count];
    if (part !== 0) return part > 0 ? 1 : -1;
  }
  return 0;
}
