/**
 * Inserts a sound tile into a mesh: a slot, a range at the end of each pool, the tree, the grid entry and the
 * portals to the tiles around it.
 *
 * `addTile` calls it after its checks, and then attaches links. Builders call it directly, so that they load neither checks nor
 * compaction; they add links after all tiles.
 *
 * In: a mesh and a sound tile.
 * Out: the tile's slot.
 * Cost: linear in the tile and in the border edges of its neighbors, plus its tree; pools double when they are full.
 * Based on: own.
 */
import { buildBvTree, bvNodeCount, clearBox, growBox } from './bv-tree.ts';
import { growPool } from './grow-pool.ts';
import { uniteInTile } from '../islands.ts';
import { RANGE_FIELDS } from '../layout.ts';
import { addTileGroups } from '../named.ts';
import { openPortals } from './portals.ts';
import { MAX_TILE_SLOTS, polyIndexOf } from '../ref.ts';
import { linkTile, rehashTiles } from './tile-grid.ts';
import type { NavMesh, TileData } from '../types.ts';

/** Returns how many elements a tile adds to each pool, in the order of RANGE_FIELDS. */
export function tileCounts(tile: TileData): number[] {
  const { vertexCount, polyCount } = tile;
  return [
    vertexCount,
    polyCount,
    tile.polyEdgeStart[polyCount],
    tile.polyDetailVertexStart[polyCount],
    tile.polyDetailTriStart[polyCount],
    bvNodeCount(polyCount),
  ];
}

/** Copies a sound tile into the mesh, opens its borders and returns its slot. Links of the mesh are not attached to it. */
export function insertTile(mesh: NavMesh, tile: TileData): number {
  const slot = placeTile(mesh, tile);
  for (let side = 0; side < 4; side++) openPortals(mesh, slot, side);
  return slot;
}

/** Does the same for a tile without neighbors. */
export function placeTile(mesh: NavMesh, tile: TileData): number {
  const counts = tileCounts(tile);
  reserve(mesh, counts);
  const slot = takeSlot(mesh);
  mesh.tileState[slot] = 1;
  mesh.tileGeneration[slot]++;
  mesh.tileX[slot] = tile.x;
  mesh.tileZ[slot] = tile.z;
  mesh.tileLayer[slot] = tile.layer;
  for (let i = 0; i < RANGE_FIELDS.length; i++) {
    const { pool, start, count } = RANGE_FIELDS[i];
    mesh[start][slot] = mesh[pool];
    mesh[count][slot] = counts[i];
    mesh[pool] += counts[i];
  }
  fillSlot(mesh, slot, tile);
  linkTile(mesh, slot);
  return slot;
}

/** Copies a tile into the ranges of its slot, with its bounds, names and tree. */
export function fillSlot(mesh: NavMesh, slot: number, tile: TileData): void {
  mesh.tileBounds.set(boundsOfTile(tile), 6 * slot);
  copyTile(mesh, slot, tile);
  const named = addTileGroups(mesh, slot, tile);
  buildBvTree(mesh, slot);
  for (const ref of named) uniteInTile(mesh, polyIndexOf(mesh, ref));
}

function takeSlot(mesh: NavMesh): number {
  const free = mesh.tileFreeSlot;
  if (free < 0) return mesh.tileSlotCount++;
  mesh.tileFreeSlot = mesh.tileX[free];
  return free;
}

