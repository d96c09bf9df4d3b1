/**
 * Writes a NavMesh as a Detour .bin file (magic 'MSET', refs of 32 bits), which RecastDemo and
 * `importNavMesh` of npm recast-navigation load. detour-format.ts describes the format.
 *
 * Each tile is one blob: vertices, polygons, detail, the bounding-volume tree in Detour's cells (rounded
 * outwards), and links as off-mesh connections. Polygons keep their numbers and tiles their slots. In Detour,
 * polygon p of the tile in slot t has the ref `((salt << tileBits | t) << polyBits) | p`, with salt 1 in a
 * slot's first generation.
 *
 * In: a NavMesh.
 * Out: bytes, and warnings for data that the format stores less exactly (doubles, costs and segments of
 *   links).
 * Cost: linear.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { AREA_COUNT, AREA_GROUND } from '../../base/constants.ts';
import { checkKeys, checkNumberKeys, checkNumbers, refuse } from '../../base/data/refuse.ts';
import { floatAbove } from '../../mesh/tiles/bv-tree.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_USED } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import {
  CONNECTION_BYTES,
  COUNT_NAMES,
  DETAIL_MESH_BYTES,
  MAGIC_SET,
  MAGIC_TILE,
  NODE_BYTES,
  POLY_BYTES,
  POLY_CORNERS,
  SET_HEADER_BYTES,
  SET_VERSION,
  SIDE_TO_DETOUR,
  TILE_VERSION,
  VERTEX_BYTES,
  fanFlags,
  tileOffsets,
  tileRefBytes,
} from './detour-format.ts';
import type { TileCounts } from './detour-format.ts';

/** Options of `writeDetourBin`. */
export interface DetourWriteOptions {
  /**
   * The area written as Detour's 0, which its tools expect for plain walkable surface; 0: none. Default 63,
   * `AREA_GROUND`.
   */
  areaOfZero?: number;
  /** Maximum number of tiles of the mesh in Detour. Default: the number of slots. */
  maxTiles?: number;
  /** Maximum number of polygons of a tile in Detour. Default: that of the largest tile. */
  maxPolys?: number;
  /** Subtracted from all positions, world units: float32 is exact only near the origin. Default [0, 0, 0]. */
  offset?: ArrayLike<number>;
}

/** A warning about data that Detour's format cannot keep. */
export interface DetourWriteWarning {
  code:
    | 'precision-lost'
    | 'link-closed'
    | 'link-cost'
    | 'link-segment'
    | 'link-too-long'
    | 'link-off-mesh'
    | 'link-user-id';
  count: number;
  /** One sentence: what the file lacks, and what to do. */
  message: string;
}

/** Result of `writeDetourBin`. */
export interface DetourBinBytes {
  bytes: Uint8Array;
  /** The largest change of a coordinate by rounding to float32, world units. */
  precisionLoss: number;
  warnings: DetourWriteWarning[];
}

interface Writer {
  mesh: NavMesh;
  areaOfZero: number;
  offset: readonly number[];
  loss: number;
  warnings: Map<string, DetourWriteWarning>;
  /** The links that start in each slot. */
  linksOfSlot: Map<number, number[]>;
}

/** The parts of one tile. */
interface Tile {
  slot: number;
  counts: TileCounts;
  view: DataView;
}

function fail(what: string): never {
  throw new RangeError(`writeDetourBin: ${what}`);
}

/** Flag of the first size in a file; Detour has 16 flags and no sizes. */
const SIZE_FLAG = 8;

/** Refuses sizes that do not fit into the flags of polygons. */
function checkSizes({ sizes, polyFlags, polyCount }: NavMesh): void {
  if (sizes.length === 0) return;
  if (sizes.length > 8) fail(`the mesh has ${sizes.length} sizes; a file has room for 8, in the flags 8 .. 15`);
  for (let p = 0; p < polyCount; p++) {
    if (polyFlags[p] > 0xff) fail(`polyFlags[${p}] is ${polyFlags[p]}; the flags 8 .. 15 must be free for sizes`);
  }
}

