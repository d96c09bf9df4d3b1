/**
 * A goal field: one search backward from a goal that answers every start.
 *
 * The search is Dijkstra's, from the goal over the middles of crossings (edges, portals, link ends; of straight links some
 * places), with the costs of query/path/a-star.ts. A step costs its length times the cost of its area; a link costs its own cost, or its length,
 * times the cost of its area. A node is a polygon with one of its crossings; its cost is that of the path that enters
 * there and leads to the goal. Links and filters apply in the direction of walking. An exit of a link is used only when
 * the other end may be entered. A polygon that does not pass the filter can only be the start.
 *
 * A crossing has two nodes, one for each polygon. When one is settled, the other is skipped: a path through
 * it would go back through the crossing it came from. That halves the nodes; it does not hold for a filter
 * with a `cost` method.
 *
 * In: a goal, a filter.
 * Out: the cheapest corridor over middles of crossings from any polygon. The search pauses as soon as the
 * current start is answered, and continues for the next one.
 * Cost: O(n log n) in the crossings nearer to the goal than the start. Reading a corridor is linear in its
 * length. Memory: 8 bytes per polygon of the mesh and about 300 per reached polygon. No allocation after
 * warm-up.
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959. Own: sharing it among many starts.
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import {
  isLinkCrossing,
  linkEndCrossing,
  linkEndOf,
  linkOf,
  otherEnd,
  portalCrossing,
  portalOf,
  setCrossingEnds,
} from '../../../mesh/crossing.ts';
import { countShares, setLinkPlace } from '../../../mesh/link-places.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { DEFAULT_FILTER, costBetween, passesFilter, passesLinkEnd, refuseInMethod } from '../../../query/filter.ts';
import type { Corridor } from '../../../query/path/corridor.ts';
import { reservePolys } from '../../../query/path/corridor.ts';
import type { GoalField } from '../state/search-types.ts';

// GoalField.nodeDone
/** The cost of the node is final. */
const NODE_SETTLED = 1;
/** The node is not needed: its twin is nearer to the goal. */
const NODE_SKIPPED = 2;

/** Arrays with a number of elements per node. */
export const NODE_ARRAYS = [
  ['nodePoly', 1],
  ['nodeCrossing', 1],
  ['nodeOther', 1],
  ['nodeTwin', 1],
  ['nodeExit', 1],
  ['nodeDone', 1],
  ['nodePoint', 3],
  ['nodeCost', 1],
] as const;

/** Both ends of the current crossing. */
const ends = new Float64Array(6);

/** Creates an empty field. */
export function createGoalField(): GoalField {
  return {
    goalPoly: -1,
    goal: new Float64Array(3),
    revision: 0,
    filter: DEFAULT_FILTER,
    expandedCount: 0,
    stamp: 0,
    polyStamp: new Int32Array(0),
    polyNode: new Int32Array(0),
    nodeCount: 0,
    nodePoly: new Int32Array(0),
    nodeCrossing: new Int32Array(0),
    nodeOther: new Int32Array(0),
    nodeTwin: new Int32Array(0),
    nodeExit: new Int32Array(0),
    nodeDone: new Uint8Array(0),
    nodePoint: new Float64Array(0),
    nodeCost: new Float64Array(0),
    heap: createMinHeap(),
  };
}

/** Returns true when a field leads to a polygon, on the mesh and with the filter as they are now. */
export function isFieldOf(field: GoalField, mesh: NavMesh, filter: QueryFilter, goalPoly: number): boolean {
  return field.goalPoly === goalPoly && field.revision === mesh.revision && isSameFilter(field.filter, filter);
}

/** Returns whether a filter has the effect of the copy of a filter, which has all fields. */
function isSameFilter(copy: QueryFilter, filter: QueryFilter): boolean {
  for (const key in copy) {
    const name = key as keyof QueryFilter;
    if (name !== 'areaCosts' && copy[name] !== (filter[name] ?? DEFAULT_FILTER[name])) return false;
  }
  return copy.areaCosts.every((cost, area) => cost === filter.areaCosts[area]);
}

