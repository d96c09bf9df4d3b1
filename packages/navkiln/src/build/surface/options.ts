/**
 * Input, options and report of `buildFromSurface`. `resolveSurfaceOptions` fills in defaults and refuses
 * options that cannot be built.
 */
import { READ_LIMIT_BYTES } from '../../base/constants.ts';
import type { EmptyReason } from '../../base/data/empty-reason.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { checkReachKeeper } from '../../mesh/reach-keeper.ts';
import type { ReachKeeper, ReachWarning } from '../../mesh/reach-keeper.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';

/**
 * Indexed triangles, counter-clockwise seen from the walkable side. The same record as the input of the voxel
 * bake.
 */
export interface SurfaceLevel {
  /** xyz, world units. */
  positions: ArrayLike<number>;
  /** Three per triangle. Default: 0, 1, 2, 3, … (a triangle soup). */
  indices?: ArrayLike<number>;
  /**
   * One area id (0 .. 63) per triangle. 0: never walkable. Default: `AREA_GROUND`. The slope must be walkable
   * in any case.
   */
  areas?: ArrayLike<number>;
  /**
   * Triangles that are walkable from both sides, such as those of two-sided materials. True: all of them; or
   * one value per triangle, 0: only from the side they face. `resolveTwoSided` finds which of a material's
   * triangles to mark. Default false.
   */
  twoSided?: boolean | ArrayLike<number>;
}

/** Options of `buildFromSurface`. All lengths are in world units; every field is optional. */
export interface SurfaceOptions {
  /**
   * Default { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }. Triangles up to `maxSlopeDegrees`
   * are kept; edges that meet within `maxClimb` in height are joined; surface closer to a wall than `radius`,
   * seen from above, is cut off.
   */
  agent?: Partial<AgentShape>;
  /**
   * Distance seen from above within which corners and edges count as one, world units. Too small leaves gaps that no path
   * crosses; too large joins floors that do not touch. Triangles farther than 2^40 tolerances from the origin are
   * left out. Default: a thousandth of the agent's height.
   */
  weldTolerance?: number;
  /**
   * Gaps up to this width are filled where surface on both sides is within a step in height, world units. Default: half
   * the radius or, if that is more, a twentieth of the height, so that gaps agents do not notice are no walls; 0 if every
   * triangle is walkable, since gaps of such a surface may stand for walls. 0: only edges within the `weldTolerance` are
   * joined.
   */
  maxGap?: number;
  /**
   * Removes surface under triangles that stand on it or hang lower above it than the agent's height, and cuts it
   * along walls that stand on it. Default: true, unless every triangle is walkable and the radius is 0: such a surface
   * is kept as it is.
   */
  clearance?: boolean;
  /**
   * Connected surface with a smaller area is dropped; square units, seen from above. Default 0: everything is
   * kept.
   */
  islandMinArea?: number;
  /** Maximum number of corners of a polygon: 3 .. 12. Default 6. */
  maxVerticesPerPoly?: number;
  /**
   * Largest difference in slope between triangles that become one polygon, degrees, 0 .. 30. Heights stay
   * exact. Default 1.
   */
  mergeDegrees?: number;
  /**
   * Side of a square tile; tile (0, 0) begins at x = z = 0 wherever the level lies. 0: one tile. Default: one
   * tile if the surface fits into it, otherwise a size that gives tiles of some thousand triangles.
   */
  tileSize?: number;
  /**
   * Whether the surface is built again to find a `maxGap` that joins near misses, for their warning. Takes as long as
   * one or two builds. Default false; the command line does it.
   */
  tryGaps?: boolean;
  /**
   * Leaves out mesh that no point leads to: `createKeepReachable([[x, y, z], …])`. The report has the note `unreachable-left-out`, which
   * `strict` permits. Default: everything is kept.
   */
  keepReachable?: ReachKeeper;
  /** Throws an Error on the first warning. Default false. */
  strict?: boolean;
  /**
   * Work that pairs of triangles above each other may take, as bytes; a level that would take more is refused. A pair counts as 512
   * bytes, or 128 bytes if its heights are far apart; 64 pairs are free for each edge and triangle of a tile. Of the pieces that one
   * triangle cuts, each counts as 1,536 bytes from the ninth on. Default 2^30 (1 GiB): 2 million pairs.
   */
  memoryLimitBytes?: number;
  /**
   * Called before each stage of each tile with `done` of `total`, and once at the end with `done === total`.
   * `total` is 0 before the number of tiles is known.
   */
  onProgress?: (progress: { stage: string; done: number; total: number }) => void;
}

