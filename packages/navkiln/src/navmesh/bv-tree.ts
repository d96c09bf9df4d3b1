/**
 * Bounding-volume tree of one tile, for every query that asks "what is near here?".
 *
 * In: a box for each polygon, world units. Out: 2n - 1 nodes in depth-first order, so that a query is one loop with no
 * stack: go to the next node, or jump over the subtree. Leaves hold one polygon. Boxes are float32 and relative to the
 * tile's minimum, rounded outwards: far from the origin they stay as tight as near it. A query takes the difference
 * point - minimum in doubles too; subtraction is monotonic, so a point inside the true box is inside the rounded one.
 *
 * Split: at the median of the box centres along the axis where the centres spread most (y counted like x and z); ties by
 * polygon number, so the tree depends on the polygons alone. Cost: O(n log n), quickselect at each level.
 * Tried: see the numbers in `buildBvTree`.
 */
import type { NavMesh } from './types.ts';

const floatScratch = new Float32Array(1);
const bitScratch = new Int32Array(floatScratch.buffer);

/** Largest float32 <= value, for value >= 0. */
export function floatBelow(value: number): number {
  floatScratch[0] = value;
  if (floatScratch[0] > value) bitScratch[0]--;
  return floatScratch[0];
}

/** Smallest float32 >= value, for value >= 0. */
export function floatAbove(value: number): number {
  floatScratch[0] = value;
  if (floatScratch[0] < value) bitScratch[0]++;
  return floatScratch[0];
}

/** Box of a polygon with its detail vertices, world units: min xyz, max xyz at out[at]. */
export function polyBounds(out: Float64Array, at: number, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex, detailVertices } = mesh;
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  const corners = mesh.polyVertexCount[poly];
  const total = corners + mesh.polyDetailVertexCount[poly];
  const edgeStart = mesh.polyEdgeStart[poly];
  const detailStart = mesh.polyDetailVertexStart[poly];
  for (let i = 0; i < total; i++) {
    const source = i < corners ? vertices : detailVertices;
    const v = 3 * (i < corners ? edgeVertex[edgeStart + i] : detailStart + i - corners);
    const x = source[v];
    const y = source[v + 1];
    const z = source[v + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  out[at] = minX;
  out[at + 1] = minY;
  out[at + 2] = minZ;
  out[at + 3] = maxX;
  out[at + 4] = maxY;
  out[at + 5] = maxZ;
}

/** Nodes a tree over so many polygons has. */
export function bvNodeCount(polyCount: number): number {
  return polyCount === 0 ? 0 : 2 * polyCount - 1;
}

/**
 * Writes the tree of polygons polyStart .. polyStart + polyCount - 1 at node `nodeStart` of the mesh's pools, which must
 * have room. (minX, minY, minZ) is the tile's minimum.
 */
export function buildBvTree(
  mesh: NavMesh, nodeStart: number, polyStart: number, polyCount: number, minX: number, minY: number, minZ: number,
): void {
  if (polyCount === 0) return;
  const { bvBounds, bvItem } = mesh;
  const boxes = new Float64Array(6 * polyCount);
  const centres = new Float64Array(3 * polyCount);
  const order = new Int32Array(polyCount);
  for (let i = 0; i < polyCount; i++) {
    const b = 6 * i;
    polyBounds(boxes, b, mesh, polyStart + i);
    centres[3 * i] = boxes[b] + boxes[b + 3];
    centres[3 * i + 1] = boxes[b + 1] + boxes[b + 4];
    centres[3 * i + 2] = boxes[b + 2] + boxes[b + 5];
    order[i] = i;
  }
  let next = nodeStart;

  // Depth is log2(n) as the halves are equal, so recursion is safe.
  function build(from: number, to: number): void {
    const node = next++;
    let bMinX = Infinity;
    let bMinY = Infinity;
    let bMinZ = Infinity;
    let bMaxX = -Infinity;
    let bMaxY = -Infinity;
    let bMaxZ = -Infinity;
    for (let i = from; i < to; i++) {
      const b = 6 * order[i];
      if (boxes[b] < bMinX) bMinX = boxes[b];
      if (boxes[b + 1] < bMinY) bMinY = boxes[b + 1];
      if (boxes[b + 2] < bMinZ) bMinZ = boxes[b + 2];
      if (boxes[b + 3] > bMaxX) bMaxX = boxes[b + 3];
      if (boxes[b + 4] > bMaxY) bMaxY = boxes[b + 4];
      if (boxes[b + 5] > bMaxZ) bMaxZ = boxes[b + 5];
    }
    const at = 6 * node;
    bvBounds[at] = floatBelow(bMinX - minX);
    bvBounds[at + 1] = floatBelow(bMinY - minY);
    bvBounds[at + 2] = floatBelow(bMinZ - minZ);
    bvBounds[at + 3] = floatAbove(bMaxX - minX);
    bvBounds[at + 4] = floatAbove(bMaxY - minY);
    bvBounds[at + 5] = floatAbove(bMaxZ - minZ);
    if (to - from === 1) {
      bvItem[node] = polyStart + order[from];
      return;
    }
    const axis = widestAxis(centres, order, from, to);
    const middle = (from + to) >>> 1;
    selectMedian(centres, axis, order, from, to - 1, middle);
    build(from, middle);
    build(middle, to);
    bvItem[node] = node - next;
  }

  build(0, polyCount);
}

/** The axis along which the centres of order[from .. to - 1] spread most; the first of equals. */
function widestAxis(centres: Float64Array, order: Int32Array, from: number, to: number): number {
  let widest = 0;
  let widestSpan = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = from; i < to; i++) {
      const value = centres[3 * order[i] + axis];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > widestSpan) {
      widestSpan = high - low;
      widest = axis;
    }
  }
  return widest;
}

/** Reorders order[low .. high] so that position `k` holds what sorting by (centre, number) would put there. */
function selectMedian(
  centres: Float64Array, axis: number, order: Int32Array, low: number, high: number, k: number,
): void {
  while (low < high) {
    const pivot = order[(low + high) >>> 1];
    const pivotKey = centres[3 * pivot + axis];
    let i = low;
    let j = high;
    while (i <= j) {
      while (isBefore(centres[3 * order[i] + axis], order[i], pivotKey, pivot)) i++;
      while (isBefore(pivotKey, pivot, centres[3 * order[j] + axis], order[j])) j--;
      if (i <= j) {
        const swap = order[i];
        order[i++] = order[j];
        order[j--] = swap;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else return;
  }
}

function isBefore(keyA: number, a: number, keyB: number, b: number): boolean {
  return keyA < keyB || (keyA === keyB && a < b);
}
