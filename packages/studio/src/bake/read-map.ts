/** Reads a 2D map with its tilesets and templates, which are among the opened files. */
import type { MapSettings } from 'navkiln-cli/config';
import { pickMapReadOptions, readMap } from 'navkiln/polygon';
import type { ParsedMap } from 'navkiln/polygon';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';

export async function readMapFile(
  { name, bytes }: FileBytes,
  files: readonly FileBytes[],
  settings: MapSettings,
): Promise<ParsedMap> {
  return readMap(bytes, {
    ...pickMapReadOptions(settings),
    name,
    tileset: (source) => findBeside(files, name, source)?.bytes,
    decompress: async (packed, _compression, size) => (await import('navkiln-cli/loaders')).unpackZstd(packed, size),
  });
}
