/**
 * Builds the bounding-volume tree of one tile, which answers every query of the form "what is near this
 * point?".
 *
 * A query is one loop without a stack: it goes to the next node, or jumps over the subtree. Leaves hold one
 * polygon. Boxes are float32, relative to the tile's minimum and rounded outwards, so they stay tight far
 * from the origin. A query computes point - minimum in doubles. Subtraction is monotonic, so a point inside
 * the true box is inside the rounded one.
 *
 * Islands (sets of polygons that can reach each other) come first: the tree is split over whole islands until
 * one is left, then over its polygons. Each island is one subtree. Its root, counted from the tile's first
 * node, names the island in `polyIsland`. Polygons with and without a name (named.ts) are on different islands, so
 * that a name can be disabled. Inside the tile, two polygons of different islands have no path between them with any
 * filter, except through a named polygon. A nearest-on-island query looks at one subtree only. islands.ts connects
 * islands across tiles.
 *
 * The split is at the median of the box centers, along the axis where the centers spread most. Ties go by
 * number, so the tree depends on the polygons alone. Centers are integers, 2^28 to twice the tile's largest
 * extent, which compare without branches.
 *
 * In: a box for each polygon, world units.
 * Out: 2n - 1 nodes in depth-first order.
 * Cost: O(n log n), one quickselect per level; boxes are united from the leaves up.
 * Based on: own; the flat depth-first tree with escape offsets is Detour's (Mikko Mononen, 2009).
 * Tried: a separate pass that rounds the boxes of leaves is no faster.
 */
import { groupOfPoly } from '../named.ts';
import type { NavMesh } from '../types.ts';

const floatScratch = new Float32Array(1);
const bitScratch = new Int32Array(floatScratch.buffer);

/** Returns the largest float32 <= value, for value >= 0. */
export function floatBelow(value: number): number {
  // Half of the values are rounded up first, so a branch would often be mispredicted.
  floatScratch[0] = value;
  bitScratch[0] -= Number(floatScratch[0] > value);
  return floatScratch[0];
}

/** Returns the smallest float32 >= value, for value >= 0. */
export function floatAbove(value: number): number {
  floatScratch[0] = value;
  bitScratch[0] += Number(floatScratch[0] < value);
  return floatScratch[0];
}

/** Writes the box of a polygon and its detail vertices to out[at], world units: min xyz, max xyz. */
export function polyBounds(out: Float64Array, at: number, mesh: NavMesh, poly: number): void {
  const { vertices, edgeVertex, detailVertices } = mesh;
  const corners = mesh.polyVertexCount[poly];
  const total = corners + mesh.polyDetailVertexCount[poly];
  const edgeStart = mesh.polyEdgeStart[poly];
  const detailStart = mesh.polyDetailVertexStart[poly];
  clearBox(out, at);
  for (let i = 0; i < total; i++) {
    if (i < corners) growBox(out, at, vertices, 3 * edgeVertex[edgeStart + i]);
    else growBox(out, at, detailVertices, 3 * (detailStart + i - corners));
  }
}

/** Empties the box at out[at]. */
export function clearBox(out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    out[at + k] = Infinity;
    out[at + 3 + k] = -Infinity;
  }
}

/** Adds the point at source[v] to the box at out[at]. */
export function growBox(out: Float64Array, at: number, source: Float64Array, v: number): void {
  for (let k = 0; k < 3; k++) {
    const value = source[v + k];
    if (value < out[at + k]) out[at + k] = value;
    if (value > out[at + 3 + k]) out[at + 3 + k] = value;
  }
}

/** Returns the number of nodes of a tree over `polyCount` polygons. */
export function bvNodeCount(polyCount: number): number {
  return polyCount === 0 ? 0 : 2 * polyCount - 1;
}

/** The items that one level of the tree is split over: polygons, or islands. */
interface Items {
  /** 6 per item, world units. */
  boxes: Float64Array;
  /** 3 per item: the center of its box as integers, see the header. */
  centres: Int32Array;
  order: Int32Array;
  /** Per polygon: 1 if its island is known. For islands: where each begins in the order of the polygons, and the end. */
  starts: Int32Array;
}

