/**
 * The path index: a record that makes exact shortest paths on a mesh fast to find.
 *
 * A shortest path turns only at *corners*: points on the border where the walkable surface is reflex. The index stores
 * the parts of polygons that each corner sees (*cones*), and the distances between corners. It is a plain record of
 * numbers and typed arrays, so it can be cloned, sent to a worker and saved to bytes.
 *
 *   point k         : x, z = points[2k], points[2k + 1]; points 0 .. cornerCount - 1 are the corners. The last of them are the ends
 *                     of links: end e is corner cornerCount - linkPoly.length + e
 *   cones of poly p : cones[3i .. 3i + 2] for i = polyCone[p] .. polyCone[p + 1] - 1: a corner, and the points on its right and its
 *                     left limiting line. The corner sees the part of the polygon between both lines. ~k: the line runs from
 *                     point k through the corner and beyond
 *                     In most cones the whole polygon is on the inner side of one line, which then needs no test. Cones
 *                     are ordered: only the right line is tested up to polyTested[2p], only the left one up to
 *                     polyTested[2p + 1], both after that
 *   edges of c      : corners that c sees and where both ends can be taut: edgeTarget[i], edgeLength[i] for i = edgeStart[c] ..
 *                     edgeStart[c + 1] - 1
 *   table           : tableLength[c * cornerCount + d], and tableHop of the same index: which edge of d leads back to c; the number
 *                     of edges of d: the link that ends at d
 *   labels of c     : hub labelHub[i] at distance labelLength[i], to which corner labelNext[i] leads, for i = labelStart[c] ..
 *                     labelStart[c + 1] - 1, in the order of hubs. At the hub itself labelNext is the corner
 *
 * An index of tier 'overlay' has none of these. It divides the mesh into *cells* (connected groups of polygons), groups
 * cells into larger cells, and stores lengths between *gates* (points on the borders of cells).
 *
 *   cell of poly p  : polyCell[p], on the lowest level; -1: not in the index. cellParent[c] is the cell around cell c one level up, -1
 *                     on the uppermost; cells of a level come after the cells of the level below. The lowest level has
 *                     viaStart.length - 1 cells
 *   gate g          : gatePoint[3g .. 3g + 2] between polygons gatePoly[2g] and gatePoly[2g + 1]. gateLevel[g]: searches use it up to
 *                     this level; 0: in no search. Levels decrease from gate to gate
 *   link end e      : also a gate, linkGate[e], whose polygons are both that of the end; gateLink[linkGate[e]] = e. It is in no list of an
 *                     upper cell that has both ends of the link, as lengths in that cell contain the link. The only corners of an
 *                     overlay are link ends
 *   gates of cell c : cellGates[i] for i = cellGateStart[c] .. cellGateStart[c + 1] - 1, in increasing order
 *   lengths in c    : cellLengths[cellLengthStart[c] + i * (i - 1) / 2 + j] between its i-th and j-th gate, j < i. In upper cells of an
 *                     index with one-way links: cellLengths[cellLengthStart[c] + i * count + j] from the i-th to the j-th of count gates
 *   corners of c    : viaPoints[2k .. 2k + 1] for k = viaStart[c] .. viaStart[c + 1] - 1, on paths within c
 *   hops in c       : hops[hopStart[c] + t * (n + m) + f], n gates, m corners: the next point after gate f, or corner f - n, on the
 *                     path to gate t: 0: that gate, k + 1: corner k of the cell
 */

/**
 * How the index stores the distance between two corners, from fast to small: `'table'` looks it up, `'labels'` merges hub labels,
 * `'graph'` searches the graph of corners. `'overlay'` stores lengths through cells, and its paths are nearly the shortest. `'none'`: the
 * index is empty, and queries search the mesh.
 */
export type PathIndexTier = 'table' | 'labels' | 'graph' | 'overlay' | 'none';

/**
 * Why the tier is `'none'`. `'max-bytes'`: not even the graph fits into `maxBytes`. `'overlap'`: tiles overlap, so that
 * edges open into two polygons at the same position, and `tier` excludes an overlay. `'degenerate'`: tiles do not meet,
 * or the surface folds over itself and `tier` excludes an overlay. Otherwise `''`.
 */
export type PathIndexReason = '' | 'max-bytes' | 'overlap' | 'degenerate';

/**
 * A path index: plain data, which `structuredClone` copies.
 * @opaque size, others, tier, reason, polyCount, cornerCount
 */
