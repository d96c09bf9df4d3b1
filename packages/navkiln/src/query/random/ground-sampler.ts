/**
 * Draws random points on walkable polygons, uniformly by area seen from above, at the height of the surface.
 *
 * A sampler holds polygons and the running sum of their areas. A draw finds its first number in the sums by
 * bisection, which also selects a triangle of the polygon's fan. Two more numbers give the point in the
 * triangle. Where only a part of a polygon counts, its outline is clipped to the square around that part's
 * circle, and points outside the circle are drawn again.
 *
 * In: a mesh, and a flood if only a part of it counts.
 * Out: a sampler, valid until tiles change; points.
 * Cost: linear to build; O(log n) per point; no allocation after warm-up.
 * Based on: Detour's findRandomPoint (Mikko Mononen), which gives all tiles the same weight and does not
 * clip; clipping by Ivan Sutherland, Gary Hodgman, Reentrant Polygon Clipping, 1974.
 * Tried: functions that return areas. V8 may allocate each returned number (bench `floods`).
 */
import { drawInto } from '../../base/data/random.ts';
import type { RandomSource } from '../../base/data/random.ts';
import { setHeight } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { costBetween, passesFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { Flood, FloodBounds } from '../flood/flood.ts';

/** Polygons to draw points from. Create it with `createGroundSampler` and reuse it. */
export interface GroundSampler {
  count: number;
  /** polys[0 .. count - 1] are dense indices. The arrays may be longer. */
  polys: Int32Array;
  /** Sum of the areas up to and including each polygon. */
  sums: Float64Array;
  /**
   * The part of each polygon that counts: all of it, a circle ('touching': tested after the draw), or the part within a
   * walking distance.
   */
  part: 'all' | 'circle' | 'touching' | 'walk';
  /**
   * Per polygon, unless `part` is 'all': center xyz, and the circle's radius or the remaining cost. Stride 4.
   * 'touching' has one circle for all polygons.
   */
  parts: Float64Array;
  /** With 'walk', per polygon: the polygon from which the flood entered it, or -1. */
  previous: Int32Array;
  /** The remaining costs are lengths. */
  isByLength: boolean;
}

/** A random point. Create it with `createRandomHit` and reuse it. */
export interface RandomHit {
  /** Dense index of the polygon, or -1 if no point was found. */
  poly: number;
  point: Float64Array;
}

/** Numbers of a part in `GroundSampler.parts`: center xyz, then its radius or the remaining cost. */
const PART_STRIDE = 4;
const REACH = 3;

/** Maximum number of draws outside the part that counts, before the search gives up. */
const MAX_DRAWS = 1000;
/** The same where circles are tested after the draw. Clipping is faster then. */
const MAX_LOOSE_DRAWS = 32;

/** Creates an empty sampler for `sampleMesh`. It grows as needed. */
export function createGroundSampler(): GroundSampler {
  return {
    count: 0,
    polys: new Int32Array(0),
    sums: new Float64Array(0),
    part: 'all',
    parts: new Float64Array(0),
    previous: new Int32Array(0),
    isByLength: false,
  };
}

/** Creates an empty result for `drawPointInto`. */
export function createRandomHit(): RandomHit {
  return { poly: -1, point: new Float64Array(3) };
}

/** Kernel. Samples all polygons that pass the filter, or all polygons if it is null. */
export function sampleMesh(out: GroundSampler, mesh: NavMesh, filter: QueryFilter | null): void {
  refuseInMethod('sampleMesh');
  out.part = 'all';
  reserve(out, mesh.polyCount);
  let count = 0;
  let sum = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (filter !== null && !passesFilter(filter, mesh, poly)) continue;
      loadOutline(mesh, poly);
      measureFan();
      sum += 0.5 * fan[0];
      out.polys[count] = poly;
      out.sums[count++] = sum;
    }
  }
  out.count = count;
}

/**
 * Kernel. Samples the result of a flood within its bounds: whole polygons, or their parts in the circle. With a limit
 * of cost, samples the parts within reach of the point where each polygon is entered. Polygons of a shape count as a
 * whole.
 */
