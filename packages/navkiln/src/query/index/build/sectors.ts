/**
 * Finds the corners of a mesh: sectors of border vertices where the walkable surface is reflex.
 *
 *          \ w1 /            The sector of corner c begins at the wall w0 on its right and ends at the wall w1 on its
 *        L  \  /  blocked    left. A taut path that turns at c comes from one of two cones and leaves through the
 *            \/____ w0       other: R, up to the extension of w1, and L, from the extension of w0 on.
 *            c
 *        R
 *
 * The walk goes counter-clockwise from polygon to polygon through passable edges and portals. Obstacles that touch in a vertex
 * leave two sectors there. A sector may also pass the middle of a border edge, where a portal ends.
 *
 * In: a mesh, the vertices of portal ends.
 * Out: corners, and for each the polygons around it with the limits of its cones in them.
 * Cost: linear in the edges, except for the edges of a polygon, which are searched for a vertex.
 * Based on: own; taut cones as in Stefan Edelkamp et al., tangent visibility graphs.
 */
import { sideOfPoints } from '../../../base/math/predicates.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { EDGE_SLACK, withRoom } from '../../walk/open-edges.ts';

/** Corners and their surroundings. Vertices, polygons and edges are indices of the mesh. */
export interface Sectors {
  cornerCount: number;
  /** Per corner: its vertex and its first item. */
  vertex: Int32Array;
  itemStart: Int32Array;
  /** Per corner: the vertex at the other end of its right wall, or -1 where the sector is wider than a full turn. */
  wall: Int32Array;
  itemCount: number;
  /** Per item, a polygon at a corner: the polygon, the edge through the corner if it lies inside an edge, or -1. */
  itemPoly: Int32Array;
  itemEdge: Int32Array;
  startCount: number;
  /**
   * Per start (a cone at its corner): corner, polygon, edge through the corner or -1, right and left limit; ~v:
   * reversed.
   */
  starts: Int32Array;
}

/** Numbers of each start. */
export const START_STRIDE = 5;

/**
 * Input of the walk: the mesh, the filter of open polygons, coordinates of vertices and link ends in columns, and the
 * vertices at the ends of portals.
 */
export interface Ground {
  mesh: NavMesh;
  filter: QueryFilter;
  xs: Float64Array;
  ys: Float64Array;
  zs: Float64Array;
  portalEnds: Int32Array;
}

/** The current sector. Per item: polygon, edge and fraction along it, and the vertices to the right and left. */
let polys: Int32Array = new Int32Array(16);
let edges: Int32Array = new Int32Array(16);
let spots = new Float64Array(16);
let rights: Int32Array = new Int32Array(16);
let lefts: Int32Array = new Int32Array(16);
/**
 * Per ray, in order from the first wall: half turns from the first wall, and whether the ray is on its line; then both
 * backwards from the last wall.
 */
let turns: Int32Array = new Int32Array(16);
let backTurns: Int32Array = new Int32Array(16);
let isOnLine: Int32Array = new Int32Array(16);
let isBackOnLine: Int32Array = new Int32Array(16);
const next = { poly: -1, edge: -1 };
const nextSpot = new Float64Array(1);

/** Returns the corners of a mesh, in the order of its polygons. */
export function findSectors(ground: Ground): Sectors {
  const { mesh, filter } = ground;
  const none = new Int32Array(0);
  const out: Sectors = {
    cornerCount: 0,
    vertex: none,
    itemStart: new Int32Array(1),
    wall: none,
    itemCount: 0,
    itemPoly: none,
    itemEdge: none,
    startCount: 0,
    starts: none,
  };
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (passesFilter(filter, mesh, poly)) addSectorsOf(out, ground, poly);
    }
  }
  return sortSectors(out, ground);
}

/** Cells along each axis of the grid that orders corners: a power of two. */
const GRID = 1024;

/**
 * Returns the sectors ordered so that corners near each other have close numbers. Queries then read memory that is
 * close together.
 */
