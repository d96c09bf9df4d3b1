/**
 * The lanes of a wall: straight lines outward from it, and where each first meets other surface.
 *
 *      inside | wall | outside
 *        A ---+------+-------------[ B ...      s: distance from A
 *
 * A lane starts `inset` inside of the wall. It lands where it enters a polygon over a wall, at the distance `enter`. Surface below
 * the wall itself, which a lane does not enter but starts over, counts from two radii on. Every floor in reach counts.
 *
 * In: a wall, the reach, the range of heights. Out: lanes with their landings.
 * Cost: lanes times polygons in reach.
 * Based on: own.
 */
import { isOverPoly, setHeight } from '../navmesh/ground.ts';
import { isPolyBefore } from '../navmesh/tile-grid.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { DEFAULT_FILTER } from '../query/filter.ts';
import { createPolyList, findPolysInBoxInto } from '../query/nearest/polys-in-box.ts';
import { isWallAt } from './walls.ts';
import type { Wall } from './walls.ts';

/** A place where a lane can land. */
export interface Landing {
  /** The polygon that the lane enters. */
  poly: number;
  /** Distance from A at which it enters. */
  enter: number;
  /** Height there. */
  y: number;
  /** Whether the lane does not enter it, but starts over it: below a balcony. */
  isBelow: boolean;
}

/** A lane: its start on the surface and its landings. */
export interface Lane {
  x: number;
  z: number;
  /** Height of the start; NaN: it is not over the surface. */
  y: number;
  poly: number;
  landings: Landing[];
  /** Whether agents have room at the start; undefined: not asked yet. */
  hasRoom?: boolean;
}

/** The data that all lanes of one wall share. */
export interface Lanes {
  wall: Wall;
  /** Unit vector outward. */
  nx: number;
  nz: number;
  lanes: Lane[];
  /** Polygons near the wall. */
  near: number[];
}

/** How far lanes go and what counts. World units. */
export interface Reach {
  spacing: number;
  inset: number;
  least: number;
  /** Distance at which bodies can be clear of the ledge that they start from. */
  clear: number;
  most: number;
  /** Landings may be this much below the wall, and above it. */
  below: number;
  above: number;
  climb: number;
}

const list = createPolyList();
const center = new Float64Array(3);
const extents = new Float64Array(3);
const point = new Float64Array(3);

/** Returns the lanes of a wall; null when nothing is in reach. */
export function findLanes(mesh: NavMesh, wall: Wall, reach: Reach): Lanes | null {
  const { a, b } = wall;
  const ex = b[0] - a[0];
  const ez = b[2] - a[2];
  const length = Math.sqrt(ex * ex + ez * ez);
  if (!(length > 0)) return null;
  const nx = -ez / length;
  const nz = ex / length;
  const near = polysNear(mesh, wall, nx, nz, reach);
  const count = Math.max(1, Math.ceil(length / reach.spacing));
  const lanes: Lane[] = [];
  for (let i = 0; i <= count; i++) {
    const t = i / count;
    const x = a[0] + t * ex - reach.inset * nx;
    const z = a[2] + t * ez - reach.inset * nz;
    const y = a[1] + t * (b[1] - a[1]);
    const lane: Lane = { x, z, y: NaN, poly: -1, landings: [] };
    lanes.push(lane);
    const poly = polyAt(mesh, near, wall.poly, x, y, z, reach.climb);
    if (poly < 0) continue;
    lane.poly = poly;
    lane.y = point[1];
    for (const other of near) addLanding(lane, mesh, other, nx, nz, reach);
  }
  return { wall, nx, nz, lanes, near };
}

/** Returns the polygons that lanes may meet and their own, in an order that does not depend on storage. */
// oxlint-disable-next-line max-params -- kernel
function polysNear(mesh: NavMesh, { a, b }: Wall, nx: number, nz: number, reach: Reach): number[] {
  for (let k = 0; k < 3; k++) {
    const n = k === 0 ? nx : k === 2 ? nz : 0;
    const ends = [a[k] + n * reach.most, b[k] + n * reach.most, a[k] - n * reach.inset, b[k] - n * reach.inset];
    let low = Math.min(...ends);
    let high = Math.max(...ends);
    if (k === 1) {
      low -= reach.below;
      high += reach.above;
    }
    center[k] = (low + high) / 2;
    extents[k] = (high - low) / 2 + reach.climb;
  }
  findPolysInBoxInto(list, mesh, center, extents, DEFAULT_FILTER);
  return Array.from(list.polys.subarray(0, list.count)).sort((p, q) =>
    p === q ? 0 : isPlacedBefore(mesh, p, q) ? -1 : 1,
  );
}

