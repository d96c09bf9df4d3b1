/**
 * THE structure: what every builder makes and every query reads.
 *
 * A `NavMesh` is a plain record of numbers and typed arrays. It survives `structuredClone`, moves to a worker,
 * and is saved section by section. All tiles share the same pools (vertices, polygons, edges, detail): a tile is a
 * range in each of them, and a polygon is known inside by its dense *polygon index* into the pools, so that a search
 * never looks up a tile. Outside, a polygon is known by its `PolyRef`, which is checked (see ref.ts).
 *
 * Conventions: right-handed, y up, world units in double precision. Polygons are convex and counter-clockwise seen
 * from above (+y towards the viewer, x to the right, z towards the bottom of the page: normal = +y).
 *
 * Layout by index arithmetic
 *   vertex v        : vertices[3v .. 3v+2]                                        x, y, z
 *   polygon p       : edges polyEdgeStart[p] .. polyEdgeStart[p] + polyVertexCount[p] - 1
 *   edge e of p     : runs from vertex edgeVertex[e] to the vertex of the next edge of p (cyclic)
 *                     edgeNeighbor[e] >= 0   polygon index on the other side
 *                     edgeNeighbor[e] == -1  wall
 *                     edgeNeighbor[e] <= -2  on the tile's border, side -2 - edgeNeighbor[e]: 0 = -x, 1 = +z, 2 = +x, 3 = -z;
 *                     what it opens to are the portals of p that name it, the rest of it is wall
 *   portals of p    : l = polyPortal[p], then portalNext[l] until -1. Portal l opens edge portalEdge[l] of p to polygon
 *                     portalPoly[l] of a neighbour tile, from portalSpan[2l] to portalSpan[2l+1] (0 .. 1 along the edge, from its
 *                     start); portalBack[l] is the same opening seen from there
 *   links at p      : link ends h = polyLink[p], then linkNext[h] until -1. Link end h is an end of link h >> 1: start (h even) or
 *                     end (h odd); linkPoly[h] == p. The other end is link end h ^ 1, on polygon linkPoly[h ^ 1] or nowhere (-1).
 *                     Ends are segments linkPoints[6h .. 6h+5] (two points xyz; equal ones: a point), as they were given, and
 *                     linkAnchors[6h .. 6h+5], the same moved onto polygon p
 *   detail of p     : extra vertices polyDetailVertexStart[p] .. + polyDetailVertexCount[p] - 1 in detailVertices (xyz),
 *                     triangles polyDetailTriStart[p] .. + polyDetailTriCount[p] - 1 in detailTris, 4 bytes each: three local
 *                     vertex numbers (below polyVertexCount: the polygon's own vertex; else extra vertex) and a byte of
 *                     boundary flags (bit 2k: the edge from corner k to corner k+1 lies on the polygon's boundary).
 *                     No triangles: the polygon is a fan around its first vertex.
 *   node n of tile t: bvBounds[6n .. 6n+5] = min xyz, max xyz in float32, *relative to the tile's tileBounds minimum*,
 *                     rounded outwards; bvItem[n] >= 0: leaf, polygon index; < 0: inner, skip -bvItem[n] nodes to escape.
 *                     Nodes are in depth-first order.
 */

/** A checked handle of a polygon: tile slot, generation and polygon in one number below 2^53. 0 is null. See ref.ts. */
export type PolyRef = number & { readonly __brand: 'PolyRef' };

/** The body that a mesh was baked for. World units. */
export interface AgentShape {
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
}

export interface NavMesh {
  /** Version of this record's layout. */
  version: 1;
  /**
   * Counts changes since the mesh was made or loaded: of tiles, links, areas and flags. Not saved. Who writes into the arrays
   * counts it up, so that others notice.
   */
  revision: number;
  agent: AgentShape;
  /** Size of a voxel the mesh was baked with, world units; 0 when it was not made of voxels. */
  cellSize: number;
  cellHeight: number;
  /** Minimum corner of tile (0, 0), world units. */
  origin: Float64Array;
  /** Side of a square tile in x and z, world units; 0: the mesh has one tile of any size. */
  tileSize: number;

  /** Tile slots in use, free ones among them included; each tile* array has room for at least so many. */
  tileSlotCount: number;
  /** 0 free, 1 used. */
  tileState: Uint8Array;
  /** Counts up each time a slot is given out; never 0 in a used slot. */
  tileGeneration: Uint16Array;
  tileX: Int32Array;
  tileZ: Int32Array;
  tileLayer: Int32Array;
  /** 6 a slot: min xyz, max xyz of what the tile contains, world units. */
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
  /** First slot to give out again, -1: none. In a free slot `tileX` is the next one, and `tileGeneration` its last use. */
  tileFreeSlot: number;
  /** Look-up of tiles by (x, z), derived (not saved): bucket -> first slot or -1, as many buckets as a power of two. */
  tileHash: Int32Array;
  /** Next slot in the same bucket, or -1. */
  tileNext: Int32Array;

