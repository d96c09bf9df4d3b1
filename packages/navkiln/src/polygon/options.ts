/**
 * What people give to `buildFromPolygons` and get from it: the map, options with their defaults, the report. One place turns
 * options into a configuration and refuses what cannot be built, with the key, the value and the remedy.
 */
import type { AgentShape, NavMesh } from '../navmesh/types.ts';
import type { DiagonalCuts } from './diagonal/diagonal.ts';
import type { ConvexPieces, GridFrame, Rings, Triangulation } from './types.ts';

/** Points [x, y], at least three; either winding; the last may repeat the first. More numbers a point are ignored. */
export type PolygonRing = readonly ArrayLike<number>[];

export interface MapPolygon {
  outline: PolygonRing;
  holes?: readonly PolygonRing[];
}

/** Ground is what lies in any polygon (in its outline and in none of its holes) and in no obstacle. Any of them may overlap. */
export interface PolygonMap {
  polygons: readonly MapPolygon[];
  obstacles?: readonly PolygonRing[];
}

export interface PolygonOptions {
  /** Recorded in the mesh; `agent.radius` is the same as `radius`. Default: radius 0, height 1.8, maxClimb 0.4, slope 45. */
  agent?: Partial<AgentShape>;
  /** How far the mesh stays away from walls, world units. Default 0. */
  radius?: number;
  /** Several radii: a mesh for each, from one cleaning of the map. Instead of `radius`. */
  radii?: readonly number[];
  /** How ground is cut into convex pieces. Default 'delaunay'. */
  mode?: 'delaunay' | 'diagonal';
  /** Corners a piece has at most, 3 .. 255. Default 10. */
  maxVertices?: number;
  /** What is inside a ring that crosses itself: all it winds around, or what it winds around an odd number of times. */
  fillRule?: 'nonzero' | 'evenodd';
  /**
   * Step of the grid that all points are moved to, world units; made the next smaller power of two. Default: the map's extent
   * over 2^25 or less. Larger steps join points that should be one.
   */
  gridSize?: number;
  /** Round corners are drawn outside the circle by at most this share of the radius. Default 0.02: 16 sides a turn. */
  arcTolerance?: number;
  /** Throw at the first warning. Default false. */
  strict?: boolean;
}

export type PolygonStage = 'input' | 'clean' | 'offset' | 'triangulate' | 'merge' | 'diagonal' | 'tile';
export const POLYGON_STAGES: readonly PolygonStage[] = [
  'input',
  'clean',
  'offset',
  'triangulate',
  'merge',
  'diagonal',
  'tile',
];

export type PolygonWarningCode =
  | 'points-merged'
  | 'degenerate-ring'
  | 'self-crossing'
  | 'hole-outside'
  | 'hole-sticks-out'
  | 'empty-result';

export interface PolygonWarning {
  code: PolygonWarningCode;
  stage: PolygonStage;
  count: number;
  /** One sentence. */
  message: string;
  /** The ring, as in `polygons[0].holes[1]`, and the point in it where that is known. */
  where?: { ring: string; point?: number; at?: [x: number, y: number] };
}

export interface PolygonReport {
  stages: { name: PolygonStage; ms: number }[];
  totalMs: number;
  /** Rings and points of the ground after cleaning (and offsetting), triangles, polygons, vertices. */
  counts: Record<'rings' | 'points' | 'cleanRings' | 'cleanPoints' | 'triangles' | 'polygons' | 'vertices', number>;
  warnings: PolygonWarning[];
  config: PolygonConfig;
  frame: GridFrame;
}

/** What each stage made, for pictures and tools. Grid coordinates; see types.ts. */
export interface PolygonStageRecords {
  /** The ground, before the agent's radius. */
  clean: Rings;
  /** The same after it; the same record where the radius is 0. */
  ground: Rings;
  /** Absent in mode 'diagonal'. */
  triangulation?: Triangulation;
  /** Windings by half-edge: above 0 is ground. */
  winding?: Int32Array;
  /** Bridges and cuts, in mode 'diagonal' only. */
  diagonal?: DiagonalCuts;
  pieces: ConvexPieces;
}

export interface PolygonMesh {
  navMesh: NavMesh;
  report: PolygonReport;
  stages: PolygonStageRecords;
}

