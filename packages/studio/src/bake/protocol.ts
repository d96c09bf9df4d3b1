/** What the page and its worker say to each other. Everything survives structured cloning. */
import type { BuildOptions, BuildReport } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import type { PolygonMap, PolygonOptions, PolygonReport } from 'navkiln/polygon';
import type { MapSettings } from 'navkiln-cli/config';
import type { PositionExplanation, StageInfo, StageView } from 'navkiln/debug';
import type { Bounds, Edits, LevelData, LevelPart, SceneFileData, Settings, Vec3 } from '../app/state.ts';

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
  | { type: 'bake-level'; level: LevelToBake; options: BuildOptions; edits: LevelEdits }
  | { type: 'bake-map'; map: PolygonMap; options: PolygonOptions }
  | { type: 'ask'; question: Question; subject: Subject };

/** Edits beside the volumes and links of the options. */
export type LevelEdits = Pick<Edits, 'seeds' | 'tiles'> & { parts: readonly LevelPart[] };

export type Subject =
  | { kind: 'level'; level: LevelToBake; options: BuildOptions; edits: LevelEdits }
  | { kind: 'map'; map: PolygonMap; options: PolygonOptions };

/** `at`: the tile to look at, and what is drawn first of what is too much; '': the first stage. */
export type Question = { type: 'stage'; stage: string; at: Vec3 | undefined } | { type: 'why'; at: Vec3 };

export type Answer =
  /** All stages there are, and the one asked for; `box` of the tile it was looked at in. */
  | {
      kind: 'stage';
      stages: StageInfo[];
      view: StageView;
      box: Bounds | undefined;
      tile: [x: number, z: number] | undefined;
    }
  | { kind: 'why'; place: Omit<PositionExplanation, 'code'> & { code: string } };

/** What a scene or a file holds. */
export type Loaded = { settings: Settings | undefined; warnings: string[]; title: string } & (
  | ({ kind: 'level'; scene?: SceneOfLevel } & Omit<LevelData, 'id' | 'title' | 'warnings'>)
  | { kind: 'map'; map: PolygonMap; bounds: Bounds }
  | { kind: 'mesh'; navMesh: NavMesh; bounds: Bounds }
);

/** What a scene file says beside its levels. */
export interface SceneOfLevel {
  file: SceneFileData;
  edits: Pick<Edits, 'volumes' | 'links'>;
}

export interface Baked {
  kind: 'baked';
  navMesh: NavMesh;
  bounds: Bounds;
  report: BuildReport | PolygonReport;
  /** Tiles that were baked anew; undefined: all. */
  rebuilt?: [x: number, z: number][];
}

export type Outcome = Loaded | Baked | Answer;

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
