/**
 * Finds routes, and paths along them, and returns result records with status and reason.
 *
 * In: a route graph, positions, options; for paths, a mesh with the tiles near the start.
 * Out: new result records.
 * Cost: that of route.ts and path.ts.
 * Based on: own.
 */
import { checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { DEFAULT_FILTER, checkFilter, sizedFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createPathQuery, readPathQuery } from '../path/find-path.ts';
import type { PathQuery } from '../path/find-path.ts';
import { pointsOf, setSize } from '../path/result.ts';
import type { LocatedPath, PathReason } from '../path/result.ts';
import { updateRouteGraph } from './build.ts';
import { checkGraph } from './check-graph.ts';
import { guessRouteEnd } from './ends.ts';
import { metricOf } from './metric.ts';
import { continueRoutedPathInto, createRouteMemory, createRoutedPathBuffer, findRoutedPathInto } from './path.ts';
import type { RoutedPathBuffer } from './path.ts';
import { createRoute, divideStep, searchRoute } from './route.ts';
import { FROM_START } from './search.ts';
import type { RouteGraph } from './types.ts';

/** Options of `findRoute`. */
export interface RouteOptions {
  /**
   * Selects areas and links, and sets their costs. A filter with a method causes an error. Default: as for `findPath`.
   */
  filter?: QueryFilter;
  /**
   * Half the size of the box around each end in which its polygon is searched, world units. Default: as for `findPath`.
   */
  halfExtents?: PointLike | number;
}

/** Options of `findRoutedPath`. */
export interface RoutedPathOptions extends RouteOptions {
  /**
   * Minimum length of the path to find in detail, world units; the rest of the route is a list of points. Infinity: the
   * whole path. Default 4 tiles.
   */
  ahead?: number;
}

/** A route over tiles that need not be loaded. */
export interface WorldRoute {
  status: 'complete' | 'none';
  /**
   * `''`, `'start-off-mesh'`, `'end-off-mesh'` (no known tile has walkable surface there), or
   * `'unreachable'`.
   */
  reason: PathReason;
  /** The start, the points where the route changes from cell to cell, and the end. */
  points: [number, number, number][];
  /** Positions of the tiles along the route, in order. */
  tiles: [number, number][];
  /** Estimated cost of the shortest path: its length times the costs of areas. */
  cost: number;
}

/** A path whose first part is known in detail. */
export interface RoutedPath extends LocatedPath {
  /** Whether `points` lead to the end. */
  isWhole: boolean;
  /** Positions on the route after `points`, with the end last; empty if the path is whole. */
  rest: [number, number, number][];
  /** Estimated cost of the rest: its length times the costs of areas. */
  restCost: number;
}

const AHEAD_TILES = 4;
const ROUTE_KEYS = ['filter', 'halfExtents'] as const;
const PATH_KEYS = [...ROUTE_KEYS, 'ahead'] as const;

// Shared by all graphs and meshes. It grows with the largest of them.
const memory = createRouteMemory();
const halfExtents = new Float64Array(3);

/** The state that continues a path. */
interface Origin {
  buffer: RoutedPathBuffer;
  query: PathQuery;
  ahead: number;
}

const origins = new WeakMap<RoutedPath, Origin>();

/**
 * Returns the route between two positions, on tiles that need not be loaded. For a tile that is not loaded, only the
 * bounds of its cells are known, so an end next to the walkable surface may count as being on it.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range, unknown keys and
 * filters with a method.
 */
export function findRoute(graph: RouteGraph, start: PointLike, end: PointLike, options: RouteOptions = {}): WorldRoute {
  const caller = 'findRoute';
  checkGraph(caller, graph);
  checkKeys(caller, options, ROUTE_KEYS);
  const filter = readRouteFilter(caller, graph, options.filter);
  const { start: from, end: to, search } = memory;
  readPoint(from.point, start, caller, 'start');
  readPoint(to.point, end, caller, 'end');
  readBox(graph, options.halfExtents, caller);
  const none = (reason: PathReason): WorldRoute => ({ status: 'none', reason, points: [], tiles: [], cost: 0 });
  if (!guessRouteEnd(from, graph, undefined, from.point, halfExtents)) return none('start-off-mesh');
  if (!guessRouteEnd(to, graph, undefined, to.point, halfExtents)) return none('end-off-mesh');
  const metric = metricOf(graph, filter);
  const route = createRoute();
  let direct = Infinity;
  if (from.slot === to.slot && from.cell === to.cell) {
    const [dx, dy, dz] = from.point.map((value, k) => to.point[k] - value);
    const area = graph.cellArea[graph.tileCell[from.slot] + from.cell];
    direct = metric.areaCosts[area] * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  if (!searchRoute(route, search, graph, metric, from, to, direct)) return none('unreachable');
  const points: [number, number, number][] = [[from.point[0], from.point[1], from.point[2]]];
  const slots = [from.slot];
  for (let last = FROM_START; route.count > 0;) {
    if (!divideStep(route, search, graph, metric, last)) return none('unreachable');
    last = route.gates[--route.count];
    const point = gatePoint(graph, last);
    if (points.at(-1)!.some((value, k) => value !== point[k])) points.push(point);
    if (slots.at(-1) !== graph.gateTile[last]) slots.push(graph.gateTile[last]);
  }
  points.push([to.point[0], to.point[1], to.point[2]]);
  const tiles = slots.map((slot): [number, number] => [graph.tiles[slot]!.x, graph.tiles[slot]!.z]);
  return { status: 'complete', reason: '', points, tiles, cost: route.cost };
}

/**
 * Returns the path between two positions: its first part in detail, and the route after it. Updates the graph
 * if the mesh has changed. The start must be on a loaded tile, the end need not be.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range, unknown keys and
 * filters with a method.
 */
export function findRoutedPath(
  graph: RouteGraph,
  navMesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: RoutedPathOptions = {},
): RoutedPath {
  const caller = 'findRoutedPath';
  checkGraph(caller, graph);
  checkKeys(caller, options, PATH_KEYS);
  const { ahead = AHEAD_TILES * graph.tileSize } = options;
  if (typeof ahead !== 'number' || !(ahead >= 0)) refuse(caller, 'options.ahead', ahead, '0 or more');
  const filter = readRouteFilter(caller, graph, options.filter);
  const query = createPathQuery();
  readPathQuery(query, navMesh, start, end, { filter, halfExtents: options.halfExtents }, caller);
  updateRouteGraph(graph, navMesh);
  const buffer = createRoutedPathBuffer();
  findRoutedPathInto(buffer, memory, graph, navMesh, query, ahead);
  return resultOf(graph, navMesh, { buffer, query, ahead });
}

/**
 * Returns the next part of a path in detail, from the position that an agent has reached. Keeps the route if the graph
 * has not changed, and searches a new one otherwise. Call it before the agent reaches the last of `path.points`. Each
 * path can be continued only once.
 *
 * Throws a TypeError for a path that is not a result of `findRoutedPath`, or was continued before.
 */
export function continueRoutedPath(
  path: RoutedPath,
  graph: RouteGraph,
  navMesh: NavMesh,
  position: PointLike,
): RoutedPath {
  const caller = 'continueRoutedPath';
  checkGraph(caller, graph);
  checkNavMesh(caller, navMesh);
  const origin = typeof path === 'object' && path !== null ? origins.get(path) : undefined;
  if (origin === undefined) refuseType(caller, 'path', path, 'a path of findRoutedPath that was not continued before');
  const { buffer, query, ahead } = origin;
  readPoint(query.start, position, caller, 'position');
  updateRouteGraph(graph, navMesh);
  origins.delete(path);
  if (!continueRoutedPathInto(buffer, memory, graph, navMesh, query, ahead))
    findRoutedPathInto(buffer, memory, graph, navMesh, query, ahead);
  return resultOf(graph, navMesh, origin);
}

function resultOf(graph: RouteGraph, mesh: NavMesh, origin: Origin): RoutedPath {
  const { status, reason, corridor, line, length, cost, restCost, start, end, isWhole, isBlocked, ...rest } =
    origin.buffer;
  const polys: PolyRef[] = [];
  for (let i = 0; i < corridor.count; i++) polys.push(refOf(mesh, corridor.polys[i]));
  const points: [number, number, number][] = [];
  if (!isWhole && !isBlocked && status !== 'none') {
    for (let i = rest.passed; i < rest.gateCount; i++) points.push(gatePoint(graph, rest.gates[i]));
    for (let i = rest.route.count - 1; i >= 0; i--) points.push(gatePoint(graph, rest.route.gates[i]));
    points.push([end.point[0], end.point[1], end.point[2]]);
  }
  const path: RoutedPath = {
    status,
    reason,
    points: pointsOf(line.points, line.count),
    polys,
    length,
    cost: cost + restCost,
    startDistance: Math.sqrt(start.distanceSq),
    endDistance: Math.sqrt(end.distanceSq),
    isWhole,
    rest: points,
    restCost,
  };
  setSize(path, mesh, { size: Math.max(0, graph.size) });
  origins.set(path, origin);
  return path;
}

function gatePoint({ gateX, gateY, gateZ }: RouteGraph, gate: number): [number, number, number] {
  return [gateX[gate], gateY[gate], gateZ[gate]];
}

/** Returns the filter of a query, for the size of the graph. */
function readRouteFilter(caller: string, { size }: RouteGraph, filter: QueryFilter = DEFAULT_FILTER): QueryFilter {
  checkFilter(caller, filter);
  for (const name of ['passes', 'cost'] as const) {
    if (filter[name] !== undefined)
      refuse(
        caller,
        `options.filter.${name}`,
        filter[name],
        'absent; a route graph supports only areas, flags and names',
      );
  }
  const own = filter.size ?? 0;
  if (size < 0 || own === size) return filter;
  if (own !== 0) refuse(caller, 'options.filter.size', own, `${size}, the size of the graph, or 0`);
  return sizedFilter(filter, size);
}

function readBox(graph: RouteGraph, given: PointLike | number | undefined, caller: string): void {
  if (given === undefined) halfExtents.set(graph.halfExtents);
  else if (typeof given === 'number') halfExtents.fill(given);
  else readPoint(halfExtents, given, caller, 'options.halfExtents');
  for (let k = 0; k < 3; k++)
    if (!(halfExtents[k] >= 0 && halfExtents[k] < Infinity))
      refuse(caller, 'options.halfExtents', given, 'finite and 0 or more');
}
