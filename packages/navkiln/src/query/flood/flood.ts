/**
 * Floods the mesh from a point: finds the polygons it reaches, in the order of their cost. The queries in a
 * circle, in a shape and within a distance, and pruning, share it.
 *
 * It is Dijkstra over polygons. A node lies where a path enters its polygon: at the midpoint of an edge or
 * portal, or of a link's far end. A step costs its length in three dimensions times the area's cost; a link
 * costs its length times the cost of its own area. Such costs are somewhat higher than those of shortest
 * paths. Bounds exclude crossings that do not touch a circle or a convex shape, seen from above (both ends of
 * a link must), and those that cost too much.
 *
 * In: a polygon, a point on it, a filter, bounds.
 * Out: polygons by cost, each with its parent and crossing, independent of the order in which tiles were
 * added.
 * Cost: O(n log n) in the polygons reached, no allocation after warm-up.
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, in the form of Detour's
 * findPolysAroundCircle (Mikko Mononen), with the same costs. As there, a node stays at the midpoint where it was first
 * found, even when a cheaper path enters through another edge; only a link moves it. Differences from Detour: doubles,
 * no limit on nodes, exact sides, limits of cost and length.
 */
import { createMinHeap, popItem, pushItem } from '../../base/data/min-heap.ts';
import type { MinHeap } from '../../base/data/min-heap.ts';
import { sideOfPoints } from '../../base/math/predicates.ts';
import { linkEndCrossing, linkOf, otherEnd, portalCrossing, setCrossingEnds } from '../../mesh/crossing.ts';
import { FAR, NEAR, placeOpposite } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import { costOf, segment, setSegmentPolys } from '../filter-methods.ts';
import type { QueryFilter } from '../filter.ts';

/** Result of a flood. Create it with `createFlood` and reuse it. */
export interface Flood {
  count: number;
  /**
   * polys[0 .. count - 1] are dense indices, cheapest first. The first is the start. The arrays may be
   * longer.
   */
  polys: Int32Array;
  /** Cost of the path to where each polygon is entered. */
  costs: Float64Array;
  /** Index in this list of the polygon that leads to each polygon; -1 for the start. */
  parents: Int32Array;
  /** How the parent leads to each polygon; see mesh/crossing.ts. -1 for the start. */
  crossings: Int32Array;
  /** Where each polygon is entered, xyz. Stride 3. */
  points: Float64Array;
}

/** Limits of a flood. Create them with `createFloodBounds`, which sets no limits, and set the ones you need. */
export interface FloodBounds {
  /** Maximum cost at which a polygon is entered. */
  maxCost: number;
  /** Costs are lengths: the cost of every area is 1. */
  isByLength: boolean;
  /** Which crossings are open: all, those that touch the circle, or those that touch the shape. */
  within: 'all' | 'circle' | 'shape';
  /** Center (xyz; y is ignored) and radius of the circle. */
  center: Float64Array;
  radius: number;
  /**
   * Corners of the convex shape, counter-clockwise seen from above. x and z are in separate arrays, with space for two
   * more.
   */
  shapeX: Float64Array;
  shapeZ: Float64Array;
  shapeCount: number;
}

/** Memory of floods. Create it with `createFloodState` and reuse it with any mesh. */
export interface FloodState {
  stamp: number;
  nodeStamp: Int32Array;
  nodeCost: Float64Array;
  /** Where each polygon is entered, xyz. Stride 3. */
  nodePoint: Float64Array;
  nodeParent: Int32Array;
  nodeCrossing: Int32Array;
  /** Index in the list of reached polygons; -1 while the polygon is open. */
  nodePlace: Int32Array;
  heap: MinHeap;
}

/** Creates an empty result for `floodInto`. It grows as needed. */
export function createFlood(): Flood {
  return {
    count: 0,
    polys: new Int32Array(0),
    costs: new Float64Array(0),
    parents: new Int32Array(0),
    crossings: new Int32Array(0),
    points: new Float64Array(0),
  };
}