/** Copies the tile's arrays into its ranges and turns local indices into dense ones. */
function copyTile(mesh: NavMesh, slot: number, tile: TileData): void {
  const { polyCount } = tile;
  const vertexStart = mesh.tileVertexStart[slot];
  const polyStart = mesh.tilePolyStart[slot];
  const edgeStart = mesh.tileEdgeStart[slot];
  const detailVertexStart = mesh.tileDetailVertexStart[slot];
  const detailTriStart = mesh.tileDetailTriStart[slot];
  mesh.vertices.set(tile.vertices.subarray(0, 3 * tile.vertexCount), 3 * vertexStart);
  mesh.detailVertices.set(tile.detailVertices.subarray(0, 3 * mesh.tileDetailVertexCount[slot]), 3 * detailVertexStart);
  mesh.detailTris.set(tile.detailTris.subarray(0, 4 * mesh.tileDetailTriCount[slot]), 4 * detailTriStart);
  mesh.polyArea.set(tile.polyArea.subarray(0, polyCount), polyStart);
  mesh.polyFlags.set(tile.polyFlags.subarray(0, polyCount), polyStart);
  if (tile.polySizes === undefined) mesh.polySizes.fill(0xffff, polyStart, polyStart + polyCount);
  else mesh.polySizes.set(tile.polySizes.subarray(0, polyCount), polyStart);
  mesh.polyPortal.fill(-1, polyStart, polyStart + polyCount);
  mesh.polyLink.fill(-1, polyStart, polyStart + polyCount);
  for (let p = 0; p < polyCount; p++) {
    const at = polyStart + p;
    mesh.polyTile[at] = slot;
    mesh.polyEdgeStart[at] = edgeStart + tile.polyEdgeStart[p];
    mesh.polyVertexCount[at] = tile.polyEdgeStart[p + 1] - tile.polyEdgeStart[p];
    mesh.polyDetailVertexStart[at] = detailVertexStart + tile.polyDetailVertexStart[p];
    mesh.polyDetailVertexCount[at] = tile.polyDetailVertexStart[p + 1] - tile.polyDetailVertexStart[p];
    mesh.polyDetailTriStart[at] = detailTriStart + tile.polyDetailTriStart[p];
    mesh.polyDetailTriCount[at] = tile.polyDetailTriStart[p + 1] - tile.polyDetailTriStart[p];
  }
  const edgeCount = mesh.tileEdgeCount[slot];
  for (let e = 0; e < edgeCount; e++) {
    const neighbor = tile.edgeNeighbor[e];
    mesh.edgeVertex[edgeStart + e] = vertexStart + tile.edgeVertex[e];
    mesh.edgeNeighbor[edgeStart + e] = neighbor >= 0 ? polyStart + neighbor : neighbor;
  }
}

/** Makes room for tiles that are inserted next, so that arrays are allocated once, at their size. */
export function reserveTiles(mesh: NavMesh, tiles: readonly TileData[]): void {
  const extra = RANGE_FIELDS.map(() => 0);
  for (const tile of tiles) tileCounts(tile).forEach((count, i) => (extra[i] += count));
  RANGE_FIELDS.forEach(({ pool }, i) => growPool(mesh, pool, mesh[pool] + extra[i]));
  const slots = Math.min(mesh.tileSlotCount + tiles.length, MAX_TILE_SLOTS);
  if (growPool(mesh, 'tileSlotCount', slots)) rehashTiles(mesh);
}

/** Makes room in all pools for `extra` elements (in the order of RANGE_FIELDS), and for one tile slot. */
function reserve(mesh: NavMesh, extra: readonly number[]): void {
  for (let i = 0; i < RANGE_FIELDS.length; i++) {
    const pool = RANGE_FIELDS[i].pool;
    growPool(mesh, pool, mesh[pool] + extra[i]);
  }
  if (mesh.tileFreeSlot >= 0) return;
  if (mesh.tileSlotCount >= MAX_TILE_SLOTS) {
    throw new RangeError(`addTile: all ${MAX_TILE_SLOTS} tile slots are in use; bake with a larger tileSize`);
  }
  if (growPool(mesh, 'tileSlotCount', mesh.tileSlotCount + 1)) rehashTiles(mesh);
}

/** Returns min xyz, max xyz of a tile; zeros when it has no vertices. */
export function boundsOfTile(tile: TileData): Float64Array {
  const out = new Float64Array(6);
  if (tile.vertexCount === 0) return out;
  clearBox(out, 0);
  for (let i = 0; i < tile.vertexCount; i++) growBox(out, 0, tile.vertices, 3 * i);
  for (let i = 0; i < tile.polyDetailVertexStart[tile.polyCount]; i++) growBox(out, 0, tile.detailVertices, 3 * i);
  return out;
}
