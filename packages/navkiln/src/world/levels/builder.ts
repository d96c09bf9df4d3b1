/**
 * What a set of levels needs to know of the builder that makes its tiles: where tiles lie, how far they look, how one is made.
 * The voxel bake is one (level-voxel.ts); whoever has another way from triangles to a tile writes what is below.
 */
import type { TileData, TileSettings } from '../../navmesh/types.ts';
import type { BuildWarning } from '../../voxel/options.ts';

/** What is odd, and where: in a level, in a tile. */
export interface LevelWarning extends Omit<BuildWarning, 'where'> {
  where: { level?: number; triangle?: number; tile?: [number, number] };
}

/** A level as it lies in the world. */
export interface WorldTriangles {
  /** xyz, world units. */
  positions: Float64Array;
  /** Three a triangle, counter-clockwise seen from the walkable side. */
  indices: ArrayLike<number>;
  /** One a triangle, as given. Absent: all are `AREA_GROUND`. */
  areas?: ArrayLike<number>;
}

/** What a builder makes of a level when it comes or moves. */
export interface PreparedLevel {
  /** Those that can be used. */
  indices: ArrayLike<number>;
  /** One a triangle: 0 where nobody can walk. */
  areas: Uint8Array;
  /** Lowest and highest corner; Infinity and -Infinity without triangles. */
  minY: number;
  maxY: number;
  /** Without `level`. */
  warnings: LevelWarning[];
}

/** The triangles of one level that a tile sees. */
export interface LevelPart {
  positions: Float64Array;
  indices: ArrayLike<number>;
  areas: Uint8Array;
  /** Triangles list[from] .. list[to - 1]. */
  list: Int32Array;
  from: number;
  to: number;
}

export interface LevelBuilder {
  /** Of the mesh; the corner of tile (0, 0) in x and z never changes. */
  settings: TileSettings;
  /** How far beyond its square a tile's ground depends on triangles, world units. */
  reach: number;
  /** First and last tile along x, first and last along z. Absent: any. */
  range?: readonly [number, number, number, number];
  prepareLevel(level: WorldTriangles): PreparedLevel;
  /** Told the height of all levels together, before tiles are built and after each change. True: all tiles must be built anew. */
  fitHeight(minY: number, maxY: number): { isMoved: boolean; warnings: LevelWarning[] };
  /** A tile's ground, or null. Parts in the order of the levels. */
  buildTile(x: number, z: number, parts: readonly LevelPart[]): { tile: TileData | null; warnings: LevelWarning[] };
}
