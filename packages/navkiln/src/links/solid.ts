/**
 * The triangles of a level, for bodies that must not touch them: a tree of boxes.
 *
 * Both sides of a triangle are solid. The tree depends on the order of triangles, answers do not.
 *
 * In: positions and indices. Out: a `Solid`; for a hull, whether it keeps a distance from all triangles.
 * Cost: linear to build, since nodes are split when they are first entered, O(n log n) in all; logarithmic in
 *   the triangles, linear in those near the hull.
 * Based on: own; a tree of boxes split at the middle of the longest side.
 */
import { checkNumbers, refuse, refuseType } from '../data/refuse.ts';
import type { SolidInput } from '../navmesh/auto-linker.ts';
import { createHull, isApart } from './separation.ts';
import type { Hull } from './separation.ts';

/** Most triangles of a leaf. */
const LEAF = 4;

/** Triangles and their tree. */
export interface Solid {
  /** Nine numbers per triangle. */
  corners: Float64Array;
  /** Six numbers per triangle: least and largest x, y, z. */
  own: Float64Array;
  /** Triangles in the order of the nodes. */
  order: Int32Array;
  /** Six numbers per node: least and largest x, y, z. */
  boxes: Float64Array;
  /** Three per node: first place in the order, count, and the first of two children that follow each other; 0: not split. */
  nodes: Int32Array;
  nodeCount: number;
}

/** Builds the tree of all parts. @throws TypeError, RangeError for arrays that do not match and indices out of range */
export function buildSolid(caller: string, parts: readonly SolidInput[]): Solid {
  let total = 0;
  for (const part of parts) total += countTriangles(caller, part);
  const given = new Float64Array(9 * total);
  let used = 0;
  for (const part of parts) used = addTriangles(given, used, caller, part);
  return buildTree(given, used);
}

function countTriangles(caller: string, level: SolidInput): number {
  if (level?.positions === undefined) refuseType(caller, 'level', level, '{ positions, indices? }');
  const { positions, indices } = level;
  checkNumbers(caller, 'level.positions', positions);
  if (indices !== undefined) checkNumbers(caller, 'level.indices', indices);
  const vertexCount = positions.length / 3;
  if (!Number.isInteger(vertexCount)) refuse(caller, 'level.positions.length', positions.length, 'a multiple of 3');
  const count = (indices?.length ?? vertexCount) / 3;
  if (!Number.isInteger(count))
    refuse(caller, `level.${indices === undefined ? 'positions' : 'indices'}.length`, 3 * count, 'three per triangle');
  return count;
}

/** Writes the corners of finite triangles after the first `used` ones, and returns how many there are then. */
function addTriangles(given: Float64Array, used: number, caller: string, { positions, indices }: SolidInput): number {
  const vertexCount = positions.length / 3;
  const corners = indices?.length ?? vertexCount;
  for (let t = 0; t < corners; t += 3) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const vertex = indices === undefined ? t + k : indices[t + k];
      if (!(vertex >= 0 && vertex < vertexCount) || vertex % 1 !== 0)
        refuse(caller, `level.indices[${t + k}]`, vertex, `a vertex, 0 .. ${vertexCount - 1}`);
      for (let c = 0; c < 3; c++) sum += given[9 * used + 3 * k + c] = positions[3 * vertex + c];
    }
    if (Number.isFinite(sum)) used++;
  }
  return used;
}

function buildTree(corners: Float64Array, count: number): Solid {
  const order = new Int32Array(count);
  /** Of each triangle: least and largest x, y, z. Twice its middle is their sum. */
  const own = new Float64Array(6 * count);
  for (let t = 0; t < count; t++) {
    order[t] = t;
    for (let k = 0; k < 3; k++) {
      const a = corners[9 * t + k];
      const b = corners[9 * t + 3 + k];
      const c = corners[9 * t + 6 + k];
      own[6 * t + k] = a < b ? (a < c ? a : c) : b < c ? b : c;
      own[6 * t + 3 + k] = a > b ? (a > c ? a : c) : b > c ? b : c;
    }
  }
  const most = Math.max(1, 2 * count);
  const solid: Solid = {
    corners,
    own,
    order,
    boxes: new Float64Array(6 * most),
    nodes: new Int32Array(3 * most),
    nodeCount: 0,
  };
  if (count > 0) addNode(solid, 0, count);
  return solid;
}

/** Adds a node of triangles from .. to of the order, and the box around them. */
function addNode(solid: Solid, from: number, to: number): number {
  const { own, order, boxes, nodes } = solid;
  const node = solid.nodeCount++;
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let i = from; i < to; i++) {
    const at = 6 * order[i];
    if (own[at] < minX) minX = own[at];
    if (own[at + 1] < minY) minY = own[at + 1];
    if (own[at + 2] < minZ) minZ = own[at + 2];
    if (own[at + 3] > maxX) maxX = own[at + 3];
    if (own[at + 4] > maxY) maxY = own[at + 4];
    if (own[at + 5] > maxZ) maxZ = own[at + 5];
  }
  const box = 6 * node;
  boxes[box] = minX;
  boxes[box + 1] = minY;
  boxes[box + 2] = minZ;
  boxes[box + 3] = maxX;
  boxes[box + 4] = maxY;
  boxes[box + 5] = maxZ;
  nodes[3 * node] = from;
  nodes[3 * node + 1] = to - from;
  nodes[3 * node + 2] = 0;
  return node;
}

