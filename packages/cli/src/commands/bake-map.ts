/** The bake of 2D maps for `navkiln bake`: checks the settings and runs the bake. */
import type { MapLayerReport, NamedArea, ParsedMap, PolygonBuild, PolygonOptions } from 'navkiln/polygon';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput } from '../errors.ts';
import { MAP_EXTENSIONS, isMapFile } from 'navkiln-loaders/files';
import { plural } from '../output/text.ts';

/** Options of `BuildOptions` that also apply to 2D maps. */
const SHARED: readonly string[] = ['agent', 'strict', 'memoryLimitBytes', 'tileSize'];

/**
 * Returns whether the files are 2D maps. Throws when maps and levels are mixed, or when a setting belongs to
 * the other kind.
 */
export function areMaps({ levels, options, map }: BakeSettings): boolean {
  const maps = levels.filter(({ file }) => isMapFile(file));
  if (maps.length === 0) {
    if (map !== undefined) throw new InputError(`map: only applies to 2D maps (${MAP_EXTENSIONS.join(', ')})`);
    return false;
  }
  const level = levels.find(({ file }) => !isMapFile(file));
  if (level !== undefined) {
    throw new InputError(`${maps[0].file} is a 2D map and ${level.file} a level; bake them into separate meshes`);
  }
  for (const { file, ...placement } of maps) {
    if (Object.keys(placement).length > 0) throw new InputError(`${file}: a 2D map cannot be placed; remove "::…"`);
  }
  for (const key of Object.keys(options)) {
    if (!SHARED.includes(key))
      throw new InputError(`${key}: only applies to levels; 2D maps are not baked from voxels`);
  }
  return true;
}

/** Returns the options of `buildFromPolygons`. */
export function mapOptions({ map = {}, options }: Pick<BakeSettings, 'map' | 'options'>): PolygonOptions {
  const { mode, maxVertices, fillRule, gridSize, arcTolerance, yAxis, layers } = map;
  const { agent, strict, memoryLimitBytes, tileSize } = options;
  return {
    agent,
    strict,
    memoryLimitBytes,
    tileSize,
    mode,
    maxVertices,
    fillRule,
    gridSize,
    arcTolerance,
    yAxis,
    layers,
  };
}

export async function bakeMap(map: ParsedMap, settings: BakeSettings): Promise<PolygonBuild> {
  const { buildFromPolygons, cutByDiagonals, findClosedPassages, findNearMisses } = await import('navkiln/polygon');
  try {
    const build = buildFromPolygons(map, {
      ...mapOptions(settings),
      cutByDiagonals,
      findClosedPassages,
      findNearMisses,
    });
    if (map.links !== undefined) (await import('../loaders/levels-map.ts')).addMapLinks(build, map.links);
    return build;
  } catch (error) {
    throw blameInput(error, 'buildFromPolygons');
  }
}

/** What `bake --json` prints about a 2D map. */
export interface MapSummary {
  /** Tiled maps: what each layer was taken for. */
  layers?: MapLayerReport[];
  /** Named areas, with their ids and costs for `createFilter`. */
  areas?: NamedArea[];
  /** Links over one-way tiles. */
  links?: number;
}

export function summarizeMap({ layerReports, links }: ParsedMap, { areas }: PolygonBuild): MapSummary | undefined {
  if (layerReports === undefined && areas.length === 0) return undefined;
  return {
    ...(links === undefined ? {} : { links: links.length }),
    ...(layerReports === undefined ? {} : { layers: layerReports }),
    ...(areas.length === 0 ? {} : { areas }),
  };
}

/** Most lines about layers, and about areas. */
const MOST_LINES = 12;

/** Returns a line about tile layers on which nothing blocks. */
function lineOfFree(free: readonly MapLayerReport[]): string {
  const list = free.slice(0, MOST_LINES).map((one) => `${JSON.stringify(one.layer)} (${plural(one.free, 'tile')})`);
  if (free.length > MOST_LINES) list.push(`${free.length - MOST_LINES} more`);
  return `not walls: ${free.length === 1 ? 'layer' : 'layers'} ${list.join(', ')}; --map-walls NAME makes a layer walls`;
}

/** Returns lines about the layers that block, those that do not, and the areas. */
export function linesOfMap({ layers = [], areas = [], links = 0 }: MapSummary): string[] {
  const walls = layers.filter(({ blocking }) => blocking > 0);
  const lines = walls.slice(0, MOST_LINES).map(({ layer, kind, blocking, blockingShare }) => {
    const count = plural(
      blocking,
      kind === 'tiles' ? 'tile or shape' : 'shape',
      kind === 'tiles' ? 'tiles and shapes' : 'shapes',
    );
    return `walls of layer ${JSON.stringify(layer)}: ${count}, ${Math.round(1000 * blockingShare) / 10} % of the map`;
  });
  if (walls.length > MOST_LINES) lines.push(`walls of ${walls.length - MOST_LINES} more layers`);
  const free = layers.filter(
    (one) => one.kind === 'tiles' && one.mark !== 'floor' && one.blocking === 0 && one.free > 0,
  );
  if (walls.length > 0 && free.length > 0) lines.push(lineOfFree(free));
  for (const { name, id, cost, enabled } of areas.slice(0, MOST_LINES))
    lines.push(`area ${JSON.stringify(name)}: id ${id}, cost ${cost}${enabled === false ? ', closed' : ''}`);
  if (areas.length > MOST_LINES) lines.push(`${areas.length - MOST_LINES} more areas`);
  if (links > 0) lines.push(`${plural(links, 'link', 'links')} over one-way tiles`);
  return lines;
}
