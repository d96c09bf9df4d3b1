/**
 * Corridors: the polygons that lead from one point to another at the least cost. A* over entrances of
 * polygons.
 *
 *     +---------+---------+
 *     | start   |         |      A node (x) lies where the path enters its polygon: the midpoint of an edge or
 *     |    o----x----+    |      portal, or the far anchor of a link. On a straight link, the node lies where a
 *     |         |    |    |      straight line from the previous node to the end crosses the link.
 *     |         |     \   |
 *     +---------+------x--+      A polygon has one node for all its edges and for portals on side 0 of its
 *               |       o |      tile, one more for each other side of its tile through which it is entered,
 *               |   end   |      and one for each link that leads to it.
 *               +---------+
 *
 *     node number                     entrance
 *     0 .. polyCount - 1              the polygon
 *     polyCount + l                   l: the first portal of the polygon on that side
 *     polyCount + portalCount + h     h: the link end on the polygon
 *
 * A step costs the distance between two entrances times the cost of the area crossed; the last step leads to
 * the end point. A link adds its own cost or its length, times the cost of its area. The estimate is the
 * straight distance to the end times the least cost of any area and the filter's scale, and times the mesh's
 * linkScale, since a link may be shorter than the distance it covers. A closed node opens again when a
 * cheaper route to it is found. If the end is not reached, the corridor leads to the node nearest to it.
 *
 * The search ends in the end's polygon. If a link has both ends on that polygon, the link may be cheaper than the
 * straight line. Then the end point is a node of its own (the last number), and the search continues to it.
 *
 * In: two polygons and a point on each, a filter, a budget.
 * Out: the corridor and its crossings. A search can pause after any number of nodes: beginCorridor,
 *   runCorridor, writeCorridor.
 * Cost: O(n log n) in the visited nodes. No allocation after warm-up.
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of
 *   Minimum Cost Paths, 1968, in the form of Detour's findPath (Mikko Mononen, 2009), with its costs, nodes
 *   and order. navkiln has no limit on nodes and a node for each link end. Its estimate is also valid for area
 *   costs below 1 and for teleporters.
 * Tried: see docs/notes/paths.md (`npm run bench -- --only paths`).
 */
