/**
 * The states of the tiles of a bake in a pool: the option `onTiles`.
 *
 * In: changes of tiles. Out: a grid of states, reported at each change.
 * Cost: one byte per tile of the grid.
 * Based on: own.
 */
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import type { BakeTiles } from '../../build/voxel/pool-types.ts';

/** Names of the states, indexed by the numbers in `BakeTiles.states`. */
export const TILE_STATES = ['empty', 'queued', 'baking', 'done', 'failed'] as const;
export const QUEUED = 1;
export const BAKING = 2;
export const DONE = 3;
export const FAILED = 4;

/** Reports a new state of tiles (x + z * tileCountX). */
export type MarkTiles = (tiles: readonly number[], state: number) => void;

export function createTileStates(config: BakeConfig, onTiles: (tiles: BakeTiles) => void): MarkTiles {
  const { tileCountX, tileCountZ, tileCells, cellSize, boundsMin, offset } = config;
  const grid: BakeTiles = {
    tileCountX,
    tileCountZ,
    min: [boundsMin[0] + offset[0], boundsMin[2] + offset[2]],
    tileSize: tileCells * cellSize,
    states: new Uint8Array(tileCountX * tileCountZ),
  };
  return (tiles, state) => {
    for (const tile of tiles) grid.states[tile] = state;
    onTiles(grid);
  };
}
