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
