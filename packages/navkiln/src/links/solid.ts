/**
 * The triangles of a level, for bodies that must not touch them: a tree of boxes.
 *
 * Both sides of a triangle are solid. The tree depends on the order of triangles, answers do not.
 *
 * In: positions and indices. Out: a `Solid`; for a hull, whether it keeps a distance from all triangles.
 * Cost: O(n log n) to build; logarithmic in the triangles, linear in those near the hull.
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
  /** Nine numbers per triangle, in the order of the tree. */
  corners: Float64Array;
  /** Six numbers per node: least and largest x, y, z. */
  boxes: Float64Array;
  /** Two per node: first triangle and count, or -1 and the node of the second child; the first child is the next node. */
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

function buildTree(given: Float64Array, count: number): Solid {
  const corners = new Float64Array(9 * count);
  const boxes = new Float64Array(6 * Math.max(1, 2 * count));
  const nodes = new Int32Array(2 * Math.max(1, 2 * count));
  const order = new Int32Array(count);
  /** Of each triangle: least and largest x, y, z. Twice its middle is their sum. */
  const own = new Float64Array(6 * count);
  for (let t = 0; t < count; t++) {
    order[t] = t;
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [given[9 * t + k], given[9 * t + 3 + k], given[9 * t + 6 + k]];
      own[6 * t + k] = a < b ? (a < c ? a : c) : b < c ? b : c;
      own[6 * t + 3 + k] = a > b ? (a > c ? a : c) : b > c ? b : c;
    }
  }
  let nodeCount = 0;
  const build = (from: number, to: number): void => {
    const node = nodeCount++;
    const box = 6 * node;
    let axis = 0;
    let widest = -1;
    let middle = 0;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      let least = Infinity;
      let most = -Infinity;
      for (let i = from; i < to; i++) {
        const at = 6 * order[i] + k;
        const [a, b] = [own[at], own[at + 3]];
        const center = a / 2 + b / 2;
        if (a < low) low = a;
        if (b > high) high = b;
        if (center < least) least = center;
        if (center > most) most = center;
      }
      boxes[box + k] = low;
      boxes[box + 3 + k] = high;
      if (most - least <= widest) continue;
      axis = k;
      widest = most - least;
      middle = (least + most) / 2;
    }
    if (to - from <= LEAF) {
      nodes[2 * node] = from;
      nodes[2 * node + 1] = to - from;
      return;
    }
    let split = from;
    for (let i = from; i < to; i++) {
      const at = 6 * order[i] + axis;
      if (own[at] / 2 + own[at + 3] / 2 >= middle) continue;
      const swapped = order[i];
      order[i] = order[split];
      order[split++] = swapped;
    }
    // All at one place, or far from evenly: a tree must not be deep.
    if (Math.min(split - from, to - split) < (to - from) / 64) split = (from + to) >> 1;
    build(from, split);
    nodes[2 * node] = -1;
    nodes[2 * node + 1] = nodeCount;
    build(split, to);
  };
  if (count > 0) build(0, count);
  for (let i = 0; i < count; i++) {
    const from = 9 * order[i];
    for (let k = 0; k < 9; k++) corners[9 * i + k] = given[from + k];
  }
  return { corners, boxes, nodes, nodeCount };
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
    // What stopped the last body mostly stops the next one, too.
    if (solidHit === part.corners && touches(solidHit, lastHit, points, gap)) return false;
  }
  for (const part of parts) if (touchesAny(part, points, gap)) return false;
  return true;
}

function touchesAny({ corners, boxes, nodes, nodeCount }: Solid, points: Float64Array, gap: number): boolean {
  if (nodeCount === 0) return false;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!reachesInto(boxes, 6 * node, box)) continue;
    const first = nodes[2 * node];
    if (first < 0) {
      stack[depth++] = nodes[2 * node + 1];
      stack[depth++] = node + 1;
      continue;
    }
    const end = first + nodes[2 * node + 1];
    for (let t = first; t < end; t++) {
      if (!touches(corners, t, points, gap)) continue;
      lastHit = t;
      solidHit = corners;
      return true;
    }
  }
  return false;
}

/** Calls `visit` with the offset in `corners` of each triangle whose leaf reaches into a box. */
export function forTrianglesIn(
  { boxes, nodes, nodeCount }: Solid,
  within: Float64Array,
  visit: (at: number) => void,
): void {
  if (nodeCount === 0) return;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!reachesInto(boxes, 6 * node, within)) continue;
    const first = nodes[2 * node];
    if (first < 0) {
      stack[depth++] = nodes[2 * node + 1];
      stack[depth++] = node + 1;
      continue;
    }
    for (let t = first; t < first + nodes[2 * node + 1]; t++) visit(9 * t);
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
  for (let j = 0; j < 9; j++) triangle[j] = corners[9 * t + j] - points[j % 3];
  return !isApart(local, triangle, 0, gap);
}
