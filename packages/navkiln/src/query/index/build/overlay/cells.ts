/**
 * Divides a mesh into cells: connected groups of neighboring polygons of about equal numbers.
 *
 * The polygons are halved along the longer side of their bounds until each block is small. The connected parts of a
 * block are cells; a part with few polygons joins a neighbor. Larger blocks of the division become the upper levels.
 *
 * In: a mesh.
 * Out: the cell of each polygon, and the block of each cell.
 * Cost: O(n log n).
 * Based on: own; k-d trees by Jon Bentley, Multidimensional Binary Search Trees Used for Associative Searching, 1975.
 */
import type { NavMesh } from '../../../../mesh/types.ts';
import type { PathIndex } from '../../types.ts';
import { extentOf } from '../grid.ts';

/** Maximum number of polygons of a block on the lowest level. */
const CELL_POLYS = 256;
/** Factor by which blocks of the next level are larger. */
const GROUP = 16;
/** A part of a block with fewer polygons joins a neighbor. */
const MIN_POLYS = 16;
/** A level exists only if the mesh has at least this many blocks of it. */
const MIN_BLOCKS = 4;

/** The blocks while they are halved. */
export interface Blocks {
  /** Polygons in the order of their blocks, and the middle of each polygon's bounds, by polygon. */
  polys: Int32Array;
  xs: Float64Array;
  zs: Float64Array;
  /** Per polygon: its block on the lowest level. */
  blockOf: Int32Array;
  /** Per block: the enclosing block one level up, or -1. */
  parents: number[];
  levelCount: number;
  /** Ranges of `polys` to halve: first, end, enclosing block, level to reach. */
  stack: number[];
}

/** Returns a single block of all polygons. */
export function createBlocks(mesh: NavMesh, { polyOpen }: PathIndex): Blocks {
  const xs = new Float64Array(mesh.polyCount);
  const zs = new Float64Array(mesh.polyCount);
  const polys = new Int32Array(polyOpen.reduce((sum, open) => sum + (open > 0 ? 1 : 0), 0));
  let count = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    if (polyOpen[poly] === 0) continue;
    polys[count++] = poly;
    const [minX, minZ, maxX, maxZ] = extentOf(mesh, poly);
    xs[poly] = (minX + maxX) / 2;
    zs[poly] = (minZ + maxZ) / 2;
  }
  let levelCount = 1;
  while (count > MIN_BLOCKS * sizeOf(levelCount + 1)) levelCount++;
  return {
    polys,
    xs,
    zs,
    blockOf: new Int32Array(mesh.polyCount).fill(-1),
    parents: [],
    levelCount,
    stack: [0, count, -1, levelCount],
  };
}

/** Returns the largest number of polygons of a block on a level, counted from 1. */
function sizeOf(level: number): number {
  let size = CELL_POLYS;
  for (let k = 1; k < level; k++) size *= GROUP;
  return size;
}

/** Halves or finishes one block. Returns the number of its polygons; 0 when no block is left. */
export function halveBlock(blocks: Blocks): number {
  const { polys, xs, zs, stack } = blocks;
  if (stack.length === 0) return 0;
  const [first, end, around, top] = stack.splice(-4);
  const count = end - first;
  let block = around;
  let level = top;
  for (; level > 0 && count <= sizeOf(level); level--) {
    blocks.parents.push(block);
    block = blocks.parents.length - 1;
  }
  if (level === 0) {
    for (let i = first; i < end; i++) blocks.blockOf[polys[i]] = block;
    return count;
  }
  let [minX, minZ, maxX, maxZ] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = first; i < end; i++) {
    const x = xs[polys[i]];
    const z = zs[polys[i]];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const middle = (first + end) >> 1;
  partition(polys, maxX - minX >= maxZ - minZ ? xs : zs, first, end - 1, middle);
  stack.push(middle, end, block, level, first, middle, block, level);
  return count;
}

/**
 * Partitions polygons `first` to `last` by key: keys before `middle` are not larger, and keys from there on not
 * smaller.
 */
