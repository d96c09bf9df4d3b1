/**
 * The records between the stages of a 2D map, in the order of the stages.
 *
 * All coordinates are integers in grid cells; `GridFrame` says where the cells lie. "Counter-clockwise" and
 * "left" are as on paper with y up. Only tile.ts decides how that lies in the mesh.
 */

/**
 * The position of grid cells in the map: x = originX + cells * gridSize. Exact: gridSize is a power of two,
 * the origin a multiple of it.
 */
export interface GridFrame {
  gridSize: number;
  originX: number;
  originY: number;
}

/** A point of the grid. */
export interface GridPoint {
  x: number;
  y: number;
}

/** Rings of points: ring r is points start[r] .. start[r + 1] - 1, closed without repeating its first point. */
export interface Rings {
  ringCount: number;
  start: Int32Array;
  x: Int32Array;
  y: Int32Array;
}

/**
 * Points and segments between them, as triangles over the box around them, in half-edges. Edge e is the two
 * half-edges h = 2e and h ^ 1. Half-edge h runs from vertex origin[h] to origin[h ^ 1] with its triangle on
 * the left; next[h] is the next half-edge of the triangle, -1 outside the box. Vertices 0 .. 3 are the
 * corners of the box.
 */
export interface Triangulation {
  vertexCount: number;
  xs: Float64Array;
  ys: Float64Array;
  edgeCount: number;
  origin: Int32Array;
  next: Int32Array;
  /** A half-edge that starts at each vertex. */
  vertexEdge: Int32Array;
  /** For each edge: 1 when it is part of a ring or of the box. */
  fixed: Uint8Array;
  /** For each edge: how much larger the winding number is to the left of half-edge 2e than to its right. */
  weight: Int32Array;
  /** Number of crossings between grid points, where segments were bent by less than a cell. */
  splitCount: number;
  /** Number of vertices and segments that were joined although they do not touch on the grid: see join-near.ts. */
  joinCount: number;
  /** The vertex of each given point. */
  vertexOf: Int32Array;
}

/**
 * Convex pieces: piece p has corners start[p] .. start[p + 1] - 1, counter-clockwise, as vertices of x and y.
 */
export interface ConvexPieces {
  pieceCount: number;
  start: Int32Array;
  corner: Int32Array;
  /** For each corner: the piece behind the edge that starts there; -1 for a wall. */
  neighbor: Int32Array;
  /** The area id of each piece; absent: all are ground. */
  area?: Uint8Array;
  vertexCount: number;
  x: Int32Array;
  y: Int32Array;
}

/** A ring on the grid with its name, as in `polygons[0].holes[1]`. */
export interface NamedPoints {
  name: string;
  points: readonly GridPoint[];
}

/** Two rings of a map that nearly touch. */
export interface NearMiss {
  /** Names of the rings, as in `polygons[0].holes[1]`. */
  rings: [first: string, second: string];
  /** Map units. */
  distance: number;
  /** Where they are nearest, map units. */
  at: [x: number, y: number];
}
