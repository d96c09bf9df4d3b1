/** Reads and builds 2D maps. Loaded with the first map. One module, so that the code of both is in one chunk. */
import type { MapSettings } from 'navkiln-cli/config';
import { buildFromPolygons, pickMapReadOptions, readMap } from 'navkiln/polygon';
import type { ParsedMap, PolygonMap } from 'navkiln/polygon';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import { boundsOfMesh } from './bounds.ts';
import type { Baked, Task } from './protocol.ts';
import { keepTypes } from './with-sizes.ts';

/** Reads a 2D map with its tilesets and templates, which are among the opened files. */
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

export function bakeMap(map: PolygonMap, { options, agentTypes }: Extract<Task, { type: 'bake-map' }>): Baked {
  const { navMesh, report, areas } = buildFromPolygons(map, options);
  keepTypes(navMesh, agentTypes);
  return { kind: 'baked', navMesh, report, areas, bounds: boundsOfMesh(navMesh) };
}
