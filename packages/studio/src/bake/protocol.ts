/** What the page and its worker say to each other. Everything survives structured cloning. */
import type { BuildOptions, BuildReport } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import type { PolygonMap, PolygonOptions, PolygonReport } from 'navkiln/polygon';
import type { MapSettings } from 'navkiln-cli/config';
import type { Bounds, LevelData, Settings } from '../app/state.ts';

export interface FileBytes {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Without its triangles it is the one the worker has. */
export interface LevelToBake {
  id: number;
  positions?: Float32Array | Float64Array;
  indices?: Uint32Array;
}

/** `kind`: id of a file kind; see files/kinds.ts. */
export type Task =
  | { type: 'scene'; name: string; seed?: number; scale?: number }
  | { type: 'files'; kind: string; main: string; files: FileBytes[]; map: MapSettings }
  | { type: 'bake-level'; level: LevelToBake; options: BuildOptions }
  | { type: 'bake-map'; map: PolygonMap; options: PolygonOptions };

/** What a scene or a file holds. */
export type Loaded = { settings: Settings | undefined; warnings: string[]; title: string } & (
  | ({ kind: 'level' } & Omit<LevelData, 'id' | 'title' | 'warnings'>)
  | { kind: 'map'; map: PolygonMap; bounds: Bounds }
  | { kind: 'mesh'; navMesh: NavMesh; bounds: Bounds }
);

export interface Baked {
  kind: 'baked';
  navMesh: NavMesh;
  bounds: Bounds;
  report: BuildReport | PolygonReport;
}

export type Outcome = Loaded | Baked;

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

export interface ToWorker {
  id: number;
  task: Task;
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'done'; id: number; outcome: Outcome }
  | { type: 'failed'; id: number; message: string };
