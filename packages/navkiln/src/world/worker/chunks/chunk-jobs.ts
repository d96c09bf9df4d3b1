/**
 * Bakes tiles from chunks, in a worker or on this thread.
 *
 * In: the setup of a level, and jobs of one tile each. Out: the file of the tile and its row, equal to those of a bake
 * of the whole level, and its route record.
 * Cost: the bake of the tile.
 * Based on: own.
 */
import type { Workspace } from '../../../base/data/workspace.ts';
import type { BakeConfig } from '../../../build/voxel/bake-config.ts';
import type { PlacedObstacle } from '../../../build/voxel/options.ts';
import type { BuildWarning } from '../../../build/voxel/report.ts';
import { rebasePositions } from '../../../build/voxel/rebase.ts';
import type { Offset } from '../../../build/voxel/rebase.ts';
import { bakeTileJob } from '../../../build/voxel/tile-jobs.ts';
import { carvingOf } from '../../../build/voxel/obstacles/create-obstacles.ts';
import { partitionOf } from '../../../build/voxel/partition-of.ts';
import type { BuildSettings } from '../../../build/voxel/plain-options.ts';
import { optionsFromSent } from '../../../build/voxel/sent-options.ts';
import { encodeEntry } from '../cache-entry.ts';
import { recordKeys, startMeasuring, writeRoutes } from '../route-records.ts';
import type { RouteSetup } from '../route-records.ts';
import { rowOf } from '../tile-row.ts';
import type { TileRow } from '../tile-row.ts';
import type { Chunk } from './chunk-file.ts';

/** The data that all tiles of a level share, as plain data. */
export interface ChunkSetup {
  kind: 'chunks';
  /** Options of the bake without obstacles, links and functions. */
  options: BuildSettings;
  config: BakeConfig;
  obstacles: PlacedObstacle[];
  /** Present if tiles are also measured for routes. */
  routes?: RouteSetup;
}

/** A tile to bake. */
export interface ChunkJob {
  tile: number;
  key: string;
  offset: Offset;
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  areas: Uint8Array;
  list: Int32Array;
}

/** A baked tile, or the error. */
export interface ChunkAnswer {
  entry?: Uint8Array<ArrayBuffer>;
  row?: TileRow;
  /** The route record of a tile with polygons, as a file. */
  routes?: Uint8Array<ArrayBuffer>;
  warnings: BuildWarning[];
  error?: string;
}

/** Returns whether a setup is for chunks. */
export function isChunkSetup(setup: unknown): setup is ChunkSetup {
  return (setup as ChunkSetup | undefined)?.kind === 'chunks';
}

/** Returns the job of the i-th tile of a chunk. */
export function jobOfChunk(
  { tiles, keys, offset, positions, indices, areas, start, list }: Chunk,
  i: number,
): ChunkJob {
  const own = list.subarray(start[i], start[i + 1]);
  return { tile: tiles[i], key: keys[i], offset, positions, indices, areas, list: own };
}

/** Returns the function that bakes tiles of a level. It never throws; errors are in the answer. */
export function startChunkJobs(
  { options, config, obstacles, routes }: ChunkSetup,
  workspace: Workspace,
): (job: ChunkJob) => ChunkAnswer {
  const measure = routes === undefined ? undefined : startMeasuring(routes);
  const full = { ...optionsFromSent(options), partition: partitionOf(config.partition) };
  const keyOf = routes === undefined ? undefined : recordKeys(routes);
  return ({ tile, key, offset, positions, indices, areas, list }) => {
    const isMoved = positions instanceof Float64Array;
    const prepared = {
      positions: rebasePositions(positions, offset),
      given: isMoved ? positions : undefined,
      offset,
      min: config.boundsMin,
      max: config.boundsMax,
      indices,
      triangleCount: indices.length / 3,
      areas: undefined,
      invalidCount: 0,
      firstInvalid: -1,
      degenerateCount: 0,
      firstDegenerate: -1,
    };
    const level = {
      options: { ...full, obstacles: carvingOf(obstacles), workspace },
      config,
      prepared,
      areas,
      walkableCount: 0,
      triangles: { start: Int32Array.of(0, list.length), list },
      firstTile: tile,
      obstacles,
    };
    try {
      const result = bakeTileJob({ caller: 'bake', level }, tile, undefined);
      const entry = encodeEntry(key, result);
      const answer: ChunkAnswer = { entry, row: rowOf(result, entry.length), warnings: result.warnings };
      if (measure !== undefined && result.data !== undefined)
        answer.routes = writeRoutes(keyOf!(key), [measure(result.data)]);
      return answer;
    } catch (error) {
      return { warnings: [], error: error instanceof Error ? error.message : String(error) };
    }
  };
}
