/**
 * Reads Tiled's files in XML (.tmx, .tsx, .tx) as the records that its JSON files hold, so that one reader serves both.
 *
 * In: text or bytes.
 * Out: a map, a tileset or a template as in JSON. Values that are no numbers stay texts, which the reader refuses.
 * Cost: linear.
 * Based on: Tiled's documentation of its TMX and JSON map formats (Thorbjørn Lindeijer and others); own code.
 */
import { createSource, fail, readJson, spend } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { readXml, startsAsXml } from '../../text/xml.ts';
import type { XmlElement } from '../../text/xml.ts';

/** Memory of an element of a file in XML, per letter of the file. */
const LETTER_BYTES = 8;

/** Attributes that are texts, although they may look like numbers. */
const TEXTS = new Set([
  'name',
  'class',
  'type',
  'source',
  'template',
  'encoding',
  'compression',
  'orientation',
  'staggeraxis',
  'staggerindex',
  'objectalignment',
  'tilerendersize',
  'version',
  'tiledversion',
]);

/**
 * Returns a file of Tiled in XML (.tmx, .tsx, .tx) as the object that its JSON holds, for programs that change it before
 * `parseTiled` reads it, which reads both.
 *
 * @param name name of the file in messages
 * @throws Error with line and column for text that is no XML, or no file of Tiled
 */
export function readTmx(input: string | Uint8Array, name: string = 'Tiled map'): Readonly<Record<string, unknown>> {
  return readTiledRecord(createSource('readTmx', name), input);
}

/** Returns the record of a file in JSON or XML. */
export function readTiledRecord(source: JsonSource, input: unknown): JsonRecord {
  if (!startsAsXml(input)) return readJson(source, input);
  const text = typeof input === 'string' ? input : decodeUtf8(input as Uint8Array, 0, (input as Uint8Array).length);
  spend(source, '', LETTER_BYTES * text.length, `XML of ${text.length} letters`);
  const root = readXml(text, (what) => fail(source, '', what));
  switch (root.tag) {
    case 'map':
      return readMap(root);
    case 'tileset':
      return readTileset(root);
    case 'template': {
      const tileset = root.children.find(({ tag }) => tag === 'tileset');
      const object = root.children.find(({ tag }) => tag === 'object');
      return {
        type: 'template',
        ...(tileset === undefined ? {} : { tileset: attributesOf(tileset) }),
        object: object === undefined ? undefined : readObject(object),
      };
    }
    default:
      return fail(source, '', `has the root element <${root.tag.slice(0, 40)}>, must be a map of Tiled`);
  }
}

/** Returns attributes; those that are numbers as numbers. */
function attributesOf({ attributes }: XmlElement): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(attributes)) {
    const number = text.trim() === '' ? NaN : Number(text);
    record[key] = TEXTS.has(key) || number - number !== 0 ? text : number;
  }
  return record;
}

function readMap(root: XmlElement): JsonRecord {
  const record = attributesOf(root);
  return {
    ...record,
    type: 'map',
    infinite: record['infinite'] === 1,
    ...propertiesOf(root),
    tilesets: root.children.filter(({ tag }) => tag === 'tileset').map(readTileset),
    layers: readLayers(root),
  };
}

function readLayers({ children }: XmlElement): JsonRecord[] {
  const layers: JsonRecord[] = [];
  for (const child of children) {
    const type = LAYER_TYPES[child.tag];
    if (type === undefined) continue;
    const record = attributesOf(child);
    const common = { ...record, type, visible: record['visible'] !== 0, ...propertiesOf(child) };
    if (type === 'group') layers.push({ ...common, layers: readLayers(child) });
    else if (type === 'objectgroup') layers.push({ ...common, objects: objectsOf(child) });
    else if (type === 'tilelayer') layers.push({ ...common, ...readData(child) });
    else layers.push(common);
  }
  return layers;
}