import { isLinkCrossing, linkEndCrossing, linkEndOf, linkOf, otherEnd, portalCrossing } from '../../mesh/crossing.ts';
import { FAR, NEAR, placeBetween } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { costBetween, estimateScale, passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import type { SearchState } from '../search-state.ts';
import { beginSearch, pushOrLower, riseInHeap, sinkInHeap } from '../search-state.ts';
import { clearPolys } from './corridor.ts';
import type { Corridor } from './corridor.ts';

/** Offset in the 4 numbers of `SearchState.node`, after xyz. */
const NODE_ESTIMATE = 3;
/** Offsets in `SearchState.goal`, after xyz: the factor of estimates, and the smallest estimate so far. */
const GOAL_SCALE = 3;
const GOAL_NEAREST = 4;

/** A factor of estimates that keeps them far below all costs. */
const NO_ESTIMATE = 1e-200;

/** Edges of the expanded polygon across which the path may continue. */
const open = new Int32Array(256);

/**
 * The link that the path takes: the point where the path enters the next polygon, the point where it leaves the
 * previous one, and the cost of the link.
 */
const entry = new Float64Array(7);
const LEAVE_X = NEAR;
const LEAVE_Y = NEAR + 1;
const LEAVE_Z = NEAR + 2;
const ENTER_X = FAR;
const ENTER_Y = FAR + 1;
const ENTER_Z = FAR + 2;
const LINK_COST = 6;
/** The point where the path enters the next polygon, for filters with a `cost` method. */
const entered = new Float64Array(3);

/**
 * Kernel: searches a corridor and writes it into `out`. The points must be on the given polygons (dense
 * indices). Visits at most `maxNodes` nodes.
 */
// oxlint-disable-next-line max-params -- kernel: callers keep polygons and points in records of their own
export function findCorridor(
  out: Corridor,
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
  maxNodes: number,
): void {
  beginCorridor(state, mesh, filter, startPoly, startPoint, endPoly, endPoint);
  runCorridor(state, mesh, filter, maxNodes, Infinity);
  writeCorridor(out, state, mesh);
}

/** Kernel: prepares a state for `runCorridor`. */
// oxlint-disable-next-line max-params -- kernel: callers keep polygons and points in records of their own
export function beginCorridor(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
): void {
  refuseInMethod('findCorridor');
  beginSearch(state, mesh);
  setStartNode(state, mesh, filter, startPoly, startPoint, endPoint);
  state.endPoly = endPoly;
  state.hasEndNode = hasLinkWithin(mesh, filter, endPoly);
  if (startPoly === endPoly && !state.hasEndNode)
    state.nodeCost[startPoly] = costBetween(filter, mesh, -1, endPoly, -1, startPoint, 0, endPoint, 0);
}

/**
 * Starts a search for `endPoint` with a node at `startPoint`.
 *
 * The scale of estimates is never 0, since the smallest estimate identifies the node nearest to the end. In place of 0, the scale is so
 * small that estimates do not change the order of nodes. @internal
 */
export function setStartNode(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  start: number,
  startPoint: Float64Array,
  endPoint: Float64Array,
): void {
  const { node, goal } = state;
  goal[GOAL_SCALE] = Math.max(estimateScale(filter) * mesh.linkScale, NO_ESTIMATE);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    goal[k] = endPoint[k];
    node[4 * start + k] = startPoint[k];
    sum += (endPoint[k] - startPoint[k]) * (endPoint[k] - startPoint[k]);
  }
  goal[GOAL_NEAREST] = node[4 * start + NODE_ESTIMATE] = goal[GOAL_SCALE] * Math.sqrt(sum);
  state.nodeCost[start] = 0;
  state.nodeStamp[start] = state.stamp;
  state.nodeParent[start] = -1;
  state.nodeHeapIndex[start] = -1;
  // With a NaN coordinate, costs are NaN and the search would not end.
  state.best = sum === sum ? start : -1;
  state.nearest = start;
  state.visitedCount = 1;
  state.expandedCount = 0;
  state.isShort = false;
}

/** Returns whether a link that the filter allows has both ends on a polygon. */
function hasLinkWithin(mesh: NavMesh, filter: QueryFilter, poly: number): boolean {
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (mesh.linkPoly[otherEnd(linkEnd)] === poly && passesLinkEnd(filter, mesh, linkEnd)) return true;
  }
  return false;
}

/**
 * Kernel: expands at most `steps` nodes and visits no more than `maxNodes` in total. Returns true when the
 * search is over. Mesh and filter must be the same as in `beginCorridor`.
 */
