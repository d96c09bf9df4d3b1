/**
 * The path index: what makes exact shortest paths on a mesh fast to find.
 *
 * A shortest path turns only at *corners*: places on the border where the walkable surface is reflex. The index stores which
 * corners see which parts of which polygon (*cones*), and how far it is from corner to corner. It is a plain record of numbers and
 * typed arrays: it survives `structuredClone`, moves to a worker and is saved to bytes.
 *
 *   point k         : x, z = points[2k], points[2k + 1]; points 0 .. cornerCount - 1 are the corners
 *   cones of poly p : cones[3i .. 3i + 2] for i = polyCone[p] .. polyCone[p + 1] - 1: a corner, and the points on its right and its
 *                     left limiting line. The corner sees the part of the polygon between both lines. ~k: the line runs from
 *                     point k through the corner and beyond
 *   edges of c      : corners that c sees and where both ends can be taut: edgeTarget[i], edgeLength[i] for i = edgeStart[c] ..
 *                     edgeStart[c + 1] - 1
 *   table           : tableLength[c * cornerCount + d], and tableHop of the same index: which edge of d leads back to c
 *   labels of c     : hub labelHub[i] at distance labelLength[i], to which corner labelNext[i] leads, for i = labelStart[c] ..
 *                     labelStart[c + 1] - 1, in the order of hubs. At the hub itself labelNext is the corner
 */

/**
 * How the index knows the distance between two corners, from fast to small: `'table'` looks it up, `'labels'` merges hub labels,
 * `'graph'` searches the graph of corners. `'none'`: the index answers nothing, and queries search the mesh.
 */
export type PathIndexTier = 'table' | 'labels' | 'graph' | 'none';

/**
 * Why the tier is `'none'`: `'max-bytes'`: not even the graph fits into `maxBytes`; `'overlap'`: tiles overlap, so that edges open
 * into two polygons at the same place; `'degenerate'`: the polygons are not convex or tiles do not meet. Otherwise `''`.
 */
export type PathIndexReason = '' | 'max-bytes' | 'overlap' | 'degenerate';

/** See the head of this file. All lengths in world units, seen from above. */
export interface PathIndex {
  /** Version of this record's layout. */
  version: 1;
  tier: PathIndexTier;
  reason: PathIndexReason;
  /** Polygons of the mesh, unused numbers included. */
  polyCount: number;
  /** By tile slot: generation, first polygon, number of polygons and hash of the tile's shape; generation 0: no tile. */
  tileGeneration: Uint16Array;
  tilePolyStart: Int32Array;
  tilePolyCount: Int32Array;
  tileHash: Uint32Array;
  /** By polygon: 1 if it passes the default filter. Only these are in the index. */
  polyOpen: Uint8Array;
  cornerCount: number;
  points: Float64Array;
  /** By corner: its height. */
  cornerY: Float64Array;
  /** By corner: x and z from it along its right wall; 0, 0 where its sector is wider than a full turn. */
  cornerWall: Float64Array;
  /** By cell of a grid: polygons that reach into it. `grid` is its least x and z, and cells per world unit. */
  grid: Float64Array;
  gridWidth: number;
  gridDepth: number;
  cellStart: Int32Array;
  cellPolys: Int32Array;
  polyCone: Int32Array;
  cones: Int32Array;
  edgeStart: Int32Array;
  edgeTarget: Int32Array;
  edgeLength: Float64Array;
  /** Empty unless the tier is `'table'`. */
  tableLength: Float32Array;
  tableHop: Uint8Array | Uint16Array;
  /** Empty unless the tier is `'labels'`. */
  labelStart: Int32Array;
  labelHub: Int32Array;
  labelLength: Float64Array;
  labelNext: Int32Array;
}

/** Returns an index of tier `'none'`. @internal */
export function emptyPathIndex(): PathIndex {
  return {
    version: 1,
    tier: 'none',
    reason: '',
    polyCount: 0,
    tileGeneration: new Uint16Array(0),
    tilePolyStart: new Int32Array(0),
    tilePolyCount: new Int32Array(0),
    tileHash: new Uint32Array(0),
    polyOpen: new Uint8Array(0),
    cornerCount: 0,
    points: new Float64Array(0),
    cornerY: new Float64Array(0),
    cornerWall: new Float64Array(0),
    grid: new Float64Array(3),
    gridWidth: 0,
    gridDepth: 0,
    cellStart: new Int32Array(1),
    cellPolys: new Int32Array(0),
    polyCone: new Int32Array(1),
    cones: new Int32Array(0),
    edgeStart: new Int32Array(1),
    edgeTarget: new Int32Array(0),
    edgeLength: new Float64Array(0),
    tableLength: new Float32Array(0),
    tableHop: new Uint8Array(0),
    labelStart: new Int32Array(0),
    labelHub: new Int32Array(0),
    labelLength: new Float64Array(0),
    labelNext: new Int32Array(0),
  };
}
