/**
 * Builds the tiles of worlds in a worker, from jobs that hold everything a tile depends on.
 *
 * In: the setup of a world's builder and jobs. Out: built tiles, as the world itself would build them.
 * Cost: that of the tile's bake.
 * Based on: own.
 */
import type { Workspace } from '../../data/workspace.ts';
import { ownTileArrays } from '../../voxel/tile-jobs.ts';
import { withSizes } from '../../voxel/sizes/create.ts';
import type { BuiltTile } from './builder.ts';
import type { TileJob } from './tile-jobs.ts';
import { createVoxelBuilder } from './voxel.ts';
import type { VoxelSetup } from './voxel.ts';

/** Returns the function of a worker that does jobs of worlds with this setup. */
export function startTileJobs(setup: unknown, workspace: Workspace): (job: unknown) => BuiltTile {
  const { options, isMoved } = setup as VoxelSetup;
  // The next change of a tile may be the job of another worker.
  const builder = createVoxelBuilder({ ...withSizes(options), workspace }, isMoved, false);
  return (job) => {
    const { x, z, minY, maxY, parts, carving } = job as TileJob;
    builder.fitHeight(minY, maxY);
    const built = builder.buildTile(x, z, parts, carving);
    if (built.tile !== null) ownTileArrays(built.tile);
    // The world has them.
    if (carving.layers !== undefined) delete built.layers;
    return built;
  };
}