const LAYER_TYPES: Readonly<Record<string, string | undefined>> = {
  layer: 'tilelayer',
  objectgroup: 'objectgroup',
  group: 'group',
  imagelayer: 'imagelayer',
};

function objectsOf({ children }: XmlElement): JsonRecord[] {
  return children.filter(({ tag }) => tag === 'object').map(readObject);
}

/** Returns the tile numbers of a layer, as text or list, whole or in chunks. */
function readData({ children }: XmlElement): JsonRecord {
  const data = children.find(({ tag }) => tag === 'data');
  if (data === undefined) return { data: [] };
  const { encoding, compression } = data.attributes;
  const packing = {
    ...(encoding === 'base64' ? { encoding } : {}),
    ...(compression === undefined ? {} : { compression }),
  };
  const chunks = data.children.filter(({ tag }) => tag === 'chunk');
  if (chunks.length === 0) return { ...packing, data: numbersOf(data, encoding) };
  return {
    ...packing,
    chunks: chunks.map((chunk) => ({ ...attributesOf(chunk), data: numbersOf(chunk, encoding) })),
  };
}

function numbersOf({ text, children }: XmlElement, encoding: string | undefined): unknown {
  if (encoding === undefined) {
    return children.filter(({ tag }) => tag === 'tile').map(({ attributes }) => Number(attributes['gid'] ?? 0));
  }
  if (encoding !== 'csv') return text.replace(/\s+/g, '');
  const trimmed = text.trim();
  return trimmed === '' ? [] : trimmed.split(',').map(Number);
}

function readObject(element: XmlElement): JsonRecord {
  const record = attributesOf(element);
  const object: Record<string, unknown> = { ...record, ...propertiesOf(element) };
  for (const child of element.children) {
    if (child.tag === 'ellipse' || child.tag === 'point' || child.tag === 'capsule') object[child.tag] = true;
    else if (child.tag === 'text') object['text'] = {};
    else if (child.tag === 'polygon' || child.tag === 'polyline') object[child.tag] = pointsOf(child);
  }
  return object;
}

/** Returns points that are written as "0,0 16,0 16,16". */
function pointsOf({ attributes }: XmlElement): JsonRecord[] {
  return (attributes['points'] ?? '')
    .trim()
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [x, y] = pair.split(',');
      return { x: numberOf(x), y: numberOf(y) };
    });
}

function numberOf(text: string | undefined): unknown {
  return text === undefined || text === '' || Number(text) - Number(text) !== 0 ? text : Number(text);
}

function readTileset(element: XmlElement): JsonRecord {
  const record = attributesOf(element);
  const tiles: JsonRecord[] = [];
  const parts: Record<string, unknown> = {};
  for (const child of element.children) {
    if (child.tag === 'tileoffset' || child.tag === 'grid') parts[child.tag] = attributesOf(child);
    if (child.tag !== 'tile') continue;
    const group = child.children.find(({ tag }) => tag === 'objectgroup');
    tiles.push({
      ...attributesOf(child),
      ...propertiesOf(child),
      ...(group === undefined ? {} : { objectgroup: { ...attributesOf(group), objects: objectsOf(group) } }),
    });
  }
  return { ...record, ...parts, ...propertiesOf(element), ...(record['source'] === undefined ? { tiles } : {}) };
}

/** Returns custom properties, as a list under `properties`. */
function propertiesOf({ children }: XmlElement): { properties?: JsonRecord[] } {
  const list = children.find(({ tag }) => tag === 'properties');
  if (list === undefined) return {};
  const properties = list.children
    .filter(({ tag }) => tag === 'property')
    .map(({ attributes: { name, type = 'string', value }, text }): JsonRecord => {
      const given = value ?? text;
      if (type === 'bool') return { name, type, value: given === 'true' || given === '1' };
      if (type === 'int' || type === 'float' || type === 'object') return { name, type, value: numberOf(given) };
      return { name, type, value: type === 'class' ? {} : given };
    });
  return { properties };
}
