/**
 * Reads Detour's .bin files (magic 'MSET', as RecastDemo and `exportNavMesh` of npm recast-navigation write
 * them), or a single tile's blob ('DNAV'). Refs of 32 and 64 bits, either byte order. detour-format.ts
 * describes the format.
 *
 * Positions (float32 as doubles), polygons, neighbors, detail and flags are kept one to one. Portals between
 * tiles and trees are rebuilt. Detour's areas are 0 .. 63, ours 1 .. 63: see `areaOfZero`. The format has
 * neither the agent's slope nor the cell height, and the cell size only when tiles have trees.
 *
 * For any bytes, the outcome is an Error with the problem and its position, or a mesh without violations.
 * Counts are checked against the bytes before they size an allocation, and the mesh is validated as a whole.
 *
 * In: bytes.
 * Out: a NavMesh and the file's limits.
 * Cost: linear.
 * Based on: own.
 */
import { AREA_COUNT, AREA_GROUND } from '../../base/constants.ts';
import { checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { addLink } from '../../mesh/change/links.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import { addBuiltTile } from '../../mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';
import { validateNavMesh } from '../../mesh/validate.ts';
import {
  CONNECTION_BYTES,
  COUNT_NAMES,
  DETAIL_MESH_BYTES,
  MAGIC_CACHE,
  MAGIC_SET,
  MAGIC_TILE,
  POLY_BYTES,
  POLY_CORNERS,
  SET_HEADER_BYTES,
  SET_VERSION,
  SIDE_FROM_DETOUR,
  TILE_HEADER_BYTES,
  TILE_VERSION,
  fanFlags,
  tileOffsets,
  tileRefBytes,
} from './detour-format.ts';
import type { TileCounts, TileOffsets } from './detour-format.ts';

/** Options of `parseDetourBin`. */
export interface DetourReadOptions {
  /**
   * The area, 1 .. 63, that Detour's area 0 becomes. Default: 63, or the highest area that the file does not
   * use.
   */
  areaOfZero?: number;
  /** The agent's steepest slope, degrees, which the file does not hold. Default 45. */
  maxSlopeDegrees?: number;
  /** Height of a voxel, world units, which the file does not hold. Default 0: unknown. */
  cellHeight?: number;
}

/** Result of `parseDetourBin`. */
export interface DetourBin {
  /** The mesh; off-mesh connections are its links, in the order of the file. */
  navMesh: NavMesh;
  /** The area that Detour's 0 became, for `writeDetourBin`; 0 when the file has no area 0. */
  areaOfZero: number;
  /** The file's own limits, for `writeDetourBin`. */
  maxTiles: number;
  maxPolys: number;
  refBits: 32 | 64;
}

interface File {
  view: DataView;
  little: boolean;
  refBits: 32 | 64;
  areaOfZero: number;
}

/** A tile's part of the file; its counts are known to fit. */
interface Blob {
  at: number;
  name: string;
  counts: TileCounts;
  /** Offsets in the file. */
  offsets: TileOffsets;
}

interface SetHeader {
  origin: [number, number, number];
  tileWidth: number;
  tileDepth: number;
  maxTiles: number;
  maxPolys: number;
}

function fail(what: string): never {
  throw new Error(`parseDetourBin: ${what}`);
}

/**
 * Reads a Detour .bin file. Throws an Error for bytes of another format or a damaged file, a RangeError for
 * options out of range.
 */
export function parseDetourBin(bytes: Uint8Array | ArrayBuffer, options: DetourReadOptions = {}): DetourBin {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer))
    refuseType('parseDetourBin', 'bytes', bytes, 'a Uint8Array or ArrayBuffer');
  checkKeys('parseDetourBin', options, ['areaOfZero', 'maxSlopeDegrees', 'cellHeight']);
  const { areaOfZero, maxSlopeDegrees = 45, cellHeight = 0 } = options;
  if (areaOfZero !== undefined && !(Number.isInteger(areaOfZero) && areaOfZero >= 1 && areaOfZero < AREA_COUNT)) {
    refuse('parseDetourBin', 'options.areaOfZero', areaOfZero, `an area, 1 .. ${AREA_COUNT - 1}`);
  }
  const view =
    bytes instanceof Uint8Array ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes);
  const file: File = { view, little: true, refBits: 32, areaOfZero: 0 };
  const { header, blobs } = readStructure(file);
  const zeroArea = areaOfZero ?? freeArea(file, blobs);
  file.areaOfZero = zeroArea;
  const tiles = blobs.map((blob) => readTile(file, blob));
  const links = blobs.flatMap((blob) => readConnections(file, blob));
  const navMesh = meshOf(file, header, blobs, tiles, links, { maxSlopeDegrees, cellHeight });
  // At least the number of tiles in the file.
  const maxTiles = Math.max(header.maxTiles, blobs.length, 1);
  const maxPolys = blobs.reduce((most, { counts }) => Math.max(most, counts.polys), Math.max(header.maxPolys, 1));
  return { navMesh, areaOfZero: zeroArea, maxTiles, maxPolys, refBits: file.refBits };
}

