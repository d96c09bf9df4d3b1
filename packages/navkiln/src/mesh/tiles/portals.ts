/**
 * Opens the border between neighboring tiles: portals connect edges that touch, in both directions.
 *
 * Two border edges of neighboring tiles (all layers) get a pair of portals when they lie on one line seen from above,
 * overlap along it, and are close in height there. Close means that the surfaces (border-heights.ts) cross, or are within
 * twice the agent's climb at some place of the overlap. The overlap is computed once for both directions, in doubles. An end that
 * coincides with an end of the edge is that end exactly. An edge may have any number of portals. A polygon's list is
 * ordered by edge, span, layer and polygon, so it does not depend on the order in which tiles were added.
 *
 * Edges lie on one line when they are less than a twentieth of a cell apart (1/4096 of the tile's side
 * without cells). Vertices on borders lie on whole cells, so any fraction serves. Along the line, the
 * tolerance covers only what coordinates may have lost in float32, up to a sixteenth of that: most coordinates are
 * doubles, and far from the origin the rounding of float32 is as wide as a door. In height it is slightly more. A
 * missed overlap would be a wall in open space.
 *
 * In: a tile and one of its sides.
 * Out: two portal records for each pair of edges that touch.
 * Cost: O(n log n + portals) in the border edges of both tiles, which are swept in order along the border.
 * Based on: Detour's connectExtLinks (Mikko Mononen), whose rule this is. Spans are not quantized, an edge
 * has more than four neighbors, tolerances are relative, the distance across is measured at both ends of
 * the overlap, and heights are those of the surface instead of the edge.
 */
import { areHeightsNear, heightsAlong } from './border-heights.ts';
import type { Heights } from './border-heights.ts';
import { growPool } from './grow-pool.ts';
import { markIslandsStale, uniteIslands } from '../islands.ts';
import { firstTileAt, nextTileAt } from './tile-grid.ts';
import type { NavMesh } from '../types.ts';

/** Relative error of coordinates that may once have been float32. */
const ROUNDING = 2 ** -23;
/** The same for edges of 2D maps, whose corners are exact. */
const MAP_ROUNDING = 2 ** -52;

/** An edge on a tile's border. */
interface BorderEdge {
  poly: number;
  edge: number;
  /** Offsets of its start and end in `vertices`. */
  a: number;
  b: number;
  /** Interval along the border. */
  low: number;
  high: number;
  /** 0: of the tile itself, 1: of its neighbor. */
  group: number;
  /** Heights of the surface along it; undefined until they are needed. */
  heights: Heights | undefined;
  /** The portal that was inserted last into the polygon's list, or -1. */
  last: number;
}

/** The tolerances between two neighboring tiles, world units. */
export interface Border {
  /** The axis along the border, 0 or 2. */
  along: number;
  /** Tolerance along the border. */
  rounding: number;
  /** Tolerance across the border. */
  slack: number;
  /** Tolerance in height. */
  reach: number;
}

/** Returns the tolerances between two tiles that are neighbors at this side of the first. */
export function borderBetween(mesh: NavMesh, slot: number, other: number, side: number): Border {
  const { tileBounds, cellSize } = mesh;
  let size = 0;
  for (let k = 0; k < 6; k++)
    size = Math.max(size, Math.abs(tileBounds[6 * slot + k]), Math.abs(tileBounds[6 * other + k]));
  const epsilon = cellSize > 0 ? cellSize / 20 : mesh.tileSize / 4096;
  const lost = (mesh.mapYSign === 0 ? ROUNDING : MAP_ROUNDING) * size;
  const rounding = Math.min(lost, epsilon / 16);
  // Twice the climb must count as within twice the climb, whatever rounding did to it.
  const reach = 2 * mesh.agent.maxClimb + epsilon / 256;
  return { along: 2 - 2 * (side & 1), rounding, slack: lost + epsilon, reach };
}

