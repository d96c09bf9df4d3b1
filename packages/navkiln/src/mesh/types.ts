/**
 * The NavMesh: the structure that every builder makes and every query reads.
 *
 * A `NavMesh` is a plain record of numbers and typed arrays. It survives `structuredClone`, moves to a
 * worker, and is saved section by section. All tiles share the same pools (vertices, polygons, edges,
 * detail): a tile is a range in each pool. Inside the library a polygon is its dense *polygon index* into the
 * pools, so a search never looks up a tile. Outside, a polygon is a `PolyRef`, which is checked (see ref.ts).
 *
 * Conventions: right-handed, y up, world units in double precision. Polygons are convex and counter-clockwise
 * seen from above (+y towards the viewer, x to the right, z towards the bottom of the page: normal = +y).
 *
 * Layout by index arithmetic:
 *
 *   vertex v        : vertices[3v .. 3v+2]                                        x, y, z
 *   polygon p       : edges polyEdgeStart[p] .. polyEdgeStart[p] + polyVertexCount[p] - 1
 *   edge e of p     : runs from vertex edgeVertex[e] to the vertex of the next edge of p (cyclic)
 *                     edgeNeighbor[e] >= 0   polygon index on the other side
 *                     edgeNeighbor[e] == -1  wall
 *                     edgeNeighbor[e] <= -2  on the tile's border, side -2 - edgeNeighbor[e]: 0 = -x, 1 = +z,
 *                                            2 = +x, 3 = -z; portals of p that name it open parts of it, the
 *                                            rest is wall
 *   portals of p    : l = polyPortal[p], then portalNext[l] until -1. Portal l opens edge portalEdge[l] of p to
 *                     polygon portalPoly[l] of a neighboring tile, from portalSpan[2l] to portalSpan[2l+1]
 *                     (0 .. 1 along the edge, from its start); portalBack[l] is the reverse portal
 *   links at p      : link ends h = polyLink[p], then linkNext[h] until -1. Link end h belongs to link h >> 1:
 *                     its start (h even) or end (h odd); linkPoly[h] == p. The other end is link end h ^ 1, on
 *                     polygon linkPoly[h ^ 1] or unattached (-1). Ends are segments linkPoints[6h .. 6h+5] as
 *                     given (two points xyz; equal for a point), and linkAnchors[6h .. 6h+5], the same moved
 *                     onto polygon p. Those of a straight link have the same length and direction
 *   detail of p     : extra vertices polyDetailVertexStart[p] .. + polyDetailVertexCount[p] - 1 in detailVertices
 *                     (xyz), triangles polyDetailTriStart[p] .. + polyDetailTriCount[p] - 1 in detailTris, 4 bytes
 *                     each: three local vertex numbers (below polyVertexCount: a vertex of the polygon; else an
 *                     extra vertex) and boundary flags (bit 2k: the edge from corner k to corner k+1 lies on the
 *                     polygon's boundary). Without triangles, the polygon is a fan around its first vertex.
 *   node n of tile t: bvBounds[6n .. 6n+5] = min xyz, max xyz in float32, *relative to the tile's tileBounds
 *                     minimum*, rounded outwards; bvItem[n] >= 0: leaf, polygon index; < 0: inner node, skip
 *                     -bvItem[n] nodes to escape. Nodes are in depth-first order.
 */

/**
 * A checked handle of a polygon: tile slot, generation and polygon in one number below 2^53. 0 is null; see
 * ref.ts.
 */
export type PolyRef = number & { readonly __brand: 'PolyRef' };

/** The agent that a mesh was baked for. World units. */
export interface AgentShape {
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
}

/**
 * A size of agents that a mesh with sizes serves, world units. Size k has bit k of `polySizes`.
 */
export interface MeshSize {
  /** Not empty, and no other size has it. */
  name: string;
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
  /** The rules for `createAgentTypes`, encoded. Empty: everything is allowed at cost 1. */
  rules: readonly number[];
}

/**
 * A navigation mesh: tiles of polygons as typed arrays, in the order of dense polygon indices. It survives `structuredClone`.
 * The arrays are the library's own; `NavMeshArrays` of `navkiln/kernel` names them.
 * @opaque revision, agent, cellSize, cellHeight, origin, tileSize, mapYSign, sizes, polyCount, polyArea, polyFlags
 */
