/**
 * Builds the tiles of worlds in a worker, from jobs that contain everything a tile depends on.
 *
 * In: the setup of a world's builder and jobs. Out: built tiles, equal to those that the world itself would build.
 * Cost: the bake of the tile.
 * Based on: own.
 */
import type { Workspace } from '../../base/data/workspace.ts';
import { ownTileArrays } from '../../build/voxel/tile-jobs.ts';
import { optionsFromSent } from '../../build/voxel/sent-options.ts';
import type { BuiltTile } from './builder.ts';
import type { TileJob } from './tile-jobs.ts';
import { VOXEL_CARVER } from './recarve.ts';
import { createVoxelBuilder } from './voxel.ts';
import type { VoxelSetup } from './voxel.ts';

/** Returns the function of a worker that runs jobs of worlds with this setup. */
export function startTileJobs(setup: unknown, workspace: Workspace): (job: unknown) => BuiltTile {
  const { options, isMoved } = setup as VoxelSetup;
  // Fields are not kept, because another worker may get the next job of the tile.
  const builder = createVoxelBuilder({ ...optionsFromSent(options), workspace }, isMoved, false, VOXEL_CARVER);
  return (job) => {
    const { x, z, minY, maxY, parts, carving } = job as TileJob;
    builder.fitHeight(minY, maxY);
    const built = builder.buildTile(x, z, parts, carving);
    if (built.tile !== null) ownTileArrays(built.tile);
    // The world already has them.
    if (carving.layers !== undefined) delete built.layers;
    return built;
  };
}
