/**
 * Detour's files of navigation meshes, as numbers: what is where. Read by detour-bin.ts, written by detour-bin-write.ts.
 *
 * A file, little-endian (readers take the other order, too, told by the magic):
 *
 *   offset 0   u32 'MSET', i32 version 1, i32 number of tiles
 *         12   f32 x 3 origin of tile (0, 0), f32 tile width (x), f32 tile depth (z), i32 most tiles, i32 most polygons a tile
 *         40   the tiles: u32 tile ref, i32 bytes of its blob, the blob. With refs of 64 bits: u64, i32, 4 bytes of padding
 *
 * A blob:
 *
 *   header, 100 bytes: i32 x 6 'DNAV', version 7, x, z, layer, user id; i32 x 9 polygons, vertices, links there is room for,
 *     detail meshes, detail vertices, detail triangles, tree nodes, off-mesh connections, first polygon of those; f32 x 10
 *     agent's height, radius, climb; min xyz; max xyz; cells of the tree per unit
 *   vertices,        12 bytes: f32 xyz. The last two a connection are its ends
 *   polygons,        32 bytes: u32 first link, u16 x 6 vertices, u16 x 6 neighbours (0 wall, n + 1 polygon n, 0x8000 + side),
 *                    u16 flags, u8 vertex count, u8 area (6 bits) and kind (0 ground, 1 connection)
 *   links,           12 bytes (16 with refs of 64 bits): made anew when the tile is loaded
 *   detail meshes,   12 bytes: u32 first vertex, u32 first triangle, u8 vertices, u8 triangles, 2 of padding
 *   detail vertices, 12 bytes; detail triangles, 4 bytes: as in a NavMesh
 *   tree nodes,      16 bytes: u16 x 3 min, u16 x 3 max, i32 polygon, or minus the nodes to skip. As many as twice the polygons,
 *                    the last of them zeros
 *   connections,     36 bytes: f32 x 6 start, end; f32 radius; u16 polygon, u8 flags (1: both ways), u8 side; u32 user id
 *
 * Based on: the layout of Detour's structures (Mikko Mononen, 2009), as its documentation tells it.
 */

/** As 32-bit numbers, which the file's byte order turns around: a little-endian file begins with the letters TESM. */
export const MAGIC_SET = 0x4d534554;
export const MAGIC_TILE = 0x444e4156;
export const MAGIC_CACHE = 0x54534554;

export const SET_VERSION = 1;
export const TILE_VERSION = 7;

export const SET_HEADER_BYTES = 40;
export const TILE_HEADER_BYTES = 100;
export const VERTEX_BYTES = 12;
export const POLY_BYTES = 32;
export const DETAIL_MESH_BYTES = 12;
export const NODE_BYTES = 16;
export const CONNECTION_BYTES = 36;

/** Corners a polygon has room for. */
export const POLY_CORNERS = 6;

/** Our side of a tile -> Detour's, and back (-1: a diagonal one, which no edge can have). */
export const SIDE_TO_DETOUR: readonly number[] = [4, 2, 0, 6];
export const SIDE_FROM_DETOUR: readonly number[] = [2, -1, 1, -1, 0, -1, 3, -1];

/** The counts of a header, in its order, from byte 24 on. */
export interface TileCounts {
  polys: number;
  vertices: number;
  links: number;
  detailMeshes: number;
  detailVertices: number;
  detailTris: number;
  nodes: number;
  connections: number;
  /** Number of the first polygon that is a connection: as many as there are ground polygons. */
  connectionBase: number;
}

export const COUNT_NAMES: readonly (keyof TileCounts)[] = [
  'polys',
  'vertices',
  'links',
  'detailMeshes',
  'detailVertices',
  'detailTris',
  'nodes',
  'connections',
  'connectionBase',
];

/** Where the parts of a blob begin, from its own start, and where it ends. */
export interface TileOffsets {
  vertices: number;
  polys: number;
  detailMeshes: number;
  detailVertices: number;
  detailTris: number;
  nodes: number;
  connections: number;
  end: number;
}

/** Exact for any counts, as sums of doubles. */
export function tileOffsets(counts: TileCounts, refBits: 32 | 64): TileOffsets {
  const vertices = TILE_HEADER_BYTES;
  const polys = vertices + counts.vertices * VERTEX_BYTES;
  const links = polys + counts.polys * POLY_BYTES;
  const detailMeshes = links + counts.links * (refBits === 64 ? 16 : 12);
  const detailVertices = detailMeshes + counts.detailMeshes * DETAIL_MESH_BYTES;
  const detailTris = detailVertices + counts.detailVertices * VERTEX_BYTES;
  const nodes = detailTris + counts.detailTris * 4;
  const connections = nodes + counts.nodes * NODE_BYTES;
  const end = connections + counts.connections * CONNECTION_BYTES;
  return { vertices, polys, detailMeshes, detailVertices, detailTris, nodes, connections, end };
}

/** Bytes before a tile's blob. */
export function tileRefBytes(refBits: 32 | 64): number {
  return refBits === 64 ? 16 : 8;
}

/** Boundary flags of triangle t of a fan of so many: detail of a polygon that has none. */
export function fanFlags(t: number, tris: number): number {
  return (t === 0 ? 1 : 0) | 4 | (t === tris - 1 ? 16 : 0);
}
