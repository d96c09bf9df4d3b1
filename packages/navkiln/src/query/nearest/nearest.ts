/**
 * Finds the point of the mesh nearest to a position, within a box around it.
 *
 * A polygon that the position is over counts by the difference in height, less the agent's climb: a floor within one
 * step is at distance 0. Any other polygon counts by the distance to its closest point (see ground.ts), or to the
 * closest point within the box, seen from above. The smallest value wins; at equal values, the smallest true distance
 * and then the lower polygon. So the result does not depend on the tree. The point lies within the box, and a flat
 * surface gives the same point for any division into polygons.
 *
 * In each tile, polygons below or above the position are searched first. Usually one of them is at distance 0, and all
 * others, which are expensive to measure, are skipped. An infinite box is searched as a series of boxes, each up to
 * four times as large as the last.
 *
 * In: a position, a box, a filter.
 * Out: a polygon and the point on it.
 * Cost: O(log n) for small boxes. A subtree is skipped when it is outside the box or cannot beat the best
 *   polygon so far.
 * Based on: Detour's findNearestPoly (Mikko Mononen, 2009), whose rule this is. Detour also takes polygons
 *   whose bounds merely overlap the box, cuts the box at the borders of tiles, and breaks ties by storage
 *   order.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import { findTilesNear, isPolyBefore, tilesNear } from '../../mesh/tiles/tile-grid.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { closestPointBeside, isOverPoly, setHeight } from '../../mesh/ground.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';

/** Options of `findNearest`. */
export interface NearestOptions {
  /**
   * Half the size of the box to search, world units: `[x, y, z]`, or one number for all three. `Infinity`
   * searches everywhere. Default: two agent radii and two cells in x and z, the agent's height in y;
   * everywhere on the mesh of a 2D map.
   */
  halfExtents?: PointLike | number;
  /** Which polygons count. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

const NEAREST_KEYS = ['halfExtents', 'filter', 'size'] as const;

/** Result of `findNearest`. */
export interface NearestResult {
  /** A polygon that passes the filter is within the box. */
  found: boolean;
  /** `NULL_REF` when nothing was found. */
  ref: PolyRef;
  /** Dense index, valid until tiles change; -1 when nothing was found. */
  poly: number;
  /** The nearest point of the mesh, or the given position when nothing was found. */
  point: [number, number, number];
  /** Distance from the given position to `point`, world units; Infinity when nothing was found. */
  distance: number;
  /** The given position is above or below the polygon, so `point` differs in y alone. */
  isOver: boolean;
}

/** Result of the kernel. Create it once with `createNearestHit` and reuse it. */
export interface NearestHit {
  /** Dense index; -1 when nothing was found. */
  poly: number;
  /** xyz on the polygon. */
  point: Float64Array;
  isOver: boolean;
  distanceSq: number;
  /** The squared distance that was minimized, less the climb where the position is over the polygon. */
  score: number;
}

/** Returns an empty hit for `findNearestInto`. */
export function createNearestHit(): NearestHit {
  return { poly: -1, point: new Float64Array(3), isOver: false, distanceSq: Infinity, score: Infinity };
}

/**
 * Writes the default box. On the mesh of a 2D map it has no limits: a click on a wall means the floor next to it, and no storeys could be
 * confused. On other meshes, it extends to the sides by two agent radii and two cells, so that it contains walkable surface next to a wall, but at
 * least by a tenth of the agent's height. Up and down it extends by the agent's height. On a mesh with sizes, the agent is that of the filter's
 * size.
 */
export function defaultHalfExtents(out: Float64Array, mesh: NavMesh, filter?: QueryFilter): void {
  if (mesh.mapYSign) out.fill(Infinity);
  else agentHalfExtents(out, mesh, filter);
}

/** Writes the box of `defaultHalfExtents` that depends on the agent, on any mesh. @internal */
export function agentHalfExtents(out: Float64Array, mesh: NavMesh, filter?: QueryFilter): void {
  const { radius, height } = mesh.sizes[filter?.size ?? 0] ?? mesh.agent;
  out[0] = out[2] = Math.max(2 * (radius + mesh.cellSize), 0.1 * height, 1e-3);
  out[1] = Math.max(height, 1e-3);
}

/**
 * Writes half extents given by a caller, or the default. Throws a TypeError for a value that is neither a point nor a
 * number, and a RangeError for negative numbers and inside of a filter's method. `path` is the name of the value in
 * messages. @internal
 */
export function readHalfExtents(
  out: Float64Array,
  mesh: NavMesh,
  given: PointLike | number | undefined,
  caller: string,
  filter?: QueryFilter,
  path: string = 'options.halfExtents',
): void {
  refuseInMethod(caller);
  checkNavMesh(caller, mesh);
  if (given === undefined) defaultHalfExtents(out, mesh, filter);
  else if (typeof given === 'number') {
    if (!(given >= 0)) refuse(caller, path, given, 'a number >= 0');
    out.fill(given);
  } else {
    readPoint(out, given, caller, path);
    for (let k = 0; k < 3; k++) if (out[k] < 0) refuse(caller, `${path}[${k}]`, out[k], 'a number >= 0');
  }
}

const center = new Float64Array(3);
const extents = new Float64Array(3);
const sharedHit = createNearestHit();

/**
 * Returns the point of the mesh nearest to a position, the polygon it is on, and the distance.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function findNearest(mesh: NavMesh, point: PointLike, options: NearestOptions = {}): NearestResult {
  checkKeys('findNearest', options, NEAREST_KEYS);
  readPoint(center, point, 'findNearest', 'point');
  const filter = readFilter('findNearest', options, mesh);
  readHalfExtents(extents, mesh, options.halfExtents, 'findNearest', filter);
  findNearestInto(sharedHit, mesh, center, extents, filter);
  const { poly, isOver } = sharedHit;
  const found = poly >= 0;
  return {
    found,
    ref: found ? refOf(mesh, poly) : NULL_REF,
    poly,
    point: Array.from(found ? sharedHit.point : center) as [number, number, number],
    distance: Math.sqrt(sharedHit.distanceSq),
    isOver,
  };
}

/** Does what `findNearestInto` does, in the default box. @internal */
export function findNearInto(out: NearestHit, mesh: NavMesh, point: Float64Array, filter: QueryFilter): void {
  defaultHalfExtents(extents, mesh, filter);
  findNearestInto(out, mesh, point, extents, filter);
}

const box = new Float64Array(3);

/** Kernel of `findNearest`: writes the nearest point into `out`, or `poly` -1. Allocates nothing. */
export function findNearestInto(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  refuseInMethod('findNearestInto');
  if (halfExtents[0] < Infinity) {
    searchBox(out, mesh, point, halfExtents, filter);
    return;
  }
  // Boxes grow until nothing outside of them can be better. The last round uses the whole box.
  const { maxClimb, height } = mesh.agent;
  let reach = 2 * Math.max(height, maxClimb, mesh.cellSize);
  for (let round = 0; round < 8; round++) {
    for (let k = 0; k < 3; k++) box[k] = round < 7 && halfExtents[k] > reach ? reach : halfExtents[k];
    searchBox(out, mesh, point, box, filter);
    if (out.score <= (reach - maxClimb) * (reach - maxClimb)) return;
    reach = out.poly < 0 ? 4 * reach : (Math.sqrt(out.score) + maxClimb) * 1.0000001;
  }
}

function searchBox(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  out.poly = -1;
  out.isOver = false;
  out.distanceSq = out.score = Infinity;
  findTilesNear(mesh, point, halfExtents);
  for (let i = 0; i < tilesNear.count; i++) searchTile(out, mesh, tilesNear.slots[i], point, halfExtents, filter);
}

/** Factor on lower bounds that keeps rounding from making them too large. @internal */
export const BOUND_SLACK = 0.9999999999;

const candidate = new Float64Array(3);

/**
 * Searches for polygons that the position is over. Unless one of them is at distance 0, then searches for polygons
 * beside it.
 */
function searchTile(
  out: NearestHit,
  mesh: NavMesh,
  slot: number,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  searchTree(out, mesh, slot, point, halfExtents, filter, true);
  if (out.score > 0) searchTree(out, mesh, slot, point, halfExtents, filter, false);
}

/** Searches a tile's tree for polygons that the position is over (`isOver`), or for those that it is not. */
// oxlint-disable-next-line max-params -- hot loop: kernel arguments, passed on as they are
function searchTree(
  out: NearestHit,
  mesh: NavMesh,
  slot: number,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
  isOver: boolean,
): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  const reachX = isOver ? 0 : halfExtents[0];
  const reachZ = isOver ? 0 : halfExtents[2];
  const climb = mesh.agent.maxClimb;
  // Relative to the tile's minimum corner, as the boxes of the tree are.
  const px = point[0] - tileBounds[6 * slot];
  const py = point[1] - tileBounds[6 * slot + 1];
  const pz = point[2] - tileBounds[6 * slot + 2];
  const reachY = halfExtents[1];
  let node = mesh.tileNodeStart[slot];
  const end = node + mesh.tileNodeCount[slot];
  while (node < end) {
    const b = 6 * node;
    const item = bvItem[node];
    const below = bvBounds[b] - px;
    const above = px - bvBounds[b + 3];
    const dx = below > 0 ? below : above > 0 ? above : 0;
    if (dx <= reachX) {
      const front = bvBounds[b + 2] - pz;
      const back = pz - bvBounds[b + 5];
      const dz = front > 0 ? front : back > 0 ? back : 0;
      if (dz <= reachZ) {
        const under = bvBounds[b + 1] - py;
        const over = py - bvBounds[b + 4];
        const dy = under > 0 ? under : over > 0 ? over : 0;
        const steps = dy > climb ? dy - climb : 0;
        // Reduced by an epsilon, so that rounding never drops an equally good polygon.
        if (dy <= reachY && (dx * dx + dz * dz + steps * steps) * BOUND_SLACK <= out.score) {
          node++;
          if (item < 0) continue;
          if (passesFilter(filter, mesh, item) && isOverPoly(mesh, item, point) === isOver) {
            offer(out, mesh, item, point, halfExtents, isOver);
          }
          continue;
        }
      }
    }
    node += item < 0 ? -item : 1;
  }
}

