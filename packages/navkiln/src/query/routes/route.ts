/**
 * Routes: the gates and cells from one end to the other, in detail near the start.
 *
 * A search results in steps through whole blocks. They are divided into steps through smaller blocks when the path gets
 * there.
 *
 * In: a graph, costs from the start to the gates of its cell, and costs from the gates of the end's cell to the end.
 * Out: steps.
 * Cost: that of the search.
 * Based on: own.
 */
import { withRoom } from '../walk/open-edges.ts';
import { grown } from './arrays.ts';
import {
  FROM_START,
  NOT_REACHED,
  NO_GOAL,
  PARENT,
  STAMP,
  VIA,
  beginRouteSearch,
  leaveAt,
  openBlocksAt,
  runRouteSearch,
  startAt,
} from './search.ts';
import type { Limits, RouteSearch } from './search.ts';
import type { RouteGraph, RouteMetric } from './types.ts';

/**
 * Routes that cost less than these, in sides of a tile, are searched again over cells alone, or over small blocks.
 * Blocks contain only some of the gates, so their lengths are least exact for short routes. Such a search takes at most
 * `FINE_STEPS` gates from its heap.
 */
const FINE_COSTS = [24, 64];
const FINE_STEPS = 4096;

const limits: Limits = { top: 0, level: 0, block: -1, goal: NO_GOAL, steps: Infinity };

/** An end of a route: its tile and cell, and the approximate cost to each gate of the cell. */
export interface RouteEnd {
  /** Slot of the tile in the graph; -1: the end is on no known tile. */
  slot: number;
  /** Index of the cell, counted from the tile's first cell. */
  cell: number;
  /** Per gate of the cell: length to it, without the cost of the area. The array may be longer. */
  lengths: Float64Array;
  /** World units. */
  point: Float64Array;
  /** Whether the tile was loaded, so that the lengths are lengths of paths. */
  isExact: boolean;
}

/** A route. Step i leads to gate `gates[i]`; the last of them is the next one. */
export interface Route {
  /** Revision of the graph that the route belongs to. */
  revision: number;
  /** Number of remaining steps. */
  count: number;
  gates: Int32Array;
  /** How each step leads from the previous gate: `VIA_EDGE`, or the level of the block that it crosses; 0: a cell. */
  vias: Int8Array;
  /** The cost of each step, and the remaining cost after the last one. */
  costs: Float64Array;
  endCost: number;
  /** Cost of the whole route. */
  cost: number;
}

export function createRoute(): Route {
  return {
    revision: -1,
    count: 0,
    gates: new Int32Array(64),
    vias: new Int8Array(64),
    costs: new Float64Array(64),
    endCost: NaN,
    cost: NaN,
  };
}

export function createRouteEnd(): RouteEnd {
  return { slot: -1, cell: -1, lengths: new Float64Array(16), point: new Float64Array(3), isExact: false };
}

/**
 * Kernel. Searches the route between two ends, which are on tiles of the graph. `direct`: the cost of a path within the
 * common cell of both ends, or Infinity. Returns false when there is no route.
 */
// oxlint-disable-next-line max-params -- kernel
export function searchRoute(
  out: Route,
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  start: RouteEnd,
  end: RouteEnd,
  direct: number,
): boolean {
  out.count = 0;
  out.revision = graph.revision;
  out.cost = Infinity;
  limits.top = graph.levels.length;
  limits.steps = Infinity;
  if (!searchOnce(out, search, graph, metric, start, end, direct)) return false;
  limits.steps = FINE_STEPS;
  for (limits.top = 0; limits.top < graph.levels.length; limits.top++) {
    const isNear = out.cost < FINE_COSTS[limits.top] * graph.tileSize;
    if (isNear && searchOnce(out, search, graph, metric, start, end, direct)) break;
  }
  return true;
}

