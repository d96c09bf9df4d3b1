/**
 * The interface between a set of levels and the builder of its tiles: where tiles are, how far they reach,
 * how one is built. The voxel bake (voxel.ts) and the surface builder (surface.ts) implement it. Callers may
 * pass a builder of their own.
 */
import type { TileData, TileSettings } from '../../navmesh/types.ts';
import type { BuildWarning } from '../../voxel/options.ts';

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

/** A builder's data of a level, made when the level is added or moved. */
export interface PreparedLevel {
  /** The usable triangles, three indices each. */
  indices: ArrayLike<number>;
  /** One per triangle; 0: not walkable. */
  areas: Uint8Array;
  /** Lowest and highest corner in world units; Infinity and -Infinity without triangles. */
  minY: number;
  maxY: number;
  /** Warnings without `where.level`, which the set adds. */
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

/** Builds the tiles of a set of levels. */
export interface LevelBuilder {
  /** Settings of the mesh. The corner of tile (0, 0) in x and z must not change. */
  settings: TileSettings;
  /** Distance beyond a tile's square within which triangles affect the tile, world units. */
  reach: number;
  /** First and last tile along x, first and last along z. Absent: no limits. */
  range?: readonly [number, number, number, number];
  /** Checks the triangles of a level that is added or moved. */
  prepareLevel(level: WorldTriangles): PreparedLevel;
  /**
   * Fits the builder to the height of all levels, before each update. `isMoved`: all tiles must be rebuilt.
   */
  fitHeight(minY: number, maxY: number): { isMoved: boolean; warnings: LevelWarning[] };
  /** Builds a tile, or returns null when nothing is walkable. Parts come in the order of the levels' ids. */
  buildTile(x: number, z: number, parts: readonly LevelPart[]): { tile: TileData | null; warnings: LevelWarning[] };
}
