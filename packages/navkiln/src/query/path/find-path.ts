/**
 * A path from one point to another: locate both ends (nearest.ts), search a corridor (a-star.ts), straighten it
 * (funnel.ts).
 *
 * When the end is on another island, the path leads to the point of the start's island nearest to it; no search has to
 * find out by flooding the island. (Detour floods, and ends near the edge midpoint that was nearest.) When islands are not known,
 * a search that fails finds out, so that the answer is the same. When it is the filter that keeps the end out of reach, a one-way
 * link, or the budget, the path leads as near to it as the search came.
 *
 * More about its corners: path-details.ts.
 *
 * Based on: own; what is returned is what Detour's findStraightPath returns (Mikko Mononen), and a reason.
 */
import { refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { areOnOneIsland, refreshIslands } from '../../navmesh/islands.ts';
import { refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { beginCorridor, runCorridor, writeCorridor } from './a-star.ts';
import { createCorridor } from './corridor.ts';
import type { Corridor } from './corridor.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { pullString } from './funnel.ts';
import { createPathLine } from './path-line.ts';
import { pointsOf, setLength } from './result.ts';
import type { LocatedPath, PathReason, PathStatus } from './result.ts';
import type { PathLine } from './path-line.ts';
import { findNearestOnIsland } from '../nearest/on-island.ts';
import { createNearestHit, findNearestInto, readHalfExtents } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

export interface PathOptions {
  filter?: QueryFilter;
  /**
   * Half the size of the box in which an end may be moved onto the mesh, or one number for all three, `Infinity` too.
   * Default: see `defaultHalfExtents`.
   */
  halfExtents?: PointLike | number;
  /** Polygons the search may look at; over tiles and links each way into one counts. Default: no limit. */
  maxNodes?: number;
}

/** What the kernel writes. Make one with `createPathBuffer` and reuse it. */
export interface PathBuffer {
  status: PathStatus;
  reason: PathReason;
  length: number;
  /** The ends on the mesh. */
  start: NearestHit;
  end: NearestHit;
  /** The polygon that was searched for: the end's, or one of the start's island. */
  goalPoly: number;
  /** It is not known whether a path leads there. */
  isUnsure: boolean;
  corridor: Corridor;
  line: PathLine;
}

export function createPathBuffer(): PathBuffer {
  return {
    // NaN, so that the fields hold doubles from the start on.
    status: 'none',
    reason: '',
    length: NaN,
    start: createNearestHit(),
    end: createNearestHit(),
    goalPoly: -1,
    isUnsure: false,
    corridor: createCorridor(),
    line: createPathLine(),
  };
}

const startPoint = new Float64Array(3);
const endPoint = new Float64Array(3);
const extents = new Float64Array(3);
const landing = createNearestHit();
// One for all meshes: it grows to the largest mesh that was searched.
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();

/** The path from start to end. Points are [x, y, z], typed arrays or { x, y, z }. */
export function findPath(mesh: NavMesh, start: PointLike, end: PointLike, options: PathOptions = {}): LocatedPath {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity } = options;
  readPathOptions(startPoint, endPoint, extents, mesh, start, end, options);
  findPathInto(sharedBuffer, sharedState, mesh, startPoint, endPoint, extents, filter, maxNodes);
  return pathOf(mesh, sharedBuffer);
}

/** Checks and reads what a path is asked for with. @internal */
export function readPathOptions(
  outStart: Float64Array,
  outEnd: Float64Array,
  outExtents: Float64Array,
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathOptions,
): void {
  const { maxNodes = 1 } = options;
  readPoint(outStart, start, 'findPath', 'start');
  readPoint(outEnd, end, 'findPath', 'end');
  readHalfExtents(outExtents, mesh, options.halfExtents, 'findPath');
  if (!(maxNodes >= 1)) refuse('findPath', 'maxNodes', maxNodes, 'a number from 1 on');
}

/** Returns what was found as a record of its own. @internal */
export function pathOf(mesh: NavMesh, found: PathBuffer): LocatedPath {
  const { corridor, line } = found;
  const polys: PolyRef[] = [];
  for (let i = 0; i < corridor.count; i++) polys.push(refOf(mesh, corridor.polys[i]));
  return {
    status: found.status,
    reason: found.reason,
    points: pointsOf(line.points, line.count),
    polys,
    length: found.length,
    cost: corridor.cost,
    startDistance: Math.sqrt(found.start.distanceSq),
    endDistance: Math.sqrt(found.end.distanceSq),
  };
}

/** Kernel of `findPath`: allocates nothing once the buffers have grown. */
export function findPathInto(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  start: Float64Array,
  end: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
  maxNodes: number,
): void {
  if (!beginPath(out, state, mesh, start, end, halfExtents, filter)) return;
  do runCorridor(state, mesh, filter, maxNodes, Infinity);
  while (!endPath(out, state, mesh, filter));
}

/** Locates the ends and makes the state ready for `runCorridor`; false when an end is not on the mesh. @internal */
export function beginPath(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  start: Float64Array,
  end: Float64Array,
  halfExtents: Float64Array,
  filter: QueryFilter,
): boolean {
  out.reason = '';
  out.length = 0;
  out.corridor.count = 0;
  out.corridor.cost = 0;
  out.line.count = 0;
  findNearestInto(out.start, mesh, start, halfExtents, filter);
  findNearestInto(out.end, mesh, end, halfExtents, filter);
  out.goalPoly = out.end.poly;
  out.status = 'none';
  if (out.start.poly < 0) out.reason = 'start-off-mesh';
  else if (out.goalPoly < 0) out.reason = 'end-off-mesh';
  else return aim(out, state, mesh, filter);
  return false;
}

/** Begins the search, for the end or for what is nearest to it on the start's island. */
function aim(out: PathBuffer, state: SearchState, mesh: NavMesh, filter: QueryFilter): true {
  const { start, end } = out;
  const known = areOnOneIsland(mesh, start.poly, out.goalPoly);
  out.status = 'complete';
  out.isUnsure = known < 0;
  if (known === 0) {
    out.status = 'partial';
    out.reason = 'unreachable';
    findNearestOnIsland(landing, mesh, start.poly, end.point, filter);
    out.goalPoly = landing.poly;
    end.point.set(landing.point);
  }
  beginCorridor(state, mesh, filter, start.poly, start.point, out.goalPoly, end.point);
  return true;
}

/** Makes a path of what was found; false when another search has begun, as the last one could not succeed. @internal */
export function endPath(out: PathBuffer, state: SearchState, mesh: NavMesh, filter: QueryFilter): boolean {
  const { corridor, line } = out;
  const goal = out.end.point;
  writeCorridor(corridor, state, mesh);
  if (corridor.outcome !== 'complete') {
    if (out.isUnsure) {
      refreshIslands(mesh);
      if (areOnOneIsland(mesh, out.start.poly, out.goalPoly) === 0) {
        aim(out, state, mesh, filter);
        return false;
      }
    }
    out.status = 'partial';
    out.reason = corridor.outcome;
    closestPointOnPoly(goal, mesh, corridor.polys[corridor.count - 1], goal);
  }
  pullString(line, mesh, corridor, out.start.point, goal);
  setLength(out, line);
  return true;
}
