/**
 * Adds tiles to a mesh and removes them.
 *
 * A tile takes a slot and a range at the end of each pool. Removing it frees the slot and leaves holes in the
 * pools. Queries go from tile to tile or from neighbor to neighbor, so they never visit a hole. When an array
 * would have to grow and at least half of its pool is holes, all pools are compacted instead (compact.ts). A
 * mesh whose tiles are replaced forever stays below about twice its live size. Dense indices hold until the
 * next `addTile` or `removeTile`; refs stay.
 *
 * A free slot is reused with the next generation, last freed first. A slot at the maximum generation is retired.
 * insert-tile.ts connects a tile to its neighbors, attach-links.ts to its links.
 *
 * Cost: amortized linear in the tile.
 * Based on: own.
 */
import { checkNavMesh } from './check-mesh.ts';
import { checkArray, checkHandle, checkName, checkObject, checkTyped, refuse, refuseType } from '../data/refuse.ts';
import { compactMesh, liveCount } from './compact.ts';
import { attachLinksAt, detachTileLinks } from './attach-links.ts';
import { boundsOfTile, insertTile, tileCounts } from './insert-tile.ts';
import { ARRAY_FIELDS, RANGE_FIELDS } from './layout.ts';
import type { CountName } from './layout.ts';
import { removeTileGroups } from './named.ts';
import { closePortals } from './portals.ts';
import { MAX_GENERATION, MAX_POLYS_PER_TILE } from './ref.ts';
import { hasOneBody } from './sizes.ts';
import { isSizeMask } from './sizes-file.ts';
import { findTile, unlinkTile } from './tile-grid.ts';
import type { NavMesh, TileData, TileSettings } from './types.ts';

/**
 * Adds a tile and returns its slot. The data are checked and copied. Throws a RangeError when the position is taken,
 * the tile was baked with other settings, a number is out of range, or a limit is reached. Throws a TypeError if the
 * value is not a `TileData`. The mesh does not change then.
 */
export function addTile(mesh: NavMesh, tile: TileData): number {
  checkNavMesh('addTile', mesh);
  checkKinds(tile);
  return addBuiltTile(mesh, tile);
}

/** Does what `addTile` does for a tile of a builder of this library, whose fields have the right types. @internal */
export function addBuiltTile(mesh: NavMesh, tile: TileData): number {
  checkTile(mesh, tile);
  checkSettings(mesh, tile);
  checkInsideSquare(mesh, tile, boundsOfTile(tile));
  const counts = tileCounts(tile);
  if (RANGE_FIELDS.some(({ pool }, i) => needsGrowth(mesh, pool, mesh[pool] + counts[i]))) {
    const isHollow = RANGE_FIELDS.some((range) => mesh[range.pool] > 2 * liveCount(mesh, range));
    if (isHollow) Object.assign(mesh, compactMesh(mesh));
  }
  mesh.revision++;
  const slot = insertTile(mesh, tile);
  attachLinksAt(mesh, tile.x, tile.z);
  return slot;
}

/** Removes the tile in this slot. Refs into it are stale afterwards. Returns false when the slot is free. */
export function removeTile(mesh: NavMesh, slot: number): boolean {
  checkNavMesh('removeTile', mesh);
  checkHandle('removeTile', 'slot', slot);
  if (!(slot >= 0 && slot < mesh.tileSlotCount) || mesh.tileState[slot] !== 1) return false;
  mesh.revision++;
  const x = mesh.tileX[slot];
  const z = mesh.tileZ[slot];
  closePortals(mesh, slot);
  detachTileLinks(mesh, slot);
  removeTileGroups(mesh, slot);
  unlinkTile(mesh, slot);
  for (const { pool, start, count } of RANGE_FIELDS) {
    // The last range of a pool leaves no hole.
    if (mesh[start][slot] + mesh[count][slot] === mesh[pool]) mesh[pool] = mesh[start][slot];
    mesh[start][slot] = 0;
    mesh[count][slot] = 0;
  }
  mesh.tileState[slot] = 0;
  mesh.tileX[slot] = -1;
  mesh.tileZ[slot] = 0;
  mesh.tileLayer[slot] = 0;
  mesh.tileBounds.fill(0, 6 * slot, 6 * slot + 6);
  if (mesh.tileGeneration[slot] < MAX_GENERATION) {
    mesh.tileX[slot] = mesh.tileFreeSlot;
    mesh.tileFreeSlot = slot;
  }
  // Links that ended there may find another polygon.
  attachLinksAt(mesh, x, z);
  return true;
}

function needsGrowth(mesh: NavMesh, pool: CountName, count: number): boolean {
  return ARRAY_FIELDS.some((field) => field.pool === pool && mesh[field.name].length < count * field.stride);
}

function flat({ agent, cellSize, cellHeight, tileSize, origin }: NavMesh | TileSettings): Record<string, number> {
  return { cellSize, cellHeight, tileSize, 'origin[0]': origin?.[0], 'origin[2]': origin?.[2], ...agent };
}

