/**
 * A grid over points in the plane, made anew each tick: points in the order of their cells, blocks of cells as runs of it.
 *
 * In: points of slots and the slots to take. Out: x, z and slot in cell order; a query asks for the cells of a block around a
 * cell, or of a block without the block inside of it, and gets runs `from .. to` of that order to look through.
 *
 * Cells are counted into a table of a power of two of buckets. A row of cells takes buckets that follow each other, from a place
 * on that the row's number times the golden ratio gives, so that three cells beside each other are one run, rows that are near
 * in number lie far apart in the table, and a crowd may spread as far as it likes. Cells that share a bucket cost time only: who
 * asks checks distances, and must not mind to meet an entry twice (when a block is as large as the table).
 *
 * Cells are as large as suits how close the points stand: between two limits, two or three points to a cell, measured by how
 * many share one. The size is kept for the next time, so that it is looked for once; what is found by exact distances does not
 * depend on it.
 *
 * Cost: about 30 ns a point with a size that fits, and as much again for each that is tried. No allocation once grown.
 *
 * Based on: counting sort (Harold Seward, 1954); multiplicative hashing by the golden ratio (Donald Knuth, The Art of Computer
 * Programming 3, 6.4, 1973), here of rows; the rest own.
 */

export interface PointGrid {
  count: number;
  /** Slots in cell order; x and z at 2k, 2k + 1; the cell, as whole numbers modulo 2^32, too. */
  slot: Int32Array;
  xz: Float64Array;
  cell: Int32Array;
  /** 0: side of a cell; 1: cells a unit; 2, 3: least and largest side, set by who indexes. */
  size: Float64Array;
  /** Where each bucket begins in that order; one more at the end. */
  start: Int32Array;
  /** Buckets - 1, and by how much a row's number is shifted down. */
  tableMask: number;
  shift: number;
  /** Scratch: bucket and cell of each point as it came. */
  bucketOf: Int32Array;
  cellOf: Int32Array;
}

export function createPointGrid(): PointGrid {
  return {
    count: 0,
    slot: new Int32Array(0),
    xz: new Float64Array(0),
    cell: new Int32Array(0),
    size: Float64Array.of(0, 0, 0, 0),
    start: new Int32Array(0),
    tableMask: 0,
    shift: 0,
    bucketOf: new Int32Array(0),
    cellOf: new Int32Array(0),
  };
}

/** 2^32 over the golden ratio. */
const GOLDEN = 0x9e3779b1 | 0;
const MIN_BITS = 6;
/** How many others share a point's cell on average. Sizes beyond these limits are changed for one near the aim. */
const LEAST_SHARE = 1;
const MOST_SHARE = 3;
const AIM_SHARE = 1.8;
const TRIES = 5;

/**
 * Indexes slots[0 .. count - 1]; x is points[stride * slot + 0], z is points[stride * slot + stride - 1]. Room is made for
 * `capacity` at once. `grid.size[2]` and `[3]` are limits of the cells' side, above 0.
 */
export function indexPoints(
  grid: PointGrid,
  points: Float64Array,
  stride: number,
  slots: Int32Array,
  count: number,
  capacity: number,
): void {
  reserve(grid, Math.max(count, capacity));
  let bits = MIN_BITS;
  while (1 << bits < 1.5 * count) bits++;
  const tableMask = (1 << bits) - 1;
  grid.tableMask = tableMask;
  grid.shift = 32 - bits;
  grid.count = count;
  chooseSize(grid, points, stride, slots, count);

  const { start, slot, xz, cell, bucketOf, cellOf } = grid;
  let sum = 0;
  for (let bucket = 0; bucket <= tableMask; bucket++) {
    sum += start[bucket];
    start[bucket] = sum;
  }
  start[tableMask + 1] = count;
  for (let k = count - 1; k >= 0; k--) {
    const at = --start[bucketOf[k]];
    const one = slots[k];
    slot[at] = one;
    xz[2 * at] = points[stride * one];
    xz[2 * at + 1] = points[stride * one + stride - 1];
    cell[2 * at] = cellOf[2 * k];
    cell[2 * at + 1] = cellOf[2 * k + 1];
  }
}

