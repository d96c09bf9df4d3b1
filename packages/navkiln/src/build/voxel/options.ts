/**
 * The options of a voxel bake, in world units.
 */
import type { Workspace } from '../../base/data/workspace.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import type { AgentRules } from '../../mesh/agent-rules.ts';
import type { ReachKeeper } from '../../mesh/reach-keeper.ts';
import type { AgentShape, MeshSize, NavMesh, TileData } from '../../mesh/types.ts';
import type { BakeConfig, Partition } from './bake-config.ts';
import type { BuildResult } from './report.ts';
import type { AreaCodes } from './area-codes.ts';
import type { CompactField, Heightfield, KeepApart, Stacked } from './types.ts';

/**
 * Names of the stages, in the order in which they run. A report leaves out those that an option turns off.
 */
export const BUILD_STAGES = [
  'input',
  'slope',
  'rasterize',
  'filter',
  'compact',
  'erode',
  'areas',
  'distance',
  'regions',
  'contours',
  'polymesh',
  'detail',
  'navmesh',
] as const;

export type Stage = (typeof BUILD_STAGES)[number];

/** Indexed triangles of a level, counter-clockwise seen from the walkable side. */
export interface TriangleInput {
  /**
   * x, y, z of each vertex, world units. A Float32Array is used without a copy. Other arrays are taken as
   * doubles: a multiple of 1,024 near the middle of the level is subtracted from each axis, so that a level
   * far from the origin bakes as well as one near it. Triangles with an infinite or NaN corner are left out
   * and reported as `invalid-positions`.
   */
  positions: ArrayLike<number>;
  /**
   * Three vertex numbers per triangle, from 0 to the vertex count - 1. Default: 0, 1, 2, 3, … (a triangle
   * soup). With clockwise triangles the walkable side is below, and the mesh is empty; see `twoSided`.
   */
  indices?: ArrayLike<number>;
  /**
   * One area id per triangle, 0 .. 63. 0: never walkable. Default: `AREA_GROUND`. The slope limit applies in
   * any case.
   */
  areas?: ArrayLike<number>;
  /**
   * Triangles that are walkable from both sides, such as those of two-sided materials. True: all of them; or
   * one value per triangle, 0: only from the side they face. `resolveTwoSided` finds which of a material's
   * triangles to mark. Default false.
   */
  twoSided?: boolean | ArrayLike<number>;
}

/**
 * The shape of a volume, world units. A prism is upright, over an outline of [x, z] points, from minY to maxY. A cylinder stands on its
 * center.
 */
export type VolumeShape =
  | { type: 'box'; min: readonly number[]; max: readonly number[] }
  | { type: 'cylinder'; center: readonly number[]; radius: number; height: number }
  | { type: 'prism'; outline: readonly (readonly number[])[]; minY: number; maxY: number };

/**
 * A region of space whose walkable surface gets an area id, a name, or both. Where volumes overlap, the last one with
 * an area decides the area, and the last one with a name decides the name. A hole stays a hole.
 */
export type AreaVolume = VolumeShape & {
  /** Area id 0 .. 63; 0 cuts a hole. Required without a name. Default with a name: areas are not changed. */
  area?: number;
  /**
   * Name of the surface, not empty: a door, a bridge. It gets polygons of its own, which end at the outline, and `setEnabled` disables
   * and enables them without a rebuild. Several volumes and links may have one name. Default: none.
   */
  name?: string;
  /** False: the name starts disabled, as after `setEnabled`: a closed door. Needs `name`. Default true. */
  enabled?: boolean;
};

/**
 * The solid of an obstacle, in its own coordinates.
 *  - 'box': `size` along x, y and z, around the origin, each > 0.
 *  - 'cylinder': upright, `radius` and `height` > 0, around the origin. It is taken as a prism of 32 sides.
 *  - 'convex': an upright prism over the convex hull of an outline of [x, z] points, from `minY` to `maxY`.
 *  - 'mesh': triangles, closed or not. As a hole or an area, it fills each column of cells from its lowest to its
 *    highest point.
 */