function sortSectors(sectors: Sectors, { xs, zs }: Ground): Sectors {
  const { cornerCount, vertex, itemStart, starts, startCount } = sectors;
  const used = vertex.subarray(0, cornerCount);
  let minX = Infinity;
  let minZ = Infinity;
  let size = 0;
  for (const v of used) {
    minX = Math.min(minX, xs[v]);
    minZ = Math.min(minZ, zs[v]);
  }
  for (const v of used) size = Math.max(size, xs[v] - minX, zs[v] - minZ);
  const scale = size > 0 ? (GRID - 1) / size : 0;
  const place = Float64Array.from(used, (v) => placeOnCurve((xs[v] - minX) * scale, (zs[v] - minZ) * scale));
  const order = Int32Array.from(used.keys()).sort((a, b) => place[a] - place[b] || a - b);
  const startOf = new Int32Array(cornerCount + 1);
  for (let s = 0; s < startCount; s++) startOf[starts[START_STRIDE * s] + 1]++;
  for (let corner = 0; corner < cornerCount; corner++) startOf[corner + 1] += startOf[corner];
  const out: Sectors = {
    ...sectors,
    vertex: Int32Array.from(order, (corner) => vertex[corner]),
    wall: Int32Array.from(order, (corner) => sectors.wall[corner]),
    itemStart: new Int32Array(cornerCount + 1),
    itemPoly: new Int32Array(sectors.itemCount),
    itemEdge: new Int32Array(sectors.itemCount),
    starts: new Int32Array(START_STRIDE * startCount),
  };
  let items = 0;
  let at = 0;
  order.forEach((corner, place) => {
    for (let item = itemStart[corner]; item < itemStart[corner + 1]; item++) {
      out.itemPoly[items] = sectors.itemPoly[item];
      out.itemEdge[items++] = sectors.itemEdge[item];
    }
    out.itemStart[place + 1] = items;
    for (let s = startOf[corner]; s < startOf[corner + 1]; s++) {
      for (let k = 0; k < START_STRIDE; k++) out.starts[at + k] = starts[START_STRIDE * s + k];
      out.starts[at] = place;
      at += START_STRIDE;
    }
  });
  return out;
}

/** Returns the index of a cell of the grid on the Hilbert curve. */
function placeOnCurve(cellX: number, cellZ: number): number {
  let x = Math.floor(cellX);
  let z = Math.floor(cellZ);
  let place = 0;
  for (let side = GRID / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0;
    const up = (z & side) > 0 ? 1 : 0;
    place += side * side * ((3 * right) ^ up);
    if (up === 1) continue;
    if (right === 1) {
      x = GRID - 1 - x;
      z = GRID - 1 - z;
    }
    const old = x;
    x = z;
    z = old;
  }
  return place;
}

/** Adds the sectors whose right wall is an edge of this polygon. */
function addSectorsOf(out: Sectors, ground: Ground, poly: number): void {
  const { mesh, filter } = ground;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let edge = first; edge < end; edge++) {
    if (!isOpenBeyond(ground, poly, edge, 0)) addSector(out, ground, poly, edge, 0);
    if (mesh.edgeNeighbor[edge] > -2) continue;
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      const at = mesh.portalSpan[2 * l + 1];
      if (mesh.portalEdge[l] !== edge || at >= 1 - EDGE_SLACK || !passesFilter(filter, mesh, mesh.portalPoly[l]))
        continue;
      if (!isOpenBeyond(ground, poly, edge, at)) addSector(out, ground, poly, edge, at);
    }
  }
}

/** Returns whether an edge is passable just beyond a fraction of it. */
function isOpenBeyond({ mesh, filter }: Ground, poly: number, edge: number, at: number): boolean {
  const other = mesh.edgeNeighbor[edge];
  if (other >= 0) return passesFilter(filter, mesh, other);
  if (other === -1) return false;
  const { portalSpan } = mesh;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge || portalSpan[2 * l] > at + EDGE_SLACK || portalSpan[2 * l + 1] <= at + EDGE_SLACK)
      continue;
    if (passesFilter(filter, mesh, mesh.portalPoly[l])) return true;
  }
  return false;
}

