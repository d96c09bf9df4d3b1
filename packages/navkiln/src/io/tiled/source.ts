/**
 * Reads custom properties of Tiled's layers, objects and tiles.
 *
 * Tiled's pixels have x to the right and y down. Objects of isometric maps are in pixels along the axes of
 * the grid, where both sides of a cell are one tile height long.
 */
import type { JsonRecord, JsonSource } from '../json-source.ts';
import { fail, isRecord, readArray, show } from '../json-source.ts';

const JSON_TYPES = { bool: 'boolean', string: 'string', float: 'number' } as const;

interface Kinds {
  bool: boolean;
  string: string;
  float: number;
}

/** Returns a boolean property, or undefined when it is absent. */
export function readFlag(source: JsonSource, where: string, thing: JsonRecord, name: string): boolean | undefined {
  return readProperty(source, where, thing, name, 'bool');
}

/** Returns a property of one of Tiled's types, or undefined when it is absent. */
export function readProperty<K extends keyof Kinds>(
  source: JsonSource,
  where: string,
  thing: JsonRecord,
  name: string,
  kind: K,
): Kinds[K] | undefined {
  const { properties } = thing;
  if (properties === undefined) return undefined;
  // Before Tiled 1.2, properties were an object.
  const list = isRecord(properties)
    ? Object.entries(properties).map(([key, value]) => ({ name: key, value }))
    : readArray(source, `${where}, properties`, properties);
  for (const property of list) {
    if (!isRecord(property) || property['name'] !== name) continue;
    const { value } = property;
    if (typeof value !== JSON_TYPES[kind])
      fail(source, where, `has a property "${name}" that is ${show(value, source)}; make it a ${kind}`);
    return value as Kinds[K];
  }
  return undefined;
}
