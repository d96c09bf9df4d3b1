/**
 * What people give to `buildFromSurface` and get from it: levels, options with their defaults, the report. One place turns
 * options into a configuration and refuses what cannot be built, with the key, the value and the remedy.
 */
import { refuse } from '../data/refuse.ts';
import type { AgentShape, NavMesh } from '../navmesh/types.ts';

/** Indexed triangles, counter-clockwise seen from the side that is walked on. The same record as the voxel bake's input. */
export interface SurfaceLevel {
  /** xyz, world units. */
  positions: ArrayLike<number>;
  /** Three a triangle. Default: 0, 1, 2, 3, …  (a soup of triangles). */
  indices?: ArrayLike<number>;
  /** One area id (0 .. 63) a triangle. 0: never walkable. Default: `AREA_GROUND`. Walkable slope is still required. */
  areas?: ArrayLike<number>;
}

/** All lengths in world units. Every field is optional. */
export interface SurfaceOptions {
  /**
   * Default { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }. Ground of a slope up to `maxSlopeDegrees` is kept;
   * edges that meet within `maxClimb` in height are joined; ground nearer to a wall than `radius`, seen from above, is cut off.
   */
  agent?: Partial<AgentShape>;
  /** How far apart, seen from above, corners and edges are that should be one. Default: a thousandth of the agent's height. */
  weldTolerance?: number;
  /**
   * Cut out of the ground what stands on it or hangs lower over it than the agent's height, and cut it along walls that stand on
   * it. Default: true, unless there is nothing but ground: a walk mesh is taken as it is, which saves a third of the time.
   */
  clearance?: boolean;
  /** Connected ground of less than this is dropped; square units, seen from above. Default 0: all is kept. */
  islandMinArea?: number;
  /** Corners a polygon has at most: 3 .. 12. Default 6. */
  maxVerticesPerPoly?: number;
  /** How much the slopes of triangles that become one polygon may differ, degrees, 0 .. 30. Heights stay true. Default 1. */
  mergeDegrees?: number;
  /**
   * Side of a square tile; tile (0, 0) begins at x = z = 0 wherever the level lies. 0: one tile. Default: one tile while the
   * ground fits into it, else a size that makes tiles of some thousand triangles.
   */
  tileSize?: number;
  /** Throw on the first warning. Default false. */
  strict?: boolean;
  /** Called before each stage, tile by tile, and once at the end (`done === total`). */
  onProgress?: (progress: { stage: string; done: number; total: number }) => void;
}

export type SurfaceStage = 'input' | 'weld' | 'clear' | 'conform' | 'inset' | 'islands' | 'merge' | 'tile';
export const SURFACE_STAGES: readonly SurfaceStage[] = [
  'input',
  'weld',
  'clear',
  'conform',
  'inset',
  'islands',
  'merge',
  'tile',
];

export type SurfaceWarningCode =
  | 'no-ground'
  | 'flipped-winding'
  | 'invalid-positions'
  | 'degenerate-triangles'
  | 'duplicate-triangles'
  | 'small-islands'
  | 'empty-result';

/** Something odd in the input or on the way. `message` is one sentence with the remedy. */
export interface SurfaceWarning {
  code: SurfaceWarningCode;
  stage: SurfaceStage;
  count: number;
  message: string;
  /** Where first: the level's place in what was given, the triangle's in the level. */
  where?: { level: number; triangle: number };
}

/** The options, none missing. */
export interface SurfaceConfig {
  agent: AgentShape;
  weldTolerance: number;
  /** Undefined: not decided yet. */
  clearance: boolean | undefined;
  islandMinArea: number;
  maxVerticesPerPoly: number;
  mergeDegrees: number;
  /** -1: not chosen yet. */
  tileSize: number;
  strict: boolean;
}

export interface SurfaceReport {
  /** In the order they ran. */
  stages: { name: SurfaceStage; ms: number }[];
  totalMs: number;
  counts: {
    levels: number;
    triangles: number;
    /** Those that are walked on. */
    groundTriangles: number;
    /** The same once edges conform. */
    splitTriangles: number;
    /** Edges joined over a difference in height. */
    steps: number;
    islands: number;
    droppedIslands: number;
    polygons: number;
    vertices: number;
    detailTriangles: number;
    tiles: number;
  };
  warnings: SurfaceWarning[];
  config: SurfaceConfig;
}

export interface SurfaceBuild {
  navMesh: NavMesh;
  report: SurfaceReport;
}

export const SURFACE_AGENT: Readonly<AgentShape> = { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

const KEYS = [
  'agent',
  'weldTolerance',
  'clearance',
  'islandMinArea',
  'maxVerticesPerPoly',
  'mergeDegrees',
  'tileSize',
  'strict',
  'onProgress',
];

/** Fills in defaults; throws on unknown keys and on what is out of range. */
export function resolveSurfaceOptions(options: SurfaceOptions): SurfaceConfig {
  record('options', options, KEYS);
  const body = options.agent ?? {};
  record('options.agent', body, Object.keys(SURFACE_AGENT));
  const agent = { ...SURFACE_AGENT };
  for (const key of Object.keys(agent) as (keyof AgentShape)[]) {
    agent[key] = number(`agent.${key}`, body[key] ?? agent[key], 0, key === 'maxSlopeDegrees' ? 90 : Infinity);
  }
  if (agent.height === 0) refuse('buildFromSurface', 'options.agent.height', 0, 'a length above 0');
  const weldTolerance = number('weldTolerance', options.weldTolerance ?? agent.height / 1000, 0, Infinity);
  if (weldTolerance === 0) refuse('buildFromSurface', 'options.weldTolerance', 0, 'a length above 0, however small');
  const maxVerticesPerPoly = number('maxVerticesPerPoly', options.maxVerticesPerPoly ?? 6, 3, 12);
  if (!Number.isInteger(maxVerticesPerPoly)) {
    refuse('buildFromSurface', 'options.maxVerticesPerPoly', maxVerticesPerPoly, 'a whole number');
  }
  const tileSize = options.tileSize === undefined ? -1 : number('tileSize', options.tileSize, 0, Infinity);
  if (tileSize > 0 && tileSize < 100 * weldTolerance) {
    refuse(
      'buildFromSurface',
      'options.tileSize',
      tileSize,
      `at least a hundred times the weldTolerance of ${weldTolerance}`,
    );
  }
  const strict = options.strict ?? false;
  const { clearance } = options;
  if (typeof strict !== 'boolean') refuse('buildFromSurface', 'options.strict', strict, 'true or false');
  if (clearance !== undefined && typeof clearance !== 'boolean') {
    refuse('buildFromSurface', 'options.clearance', clearance, 'true or false');
  }
  if (typeof (options.onProgress ?? refuse) !== 'function') {
    refuse('buildFromSurface', 'options.onProgress', options.onProgress, 'a function');
  }
  return {
    agent,
    weldTolerance,
    clearance,
    maxVerticesPerPoly,
    tileSize,
    strict,
    islandMinArea: number('islandMinArea', options.islandMinArea ?? 0, 0, Infinity),
    mergeDegrees: number('mergeDegrees', options.mergeDegrees ?? 1, 0, 30),
  };
}

function record(name: string, value: object, keys: readonly string[]): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`buildFromSurface: ${name} is ${String(value)}; give an object`);
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key))
      refuse('buildFromSurface', name, `given '${key}', which it does not know`, keys.join(', '));
  }
}

function number(key: string, value: number, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most && value < Infinity) return value;
  const range = most < Infinity ? `a number from ${least} to ${most}` : `a finite number from ${least} on`;
  return refuse('buildFromSurface', `options.${key}`, value, range);
}
