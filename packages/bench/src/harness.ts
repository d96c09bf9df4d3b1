/**
 * Measures contenders in turns: in each round each contender runs once, in rotating order, so a disturbance of the
 * machine hits all of them. The ratios within a round are the result; absolute times are only shown. Knows nothing of
 * navigation meshes. Time in which the thread waits for a core, because of other programs, does not count where the
 * system reports it.
 */
import { readFileSync } from 'node:fs';

export interface Contender {
  name: string;
  /** One unit of work. Its result is handed to `release` outside the measured time. */
  run: () => unknown;
  release?: (result: unknown) => void;
}

export interface MeasureOptions {
  rounds: number;
  warmups: number;
}

/** Returns the milliseconds that this thread has waited for a core. */
export function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Returns milliseconds, one row per contender and one column per round. */
export function measureInterleaved(contenders: readonly Contender[], options: MeasureOptions): Float64Array[] {
  const times = contenders.map(() => new Float64Array(options.rounds));
  for (let round = -options.warmups; round < options.rounds; round++) {
    for (let k = 0; k < contenders.length; k++) {
      const which = (k + round + options.warmups) % contenders.length;
      const contender = contenders[which];
      // Waits are read within the time, so that they are never longer.
      const begin = performance.now();
      const waited = waitedMs();
      const result = contender.run();
      const waits = waitedMs() - waited;
      const ms = performance.now() - begin - waits;
      contender.release?.(result);
      if (round >= 0) times[which][round] = ms;
    }
  }
  return times;
}

export interface Spread {
  q1: number;
  median: number;
  q3: number;
}

export function spreadOf(values: ArrayLike<number>): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (q: number): number => {
    const place = q * (sorted.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
}

/** Returns the spread of a / b, round by round. */
export function ratioOf(a: ArrayLike<number>, b: ArrayLike<number>): Spread {
  return spreadOf(Float64Array.from(a, (value, round) => value / b[round]));
}

export function geometricMean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += Math.log(value);
  return Math.exp(sum / values.length);
}

/** Pads columns to their widest cell. The first is left-aligned, the others are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, k) => {
      widths[k] = Math.max(widths[k] ?? 0, cell.length);
    });
  return rows
    .map((row) => row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '))
    .join('\n');
}

/** Returns a generator of numbers in [0, 1) from a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
