/**
 * A 32-bit hash of words: against accidents (broken downloads, truncated files), not against intent.
 * Each word is mixed in by xor, an odd multiplication and a rotation, all of which can be undone, so that any change of a
 * single word changes the hash. Cost: about a nanosecond a word.
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

/** A hash of two or three whole numbers (32 bits each), such as the cells of a grid: its low bits are mixed, for tables. */
export function mixNumbers(a: number, b: number, c: number = 0): number {
  const hash = Math.imul(a, 0x2c1b3c6d) ^ Math.imul(b, 0x297a2d39) ^ Math.imul(c, 0x165667b1);
  return hash ^ (hash >>> 15);
}
