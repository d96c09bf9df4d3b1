/**
 * What a voxel bake is told and what it tells: options in world units, the configuration in cells that is derived from
 * them in one place (config.ts), and the report.
 */
import type { Workspace } from '../data/workspace.ts';
import type { LinkOptions } from '../navmesh/links.ts';
import type { AgentShape, NavMesh } from '../navmesh/types.ts';

export type Partition = 'watershed' | 'monotone' | 'layers';

/** Indexed triangles, counter-clockwise seen from the walkable side. */
export interface TriangleInput {
  /**
   * xyz, world units. A Float32Array is used without a copy. Of any other numbers the multiple of 1,024 nearest to the middle
   * of what is baked is taken off each axis first, so that a level in doubles bakes the same however far out it lies.
   */
  positions: ArrayLike<number>;
  /** Three a triangle. Default: 0, 1, 2, 3, …  (a soup of triangles). */
  indices?: ArrayLike<number>;
  /** One area id (0 .. 63) a triangle. 0: never walkable. Default: `AREA_GROUND`. Walkable slope is still required. */
  areas?: ArrayLike<number>;
}

/** A region of space whose ground gets an area id; 0 cuts a hole. World units. */
export type AreaVolume =
  | { type: 'box'; area: number; min: readonly number[]; max: readonly number[] }
  | { type: 'cylinder'; area: number; center: readonly number[]; radius: number; height: number }
  /** Upright prism over a convex outline of [x, z] points, from minY to maxY. */
  | { type: 'prism'; area: number; outline: readonly (readonly number[])[]; minY: number; maxY: number };

/** All lengths in world units. Every field is optional. */
export interface BuildOptions {
  /** Default { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }. */
  agent?: Partial<AgentShape>;
  /** Side of a voxel in x and z. Default: half the agent's radius (a tenth of its height when the radius is 0). */
  cellSize?: number;
  /** Height of a voxel. Default: half a cell size. */
  cellHeight?: number;
  /**
   * Side of a square tile, rounded to whole cells; at least the agent's radius and 7 cells more. Tiles can be rebuilt one by
   * one (`buildTile`), and a bake takes the memory of one of them. Default 0: one tile.
   */
  tileSize?: number;
  /** How the ground is cut into regions. Default 'watershed'. */
  partition?: Partition;
  /** Longest edge along a wall; 0: no limit. Default: 20 radii (40 cells when the radius is 0). */
  maxEdgeLength?: number;
  /** How far a simplified border may stray from the voxels' outline. Default: 1.3 cell sizes. */
  maxEdgeError?: number;
  /** Separate pieces of ground smaller than this are dropped. Square units. Default: 64 cells. */
  regionMinArea?: number;
  /** Regions smaller than this are merged with a neighbour. Square units. Default: 400 cells. */
  regionMergeArea?: number;
  /** 3 .. 12. Default 6. */
  maxVerticesPerPoly?: number;
  /** Distance between height samples of the detail mesh; 0: no samples. Default: 6 cell sizes. */
  detailSampleDistance?: number;
  /** How far the detail mesh may stray from the voxels' heights. Default: 1 cell height. */
  detailMaxError?: number;
  /** Default true. Kerbs and stairs up to maxClimb become walkable. */
  filterLowHangingObstacles?: boolean;
  /** Default true. Ground at a drop of more than maxClimb is not walkable. */
  filterLedges?: boolean;
  /** Default true. Ground under a ceiling lower than the agent is not walkable. */
  filterLowCeilings?: boolean;
  /** Default false. 3 x 3 median over area ids, against speckles. */
  medianAreas?: boolean;
  /** Default true. Split long edges along walls. */
  tessellateWallEdges?: boolean;
  /** Default false. Split long edges between areas too. */
  tessellateAreaEdges?: boolean;
  volumes?: readonly AreaVolume[];
  /** Ways off the ground, added when it is baked: see `addLink`. */
  links?: readonly LinkOptions[];
  /** Only bake within this box. Default: the bounds of the positions. */
  bounds?: { min: readonly number[]; max: readonly number[] };
  /** Throw on the first warning. Default false. */
  strict?: boolean;
  /** Bytes a bake may take; what it will need is estimated before anything is allocated. Default 4 GiB. */
  memoryLimitBytes?: number;
  /** Memory to reuse from bake to bake (`createWorkspace`). Default: that of the last bake, if it is still there. */
  workspace?: Workspace;
  /** Called before each stage, by tiles before each tile (so many are `done`), and once at the end (`done === total`). */
  onProgress?: (progress: BuildProgress) => void;
}

export interface BuildProgress {
  /** The stage that starts, or `tile 3, 0`; '' at the end. */
  stage: string;
  done: number;
  total: number;
}

/** The one configuration all stages run on. Everything that is a count of cells is named so. Made by `resolveBake`. */
export interface BakeConfig {
  agent: AgentShape;
  cellSize: number;
  cellHeight: number;
  /** float32 values, local: world = local + offset. */
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  /** Taken off positions given in doubles: a multiple of 1,024 an axis. The stages know only local coordinates. */
  offset: readonly [number, number, number];
  widthCells: number;
  depthCells: number;
  maxSlopeDegrees: number;
  walkableHeightCells: number;
  walkableClimbCells: number;
  walkableRadiusCells: number;
  /** Ground around a tile that is baked with it and cut off again: the radius and 3 cells; 0 without tiles. */
  borderCells: number;
  /** Side of a tile, 0: one tile of any size. */
  tileCells: number;
  /** Tiles along x and z, empty ones among them. */
  tileCountX: number;
  tileCountZ: number;
  partition: Partition;
  maxEdgeLengthCells: number;
  /** Not whole: cells. */
  maxEdgeErrorCells: number;
  regionMinAreaCells: number;
  regionMergeAreaCells: number;
  maxVerticesPerPoly: number;
  /** World units; 0: off. */
  detailSampleDistance: number;
  /** World units. */
  detailMaxError: number;
  filterLowHangingObstacles: boolean;
  filterLedges: boolean;
  filterLowCeilings: boolean;
  medianAreas: boolean;
  tessellateWallEdges: boolean;
  tessellateAreaEdges: boolean;
}

/** Something odd in the input or on the way. `message` is one sentence with the remedy. */
export interface BuildWarning {
  code: BuildWarningCode;
  stage: string;
  count: number;
  message: string;
  /** Where first: a triangle's index, a position. */
  where?: { triangle?: number; position?: [number, number, number] };
}

export type BuildWarningCode =
  | 'no-walkable-triangles'
  | 'cell-larger-than-agent'
  | 'invalid-positions'
  | 'degenerate-triangles'
  | 'height-clamped'
  | 'empty-result'
  | 'hole-not-merged'
  | 'polygon-not-triangulated'
  | 'detail-limited';

export interface BuildReport {
  /** In the order they ran. */
  stages: { name: string; ms: number }[];
  totalMs: number;
  /** Memory the workspace holds after the bake. */
  workspaceBytes: number;
  /** Of all tiles together, with what lies in the borders around them. */
  counts: {
    triangles: number;
    walkableTriangles: number;
    columns: number;
    spans: number;
    walkableSpans: number;
    regions: number;
    contours: number;
    polygons: number;
    vertices: number;
    detailVertices: number;
    detailTriangles: number;
    /** Those with ground. */
    tiles: number;
  };
  warnings: BuildWarning[];
  config: BakeConfig;
}

export interface BuildResult {
  navMesh: NavMesh;
  report: BuildReport;
}
