/**
 * The ranges of the numbers in saved crowds and characters, one per kind.
 *
 * Ticks can compute with every number of a range without NaN, and neither calls nor ticks leave the range. So an
 * accepted state, and every later one, can be saved and restored again. The comment of each range tells what keeps its
 * numbers in range.
 *
 * In: a number, or a part of a column.
 * Out: an Error that names the first number that is out of its range.
 * Cost: linear.
 * Based on: own.
 */
import { LAST_TICK } from '../state/clock.ts';
import { MOST_SECONDS, MOST_SIZE } from '../state/limits.ts';
import { failTape, get } from './tape.ts';
import type { Tape } from './tape.ts';

/** A range of numbers, or of the lengths of vectors (x, z). */
export interface Range {
  least: number;
  most: number;
  isWhole?: boolean;
  /** Values are vectors of two numbers; the range is that of their length. */
  isVector?: boolean;
}

/** A length so large that adding a path does not change it. */
const MOST_LENGTH = 1e150;
/** A number of seconds so large that adding a tick does not change it. */
const MOST_TIME = 1e17;

/** Coordinates and signed speeds. Calls and meshes are limited to it, and characters in the air stop at it (air.ts). */
export const PLACE: Range = { least: -MOST_SIZE, most: MOST_SIZE };
/** Coordinates at most a few sizes away from an agent, computed from its position each time. */
export const AROUND: Range = { least: -10 * MOST_SIZE, most: 10 * MOST_SIZE };
/** Options: sizes, speeds, distances. */
export const SIZE: Range = { least: 0, most: MOST_SIZE };
/** Options that are never 0. */
export const POSITIVE: Range = { least: Number.MIN_VALUE, most: MOST_SIZE };
/** Sums of a few sizes. */
export const REACH: Range = { least: 0, most: 10 * MOST_SIZE };
/** Squared distances between agents. */
export const SQUARE: Range = { least: 0, most: 100 * MOST_SIZE * MOST_SIZE };
/** Velocities: across the largest world in the shortest tick (1e-4 s). Ticks only move a velocity toward a slower one. */
export const VELOCITY: Range = { least: 0, most: 4e4 * MOST_SIZE, isVector: true };
/** Directions: unit vectors up to rounding. */
export const UNIT: Range = { least: 0.995, most: 1.005, isVector: true };
/** Lengths of paths: sums that stop growing at the largest. */
export const LENGTH: Range = { least: 0, most: MOST_LENGTH };
/** Lengths of paths that are Infinity until they are measured. */
export const OPEN_LENGTH: Range = { least: 0, most: Infinity };
/** Seconds: sums that stop growing at the largest. */
export const TIME: Range = { least: 0, most: MOST_TIME };
/** Seconds that callers set. */
export const WAIT: Range = { least: 0, most: MOST_SECONDS };
/** Seconds to wait at a point of a route; -1: it is passed. */
export const PASS_OR_WAIT: Range = { least: -1, most: MOST_SECONDS };
/**
 * Numbers of ticks. A wait that begins at the last tick ends at most at twice that number; ages are subtracted from
 * small numbers.
 */
export const TICK: Range = { least: -LAST_TICK, most: 2 * LAST_TICK, isWhole: true };
/** Refs and ids: checked each time they are used. */
export const HANDLE: Range = { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true };
/** Counts that grow by one. They stop at 2^53, because 2^53 + 1 rounds to 2^53. */
export const COUNT: Range = { least: 0, most: 2 ** 53, isWhole: true };
/** Numbers of agents that a link may carry. */
export const CAPACITY: Range = { least: 1, most: Infinity };
/** Fractions of a whole. Ticks only interpolate between them. */
export const SHARE: Range = { least: 0, most: 1 };

/** Returns the range of whole numbers `least` .. `most`. */
export function wholeRange(least: number, most: number): Range {
  return { least, most, isWhole: true };
}

/** Reads the next number. Throws an Error unless it is in a range. */
export function getIn(tape: Tape, path: string, range: Range): number {
  const value = get(tape);
  if (!isIn(value, range)) failTape(tape, path, value, textOf(range));
  return value;
}

/** Fills `out` with the next numbers. Throws an Error unless all are in a range. */
export function getAllIn(out: Float64Array, tape: Tape, path: string, range: Range): void {
  for (let i = 0; i < out.length; i++) out[i] = getIn(tape, `${path}[${i}]`, range);
}

/** Throws an Error unless all numbers in the row of a column, `stride` for each slot, are in a range. */
export function checkRow(
  tape: Tape,
  path: string,
  column: ArrayLike<number>,
  stride: number,
  slot: number,
  range: Range,
): void {
  const step = range.isVector ? 2 : 1;
  for (let i = stride * slot; i < stride * (slot + 1); i += step) {
    const size = range.isVector ? Math.sqrt(column[i] * column[i] + column[i + 1] * column[i + 1]) : column[i];
    if (!isIn(size, range)) failTape(tape, `${path}[${i}]`, column[i], textOf(range));
  }
}

function isIn(value: number, { least, most, isWhole }: Range): boolean {
  return value >= least && value <= most && !(isWhole && value % 1 !== 0);
}

function textOf({ least, most, isWhole, isVector }: Range): string {
  const range = `${least} .. ${most}`;
  if (isVector) return `part of a vector of length ${range}`;
  return isWhole ? `whole, ${range}` : range;
}