export type ObstacleShape =
  | { type: 'box'; size: readonly number[] }
  | { type: 'cylinder'; radius: number; height: number }
  | { type: 'convex'; outline: readonly (readonly number[])[]; minY: number; maxY: number }
  | { type: 'mesh'; positions: ArrayLike<number>; indices?: ArrayLike<number> };

/** Position and rotation of an obstacle. */
export interface ObstaclePlacement {
  /** x, y, z of its origin, world units. For a box and a cylinder this is the middle. Default [0, 0, 0]. */
  position?: ArrayLike<number>;
  /** Degrees about y, [x, y, z] degrees, or a quaternion, as in `LevelPlacement`. Default 0. */
  rotation?: number | ArrayLike<number>;
}

/** The effect of an obstacle on the walkable surface. */
export interface ObstacleEffect {
  /**
   * - 'hole' (default): removes the surface on which an agent of the mesh would touch the obstacle. The agent's radius
   *   around it is removed by the same erosion as around walls.
   * - 'area': gives the surface inside the obstacle the area id `area`.
   * - 'surface': adds the obstacle's triangles to the level: a lowered bridge, a crate to step on.
   */
  effect?: 'hole' | 'area' | 'surface';
  /** Area id 1 .. 63. Required for 'area'; for 'surface' the default is `AREA_GROUND`. Holes have none. */
  area?: number;
}

/**
 * A solid that changes the walkable surface. It covers all cells that it touches. Where areas overlap, the last
 * obstacle counts; holes do not depend on the order.
 */
export type Obstacle = ObstacleShape & ObstaclePlacement & ObstacleEffect;

/** An obstacle in world coordinates. */
export interface PlacedObstacle {
  effect: 'hole' | 'area' | 'surface';
  /** 0 for holes. */
  area: number;
  /** Whether it is a prism over a convex ring: half of the vertices are its lower ring, the others lie above them in the same order. */
  isPrism: boolean;
  /** xyz in the obstacle's own coordinates. */
  shape: ArrayLike<number>;
  /** xyz, world units. */
  positions: Float64Array;
  /** Three per triangle. */
  indices: Uint32Array;
  /** Box of the triangles: min xyz, max xyz. */
  bounds: Float64Array;
}

/** Solids of a bake: the option `obstacles`. Made by `createObstacles`. */
export interface Obstacles {
  readonly list: readonly Obstacle[];
  /** The placed obstacles. @internal */
  readonly placed: readonly PlacedObstacle[];
  /** Returns a level with the triangles of the obstacles that add surface appended to its own. @internal */
  readonly addSurfaces: (caller: string, input: TriangleInput) => TriangleInput;
  /** Removes the area of the spans of tile x, z on which an agent would touch a hole. @internal */
  readonly cutHoles: (
    solid: Heightfield,
    obstacles: readonly PlacedObstacle[],
    level: BakeConfig,
    x: number,
    z: number,
  ) => void;
  /** Sets the area of the walkable spans of tile x, z inside area obstacles. @internal */
  readonly markAreas: (
    field: CompactField,
    obstacles: readonly PlacedObstacle[],
    level: BakeConfig,
    x: number,
    z: number,
    codes: AreaCodes,
  ) => void;
}

/** A method that divides the walkable surface into regions: the option `partition`. `monotonePartition` and `layersPartition` are such methods. */
export interface PartitionMethod {
  readonly name: Partition;
  /** Builds the regions of a field, pieces of at least `minArea` spans. Returns which of them share a column, or undefined. */
  readonly build: (
    field: CompactField,
    minArea: number,
    config: BakeConfig,
    workspace: Workspace | undefined,
  ) => Stacked | undefined;
}

/** Regions of space with areas and names: the option `volumes`. Made by `createVolumes`. */
export interface AreaVolumes {
  readonly list: readonly AreaVolume[];
  /** Sets the areas of the spans inside the volumes. @internal */
  readonly mark: (field: CompactField, offset: BakeConfig['offset'], codes: AreaCodes) => void;
  /** Adds the names of the volumes to a mesh. @internal */
  readonly addNames: (mesh: NavMesh) => void;
  /** Replaces codes in the data of a tile by area ids, and adds its groups. @internal */
  readonly decode: (tile: TileData, codes: AreaCodes) => TileData;
}

