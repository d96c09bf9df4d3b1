/**
 * What is left of something that decays: e to the power of -x, the same in all engines, within 1e-14.
 *
 * Two steps of half the length leave what one step leaves, to roundings: what eases by it does not know how often it is asked.
 * Based on: Taylor series after halving, own.
 */

/** e^-x for x from 0 on; 0 for Infinity. */
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
