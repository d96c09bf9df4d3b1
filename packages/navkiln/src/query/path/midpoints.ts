/**
 * Paths over midpoints: A* with a node for each portal, then the funnel.
 *
 *     +---------+---------+
 *     | start   |         |      A node (x) is an edge, a portal or a link, at its midpoint, in one direction. Its
 *     |    o----x----+    |      position does not depend on the path that leads there. In `findPath`, a polygon has
 *     |         |     \   |      one node, where the first path entered it. A better path that enters through another
 *     +---------+------x--+      edge is then measured from the wrong point.
 *               |       o |
 *               |   end   |      node number                       node
 *               +---------+      0 .. edgeCount - 1                an edge, seen from the polygon that the path leaves
 *                                edgeCount + l                     portal l
 *                                edgeCount + portalCount + h       link end h, where the path enters the link
 *                                then                              the start, the end
 *
 * Costs and estimates are those of a-star.ts. The corridor is the cheapest over midpoints; a path never leaves a
 * polygon by the crossing through which it came. If area costs differ, the search does not cross an edge from one side
 * if it reached the edge from the other side at no higher cost, since such a path is no shortcut.
 *
 * In: two positions, a filter, a budget.
 * Out: a path as from findPath.
 * Cost: O(n log n) in the visited portals; 68 bytes per edge, portal and link end. No allocation in the kernel after
 *   warm-up. Compared with findPath: see docs/notes/paths.md (bench `paths`).
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
 *   Paths, 1968, over the edges of a polygon map instead of its polygons.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import type { PointLike } from '../../base/math/point.ts';
import { linkEndCrossing, linkLength, linkOf, otherEnd, portalCrossing } from '../../mesh/crossing.ts';
import { FAR, NEAR, placeBetween } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import { costOf, segment, setSegmentPolys } from '../filter-methods.ts';
import type { QueryFilter } from '../filter.ts';
import { beginNodes, createSearchState, popNode, pushOrLower, riseInHeap } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';
import { setStartNode } from './a-star.ts';
import type { Corridor } from './corridor.ts';
import { PATH_KEYS, createPathBuffer, createPathQuery, findPathInto, pathOf, readPathQuery } from './find-path.ts';
import type { CorridorSearch, PathBuffer, PathOptions, PathQuery } from './find-path.ts';
import { clearPolys } from './corridor.ts';
import type { LocatedPath } from './result.ts';

/** Offset in the 4 numbers of `SearchState.node`, after xyz. */
const NODE_ESTIMATE = 3;
/** Offsets in `SearchState.goal`, after xyz: the factor of estimates, and the smallest estimate so far. */
const GOAL_SCALE = 3;
const GOAL_NEAREST = 4;
/** Stands for "no node". */
const NONE = -1;

const sharedQuery = createPathQuery();
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();
const place = new Float64Array(6);

/**
 * Returns the path from start to end: A* over the midpoints of edges, portals and links, straightened by a funnel. The
 * path is usually shorter than that of `findPath`, but the search is slower. `findOptimalPath` finds the shortest path.
 * Points and options are those of `findPath`; `maxNodes` counts edges, portals and links. Default: no limit.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function findMidpointPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathOptions = {},
): LocatedPath {
  checkKeys('findMidpointPath', options, PATH_KEYS);
  readPathQuery(sharedQuery, mesh, start, end, options, 'findMidpointPath');
  findMidpointPathInto(sharedBuffer, sharedState, mesh, sharedQuery);
  return pathOf(mesh, sharedBuffer);
}

/** Kernel of `findMidpointPath`. Allocates nothing once the buffers have grown. */
export function findMidpointPathInto(out: PathBuffer, state: SearchState, mesh: NavMesh, query: PathQuery): void {
  findPathInto(out, state, mesh, query, MIDPOINT_SEARCH);
}

// oxlint-disable-next-line max-params -- kernel: callers keep polygons and points in records of their own
function beginMidpoints(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
): void {
  refuseInMethod('findMidpointPath');
  const start = startNodeOf(mesh);
  beginNodes(state, start + 2);
  setStartNode(state, mesh, filter, start, startPoint, endPoint);
  const end = start + 1;
  for (let k = 0; k < 3; k++) state.node[4 * end + k] = endPoint[k];
  state.node[4 * end + NODE_ESTIMATE] = 0;
  state.startPoly = startPoly;
  state.endPoly = endPoly;
}

