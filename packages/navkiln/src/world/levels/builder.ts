/**
 * The interface between a world and the builder of its tiles: positions of tiles, the reach of triangles, and the build
 * of a tile. The voxel bake (voxel.ts) and the surface builder (surface.ts) implement it. Callers may pass a builder of
 * their own.
 */
import type { TileData, TileSettings } from '../../mesh/types.ts';
import type { NamedArea } from '../../build/polygon/options.ts';
import type { BuildWarning } from '../../build/voxel/report.ts';
import type { Obstacle, ObstaclePlacement, PlacedObstacle } from '../../build/voxel/options.ts';
import type { MapObstacle, MapPlacement } from './map-obstacle.ts';

/** A warning about a level or a tile. */
export interface LevelWarning extends Omit<BuildWarning, 'where'> {
  where: { level?: number; triangle?: number; tile?: [number, number] };
}

/** The triangles of a level after its placement. */
export interface WorldTriangles {
  /** xyz, world units. */
  positions: Float64Array;
  /** Three per triangle, counter-clockwise seen from the walkable side. */
  indices: ArrayLike<number>;
  /** One per triangle. Absent: all are `AREA_GROUND`. */
  areas?: ArrayLike<number>;
}

/** A builder's data of a level, created when the level is added or moved. */
export interface PreparedLevel {
  /** The usable triangles, three indices each. */
  indices: ArrayLike<number>;
  /** One per triangle; 0: not walkable. */
  areas: Uint8Array;
  /** Lowest and highest corner in world units; Infinity and -Infinity without triangles. */
  minY: number;
  maxY: number;
  /** Warnings without `where.level`, which the world adds. */
  warnings: LevelWarning[];
}

/** The triangles of one level that a tile depends on. */
export interface LevelPart {
  positions: Float64Array;
  indices: ArrayLike<number>;
  areas: Uint8Array;
  /** The triangles are list[from] .. list[to - 1]. */
  list: Int32Array;
  from: number;
  to: number;
}

/** The obstacles that carve a tile, and the packed spans of its levels. */
export interface TileCarving {
  /** The obstacles, in the order of their ids. */
  obstacles: PlacedObstacle[];
  /** The triangles of obstacles that add surface. They come after all levels. */
  surfaces: LevelPart[];
  /** The `layers` that `buildTile` returned for the current levels. */
  layers: Uint8Array<ArrayBuffer> | undefined;
  /** The packed spans that the mesh was opened with. The triangles of levels come after them. */
  base: Uint8Array<ArrayBuffer> | undefined;
}

/** A built tile. */
export interface BuiltTile {
  tile: TileData | null;
  warnings: LevelWarning[];
  /** The packed solid spans of the tile's levels. Absent if there is nothing to keep. */
  layers?: Uint8Array<ArrayBuffer>;
}

/** The layers and areas of a 2D map, for the functions of map-layers.ts. */
export interface MapLayers {
  list(): { name: string; enabled: boolean }[];
  /** Switches layers by name. Returns the keys of the tiles to rebuild, and new warnings. Throws without a change. */
  switch(caller: string, enabled: Readonly<Record<string, boolean>>): { keys: number[]; warnings: LevelWarning[] };
  areas: readonly NamedArea[];
}

/** Builds the tiles of a world. */
export interface LevelBuilder {
  /** Settings of the mesh. The corner of tile (0, 0) in x and z must not change. */
  settings: TileSettings;
  /** Distance beyond a tile's square within which triangles affect the tile, world units. */
  reach: number;
  /** First and last tile along x, first and last along z. Absent: no limits. */
  range?: readonly [number, number, number, number];
  /** Min x, min z, max x and max z of the bounds, world units. Absent: no bounds. */
  extent?: readonly [number, number, number, number];
  /** Throws an Error for packed spans that do not fit a tile. Needed by `openWorld`. */
  checkLayers?(packed: Uint8Array<ArrayBuffer>, x: number, z: number): void;
  /** Plain data from which a worker creates the same builder. Only the builder of the voxel bake has it. @internal */
  workerSetup?: unknown;
  /**
   * What carves obstacles out of voxel tiles. The first `addObstacle` sets it, so that bundles of worlds without obstacles contain none of its
   * code. @internal
   */
  carver?: unknown;
  /** Converts an obstacle of the caller into one with triangles. Absent if it already has triangles. */
  solidOf?(caller: string, obstacle: MapObstacle): Obstacle;
  /** Converts a placement in the same way. `path` is its name in messages. */
  placementOf?(caller: string, placement: MapPlacement, path: string): ObstaclePlacement;
  /** The layers of the map from which tiles are built. Absent if tiles are built from levels. @internal */
  mapLayers?: MapLayers;
  /** True: `buildTile` carves obstacles. Default false: `addObstacle` throws. */
  canCarve?: boolean;
  /** Checks the triangles of a level that is added or moved. */
  prepareLevel(level: WorldTriangles): PreparedLevel;
  /**
   * Fits the builder to the height of all levels, before each update. `isMoved`: all tiles must be rebuilt.
   */
  fitHeight(minY: number, maxY: number): { isMoved: boolean; warnings: LevelWarning[] };
  /**
   * Builds a tile; null when nothing is walkable. Parts are in the order of the levels' ids. They are not read when
   * `carving.layers` is given.
   */
  buildTile(x: number, z: number, parts: readonly LevelPart[], carving: TileCarving): BuiltTile;
  /**
   * Builds a tile in steps, and yields the name of each step before it runs. Updates with a budget continue the steps
   * later. Absent: tiles are built in one step.
   */
  buildSteps?(x: number, z: number, parts: readonly LevelPart[], carving: TileCarving): Generator<string, BuiltTile>;
}
