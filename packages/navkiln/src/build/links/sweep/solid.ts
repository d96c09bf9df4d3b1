/**
 * The triangles that moving bodies must not touch, in a tree of boxes.
 *
 * Both sides of a triangle are solid. The tree depends on the order of triangles; query results do not.
 *
 * In: positions and indices. Out: a `Solid`; the triangles whose boxes reach into a box.
 * Cost: linear to build. Queries split nodes when they first enter them, O(n log n) in total. A query is logarithmic in the
 *   triangles and linear in its result.
 * Based on: own. Each box is split into the cells of a grid, which takes fewer passes than splitting in halves.
 */
import { checkNumbers, refuse, refuseType } from '../../../base/data/refuse.ts';
import type { SolidInput } from '../../../mesh/auto-linker.ts';

/** Numbers per node: index of its first triangle in `order`, number of triangles, first child, number of children (0: not split). */
const NODE = 4;

/** Largest number of triangles in a leaf. */
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
  /** `NODE` numbers per node. */
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
    nodes: new Int32Array(NODE * FIRST_NODES),
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

/** Number of nodes for which a new tree has memory. */
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

/**
 * Adds the finite triangles of a part after the first `used` triangles. The vertices of the part begin at `start`. Returns the new number
 * of triangles.
 */
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

/** Adds a node for triangles `from` .. `to` of `order`, and the box around them. */
function addNode(solid: Solid, from: number, to: number): number {
  const node = solid.nodeCount++;
  if (NODE * node === solid.nodes.length) {
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
  nodes[NODE * node] = from;
  nodes[NODE * node + 1] = to - from;
  return node;
}

/** Largest number of cells per axis into which a node is split. */
const MOST_CELLS = 16;

/** Cell of each triangle of the node that is being split. */
let cells = new Uint8Array(256);
let sorted = new Int32Array(256);
/** Index of the first triangle of each cell. */
const starts = new Int32Array(MOST_CELLS * MOST_CELLS + 1);

/** Splits a node when a query first enters it, since queries reach only part of most levels. Returns whether it has children. */
function split(solid: Solid, node: number): boolean {
  const { order, nodes } = solid;
  const from = nodes[NODE * node];
  const count = nodes[NODE * node + 1];
  if (count <= LEAF) return false;
  if (nodes[NODE * node + 2] > 0) return true;
  if (count > cells.length) {
    cells = new Uint8Array(2 * count);
    sorted = new Int32Array(2 * count);
  }
  const cellCount = setCells(solid, from, count);
  for (let i = 0; i < count; i++) sorted[starts[cells[i]]++] = order[from + i];
  for (let i = 0; i < count; i++) order[from + i] = sorted[i];
  const firstChild = solid.nodeCount;
  let begin = 0;
  // After sorting, each entry of `starts` is the end of its cell.
  for (let cell = 0; cell < cellCount; cell++) {
    if (starts[cell] > begin) addNode(solid, from + begin, from + starts[cell]);
    begin = Math.max(begin, starts[cell]);
  }
  solid.nodes[NODE * node + 2] = firstChild;
  solid.nodes[NODE * node + 3] = solid.nodeCount - firstChild;
  return true;
}

/** Assigns the triangles of a node to cells, along the two axes on which their centers spread most. Returns the number of cells. */
function setCells({ own, order }: Solid, from: number, count: number): number {
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let i = from; i < from + count; i++) {
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
  const least = [minX, minY, minZ];
  const size = [maxX - minX, maxY - minY, maxZ - minZ];
  const flat = size.indexOf(Math.min(...size));
  const p = flat === 0 ? 1 : 0;
  const q = flat === 2 ? 1 : 2;
  const side = Math.min(MOST_CELLS, Math.floor(Math.sqrt(count / LEAF)) + 1);
  const alongP = size[p] > 0 ? side / size[p] : 0;
  const alongQ = size[q] > 0 ? side / size[q] : 0;
  const cellCount = side * side;
  starts.fill(0, 0, cellCount + 1);
  let most = 0;
  for (let i = 0; i < count; i++) {
    const at = 6 * order[from + i];
    const u = (own[at + p] / 2 + own[at + 3 + p] / 2 - least[p]) * alongP;
    const v = (own[at + q] / 2 + own[at + 3 + q] / 2 - least[q]) * alongQ;
    const cell = side * (u < side ? Math.floor(u) : side - 1) + (v < side ? Math.floor(v) : side - 1);
    cells[i] = cell;
    most = Math.max(most, ++starts[cell + 1]);
  }
  // Nearly all triangles are in one cell: splitting there would make the tree too deep.
  if (most > 0.95 * count) {
    starts.fill(0, 0, cellCount + 1);
    starts[1] = count >> 1;
    starts[2] = count - starts[1];
    for (let i = 0; i < count; i++) cells[i] = i < starts[1] ? 0 : 1;
  }
  for (let cell = 1; cell <= cellCount; cell++) starts[cell] += starts[cell - 1];
  return cellCount;
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

/** Calls `visit` with each triangle whose box overlaps a box. */
export function forTrianglesIn(
  solid: Solid,
  within: Float64Array,
  visit: (solid: Solid, triangle: number) => void,
): void {
  if (isPartNear(solid, within)) visitNode(solid, 0, within, visit);
}

function visitNode(
  solid: Solid,
  node: number,
  within: Float64Array,
  visit: (solid: Solid, triangle: number) => void,
): void {
  if (split(solid, node)) {
    const first = solid.nodes[NODE * node + 2];
    const end = first + solid.nodes[NODE * node + 3];
    for (let child = first; child < end; child++)
      if (reachesInto(solid.boxes, 6 * child, within)) visitNode(solid, child, within, visit);
    return;
  }
  const { own, order } = solid;
  const from = solid.nodes[NODE * node];
  const end = from + solid.nodes[NODE * node + 1];
  for (let i = from; i < end; i++) if (reachesInto(own, 6 * order[i], within)) visit(solid, order[i]);
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

/** Returns whether the box around a part overlaps a box. */
export function isPartNear({ boxes, nodeCount }: Solid, within: Float64Array): boolean {
  return nodeCount > 0 && reachesInto(boxes, 0, within);
}