/** Creates bounds that limit nothing, for `floodInto`. */
export function createFloodBounds(): FloodBounds {
  return {
    maxCost: Infinity,
    isByLength: false,
    within: 'all',
    center: new Float64Array(3),
    radius: NaN,
    shapeX: new Float64Array(0),
    shapeZ: new Float64Array(0),
    shapeCount: 0,
  };
}

/** Creates the state of a flood, for one call at a time. It grows with the mesh. */
export function createFloodState(): FloodState {
  return sizedState(0);
}

function sizedState(capacity: number): FloodState {
  return {
    stamp: 0,
    nodeStamp: new Int32Array(capacity),
    nodeCost: new Float64Array(capacity),
    nodePoint: new Float64Array(3 * capacity),
    nodeParent: new Int32Array(capacity),
    nodeCrossing: new Int32Array(capacity),
    nodePlace: new Int32Array(capacity),
    heap: createMinHeap(),
  };
}

/** Both ends of the current crossing, xyz each. */
const ends = new Float64Array(6);

/** Kernel. The point lies on polygon `startPoly`, which need not pass the filter. */
// oxlint-disable-next-line max-params -- kernel: a record would be one more object for each caller.
export function floodInto(
  out: Flood,
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  bounds: FloodBounds,
): void {
  refuseInMethod('floodInto');
  const { edgeNeighbor, polyEdgeStart, polyVertexCount, polyPortal, polyLink } = mesh;
  beginFlood(state, mesh);
  const { heap, nodePlace } = state;
  out.count = 0;
  state.nodeStamp[startPoly] = state.stamp;
  state.nodeCost[startPoly] = 0;
  state.nodePoint[3 * startPoly] = startPoint[0];
  state.nodePoint[3 * startPoly + 1] = startPoint[1];
  state.nodePoint[3 * startPoly + 2] = startPoint[2];
  state.nodeParent[startPoly] = -1;
  state.nodeCrossing[startPoly] = -1;
  nodePlace[startPoly] = -1;
  pushItem(heap, startPoly, state.nodeCost);
  while (heap.count > 0) {
    const poly = popItem(heap);
    if (nodePlace[poly] >= 0) continue;
    nodePlace[poly] = out.count;
    append(out, state, poly);
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      if (edgeNeighbor[e] >= 0) stepOver(state, mesh, filter, bounds, poly, e, edgeNeighbor[e]);
    }
    for (let portal = polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
      stepOver(state, mesh, filter, bounds, poly, portalCrossing(portal), mesh.portalPoly[portal]);
    }
    for (let linkEnd = polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
      stepThrough(state, mesh, filter, bounds, poly, linkEnd);
    }
  }
}

/** Prepares the state: allocates memory for the mesh, sets a new stamp and empties the heap. @internal */
export function beginFlood(state: FloodState, mesh: NavMesh): void {
  const capacity = state.nodeStamp.length;
  if (mesh.polyCount > capacity) Object.assign(state, sizedState(Math.max(mesh.polyCount, 2 * capacity)));
  state.heap.count = 0;
  state.stamp++;
  if (state.stamp > 0x7fffffff) {
    state.nodeStamp.fill(0);
    state.stamp = 1;
  }
}

