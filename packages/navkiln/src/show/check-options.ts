/**
 * Checks the options of functions of `navkiln/debug`. The same name has the same type in all of them.
 *
 * In: an options object. Out: nothing, or a TypeError that names the option. Cost: linear in its keys. Based on: own.
 */
import {
  checkArray,
  checkFinite,
  checkFunction,
  checkHandle,
  checkNumbers,
  checkObject,
  checkString,
  refuseType,
} from '../base/data/refuse.ts';

const FINITE: readonly string[] = ['lift', 'length', 'radius', 'height', 'from'];
const NUMBERS: readonly string[] = ['offset', 'center', 'headings'];
const ARRAYS: readonly string[] = ['edges', 'lines', 'agents'];
const TEXTS: readonly string[] = ['title', 'name'];

/** Throws a TypeError unless `options` is undefined, or an object whose fields have the types of their names. */
export function checkOptions(caller: string, options: unknown, path: string = 'options'): void {
  if (options === undefined) return;
  checkObject(caller, path, options);
  // Arrays have a method named filter.
  if (Array.isArray(options)) refuseType(caller, path, options, 'an object');
  for (const [key, value] of Object.entries(options as Record<string, unknown>)) {
    if (value === undefined) continue;
    const at = `${path}.${key}`;
    if (FINITE.includes(key)) checkFinite(caller, at, value);
    else if (NUMBERS.includes(key) || key === 'slots') {
      checkNumbers(caller, at, value);
      Array.from(value as ArrayLike<number>).forEach((number, i) => checkFinite(caller, `${at}[${i}]`, number));
    } else if (ARRAYS.includes(key)) checkArray(caller, at, value);
    else if (TEXTS.includes(key)) checkString(caller, at, value);
    else if (key === 'limit') checkHandle(caller, at, value);
    else if (key === 'filter') checkFunction(caller, at, value);
    else if (key === 'color' && typeof value !== 'function' && typeof value !== 'number' && typeof value !== 'string') {
      refuseType(caller, at, value, 'a color, or a function that returns one');
    }
  }
}

/** Throws a TypeError unless `points` is an array of points of at least `length` finite numbers: { x, y, z }, arrays or typed arrays. */
export function checkPoints(caller: string, path: string, points: unknown, length: number): void {
  checkArray(caller, path, points);
  (points as Readonly<Record<string | number, unknown>>[]).forEach((point, i) => {
    const isNamed = typeof point === 'object' && point !== null && 'x' in point;
    if (!isNamed && !ArrayBuffer.isView(point)) checkArray(caller, `${path}[${i}]`, point);
    const keys = isNamed ? ['x', 'y', 'z'] : [0, 1, 2];
    for (const key of keys.slice(0, length)) checkFinite(caller, `${path}[${i}].${key}`, point[key]);
  });
}