/** Finds the tiles and checks their counts against the length of the file. */
function readStructure(file: File): { header: SetHeader; blobs: Blob[] } {
  const { view } = file;
  const size = view.byteLength;
  const magic = size >= 4 ? view.getUint32(0, true) : 0;
  const turned = size >= 4 ? view.getUint32(0, false) : 0;
  file.little = magic === MAGIC_SET || magic === MAGIC_TILE || magic === MAGIC_CACHE;
  const kind = file.little ? magic : turned;
  if (kind === MAGIC_CACHE) {
    fail('a tile cache (TSET), whose layers are not polygons yet; load it with Detour and export its navigation mesh');
  }
  if (kind === MAGIC_TILE) return oneTile(file);
  if (kind !== MAGIC_SET) fail(`these ${size} bytes are not a Detour file (they do not begin with TESM)`);
  if (size < SET_HEADER_BYTES) fail(`the file ends within its header, after ${size} of ${SET_HEADER_BYTES} bytes`);
  const version = view.getInt32(4, file.little);
  if (version !== SET_VERSION) fail(`byte 4: version ${version}; version ${SET_VERSION} can be read`);
  const tileCount = view.getInt32(8, file.little);
  const float = (at: number): number => view.getFloat32(at, file.little);
  const header: SetHeader = {
    origin: [float(12), float(16), float(20)],
    tileWidth: float(24),
    tileDepth: float(28),
    maxTiles: view.getInt32(32, file.little),
    maxPolys: view.getInt32(36, file.little),
  };
  if (!header.origin.every(Number.isFinite)) fail(`byte 12: the origin is [${header.origin.join(', ')}]`);
  if (tileCount < 0) fail(`byte 8: ${tileCount} tiles`);
  // The offset of the first blob tells the size of refs.
  const isTileAt = (at: number): boolean => at + 4 <= size && view.getUint32(at, file.little) === MAGIC_TILE;
  if (!isTileAt(SET_HEADER_BYTES + 8) && isTileAt(SET_HEADER_BYTES + 16)) file.refBits = 64;
  const blobs: Blob[] = [];
  let at = SET_HEADER_BYTES;
  for (let i = 0; i < tileCount; i++) {
    const begin = at + tileRefBytes(file.refBits);
    if (begin > size) fail(`the file ends before tile ${i} of ${tileCount}, at byte ${at}; it was cut off`);
    const byteCount = view.getInt32(begin - 8 + (file.refBits === 64 ? 0 : 4), file.little);
    if (!(byteCount >= TILE_HEADER_BYTES))
      fail(`tile ${i} at byte ${at}: ${byteCount} bytes long; the header alone has 100`);
    if (byteCount > size - begin) {
      fail(`tile ${i} at byte ${at}: ${byteCount} bytes long, but ${size - begin} follow; the file was cut off`);
    }
    blobs.push(readCounts(file, begin, byteCount, `tile ${i}`));
    at = begin + byteCount;
  }
  if (at !== size) fail(`${size - at} bytes follow the last tile, from byte ${at} on; the file is damaged`);
  return { header, blobs };
}

/** Reads a blob without a file header, the usual form of a level of one tile. */
function oneTile(file: File): { header: SetHeader; blobs: Blob[] } {
  const { view, little } = file;
  const blob = readCounts(file, 0, view.byteLength, 'the tile');
  const float = (at: number): number => view.getFloat32(at, little);
  const origin: [number, number, number] = [float(72), float(76), float(80)];
  if (!origin.every(Number.isFinite)) fail(`byte 72: the tile's bounds begin at [${origin.join(', ')}]`);
  const [tileWidth, tileDepth] = [float(84) - origin[0], float(92) - origin[2]];
  return { header: { origin, tileWidth, tileDepth, maxTiles: 1, maxPolys: blob.counts.polys }, blobs: [blob] };
}