/** Off-mesh links of a bake: the option `links`. Made by `createLinks`. */
export interface BakeLinks {
  readonly list: readonly LinkOptions[];
  /** Adds the links to a mesh. Throws a RangeError for an invalid one. @internal */
  readonly addTo: (caller: string, mesh: NavMesh) => void;
}

/** Keeps the solid spans of tiles: the option `dynamic`. `dynamicLayers` is the only one. */
export interface LayerKeeper {
  readonly name: 'layers';
  /** Returns the spans of a tile as bytes. @internal */
  readonly pack: (spans: LaidSpans) => Uint8Array<ArrayBuffer>;
  /** Returns the layers of all tiles as bytes. @internal */
  readonly write: (
    options: BuildOptions,
    config: BakeConfig,
    isMoved: boolean,
    tiles: readonly TileLayers[],
  ) => Uint8Array<ArrayBuffer>;
}

/** The packed spans of one tile. */
export interface TileLayers {
  x: number;
  z: number;
  packed: Uint8Array<ArrayBuffer>;
}

/** Options of a voxel bake. All lengths are in world units, and every field is optional. */
export interface BuildOptions {
  /**
   * Body of the agents. Default { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }. The radius
   * is kept free along walls and the height above the surface. Steps up to `maxClimb` are connected; a climb
   * as large as a ledge lets agents walk off it. Lengths are >= 0 (the height > 0), `maxSlopeDegrees` is 0 ..
   * 90.
   */
  agent?: Partial<AgentShape>;
  /**
   * Side of a voxel in x and z, > 0. Default: half the agent's radius, or a tenth of its height when the
   * radius is 0. Larger cells lose narrow passages and are reported above the radius
   * (`cell-larger-than-agent`). Half the size takes about four times the time and memory.
   */
  cellSize?: number;
  /**
   * Height of a voxel, > 0. Default: at most half of `cellSize`, so that `maxClimb` is a whole number of voxels. Climb and height are
   * rounded to whole voxels, so values much larger than a step join or separate floors depending on rounding. Parts more than 8,191
   * voxels above the bottom are cut off (`height-clamped`).
   */
  cellHeight?: number;
  /**
   * Side of a square tile, rounded to whole cells; at least the agent's radius and 7 cells. Default 0: one
   * tile. Tiles can be rebuilt one by one (`buildTile`), and a bake holds the memory of one tile. Small tiles
   * spend most of their time on borders.
   */
  tileSize?: number;
  /** Method that divides the walkable surface into regions: `'watershed'`, `monotonePartition` or `layersPartition`. Default 'watershed'. */
  partition?: 'watershed' | PartitionMethod;
  /**
   * Longest edge along a wall, >= 0; 0: no limit. Default: 20 radii, or 40 cells when the radius is 0. Short
   * edges make many small polygons; long ones make thin triangles.
   */
  maxEdgeLength?: number;
  /**
   * Largest distance between a simplified outline and the voxels' outline, >= 0. Default: 1.3 cell sizes. 0
   * keeps every stair step of the voxels. Above 2 cells, outlines cut corners and may cross each other.
   */
  maxEdgeError?: number;
  /**
   * Separate pieces of surface smaller than this are dropped, square units, >= 0. Default: 64 cells. 0 keeps
   * tiny pieces on table tops. A piece that reaches the border of its tile is kept, whatever its size in other tiles; `keepReachable`
   * leaves out pieces that no point leads to.
   */
  regionMinArea?: number;
  /**
   * Regions smaller than this are merged with a neighbor where possible, square units, >= 0. Default: 400
   * cells. 0 leaves many small polygons.
   */
  regionMergeArea?: number;
  /**
   * Maximum number of vertices of a polygon, a whole number 3 .. 12. Default 6. Fewer vertices make more
   * polygons.
   */
  maxVerticesPerPoly?: number;
  /**
   * Distance between height samples of the detail mesh, >= 0. Default: 6 cell sizes. 0 uses only the corners
   * of polygons, so that surfaces between them are flat; tiles may then join storeys over an edge that crosses a ridge. Short distances take more time; distances below a
   * quarter of a cell count as a quarter.
   */
  detailSampleDistance?: number;
  /**
   * Largest vertical distance between the detail mesh and the voxels at a sample, >= 0. Default: 1 cell
   * height. Small values on rough levels meet the limit of 255 vertices per polygon (`detail-limited`).
   */
  detailMaxError?: number;
  /** Makes curbs and stairs up to `maxClimb` walkable. Default true. */
  filterLowHangingObstacles?: boolean;
  /** Makes the surface next to a drop of more than `maxClimb` not walkable. Stairs stay walkable. Default true. */
  filterLedges?: boolean;
  /** Makes the surface under a ceiling lower than the agent not walkable. Default true. */
  filterLowCeilings?: boolean;
  /** Removes speckles by a 3 x 3 median over area ids. Default false. */
  medianAreas?: boolean;
  /** Splits edges along walls at `maxEdgeLength`. Default true. */
  tessellateWallEdges?: boolean;
  /** Splits edges between areas at `maxEdgeLength`. Default false. */
  tessellateAreaEdges?: boolean;
  /**
   * True: gives exactly the polygon mesh of Recast, also where it loses stairs and spirals; the guide *Deviations* lists these cases. For comparisons.
   * Default false.
   */
  recast?: boolean;
  /** Regions of space that set area ids or cut holes, after erosion: `createVolumes`. Default: none. */
  volumes?: AreaVolumes;
  /**
   * Solids that cut holes before erosion, set area ids or add surface: `createObstacles`. `addObstacle` adds the same to a
   * world. Default: none.
   */
  obstacles?: Obstacles;
  /**
   * Keeps each tile's solid spans, packed, in the mesh (`navMesh.layers`) and its file, so that `openWorld` can
   * carve obstacles without the level: `dynamicLayers`. Needs `tileSize`, and no `obstacles`. Default: they are not kept.
   */
  dynamic?: LayerKeeper;
  /** Off-mesh links that are added to the mesh: `createLinks`. Default: none. */
  links?: BakeLinks;
  /**
   * Adds links for jumps, drops, climbs and vaults that the level allows: `createAutoLinker` of `navkiln/links`. It runs after all tiles,
   * on the calling thread. Default: none.
   */
  autoLinks?: AutoLinker;
  /**
   * Leaves out mesh that no point leads to, such as closed rooms and hollow solids: `createKeepReachable([[x, y, z], …])`. It runs last,
   * on the calling thread; the report has the note `unreachable-left-out`, which `strict` permits. Not with `dynamic`: `openWorld` takes
   * it. Default: everything is kept.
   */
  keepReachable?: ReachKeeper;
  /**
   * Sizes of agents that the mesh serves: `createAgentSizes`. They replace the radius and height of `agent`, and `cellSize` follows from the
   * smallest. Default: the mesh is for `agent` alone.
   */
  sizes?: AgentSizes;
  /**
   * Box to bake in, [x, y, z] each, min <= max; everything outside is cut off. Default: the bounds of the
   * positions. Tiles count from its corner: set it when a level may grow between rebuilds.
   */
  bounds?: { min: readonly number[]; max: readonly number[] };
  /** Throws an Error on the first warning. Default false. */
  strict?: boolean;
  /**
   * Limit for the bytes of a bake, > 0. Default 4 GiB. The need is estimated before anything is allocated; a
   * bake that needs more is refused with a cell or tile size that fits.
   */
  memoryLimitBytes?: number;
  /**
   * Memory to reuse from bake to bake (`createWorkspace`). A workspace that a running bake uses is refused.
   * Default: the memory of the last bake without this option, if the garbage collector has left it.
   */
  workspace?: Workspace;
  /**
   * Called before each stage, or with tiles before each tile, with `done` of `total`. Called once more at the
   * end with `done === total`. It must not change the input.
   */
  onProgress?: (progress: BuildProgress) => void;
}

