/**
 * Checks the move that a client asks for: the position that a server can accept, and why.
 *
 * The client's position is the only input that is not trusted; it may be anything. A path on the mesh leads to the accepted position,
 * not longer than allowed and not through a wall. The move is tried straight, then around corners within the allowed length, and
 * otherwise slides along the walls. Links are not crossed.
 *
 * In: the last accepted position and its polygon, the position asked for, the allowed length.
 * Out: a position on the mesh, its polygon, the length of the path to it.
 * Cost: linear in the polygons crossed, with a limit; see walk.ts and around.ts (bench `moves`).
 * Based on: own.
 */
import { checkKeys, checkNumberKeys, checkObject, refuse } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { closestPointOnPoly, isOverPoly } from '../../../mesh/ground.ts';
import { NULL_REF, refOf } from '../../../mesh/ref.ts';
import type { SizeLike } from '../../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../../mesh/types.ts';
import { readFilter, refuseInMethod } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { setHeightNear } from '../../ground-height.ts';
import { agentHalfExtents, createNearestHit, findNearestInto } from '../../nearest/nearest.ts';
import { resolvePoly } from '../../nearest/start.ts';
import { findAround } from './around.ts';
import { ARRIVED, AT_X, AT_Z, LENGTH, LIMIT, OUT_OF_POLYS, TO_X, TO_Z, walk, walkEnd, walkTowards } from './walk.ts';

