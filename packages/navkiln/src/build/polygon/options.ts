/**
 * Input, options and report of `buildFromPolygons`. `resolvePolygonOptions` fills in defaults and refuses
 * options that cannot be built.
 */
import { READ_LIMIT_BYTES } from '../../base/constants.ts';
import { checkKeys, checkObject, checkString, isHollow, refuse } from '../../base/data/refuse.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import { checkReachKeeper } from '../../mesh/reach-keeper.ts';
import type { ReachKeeper, ReachWarning } from '../../mesh/reach-keeper.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import type { PolygonBudget } from '../../base/plane/budget.ts';
import type { DiagonalCuts } from './diagonal/diagonal.ts';
import type { ConvexPieces, GridFrame, NamedPoints, NearMiss, Rings, Triangulation } from '../../base/plane/types.ts';

/**
 * Points [x, y] or { x, y }, at least three, of either winding. The last may repeat the first. Further numbers
 * of a point are ignored.
 */
export type PolygonRing = readonly PointLike2d[];

/** A polygon: its outline, and holes in it. Rings may run either way. */
export interface MapPolygon {
  outline: PolygonRing;
  holes?: readonly PolygonRing[];
}

/**
 * A 2D map. A position is walkable inside any polygon (in its outline and in none of its holes) and outside all
 * obstacles. Polygons and obstacles may overlap.
 */
export interface PolygonMap {
  polygons: readonly MapPolygon[];
  obstacles?: readonly PolygonRing[];
  /** Parts of the ground with a name and a cost. Where several overlap, the last counts. */
  areas?: readonly MapArea[];
  /** Parts of the map that can be switched on and off. Their items follow the items of the lists above. */
  layers?: readonly MapLayer[];
  /** Direction of y on a screen. Default 'up'. The readers of Tiled maps and grids set 'down'. */
  yAxis?: YAxis;
  /**
   * How far apart points may lie that should touch, in map units, because the map was written with few digits. Corners and
   * sides that near each other are joined. Default: one and a half steps of the grid. The readers of GeoJSON and of Tiled
   * maps in XML set it.
   */
  precision?: number;
}

/** A part of the ground. It makes nothing walkable. */
export interface MapArea extends MapPolygon {
  /** Areas of one name have one id and one cost. A map has at most 62 names. */
  name: string;
  /** Cost per unit of length, above 0. Default 1. */
  cost?: number;
  /** Whether the area is open at first; see `setEnabled`. Of several with one name, one that is closed is enough. Default true. */
  enabled?: boolean;
}

/** A named part of a map. */
export interface MapLayer {
  name: string;
  /** Default true. `PolygonOptions.layers` overrides it. */
  enabled?: boolean;
  polygons?: readonly MapPolygon[];
  obstacles?: readonly PolygonRing[];
  areas?: readonly MapArea[];
}

/** A name of areas in a map, and the area id of its polygons in the mesh. */
export interface NamedArea {
  name: string;
  id: number;
  cost: number;
  /** false: closed until `setEnabled` opens it. Absent: open. */
  enabled?: false;
}

/** Direction of the y of a 2D map on a screen. */
export type YAxis = 'up' | 'down';

/** What `cutByDiagonals` does. */
export type CutByDiagonals = (
  rings: Rings,
  maxVertices?: number,
  weights?: undefined,
  budget?: PolygonBudget,
) => DiagonalCuts;

