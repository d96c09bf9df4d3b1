/**
 * The data of a tile in a manifest, except its number and its content key.
 *
 * In: the result of a tile. Out: its row.
 * Based on: own.
 */
import { boundsOfTile } from '../../mesh/tiles/insert-tile.ts';
import type { TileResult } from '../../build/voxel/tile-jobs.ts';

/**
 * The size of a tile's file in bytes, its number of polygons, and the heights of its lowest and highest vertex in world
 * units.
 */
export interface TileRow {
  bytes: number;
  polys: number;
  minY: number;
  maxY: number;
}

/** Returns the row of a tile whose file has this many bytes. */
export function rowOf({ data }: Pick<TileResult, 'data'>, bytes: number): TileRow {
  if (data === undefined) return { bytes, polys: 0, minY: 0, maxY: 0 };
  const bounds = boundsOfTile(data);
  return { bytes, polys: data.polyCount, minY: bounds[1], maxY: bounds[4] };
}
