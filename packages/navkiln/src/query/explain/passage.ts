/**
 * Finds where a passage is too narrow or too low for a size of agents, on a mesh with sizes, and measures its width.
 *
 * A search for another size finds a path that enters polygons where this size does not fit only if it must. A lattice
 * of points then covers the first of these polygons and similar polygons nearby. Points are joined in descending
 * distance from walls until they connect both ends of the passage. The last point is the narrowest on the widest route.
 * Half the width is its distance to the nearest wall of the mesh, plus the radius that the mesh keeps from walls.
 *
 * In: a filter with a size, and both ends. Out: the passage, or null when no other size gets through.
 * Cost: at most one search for each size, and a few thousand distances to walls. For explanations, not for every frame.
 * Based on: own.
 */
import { rootOf, unite } from '../../base/data/union-find.ts';
import { polyBounds } from '../../mesh/tiles/bv-tree.ts';
import { isLinkCrossing, linkEndOf, linkOf, setCrossingEnds } from '../../mesh/crossing.ts';
import { isOverPoly, setHeight } from '../../mesh/ground.ts';
import { kindsOf } from '../../mesh/link-kinds.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createFilter } from '../create-filter.ts';
import { fitsSize, passesFilter, sizedFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { findCorridor } from '../path/a-star.ts';
import { createCorridor } from '../path/corridor.ts';
import { createSearchState } from '../search-state.ts';
import { createWallHit, findDistanceToWallInto } from '../walk/wall.ts';
import type { PassageExplanation, Point } from './explanation.ts';

/**
 * Cost factor of length in polygons on which the size does not fit: routes may be this many times longer to avoid them.
 */
export const DETOUR = 1000;
/** Approximate maximum number of points of a lattice. The distance between them grows for large passages. */
const MOST_POINTS = 4096;

/**
 * Average difference between the width of a passage and the width measured on the mesh, in cells. The mesh rounds cells
 * that walls touch, and distances, away from walls. Without this correction, the error at 60 doors of
 * `explain-sizes.test.ts` is -0.6 to -2.5 cells.
 */
const ROUNDED_CELLS = 1.5;

const state = createSearchState();
const corridor = createCorridor();
const wall = createWallHit();
const ends = new Float64Array(6);

/** A point on a polygon (dense index). */
export interface Place {
  poly: number;
  point: ArrayLike<number>;
}

/** Returns the passage that keeps the size of a filter from the end, or null when no other size gets there. */
export function findPassage(mesh: NavMesh, filter: QueryFilter, start: Place, end: Place): PassageExplanation | null {
  for (const other of findRoutes(mesh, filter, start, end)) {
    const [from, to] = [Float64Array.from(start.point), Float64Array.from(end.point)];
    const narrow = narrowestOnRoute(mesh, filter, sizedFilter(filter, other), from, to);
    if (narrow !== null) return describe(mesh, filter, other, narrow);
  }
  return null;
}

/**
 * Returns the link that keeps the size of a filter from the end, because it is for other sizes, and the name of such a
 * size. Returns null when a passage is the cause. Ledges are often too narrow where links for smaller sizes begin; in
 * this case the link is the cause.
 */
export function findSizedLink(
  mesh: NavMesh,
  filter: QueryFilter,
  start: Place,
  end: Place,
): { linkEnd: number; fits: string } | null {
  for (const other of findRoutes(mesh, filter, start, end)) {
    const { polys, crossings, count } = corridor;
    let isOver = false;
    for (let i = 0; i + 1 < count && !isOver; i++) {
      const linkEnd = isLinkCrossing(crossings[i]) ? linkEndOf(crossings[i]) : -1;
      if (linkEnd >= 0 && !fitsSize(filter, mesh.linkSizes[linkOf(linkEnd)]))
        return { linkEnd, fits: mesh.sizes[other].name };
      isOver = !fits(mesh, filter, polys[i]) && (linkEnd >= 0 || fits(mesh, filter, polys[i + 1]));
    }
    if (isOver) return null;
  }
  return null;
}

/**
 * Searches routes of other sizes, the next smaller ones first, that use few of the polygons and links closed to the
 * size of a filter. Yields their sizes.
 */
function* findRoutes(mesh: NavMesh, filter: QueryFilter, start: Place, end: Place): Generator<number> {
  for (const other of otherSizes(mesh, filter)) {
    const open = sizedFilter(filter, other);
    if (!passesFilter(open, mesh, start.poly) || !passesFilter(open, mesh, end.poly)) continue;
    // Links and areas cost the same as for the caller; lengths where the size does not fit are expensive.
    const weighed = createFilter({
      areaCosts: Object.fromEntries([...filter.areaCosts.entries()].filter(([, cost]) => cost === Infinity)),
      includeFlags: filter.includeFlags,
      excludeFlags: filter.excludeFlags,
      closedLinks: kindsOf(filter.closedLinks ?? 0),
      size: other,
      cost: (_, { poly, length }) => (fits(mesh, filter, poly) ? length : DETOUR * length),
    });
    const [from, to] = [Float64Array.from(start.point), Float64Array.from(end.point)];
    findCorridor(corridor, state, mesh, weighed, start.poly, from, end.poly, to, Infinity);
    if (corridor.outcome === 'complete') yield other;
  }
}

/** Returns the passage at a position where the size of a filter does not fit, or null when no other size fits. */
export function measurePlace(mesh: NavMesh, filter: QueryFilter, place: Place): PassageExplanation | null {
  const other = otherSizes(mesh, filter).find((size) => passesFilter(sizedFilter(filter, size), mesh, place.poly));
  if (other === undefined) return null;
  const point = Float64Array.from(place.point);
  const clear = distanceToWall(mesh, sizedFilter(filter, other), place.poly, point, radiusOf(mesh, filter));
  return describe(mesh, filter, other, { clear, point: [point[0], point[1], point[2]] });
}

/** Returns all sizes except that of a filter, the next smaller ones first. */
function otherSizes({ sizes }: NavMesh, { size = 0 }: QueryFilter): number[] {
  const rank = (k: number): number => (k < size ? size - k : 16 + k);
  return [...sizes.keys()].filter((k) => k !== size).sort((a, b) => rank(a) - rank(b));
}

function fits({ polySizes }: NavMesh, { size = 0 }: QueryFilter, poly: number): boolean {
  return ((polySizes[poly] >> size) & 1) === 1;
}

function radiusOf({ sizes }: NavMesh, { size = 0 }: QueryFilter): number {
  return sizes[size].radius;
}

/** The middle of a passage at its narrowest position, and the distance from there to the nearest wall. */
interface Narrow {
  clear: number;
  point: Point;
}

/**
 * Returns the narrowest position of the first part of the corridor where the size does not fit. Null: it fits
 * everywhere, or only a link leads there.
 */
function narrowestOnRoute(
  mesh: NavMesh,
  filter: QueryFilter,
  open: QueryFilter,
  start: Float64Array,
  end: Float64Array,
): Narrow | null {
  const { polys, crossings, count } = corridor;
  let first = 0;
  while (first < count && fits(mesh, filter, polys[first])) first++;
  let last = first;
  while (last < count && !fits(mesh, filter, polys[last]) && !isLinkCrossing(crossings[last])) last++;
  if (first === count) return null;
  const from = first === 0 ? at(start) : portalOf(mesh, polys[first - 1], crossings[first - 1]);
  const to = last === count ? at(end) : portalOf(mesh, polys[last - 1], crossings[last - 1]);
  return from === null || to === null
    ? null
    : widestWay(mesh, filter, open, polys.subarray(first, Math.max(last, first + 1)), from, to);
}

/** A segment: x, y, z of both ends. */
type Segment = Float64Array;

function at(point: Float64Array): Segment {
  return Float64Array.of(...point, ...point);
}

function portalOf(mesh: NavMesh, poly: number, crossing: number): Segment | null {
  if (isLinkCrossing(crossing)) return null;
  setCrossingEnds(ends, mesh, poly, crossing);
  return ends.slice();
}

/** Points of a lattice over polygons. */
interface Lattice {
  points: Point[];
  clear: number[];
  /** Per cell of the lattice (a text key): its points, one for each floor. */
  cells: Map<string, number[]>;
}

/**
 * Returns the narrowest point of the widest route from one segment to another, over polygons on which the size does not
 * fit.
 */
function widestWay(
  mesh: NavMesh,
  filter: QueryFilter,
  open: QueryFilter,
  route: Int32Array,
  from: Segment,
  to: Segment,
): Narrow | null {
  const polys = polysAround(mesh, filter, open, route);
  let area = 0;
  for (const poly of polys) {
    polyBounds(box, 0, mesh, poly);
    area += (box[3] - box[0]) * (box[5] - box[2]);
  }
  const step = Math.max(mesh.cellSize / 2, Math.sqrt(area / MOST_POINTS));
  const lattice = layLattice(mesh, open, polys, step, radiusOf(mesh, filter));
  const { points, clear, cells } = lattice;
  const count = points.length;
  // Two more sets represent the start and the end of the passage.
  const parent = Int32Array.from({ length: count + 2 }, (_, k) => k);
  const isLaid = new Uint8Array(count);
  const order = Array.from(points.keys()).sort((a, b) => clear[b] - clear[a] || a - b);
  for (const k of order) {
    isLaid[k] = 1;
    const [x, y, z] = points[k];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) {
        const key = keyOf(Math.round(x / step) + dx, Math.round(z / step) + dz);
        for (const other of cells.get(key) ?? []) {
          const isNear = Math.abs(points[other][1] - y) <= mesh.agent.maxClimb + 2 * step;
          if (isLaid[other] === 1 && isNear) unite(parent, k, other);
        }
      }
    }
    if (isAt(points[k], from, step)) unite(parent, k, count);
    if (isAt(points[k], to, step)) unite(parent, k, count + 1);
    if (rootOf(parent, count) === rootOf(parent, count + 1)) return { clear: clear[k], point: points[k] };
  }
  return null;
}

