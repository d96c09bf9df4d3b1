/**
 * The state of the studio: one record of plain data.
 *
 * Undo covers the document (`DOCUMENT_KEYS`). A link restores `source`, `tool`, `toolStates`, `layers`,
 * `cut`, `camera`, and the settings that differ from the source's own. Everything else is derived. Values are
 * never changed in place: `store.update` replaces them, so a comparison by identity finds every change.
 */
import type { LinkOptions, NavMesh } from 'navkiln';
import type { Config } from 'navkiln-cli/config';
import type { LevelsChoice } from 'navkiln-cli/levels';
import type { AreaVolume, BuildReport, SurfaceReport } from 'navkiln/build';
import type { SceneLevel } from 'navkiln-cli/scene';
import type {
  LevelConnection,
  MapLayerReport,
  NamedArea,
  ParsedMapWarning,
  PolygonMap,
  PolygonReport,
} from 'navkiln/polygon';
import type { BakeTiles } from 'navkiln/worker';
import type { StreamResult, StreamedWorld } from 'navkiln/world';
import type { Point2 } from './map-point.ts';
import type { RingKind } from './map-shapes.ts';
import type { SceneContent } from './scene-content.ts';

export type Vec3 = readonly [x: number, y: number, z: number];

/** Checks a value from a link or a file. */
export function isPoint(value: unknown): value is Vec3 {
  return Array.isArray(value) && value.length === 3 && value.every((coordinate) => Number.isFinite(coordinate));
}

export interface Bounds {
  min: Vec3;
  max: Vec3;
}

/** The source of the open content. A link restores a bundled scene but cannot restore files. */
export type Source =
  | { kind: 'scene'; name: string; seed?: number; scale?: number }
  /** `open`: what a link calls them, when a link opened them. */
  | { kind: 'files'; names: readonly string[]; open?: readonly string[] }
  /** An empty 2D map to draw on. */
  | { kind: 'new' };

/** Returns a short name of the open content: the name of its scene or of its file. */
export function nameOfSource(source: Source): string {
  return source.kind === 'scene' ? source.name : source.kind === 'files' ? source.names[0] : 'map';
}

/** The settings that are set explicitly, under the names of the command line's configuration. */
export type Settings = Omit<
  Config,
  '$schema' | 'levels' | 'output' | 'volumes' | 'links' | 'keepReachable' | 'workspace'
>;

/** The user's additions to a level and changes in it. World units. */
export interface Edits {
  volumes: readonly AreaVolume[];
  links: readonly LinkOptions[];
  /** Start positions of agents. Polygons that no start can reach are removed. */
  seeds: readonly Vec3[];
  /** Which tiles of a tiled level exist; undefined: all. */
  tiles?: TileChoice;
  /** Shapes added to the level. */
  parts?: readonly LevelPart[];
  /** Changes the triangles as they were opened; undefined: they stay. */
  correction?: LevelCorrection;
  /** Replaces the 2D map as it was opened; undefined: it stays. */
  map?: PolygonMap;
  /** A ring that is not closed yet; undefined: none. */
  draft?: MapDraft;
  /** Reads GeoJSON as the levels of a building; undefined: as one floor. */
  mapLevels?: LevelsChoice;
  /** Replaces targets, agents and levels as they were opened; undefined: they stay. */
  scene?: SceneContent;
  /** Names of areas by id. Those of a 2D map are in the map. */
  areaNames?: Readonly<Record<string, string>>;
}

/** The corners of a ring of a 2D map, until it is closed. */
export interface MapDraft {
  kind: RingKind;
  points: readonly Point2[];
}

/** Corrects a level that was exported with another scale, up axis or winding. */
export interface LevelCorrection {
  /** Degrees about the x axis, applied first: -90 for z up, 90 for -z up. */
  turn: number;
  /** Factor of all positions. */
  scale: number;
  /** Swaps two corners of each triangle. */
  isFlipped: boolean;
  /** Triangles that face down are walkable from above. */
  isTwoSided: boolean;
  /** The objects that are not ground, by their number: the area id, or `LEFT_OUT`. */
  objects?: Readonly<Record<string, number>>;
}

export const NO_CORRECTION: LevelCorrection = { turn: 0, scale: 1, isFlipped: false, isTwoSided: false };
/** The objects of a level that are neither walked on nor in the way. */
export const LEFT_OUT = -1;

/** An object of a level file: all triangles of one name and one material. */
export interface LevelObject {
  name: string;
  material: string;
  triangleCount: number;
  /** Its triangles in the file: the first one and their number. */
  ranges: readonly (readonly [start: number, count: number])[];
}

/** Measurements of the triangles of a level, for advice about a bake without walkable surface. */
export interface LevelMeasure {
  /** Extent along x, y and z. */
  size: Vec3;
  /** Square units of triangles within 45 degrees of up, down, +z and -z. */
  up: number;
  down: number;
  plusZ: number;
  minusZ: number;
}

