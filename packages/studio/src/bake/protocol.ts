/** The messages between the page and its worker. All of them survive structured cloning. */
import type { AgentShape, NavMesh } from 'navkiln';
import type { MapSettings } from 'navkiln-cli/config';
import type { LevelsChoice } from 'navkiln-cli/levels';
import type { SceneLevel } from 'navkiln-cli/scene';
import type { BuildSettings, BuildReport, SurfaceOptions, SurfaceReport } from 'navkiln/build';
import type { BakeTiles } from 'navkiln/worker';
import type { AgentLimitsExplanation, PositionExplanation, StageInfo, StageView } from 'navkiln/debug';
import type { NamedArea, PolygonMap, PolygonOptions, PolygonReport } from 'navkiln/polygon';
import type { FileBytes } from '../files/kinds.ts';
import type { PackedMap } from './packed-map.ts';
import type {
  Bounds,
  Edits,
  LevelCorrection,
  LevelData,
  LevelEdits,
  MapData,
  MapLevels,
  SceneFileData,
  Settings,
  Vec3,
} from '../state/state.ts';

/** A level to bake. Without triangles it is the level that the worker already holds. */
export interface LevelToBake {
  id: number;
  positions?: Float32Array | Float64Array;
  indices?: Uint32Array;
  /** Area id of each triangle; undefined: all are ground. */
  areas?: Uint8Array;
}

/** A 2D map, or the levels of a building. */
export interface MapToBake {
  map: PolygonMap;
  levels?: MapLevels;
  options: PolygonOptions;
  agentTypes?: Settings['agentTypes'];
}

/** A bake of the triangles as they are, level by level. */
export interface SurfaceBake {
  options: SurfaceOptions;
  /** Indices at which each level begins. */
  starts: readonly number[];
}

/** `holdAs` is the id under which the worker keeps the triangles that it makes, so that the bake need not send them. */
interface Holding {
  holdAs?: number;
}

/**
 * A task for the worker. `kind` of a 'files' task is the id of a file kind; see files/kinds.ts. `isOther`: `map` comes from another file,
 * whose layers and features this one may not have.
 */
export type Task =
  | ({ type: 'scene'; name: string; seed?: number; scale?: number } & Holding)
  | ({
      type: 'files';
      kind: string;
      main: string;
      files: FileBytes[];
      map: MapSettings;
      levels?: LevelsChoice;
      isOther?: boolean;
    } & Holding)
  | ({
      type: 'correct';
      level: Required<Omit<LevelToBake, 'areas'>>;
      objects: LevelData['objects'];
      correction: LevelCorrection | undefined;
    } & Holding)
  /** Joins the levels of a scene; `from` is the file that names them. */
  | ({ type: 'place'; levels: readonly SceneLevel[]; from: string; files: readonly FileBytes[] } & Holding)
  | { type: 'bake-level'; level: LevelToBake; options: BuildSettings; edits: LevelEdits; surface?: SurfaceBake }
  | ({ type: 'bake-map' } & MapToBake)
  /** Looks for the causes of the islands of the last bake, which has the same level, options and edits. */
  | { type: 'diagnose'; level: LevelToBake; options: BuildSettings; edits: LevelEdits }
  | { type: 'ask'; question: Question; subject: Subject };

/** The subject of a question. */
export type Subject =
  | { kind: 'level'; level: LevelToBake; options: BuildSettings; edits: LevelEdits }
  | ({ kind: 'map' } & MapToBake);

/**
 * A question about the bake. `at` selects the tile, and what to draw first when a stage has too much to draw.
 * The stage '' is the first one.
 */
export type Question =
  | { type: 'stage'; stage: string; at: Vec3 | undefined }
  | { type: 'why'; at: Vec3 }
  /** Which limit of an agent closes the route between two positions of a level; `at` is the first one. */
  | { type: 'limits'; at: Vec3; to: Vec3; agent: AgentShape };

export type Answer =
  /**
   * All stages, a view of the requested one, and the bounds of the tile it shows (undefined: the level is not
   * tiled).
   */
  | {
      kind: 'stage';
      stages: StageInfo[];
      view: StageView;
      box: Bounds | undefined;
      tile: [x: number, z: number] | undefined;
    }
  | { kind: 'why'; explanation: Omit<PositionExplanation, 'code'> & { code: string } }
  | { kind: 'limits'; explanation: AgentLimitsExplanation };

/**
 * Asks the worker between bakes. Resolves to undefined when a newer question replaced this one, or when it
 * failed.
 */
export type Ask = <T extends Answer['kind']>(
  question: Question,
  kind: T,
) => Promise<Extract<Answer, { kind: T }> | undefined>;

/** The content of a scene or a file. */
export type Loaded = { settings: Settings | undefined; warnings: string[]; title: string } & (
  | ({ kind: 'level'; scene?: SceneOfLevel } & LoadedTriangles)
  | ({ kind: 'map' } & Pick<MapData, 'map' | 'bounds' | 'levels' | 'choices'>)
  | { kind: 'mesh'; navMesh: NavMesh; bounds: Bounds }
);

/** What all content has. */
export type About = Pick<Loaded, 'title' | 'settings' | 'warnings'>;

export type LoadedTriangles = Omit<LevelData, 'id' | 'title' | 'warnings' | 'opened' | 'correction'>;

/** A level with its correction applied, or the placed levels of a scene. */
export type Corrected = { kind: 'corrected'; warnings?: readonly string[] } & LoadedTriangles;

/** The content of a scene file beyond its levels. */
export interface SceneOfLevel {
  file: SceneFileData;
  edits: Pick<Edits, 'volumes' | 'links'>;
}

export interface Baked {
  kind: 'baked';
  navMesh: NavMesh;
  bounds: Bounds;
  report: BuildReport | PolygonReport | SurfaceReport;
  /** The named areas of a 2D map. */
  areas?: readonly NamedArea[];
  /** Grid positions of the tiles that were rebuilt; undefined: all. */
  rebuilt?: [x: number, z: number][];
  /** The task 'diagnose' may find islands and their causes. */
  mayHaveIslands?: boolean;
  /** Bounding volume hierarchy over the triangles of a large mesh; undefined: the page builds it. */
  tree?: LevelData['tree'];
}

/** What the report of a bake has in addition. */
export interface Diagnosed {
  kind: 'diagnosed';
  warnings: BuildReport['warnings'];
}

export type Outcome = Loaded | Corrected | Baked | Diagnosed | Answer;

export interface Progress {
  stage: string;
  done: number;
  total: number;
  /** The state of each tile, of a bake in tiles. */
  tiles?: BakeTiles;
}

/** A map is packed, and left out when the worker holds it: then `map` is 'held'. */
export interface ToWorker {
  id: number;
  task: Task;
  map?: PackedMap | 'held';
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'done'; id: number; outcome: Outcome; map?: PackedMap }
  | { type: 'failed'; id: number; message: string };
