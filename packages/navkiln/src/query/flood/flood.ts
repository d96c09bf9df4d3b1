/**
 * Flooding: the polygons that can be reached from a point, in the order of what it costs to get there. What the queries in a
 * circle, in a shape, within a distance, and pruning share.
 *
 * Dijkstra over polygons. A node stands where a path enters its polygon: the midpoint of an edge or portal, or of the far
 * end of a link; a step costs its length (in three dimensions) times the cost of the area it crosses, a link the length it
 * counts as times the cost of its own area. These are lengths over midpoints, so somewhat more than those of the shortest
 * paths. In: a polygon, a point on it, a filter, bounds. Out: polygons by cost, each with its parent and the crossing from
 * there. The answer does not depend on the order in which tiles were added. Cost: O(n log n) in the polygons reached, no
 * allocation after warm-up.
 *
 * Bounds leave out crossings that do not touch a circle or a convex shape (seen from above; touching is enough; of a link
 * both ends must), and those that cost too much.
 *
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, in the form of Detour's
 * findPolysAroundCircle (Mikko Mononen), the same in costs. Its quirk is kept: a node stays at the midpoint through which
 * it was *first* found, even when a cheaper way comes through another edge; only a link moves it. Other than there: doubles,
 * no limit on nodes, sides decided exactly, limits of cost and length.
 */
import { createMinHeap, popItem, pushItem } from '../../data/min-heap.ts';
import type { MinHeap } from '../../data/min-heap.ts';
import { sideOfPoints } from '../../math/predicates.ts';
import { linkEndCrossing, portalCrossing, setCrossingEnds } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { costOf, passesFilter, passesLinkEnd } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';

/** What has been reached. Make one with `createFlood` and reuse it. */
export interface Flood {
  count: number;
  /** polys[0 .. count - 1]: dense indices, cheapest first; the first is the start. Arrays may be longer. */
  polys: Int32Array;
  /** Cost of getting to the place where the polygon is entered. */
  costs: Float64Array;
  /** Where in this list the polygon is that leads here; -1: the start. */
  parents: Int32Array;
  /** How the parent leads here; see navmesh/crossing.ts. Of the start: -1. */
  crossings: Int32Array;
  /** 3 each: where the polygon is entered. */
  points: Float64Array;
}

/** How far a flood may go. Make one with `createFloodBounds`: without bounds; set what is needed. */
export interface FloodBounds {
  /** A polygon may be entered at this cost at most. */
  maxCost: number;
  /** Costs are lengths: all areas count 1. */
  isByLength: boolean;
  /** Which crossings may be taken: 'all', those that touch the circle, or those that touch the shape. */
  within: 'all' | 'circle' | 'shape';
  /** Centre (x, y, z; y does not matter) and radius of the circle. */
  center: Float64Array;
  radius: number;
  /** Corners of the convex shape, counter-clockwise seen from above: x and z apart. Two places more are kept free behind them. */
  shapeX: Float64Array;
  shapeZ: Float64Array;
  shapeCount: number;
}

/** Memory of floods: one for all meshes. */
export interface FloodState {
  stamp: number;
  nodeStamp: Int32Array;
  nodeCost: Float64Array;
  /** 3 a node. */
  nodePoint: Float64Array;
  nodeParent: Int32Array;
  nodeCrossing: Int32Array;
  /** Place in the list of what has been reached, -1: not yet. */
  nodePlace: Int32Array;
  heap: MinHeap;
}

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

/** Both ends of the crossing at hand. */
const ends = new Float64Array(6);

/** Kernel. The point is on the polygon named, which need not pass the filter. */
export function floodInto(
  out: Flood,
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  bounds: FloodBounds,
): void {
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

/** Room for the mesh, a stamp of its own, an empty heap. @internal */
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

/** Over an edge or through a portal. */
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
  // The way back, mostly: it cannot be cheaper.
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
  else cost += costOf(filter, mesh, poly, length);
  if (!(cost <= bounds.maxCost) || (!isNew && cost >= nodeCost[other])) return;
  nodePoint[at] = x;
  nodePoint[at + 1] = y;
  nodePoint[at + 2] = z;
  nodeCost[other] = cost;
  enter(state, poly, crossing, other);
}

/** `setCrossingEnds` of a whole edge. */
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

/** Through a link, when it may be taken from this link end. */
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
  const link = linkEnd >> 1;
  const other = mesh.linkPoly[linkEnd ^ 1];
  if (!passesLinkEnd(filter, mesh, linkEnd)) return;
  const isNew = state.nodeStamp[other] !== state.stamp;
  if (!isNew && nodeCost[poly] >= nodeCost[other]) return;
  if (!passesFilter(filter, mesh, other)) return;
  const near = 6 * linkEnd;
  const far = 6 * (linkEnd ^ 1);
  if (bounds.within !== 'all') {
    for (let end = near; ; end = far) {
      for (let k = 0; k < 6; k++) ends[k] = linkAnchors[end + k];
      if (!touchesBounds(bounds)) return;
      if (end === far) break;
    }
  }
  let way = 0;
  let length = 0;
  for (let k = 0; k < 3; k++) {
    const step = (linkAnchors[near + k] + linkAnchors[near + 3 + k]) * 0.5 - nodePoint[3 * poly + k];
    way += step * step;
    const jump =
      (linkAnchors[far + k] - linkAnchors[near + k] + (linkAnchors[far + 3 + k] - linkAnchors[near + 3 + k])) * 0.5;
    length += jump * jump;
  }
  way = Math.sqrt(way);
  const counted = mesh.linkCost[link] >= 0 ? mesh.linkCost[link] : Math.sqrt(length);
  let cost = nodeCost[poly];
  if (bounds.isByLength) cost += way + counted;
  else cost += costOf(filter, mesh, poly, way) + filter.areaCosts[mesh.linkArea[link]] * counted;
  if (!(cost <= bounds.maxCost) || (!isNew && cost >= nodeCost[other])) return;
  for (let k = 0; k < 3; k++) nodePoint[3 * other + k] = (linkAnchors[far + k] + linkAnchors[far + 3 + k]) * 0.5;
  nodeCost[other] = cost;
  enter(state, poly, linkEndCrossing(linkEnd), other);
}

function enter(state: FloodState, poly: number, crossing: number, other: number): void {
  state.nodeStamp[other] = state.stamp;
  state.nodeParent[other] = poly;
  state.nodeCrossing[other] = crossing;
  state.nodePlace[other] = -1;
  pushItem(state.heap, other, state.nodeCost);
}

function append(out: Flood, state: FloodState, poly: number): void {
  const place = out.count++;
  if (place === out.polys.length) growFlood(out);
  out.polys[place] = poly;
  out.costs[place] = state.nodeCost[poly];
  const parent = state.nodeParent[poly];
  out.parents[place] = parent < 0 ? -1 : state.nodePlace[parent];
  out.crossings[place] = state.nodeCrossing[poly];
  out.points[3 * place] = state.nodePoint[3 * poly];
  out.points[3 * place + 1] = state.nodePoint[3 * poly + 1];
  out.points[3 * place + 2] = state.nodePoint[3 * poly + 2];
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

/** Does the segment in `ends` touch the circle or the shape, seen from above? */
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

/** Two convex sets are apart exactly when a line along an edge of one of them keeps them apart. */
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
