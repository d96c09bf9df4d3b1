/**
 * Finds the point of one island nearest to a position, at any distance. Paths to an end on another island lead there.
 *
 * Polygons are compared by true distance to their closest points (see ground.ts); at equal distances, the one whose
 * tile and number come first wins. Of two subtrees, the one with the nearer box is searched first. An island is one or several subtrees of each tile's tree, so other
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
import { islandOf, refreshIslands, rootOfIsland } from '../../mesh/islands.ts';
import { findTilesNear, isPolyBefore, tilesNear } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { sizeIslands } from '../connected.ts';
import { BOUND_SLACK } from './nearest.ts';
import type { NearestHit } from './nearest.ts';

/** Nodes that remain to be searched, and lower bounds of their squared distances. */
const nodes: number[] = [];
const bounds: number[] = [];
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
  const { bvBounds, bvItem, islandParent, tileBounds } = mesh;
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const root = islandOf(mesh, from);
  // If they are tracked: the islands of the size.
  const islands = sizeIslands.find?.(mesh, filter);
  const sizeRoot = islands?.roots[from] ?? -1;
  let reach = mesh.tileSize;
  for (let isDone = false; !isDone; reach *= 2) {
    // Assigned one by one, because a double that is passed to `fill` may be allocated.
    reaches[0] = reaches[2] = reach;
    isDone = findTilesNear(mesh, point, reaches);
    out.poly = -1;
    out.distanceSq = Infinity;
    for (let i = 0; i < tilesNear.count; i++) {
      const slot = tilesNear.slots[i];
      if (sizeRoot >= 0 && (sizeRoot < islands!.lows[slot] || sizeRoot > islands!.highs[slot])) continue;
      const px = point[0] - tileBounds[6 * slot];
      const py = point[1] - tileBounds[6 * slot + 1];
      const pz = point[2] - tileBounds[6 * slot + 2];
      nodes[0] = mesh.tileNodeStart[slot];
      bounds[0] = 0;
      for (let depth = Math.min(1, mesh.tileNodeCount[slot]); depth > 0;) {
        let node = nodes[--depth];
        if (bounds[depth] > out.distanceSq || (islandParent[node] >= 0 && rootOfIsland(mesh, node) !== root)) continue;
        const item = bvItem[node];
        if (item >= 0) {
          if (passesFilter(filter, mesh, item) && (sizeRoot < 0 || islands!.roots[item] === sizeRoot))
            offerOnIsland(out, mesh, item, point);
          continue;
        }
        const top = depth;
        for (node++; depth < top + 2; depth++) {
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
          // The nearer child goes on top.
          const place = bound < bounds[top] ? depth : top;
          nodes[depth] = nodes[top];
          bounds[depth] = bounds[top];
          nodes[place] = node;
          bounds[place] = bound;
          node += Math.max(1, -bvItem[node]);
        }
      }
    }
    isDone ||= out.distanceSq <= reach * reach;
  }
  out.score = out.distanceSq;
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
  out.point.set(candidate);
}
