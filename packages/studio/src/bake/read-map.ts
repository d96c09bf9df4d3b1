/** Bytes of a 2D map -> the map: GeoJSON, Tiled, rings as JSON, told apart by what is in them. Layers are unpacked here. */
import { guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from 'navkiln/polygon';
import type { ParsedMap } from 'navkiln/polygon';
import type { MapSettings } from 'navkiln-cli/config';
import { messageOf } from '../app/message-of.ts';
import type { FileBytes } from './protocol.ts';

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
  const { projection = 'local', walkable, collisionProperty, scale, tolerance, space } = settings;
  switch (guessMapFormat(value)) {
    case 'geojson':
      return parseGeoJson(JSON.stringify(value), { name, projection });
    case 'tiled': {
      await unpackLayers(value, name);
      const named = (source: string): FileBytes | undefined =>
        files.find((file) => file.name === source.split('/').pop());
      const tileset = (source: string): Uint8Array | undefined => named(source)?.bytes;
      return parseTiled(JSON.stringify(value), { name, walkable, collisionProperty, scale, tolerance, space, tileset });
    }
    case undefined:
      throw new Error(
        `${name}: is no map: neither { "polygons": [{ "outline": [[x, y], …] }] }, nor GeoJSON, nor Tiled's`,
      );
    default:
      return parsePolygonMap(JSON.stringify(value), name);
  }
}

interface Packed {
  compression?: string;
  data?: unknown;
}

/** Tiled's packed layers, in place: the browser unpacks only while one waits, and the reader does not wait. */
async function unpackLayers(node: unknown, name: string): Promise<void> {
  if (typeof node !== 'object' || node === null) return;
  const { compression, data } = node as Packed;
  if (typeof compression === 'string' && compression !== '') {
    if (compression !== 'gzip' && compression !== 'zlib') {
      throw new Error(
        `${name}: layers compressed with ${compression} are not read; choose CSV, Base64, gzip or zlib in Tiled`,
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
    throw new Error(`${name}: a packed layer is damaged; export the map again`);
  }
}