export interface PathIndex {
  /** Version of this record's layout. */
  version: 3;
  /** The size of agents that the index serves, as an index in `mesh.sizes`; 0 on meshes without sizes. */
  size: number;
  /**
   * Indexes of the same mesh for further sizes. Their own `others` are empty. Queries choose the index of their size.
   */
  others: PathIndex[];
  tier: PathIndexTier;
  reason: PathIndexReason;
  /** Number of polygons of the mesh, including unused indices. */
  polyCount: number;
  /** Per tile slot: generation, first polygon, number of polygons and hash of the tile's shape; generation 0: no tile. */
  tileGeneration: Uint16Array;
  tilePolyStart: Int32Array;
  tilePolyCount: Int32Array;
  tileHash: Uint32Array;
  /**
   * Per polygon: above 0 if it passes the default filter and the size fits on it. Only these polygons are in the index.
   * 2: it has no area or touches itself, so paths near it need not be the shortest. 3: it is a triangle without area
   * along a wall (slivers.ts), which matters only to paths that end on it.
   */
  polyOpen: Uint8Array;
  /** Per polygon: hash of its exits. */
  polyExits: Uint32Array;
  cornerCount: number;
  points: Float64Array;
  /** Per corner: its height. */
  cornerY: Float64Array;
  /** Per corner: a polygon at it. Where obstacles touch, the polygon is in the corner's own sector. */
  cornerPoly: Int32Array;
  /** Per corner: direction (x, z) along its right wall; 0, 0 where its sector is wider than a full turn. */
  cornerWall: Float64Array;
  /**
   * Per cell of a grid: polygons that overlap it. `grid` contains its smallest x and z, and the cells per world unit.
   */
  grid: Float64Array;
  gridWidth: number;
  gridDepth: number;
  cellStart: Int32Array;
  cellPolys: Int32Array;
  polyCone: Int32Array;
  polyTested: Int32Array;
  cones: Int32Array;
  edgeStart: Int32Array;
  edgeTarget: Int32Array;
  edgeLength: Float64Array;
  /** Per link: its slot in the mesh (ascending), its generation, and its length as it counts in paths. */
  linkSlot: Int32Array;
  linkGeneration: Uint16Array;
  linkLength: Float64Array;
  /**
   * Per link end: its polygon, and whether the link leads away from there. 0: no; 1: yes, but it is not shorter than
   * the straight line; 2: yes, and it is shorter.
   */
  linkPoly: Int32Array;
  linkWays: Uint8Array;
  /** The smallest ratio of a path's length to the straight distance: below 1 with links that cost less than their length. */
  linkScale: number;
  /** Empty unless the tier is `'table'`. */
  tableLength: Float32Array;
  tableHop: Uint8Array | Uint16Array;
  /** Empty unless the tier is `'labels'`. */
  labelStart: Int32Array;
  labelHub: Int32Array;
  labelLength: Float64Array;
  labelNext: Int32Array;
  /** The rest is empty unless the tier is `'overlay'`. */
  polyCell: Int32Array;
  cellParent: Int32Array;
  gatePoint: Float64Array;
  gatePoly: Int32Array;
  /** Per gate: the cells of its polygons, on the lowest level. */
  gateCell: Int32Array;
  gateLevel: Uint8Array;
  /** Per gate: its link end, or -1. */
  gateLink: Int32Array;
  /** Per link end: its gate. */
  linkGate: Int32Array;
  cellGateStart: Int32Array;
  cellGates: Int32Array;
  cellLengthStart: Int32Array;
  cellLengths: Float32Array;
  viaStart: Int32Array;
  viaPoints: Float64Array;
  hopStart: Int32Array;
  hops: Uint8Array | Uint16Array;
}

/** Returns an index of tier `'none'`. @internal */
export function emptyPathIndex(size: number = 0): PathIndex {
  return {
    version: 3,
    size,
    others: [],
    tier: 'none',
    reason: '',
    polyCount: 0,
    tileGeneration: new Uint16Array(0),
    tilePolyStart: new Int32Array(0),
    tilePolyCount: new Int32Array(0),
    tileHash: new Uint32Array(0),
    polyOpen: new Uint8Array(0),
    polyExits: new Uint32Array(0),
    cornerCount: 0,
    points: new Float64Array(0),
    cornerY: new Float64Array(0),
    cornerPoly: new Int32Array(0),
    cornerWall: new Float64Array(0),
    grid: new Float64Array(3),
    gridWidth: 0,
    gridDepth: 0,
    cellStart: new Int32Array(1),
    cellPolys: new Int32Array(0),
    polyCone: new Int32Array(1),
    polyTested: new Int32Array(0),
    cones: new Int32Array(0),
    edgeStart: new Int32Array(1),
    edgeTarget: new Int32Array(0),
    edgeLength: new Float64Array(0),
    linkSlot: new Int32Array(0),
    linkGeneration: new Uint16Array(0),
    linkLength: new Float64Array(0),
    linkPoly: new Int32Array(0),
    linkWays: new Uint8Array(0),
    linkScale: 1,
    tableLength: new Float32Array(0),
    tableHop: new Uint8Array(0),
    labelStart: new Int32Array(0),
    labelHub: new Int32Array(0),
    labelLength: new Float64Array(0),
    labelNext: new Int32Array(0),
    polyCell: new Int32Array(0),
    cellParent: new Int32Array(0),
    gatePoint: new Float64Array(0),
    gatePoly: new Int32Array(0),
    gateCell: new Int32Array(0),
    gateLevel: new Uint8Array(0),
    gateLink: new Int32Array(0),
    linkGate: new Int32Array(0),
    cellGateStart: new Int32Array(1),
    cellGates: new Int32Array(0),
    cellLengthStart: new Int32Array(1),
    cellLengths: new Float32Array(0),
    viaStart: new Int32Array(1),
    viaPoints: new Float64Array(0),
    hopStart: new Int32Array(1),
    hops: new Uint8Array(0),
  };
}
