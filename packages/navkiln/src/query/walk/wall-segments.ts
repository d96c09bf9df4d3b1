/**
 * The walls of a polygon: its edges, or parts of edges, that lead nowhere; on demand what lies between them, too.
 *
 * In: a polygon. Out: segments in the order of its edges and along them, counter-clockwise seen from above (the polygon lies
 * to the left), each with the polygon behind it or none. Of an edge on a tile's border first the walls come, then the
 * openings; these may overlap each other where tiles lie in layers, walls never overlap an opening.
 * Cost: linear in the edges; of a border edge quadratic in its portals.
 * Based on: own. What is answered is what Detour's getPolyWallSegments (Mikko Mononen) answers, without a limit on segments, with
 * both ends at their own heights, spans that are exact, and not a wall between two openings that overlap.
 */
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { requirePoly } from '../nearest/start.ts';
import { nextGap, withRoom } from './open-edges.ts';

export interface WallSegmentOptions {
  /** Ground that does not pass is as good as none: its edges are walls. Default: all that has a flag passes. */
  filter?: QueryFilter;
  /** Also give the openings. Default false. */
  withPortals?: boolean;
}

export interface WallSegment {
  start: [number, number, number];
  end: [number, number, number];
  /** What is behind: `NULL_REF` for a wall. */
  ref: PolyRef;
}

/** What the kernel writes. Make one with `createWallSegments` and reuse it. */
export interface WallSegments {
  count: number;
  /** 6 a segment: start and end, xyz; the array may be longer. */
  points: Float64Array;
  /** What is behind: dense index, -1: a wall. */
  polys: Int32Array;
}

export function createWallSegments(): WallSegments {
  return { count: 0, points: new Float64Array(0), polys: new Int32Array(0) };
}

const shared = createWallSegments();
const part = new Float64Array(2);

/** The walls of a polygon. Throws a RangeError for a ref that names none. */
export function getWallSegments(mesh: NavMesh, ref: PolyRef, options: WallSegmentOptions = {}): WallSegment[] {
  const { filter = DEFAULT_FILTER, withPortals = false } = options;
  const poly = requirePoly(mesh, ref, 'getWallSegments');
  shared.count = 0;
  addWallSegments(shared, mesh, poly, filter, withPortals);
  const { count, points: p, polys } = shared;
  const segments: WallSegment[] = [];
  for (let i = 0; i < count; i++) {
    const k = 6 * i;
    segments.push({
      start: [p[k], p[k + 1], p[k + 2]],
      end: [p[k + 3], p[k + 4], p[k + 5]],
      ref: polys[i] < 0 ? NULL_REF : refOf(mesh, polys[i]),
    });
  }
  return segments;
}

/** Kernel of `getWallSegments`: appends to `out`, as walls of several polygons may be wanted; set its count to 0 before. */
export function addWallSegments(
  out: WallSegments,
  mesh: NavMesh,
  poly: number,
  filter: QueryFilter,
  withPortals: boolean,
): void {
  const { edgeNeighbor } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const stop = first + mesh.polyVertexCount[poly];
  for (let e = first; e < stop; e++) {
    const next = e + 1 === stop ? first : e + 1;
    const other = edgeNeighbor[e];
    if (other <= -2) {
      addBorder(out, mesh, poly, e, next, filter, withPortals);
      continue;
    }
    const isOpen = other >= 0 && passesFilter(filter, mesh, other);
    if (isOpen && !withPortals) continue;
    part[0] = 0;
    part[1] = 1;
    addPart(out, mesh, e, next, isOpen ? other : -1);
  }
}

function addBorder(
  out: WallSegments,
  mesh: NavMesh,
  poly: number,
  edge: number,
  next: number,
  filter: QueryFilter,
  withPortals: boolean,
): void {
  part[1] = 0;
  while (nextGap(part, mesh, poly, edge, filter)) addPart(out, mesh, edge, next, -1);
  if (!withPortals) return;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] !== edge || !passesFilter(filter, mesh, mesh.portalPoly[l])) continue;
    part[0] = mesh.portalSpan[2 * l];
    part[1] = mesh.portalSpan[2 * l + 1];
    addPart(out, mesh, edge, next, mesh.portalPoly[l]);
  }
}

/** Appends the part part[0] .. part[1] of an edge. */
function addPart(out: WallSegments, mesh: NavMesh, edge: number, next: number, behind: number): void {
  const { vertices, edgeVertex } = mesh;
  const at = 6 * out.count;
  if (out.points.length < at + 6) {
    const larger = new Float64Array(Math.max(2 * out.points.length, 48));
    larger.set(out.points);
    out.points = larger;
  }
  if (out.polys.length === out.count) out.polys = withRoom(out.polys, out.count + 1);
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  for (let k = 0; k < 3; k++) {
    const start = vertices[a + k];
    const end = vertices[b + k];
    // Exact at both ends of the edge.
    out.points[at + k] = part[0] === 0 ? start : start + part[0] * (end - start);
    out.points[at + 3 + k] = part[1] === 1 ? end : start + part[1] * (end - start);
  }
  out.polys[out.count++] = behind;
}
