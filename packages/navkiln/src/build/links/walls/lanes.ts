/**
 * The lanes of a wall: straight horizontal lines outward from it, and the surfaces that each lane can land on.
 *
 *      inside | wall | outside
 *        A ---+------+-------------[ B ...      s: distance from A
 *
 * A lane starts at A, `inset` inside of the wall. It lands where it enters a polygon across a wall, at the distance `enter`. If the lane
 * starts above a surface, as on a balcony, it enters no polygon there: its landing is two radii away, or less where the surface ends. A lane has one landing on each floor
 * in reach.
 *
 * In: a wall, the reach, the range of heights. Out: lanes with their landings.
 * Cost: lanes times polygons in reach.
 * Based on: own.
 */
import { isOverPoly, setHeight } from '../../../mesh/ground.ts';
import { isPolyBefore } from '../../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../../query/filter.ts';
import { createPolyList, findPolysInBoxInto } from '../../../query/nearest/polys-in-box.ts';
import { isWallAt } from './walls.ts';
import type { Wall } from './walls.ts';

/** The lanes of one wall, by number, and their common values. The record is reused for each wall. */
export interface Lanes {
  wall: Wall;
  /** Unit vector that points outward from the wall. */
  nx: number;
  nz: number;
  count: number;
  /** Distance between lanes. */
  step: number;
  /** Where each lane starts on the surface; y is NaN when it is not over the surface. */
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  poly: Int32Array;
  /** Whether an agent fits at the start: 1 yes, 0 no, 2 not tested yet. */
  hasRoom: Uint8Array;
  /** End of each lane at the current distance: polygon, or -1 if there is none, and height. Callers write it. */
  endPoly: Int32Array;
  endY: Float64Array;
  /** Landings, ordered by lane. */
  landings: Landings;
  near: NearPolys;
}

/** Positions where lanes can land. */
interface Landings {
  count: number;
  lane: Int32Array;
  /** The polygon that the lane enters. */
  poly: Int32Array;
  /** Distance from A at which it enters. */
  enter: Float64Array;
  /** Height of the surface at that distance. */
  y: Float64Array;
  /** 1 if the lane starts above the polygon, as on a balcony, and so does not enter it. */
  isBelow: Uint8Array;
  /** The landing of the next lane of its group (groups.ts). */
  next: Int32Array;
}

/** Polygons near a wall, and the ranges that they cover along the wall and outward from the starts of lanes. */
interface NearPolys {
  count: number;
  poly: Int32Array;
  /** Four numbers per polygon: least and largest distance along, then outward. */
  ranges: Float64Array;
}

/** Limits of lanes and landings. World units. */
export interface Reach {
  spacing: number;
  inset: number;
  least: number;
  /** Distance at which bodies can be clear of the ledge from which they start. */
  clear: number;
  most: number;
  /** Largest height of the wall above a landing, and of a landing above the wall. */
  below: number;
  above: number;
  climb: number;
}

const list = createPolyList();
const center = new Float64Array(3);
const extents = new Float64Array(3);
const point = new Float64Array(3);

export function createLanes(): Lanes {
  return {
    wall: { poly: -1, a: new Float64Array(3), b: new Float64Array(3) },
    nx: 0,
    nz: 0,
    count: 0,
    step: 0,
    ...lanesOf(0),
    landings: { count: 0, ...landingsOf(64) },
    near: { count: 0, poly: new Int32Array(16), ranges: new Float64Array(64) },
  };
}

function lanesOf(size: number): Pick<Lanes, 'x' | 'y' | 'z' | 'poly' | 'hasRoom' | 'endPoly' | 'endY'> {
  return {
    x: new Float64Array(size),
    y: new Float64Array(size),
    z: new Float64Array(size),
    poly: new Int32Array(size),
    hasRoom: new Uint8Array(size),
    endPoly: new Int32Array(size),
    endY: new Float64Array(size),
  };
}

function landingsOf(size: number): Omit<Landings, 'count'> {
  return {
    lane: new Int32Array(size),
    poly: new Int32Array(size),
    enter: new Float64Array(size),
    y: new Float64Array(size),
    isBelow: new Uint8Array(size),
    next: new Int32Array(size),
  };
}