/** All tiles except those listed, or (`all` is false) only those listed. */
export interface TileChoice {
  all: boolean;
  except: readonly (readonly [x: number, z: number])[];
}

/** Checks whether the user keeps the tile at a grid position. */
export function hasTile(tiles: TileChoice | undefined, x: number, z: number): boolean {
  if (tiles === undefined) return true;
  const isListed = tiles.except.some((tile) => tile[0] === x && tile[1] === z);
  return tiles.all !== isListed;
}

/** A unit shape with its base centered on the origin, then scaled, rotated and moved, in this order. */
export interface LevelPart {
  id: number;
  shape: 'box' | 'ramp' | 'stairs';
  position: Vec3;
  /** Degrees, about x, then y, then z. */
  rotation: Vec3;
  scale: Vec3;
}

/** The triangles of a level: exact for the bake, float32 for drawing. */
export interface LevelData {
  /** A new number for each level that is opened. */
  id: number;
  title: string;
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  /** Positions minus `origin`, as float32. The same array as `positions` where possible. */
  display: Float32Array;
  origin: Vec3;
  bounds: Bounds;
  /**
   * Bounding volume hierarchy for picking. The worker builds it for large levels; undefined: the page builds
   * it.
   */
  tree: { version: number; roots: ArrayBuffer[]; indirectBuffer: Uint32Array | Uint16Array | null } | undefined;
  measure: LevelMeasure;
  warnings: readonly string[];
  /** The triangles as they were opened, and the correction that made these from them. */
  opened: { positions: Float32Array | Float64Array; indices: Uint32Array };
  correction: LevelCorrection | undefined;
  /** The objects of the file, by their number; undefined: it has no names. */
  objects?: readonly LevelObject[];
  /** Area id of each triangle; undefined: all are ground. */
  areas?: Uint8Array;
  /** The colors that the level was made with: r, g, b, a of each vertex; undefined: it has none. */
  colors?: Uint8Array;
  /** The levels of a scene that the opened triangles were made from; undefined: one level as it is. */
  levels?: readonly SceneLevel[];
  /** Indices at which each of these levels begins. */
  starts?: readonly number[];
}

/** The open scene file: its text, which keeps what the studio does not show, and its content. */
export interface SceneFileData {
  name: string;
  text: string;
  content: SceneContent;
}

/** A 2D map. Its x is world x, its y is world -z, or z where its y points down. */
export interface MapData {
  id: number;
  title: string;
  /** Of a building, its layers are the levels. */
  map: PolygonMap;
  /** The levels of a building; undefined: the map is one floor. */
  levels?: MapLevels;
  choices?: MapChoices;
  bounds: Bounds;
  warnings: readonly string[];
}

/** What the layers of a map are in a building. */
export interface MapLevels {
  /** Height of each layer. */
  heights: readonly number[];
  /** Stairs, escalators, lifts and ramps. */
  connections: readonly LevelConnection[];
}

/** What the user can choose about the reading of a map. */
export interface MapChoices {
  /** Levels of GeoJSON. */
  levels?: NonNullable<ParsedMapWarning['levels']>;
  /** Layers of Tiled maps, and what they were taken for. */
  layers?: readonly MapLayerReport[];
}

export interface MeshData {
  /** A new number for each mesh. */
  id: number;
  navMesh: NavMesh;
  bounds: Bounds;
  /** undefined: the mesh was opened as a file. */
  report: BuildReport | PolygonReport | SurfaceReport | undefined;
  /** The named areas of a 2D map. */
  areas?: readonly NamedArea[];
  /** Grid positions of the tiles that the last bake rebuilt; undefined: all. */
  rebuilt?: readonly (readonly [x: number, z: number])[];
  /** Bounding volume hierarchy over the triangles of a large mesh, for picking; undefined: the page builds it. */
  tree?: LevelData['tree'];
}

/** Outer walls and roofs that hide rooms, and polygons on such roofs. */
export interface Shell {
  /** Ids of the level and the mesh that it was found for. */
  level: number;
  mesh: number;
  /** 1 for each triangle of the shell. */
  triangles: Uint8Array;
  /** 1 for each polygon on a roof, by dense index. */
  polys: Uint8Array;
  /** The level of a building that is shown, of which the others are the shell. */
  floor?: number;
  /** Indices of the triangles that are not in the shell, and of those that are. */
  solid: Uint32Array;
  outer: Uint32Array;
}

/** The task that runs now, or how the last one ended. */
export interface Job {
  status: 'idle' | 'running' | 'failed' | 'canceled';
  /** 'Baking', 'Reading crypt.glb'. */
  title: string;
  stage: string;
  done: number;
  total: number;
  /** The state of each tile, while a level is baked in tiles. */
  tiles?: BakeTiles;
  /** Why it failed. */
  fault?: string;
}

