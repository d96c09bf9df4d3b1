/**
 * What floods return to users: the polygons reached, what each costs, and the way to it.
 *
 * The result keeps refs and the edges of each polygon by their place in it, so that it survives changes of the mesh as far as
 * the way itself does: a path over ground that is gone is told apart from one that never was. Cost of a path: linear in its
 * polygons; the first on a result also makes a table of all of them.
 *
 * Based on: Detour's getPathFromDijkstraSearch (Mikko Mononen), which gives polygons only, and of its last search only.
 */
import { linkEndOf, isLinkCrossing, portalOf } from '../../navmesh/crossing.ts';
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { polyIndexOf, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { createCorridor } from '../path/corridor.ts';
import type { Flood } from './flood.ts';
import { pullString } from '../path/funnel.ts';
import { createPathLine } from '../path/path-line.ts';
import { pointsOf, setLength } from '../path/result.ts';
import type { Path } from '../path/result.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';

export interface Reached {
  /** 'none': there is no ground to start on near the point given; nothing was reached. */
  status: 'complete' | 'none';
  /** Where the flood began, on the ground. */
  start: [number, number, number];
  /** Cheapest first; the first is the one it began on. */
  polys: PolyRef[];
  /** What it costs to get to where each polygon is entered, over midpoints of edges. */
  costs: Float64Array;
  /** For each polygon the place in `polys` of the one that leads to it; -1: the first. */
  parents: Int32Array;
  /** 3 each: where the polygon is entered. */
  points: Float64Array;
  /** How the parent leads here: edge k of it as k, all else as in a corridor. */
  crossings: Int32Array;
}

/**
 * A path to a polygon that a flood reached. Its reason is `'unreachable'` when the flood did not reach the polygon, and `'stale'`
 * when a polygon or link of the path is gone. `cost` is the cost up to where the last polygon is entered.
 */
export interface ReachedPath extends Path {
  status: 'complete' | 'none';
}

/** @internal */
export function nothingReached(start: Float64Array): Reached {
  return {
    status: 'none',
    start: [start[0], start[1], start[2]],
    polys: [],
    costs: new Float64Array(0),
    parents: new Int32Array(0),
    points: new Float64Array(0),
    crossings: new Int32Array(0),
  };
}

/** Copies a flood out. @internal */
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
const places = new WeakMap<Reached, Map<PolyRef, number>>();

/**
 * The path to a polygon that was reached: polygons, and the line through them to `end` (moved onto the polygon; default:
 * where the polygon is entered). The result must not have been changed. Throws a TypeError when `end` is no point.
 */
export function pathTo(mesh: NavMesh, reached: Reached, ref: PolyRef, end?: PointLike): ReachedPath {
  let placeOf = places.get(reached);
  if (placeOf === undefined) {
    placeOf = new Map(reached.polys.map((poly, place) => [poly, place]));
    places.set(reached, placeOf);
  }
  const path: ReachedPath = { status: 'none', reason: 'unreachable', points: [], polys: [], length: 0, cost: 0 };
  const last = placeOf.get(ref);
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

/** The way to a place of the list into `corridor`; false when a part of it is gone. */
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

/** Makes crossing i of the corridor, from polygon i to the next, dense; false when it is gone. */
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
    return linkEnd < 2 * mesh.linkCount && mesh.linkPoly[linkEnd] === poly && mesh.linkPoly[linkEnd ^ 1] === next;
  }
  let portal = mesh.polyPortal[poly];
  while (portal >= 0 && portal !== portalOf(crossing)) portal = mesh.portalNext[portal];
  return portal >= 0 && mesh.portalPoly[portal] === next;
}