/** Returns the sizes as a text; '': none. */
function namesOf({ sizes = [] }: NavMesh | TileSettings): string {
  return sizes
    .map(({ name, radius, height, maxClimb, maxSlopeDegrees }) =>
      [name, radius, height, maxClimb, maxSlopeDegrees].join(' '),
    )
    .join(', ');
}

/** Throws for a tile that was baked with other settings: it would lie or connect wrongly. */
function checkSettings(mesh: NavMesh, { x, z, settings }: TileData): void {
  if (settings === undefined) return;
  const own = { ...flat(mesh), sizes: namesOf(mesh) };
  const given = {
    ...flat(settings),
    sizes: (settings.sizes ?? []).length === 0 && hasOneBody(mesh) ? own.sizes : namesOf(settings),
  } as Record<string, number | string>;
  for (const key of Object.keys(own) as (keyof typeof own)[]) {
    const value = given[key];
    if (own[key] === value) continue;
    throw new RangeError(
      `addTile: tile (${x}, ${z}) was baked with ${key} ${value}, the mesh with ${own[key]}; give buildTile the mesh's own ` +
        `options and, if the level's extent may change, its bounds`,
    );
  }
}

/** Tiles are found by their square, so what sticks out by more than a cell would not be found. */
function checkInsideSquare(mesh: NavMesh, tile: TileData, bounds: Float64Array): void {
  const { tileSize, origin } = mesh;
  if (tileSize === 0 || tile.vertexCount === 0) return;
  const slack = Math.max(mesh.cellSize, 1e-6 * tileSize);
  const x = origin[0] + tile.x * tileSize;
  const z = origin[2] + tile.z * tileSize;
  if (
    bounds[0] < x - slack ||
    bounds[3] > x + tileSize + slack ||
    bounds[2] < z - slack ||
    bounds[5] > z + tileSize + slack
  ) {
    throw new RangeError(
      `addTile: tile (${tile.x}, ${tile.z}) spans x ${bounds[0]} .. ${bounds[3]}, z ${bounds[2]} .. ${bounds[5]}, which is ` +
        `outside its square of side ${tileSize} at (${x}, ${z}); give the mesh's own origin and tileSize to the builder`,
    );
  }
}

/** The arrays of a tile. */
const TILE_ARRAYS = [
  ['vertices', 'Float64Array'],
  ['polyEdgeStart', 'Int32Array'],
  ['polyArea', 'Uint8Array'],
  ['polyFlags', 'Uint16Array'],
  ['edgeVertex', 'Int32Array'],
  ['edgeNeighbor', 'Int32Array'],
  ['polyDetailVertexStart', 'Int32Array'],
  ['polyDetailTriStart', 'Int32Array'],
  ['detailVertices', 'Float64Array'],
  ['detailTris', 'Uint8Array'],
] as const;

/** Checks the types of a tile's fields. */
function checkKinds(tile: TileData): void {
  if (typeof tile !== 'object' || tile === null)
    refuseType('addTile', 'tile', tile, 'TileData, as buildTile returns it');
  for (const [name, kind] of TILE_ARRAYS) checkTyped('addTile', `tile.${name}`, tile[name], kind);
  for (const key of ['x', 'z', 'layer', 'vertexCount', 'polyCount'] as const)
    checkHandle('addTile', `tile.${key}`, tile[key]);
  const { settings, polySizes } = tile;
  if (polySizes !== undefined) checkTyped('addTile', 'tile.polySizes', polySizes, 'Uint16Array');
  if (settings === undefined) return;
  checkObject('addTile', 'tile.settings', settings);
  if (settings.sizes !== undefined) checkArray('addTile', 'tile.settings.sizes', settings.sizes);
  checkObject('addTile', 'tile.settings.agent', settings.agent);
  for (const [key, value] of Object.entries(flat(settings))) checkHandle('addTile', `tile.settings.${key}`, value);
}

/** Checks the named polygons of a tile. */
function checkGroups({ groups, polyCount }: TileData): void {
  checkArray('addTile', 'tile.groups', groups);
  const seen = new Set<number>();
  groups!.forEach((group, i) => {
    const path = `tile.groups[${i}]`;
    checkObject('addTile', path, group);
    checkName('addTile', `${path}.name`, group.name);
    checkArray('addTile', `${path}.polys`, group.polys);
    group.polys.forEach((poly, k) => {
      const isPoly = Number.isInteger(poly) && poly >= 0 && poly < polyCount && !seen.has(poly);
      if (!isPoly) refuse('addTile', `${path}.polys[${k}]`, poly, `a polygon below ${polyCount} without another name`);
      seen.add(poly);
    });
  });
}

