/**
 * A grid over points in the plane, rebuilt from scratch: it sorts the points by cell and answers with ranges
 * of that order.
 *
 * A query asks for a square block of cells around a cell, or for such a block without a smaller block inside
 * it. The answer is a list of runs, `from .. to`, of entries to test.
 *
 * Cells map to a table of buckets whose size is a power of two. The cells of a row map to consecutive
 * buckets, and the row's number times the golden ratio gives the first one. So three cells side by side are
 * one run, neighboring rows lie far apart in the table, and points may spread over any distance. Cells that
 * share a bucket only cost time: the caller tests distances anyway. It must accept that an entry appears
 * twice when a block is as large as the table.
 *
 * The side of a cell adapts to the density of the points, within limits that the caller sets, so that a cell holds two
 * or three points. The next call tries the last side first. Results of exact distance tests do not depend on the side.
 *
 * In: points indexed by slot, and the slots to take (`slots`).
 * Out: slots, x and z in cell order (`slot`, `xz`); runs of a block (`blockRuns`).
 * Cost: linear in the points for each side tried, usually one. No allocation once grown.
 * Based on: counting sort (Harold Seward, 1954); multiplicative hashing by the golden ratio (Donald Knuth,
 * The Art of Computer Programming 3, 6.4, 1973), applied to rows here. Own: the adaptive side.
 */

export interface PointGrid {
  /** Slots to index, in any order. The caller fills it after `reserveGrid` and before `indexPoints`. */
  slots: Int32Array;
  /** Indexed points: entries of `slot` and `xz`. */
  count: number;
  /** Slot of each entry, in cell order. */
  slot: Int32Array;
  /** x and z of entry e, at 2 e and 2 e + 1. */
  xz: Float64Array;
  /** See the `SIZE_` offsets. World units. */
  size: Float64Array;
  /** First entry of each bucket; one more element at the end. */
  start: Int32Array;
  /** Number of buckets - 1. */
  tableMask: number;
  /** Bits by which the hash of a row's number is shifted right. */
  shift: number;
  /** Runs that `blockRuns` writes. There are two lists, for two blocks at a time. */
  runs: Int32Array;
  ringRuns: Int32Array;
  /** Scratch: bucket of each point, in the order of `slots`. */
  bucketOf: Int32Array;
}

// Layout of `size`.
/** Side of a cell. */
export const SIZE_SIDE = 0;
/** Cells per world unit: 1 / side. */
export const SIZE_PER_UNIT = 1;
/** Smallest and largest side that `indexPoints` may choose; above 0. */
const SIZE_LEAST = 2;
const SIZE_MOST = 3;
const SIZE_LENGTH = 4;

/** `blockRuns`: the block is as large as the table; `runs` holds one run of all entries. */
export const ALL_ENTRIES = -1;
/** Numbers of a run: first entry, entry after the last. */
export const RUN_STRIDE = 2;

/** Returns an empty grid. */
export function createPointGrid(): PointGrid {
  return {
    slots: new Int32Array(0),
    count: 0,
    slot: new Int32Array(0),
    xz: new Float64Array(0),
    size: new Float64Array(SIZE_LENGTH),
    start: new Int32Array(0),
    tableMask: 0,
    shift: 0,
    runs: new Int32Array(0),
    ringRuns: new Int32Array(0),
    bucketOf: new Int32Array(0),
  };
}

/** Bits of 2^32 divided by the golden ratio, as a signed integer. */
const GOLDEN = 0x9e3779b1 | 0;
/** Bits of the smallest table. */
const MIN_BITS = 6;
/** Buckets per point, at least. More buckets cost memory, fewer make more cells share one. */
const BUCKETS_PER_POINT = 1.5;
/**
 * Other points in a point's cell, on average. A side outside these limits is replaced by one near the aim.
 */
const LEAST_SHARE = 1;
const MOST_SHARE = 3;
const AIM_SHARE = 1.8;
/** Sides tried in one call, at most. */
const MAX_TRIES = 5;
/** Share of a cell's side that covers the rounding of positions to cells. */
const CELL_EPSILON = 1e-6;

/** Allocates space for `capacity` points. */
export function reserveGrid(grid: PointGrid, capacity: number): void {
  if (grid.slots.length >= capacity && grid.start.length > 0) return;
  const room = Math.max(capacity, 16);
  grid.slots = new Int32Array(room);
  grid.slot = new Int32Array(room);
  grid.xz = new Float64Array(2 * room);
  grid.bucketOf = new Int32Array(room);
  let buckets = 1 << MIN_BITS;
  while (buckets < BUCKETS_PER_POINT * room) buckets *= 2;
  grid.start = new Int32Array(buckets + 1);
  // A block smaller than the table has fewer rows than the table's root, and a row has at most four runs.
  const runLength = 4 * RUN_STRIDE * (Math.ceil(Math.sqrt(buckets)) + 2);
  grid.runs = new Int32Array(runLength);
  grid.ringRuns = new Int32Array(runLength);
}

/** Sets the limits for the side of a cell, world units above 0. `most` is raised to `least` when it is smaller. */
export function limitCells(grid: PointGrid, least: number, most: number): void {
  grid.size[SIZE_LEAST] = least;
  grid.size[SIZE_MOST] = Math.max(least, most);
}