/**
 * Writes a Detour .bin file. The sizes of a mesh become the flags 8 and up of polygons. Throws a RangeError
 * for polygons of more than 6 corners or 255 detail triangles, and for tiles with too many elements; the
 * message says what to change.
 */
export function writeDetourBin(mesh: NavMesh, options: DetourWriteOptions = {}): DetourBinBytes {
  checkNavMesh('writeDetourBin', mesh);
  checkKeys('writeDetourBin', options, ['areaOfZero', 'maxTiles', 'maxPolys', 'offset']);
  checkNumberKeys('writeDetourBin', options, ['areaOfZero', 'maxTiles', 'maxPolys']);
  const { areaOfZero = AREA_GROUND, offset = [0, 0, 0] } = options;
  checkNumbers('writeDetourBin', 'options.offset', offset);
  if (!(Number.isInteger(areaOfZero) && areaOfZero >= 0 && areaOfZero < AREA_COUNT)) {
    refuse('writeDetourBin', 'options.areaOfZero', areaOfZero, `an area, 1 .. ${AREA_COUNT - 1}, or 0 for none`);
  }
  if (offset.length !== 3 || !Array.from(offset).every(Number.isFinite))
    refuse('writeDetourBin', 'options.offset', Array.from(offset), 'three finite numbers');
  checkSizes(mesh);
  const writer: Writer = {
    mesh,
    areaOfZero,
    offset: Array.from(offset),
    loss: 0,
    warnings: new Map(),
    linksOfSlot: new Map(),
  };
  for (let link = 0; link < mesh.linkCount; link++)
    if ((mesh.linkState[link] & LINK_USED) !== 0) placeLink(writer, link);
  const slots: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) if (mesh.tileState[slot] === 1) slots.push(slot);
  if (mesh.tileSize === 0 && slots.some((slot) => mesh.tileX[slot] !== 0 || mesh.tileZ[slot] !== 0)) {
    fail('the mesh has tiles at several positions but no tileSize; set tileSize to the side of a tile');
  }
  const counts = slots.map((slot) => countTile(writer, slot));
  const bits = refBitsOf(mesh, options, counts);

  let size = SET_HEADER_BYTES;
  for (const one of counts) size += tileRefBytes(32) + tileOffsets(one, 32).end;
  if (size > 0x7fffffff) fail(`the file would have ${size} bytes; split the world into several meshes`);
  const bytes = new Uint8Array(size);
  writeSetHeader(new DataView(bytes.buffer), writer, slots, bits);
  let at = SET_HEADER_BYTES;
  slots.forEach((slot, i) => {
    const blobSize = tileOffsets(counts[i], 32).end;
    const view = new DataView(bytes.buffer, at, 8 + blobSize);
    const salts = (0x80000000 >>> (31 - bits.salt)) - 1;
    const salt = ((mesh.tileGeneration[slot] - 1) % salts) + 1;
    view.setUint32(0, (salt * (1 << bits.tile) + slot) * (1 << bits.poly), true);
    view.setInt32(4, blobSize, true);
    writeTile(writer, { slot, counts: counts[i], view: new DataView(bytes.buffer, at + 8, blobSize) });
    at += 8 + blobSize;
  });
  const fine = 0.01 * (mesh.cellSize > 0 ? mesh.cellSize : Math.max(mesh.agent.radius, 0.1));
  if (writer.loss > fine) {
    warn(
      writer,
      'precision-lost',
      `positions moved by up to ${writer.loss}, as float32 is coarse so far out; ` +
        'give `offset`, the multiple of the tile size nearest to the middle',
    );
  }
  return { bytes, precisionLoss: writer.loss, warnings: [...writer.warnings.values()] };
}

interface RefBits {
  poly: number;
  tile: number;
  salt: number;
  maxTiles: number;
  maxPolys: number;
}

