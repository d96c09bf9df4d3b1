/**
 * Records that the stages of a voxel bake hand on: Heightfield -> CompactField -> ContourSet -> PolyMesh ->
 * DetailMesh.
 *
 * All are flat arrays. A stage reads the record before it and writes its own.
 *
 * Directions everywhere: 0 = -x, 1 = +z, 2 = +x, 3 = -z. Column (x, z) has index x + z * width.
 */
import type { Workspace } from '../../base/data/workspace.ts';

/**
 * Solid voxels: the spans of each column from the bottom up, in one array. Column c has spans[columnStart[c]]
 * .. spans[columnStart[c + 1] - 1]. A span is one packed number (`spanBottom`, `spanTop`, `spanArea`):
 *
 *      bit 31 … 26      25 … 13      12 … 0
 *        area             top        bottom        in voxels above boundsMin[1]; the top is exclusive
 *
 * Hot loops of rasterize, filter and compact write these shifts and masks out.
 */
export interface Heightfield {
  /** Columns along x. */
  width: number;
  /** Columns along z. */
  depth: number;
  /** World units. */
  cellSize: number;
  /** World units. */
  cellHeight: number;
  /** Local coordinates, as in BakeConfig. */
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  /** width * depth + 1. */
  columnStart: Int32Array;
  spanCount: number;
  spans: Uint32Array;
}

/** Returns the lowest voxel of a span. */
export function spanBottom(span: number): number {
  return span & 0x1fff;
}

/** Returns the voxel above the highest one of a span: its floor. */
export function spanTop(span: number): number {
  return (span >>> 13) & 0x1fff;
}

/** Returns the area id of a span; 0: not walkable. */
export function spanArea(span: number): number {
  return span >>> 26;
}

/** Flag in `CompactField.region` of spans in the border around a tile. */
export const BORDER_REGION = 0x8000000;

/**
 * Walkable floors: the open space above each walkable span of each column, bottom up, with its connections.
 */
export interface CompactField {
  width: number;
  depth: number;
  cellSize: number;
  cellHeight: number;
  boundsMin: readonly [number, number, number];
  /** boundsMax[1] is the level's, raised by the agent's height. */
  boundsMax: readonly [number, number, number];
  walkableHeightCells: number;
  walkableClimbCells: number;
  borderCells: number;
  /** width * depth + 1. */
  columnStart: Int32Array;
  spanCount: number;
  /** Floor of the open space, voxels. */
  y: Uint16Array;
  /** Height of the open space, voxels, at most 255. */
  height: Uint8Array;
  /** Area id; 0: not walkable. */
  area: Uint8Array;
  /** Sizes that fit on each span: bit k for size k. Only in bakes for several sizes. */
  sizes?: Uint16Array;
  /** Four per span, by direction: index of the connected span, or -1. */
  neighbor: Int32Array;
  /** Distance to the nearest border in half cells, smoothed; empty before the distance stage. */
  distance: Uint16Array;
  /** Largest distance before smoothing. */
  maxDistance: number;
  /** Region id; 0: none. Empty before the regions stage. */
  region: Int32Array;
  /** Largest region id in use. */
  regionCount: number;
}

/** Bits of a contour vertex's fourth number that hold the region on the other side of the edge; 0: a wall. */
export const CONTOUR_REGION_MASK = 0x0fffffff;
/** The vertex exists only because of a tile's border. The polygon mesh removes it. */
export const CONTOUR_BORDER_VERTEX = 0x10000000;
/** The edge that starts at the vertex separates two areas. */
export const CONTOUR_AREA_BORDER = 0x20000000;

/** Outlines before they are written: raw points, and the rings of those that are kept. */
export interface Outlines {
  /** Raw points at stride 4: x, y, z, flags. */
  points: Int32Array;
  /** Of each kept point, the next one; positions in the own outline. */
  link: Int32Array;
  /** First raw point of each outline; one more at the end. */
  start: number[];
  /** A kept point of each outline. */
  head: number[];
  /** A span of each outline. */
  span: number[];
  width: number;
  depth: number;
}

/** Keeps further points of outlines. */
export type KeepApart = (outlines: Outlines, field: CompactField, workspace: Workspace) => void;

/**
 * Outlines of regions. Each is a ring of integer points x, y, z (cells and voxels from the field's corner)
 * with a flag word. Contour c has the numbers 4 * start[c] .. 4 * start[c + 1] - 1 of `vertices`
 * (simplified), and of `raw` by `rawStart`.
 */
export interface ContourSet {
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  width: number;
  depth: number;
  cellSize: number;
  cellHeight: number;
  borderCells: number;
  maxEdgeErrorCells: number;
  /** Number of contours. */
  count: number;
  region: Int32Array;
  area: Uint8Array;
  /** count + 1. */
  start: Int32Array;
  /** Four per vertex: x, y, z, flags. */
  vertices: Int32Array;
  rawStart: Int32Array;
  /** The outlines before simplification, a point per side of a cell. Where walls meet a side of the tile, it may be the next cell's corner. */
  raw: Int32Array;
}

/** Convex polygons over shared integer vertices. */
export interface PolyMesh {
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  cellSize: number;
  cellHeight: number;
  borderCells: number;
  maxEdgeErrorCells: number;
  /** Slots per polygon in `polys` and `neighbors`. */
  maxVerticesPerPoly: number;
  vertexCount: number;
  /** Three per vertex: x, y, z in cells and voxels. */
  vertices: Int32Array;
  polyCount: number;
  /** maxVerticesPerPoly per polygon: vertex indices, then -1. */
  polys: Int32Array;
  /**
   * maxVerticesPerPoly per polygon, for the edge from vertex k to k + 1: polygon index, -1: wall, -2 - side:
   * tile border.
   */
  neighbors: Int32Array;
  region: Int32Array;
  area: Uint8Array;
}

/**
 * Triangles that follow the surface's height within each polygon. Laid out as in a `NavMesh`, in local
 * coordinates.
 */
export interface DetailMesh {
  polyCount: number;
  /**
   * polyCount + 1. Counts extra vertices only: a polygon's own vertices come first in its numbering and are
   * not stored.
   */
  vertexStart: Int32Array;
  /** x, y, z of extra vertices, world units. */
  vertices: Float64Array;
  /** polyCount + 1. */
  triStart: Int32Array;
  /** Four bytes per triangle: three vertex numbers within the polygon, and flags of edges on its outline. */
  tris: Uint8Array;
}

/** Regions in the same columns. For each id, the ids that share a column with it; undefined: none, as for most. */
export type Stacked = readonly (Set<number> | undefined)[];