function runMidpoints(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxNodes: number,
  steps: number,
): boolean {
  refuseInMethod('findMidpointPath');
  const end = startNodeOf(mesh) + 1;
  for (let step = 0; state.best >= 0 && state.best !== end && step < steps; step++) {
    expand(state, mesh, filter, state.best, maxNodes);
    state.expandedCount++;
    state.best = state.heapSize === 0 ? NONE : popNode(state);
  }
  if (state.best === end) state.nearest = end;
  return state.best === end || state.best < 0;
}

/** Expands a node: updates the nodes through which a path can leave the polygon that the node leads to, and the end. */
function expand(state: SearchState, mesh: NavMesh, filter: QueryFilter, best: number, maxNodes: number): void {
  const { nodeStamp, stamp } = state;
  const poly = polyOfNode(state, mesh, best);
  const back = backOf(mesh, best, poly);
  setSegmentPolys(state.nodeParent[best] < 0 ? NONE : polyOfNode(state, mesh, state.nodeParent[best]), poly, NONE);
  if (poly === state.endPoly) visit(state, mesh, filter, best, startNodeOf(mesh) + 1, NONE);
  expandEdges(state, mesh, filter, best, back, maxNodes);
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    const node = mesh.edgeCount + portal;
    const other = mesh.portalPoly[portal];
    if (node === back) continue;
    if (nodeStamp[node] !== stamp) {
      if (!admits(state, mesh, filter, other, maxNodes)) continue;
      placePortal(state, mesh, poly, portal);
    }
    visit(state, mesh, filter, best, node, other);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const node = mesh.edgeCount + mesh.portalCount + linkEnd;
    const other = mesh.linkPoly[otherEnd(linkEnd)];
    if (node === back || !passesLinkEnd(filter, mesh, linkEnd)) continue;
    if (nodeStamp[node] !== stamp) {
      if (!admits(state, mesh, filter, other, maxNodes)) continue;
    }
    visit(state, mesh, filter, best, node, other);
  }
}

/** Updates the nodes of edges of the polygon that the path enters through node `best`. `segment` contains its polygons. */
function expandEdges(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  best: number,
  back: number,
  maxNodes: number,
): void {
  const { vertices, edgeVertex, edgeNeighbor } = mesh;
  const { node, nodeCost, nodeStamp, nodeParent, nodeHeapIndex, heapNode, heapKey, goal, stamp } = state;
  const { poly } = segment;
  const hasCost = filter.cost !== undefined;
  const areaCost = filter.areaCosts[mesh.polyArea[poly]];
  const bestCost = nodeCost[best];
  const bx = node[4 * best];
  const by = node[4 * best + 1];
  const bz = node[4 * best + 2];
  const first = mesh.polyEdgeStart[poly];
  const last = first + mesh.polyVertexCount[poly] - 1;
  for (let edge = first; edge <= last; edge++) {
    const other = edgeNeighbor[edge];
    if (other < 0 || edge === back) continue;
    const isNew = nodeStamp[edge] !== stamp;
    // This is usually an edge of a polygon that a path has crossed before.
    if (!isNew && bestCost >= nodeCost[edge]) continue;
    if (isNew && !admits(state, mesh, filter, other, maxNodes)) continue;
    const a = 3 * edgeVertex[edge];
    const b = 3 * edgeVertex[edge === last ? first : edge + 1];
    const x = (vertices[a] + vertices[b]) * 0.5;
    const y = (vertices[a + 1] + vertices[b + 1]) * 0.5;
    const z = (vertices[a + 2] + vertices[b + 2]) * 0.5;
    const at = 4 * edge;
    node[at] = x;
    node[at + 1] = y;
    node[at + 2] = z;
    if (hasCost) {
      visit(state, mesh, filter, best, edge, other);
      continue;
    }
    const cost = bestCost + areaCost * Math.sqrt((x - bx) * (x - bx) + (y - by) * (y - by) + (z - bz) * (z - bz));
    if (!isNew && cost >= nodeCost[edge]) continue;
    const twin = twinOf(mesh, edge, other);
    if (twin >= 0 && nodeStamp[twin] === stamp && nodeCost[twin] <= cost) continue;
    if (isNew) {
      nodeStamp[edge] = stamp;
      nodeHeapIndex[edge] = -1;
      state.visitedCount++;
      const dx = x - goal[0];
      const dy = y - goal[1];
      const dz = z - goal[2];
      const estimate = goal[GOAL_SCALE] * Math.sqrt(dx * dx + dy * dy + dz * dz);
      node[at + NODE_ESTIMATE] = estimate;
      if (estimate < goal[GOAL_NEAREST]) {
        goal[GOAL_NEAREST] = estimate;
        state.nearest = edge;
      }
    }
    nodeCost[edge] = cost;
    nodeParent[edge] = best;
    let i = nodeHeapIndex[edge];
    if (i < 0) i = state.heapSize++;
    heapKey[i] = cost + node[at + NODE_ESTIMATE];
    riseInHeap(heapNode, heapKey, nodeHeapIndex, i, edge);
  }
}