/** Finds automatic links for bakes: the option `autoLinks`. Made by `createAutoLinker` (navkiln/links). */
export interface AutoLinker {
  /** Adds the links of a finished mesh, and writes their report and time to that of the bake. @internal */
  readonly addTo: (caller: string, input: TriangleInput, options: BuildOptions, result: BuildResult) => void;
}

/** A size of agents, in world units. Its rules are kept in the mesh for `createAgentTypes`; they do not change polygons. */
export interface AgentSize extends AgentRules {
  name: string;
  radius: number;
  height: number;
  /** Default: that of `options.agent`. */
  maxClimb?: number;
  /** Default: that of `options.agent`. The sizes of a mesh may have up to four. */
  maxSlopeDegrees?: number;
}

/** The solid spans of a tile. */
export interface LaidSpans {
  solid: Heightfield;
  /**
   * Spans of each pair of slope and climb. These differ only in their areas (sizes/rasterize.ts). Undefined: the
   * spans of `solid` are for all sizes.
   */
  classes?: Uint32Array<ArrayBuffer>[];
}

/** A tile after rasterization, as sizes take it. */
export interface SolidTile extends LaidSpans {
  x: number;
  z: number;
  /** Configuration of the tile. */
  config: BakeConfig;
}

/** Agents of several sizes, for the stages of a bake. @internal */
export interface ResolvedSizes {
  /** The agent of the first size. */
  agent: AgentShape;
  /** The largest radius. */
  largest: number;
  settings: { sizes: MeshSize[]; maxSlopeDegrees: number };
}

