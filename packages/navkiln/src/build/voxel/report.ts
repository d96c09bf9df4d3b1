/** The result of a bake: the mesh, and a report of times, counts and warnings. */
import type { EmptyReason } from '../../base/data/empty-reason.ts';
import type { AutoLinkReport } from '../../mesh/auto-linker.ts';
import type { ReachWarning } from '../../mesh/reach-keeper.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { BakeConfig } from './bake-config.ts';

/** A problem of the input or of a stage that did not stop the bake. */
export interface BuildWarning {
  code: BuildWarningCode;
  /** Name of the stage that found it. */
  stage: string;
  count: number;
  /** One sentence with the remedy. */
  message: string;
  /** Where it occurs first: the number of an input triangle, or a position. */
  where?: { triangle?: number; position?: [number, number, number] };
  /** Why there is no polygon, in numbers, and the option that helps: what `diagnoseBake` finds. The bake leaves it out. */
  reason?: EmptyReason;
  /** Area that is left out or lost, square units seen from above. Only for 'unreachable-left-out' and 'low-coverage'. */
  area?: number;
  /** What stages remove of the surface that is flat enough, square units. Only for 'low-coverage'. */
  losses?: { filter: number; erode: number; regions: number };
}

/** The code of a bake's warning. */
export type BuildWarningCode =
  | 'no-walkable-triangles'
  | 'flipped-winding'
  | 'cell-larger-than-agent'
  | 'invalid-positions'
  | 'coarse-positions'
  | 'slope-in-radians'
  | 'degenerate-triangles'
  | 'height-clamped'
  | 'empty-result'
  | 'low-coverage'
  | 'hole-not-merged'
  | 'polygon-not-triangulated'
  | 'polygon-not-convex'
  | 'detail-limited'
  | 'tile-lost'
  | 'cache-failed'
  | ReachWarning['code'];

/** Times, counts and warnings of a bake. */
export interface BuildReport {
  /** Stages in the order in which they ran, all tiles together. */
  stages: { name: string; ms: number }[];
  totalMs: number;
  /** Bytes that the workspace holds after the bake. */
  workspaceBytes: number;
  /** Sums over all tiles, with their borders. */
  counts: {
    triangles: number;
    walkableTriangles: number;
    columns: number;
    spans: number;
    walkableSpans: number;
    /** Walkable spans before the filters, lost to erosion, left by it, and in regions: from a sample, without the borders. */
    flatSpans: number;
    erodedSpans: number;
    openSpans: number;
    keptSpans: number;
    regions: number;
    contours: number;
    polygons: number;
    vertices: number;
    detailVertices: number;
    detailTriangles: number;
    /** Tiles with polygons. */
    tiles: number;
  };
  /** Warnings, at most one of each code. */
  warnings: BuildWarning[];
  config: BakeConfig;
  /** Counts of the automatic links. Only for bakes with `autoLinks`; the stage `links` has their time. */
  autoLinks?: AutoLinkReport;
  /** Counts of the tiles in the cache. Only for bakes with a cache. */
  cache?: {
    /** Tiles taken from the cache. */
    hits: number;
    /** Tiles that were baked. */
    misses: number;
    /** Entries that were damaged or of another kind, and were replaced. */
    damaged: number;
    /** Calls of the cache that failed. */
    errors: number;
  };
}

/** Result of a bake. */
export interface BuildResult {
  navMesh: NavMesh;
  report: BuildReport;
}
