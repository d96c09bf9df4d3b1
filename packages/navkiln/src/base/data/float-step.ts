/**
 * Warns about positions that are float32 numbers far from the origin, where these are further apart than walls are thick.
 *
 * Based on: own.
 */

/** Returns the distance from a float32 number of this size to the next one. */
function floatStep(size: number): number {
  const value = Math.fround(size);
  // Between three quarters of a step and one and a half, which rounds to one.
  return Math.fround(value + value * 1.5 * 2 ** -24) - value;
}

/**
 * Returns a sentence about positions that all are float32 numbers, further apart than `fine` at a coordinate of this size;
 * undefined for other positions.
 */
export function explainCoarse(positions: ArrayLike<number>, size: number, fine: number): string | undefined {
  if (!(size < 2 ** 127 && floatStep(size) > fine)) return undefined;
  if (!(positions instanceof Float32Array)) {
    for (let i = 0; i < positions.length; i++) {
      if (Math.fround(positions[i]) !== positions[i]) return undefined;
    }
  }
  return (
    `float32 positions are ${floatStep(size)} apart at a coordinate of ${size}; ` +
    'give doubles, or store the level nearer to the origin'
  );
}
