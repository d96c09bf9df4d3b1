/**
 * The way to one goal from everywhere: one search backwards that answers all who go to the same place.
 *
 * Dijkstra from the goal over the middles of what is crossed (edges, openings between tiles, ends of links), costs as in
 * query/path/a-star.ts: a step costs its length times the cost of the area it crosses, a link its own cost or length times that of its
 * area, the last step leads to the goal. A node is a polygon and how it is entered; its cost is that of the way from there to the
 * goal. One-way links and closed polygons count as one walks, not as the search does: an end of a link is stepped back through
 * only when it may be entered at the other end; ground that does not pass the filter is where one may start, and no more.
 *
 * In: a goal, a filter. Out: corridors from any polygon, the cheapest over middles of crossings that there are. (A* keeps the
 * place through which it came first to a polygon: measured alike, its corridors cost the same or more, 0.5 to 1.2 % on average on
 * terrain, a dungeon and a city.) The search stops as soon as the start at hand is answered, and goes on for the next one.
 *
 * A crossing has two nodes, one for each polygon it leads into. When one of them is done, the other is left out: who gets there
 * on the way into the other polygon would have gone straight on in the one it is in. That halves the nodes; it does not hold when
 * a filter's method says what ways cost.
 *
 * Cost: O(n log n) in the crossings nearer to the goal than the start, as much for each as A* takes for a polygon (0.15 µs); as
 * many crossings as the mesh has polygons, about, for a field over all of it (0.6 to 1.1 of their number). Reading off a corridor
 * is linear in its length. Memory: 8 bytes a polygon of the mesh, and about 300 for each one reached. No allocation once it has
 * grown.
 *
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959; backwards for many starts: own.
 */
import { createMinHeap, popItem, pushItem } from '../../data/min-heap.ts';
import {
  linkEndCrossing,
  linkEndOf,
  isLinkCrossing,
  portalCrossing,
  portalOf,
  setCrossingEnds,
} from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { costOf, passesFilter, passesLinkEnd } from '../../query/filter.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { reservePolys } from '../../query/path/corridor.ts';
import type { GoalField } from '../state/search-types.ts';

/** Of `nodeDone`. */
const NODE_SETTLED = 1;
/** Its twin is nearer to the goal. */
const NODE_LEFT_OUT = 2;

/** Both ends of the crossing at hand. */
const ends = new Float64Array(6);