/** Kernel: starts a field to a goal: a polygon (dense index) and a point (xyz) on it. */
export function beginField(
  field: GoalField,
  mesh: NavMesh,
  filter: QueryFilter,
  goalPoly: number,
  goal: Float64Array,
): void {
  refuseInMethod('beginField');
  field.goalPoly = goalPoly;
  for (let k = 0; k < 3; k++) field.goal[k] = goal[k];
  field.revision = mesh.revision;
  if (!isSameFilter(field.filter, filter))
    field.filter = { ...DEFAULT_FILTER, ...filter, areaCosts: filter.areaCosts.slice() };
  field.expandedCount = 0;
  field.nodeCount = 0;
  field.heap.count = 0;
  if (field.polyStamp.length < mesh.polyCount) {
    field.polyStamp = new Int32Array(2 * mesh.polyCount);
    field.polyNode = new Int32Array(2 * mesh.polyCount);
    field.stamp = 0;
  }
  field.stamp = (field.stamp + 1) | 0;
  if (!passesFilter(filter, mesh, goalPoly)) return;
  const first = nodesOf(field, mesh, goalPoly);
  const { nodePoint, nodeCost } = field;
  for (let node = first; node < field.nodeCount; node++) {
    if (!isEnterable(field, mesh, filter, node)) continue;
    nodeCost[node] = costBetween(filter, mesh, field.nodeOther[node], goalPoly, -1, nodePoint, 3 * node, goal, 0);
    pushItem(field.heap, node, nodeCost);
  }
}

/** Kernel: expands at most `steps` nodes. Returns true when none is left. */
export function runField(field: GoalField, mesh: NavMesh, filter: QueryFilter, steps: number): boolean {
  refuseInMethod('runField');
  for (let step = 0; step < steps; step++) {
    if (dropDone(field)) return true;
    const node = popItem(field.heap);
    field.nodeDone[node] = NODE_SETTLED;
    field.expandedCount++;
    expand(field, mesh, filter, node);
  }
  return dropDone(field);
}

/** Removes nodes that are done from the top of the heap. Returns true when none is left. */
function dropDone(field: GoalField): boolean {
  const { heap, nodeDone } = field;
  while (heap.count > 0 && nodeDone[heap.items[0]] !== 0) popItem(heap);
  return heap.count === 0;
}

/** Expands a node: updates the nodes of the polygon from which paths leave through it. */
function expand(field: GoalField, mesh: NavMesh, filter: QueryFilter, node: number): void {
  const from = field.nodeOther[node];
  const isLink = isLinkCrossing(field.nodeCrossing[node]);
  const first = nodesOf(field, mesh, from);
  const { nodePoint, nodeCost, nodeDone, nodePoly, nodeOther, nodeCrossing, nodeTwin, nodeExit, heap } = field;
  const twin = twinOf(field, mesh, node, first);
  nodeTwin[twin] = node;
  if (!passesFilter(filter, mesh, from)) return;
  if (filter.cost === undefined) nodeDone[twin] = NODE_SKIPPED;
  const at = isLink ? 3 * twin : 3 * node;
  let base = nodeCost[node];
  if (isLink) base += costOfLink(mesh, filter, linkEndOf(nodeCrossing[twin]));
  for (let next = first; next < field.nodeCount && nodePoly[next] === from; next++) {
    if (next === twin || nodeDone[next] !== 0) continue;
    // In the direction of walking: from the crossing by which the polygon is entered to the node.
    const cost =
      base + costBetween(filter, mesh, nodeOther[next], from, nodePoly[node], nodePoint, 3 * next, nodePoint, at);
    if (!(cost < nodeCost[next])) continue;
    if (!isEnterable(field, mesh, filter, next)) continue;
    nodeCost[next] = cost;
    nodeExit[next] = twin;
    pushItem(heap, next, nodeCost);
  }
}

