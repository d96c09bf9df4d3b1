/**
 * Decides on which side of a line a point lies: the exact sign, for any doubles.
 *
 * A first attempt in doubles with Shewchuk's error bound decides nearly always. Otherwise the determinant is
 * summed exactly as an expansion of twelve doubles. The sign is exact as long as products neither overflow
 * nor underflow (coordinates below 1e150, differences above 1e-150).
 *
 * Cost: 7 operations, about 150 when in doubt.
 * Based on: Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates, 1997 (two-product, grow-expansion). The staged refinement of the paper is left out, since doubt
 * is rare.
 */

/**
 * (3 + 16 u) u with u = 2^-53: the error bound of the determinant in doubles, relative to the sum of its
 * terms.
 */
const ERROR_BOUND = 3.3306690738754716e-16;
/** 2^27 + 1: splits a double into two halves of 26 bits. */
const SPLITTER = 134217729;

// Arrays, since V8 would allocate numbers that are passed to a function it does not inline.
const factors = new Float64Array(12);
const expansion = new Float64Array(12);

/**
 * Returns the side of point p as seen when going from a to b, from above (y up): 1 left, -1 right, 0 exactly
 * on the line. Swapping a and b negates the result exactly. a, b and p are indices into both arrays.
 */
export function sideOfPoints(xs: Float64Array, zs: Float64Array, a: number, b: number, p: number): number {
  const left = (zs[a] - zs[p]) * (xs[b] - xs[p]);
  const right = (xs[a] - xs[p]) * (zs[b] - zs[p]);
  const det = left - right;
  const bound = ERROR_BOUND * (Math.abs(left) + Math.abs(right));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  if (bound === 0) return 0;
  factors[0] = zs[a];
  factors[1] = xs[b];
  factors[2] = -zs[p];
  factors[3] = xs[b];
  factors[4] = -zs[a];
  factors[5] = xs[p];
  factors[6] = -xs[a];
  factors[7] = zs[b];
  factors[8] = xs[a];
  factors[9] = zs[p];
  factors[10] = xs[p];
  factors[11] = zs[b];
  return signOfProducts(factors);
}

/**
 * Returns the sign of the exact sum factors[0] * factors[1] + factors[2] * factors[3] + …, at most six
 * products.
 */
export function signOfProducts(factors: Float64Array): number {
  let count = 0;
  for (let i = 0; i < factors.length; i += 2) {
    const a = factors[i];
    const b = factors[i + 1];
    const product = a * b;
    let c = SPLITTER * a;
    const aHigh = c - (c - a);
    const aLow = a - aHigh;
    c = SPLITTER * b;
    const bHigh = c - (c - b);
    const bLow = b - bHigh;
    const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
    // First the error of the product, then the product: each is added to the expansion exactly.
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
  // Components grow in magnitude and do not overlap, so the last one that is not zero has the sign of the
  // sum.
  while (count > 0) {
    const part = expansion[--count];
    if (part !== 0) return part > 0 ? 1 : -1;
  }
  return 0;
}
