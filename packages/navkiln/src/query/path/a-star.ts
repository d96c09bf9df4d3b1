/**
 * Polygon corridor: which polygons lead from one point to another at the least cost.
 *
 * A* over entrances of polygons. A node stands where the path enters its polygon: the midpoint of an edge or portal, or the far
 * anchor of a link; a step costs its length times the cost of the area it crosses, the last one goes on to the end point. A
 * link adds its own cost or its length, times the cost of its area. The estimate is the straight distance times the smallest
 * cost of any area times HEURISTIC_SCALE, and times the mesh's `linkScale`, as links may be shorter than they look. When the
 * end is not reached, the corridor leads to the node that came nearest to it. Closed nodes are opened again when a cheaper way
 * is found.
 *
 * Nodes: a polygon has one for all its edges and for openings on side 0 of its tile, one more for each other side of its tile
 * through which it is entered, and one for each link that leads to it. Their numbers: the polygon; polyCount + the first portal
 * of the polygon on that side; polyCount + portalCount + the link's link end there.
 * In: two polygons and points on them. Out: the corridor and its crossings. Cost: O(n log n) in the nodes visited, no
 * allocation after warm-up. A search can stop after any number of nodes and go on later: beginCorridor, runCorridor,
 * writeCorridor.
 *
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths,
 * 1968, in the form of Detour's findPath (Mikko Mononen), the same in costs, nodes and order. Its quirk is kept too: a node
 * stays at the midpoint through which it was *first* found, even when a cheaper way comes through another edge; so the corridor
 * is not always the best one. Other than there: doubles, no limit on nodes unless asked for, a node of its own for each end of
 * a link, an estimate that holds for costs below 1 and for teleporters, and heap positions instead of a search through the
 * heap. The best node found from the one at hand is kept out of the heap, as it is mostly the next: a tenth faster, at the
 * price that nodes of exactly equal keys may come in another order.
 * What is looked at is chosen without branches (which edges lead on, which child of the heap is less), as mispredicted branches
 * are a third of the time: 0.84 of it with them. The heap is written out in the loop (0.98).
 * Tried and lost: edge midpoints computed beforehand, and a heap without positions that passes over stale entries (no
 * measurable difference, either); all of a node in one record of doubles and one of integers (1.02 to 1.05). Leaving out side
 * blocks of the graph of polygons, which only lead back, would spare a fifth of the nodes (0.54 to 0.98 are left): not built.
 * One node a polygon that a cheaper way through a portal or link moves: over tiles 0.65 to 0.8 of the time, as 0.75 to 0.9 of
 * the nodes are looked at, but a tenth of the paths is longer than Detour's and as many shorter; and a link that ends well
 * inside a polygon hid better ways through it. Reading the side from the opening's other end: 1.02. Looking for the way back
 * among a polygon's edges already, before the choice: 1.03.
 */
import { HEURISTIC_SCALE } from '../../constants.ts';
import { linkEndOf } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { costOf, passesFilter, passesLinkEnd, smallestCost } from '../filter.ts';
import type { SearchState } from '../search-state.ts';
import { beginSearch } from '../search-state.ts';
import type { Corridor } from './corridor.ts';

/** Kernel. Points are on the polygons named. At most `maxNodes` entrances of polygons are looked at. */
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

/** Kernel. Makes a state ready for `runCorridor`. */
export function beginCorridor(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
): void {
  const scale = HEURISTIC_SCALE * smallestCost(filter) * mesh.linkScale;
  beginSearch(state, mesh);
  const { node, goal } = state;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    goal[k] = endPoint[k];
    node[4 * startPoly + k] = startPoint[k];
    sum += (endPoint[k] - startPoint[k]) * (endPoint[k] - startPoint[k]);
  }
  const length = Math.sqrt(sum);
  goal[3] = scale;
  goal[4] = node[4 * startPoly + 3] = scale * length;
  state.nodeCost[startPoly] =
    startPoly !== endPoly
      ? 0
      : filter.cost === undefined
        ? filter.areaCosts[mesh.polyArea[startPoly]] * length
        : costOf(filter, mesh, startPoly, length);
  state.nodeStamp[startPoly] = state.stamp;
  state.nodeParent[startPoly] = state.nodeHeapIndex[startPoly] = -1;
  state.endPoly = endPoly;
  state.best = state.nearest = startPoly;
  state.visitedCount = 1;
  state.expandedCount = 0;
  state.isShort = false;
}