export interface NavMesh {
  /** Version of this record's layout. */
  version: 1;
  /**
   * Number of changes of tiles, links, areas and flags since the mesh was created or loaded. Not saved. Code
   * that writes into the arrays increments it, so that others notice.
   */
  revision: number;
  /** The agent that the mesh was baked for. */
  agent: AgentShape;
  /** Voxel size of the bake, world units; 0 when the mesh was not made of voxels. */
  cellSize: number;
  /** Height of its voxels, world units; 0 when the mesh was not made of voxels. */
  cellHeight: number;
  /** Minimum corner of tile (0, 0), world units. */
  origin: Float64Array;
  /** Side of a square tile in x and z, world units; 0: the mesh has one tile of any size. */
  tileSize: number;
  /**
   * Direction of the y of a 2D map in the mesh. -1: z = -y (y points up). 1: z = y (y points down). 0: the mesh was
   * not made from a 2D map.
   */
  mapYSign: number;
  /** Packed spans of all tiles of a dynamic bake, for `openWorld` (build/voxel/obstacles/baked-layers.ts). Otherwise empty. */
  layers: Uint8Array;
  /** Sizes of agents by radius, then height; at most 16. Empty: the mesh is for `agent` alone. See sizes.ts. */
  sizes: MeshSize[];
  /** Names of areas and links, in the order in which they were added; see enable.ts. */
  groups: NamedGroup[];
  /** The group of each named polygon. */
  polyGroup: Map<PolyRef, NamedGroup>;

  /** Number of tile slots ever used, free ones included; each tile* array has room for at least that many. */
  tileSlotCount: number;
  /** 0 free, 1 used. */
  tileState: Uint8Array;
  /** Incremented each time a slot is given out; never 0 in a used slot. */
  tileGeneration: Uint16Array;
  tileX: Int32Array;
  tileZ: Int32Array;
  tileLayer: Int32Array;
  /** 6 per slot: min xyz, max xyz of the tile's content, world units. */
  tileBounds: Float64Array;
  tileVertexStart: Int32Array;
  tileVertexCount: Int32Array;
  tilePolyStart: Int32Array;
  tilePolyCount: Int32Array;
  tileEdgeStart: Int32Array;
  tileEdgeCount: Int32Array;
  tileDetailVertexStart: Int32Array;
  tileDetailVertexCount: Int32Array;
  tileDetailTriStart: Int32Array;
  tileDetailTriCount: Int32Array;
  tileNodeStart: Int32Array;
  tileNodeCount: Int32Array;
  /**
   * First free slot, or -1. In a free slot, `tileX` is the next free one and `tileGeneration` that of its
   * last use.
   */
  tileFreeSlot: number;
  /**
   * Lookup of tiles by (x, z), derived (not saved): bucket -> first slot or -1. The number of buckets is a
   * power of two.
   */
  tileHash: Int32Array;
  /** Next slot in the same bucket, or -1. */
  tileNext: Int32Array;

  /** Used sizes of the pools, holes of removed tiles included; arrays may have more room. */
  vertexCount: number;
  /** Number of polygons, and of dense indices of polygons; those of removed tiles count until other tiles take their room. */
  polyCount: number;
  edgeCount: number;
  detailVertexCount: number;
  detailTriCount: number;
  nodeCount: number;

  vertices: Float64Array;

  polyTile: Int32Array;
  polyEdgeStart: Int32Array;
  polyVertexCount: Uint8Array;
  /** 1 .. 63; 0 is never stored. Unmarked polygons have `AREA_GROUND`. */
  polyArea: Uint8Array;
  /** 16 bits per polygon, for filters; 0 while its name is disabled. */
  polyFlags: Uint16Array;
  /** Bit k: an agent of size k fits on the whole polygon. Without sizes, nothing reads it. */
  polySizes: Uint16Array;
  polyDetailVertexStart: Int32Array;
  polyDetailVertexCount: Uint8Array;
  polyDetailTriStart: Int32Array;
  polyDetailTriCount: Uint16Array;
  /** The polygon's island: root of the island's subtree, counted from the tile's first node. See bv-tree.ts. */
  polyIsland: Int32Array;
  /**
   * Union-find of islands across tiles, derived: at an island's root node another root node of the same
   * connected surface or itself; elsewhere -1. See islands.ts.
   */
  islandParent: Int32Array;
  /** 1: a connection was removed, so `islandParent` may unite islands that are no longer connected. Derived. */
  islandsStale: number;

  edgeVertex: Int32Array;
  edgeNeighbor: Int32Array;

  detailVertices: Float64Array;
  detailTris: Uint8Array;

  bvBounds: Float32Array;
  bvItem: Int32Array;

  /** Portals connect polygons of different tiles. Number of slots ever used, free ones included. */
  portalCount: number;
  /** First free portal, or -1; `portalNext` leads to the others. A free portal has `portalPoly` -1. */
  portalFree: number;
  /** First portal of each polygon, or -1. */
  polyPortal: Int32Array;
  portalNext: Int32Array;
  portalPoly: Int32Array;
  portalEdge: Int32Array;
  portalBack: Int32Array;
  portalSpan: Float64Array;

