/**
 * Exponential decay, e^-x, with the same result in all engines, within 1e-14.
 *
 * Two steps of half the length leave the same as one whole step, up to rounding, so easing with it does not
 * depend on the frame rate.
 *
 * Based on: own; Taylor series after halving.
 */

/** Returns e^-x for x >= 0; 0 for Infinity. */
export function decay(x: number): number {
  if (x > 745) return 0;
  let halvings = 0;
  let y = x;
  while (y > 0.125) {
    y /= 2;
    halvings++;
  }
  let term = 1;
  let sum = 1;
  for (let k = 1; k <= 12; k++) {
    term *= -y / k;
    sum += term;
  }
  for (; halvings > 0; halvings--) sum *= sum;
  return sum;
}
