/** navkiln bake --surface: levels whose triangles are taken as they are. */
import type { BakeSettings } from '../config/schema.ts';
import { InputError, blameInput } from '../errors.ts';
import { buildFromSurface } from '../library.ts';
import type { SurfaceBuild } from '../library.ts';

/** Options of `BuildOptions` that a bake without voxels has, too. */
const SHARED: readonly string[] = ['agent', 'strict', 'tileSize', 'maxVerticesPerPoly'];

/** Throws when there is something that is only for voxels, or for 2D maps. */
export function checkSurface({ options, map, surface }: BakeSettings): void {
  if (surface === undefined) return;
  if (map !== undefined) throw new InputError('surface: is for levels; leave it away for 2D maps');
  for (const key of Object.keys(options)) {
    if (!SHARED.includes(key)) throw new InputError(`${key}: is for the voxel bake; leave it away with --surface`);
  }
}

export function bakeSurface(
  level: { positions: Float64Array; indices: Uint32Array },
  { options, surface }: BakeSettings,
  onProgress: (progress: { stage: string; done: number; total: number }) => void,
): SurfaceBuild {
  const { agent, strict, tileSize, maxVerticesPerPoly } = options;
  try {
    return buildFromSurface(
      { positions: level.positions, indices: level.indices },
      { ...surface, agent, strict, tileSize, maxVerticesPerPoly, onProgress },
    );
  } catch (error) {
    throw blameInput(error, 'buildFromSurface');
  }
}
