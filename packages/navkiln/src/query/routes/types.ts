/**
 * The route graph: a record of all tiles of a world that stays in memory, so that searches find routes over tiles that
 * are not loaded.
 *
 *   +-------------+-------------+      A tile's walkable surface is divided into *cells*: connected polygons of one area, with the
 *   |   cell      x             |      same flags and the same name. *Gates* (x) are points where paths pass from cell to cell: at
 *   |      +------x    cell     |      fixed places along the borders of tiles, and between cells of one tile. A record has the
 *   |      | lake |             |      length between each two gates of a cell.
 *   +-------------+-------------+
 *
 * A record depends only on its tile, so a changed tile changes only its own record. The graph joins records where
 * borders of neighboring tiles touch, and groups tiles into *blocks* of two sizes. A search crosses a block in one
 * step.
 */

/**
 * A tile in a route graph. All arrays are local to the tile; positions are relative to its corner with the smallest x
 * and z.
 */
export interface RouteTile {
  x: number;
  z: number;
  layer: number;
  /** Per cell: its area. */
  cellArea: Uint8Array;
  cellFlags: Uint16Array;
  /** Per cell: the name of its polygons, or ''. */
  cellName: string[];
  /** 6 per cell: smallest and largest x, y, z. y is relative to the origin of the mesh. */
  cellBox: Float32Array;
  /** Gates of cell c: cellGate[c] .. cellGate[c + 1] - 1. */
  cellGate: Uint16Array;
  /** 3 per gate: its position. */
  gatePoint: Float32Array;
  /** Per gate: its polygon, counted from the tile's first. */
  gatePoly: Int32Array;
  /** Per gate: its run. -1: it lies between cells of the tile; -2 - e: it is link end e. */
  gateRun: Int32Array;
  /** Pairs of gates of the tile at the same position, in neighboring cells. */
  pairs: Uint16Array;
  /**
   * Runs: parts of the tile's border that belong to one cell. Run r lies on side runSide[r] (0: -x, 1: +z, 2: +x, 3: -z) and leads
   * over points runStart[r] .. runStart[r + 1] - 1: position along the border, height.
   */
  runSide: Uint8Array;
  runCell: Uint16Array;
  runStart: Uint16Array;
  runPoints: Float32Array;
  /**
   * Length between gates i and j < i of cell c, counted within the cell: lengths[lengthStart[c] + i * (i - 1) / 2 + j]
   * * lengthStep, world units.
   */
  lengthStart: Int32Array;
  lengths: Uint16Array;
  lengthStep: number;
}

/** The properties of links that routes need. */
export interface RouteLinks {
  state: Uint8Array;
  flags: Uint16Array;
  area: Uint8Array;
  length: Float64Array;
  /** Two per link: the gate at each end, or -1. */
  gate: Int32Array;
  /** The smallest ratio of a link's cost to its straight length, at most 1. */
  scale: number;
}

/** All blocks of one size. */
export interface RouteLevel {
  /** Tiles along a side of a block. */
  side: number;
  /** The number of each block by its position. */
  ids: Map<number, number>;
  /** Per tile slot: its block. */
  tileBlock: Int32Array;
  /** Per block: its position in blocks, x and z. */
  blockX: number[];
  blockZ: number[];
  /** Per block: gates that lead out of it. Undefined: they have to be collected again. */
  gates: (Int32Array | undefined)[];
  /** Per block: incremented when something in it has changed. */
  versions: number[];
}

/**
 * A route graph. Create one with `buildRouteGraph` or `openRouteGraph`.
 * @opaque source, tileSize, size, revision, cellCount, gateCount, edgeCount
 */
export interface RouteGraph {
  /**
   * `'mesh'`: records come from a mesh that has all tiles. `'records'`: they were read from files, and meshes have some
   * of the tiles.
   */
  source: 'mesh' | 'records';
  /** Corner of tile (0, 0), world units. */
  origin: Float64Array;
  tileSize: number;
  /** Default half extents of the box in which ends are searched; see `defaultHalfExtents`. */
  halfExtents: Float64Array;
  /** The size of agents that the graph serves, as an index in `mesh.sizes`; -1: the mesh has no sizes. */
  size: number;
  /** Largest difference in height, and smallest overlap, at which borders of tiles touch. */
  reach: number;
  rounding: number;
  /** Incremented with each change. */
  revision: number;
  /** The mesh, and its revision, with which the graph was last compared. */
  meshRevision: number;
  /** Records by slot; a slot of a removed tile is undefined. */
  tiles: (RouteTile | undefined)[];
  /** Slots by position of the tile. */
  slots: Map<number, number[]>;
  freeSlots: number[];
  /** Per slot: hash of the tile from which the record was created. */
  tileHash: number[];
  /** Per slot: its first gate and first cell. */
  tileGate: number[];
  tileCell: number[];
  cellCount: number;
  /** Per cell: area, and flags, 0 while its name is disabled. */
  cellArea: Uint8Array;
  cellFlags: Uint16Array;
  gateCount: number;
  gateX: Float64Array;
  gateY: Float64Array;
  gateZ: Float64Array;
  gateTile: Int32Array;
  gateCell: Int32Array;
  /** Per gate: its first edge, or -1. */
  gateEdge: Int32Array;
  /** Edges join gates of different cells, at the same position of a border or over a link. */
  edgeCount: number;
  edgeFree: number;
  edgeTo: Int32Array;
  edgeNext: Int32Array;
  /** Distance between both gates along the border. For edges over links, the length in `links` is used instead. */
  edgeCost: Float64Array;
  /** The link end at which the edge enters its link, or -1. */
  edgeLink: Int32Array;
  /** 1 if searches from block to block use the edge. */
  edgeMajor: Uint8Array;
  /** Free ranges of gates and cells of removed tiles, by length. */
  freeGates: Map<number, number[]>;
  freeCells: Map<number, number[]>;
  links: RouteLinks;
  /** Names that are disabled. */
  closedNames: Set<string>;
  levels: RouteLevel[];
  /** Lengths through blocks per filter, the last used first. */
  metrics: RouteMetric[];
}

/** Lengths through a block for one filter. */
export interface RouteBlock {
  /** Revision of the graph at the last comparison. */
  checked: number;
  /** Sum of the versions of the blocks that it depends on. */
  version: number;
  /** Gates by which searches enter and leave the block. */
  gates: Int32Array;
  /** lengths[i * n + j]: length from the i-th to the j-th of n gates; 0 from each gate to itself. */
  lengths: Float32Array;
  /**
   * Gates outside the block across an edge of the i-th gate: exitTo[e] at a cost of exitCost[e], e = exitStart[i] ..
   * exitStart[i + 1] - 1.
   */
  exitStart: Int32Array;
  exitTo: Int32Array;
  exitCost: Float64Array;
}

/** Lengths through blocks for one filter. */
export interface RouteMetric {
  areaCosts: Float64Array;
  includeFlags: number;
  excludeFlags: number;
  closedLinks: number;
  /** The factor from straight distances to estimates. */
  scale: number;
  /** Per level and block: its lengths. Undefined: not measured yet. */
  blocks: (RouteBlock | undefined)[][];
  /** Per level and gate: its index in the list of its block. Valid only if the list has the gate at that index. */
  places: Int32Array[];
}
