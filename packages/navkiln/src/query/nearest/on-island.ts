/**
 * The ground of one island nearest to a point, however far: where a path to an end on another island leads.
 *
 * By true distance to the closest points of ground.ts; among equals the polygon that comes first by its tile's place and its
 * number there. First the polygon with the nearest box is found, as its ground rules out most of the others; then those that are
 * left are compared. In each tile the island is one subtree or several, so no other is looked at. Tiles are looked at within a
 * tile's side around the point, then within twice as much, until what is found is nearer than what has not been looked at.
 * Cost: a few ns for each tile within twice the distance, a part of the island's boxes there, the ground of a few polygons.
 * Based on: own.
 * Tried and lost: the same over the whole of a tile's tree (3 times slower on a level with many islands).
 */
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { islandNode, refreshIslands, rootOfIsland } from '../../navmesh/islands.ts';
import { findTilesNear, isPolyBefore, tilesNear } from '../../navmesh/tile-grid.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { NearestHit } from './nearest.ts';

const candidate = new Float64Array(3);
const reaches = new Float64Array(3);

/** Kernel. The island is the one that polygon `from` is on, which must pass the filter. Refreshes islands that are stale. */
export function findNearestOnIsland(
  out: NearestHit,
  mesh: NavMesh,
  from: number,
  point: Float64Array,
  filter: QueryFilter,
): void {
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const root = rootOfIsland(mesh, islandNode(mesh, from));
  let reach = mesh.tileSize;
  for (let isDone = false; !isDone; reach *= 2) {
    // Not by `fill`: a number handed over might have to be allocated.
    reaches[0] = reaches[1] = reaches[2] = reach;
    const isAll = findTilesNear(mesh, point, reaches);
    let seed = -1;
    for (let pass = 0; pass < 2; pass++) {
      out.poly = -1;
      out.distanceSq = Infinity;
      if (seed >= 0) offerOnIsland(out, mesh, seed, point);
      for (let i = 0; i < tilesNear.count; i++)
        searchTile(out, mesh, tilesNear.slots[i], root, point, filter, seed >= 0);
      seed = out.poly;
    }
    isDone = isAll || out.distanceSq <= reach * reach;
  }
  out.score = out.distanceSq;
}

function searchTile(
  out: NearestHit,
  mesh: NavMesh,
  slot: number,
  root: number,
  point: Float64Array,
  filter: QueryFilter,
  isByGround: boolean,
): void {
  const { bvBounds, bvItem, islandParent, tileBounds } = mesh;
  const px = point[0] - tileBounds[6 * slot];
  const py = point[1] - tileBounds[6 * slot + 1];
  const pz = point[2] - tileBounds[6 * slot + 2];
  let node = mesh.tileNodeStart[slot];
  const end = node + mesh.tileNodeCount[slot];
  while (node < end) {
    const item = bvItem[node];
    const b = 6 * node;
    const left = bvBounds[b] - px;
    const right = px - bvBounds[b + 3];
    const dx = left > 0 ? left : right > 0 ? right : 0;
    const under = bvBounds[b + 1] - py;
    const over = py - bvBounds[b + 4];
    const dy = under > 0 ? under : over > 0 ? over : 0;
    const front = bvBounds[b + 2] - pz;
    const back = pz - bvBounds[b + 5];
    const dz = front > 0 ? front : back > 0 ? back : 0;
    const bound = (dx * dx + dy * dy + dz * dz) * 0.9999999999;
    if (bound > out.distanceSq || (islandParent[node] >= 0 && rootOfIsland(mesh, node) !== root)) {
      node += item < 0 ? -item : 1;
      continue;
    }
    node++;
    if (item < 0 || !passesFilter(filter, mesh, item)) continue;
    if (isByGround) {
      offerOnIsland(out, mesh, item, point);
    } else if (bound < out.distanceSq) {
      out.distanceSq = bound;
      out.poly = item;
    }
  }
}

function offerOnIsland(out: NearestHit, mesh: NavMesh, poly: number, point: Float64Array): void {
  const isOver = closestPointOnPoly(candidate, mesh, poly, point);
  const dx = candidate[0] - point[0];
  const dy = candidate[1] - point[1];
  const dz = candidate[2] - point[2];
  const distanceSq = dx * dx + dy * dy + dz * dz;
  if (distanceSq > out.distanceSq) return;
  if (distanceSq === out.distanceSq && out.poly >= 0 && !isPolyBefore(mesh, poly, out.poly)) return;
  out.distanceSq = distanceSq;
  out.poly = poly;
  out.isOver = isOver;
  out.point[0] = candidate[0];
  out.point[1] = candidate[1];
  out.point[2] = candidate[2];
}
