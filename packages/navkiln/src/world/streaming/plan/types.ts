/** The records of a publication that is cut into chunks. */
import type { BuildWarning } from '../../../build/voxel/report.ts';
import type { ChunkSetup } from '../../worker/chunks/chunk-jobs.ts';
import type { WorldManifest } from '../manifest.ts';

/** Tiles that are baked together. */
export interface PlannedChunk {
  key: string;
  /** Numbers of its tiles, x + z * countX. */
  tiles: number[];
}

/** Some tiles of the manifest, in order, and the chunks of the tiles to bake. */
export interface PlanPart {
  /** Numbers of the tiles and their content keys. */
  tiles: { number: number[]; key: string[] };
  chunks: PlannedChunk[];
}

/** A publication that is cut into chunks, as plain data. */
export interface PublicationPlan {
  /** Hash of the rest: equal levels, options and manifests have equal plans. */
  key: string;
  /** Version of the bake's results. */
  bakeVersion: number;
  /** Number of the manifest to write. */
  sequence: number;
  /** The properties of the manifest except its number and its tiles. */
  head: Omit<WorldManifest, 'sequence' | 'tiles'>;
  /** Number of tiles of the manifest. */
  tiles: number;
  /** Tiles in chunks. */
  plannedTiles: number;
  chunks: number;
  /** Keys of the parts, which `readPlanParts` reads. */
  parts: string[];
  /** Input of each tile's bake in addition to its chunk. @internal */
  setup: ChunkSetup;
  /** Warnings about the level as a whole. */
  warnings: BuildWarning[];
  /** Present if the records of routes are stored, too. */
  routes?: true;
}