/** Writes the polygon into `out` when it is better than the polygon there. */
function offer(
  out: NearestHit,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  halfExtents: Float64Array,
  isOver: boolean,
): void {
  if (isOver) {
    candidate[0] = point[0];
    candidate[2] = point[2];
    setHeight(candidate, mesh, poly);
  } else {
    closestPointBeside(candidate, mesh, poly, point);
  }
  let dx = Math.abs(candidate[0] - point[0]);
  let dz = Math.abs(candidate[2] - point[2]);
  if (dx > halfExtents[0] || dz > halfExtents[2]) {
    // A polygon whose closest point is outside the box may still reach into a corner of the box. Skip it if it cannot
    // be nearer there.
    if (dx * dx + dz * dz > out.score || !closestPointBeside(candidate, mesh, poly, point, halfExtents)) return;
    dx = Math.abs(candidate[0] - point[0]);
    dz = Math.abs(candidate[2] - point[2]);
  }
  const dy = Math.abs(candidate[1] - point[1]);
  if (dy > halfExtents[1]) return;
  const distanceSq = dx * dx + dy * dy + dz * dz;
  let score = distanceSq;
  if (isOver) {
    const climb = mesh.agent.maxClimb;
    score = dy > climb ? (dy - climb) * (dy - climb) : 0;
  }
  if (score > out.score) return;
  if (score === out.score) {
    if (distanceSq > out.distanceSq || (distanceSq === out.distanceSq && isPolyBefore(mesh, out.poly, poly))) return;
  }
  out.score = score;
  out.distanceSq = distanceSq;
  out.poly = poly;
  out.isOver = isOver;
  out.point.set(candidate);
}
