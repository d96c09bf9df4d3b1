/** Reads and builds 2D maps. Loaded with the first map. One module, so that the code of both is in one chunk. */
import type { MapSettings } from 'navkiln-cli/config';
import { addMapLinks } from 'navkiln-cli/levels';
import {
  buildFromPolygons,
  cutByDiagonals,
  findClosedPassages,
  findNearMisses,
  mapToMesh,
  pickMapReadOptions,
  polygonsFromMask,
  readMap,
} from 'navkiln/polygon';
import type { ParsedMap, PolygonMap } from 'navkiln/polygon';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import type { MapChoices, MapLevels } from '../state/state.ts';
import { boundsOfMesh, boundsOfPoints } from './bounds.ts';
import type { About, Baked, Loaded, MapToBake, Task } from './protocol.ts';
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
    decompress: async (packed, _compression, size) => (await import('navkiln-loaders')).unpackZstd(packed, size),
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

export function bakeMap({ map, options, agentTypes }: MapToBake): Baked {
  const { navMesh, report, areas } = buildFromPolygons(map, {
    ...options,
    cutByDiagonals,
    findClosedPassages,
    findNearMisses,
  });
  addMapLinks({ navMesh, report }, (map as Partial<ParsedMap>).links);
  keepTypes(navMesh, agentTypes);
  return { kind: 'baked', navMesh, report, areas, bounds: boundsOfMesh(navMesh) };
}

/** Reads a map as the document says, with what there is to choose. */
export async function loadMap(
  main: FileBytes,
  { files, map: given, levels: choice, isOther }: Extract<Task, { type: 'files' }>,
  about: About,
): Promise<Loaded> {
  const { where, obstacles, walls, ignore, walkable, ...others } = given;
  const own = isOther === true ? others : { ...others, where, obstacles, walls, ignore, walkable };
  const map = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as MapSettings;
  const settings = { agent: { radius: 0 }, map };
  if (choice !== undefined) {
    const { readLevels } = await import('./bake-levels.ts');
    const read = readLevels(main, map, choice);
    return mapOf(read.map, { ...about, settings, warnings: read.warnings }, read.levels);
  }
  const { layerReports: layers, warnings, ...read } = await readMapFile(main, files, map);
  if (map.yAxis !== undefined) read.yAxis = map.yAxis;
  if (map.precision !== undefined) read.precision = map.precision;
  const levels = warnings.find((warning) => warning.levels !== undefined)?.levels;
  const choices: MapChoices = {
    ...(levels === undefined ? {} : { levels: { ...levels, values: singleValues(levels.values) } }),
    ...(layers === undefined ? {} : { layers }),
  };
  return mapOf(
    read,
    {
      ...about,
      settings,
      warnings: warnings.filter(({ code }) => code !== 'one-way-links').map(({ message }) => message),
    },
    undefined,
    choices,
  );
}

/** Returns each level that features lie on by itself: "0;1" names two, and "0-2" a range of others. */
function singleValues(values: readonly string[]): string[] {
  const all = [...new Set(values.flatMap((value) => value.split(';').map((one) => one.trim())))];
  const single = all.filter((value) => value !== '' && !/^-?[\d.]+\s*-\s*-?[\d.]+$/.test(value));
  return (single.length === 0 ? all : single).sort((a, b) => Number(a) - Number(b) || 0);
}

export function mapOf(map: PolygonMap, about: About, levels?: MapLevels, choices?: MapChoices): Loaded {
  const plane = { mapYSign: map.yAxis === 'down' ? 1 : -1 };
  const numbers: number[] = [];
  [map, ...(map.layers ?? [])].forEach(({ polygons = [], obstacles = [] }, i) => {
    const rings = [...polygons.flatMap(({ outline, holes = [] }) => [outline, ...holes]), ...obstacles];
    const height = levels?.heights[i - 1] ?? 0;
    for (const ring of rings) {
      for (const point of ring) {
        const [x, , z] = mapToMesh(plane, point);
        numbers.push(x, height, z);
      }
    }
  });
  return { kind: 'map', ...about, map, bounds: boundsOfPoints(numbers), levels, choices };
}
