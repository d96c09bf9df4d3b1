/** The bake of 2D maps for `navkiln bake`: checks the settings and runs the bake. */
import type { ParsedMap, PolygonBuild } from 'navkiln/polygon';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput } from '../errors.ts';
import { MAP_EXTENSIONS, isMapFile } from '../loaders/extensions.ts';

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

export async function bakeMap(map: ParsedMap, settings: BakeSettings): Promise<PolygonBuild> {
  const { mode, maxVertices, fillRule, gridSize, arcTolerance, yAxis, layers } = settings.map ?? {};
  const { agent, strict, memoryLimitBytes, tileSize } = settings.options;
  const { buildFromPolygons } = await import('navkiln/polygon');
  try {
    return buildFromPolygons(map, {
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
    });
  } catch (error) {
    throw blameInput(error, 'buildFromPolygons');
  }
}
