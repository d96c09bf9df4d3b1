/** The bake for `navkiln bake --surface`: the triangles of levels become the mesh, without voxels. */
import { buildFromSurface } from 'navkiln/build';
import type { SurfaceBuild, SurfaceOptions } from 'navkiln/build';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput } from '../errors.ts';

/** Options of `BuildOptions` that also apply without voxels. */
const SHARED: readonly string[] = ['agent', 'strict', 'tileSize', 'maxVerticesPerPoly', 'memoryLimitBytes'];

/** Throws when a setting only applies to voxels or to 2D maps. */
export function checkSurface({ options, map, surface }: BakeSettings): void {
  if (surface === undefined) return;
  if (map !== undefined) throw new InputError('surface: only applies to levels; remove it for 2D maps');
  for (const key of Object.keys(options)) {
    if (!SHARED.includes(key)) throw new InputError(`${key}: only applies to the voxel bake; remove it or --surface`);
  }
}

/** Returns the options of `buildFromSurface` that settings give. */
export function surfaceOptions({ options, surface }: BakeSettings): SurfaceOptions {
  const { agent, strict, tileSize, maxVerticesPerPoly, memoryLimitBytes } = options;
  return { ...surface, agent, strict, tileSize, maxVerticesPerPoly, memoryLimitBytes };
}

export function bakeSurface(
  level: { positions: Float64Array; indices: Uint32Array },
  settings: BakeSettings,
  onProgress: (progress: { stage: string; done: number; total: number }) => void,
): SurfaceBuild {
  try {
    return buildFromSurface(
      { positions: level.positions, indices: level.indices },
      { ...surfaceOptions(settings), tryGaps: true, onProgress },
    );
  } catch (error) {
    throw blameInput(error, 'buildFromSurface');
  }
}