/** Options of `buildFromPolygons`. Lengths are in map units. */
export interface PolygonOptions {
  /**
   * Recorded in the mesh; `agent.radius` is the same as `radius`. Default: radius 0, height 1.8, maxClimb
   * 0.4, slope 45.
   */
  agent?: Partial<AgentShape>;
  /** Distance that the mesh keeps from walls, world units. Default 0. */
  radius?: number;
  /** Several radii: one mesh each, from one cleaning of the map. Replaces `radius`. Default: [radius]. */
  radii?: readonly number[];
  /** Method that cuts the area into convex pieces. 'diagonal' needs `cutByDiagonals`. Default 'delaunay'. */
  mode?: 'delaunay' | 'diagonal';
  /** The function `cutByDiagonals`, which mode 'diagonal' needs. Default: none. */
  cutByDiagonals?: CutByDiagonals;
  /** Maximum number of corners of a piece, 3 .. 255. Default 10. */
  maxVertices?: number;
  /** The inside of a ring that crosses itself: where its winding number is not zero, or where it is odd. Default 'nonzero'. */
  fillRule?: 'nonzero' | 'evenodd';
  /**
   * Step of the grid that all points are moved to, world units; rounded down to a power of two. Default: the
   * map's extent over 2^25 or less. A larger step joins points that should be one.
   */
  gridSize?: number;
  /** Which layers of the map are on, by name. Default: the `enabled` of each layer. */
  layers?: Readonly<Record<string, boolean>>;
  /**
   * Side of a square tile, world units, rounded to a whole number of grid steps. Tiles can be rebuilt one by one, and
   * a map of any size fits into them. 0: one tile. Default: one tile if the map fits into it, otherwise a size that gives
   * tiles of a few thousand points.
   */
  tileSize?: number;
  /**
   * Round corners lie outside the circle by at most this share of the radius. Opposite a wall, the share is at most
   * 0.01, so that passages a percent wider than the agent stay open. Default 0.1: eight sides per turn.
   */
  arcTolerance?: number;
  /**
   * Direction of y on a screen; overrides the map's `yAxis`. 'up': y is -z in the mesh; 'down': y is z. So the mesh
   * seen from above looks like the map. Default: that of the map, or 'up'.
   */
  yAxis?: YAxis;
  /**
   * Leaves out mesh that no point leads to, such as rooms without a door: `createKeepReachable([[x, y], …])`, with points of the map. Each
   * mesh of `radii` is looked at. Reports have the note `unreachable-left-out`. Default: everything is kept.
   */
  keepReachable?: ReachKeeper;
  /**
   * Finds outlines that come nearer than a thousandth of the agent but touch nowhere, for the warning 'near-miss': the function
   * `findNearMisses`. Default: none, and no warning.
   */
  findNearMisses?: (map: NearMissMap, config: PolygonConfig) => Omit<PolygonWarning, 'stage'> | undefined;
  /**
   * Finds the passages that a radius closes between parts of the map, for the warning 'closed-by-radius': the function
   * `findClosedPassages`. Default: none, and no warning.
   */
  findClosedPassages?: (clean: Rings, mesh: NavMesh, frame: GridFrame) => Omit<PolygonWarning, 'stage'> | undefined;
  /** Throws an Error on the first warning. Default false. */
  strict?: boolean;
  /**
   * Memory that the build may take, bytes; a map that would take more is refused. Crossings of rings count 4096 bytes each, for the
   * time they take, beyond one for each point, and steps of mode `'diagonal'` count 8. Default 2^30 (1 GiB): 262,144 such
   * crossings or 4 million points.
   */
  memoryLimitBytes?: number;
}

/** A stage of `buildFromPolygons`. */
export type PolygonStage = 'input' | 'clean' | 'offset' | 'triangulate' | 'merge' | 'diagonal' | 'tile';
/** The stages of `buildFromPolygons`, in the order they run. */
export const POLYGON_STAGES: readonly PolygonStage[] = [
  'input',
  'clean',
  'offset',
  'triangulate',
  'merge',
  'diagonal',
  'tile',
];

/** The code of a warning of `buildFromPolygons`. */
export type PolygonWarningCode =
  | 'points-merged'
  | 'degenerate-ring'
  | 'self-crossing'
  | 'hole-outside'
  | 'hole-sticks-out'
  | 'closed-by-radius'
  | 'near-miss'
  | 'near-misses-unsearched'
  | 'empty-result'
  | ReachWarning['code'];

/** A problem in a map. Rings with the same problem share a warning, which names the first of them. */
export interface PolygonWarning {
  code: PolygonWarningCode;
  stage: PolygonStage | ReachWarning['stage'];
  count: number;
  /** One sentence. */
  message: string;
  /** The ring, as in `polygons[0].holes[1]`, and its point; where known. */
  where?: { ring?: string; point?: number; at?: [x: number, y: number] };
  /** For 'near-miss': all pairs of rings, the nearest first. */
  nearMisses?: NearMiss[];
  /** For 'closed-by-radius': all closed passages, the widest first. Each is that wide at `at`, world units. */
  passages?: { at: [x: number, y: number]; width: number }[];
  /** Area that is left out, square units. Only for 'unreachable-left-out'. */
  area?: number;
}

