/**
 * Searches from gate to gate over the cells and blocks of a route graph.
 *
 *   +---------------+-------+---+---+
 *   |               |       | s |   |      Near both ends the search crosses cells of tiles, far from them blocks: each is the
 *   |               +-------+---+---+      largest that has neither end.
 *   +-------+-------+---+---+       |
 *   | t |   |       |   |   |       |
 *
 * A step leads through a cell or block to a gate, and over an edge to a gate on the other side. Only the second gate
 * enters the heap: other routes from the first gate are no shorter than those from where the cell or block was entered.
 * The same search within a block measures the lengths through it, when they are first needed.
 *
 * In: a graph, a metric, ends.
 * Out: costs and steps.
 * Cost: O(m log n) in the steps that are nearer than the end.
 * Based on: Daniel Delling, Andrew Goldberg, Thomas Pajor, Renato Werneck, Customizable Route Planning, 2011; Peter Hart, Nils Nilsson,
 * Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
 */
import { createMinHeap, popItem, pushItem } from '../../base/data/min-heap.ts';
import type { MinHeap } from '../../base/data/min-heap.ts';
import { KIND_SHIFT } from '../../mesh/link-kinds.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../../mesh/types.ts';
import { keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import { grown } from './arrays.ts';
import { gatesOfBlock } from './levels.ts';
import type { RouteBlock, RouteGraph, RouteLevel, RouteMetric } from './types.ts';

/**
 * Factor of straight distances in estimates. Routes over gates are a few per cent longer than paths, so a search with
 * this factor takes half as many steps and finds equally good routes.
 */
const STRETCH = 1.05;
/** Minimum distance between exits of a large block, in sides of a tile. */
const EXIT_SPACING = 2;

/**
 * Offsets in `nodes`: the search that reached the gate, 1 if it is done, the previous gate, and how that gate leads to
 * it.
 */
export const STAMP = 0;
const DONE = 1;
export const PARENT = 2;
export const VIA = 3;
/** A value of `VIA`: the gate was reached over an edge. Otherwise the level of the block that was crossed; 0: a cell. */
export const VIA_EDGE = -1;
/** A value of `PARENT`: the gate was reached from the start. */
export const FROM_START = -1;

/** Memory of a search. Entries of gates are valid where their stamp is the number of the search. */
export interface RouteSearch {
  stamp: number;
  /** Four numbers for each gate, which are read together: see `STAMP`, `DONE`, `PARENT` and `VIA`. */
  nodes: Int32Array;
  /** Cost of the route to the gate, and that cost plus the estimate to the end. */
  cost: Float64Array;
  key: Float64Array;
  heap: MinHeap;
  /** Per gate of the end's cell: the number of the search, and the cost from there to the end. */
  endStamps: Int32Array;
  endCost: Float64Array;
  /** x and z of the end. */
  end: Float64Array;
  /** The smallest cost of a route to the end. `last` >= FROM_START is the last gate of that route. */
  best: Float64Array;
  last: number;
  /** Per level and block: the number of the last search that divides it. */
  openStamps: Int32Array[];
  /** Number of gates taken from the heap, in all searches. */
  steps: number;
  /** The search within blocks, which measures them. */
  inner: RouteSearch | undefined;
}

/** A value of `goal`: the end, if there is one, or all gates. */
export const NO_GOAL = -1;
/** A value of `last`: no route to the end was found yet. */
export const NOT_REACHED = -2;

export function createRouteSearch(): RouteSearch {
  return {
    stamp: 0,
    ...sized(0),
    heap: createMinHeap(),
    end: new Float64Array(2),
    best: new Float64Array(1),
    last: NOT_REACHED,
    openStamps: [],
    steps: 0,
    inner: undefined,
  };
}

function sized(count: number) {
  return {
    nodes: new Int32Array(4 * count),
    cost: new Float64Array(count),
    key: new Float64Array(count),
    endStamps: new Int32Array(count),
    endCost: new Float64Array(count),
  };
}

/** Limits of a search. */
export interface Limits {
  /** Largest level of blocks that are crossed in one step. */
  top: number;
  /** Level and number of the block that the search must not leave; level 0: none. */
  level: number;
  block: number;
  /** The gate to reach, or `NO_GOAL`. */
  goal: number;
  /** Maximum number of gates to take from the heap. */
  steps: number;
}

/** Begins a search without ends. */
export function beginRouteSearch(search: RouteSearch, graph: RouteGraph): void {
  const { gateCount, levels } = graph;
  if (search.cost.length < gateCount || search.stamp === 0x7fffffff) {
    Object.assign(search, sized(Math.max(gateCount, search.cost.length)));
    search.openStamps = [];
    search.stamp = 0;
  }
  levels.forEach((level, k) => {
    if ((search.openStamps[k]?.length ?? 0) < level.gates.length)
      search.openStamps[k] = new Int32Array(2 * level.gates.length + 8);
  });
  search.stamp++;
  search.heap.count = 0;
  search.best[0] = Infinity;
  search.last = NOT_REACHED;
}

/** Divides the blocks around a tile, so that the search crosses the cells of the tile. */
export function openBlocksAt(search: RouteSearch, { levels }: RouteGraph, slot: number): void {
  levels.forEach(({ tileBlock }, k) => {
    search.openStamps[k][tileBlock[slot]] = search.stamp;
  });
}

/** Returns whether a cell or a link passes the filter of a metric. */
function isOpen({ includeFlags, excludeFlags, areaCosts }: RouteMetric, flags: number, area: number): boolean {
  return (flags & includeFlags) !== 0 && (flags & excludeFlags) === 0 && areaCosts[area] !== Infinity;
}

/** Returns whether a cell passes the filter of a metric. */
export function isCellOpen({ cellFlags, cellArea }: RouteGraph, metric: RouteMetric, cell: number): boolean {
  return isOpen(metric, cellFlags[cell], cellArea[cell]);
}

function setNode({ nodes, stamp }: RouteSearch, gate: number, parent: number, via: number): void {
  const node = 4 * gate;
  nodes[node + STAMP] = stamp;
  nodes[node + DONE] = 0;
  nodes[node + PARENT] = parent;
  nodes[node + VIA] = via;
}

/** Starts the search at a gate, whose `cost` is set. */
export function startAt(search: RouteSearch, gate: number): void {
  setNode(search, gate, FROM_START, VIA_EDGE);
  search.key[gate] = search.cost[gate];
  pushItem(search.heap, gate, search.key);
}

/**
 * Reaches a gate through a cell or block, and then the gates across its edges. The `cost` of the gate is already set to
 * a smaller value.
 */
// oxlint-disable-next-line max-params -- kernel
export function leaveAt(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  limits: Limits,
  gate: number,
  parent: number,
  via: number,
): void {
  setNode(search, gate, parent, via);
  if (gate === limits.goal) endAt(search, gate);
  crossEdges(search, graph, metric, limits, gate);
}

/** Records that the search has reached its goal. */
function endAt(search: RouteSearch, gate: number): void {
  if (search.cost[gate] >= search.best[0]) return;
  search.best[0] = search.cost[gate];
  search.last = gate;
}

/** Reaches the gates across the edges of a gate. */
function crossEdges(search: RouteSearch, graph: RouteGraph, metric: RouteMetric, limits: Limits, gate: number): void {
  const { stamp, nodes, cost, key, end } = search;
  const { gateX, gateZ, gateTile, gateEdge, edgeTo, edgeNext } = graph;
  const scale = STRETCH * metric.scale;
  const region = limits.level > 0 ? graph.levels[limits.level - 1].tileBlock : undefined;
  for (let edge = gateEdge[gate]; edge >= 0; edge = edgeNext[edge]) {
    const next = edgeTo[edge];
    if (region !== undefined && region[gateTile[next]] !== limits.block) continue;
    const total = cost[gate] + edgeCostOf(graph, metric, edge);
    if (total === Infinity) continue;
    if (nodes[4 * next + STAMP] === stamp && total >= cost[next]) continue;
    cost[next] = total;
    setNode(search, next, gate, VIA_EDGE);
    const dx = gateX[next] - end[0];
    const dz = gateZ[next] - end[1];
    key[next] = total + scale * Math.sqrt(dx * dx + dz * dz);
    pushItem(search.heap, next, key);
  }
}

/** Returns the cost of an edge; Infinity: the edge is closed. */
function edgeCostOf(graph: RouteGraph, metric: RouteMetric, edge: number): number {
  const cell = graph.gateCell[graph.edgeTo[edge]];
  if (!isCellOpen(graph, metric, cell)) return Infinity;
  const linkEnd = graph.edgeLink[edge];
  if (linkEnd < 0) return graph.edgeCost[edge] * metric.areaCosts[graph.cellArea[cell]];
  if (!isLinkOpen(graph, metric, linkEnd)) return Infinity;
  return graph.links.length[linkEnd >> 1] * metric.areaCosts[graph.links.area[linkEnd >> 1]];
}

/** Returns whether a link may be entered at an end. */
function isLinkOpen({ links }: RouteGraph, metric: RouteMetric, linkEnd: number): boolean {
  const link = linkEnd >> 1;
  const needed = (linkEnd & 1) === 0 ? LINK_ENABLED : LINK_ENABLED | LINK_BOTH_WAYS;
  if (((metric.closedLinks >> (links.state[link] >> KIND_SHIFT)) & 1) !== 0) return false;
  return (links.state[link] & needed) === needed && isOpen(metric, links.flags[link], links.area[link]);
}

/**
 * Runs the search until the shortest route to the end is known, or no gate is left. Returns false when it stops
 * earlier, after `limits.steps`.
 */
export function runRouteSearch(search: RouteSearch, graph: RouteGraph, metric: RouteMetric, limits: Limits): boolean {
  const { stamp, nodes, cost, heap, endStamps, endCost, openStamps, best } = search;
  const { levels, gateTile } = graph;
  const most = search.steps + limits.steps;
  while (heap.count > 0 && heap.keys[0] < best[0]) {
    if (search.steps >= most) return false;
    const gate = popItem(heap);
    if (nodes[4 * gate + DONE] === 1) continue;
    nodes[4 * gate + DONE] = 1;
    search.steps++;
    if (endStamps[gate] === stamp) {
      const total = cost[gate] + endCost[gate];
      if (total < best[0]) {
        best[0] = total;
        search.last = gate;
      }
    }
    let { top } = limits;
    while (top > 0 && openStamps[top - 1][levels[top - 1].tileBlock[gateTile[gate]]] === stamp) top--;
    if (top === 0) {
      crossEdges(search, graph, metric, limits, gate);
      crossCell(search, graph, metric, limits, gate);
    } else {
      crossBlock(search, graph, metric, limits, gate, top);
    }
  }
  return true;
}

/** Leaves a cell through each of its other gates. */
function crossCell(search: RouteSearch, graph: RouteGraph, metric: RouteMetric, limits: Limits, gate: number): void {
  const { stamp, nodes, cost } = search;
  const slot = graph.gateTile[gate];
  const { cellGate, lengthStart, lengths, lengthStep } = graph.tiles[slot]!;
  const globalCell = graph.gateCell[gate];
  const cell = globalCell - graph.tileCell[slot];
  const first = graph.tileGate[slot] + cellGate[cell];
  const count = cellGate[cell + 1] - cellGate[cell];
  const place = gate - first;
  const table = lengthStart[cell];
  const row = table + (place * (place - 1)) / 2;
  const base = cost[gate];
  const step = lengthStep * metric.areaCosts[graph.cellArea[globalCell]];
  for (let i = 0; i < count; i++) {
    if (i === place) continue;
    const total = base + step * lengths[i < place ? row + i : table + (i * (i - 1)) / 2 + place];
    const other = first + i;
    if (nodes[4 * other + STAMP] === stamp && total >= cost[other]) continue;
    cost[other] = total;
    leaveAt(search, graph, metric, limits, other, gate, 0);
  }
}

/** Leaves a block through each of its other gates. */
// oxlint-disable-next-line max-params -- kernel
function crossBlock(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  limits: Limits,
  gate: number,
  level: number,
): void {
  const { stamp, nodes, cost, key, heap, end } = search;
  const { gateX, gateZ, gateTile, levels } = graph;
  const { gates, lengths, exitStart, exitTo, exitCost } = currentBlock(search, graph, metric, level, gateTile[gate]);
  const from = metric.places[level - 1][gate];
  // Searches enter blocks only through some of their gates.
  if (gates[from] !== gate) return;
  const row = from * gates.length;
  const base = cost[gate];
  const scale = STRETCH * metric.scale;
  const region = limits.level > 0 ? levels[limits.level - 1].tileBlock : undefined;
  for (let i = 0; i < gates.length; i++) {
    const total = base + lengths[row + i];
    const other = gates[i];
    if (i !== from) {
      if (nodes[4 * other + STAMP] === stamp ? total >= cost[other] : total === Infinity) continue;
      cost[other] = total;
      setNode(search, other, gate, level);
      if (other === limits.goal) endAt(search, other);
    }
    for (let exit = exitStart[i]; exit < exitStart[i + 1]; exit++) {
      const next = exitTo[exit];
      const sum = total + exitCost[exit];
      if (nodes[4 * next + STAMP] === stamp && sum >= cost[next]) continue;
      if (region !== undefined && region[gateTile[next]] !== limits.block) continue;
      cost[next] = sum;
      setNode(search, next, other, VIA_EDGE);
      const dx = gateX[next] - end[0];
      const dz = gateZ[next] - end[1];
      key[next] = sum + scale * Math.sqrt(dx * dx + dz * dz);
      pushItem(heap, next, key);
    }
  }
}

/**
 * Returns the lengths through the block around a tile. Measures them again if something that they depend on has
 * changed.
 */
function currentBlock(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  level: number,
  slot: number,
): RouteBlock {
  const block = graph.levels[level - 1].tileBlock[slot];
  const known = metric.blocks[level - 1][block];
  if (known !== undefined && known.checked === graph.revision) return known;
  const version = versionAround(graph.levels[level - 1], block, level);
  if (known !== undefined && known.version === version) {
    known.checked = graph.revision;
    return known;
  }
  const gates =
    level === 1 ? gatesOfBlock(graph, graph.levels[0], block) : thinGates(search, graph, metric, level, block);
  search.inner ??= createRouteSearch();
  const lengths = measureBlock(
    search.inner,
    graph,
    metric,
    { top: level - 1, level, block, goal: NO_GOAL, steps: Infinity },
    gates,
  );
  const places = (metric.places[level - 1] = grown(metric.places[level - 1], graph.gateCount));
  gates.forEach((gate, i) => {
    places[gate] = i;
  });
  const made = { checked: graph.revision, version, gates, lengths, ...exitsOf(graph, metric, level, block, gates) };
  metric.blocks[level - 1][block] = made;
  return made;
}

/** Returns the open edges that lead from gates of a block out of it. */
function exitsOf(
  graph: RouteGraph,
  metric: RouteMetric,
  level: number,
  block: number,
  gates: Int32Array,
): Pick<RouteBlock, 'exitStart' | 'exitTo' | 'exitCost'> {
  const { gateEdge, edgeNext, edgeTo, gateTile } = graph;
  const { tileBlock } = graph.levels[level - 1];
  const exitStart = new Int32Array(gates.length + 1);
  const to: number[] = [];
  const costs: number[] = [];
  gates.forEach((gate, i) => {
    for (let edge = gateEdge[gate]; edge >= 0; edge = edgeNext[edge]) {
      const cost = edgeCostOf(graph, metric, edge);
      if (cost === Infinity || tileBlock[gateTile[edgeTo[edge]]] === block) continue;
      to.push(edgeTo[edge]);
      costs.push(cost);
    }
    exitStart[i + 1] = to.length;
  });
  return { exitStart, exitTo: Int32Array.from(to), exitCost: Float64Array.from(costs) };
}

/** Returns the sum of the versions of all blocks that a block's lengths depend on. Versions only grow. */
function versionAround({ versions, ids, blockX, blockZ }: RouteLevel, block: number, level: number): number {
  let sum = versions[block];
  // The choice of gates of a large block depends on the blocks on their other side.
  if (level === 1) return sum;
  for (let side = 0; side < 4; side++) {
    const x = blockX[block] + (side === 0 ? -1 : side === 2 ? 1 : 0);
    const z = blockZ[block] + (side === 1 ? 1 : side === 3 ? -1 : 0);
    sum += versions[ids.get(keyOfTile(x, z)) ?? -1] ?? 0;
  }
  return sum;
}

/** Returns the lengths between the gates of a block, over smaller blocks or cells. */
function measureBlock(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  limits: Limits,
  gates: Int32Array,
): Float32Array {
  const count = gates.length;
  const lengths = new Float32Array(count * count).fill(Infinity);
  // Without an end, the search has no estimates.
  const plain: RouteMetric = { ...metric, scale: 0 };
  for (let i = 0; i < count; i++) {
    if (!isCellOpen(graph, metric, graph.gateCell[gates[i]])) continue;
    beginRouteSearch(search, graph);
    search.cost[gates[i]] = 0;
    startAt(search, gates[i]);
    runRouteSearch(search, graph, plain, limits);
    for (let j = 0; j < count; j++) {
      if (j === i) lengths[i * count + j] = 0;
      else if (search.nodes[4 * gates[j] + STAMP] === search.stamp) lengths[i * count + j] = search.cost[gates[j]];
    }
  }
  return lengths;
}

/** A major edge that leads out of a block. */
interface Exit {
  gate: number;
  next: number;
}

/**
 * Returns the gates of a large block that searches use. Of exits near each other, one is enough if routes within a
 * smaller block connect their gates on each side of the border. The result is the same seen from both sides.
 */
function thinGates(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  level: number,
  block: number,
): Int32Array {
  const { gateEdge, edgeMajor, edgeLink, edgeNext, edgeTo, gateTile, gateX, gateZ, gateY } = graph;
  const { tileBlock } = graph.levels[level - 1];
  const exits: Exit[] = [];
  const kept = new Set<number>();
  for (const gate of gatesOfBlock(graph, graph.levels[level - 1], block)) {
    for (let edge = gateEdge[gate]; edge >= 0; edge = edgeNext[edge]) {
      const next = edgeTo[edge];
      if (edgeMajor[edge] === 0 || tileBlock[gateTile[next]] === block) continue;
      if (edgeLink[edge] >= 0) kept.add(gate);
      else exits.push({ gate, next });
    }
  }
  const middle = (axis: Float64Array, { gate, next }: Exit): number => axis[gate] + axis[next];
  exits.sort((a, b) => {
    for (const axis of [gateX, gateZ, gateY]) {
      const order = middle(axis, a) - middle(axis, b);
      if (order !== 0) return order;
    }
    return a.gate + a.next - b.gate - b.next;
  });
  const apart = EXIT_SPACING * graph.tileSize;
  const left: Exit[] = [];
  for (const exit of exits) {
    const isSpare = left.some(
      ({ gate, next }) =>
        Math.abs(gateX[gate] - gateX[exit.gate]) < apart &&
        Math.abs(gateZ[gate] - gateZ[exit.gate]) < apart &&
        areMutual(search, graph, metric, level - 1, gate, exit.gate) &&
        areMutual(search, graph, metric, level - 1, next, exit.next),
    );
    if (isSpare) continue;
    left.push(exit);
    kept.add(exit.gate);
  }
  return Int32Array.from(kept);
}

/** Returns whether there are routes between two gates within one block, in both directions. */
// oxlint-disable-next-line max-params -- kernel
function areMutual(
  search: RouteSearch,
  graph: RouteGraph,
  metric: RouteMetric,
  level: number,
  a: number,
  b: number,
): boolean {
  if (a === b) return true;
  const { tileBlock } = graph.levels[level - 1];
  if (tileBlock[graph.gateTile[a]] !== tileBlock[graph.gateTile[b]]) return false;
  const { gates, lengths } = currentBlock(search, graph, metric, level, graph.gateTile[a]);
  const places = metric.places[level - 1];
  if (gates[places[a]] !== a || gates[places[b]] !== b) return false;
  const isOpen = (from: number, to: number): boolean => lengths[places[from] * gates.length + places[to]] < Infinity;
  return isOpen(a, b) && isOpen(b, a);
}