/** Walks around a sector from its right wall on, and adds it if it is a corner. */
function addSector(out: Sectors, ground: Ground, startPoly: number, startEdge: number, startSpot: number): void {
  const { mesh } = ground;
  let poly = startPoly;
  let edge = startEdge;
  let spot = startSpot;
  let count = 0;
  let vertex = -1;
  for (let steps = 0; steps <= mesh.edgeCount; steps++) {
    reserve(count + 2);
    const first = mesh.polyEdgeStart[poly];
    const end = first + mesh.polyVertexCount[poly];
    const after = edge + 1 === end ? first : edge + 1;
    const before = edge === first ? end - 1 : edge - 1;
    polys[count] = poly;
    edges[count] = edge;
    spots[count] = spot;
    rights[count] = mesh.edgeVertex[after];
    lefts[count] = mesh.edgeVertex[spot > 0 ? edge : before];
    if (spot === 0) vertex = vertex < 0 ? mesh.edgeVertex[edge] : vertex;
    count++;
    if (!crossLeft(ground, poly, spot > 0 ? edge : before, spot > 0 ? spot : 1)) break;
    poly = next.poly;
    edge = next.edge;
    spot = nextSpot[0];
  }
  if (vertex < 0) vertex = vertexInside(ground, startPoly, startEdge, startSpot);
  if (vertex >= 0 && isReflex(ground, vertex, count)) addCorner(out, vertex, count);
}

function reserve(count: number): void {
  if (polys.length >= count) return;
  polys = withRoom(polys, count);
  edges = withRoom(edges, count);
  rights = withRoom(rights, count);
  lefts = withRoom(lefts, count);
  turns = withRoom(turns, count);
  backTurns = withRoom(backTurns, count);
  isOnLine = withRoom(isOnLine, count);
  isBackOnLine = withRoom(isBackOnLine, count);
  const larger = new Float64Array(polys.length);
  larger.set(spots);
  spots = larger;
}

/** Sets `next` to the polygon behind an edge just before a fraction of it. Returns false at a wall. */
function crossLeft({ mesh, filter }: Ground, poly: number, edge: number, at: number): boolean {
  const { edgeVertex, polyEdgeStart, polyVertexCount, portalEdge, portalSpan } = mesh;
  const other = mesh.edgeNeighbor[edge];
  if (other >= 0) {
    if (!passesFilter(filter, mesh, other)) return false;
    const first = polyEdgeStart[poly];
    const vertex = edgeVertex[edge + 1 === first + polyVertexCount[poly] ? first : edge + 1];
    const start = polyEdgeStart[other];
    const end = start + polyVertexCount[other];
    for (let e = start; e < end; e++) {
      if (edgeVertex[e] !== vertex) continue;
      next.poly = other;
      next.edge = e;
      nextSpot[0] = 0;
      return true;
    }
    return false;
  }
  if (other === -1) return false;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (portalEdge[l] !== edge || portalSpan[2 * l] >= at - EDGE_SLACK || portalSpan[2 * l + 1] < at - EDGE_SLACK)
      continue;
    if (!passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    const back = mesh.portalBack[l];
    const low = portalSpan[2 * l];
    const high = portalSpan[2 * l + 1];
    const share = (high - at) / (high - low);
    const from = portalSpan[2 * back];
    const there = share > EDGE_SLACK ? from + share * (portalSpan[2 * back + 1] - from) : from;
    next.poly = mesh.portalPoly[l];
    next.edge = portalEdge[back];
    nextSpot[0] = there > EDGE_SLACK ? there : 0;
    return true;
  }
  return false;
}

/** Returns the vertex of the other tile at a position inside a border edge where a portal ends; -1: none. */
function vertexInside(ground: Ground, poly: number, edge: number, at: number): number {
  const { mesh, portalEnds } = ground;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge) continue;
    for (let side = 0; side < 2; side++) {
      if (Math.abs(mesh.portalSpan[2 * l + side] - at) <= EDGE_SLACK) return portalEnds[2 * l + side];
    }
  }
  return -1;
}

/**
 * Counts the half turns from the first wall to each ray between polygons, and back from the last wall. Returns whether the sector
 * is wider than a half turn. No polygon is wider than that, so no turn is missed.
 */
