/**
 * Reads a 2D map: GeoJSON, Tiled, or rings as JSON. The content decides the format. Unpacks compressed
 * layers.
 */
import type { MapSettings } from 'navkiln-cli/config';
import { guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled, readTmx } from 'navkiln/polygon';
import type { ParsedMap } from 'navkiln/polygon';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import { messageOf } from '../state/message-of.ts';

export async function readMapFile(
  main: FileBytes,
  files: readonly FileBytes[],
  settings: MapSettings,
): Promise<ParsedMap> {
  const { name } = main;
  const value = readValue(main);
  const {
    where,
    obstacles,
    lineWidth,
    projection,
    walkable,
    walls,
    ignore,
    collisionProperty,
    scale,
    tolerance,
    space,
  } = settings;
  switch (guessMapFormat(value)) {
    case 'geojson':
      return parseGeoJson(JSON.stringify(value), { name, projection, where, obstacles, walkable, lineWidth });
    case 'tiled': {
      await unpackLayers(value, name);
      const tileset = (source: string): Uint8Array | undefined => findBeside(files, name, source)?.bytes;
      const options = { name, walkable, walls, ignore, collisionProperty, scale, tolerance, space, tileset };
      return parseTiled(JSON.stringify(value), options);
    }
    case undefined:
      throw new Error(
        `${name}: is not a map; must be { "polygons": [{ "outline": [[x, y], …] }] }, GeoJSON or a map of Tiled`,
      );
    default:
      return parsePolygonMap(JSON.stringify(value), name);
  }
}

/** Returns what a file in JSON or XML holds. */
function readValue({ name, bytes }: FileBytes): unknown {
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '');
  if (text.trimStart().startsWith('<')) return readTmx(text, name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: is not valid JSON (${messageOf(error)}); export it again`);
  }
}

interface Packed {
  compression?: string;
  data?: unknown;
  width?: number;
  height?: number;
}

/**
 * Unpacks Tiled's compressed layers in place: the browser can only do it asynchronously, and the parser is
 * synchronous.
 */
async function unpackLayers(node: unknown, name: string): Promise<void> {
  if (typeof node !== 'object' || node === null) return;
  const { compression, data } = node as Packed;
  if (typeof compression === 'string' && compression !== '') {
    if (compression !== 'gzip' && compression !== 'zlib' && compression !== 'zstd') {
      throw new Error(
        `${name}: layers compressed with ${compression} cannot be read; choose CSV, Base64, gzip, zlib or zstd in Tiled`,
      );
    }
    const unpack = async (packed: Packed): Promise<void> => {
      if (typeof packed.data === 'string') packed.data = await unpackData(packed, packed.data, compression, name);
    };
    if (typeof data === 'string') await unpack(node as Packed);
    for (const chunk of (node as { chunks?: Packed[] }).chunks ?? []) await unpack(chunk);
    (node as Packed).compression = '';
  }
  for (const inner of Object.values(node)) if (typeof inner === 'object') await unpackLayers(inner, name);
}

/** Returns the numbers of a layer or chunk as Base64. */
async function unpackData(
  { width = 0, height = 0 }: Packed,
  text: string,
  compression: 'gzip' | 'zlib' | 'zstd',
  name: string,
): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const out =
      compression === 'zstd'
        ? await (await import('navkiln-cli/loaders')).unpackZstd(bytes, 4 * width * height)
        : await inflate(bytes, compression);
    let letters = '';
    for (let i = 0; i < out.length; i += 8192) letters += String.fromCharCode(...out.subarray(i, i + 8192));
    return btoa(letters);
  } catch {
    throw new Error(`${name}: a compressed layer is damaged; export the map again`);
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>, compression: 'gzip' | 'zlib'): Promise<Uint8Array> {
  const format = compression === 'gzip' ? 'gzip' : 'deflate';
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