export function sampleFlood(
  out: GroundSampler,
  mesh: NavMesh,
  flood: Flood,
  bounds: FloodBounds,
  filter: QueryFilter,
): void {
  out.part = bounds.within === 'circle' ? 'circle' : bounds.maxCost < Infinity ? 'walk' : 'all';
  out.isByLength = bounds.isByLength;
  reserve(out, flood.count);
  const { parts } = out;
  let sum = 0;
  for (let i = 0; i < flood.count; i++) {
    const poly = flood.polys[i];
    out.polys[i] = poly;
    if (out.part === 'circle') {
      parts.set(bounds.center, PART_STRIDE * i);
      parts[PART_STRIDE * i + REACH] = bounds.radius;
    } else if (out.part === 'walk') {
      out.previous[i] = i === 0 ? -1 : flood.polys[flood.parents[i]];
      for (let k = 0; k < 3; k++) parts[PART_STRIDE * i + k] = flood.points[3 * i + k];
      parts[PART_STRIDE * i + REACH] = bounds.maxCost - flood.costs[i];
    }
    // A flood may start on a polygon that does not pass, but no point is drawn there.
    if (i > 0 || passesFilter(filter, mesh, poly)) {
      loadOutline(mesh, poly);
      if (out.part !== 'all') clipOutline(out, mesh, i, filter);
      measureFan();
      sum += 0.5 * fan[0];
    }
    out.sums[i] = sum;
  }
  out.count = flood.count;
}

/** Allocates memory for `count` polygons and keeps the content. @internal */
export function reserve(out: GroundSampler, count: number): void {
  if (out.polys.length < count) {
    const { polys, sums } = out;
    const capacity = Math.max(count, 2 * polys.length);
    out.polys = new Int32Array(capacity);
    out.polys.set(polys);
    out.sums = new Float64Array(capacity);
    out.sums.set(sums);
  }
  if (out.part === 'walk' && out.previous.length < count) out.previous = new Int32Array(out.polys.length);
  const needed = out.part === 'all' ? 0 : out.part === 'touching' ? PART_STRIDE : PART_STRIDE * count;
  if (out.parts.length < needed)
    out.parts = new Float64Array(out.part === 'touching' ? PART_STRIDE : PART_STRIDE * out.polys.length);
}

/** The random numbers of a draw. */
const numbers = new Float64Array(3);

/** Kernel. Draws a point, or sets polygon -1. The filter must be the one the sampler was built with. */
export function drawPointInto(
  out: RandomHit,
  sampler: GroundSampler,
  mesh: NavMesh,
  filter: QueryFilter,
  source: RandomSource,
): void {
  refuseInMethod('drawPointInto');
  const { count, sums, polys, part } = sampler;
  const total = count > 0 ? sums[count - 1] : 0;
  out.poly = -1;
  if (!(total > 0)) return;
  const isLoose = part === 'touching';
  for (let draw = isLoose ? MAX_LOOSE_DRAWS : MAX_DRAWS; draw > 0; draw--) {
    drawInto(numbers, source, 3);
    const share = numbers[0] * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] > share) high = middle;
      else low = middle + 1;
    }
    const poly = polys[low];
    loadOutline(mesh, poly);
    if (part === 'circle' || part === 'walk') clipOutline(sampler, mesh, low, filter);
    numbers[0] = low > 0 ? share - sums[low - 1] : share;
    pointInFan(out.point);
    if (isLoose && !isWithinPart(sampler, mesh, 0, filter, out.point)) continue;
    setHeight(out.point, mesh, poly);
    if (!isLoose && part !== 'all' && !isWithinPart(sampler, mesh, low, filter, out.point)) continue;
    out.poly = poly;
    return;
  }
}

function isWithinPart(
  sampler: GroundSampler,
  mesh: NavMesh,
  i: number,
  filter: QueryFilter,
  point: Float64Array,
): boolean {
  const { parts, part } = sampler;
  const at = PART_STRIDE * i;
  const dx = point[0] - parts[at];
  const dy = point[1] - parts[at + 1];
  const dz = point[2] - parts[at + 2];
  const reach = parts[at + REACH];
  if (part !== 'walk') return dx * dx + dz * dz < reach * reach;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (sampler.isByLength) return length <= reach;
  const poly = sampler.polys[i];
  if (filter.cost === undefined) return filter.areaCosts[mesh.polyArea[poly]] * length <= reach;
  return costBetween(filter, mesh, sampler.previous[i], poly, -1, parts, at, point, 0) <= reach;
}

/** Space for the 255 corners of a polygon and the corners that clipping adds. */
const MAX_OUTLINE = 264;
/** The current outline, seen from above, relative to `base`. */
let outlineX = new Float64Array(MAX_OUTLINE);
let outlineZ = new Float64Array(MAX_OUTLINE);
let cutX = new Float64Array(MAX_OUTLINE);
let cutZ = new Float64Array(MAX_OUTLINE);
let outlineCount = 0;
/** x and z of the outline's first corner. */
const base = new Float64Array(2);