/** A stage of `buildFromSurface`. */
export type SurfaceStage = 'input' | 'weld' | 'clear' | 'conform' | 'bridge' | 'inset' | 'islands' | 'merge' | 'tile';
/** The stages of `buildFromSurface`, in the order they run. */
export const SURFACE_STAGES: readonly SurfaceStage[] = [
  'input',
  'weld',
  'clear',
  'conform',
  'bridge',
  'inset',
  'islands',
  'merge',
  'tile',
];

/** The code of a warning of `buildFromSurface`. */
export type SurfaceWarningCode =
  | 'no-ground'
  | 'flipped-winding'
  | 'invalid-positions'
  | 'coarse-positions'
  | 'degenerate-triangles'
  | 'duplicate-triangles'
  | 'joined-gaps'
  | 'near-misses'
  | 'small-islands'
  | 'empty-result'
  | ReachWarning['code'];

/** A problem in the input or during the build. `message` is one sentence with the remedy. */
export interface SurfaceWarning {
  code: SurfaceWarningCode;
  stage: SurfaceStage | ReachWarning['stage'];
  count: number;
  message: string;
  /**
   * The first case: index of the level in the input, and of the triangle in the level. For 'near-misses' and
   * 'joined-gaps' also the position.
   */
  where?: { level: number; triangle: number; at?: [x: number, y: number, z: number] };
  /** The widest gaps, for 'near-misses' and 'joined-gaps': positions and widths, at most 16. */
  gaps?: { at: [x: number, y: number, z: number]; width: number }[];
  /** Area that is left out, square units seen from above. Only for 'unreachable-left-out'. */
  area?: number;
  /** Why there is no polygon, in numbers, and the option that helps: what `explainEmptySurface` finds. The build leaves it out. */
  reason?: EmptyReason;
}

/** The options with all defaults filled in. */
export interface SurfaceConfig {
  agent: AgentShape;
  weldTolerance: number;
  /** Undefined: not decided yet. */
  maxGap: number | undefined;
  /** Undefined: not decided yet. */
  clearance: boolean | undefined;
  islandMinArea: number;
  maxVerticesPerPoly: number;
  mergeDegrees: number;
  /** -1: not chosen yet. */
  tileSize: number;
  strict: boolean;
  memoryLimitBytes: number;
}