export interface CameraPose {
  position: Vec3;
  target: Vec3;
}

export type ThemeChoice = 'system' | 'light' | 'dark';
/** The state that a tool keeps in links: plain JSON. */
export type ToolState = Readonly<Record<string, unknown>>;

export interface StudioState {
  source: Source | undefined;
  /** The source's own settings. */
  baseSettings: Settings;
  settings: Settings;
  edits: Edits;

  level: LevelData | undefined;
  map: MapData | undefined;
  sceneFile: SceneFileData | undefined;
  mesh: MeshData | undefined;
  /** The shell of the building; undefined: nothing hides rooms, or it is not known yet. */
  shell: Shell | undefined;
  job: Job;
  /** The published world whose tiles are loaded around the view, and the last result of that. */
  world: { streamed: StreamedWorld; result: StreamResult | undefined } | undefined;

  tool: string;
  toolStates: Readonly<Record<string, ToolState>>;
  /** Layers whose visibility differs from their default. */
  layers: Readonly<Record<string, boolean>>;
  /** Ids of the only visible layers while a tool shows content of its own; undefined: no restriction. */
  solo: readonly string[] | undefined;
  /** World y above which nothing is drawn or picked, to look into a floor of a building. */
  cut: number | undefined;
  camera: CameraPose;
  /** Name of the agent type that queries and the view are for; '': none. The mesh need not have it. */
  agentType: string;
  /** The selected item: its kind ('volume', 'agent', …) and its id within that kind. */
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
    shell: undefined,
    job: IDLE,
    world: undefined,
    tool: 'look',
    toolStates: {},
    layers: {},
    solo: undefined,
    cut: undefined,
    camera: { position: [20, 25, 30], target: [0, 0, 0] },
    agentType: '',
    selection: undefined,
    theme: 'system',
  };
}

/** Returns the bounds of the open content, or undefined when nothing is open. */
export function boundsOf(state: StudioState): Bounds | undefined {
  if (
    state.level === undefined &&
    state.map !== undefined &&
    state.edits.map !== undefined &&
    state.mesh !== undefined
  ) {
    return joined(state.map.bounds, state.mesh.bounds);
  }
  return state.level?.bounds ?? state.map?.bounds ?? state.mesh?.bounds;
}

function joined(a: Bounds, b: Bounds): Bounds {
  const pick = (choose: (...values: number[]) => number, key: 'min' | 'max'): Vec3 =>
    [0, 1, 2].map((axis) => choose(a[key][axis as 0], b[key][axis as 0])) as unknown as Vec3;
  return { min: pick(Math.min, 'min'), max: pick(Math.max, 'max') };
}

/** Returns the open 2D map with its edits, or undefined. */
export function mapOf({ map, edits }: StudioState): PolygonMap | undefined {
  return map === undefined ? undefined : (edits.map ?? map.map);
}

/** Returns how the open 2D map lies in the plane of the mesh: the sign of z along the map's y. */
export function planeOf(state: StudioState): { mapYSign: 1 | -1 } {
  return { mapYSign: (state.settings.map?.yAxis ?? mapOf(state)?.yAxis) === 'down' ? 1 : -1 };
}

/** Returns the origin of drawn coordinates: drawn = world - origin. */
export function originOf(state: StudioState): Vec3 {
  return state.level?.origin ?? farOrigin(boundsOf(state));
}

/** World units from the origin above which float32 coordinates draw visibly inexact. */
const FAR = 4096;

/** Returns zero for content near the origin, otherwise the multiple of 1,024 nearest to its center. */
export function farOrigin(bounds: Bounds | undefined): Vec3 {
  if (bounds === undefined) return [0, 0, 0];
  const far = Math.max(...bounds.min.map((value) => Math.abs(value)), ...bounds.max.map((value) => Math.abs(value)));
  if (!(far > FAR)) return [0, 0, 0];
  const middle = (axis: 0 | 1 | 2): number => 1024 * Math.round((bounds.min[axis] + bounds.max[axis]) / 2048);
  return [middle(0), middle(1), middle(2)];
}

/** Edits other than the volumes and links of the options. */
export type LevelEdits = Pick<Edits, 'seeds' | 'tiles'> & {
  parts: readonly LevelPart[];
  /** Limits of automatic links; undefined: none. */
  autoLinks?: Settings['autoLinks'];
  agentTypes?: Settings['agentTypes'];
};

/** Checks whether two corrections give the same triangles. */
export function isSameCorrection(a: LevelCorrection | undefined, b: LevelCorrection | undefined): boolean {
  const [one, other] = [a ?? NO_CORRECTION, b ?? NO_CORRECTION];
  const isSame = (Object.keys(NO_CORRECTION) as (keyof LevelCorrection)[]).every((key) => one[key] === other[key]);
  return isSame && JSON.stringify(one.objects ?? {}) === JSON.stringify(other.objects ?? {});
}
