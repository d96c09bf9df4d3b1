/**
 * Reads untrusted JSON: values of known types, or an Error that names the position in the file and what is
 * wrong. Warnings are collected by code.
 *
 * In: text, bytes or a parsed value.
 * Out: checked values.
 * Cost: that of `JSON.parse`.
 * Based on: own.
 */
import type { ParsedRing, ParsedMapWarning, ParsedMapWarningCode } from './map.ts';
import { READ_LIMIT_BYTES } from '../../base/constants.ts';
import { exceed } from '../../base/data/memory-budget.ts';
import { checkString, isHollow } from '../../base/data/refuse.ts';
import type { MemoryBudget } from '../../base/data/memory-budget.ts';
import { findJsonFault } from '../text/json-fault.ts';
import { decodeUtf8 } from '../text/utf8.ts';

/** Maximum depth of nested groups or collections; deeper files are a mistake or an attack. */
export const MAX_NESTING = 64;

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The file being read, for messages and warnings. */
export interface JsonSource {
  /** The function that the user called. */
  caller: string;
  /** Name of the file in messages. */
  name: string;
  /** Whether another file named this one. Messages then do not quote its content. */
  isReferenced: boolean;
  /** Bytes that reading may still take; see `spend`. */
  budget: MemoryBudget;
  warnings: Map<ParsedMapWarningCode, ParsedMapWarning>;
}

export function createSource(caller: string, name: string, limitBytes: number = READ_LIMIT_BYTES): JsonSource {
  checkString(caller, 'name', name);
  return { caller, name, isReferenced: false, budget: { limitBytes, usedBytes: 0 }, warnings: new Map() };
}

/** Returns the source of a file that `outer` names. Warnings and the budget are shared. */
export function createReferenced(outer: JsonSource, name: string): JsonSource {
  return { ...outer, name, isReferenced: true };
}

/** Fails when reading `what` would take the file's memory beyond the limit. */
export function spend(source: JsonSource, where: string, bytes: number, what: string): void {
  const needed = exceed(source.budget, bytes);
  if (needed !== undefined) fail(source, where, `${what}: ${needed}`);
}

function describeJsonFault(text: string): string {
  const fault = findJsonFault(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return fault === null ? 'it is too large' : `line ${fault.line}, column ${fault.column}: ${fault.what}`;
}

/**
 * Returns the record that a file holds. Throws a TypeError for a wrong argument and an Error for wrong text.
 */
export function readJson(source: JsonSource, input: unknown): JsonRecord {
  const { caller } = source;
  let text: string;
  if (typeof input === 'string') text = input;
  else if (input instanceof Uint8Array) text = decodeUtf8(input, 0, input.length);
  else if (isRecord(input)) return input;
  else {
    const mustBe = "the file's text, its bytes (Uint8Array), or the parsed object";
    throw new TypeError(`${caller}: the first argument is ${show(input)}; must be ${mustBe}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    fail(source, '', `is not valid JSON (${describeJsonFault(text)}); is the file truncated?`);
  }
  if (!isRecord(value)) fail(source, '', `holds ${show(value, source)}, not an object`);
  return value;
}

/** Throws an Error about a part of the file; `where` is '' for the file as a whole. */
export function fail(source: JsonSource, where: string, what: string): never {
  throw new Error(`${source.caller}: ${source.name}${where === '' ? '' : `, ${where}`}: ${what}`);
}

/** Counts a warning. The first one of a code sets the message. */
export function warn(source: JsonSource, code: ParsedMapWarningCode, where: string, what: string): void {
  const known = source.warnings.get(code);
  if (known !== undefined) known.count++;
  else
    source.warnings.set(code, {
      code,
      count: 1,
      message: `${source.name}${where === '' ? '' : `, ${where}`}: ${what}`,
    });
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

export function readRecord(source: JsonSource, where: string, value: unknown): JsonRecord {
  if (!isRecord(value)) fail(source, where, `is ${show(value, source)}, must be an object`);
  return value;
}

export function readArray(source: JsonSource, where: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) fail(source, where, `is ${show(value, source)}, must be an array`);
  if (isHollow(value)) fail(source, where, `claims to be an array of ${value.length}, and lacks its last element`);
  // A copy without holes, which `map` would skip.
  return Array.from(value);
}

/** Returns a finite number, or `fallback` when the value is absent. */
export function readNumber(source: JsonSource, where: string, value: unknown, fallback?: number): number {
  if (value === undefined && fallback !== undefined) return fallback;
  if (typeof value !== 'number' || value - value !== 0)
    fail(source, where, `is ${show(value, source)}, must be a finite number`);
  return value;
}

/** Returns an integer within bounds. */
export function readCount(source: JsonSource, where: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most) || Math.floor(value) !== value) {
    fail(source, where, `is ${show(value, source)}, must be a whole number from ${least} to ${most}`);
  }
  return value;
}

/**
 * Returns points from [x, y, …] or { x, y }; further numbers, such as an elevation, are dropped. Any number
 * of points passes.
 */
export function readRing(source: JsonSource, where: string, value: unknown): ParsedRing {
  const ring: ParsedRing = [];
  const points = readArray(source, where, value);
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    let x: unknown;
    let y: unknown;
    if (Array.isArray(point)) {
      x = point[0];
      y = point[1];
    } else if (isRecord(point)) {
      x = point['x'];
      y = point['y'];
    }
    if (typeof x !== 'number' || typeof y !== 'number' || x - x + (y - y) !== 0) {
      fail(source, `${where}, point ${i}`, `is ${show(point, source)}, must be two finite numbers`);
    }
    ring.push([x, y]);
  }
  return ring;
}

/** Returns a short description of a value. In a file that another one named, only the kind of the value. */
export function show(value: unknown, source?: JsonSource): string {
  if (source?.isReferenced === true) {
    if (typeof value === 'string') return 'a text';
    if (typeof value === 'number') return 'another number';
    if (Array.isArray(value)) return `an array of ${value.length}`;
  }
  if (typeof value === 'string') return value.length > 40 ? `"${value.slice(0, 40)}…"` : `"${value}"`;
  if (Array.isArray(value)) {
    return value.length > 4 || value.slice(0, 4).some((item) => typeof item === 'object' && item !== null)
      ? `an array of ${value.length}`
      : `[${value.map((item) => show(item)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === undefined) return 'missing';
  return typeof value === 'function' ? 'a function' : String(value);
}
