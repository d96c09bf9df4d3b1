/**
 * Reads templates of objects (.tx, .tj): files of one object that objects of maps are made of.
 *
 * An object of a template holds only what differs from it. The number of a template's tile counts from the tilesets of the
 * template; it is converted to that of the map.
 *
 * Cost: linear; each file is read once.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { createReferenced, fail, isRecord, readArray, readCount, readRecord, warn } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';
import { readTiledRecord } from './tmx.ts';
import type { TiledReader, TiledTemplate, TiledTileset } from './types.ts';

const GID_MASK = 0x0fffffff;
/** Numbers of tiles of tilesets that only templates name; maps do not have as many. */
const TEMPLATE_GIDS = 0x8000000;
const GIDS_PER_TILESET = 0x100000;

/**
 * Returns an object with what it takes from its template. Undefined when the template is missing, with a warning. `from`: the file
 * that holds the object, '' for the map itself.
 */
export function withTemplate(
  reader: TiledReader,
  where: string,
  object: JsonRecord,
  from: string = '',
): JsonRecord | undefined {
  if (typeof object['template'] !== 'string') return object;
  const { templates } = reader;
  const file = from === '' ? object['template'] : besideOf(from, object['template']);
  if (!templates.has(file)) {
    templates.set(file, 'reading');
    templates.set(file, readTemplate(reader, where, file));
  }
  const template = templates.get(file);
  if (template === 'reading') fail(reader.source, where, `is of the template ${file.slice(0, 80)}, which needs itself`);
  if (template === undefined) return undefined;
  const { object: base, tileset, firstGid } = template;
  const merged: Record<string, unknown> = {
    ...base,
    ...object,
    properties: [...listOf(base), ...listOf(object)].reverse(),
  };
  if (merged['properties'] !== undefined && (merged['properties'] as unknown[]).length === 0)
    delete merged['properties'];
  const gid = base['gid'];
  if (object['gid'] === undefined && typeof gid === 'number' && tileset !== undefined) {
    const flags = gid - (gid & GID_MASK);
    merged['gid'] = (flags < 0 ? flags + 0x100000000 : flags) + tileset.firstGid + (gid & GID_MASK) - firstGid;
  }
  return merged;

  /** Returns custom properties as a list. Of several with one name, the first counts. */
  function listOf({ properties }: JsonRecord): readonly unknown[] {
    if (properties === undefined) return [];
    if (isRecord(properties)) return Object.entries(properties).map(([name, value]) => ({ name, value }));
    return readArray(reader.source, `${where}, properties`, properties);
  }
}

function readTemplate(reader: TiledReader, where: string, file: string): TiledTemplate | undefined {
  const { source, options } = reader;
  const given = (options.template ?? options.tileset)?.(file);
  if (given === undefined) {
    const what = `is of the template ${file.slice(0, 80)}, which was not given; left out. Put the file next to the map`;
    warn(source, 'template-missing', where, what);
    return undefined;
  }
  const outer = createReferenced(source, file.slice(0, 80));
  const record = readTiledRecord(outer, given);
  const object = readRecord(outer, 'object', record['object']);
  if (record['tileset'] === undefined) return { object, tileset: undefined, firstGid: 1 };
  const entry = readRecord(outer, 'tileset', record['tileset']);
  const firstGid = readCount(outer, 'tileset, firstgid', entry['firstgid'], 1, GID_MASK);
  const name = typeof entry['source'] === 'string' ? besideOf(file, entry['source']) : '';
  return { object, tileset: tilesetOfFile(reader, name), firstGid };
}

/** Returns a tileset of the map by its file, or reads it. */
function tilesetOfFile(reader: TiledReader, file: string): TiledTileset {
  const known = reader.tilesets.find((one) => one.file === file);
  if (known !== undefined) return known;
  const added = reader.tilesets.filter(({ firstGid }) => firstGid >= TEMPLATE_GIDS).length;
  const firstgid = TEMPLATE_GIDS + added * GIDS_PER_TILESET;
  const tileset = reader.readTileset(reader, `tileset of a template`, { firstgid, source: file });
  reader.tilesets.push(tileset);
  return tileset;
}

/** Returns the name of a file that another one names, relative to the map: "t/door.tx" and "../a.tsx" give "a.tsx". */
function besideOf(file: string, name: string): string {
  const parts = [...file.split('/').slice(0, -1), ...name.split('/')];
  const out: string[] = [];
  for (const part of parts) {
    if (part === '.' || part === '') continue;
    if (part === '..' && out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else out.push(part);
  }
  return out.join('/');
}