function refBitsOf(mesh: NavMesh, options: DetourWriteOptions, counts: readonly TileCounts[]): RefBits {
  const neededTiles = Math.max(1, mesh.tileSlotCount);
  const neededPolys = counts.reduce((most, { polys }) => Math.max(most, polys), 1);
  const { maxTiles = neededTiles, maxPolys = neededPolys } = options;
  for (const [name, value, needed] of [
    ['maxTiles', maxTiles, neededTiles],
    ['maxPolys', maxPolys, neededPolys],
  ] as const) {
    if (!(Number.isInteger(value) && value >= needed && value <= 0x400000)) {
      fail(`${name} is ${value}; give a whole number from ${needed} on, which the mesh needs`);
    }
  }
  const tile = 32 - Math.clz32(maxTiles - 1);
  const poly = 32 - Math.clz32(maxPolys - 1);
  if (tile + poly > 22) {
    fail(
      `${maxTiles} tiles of up to ${maxPolys} polygons need ${tile + poly} bits of a ref, which has 22 for them; ` +
        'split the world into several meshes, or bake tiles of other size',
    );
  }
  return { poly, tile, salt: Math.min(31, 32 - tile - poly), maxTiles, maxPolys };
}

/** Assigns a link to the tile it starts in, which must be a neighbor of the tile it ends in. */
function placeLink(writer: Writer, link: number): void {
  const { mesh } = writer;
  const state = mesh.linkState[link];
  if ((state & LINK_ENABLED) === 0) {
    warn(writer, 'link-closed', 'closed links are left out; open them first');
    return;
  }
  const start = mesh.linkPoly[2 * link];
  const end = mesh.linkPoly[2 * link + 1];
  if (start < 0 || end < 0) {
    warn(writer, 'link-off-mesh', 'links without a polygon at both ends are left out; move them onto the mesh');
    return;
  }
  if (sideOf(mesh, mesh.polyTile[start], mesh.polyTile[end]) < 0) {
    warn(
      writer,
      'link-too-long',
      'links between tiles that are not neighbors are left out, since Detour does not support them',
    );
    return;
  }
  if (mesh.linkCost[link] >= 0)
    warn(
      writer,
      'link-cost',
      'Detour has no costs of links, so they count by their length; give them areas with costs instead',
    );
  const isPoint = [0, 1, 2, 6, 7, 8].every(
    (k) => mesh.linkPoints[12 * link + k] === mesh.linkPoints[12 * link + k + 3],
  );
  if (!isPoint)
    warn(writer, 'link-segment', 'links along segments are reduced to their middles; write several links instead');
  if (mesh.linkUserId[link] >>> 0 !== mesh.linkUserId[link]) {
    warn(writer, 'link-user-id', 'user ids are cut to 32 bits; give links whole numbers from 0 on');
  }
  const slot = mesh.polyTile[start];
  const list = writer.linksOfSlot.get(slot);
  if (list === undefined) writer.linksOfSlot.set(slot, [link]);
  else list.push(link);
}

/**
 * Returns the side of tile `from` that tile `to` is on: 0xff at the same position, 0 .. 7 for neighbors, from
 * +x towards +z; -1 for tiles further away.
 */
function sideOf(mesh: NavMesh, from: number, to: number): number {
  const x = mesh.tileX[to] - mesh.tileX[from];
  const z = mesh.tileZ[to] - mesh.tileZ[from];
  if (Math.abs(x) > 1 || Math.abs(z) > 1) return -1;
  return [
    [5, 4, 3],
    [6, 0xff, 2],
    [7, 0, 1],
  ][x + 1][z + 1];
}

