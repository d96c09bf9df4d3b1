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
  if (!Number.isSafeInteger(seed))
    throw new RangeError(`createRandom: the seed is ${seed}; give a whole number below 2^53`);
  const state = Uint32Array.of(0, seed, Math.floor(seed / 4294967296), 1);
  const random = { state };
  for (let i = 0; i < 12; i++) nextUint32(random);
  return random;
}

/** The word that the last step gave: in an array, as numbers beyond 31 bits that a function returns might be allocated. */
const word = new Uint32Array(1);

function step(state: Uint32Array): void {
  const b = state[1];
  const c = state[2];
  const sum = (state[0] + b + state[3]) | 0;
  state[3]++;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + sum;
  word[0] = sum;
}

/** The next 32 bits. */
export function nextUint32(random: Random): number {
  step(random.state);
  return word[0];
}

/** The next number from 0 up to, but not, 1. */
export function nextRandom(random: Random): number {
  drawInto(single, random, 1);
  return single[0];
}

const single = new Float64Array(1);

/**
 * Kernel: fills out[0 .. count - 1] with numbers from a source. Throws when a function gives one that is not in [0, 1).
 */
export function drawInto(out: Float64Array, source: RandomSource, count: number): void {
  if (typeof source !== 'function') {
    const { state } = source;
    for (let i = 0; i < count; i++) {
      step(state);
      const high = word[0] >>> 5;
      step(state);
      out[i] = (high * 67108864 + (word[0] >>> 6)) / 9007199254740992;
    }
    return;
  }
  for (let i = 0; i < count; i++) {
    const value = source();
    if (!(value >= 0 && value < 1)) throw new RangeError(`random: the source gave ${value}; give numbers in [0, 1)`);
    out[i] = value;
  }
}