const box = new Float64Array(6);

/** Returns the polygons of a route, and those around it on which the size does not fit either, up to its diameter away. */
function polysAround(mesh: NavMesh, filter: QueryFilter, open: QueryFilter, route: Int32Array): Set<number> {
  const reach = 2 * radiusOf(mesh, filter);
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const poly of route) {
    polyBounds(box, 0, mesh, poly);
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], box[k] - reach);
      bounds[k + 3] = Math.max(bounds[k + 3], box[k + 3] + reach);
    }
  }
  const polys = new Set<number>(route);
  const visit = (poly: number): void => {
    if (poly < 0 || fits(mesh, filter, poly) || !passesFilter(open, mesh, poly)) return;
    polyBounds(box, 0, mesh, poly);
    const isNear = box[0] <= bounds[3] && box[3] >= bounds[0] && box[2] <= bounds[5] && box[5] >= bounds[2];
    if (isNear) polys.add(poly);
  };
  // Iterating a set also yields elements that are added meanwhile.
  for (const poly of polys) {
    const edges = mesh.polyEdgeStart[poly];
    for (let e = edges; e < edges + mesh.polyVertexCount[poly]; e++) visit(mesh.edgeNeighbor[e]);
    for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal])
      visit(mesh.portalPoly[portal]);
  }
  return polys;
}

