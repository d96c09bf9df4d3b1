/**
 * A path from one point to another: locate both ends (nearest.ts), search a corridor (a-star.ts), straighten it
 * (funnel.ts).
 *
 * When the end is on another island, the path leads to the point of the start's island nearest to it; no search has to
 * find out by flooding the island. (Detour floods, and ends near the edge midpoint that was nearest.) When it is the filter
 * that keeps the end out of reach, or the budget, the path leads as near to it as the search came.
 */
import { areOnOneIsland } from '../navmesh/bv-tree.ts';
import { refOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { createCorridor, findCorridor } from './a-star.ts';
import type { Corridor } from './a-star.ts';
import { DEFAULT_FILTER } from './filter.ts';
import type { QueryFilter } from './filter.ts';
import { createPathLine, pullString } from './funnel.ts';
import type { PathLine } from './funnel.ts';
import { closestPointOnPoly } from '../navmesh/ground.ts';
import { findNearestOnIsland } from './nearest-on-island.ts';
import { createNearestHit, findNearestInto, readHalfExtents } from './nearest.ts';
import type { NearestHit } from './nearest.ts';
import { readPoint } from './point.ts';
import type { PointLike } from './point.ts';
import { createSearchState } from './search-state.ts';
import type { SearchState } from './search-state.ts';

/** 'complete': to the end; 'partial': as near to it as possible; 'none': an end is not on the mesh. */
export type PathStatus = 'complete' | 'partial' | 'none';
/** Why the status is not 'complete'; '' when it is. */
export type PathReason = '' | 'start-off-mesh' | 'end-off-mesh' | 'unreachable' | 'budget';

export interface PathOptions {
  filter?: QueryFilter;
  /** Half the size of the box in which an end may be moved onto the mesh. Default: see `defaultHalfExtents`. */
  halfExtents?: PointLike;
  /** Polygons the search may look at. Default: no limit. */
  maxNodes?: number;
}

export interface Path {
  status: PathStatus;
  reason: PathReason;
  /** Corners from the start to the end, both moved onto the mesh. Empty when the status is 'none'. */
  points: [number, number, number][];
  /** The polygons passed, in order. */
  polys: PolyRef[];
  /** Of the line through the points. */
  length: number;
  /** Of the search: lengths over edge midpoints times area costs. */
  cost: number;
  /** How far the ends were moved onto the mesh; Infinity: off the mesh. */
  startDistance: number;
  endDistance: number;
}

/** What the kernel writes. Make one with `createPathBuffer` and reuse it. */
export interface PathBuffer {
  status: PathStatus;
  reason: PathReason;
  length: number;
  /** The ends on the mesh. */
  start: NearestHit;
  end: NearestHit;
  corridor: Corridor;
  line: PathLine;
}

export function createPathBuffer(): PathBuffer {
  return {
    // NaN, so that the fields hold doubles from the start on.
    status: 'none', reason: '', length: NaN,
    start: createNearestHit(), end: createNearestHit(), corridor: createCorridor(), line: createPathLine(),
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
export function findPath(mesh: NavMesh, start: PointLike, end: PointLike, options: PathOptions = {}): Path {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity } = options;
  readPoint(startPoint, start, 'findPath', 'start');
  readPoint(endPoint, end, 'findPath', 'end');
  readHalfExtents(extents, mesh, options.halfExtents, 'findPath');
  if (!(maxNodes >= 1)) throw new RangeError(`findPath: maxNodes is ${maxNodes}; give a number of at least 1`);
  const found = sharedBuffer;
  findPathInto(found, sharedState, mesh, startPoint, endPoint, extents, filter, maxNodes);
  const { corridor, line } = found;
  const points: [number, number, number][] = [];
  const polys: PolyRef[] = [];
  for (let i = 0; i < line.count; i++) {
    points.push([line.points[3 * i], line.points[3 * i + 1], line.points[3 * i + 2]]);
  }
  for (let i = 0; i < corridor.count; i++) polys.push(refOf(mesh, corridor.polys[i]));
  return {
    status: found.status,
    reason: found.reason,
    points,
    polys,
    length: found.length,
    cost: corridor.cost,
    startDistance: Math.sqrt(found.start.distanceSq),
    endDistance: Math.sqrt(found.end.distanceSq),
  };
}

/** Kernel of `findPath`: allocates nothing once the buffers have grown. */
export function findPathInto(
  out: PathBuffer, state: SearchState, mesh: NavMesh, start: Float64Array, end: Float64Array, halfExtents: Float64Array,
  filter: QueryFilter, maxNodes: number,
): void {
  const { corridor, line } = out;
  out.status = 'none';
  out.reason = '';
  out.length = 0;
  corridor.count = 0;
  corridor.cost = 0;
  line.count = 0;
  findNearestInto(out.start, mesh, start, halfExtents, filter);
  findNearestInto(out.end, mesh, end, halfExtents, filter);
  if (out.start.poly < 0 || out.end.poly < 0) {
    out.reason = out.start.poly < 0 ? 'start-off-mesh' : 'end-off-mesh';
    return;
  }
  const goal = out.end.point;
  let endPoly = out.end.poly;
  out.status = 'complete';
  if (!areOnOneIsland(mesh, out.start.poly, endPoly)) {
    out.status = 'partial';
    out.reason = 'unreachable';
    findNearestOnIsland(landing, mesh, out.start.poly, goal, filter);
    endPoly = landing.poly;
    goal.set(landing.point);
  }
  findCorridor(corridor, state, mesh, filter, out.start.poly, out.start.point, endPoly, goal, maxNodes);
  if (corridor.outcome !== 'complete') {
    out.status = 'partial';
    out.reason = corridor.outcome;
    closestPointOnPoly(goal, mesh, corridor.polys[corridor.count - 1], goal);
  }
  pullString(line, mesh, corridor, out.start.point, goal);
  setLength(out);
}

function setLength(out: PathBuffer): void {
  const { line } = out;
  const { points } = line;
  let length = 0;
  for (let i = 3; i < 3 * line.count; i += 3) {
    const dx = points[i] - points[i - 3];
    const dy = points[i + 1] - points[i - 2];
    const dz = points[i + 2] - points[i - 1];
    length += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  out.length = length;
}
