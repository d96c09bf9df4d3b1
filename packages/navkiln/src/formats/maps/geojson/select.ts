/**
 * Selects features of GeoJSON by their properties, and finds out which property tells storeys apart.
 *
 * Cost: constant for a feature.
 * Based on: own; levels as in OpenStreetMap's Simple Indoor Tagging.
 */
import { show } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';

/** A condition on a property. */
export interface Selector {
  key: string;
  /** Undefined: any value but false, null, "" and "no". */
  value: string | undefined;
}

/** Reads conditions such as "level=0", "building=*" and "building". */
export function readSelectors(caller: string, option: string, given: unknown): Selector[] {
  if (!Array.isArray(given))
    throw new TypeError(
      `${caller}: options.${option} is ${show(given)}; must be an array such as ["level=0", "building"]`,
    );
  return given.map((one, i) => {
    if (typeof one !== 'string' || one === '' || one.startsWith('=')) {
      throw new TypeError(`${caller}: options.${option}[${i}] is ${show(one)}; must be "property=value" or "property"`);
    }
    const at = one.indexOf('=');
    const value = at < 0 ? '*' : one.slice(at + 1);
    return { key: at < 0 ? one : one.slice(0, at), value: value === '*' ? undefined : value };
  });
}

/** Returns whether properties meet a condition. A property may have several values, as in "0;1". */
export function matches(properties: JsonRecord, { key, value }: Selector): boolean {
  const given = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (given === undefined || given === null) return false;
  if (value === undefined) return given !== false && given !== '' && given !== 'no';
  return valuesOf(given).includes(value);
}

function valuesOf(given: unknown): string[] {
  if (Array.isArray(given)) return given.map(String);
  return typeof given === 'string' ? [given, ...given.split(';').map((one) => one.trim())] : [String(given)];
}

/** Names of the property that tells the storeys of a building apart. */
const LEVEL_KEYS = ['level', 'level_id', 'levelId', 'floor', 'storey', 'level:ref'];

/** Returns the property of a feature that names its level, and its value; undefined when it has none. */
export function levelOf(properties: JsonRecord): { key: string; value: string } | undefined {
  for (const key of LEVEL_KEYS) {
    const value = properties[key];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return { key, value: String(value) };
  }
  return undefined;
}
