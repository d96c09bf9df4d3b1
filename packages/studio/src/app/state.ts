/**
 * The one record of the studio. Keys of the document (`DOCUMENT_KEYS`) are what undo goes back over; `source`, `settings` as far
 * as they differ from the source's own, `tool`, `toolStates`, `layers` and `camera` are what a link restores; the rest is made
 * from them. Values are never changed in place: `update` replaces them, and who compares sees what has changed.
 */
import type { PolygonMap, PolygonReport } from 'navkiln/polygon';
import type { AreaVolume, BuildReport } from 'navkiln/build';
import type { LinkOptions, NavMesh } from 'navkiln';
import type { Config } from 'navkiln-cli/config';

export type Vec3 = readonly [x: number, y: number, z: number];

/** For what links and files say. */
export function isPoint(value: unknown): value is Vec3 {
  return Array.isArray(value) && value.length === 3 && value.every((one) => Number.isFinite(one));
}

export interface Bounds {
  min: Vec3;
  max: Vec3;
}

/** Where what is shown came from. A bundled scene comes back from a link, files do not. */
export type Source =
  | { kind: 'scene'; name: string; seed?: number; scale?: number }
  | { kind: 'files'; names: readonly string[] };

/** Of the schema's fields those that are set. Names as in a configuration of the command line. */
export type Settings = Omit<Config, '$schema' | 'levels' | 'output' | 'volumes' | 'links' | 'workspace'>;

/** What people put into a level. World units. */
export interface Edits {
  volumes: readonly AreaVolume[];
  links: readonly LinkOptions[];
  /** Where a walker starts: ground that cannot be reached from any of them is closed. */
  seeds: readonly Vec3[];
  /** Tiles that are not there, of a level baked by tiles: those listed, or (`all` is false) all but those listed. */
  tiles?: TileChoice;
  /** Things put onto the level. */
  parts?: readonly LevelPart[];
}

export interface TileChoice {
  all: boolean;
  except: readonly (readonly [x: number, z: number])[];
}

export function hasTile(tiles: TileChoice | undefined, x: number, z: number): boolean {
  if (tiles === undefined) return true;
  const isListed = tiles.except.some((place) => place[0] === x && place[1] === z);
  return tiles.all !== isListed;
}

/** A shape of 1 x 1 x 1, its foot at the origin, scaled, turned about y, then put at a place. */
export interface LevelPart {
  id: number;
  shape: 'box' | 'ramp' | 'stairs';
  position: Vec3;
  /** Degrees about x, then y, then z. */
  rotation: Vec3;
  scale: Vec3;
}

/** Triangles of a level, as they are baked and as they are drawn. */
export interface LevelData {
  /** Counts up with each level that is opened. */
  id: number;
  title: string;
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  /** float32, `origin` taken off. The same array as `positions` where it can be. */
  display: Float32Array;
  origin: Vec3;
  bounds: Bounds;
  /** Tree of boxes for picking, made with the level when that takes long. */
  tree: { roots: ArrayBuffer[]; indirectBuffer: Uint32Array | Uint16Array | null } | undefined;
  warnings: readonly string[];
}

/** A scene file that is open, as it was read: who walks in it is in its text. */
export interface SceneFileData {
  name: string;
  text: string;
}

/** A 2D map: x stays x, y becomes z. */
export interface MapData {
  id: number;
  title: string;
  map: PolygonMap;
  bounds: Bounds;
  warnings: readonly string[];
}

export interface MeshData {
  /** Counts up with each mesh. */
  id: number;
  navMesh: NavMesh;
  bounds: Bounds;
  /** undefined: the mesh was opened as a file. */
  report: BuildReport | PolygonReport | undefined;
  /** Places of the tiles that were baked anew; undefined: all were. */
  rebuilt?: readonly (readonly [x: number, z: number])[];
}

/** What is being done now. */
export interface Job {
  status: 'idle' | 'running' | 'failed' | 'cancelled';
  /** 'Baking', 'Reading crypt.glb'. */
  title: string;
  stage: string;
  done: number;
  total: number;
}

export interface CameraPose {
  position: Vec3;
  target: Vec3;
}

export type ThemeChoice = 'system' | 'light' | 'dark';
/** Plain JSON: it goes into links. */
export type ToolState = Readonly<Record<string, unknown>>;

export interface StudioState {
  source: Source | undefined;
  /** Settings the source was meant to be baked with. */
  baseSettings: Settings;
  settings: Settings;
  edits: Edits;

  level: LevelData | undefined;
  map: MapData | undefined;
  sceneFile: SceneFileData | undefined;
  mesh: MeshData | undefined;
  job: Job;

  tool: string;
  toolStates: Readonly<Record<string, ToolState>>;
  /** Layers shown or hidden against their default. */
  layers: Readonly<Record<string, boolean>>;
  /** Ids of the only layers to be seen while a tool shows something else; undefined: all that are shown. */
  solo: readonly string[] | undefined;
  /** World y above which nothing is drawn or picked, to look into storeys. */
  cut: number | undefined;
  camera: CameraPose;
  /** What is picked out, by whom it concerns: a volume's number, an agent's id. */
  selection: { kind: string; id: number } | undefined;
  theme: ThemeChoice;
}

export type StateKey = keyof StudioState;

export const DOCUMENT_KEYS = ['settings', 'edits'] as const satisfies readonly StateKey[];

export const NO_EDITS: Edits = { volumes: [], links: [], seeds: [] };
export const IDLE: Job = { status: 'idle', title: '', stage: '', done: 0, total: 0 };

export function createState(): StudioState {
  return {
    source: undefined,
    baseSettings: {},
    settings: {},
    edits: NO_EDITS,
    level: undefined,
    map: undefined,
    sceneFile: undefined,
    mesh: undefined,
    job: IDLE,
    tool: 'look',
    toolStates: {},
    layers: {},
    solo: undefined,
    cut: undefined,
    camera: { position: [20, 25, 30], target: [0, 0, 0] },
    selection: undefined,
    theme: 'system',
  };
}

/** The box around all there is, or undefined. */
export function boundsOf(state: StudioState): Bounds | undefined {
  return state.level?.bounds ?? state.map?.bounds ?? state.mesh?.bounds;
}

/** What drawn coordinates are relative to: drawn = world - origin. */
export function originOf(state: StudioState): Vec3 {
  return state.level?.origin ?? farOrigin(boundsOf(state));
}

const FAR = 4096;

/** Zero near the origin; far out the multiple of 1,024 nearest to the middle, so that float32 draws it well. */
export function farOrigin(bounds: Bounds | undefined): Vec3 {
  if (bounds === undefined) return [0, 0, 0];
  const far = Math.max(...bounds.min.map((value) => Math.abs(value)), ...bounds.max.map((value) => Math.abs(value)));
  if (!(far > FAR)) return [0, 0, 0];
  const middle = (axis: 0 | 1 | 2): number => 1024 * Math.round((bounds.min[axis] + bounds.max[axis]) / 2048);
  return [middle(0), middle(1), middle(2)];
}