// oxlint-disable-next-line max-lines-per-function -- hot loop: its steps share doubles in registers
export function runCorridor(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxNodes: number,
  steps: number,
): boolean {
  const {
    vertices,
    edgeVertex,
    edgeNeighbor,
    polyEdgeStart,
    polyVertexCount,
    polyArea,
    polyFlags,
    polySizes,
    polyPortal,
    polyLink,
  } = mesh;
  const { polyCount, portalCount, portalPoly, portalNext, portalEdge, portalSpan } = mesh;
  const { areaCosts, includeFlags, excludeFlags } = filter;
  const hasPasses = filter.passes !== undefined;
  const hasCost = filter.cost !== undefined;
  // On meshes without sizes, the loop reads no masks.
  const sizeBit = mesh.sizes.length === 0 ? 0 : 1 << filter.size!;
  const {
    node,
    nodeStamp,
    nodeCost,
    nodeParent,
    nodeCrossing,
    nodeHeapIndex,
    heapNode,
    heapKey,
    stamp,
    goal,
    hasEndNode,
  } = state;
  // The search ends at `endPoly`, or at `endNode` if the end point has a node of its own.
  const endPoly = hasEndNode ? -1 : state.endPoly;
  const endNode = hasEndNode ? endNodeOf(mesh) : -1;
  const lastPoly = hasEndNode ? state.endPoly : -1;
  refuseInMethod('findCorridor');
  const endX = goal[0];
  const endY = goal[1];
  const endZ = goal[2];
  const scale = goal[GOAL_SCALE];
  let nearestEstimate = goal[GOAL_NEAREST];
  let { visitedCount, nearest, best, isShort, heapSize } = state;
  let step = 0;
  for (; best >= 0 && step < steps; step++) {
    if (best === endNode) break;
    const poly = polyOfNode(mesh, best);
    if (poly === endPoly) break;
    const from = polyOfNode(mesh, nodeParent[best]);
    if (poly === lastPoly) {
      state.heapSize = heapSize;
      offerEnd(state, mesh, filter, best, from);
      heapSize = state.heapSize;
    }
    // The best node found from here stays out of the heap, since it is usually the next one.
    let held = -1;
    let heldKey = 0;
    const bestCost = nodeCost[best];
    const bx = node[best << 2];
    const by = node[(best << 2) | 1];
    const bz = node[(best << 2) | 2];
    const areaCost = areaCosts[polyArea[poly]];

    const first = polyEdgeStart[poly];
    const end = (first + polyVertexCount[poly]) | 0;
    const openCount = collectEdges(state, mesh, best, first, end);
    let portal = polyPortal[poly];
    let linkEnd = polyLink[poly];
    for (let k = 0; ; k = (k + 1) | 0) {
      // The next neighbor over an edge, a portal or a link: its polygon `other`, its node `to`.
      let other: number;
      let to: number;
      let edge = 0;
      let crossing = 0;
      if (k < openCount) {
        edge = crossing = open[k];
        to = other = edgeNeighbor[edge];
      } else if (portal >= 0) {
        crossing = portalCrossing(portal) | 0;
        edge = portalEdge[portal];
        to = other = portalPoly[portal];
        portal = portalNext[portal];
        if (other === from) continue;
        to = nodeBehindPortal(mesh, edge, other);
      } else if (linkEnd >= 0) {
        crossing = linkEndCrossing(linkEnd) | 0;
        other = mesh.linkPoly[otherEnd(linkEnd)];
        to = polyCount + portalCount + otherEnd(linkEnd);
        linkEnd = mesh.linkNext[linkEnd];
        if (other < 0 || !passesLinkEnd(filter, mesh, linkEndOf(crossing))) continue;
      } else {
        break;
      }
      const isLink = isLinkCrossing(crossing);
      // Edges and portals never lead back to the previous polygon, not even to another node of it.
      if (other === from && !isLink) continue;

      const at = to << 2;
      const isNew = nodeStamp[to] !== stamp;
      if (isNew) {
        const flags = polyFlags[other];
        const isClosed =
          (flags & includeFlags) === 0 ||
          (flags & excludeFlags) !== 0 ||
          areaCosts[polyArea[other]] === Infinity ||
          (sizeBit !== 0 && (polySizes[other] & sizeBit) === 0);
        if (hasPasses ? !passesFilter(filter, mesh, other) : isClosed) continue;
        if (visitedCount >= maxNodes) {
          isShort = true;
          continue;
        }
      } else if (bestCost >= nodeCost[to]) {
        // This is usually the way back to a visited polygon, which cannot be cheaper.
        continue;
      }
      // The entrance is computed for a new node and for a link, and read for a known one.
      let x = node[at];
      let y = node[at | 1];
      let z = node[at | 2];
      if (isLink) {
        setLinkEntry(state, mesh, linkEndOf(crossing), best);
        x = entry[ENTER_X];
        y = entry[ENTER_Y];
        z = entry[ENTER_Z];
      } else if (isNew) {
        const a = 3 * edgeVertex[edge];
        const b = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
        // The middle of the edge, or of the part that the portal opens: from portalSpan[2 * portal] to the next entry.
        const t = crossing >= 0 ? 0.5 : (portalSpan[-2 - crossing] + portalSpan[-1 - crossing]) * 0.5;
        x = vertices[a] + t * (vertices[b] - vertices[a]);
        y = vertices[a + 1] + t * (vertices[b + 1] - vertices[a + 1]);
        z = vertices[a + 2] + t * (vertices[b + 2] - vertices[a + 2]);
      }
      const ex = endX - x;
      const ey = endY - y;
      const ez = endZ - z;
      const rest = Math.sqrt(ex * ex + ey * ey + ez * ez);
      const estimate = other === endPoly ? 0 : scale * rest;

      // The cost of the neighbor by this route.
      const dx = (isLink ? entry[LEAVE_X] : x) - bx;
      const dy = (isLink ? entry[LEAVE_Y] : y) - by;
      const dz = (isLink ? entry[LEAVE_Z] : z) - bz;
      let cost = bestCost;
      if (hasCost) {
        entered[0] = x;
        entered[1] = y;
        entered[2] = z;
        cost += costBetween(filter, mesh, from, poly, other, node, best << 2, isLink ? entry : entered, NEAR);
      } else {
        cost += areaCost * Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
      if (isLink) cost += entry[LINK_COST] * areaCosts[mesh.linkArea[linkOf(linkEndOf(crossing))]];
      if (other === endPoly) {
        cost += hasCost
          ? costBetween(filter, mesh, poly, other, -1, entered, 0, goal, 0)
          : areaCosts[polyArea[other]] * rest;
      }
      const key = cost + estimate;

      // Store it, unless a cheaper route is known.
      if (isNew) {
        visitedCount++;
        nodeStamp[to] = stamp;
        nodeHeapIndex[to] = -1;
      } else if (cost >= nodeCost[to]) {
        continue;
      }
      if (isNew || isLink) {
        node[at] = x;
        node[at | 1] = y;
        node[at | 2] = z;
        node[at | 3] = estimate;
      }
      nodeCost[to] = cost;
      nodeParent[to] = best;
      nodeCrossing[to] = crossing;
      if (estimate < nearestEstimate) {
        nearestEstimate = estimate;
        nearest = to;
      }

      // Hold the node out of the heap if it is the best so far; the node held before then rises in the heap
      // instead. Otherwise, let the node rise in the heap.
      let rising = to;
      let risingKey = key;
      let i = nodeHeapIndex[to];
      if (i < 0) {
        if (held < 0 || key < heldKey) {
          rising = held;
          risingKey = heldKey;
          held = to;
          heldKey = key;
          if (rising < 0) continue;
        }
        i = heapSize;
        heapSize = (heapSize + 1) | 0;
      }
      heapKey[i] = risingKey;
      riseInHeap(heapNode, heapKey, nodeHeapIndex, i, rising);
    }

    // The next node is the held one or the heap's root, whichever is better.
    if (held >= 0 && (heapSize === 0 || heldKey < heapKey[0])) {
      best = held;
      continue;
    }
    best = heapSize === 0 ? -1 : heapNode[0];
    if (best < 0) break;
    nodeHeapIndex[best] = -1;
    // The held node replaces the root, or the last node if none is held. It sinks from the top.
    if (held < 0) {
      heapSize = (heapSize - 1) | 0;
      if (heapSize === 0) continue;
      held = heapNode[heapSize];
      heldKey = heapKey[heapSize];
    }
    heapKey[0] = heldKey;
    sinkInHeap(heapNode, heapKey, nodeHeapIndex, heapSize, held);
  }
  const isFound = best >= 0 && (hasEndNode ? best === endNode : polyOfNode(mesh, best) === endPoly);
  state.best = best;
  state.nearest = isFound ? best : nearest;
  goal[GOAL_NEAREST] = nearestEstimate;
  state.visitedCount = visitedCount;
  state.expandedCount += step;
  state.isShort = isShort;
  state.heapSize = heapSize;
  return isFound || best < 0;
}

/** Returns the node of the end point, the last one. */
function endNodeOf(mesh: NavMesh): number {
  return mesh.polyCount + mesh.portalCount + 2 * mesh.linkCount;
}

/** Updates the node of the end point if the path through node `last`, which comes from polygon `from`, is cheaper. */
function offerEnd(state: SearchState, mesh: NavMesh, filter: QueryFilter, last: number, from: number): void {
  const { node, nodeCost, nodeStamp, stamp } = state;
  const end = endNodeOf(mesh);
  const cost = nodeCost[last] + costBetween(filter, mesh, from, state.endPoly, -1, node, 4 * last, state.goal, 0);
  if (nodeStamp[end] !== stamp) {
    nodeStamp[end] = stamp;
    state.nodeHeapIndex[end] = -1;
    node[4 * end + NODE_ESTIMATE] = 0;
  } else if (cost >= nodeCost[end]) {
    return;
  }
  nodeCost[end] = cost;
  state.nodeParent[end] = last;
  pushOrLower(state, end);
}

/**
 * Writes the edges across which the path may continue into `open` and returns their number. The loop is
 * branch-free, since branches would often be mispredicted.
 */
function collectEdges(state: SearchState, mesh: NavMesh, node: number, first: number, end: number): number {
  const { edgeNeighbor } = mesh;
  const { nodeStamp, nodeCost, stamp } = state;
  const cost = nodeCost[node];
  let count = 0;
  for (let e = first; e < end; e = (e + 1) | 0) {
    const other = edgeNeighbor[e];
    // For a wall, the loop reads polygon 0 and then leaves the edge out.
    const known = other & ~(other >> 31);
    open[count] = e;
    count += +(other >= 0) & (+(nodeStamp[known] !== stamp) | +(cost < nodeCost[known]));
  }
  return count;
}

/** Returns the node of a polygon that is entered through a portal of this edge. */
function nodeBehindPortal(mesh: NavMesh, edge: number, poly: number): number {
  const { edgeNeighbor, portalEdge, portalNext } = mesh;
  // The path enters the neighbor from the opposite side. Side 0 shares the polygon's own node.
  const side = -2 - ((-2 - edgeNeighbor[edge]) ^ 2);
  if (side === -2) return poly;
  let portal = mesh.polyPortal[poly];
  while (edgeNeighbor[portalEdge[portal]] !== side) portal = portalNext[portal];
  return mesh.polyCount + portal;
}

/** Returns the polygon of a node, or -1 if the node is -1. */
function polyOfNode(mesh: NavMesh, node: number): number {
  const portal = node - mesh.polyCount;
  if (portal < 0) return node;
  const linkEnd = portal - mesh.portalCount;
  return linkEnd < 0 ? mesh.portalPoly[mesh.portalBack[portal]] : mesh.linkPoly[linkEnd];
}

/**
 * Writes into `entry` the crossing of a link from this end: the points where the path leaves the polygon of node `best` and enters the
 * next one, and the link's cost.
 */
function setLinkEntry({ node, goal }: SearchState, mesh: NavMesh, linkEnd: number, best: number): void {
  placeBetween(entry, mesh, linkEnd, node, 4 * best, goal, 0);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = entry[ENTER_X + k] - entry[LEAVE_X + k];
    sum += d * d;
  }
  const cost = mesh.linkCost[linkOf(linkEnd)];
  entry[LINK_COST] = cost >= 0 ? cost : Math.sqrt(sum);
}

/**
 * Kernel: writes the corridor to the end, or to the node nearest to it, by following parents back to the
 * start.
 */
export function writeCorridor(out: Corridor, state: SearchState, mesh: NavMesh): void {
  const { nodeParent, nodeCrossing, nearest } = state;
  const last = state.hasEndNode && nearest === endNodeOf(mesh) ? nodeParent[nearest] : nearest;
  const isComplete = polyOfNode(mesh, last) === state.endPoly;
  out.outcome = isComplete ? 'complete' : state.isShort || state.best >= 0 ? 'budget' : 'unreachable';
  out.cost = state.nodeCost[nearest];
  out.visitedCount = state.visitedCount;
  let count = 0;
  for (let at = last; at >= 0; at = nodeParent[at]) count++;
  clearPolys(out, count);
  out.count = count;
  for (let at = last, i = count - 1; i >= 0; i--) {
    out.polys[i] = polyOfNode(mesh, at);
    if (i > 0) out.crossings[i - 1] = nodeCrossing[at];
    at = nodeParent[at];
  }
}
