/**
 * On which side of a line does a point lie? The exact sign, for any doubles.
 *
 * A first try in doubles with Shewchuk's error bound decides nearly always; else the determinant is summed exactly as an
 * expansion of twelve doubles. Exact as long as products neither overflow nor underflow (|coordinates| below 1e150,
 * differences above 1e-150). Cost: 7 operations, about 150 when in doubt.
 * Based on: Jonathan Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997
 * (two-product, grow-expansion); the staged refinement of the paper was left out, as doubt is rare.
 */

/** (3 + 16 u) u with u = 2^-53: what the determinant in doubles may be wrong by, relative to the sum of its terms. */
const ERROR_BOUND = 3.3306690738754716e-16;
/** 2^27 + 1: splits a double into two halves of 26 bits. */
const SPLITTER = 134217729;

const expansion = new Float64Array(12);

/**
 * Positive when p lies left of the line a -> b as seen from above (y up), negative when right, 0 when exactly on it.
 * About twice the area of triangle a, b, p. Swapping a and b gives exactly the negative.
 */
export function sideOfLine(ax: number, az: number, bx: number, bz: number, px: number, pz: number): number {
  const left = (az - pz) * (bx - px);
  const right = (ax - px) * (bz - pz);
  const det = left - right;
  const sum = left < 0 ? -left : left;
  const bound = ERROR_BOUND * (sum + (right < 0 ? -right : right));
  if (det > bound || det < -bound || bound === 0) return det;
  return exactSide(ax, az, bx, bz, px, pz);
}

function exactSide(ax: number, az: number, bx: number, bz: number, px: number, pz: number): number {
  let count = addProduct(0, az, bx);
  count = addProduct(count, -pz, bx);
  count = addProduct(count, -az, px);
  count = addProduct(count, -ax, bz);
  count = addProduct(count, ax, pz);
  count = addProduct(count, px, bz);
  // Components grow in magnitude and do not overlap: the last that is not zero has the sign of the sum.
  while (count > 0) if (expansion[--count] !== 0) return expansion[count];
  return 0;
}

/** Adds a * b to the expansion, exactly. */
function addProduct(count: number, a: number, b: number): number {
  const product = a * b;
  let c = SPLITTER * a;
  const aHigh = c - (c - a);
  const aLow = a - aHigh;
  c = SPLITTER * b;
  const bHigh = c - (c - b);
  const bLow = b - bHigh;
  const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return addTerm(addTerm(count, error), product);
}

/** Adds one double to the expansion, exactly. */
function addTerm(count: number, term: number): number {
  let carry = term;
  for (let i = 0; i < count; i++) {
    const part = expansion[i];
    const sum = carry + part;
    const virtual = sum - carry;
    expansion[i] = carry - (sum - virtual) + (part - virtual);
    carry = sum;
  }
  expansion[count] = carry;
  return count + 1;
}
