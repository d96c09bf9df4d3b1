/** The configuration in cells that `resolveConfig` derives from the options of a bake. */
import type { AgentShape, MeshSize } from '../../mesh/types.ts';

/**
 * Methods that divide the walkable surface into regions.
 * - 'watershed': the best shapes, and the slowest.
 * - 'monotone': fast and without holes, but long thin regions.
 * - 'layers': as fast as 'monotone', with better shapes on small tiles.
 */
export type Partition = 'watershed' | 'monotone' | 'layers';

/** The configuration that all stages run on. Counts of cells end in `Cells`. Made by `resolveBake`. */
export interface BakeConfig {
  agent: AgentShape;
  /** World units, a float32 value. */
  cellSize: number;
  /** World units, a float32 value. */
  cellHeight: number;
  /** Local coordinates, float32 values: world = local + offset. */
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  /**
   * Subtracted from positions given as doubles: a multiple of 1,024 per axis. Stages use local coordinates
   * only.
   */
  offset: readonly [number, number, number];
  /** Columns along x. */
  widthCells: number;
  /** Columns along z. */
  depthCells: number;
  maxSlopeDegrees: number;
  walkableHeightCells: number;
  walkableClimbCells: number;
  walkableRadiusCells: number;
  /**
   * Border around a tile that is baked with it and cut off again: the radius and 3 cells; 0 without tiles.
   */
  borderCells: number;
  /** Side of a tile; 0: one tile of any size. */
  tileCells: number;
  /** 0 or 1, which differs from tile to tile as the colors of a chessboard do. */
  tileParity?: number;
  /** Tiles along x, empty ones included. */
  tileCountX: number;
  /** Tiles along z, empty ones included. */
  tileCountZ: number;
  partition: Partition;
  maxEdgeLengthCells: number;
  /** In cells, not rounded. */
  maxEdgeErrorCells: number;
  regionMinAreaCells: number;
  regionMergeAreaCells: number;
  maxVerticesPerPoly: number;
  /** World units; 0: no samples. */
  detailSampleDistance: number;
  /** World units. */
  detailMaxError: number;
  filterLowHangingObstacles: boolean;
  filterLedges: boolean;
  filterLowCeilings: boolean;
  medianAreas: boolean;
  tessellateWallEdges: boolean;
  tessellateAreaEdges: boolean;
  recast: boolean;
  /** Sizes of a mesh for several sizes, sorted by radius, then height. `agent` is the first. */
  sizes?: readonly MeshSize[];
}
