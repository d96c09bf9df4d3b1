/**
 * A seeded generator of random numbers with the same stream everywhere. Not for secrets.
 *
 * Its state is a plain record of four words, so it can be copied, saved and sent to a worker in mid-stream.
 * Numbers have 53 random bits, two steps each: with 32 bits, points of a large world would lie on a visible
 * grid.
 *
 * Cost: constant per number.
 * Based on: Chris Doty-Humphrey, PractRand, 2010: the generator sfc32, with its first 12 steps discarded as
 * there.
 */
import { checkRecord, refuse } from './refuse.ts';

/** A seeded generator of random numbers: the same seed gives the same numbers everywhere. */
export interface Random {
  /** 4 words: a, b, c and the counter. */
  state: Uint32Array;
}

/** A `Random` record, or any function that returns numbers in [0, 1). */
export type RandomSource = Random | (() => number);

/** Creates a generator. `seed` is any integer up to 2^53 in size; throws a RangeError for others. */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) refuse('createRandom', 'seed', seed, 'an integer below 2^53');
  const state = Uint32Array.of(0, seed, Math.floor(seed / 4294967296), 1);
  const random = { state };
  for (let i = 0; i < 12; i++) nextUint32(random);
  return random;
}

/** The word of the last step. An array, since V8 might allocate returned numbers beyond 31 bits. */
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

/** Returns the next 32 bits. */
export function nextUint32(random: Random): number {
  step(random.state);
  return word[0];
}

/** Returns the next number in [0, 1). */
export function nextRandom(random: Random): number {
  checkRecord('nextRandom', 'random', random, 'state', 'a Random of createRandom');
  drawInto(single, random, 1);
  return single[0];
}

const single = new Float64Array(1);

/**
 * Fills out[0 .. count - 1] with numbers from a source, without allocating. Throws a RangeError when a function
 * returns a number outside [0, 1).
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
    if (typeof value !== 'number' || !(value >= 0 && value < 1))
      refuse('random', "the source's number", value, 'in [0, 1)');
    out[i] = value;
  }
}

/** Throws a TypeError unless `source` is a `RandomSource`. */
export function checkSource(caller: string, source: unknown): void {
  if (typeof source !== 'function')
    checkRecord(caller, 'random', source, 'state', 'a Random of createRandom or a function');
}