/** Searches over blocks of `limits.top`. Returns false when there is no route, or none was found within the limit. */
// oxlint-disable-next-line max-params -- kernel
function searchOnce(
  out: Route,
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  start: RouteEnd,
  end: RouteEnd,
  direct: number,
): boolean {
  beginRouteSearch(search, graph);
  openBlocksAt(search, graph, start.slot);
  openBlocksAt(search, graph, end.slot);
  search.end[0] = end.point[0];
  search.end[1] = end.point[2];
  if (direct < Infinity) {
    search.best[0] = direct;
    search.last = FROM_START;
  }
  const { stamp } = search;
  limits.level = 0;
  limits.goal = NO_GOAL;
  const endCost = metric.areaCosts[graph.cellArea[graph.tileCell[end.slot] + end.cell]];
  const endFirst = graph.tileGate[end.slot] + graph.tiles[end.slot]!.cellGate[end.cell];
  for (let i = 0; i < gateCountOf(graph, end); i++) {
    search.endStamps[endFirst + i] = stamp;
    search.endCost[endFirst + i] = endCost * end.lengths[i];
  }
  const startCost = metric.areaCosts[graph.cellArea[graph.tileCell[start.slot] + start.cell]];
  const startFirst = graph.tileGate[start.slot] + graph.tiles[start.slot]!.cellGate[start.cell];
  for (let i = 0; i < gateCountOf(graph, start); i++) {
    const total = startCost * start.lengths[i];
    if (search.nodes[4 * (startFirst + i) + STAMP] === stamp && total >= search.cost[startFirst + i]) continue;
    search.cost[startFirst + i] = total;
    leaveAt(search, graph, metric, limits, startFirst + i, FROM_START, 0);
  }
  if (!runRouteSearch(search, graph, metric, limits) || search.last === NOT_REACHED) return false;
  out.count = 0;
  out.cost = search.best[0];
  out.endCost = search.last >= 0 ? out.cost - search.cost[search.last] : out.cost;
  if (search.last >= 0) pushSteps(out, search, search.last, FROM_START);
  return true;
}

/** Returns the number of gates of an end's cell. */
export function gateCountOf(graph: RouteGraph, { slot, cell }: RouteEnd): number {
  const { cellGate } = graph.tiles[slot]!;
  return cellGate[cell + 1] - cellGate[cell];
}

/** Pushes the steps of the last search from `first` to `last`, with the first step on top. */
function pushSteps(out: Route, { nodes, cost }: RouteSearch, last: number, first: number): void {
  for (let gate = last; gate !== first; gate = nodes[4 * gate + PARENT]) {
    if (out.gates.length === out.count) {
      out.gates = withRoom(out.gates, out.count + 1);
      const vias = new Int8Array(out.gates.length);
      vias.set(out.vias);
      out.vias = vias;
      out.costs = grown(out.costs, out.gates.length);
    }
    out.gates[out.count] = gate;
    const before = nodes[4 * gate + PARENT];
    out.costs[out.count] = cost[gate] - (before === FROM_START ? 0 : cost[before]);
    out.vias[out.count++] = nodes[4 * gate + VIA];
  }
}

/**
 * Divides the next step until it leads over an edge or through a cell. `from`: the gate where it begins; -1: the start.
 * Returns false when the graph has changed so that the step no longer exists.
 */
// oxlint-disable-next-line max-params -- kernel
export function divideStep(
  out: Route,
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  from: number,
): boolean {
  while (out.count > 0 && out.vias[out.count - 1] > 0) {
    const level = out.vias[--out.count];
    const to = out.gates[out.count];
    beginRouteSearch(search, graph);
    search.end[0] = graph.gateX[to];
    search.end[1] = graph.gateZ[to];
    search.cost[from] = 0;
    limits.top = level - 1;
    limits.level = level;
    limits.block = graph.levels[level - 1].tileBlock[graph.gateTile[from]];
    limits.goal = to;
    limits.steps = Infinity;
    startAt(search, from);
    runRouteSearch(search, graph, metric, limits);
    if (search.last !== to) return false;
    pushSteps(out, search, to, from);
  }
  return true;
}
