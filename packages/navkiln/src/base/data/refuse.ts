/**
 * Refusals: one form for every message about a wrong argument, `function: path is value; must be remedy`.
 *
 * Based on: own. Shared by all convenience functions, so that a bundle carries each text once. Kernels do not check.
 */

import { advice } from '../math/advice.ts';
import { showScalar } from '../math/point.ts';

/** Longest piece of a user's value that a message repeats, in characters. */
const MAX_SHOWN = 60;

/** Throws a RangeError: `caller: path is value; must be mustBe`. */
export function refuse(caller: string, path: string, value: unknown, mustBe: string): never {
  throw new RangeError(messageOf(caller, path, value, mustBe));
}

/** Throws a TypeError: `caller: path is value; must be mustBe`. */
export function refuseType(caller: string, path: string, value: unknown, mustBe: string): never {
  throw new TypeError(messageOf(caller, path, value, mustBe));
}

function messageOf(caller: string, path: string, value: unknown, mustBe: string): string {
  return `${caller}: ${path} is ${showValue(value)}; must be ${mustBe}${advice.of(path, value, mustBe)}`;
}

/**
 * Throws a TypeError unless `value` is a record with a typed array under `field`. One field identifies each kind of record. JSON does
 * not preserve typed arrays, so records that went through JSON are refused. Other fields are not checked.
 */
export function checkRecord(caller: string, path: string, value: unknown, field: string, mustBe: string): void {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && ArrayBuffer.isView((value as Record<string, unknown>)[field])) return;
  refuseType(caller, path, value, mustBe);
}

/** Throws a TypeError unless `value` is a finite number. */
export function checkFinite(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'number' || value - value !== 0) refuseType(caller, path, value, 'a finite number');
}

/** Throws a TypeError unless `value` is a string. */
export function checkString(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'string') refuseType(caller, path, value, 'a string');
}

/** Throws a TypeError unless `value` is a string that is not empty. */
export function checkName(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') refuseType(caller, path, value, 'a string that is not empty');
}

/** Throws a TypeError unless `value` is an object and neither null nor a function. */
export function checkObject(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuseType(caller, path, value, 'an object');
}

/**
 * Throws a TypeError unless `value` is an array. Typed arrays are none. An array without its last element has a length that is only
 * claimed, and is refused.
 */
export function checkArray(caller: string, path: string, value: unknown): void {
  if (!Array.isArray(value) || isHollow(value)) refuseType(caller, path, value, 'an array without gaps');
}

/** Returns whether an array lacks its last element. @internal */
export function isHollow(list: readonly unknown[]): boolean {
  return list.length > 0 && !(list.length - 1 in list);
}

/**
 * Throws a TypeError unless `values` is a list of numbers, NaN included. Only plain arrays can hold anything else, so that typed arrays
 * cost nothing.
 *
 * @param isWhole refuses numbers that a copy to a Uint32Array would change, also in typed arrays
 */
export function checkNumbers(caller: string, path: string, values: unknown, isWhole: boolean = false): void {
  const list = values as ArrayLike<unknown> | null | undefined;
  if (typeof list !== 'object' || !(list !== null && list.length >= 0))
    refuseType(caller, path, values, 'an array of numbers');
  // From the end: the lengths of lists that are not typed arrays may only be claimed.
  for (let i = (ArrayBuffer.isView(list) && !isWhole ? Math.min(1, list.length) : list.length) - 1; i >= 0; i--) {
    const value = list[i];
    if (typeof value !== 'number' || (isWhole && value >>> 0 !== value))
      refuseType(caller, `${path}[${i}]`, value, isWhole ? 'a whole number' : 'a number');
  }
}

/** Throws a TypeError unless all options with these names that are given are numbers, before they are compared. */
export function checkNumberKeys(caller: string, options: object, keys: readonly string[]): void {
  for (const key of keys) {
    const value = (options as Record<string, unknown>)[key];
    if (value !== undefined) checkHandle(caller, `options.${key}`, value);
  }
}

/** Throws a TypeError unless `value` is a typed array of three finite numbers or more. */
export function checkVector(caller: string, path: string, value: unknown): void {
  if (ArrayBuffer.isView(value)) {
    const { 0: x, 1: y, 2: z } = value as Float64Array;
    if (x - x + (y - y) + (z - z) === 0) return;
  }
  refuseType(caller, path, value, 'a Float64Array of x, y, z, all finite');
}

/** Throws a TypeError for a frozen record, which the caller would change. */
export function checkMutable(caller: string, path: string, value: unknown): void {
  if (Object.isFrozen(value)) refuseType(caller, path, value, 'not frozen');
}

/** Throws a TypeError unless `value` is a function. */
export function checkFunction(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'function') refuseType(caller, path, value, 'a function');
}

/** Throws a TypeError unless `signal` is undefined or an AbortSignal, and the reason of one that is aborted. */
export function checkSignal(caller: string, path: string, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  checkFunction(caller, `${path}.throwIfAborted`, signal?.throwIfAborted);
  signal.throwIfAborted();
}

/**
 * Throws unless `options` is undefined or an object whose keys are all in `known`. `path` is what messages call the
 * object. A key that is set to undefined counts as absent, but its name must be known.
 */
export function checkKeys(caller: string, options: unknown, known: readonly string[], path: string = 'options'): void {
  if (options === undefined) return;
  checkObject(caller, path, options);
  for (const key in options as Record<string, unknown>) {
    const value = (options as Record<string, unknown>)[key];
    if (!known.includes(key)) {
      const remedy = advice.of(path, key, known) || `known keys: ${known.join(', ')}`;
      throw new RangeError(`${caller}: ${path}.${key} is unknown; ${remedy}`);
    }
    // No option takes symbols or bigints. Comparing or storing one would throw.
    if (/symbol|bigint/.test(typeof value)) refuseType(caller, `${path}.${key}`, value, 'of another type');
  }
}

/**
 * Throws a TypeError unless `value` is a number. Stale and unknown handles are expected outcomes, which functions report in their
 * result; a value of another type is misuse. `path` names the handle in the message.
 */
export function checkHandle(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'number') refuseType(caller, path, value, 'a number');
}

/** Throws a TypeError unless `value` is a typed array of this kind (`'Float64Array'`), of any realm. `path` names it in the message. */
export function checkTyped(caller: string, path: string, value: unknown, kind: string): void {
  if (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`) return;
  refuseType(caller, path, value, `a ${kind}`);
}

/**
 * Returns a value as messages show it: strings in quotes, arrays by their values, other objects by their kind, nothing long or deep.
 */
export function showValue(value: unknown, depth: number = 3): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : Array.isArray(value) && depth > 0
        ? `[${value
            .slice(0, 8)
            .map((one) => showValue(one, depth - 1))
            .join(', ')}]`
        : typeof value === 'function'
          ? 'a function'
          : showScalar(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