/** Splits a node when a query first enters it, since queries reach only part of most levels. Returns whether it has children. */
function split(solid: Solid, node: number): boolean {
  const { own, order, nodes } = solid;
  const from = nodes[3 * node];
  const count = nodes[3 * node + 1];
  if (count <= LEAF) return false;
  if (nodes[3 * node + 2] > 0) return true;
  const to = from + count;
  let axis = 0;
  let widest = -1;
  let middle = 0;
  for (let k = 0; k < 3; k++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = from; i < to; i++) {
      const at = 6 * order[i] + k;
      const center = own[at] / 2 + own[at + 3] / 2;
      if (center < least) least = center;
      if (center > most) most = center;
    }
    if (most - least <= widest) continue;
    axis = k;
    widest = most - least;
    middle = (least + most) / 2;
  }
  let cut = from;
  for (let i = from; i < to; i++) {
    const at = 6 * order[i] + axis;
    if (own[at] / 2 + own[at + 3] / 2 >= middle) continue;
    const swapped = order[i];
    order[i] = order[cut];
    order[cut++] = swapped;
  }
  // All at one place, or far from evenly: a tree must not be deep.
  if (Math.min(cut - from, to - cut) < count / 64) cut = (from + to) >> 1;
  // The second child is the next node.
  nodes[3 * node + 2] = addNode(solid, from, cut);
  addNode(solid, cut, to);
  return true;
}

const stack = new Int32Array(256);
const box = new Float64Array(6);
const local = createHull();
const triangle = new Float64Array(9);

/** Returns whether the hull is at least `gap` from all triangles of all parts. */
export function isClear(parts: readonly Solid[], hull: Hull, gap: number): boolean {
  const { points, count, disc } = hull;
  for (let k = 0; k < 3; k++) {
    const around = gap + (k === 1 ? 0 : disc);
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < 3 * count; i += 3) {
      if (points[i] < low) low = points[i];
      if (points[i] > high) high = points[i];
    }
    box[k] = low - around;
    box[3 + k] = high + around;
  }
  // Near the origin, where doubles are fine.
  for (let i = 0; i < 3 * count; i++) local.points[i] = points[i] - points[i % 3];
  local.count = count;
  local.disc = disc;
  for (const part of parts) {
    // The triangle that stopped the last body usually stops the next one, too.
    if (solidHit === part.corners && touches(solidHit, lastHit, points, gap)) return false;
  }
  for (const part of parts) if (touchesAny(part, points, gap)) return false;
  return true;
}

function touchesAny(solid: Solid, points: Float64Array, gap: number): boolean {
  const { corners, own, order, boxes, nodes } = solid;
  if (solid.nodeCount === 0) return false;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!reachesInto(boxes, 6 * node, box)) continue;
    if (split(solid, node)) {
      stack[depth++] = nodes[3 * node + 2] + 1;
      stack[depth++] = nodes[3 * node + 2];
      continue;
    }
    const end = nodes[3 * node] + nodes[3 * node + 1];
    for (let i = nodes[3 * node]; i < end; i++) {
      const t = order[i];
      if (!reachesInto(own, 6 * t, box) || !touches(corners, t, points, gap)) continue;
      lastHit = t;
      solidHit = corners;
      return true;
    }
  }
  return false;
}

/** Calls `visit` with the offset in `corners` of each triangle whose box reaches into a box. */
export function forTrianglesIn(solid: Solid, within: Float64Array, visit: (at: number) => void): void {
  const { own, order, boxes, nodes } = solid;
  if (solid.nodeCount === 0) return;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!reachesInto(boxes, 6 * node, within)) continue;
    if (split(solid, node)) {
      stack[depth++] = nodes[3 * node + 2] + 1;
      stack[depth++] = nodes[3 * node + 2];
      continue;
    }
    const end = nodes[3 * node] + nodes[3 * node + 1];
    for (let i = nodes[3 * node]; i < end; i++) if (reachesInto(own, 6 * order[i], within)) visit(9 * order[i]);
  }
}

function reachesInto(boxes: Float64Array, b: number, within: Float64Array): boolean {
  return (
    boxes[b] <= within[3] &&
    boxes[b + 3] >= within[0] &&
    boxes[b + 1] <= within[4] &&
    boxes[b + 4] >= within[1] &&
    boxes[b + 2] <= within[5] &&
    boxes[b + 5] >= within[2]
  );
}

/** Returns whether the box around a part reaches into a box. */
export function isPartNear({ boxes, nodeCount }: Solid, within: Float64Array): boolean {
  return nodeCount > 0 && reachesInto(boxes, 0, within);
}

let lastHit = 0;
let solidHit: Float64Array | undefined;

/** Returns whether the local hull is nearer to triangle t than `gap`. */
function touches(corners: Float64Array, t: number, points: Float64Array, gap: number): boolean {
  const x = points[0];
  const y = points[1];
  const z = points[2];
  const at = 9 * t;
  triangle[0] = corners[at] - x;
  triangle[1] = corners[at + 1] - y;
  triangle[2] = corners[at + 2] - z;
  triangle[3] = corners[at + 3] - x;
  triangle[4] = corners[at + 4] - y;
  triangle[5] = corners[at + 5] - z;
  triangle[6] = corners[at + 6] - x;
  triangle[7] = corners[at + 7] - y;
  triangle[8] = corners[at + 8] - z;
  return !isBeyondPlane(gap) && !isApart(local, triangle, 0, gap);
}

/** Returns whether the local hull lies on one side of the plane of `triangle`, at least `gap` away: most bodies lie above a floor. */
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
