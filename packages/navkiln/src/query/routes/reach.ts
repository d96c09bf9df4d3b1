/**
 * The nearest cell that a start is connected with, for an end on another island of a world whose tiles are not all
 * loaded. A mesh that has all tiles knows its islands itself.
 *
 * On loaded tiles, cells are compared by the closest points of their polygons. Of other tiles, only the bounds of cells are
 * known, and the closest point of the bounds counts. Once the tile is loaded, the path is searched again.
 *
 * In: a graph, both ends.
 * Out: the cell, and the point on it or in its bounds.
 * Cost: linear in the gates of the graph once after each change of it, and in its cells for each call.
 * Based on: own, over base/data/union-find.ts.
 */
import { rootOf, unite } from '../../base/data/union-find.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { findTile } from '../../mesh/tiles/tile-grid.ts';
import { LINK_ENABLED } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { setGuessedEnd } from './ends.ts';
import { createTileCells, findCells } from './record/cells.ts';
import type { RouteEnd } from './route.ts';
import { isCellOpen } from './search.ts';
import type { RouteGraph, RouteMetric } from './types.ts';

/** Cells that are connected for any filter and any direction of links, as of a revision of the graph. */
interface Islands {
  revision: number;
  parent: Int32Array;
}

const known = new WeakMap<RouteGraph, Islands>();
const cells = createTileCells();
const spot = new Float64Array(3);

/**
 * Moves an end to the nearest cell that is connected with the start and passes the filter. `hit` receives the point, and its
 * polygon, or -1 if the tile is not loaded; then `end` is set, too. Returns false if both ends are connected, or no cell is
 * left.
 */
// oxlint-disable-next-line max-params -- kernel
export function findReachedCell(
  hit: NearestHit,
  end: RouteEnd,
  start: RouteEnd,
  graph: RouteGraph,
  mesh: NavMesh,
  metric: RouteMetric,
): boolean {
  if (start.slot < 0) return false;
  const { tiles, tileCell, origin, tileSize } = graph;
  const parent = islandsOf(graph);
  const root = rootOf(parent, tileCell[start.slot] + start.cell);
  if (end.slot >= 0 && rootOf(parent, tileCell[end.slot] + end.cell) === root) return false;
  const goal = Float64Array.from(hit.point);
  const loaded: { meshSlot: number; cell: number; distanceSq: number }[] = [];
  let least = Infinity;
  let [slot, cell] = [-1, -1];
  const place = new Float64Array(3);
  tiles.forEach((tile, i) => {
    if (tile === undefined) return;
    const meshSlot = findTile(mesh, tile.x, tile.z, tile.layer);
    const corner = [origin[0] + tile.x * tileSize, origin[1], origin[2] + tile.z * tileSize];
    for (let k = 0; k < tile.cellArea.length; k++) {
      const index = tileCell[i] + k;
      if (rootOf(parent, index) !== root || !isCellOpen(graph, metric, index)) continue;
      let distanceSq = 0;
      for (let axis = 0; axis < 3; axis++) {
        const low = corner[axis] + tile.cellBox[6 * k + axis];
        const high = corner[axis] + tile.cellBox[6 * k + 3 + axis];
        spot[axis] = Math.min(Math.max(goal[axis], low), high);
        const away = spot[axis] - goal[axis];
        distanceSq += away * away;
      }
      if (meshSlot >= 0) {
        loaded.push({ meshSlot, cell: k, distanceSq });
      } else if (distanceSq < least) {
        least = distanceSq;
        [slot, cell] = [i, k];
        place.set(spot);
      }
    }
  });
  hit.poly = -1;
  loaded.sort((a, b) => a.distanceSq - b.distanceSq);
  for (const one of loaded) {
    if (one.distanceSq >= least) break;
    findCells(cells, mesh, one.meshSlot, graph.size);
    const first = mesh.tilePolyStart[one.meshSlot];
    for (let poly = 0; poly < mesh.tilePolyCount[one.meshSlot]; poly++) {
      if (cells.cellOf[poly] !== one.cell) continue;
      closestPointOnPoly(spot, mesh, first + poly, goal);
      const [dx, dy, dz] = [spot[0] - goal[0], spot[1] - goal[1], spot[2] - goal[2]];
      const distanceSq = dx * dx + dy * dy + dz * dz;
      if (distanceSq >= least) continue;
      least = distanceSq;
      hit.poly = first + poly;
      place.set(spot);
    }
  }
  if (least === Infinity) return false;
  hit.point.set(place);
  if (hit.poly < 0) setGuessedEnd(end, graph, slot, cell, place);
  return true;
}

/** Returns the union-find of cells. */
function islandsOf(graph: RouteGraph): Int32Array {
  const found = known.get(graph);
  if (found?.revision === graph.revision) return found.parent;
  const { gateCell, gateEdge, edgeTo, edgeNext, edgeLink, cellFlags, links } = graph;
  const parent = Int32Array.from({ length: graph.cellCount }, (_, cell) => cell);
  graph.tiles.forEach((tile, slot) => {
    if (tile === undefined) return;
    const first = graph.tileGate[slot];
    for (let gate = first; gate < first + tile.gatePoly.length; gate++) {
      for (let edge = gateEdge[gate]; edge >= 0; edge = edgeNext[edge]) {
        const link = edgeLink[edge];
        if (link >= 0 && (links.state[link >> 1] & LINK_ENABLED) === 0) continue;
        const [a, b] = [gateCell[gate], gateCell[edgeTo[edge]]];
        // Cells of disabled names have no flags.
        if (cellFlags[a] !== 0 && cellFlags[b] !== 0) unite(parent, a, b);
      }
    }
  });
  known.set(graph, { revision: graph.revision, parent });
  return parent;
}
