/**
 * Signed areas of rings on the grid, exact.
 *
 * In: rings of grid points. Out: numbers. Cost: one pass.
 * Based on: own.
 */
import type { GridPoint } from '../../base/plane/types.ts';

/** Returns the sign of the sum of the signed areas of rings. Exact. */
export function areaSign(rings: readonly GridPoint[][]): number {
  const [high, low] = sumAreas(rings);
  const total = high + low;
  return total > 0 ? 1 : total < 0 ? -1 : 0;
}

/**
 * Returns twice the sum of the areas and its rounding error. Products of differences are exact, and so is a
 * sum of two numbers as such a pair.
 */
export function sumAreas(rings: readonly GridPoint[][]): [high: number, low: number] {
  let high = 0;
  let low = 0;
  for (const ring of rings) {
    const { x: x0, y: y0 } = ring[0];
    for (let i = 2; i < ring.length; i++) {
      const a = ring[i - 1];
      const b = ring[i];
      const term = (a.x - x0) * (b.y - y0) - (a.y - y0) * (b.x - x0);
      const sum = high + term;
      const part = sum - high;
      low += high - (sum - part) + (term - part);
      high = sum;
    }
  }
  return [high, low];
}
