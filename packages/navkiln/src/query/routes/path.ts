/**
 * Finds paths along a route: polygons for the first part, and a list of gates for the rest.
 *
 *   o----.                          The route leads from gate (x) to gate. A search over polygons leads to a gate some cells
 *         `---x--- - x - - - x      ahead; the first half of what it finds is kept, and the next search begins there. So the path
 *             |                     need not pass a gate exactly. What follows is refined while an agent walks.
 *
 * In: a graph, a mesh with the tiles near the start, a query.
 * Out: a corridor and its line, and the gates after it.
 * Cost: the route, and a search over a few hundred polygons for every few cells of the refined part.
 * Based on: own; Adi Botea, Martin Müller, Jonathan Schaeffer, Near Optimal Hierarchical Path-Finding, 2004.
 */
import { isLinkCrossing, setCrossingEnds, linkEndOf } from '../../mesh/crossing.ts';
import { FAR, placeOpposite } from '../../mesh/link-places.ts';
import { islandRelation, refreshIslands } from '../../mesh/islands.ts';
import { findTile } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit, findNearestInto } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { findNearestOnIsland } from '../nearest/on-island.ts';
import { findCorridor } from '../path/a-star.ts';
import { createCorridor, reservePolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import type { PathQuery } from '../path/find-path.ts';
import { pullString } from '../path/funnel.ts';
import { lineCost, setLineCost } from '../path/line-cost.ts';
import { createPathLine } from '../path/path-line.ts';
import type { PathLine } from '../path/path-line.ts';
import { setLength } from '../path/result.ts';
import type { PathReason, PathStatus } from '../path/result.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { withRoom } from '../walk/open-edges.ts';
import { guessRouteEnd, lengthTo, measureRouteEnd } from './ends.ts';
import { improvePath } from './improve.ts';
import { metricOf } from './metric.ts';
import { findReachedCell } from './reach.ts';
import { createRoute, createRouteEnd, divideStep, searchRoute } from './route.ts';
import type { Route, RouteEnd } from './route.ts';
import { FROM_START, VIA_EDGE, createRouteSearch } from './search.ts';
import type { RouteSearch } from './search.ts';
import type { RouteGraph, RouteMetric } from './types.ts';

/** Distance that a search over polygons looks ahead, in sides of a tile, and its maximum number of cells. */
const WINDOW = 4;
const MAX_CELLS = 24;
/** Ends nearer to each other than this, in sides of a tile, get a search over polygons without a route. */
const NEAR = 8;
/** Maximum number of nodes of that search, and of one that refines. */
const MAX_NEAR = 2048;
const MAX_WINDOW = 8192;
/**
 * When the route costs less than this, in sides of a tile, a search over polygons follows. The second entry is for
 * whole paths.
 */
const SHORT = { cost: 16, nodes: 4096 };
const SHORT_WHOLE = { cost: 28, nodes: 16384 };
/** Length of the parts of a whole path that are searched again, in sides of a tile. */
const IMPROVED = 6;
/** Number of last polygons of the corridor that are compared to find loops. */
const MAX_LOOP = 24;

/** Memory of queries. It serves any graph and mesh. */
export interface RouteMemory {
  search: RouteSearch;
  start: RouteEnd;
  end: RouteEnd;
  state: SearchState;
  part: Corridor;
}

/** Result of `findRoutedPathInto`, and state that `continueRoutedPathInto` continues. */
export interface RoutedPathBuffer {
  status: PathStatus;
  reason: PathReason;
  /** Length of the line, world units. */
  length: number;
  /** Cost of the line, and approximate cost of the rest: lengths times the costs of areas, plus links. */
  cost: number;
  restCost: number;
  /** The ends, moved onto the mesh. On a tile that is not loaded, the end's `poly` is -1. */
  start: NearestHit;
  end: NearestHit;
  /** Whether the line leads to the end. */
  isWhole: boolean;
  /** Whether the mesh is closed on the route, although the graph is not. The line ends there. */
  isBlocked: boolean;
  corridor: Corridor;
  line: PathLine;
  /**
   * Gates through which the path enters cells, in order. The first `passed` of them are along the line, the others
   * after it. Steps of `route` that are not divided yet follow.
   */
  gates: Int32Array;
  gateCount: number;
  passed: number;
  route: Route;
  /** The gate where the steps of the route begin. */
  lastGate: number;
}

/** Creates the memory of searches along routes, for one call at a time. It grows as needed. */
export function createRouteMemory(): RouteMemory {
  return {
    search: createRouteSearch(),
    start: createRouteEnd(),
    end: createRouteEnd(),
    state: createSearchState(),
    part: createCorridor(),
  };
}

/** Creates an empty result for `findRoutedPathInto`. It grows as needed. */
export function createRoutedPathBuffer(): RoutedPathBuffer {
  return {
    status: 'none',
    reason: '',
    length: NaN,
    cost: NaN,
    restCost: NaN,
    start: createNearestHit(),
    end: createNearestHit(),
    isWhole: false,
    isBlocked: false,
    corridor: createCorridor(),
    line: createPathLine(),
    gates: new Int32Array(16),
    gateCount: 0,
    passed: 0,
    route: createRoute(),
    lastGate: FROM_START,
  };
}

const landing = createNearestHit();
const headPoint = new Float64Array(3);
const target = new Float64Array(3);
const crossingEnds = new Float64Array(6);
const place = new Float64Array(6);

/**
 * Kernel. Finds a route and refines it for at least `ahead` world units, up to the first tile that is not loaded. The
 * graph must be current.
 */
// oxlint-disable-next-line max-params -- kernel
export function findRoutedPathInto(
  out: RoutedPathBuffer,
  memory: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  query: PathQuery,
  ahead: number,
): void {
  const { filter, halfExtents } = query;
  const { start, end } = out;
  clear(out);
  findNearestInto(start, mesh, query.start, halfExtents, filter);
  findNearestInto(end, mesh, query.end, halfExtents, filter);
  if (start.poly < 0 || !isFinitePoint(start.point)) {
    out.reason = 'start-off-mesh';
    return;
  }
  if (!isFinitePoint(query.end) || (end.poly < 0 && !guessRouteEnd(memory.end, graph, mesh, query.end, halfExtents))) {
    out.reason = 'end-off-mesh';
    return;
  }
  out.status = 'complete';
  if (end.poly < 0) {
    end.point.set(query.end);
  } else if (graph.source === 'mesh' && islandRelation(mesh, start.poly, end.poly) === 0) {
    moveToIsland(out, mesh, query);
  }
  if (isNearEnough(out, graph) && searchNear(out, memory, mesh, query, MAX_NEAR)) return;
  const metric = metricOf(graph, filter);
  if (!planRoute(out, memory, graph, mesh, metric) && !planToIsland(out, memory, graph, mesh, query)) {
    out.status = 'none';
    out.reason = 'unreachable';
    out.corridor.count = 0;
    return;
  }
  const { cost, nodes } = ahead < out.route.cost ? SHORT : SHORT_WHOLE;
  if (end.poly >= 0 && out.route.cost < cost * graph.tileSize && searchNear(out, memory, mesh, query, nodes)) {
    // A route over tiles that are not loaded may be shorter.
    if (graph.source === 'mesh' || out.cost <= out.route.cost) return;
    out.isWhole = false;
  }
  refine(out, memory, graph, mesh, query, metric, ahead);
}

/**
 * Kernel. Refines a path again from a point on its corridor or near it, for at least `ahead` world units. Returns false
 * when the path has to be searched again: it is partial, the graph has changed, the point is off the mesh, or it is too far from
 * the path.
 */
// oxlint-disable-next-line max-params -- kernel
export function continueRoutedPathInto(
  out: RoutedPathBuffer,
  memory: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  query: PathQuery,
  ahead: number,
): boolean {
  // The end of a partial path depends on the tiles that are loaded.
  if (out.status !== 'complete' || out.route.revision !== graph.revision) return false;
  findNearestInto(out.start, mesh, query.start, query.halfExtents, query.filter);
  if (out.start.poly < 0 || !isFinitePoint(out.start.point)) return false;
  if (out.end.poly >= 0 || !out.isWhole) findNearestInto(out.end, mesh, query.end, query.halfExtents, query.filter);
  const { reason, status } = out;
  dropPassed(out, memory, graph, mesh);
  refine(out, memory, graph, mesh, query, metricOf(graph, query.filter), ahead);
  return out.status === status && out.reason === reason && (out.line.count > 1 || out.isWhole);
}

/** Returns whether a point is finite. A search from another point would not end. */
function isFinitePoint(point: ArrayLike<number>): boolean {
  return Number.isFinite(point[0]) && Number.isFinite(point[1]) && Number.isFinite(point[2]);
}

function clear(out: RoutedPathBuffer): void {
  out.status = 'none';
  out.reason = '';
  out.length = out.cost = out.restCost = 0;
  out.corridor.count = 0;
  out.corridor.cost = 0;
  out.line.count = 0;
  out.gateCount = out.passed = 0;
  out.route.count = 0;
  out.lastGate = FROM_START;
  out.isWhole = out.isBlocked = false;
}

function isNearEnough({ start, end }: RoutedPathBuffer, { tileSize }: RouteGraph): boolean {
  if (end.poly < 0) return false;
  if (start.poly === end.poly) return true;
  const dx = start.point[0] - end.point[0];
  const dz = start.point[2] - end.point[2];
  return dx * dx + dz * dz < NEAR * NEAR * tileSize * tileSize;
}

/** Searches over polygons without a route. Returns whether the end was found. */
function searchNear(
  out: RoutedPathBuffer,
  { state }: RouteMemory,
  mesh: NavMesh,
  { filter }: PathQuery,
  maxNodes: number,
): boolean {
  const { corridor, line, start, end } = out;
  findCorridor(corridor, state, mesh, filter, start.poly, start.point, end.poly, end.point, maxNodes);
  // A search that reached its node limit may have missed the shortest path.
  if (corridor.outcome !== 'complete' || state.isShort) return false;
  pullString(line, mesh, corridor, start.point, end.point);
  setCosts(out, mesh, filter);
  out.isWhole = true;
  return true;
}

/** Measures both ends and searches the route. */
function planRoute(
  out: RoutedPathBuffer,
  memory: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  metric: RouteMetric,
): boolean {
  const { start, end, state, search } = memory;
  if (out.end.poly >= 0) measureRouteEnd(end, state, graph, mesh, out.end.poly, out.end.point);
  measureRouteEnd(start, state, graph, mesh, out.start.poly, out.start.point);
  if (start.slot < 0 || end.slot < 0) return false;
  let direct = Infinity;
  if (start.slot === end.slot && start.cell === end.cell && out.end.poly >= 0) {
    const cost = metric.areaCosts[mesh.polyArea[out.start.poly]];
    direct = cost * lengthTo(state, out.end.poly, out.end.point);
  }
  return searchRoute(out.route, search, graph, metric, start, end, direct);
}

/**
 * Plans the route to the nearest point of the start's island, if the end is on another island: of a mesh whose islands were
 * out of date, or of a world of which the mesh has some tiles. Returns whether it did.
 */
function planToIsland(
  out: RoutedPathBuffer,
  memory: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  query: PathQuery,
): boolean {
  const { start, end } = out;
  const metric = metricOf(graph, query.filter);
  if (graph.source === 'records') {
    if (!findReachedCell(end, memory.end, memory.start, graph, mesh, metric)) return false;
    out.status = 'partial';
    out.reason = 'unreachable';
    return planRoute(out, memory, graph, mesh, metric);
  }
  if (mesh.islandsStale === 0 || end.poly < 0) return false;
  refreshIslands(mesh);
  if (islandRelation(mesh, start.poly, end.poly) !== 0) return false;
  moveToIsland(out, mesh, query);
  return planRoute(out, memory, graph, mesh, metric);
}

/** Moves the end to the nearest point of the start's island. */
function moveToIsland(out: RoutedPathBuffer, mesh: NavMesh, { filter }: PathQuery): void {
  const { start, end } = out;
  out.status = 'partial';
  out.reason = 'unreachable';
  findNearestOnIsland(landing, mesh, start.poly, end.point, filter);
  end.poly = landing.poly;
  end.point.set(landing.point);
}

/** Refines the route from `out.start` on, and runs the funnel. */
// oxlint-disable-next-line max-params -- kernel
function refine(
  out: RoutedPathBuffer,
  memory: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  query: PathQuery,
  metric: RouteMetric,
  ahead: number,
): void {
  const { corridor, line, start, end } = out;
  const { part } = memory;
  out.isWhole = false;
  corridor.count = 0;
  appendPoly(corridor, start.poly, 0);
  headPoint.set(start.point);
  let walked = 0;
  while (!out.isWhole && walked < ahead) {
    fillGates(out, memory, graph, metric);
    const found = searchAhead(out, memory, graph, mesh, query);
    if (found === BLOCKED) {
      out.status = 'partial';
      out.reason = 'unreachable';
      out.isBlocked = true;
      out.gateCount = out.passed = out.route.count = 0;
      break;
    }
    if (found === NOT_LOADED) break;
    if (found === AT_BORDER) {
      append(corridor, mesh, part, part.count, headPoint);
      headPoint.set(target);
      break;
    }
    out.isWhole = found === AT_END;
    // Before tiles that are not loaded, the path leads to the last gate and not only halfway.
    const isLast = !out.isWhole && !isOpenBehind(out, graph, mesh, out.passed + found);
    const isAll = out.isWhole || isLast;
    const count = isAll ? part.count : Math.max(2, (part.count + 1) >> 1);
    walked += append(corridor, mesh, part, Math.min(count, part.count), headPoint);
    if (!out.isWhole) out.passed += isAll ? found : Math.max(1, found >> 1);
    if (isLast) headPoint.set(target);
  }
  pullString(line, mesh, corridor, start.point, out.isWhole ? end.point : headPoint);
  if (out.isWhole) improvePath(out, mesh, memory.state, query.filter, IMPROVED * graph.tileSize);
  setCosts(out, mesh, query.filter);
  setRest(out, graph, metric);
}

/** Results of `searchAhead`. Larger results are the number of gates up to the one that the search leads to. */
const BLOCKED = 0;
const NOT_LOADED = -1;
const AT_END = -2;
const AT_BORDER = -3;

/** Divides steps of the route until the gates of a window are known. */
function fillGates(out: RoutedPathBuffer, memory: RouteMemory, graph: RouteGraph, metric: RouteMetric): void {
  const { route } = out;
  while (!hasWindow(out, graph) && route.count > 0) {
    if (!divideStep(route, memory.search, graph, metric, out.lastGate)) {
      route.count = 0;
      return;
    }
    const gate = route.gates[--route.count];
    if (route.vias[route.count] === VIA_EDGE) {
      out.gates = withRoom(out.gates, out.gateCount + 1);
      out.gates[out.gateCount++] = gate;
    }
    out.lastGate = gate;
  }
}

/** Returns whether the known gates reach far enough. */
function hasWindow({ gates, gateCount, passed }: RoutedPathBuffer, { gateX, gateZ, tileSize }: RouteGraph): boolean {
  if (gateCount === passed) return false;
  if (gateCount - passed >= MAX_CELLS) return true;
  const dx = gateX[gates[gateCount - 1]] - headPoint[0];
  const dz = gateZ[gates[gateCount - 1]] - headPoint[2];
  return dx * dx + dz * dz > WINDOW * WINDOW * tileSize * tileSize;
}

/** Searches from the head of the corridor to the furthest gate of the window that is loaded, or to the end. */
function searchAhead(
  out: RoutedPathBuffer,
  { part, state }: RouteMemory,
  graph: RouteGraph,
  mesh: NavMesh,
  { filter }: PathQuery,
): number {
  const { corridor, end, route } = out;
  const head = corridor.polys[corridor.count - 1];
  const isLast = route.count === 0 && !hasWindow(out, graph);
  if (isLast && end.poly >= 0) {
    const most = out.passed === out.gateCount ? Infinity : MAX_WINDOW;
    findCorridor(part, state, mesh, filter, head, headPoint, end.poly, end.point, most);
    if (part.outcome === 'complete' && !state.isShort) return AT_END;
  }
  // Polygons beyond a tile that is not loaded cannot be reached yet.
  let loaded = out.passed;
  while (isGateLoaded(out, graph, mesh, loaded)) loaded++;
  for (let count = loaded - out.passed; count > 0; count--) {
    const gate = out.gates[out.passed + count - 1];
    const poly = polyOfGate(graph, mesh, gate);
    target[0] = graph.gateX[gate];
    target[1] = graph.gateY[gate];
    target[2] = graph.gateZ[gate];
    if (poly === head && count > 1) continue;
    // The next gate must be found in any case. Beyond an expensive link, everything that costs less is expanded first.
    const most = count === 1 ? Infinity : MAX_WINDOW;
    findCorridor(part, state, mesh, filter, head, headPoint, poly, target, most);
    if (part.outcome === 'complete' && !state.isShort) return count;
  }
  if (graph.source === 'mesh') return BLOCKED;
  return loaded === out.passed && searchBorder(out, part, state, graph, mesh, filter) ? AT_BORDER : NOT_LOADED;
}

/** Searches to the border of the loaded tile from which the path enters the next gate, whose tile is not loaded. */
// oxlint-disable-next-line max-params -- kernel
function searchBorder(
  out: RoutedPathBuffer,
  part: Corridor,
  state: SearchState,
  graph: RouteGraph,
  mesh: NavMesh,
  filter: QueryFilter,
): boolean {
  if (out.passed >= out.gateCount) return false;
  const { gateEdge, edgeNext, edgeTo, gateX, gateY, gateZ } = graph;
  const head = out.corridor.polys[out.corridor.count - 1];
  for (let edge = gateEdge[out.gates[out.passed]]; edge >= 0; edge = edgeNext[edge]) {
    const gate = edgeTo[edge];
    const poly = polyOfGate(graph, mesh, gate);
    if (poly < 0) continue;
    target[0] = gateX[gate];
    target[1] = gateY[gate];
    target[2] = gateZ[gate];
    findCorridor(part, state, mesh, filter, head, headPoint, poly, target, MAX_WINDOW);
    if (part.outcome === 'complete') return true;
  }
  return false;
}

/** Returns the polygon of a gate (dense index), or -1 when its tile is not loaded. */
function polyOfGate({ gateTile, tiles, tileGate }: RouteGraph, mesh: NavMesh, gate: number): number {
  const slot = gateTile[gate];
  const { x, z, layer, gatePoly } = tiles[slot]!;
  const meshSlot = findTile(mesh, x, z, layer);
  return meshSlot < 0 ? -1 : mesh.tilePolyStart[meshSlot] + gatePoly[gate - tileGate[slot]];
}

/**
 * Appends the first `count` polygons of a part, whose first polygon is the corridor's last one. Returns their
 * approximate length.
 */
function append(corridor: Corridor, mesh: NavMesh, part: Corridor, count: number, head: Float64Array): number {
  let length = 0;
  for (let i = 1; i < count; i++) {
    const crossing = part.crossings[i - 1];
    const poly = part.polys[i - 1];
    let [x, y, z] = [0, 0, 0];
    if (isLinkCrossing(crossing)) {
      placeOpposite(place, mesh, linkEndOf(crossing), false, head, 0);
      [x, y, z] = [place[FAR], place[FAR + 1], place[FAR + 2]];
    } else {
      setCrossingEnds(crossingEnds, mesh, poly, crossing);
      x = (crossingEnds[0] + crossingEnds[3]) / 2;
      y = (crossingEnds[1] + crossingEnds[4]) / 2;
      z = (crossingEnds[2] + crossingEnds[5]) / 2;
    }
    const dx = x - head[0];
    const dz = z - head[2];
    length += Math.sqrt(dx * dx + dz * dz);
    head[0] = x;
    head[1] = y;
    head[2] = z;
    appendPoly(corridor, part.polys[i], crossing);
  }
  return length;
}

/** Appends a polygon that is reached from the last one over a crossing, or cuts off the loop that ends in it. */
function appendPoly(corridor: Corridor, poly: number, crossing: number): void {
  const { count } = corridor;
  for (let i = count - 1; i >= 0 && i >= count - MAX_LOOP; i--) {
    if (corridor.polys[i] !== poly) continue;
    corridor.count = i + 1;
    return;
  }
  if (corridor.polys.length === count) reservePolys(corridor, count + 32);
  if (count > 0) corridor.crossings[count - 1] = crossing;
  corridor.polys[corridor.count++] = poly;
}

/** Returns whether there is a gate with this index and its tile is loaded. */
function isGateLoaded(out: RoutedPathBuffer, graph: RouteGraph, mesh: NavMesh, index: number): boolean {
  return index < out.gateCount && polyOfGate(graph, mesh, out.gates[index]) >= 0;
}

/** Returns whether the route continues over loaded tiles after the gate before this index. */
function isOpenBehind(out: RoutedPathBuffer, graph: RouteGraph, mesh: NavMesh, index: number): boolean {
  return index < out.gateCount ? isGateLoaded(out, graph, mesh, index) : out.route.count > 0;
}

/**
 * Drops the gates that an agent has passed: all up to the last gate of its current cell, or else all before the nearest
 * gate.
 */
function dropPassed(out: RoutedPathBuffer, memory: RouteMemory, graph: RouteGraph, mesh: NavMesh): void {
  const { gates, gateCount, start } = out;
  const { gateCell, gateX, gateZ, tileCell } = graph;
  measureRouteEnd(memory.start, memory.state, graph, mesh, start.poly, start.point);
  const { slot, cell } = memory.start;
  let count = 0;
  let least = Infinity;
  let isInCell = false;
  for (let i = 0; i < gateCount; i++) {
    const dx = gateX[gates[i]] - start.point[0];
    const dz = gateZ[gates[i]] - start.point[2];
    const distance = dx * dx + dz * dz;
    if (slot >= 0 && gateCell[gates[i]] === tileCell[slot] + cell) {
      count = i + 1;
      isInCell = true;
    } else if (!isInCell && distance < least) {
      least = distance;
      count = i;
    }
  }
  out.gates.copyWithin(0, count, gateCount);
  out.gateCount -= count;
  out.passed = 0;
}

function setCosts(out: RoutedPathBuffer, mesh: NavMesh, filter: QueryFilter): void {
  setLength(out, out.line);
  setLineCost(mesh, filter, out.corridor, out.line, -1);
  out.cost = lineCost[0];
}

/** Adds up the costs of the rest after the line: straight distances to the known gates, then the costs of the steps. */
function setRest(out: RoutedPathBuffer, graph: RouteGraph, { areaCosts }: RouteMetric): void {
  const { gates, gateCount, passed, route, end } = out;
  const { gateX, gateZ, cellArea, gateCell } = graph;
  out.restCost = 0;
  if (out.isWhole || out.status === 'none') return;
  let [x, , z] = headPoint;
  const add = (nextX: number, nextZ: number, factor: number): void => {
    out.restCost += factor * Math.sqrt((nextX - x) * (nextX - x) + (nextZ - z) * (nextZ - z));
    x = nextX;
    z = nextZ;
  };
  const factorOf = (gate: number): number => areaCosts[cellArea[gateCell[gate]]];
  for (let i = passed; i < gateCount; i++) add(gateX[gates[i]], gateZ[gates[i]], factorOf(gates[i]));
  if (route.count === 0) {
    add(end.point[0], end.point[2], gateCount > passed ? factorOf(gates[gateCount - 1]) : 1);
    return;
  }
  const next = route.gates[route.count - 1];
  add(gateX[next], gateZ[next], factorOf(next));
  for (let i = 0; i + 1 < route.count; i++) out.restCost += route.costs[i];
  out.restCost += route.endCost;
}