/** Finds the lanes of a wall and their landings. Returns false if no surface is in reach. */
export function findLanes(lanes: Lanes, mesh: NavMesh, wall: Wall, reach: Reach): boolean {
  const { a, b } = wall;
  const ex = b[0] - a[0];
  const ez = b[2] - a[2];
  const length = Math.sqrt(ex * ex + ez * ez);
  if (!(length > 0)) return false;
  lanes.wall = wall;
  lanes.nx = -ez / length;
  lanes.nz = ex / length;
  lanes.landings.count = 0;
  if (!setNear(lanes, mesh, reach)) return false;
  const pieces = Math.max(1, Math.ceil(length / reach.spacing));
  lanes.count = pieces + 1;
  if (lanes.count > lanes.x.length) Object.assign(lanes, lanesOf(2 * lanes.count));
  const { near, x, y, z, poly, hasRoom } = lanes;
  for (let i = 0; i <= pieces; i++) {
    const t = i / pieces;
    x[i] = a[0] + t * ex - reach.inset * lanes.nx;
    z[i] = a[2] + t * ez - reach.inset * lanes.nz;
    y[i] = NaN;
    poly[i] = -1;
    hasRoom[i] = 2;
    if (i === 1) lanes.step = Math.sqrt((x[1] - x[0]) * (x[1] - x[0]) + (z[1] - z[0]) * (z[1] - z[0]));
    const along = t * length;
    let isAsked = false;
    for (let k = 0; k < near.count; k++) {
      const at = 4 * k;
      if (along < near.ranges[at] || along > near.ranges[at + 1] || near.ranges[at + 3] < reach.least) continue;
      if (!isAsked) {
        poly[i] = polyAt(mesh, lanes, wall.poly, i, 0, a[1] + t * (b[1] - a[1]), reach.climb);
        if (poly[i] < 0) break;
        y[i] = point[1];
        isAsked = true;
      }
      addLanding(lanes, mesh, i, near.poly[k], reach);
    }
  }
  return lanes.landings.count > 0;
}

/** Margin on ranges that covers rounding, as a share of the distance between lanes. */
const MARGIN = 1e-6;

/**
 * Finds the polygons on which lanes may start or land, in an order that does not depend on storage. Returns whether lanes may land on one
 * of them.
 */
function setNear({ wall: { a, b }, nx, nz, near }: Lanes, mesh: NavMesh, reach: Reach): boolean {
  for (let k = 0; k < 3; k++) {
    const n = k === 0 ? nx : k === 2 ? nz : 0;
    const inside = n * reach.inset;
    const outside = n * reach.most;
    let low = Math.min(a[k], b[k]) + Math.min(outside, -inside);
    let high = Math.max(a[k], b[k]) + Math.max(outside, -inside);
    if (k === 1) {
      low -= reach.below;
      high += reach.above;
    }
    center[k] = (low + high) / 2;
    extents[k] = (high - low) / 2 + reach.climb;
  }
  findPolysInBoxInto(list, mesh, center, extents, DEFAULT_FILTER);
  if (list.count > near.poly.length) {
    near.poly = new Int32Array(2 * list.count);
    near.ranges = new Float64Array(8 * list.count);
  }
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const margin = MARGIN * reach.spacing;
  const { poly, ranges } = near;
  const length = (b[0] - a[0]) * nz - (b[2] - a[2]) * nx;
  near.count = 0;
  let isAny = false;
  for (let i = 0; i < list.count; i++) {
    const one = list.polys[i];
    let alongLow = Infinity;
    let alongHigh = -Infinity;
    let outLow = Infinity;
    let outHigh = -Infinity;
    const first = polyEdgeStart[one];
    for (let edge = first; edge < first + polyVertexCount[one]; edge++) {
      const at = 3 * edgeVertex[edge];
      const dx = vertices[at] - a[0];
      const dz = vertices[at + 2] - a[2];
      const along = dx * nz - dz * nx;
      const out = dx * nx + dz * nz + reach.inset;
      if (along < alongLow) alongLow = along;
      if (along > alongHigh) alongHigh = along;
      if (out < outLow) outLow = out;
      if (out > outHigh) outHigh = out;
    }
    if (alongLow > length + margin || alongHigh < -margin || outLow > reach.most + margin || outHigh < -margin)
      continue;
    isAny ||= outHigh + margin >= reach.least;
    let k = near.count++;
    for (; k > 0 && isPlacedBefore(mesh, one, poly[k - 1]); k--) {
      poly[k] = poly[k - 1];
      ranges.copyWithin(4 * k, 4 * k - 4, 4 * k);
    }
    poly[k] = one;
    ranges[4 * k] = alongLow - margin;
    ranges[4 * k + 1] = alongHigh + margin;
    ranges[4 * k + 2] = outLow - margin;
    ranges[4 * k + 3] = outHigh + margin;
  }
  return isAny;
}

