/**
 * The record of a world: levels and obstacles with their placements, the tiles that they reach, and the mesh.
 *
 * A tile is marked when its input has changed. `layers` keeps the packed solid spans of each tile's levels, so that a
 * change of obstacles never rasterizes levels again.
 */
import type { Affine } from '../../base/data/placement.ts';
import type { ReachKeeper } from '../../mesh/reach-keeper.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';
import type { WorldLinks } from '../../build/links/world-links.ts';
import type { WorldIndex } from '../../query/index/world-index.ts';
import type { BuildOptions, Obstacle, PlacedObstacle, TriangleInput } from '../../build/voxel/options.ts';
import type { BuiltTile, LevelBuilder, LevelWarning, PreparedLevel, TileCarving } from './builder.ts';
import type { MapObstacle } from './map-obstacle.ts';
import type { LevelTiles, TileGrid } from './tiles.ts';

/** The id of a level in its world: 1, 2, 3, … in the order of `addLevel`. Ids are never reused. */
export type LevelId = number;
/** The id of an obstacle in its world: 1, 2, 3, … in the order of `addObstacle`. Ids are never reused. */
export type ObstacleId = number;

/** Options of `createWorld`: options of `buildNavMesh`, and a builder. */
export interface WorldOptions extends Omit<BuildOptions, 'obstacles' | 'dynamic' | 'autoLinks'> {
  /**
   * The builder that makes tiles from triangles. Default 'voxel', as in `buildNavMesh`. For surface meshes use
   * `createSurfaceWorld`.
   */
  build?: 'voxel' | LevelBuilder;
  /** A path index that updates of the world keep up to date: `createWorldIndex` of `navkiln/index`. Default: none. */
  pathIndex?: WorldIndex;
  /** Automatic links that updates of the world keep up to date: `createWorldLinks` of `navkiln/links`. Default: none. */
  worldLinks?: WorldLinks;
  /**
   * Cuts changed obstacles out of the mesh at once, and rebuilds their tiles later: `createProvisionalTiles`. Default: updates only rebuild
   * tiles.
   */
  provisional?: ProvisionalTiles;
}

/** Cuts obstacles out of tiles before they are rebuilt. Create it with `createProvisionalTiles`; worlds call its functions. */
export interface ProvisionalTiles {
  /** Takes an empty world. @internal */
  begin(world: World): void;
  /**
   * Takes the tiles that it can cut from `world.marked`, cuts them until the time is up, and queues tiles whose obstacles stand still.
   * `isTimeUp` takes the expected milliseconds of the next step. Without `isTimeUp`, and during `bakeWorld`, it cuts nothing and queues all tiles. Adds [x, z] of the tiles that were cut to `cut`.
   * @internal
   */
  update(world: World, cut: [number, number][], isTimeUp?: (expectedMs: number) => boolean): void;
  /** Returns the steps that build a tile, and before it what later cuts need. @internal */
  build(
    world: World,
    key: number,
    carving: TileCarving,
    build: (carving: TileCarving) => Generator<string, BuiltTile>,
  ): Generator<string, BuiltTile>;
  /** Replaces the tile in a slot without holes in the pools of the mesh. Returns false, without a change, if that is not possible. @internal */
  swap(world: World, slot: number, tile: TileData | null): boolean;
  /** Returns fields of the result of `updateWorld`. @internal */
  report(world: World): { pendingTileCount: number; provisionalTiles: [number, number][] };
  /** Returns a copy of what it knows of a world, for `captureWorld`. @internal */
  capture(world: World): unknown;
  /** Goes back to such a copy, after the mesh went back. @internal */
  rewind(world: World, saved: unknown): void;
}

/** An obstacle of a world: its shape, placement and effect, and the time when it carves. */
export type WorldObstacle = Obstacle & {
  /**
   * Seconds that the obstacle must stand still before the mesh follows it. Until then the mesh does not change. The
   * time is the sum of `seconds` of `updateWorld`. Default 0, or 0.5 with `carveOnlyStationary`.
   */
  carveAfterSeconds?: number;
  /**
   * True: the obstacle is removed from the mesh as soon as it moves, and added again when it stands still. Default
   * false.
   */
  carveOnlyStationary?: boolean;
};

