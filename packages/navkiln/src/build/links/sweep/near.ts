/**
 * The triangles near some lanes, in the frame of their wall. The triangle tree is traversed once for all bodies that move there.
 *
 *   out (from the wall)
 *    ^   ______________
 *    |  |  region      |      Coordinates are along the wall, up and outward. The origin is the start of the first lane
 *    |  |______________|      of the wall, at height 0.
 *    +----------------------> along
 *
 * In: trees, the frame, a region. Out: triangles; for a hull, whether its distance to all of them is at least the gap.
 * Cost: a query of the trees; for a hull, linear in the triangles, with one box test per block of triangles first.
 * Based on: own.
 */
import type { Lanes } from '../walls/lanes.ts';
import { createHull, isApart } from './separation.ts';
import type { Hull } from './separation.ts';
import { forTrianglesIn } from './solid.ts';
import type { Solid } from './solid.ts';

/** Triangles per block: successive triangles of the tree, whose common box is tested first. */
const BLOCK = 16;

/** Triangles in the frame of a wall. The record is reused for each group. */
export interface NearTriangles {
  count: number;
  /** Nine numbers per triangle. */
  corners: Float64Array;
  /** Six numbers per triangle: least coordinates, then largest. */
  boxes: Float64Array;
  /** Six numbers per block: the box around its triangles. */
  blocks: Float64Array;
  /** The triangle that stopped the last body: it usually stops the next one, too. */
  last: number;
}

export function createNear(): NearTriangles {
  return { count: 0, corners: new Float64Array(0), boxes: new Float64Array(0), blocks: new Float64Array(0), last: 0 };
}

const within = new Float64Array(6);
let target = createNear();
let frameX = 0;
let frameZ = 0;
let outX = 0;
let outZ = 0;
let wanted: Float64Array = new Float64Array(6);

/** Finds the triangles whose boxes overlap a region. The region is six numbers: least along, up, out, then largest. */
export function findNear(near: NearTriangles, solids: readonly Solid[], lanes: Lanes, region: Float64Array): void {
  near.count = near.last = 0;
  target = near;
  wanted = region;
  frameX = lanes.x[0];
  frameZ = lanes.z[0];
  outX = lanes.nx;
  outZ = lanes.nz;
  setRange(0, frameX, outZ, outX);
  setRange(2, frameZ, -outX, outZ);
  within[1] = region[1];
  within[4] = region[4];
  for (const solid of solids) forTrianglesIn(solid, within, addNear);
}

/** Writes the range of the region on a world axis. `along` and `out` are the components of the frame's axes on it. */
function setRange(axis: number, from: number, along: number, out: number): void {
  within[axis] = from + Math.min(wanted[0] * along, wanted[3] * along) + Math.min(wanted[2] * out, wanted[5] * out);
  within[axis + 3] = from + Math.max(wanted[0] * along, wanted[3] * along) + Math.max(wanted[2] * out, wanted[5] * out);
}

function addNear({ vertices, corners }: Solid, triangle: number): void {
  const near = target;
  const at = 9 * near.count;
  if (at === near.corners.length) grow(near);
  const to = near.corners;
  for (let k = 0; k < 3; k++) {
    const from = corners[3 * triangle + k];
    const dx = vertices[from] - frameX;
    const dz = vertices[from + 2] - frameZ;
    to[at + 3 * k] = dx * outZ - dz * outX;
    to[at + 3 * k + 1] = vertices[from + 1];
    to[at + 3 * k + 2] = dx * outX + dz * outZ;
  }
  const box = 6 * near.count;
  for (let k = 0; k < 3; k++) {
    const a = to[at + k];
    const b = to[at + 3 + k];
    const c = to[at + 6 + k];
    near.boxes[box + k] = a < b ? (a < c ? a : c) : b < c ? b : c;
    near.boxes[box + 3 + k] = a > b ? (a > c ? a : c) : b > c ? b : c;
  }
  if (!meets(near.boxes, box, wanted)) return;
  const block = 6 * Math.floor(near.count / BLOCK);
  const isFirst = near.count % BLOCK === 0;
  for (let k = 0; k < 3; k++) {
    if (isFirst || near.boxes[box + k] < near.blocks[block + k]) near.blocks[block + k] = near.boxes[box + k];
    if (isFirst || near.boxes[box + 3 + k] > near.blocks[block + 3 + k])
      near.blocks[block + 3 + k] = near.boxes[box + 3 + k];
  }
  near.count++;
}

