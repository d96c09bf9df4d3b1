/**
 * The clearance of a 2D map: triangles between its walls, and for each edge the width that agents have to
 * cross it.
 *
 * Positions are in grid cells from an origin, seen from above: x to the right, v = -z up. Half-edge h of triangle t = h / 3 runs from
 * corner[h] to the corner after it, with the triangle on its left.
 *
 * Based on: own.
 */

/** Triangles of a 2D map with clearances. Plain: it survives `structuredClone`. Describes the mesh as it was when it was created. */
export interface Clearance {
  /** Size of a cell, world units, and the position of cell 0, 0. */
  gridSize: number;
  originX: number;
  originV: number;
  /** As in the mesh: -1 where y of the map points up. */
  mapYSign: number;
  vertexCount: number;
  /** Corners of walls come first, then points on walls opposite to corners. */
  cornerCount: number;
  /** For each vertex: 1 where paths may turn around it, as the surface takes more than half of a turn there. */
  isTurn: Uint8Array;
  xs: Float64Array;
  vs: Float64Array;
  triangleCount: number;
  corner: Int32Array;
  /** The half-edge on the other side; -1 for a wall. */
  twin: Int32Array;
  /** For each half-edge: the largest diameter, in cells, of an agent that may cross it. Exact, rounded down to a double. */
  width: Float64Array;
  /**
   * Triangles by the widest passage between them, as a tree: from each, the triangle that it was joined to, how wide the passage is, and
   * its half-edge. Widths do not grow towards the root; -1 at roots.
   */
  parent: Int32Array;
  parentWidth: Float64Array;
  parentEdge: Int32Array;
  /** Triangles in the order of a depth-first search, the last one below each; for each half-edge, whether it is a bridge (bridges.ts). */
  order: Int32Array;
  last: Int32Array;
  bridge: Uint8Array;
  /** Triangles by squares of `side` cells: square k has items start[k] .. start[k + 1] - 1. */
  side: number;
  columns: number;
  rows: number;
  start: Int32Array;
  items: Int32Array;
  /** Queries with a larger radius are refused, units of the map. */
  maxRadius: number;
  /** With a largest radius: the clearance for all radii, for paths that the search does not find among large triangles. */
  whole: Clearance | undefined;
  /** No larger radius has room anywhere, cells. */
  mostRoom: number;
  /** Passages between a corner and a wall that are no edges; 0 but for rounding. */
  missed: number;
}

/** Returns the next half-edge of a triangle. */
export function nextOf(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

/** Returns the half-edge of a triangle before this one. */
export function beforeOf(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

/**
 * Returns a copy of the record, but not of its arrays. Records that one function made share the engine's layout of fields, which those of
 * several maps, workers and copies would not: the search took twice the time on them.
 */
export function withLayout(of: Clearance): Clearance {
  return {
    gridSize: of.gridSize,
    originX: of.originX,
    originV: of.originV,
    mapYSign: of.mapYSign,
    vertexCount: of.vertexCount,
    cornerCount: of.cornerCount,
    isTurn: of.isTurn,
    xs: of.xs,
    vs: of.vs,
    triangleCount: of.triangleCount,
    corner: of.corner,
    twin: of.twin,
    width: of.width,
    parent: of.parent,
    parentWidth: of.parentWidth,
    parentEdge: of.parentEdge,
    order: of.order,
    last: of.last,
    bridge: of.bridge,
    side: of.side,
    columns: of.columns,
    rows: of.rows,
    start: of.start,
    items: of.items,
    maxRadius: of.maxRadius,
    whole: of.whole,
    mostRoom: of.mostRoom,
    missed: of.missed,
  };
}