/**
 * Kernel. Expands at most `steps` nodes, and looks at no more than `maxNodes` in all; true when the search is over. The mesh and
 * the filter must be as they were.
 */
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
    polyPortal,
    polyLink,
  } = mesh;
  const { polyCount, portalCount, portalPoly, portalNext, portalEdge, portalSpan } = mesh;
  const { areaCosts, includeFlags, excludeFlags } = filter;
  const hasMethods = filter.passes !== undefined || filter.cost !== undefined;
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
    endPoly,
  } = state;
  const endX = goal[0];
  const endY = goal[1];
  const endZ = goal[2];
  const scale = goal[3];
  let nearestEstimate = goal[4];
  let { visitedCount, nearest, best, isShort, heapSize } = state;
  let step = 0;
  for (; best >= 0 && step < steps; step++) {
    const poly = polyOfNode(mesh, best);
    if (poly === endPoly) break;
    const from = polyOfNode(mesh, nodeParent[best]);
    // The most promising node found from here: it stays out of the heap as long as it may be the next one.
    let held = -1;
    let heldKey = 0;
    const bestCost = nodeCost[best];
    const bx = node[best << 2];
    const by = node[(best << 2) | 1];
    const bz = node[(best << 2) | 2];
    const areaCost = areaCosts[polyArea[poly]];
    const first = polyEdgeStart[poly];
    const end = (first + polyVertexCount[poly]) | 0;
    let portal = polyPortal[poly];
    let linkEnd = polyLink[poly];
    let openCount = 0;
    for (let e = first; e < end; e = (e + 1) | 0) {
      const other = edgeNeighbor[e];
      // Polygon 0 stands in for a wall.
      const known = other & ~(other >> 31);
      open[openCount] = e;
      openCount += +(other >= 0) & (+(nodeStamp[known] !== stamp) | +(bestCost < nodeCost[known]));
    }
    for (let k = 0; ; k = (k + 1) | 0) {
      let other: number;
      let to: number;
      let edge = 0;
      let crossing = 0;
      if (k < openCount) {
        edge = crossing = open[k];
        to = other = edgeNeighbor[edge];
      } else if (portal >= 0) {
        crossing = (-2 - 2 * portal) | 0;
        edge = portalEdge[portal];
        to = other = portalPoly[portal];
        portal = portalNext[portal];
        if (other === from) continue;
        // Entered from the opposite side; side 0 shares the polygon's own node.
        const side = -2 - ((-2 - edgeNeighbor[edge]) ^ 2);
        if (side < -2) {
          for (to = polyPortal[other]; edgeNeighbor[portalEdge[to]] !== side;) to = portalNext[to];
          to += polyCount;
        }
      } else if (linkEnd >= 0) {
        crossing = (-3 - 2 * linkEnd) | 0;
        other = mesh.linkPoly[linkEnd ^ 1];
        to = polyCount + portalCount + (linkEnd ^ 1);
        linkEnd = mesh.linkNext[linkEnd];
        if (other < 0 || !passesLinkEnd(filter, mesh, linkEndOf(crossing))) continue;
      } else {
        break;
      }
      const isLink = crossing < -2 && (crossing & 1) !== 0;
      // Not back to where it came from, at another node.
      if (other === from && !isLink) continue;
      const at = to << 2;
      const isNew = nodeStamp[to] !== stamp;
      let x: number;
      let y: number;
      let z: number;
      let estimate: number;
      if (isLink) setLinkEntry(mesh, linkEndOf(crossing));
      if (isNew) {
        const flags = polyFlags[other];
        const isClosed = (flags & includeFlags) === 0 || (flags & excludeFlags) !== 0;
        if (hasMethods ? !passesFilter(filter, mesh, other) : isClosed) continue;
        if (visitedCount >= maxNodes) {
          isShort = true;
          continue;
        }
        if (isLink) {
          x = entry[0];
          y = entry[1];
          z = entry[2];
        } else {
          const a = 3 * edgeVertex[edge];
          const b = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
          const t = crossing >= 0 ? 0.5 : (portalSpan[-2 - crossing] + portalSpan[-1 - crossing]) * 0.5;
          x = vertices[a] + t * (vertices[b] - vertices[a]);
          y = vertices[a + 1] + t * (vertices[b + 1] - vertices[a + 1]);
          z = vertices[a + 2] + t * (vertices[b + 2] - vertices[a + 2]);
        }
        const ex = endX - x;
        const ey = endY - y;
        const ez = endZ - z;
        estimate = other === endPoly ? 0 : scale * Math.sqrt(ex * ex + ey * ey + ez * ez);
      } else {
        // The way back, mostly: it cannot be cheaper.
        if (bestCost >= nodeCost[to]) continue;
        x = node[at];
        y = node[at | 1];
        z = node[at | 2];
        estimate = node[at | 3];
      }
      const dx = (isLink ? entry[3] : x) - bx;
      const dy = (isLink ? entry[4] : y) - by;
      const dz = (isLink ? entry[5] : z) - bz;
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      let cost = bestCost + (hasMethods ? costOf(filter, mesh, poly, length) : areaCost * length);
      if (isLink) cost += entry[6] * areaCosts[mesh.linkArea[(-3 - crossing) >> 2]];
      if (other === endPoly) {
        const ex = endX - x;
        const ey = endY - y;
        const ez = endZ - z;
        const rest = Math.sqrt(ex * ex + ey * ey + ez * ez);
        cost += hasMethods ? costOf(filter, mesh, other, rest) : areaCosts[polyArea[other]] * rest;
      }
      const key = cost + estimate;
      if (isNew) {
        visitedCount++;
        nodeStamp[to] = stamp;
        nodeHeapIndex[to] = -1;
        node[at] = x;
        node[at | 1] = y;
        node[at | 2] = z;
        node[at | 3] = estimate;
      } else if (cost >= nodeCost[to]) {
        continue;
      }
      nodeCost[to] = cost;
      nodeParent[to] = best;
      nodeCrossing[to] = crossing;
      if (estimate < nearestEstimate) {
        nearestEstimate = estimate;
        nearest = to;
      }
      // Up in the heap: this node, or the one it drives out of where it is held.
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
      while (i > 0) {
        const parent = (i - 1) >> 1;
        const parentKey = heapKey[parent];
        if (!(parentKey > risingKey)) break;
        const moved = heapNode[parent];
        heapNode[i] = moved;
        heapKey[i] = parentKey;
        nodeHeapIndex[moved] = i;
        i = parent;
      }
      heapNode[i] = rising;
      heapKey[i] = risingKey;
      nodeHeapIndex[rising] = i;
    }
    if (held >= 0 && (heapSize === 0 || heldKey < heapKey[0])) {
      best = held;
      continue;
    }
    best = heapSize === 0 ? -1 : heapNode[0];
    if (best < 0) break;
    nodeHeapIndex[best] = -1;
    // Down from the top: the node that was held, or else the last.
    if (held < 0) {
      heapSize = (heapSize - 1) | 0;
      if (heapSize === 0) continue;
      held = heapNode[heapSize];
      heldKey = heapKey[heapSize];
    }
    let i = 0;
    heapKey[heapSize] = Infinity;
    for (let child = 1; child < heapSize; child = (i << 1) | 1) {
      // The lesser of the two; a key of Infinity stands behind the last.
      child += +(heapKey[child + 1] < heapKey[child]);
      const childKey = heapKey[child];
      if (!(childKey < heldKey)) break;
      const moved = heapNode[child];
      heapNode[i] = moved;
      heapKey[i] = childKey;
      nodeHeapIndex[moved] = i;
      i = child;
    }
    heapNode[i] = held;
    heapKey[i] = heldKey;
    nodeHeapIndex[held] = i;
  }
  const isFound = best >= 0 && polyOfNode(mesh, best) === endPoly;
  state.best = best;
  state.nearest = isFound ? best : nearest;
  goal[4] = nearestEstimate;
  state.visitedCount = visitedCount;
  state.expandedCount += step;
  state.isShort = isShort;
  state.heapSize = heapSize;
  return isFound || best < 0;
}

