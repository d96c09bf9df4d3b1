/**
 * Warns about positions that are float32 numbers far from the origin, where these are further apart than walls are thick.
 *
 * Based on: own.
 */

/** Returns the distance from a float32 number of this size to the next one. */
function floatStep(size: number): number {
  const float = Float32Array.of(size);
  new Uint32Array(float.buffer)[0]++;
  return float[0] - Math.fround(size);
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
    `positions are float32 numbers, ${floatStep(size)} apart at a coordinate of ${size}, so walls and doors are off by as much; ` +
    'give doubles (a Float64Array), or move the level to the origin before it is stored'
  );
}