function grow(near: NearTriangles): void {
  const { corners, boxes, blocks } = near;
  const size = Math.max(4 * BLOCK, 2 * near.count);
  near.corners = new Float64Array(9 * size);
  near.boxes = new Float64Array(6 * size);
  near.blocks = new Float64Array((6 * size) / BLOCK);
  near.corners.set(corners);
  near.boxes.set(boxes);
  near.blocks.set(blocks);
}

/** Returns the first triangle, from `from` on, whose box overlaps a box; `count` if there is none. */
export function nextIn({ count, boxes, blocks }: NearTriangles, from: number, box: Float64Array): number {
  for (let i = from; i < count;) {
    if (i % BLOCK === 0 && !meets(blocks, (6 * i) / BLOCK, box)) {
      i += BLOCK;
      continue;
    }
    if (meets(boxes, 6 * i, box)) return i;
    i++;
  }
  return count;
}

function meets(boxes: Float64Array, b: number, box: Float64Array): boolean {
  return (
    boxes[b] <= box[3] &&
    boxes[b + 3] >= box[0] &&
    boxes[b + 1] <= box[4] &&
    boxes[b + 4] >= box[1] &&
    boxes[b + 2] <= box[5] &&
    boxes[b + 5] >= box[2]
  );
}

const bounds = new Float64Array(6);
const local = createHull();
const triangle = new Float64Array(9);

/** Returns whether the hull is at least `gap` from all triangles. */
export function isClear(near: NearTriangles, hull: Hull, gap: number): boolean {
  const { points, count, disc } = hull;
  for (let k = 0; k < 3; k++) {
    const around = gap + (k === 1 ? 0 : disc);
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < 3 * count; i += 3) {
      if (points[i] < low) low = points[i];
      if (points[i] > high) high = points[i];
    }
    bounds[k] = low - around;
    bounds[3 + k] = high + around;
  }
  local.count = 0;
  if (near.last < near.count && meets(near.boxes, 6 * near.last, bounds) && touches(near, near.last, hull, gap))
    return false;
  for (let i = nextIn(near, 0, bounds); i < near.count; i = nextIn(near, i + 1, bounds)) {
    if (!touches(near, i, hull, gap)) continue;
    near.last = i;
    return false;
  }
  return true;
}

/** Returns whether the hull is nearer to triangle t than `gap`. */
function touches({ corners }: NearTriangles, t: number, { points, count, disc }: Hull, gap: number): boolean {
  // The exact test uses coordinates near the origin, where rounding errors are small.
  if (local.count === 0) {
    for (let i = 0; i < 3 * count; i++) local.points[i] = points[i] - points[i % 3];
    local.count = count;
    local.disc = disc;
  }
  const at = 9 * t;
  for (let i = 0; i < 9; i += 3) {
    triangle[i] = corners[at + i] - points[0];
    triangle[i + 1] = corners[at + i + 1] - points[1];
    triangle[i + 2] = corners[at + i + 2] - points[2];
  }
  return !isBeyondPlane(gap) && !isApart(local, triangle, 0, gap);
}

/** Returns whether the local hull is on one side of the plane of `triangle`, at least `gap` away. Most bodies are above a floor. */
function isBeyondPlane(gap: number): boolean {
  const ax = triangle[0];
  const ay = triangle[1];
  const az = triangle[2];
  const ux = triangle[3] - ax;
  const uy = triangle[4] - ay;
  const uz = triangle[5] - az;
  const vx = triangle[6] - ax;
  const vy = triangle[7] - ay;
  const vz = triangle[8] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const { points, count, disc } = local;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < 3 * count; i += 3) {
    const height = nx * (points[i] - ax) + ny * (points[i + 1] - ay) + nz * (points[i + 2] - az);
    if (height < low) low = height;
    if (height > high) high = height;
  }
  const flat = nx * nx + nz * nz;
  // The margin covers rounding. Hulls within the margin are left to the exact distance test.
  const room = (gap * Math.sqrt(flat + ny * ny) + disc * Math.sqrt(flat)) * (1 + 1e-9);
  return low > room || high < -room;
}