function keyOf(x: number, z: number): string {
  return `${x} ${z}`;
}

/** Lays a lattice over polygons, and measures how far its points are from walls. */
function layLattice(mesh: NavMesh, open: QueryFilter, polys: Set<number>, step: number, most: number): Lattice {
  const lattice: Lattice = { points: [], clear: [], cells: new Map() };
  const point = new Float64Array(3);
  for (const poly of polys) {
    polyBounds(box, 0, mesh, poly);
    for (let x = Math.ceil(box[0] / step); x * step <= box[3]; x++) {
      for (let z = Math.ceil(box[2] / step); z * step <= box[5]; z++) {
        point[0] = x * step;
        point[2] = z * step;
        if (!isOverPoly(mesh, poly, point)) continue;
        setHeight(point, mesh, poly);
        const key = keyOf(x, z);
        const known = lattice.cells.get(key);
        const index = lattice.points.push([point[0], point[1], point[2]]) - 1;
        lattice.clear.push(distanceToWall(mesh, open, poly, point, most));
        if (known === undefined) lattice.cells.set(key, [index]);
        else known.push(index);
      }
    }
  }
  return lattice;
}

/** Returns whether a point is near a segment, seen from above. */
function isAt([x, , z]: Point, [ax, , az, bx, , bz]: Segment, step: number): boolean {
  const [dx, dz] = [bx - ax, bz - az];
  const lengthSq = dx * dx + dz * dz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / lengthSq)) : 0;
  const [ex, ez] = [ax + t * dx - x, az + t * dz - z];
  return ex * ex + ez * ez <= 2 * step * step;
}

function describe(mesh: NavMesh, filter: QueryFilter, other: number, { clear, point }: Narrow): PassageExplanation {
  const { sizes } = mesh;
  const own = sizes[filter.size ?? 0];
  const needs = 2 * own.radius;
  const has = 2 * (sizes[other].radius + clear) + ROUNDED_CELLS * mesh.cellSize;
  const isLower = own.height > sizes[other].height || own.maxClimb < sizes[other].maxClimb;
  return {
    size: own.name,
    fits: sizes[other].name,
    needs,
    has,
    point,
    isTooLow: isLower && has >= needs + 2 * mesh.cellSize,
  };
}

function distanceToWall(mesh: NavMesh, filter: QueryFilter, poly: number, point: Float64Array, most: number): number {
  findDistanceToWallInto(wall, state, mesh, poly, point, most, filter);
  return wall.poly < 0 ? most : Math.sqrt(wall.distanceSq);
}
