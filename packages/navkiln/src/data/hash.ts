/**
 * A 32-bit hash of words, against accidents (broken downloads, truncated files) and not against intent.
 *
 * Each word is mixed in by an exclusive or, an odd multiplication and a rotation. All three are reversible,
 * so any change of a single word changes the hash.
 *
 * Cost: linear.
 * Based on: own.
 */
export function hashWords(words: Uint32Array, from: number, to: number, seed: number): number {
  let hash = seed | 0;
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ words[i], 0x2127599b);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x4cf5ad43);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Returns a hash of two or three integers of 32 bits, such as the cell of a grid. Its low bits are well
 * mixed, for tables.
 */
export function mixNumbers(a: number, b: number, c: number = 0): number {
  const hash = Math.imul(a, 0x2c1b3c6d) ^ Math.imul(b, 0x297a2d39) ^ Math.imul(c, 0x165667b1);
  return hash ^ (hash >>> 15);
}