/**
 * Indexes the first `count` of `grid.slots`. The x of a point is points[stride * slot], its z is
 * points[stride * slot + stride - 1]: stride 2 reads xz, stride 3 reads xyz.
 */
export function indexPoints(grid: PointGrid, points: Float64Array, stride: number, count: number): void {
  let bits = MIN_BITS;
  while (1 << bits < BUCKETS_PER_POINT * count) bits++;
  const tableMask = (1 << bits) - 1;
  grid.tableMask = tableMask;
  grid.shift = 32 - bits;
  grid.count = count;
  chooseSide(grid, points, stride, count);

  const { slots, start, slot, xz, bucketOf } = grid;
  let sum = 0;
  for (let bucket = 0; bucket <= tableMask; bucket++) {
    sum += start[bucket];
    start[bucket] = sum;
  }
  start[tableMask + 1] = count;
  for (let k = count - 1; k >= 0; k--) {
    const at = --start[bucketOf[k]];
    const from = slots[k];
    slot[at] = from;
    xz[2 * at] = points[stride * from];
    xz[2 * at + 1] = points[stride * from + stride - 1];
  }
}

/** Counts points into buckets with the last side, then with others until one fits the density. */
function chooseSide(grid: PointGrid, points: Float64Array, stride: number, count: number): void {
  const { size } = grid;
  const least = size[SIZE_LEAST];
  const most = size[SIZE_MOST];
  let side = Math.min(Math.max(size[SIZE_SIDE], least), most);
  for (let tries = 1; ; tries++) {
    size[SIZE_SIDE] = side;
    size[SIZE_PER_UNIT] = 1 / side;
    const pairs = countPoints(grid, points, stride, count);
    if (tries === MAX_TRIES) return;
    // Distant cells that share a bucket by chance do not count.
    const share = Math.max(0.1, pairs / Math.max(1, count) - 1 - count / (2 * (grid.tableMask + 1)));
    // The number of points in a cell grows with its area.
    const factor = Math.min(Math.max(Math.sqrt(AIM_SHARE / share), 0.25), 4);
    if (share > MOST_SHARE && side > least) side = Math.max(least, side * factor);
    else if (share < LEAST_SHARE && side < most) side = Math.min(most, side * factor);
    else return;
  }
}

/**
 * Fills `start` with the number of points in each bucket, and `bucketOf`. Returns the number of
 * ordered pairs of points in one bucket, each point with itself included.
 */
function countPoints(grid: PointGrid, points: Float64Array, stride: number, count: number): number {
  const { slots, start, tableMask, shift, bucketOf, size } = grid;
  const perUnit = size[SIZE_PER_UNIT];
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
  }
  return shared;
}

/** Returns the column of an x, or the row of a z, modulo 2^32. */
export function cellOf(grid: PointGrid, x: number): number {
  return Math.floor(x * grid.size[SIZE_PER_UNIT]) | 0;
}

/** Returns how many columns and rows around a point's cell cover all points within `distance` of it. */
export function cellsWithin(grid: PointGrid, distance: number): number {
  return Math.ceil(distance * grid.size[SIZE_PER_UNIT] + CELL_EPSILON);
}

/**
 * Returns the distance from (x, z) to the nearest edge of its cell, less an epsilon: a block of only that
 * cell covers this far.
 */
export function distanceToCellEdge(grid: PointGrid, x: number, z: number): number {
  const side = grid.size[SIZE_SIDE];
  const perUnit = grid.size[SIZE_PER_UNIT];
  const lowX = Math.floor(x * perUnit) * side;
  const lowZ = Math.floor(z * perUnit) * side;
  const toX = Math.min(x - lowX, lowX + side - x);
  const toZ = Math.min(z - lowZ, lowZ + side - z);
  return (toX < toZ ? toX : toZ) - side * CELL_EPSILON;
}

/**
 * Writes the runs (first entry, entry after the last) of the cells at most `outer` columns and rows from cell
 * (cx, cz), without those at most `inner` away; `inner` -1 leaves none out. Rows near the middle come first.
 * Returns how many numbers it wrote, or `ALL_ENTRIES`. `runs` is `grid.runs` or `grid.ringRuns`.
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
    return ALL_ENTRIES;
  }
  let n = 0;
  for (let k = 0; k < width; k++) {
    // 0, -1, 1, -2, 2, ...: near points early let the caller reject the others sooner.
    const dz = (k & 1) === 0 ? k >> 1 : -((k + 1) >> 1);
    const row = Math.imul((cz + dz) | 0, GOLDEN) >>> shift;
    const isSplit = dz >= -inner && dz <= inner;
    const first = (cx - outer + row) & tableMask;
    const length = isSplit ? outer - inner : width;
    for (let side = isSplit ? 0 : 1; side < 2; side++) {
      const from = side === 1 && isSplit ? (cx + inner + 1 + row) & tableMask : first;
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

/** Returns how many numbers of the run list are in use, given what `blockRuns` returned. */
export function runsEnd(length: number): number {
  return length === ALL_ENTRIES ? RUN_STRIDE : length;
}
