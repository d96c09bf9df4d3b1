/**
 * The messages between a pool and its workers. Each request except `part` and `release` has a reply, in the order of the requests. A
 * request for tiles has replies until all are done. `stage` comes in between.
 *
 * Based on: own.
 */
import type { BuildOptions, BuildWarning, Stage, TriangleInput } from '../voxel/options.ts';
import type { LevelSummary, TileResult } from '../voxel/tile-jobs.ts';
import type { PackedTiles } from './tile-arrays.ts';

/** Requests to a worker. `bake` is the number of a bake. */
export type Request =
  /** A part of an array of the level, from element `at` on: `level` follows. */
  | { type: 'part'; bake: number; name: string; length: number; at: number; part: Uint8Array }
  | { type: 'level'; bake: number; caller: string; input: TriangleInput; options: BuildOptions }
  /** `keys` are the content keys of the tiles; the replies then hold their cache entries. */
  | { type: 'tiles'; bake: number; tiles: number[]; keys: string[] | undefined }
  | { type: 'keys'; bake: number; tiles: number[] }
  | { type: 'explain'; bake: number; emptyStage: number }
  /** What all jobs of the bake of a world share. */
  | { type: 'setup'; bake: number; setup: unknown }
  | { type: 'job'; bake: number; job: unknown }
  | { type: 'release'; bake: number };

/** Messages of a worker. It sends `ready` first, when its script has loaded. */
export type Reply =
  | { type: 'ready' }
  | { type: 'stage'; bake: number; stage: Stage }
  | { type: 'level'; bake: number; summary: LevelSummary }
  /** The next tiles of the request. `results` are without their data, which is packed. `left`: tiles that are not done yet. */
  | {
      type: 'tiles';
      bake: number;
      results: TileResult[];
      packed: PackedTiles;
      entries: Uint8Array[] | undefined;
      left: number;
    }
  | { type: 'keys'; bake: number; tiles: number[]; keys: string[] }
  | { type: 'explain'; bake: number; warning: BuildWarning }
  | { type: 'setup'; bake: number }
  | { type: 'job'; bake: number; answer: unknown }
  | { type: 'failed'; bake: number; error: unknown };
