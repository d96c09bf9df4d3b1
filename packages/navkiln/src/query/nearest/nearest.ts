/**
 * Where on the mesh is this point? The nearest ground within a box around it.
 *
 * A polygon the point is *over* counts by its height difference less the agent's climb (so that a floor within a step is
 * at distance 0); any other by the distance to the point closest to it (see ground.ts). The least wins; among equals the
 * least true distance, then the lower polygon: the answer does not depend on the tree. The answer lies inside the box.
 * Cost: a walk through the trees of the tiles near the point; a subtree is skipped when its box is outside the query's or
 * cannot beat the best so far. Looking first for what the point is over halved the time: what lies beside it is dear to
 * measure and mostly not needed. A box without bounds is a row of boxes that grow by four: first what is near.
 * Based on: Detour's findNearestPoly (Mikko Mononen), whose rule this keeps. Other than there, polygons whose box merely
 * overlaps the query's do not count, the box is never bent to a tile's border, and ties do not depend on storage.
 */
import { refuse } from '../../data/refuse.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import { findTilesNear, isPolyBefore, tilesNear } from '../../navmesh/tile-grid.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { closestPointBeside, isOverPoly, setHeight } from '../../navmesh/ground.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';

export interface NearestOptions {
  /**
   * Half the size of the box to look in, world units, or one number for all three: `Infinity` looks everywhere. Default: see
   * `defaultHalfExtents`.
   */
  halfExtents?: PointLike | number;
  filter?: QueryFilter;
}

export interface NearestResult {
  found: boolean;
  /** `NULL_REF` when nothing was found. */
  ref: PolyRef;
  /** Dense index, valid until tiles change; -1 when nothing was found. */
  poly: number;
  /** On the ground; where the query was made when nothing was found. */
  point: [number, number, number];
  /** From the query's point to `point`; Infinity when nothing was found. */
  distance: number;
  /** The query's point is above or below the polygon: `point` differs in y alone. */
  isOver: boolean;
}

/** What the kernel finds. Make one with `createNearestHit` and reuse it. */
export interface NearestHit {
  /** Dense index, or -1. */
  poly: number;
  point: Float64Array;
  isOver: boolean;
  distanceSq: number;
  /** Squared distance that was minimised: less the climb where the point is over the polygon. */
  score: number;
}

export function createNearestHit(): NearestHit {
  return { poly: -1, point: new Float64Array(3), isOver: false, distanceSq: Infinity, score: Infinity };
}

/**
 * Horizontally two radii and two cells (so that a point of the level's walkable surface next to a wall is found), but at
 * least a tenth of the agent's height; vertically the agent's height.
 */
export function defaultHalfExtents(out: Float64Array, mesh: NavMesh): void {
  const { radius, height } = mesh.agent;
  const reach = Math.max(2 * radius + 2 * mesh.cellSize, 0.1 * height, 1e-3);
  out[0] = reach;
  out[1] = Math.max(height, 1e-3);
  out[2] = reach;
}

/** Reads half extents or takes the default; they must not be negative. @internal */
export function readHalfExtents(
  out: Float64Array,
  mesh: NavMesh,
  given: PointLike | number | undefined,
  caller: string,
): void {
  if (given === undefined) {
    defaultHalfExtents(out, mesh);
    return;
  }
  if (typeof given === 'number' && given >= 0) {
    out.fill(given);
    return;
  }
  readPoint(out, given as PointLike, caller, 'halfExtents');
  if (out[0] < 0 || out[1] < 0 || out[2] < 0) {
    refuse(caller, 'halfExtents', `[${out.join(', ')}]`, 'none below 0');
  }
}

const center = new Float64Array(3);
const extents = new Float64Array(3);
const sharedHit = createNearestHit();

/** The nearest ground to a point. */
export function findNearest(mesh: NavMesh, point: PointLike, options: NearestOptions = {}): NearestResult {
  readPoint(center, point, 'findNearest', 'point');
  readHalfExtents(extents, mesh, options.halfExtents, 'findNearest');
  findNearestInto(sharedHit, mesh, center, extents, options.filter ?? DEFAULT_FILTER);
  const { poly, isOver } = sharedHit;
  const found = poly >= 0;
  const at = found ? sharedHit.point : center;
  return {
    found,
    ref: found ? refOf(mesh, poly) : NULL_REF,
    poly,
    point: [at[0], at[1], at[2]],
    distance: Math.sqrt(sharedHit.distanceSq),
    isOver,
  };
}

const box = new Float64Array(3);

/** Kernel of `findNearest`: allocates nothing. */
export function findNearestInto(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): void {
  if (halfExtents[0] < Infinity) {
    searchBox(out, mesh, point, halfExtents, filter);
    return;
  }
  // Boxes that grow until nothing outside can be better; after that, everything.
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
  out.distanceSq = Infinity;
  out.score = Infinity;
  findTilesNear(mesh, point, halfExtents);
  for (let i = 0; i < tilesNear.count; i++) searchTile(out, mesh, tilesNear.slots[i], point, halfExtents, filter);
}

const candidate = new Float64Array(3);

/** First the polygons the point is over: mostly one of them is at distance 0, and then that is all. Else those beside it. */
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
  // Relative to the tile's minimum, as the boxes are.
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
        // A hair is taken off, so that rounding here never drops what is exactly as good.
        if (dy <= reachY && (dx * dx + dz * dz + steps * steps) * 0.9999999999 <= out.score) {
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

/** Takes the polygon when it is better than what `out` has. */
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
  const dx = Math.abs(candidate[0] - point[0]);
  const dy = Math.abs(candidate[1] - point[1]);
  const dz = Math.abs(candidate[2] - point[2]);
  if (dx > halfExtents[0] || dy > halfExtents[1] || dz > halfExtents[2]) return;
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
  out.point[0] = candidate[0];
  out.point[1] = candidate[1];
  out.point[2] = candidate[2];
}