/** How far a client may move, and where. Give `maxDistance`, or `maxSpeed` with `seconds`, or both; the shorter distance limits the move. */
export interface MoveOptions {
  /** Maximum length of the path, world units, seen from above. Default: `maxSpeed` times `seconds`. */
  maxDistance?: number;
  /** Maximum speed, world units per second, seen from above. Default: only `maxDistance` limits the move. */
  maxSpeed?: number;
  /** Seconds since the last accepted move. Negative and NaN count as 0. No default; `maxSpeed` needs it. */
  seconds?: number;
  /** Longer times count as this, so that a client cannot save up time by staying silent. Default 1. */
  maxSeconds?: number;
  /** Maximum number of polygons on the path. Default 256. */
  maxPolys?: number;
  /** Which polygons may be entered. The polygon of `ref` is not tested. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

/**
 * Why the move ended there. 'accepted': the position is the one asked for. 'too-far': the path is longer than allowed; the position is
 * on it. 'wall': a wall blocks the path; the position is at the wall. 'too-many-polys': the path has more than `maxPolys` polygons. 'invalid': the
 * position asked for is no point; nothing moved. 'stale-ref': the polygon no longer exists; the position is the nearest on the mesh.
 * 'off-mesh': the last position is not on its polygon; the position is the nearest on it. Or, with `NULL_REF`, there is no mesh nearby.
 */
export type MoveStatus = 'accepted' | 'too-far' | 'wall' | 'too-many-polys' | 'invalid' | 'stale-ref' | 'off-mesh';

/** Result of `validateMove`. */
export interface MoveResult {
  status: MoveStatus;
  /** On the mesh, unless `ref` is `NULL_REF`; then it is the last position. */
  point: [number, number, number];
  /** The polygon of `point`. */
  ref: PolyRef;
  /** Length of the way to `point`, world units, seen from above. */
  distance: number;
}

/** Result of the kernel. Create it with `createMove` and reuse it. */
export interface Move {
  status: MoveStatus;
  point: Float64Array;
  /** Dense index. */
  poly: number;
  distance: number;
}

/** Creates an empty result for `validateMoveInto`. */
export function createMove(): Move {
  return { status: 'off-mesh', point: new Float64Array(3), poly: -1, distance: NaN };
}

const MOVE_KEYS = [
  'maxDistance',
  'maxSpeed',
  'seconds',
  'maxSeconds',
  'maxPolys',
  'filter',
  'size',
] as const satisfies readonly (keyof MoveOptions)[];

const NUMBER_KEYS = ['maxDistance', 'maxSpeed', 'seconds', 'maxSeconds', 'maxPolys'] as const;

/** Rounding of lengths along a way, as a share, and of positions, as a share of the largest coordinate. */
const ROUNDING = 1e-10;
const NEARBY = 1e-12;
/** Allowed lengths are cut to this, where a coordinate of the target still has digits. */
const FARTHEST = 1e12;
const MAX_POLYS = 256;

const from = new Float64Array(3);
const wished = new Float64Array(3);
const extents = new Float64Array(3);
const nearest = createNearestHit();
const shared = createMove();

/**
 * Returns the position that a server can accept for the move of a client from `last` on polygon `ref` to `to`, in world units.
 *
 * `to` and `options.seconds` come from a client and are never refused: the result says what was wrong. Its `point` and `ref` are the
 * next call's `last` and `ref`. The y of `to` is ignored, since the way decides the floor. Throws a TypeError for a `last` that is no
 * point, and a RangeError for unknown or invalid options.
 */
export function validateMove(
  mesh: NavMesh,
  ref: PolyRef,
  last: PointLike,
  to: PointLike,
  options: MoveOptions,
): MoveResult {
  checkObject('validateMove', 'options', options);
  checkKeys('validateMove', options, MOVE_KEYS);
  const allowed = allowedLength(options);
  const { maxPolys = MAX_POLYS } = options;
  if (!(maxPolys >= 1)) refuse('validateMove', 'options.maxPolys', maxPolys, 'a number >= 1');
  const filter = readFilter('validateMove', options, mesh);
  readPoint(from, last, 'validateMove', 'last');
  const poly = resolvePoly(mesh, ref, 'validateMove');
  if (poly < 0) relocate(shared, mesh, filter);
  else validateMoveInto(shared, mesh, poly, from, readWish(to), allowed, filter, maxPolys);
  const { status, point, distance } = shared;
  return {
    status,
    point: [point[0], point[1], point[2]],
    ref: shared.poly < 0 ? NULL_REF : refOf(mesh, shared.poly),
    distance,
  };
}

/** Checks the options of the allowed length and returns it. */
function allowedLength(options: MoveOptions): number {
  checkNumberKeys('validateMove', options, NUMBER_KEYS);
  const { maxDistance, maxSpeed, seconds, maxSeconds = 1 } = options;
  if (maxSpeed === undefined || maxDistance !== undefined) {
    if (!(maxDistance! >= 0))
      refuse('validateMove', 'options.maxDistance', maxDistance, 'a number >= 0, or give maxSpeed and seconds');
    if (maxSpeed === undefined) return maxDistance!;
  }
  if (!(maxSpeed >= 0)) refuse('validateMove', 'options.maxSpeed', maxSpeed, 'a number >= 0');
  if (seconds === undefined) refuse('validateMove', 'options.seconds', seconds, 'a number, as maxSpeed is given');
  if (!(maxSeconds >= 0)) refuse('validateMove', 'options.maxSeconds', maxSeconds, 'a number >= 0');
  // Infinity times 0 is NaN.
  const length = seconds > 0 ? maxSpeed * Math.min(seconds, maxSeconds) || 0 : 0;
  return Math.min(length, maxDistance ?? Infinity);
}

/** Reads what a client sent, whatever it is; NaN where it is no point. Errors would take longer than a move. */
function readWish(to: unknown): Float64Array {
  wished.fill(NaN);
  if (typeof to !== 'object' || to === null) return wished;
  const isRecord = 'x' in to;
  for (let k = 0; k < 3; k += 2) {
    const value: unknown = isRecord ? (to as Record<string, unknown>)[k === 0 ? 'x' : 'z'] : (to as unknown[])[k];
    if (typeof value === 'number') wished[k] = value;
  }
  return wished;
}

/** Writes the place on the mesh nearest to the last position, whose polygon no longer exists. */
function relocate(out: Move, mesh: NavMesh, filter: QueryFilter): void {
  agentHalfExtents(extents, mesh, filter);
  findNearestInto(nearest, mesh, from, extents, filter);
  out.poly = nearest.poly;
  out.point.set(nearest.poly < 0 ? from : nearest.point);
  out.distance = 0;
  out.status = nearest.poly < 0 ? 'off-mesh' : 'stale-ref';
}

const start = new Float64Array(3);
const limit = new Float64Array(1);

/**
 * Kernel of `validateMove`: the last position is on polygon `poly` (a dense index). A position asked for that is not finite gives
 * 'invalid'. Allocates nothing after warm-up.
 */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function validateMoveInto(
  out: Move,
  mesh: NavMesh,
  poly: number,
  last: Float64Array,
  to: Float64Array,
  allowed: number,
  filter: QueryFilter,
  maxPolys: number = MAX_POLYS,
): void {
  refuseInMethod('validateMoveInto');
  out.poly = poly;
  out.distance = 0;
  if (!closestPointOnPoly(start, mesh, poly, last)) {
    agentHalfExtents(extents, mesh, filter);
    if (!(Math.abs(start[0] - last[0]) <= extents[0] && Math.abs(start[2] - last[2]) <= extents[2])) {
      out.status = 'off-mesh';
      out.point.set(start);
      return;
    }
  }
  const x = to[0];
  const z = to[2];
  if (x - x !== 0 || z - z !== 0) {
    out.status = 'invalid';
    out.point.set(start);
    return;
  }
  const most = Math.min(allowed, FARTHEST);
  // Halves, since the difference of two doubles may overflow.
  let dx = x / 2 - start[0] / 2;
  let dz = z / 2 - start[2] / 2;
  const scale = Math.max(Math.abs(dx), Math.abs(dz));
  dx = scale > 0 ? dx / scale : 0;
  dz = scale > 0 ? dz / scale : 0;
  const unit = Math.sqrt(dx * dx + dz * dz);
  const length = 2 * scale * unit;
  const isFar = length > most * (1 + ROUNDING);
  walk[AT_X] = start[0];
  walk[AT_Z] = start[2];
  walk[TO_X] = isFar ? start[0] + most * (dx / unit) : x;
  walk[TO_Z] = isFar ? start[2] + most * (dz / unit) : z;
  walk[LENGTH] = 0;
  walk[LIMIT] = most * (1 + ROUNDING);
  const outcome = walkTowards(mesh, poly, filter, maxPolys);
  out.poly = walkEnd[0];
  out.distance = walk[LENGTH];
  out.point[0] = walk[AT_X];
  out.point[2] = walk[AT_Z];
  dx = x - walk[AT_X];
  dz = z - walk[AT_Z];
  const near = NEARBY * (Math.abs(x) + Math.abs(z));
  if (isFar) out.status = 'too-far';
  else if (outcome === ARRIVED || Math.abs(dx) + Math.abs(dz) <= near) out.status = 'accepted';
  else if (outcome === OUT_OF_POLYS) out.status = 'too-many-polys';
  else {
    out.status = 'wall';
    limit[0] = walk[LIMIT];
    // No way around a corner is as short as the straight one.
    const found = length < most * (1 - ROUNDING) ? findAround(limit, mesh, poly, start, to, filter) : -1;
    if (found >= 0) {
      out.status = 'accepted';
      out.poly = found;
      out.distance = limit[0];
      out.point[0] = x;
      out.point[2] = z;
    }
  }
  if (!isOverPoly(mesh, out.poly, out.point)) closestPointOnPoly(out.point, mesh, out.poly, out.point);
  else setHeightNear(out.point, mesh, out.poly);
}
