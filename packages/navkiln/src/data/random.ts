/**
 * A seeded source of random numbers: four words of state, the same stream everywhere.
 *
 * The state is a plain record, so it can be copied, saved and sent to a worker in mid-stream. Numbers have 53 random bits, two
 * steps each: with 32 bits, points of a large world would lie on a grid that can be seen. Cost: about 3 ns a number.
 *
 * Based on: Chris Doty-Humphrey, PractRand, 2010: the generator sfc32 (96 bits mixed without multiplication, and a counter
 * that sees to a period of at least 2^32), its first 12 steps thrown away as there. Not for secrets.
 */
export interface Random {
  /** 4 words: a, b, c and the counter. */
  state: Uint32Array;
}

/** A record, or any function that returns numbers from 0 up to, but not, 1. */
export type RandomSource = Random | (() => number);

/** A stream for this seed: any whole number up to 2^53 in size. */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`createRandom: the seed is ${seed}; give a whole number below 2^53`);
  const state = Uint32Array.of(0, seed, Math.floor(seed / 4294967296), 1);
  const random = { state };
  for (let i = 0; i < 12; i++) nextUint32(random);
  return random;
}

/** The next 32 bits. */
export function nextUint32(random: Random): number {
  const { state } = random;
  const a = state[0];
  const b = state[1];
  const c = state[2];
  const sum = (a + b + state[3]) | 0;
  state[3]++;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + sum;
  return sum >>> 0;
}

/** The next number from 0 up to, but not, 1. */
export function nextRandom(random: Random): number {
  const high = nextUint32(random) >>> 5;
  return (high * 67108864 + (nextUint32(random) >>> 6)) / 9007199254740992;
}

/**
 * Kernel: fills out[0 .. count - 1] with numbers from a source. Throws when a function gives one that is not in [0, 1).
 */
export function drawInto(out: Float64Array, source: RandomSource, count: number): void {
  if (typeof source !== 'function') {
    for (let i = 0; i < count; i++) out[i] = nextRandom(source);
    return;
  }
  for (let i = 0; i < count; i++) {
    const value = source();
    if (!(value >= 0 && value < 1)) throw new RangeError(`random: the source gave ${value}; give numbers in [0, 1)`);
    out[i] = value;
  }
}
