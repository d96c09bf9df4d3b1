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

/** Multiplier and rotation of each lane of a long hash. */
const LANES: readonly (readonly [number, number])[] = [
  [0x2127599b, 13],
  [0x7feb352d, 17],
  [0x1b873593, 11],
  [0x5bd1e995, 19],
];

/** A 128-bit hash of words that is computed part by part, for content keys. */
export type LongHash = Uint32Array;

/** Returns the hash of no words. */
export function createLongHash(): LongHash {
  return Uint32Array.of(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344);
}

/** Adds words to a hash. */
export function addToHash(hash: LongHash, words: Uint32Array): void {
  for (const [lane, [factor, left]] of LANES.entries()) {
    let value = hash[lane] ^ words.length;
    for (let i = 0; i < words.length; i++) {
      value = Math.imul(value ^ words[i], factor);
      value = (value << left) | (value >>> (32 - left));
    }
    hash[lane] = value;
  }
  // Each lane takes part in the others.
  const [a, b, c, d] = hash;
  hash[0] = Math.imul(a ^ (d >>> 15), 0x4cf5ad43);
  hash[1] = Math.imul(b ^ (a >>> 13), 0x2745937f);
  hash[2] = Math.imul(c ^ (b >>> 16), 0x38b34ae5);
  hash[3] = Math.imul(d ^ (c >>> 14), 0x5a1b7d0d);
}

/** Adds a text to a hash. */
export function addTextToHash(hash: LongHash, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array(Math.ceil(bytes.length / 4) + 1);
  new Uint8Array(words.buffer).set(bytes);
  words[words.length - 1] = bytes.length;
  addToHash(hash, words);
}

/** Returns a hash as 32 hexadecimal digits. */
export function hexOfHash(hash: LongHash): string {
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('');
}
