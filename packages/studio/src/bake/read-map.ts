/**
 * Reads a 2D map: GeoJSON, Tiled, or rings as JSON. The content decides the format. Unpacks compressed
 * layers.
 */
import type { MapSettings } from 'navkiln-cli/config';
import { guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from 'navkiln/polygon';
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
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(main.bytes).replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`${name}: is not valid JSON (${messageOf(error)}); export it again`);
  }
  const { projection, walkable, collisionProperty, scale, tolerance, space } = settings;
  switch (guessMapFormat(value)) {
    case 'geojson':
      return parseGeoJson(JSON.stringify(value), { name, projection });
    case 'tiled': {
      await unpackLayers(value, name);
      const tileset = (source: string): Uint8Array | undefined => findBeside(files, name, source)?.bytes;
      return parseTiled(JSON.stringify(value), { name, walkable, collisionProperty, scale, tolerance, space, tileset });
    }
    case undefined:
      throw new Error(
        `${name}: is not a map; must be { "polygons": [{ "outline": [[x, y], …] }] }, GeoJSON or a map of Tiled`,
      );
    default:
      return parsePolygonMap(JSON.stringify(value), name);
  }
}

interface Packed {
  compression?: string;
  data?: unknown;
}

/**
 * Unpacks Tiled's compressed layers in place: the browser can only do it asynchronously, and the parser is
 * synchronous.
 */
async function unpackLayers(node: unknown, name: string): Promise<void> {
  if (typeof node !== 'object' || node === null) return;
  const { compression, data } = node as Packed;
  if (typeof compression === 'string' && compression !== '') {
    if (compression !== 'gzip' && compression !== 'zlib') {
      throw new Error(
        `${name}: layers compressed with ${compression} cannot be read; choose CSV, Base64, gzip or zlib in Tiled`,
      );
    }
    const unpack = (text: string): Promise<string> => inflate(text, compression === 'gzip' ? 'gzip' : 'deflate', name);
    if (typeof data === 'string') (node as Packed).data = await unpack(data);
    for (const chunk of (node as { chunks?: Packed[] }).chunks ?? []) {
      if (typeof chunk.data === 'string') chunk.data = await unpack(chunk.data);
    }
    (node as Packed).compression = '';
  }
  for (const inner of Object.values(node)) if (typeof inner === 'object') await unpackLayers(inner, name);
}

async function inflate(text: string, format: 'gzip' | 'deflate', name: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
    const out = new Uint8Array(await new Response(stream).arrayBuffer());
    let letters = '';
    for (let i = 0; i < out.length; i += 8192) letters += String.fromCharCode(...out.subarray(i, i + 8192));
    return btoa(letters);
  } catch {
    throw new Error(`${name}: a compressed layer is damaged; export the map again`);
  }
}
