/**
 * The triangles of a level, for bodies that must not touch them: a tree of boxes.
 *
 * Both sides of a triangle are solid. The tree depends on the order of triangles, answers do not.
 *
 * In: positions and indices. Out: a `Solid`; the triangles whose boxes reach into a box.
 * Cost: linear to build, since nodes are split when they are first entered, O(n log n) in all; a query is logarithmic in
 *   the triangles, linear in those that it finds.
 * Based on: own; a tree of boxes split at the middle of the longest side.
 */
import { checkNumbers, refuse, refuseType } from '../data/refuse.ts';
import type { SolidInput } from '../navmesh/auto-linker.ts';

/** Most triangles of a leaf. */
const LEAF = 16;

/** Triangles and their tree. */
export interface Solid {
  /** x, y, z of each vertex. */
  vertices: Float64Array;
  /** Three offsets in `vertices` per triangle. */
  corners: Int32Array;
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
  let vertexTotal = 0;
  let total = 0;
  for (const part of parts) {
    total += countTriangles(caller, part);
    vertexTotal += part.positions.length;
  }
  const solid: Solid = {
    vertices: new Float64Array(vertexTotal),
    corners: new Int32Array(3 * total),
    own: new Float64Array(6 * total),
    order: new Int32Array(total),
    boxes: new Float64Array(6 * FIRST_NODES),
    nodes: new Int32Array(3 * FIRST_NODES),
    nodeCount: 0,
  };
  let start = 0;
  let used = 0;
  for (const part of parts) {
    solid.vertices.set(part.positions, start);
    used = addTriangles(solid, used, start, caller, part);
    start += part.positions.length;
  }
  if (used > 0) addNode(solid, 0, used);
  return solid;
}

/** Nodes that a tree has memory for at first. */
const FIRST_NODES = 64;

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

/** Adds the finite triangles of a part, whose vertices begin at `start`, after the first `used` ones. Returns how many there are then. */
function addTriangles(solid: Solid, used: number, start: number, caller: string, part: SolidInput): number {
  const { vertices, corners, own, order } = solid;
  const { indices } = part;
  const vertexCount = part.positions.length / 3;
  const cornerCount = indices?.length ?? vertexCount;
  for (let t = 0; t < cornerCount; t += 3) {
    for (let k = 0; k < 3; k++) {
      const vertex = indices === undefined ? t + k : indices[t + k];
      if (vertex >>> 0 !== vertex || vertex >= vertexCount)
        refuse(caller, `level.indices[${t + k}]`, vertex, `a vertex, 0 .. ${vertexCount - 1}`);
      corners[3 * used + k] = start + 3 * vertex;
    }
    const u = corners[3 * used];
    const v = corners[3 * used + 1];
    const w = corners[3 * used + 2];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const a = vertices[u + k];
      const b = vertices[v + k];
      const c = vertices[w + k];
      sum += a + b + c;
      own[6 * used + k] = a < b ? (a < c ? a : c) : b < c ? b : c;
      own[6 * used + 3 + k] = a > b ? (a > c ? a : c) : b > c ? b : c;
    }
    order[used] = used;
    if (Number.isFinite(sum)) used++;
  }
  return used;
}

/** Adds a node of triangles from .. to of the order, and the box around them. */
function addNode(solid: Solid, from: number, to: number): number {
  const node = solid.nodeCount++;
  if (3 * node === solid.nodes.length) {
    solid.boxes = grownFloats(solid.boxes);
    solid.nodes = grownInts(solid.nodes);
  }
  const { own, order, boxes, nodes } = solid;
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
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let i = from; i < to; i++) {
    const at = 6 * order[i];
    const x = own[at] / 2 + own[at + 3] / 2;
    const y = own[at + 1] / 2 + own[at + 4] / 2;
    const z = own[at + 2] / 2 + own[at + 5] / 2;
    if (x < minX) minX = x;
    if (y < minY) minY = y;
    if (z < minZ) minZ = z;
    if (x > maxX) maxX = x;
    if (y > maxY) maxY = y;
    if (z > maxZ) maxZ = z;
  }
  const x = maxX - minX;
  const y = maxY - minY;
  const z = maxZ - minZ;
  const axis = y > x && y >= z ? 1 : z > x && z > y ? 2 : 0;
  const middle = axis === 0 ? (minX + maxX) / 2 : axis === 1 ? (minY + maxY) / 2 : (minZ + maxZ) / 2;
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
  const child = addNode(solid, from, cut);
  addNode(solid, cut, to);
  solid.nodes[3 * node + 2] = child;
  return true;
}

function grownFloats(old: Float64Array): Float64Array {
  const grown = new Float64Array(2 * old.length);
  grown.set(old);
  return grown;
}

function grownInts(old: Int32Array): Int32Array {
  const grown = new Int32Array(2 * old.length);
  grown.set(old);
  return grown;
}

const stack = new Int32Array(256);

/** Calls `visit` with each triangle whose box reaches into a box. */
export function forTrianglesIn(
  solid: Solid,
  within: Float64Array,
  visit: (solid: Solid, triangle: number) => void,
): void {
  const { own, order } = solid;
  if (solid.nodeCount === 0) return;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!reachesInto(solid.boxes, 6 * node, within)) continue;
    if (split(solid, node)) {
      const child = solid.nodes[3 * node + 2];
      stack[depth++] = child + 1;
      stack[depth++] = child;
      continue;
    }
    const from = solid.nodes[3 * node];
    const end = from + solid.nodes[3 * node + 1];
    for (let i = from; i < end; i++) if (reachesInto(own, 6 * order[i], within)) visit(solid, order[i]);
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