/** Returns whether the search may visit a new node that leads to a polygon. */
function admits(state: SearchState, mesh: NavMesh, filter: QueryFilter, poly: number, maxNodes: number): boolean {
  if (!passesFilter(filter, mesh, poly)) return false;
  if (state.visitedCount < maxNodes) return true;
  state.isShort = true;
  return false;
}

/**
 * Updates node `to` from node `best`, whose polygon is that of `segment`. `next` is the polygon behind `to`. The caller
 * sets the position of `to`, except for a link: its position is the middle of its far end. On a straight link, the
 * position is where a straight line to the end of the path crosses it.
 */
function visit(state: SearchState, mesh: NavMesh, filter: QueryFilter, best: number, to: number, next: number): void {
  const { node, nodeCost, nodeStamp, stamp, goal } = state;
  const { poly } = segment;
  const isNew = nodeStamp[to] !== stamp;
  const isLink = to >= mesh.edgeCount + mesh.portalCount && next !== NONE;
  let cost = nodeCost[best];
  const from = 4 * best;
  const at = 4 * to;
  if (isLink) {
    const linkEnd = to - mesh.edgeCount - mesh.portalCount;
    placeBetween(place, mesh, linkEnd, node, from, goal, 0);
    for (let k = 0; k < 3; k++) {
      segment.from[k] = node[from + k];
      segment.to[k] = place[NEAR + k];
    }
    segment.next = next;
    cost += costOf(filter, mesh) + linkLength(mesh, linkEnd) * filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
  } else if (filter.cost === undefined) {
    const dx = node[at] - node[from];
    const dy = node[at + 1] - node[from + 1];
    const dz = node[at + 2] - node[from + 2];
    cost += filter.areaCosts[mesh.polyArea[poly]] * Math.sqrt(dx * dx + dy * dy + dz * dz);
  } else {
    for (let k = 0; k < 3; k++) {
      segment.from[k] = node[from + k];
      segment.to[k] = node[at + k];
    }
    segment.next = next;
    cost += costOf(filter, mesh);
  }
  if (!isNew && cost >= nodeCost[to]) return;
  if (isLink) for (let k = 0; k < 3; k++) node[at + k] = place[FAR + k];
  if (isNew) {
    nodeStamp[to] = stamp;
    state.nodeHeapIndex[to] = -1;
  }
  if (isNew || isLink) {
    if (next !== NONE) {
      if (isNew) state.visitedCount++;
      const dx = node[at] - goal[0];
      const dy = node[at + 1] - goal[1];
      const dz = node[at + 2] - goal[2];
      const estimate = goal[GOAL_SCALE] * Math.sqrt(dx * dx + dy * dy + dz * dz);
      node[at + NODE_ESTIMATE] = estimate;
      if (estimate < goal[GOAL_NEAREST]) {
        goal[GOAL_NEAREST] = estimate;
        state.nearest = to;
      }
    }
  }
  nodeCost[to] = cost;
  state.nodeParent[to] = best;
  pushOrLower(state, to);
}