/** Report of `buildFromSurface`: times, counts, warnings. */
export interface SurfaceReport {
  /** Stages in the order they ran. */
  stages: { name: SurfaceStage; ms: number }[];
  totalMs: number;
  counts: {
    levels: number;
    triangles: number;
    /** Walkable triangles of the input. */
    groundTriangles: number;
    /** Walkable triangles after edges were made to conform. */
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

/** Result of `buildFromSurface`. */
export interface SurfaceBuild {
  navMesh: NavMesh;
  report: SurfaceReport;
}

/** The default agent of surface meshes: lengths in world units, the slope in degrees. */
export const SURFACE_AGENT: Readonly<AgentShape> = { radius: 0, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

/** Default of `maxGap` where gaps stand for no walls, in radii: as wide as a voxel by default. */
const GAP_RADII = 0.5;
/** An agent without a radius, or with a smaller one, counts as this wide for gaps: radius in heights. */
export const GAP_HEIGHTS = 0.1;

/** Returns the default of `maxGap` for levels with walls. */
export function usualGap({ radius, height }: AgentShape): number {
  return GAP_RADII * Math.max(radius, GAP_HEIGHTS * height);
}

/** Least side of a tile, in tolerances. */
export const LEAST_TILE_TOLERANCES = 100;

/** Bounds of lengths, within which no product of them overflows or becomes 0. */
const SHORTEST = 1e-30;
const LONGEST = 1e30;

const KEYS = [
  'agent',
  'weldTolerance',
  'maxGap',
  'clearance',
  'islandMinArea',
  'maxVerticesPerPoly',
  'mergeDegrees',
  'tileSize',
  'tryGaps',
  'keepReachable',
  'strict',
  'onProgress',
  'memoryLimitBytes',
];

/** Fills in defaults. Throws a RangeError for unknown keys and values out of range. */
export function resolveSurfaceOptions(options: SurfaceOptions): SurfaceConfig {
  checkKeys('buildFromSurface', options, KEYS);
  checkReachKeeper('buildFromSurface', options.keepReachable);
  const body = options.agent ?? {};
  checkKeys('buildFromSurface', body, Object.keys(SURFACE_AGENT), 'options.agent');
  const agent = { ...SURFACE_AGENT };
  for (const key of Object.keys(agent) as (keyof AgentShape)[]) {
    agent[key] = number(`agent.${key}`, body[key] ?? agent[key], 0, key === 'maxSlopeDegrees' ? 90 : LONGEST);
  }
  if (agent.height === 0) refuse('buildFromSurface', 'options.agent.height', 0, '> 0');
  const weldTolerance = number('weldTolerance', options.weldTolerance ?? agent.height / 1000, SHORTEST, LONGEST);
  const maxVerticesPerPoly = number('maxVerticesPerPoly', options.maxVerticesPerPoly ?? 6, 3, 12);
  if (!Number.isInteger(maxVerticesPerPoly)) {
    refuse('buildFromSurface', 'options.maxVerticesPerPoly', maxVerticesPerPoly, 'an integer');
  }
  const tileSize = options.tileSize === undefined ? -1 : number('tileSize', options.tileSize, 0, LONGEST);
  if (tileSize > 0 && tileSize < LEAST_TILE_TOLERANCES * weldTolerance) {
    refuse(
      'buildFromSurface',
      'options.tileSize',
      tileSize,
      `at least ${LEAST_TILE_TOLERANCES} times the weldTolerance of ${weldTolerance}`,
    );
  }
  const strict = options.strict ?? false;
  const { clearance } = options;
  if (typeof strict !== 'boolean') refuse('buildFromSurface', 'options.strict', strict, 'true or false');
  if (typeof (options.tryGaps ?? false) !== 'boolean') {
    refuse('buildFromSurface', 'options.tryGaps', options.tryGaps, 'true or false');
  }
  if (clearance !== undefined && typeof clearance !== 'boolean') {
    refuse('buildFromSurface', 'options.clearance', clearance, 'true or false');
  }
  if (typeof (options.onProgress ?? refuse) !== 'function') {
    refuse('buildFromSurface', 'options.onProgress', options.onProgress, 'a function');
  }
  return {
    agent,
    weldTolerance,
    maxGap: options.maxGap === undefined ? undefined : number('maxGap', options.maxGap, 0, LONGEST),
    clearance,
    maxVerticesPerPoly,
    tileSize,
    strict,
    islandMinArea: number('islandMinArea', options.islandMinArea ?? 0, 0, Infinity),
    mergeDegrees: number('mergeDegrees', options.mergeDegrees ?? 1, 0, 30),
    memoryLimitBytes: number('memoryLimitBytes', options.memoryLimitBytes ?? READ_LIMIT_BYTES, SHORTEST, Infinity),
  };
}

function number(key: string, value: number, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most && value < Infinity) return value;
  const range = most < Infinity ? `a number from ${least} to ${most}` : `a finite number from ${least} on`;
  return refuse('buildFromSurface', `options.${key}`, value, range);
}