function readCounts(file: File, at: number, size: number, name: string): Blob {
  const { view, little } = file;
  const where = `${name} at byte ${at}`;
  if (size < TILE_HEADER_BYTES) fail(`${where}: ends within its header, after ${size} of ${TILE_HEADER_BYTES} bytes`);
  if (view.getUint32(at, little) !== MAGIC_TILE) fail(`${where}: does not begin with VAND; the file is damaged`);
  const version = view.getInt32(at + 4, little);
  if (version !== TILE_VERSION) fail(`${where}: version ${version}; version ${TILE_VERSION} can be read`);
  const counts = {} as TileCounts;
  COUNT_NAMES.forEach((key, i) => {
    counts[key] = view.getInt32(at + 24 + 4 * i, little);
    if (counts[key] < 0) fail(`${where}: ${counts[key]} ${key}`);
  });
  let offsets = tileOffsets(counts, file.refBits);
  if (offsets.end !== size && at === 0 && tileOffsets(counts, 64).end === size) {
    file.refBits = 64;
    offsets = tileOffsets(counts, 64);
  }
  if (offsets.end !== size) fail(`${where}: its counts make ${offsets.end} bytes, but it has ${size}; it is damaged`);
  if (counts.polys !== counts.connectionBase + counts.connections) {
    fail(`${where}: ${counts.polys} polygons are not ${counts.connectionBase} and ${counts.connections} connections`);
  }
  if (counts.detailMeshes !== 0 && counts.detailMeshes !== counts.connectionBase) {
    fail(`${where}: ${counts.detailMeshes} detail meshes for ${counts.connectionBase} polygons`);
  }
  if (counts.vertices < 2 * counts.connections) fail(`${where}: fewer vertices than the ends of its connections`);
  const inFile = {} as TileOffsets;
  for (const key of Object.keys(offsets) as (keyof TileOffsets)[]) inFile[key] = at + offsets[key];
  return { at, name: where, counts, offsets: inFile };
}

/** Returns the area that 0 becomes; 0 when area 0 does not occur. */
function freeArea(file: File, blobs: readonly Blob[]): number {
  const isUsed = new Uint8Array(AREA_COUNT);
  for (const { counts, offsets } of blobs) {
    for (let p = 0; p < counts.polys; p++) isUsed[file.view.getUint8(offsets.polys + POLY_BYTES * p + 31) & 63] = 1;
  }
  if (isUsed[0] === 0) return 0;
  for (let area = AREA_GROUND; area > 0; area--) if (isUsed[area] === 0) return area;
  return fail('all areas 0 .. 63 are in use, and ours begin with 1; say with areaOfZero which one 0 is joined to');
}

function readTile(file: File, blob: Blob): TileData {
  const { view, little, areaOfZero } = file;
  const { at, name, counts, offsets } = blob;
  const polyCount = counts.connectionBase;
  const vertexCount = counts.vertices - 2 * counts.connections;
  const polyEdgeStart = new Int32Array(polyCount + 1);
  for (let p = 0; p < polyCount; p++) {
    const corners = view.getUint8(offsets.polys + POLY_BYTES * p + 30);
    if (corners < 3 || corners > POLY_CORNERS)
      fail(`${name}: polygon ${p} has ${corners} corners; 3 .. 6 are possible`);
    polyEdgeStart[p + 1] = polyEdgeStart[p] + corners;
  }
  const edgeVertex = new Int32Array(polyEdgeStart[polyCount]);
  const edgeNeighbor = new Int32Array(edgeVertex.length);
  const polyArea = new Uint8Array(polyCount);
  const polyFlags = new Uint16Array(polyCount);
  for (let p = 0; p < polyCount; p++) {
    const poly = offsets.polys + POLY_BYTES * p;
    const first = polyEdgeStart[p];
    for (let e = first; e < polyEdgeStart[p + 1]; e++) {
      edgeVertex[e] = view.getUint16(poly + 4 + 2 * (e - first), little);
      if (edgeVertex[e] >= vertexCount) fail(`${name}: polygon ${p} has vertex ${edgeVertex[e]} of ${vertexCount}`);
      edgeNeighbor[e] = neighborOf(view.getUint16(poly + 16 + 2 * (e - first), little), p, blob);
    }
    polyFlags[p] = view.getUint16(poly + 28, little);
    const kind = view.getUint8(poly + 31);
    if (kind >= 64) fail(`${name}: polygon ${p} is of kind ${kind >> 6}, not ground; connections come last`);
    polyArea[p] = kind === 0 ? areaOfZero : kind;
  }
  return {
    x: view.getInt32(at + 8, little),
    z: view.getInt32(at + 12, little),
    layer: view.getInt32(at + 16, little),
    vertexCount,
    polyCount,
    vertices: readPoints(file, offsets.vertices, vertexCount),
    polyEdgeStart,
    polyArea,
    polyFlags,
    edgeVertex,
    edgeNeighbor,
    ...readDetail(file, blob, polyEdgeStart),
  };
}

