/**
 * What the readers of Tiled's parts share: the map's frame, its options, and shapes in it.
 *
 * Tiled's pixels: x to the right, y down. Objects of isometric maps are in pixels along the grid's axes, where a cell is a tile
 * height long on both; `toScreen` is where they are drawn.
 */
import type { JsonRecord, JsonSource } from '../json-source.ts';
import { fail, isRecord, readArray, show } from '../json-source.ts';

/** A boolean property of a thing, undefined: it has none of this name. */
export function readFlag(source: JsonSource, where: string, thing: JsonRecord, name: string): boolean | undefined {
  const { properties } = thing;
  if (properties === undefined) return undefined;
  for (const property of readArray(source, `${where}, properties`, properties)) {
    if (!isRecord(property) || property['name'] !== name) continue;
    const { value } = property;
    if (typeof value !== 'boolean')
      fail(source, where, `has a property "${name}" that is ${show(value)}; make it a bool`);
    return value;
  }
  return undefined;
}
