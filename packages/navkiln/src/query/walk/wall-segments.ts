/**
 * Lists the walls of a polygon: edges, or parts of edges, without a passable neighbor. On request it lists
 * the portals between them, too.
 *
 * On a tile border the walls of an edge come first, then its portals. Portals may overlap each other where
 * tiles have layers. Walls never overlap a portal.
 *
 * In: a polygon.
 * Out: segments in the order of its edges, counter-clockwise seen from above, each with the polygon behind
 * it, if any.
 * Cost: linear in the edges; quadratic in the portals of a border edge.
 * Based on: own; same query as Detour's getPolyWallSegments (Mikko Mononen). Differences from Detour: no limit on
 * segments, both ends at their own heights, exact spans, and no wall between two portals that overlap.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { resolvePoly } from '../nearest/start.ts';
import { nextGap, withRoom } from './open-edges.ts';

/** Options of `getWallSegments`. */
export interface WallSegmentOptions {
  /** Which polygons are passable. Edges to all others are walls. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
  /** Whether to list portals, too. Default false. */
  withPortals?: boolean;
}

/** A wall, or a portal with `withPortals`. */
export interface WallSegment {
  start: [number, number, number];
  end: [number, number, number];
  /** The polygon behind the segment, or `NULL_REF` for a wall. */
  ref: PolyRef;
}

/** Result of the kernel. Create it with `createWallSegments` and reuse it. */
export interface WallSegments {
  count: number;
  /** Start and end of each segment, xyz each. Stride 6; the array may be longer. */
  points: Float64Array;
  /** The polygon behind each segment as a dense index, or -1 for a wall. */
  polys: Int32Array;
}

/** Creates an empty list for `addWallSegments`. It grows as needed. */
export function createWallSegments(): WallSegments {
  return { count: 0, points: new Float64Array(0), polys: new Int32Array(0) };
}

/** Numbers per segment in `WallSegments.points`. */
const SEGMENT_STRIDE = 6;

const shared = createWallSegments();
/** The part of an edge that is added: from fraction part[0] to part[1]. */
const part = new Float64Array(2);

/**
 * Returns the walls of a polygon, or null when the polygon no longer exists. Throws a RangeError for unknown
 * options.
 */
export function getWallSegments(mesh: NavMesh, ref: PolyRef, options: WallSegmentOptions = {}): WallSegment[] | null {
  refuseInMethod('getWallSegments');
  checkKeys('getWallSegments', options, ['filter', 'size', 'withPortals']);
  const filter = readFilter('getWallSegments', options, mesh);
  const { withPortals = false } = options;
  const poly = resolvePoly(mesh, ref, 'getWallSegments');
  if (poly < 0) return null;
  shared.count = 0;
  addWallSegments(shared, mesh, poly, filter, withPortals);
  const { count, points: p, polys } = shared;
  const segments: WallSegment[] = [];
  for (let i = 0; i < count; i++) {
    const k = SEGMENT_STRIDE * i;
    segments.push({
      start: [p[k], p[k + 1], p[k + 2]],
      end: [p[k + 3], p[k + 4], p[k + 5]],
      ref: polys[i] < 0 ? NULL_REF : refOf(mesh, polys[i]),
    });
  }
  return segments;
}

/**
 * Kernel of `getWallSegments`. Appends to `out`, so that a caller can collect the walls of several polygons.
 * Set `out.count` to 0 before the first call.
 */
export function addWallSegments(
  out: WallSegments,
  mesh: NavMesh,
  poly: number,
  filter: QueryFilter,
  withPortals: boolean,
): void {
  refuseInMethod('addWallSegments');
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

// oxlint-disable-next-line max-params -- part of a kernel: a record would be one more object for each caller.
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
  const at = SEGMENT_STRIDE * out.count;
  if (out.points.length < at + SEGMENT_STRIDE) {
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