/** What `findNearMisses` reads of a map on its grid. */
export interface NearMissMap {
  polygons: readonly { outline: NamedPoints; holes: readonly NamedPoints[] }[];
  obstacles: readonly NamedPoints[];
  frame: GridFrame;
  /** Distance at which the build joins rings, cells. */
  joinCells: number;
}

/** Report of `buildFromPolygons`: times, counts, warnings. */
export interface PolygonReport {
  stages: { name: PolygonStage; ms: number }[];
  totalMs: number;
  /** Rings and points of the area after cleaning (and offsetting), triangles, polygons, vertices. */
  counts: Record<'rings' | 'points' | 'cleanRings' | 'cleanPoints' | 'triangles' | 'polygons' | 'vertices', number>;
  warnings: PolygonWarning[];
  config: PolygonConfig;
  frame: GridFrame;
}

/** The results of the stages, for pictures and tools. Grid coordinates; see types.ts. */
export interface PolygonStageRecords {
  /** The walkable area before the agent's radius was applied. */
  clean: Rings;
  /** The same afterwards, cut along the lines of tiles; the same record when the radius is 0 and there is one tile. */
  ground: Rings;
  /** Absent in mode 'diagonal' and in a mesh of several tiles. */
  triangulation?: Triangulation;
  /** Windings by half-edge: positive is walkable. */
  winding?: Int32Array;
  /** Bridges and cuts, in mode 'diagonal' only; absent in a mesh of several tiles. */
  diagonal?: DiagonalCuts;
  pieces: ConvexPieces;
}

/** The mesh for one radius. */
export interface PolygonMesh {
  navMesh: NavMesh;
  report: PolygonReport;
  stages: PolygonStageRecords;
}

/** Result of `buildFromPolygons`: the mesh of the first radius, and those of all. */
export interface PolygonBuild extends PolygonMesh {
  /** The named areas of the map, by id. */
  areas: NamedArea[];
  /** Costs of the named areas by id, for `createFilter({ areaCosts })`. */
  areaCosts: Record<number, number>;
  /**
   * One mesh per entry of `radii` (or for `radius`), in their order. The other fields describe the first one.
   */
  meshes: PolygonMesh[];
}

/** The options with all defaults filled in; world units. */
export interface PolygonConfig {
  agent: AgentShape;
  radii: number[];
  mode: 'delaunay' | 'diagonal';
  maxVertices: number;
  fillRule: 'nonzero' | 'evenodd';
  /** 0: derived from the map's extent. */
  gridSize: number;
  arcTolerance: number;
  /** -1: not chosen yet; 0: one tile. */
  tileSize: number;
  /** Which layers are on, instead of their own `enabled`. */
  layers: Readonly<Record<string, boolean>>;
  yAxis: YAxis;
  strict: boolean;
  memoryLimitBytes: number;
}