/** Orders polygons by tile and then by their corners: their numbers may change when a tile is rebuilt. */
function isPlacedBefore(mesh: NavMesh, p: number, q: number): boolean {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  if (mesh.polyTile[p] !== mesh.polyTile[q]) return isPolyBefore(mesh, p, q);
  const count = Math.min(polyVertexCount[p], polyVertexCount[q]);
  for (let i = 0; i < count; i++) {
    const a = 3 * edgeVertex[polyEdgeStart[p] + i];
    const b = 3 * edgeVertex[polyEdgeStart[q] + i];
    for (let k = 0; k < 3; k++) if (vertices[a + k] !== vertices[b + k]) return vertices[a + k] < vertices[b + k];
  }
  return p < q;
}

/**
 * Returns the polygon below a position whose surface is nearest to its height, within a step, or -1; `preferred` wins ties.
 * Writes the surface to `point`.
 */
// oxlint-disable-next-line max-params -- kernel
export function polyAt(
  mesh: NavMesh,
  polys: readonly number[],
  preferred: number,
  x: number,
  y: number,
  z: number,
  climb: number,
): number {
  let best = -1;
  let bestOff = climb;
  let bestY = 0;
  for (let i = -1; i < polys.length; i++) {
    const poly = i < 0 ? preferred : polys[i];
    if (poly < 0) continue;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    if (!isOverPoly(mesh, poly, point)) continue;
    setHeight(point, mesh, poly);
    const off = Math.abs(point[1] - y);
    if (best < 0 ? off > climb : off >= bestOff) continue;
    best = poly;
    bestOff = off;
    bestY = point[1];
  }
  point[1] = bestY;
  return best;
}

/** Returns the height that the last `polyAt` found. */
export function heightFound(): number {
  return point[1];
}

// oxlint-disable-next-line max-params -- kernel
function addLanding(lane: Lane, mesh: NavMesh, poly: number, nx: number, nz: number, reach: Reach): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let from = -Infinity;
  let to = Infinity;
  let edge = -1;
  for (let e = first; e < end; e++) {
    const u = 3 * edgeVertex[e];
    const v = 3 * edgeVertex[e + 1 === end ? first : e + 1];
    const ex = vertices[v] - vertices[u];
    const ez = vertices[v + 2] - vertices[u + 2];
    // Not negative inside, as in isOverPoly; changes by `slope` along the lane.
    const inside = ez * (lane.x - vertices[u]) - ex * (lane.z - vertices[u + 2]);
    const slope = ez * nx - ex * nz;
    if (slope === 0) {
      if (inside < 0) return;
    } else if (slope > 0) {
      const s = -inside / slope;
      if (s > from) {
        from = s;
        edge = e;
      }
    } else {
      to = Math.min(to, -inside / slope);
    }
  }
  if (!(from < to) || to < reach.least || from > reach.most || edge < 0) return;
  const isBelow = from < reach.least;
  const enter = isBelow ? Math.max(reach.least, Math.min(reach.clear, to)) : from;
  point[0] = lane.x + enter * nx;
  point[1] = lane.y;
  point[2] = lane.z + enter * nz;
  setHeight(point, mesh, poly);
  const y = point[1];
  if (y < lane.y - reach.below || y > lane.y + reach.above) return;
  if (isBelow) {
    // The surface that the lane starts from, or goes on over.
    if (Math.abs(y - lane.y) <= reach.climb) return;
  } else {
    const u = 3 * edgeVertex[edge];
    const v = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
    const axis = Math.abs(vertices[v] - vertices[u]) >= Math.abs(vertices[v + 2] - vertices[u + 2]) ? 0 : 2;
    if (!isWallAt(mesh, poly, edge, (point[axis] - vertices[u + axis]) / (vertices[v + axis] - vertices[u + axis])))
      return;
  }
  lane.landings.push({ poly, enter, y, isBelow });
}
