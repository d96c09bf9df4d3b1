/**
 * Checks a tile before it is added to a mesh.
 *
 * `addTile` runs all checks, so a mesh takes only tiles that `loadNavMesh` would accept. Tiles that a builder of this library has just made
 * need `checkTile` only, which checks numbers and limits.
 *
 * In: a mesh, and any value.
 * Out: errors of `addTile`.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { MAX_COORDINATE, MAX_SIZES } from '../../base/constants.ts';
import {
  checkArray,
  checkHandle,
  checkName,
  checkObject,
  checkTyped,
  refuse,
  refuseType,
} from '../../base/data/refuse.ts';
import { boundsOfTile } from '../tiles/insert-tile.ts';
import { MAX_POLYS_PER_TILE } from '../ref.ts';
import { dentedEdge, isMutual } from '../shape.ts';
import { hasOneBody } from '../sizes.ts';
import { isSizeMask } from '../sizes-file.ts';
import { findTile } from '../tiles/tile-grid.ts';
import type { NavMesh, TileData, TileSettings } from '../types.ts';

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
export function checkTileSettings(mesh: NavMesh, { x, z, settings }: TileData): void {
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
      `addTile: tile (${tile.x}, ${tile.z}) is outside its square of side ${tileSize} at (${x}, ${z}); ` +
        "give the mesh's own origin and tileSize",
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
export function checkTileKinds(tile: TileData): void {
  if (typeof tile !== 'object' || tile === null)
    refuseType('addTile', 'tile', tile, 'TileData, as buildTile returns it');
  for (const [name, kind] of TILE_ARRAYS) checkTyped('addTile', `tile.${name}`, tile[name], kind);
  for (const key of ['x', 'z', 'layer', 'vertexCount', 'polyCount'] as const)
    checkHandle('addTile', `tile.${key}`, tile[key]);
  const { settings, polySizes } = tile;
  if (polySizes !== undefined) checkTyped('addTile', 'tile.polySizes', polySizes, 'Uint16Array');
  if (settings === undefined) return;
  checkObject('addTile', 'tile.settings', settings);
  const { sizes = [] } = settings;
  checkArray('addTile', 'tile.settings.sizes', sizes);
  if (sizes.length > MAX_SIZES) refuse('addTile', 'tile.settings.sizes.length', sizes.length, `at most ${MAX_SIZES}`);
  for (const [i, size] of sizes.entries()) {
    checkObject('addTile', `tile.settings.sizes[${i}]`, size);
    checkName('addTile', `tile.settings.sizes[${i}].name`, size.name);
  }
  checkObject('addTile', 'tile.settings.agent', settings.agent);
  for (const [key, value] of Object.entries(flat(settings))) checkHandle('addTile', `tile.settings.${key}`, value);
}

/** Checks the named polygons of a tile. */
export function checkTileGroups({ groups, polyCount }: TileData): void {
  if (groups === undefined) return;
  checkArray('addTile', 'tile.groups', groups);
  const seen = new Set<number>();
  // Iterators, unlike forEach, also visit the holes of sparse arrays.
  for (const [i, group] of groups.entries()) {
    const path = `tile.groups[${i}]`;
    checkObject('addTile', path, group);
    checkName('addTile', `${path}.name`, group.name);
    checkArray('addTile', `${path}.polys`, group.polys);
    for (const [k, poly] of group.polys.entries()) {
      const isPoly = Number.isInteger(poly) && poly >= 0 && poly < polyCount && !seen.has(poly);
      if (!isPoly) refuse('addTile', `${path}.polys[${k}]`, poly, `a polygon below ${polyCount} without another name`);
      seen.add(poly);
    }
  }
}

/** Throws a RangeError for the tile. */
function failAt({ x, z, layer }: TileData, what: string): never {
  throw new RangeError(`addTile: tile (${x}, ${z}), layer ${layer}: ${what}`);
}