function loadOutline(mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  outlineCount = mesh.polyVertexCount[poly];
  base[0] = vertices[3 * edgeVertex[first]];
  base[1] = vertices[3 * edgeVertex[first] + 2];
  let lowX = 0;
  let highX = 0;
  let lowZ = 0;
  let highZ = 0;
  for (let i = 0; i < outlineCount; i++) {
    const v = 3 * edgeVertex[first + i];
    const x = vertices[v] - base[0];
    const z = vertices[v + 2] - base[1];
    outlineX[i] = x;
    outlineZ[i] = z;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  extremes[0] = lowX;
  extremes[1] = -highX;
  extremes[2] = lowZ;
  extremes[3] = -highZ;
}

/** Extremes of the loaded outline: least x, least -x, least z, least -z. */
const extremes = new Float64Array(4);

/** Clips the outline to the square around the part of polygon i that counts. */
function clipOutline(sampler: GroundSampler, mesh: NavMesh, i: number, filter: QueryFilter): void {
  const { parts } = sampler;
  const x = parts[PART_STRIDE * i] - base[0];
  const z = parts[PART_STRIDE * i + 2] - base[1];
  let reach = parts[PART_STRIDE * i + REACH];
  if (sampler.part === 'walk' && !sampler.isByLength) {
    // The result of a `cost` method is not known in advance.
    if (filter.cost !== undefined) return;
    reach /= filter.areaCosts[mesh.polyArea[sampler.polys[i]]];
  }
  limits[0] = x - reach;
  limits[1] = -x - reach;
  limits[2] = z - reach;
  limits[3] = -z - reach;
  for (let side = 0; side < 4; side++) {
    if (extremes[side] < limits[side]) cutSide(side);
  }
}

/** Bounds of the square: least x, least -x, least z, least -z. */
const limits = new Float64Array(4);

/** Clips the outline to one side of the square. */
function cutSide(side: number): void {
  const coordinates = side < 2 ? outlineX : outlineZ;
  const sign = (side & 1) === 0 ? 1 : -1;
  const limit = limits[side];
  const count = outlineCount;
  let kept = 0;
  for (let i = 0, last = count - 1; i < count; last = i++) {
    const a = sign * coordinates[last] - limit;
    const b = sign * coordinates[i] - limit;
    if (a < 0 !== b < 0) {
      const s = a / (a - b);
      cutX[kept] = outlineX[last] + s * (outlineX[i] - outlineX[last]);
      cutZ[kept++] = outlineZ[last] + s * (outlineZ[i] - outlineZ[last]);
    }
    if (b >= 0) {
      cutX[kept] = outlineX[i];
      cutZ[kept++] = outlineZ[i];
    }
  }
  outlineCount = kept;
  const oldX = outlineX;
  const oldZ = outlineZ;
  outlineX = cutX;
  outlineZ = cutZ;
  cutX = oldX;
  cutZ = oldZ;
}

/** fan[i] is twice the area of triangle (0, i, i + 1) of the outline's fan; fan[0] is the sum. */
const fan = new Float64Array(MAX_OUTLINE);

// The sum stays in an array, because V8 may allocate a returned number.
function measureFan(): void {
  let sum = 0;
  for (let i = 1; i + 1 < outlineCount; i++) {
    const ax = outlineX[i] - outlineX[0];
    const az = outlineZ[i] - outlineZ[0];
    const bx = outlineX[i + 1] - outlineX[0];
    const bz = outlineZ[i + 1] - outlineZ[0];
    const area = az * bx - ax * bz;
    fan[i] = area > 0 ? area : 0;
    sum += fan[i];
  }
  fan[0] = sum;
}

/** Writes x and z of the point for `numbers`: the remaining area, and two numbers in [0, 1). */
function pointInFan(out: Float64Array): void {
  measureFan();
  let left = 2 * numbers[0];
  let i = 1;
  // Because of rounding, the remaining area may exceed the last triangle. The last triangle with an area is used then.
  for (let k = 1; k + 1 < outlineCount; k++) {
    if (fan[k] === 0) continue;
    i = k;
    if (left < fan[k]) break;
    left -= fan[k];
  }
  let u = numbers[1];
  let v = numbers[2];
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  out[0] = base[0] + (outlineX[0] + u * (outlineX[i] - outlineX[0]) + v * (outlineX[i + 1] - outlineX[0]));
  out[2] = base[1] + (outlineZ[0] + u * (outlineZ[i] - outlineZ[0]) + v * (outlineZ[i + 1] - outlineZ[0]));
}

/** Returns the area of a polygon, seen from above. */
export function polyGroundArea(mesh: NavMesh, poly: number): number {
  loadOutline(mesh, poly);
  measureFan();
  return 0.5 * fan[0];
}