/** The defaults of `buildFromPolygons`. */
export const POLYGON_DEFAULTS: Readonly<PolygonConfig> = {
  agent: { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
  radii: [0],
  mode: 'delaunay',
  maxVertices: 10,
  fillRule: 'nonzero',
  gridSize: 0,
  arcTolerance: 0.1,
  tileSize: -1,
  layers: {},
  yAxis: 'up',
  strict: false,
  memoryLimitBytes: READ_LIMIT_BYTES,
};

const KEYS = [
  'agent',
  'radius',
  'radii',
  'mode',
  'cutByDiagonals',
  'maxVertices',
  'fillRule',
  'gridSize',
  'arcTolerance',
  'tileSize',
  'layers',
  'yAxis',
  'keepReachable',
  'findNearMisses',
  'findClosedPassages',
  'strict',
  'memoryLimitBytes',
];

/** Fills in defaults. Throws a RangeError for unknown keys and values out of range; messages begin with `caller`. */
export function resolvePolygonOptions(
  options: PolygonOptions = {},
  caller: string = 'resolvePolygonOptions',
): PolygonConfig {
  checkString('resolvePolygonOptions', 'caller', caller);
  checkKeys(caller, options, KEYS);
  checkReachKeeper(caller, options.keepReachable);
  const { agent: body = {} } = options;
  const agent: AgentShape = { ...POLYGON_DEFAULTS.agent };
  checkKeys(caller, body, Object.keys(agent), 'options.agent');
  for (const key of Object.keys(agent) as (keyof AgentShape)[]) {
    agent[key] = inRange(caller, `agent.${key}`, body[key] ?? agent[key], 0, key === 'maxSlopeDegrees' ? 90 : Infinity);
  }
  const given = [body.radius, options.radius, options.radii].filter((one) => one !== undefined);
  if (given.length > 1) refuseOption(caller, 'radius', options.radius, 'given once: as agent.radius, radius or radii');
  if (
    options.radii !== undefined &&
    !(Array.isArray(options.radii) && options.radii.length > 0 && !isHollow(options.radii))
  ) {
    refuseOption(caller, 'radii', options.radii, 'an array of at least one radius');
  }
  const radii = (options.radii ?? [options.radius ?? agent.radius]).map((one, i) =>
    inRange(caller, options.radii ? `radii[${i}]` : 'radius', one, 0, Infinity),
  );
  const {
    mode = POLYGON_DEFAULTS.mode,
    fillRule = POLYGON_DEFAULTS.fillRule,
    strict = POLYGON_DEFAULTS.strict,
  } = options;
  if (mode !== 'delaunay' && mode !== 'diagonal') refuseOption(caller, 'mode', mode, "'delaunay' or 'diagonal'");
  if (mode === 'diagonal' && typeof options.cutByDiagonals !== 'function')
    refuseOption(
      caller,
      'cutByDiagonals',
      options.cutByDiagonals,
      "the function cutByDiagonals of navkiln/polygon, which mode 'diagonal' needs",
    );
  if (fillRule !== 'nonzero' && fillRule !== 'evenodd')
    refuseOption(caller, 'fillRule', fillRule, "'nonzero' or 'evenodd'");
  const { yAxis = POLYGON_DEFAULTS.yAxis } = options;
  if (yAxis !== 'up' && yAxis !== 'down') refuseOption(caller, 'yAxis', yAxis, "'up' or 'down'");
  for (const name of ['findNearMisses', 'findClosedPassages'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      refuseOption(caller, name, options[name], `the function ${name}`);
  }
  if (typeof strict !== 'boolean') refuseOption(caller, 'strict', strict, 'true or false');
  const maxVertices = inRange(caller, 'maxVertices', options.maxVertices ?? POLYGON_DEFAULTS.maxVertices, 3, 255);
  if (maxVertices % 1 !== 0) refuseOption(caller, 'maxVertices', maxVertices, 'an integer, 3 .. 255');
  const gridSize =
    options.gridSize === undefined ? 0 : inRange(caller, 'gridSize', options.gridSize, Number.MIN_VALUE, 1e99);
  const arcTolerance = inRange(caller, 'arcTolerance', options.arcTolerance ?? POLYGON_DEFAULTS.arcTolerance, 1e-4, 1);
  const { layers = POLYGON_DEFAULTS.layers } = options;
  checkObject(caller, 'options.layers', layers);
  for (const name of Object.keys(layers)) {
    if (typeof layers[name] !== 'boolean') refuseOption(caller, `layers.${name}`, layers[name], 'true or false');
  }
  const tileSize = options.tileSize === undefined ? -1 : inRange(caller, 'tileSize', options.tileSize, 0, 1e99);
  const memoryLimitBytes = inRange(
    caller,
    'memoryLimitBytes',
    options.memoryLimitBytes ?? POLYGON_DEFAULTS.memoryLimitBytes,
    Number.MIN_VALUE,
    Infinity,
  );
  return {
    agent: { ...agent, radius: radii[0] },
    radii,
    mode,
    maxVertices,
    fillRule,
    gridSize,
    arcTolerance,
    tileSize,
    layers: { ...layers },
    yAxis,
    strict,
    memoryLimitBytes,
  };
}

function inRange(caller: string, key: string, value: number, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most && value < Infinity) return value;
  const lower = least === Number.MIN_VALUE ? 'above 0, up to' : `${least} ..`;
  const range = most < Infinity ? `a number, ${lower} ${most}` : `finite and ${least === 0 ? '>=' : '>'} 0`;
  return refuseOption(caller, key, value, range);
}

function refuseOption(caller: string, key: string, value: unknown, mustBe: string): never {
  refuse(caller, `options.${key}`, value, mustBe);
}