/** Orders polygons by tile and then by their corners, since their indices may change when a tile is rebuilt. */
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
 * Returns the polygon at a position of a lane whose surface is nearest to the given height, or -1 if none is within a step.
 * `preferred` wins ties. Writes the point on the surface to `point`.
 */
// oxlint-disable-next-line max-params -- kernel
export function polyAt(
  mesh: NavMesh,
  lanes: Lanes,
  preferred: number,
  lane: number,
  distance: number,
  y: number,
  climb: number,
): number {
  const { near, nx, nz, step } = lanes;
  const { ranges } = near;
  const x = lanes.x[lane] + distance * nx;
  const z = lanes.z[lane] + distance * nz;
  const along = lane * step;
  let best = -1;
  let bestOff = climb;
  let bestY = 0;
  for (let i = -1; i < near.count; i++) {
    const poly = i < 0 ? preferred : near.poly[i];
    const at = 4 * i;
    if (
      i >= 0 &&
      (poly === preferred ||
        along < ranges[at] ||
        along > ranges[at + 1] ||
        distance < ranges[at + 2] ||
        distance > ranges[at + 3])
    )
      continue;
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
function addLanding(lanes: Lanes, mesh: NavMesh, lane: number, poly: number, reach: Reach): void {
  const { vertices, edgeVertex } = mesh;
  const { nx, nz, landings } = lanes;
  const x = lanes.x[lane];
  const y0 = lanes.y[lane];
  const z = lanes.z[lane];
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
    // `inside` is >= 0 inside of the edge, as in isOverPoly. It changes by `slope` along the lane.
    const inside = ez * (x - vertices[u]) - ex * (z - vertices[u + 2]);
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
  point[0] = x + enter * nx;
  point[1] = y0;
  point[2] = z + enter * nz;
  setHeight(point, mesh, poly);
  const y = point[1];
  if (y < y0 - reach.below || y > y0 + reach.above) return;
  if (isBelow) {
    // This is the surface on which the lane starts or continues.
    if (Math.abs(y - y0) <= reach.climb) return;
  } else {
    const u = 3 * edgeVertex[edge];
    const v = 3 * edgeVertex[edge + 1 === end ? first : edge + 1];
    const axis = Math.abs(vertices[v] - vertices[u]) >= Math.abs(vertices[v + 2] - vertices[u + 2]) ? 0 : 2;
    if (!isWallAt(mesh, poly, edge, (point[axis] - vertices[u + axis]) / (vertices[v + axis] - vertices[u + axis])))
      return;
  }
  const at = landings.count++;
  if (at === landings.lane.length) {
    const grown = landingsOf(2 * at);
    grown.lane.set(landings.lane);
    grown.poly.set(landings.poly);
    grown.enter.set(landings.enter);
    grown.y.set(landings.y);
    grown.isBelow.set(landings.isBelow);
    Object.assign(landings, grown);
  }
  landings.lane[at] = lane;
  landings.poly[at] = poly;
  landings.enter[at] = enter;
  landings.y[at] = y;
  landings.isBelow[at] = isBelow ? 1 : 0;
}