function countTile(writer: Writer, slot: number): TileCounts {
  const { mesh } = writer;
  const where = `tile (${mesh.tileX[slot]}, ${mesh.tileZ[slot]}), layer ${mesh.tileLayer[slot]}`;
  const connections = writer.linksOfSlot.get(slot)?.length ?? 0;
  const polyCount = mesh.tilePolyCount[slot];
  const first = mesh.tilePolyStart[slot];
  let detailTris = 0;
  // Room for links: Detour's own count, or the count that is known to be needed.
  let inner = 0;
  let borders = 0;
  let portals = 0;
  for (let p = first; p < first + polyCount; p++) {
    const corners = mesh.polyVertexCount[p];
    if (corners > POLY_CORNERS) {
      fail(
        `${where}: polygon ${p - first} has ${corners} corners, Detour's at most 6; bake with maxVerticesPerPoly: 6`,
      );
    }
    const tris = mesh.polyDetailTriCount[p];
    if (tris > 255) {
      fail(
        `${where}: polygon ${p - first} has ${tris} detail triangles, Detour's at most 255; bake with a larger ` +
          'detailSampleDistance or detailMaxError',
      );
    }
    detailTris += tris > 0 ? tris : corners - 2;
    for (let e = mesh.polyEdgeStart[p]; e < mesh.polyEdgeStart[p] + corners; e++) {
      if (mesh.edgeNeighbor[e] >= 0) inner++;
      if (mesh.edgeNeighbor[e] < -1) borders++;
    }
    for (let portal = mesh.polyPortal[p]; portal >= 0; portal = mesh.portalNext[portal]) portals++;
    for (let linkEnd = mesh.polyLink[p]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) portals++;
  }
  const vertices = mesh.tileVertexCount[slot] + 2 * connections;
  if (vertices > 0xffff)
    fail(`${where}: ${vertices} vertices, Detour's tiles at most 65535; bake with a smaller tileSize`);
  if (polyCount + connections > 0x7fff) {
    fail(`${where}: ${polyCount + connections} polygons, Detour's tiles at most 32767; bake with a smaller tileSize`);
  }
  return {
    polys: polyCount + connections,
    vertices,
    links: Math.max(mesh.tileEdgeCount[slot] + 2 * borders, inner + portals) + 4 * connections,
    detailMeshes: polyCount,
    detailVertices: mesh.tileDetailVertexCount[slot],
    detailTris,
    nodes: 2 * polyCount,
    connections,
    connectionBase: polyCount,
  };
}

function writeSetHeader(view: DataView, writer: Writer, slots: readonly number[], bits: RefBits): void {
  const { mesh, offset } = writer;
  view.setUint32(0, MAGIC_SET, true);
  view.setInt32(4, SET_VERSION, true);
  view.setInt32(8, slots.length, true);
  const origin = Array.from(mesh.origin, (value, k) => Math.fround(value - offset[k]));
  let [width, depth] = [mesh.tileSize, mesh.tileSize];
  if (mesh.tileSize === 0) {
    // One tile that reaches from the origin over everything.
    const end = origin.slice();
    for (const slot of slots) {
      for (let k = 0; k < 3; k++) {
        origin[k] = Math.min(origin[k], Math.fround(mesh.tileBounds[6 * slot + k] - offset[k]));
        end[k] = Math.max(end[k], Math.fround(mesh.tileBounds[6 * slot + 3 + k] - offset[k]));
      }
    }
    [width, depth] = [floatAbove(end[0] - origin[0]) || 1, floatAbove(end[2] - origin[2]) || 1];
    // With several layers, unequal sides tell readers that the tiles are not square.
    if (slots.length > 1 && width === depth) depth = floatAbove(depth * (1 + 1e-7));
  }
  origin.forEach((value, k) => view.setFloat32(12 + 4 * k, value, true));
  view.setFloat32(24, width, true);
  view.setFloat32(28, depth, true);
  view.setInt32(32, bits.maxTiles, true);
  view.setInt32(36, bits.maxPolys, true);
}