/** Returns memory for polygons and for islands. */
function createItems(count: number): Items[] {
  return [0, 1].map(() => ({
    boxes: new Float64Array(6 * count),
    centres: new Int32Array(3 * count),
    order: new Int32Array(count),
    starts: new Int32Array(count + 1),
  }));
}

/** Trees of up to this number of polygons share their memory: tiles that change in each frame leave no garbage. */
const FEW_POLYS = 1024;
let few: Items[] | undefined;

/**
 * Writes the tree of the tile in this slot to its range of nodes, `polyIsland` of its polygons, and
 * `islandParent` with each island on its own. The tile's polygons, edges and bounds must be in place.
 */
export function buildBvTree(mesh: NavMesh, slot: number): void {
  const polyStart = mesh.tilePolyStart[slot];
  const polyCount = mesh.tilePolyCount[slot];
  const nodeStart = mesh.tileNodeStart[slot];
  if (polyCount === 0) return;
  const [polys, islands] = polyCount > FEW_POLYS ? createItems(polyCount) : (few ??= createItems(FEW_POLYS));
  for (let i = 0; i < polyCount; i++) polyBounds(polys.boxes, 6 * i, mesh, polyStart + i);
  const islandCount = groupByIsland(polys, islands.starts, mesh, polyStart, polyCount);
  setCentres(polys, polyCount, mesh, slot);
  for (let island = 0; island < islandCount; island++) {
    islands.order[island] = island;
    clearBox(islands.boxes, 6 * island);
    for (let i = islands.starts[island]; i < islands.starts[island + 1]; i++) {
      growBox(islands.boxes, 6 * island, polys.boxes, 6 * polys.order[i]);
      growBox(islands.boxes, 6 * island, polys.boxes, 6 * polys.order[i] + 3);
    }
  }
  setCentres(islands, islandCount, mesh, slot);
  buildNode({ mesh, slot, polyStart, nodeStart, polys, islands }, islands, 0, islandCount, nodeStart);
}

interface Tree {
  mesh: NavMesh;
  slot: number;
  polyStart: number;
  nodeStart: number;
  polys: Items;
  islands: Items;
}

/**
 * Writes the subtree of items order[from .. to - 1], starting at `node`, and returns the node after it.
 * Halves are equal, so the recursion depth is log2 of the islands plus log2 of the polygons.
 */
function buildNode(tree: Tree, items: Items, from: number, to: number, node: number): number {
  const { mesh, polys, polyStart } = tree;
  const { bvBounds, bvItem, islandParent } = mesh;
  const { order } = items;
  islandParent[node] = -1;
  if (to - from === 1) {
    const item = order[from];
    if (items === polys) {
      bvItem[node] = polyStart + item;
      for (let k = 0; k < 3; k++) {
        const min = mesh.tileBounds[6 * tree.slot + k];
        bvBounds[6 * node + k] = floatBelow(polys.boxes[6 * item + k] - min);
        bvBounds[6 * node + k + 3] = floatAbove(polys.boxes[6 * item + k + 3] - min);
      }
      return node + 1;
    }
    // An island: the same node is the root of its polygons.
    const begin = tree.islands.starts[item];
    const end = tree.islands.starts[item + 1];
    for (let i = begin; i < end; i++) mesh.polyIsland[polyStart + polys.order[i]] = node - tree.nodeStart;
    const after = buildNode(tree, polys, begin, end, node);
    islandParent[node] = node;
    return after;
  }
  const middle = (from + to) >>> 1;
  const axis = widestAxis(items.centres, order, from, to);
  if (to - from <= FEW) sortFew(items.centres, axis, order, from, to);
  else selectMedian(items.centres, axis, order, from, to - 1, middle);
  const right = buildNode(tree, items, from, middle, node + 1);
  const after = buildNode(tree, items, middle, to, right);
  bvItem[node] = node - after;
  // Rounding keeps the order, so the union of the rounded halves is the rounded union.
  for (let k = 0; k < 3; k++) {
    const lowA = bvBounds[6 * node + 6 + k];
    const lowB = bvBounds[6 * right + k];
    const highA = bvBounds[6 * node + 9 + k];
    const highB = bvBounds[6 * right + 3 + k];
    bvBounds[6 * node + k] = lowA < lowB ? lowA : lowB;
    bvBounds[6 * node + 3 + k] = highA > highB ? highA : highB;
  }
  return after;
}