/** Sizes of agents for one mesh: the option `sizes`. Made by `createAgentSizes`. */
export interface AgentSizes {
  /** The sizes, sorted by radius, then height. */
  readonly list: readonly AgentSize[];
  /** Returns the sizes of the mesh, for the agent of the options. @internal */
  readonly resolve: (agent: AgentShape) => ResolvedSizes;
  /** Throws a RangeError for sizes that one mesh cannot serve. @internal */
  readonly check: (caller: string, config: BakeConfig) => void;
  /**
   * Marks in the bits of `areas` above the area id for which slopes each triangle is flat enough. `marksOf` returns
   * the areas after the test for a slope. @internal
   */
  readonly mark: (config: BakeConfig, areas: Uint8Array, marksOf: (maxSlopeDegrees: number) => Uint8Array) => void;
  /**
   * Rasterizes triangles for each pair of slope and climb: `lay` does so for areas and a configuration. `canShare`: nothing
   * else decides its result. @internal
   */
  readonly rasterize: (
    areas: Uint8Array,
    config: BakeConfig,
    lay: (areas: Uint8Array, config: BakeConfig, index: number) => Heightfield,
    canShare?: boolean,
  ) => LaidSpans;
  /** Builds the field of a tile from its solid spans. `open` filters spans, which it changes, and builds their field. @internal */
  readonly build: (
    tile: SolidTile,
    open: (tile: SolidTile) => Generator<Stage, CompactField>,
    workspace: Workspace,
  ) => Generator<Stage, CompactField>;
  /**
   * Splits the regions of a field by size. Returns a function that writes the masks of sizes into its tile. @internal
   */
  readonly split: (field: CompactField, config: BakeConfig) => (tile: TileData) => TileData;
  /** Keeps simplified outlines from crossing. @internal */
  readonly keepApart?: KeepApart;
}

/** Progress of a bake; see `onProgress`. */
export interface BuildProgress {
  /** The stage that starts, or `tile 3, 0`; '' at the end. */
  stage: string;
  /** Number of finished stages; with tiles, the first two stages plus the finished tiles. */
  done: number;
  /** Number of stages of this bake; with tiles, the number of tiles plus 2, and 0 until it is known. */
  total: number;
  /** Estimated milliseconds to the end of a bake in a pool. Undefined: not known yet. */
  msLeft?: number;
}