/** Returns false for the exit of a link that agents may not enter at its other end. */
function isEnterable(field: GoalField, mesh: NavMesh, filter: QueryFilter, node: number): boolean {
  const crossing = field.nodeCrossing[node];
  return !isLinkCrossing(crossing) || passesLinkEnd(filter, mesh, otherEnd(linkEndOf(crossing)));
}

/**
 * Returns the twin of a node among the nodes that start at `first`: the same crossing, seen from the other
 * polygon.
 */
function twinOf(field: GoalField, mesh: NavMesh, node: number, first: number): number {
  const { nodeCrossing, nodeOther, nodePoint, nodePoly } = field;
  const crossing = nodeCrossing[node];
  if (crossing < 0) {
    const wanted = isLinkCrossing(crossing)
      ? linkEndCrossing(otherEnd(linkEndOf(crossing)))
      : portalCrossing(mesh.portalBack[portalOf(crossing)]);
    let twin = first;
    while (nodeCrossing[twin] !== wanted) twin++;
    // Shares of one link end are in a row.
    for (let k = node - 1; k >= 0 && nodeCrossing[k] === crossing && nodePoly[k] === nodePoly[node]; k--) twin++;
    return twin;
  }
  // Two polygons may share several edges; the twin has the same middle.
  const poly = nodePoly[node];
  let twin = first;
  for (; ; twin++) {
    if (nodeOther[twin] !== poly || nodeCrossing[twin] < 0) continue;
    if (
      nodePoint[3 * twin] === nodePoint[3 * node] &&
      nodePoint[3 * twin + 1] === nodePoint[3 * node + 1] &&
      nodePoint[3 * twin + 2] === nodePoint[3 * node + 2]
    )
      return twin;
  }
}

function costOfLink(mesh: NavMesh, filter: QueryFilter, linkEnd: number): number {
  const areaCost = filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
  const cost = mesh.linkCost[linkOf(linkEnd)];
  if (cost >= 0) return cost * areaCost;
  const { linkAnchors } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const near = 6 * linkEnd + k;
    const far = 6 * otherEnd(linkEnd) + k;
    const d = (linkAnchors[far] + linkAnchors[far + 3]) * 0.5 - (linkAnchors[near] + linkAnchors[near + 3]) * 0.5;
    sum += d * d;
  }
  return Math.sqrt(sum) * areaCost;
}

/** Returns the first node of a polygon, and creates its nodes on the first call. */
function nodesOf(field: GoalField, mesh: NavMesh, poly: number): number {
  if (field.polyStamp[poly] === field.stamp) return field.polyNode[poly];
  const first = field.nodeCount;
  field.polyStamp[poly] = field.stamp;
  field.polyNode[poly] = first;
  const { edgeNeighbor } = mesh;
  const edges = mesh.polyEdgeStart[poly];
  const end = edges + mesh.polyVertexCount[poly];
  for (let edge = edges; edge < end; edge++) {
    const other = edgeNeighbor[edge];
    if (other < 0) continue;
    setCrossingEnds(ends, mesh, poly, edge);
    addNode(field, poly, edge, other);
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    // The middle is measured on the other side, from which the polygon is entered.
    const other = mesh.portalPoly[portal];
    setCrossingEnds(ends, mesh, other, portalCrossing(mesh.portalBack[portal]));
    addNode(field, poly, portalCrossing(portal), other);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const other = mesh.linkPoly[otherEnd(linkEnd)];
    if (other < 0) continue;
    const shares = countShares(mesh, linkOf(linkEnd));
    for (let share = 0; share < shares; share++) {
      setLinkPlace(ends, mesh, linkEnd, share, shares);
      for (let k = 0; k < 3; k++) ends[3 + k] = ends[k];
      addNode(field, poly, linkEndCrossing(linkEnd), other);
    }
  }
  return first;
}