/** Opens a tile's side to all tiles next to it. There must be no portals between them yet. */
export function openPortals(mesh: NavMesh, slot: number, side: number): void {
  const { tileBounds } = mesh;
  // Sides -x, +z, +x, -z.
  const x = mesh.tileX[slot] + (side === 0 ? -1 : side === 2 ? 1 : 0);
  const z = mesh.tileZ[slot] + (side === 1 ? 1 : side === 3 ? -1 : 0);
  let near: BorderEdge[] | undefined;
  for (let other = firstTileAt(mesh, x, z); other >= 0; other = nextTileAt(mesh, other)) {
    const border = borderBetween(mesh, slot, other, side);
    if (
      tileBounds[6 * slot + 1] - tileBounds[6 * other + 4] > border.reach ||
      tileBounds[6 * other + 1] - tileBounds[6 * slot + 4] > border.reach
    )
      continue;
    near ??= borderEdges(mesh, slot, side, border.along, 0);
    if (near.length === 0) return;
    sweep(mesh, border, near.concat(borderEdges(mesh, other, side ^ 2, border.along, 1)));
  }
}

function borderEdges(mesh: NavMesh, slot: number, side: number, along: number, from: number): BorderEdge[] {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const out: BorderEdge[] = [];
  const polyEnd = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  for (let poly = mesh.tilePolyStart[slot]; poly < polyEnd; poly++) {
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let edge = first; edge < end; edge++) {
      if (edgeNeighbor[edge] !== -2 - side) continue;
      const a = 3 * edgeVertex[edge];
      const b = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
      const u = vertices[a + along];
      const v = vertices[b + along];
      out.push({
        poly,
        edge,
        a,
        b,
        low: u < v ? u : v,
        high: u < v ? v : u,
        group: from,
        heights: undefined,
        last: -1,
      });
    }
  }
  return out;
}

/** Joins each edge with the edges of the other group that it overlaps. */
function sweep(mesh: NavMesh, border: Border, edges: BorderEdge[]): void {
  edges.sort((a, b) => a.low - b.low);
  // The edges of each group that the sweep has not passed yet.
  const open: BorderEdge[][] = [[], []];
  for (const edge of edges) {
    const others = open[1 - edge.group];
    let kept = 0;
    for (const other of others) {
      if (other.high <= edge.low) continue;
      others[kept++] = other;
      join(mesh, border, edge, other);
    }
    others.length = kept;
    open[edge.group].push(edge);
  }
}

const spans = new Float64Array(4);

/** Connects two edges with a pair of portals if they touch. */
function join(mesh: NavMesh, border: Border, a: BorderEdge, b: BorderEdge): void {
  const { along, rounding, slack, reach } = border;
  const { vertices } = mesh;
  const low = a.low > b.low ? a.low : b.low;
  const high = a.high < b.high ? a.high : b.high;
  if (!(high - low > 2 * rounding)) return;
  for (let end = 0; end < 2; end++) {
    const u = end === 0 ? low : high;
    const s = positionOnEdge(vertices, a, along, rounding, u);
    const t = positionOnEdge(vertices, b, along, rounding, u);
    if (!(Math.abs(valueAt(vertices, a, 2 - along, s) - valueAt(vertices, b, 2 - along, t)) <= slack)) return;
    spans[end] = s;
    spans[2 + end] = t;
  }
  a.heights ??= heightsAlong(mesh, a.poly, a.a, a.b, along, rounding);
  b.heights ??= heightsAlong(mesh, b.poly, b.a, b.b, along, rounding);
  if (!areHeightsNear(a.heights, b.heights, low, high, reach)) return;
  const portal = takePortal(mesh);
  const back = takePortal(mesh);
  setPortal(mesh, portal, back, a, b.poly, 0);
  setPortal(mesh, back, portal, b, a.poly, 2);
  enlist(mesh, a, portal);
  enlist(mesh, b, back);
  uniteIslands(mesh, a.poly, b.poly);
}

/** Returns where a position along the border lies on an edge, 0 .. 1 from its start. */
function positionOnEdge(vertices: Float64Array, edge: BorderEdge, along: number, rounding: number, u: number): number {
  const from = vertices[edge.a + along];
  const to = vertices[edge.b + along];
  if (Math.abs(u - from) <= rounding) return 0;
  return Math.abs(u - to) <= rounding ? 1 : (u - from) / (to - from);
}