function neighborOf(value: number, poly: number, { name, counts }: Blob): number {
  if (value === 0) return -1;
  if (value < 0x8000) {
    if (value > counts.connectionBase)
      fail(`${name}: polygon ${poly} has neighbor ${value - 1} of ${counts.connectionBase}`);
    return value - 1;
  }
  const side = SIDE_FROM_DETOUR[value - 0x8000] ?? -1;
  if (side < 0)
    fail(`${name}: polygon ${poly} has an edge on side ${value - 0x8000} of its tile; 0, 2, 4, 6 are possible`);
  return -2 - side;
}

function readPoints({ view, little }: File, at: number, count: number): Float64Array {
  const points = new Float64Array(3 * count);
  for (let i = 0; i < points.length; i++) points[i] = view.getFloat32(at + 4 * i, little);
  return points;
}

type Detail = Pick<TileData, 'polyDetailVertexStart' | 'polyDetailTriStart' | 'detailVertices' | 'detailTris'>;

function readDetail(file: File, { name, counts, offsets }: Blob, polyEdgeStart: Int32Array): Detail {
  const { view, little } = file;
  const polyCount = counts.connectionBase;
  const meshCount = counts.detailMeshes;
  const polyDetailVertexStart = new Int32Array(polyCount + 1);
  const polyDetailTriStart = new Int32Array(polyCount + 1);
  let isFlat = true;
  for (let p = 0; p < meshCount; p++) {
    const mesh = offsets.detailMeshes + DETAIL_MESH_BYTES * p;
    const vertices = view.getUint8(mesh + 8);
    const tris = view.getUint8(mesh + 9);
    const firstVertex = view.getUint32(mesh, little);
    const firstTri = view.getUint32(mesh + 4, little);
    if (vertices > 0 && firstVertex + vertices > counts.detailVertices) {
      fail(
        `${name}: detail vertices ${firstVertex} .. ${firstVertex + vertices - 1} of polygon ${p}, but there are ` +
          `${counts.detailVertices}`,
      );
    }
    if (tris > 0 && firstTri + tris > counts.detailTris) {
      fail(
        `${name}: detail triangles ${firstTri} .. ${firstTri + tris - 1} of polygon ${p}, but there are ${counts.detailTris}`,
      );
    }
    polyDetailVertexStart[p + 1] = polyDetailVertexStart[p] + vertices;
    polyDetailTriStart[p + 1] = polyDetailTriStart[p] + tris;
    const at = offsets.detailTris + 4 * firstTri;
    isFlat &&= vertices === 0 && isFan(view, at, tris, polyEdgeStart[p + 1] - polyEdgeStart[p]);
  }
  const none = { detailVertices: new Float64Array(0), detailTris: new Uint8Array(0) };
  if (isFlat) {
    // Detour writes a fan for a polygon without detail; ours has no triangles then.
    return {
      polyDetailVertexStart: new Int32Array(polyCount + 1),
      polyDetailTriStart: new Int32Array(polyCount + 1),
      ...none,
    };
  }
  if (polyDetailVertexStart[meshCount] > counts.detailVertices || polyDetailTriStart[meshCount] > counts.detailTris) {
    fail(`${name}: the detail of two polygons overlaps; it is damaged`);
  }
  const detailVertices = new Float64Array(3 * polyDetailVertexStart[meshCount]);
  const detailTris = new Uint8Array(4 * polyDetailTriStart[meshCount]);
  for (let p = 0; p < meshCount; p++) {
    const mesh = offsets.detailMeshes + DETAIL_MESH_BYTES * p;
    const vertexAt = offsets.detailVertices + 12 * view.getUint32(mesh, little);
    for (let i = 3 * polyDetailVertexStart[p], from = vertexAt; i < 3 * polyDetailVertexStart[p + 1]; i++, from += 4) {
      detailVertices[i] = view.getFloat32(from, little);
    }
    const triAt = offsets.detailTris + 4 * view.getUint32(mesh + 4, little);
    for (let i = 4 * polyDetailTriStart[p], from = triAt; i < 4 * polyDetailTriStart[p + 1]; i++, from++) {
      detailTris[i] = view.getUint8(from);
    }
  }
  return { polyDetailVertexStart, polyDetailTriStart, detailVertices, detailTris };
}