export function createGoalField(): GoalField {
  return {
    goalPoly: -1,
    goal: new Float64Array(3),
    revision: 0,
    areaCosts: new Float64Array(0),
    includeFlags: 0,
    excludeFlags: 0,
    passes: undefined,
    cost: undefined,
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

/** Is it a field to this polygon, on the mesh and with the filter as they are now? */
export function isFieldOf(field: GoalField, mesh: NavMesh, filter: QueryFilter, goalPoly: number): boolean {
  if (field.goalPoly !== goalPoly || field.revision !== mesh.revision) return false;
  if (field.includeFlags !== filter.includeFlags || field.excludeFlags !== filter.excludeFlags) return false;
  if (field.passes !== filter.passes || field.cost !== filter.cost) return false;
  const { areaCosts } = field;
  for (let area = 0; area < areaCosts.length; area++) if (areaCosts[area] !== filter.areaCosts[area]) return false;
  return true;
}

/** Kernel. Makes the field one to this goal (dense index, point on it): nothing is searched yet. */
export function beginField(
  field: GoalField,
  mesh: NavMesh,
  filter: QueryFilter,
  goalPoly: number,
  goal: Float64Array,
): void {
  field.goalPoly = goalPoly;
  for (let k = 0; k < 3; k++) field.goal[k] = goal[k];
  field.revision = mesh.revision;
  if (field.areaCosts.length !== filter.areaCosts.length) field.areaCosts = new Float64Array(filter.areaCosts.length);
  field.areaCosts.set(filter.areaCosts);
  field.includeFlags = filter.includeFlags;
  field.excludeFlags = filter.excludeFlags;
  field.passes = filter.passes;
  field.cost = filter.cost;
  field.expandedCount = 0;
  field.nodeCount = 0;
  field.heap.count = 0;
  if (field.polyStamp.length < mesh.polyCount) {
    const capacity = Math.max(mesh.polyCount, 2 * field.polyStamp.length);
    field.polyStamp = new Int32Array(capacity);
    field.polyNode = new Int32Array(capacity);
    field.stamp = 0;
  }
  field.stamp++;
  if (field.stamp > 0x7fffffff) {
    field.polyStamp.fill(0);
    field.stamp = 1;
  }
  if (!passesFilter(filter, mesh, goalPoly)) return;
  const first = nodesOf(field, mesh, goalPoly);
  const { nodePoint, nodeCost } = field;
  const areaCost = filter.areaCosts[mesh.polyArea[goalPoly]];
  for (let node = first; node < field.nodeCount; node++) {
    if (!isEnterable(field, mesh, filter, node)) continue;
    const dx = nodePoint[3 * node] - goal[0];
    const dy = nodePoint[3 * node + 1] - goal[1];
    const dz = nodePoint[3 * node + 2] - goal[2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    nodeCost[node] = filter.cost === undefined ? areaCost * length : costOf(filter, mesh, goalPoly, length);
    pushItem(field.heap, node, nodeCost);
  }
}

/** Looks through at most `steps` crossings; true when there are none left. */
export function runField(field: GoalField, mesh: NavMesh, filter: QueryFilter, steps: number): boolean {
  for (let step = 0; step < steps; step++) {
    if (dropDone(field)) return true;
    const node = popItem(field.heap);
    field.nodeDone[node] = NODE_SETTLED;
    field.expandedCount++;
    expand(field, mesh, filter, node);
  }
  return dropDone(field);
}

/** Takes nodes that are done off the heap's top; true: none is left. */
function dropDone(field: GoalField): boolean {
  const { heap, nodeDone } = field;
  while (heap.count > 0 && nodeDone[heap.items[0]] !== 0) popItem(heap);
  return heap.count === 0;
}

/** The polygon behind a node gets to know what it costs to leave there. */
function expand(field: GoalField, mesh: NavMesh, filter: QueryFilter, node: number): void {
  const from = field.nodeOther[node];
  const isLink = isLinkCrossing(field.nodeCrossing[node]);
  const first = nodesOf(field, mesh, from);
  const { nodePoint, nodeCost, nodeDone, nodePoly, nodeCrossing, nodeTwin, nodeExit, heap } = field;
  const twin = twinOf(field, mesh, node, first);
  nodeTwin[twin] = node;
  if (!passesFilter(filter, mesh, from)) return;
  if (filter.cost === undefined) nodeDone[twin] = NODE_LEFT_OUT;
  const at = isLink ? 3 * twin : 3 * node;
  const x = nodePoint[at];
  const y = nodePoint[at + 1];
  const z = nodePoint[at + 2];
  const areaCost = filter.areaCosts[mesh.polyArea[from]];
  let base = nodeCost[node];
  if (isLink) base += costOfLink(mesh, filter, linkEndOf(nodeCrossing[twin]));
  for (let next = first; next < field.nodeCount && nodePoly[next] === from; next++) {
    if (next === twin || nodeDone[next] !== 0) continue;
    const dx = nodePoint[3 * next] - x;
    const dy = nodePoint[3 * next + 1] - y;
    const dz = nodePoint[3 * next + 2] - z;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const cost = base + (filter.cost === undefined ? areaCost * length : costOf(filter, mesh, from, length));
    if (!(cost < nodeCost[next])) continue;
    if (!isEnterable(field, mesh, filter, next)) continue;
    nodeCost[next] = cost;
    nodeExit[next] = twin;
    pushItem(heap, next, nodeCost);
  }
}

/** Nobody can come out of a link's end that may not be entered at the other one. */
function isEnterable(field: GoalField, mesh: NavMesh, filter: QueryFilter, node: number): boolean {
  const crossing = field.nodeCrossing[node];
  return !isLinkCrossing(crossing) || passesLinkEnd(filter, mesh, linkEndOf(crossing) ^ 1);
}

/** The node of the polygon whose nodes begin at `first` that is the same crossing as `node`, seen from the other side. */
function twinOf(field: GoalField, mesh: NavMesh, node: number, first: number): number {
  const { nodeCrossing, nodeOther, nodePoint, nodePoly } = field;
  const crossing = nodeCrossing[node];
  if (crossing < 0) {
    const wanted = isLinkCrossing(crossing)
      ? linkEndCrossing(linkEndOf(crossing) ^ 1)
      : portalCrossing(mesh.portalBack[portalOf(crossing)]);
    let twin = first;
    while (nodeCrossing[twin] !== wanted) twin++;
    return twin;
  }
  // Of several edges between the two, the one whose middle is the same.
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
  const areaCost = filter.areaCosts[mesh.linkArea[linkEnd >> 1]];
  const cost = mesh.linkCost[linkEnd >> 1];
  if (cost >= 0) return cost * areaCost;
  const { linkAnchors } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const near = 6 * linkEnd + k;
    const far = 6 * (linkEnd ^ 1) + k;
    const d = (linkAnchors[far] + linkAnchors[far + 3]) * 0.5 - (linkAnchors[near] + linkAnchors[near + 3]) * 0.5;
    sum += d * d;
  }
  return Math.sqrt(sum) * areaCost;
}

/** The first node of a polygon; its nodes are made when they are first asked for. */
function nodesOf(field: GoalField, mesh: NavMesh, poly: number): number {
  if (field.polyStamp[poly] === field.stamp) return field.polyNode[poly];
  const first = field.nodeCount;
  field.polyStamp[poly] = field.stamp;
  field.polyNode[poly] = first;
  const { edgeNeighbor, linkAnchors } = mesh;
  const edges = mesh.polyEdgeStart[poly];
  const end = edges + mesh.polyVertexCount[poly];
  for (let edge = edges; edge < end; edge++) {
    const other = edgeNeighbor[edge];
    if (other < 0) continue;
    setCrossingEnds(ends, mesh, poly, edge);
    addNode(field, poly, edge, other);
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    // Entered from the other side: that is where its middle is measured.
    const other = mesh.portalPoly[portal];
    setCrossingEnds(ends, mesh, other, portalCrossing(mesh.portalBack[portal]));
    addNode(field, poly, portalCrossing(portal), other);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const other = mesh.linkPoly[linkEnd ^ 1];
    if (other < 0) continue;
    for (let k = 0; k < 6; k++) ends[k] = linkAnchors[6 * linkEnd + k];
    addNode(field, poly, linkEndCrossing(linkEnd), other);
  }
  return first;
}

/** Its middle is that of `ends`. */
function addNode(field: GoalField, poly: number, crossing: number, other: number): void {
  const node = field.nodeCount++;
  if (node === field.nodePoly.length) growNodes(field);
  field.nodePoly[node] = poly;
  field.nodeCrossing[node] = crossing;
  field.nodeOther[node] = other;
  field.nodeTwin[node] = -1;
  field.nodeExit[node] = -1;
  field.nodeDone[node] = 0;
  field.nodeCost[node] = Infinity;
  for (let k = 0; k < 3; k++) field.nodePoint[3 * node + k] = (ends[k] + ends[k + 3]) * 0.5;
}

function growNodes(field: GoalField): void {
  const capacity = Math.max(256, 2 * field.nodePoly.length);
  field.nodePoly = grown(field.nodePoly, new Int32Array(capacity));
  field.nodeCrossing = grown(field.nodeCrossing, new Int32Array(capacity));
  field.nodeOther = grown(field.nodeOther, new Int32Array(capacity));
  field.nodeTwin = grown(field.nodeTwin, new Int32Array(capacity));
  field.nodeExit = grown(field.nodeExit, new Int32Array(capacity));
  field.nodeDone = grown(field.nodeDone, new Uint8Array(capacity));
  field.nodePoint = grown(field.nodePoint, new Float64Array(3 * capacity));
  field.nodeCost = grown(field.nodeCost, new Float64Array(capacity));
}

function grown<T extends Int32Array | Uint8Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** The best way out of a start: its node there, and what it costs from the start to the goal. */
const way = { node: -1 };
const wayCost = new Float64Array(1);

/** What is known so far of the way from a point; into `way`. */
function findWay(field: GoalField, mesh: NavMesh, filter: QueryFilter, startPoly: number, start: Float64Array): void {
  way.node = -1;
  wayCost[0] = Infinity;
  if (field.polyStamp[startPoly] !== field.stamp) return;
  const { nodePoly, nodeTwin, nodeDone, nodeCost, nodePoint, nodeCrossing } = field;
  const areaCost = filter.areaCosts[mesh.polyArea[startPoly]];
  for (let exit = field.polyNode[startPoly]; exit < field.nodeCount && nodePoly[exit] === startPoly; exit++) {
    const node = nodeTwin[exit];
    if (node < 0 || nodeDone[node] !== NODE_SETTLED) continue;
    const isLink = isLinkCrossing(nodeCrossing[exit]);
    const at = isLink ? 3 * exit : 3 * node;
    const dx = nodePoint[at] - start[0];
    const dy = nodePoint[at + 1] - start[1];
    const dz = nodePoint[at + 2] - start[2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    let cost =
      nodeCost[node] + (filter.cost === undefined ? areaCost * length : costOf(filter, mesh, startPoly, length));
    if (isLink) cost += costOfLink(mesh, filter, linkEndOf(nodeCrossing[exit]));
    if (!(cost < wayCost[0])) continue;
    way.node = exit;
    wayCost[0] = cost;
  }
}

/** Is the best way from this point known? Else the search has to go on. */
export function isSettled(
  field: GoalField,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
): boolean {
  if (dropDone(field)) return true;
  findWay(field, mesh, filter, startPoly, start);
  return wayCost[0] <= field.heap.keys[0];
}

/**
 * Kernel. The corridor from a point to the goal's polygon, as far as is known; false: there is none. `isSettled` says whether it
 * is the best one.
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
  findWay(field, mesh, filter, startPoly, start);
  if (way.node < 0) return false;
  const { nodeCrossing, nodeOther, nodeTwin, nodeExit } = field;
  let count = 0;
  for (let exit = way.node, poly = startPoly; ; count++) {
    reservePolys(out, count + 1);
    out.polys[count] = poly;
    if (exit < 0) break;
    out.crossings[count] = nodeCrossing[exit];
    poly = nodeOther[exit];
    exit = nodeExit[nodeTwin[exit]];
  }
  out.count = count + 1;
  out.cost = wayCost[0];
  out.outcome = 'complete';
  return true;
}