  /** Off-mesh links: number of slots ever used, free ones included. */
  linkCount: number;
  /** First free link slot, or -1. In a free slot, `linkUserId` is the next free one. */
  linkFree: number;
  /** Bits: `LINK_USED`, `LINK_ENABLED`, `LINK_BOTH_WAYS`, `LINK_STRAIGHT`; from bit 5 the number of the kind (link-kinds.ts). 0: free. */
  linkState: Uint8Array;
  /** Incremented each time a slot is given out, as for tiles. */
  linkGeneration: Uint16Array;
  /** 12 per link: start segment, end segment, world units. */
  linkPoints: Float64Array;
  /** Largest horizontal distance between an end and its polygon, world units. */
  linkRadius: Float64Array;
  /** Length that the link counts as, before the cost of its area; -1: its true length. */
  linkCost: Float64Array;
  /** 1 .. 63. */
  linkArea: Uint8Array;
  linkFlags: Uint16Array;
  /** Bit k: agents of size k can use the link. Without sizes, nothing reads it. */
  linkSizes: Uint16Array;
  /** A number that the caller chooses. */
  linkUserId: Float64Array;
  /** 2 per link, one per link end: the polygon that the end is attached to, or -1. */
  linkPoly: Int32Array;
  /** 2 per link: the next link end on the same polygon, or -1. */
  linkNext: Int32Array;
  /** 12 per link: both segments, moved onto their polygons. */
  linkAnchors: Float64Array;
  /** First link end on each polygon, or -1. */
  polyLink: Int32Array;
  /**
   * Lookup of link ends by the square they lie in: bucket -> first link end or -1. The number of buckets is a
   * power of two. Empty until a change needs it.
   */
  linkHash: Int32Array;
  /** 2 per link: the next link end in the same bucket, or -1. */
  linkHashNext: Int32Array;
  /** At least the largest `linkRadius`, once the lookup exists. */
  linkReach: number;
  /**
   * The smallest ratio of a link's cost to its straight length, at most 1; search estimates are scaled by it.
   */
  linkScale: number;
}

/**
 * A `NavMesh` with all of its arrays, for code that reads them: `navMesh as NavMeshArrays`. The layout may change with each version.
 * @whole
 */
export type NavMeshArrays = NavMesh;

/** Polygons and links with one name. */
export interface NamedGroup {
  name: string;
  isEnabled: boolean;
  /** While disabled, the flags that each polygon gets back; otherwise 0. */
  polys: Map<PolyRef, number>;
  /** Link refs. */
  links: Set<number>;
}

/** Bits of `linkState`. */
export const LINK_USED = 1;
export const LINK_ENABLED = 2;
export const LINK_BOTH_WAYS = 4;
/** The link is crossed straight: from a point of one end to the opposite point of the other (straight-links.ts). */
export const LINK_STRAIGHT = 8;

/** A checked handle of a link: generation and slot, as in a `PolyRef`. 0 is null. */
export type LinkRef = number & { readonly __brand: 'LinkRef' };

/**
 * One tile before it is added to a mesh, as builders hand it to `addTile`. All indices are local to the tile.
 */
export interface TileData {
  x: number;
  z: number;
  layer: number;
  vertexCount: number;
  polyCount: number;
  /** xyz, world units. */
  vertices: Float64Array;
  /** polyCount + 1 entries: polygon p has edges polyEdgeStart[p] .. polyEdgeStart[p+1] - 1. */
  polyEdgeStart: Int32Array;
  polyArea: Uint8Array;
  polyFlags: Uint16Array;
  /** As in `NavMesh`. Default: all sizes fit. */
  polySizes?: Uint16Array;
  /** Local vertex index at which each edge starts. */
  edgeVertex: Int32Array;
  /** Local polygon index, -1 for a wall, <= -2 for a border side, as in `NavMesh`. */
  edgeNeighbor: Int32Array;
  /** polyCount + 1 entries each; all zero without detail. */
  polyDetailVertexStart: Int32Array;
  polyDetailTriStart: Int32Array;
  detailVertices: Float64Array;
  detailTris: Uint8Array;
  /** The settings of the bake; a mesh with other settings refuses the tile. Absent: unknown. */
  settings?: TileSettings;
  /** Named polygons, each in one group at most; see `setEnabled`. Default: none. */
  groups?: readonly TileGroup[];
}

/** The polygons of a tile that have a name. */
export interface TileGroup {
  /** Not empty. */
  name: string;
  /** Local indices. */
  polys: readonly number[];
}

/** The settings a tile was baked with; fields as in `NavMesh`. */
export interface TileSettings {
  agent: AgentShape;
  cellSize: number;
  cellHeight: number;
  tileSize: number;
  origin: number[];
  /** Default: none. */
  sizes?: readonly MeshSize[];
}