/** Returns whether the triangles are the fan around the first corner, flagged as such. */
function isFan(view: DataView, at: number, tris: number, corners: number): boolean {
  if (tris === 0) return true;
  if (tris !== corners - 2) return false;
  for (let t = 0; t < tris; t++) {
    const isGood =
      view.getUint8(at + 4 * t) === 0 &&
      view.getUint8(at + 4 * t + 1) === t + 1 &&
      view.getUint8(at + 4 * t + 2) === t + 2 &&
      view.getUint8(at + 4 * t + 3) === fanFlags(t, tris);
    if (!isGood) return false;
  }
  return true;
}

function readConnections({ view, little, areaOfZero }: File, { name, counts, offsets }: Blob): LinkOptions[] {
  const links: LinkOptions[] = [];
  for (let i = 0; i < counts.connections; i++) {
    const at = offsets.connections + CONNECTION_BYTES * i;
    const float = (k: number): number => view.getFloat32(at + 4 * k, little);
    const poly = view.getUint16(at + 28, little);
    const polyAt = offsets.polys + POLY_BYTES * poly;
    if (poly < counts.connectionBase || poly >= counts.polys || view.getUint8(polyAt + 31) >> 6 !== 1) {
      fail(`${name}: connection ${i} names polygon ${poly}, which is none of a connection`);
    }
    const start: [number, number, number] = [float(0), float(1), float(2)];
    const end: [number, number, number] = [float(3), float(4), float(5)];
    const radius = float(6);
    if (![...start, ...end].every(Number.isFinite) || !(radius >= 0 && radius < Infinity)) {
      fail(`${name}: connection ${i} leads from [${start.join(', ')}] to [${end.join(', ')}], radius ${radius}`);
    }
    const area = view.getUint8(polyAt + 31) & 63;
    links.push({
      start,
      end,
      radius,
      bothWays: (view.getUint8(at + 30) & 1) !== 0,
      area: area === 0 ? areaOfZero : area,
      flags: view.getUint16(polyAt + 28, little),
      userId: view.getUint32(at + 32, little),
    });
  }
  return links;
}

function meshOf(
  file: File,
  header: SetHeader,
  blobs: readonly Blob[],
  tiles: readonly TileData[],
  links: readonly LinkOptions[],
  untold: { maxSlopeDegrees: number; cellHeight: number },
): NavMesh {
  const float = (at: number): number => (blobs.length > 0 ? file.view.getFloat32(blobs[0].at + at, file.little) : 0);
  const { origin, tileWidth, tileDepth, maxTiles } = header;
  const isOnePlace = tiles.every((tile) => tile.x === 0 && tile.z === 0);
  const isWhole = isOnePlace && (maxTiles <= 1 || tileWidth !== tileDepth);
  if (!isWhole && !(tileWidth > 0 && tileWidth < Infinity && tileWidth === tileDepth)) {
    fail(`byte 24: tiles of ${tileWidth} x ${tileDepth}; only square ones can be read`);
  }
  // The boxes of trees are stored in cells.
  const cellsPerUnit = blobs.length > 0 && blobs[0].counts.nodes > 0 ? float(96) : 0;
  const cellSize = cellsPerUnit > 0 ? Math.fround(1 / cellsPerUnit) : 0;
  try {
    const navMesh = createNavMesh({
      agent: { height: float(60), radius: float(64), maxClimb: float(68), maxSlopeDegrees: untold.maxSlopeDegrees },
      cellSize: cellSize < Infinity ? cellSize : 0,
      cellHeight: untold.cellHeight,
      origin,
      tileSize: isWhole ? 0 : tileWidth,
    });
    for (const tile of tiles) addBuiltTile(navMesh, tile);
    for (const link of links) addLink(navMesh, link);
    const violations = validateNavMesh(navMesh);
    if (violations.length > 0) fail(`the mesh is not valid: ${violations[0].message}`);
    return navMesh;
  } catch (error) {
    const message = (error as Error).message;
    return message.startsWith('parseDetourBin: ')
      ? fail(message.slice(16))
      : fail(message.replace(/^createNavMesh: /, ''));
  }
}