/** Appends a node at the middle of `ends`. */
function addNode(field: GoalField, poly: number, crossing: number, other: number): void {
  const node = field.nodeCount++;
  if (node === field.nodePoly.length) reserveNodes(field, Math.max(256, 2 * node));
  field.nodePoly[node] = poly;
  field.nodeCrossing[node] = crossing;
  field.nodeOther[node] = other;
  field.nodeTwin[node] = -1;
  field.nodeExit[node] = -1;
  field.nodeDone[node] = 0;
  field.nodeCost[node] = Infinity;
  for (let k = 0; k < 3; k++) field.nodePoint[3 * node + k] = (ends[k] + ends[k + 3]) * 0.5;
}

/** Gives a field arrays for `capacity` nodes. They keep their contents. @internal */
export function reserveNodes(field: GoalField, capacity: number): void {
  for (const [name, stride] of NODE_ARRAYS) {
    const old = field[name];
    const larger = new (old.constructor as new (length: number) => typeof old)(stride * capacity);
    larger.set(old);
    (field as unknown as Record<string, typeof old>)[name] = larger;
  }
}

/** The best exit from the polygon of a start; -1: none. */
const exitFound = { node: -1 };
/** The cost from the start through that exit to the goal. An array, because V8 would allocate the number. */
const exitCost = new Float64Array(1);

/** Sets `exitFound` and `exitCost` for a start, from the nodes expanded so far. */
function findExit(field: GoalField, mesh: NavMesh, filter: QueryFilter, startPoly: number, start: Float64Array): void {
  exitFound.node = -1;
  exitCost[0] = Infinity;
  if (field.polyStamp[startPoly] !== field.stamp) return;
  const { nodePoly, nodeTwin, nodeDone, nodeCost, nodePoint, nodeCrossing } = field;
  for (let exit = field.polyNode[startPoly]; exit < field.nodeCount && nodePoly[exit] === startPoly; exit++) {
    const node = nodeTwin[exit];
    if (node < 0 || nodeDone[node] !== NODE_SETTLED) continue;
    const isLink = isLinkCrossing(nodeCrossing[exit]);
    const at = isLink ? 3 * exit : 3 * node;
    let cost = nodeCost[node] + costBetween(filter, mesh, -1, startPoly, nodePoly[node], start, 0, nodePoint, at);
    if (isLink) cost += costOfLink(mesh, filter, linkEndOf(nodeCrossing[exit]));
    if (!(cost < exitCost[0])) continue;
    exitFound.node = exit;
    exitCost[0] = cost;
  }
}

/** Returns true when the best path from a start is known. Otherwise call `runField`. */
export function isSettled(
  field: GoalField,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
): boolean {
  if (dropDone(field)) return true;
  findExit(field, mesh, filter, startPoly, start);
  return exitCost[0] <= field.heap.keys[0];
}

/**
 * Kernel: writes the best corridor known so far from a start to the goal's polygon. Returns false when there
 * is none. `isSettled` tells whether it is final.
 */
export function readField(
  out: Corridor,
  field: GoalField,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
): boolean {
  out.visitedCount = field.expandedCount;
  out.count = 0;
  findExit(field, mesh, filter, startPoly, start);
  if (exitFound.node < 0) return false;
  const { nodeCrossing, nodeOther, nodeTwin, nodeExit } = field;
  let count = 0;
  for (let exit = exitFound.node, poly = startPoly; ; count++) {
    reservePolys(out, count + 1);
    out.polys[count] = poly;
    if (exit < 0) break;
    out.crossings[count] = nodeCrossing[exit];
    poly = nodeOther[exit];
    exit = nodeExit[nodeTwin[exit]];
  }
  out.count = count + 1;
  out.cost = exitCost[0];
  out.outcome = 'complete';
  return true;
}
