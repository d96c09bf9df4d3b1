/**
 * Warns about positions that are float32 numbers far from the origin, where these are further apart than walls are thick.
 *
 * Based on: own.
 */
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Returns the distance from a float32 number of this size to the next one. */
function floatStep(size: number): number {
  float[0] = size;
  const value = float[0];
  bits[0]++;
  return float[0] - value;
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
    `positions are float32 numbers, which are ${floatStep(size)} apart at a coordinate of ${size}, so walls and doors are off by as much; ` +
    'give them in doubles (an array or a Float64Array), or move the level to the origin before it is stored in float32'
  );
}
