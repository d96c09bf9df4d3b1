/**
 * Finds the cell of an end of a route, and the approximate lengths from there to the cell's gates.
 *
 * On a loaded tile, lengths spread over the polygons of the cell. For other tiles, the record has only the bounds and
 * gates of each cell. The cell then is the smallest whose bounds contain the point, and lengths are straight distances.
 *
 * In: a graph, a position, and a mesh if it has the tile.
 * Out: a cell and a length for each of its gates.
 * Cost: O(m log m) in the polygons of the cell.
 * Based on: own.
 */
import { MOST_TILES, findTile, keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { SearchState } from '../search-state.ts';
import { routeSlotAt } from './graph.ts';
import { createTileCells, findCells } from './record/cells.ts';
import { spreadInCell } from './record/spread.ts';
import { gateCountOf } from './route.ts';
import type { RouteEnd } from './route.ts';
import type { RouteGraph, RouteTile } from './types.ts';

const cells = createTileCells();
const spot = new Float64Array(3);

/** Kernel. Measures from a point on a polygon (dense index). Leaves the nodes of `state` for `lengthTo`. */
export function measureRouteEnd(
  out: RouteEnd,
  state: SearchState,
  graph: RouteGraph,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
): void {
  const meshSlot = mesh.polyTile[poly];
  out.slot = routeSlotAt(graph, mesh.tileX[meshSlot], mesh.tileZ[meshSlot], mesh.tileLayer[meshSlot]);
  out.isExact = true;
  out.point.set(point);
  if (out.slot < 0) return;
  const tile = graph.tiles[out.slot]!;
  findCells(cells, mesh, meshSlot, graph.size);
  const polyStart = mesh.tilePolyStart[meshSlot];
  out.cell = cells.cellOf[poly - polyStart];
  if (cells.count !== tile.cellArea.length || out.cell < 0) {
    out.slot = -1;
    return;
  }
  spreadInCell(state, mesh, cells, poly, point);
  makeRoom(out, graph);
  const first = tile.cellGate[out.cell];
  for (let i = 0; i < gateCountOf(graph, out); i++) {
    const gate = graph.tileGate[out.slot] + first + i;
    spot[0] = graph.gateX[gate];
    spot[1] = graph.gateY[gate];
    spot[2] = graph.gateZ[gate];
    out.lengths[i] = lengthTo(state, polyStart + tile.gatePoly[first + i], spot);
  }
}

/** Returns the length from the point of the last `measureRouteEnd` to a point on a polygon of the same cell. */
export function lengthTo({ stamp, nodeStamp, nodeCost, node }: SearchState, poly: number, point: Float64Array): number {
  if (nodeStamp[poly] !== stamp) return Infinity;
  const dx = point[0] - node[4 * poly];
  const dy = point[1] - node[4 * poly + 1];
  const dz = point[2] - node[4 * poly + 2];
  return nodeCost[poly] + Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Finds the cell of a point on a tile that `mesh` does not have. `halfExtents`: how far the point may be outside of the
 * cell's bounds. Returns false if there is no cell.
 */
export function guessRouteEnd(
  out: RouteEnd,
  graph: RouteGraph,
  mesh: NavMesh | undefined,
  point: Float64Array,
  halfExtents: ArrayLike<number>,
): boolean {
  const { origin, tileSize } = graph;
  out.slot = -1;
  out.isExact = false;
  out.point.set(point);
  let least = Infinity;
  const tileOf = (k: number, sign: number): number =>
    // Limited, because loops over larger numbers would not end.
    Math.floor(Math.min(MOST_TILES, Math.max(-MOST_TILES, (point[k] + sign * halfExtents[k] - origin[k]) / tileSize)));
  const offer = (slot: number): void => {
    const tile = graph.tiles[slot];
    if (tile === undefined || (mesh !== undefined && findTile(mesh, tile.x, tile.z, tile.layer) >= 0)) return;
    for (let cell = 0; cell < tile.cellArea.length; cell++) {
      const size = sizeAround(graph, tile, cell, point, halfExtents);
      if (size >= least) continue;
      least = size;
      out.slot = slot;
      out.cell = cell;
    }
  };
  const [firstX, lastX, firstZ, lastZ] = [tileOf(0, -1), tileOf(0, 1), tileOf(2, -1), tileOf(2, 1)];
  if ((lastX - firstX + 1) * (lastZ - firstZ + 1) < graph.tiles.length) {
    for (let z = firstZ; z <= lastZ; z++)
      for (let x = firstX; x <= lastX; x++) for (const slot of graph.slots.get(keyOfTile(x, z)) ?? []) offer(slot);
  } else {
    // The box is larger than the world.
    for (let slot = 0; slot < graph.tiles.length; slot++) offer(slot);
  }
  if (out.slot < 0) return false;
  setGuessedEnd(out, graph, out.slot, out.cell, point);
  return true;
}

/** Sets an end in a cell of a tile that is not loaded. Lengths to the gates are straight distances. */
export function setGuessedEnd(out: RouteEnd, graph: RouteGraph, slot: number, cell: number, point: Float64Array): void {
  out.slot = slot;
  out.cell = cell;
  out.isExact = false;
  out.point.set(point);
  makeRoom(out, graph);
  const first = graph.tileGate[slot] + graph.tiles[slot]!.cellGate[cell];
  for (let i = 0; i < gateCountOf(graph, out); i++) {
    const dx = graph.gateX[first + i] - point[0];
    const dy = graph.gateY[first + i] - point[1];
    const dz = graph.gateZ[first + i] - point[2];
    out.lengths[i] = Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}

/**
 * Returns the distance of a point from the bounds of a cell, plus a tiny term for the size of the cell, so that smaller
 * cells win. Infinity: too far.
 */
function sizeAround(
  { origin, tileSize }: RouteGraph,
  { x, z, cellBox }: RouteTile,
  cell: number,
  point: Float64Array,
  halfExtents: ArrayLike<number>,
): number {
  const corner = [origin[0] + x * tileSize, origin[1], origin[2] + z * tileSize];
  let distance = 0;
  let size = 1;
  for (let k = 0; k < 3; k++) {
    const low = corner[k] + cellBox[6 * cell + k];
    const high = corner[k] + cellBox[6 * cell + 3 + k];
    const outside = Math.max(low - point[k], point[k] - high, 0);
    if (outside > halfExtents[k]) return Infinity;
    distance += outside;
    if (k !== 1) size *= (high - low) / tileSize;
  }
  return distance + size * 1e-6 * tileSize;
}

function makeRoom(out: RouteEnd, graph: RouteGraph): void {
  const count = gateCountOf(graph, out);
  if (out.lengths.length < count) out.lengths = new Float64Array(2 * count);
}