function writeTile(writer: Writer, tile: Tile): void {
  const { mesh, offset } = writer;
  const { slot, counts, view } = tile;
  const { vertices, detailVertices } = tileOffsets(counts, 32);
  writePoints(writer, view, vertices, mesh.vertices, mesh.tileVertexStart[slot], mesh.tileVertexCount[slot]);
  writePoints(
    writer,
    view,
    detailVertices,
    mesh.detailVertices,
    mesh.tileDetailVertexStart[slot],
    counts.detailVertices,
  );
  writePolys(writer, tile);
  writeDetail(writer, tile);
  writeConnections(writer, tile);

  view.setUint32(0, MAGIC_TILE, true);
  view.setInt32(4, TILE_VERSION, true);
  view.setInt32(8, mesh.tileX[slot], true);
  view.setInt32(12, mesh.tileZ[slot], true);
  view.setInt32(16, mesh.tileLayer[slot], true);
  COUNT_NAMES.forEach((name, i) => view.setInt32(24 + 4 * i, counts[name], true));
  view.setFloat32(60, mesh.agent.height, true);
  view.setFloat32(64, mesh.agent.radius, true);
  view.setFloat32(68, mesh.agent.maxClimb, true);
  const { tileSize, tileBounds, origin } = mesh;
  const place = [mesh.tileX[slot], 0, mesh.tileZ[slot]];
  const bounds = new Float64Array(6);
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let low = tileBounds[6 * slot + k];
    let high = tileBounds[6 * slot + 3 + k];
    if (tileSize > 0 && k !== 1) {
      const corner = origin[k] + place[k] * tileSize;
      low = Math.min(low, corner);
      high = Math.max(high, corner + tileSize);
    }
    // Rounding keeps the order, so the box holds the rounded positions.
    bounds[k] = Math.fround(low - offset[k]);
    bounds[k + 3] = Math.fround(high - offset[k]);
    extent = Math.max(extent, bounds[k + 3] - bounds[k]);
  }
  bounds.forEach((value, k) => view.setFloat32(72 + 4 * k, value, true));
  const cells = mesh.cellSize > 0 ? 1 / mesh.cellSize : Infinity;
  const cellsPerUnit = Math.fround(Math.min(cells, extent > 0 ? 65000 / extent : 1));
  view.setFloat32(96, cellsPerUnit, true);
  writeTree(writer, tile, bounds, cellsPerUnit);
}

function writePoints(
  writer: Writer,
  view: DataView,
  at: number,
  points: Float64Array,
  start: number,
  count: number,
): void {
  for (let i = 0; i < 3 * count; i++) setCoordinate(writer, view, at + 4 * i, points[3 * start + i], i % 3);
}

function setCoordinate(writer: Writer, view: DataView, at: number, value: number, axis: number): void {
  const near = value - writer.offset[axis];
  const rounded = Math.fround(near);
  writer.loss = Math.max(writer.loss, Math.abs(rounded - near));
  view.setFloat32(at, rounded, true);
}

function writePolys({ mesh, areaOfZero }: Writer, { slot, counts, view }: Tile): void {
  const first = mesh.tilePolyStart[slot];
  let at = tileOffsets(counts, 32).polys;
  for (let p = first; p < first + mesh.tilePolyCount[slot]; p++, at += POLY_BYTES) {
    const edge = mesh.polyEdgeStart[p];
    const corners = mesh.polyVertexCount[p];
    for (let k = 0; k < corners; k++) {
      const neighbor = mesh.edgeNeighbor[edge + k];
      view.setUint16(at + 4 + 2 * k, mesh.edgeVertex[edge + k] - mesh.tileVertexStart[slot], true);
      const value = neighbor >= 0 ? neighbor - first + 1 : neighbor === -1 ? 0 : 0x8000 | SIDE_TO_DETOUR[-2 - neighbor];
      view.setUint16(at + 16 + 2 * k, value, true);
    }
    view.setUint16(at + 28, mesh.polyFlags[p] | (mesh.sizes.length === 0 ? 0 : mesh.polySizes[p] << SIZE_FLAG), true);
    view.setUint8(at + 30, corners);
    view.setUint8(at + 31, mesh.polyArea[p] === areaOfZero ? 0 : mesh.polyArea[p]);
  }
}

