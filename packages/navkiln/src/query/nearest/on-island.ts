/**
 * Finds the point of one island nearest to a position, at any distance. Paths to an end on another island lead there.
 *
 * Polygons are compared by true distance to their closest points (see ground.ts); at equal distances, the one whose
 * tile and number come first wins. The polygon with the nearest box is found first, because its surface rules out most
 * others; the remaining ones are then compared. An island is one or several subtrees of each tile's tree, so other
 * islands are not visited. Tiles are searched within one tile size around the position, then within twice that, until
 * the result is nearer than all tiles that have not been searched.
 *
 * In: a polygon of the island, a position, a filter.
 * Out: a polygon and the point on it.
 * Cost: linear in the tiles within twice the distance, plus a part of the island's boxes there and the
 *   surface of a few polygons.
 * Based on: own.
 */
import { closestPointOnPoly } from '../../mesh/ground.ts';
import type { SizeIslands } from '../../mesh/size-islands.ts';
import { islandOf, refreshIslands, rootOfIsland } from '../../mesh/islands.ts';
import { findTilesNear, isPolyBefore, tilesNear } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { sizeIslands } from '../connected.ts';
import type { NearestHit } from './nearest.ts';

/** If they are tracked: the islands of the size, and the island that is searched. -1: the island of `root`. */
let islands: SizeIslands | undefined;
let sizeRoot = -1;

/** Factor on lower bounds that keeps rounding from making them too large. */
const BOUND_SLACK = 0.9999999999;

const candidate = new Float64Array(3);
const reaches = new Float64Array(3);

/**
 * Kernel: writes the nearest point of the island of polygon `from`, which must pass the filter; on a mesh with sizes,
 * of the island of the filter's size.
 * Recomputes islands that are stale.
 */
export function findNearestOnIsland(
  out: NearestHit,
  mesh: NavMesh,
  from: number,
  point: Float64Array,
  filter: QueryFilter,
): void {
  refuseInMethod('findNearestOnIsland');
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const root = islandOf(mesh, from);
  islands = sizeIslands.find?.(mesh, filter);
  sizeRoot = islands?.roots[from] ?? -1;
  let reach = mesh.tileSize;
  for (let isDone = false; !isDone; reach *= 2) {
    // Assigned one by one, because a double that is passed to `fill` may be allocated.
    reaches[0] = reaches[1] = reaches[2] = reach;
    const isAll = findTilesNear(mesh, point, reaches);
    // The first pass finds the polygon with the nearest box, the second compares surfaces.
    let seed = -1;
    for (let pass = 0; pass < 2; pass++) {
      out.poly = -1;
      out.distanceSq = Infinity;
      if (seed >= 0) offerOnIsland(out, mesh, seed, point);
      for (let i = 0; i < tilesNear.count; i++) {
        searchTile(out, mesh, tilesNear.slots[i], root, point, filter, seed >= 0);
      }
      seed = out.poly;
    }
    isDone = isAll || out.distanceSq <= reach * reach;
  }
  out.score = out.distanceSq;
}

/**
 * Searches a tile for polygons of the island with this root: for the nearest box (`isBySurface` false), whose
 * squared distance and polygon go into `out`, or for the nearest point.
 */
// oxlint-disable-next-line max-params -- hot loop: kernel arguments, passed on as they are
function searchTile(
  out: NearestHit,
  mesh: NavMesh,
  slot: number,
  root: number,
  point: Float64Array,
  filter: QueryFilter,
  isBySurface: boolean,
): void {
  if (sizeRoot >= 0 && (sizeRoot < islands!.lows[slot] || sizeRoot > islands!.highs[slot])) return;
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
    const bound = (dx * dx + dy * dy + dz * dz) * BOUND_SLACK;
    if (bound > out.distanceSq || (islandParent[node] >= 0 && rootOfIsland(mesh, node) !== root)) {
      node += item < 0 ? -item : 1;
      continue;
    }
    node++;
    if (item < 0 || !passesFilter(filter, mesh, item) || (sizeRoot >= 0 && islands!.roots[item] !== sizeRoot)) continue;
    if (isBySurface) {
      offerOnIsland(out, mesh, item, point);
    } else if (bound < out.distanceSq) {
      out.distanceSq = bound;
      out.poly = item;
    }
  }
}

/** Writes the polygon into `out` when it is better than the polygon there. */
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
