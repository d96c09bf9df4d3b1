/**
 * The clearance of a 2D map: triangles between its walls, and for each edge the largest diameter of an agent that
 * can cross it.
 *
 * Positions are in grid cells from an origin, seen from above: x to the right, v = -z up. Half-edge h of triangle t = h / 3 runs from
 * corner[h] to the corner after it, with the triangle on its left.
 *
 * Based on: own.
 */

/**
 * Triangles of a 2D map with clearances. The record is plain data, so `structuredClone` copies it. Later changes of the mesh have no effect.
 * @opaque gridSize, mapYSign, maxRadius, missed, cornerCount, triangleCount
 */
export interface Clearance {
  /** Size of a cell, world units, at most 3e-8 of the map's size, and the position of cell 0, 0. */
  gridSize: number;
  originX: number;
  originV: number;
  /** As in the mesh: -1 if y of the map points up. */
  mapYSign: number;
  vertexCount: number;
  /** Number of corners of walls. They come first; other vertices are points on walls opposite to corners. */
  cornerCount: number;
  /** For each vertex: 1 if paths may turn around it, because the angle of the surface there is larger than pi. */
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
   * Tree of the widest passages between triangles. For each triangle: its parent, the width of the passage to it, and the half-edge of the
   * passage. Widths never increase towards the root. Roots have -1.
   */
  parent: Int32Array;
  parentWidth: Float64Array;
  parentEdge: Int32Array;
  /** Number of each triangle in a depth-first search, last number below it; for each half-edge, whether it is a bridge (bridges.ts). */
  order: Int32Array;
  last: Int32Array;
  bridge: Uint8Array;
  /** Triangles by squares of `side` cells: square k has items start[k] .. start[k + 1] - 1. */
  side: number;
  columns: number;
  rows: number;
  start: Int32Array;
  items: Int32Array;
  /** Largest radius of queries, units of the map. */
  maxRadius: number;
  /** If `maxRadius` is finite: the clearance for all radii, for paths that the search does not find among large triangles. */
  whole: Clearance | undefined;
  /** Largest radius that fits anywhere on the map, cells; an upper bound. */
  mostRoom: number;
  /** Number of passages between a corner and a wall that are not edges; 0 except for rounding errors. */
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
 * Returns a shallow copy of the record. Records that are created by this one function share a hidden class of the engine. Records from
 * `structuredClone` or workers would have others, and the search took twice as long on them.
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