function writeDetail({ mesh }: Writer, { slot, counts, view }: Tile): void {
  const { detailMeshes, detailTris } = tileOffsets(counts, 32);
  const first = mesh.tilePolyStart[slot];
  let vertex = 0;
  let tri = 0;
  for (let i = 0; i < counts.detailMeshes; i++) {
    const p = first + i;
    const own = mesh.polyDetailTriCount[p];
    const tris = own > 0 ? own : mesh.polyVertexCount[p] - 2;
    const at = detailMeshes + DETAIL_MESH_BYTES * i;
    view.setUint32(at, vertex, true);
    view.setUint32(at + 4, tri, true);
    view.setUint8(at + 8, mesh.polyDetailVertexCount[p]);
    view.setUint8(at + 9, tris);
    for (let t = 0; t < tris; t++) {
      const to = detailTris + 4 * (tri + t);
      const from = 4 * (mesh.polyDetailTriStart[p] + t);
      for (let k = 0; k < 4; k++) {
        view.setUint8(to + k, own > 0 ? mesh.detailTris[from + k] : k === 3 ? fanFlags(t, tris) : k === 0 ? 0 : t + k);
      }
    }
    vertex += mesh.polyDetailVertexCount[p];
    tri += tris;
  }
}

/**
 * Writes the mesh's tree: nodes in the same order, boxes in cells from the tile's corner. The last node stays
 * zero.
 */
function writeTree(
  { mesh, offset, loss }: Writer,
  { slot, counts, view }: Tile,
  bounds: Float64Array,
  cells: number,
): void {
  let at = tileOffsets(counts, 32).nodes;
  const first = mesh.tileNodeStart[slot];
  for (let node = first; node < first + mesh.tileNodeCount[slot]; node++, at += NODE_BYTES) {
    for (let k = 0; k < 3; k++) {
      const base = mesh.tileBounds[6 * slot + k] - offset[k] - bounds[k];
      const low = Math.floor((base + mesh.bvBounds[6 * node + k] - loss) * cells);
      const high = Math.ceil((base + mesh.bvBounds[6 * node + 3 + k] + loss) * cells);
      view.setUint16(at + 2 * k, Math.min(Math.max(low, 0), 0xffff), true);
      view.setUint16(at + 6 + 2 * k, Math.min(Math.max(high, 0), 0xffff), true);
    }
    const item = mesh.bvItem[node];
    view.setInt32(at + 12, item >= 0 ? item - mesh.tilePolyStart[slot] : item, true);
  }
}

function writeConnections(writer: Writer, { slot, counts, view }: Tile): void {
  const { mesh, areaOfZero } = writer;
  const offsets = tileOffsets(counts, 32);
  (writer.linksOfSlot.get(slot) ?? []).forEach((link, i) => {
    const poly = counts.connectionBase + i;
    const polyAt = offsets.polys + POLY_BYTES * poly;
    const vertex = counts.vertices - 2 * (counts.connections - i);
    const at = offsets.connections + CONNECTION_BYTES * i;
    for (let k = 0; k < 6; k++) {
      const from = 12 * link + (k < 3 ? k : k + 3);
      const middle = mesh.linkPoints[from] + (mesh.linkPoints[from + 3] - mesh.linkPoints[from]) / 2;
      setCoordinate(writer, view, at + 4 * k, middle, k % 3);
      view.setFloat32(offsets.vertices + VERTEX_BYTES * vertex + 4 * k, view.getFloat32(at + 4 * k, true), true);
    }
    view.setFloat32(at + 24, mesh.linkRadius[link], true);
    view.setUint16(at + 28, poly, true);
    view.setUint8(at + 30, (mesh.linkState[link] & LINK_BOTH_WAYS) !== 0 ? 1 : 0);
    view.setUint8(at + 31, sideOf(mesh, slot, mesh.polyTile[mesh.linkPoly[2 * link + 1]]));
    view.setUint32(at + 32, mesh.linkUserId[link], true);
    view.setUint16(polyAt + 4, vertex, true);
    view.setUint16(polyAt + 6, vertex + 1, true);
    view.setUint16(polyAt + 28, mesh.linkFlags[link] | (mesh.linkSizes[link] << SIZE_FLAG), true);
    view.setUint8(polyAt + 30, 2);
    view.setUint8(polyAt + 31, 64 | (mesh.linkArea[link] === areaOfZero ? 0 : mesh.linkArea[link]));
  });
}

function warn(writer: Writer, code: DetourWriteWarning['code'], message: string): void {
  const warning = writer.warnings.get(code);
  if (warning === undefined) writer.warnings.set(code, { code, count: 1, message });
  else warning.count++;
}