export interface PolygonBuild extends PolygonMesh {
  /** One for each of `radii` (or the one `radius`), in their order; what is beside it is the first. */
  meshes: PolygonMesh[];
}

/** Options with all defaults in; world units. */
export interface PolygonConfig {
  agent: AgentShape;
  radii: number[];
  mode: 'delaunay' | 'diagonal';
  maxVertices: number;
  fillRule: 'nonzero' | 'evenodd';
  /** 0: from the map's extent. */
  gridSize: number;
  arcTolerance: number;
  strict: boolean;
}

export const POLYGON_DEFAULTS: Readonly<PolygonConfig> = {
  agent: { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
  radii: [0],
  mode: 'delaunay',
  maxVertices: 10,
  fillRule: 'nonzero',
  gridSize: 0,
  arcTolerance: 0.02,
  strict: false,
};

const KEYS = ['agent', 'radius', 'radii', 'mode', 'maxVertices', 'fillRule', 'gridSize', 'arcTolerance', 'strict'];

export function resolvePolygonOptions(options: PolygonOptions = {}): PolygonConfig {
  checkKeys('options', options, KEYS);
  const { agent: body = {} } = options;
  const agent: AgentShape = { ...POLYGON_DEFAULTS.agent };
  checkKeys('options.agent', body, Object.keys(agent));
  for (const key of Object.keys(agent) as (keyof AgentShape)[]) {
    agent[key] = inRange(`agent.${key}`, body[key] ?? agent[key], 0, key === 'maxSlopeDegrees' ? 90 : Infinity);
  }
  const given = [body.radius, options.radius, options.radii].filter((one) => one !== undefined);
  if (given.length > 1) refuse('radius', options.radius, 'given once: as agent.radius, radius or radii');
  if (options.radii !== undefined && (!Array.isArray(options.radii) || options.radii.length === 0)) {
    refuse('radii', options.radii, 'an array of at least one radius');
  }
  const radii = (options.radii ?? [options.radius ?? agent.radius]).map((one, i) =>
    inRange(options.radii ? `radii[${i}]` : 'radius', one, 0, Infinity),
  );
  const {
    mode = POLYGON_DEFAULTS.mode,
    fillRule = POLYGON_DEFAULTS.fillRule,
    strict = POLYGON_DEFAULTS.strict,
  } = options;
  if (mode !== 'delaunay' && mode !== 'diagonal') refuse('mode', mode, "'delaunay' or 'diagonal'");
  if (fillRule !== 'nonzero' && fillRule !== 'evenodd') refuse('fillRule', fillRule, "'nonzero' or 'evenodd'");
  if (typeof strict !== 'boolean') refuse('strict', strict, 'true or false');
  const maxVertices = inRange('maxVertices', options.maxVertices ?? POLYGON_DEFAULTS.maxVertices, 3, 255);
  if (maxVertices % 1 !== 0) refuse('maxVertices', maxVertices, 'a whole number from 3 to 255');
  const gridSize =
    options.gridSize === undefined ? 0 : inRange('gridSize', options.gridSize, Number.MIN_VALUE, Infinity);
  const arcTolerance = inRange('arcTolerance', options.arcTolerance ?? POLYGON_DEFAULTS.arcTolerance, 1e-4, 1);
  return { agent: { ...agent, radius: radii[0] }, radii, mode, maxVertices, fillRule, gridSize, arcTolerance, strict };
}

function checkKeys(what: string, given: object, known: readonly string[]): void {
  if (given === null || typeof given !== 'object') throw new TypeError(`buildFromPolygons: ${what} must be an object`);
  const key = Object.keys(given).find((one) => !known.includes(one));
  if (key !== undefined) {
    throw new RangeError(`buildFromPolygons: ${what} has an unknown key ${key}; known keys are ${known.join(', ')}`);
  }
}

function inRange(key: string, value: number, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most && value < Infinity) return value;
  const range =
    most < Infinity ? `a number from ${least} to ${most}` : `finite, ${least === 0 ? 'not below' : 'above'} 0`;
  return refuse(key, value, range);
}

function refuse(key: string, value: unknown, remedy: string): never {
  throw new RangeError(`buildFromPolygons: options.${key} is ${String(value)}, must be ${remedy}`);
}