/**
 * Fills `order` with the polygons' numbers, island by island, and `starts` with where each island begins, and the end. Returns the number of
 * islands.
 */
function groupByIsland(
  { order, starts: seen }: Items,
  starts: Int32Array,
  mesh: NavMesh,
  polyStart: number,
  polyCount: number,
): number {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  seen.fill(0, 0, polyCount);
  let islandCount = 0;
  const hasGroups = mesh.polyGroup.size > 0;
  let count = 0;
  for (let seed = 0; seed < polyCount; seed++) {
    if (seen[seed] === 1) continue;
    starts[islandCount++] = count;
    seen[seed] = 1;
    order[count] = seed;
    // `order` doubles as the queue.
    for (let at = count++; at < count; at++) {
      const first = polyEdgeStart[polyStart + order[at]];
      const end = first + polyVertexCount[polyStart + order[at]];
      for (let e = first; e < end; e++) {
        const other = edgeNeighbor[e] - polyStart;
        if (edgeNeighbor[e] < 0 || seen[other] === 1) continue;
        if (hasGroups && groupOfPoly(mesh, edgeNeighbor[e]) !== groupOfPoly(mesh, polyStart + order[at])) continue;
        seen[other] = 1;
        order[count++] = other;
      }
    }
  }
  starts[islandCount] = count;
  return islandCount;
}

function setCentres({ boxes, centres }: Items, count: number, { tileBounds }: NavMesh, slot: number): void {
  const at = 6 * slot;
  const extent = Math.max(
    tileBounds[at + 3] - tileBounds[at],
    tileBounds[at + 4] - tileBounds[at + 1],
    tileBounds[at + 5] - tileBounds[at + 2],
  );
  const scale = extent > 0 ? 0x8000000 / extent : 0;
  for (let c = 0, b = 0; c < 3 * count; c += 3, b += 6) {
    for (let k = 0; k < 3; k++) centres[c + k] = (boxes[b + k] + boxes[b + k + 3] - 2 * tileBounds[at + k]) * scale;
  }
}

/** Returns the axis along which the centers of order[from .. to - 1] spread most; the first of equals. */
function widestAxis(centres: Int32Array, order: Int32Array, from: number, to: number): number {
  let lowX = 0x7fffffff;
  let lowY = lowX;
  let lowZ = lowX;
  let highX = -1;
  let highY = -1;
  let highZ = -1;
  for (let i = from; i < to; i++) {
    const at = 3 * order[i];
    const x = centres[at];
    const y = centres[at + 1];
    const z = centres[at + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  const widest = highY - lowY > highX - lowX ? 1 : 0;
  return highZ - lowZ > (widest === 1 ? highY - lowY : highX - lowX) ? 2 : widest;
}

/** Up to this number of items are sorted instead of split: the overhead of loops would exceed their work. */
const FEW = 4;

/** Sorts order[from .. to - 1] by (center, number). */
function sortFew(centres: Int32Array, axis: number, order: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const item = order[i];
    const key = centres[3 * item + axis];
    let at = i;
    for (; at > from; at--) {
      const before = order[at - 1];
      const center = centres[3 * before + axis];
      if (center < key || (center === key && before < item)) break;
      order[at] = before;
    }
    order[at] = item;
  }
}

/** Reorders order[low .. high] so that position `k` holds what sorting by (center, number) would put there. */
function selectMedian(
  centres: Int32Array,
  axis: number,
  order: Int32Array,
  low: number,
  high: number,
  k: number,
): void {
  while (low < high) {
    const middle = (low + high) >>> 1;
    const pivot = order[middle];
    const key = centres[3 * pivot + axis];
    order[middle] = order[high];
    let end = low;
    for (let i = low; i < high; i++) {
      const item = order[i];
      // Negative when the item comes before the pivot.
      const difference = 2 * (centres[3 * item + axis] - key) + (((item - pivot) >> 31) | 1);
      order[i] = order[end];
      order[end] = item;
      end += difference >>> 31;
    }
    order[high] = order[end];
    order[end] = pivot;
    if (end === k) return;
    if (k < end) high = end - 1;
    else low = end + 1;
  }
}