/** Checks shapes and neighbors of polygons, as loading does. The tile has passed `checkTile`. */
export function checkTileShapes(tile: TileData): void {
  const { polyCount, polyEdgeStart, edgeNeighbor } = tile;
  const polyVertexCount = Uint8Array.from({ length: polyCount }, (_, p) => polyEdgeStart[p + 1] - polyEdgeStart[p]);
  const polys = { ...tile, polyVertexCount };
  for (let p = 0; p < polyCount; p++) {
    for (let e = polyEdgeStart[p]; e < polyEdgeStart[p + 1]; e++) {
      const other = edgeNeighbor[e];
      if (other >= 0 && (other === p || !isMutual(polys, p, e)))
        failAt(
          tile,
          `edgeNeighbor[${e}] is ${other}, which does not have this edge in reverse with ${p} as its neighbor`,
        );
    }
    const dented = dentedEdge(polys, p);
    if (dented >= 0) failAt(tile, `polygon ${p} is not convex and counter-clockwise at edgeVertex[${dented}]`);
  }
}

/** Checks sizes, limits, indices and numbers before anything changes. */
export function checkTile(mesh: NavMesh, tile: TileData): void {
  const { x, z, layer, vertexCount, polyCount } = tile;
  const fail = (what: string): never => failAt(tile, what);
  for (const value of [x, z, layer]) {
    if ((value | 0) !== value) fail('x, z and layer must be whole numbers');
  }
  if (findTile(mesh, x, z, layer) >= 0) fail('there is a tile already; remove it first');
  for (const count of [vertexCount, polyCount]) {
    if (!(Number.isInteger(count) && count >= 0)) fail(`a count is ${count}; must be a whole number`);
  }
  if (polyCount > MAX_POLYS_PER_TILE) {
    fail(`${polyCount} polygons, at most ${MAX_POLYS_PER_TILE}; use a smaller tileSize`);
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
    if (!(have >= need)) fail(`${name} has ${have} entries; ${need} are needed`);
  }
  for (const [name, count] of [
    ['vertices', vertexCount],
    ['detailVertices', detailVertexCount],
  ] as const) {
    const points = tile[name];
    for (let i = 0; i < 3 * count; i++) {
      if (!(Math.abs(points[i]) < MAX_COORDINATE))
        fail(`${name}[${i}] is ${points[i]}; must be finite and below ${MAX_COORDINATE}`);
    }
  }
  for (let e = 0; e < edgeCount; e++) {
    const vertex = tile.edgeVertex[e];
    const neighbor = tile.edgeNeighbor[e];
    if (vertex < 0 || vertex >= vertexCount) fail(`edgeVertex[${e}] is ${vertex}; there are ${vertexCount} vertices`);
    if (neighbor < -5 || neighbor >= polyCount) {
      fail(`edgeNeighbor[${e}] is ${neighbor}; there are ${polyCount} polygons`);
    }
  }
  for (let p = 0; p < polyCount; p++) {
    const area = tile.polyArea[p];
    if (area < 1 || area > 63) fail(`polyArea[${p}] is ${area}; areas are 1 .. 63`);
    if (tile.polySizes !== undefined && !isSizeMask(mesh, tile.polySizes[p]))
      fail(`polySizes[${p}] is ${tile.polySizes[p]}; no size of the mesh fits`);
    const corners = tile.polyEdgeStart[p + 1] - tile.polyEdgeStart[p];
    const locals = corners + tile.polyDetailVertexStart[p + 1] - tile.polyDetailVertexStart[p];
    for (let t = 4 * tile.polyDetailTriStart[p]; t < 4 * tile.polyDetailTriStart[p + 1]; t += 4) {
      if (tile.detailTris[t] >= locals || tile.detailTris[t + 1] >= locals || tile.detailTris[t + 2] >= locals) {
        fail(`detailTris[${t}] is beyond; there are ${locals} vertices`);
      }
    }
  }
  checkInsideSquare(mesh, tile, boundsOfTile(tile));
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
    if (!(step >= low && step <= high)) fail(`${name}: polygon ${p} has ${step} entries; must be ${low} .. ${high}`);
  }
  return starts[count];
}
