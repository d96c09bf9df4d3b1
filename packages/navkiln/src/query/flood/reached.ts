/**
 * Returns the result of a flood to the caller, and the path to each polygon in it.
 *
 * A result stores refs and the index of each edge within its polygon. It therefore stays valid after changes of the
 * mesh while the path itself exists, and `pathTo` can distinguish a removed path from one that never existed.
 *
 * In: a flood.
 * Out: a result; a path.
 * Cost: a path is linear in its polygons. The first path of a result also builds a table of all its polygons.
 * Based on: Detour's getPathFromDijkstraSearch (Mikko Mononen), which returns the polygons of its last search
 * only.
 */
import { checkHandle, checkRecord } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { isLinkCrossing, linkEndOf, otherEnd, portalOf } from '../../mesh/crossing.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { polyIndexOf, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { createCorridor } from '../path/corridor.ts';
import type { StartStatus } from '../nearest/start.ts';
import type { Flood } from './flood.ts';
import { pullString } from '../path/funnel.ts';
import { createPathLine } from '../path/path-line.ts';
import { pointsOf, setLength } from '../path/result.ts';
import type { Path } from '../path/result.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';

/** Result of a flood: the polygons reached, in the order of their cost. */
export interface Reached {
  /**
   * 'complete': the flood ran. 'none': no polygon is near the given point. 'stale-ref': polygon `startRef` no longer
   * exists. Without 'complete', no polygon was reached.
   */
  status: 'complete' | 'none' | 'stale-ref';
  /** Where the flood started, on the walkable surface. */
  start: [number, number, number];
  /** The polygons reached, cheapest first. The first is the start. */
  polys: PolyRef[];
  /** Cost of the path to where each polygon is entered, over midpoints of edges. */
  costs: Float64Array;
  /** Index in `polys` of the polygon that leads to each polygon; -1 for the first. */
  parents: Int32Array;
  /** Where each polygon is entered, xyz. Stride 3. */
  points: Float64Array;
  /** How the parent leads to each polygon: the index of an edge within it; otherwise as in a corridor. */
  crossings: Int32Array;
}

/**
 * A path to a polygon that a flood reached. Its reason is `'unreachable'` when the flood did not reach the polygon, and
 * `'stale'` when a polygon or link of the path was removed. `cost` is the cost up to where the last polygon is entered.
 */
export interface ReachedPath extends Path {
  status: 'complete' | 'none';
}

/** Returns a result without polygons. @internal */
export function nothingReached(reason: StartStatus, start: Float64Array): Reached {
  return {
    status: reason === 'stale-ref' ? 'stale-ref' : 'none',
    start: [start[0], start[1], start[2]],
    polys: [],
    costs: new Float64Array(0),
    parents: new Int32Array(0),
    points: new Float64Array(0),
    crossings: new Int32Array(0),
  };
}

/** Returns a result that shares nothing with the flood. @internal */
export function reachedOf(mesh: NavMesh, flood: Flood): Reached {
  const { count, points } = flood;
  const polys: PolyRef[] = [];
  const crossings = flood.crossings.slice(0, count);
  for (let i = 0; i < count; i++) {
    polys.push(refOf(mesh, flood.polys[i]));
    if (crossings[i] >= 0) crossings[i] -= mesh.polyEdgeStart[flood.polys[flood.parents[i]]];
  }
  return {
    status: 'complete',
    start: [points[0], points[1], points[2]],
    polys,
    costs: flood.costs.slice(0, count),
    parents: flood.parents.slice(0, count),
    points: points.slice(0, 3 * count),
    crossings,
  };
}

const corridor = createCorridor();
const line = createPathLine();
const from = new Float64Array(3);
const to = new Float64Array(3);
/** Per result: the index of each polygon in it. */
const indices = new WeakMap<Reached, Map<PolyRef, number>>();

/**
 * Returns the path to a polygon that was reached: its polygons, and the line through them to `end`, which is moved onto
 * the polygon. By default, `end` is the point where the path enters the polygon.
 *
 * `reached` must not have been changed. Throws a TypeError when `end` is not a point.
 */
export function pathTo(mesh: NavMesh, reached: Reached, ref: PolyRef, end?: PointLike): ReachedPath {
  checkNavMesh('pathTo', mesh);
  checkRecord('pathTo', 'reached', reached, 'parents', 'the result of a search outward');
  checkHandle('pathTo', 'ref', ref);
  if (end !== undefined) readPoint(to, end, 'pathTo', 'end');
  let indexOf = indices.get(reached);
  if (indexOf === undefined) {
    indexOf = new Map(reached.polys.map((poly, index) => [poly, index]));
    indices.set(reached, indexOf);
  }
  const path: ReachedPath = { status: 'none', reason: 'unreachable', points: [], polys: [], length: 0, cost: 0 };
  const last = indexOf.get(ref);
  if (last !== undefined) {
    to.set(reached.points.subarray(3 * last, 3 * last + 3));
    if (end !== undefined) readPoint(to, end, 'pathTo', 'end');
    path.reason = loadCorridor(mesh, reached, last) ? '' : 'stale';
  }
  if (path.reason !== '') return path;
  path.status = 'complete';
  from.set(reached.start);
  closestPointOnPoly(to, mesh, corridor.polys[corridor.count - 1], to);
  pullString(line, mesh, corridor, from, to);
  for (let i = 0; i < corridor.count; i++) path.polys.push(refOf(mesh, corridor.polys[i]));
  path.points = pointsOf(line.points, line.count);
  setLength(path, line);
  path.cost = reached.costs[last!];
  return path;
}

/** Loads the path to an index of the list into `corridor`. Returns false if a part of it was removed. */
function loadCorridor(mesh: NavMesh, reached: Reached, last: number): boolean {
  const { parents } = reached;
  let count = 0;
  for (let at = last; at >= 0; at = parents[at]) count++;
  if (corridor.polys.length < count) {
    corridor.polys = new Int32Array(2 * count);
    corridor.crossings = new Int32Array(2 * count);
  }
  corridor.count = count;
  let isThere = true;
  for (let at = last, i = count - 1; at >= 0; at = parents[at], i--) {
    const poly = polyIndexOf(mesh, reached.polys[at]);
    corridor.polys[i] = poly;
    if (poly < 0) return false;
    if (i + 1 < count) isThere &&= leadsOn(mesh, i);
    if (i > 0) corridor.crossings[i - 1] = reached.crossings[at];
  }
  return isThere;
}

/** Converts crossing i of the corridor to a dense index. Returns false if it no longer leads to the next polygon. */
function leadsOn(mesh: NavMesh, i: number): boolean {
  const poly = corridor.polys[i];
  const next = corridor.polys[i + 1];
  const crossing = corridor.crossings[i];
  if (crossing >= 0) {
    corridor.crossings[i] = mesh.polyEdgeStart[poly] + crossing;
    return mesh.edgeNeighbor[corridor.crossings[i]] === next;
  }
  if (isLinkCrossing(crossing)) {
    const linkEnd = linkEndOf(crossing);
    return linkEnd < 2 * mesh.linkCount && mesh.linkPoly[linkEnd] === poly && mesh.linkPoly[otherEnd(linkEnd)] === next;
  }
  let portal = mesh.polyPortal[poly];
  while (portal >= 0 && portal !== portalOf(crossing)) portal = mesh.portalNext[portal];
  return portal >= 0 && mesh.portalPoly[portal] === next;
}