/** Of a node, or of -1. */
function polyOfNode(mesh: NavMesh, node: number): number {
  const portal = node - mesh.polyCount;
  if (portal < 0) return node;
  const linkEnd = portal - mesh.portalCount;
  return linkEnd < 0 ? mesh.portalPoly[mesh.portalBack[portal]] : mesh.linkPoly[linkEnd];
}

/** Edges of the polygon at hand that lead to where it may be worth going: found without branches, which would be mispredicted. */
const open = new Int32Array(256);
/** Where a path enters that takes a link (0 .. 2), where it leaves (3 .. 5), and the link's length (6). */
const entry = new Float64Array(7);

function setLinkEntry(mesh: NavMesh, linkEnd: number): void {
  const { linkAnchors } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const near = 6 * linkEnd + k;
    const far = 6 * (linkEnd ^ 1) + k;
    entry[k] = (linkAnchors[far] + linkAnchors[far + 3]) * 0.5;
    entry[k + 3] = (linkAnchors[near] + linkAnchors[near + 3]) * 0.5;
    const d = entry[k] - entry[k + 3];
    sum += d * d;
  }
  const cost = mesh.linkCost[linkEnd >> 1];
  entry[6] = cost >= 0 ? cost : Math.sqrt(sum);
}

/** The corridor to the end, or to the node nearest to it, by following the parents back. */
export function writeCorridor(out: Corridor, state: SearchState, mesh: NavMesh): void {
  const { nodeParent, nodeCrossing, nearest } = state;
  const isComplete = polyOfNode(mesh, nearest) === state.endPoly;
  out.outcome = isComplete ? 'complete' : state.isShort || state.best >= 0 ? 'budget' : 'unreachable';
  out.cost = state.nodeCost[nearest];
  out.visitedCount = state.visitedCount;
  let count = 0;
  for (let at = nearest; at >= 0; at = nodeParent[at]) count++;
  if (out.polys.length < count) {
    const capacity = Math.max(count, 2 * out.polys.length, 32);
    out.polys = new Int32Array(capacity);
    out.crossings = new Int32Array(capacity);
  }
  out.count = count;
  for (let at = nearest, i = count - 1; i >= 0; i--) {
    out.polys[i] = polyOfNode(mesh, at);
    if (i > 0) out.crossings[i - 1] = nodeCrossing[at];
    at = nodeParent[at];
  }
}