function isReflex(ground: Ground, vertex: number, count: number): boolean {
  turns[0] = 0;
  isOnLine[0] = 1;
  for (let i = 0; i < count; i++) {
    if (spots[i] > 0) {
      // A position inside an edge spans exactly a half turn, in spite of rounding.
      turns[i + 1] = turns[i] + 1;
      isOnLine[i + 1] = isOnLine[i];
      continue;
    }
    const side = sideOfPoints(ground.xs, ground.zs, vertex, rights[0], lefts[i]);
    const half = side > 0 || (side === 0 && isSameWay(ground, vertex, rights[0], lefts[i])) ? 0 : 1;
    turns[i + 1] = turns[i] + ((turns[i] & 1) === half ? 0 : 1);
    isOnLine[i + 1] = side === 0 ? 1 : 0;
  }
  if (!(turns[count] > 1 || (turns[count] === 1 && isOnLine[count] === 0))) return false;
  const last = lefts[count - 1];
  backTurns[count] = 0;
  isBackOnLine[count] = 1;
  for (let i = count - 1; i >= 0; i--) {
    if (spots[i] > 0) {
      backTurns[i] = backTurns[i + 1] + 1;
      isBackOnLine[i] = isBackOnLine[i + 1];
      continue;
    }
    const side = sideOfPoints(ground.xs, ground.zs, vertex, last, rights[i]);
    const half = side < 0 || (side === 0 && isSameWay(ground, vertex, last, rights[i])) ? 0 : 1;
    backTurns[i] = backTurns[i + 1] + ((backTurns[i + 1] & 1) === half ? 0 : 1);
    isBackOnLine[i] = side === 0 ? 1 : 0;
  }
  return true;
}

/** Returns whether two vertices on a line through a third vertex are on the same side of the third. */
function isSameWay({ xs, zs }: Ground, vertex: number, a: number, b: number): boolean {
  return (xs[a] - xs[vertex]) * (xs[b] - xs[vertex]) + (zs[a] - zs[vertex]) * (zs[b] - zs[vertex]) > 0;
}

/** Adds the current sector as a corner, with its cones. */
function addCorner(out: Sectors, vertex: number, count: number): void {
  const corner = addCornerTo(out, vertex, turns[count] < 2 ? rights[0] : -1);
  const right = rights[0];
  const left = lefts[count - 1];
  for (let i = 0; i < count; i++) {
    const edge = spots[i] > 0 ? edges[i] : -1;
    addItem(out, polys[i], edge);
    if (turns[i] > 0 || backTurns[i + 1] > 0) {
      addStart(out, corner, polys[i], edge, rights[i], lefts[i]);
      continue;
    }
    if (isBeyondHalf(backTurns[i], isBackOnLine[i])) addStart(out, corner, polys[i], edge, rights[i], ~left);
    if (isBeyondHalf(turns[i + 1], isOnLine[i + 1])) addStart(out, corner, polys[i], edge, ~right, lefts[i]);
  }
  out.itemStart[corner + 1] = out.itemCount;
}

/** Adds a corner without items and starts and returns its number. `wall`: see `Sectors`. */
export function addCornerTo(out: Sectors, vertex: number, wall: number): number {
  const corner = out.cornerCount++;
  out.vertex = withRoom(out.vertex, corner + 1);
  out.vertex[corner] = vertex;
  out.wall = withRoom(out.wall, corner + 1);
  out.wall[corner] = wall;
  out.itemStart = withRoom(out.itemStart, corner + 2);
  return corner;
}

/** Adds a polygon to the last corner. */
export function addItem(out: Sectors, poly: number, edge: number): void {
  const item = out.itemCount++;
  out.itemPoly = withRoom(out.itemPoly, item + 1);
  out.itemEdge = withRoom(out.itemEdge, item + 1);
  out.itemPoly[item] = poly;
  out.itemEdge[item] = edge;
}

/** Returns whether a ray is more than a half turn away. */
function isBeyondHalf(halfTurns: number, onLine: number): boolean {
  return halfTurns > 1 || (halfTurns === 1 && onLine === 0);
}

/** Adds a cone at its corner. */
// oxlint-disable-next-line max-params -- one start is a row of five numbers
export function addStart(out: Sectors, corner: number, poly: number, edge: number, right: number, left: number): void {
  const at = START_STRIDE * out.startCount++;
  out.starts = withRoom(out.starts, at + START_STRIDE);
  out.starts[at] = corner;
  out.starts[at + 1] = poly;
  out.starts[at + 2] = edge;
  out.starts[at + 3] = right;
  out.starts[at + 4] = left;
}
