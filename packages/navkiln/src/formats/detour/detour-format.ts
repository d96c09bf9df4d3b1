/**
 * The layout of Detour's navigation mesh files, which detour-bin.ts reads and detour-bin-write.ts writes.
 *
 * A file, little-endian (readers accept the other order, too, and detect it by the magic):
 *
 *   offset 0   u32 'MSET', i32 version 1, i32 number of tiles
 *         12   f32 x 3 origin of tile (0, 0), f32 tile width (x), f32 tile depth (z), i32 maximum number of tiles,
 *              i32 maximum number of polygons per tile
 *         40   the tiles: u32 tile ref, i32 bytes of its blob, the blob. With refs of 64 bits: u64, i32, 4 bytes padding
 *
 * A blob:
 *
 *   header, 100 bytes: i32 x 6 'DNAV', version 7, x, z, layer, user id; i32 x 9 polygons, vertices, room for links,
 *     detail meshes, detail vertices, detail triangles, tree nodes, off-mesh connections, first connection polygon;
 *     f32 x 10 agent's height, radius, climb; min xyz; max xyz; tree cells per unit
 *   vertices,        12 bytes: f32 xyz. The last two per connection are its ends
 *   polygons,        32 bytes: u32 first link, u16 x 6 vertices, u16 x 6 neighbors (0 wall, n + 1 polygon n,
 *                    0x8000 + side), u16 flags, u8 vertex count, u8 area (6 bits) and kind (0 surface, 1 connection)
 *   links,           12 bytes (16 with refs of 64 bits): rebuilt when the tile is loaded
 *   detail meshes,   12 bytes: u32 first vertex, u32 first triangle, u8 vertices, u8 triangles, 2 bytes padding
 *   detail vertices, 12 bytes; detail triangles, 4 bytes: as in a NavMesh
 *   tree nodes,      16 bytes: u16 x 3 min, u16 x 3 max, i32 polygon, or minus the number of nodes to skip. Twice as
 *                    many as polygons, the last of them zero
 *   connections,     36 bytes: f32 x 6 start, end; f32 radius; u16 polygon, u8 flags (1: both ways), u8 side; u32 user id
 *
 * Based on: the layout of Detour's structures (Mikko Mononen, 2009), as its documentation describes it.
 */

/**
 * As 32-bit numbers, which follow the byte order of the file: a little-endian file begins with the letters
 * TESM.
 */
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

/** Maximum number of corners of a polygon. */
export const POLY_CORNERS = 6;

/** Our side of a tile -> Detour's, and back (-1 for diagonal sides, which no edge has). */
export const SIDE_TO_DETOUR: readonly number[] = [4, 2, 0, 6];
export const SIDE_FROM_DETOUR: readonly number[] = [2, -1, 1, -1, 0, -1, 3, -1];

/** The counts of a header, in their order from byte 24. */
export interface TileCounts {
  polys: number;
  vertices: number;
  links: number;
  detailMeshes: number;
  detailVertices: number;
  detailTris: number;
  nodes: number;
  connections: number;
  /** Number of the first connection polygon, which equals the number of surface polygons. */
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

/** Offsets of a blob's parts and of its end, from its own start. */
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

/** Returns the offsets of a blob's parts. Exact for any counts, as sums of doubles. */
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

/** Returns the bytes before a tile's blob. */
export function tileRefBytes(refBits: 32 | 64): number {
  return refBits === 64 ? 16 : 8;
}

/**
 * Returns the boundary flags of triangle t of a fan of `tris` triangles: the detail of a polygon that has
 * none.
 */
export function fanFlags(t: number, tris: number): number {
  return (t === 0 ? 1 : 0) | 4 | (t === tris - 1 ? 16 : 0);
}
