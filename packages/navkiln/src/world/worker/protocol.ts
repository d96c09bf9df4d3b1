/**
 * The messages between a pool and its workers. Each request except `part`, `prepared` and `release` has a reply, in the
 * order of the requests. A request for tiles has several replies until all tiles are done. `stage` messages may come in
 * between.
 *
 * Either each worker prepares the level for itself (`level`), or all prepare it together: `input`, then `prepare` for
 * each step, and `prepared` to all. If that is not possible, `summary` lets one worker prepare it for itself; the
 * others do so when they get their first tiles.
 *
 * Based on: own.
 */
import type { Stage, TriangleInput } from '../../build/voxel/options.ts';
import type { BuildSettings } from '../../build/voxel/plain-options.ts';
import type { BuildWarning } from '../../build/voxel/report.ts';
import type { PrepareAnswer, PrepareStep, SharedLevel } from '../../build/voxel/prepare-parts.ts';
import type { LevelSummary, TileResult } from '../../build/voxel/tile-jobs.ts';
import type { PackedTiles } from './tile-arrays.ts';

/** Requests to a worker. `bake` is the number of a bake. */
export type Request =
  /** A part of an array of the level, from element `at` on. `level` follows. */
  | { type: 'part'; bake: number; name: string; length: number; at: number; part: Uint8Array }
  | { type: 'level'; bake: number; caller: string; input: TriangleInput; options: BuildSettings }
  /** The level, in shared memory. `shared` is defined if the level is already prepared. */
  | {
      type: 'input';
      bake: number;
      caller: string;
      input: TriangleInput;
      options: BuildSettings;
      shared: SharedLevel | undefined;
    }
  | { type: 'prepare'; bake: number; step: PrepareStep }
  | { type: 'prepared'; bake: number; caller: string; input: TriangleInput; shared: SharedLevel }
  | { type: 'summary'; bake: number }
  /** `keys` are the content keys of the tiles; the replies then contain their cache entries. */
  | { type: 'tiles'; bake: number; tiles: number[]; keys: string[] | undefined }
  | { type: 'keys'; bake: number; tiles: number[] }
  | { type: 'explain'; bake: number; emptyStage: number }
  /** The data that all jobs of a world's bake share. */
  | { type: 'setup'; bake: number; setup: unknown }
  | { type: 'job'; bake: number; job: unknown }
  | { type: 'release'; bake: number };

/** Messages of a worker. It sends `ready` first, when its script has loaded. */
export type Reply =
  | { type: 'ready' }
  | { type: 'stage'; bake: number; stage: Stage }
  | { type: 'level'; bake: number; summary: LevelSummary }
  | { type: 'input'; bake: number }
  /** `answer` is undefined when each worker must prepare the level for itself. */
  | { type: 'prepare'; bake: number; answer: PrepareAnswer | undefined }
  /** The next `count` tiles of the request. `left`: number of tiles that are not done yet. */
  | {
      type: 'tiles';
      bake: number;
      count: number;
      /** Counts, times and memory of these tiles together, without data and warnings. */
      sum: TileResult;
      packed: PackedTiles;
      /** Warnings and layers of each tile; undefined if no tile has any. */
      warnings: BuildWarning[][] | undefined;
      layers: TileResult['layers'][] | undefined;
      entries: Uint8Array[] | undefined;
      left: number;
    }
  | { type: 'keys'; bake: number; tiles: number[]; keys: string[] }
  | { type: 'explain'; bake: number; warning: BuildWarning }
  | { type: 'setup'; bake: number }
  | { type: 'job'; bake: number; answer: unknown }
  | { type: 'failed'; bake: number; error: unknown };
