/** navkiln bake of 2D maps: what goes with them, and the bake itself. */
import type { BakeSettings } from '../config/schema.ts';
import { InputError, blameInput } from '../errors.ts';
import { buildFromPolygons } from '../library.ts';
import type { ParsedMap, PolygonBuild } from '../library.ts';
import { MAP_EXTENSIONS, isMapFile } from '../loaders/map.ts';

/** Options of `BuildOptions` that 2D maps have, too. */
const SHARED: readonly string[] = ['agent', 'strict'];

/** Whether maps are to be baked; throws when they are mixed with levels, or told what is for levels, or the other way round. */
export function areMaps({ levels, options, map }: BakeSettings): boolean {
  const maps = levels.filter(({ file }) => isMapFile(file));
  if (maps.length === 0) {
    if (map !== undefined) throw new InputError(`map: only goes with 2D maps (${MAP_EXTENSIONS.join(', ')})`);
    return false;
  }
  const level = levels.find(({ file }) => !isMapFile(file));
  if (level !== undefined) {
    throw new InputError(`${maps[0].file} is a 2D map and ${level.file} a level; bake them into two meshes`);
  }
  for (const { file, ...placement } of maps) {
    if (Object.keys(placement).length > 0) throw new InputError(`${file}: a 2D map cannot be placed; leave "::…" away`);
  }
  for (const key of Object.keys(options)) {
    if (!SHARED.includes(key)) throw new InputError(`${key}: is for levels; a 2D map is not made of voxels`);
  }
  return true;
}

export function bakeMap(map: ParsedMap, settings: BakeSettings): PolygonBuild {
  const { mode, maxVertices, fillRule, gridSize, arcTolerance } = settings.map ?? {};
  const { agent, strict } = settings.options;
  try {
    return buildFromPolygons(map, { agent, strict, mode, maxVertices, fillRule, gridSize, arcTolerance });
  } catch (error) {
    throw blameInput(error, 'buildFromPolygons');
  }
}