/** A placed level. */
export interface Level {
  input: TriangleInput;
  matrix: Affine;
  positions: Float64Array;
  /** Box of the triangles: min xyz, max xyz. */
  bounds: Float64Array;
  prepared: PreparedLevel;
  tiles: LevelTiles;
}

/** An obstacle with a placement, and the tiles that it touches. */
export interface Carving {
  placed: PlacedObstacle;
  tiles: LevelTiles;
  /** The triangles of a 'surface' obstacle, prepared like a level. */
  surface: PreparedLevel | null;
}

/** An obstacle with its state. */
export interface LiveObstacle {
  obstacle: WorldObstacle | MapObstacle;
  carveAfterSeconds: number;
  carveOnlyStationary: boolean;
  /** Its actual placement. */
  current: Carving;
  /** Its placement in the mesh after the marked tiles are rebuilt; null: not in the mesh. */
  carved: Carving | null;
  /** Remaining seconds that it must stand before it carves, when it is in `waiting`. */
  waitSeconds: number;
}

/** A tile that is built over several updates. */
export interface PartialTile {
  key: number;
  /** Yields the name of each stage before it runs. */
  steps: Generator<string, BuiltTile>;
  /** The stage that runs next. */
  stage: string;
  /** The built tile, when it only has to be put into the mesh. */
  built: BuiltTile | undefined;
  /** Whether the tile has changed since it was begun. */
  isStale: boolean;
}

/**
 * Levels, obstacles and their mesh. Created by `createWorld`; only functions of this module change it.
 * @opaque navMesh, pathIndex, keepReachable, strict, isBaking
 */
export interface World {
  /** The mesh of all levels and obstacles. `updateWorld` changes it in place. */
  navMesh: NavMesh;
  /** The path index that updates keep up to date. It may be set between updates. */
  pathIndex: WorldIndex | undefined;
  /** The automatic links that updates keep up to date. */
  worldLinks: WorldLinks | undefined;
  /** Cuts obstacles out of tiles before they are rebuilt. */
  provisional: ProvisionalTiles | undefined;
  /** Leaves out mesh that no point leads to. */
  keepReachable: ReachKeeper | undefined;
  /** Whether warnings throw. */
  strict: boolean;
  /** Whether the automatic links are not complete. */
  areLinksPending: boolean;
  builder: LevelBuilder;
  grid: TileGrid;
  nextId: LevelId;
  levels: Map<LevelId, Level>;
  /** Ids of the levels that reach into each tile, ascending, by the tile's key. */
  seenBy: Map<number, LevelId[]>;
  nextObstacleId: ObstacleId;
  obstacles: Map<ObstacleId, LiveObstacle>;
  /** Ids of the obstacles that carve each tile, ascending, by the tile's key. */
  carvedBy: Map<number, ObstacleId[]>;
  /** Ids of the obstacles that wait to carve. */
  waiting: Set<ObstacleId>;
  /** The packed solid spans of each tile's levels, by the tile's key. */
  layers: Map<number, Uint8Array<ArrayBuffer>>;
  /** The packed spans that `openWorld` has read from a mesh, by the tile's key. */
  base: Map<number, Uint8Array<ArrayBuffer>>;
  /** Keys of tiles that have changed since the last update. */
  marked: Set<number>;
  /** Keys of tiles that earlier updates have not rebuilt, the longest waiting first. */
  queued: Set<number>;
  /** The tile that the last update has begun and not finished. It is also in `queued`. */
  partial: PartialTile | null;
  /** Expected milliseconds of each stage of a tile. */
  stageMs: Map<string, number>;
  /**
   * Tiles that `bakeWorld` bakes in their current state: key -> number of the job. A tile that changes, or is built, is
   * removed.
   */
  building: Map<number, number>;
  /** Whether `bakeWorld` is running. */
  isBaking: boolean;
  /** Warnings of changes since the last update. */
  warnings: LevelWarning[];
}
