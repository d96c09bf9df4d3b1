/**
 * The records that the stages of a voxel bake hand on, in order: Heightfield -> CompactField -> ContourSet -> PolyMesh ->
 * DetailMesh. All are flat arrays; a stage reads the one before and writes its own.
 *
 * Directions, everywhere: 0 = -x, 1 = +z, 2 = +x, 3 = -z. A column (x, z) has index x + z * width.
 */

/**
 * Solid voxels: for each column its spans from the bottom up, side by side in one array.
 * Column c has spans[columnStart[c]] .. spans[columnStart[c + 1] - 1]. A span is one packed number (see span* below):
 *
 *      bit 31 … 26      25 … 13      12 … 0
 *        area             top        bottom        in voxels above boundsMin[1]; the top is exclusive
 */
export interface Heightfield {
  width: number;
  depth: number;
  cellSize: number;
  cellHeight: number;
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  columnStart: Int32Array;
  spanCount: number;
  spans: Uint32Array;
}

export function spanBottom(span: number): number {
  return span & 0x1fff;
}

export function spanTop(span: number): number {
  return (span >>> 13) & 0x1fff;
}

export function spanArea(span: number): number {
  return span >>> 26;
}

/** Flag in `CompactField.region` of ground in the border around a tile. */
export const BORDER_REGION = 0x8000000;

/** Walkable floors: for each column the open space above each walkable span, bottom up, with what it is connected to. */
export interface CompactField {
  width: number;
  depth: number;
  cellSize: number;
  cellHeight: number;
  boundsMin: readonly [number, number, number];
  /** boundsMax[1] is raised by the agent's height. */
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
  area: Uint8Array;
  /** 4 a span, by direction: index of the connected span, or -1. */
  neighbor: Int32Array;
  /** Distance to the nearest border, 2 a cell (3 across a corner); empty before the distance stage. */
  distance: Uint16Array;
  maxDistance: number;
  /** 0: none; empty before the region stage. */
  region: Int32Array;
  /** Largest region id in use. */
  regionCount: number;
}

/** Flags of a contour vertex's fourth number: the region on the other side (0: none), and two marks. */
export const CONTOUR_REGION_MASK = 0x0fffffff;
/** The vertex lies on a tile's border and is removed later. */
export const CONTOUR_BORDER_VERTEX = 0x10000000;
/** The edge that starts here runs between two areas. */
export const CONTOUR_AREA_BORDER = 0x20000000;

/**
 * Outlines of regions, each a ring of integer points x, y, z (cells and voxels from the field's corner) and a flag word.
 * Contour c: vertices 4 * start[c] .. 4 * start[c + 1] of `vertices` (simplified) and the same of `raw`.
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
  count: number;
  region: Int32Array;
  area: Uint8Array;
  start: Int32Array;
  /** 4 a vertex: x, y, z, flags. */
  vertices: Int32Array;
  rawStart: Int32Array;
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
  /** Slots a polygon has in `polys` and `neighbors`. */
  maxVerticesPerPoly: number;
  vertexCount: number;
  /** 3 a vertex: x, y, z in cells and voxels. */
  vertices: Int32Array;
  polyCount: number;
  /** maxVerticesPerPoly a polygon: vertex indices, the rest -1. */
  polys: Int32Array;
  /** maxVerticesPerPoly a polygon, edge k from vertex k to k + 1: polygon index, -1 wall, -2 - side on a tile's border. */
  neighbors: Int32Array;
  region: Int32Array;
  area: Uint8Array;
}

/** Triangles that follow the ground's height within each polygon. Layout of detail in navmesh/types.ts, but local. */
export interface DetailMesh {
  polyCount: number;
  /** polyCount + 1. Extra vertices only: the polygon's own come first in local numbering and are not repeated. */
  vertexStart: Int32Array;
  /** World units, xyz. */
  vertices: Float64Array;
  triStart: Int32Array;
  /** 4 bytes a triangle: local vertex numbers and boundary flags. */
  tris: Uint8Array;
}