/** Counts points into buckets with the last size, and with others until one suits. */
function chooseSize(grid: PointGrid, points: Float64Array, stride: number, slots: Int32Array, count: number): void {
  const { size } = grid;
  const least = size[2];
  const most = Math.max(least, size[3]);
  let side = Math.min(Math.max(size[0], least), most);
  for (let tries = 1; ; tries++) {
    size[0] = side;
    size[1] = 1 / side;
    const pairs = countPoints(grid, points, stride, slots, count);
    if (tries === TRIES) return;
    // Cells that are far from each other share buckets, too, if there are many.
    const share = Math.max(0.1, pairs / Math.max(1, count) - 1 - count / (2 * (grid.tableMask + 1)));
    // The others in a cell grow with its area.
    const factor = Math.min(Math.max(Math.sqrt(AIM_SHARE / share), 0.25), 4);
    if (share > MOST_SHARE && side > least) side = Math.max(least, side * factor);
    else if (share < LEAST_SHARE && side < most) side = Math.min(most, side * factor);
    else return;
  }
}

/** Fills start (as counts), bucketOf and cellOf. Returns how many pairs share a bucket, each point with itself included. */
function countPoints(grid: PointGrid, points: Float64Array, stride: number, slots: Int32Array, count: number): number {
  const { start, tableMask, shift, bucketOf, cellOf, size } = grid;
  const perUnit = size[1];
  const z = stride - 1;
  let shared = 0;
  start.fill(0, 0, tableMask + 2);
  for (let k = 0; k < count; k++) {
    const at = stride * slots[k];
    const cx = Math.floor(points[at] * perUnit) | 0;
    const cz = Math.floor(points[at + z] * perUnit) | 0;
    const bucket = (cx + (Math.imul(cz, GOLDEN) >>> shift)) & tableMask;
    const before = start[bucket];
    start[bucket] = before + 1;
    shared += 2 * before + 1;
    bucketOf[k] = bucket;
    cellOf[2 * k] = cx;
    cellOf[2 * k + 1] = cz;
  }
  return shared;
}

/** How many numbers `blockRuns` may write for this grid. */
export function runCapacity(grid: PointGrid): number {
  return 8 * (Math.ceil(Math.sqrt(grid.tableMask + 1)) + 2);
}

/**
 * Runs (from, to) of entries in the cells at most `outer` columns and rows from cell (cx, cz), without those at most `inner` (-1:
 * with all). Returns how many numbers it wrote, or -1 when the block is as large as the table: then one run of all there is.
 */
export function blockRuns(
  runs: Int32Array,
  grid: PointGrid,
  cx: number,
  cz: number,
  inner: number,
  outer: number,
): number {
  const { start, tableMask, shift } = grid;
  const width = 2 * outer + 1;
  if (width * width > tableMask) {
    runs[0] = 0;
    runs[1] = grid.count;
    return -1;
  }
  let n = 0;
  for (let k = 0; k < width; k++) {
    // The middle row first, then the ones beside it: what is near comes early.
    const dz = (k & 1) === 0 ? k >> 1 : -((k + 1) >> 1);
    const row = Math.imul((cz + dz) | 0, GOLDEN) >>> shift;
    const split = dz >= -inner && dz <= inner;
    const first = (cx - outer + row) & tableMask;
    const length = split ? outer - inner : width;
    for (let side = split ? 0 : 1; side < 2; side++) {
      const from = side === 1 && split ? (cx + inner + 1 + row) & tableMask : first;
      const to = from + length;
      const over = to - tableMask - 1;
      const end = over > 0 ? start[tableMask + 1] : start[to];
      if (start[from] < end) {
        runs[n++] = start[from];
        runs[n++] = end;
      }
      if (over > 0 && start[over] > 0) {
        runs[n++] = 0;
        runs[n++] = start[over];
      }
    }
  }
  return n;
}

function reserve(grid: PointGrid, capacity: number): void {
  if (grid.slot.length >= capacity && grid.start.length > 0) return;
  const room = Math.max(capacity, 16);
  grid.slot = new Int32Array(room);
  grid.xz = new Float64Array(2 * room);
  grid.cell = new Int32Array(2 * room);
  grid.bucketOf = new Int32Array(room);
  grid.cellOf = new Int32Array(2 * room);
  let buckets = 1 << MIN_BITS;
  while (buckets < 1.5 * room) buckets *= 2;
  grid.start = new Int32Array(buckets + 1);
}