  /** Pool sizes in use (holes of removed tiles included); arrays may have more room. */
  vertexCount: number;
  polyCount: number;
  edgeCount: number;
  detailVertexCount: number;
  detailTriCount: number;
  nodeCount: number;

  vertices: Float64Array;

  polyTile: Int32Array;
  polyEdgeStart: Int32Array;
  polyVertexCount: Uint8Array;
  /** 1..63; 0 is never stored. Ground that was not marked is `AREA_GROUND`. */
  polyArea: Uint8Array;
  polyFlags: Uint16Array;
  polyDetailVertexStart: Int32Array;
  polyDetailVertexCount: Uint8Array;
  polyDetailTriStart: Int32Array;
  polyDetailTriCount: Uint16Array;
  /** The connected ground it is on: root of the island's subtree, counted from the tile's first node. See bv-tree.ts. */
  polyIsland: Int32Array;
  /**
   * Which islands of tiles are connected, derived: at the node of an island's root another such node of the same ground or
   * itself, elsewhere -1. See islands.ts.
   */
  islandParent: Int32Array;
  /** 1: what connected islands has gone since, so `islandParent` says too much. Derived. */
  islandsStale: number;

  edgeVertex: Int32Array;
  edgeNeighbor: Int32Array;

  detailVertices: Float64Array;
  detailTris: Uint8Array;

  bvBounds: Float32Array;
  bvItem: Int32Array;

  /** Openings between polygons of different tiles. Slots in use, free ones among them included. */
  portalCount: number;
  /** First portal to give out again, -1: none; `portalNext` leads to the others. A free portal has `portalPoly` -1. */
  portalFree: number;
  /** First portal of each polygon, or -1. */
  polyPortal: Int32Array;
  portalNext: Int32Array;
  portalPoly: Int32Array;
  portalEdge: Int32Array;
  portalBack: Int32Array;
  portalSpan: Float64Array;

  /** Off-mesh links: slots in use, free ones among them included. */
  linkCount: number;
  /** First link slot to give out again, -1: none. In a free slot `linkUserId` is the next one. */
  linkFree: number;
  /** Bits: `LINK_USED`, `LINK_ENABLED`, `LINK_BOTH_WAYS`. 0: free. */
  linkState: Uint8Array;
  /** As of a tile's slot. */
  linkGeneration: Uint16Array;
  /** 12 a link: start segment, end segment, world units. */
  linkPoints: Float64Array;
  /** How far an end may be from the ground it is on, horizontally; world units. */
  linkRadius: Float64Array;
  /** Length it counts as, before the area's cost; -1: its true length. */
  linkCost: Float64Array;
  /** 1..63. */
  linkArea: Uint8Array;
  linkFlags: Uint16Array;
  /** What the user put there: any number. */
  linkUserId: Float64Array;
  /** 2 a link, one a link end: the polygon that end is on, or -1. */
  linkPoly: Int32Array;
  /** 2 a link: the next link end on the same polygon, or -1. */
  linkNext: Int32Array;
  /** 12 a link. */
  linkAnchors: Float64Array;
  /** First link end on each polygon, or -1. */
  polyLink: Int32Array;
  /**
   * Look-up of link ends by the tile their end would be in: bucket -> first link end or -1, as many buckets as a power of two. None
   * until a change needs them.
   */
  linkHash: Int32Array;
  /** 2 a link: the next link end in the same bucket, or -1. */
  linkHashNext: Int32Array;
  /** At least the largest `linkRadius`, once there is a look-up. */
  linkReach: number;
  /** 1, or the least share of its straight length that a link with a cost of its own counts as: estimates are scaled by it. */
  linkScale: number;
}

/** Bits of `linkState`. */
export const LINK_USED = 1;
export const LINK_ENABLED = 2;
export const LINK_BOTH_WAYS = 4;

/** A checked handle of a link: generation and slot, as a `PolyRef`. 0 is null. */
export type LinkRef = number & { readonly __brand: 'LinkRef' };

/** One tile, before it is in a mesh: all indices are local to the tile. What builders hand to `addTile`. */
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
  /** Local vertex index each edge starts at. */
  edgeVertex: Int32Array;
  /** Local polygon index, -1 wall, <= -2 border side, as in `NavMesh`. */
  edgeNeighbor: Int32Array;
  /** polyCount + 1 entries each; all zero when there is no detail. */
  polyDetailVertexStart: Int32Array;
  polyDetailTriStart: Int32Array;
  detailVertices: Float64Array;
  detailTris: Uint8Array;
  /** What it was baked with; a mesh made with anything else refuses it. Absent: nobody knows. */
  settings?: TileSettings;
}

/** As in `NavMesh`. */
export interface TileSettings {
  agent: AgentShape;
  cellSize: number;
  cellHeight: number;
  tileSize: number;
  origin: number[];
}
