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
  for (const { name: key, value } of listProperties(source, where, thing)) {
    if (key !== name) continue;
    if (typeof value !== JSON_TYPES[kind])
      fail(source, where, `has a property "${name}" that is ${show(value, source)}; make it a ${kind}`);
    return value as Kinds[K];
  }
  return undefined;
}

/** Returns the custom properties of a thing. Before Tiled 1.2, they were an object. */
export function listProperties(
  source: JsonSource,
  where: string,
  { properties }: JsonRecord,
): { name: string; value: unknown }[] {
  if (properties === undefined) return [];
  if (isRecord(properties)) return Object.entries(properties).map(([name, value]) => ({ name, value }));
  const list: { name: string; value: unknown }[] = [];
  for (const property of readArray(source, `${where}, properties`, properties)) {
    if (isRecord(property) && typeof property['name'] === 'string')
      list.push({ name: property['name'], value: property['value'] });
  }
  return list;
}