function partition(polys: Int32Array, keys: Float64Array, first: number, last: number, middle: number): void {
  let low = first;
  let high = last;
  while (low < high) {
    const pivot = polys[(low + high) >> 1];
    const key = keys[pivot];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[polys[i]] < key || (keys[polys[i]] === key && polys[i] < pivot)) i++;
      while (keys[polys[j]] > key || (keys[polys[j]] === key && polys[j] > pivot)) j--;
      if (i > j) break;
      const poly = polys[i];
      polys[i++] = polys[j];
      polys[j--] = poly;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

/** Writes the cell of each polygon into the index. Returns the block of each cell. */
export function floodCells(out: PathIndex, mesh: NavMesh, { polys, blockOf }: Blocks): Int32Array {
  const polyCell = new Int32Array(mesh.polyCount).fill(-1);
  const stack: number[] = [];
  const sizes: number[] = [];
  const blocks: number[] = [];
  for (const seed of polys) {
    if (polyCell[seed] >= 0) continue;
    const cell = sizes.length;
    let size = 0;
    polyCell[seed] = cell;
    stack.push(seed);
    while (stack.length > 0) {
      const poly = stack.pop()!;
      size++;
      visitNeighbors(mesh, poly, (other) => {
        if (polyCell[other] >= 0 || blockOf[other] !== blockOf[seed]) return;
        polyCell[other] = cell;
        stack.push(other);
      });
    }
    sizes.push(size);
    blocks.push(blockOf[seed]);
  }
  const into = joinSmall(mesh, polys, polyCell, sizes);
  // Cells are numbered by block, so that neighbors are near each other in memory.
  const numbers = new Int32Array(sizes.length).fill(-1);
  const cellBlock: number[] = [];
  for (const poly of polys) {
    const cell = rootOf(into, polyCell[poly]);
    if (numbers[cell] < 0) {
      numbers[cell] = cellBlock.length;
      cellBlock.push(blocks[cell]);
    }
    polyCell[poly] = numbers[cell];
  }
  out.polyCell = polyCell;
  return Int32Array.from(cellBlock);
}

/**
 * Lets small cells join the neighbor with which they share most edges. Returns for each cell the cell that it has
 * joined.
 */
function joinSmall(mesh: NavMesh, polys: Int32Array, polyCell: Int32Array, sizes: number[]): Int32Array {
  const into = Int32Array.from(sizes.keys());
  const borders = new Map<number, number>();
  for (let first = 0; first < polys.length;) {
    const cell = polyCell[polys[first]];
    let end = first + 1;
    while (end < polys.length && polyCell[polys[end]] === cell) end++;
    // The polygons of a small cell need not be consecutive: each run of them is counted separately.
    if (sizes[cell] < MIN_POLYS && into[cell] === cell) {
      borders.clear();
      for (let i = first; i < end; i++) {
        visitNeighbors(mesh, polys[i], (other) => {
          if (polyCell[other] < 0) return;
          const root = rootOf(into, polyCell[other]);
          if (root !== cell) borders.set(root, (borders.get(root) ?? 0) + 1);
        });
      }
      let best = -1;
      for (const [other, count] of borders) {
        if (sizes[other] + sizes[cell] > 2 * CELL_POLYS) continue;
        if (best < 0 || count > borders.get(best)! || (count === borders.get(best) && other < best)) best = other;
      }
      if (best >= 0) {
        into[cell] = best;
        sizes[best] += sizes[cell];
      }
    }
    first = end;
  }
  return into;
}

/** Returns the last of a chain: the root of a set. */
export function rootOf(into: Int32Array, item: number): number {
  let root = item;
  while (into[root] !== root) root = into[root];
  return root;
}

function visitNeighbors(mesh: NavMesh, poly: number, visit: (other: number) => void): void {
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) if (mesh.edgeNeighbor[e] >= 0) visit(mesh.edgeNeighbor[e]);
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) visit(mesh.portalPoly[l]);
}
