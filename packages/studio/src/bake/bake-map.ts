/** Reads and builds 2D maps. Loaded with the first map. One module, so that the code of both is in one chunk. */
import type { MapSettings } from 'navkiln-cli/config';
import {
  buildFromPolygons,
  cutByDiagonals,
  findNearMisses,
  pickMapReadOptions,
  polygonsFromMask,
  readMap,
} from 'navkiln/polygon';
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
  if (/\.png$/i.test(name)) return readMask(name, bytes, settings.scale);
  return readMap(bytes, {
    ...pickMapReadOptions(settings),
    name,
    tileset: (source) => findBeside(files, name, source)?.bytes,
    decompress: async (packed, _compression, size) => (await import('navkiln-cli/loaders')).unpackZstd(packed, size),
  });
}

/** Pixels of a mask at most: the page holds four bytes of each, and the map. */
const MAX_PIXELS = 2 ** 26;

/** Reads a mask with the decoder of the browser. The size is checked before it decodes. */
async function readMask(name: string, bytes: FileBytes['bytes'], scale: number | undefined): Promise<ParsedMap> {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = bytes.length < 24 ? [0, 0] : [head.getUint32(16), head.getUint32(20)];
  if (width * height > MAX_PIXELS)
    throw new Error(`${name}: has ${width} x ${height} pixels, at most ${MAX_PIXELS} are read here; make it smaller`);
  const bitmap = await createImageBitmap(new Blob([bytes]), {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  }).catch(() => {
    throw new Error(`${name}: is damaged; export it again`);
  });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return polygonsFromMask(pixels, { name, ...(scale === undefined ? {} : { scale }) });
}

export function bakeMap(map: PolygonMap, { options, agentTypes }: Extract<Task, { type: 'bake-map' }>): Baked {
  const { navMesh, report, areas } = buildFromPolygons(map, { ...options, cutByDiagonals, findNearMisses });
  keepTypes(navMesh, agentTypes);
  return { kind: 'baked', navMesh, report, areas, bounds: boundsOfMesh(navMesh) };
}
