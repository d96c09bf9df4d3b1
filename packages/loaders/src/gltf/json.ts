/**
 * Checks values of a glTF file's JSON, which may have any shape. Every check names the value by its path in the file:
 * `level.gltf: accessors[3].count is -1; must be a whole number, 0 .. 4294967295; export the level again`.
 *
 * In: parsed JSON. Out: values of known types.
 * Cost: constant per value.
 * Based on: own.
 */
import { InputError } from '../errors.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The file being read, by its name in messages. */
export interface GltfSource {
  file: string;
}

/** Throws an `InputError` about the value at a path. */
export function failAt({ file }: GltfSource, path: string, what: string): never {
  throw new InputError(`${file}: ${path} ${what}; export the level again`);
}

/** Returns a value as messages show it. */
export function showJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'missing' : String(value);
}

function refuse(source: GltfSource, path: string, value: unknown, mustBe: string): never {
  failAt(source, path, `is ${showJson(value)}; must be ${mustBe}`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object; an empty one if the value is absent. */
export function objectAt(source: GltfSource, path: string, value: unknown): Json {
  if (value === undefined) return {};
  if (!isObject(value)) refuse(source, path, value, 'an object');
  return value;
}

/** Returns an object that must be there. */
export function requiredAt(source: GltfSource, path: string, value: unknown): Json {
  if (!isObject(value)) refuse(source, path, value, 'an object');
  return value;
}

/** Returns an array; an empty one if the value is absent. */
export function arrayAt(source: GltfSource, path: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(source, path, value, 'an array');
  return value as readonly unknown[];
}

/** Returns a string; '' if the value is absent. */
export function textAt(source: GltfSource, path: string, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') refuse(source, path, value, 'a text');
  return value;
}

/** Returns a whole number within bounds; `fallback` if the value is absent. */
export function wholeAt(
  source: GltfSource,
  path: string,
  value: unknown,
  [least, most]: readonly [number, number],
  fallback?: number,
): number {
  if (value === undefined && fallback !== undefined) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    refuse(source, path, value, most < least ? 'absent' : `a whole number, ${least} .. ${most}`);
  }
  return value;
}

/** Returns an index into a list of the file, such as `accessors`. */
export function indexAt(source: GltfSource, path: string, value: unknown, count: number, list: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    refuse(source, path, value, `an index into ${list}`);
  }
  if (value >= count) failAt(source, path, `is ${value}; must be below ${count}, the number of ${list}`);
  return value;
}

/** Returns `count` finite numbers; undefined if the value is absent. */
export function numbersAt(source: GltfSource, path: string, value: unknown, count: number): number[] | undefined {
  if (value === undefined) return undefined;
  const list = arrayAt(source, path, value);
  if (list.length !== count) failAt(source, path, `has ${list.length} numbers; must have ${count}`);
  return list.map((one, i) => {
    if (typeof one !== 'number' || !Number.isFinite(one)) refuse(source, `${path}[${i}]`, one, 'a finite number');
    return one;
  });
}