/** Checks sizes, limits, indices and numbers before anything changes. `validateNavMesh` checks shapes. */
function checkTile(mesh: NavMesh, tile: TileData): void {
  const { x, z, layer, vertexCount, polyCount } = tile;
  const fail = (what: string): never => {
    throw new RangeError(`addTile: tile (${x}, ${z}), layer ${layer}: ${what}`);
  };
  for (const value of [x, z, layer]) {
    if ((value | 0) !== value) fail('x, z and layer must be 32-bit whole numbers');
  }
  if (findTile(mesh, x, z, layer) >= 0) fail('there is a tile already; remove it first');
  for (const count of [vertexCount, polyCount]) {
    if (!(Number.isInteger(count) && count >= 0)) fail(`a count is ${count}; must be a whole number from 0 up`);
  }
  if (tile.groups !== undefined) checkGroups(tile);
  if (polyCount > MAX_POLYS_PER_TILE) {
    fail(`${polyCount} polygons, at most ${MAX_POLYS_PER_TILE} are allowed; use a smaller tileSize`);
  }
  const edgeCount = checkStarts(tile.polyEdgeStart, polyCount, 3, 255, 'polyEdgeStart', fail);
  const detailVertexCount = checkStarts(tile.polyDetailVertexStart, polyCount, 0, 255, 'polyDetailVertexStart', fail);
  const triCount = checkStarts(tile.polyDetailTriStart, polyCount, 0, 0xffff, 'polyDetailTriStart', fail);
  const lengths: [string, number, number][] = [
    ['vertices', tile.vertices.length, 3 * vertexCount],
    ['polyArea', tile.polyArea.length, polyCount],
    ['polyFlags', tile.polyFlags.length, polyCount],
    ['polySizes', tile.polySizes?.length ?? polyCount, polyCount],
    ['edgeVertex', tile.edgeVertex.length, edgeCount],
    ['edgeNeighbor', tile.edgeNeighbor.length, edgeCount],
    ['detailVertices', tile.detailVertices.length, 3 * detailVertexCount],
    ['detailTris', tile.detailTris.length, 4 * triCount],
  ];
  for (const [name, have, need] of lengths) {
    if (!(have >= need)) fail(`${name} has ${have} entries, but ${need} are needed; check the counts`);
  }
  for (let i = 0; i < 3 * vertexCount; i++) {
    if (!Number.isFinite(tile.vertices[i])) fail(`vertices[${i}] is ${tile.vertices[i]}; coordinates must be finite`);
  }
  for (let i = 0; i < 3 * detailVertexCount; i++) {
    if (!Number.isFinite(tile.detailVertices[i])) {
      fail(`detailVertices[${i}] is ${tile.detailVertices[i]}; coordinates must be finite`);
    }
  }
  for (let e = 0; e < edgeCount; e++) {
    const vertex = tile.edgeVertex[e];
    const neighbor = tile.edgeNeighbor[e];
    if (vertex < 0 || vertex >= vertexCount) fail(`edgeVertex[${e}] is ${vertex}; there are ${vertexCount} vertices`);
    if (neighbor < -5 || neighbor >= polyCount) {
      fail(`edgeNeighbor[${e}] is ${neighbor}; give a polygon below ${polyCount}, -1 or a border side -2 .. -5`);
    }
  }
  for (let p = 0; p < polyCount; p++) {
    const area = tile.polyArea[p];
    if (area < 1 || area > 63) fail(`polyArea[${p}] is ${area}; areas are 1 .. 63`);
    if (tile.polySizes !== undefined && mesh.sizes.length > 0 && !isSizeMask(mesh, tile.polySizes[p]))
      fail(`polySizes[${p}] is ${tile.polySizes[p]}; at least one size of the mesh must fit`);
    const corners = tile.polyEdgeStart[p + 1] - tile.polyEdgeStart[p];
    const locals = corners + tile.polyDetailVertexStart[p + 1] - tile.polyDetailVertexStart[p];
    for (let t = 4 * tile.polyDetailTriStart[p]; t < 4 * tile.polyDetailTriStart[p + 1]; t += 4) {
      if (tile.detailTris[t] >= locals || tile.detailTris[t + 1] >= locals || tile.detailTris[t + 2] >= locals) {
        fail(`detail triangle ${t / 4} of polygon ${p} names a vertex beyond its ${locals}`);
      }
    }
  }
}

/** Checks a table of starts: from 0, each step between `low` and `high`. Returns the total. */
function checkStarts(
  starts: Int32Array,
  count: number,
  low: number,
  high: number,
  name: string,
  fail: (what: string) => never,
): number {
  if (starts.length < count + 1 || starts[0] !== 0) fail(`${name} must have ${count + 1} entries and begin with 0`);
  for (let p = 0; p < count; p++) {
    const step = starts[p + 1] - starts[p];
    if (!(step >= low && step <= high))
      fail(`${name}: polygon ${p} has ${step} entries; ${low} .. ${high} are allowed`);
  }
  return starts[count];
}
