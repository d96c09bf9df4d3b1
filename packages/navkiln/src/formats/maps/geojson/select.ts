/**
 * Selects features of GeoJSON by their properties, and finds out which property tells storeys apart.
 *
 * Cost: constant for a feature.
 * Based on: own; levels as in OpenStreetMap's Simple Indoor Tagging.
 */
import { show } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';

/** A property that holds the height of a level, in meters. */
export const HEIGHT_KEY = 'baseHeight';
/** Longest value in a condition that a message proposes. */
const MAX_VALUE = 200;

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

/** Returns the properties of a feature with its member `feature_type`, as in IMDF. */
export function tagsOf(feature: JsonRecord, properties: JsonRecord): JsonRecord {
  const type = feature['feature_type'];
  return type === undefined ? properties : { ...properties, feature_type: type };
}

/** Conditions of features that are whole buildings. IMDF keeps their outlines as footprints. */
export const BUILDINGS: readonly Selector[] = [
  { key: 'building', value: undefined },
  { key: 'feature_type', value: 'building' },
  { key: 'feature_type', value: 'footprint' },
];

/** Names of the property that tells the storeys of a building apart. Numbers come before identifiers of one building's storeys. */
const LEVEL_KEYS = [
  'level',
  'level_id',
  'levelId',
  'floor',
  'storey',
  'level:ref',
  'levelNumber',
  'level_number',
  'floorNumber',
  'floor_number',
  'verticalOrder',
  'vertical_order',
  'floorId',
  'floor_id',
  HEIGHT_KEY,
];
/** The property of levels of IMDF that tells them apart. */
const ORDINAL_KEY = 'ordinal';

/** Returns whether a property tells the storeys of a building apart. */
export function isLevelKey(key: string): boolean {
  return key === ORDINAL_KEY || LEVEL_KEYS.includes(key);
}

/** Returns the property of a feature that names its level, and its value; undefined when it has none. */
export function levelOf(properties: JsonRecord): { key: string; value: string } | undefined {
  for (const key of properties['feature_type'] === 'level' ? [ORDINAL_KEY] : LEVEL_KEYS) {
    const value = properties[key];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return { key, value: String(value) };
  }
  return undefined;
}

/**
 * Returns a condition on one of a property's values, as text in code and as a word in a shell; undefined if no value fits there.
 * Commas would separate conditions, and a semicolon separates the levels of a feature.
 */
export function exampleOf(key: string, values: readonly string[]): { text: string; word: string } | undefined {
  const fitting = values.filter((value) => value.length <= MAX_VALUE && /^[^,\p{Cc}]+$/u.test(value));
  const value = fitting.find((one) => !one.includes(';')) ?? fitting[0];
  if (value === undefined) return undefined;
  const condition = `${key}=${value}`;
  const word = /^[\w=.:@+-]+$/.test(condition) ? condition : `'${condition.replaceAll("'", "'\\''")}'`;
  return { text: JSON.stringify(condition), word };
}
