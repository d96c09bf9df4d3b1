/**
 * Finds the polygons in a box.
 *
 * A polygon counts when its outline and the box touch, seen from above (decided exactly), and the range of
 * heights of its tree box reaches into the box.
 *
 * In: a box, a filter.
 * Out: dense indices, tile by tile, in the order of the trees.
 * Cost: a walk through the trees of tiles that the box reaches, plus the edges of each candidate. No
 *   allocation after warm-up.
 * Based on: Detour's queryPolygons (Mikko Mononen, 2009), which takes all polygons whose bounds, rounded
 *   outward to the grid of its tree, overlap the box: all polygons found here, and more.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import { refOf } from '../../mesh/ref.ts';
import { findTilesNear, tilesNear } from '../../mesh/tiles/tile-grid.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { readHalfExtents } from './nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';

/** Result of the kernel. Create it once with `createPolyList` and reuse it. */
export interface PolyList {
  count: number;
  /** polys[0 .. count - 1]: dense indices, valid until tiles change; the array may be longer. */
  polys: Int32Array;
}

/** Options of `findPolysInBox`. */
export interface PolysInBoxOptions {
  /** Which polygons count. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

const POLYS_IN_BOX_KEYS = ['filter', 'size'] as const;

/** Returns an empty list for `findPolysInBoxInto`. */
export function createPolyList(): PolyList {
  return { count: 0, polys: new Int32Array(0) };
}

const boxCenter = new Float64Array(3);
const boxExtents = new Float64Array(3);
const sharedList = createPolyList();

/**
 * Returns the polygons that touch the box around `center`; `halfExtents` is half its size: `[x, y, z]`, world
 * units, 0 or more. The order is that of tiles and their trees.
 *
 * Throws a TypeError if the value is not a position, a RangeError for negative half extents and unknown keys.
 */
export function findPolysInBox(
  mesh: NavMesh,
  center: PointLike,
  halfExtents: PointLike,
  options: PolysInBoxOptions = {},
): PolyRef[] {
  checkKeys('findPolysInBox', options, POLYS_IN_BOX_KEYS);
  readPoint(boxCenter, center, 'findPolysInBox', 'center');
  readPoint(boxExtents, halfExtents, 'findPolysInBox', 'halfExtents');
  readHalfExtents(boxExtents, mesh, boxExtents, 'findPolysInBox', undefined, 'halfExtents');
  findPolysInBoxInto(sharedList, mesh, boxCenter, boxExtents, readFilter('findPolysInBox', options, mesh));
  const refs: PolyRef[] = [];
  for (let i = 0; i < sharedList.count; i++) refs.push(refOf(mesh, sharedList.polys[i]));
  return refs;
}

/** Kernel of `findPolysInBox`: writes dense indices. Allocates nothing once the list has grown. */
export function findPolysInBoxInto(
  out: PolyList,
  mesh: NavMesh,
  center: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  refuseInMethod('findPolysInBoxInto');
  out.count = 0;
  findTilesNear(mesh, center, halfExtents);
  for (let i = 0; i < tilesNear.count; i++) searchTile(out, mesh, tilesNear.slots[i], center, halfExtents, filter);
}

/** Appends the polygons of one tile. */
function searchTile(
  out: PolyList,
  mesh: NavMesh,
  slot: number,
  center: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  // Relative to the tile's minimum corner, as the boxes of the tree are.
  const px = center[0] - tileBounds[6 * slot];
  const py = center[1] - tileBounds[6 * slot + 1];
  const pz = center[2] - tileBounds[6 * slot + 2];
  const ex = halfExtents[0];
  const ey = halfExtents[1];
  const ez = halfExtents[2];
  let node = mesh.tileNodeStart[slot];
  const end = node + mesh.tileNodeCount[slot];
  while (node < end) {
    const b = 6 * node;
    const item = bvItem[node];
    if (
      bvBounds[b] - px > ex ||
      px - bvBounds[b + 3] > ex ||
      bvBounds[b + 2] - pz > ez ||
      pz - bvBounds[b + 5] > ez ||
      bvBounds[b + 1] - py > ey ||
      py - bvBounds[b + 4] > ey
    ) {
      node += item < 0 ? -item : 1;
      continue;
    }
    node++;
    if (item < 0) continue;
    if (touchesRectangle(mesh, item, center, halfExtents) && passesFilter(filter, mesh, item)) addPoly(out, item);
  }
}

/** Appends a polygon (dense index). @internal */
export function addPoly(out: PolyList, poly: number): void {
  if (out.count === out.polys.length) {
    const old = out.polys;
    out.polys = new Int32Array(Math.max(32, 2 * old.length));
    out.polys.set(old);
  }
  out.polys[out.count++] = poly;
}

/**
 * Returns whether a polygon and the rectangle of the box touch, seen from above: two convex outlines are apart exactly
 * when an edge of one of them separates them. Coordinates are relative to the center, which is exact for vertices near
 * it, even far from the origin.
 */
function touchesRectangle(mesh: NavMesh, poly: number, center: Float64Array, halfExtents: Float64Array): boolean {
  const { vertices, edgeVertex } = mesh;
  const cx = center[0];
  const cz = center[2];
  const ex = halfExtents[0];
  const ez = halfExtents[2];
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let a = 3 * edgeVertex[end - 1];
  let ax = vertices[a] - cx;
  let az = vertices[a + 2] - cz;
  let lowX = ax;
  let highX = ax;
  let lowZ = az;
  let highZ = az;
  for (let e = first; e < end; e++) {
    a = 3 * edgeVertex[e];
    const bx = vertices[a] - cx;
    const bz = vertices[a + 2] - cz;
    const dx = bx - ax;
    const dz = bz - az;
    // The corner of the rectangle that is furthest to the left of the edge, where the polygon is.
    const x = dz > 0 ? ex : -ex;
    const z = dx > 0 ? -ez : ez;
    if (dz * (x - ax) - dx * (z - az) < 0) return false;
    if (bx < lowX) lowX = bx;
    if (bx > highX) highX = bx;
    if (bz < lowZ) lowZ = bz;
    if (bz > highZ) highZ = bz;
    ax = bx;
    az = bz;
  }
  return lowX <= ex && highX >= -ex && lowZ <= ez && highZ >= -ez;
}