function valueAt(vertices: Float64Array, edge: BorderEdge, axis: number, t: number): number {
  const from = vertices[edge.a + axis];
  return from + t * (vertices[edge.b + axis] - from);
}

function takePortal(mesh: NavMesh): number {
  const portal = mesh.portalFree;
  if (portal < 0) {
    if (mesh.portalCount === mesh.portalNext.length) growPool(mesh, 'portalCount', mesh.portalCount + 1);
    return mesh.portalCount++;
  }
  mesh.portalFree = mesh.portalNext[portal];
  return portal;
}

function setPortal(mesh: NavMesh, portal: number, back: number, edge: BorderEdge, poly: number, at: number): void {
  const s = spans[at];
  const t = spans[at + 1];
  mesh.portalPoly[portal] = poly;
  mesh.portalEdge[portal] = edge.edge;
  mesh.portalBack[portal] = back;
  mesh.portalSpan[2 * portal] = s < t ? s : t;
  mesh.portalSpan[2 * portal + 1] = s < t ? t : s;
}

/**
 * Inserts a portal into the polygon's ordered list. The search starts where the edge's last portal was
 * inserted.
 */
function enlist(mesh: NavMesh, edge: BorderEdge, portal: number): void {
  const { portalNext, polyPortal } = mesh;
  let before = edge.last >= 0 && comparePortals(mesh, edge.last, portal) < 0 ? edge.last : -1;
  let next = before < 0 ? polyPortal[edge.poly] : portalNext[before];
  while (next >= 0 && comparePortals(mesh, next, portal) < 0) {
    before = next;
    next = portalNext[next];
  }
  portalNext[portal] = next;
  if (before < 0) polyPortal[edge.poly] = portal;
  else portalNext[before] = portal;
  edge.last = portal;
}

/** Compares two portals of a polygon; negative when a comes first: by edge, span, and the polygon behind it. */
export function comparePortals(mesh: NavMesh, a: number, b: number): number {
  const { portalEdge, portalSpan, portalPoly, portalBack, tileLayer, polyTile } = mesh;
  return (
    portalEdge[a] - portalEdge[b] ||
    portalSpan[2 * a] - portalSpan[2 * b] ||
    portalSpan[2 * a + 1] - portalSpan[2 * b + 1] ||
    tileLayer[polyTile[portalPoly[a]]] - tileLayer[polyTile[portalPoly[b]]] ||
    portalPoly[a] - portalPoly[b] ||
    portalEdge[portalBack[a]] - portalEdge[portalBack[b]]
  );
}

/** Closes all portals of a tile, in both directions. */
export function closePortals(mesh: NavMesh, slot: number): void {
  const { polyPortal, portalNext, portalPoly, portalBack } = mesh;
  const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  // Marks the reverse portals first, so that each neighbor's list is walked only once.
  for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
    for (let portal = polyPortal[poly]; portal >= 0; portal = portalNext[portal]) portalPoly[portalBack[portal]] = -1;
  }
  for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
    if (polyPortal[poly] < 0) continue;
    markIslandsStale(mesh);
    for (let portal = polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
      if (portalBack[portalBack[portal]] === portal) freeStruck(mesh, portalPoly[portal]);
      portalPoly[portal] = -1;
    }
    freeStruck(mesh, poly);
  }
}

/** Removes marked portals from a polygon's list. */
function freeStruck(mesh: NavMesh, poly: number): void {
  const { portalNext, portalPoly, portalBack } = mesh;
  let last = -1;
  let next;
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = next) {
    next = portalNext[portal];
    if (portalPoly[portal] < 0) {
      portalBack[portal] = -1;
      portalNext[portal] = mesh.portalFree;
      mesh.portalFree = portal;
      continue;
    }
    if (last < 0) mesh.polyPortal[poly] = portal;
    else portalNext[last] = portal;
    last = portal;
  }
  if (last < 0) mesh.polyPortal[poly] = -1;
  else portalNext[last] = -1;
}