/** Steps over an edge or through a portal. */
// oxlint-disable-next-line max-params -- hot loop: a record would have to be filled for each edge.
function stepOver(
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  bounds: FloodBounds,
  poly: number,
  crossing: number,
  other: number,
): void {
  const { nodeCost, nodePoint } = state;
  const isNew = state.nodeStamp[other] !== state.stamp;
  // This usually is the path back, which cannot be cheaper.
  if (!isNew && nodeCost[poly] >= nodeCost[other]) return;
  if (!passesFilter(filter, mesh, other)) return;
  const isBounded = bounds.within !== 'all';
  if (isNew || isBounded) {
    if (crossing < 0) setCrossingEnds(ends, mesh, poly, crossing);
    else setEdgeEnds(mesh, poly, crossing);
  }
  if (isBounded && !touchesBounds(bounds)) return;
  const at = 3 * other;
  const from = 3 * poly;
  const x = isNew ? (ends[0] + ends[3]) * 0.5 : nodePoint[at];
  const y = isNew ? (ends[1] + ends[4]) * 0.5 : nodePoint[at + 1];
  const z = isNew ? (ends[2] + ends[5]) * 0.5 : nodePoint[at + 2];
  const dx = x - nodePoint[from];
  const dy = y - nodePoint[from + 1];
  const dz = z - nodePoint[from + 2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  let cost = nodeCost[poly];
  if (bounds.isByLength) cost += length;
  else if (filter.cost === undefined) cost += filter.areaCosts[mesh.polyArea[poly]] * length;
  else {
    beginSegment(state, poly, other);
    segment.to[0] = x;
    segment.to[1] = y;
    segment.to[2] = z;
    cost += costOf(filter, mesh);
  }
  if (!(cost <= bounds.maxCost) || (!isNew && cost >= nodeCost[other])) return;
  nodePoint[at] = x;
  nodePoint[at + 1] = y;
  nodePoint[at + 2] = z;
  nodeCost[other] = cost;
  enter(state, poly, crossing, other);
}

/** Sets `segment` to a polygon that was reached, from where it is entered; `next` is the polygon after it. */
function beginSegment(state: FloodState, poly: number, next: number): void {
  const { nodePoint } = state;
  setSegmentPolys(state.nodeParent[poly], poly, next);
  segment.from[0] = nodePoint[3 * poly];
  segment.from[1] = nodePoint[3 * poly + 1];
  segment.from[2] = nodePoint[3 * poly + 2];
}

/** Works like `setCrossingEnds`, for a whole edge. */
function setEdgeEnds(mesh: NavMesh, poly: number, edge: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
  ends[0] = vertices[a];
  ends[1] = vertices[a + 1];
  ends[2] = vertices[a + 2];
  ends[3] = vertices[b];
  ends[4] = vertices[b + 1];
  ends[5] = vertices[b + 2];
}

/** Steps through a link, if it may be entered at this link end: at its middle, or where a straight one is nearest. */
function stepThrough(
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  bounds: FloodBounds,
  poly: number,
  linkEnd: number,
): void {
  const { nodeCost, nodePoint } = state;
  const { linkAnchors } = mesh;
  const link = linkOf(linkEnd);
  const other = mesh.linkPoly[otherEnd(linkEnd)];
  if (!passesLinkEnd(filter, mesh, linkEnd)) return;
  const isNew = state.nodeStamp[other] !== state.stamp;
  if (!isNew && nodeCost[poly] >= nodeCost[other]) return;
  if (!passesFilter(filter, mesh, other)) return;
  const near = 6 * linkEnd;
  const far = 6 * otherEnd(linkEnd);
  if (bounds.within !== 'all') {
    setLinkEnds(mesh, near);
    if (!touchesBounds(bounds)) return;
    setLinkEnds(mesh, far);
    if (!touchesBounds(bounds)) return;
  }
  let walked = 0;
  let length = 0;
  placeOpposite(place, mesh, linkEnd, false, nodePoint, 3 * poly);
  beginSegment(state, poly, other);
  for (let k = 0; k < 3; k++) {
    segment.to[k] = place[NEAR + k];
    const step = segment.to[k] - nodePoint[3 * poly + k];
    walked += step * step;
    const jump =
      (linkAnchors[far + k] - linkAnchors[near + k] + (linkAnchors[far + 3 + k] - linkAnchors[near + 3 + k])) * 0.5;
    length += jump * jump;
  }
  const counted = mesh.linkCost[link] >= 0 ? mesh.linkCost[link] : Math.sqrt(length);
  let cost = nodeCost[poly];
  if (bounds.isByLength) cost += Math.sqrt(walked) + counted;
  else cost += costOf(filter, mesh) + filter.areaCosts[mesh.linkArea[link]] * counted;
  if (!(cost <= bounds.maxCost) || (!isNew && cost >= nodeCost[other])) return;
  for (let k = 0; k < 3; k++) nodePoint[3 * other + k] = place[FAR + k];
  nodeCost[other] = cost;
  enter(state, poly, linkEndCrossing(linkEnd), other);
}

const place = new Float64Array(6);

/** Sets `ends` to the ends of a link end whose anchors begin at `from`. */
function setLinkEnds(mesh: NavMesh, from: number): void {
  for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[from + k];
}

function enter(state: FloodState, poly: number, crossing: number, other: number): void {
  state.nodeStamp[other] = state.stamp;
  state.nodeParent[other] = poly;
  state.nodeCrossing[other] = crossing;
  state.nodePlace[other] = -1;
  pushItem(state.heap, other, state.nodeCost);
}

function append(out: Flood, state: FloodState, poly: number): void {
  const index = out.count++;
  if (index === out.polys.length) growFlood(out);
  out.polys[index] = poly;
  out.costs[index] = state.nodeCost[poly];
  const parent = state.nodeParent[poly];
  out.parents[index] = parent < 0 ? -1 : state.nodePlace[parent];
  out.crossings[index] = state.nodeCrossing[poly];
  out.points[3 * index] = state.nodePoint[3 * poly];
  out.points[3 * index + 1] = state.nodePoint[3 * poly + 1];
  out.points[3 * index + 2] = state.nodePoint[3 * poly + 2];
}

function growFlood(out: Flood): void {
  const capacity = Math.max(32, 2 * out.polys.length);
  const { polys, costs, parents, crossings, points } = out;
  out.polys = new Int32Array(capacity);
  out.polys.set(polys);
  out.costs = new Float64Array(capacity);
  out.costs.set(costs);
  out.parents = new Int32Array(capacity);
  out.parents.set(parents);
  out.crossings = new Int32Array(capacity);
  out.crossings.set(crossings);
  out.points = new Float64Array(3 * capacity);
  out.points.set(points);
}

/** Returns whether the segment in `ends` touches the circle or the shape, seen from above. */
function touchesBounds(bounds: FloodBounds): boolean {
  return bounds.within === 'circle' ? touchesCircle(bounds) : touchesShape(bounds);
}

function touchesCircle(bounds: FloodBounds): boolean {
  const { center, radius } = bounds;
  const px = center[0] - ends[0];
  const pz = center[2] - ends[2];
  const dx = ends[3] - ends[0];
  const dz = ends[5] - ends[2];
  const lengthSq = dx * dx + dz * dz;
  let s = lengthSq > 0 ? (px * dx + pz * dz) / lengthSq : 0;
  if (s < 0) s = 0;
  if (s > 1) s = 1;
  const ex = s * dx - px;
  const ez = s * dz - pz;
  return ex * ex + ez * ez <= radius * radius;
}

/**
 * Returns whether the segment in `ends` touches the shape. Two convex sets are disjoint exactly when a line along an
 * edge of one of them separates them.
 */
function touchesShape(bounds: FloodBounds): boolean {
  const { shapeX, shapeZ, shapeCount } = bounds;
  const a = shapeCount;
  const b = shapeCount + 1;
  shapeX[a] = ends[0];
  shapeZ[a] = ends[2];
  shapeX[b] = ends[3];
  shapeZ[b] = ends[5];
  let isLeft = false;
  let isRight = false;
  for (let i = 0, last = shapeCount - 1; i < shapeCount; last = i++) {
    if (sideOfPoints(shapeX, shapeZ, last, i, a) < 0 && sideOfPoints(shapeX, shapeZ, last, i, b) < 0) return false;
    const side = sideOfPoints(shapeX, shapeZ, a, b, i);
    if (side >= 0) isLeft = true;
    if (side <= 0) isRight = true;
  }
  return isLeft && isRight;
}