function placePortal(state: SearchState, mesh: NavMesh, poly: number, portal: number): void {
  const { vertices, edgeVertex, portalSpan } = mesh;
  const edge = mesh.portalEdge[portal];
  const first = mesh.polyEdgeStart[poly];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
  const at = 4 * (mesh.edgeCount + portal);
  const t = (portalSpan[2 * portal] + portalSpan[2 * portal + 1]) * 0.5;
  for (let k = 0; k < 3; k++) state.node[at + k] = vertices[a + k] + t * (vertices[b + k] - vertices[a + k]);
}

/** Returns the node of the start; that of the end is the next one. */
function startNodeOf(mesh: NavMesh): number {
  return mesh.edgeCount + mesh.portalCount + 2 * mesh.linkCount;
}

/** Returns the polygon that a path enters through a node. */
function polyOfNode(state: SearchState, mesh: NavMesh, node: number): number {
  const portal = node - mesh.edgeCount;
  if (portal < 0) return mesh.edgeNeighbor[node];
  const linkEnd = portal - mesh.portalCount;
  if (linkEnd < 0) return mesh.portalPoly[portal];
  const start = linkEnd - 2 * mesh.linkCount;
  return start < 0 ? mesh.linkPoly[otherEnd(linkEnd)] : start === 0 ? state.startPoly : state.endPoly;
}

/** Returns the node that leads straight back from polygon `poly` through the crossing of `node`; -1 if there is none. */
function backOf(mesh: NavMesh, node: number, poly: number): number {
  const portal = node - mesh.edgeCount;
  if (portal < 0) return twinOf(mesh, node, poly);
  const linkEnd = portal - mesh.portalCount;
  if (linkEnd < 0) return mesh.edgeCount + mesh.portalBack[portal];
  return linkEnd < 2 * mesh.linkCount ? mesh.edgeCount + mesh.portalCount + otherEnd(linkEnd) : NONE;
}

/** Returns the edge of polygon `other` that is the other side of an edge, or -1. */
function twinOf(mesh: NavMesh, edge: number, other: number): number {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const first = polyEdgeStart[other];
  const last = first + polyVertexCount[other] - 1;
  const vertex = edgeVertex[edge];
  for (let e = first; e <= last; e++) {
    if (edgeVertex[e === last ? first : e + 1] === vertex && edgeNeighbor[e] >= 0) {
      const back = edgeNeighbor[e];
      const start = polyEdgeStart[back];
      if (edge >= start && edge < start + polyVertexCount[back]) return e;
    }
  }
  return NONE;
}

function writeMidpoints(out: Corridor, state: SearchState, mesh: NavMesh): void {
  const { nodeParent, nearest } = state;
  const start = startNodeOf(mesh);
  const last = nearest === start + 1 ? nodeParent[nearest] : nearest;
  const isComplete = polyOfNode(state, mesh, last) === state.endPoly;
  out.outcome = isComplete ? 'complete' : state.isShort || state.best >= 0 ? 'budget' : 'unreachable';
  out.cost = state.nodeCost[nearest];
  out.visitedCount = state.visitedCount;
  let count = 0;
  for (let at = last; at >= 0; at = nodeParent[at]) count++;
  clearPolys(out, count);
  out.count = count;
  for (let at = last, i = count - 1; i >= 0; i--) {
    out.polys[i] = polyOfNode(state, mesh, at);
    if (i > 0) out.crossings[i - 1] = crossingOf(mesh, at);
    at = nodeParent[at];
  }
}

function crossingOf(mesh: NavMesh, node: number): number {
  const portal = node - mesh.edgeCount;
  if (portal < 0) return node;
  const linkEnd = portal - mesh.portalCount;
  return linkEnd < 0 ? portalCrossing(portal) : linkEndCrossing(linkEnd);
}

/** The search over midpoints, for `findPathInto`. */
const MIDPOINT_SEARCH: CorridorSearch = { begin: beginMidpoints, run: runMidpoints, write: writeMidpoints };
