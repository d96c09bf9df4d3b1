/**
 * Rasterize: triangles -> solid spans (Heightfield).
 *
 * Input: float32 positions, triangles, one area id a triangle, the grid of the configuration. Output: spans,
 * bit for bit the ones that Recast computes, in every column from the bottom up. Cost: one step a triangle,
 * row and cell touched, then one counting sort of the touched cells.
 *
 * How. Recast cuts each triangle by all row borders, each row by all column borders, in float32, a polygon
 * copy at every cut. What a cell keeps of all this is the lowest and the highest height of its piece. We
 *  - give the cells of a triangle that is flat, or lies within one voxel, the one span there is, and look for
 *    cells only;
 *  - walk the two sides of a triangle up the rows, one cut each a border (`walkRows`); polygons are cut
 *    (`cutRows`) only where a corner lies on a border between rows or the triangle sticks out;
 *  - never build a cell's polygon: each *edge* of the row's polygon is walked through the columns it crosses,
 *    and the heights at the crossings go to the two cells beside (`fillRun`), in doubles, straight from the
 *    edge's ends, with a bound on what all of Recast's roundings add up to. Where a voxel's border lies
 *    within it (0.04 to 9 % of runs; 38 % on house, whose heights lie on borders), `walkEdge` repeats the
 *    float32 operations, order and operands of the successive cuts;
 *  - take corners that lie exactly on a column border to both sides as the cuts do; only where three or more
 *    lie on the far end, the number of corners that a cut hands on decides, and polygons are cut
 *    (`fillRowByCutting`). Measured: an array of the module is read at a fixed address, with one comparison,
 *    but within a loop only by way of a local constant; an array of a record costs eight instructions a time.
 *    One float32 rounding is two conversions, ten cycles, so a branch on a height is known late (see
 *    raster.ts). Together 0.6 of the instructions and 0.75 of the cycles on terrain. Heights in doubles
 *    rather than cut by cut: 0.6 (terrain-coarse), 0.73 (soup), 0.9 to 0.95 of the time, terrain 1.04, whose
 *    edges cross two columns; to hand `walkEdge` doubles, which are put on the heap before the loop: 1.1 on
 *    terrain. No `fillPair`: 1.08 on terrain, else the same. Tried and lost: heights from the triangle's
 *    plane in doubles, with a bound on the error, and the exact way only where the bound touches a voxel's
 *    border (two thirds of a terrain's triangles decided, no faster); lowest and highest height without
 *    branches, by the bits of the float32 (a third fewer mispredictions, 1.3 times the instructions, 1.1
 *    times the time); a corner's column from a guess in doubles, put right by the borders (1.03 times on
 *    caves); a row's columns from its corners' columns without branches (0.98 on dungeons, 1.07 on caves).
 *
 * Based on: Mikko Mononen, Recast (2009), rcRasterizeTriangles; Ivan Sutherland and Gary Hodgman, Reentrant
 *   polygon clipping (1974). Every rounding (`f`) below is one of Recast's.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { BakeConfig } from './options.ts';
import { addRun, addSpan, createRaster, packSpan, roomFor, shortenList, sortIntoColumns } from './raster.ts';
import type { Raster } from './raster.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

/** Heights whose voxels are nearer than this to another voxel are not decided for a whole triangle. */
const VOXEL_MARGIN = 1 / 128;

/** Longer runs of cells are cut one by one. */
const RUN_LIMIT = 4096;

/** Parts of a voxel that heights between columns are reckoned in. */
const FRACTIONS = 1 << 17;

/** More than any height in half voxels. */
const TOP = 2 * SPAN_MAX_HEIGHT;

/** Corners, in the order of the triangle's. */
interface Polygon {
  n: number;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
}

// A triangle cut by rows has at most 5 corners, cut by columns too at most 7; 16 leaves room.
function createPolygon(): Polygon {
  return { n: 0, x: new Float64Array(16), y: new Float64Array(16), z: new Float64Array(16) };
}

const rest = createPolygon();
const row = createPolygon();
const cell = createPolygon();
const spare = createPolygon();
const rowX = row.x;
const rowY = row.y;
// What a row of cells knows of each: where it ends, and its corners' lowest and highest height in half
// voxels.
const ends = new Float64Array(RUN_LIMIT + 2);
const low = new Int16Array(RUN_LIMIT + 2);
const high = new Int16Array(RUN_LIMIT + 2);
// The heights at which edges cross where it ends, on their way right and, from BACK on, on their way left.
const BACK = RUN_LIMIT + 2;
const crossing = new Int16Array(2 * BACK);

/**
 * @param positions xyz, float32
 * @param indices three a triangle
 * @param areas one a triangle, 0 .. 63
 */
export function rasterize(
  positions: Float32Array,
  indices: ArrayLike<number>,
  areas: Uint8Array,
  config: BakeConfig,
  workspace: Workspace = createWorkspace(),
): Heightfield {
  const { widthCells: width, depthCells: depth, cellSize, cellHeight, boundsMin, boundsMax } = config;
  const raster = createRaster(config, workspace);
  const field: Heightfield = {
    width,
    depth,
    cellSize,
    cellHeight,
    boundsMin,
    boundsMax,
    columnStart: raster.start,
    spanCount: 0,
    spans: new Uint32Array(0),
  };
  fillTriangles(raster, positions, indices, areas, field);
  sortIntoColumns(raster, field);
  return field;
}

/** A loop with nothing after it, see compact.ts. */
function fillTriangles(
  raster: Raster,
  positions: Float32Array,
  indices: ArrayLike<number>,
  areas: Uint8Array,
  field: Heightfield,
): void {
  const { depth, boundsMin, boundsMax } = field;
  const minX = boundsMin[0];
  const minY = boundsMin[1];
  const minZ = boundsMin[2];
  const maxX = boundsMax[0];
  const maxY = boundsMax[1];
  const maxZ = boundsMax[2];
  const { rowEnd, inverseCellSize, inverseCellHeight, extentY } = raster;
  const highest = Math.min(f(extentY * inverseCellHeight), SPAN_MAX_HEIGHT - 1);

  for (let t = 0; t < areas.length; t++) {
    // The corners l, m, n: in the triangle's order, the first with the least z.
    let l = indices[3 * t] * 3;
    let m = indices[3 * t + 1] * 3;
    let n = indices[3 * t + 2] * 3;
    let lz = positions[l + 2];
    let mz = positions[m + 2];
    let nz = positions[n + 2];
    if (mz < lz || nz < lz) {
      const k = l;
      const z = lz;
      if (mz <= nz) {
        l = m;
        m = n;
        n = k;
        lz = mz;
        mz = nz;
        nz = z;
      } else {
        l = n;
        n = m;
        m = k;
        lz = nz;
        nz = mz;
        mz = z;
      }
    }
    const highZ = mz > nz ? mz : nz;
    // Not (a <= b) rather than a > b: triangles with NaN fall out here.
    if (!(lz <= maxZ && highZ >= minZ)) continue;
    const lx = positions[l];
    const mx = positions[m];
    const nx = positions[n];
    if (!((lx <= maxX || mx <= maxX || nx <= maxX) && (lx >= minX || mx >= minX || nx >= minX))) continue;
    const ly = positions[l + 1];
    const my = positions[m + 1];
    const ny = positions[n + 1];
    let lowY = ly;
    let highY = ly;
    if (my < lowY) lowY = my;
    else highY = my;
    if (ny < lowY) lowY = ny;
    else if (ny > highY) highY = ny;
    if (!(lowY <= maxY && highY >= minY)) continue;

    // A span that all cells get, or 0.
    let span = 0;
    if (lowY === highY) {
      span = packSpan(raster, lowY, highY);
      if (span === 0) continue;
    } else {
      const low = f(f(lowY - minY) * inverseCellHeight);
      const high = f(f(highY - minY) * inverseCellHeight) + VOXEL_MARGIN;
      const voxel = (low - VOXEL_MARGIN) | 0;
      if (low >= VOXEL_MARGIN && high < highest && (high | 0) === voxel) {
        span = voxel | ((voxel + 1) << 13);
      }
    }
    const area = areas[t] << 26;
    let z0 = f(f(lz - minZ) * inverseCellSize) | 0;
    let z1 = f(f(highZ - minZ) * inverseCellSize) | 0;
    z0 = z0 < -1 ? -1 : z0 > depth - 1 ? depth - 1 : z0;
    z1 = z1 < 0 ? 0 : z1 > depth - 1 ? depth - 1 : z1;
    if (z1 > z0 && highZ <= rowEnd[z1]) z1--;
    if (z1 < 0) continue;
    if (!walkRows(raster, positions, l, m, n, z0, z1, area, span)) {
      rest.n = 0;
      push(rest, lx, ly, lz);
      push(rest, mx, my, mz);
      push(rest, nx, ny, nz);
      cutRows(raster, z0, z1, area);
    }
    if (raster.count > raster.limit) shortenList(raster, field);
  }
}

/**
 * Fills rows z0 .. z1 with the triangle l, m, n, of which l is lowest and the highest lies within z1: its
 * sides are walked upwards, l to m on one, l to n on the other. False when a corner lies on a border between
 * rows: nothing is lost then by starting again.
 */
function walkRows(
  raster: Raster,
  positions: Float32Array,
  l: number,
  m: number,
  n: number,
  z0: number,
  z1: number,
  area: number,
  span: number,
): boolean {
  const { rowEnd } = raster;
  const xs = rowX;
  const ys = rowY;
  const mx = positions[m];
  const my = positions[m + 1];
  const mz = positions[m + 2];
  const nx = positions[n];
  const ny = positions[n + 1];
  const nz = positions[n + 2];
  const isTopM = mz >= nz;
  const midZ = isTopM ? nz : mz;
  const highZ = isTopM ? mz : nz;
  const lowZ = positions[l + 2];
  const isNear = areNear(lowZ, highZ);
  let isMidAhead = true;
  // Of a triangle that goes on beyond the last row, that is cut, too.
  const isOut = highZ > rowEnd[z1 + 1];
  const cuts = isOut ? z1 + 1 : z1;
  // The side from l to m: from u to v, upwards. Every side is cut in the triangle's sense, so here from the
  // last cut on.
  let ux = positions[l];
  let uy = positions[l + 1];
  let uz = lowZ;
  let vx = mx;
  let vy = my;
  let vz = mz;
  // The side from n to l: from b to a, downwards, so between b and the last cut.
  let ax = ux;
  let ay = uy;
  let az = uz;
  let bx = nx;
  let by = ny;
  let bz = nz;
  for (let z = z0; z < cuts; z++) {
    const end = rowEnd[z + 1];
    let count = 0;
    if (z > z0) {
      xs[0] = ax;
      ys[0] = ay;
      count = 1;
    }
    xs[count] = ux;
    ys[count++] = uy;
    let isMidLeft = false;
    if (isMidAhead && midZ <= end) {
      if (midZ === end) return false;
      isMidAhead = false;
      if (isTopM) {
        isMidLeft = true;
        ax = nx;
        ay = ny;
        az = nz;
        bx = mx;
        by = my;
        bz = mz;
      } else {
        xs[count] = mx;
        ys[count++] = my;
        ux = mx;
        uy = my;
        uz = mz;
        vx = nx;
        vy = ny;
        vz = nz;
      }
    }
    if (!(end > uz && end > az)) return false;
    let du = end - uz;
    let wu = vz - uz;
    let db = end - bz;
    let wa = az - bz;
    if (!isNear) {
      du = f(du);
      wu = f(du - f(end - vz));
      db = f(db);
      wa = f(db - f(end - az));
    }
    const s = f(du / wu);
    const r = f(db / wa);
    ux = f(ux + f(f(vx - ux) * s));
    uy = f(uy + f(f(vy - uy) * s));
    uz = isNear ? end : f(uz + f(f(vz - uz) * s));
    xs[count] = ux;
    ys[count++] = uy;
    ax = f(bx + f(f(ax - bx) * r));
    ay = f(by + f(f(ay - by) * r));
    az = isNear ? end : f(bz + f(f(az - bz) * r));
    xs[count] = ax;
    ys[count++] = ay;
    if (isMidLeft) {
      xs[count] = nx;
      ys[count++] = ny;
    }
    if (z >= 0) fillRow(raster, count, z, area, span);
  }
  if (isOut) return true;
  xs[0] = ax;
  ys[0] = ay;
  let count = 1;
  if (z0 < z1) {
    xs[1] = ux;
    ys[1] = uy;
    count = 2;
  }
  if (isMidAhead || isTopM) {
    xs[count] = mx;
    ys[count++] = my;
  }
  if (isMidAhead || !isTopM) {
    xs[count] = nx;
    ys[count++] = ny;
  }
  fillRow(raster, count, z1, area, span);
  return true;
}

/** Cuts the triangle in `rest` into rows z0 .. z1 and fills each. */
function cutRows(raster: Raster, z0: number, z1: number, area: number): void {
  for (let z = z0; z <= z1 && rest.n > 0; z++) {
    split(rest, rest.z, raster.rowEnd[z + 1], row);
    if (row.n >= 3 && z >= 0) fillRow(raster, row.n, z, area, 0);
  }
}

/**
 * Cuts `polygon` at `end` along one axis: what is before goes to `part`, the rest stays. In Recast's order of
 * corners.
 */
function split(polygon: Polygon, along: Float64Array, end: number, part: Polygon): void {
  const { n, x, y, z } = polygon;
  let i = n - 1;
  let bx = x[i];
  let by = y[i];
  let bz = z[i];
  let db = f(end - along[i]);
  part.n = spare.n = 0;
  for (i = 0; i < n; i++) {
    const ax = x[i];
    const ay = y[i];
    const az = z[i];
    const da = f(end - along[i]);
    const isCut = da >= 0 !== db >= 0;
    if (isCut) {
      const s = f(db / f(db - da));
      const cx = f(bx + f(f(ax - bx) * s));
      const cy = f(by + f(f(ay - by) * s));
      const cz = f(bz + f(f(az - bz) * s));
      push(part, cx, cy, cz);
      push(spare, cx, cy, cz);
    }
    if (da !== 0 || !isCut) {
      if (da >= 0) push(part, ax, ay, az);
      if (!(da > 0)) push(spare, ax, ay, az);
    }
    bx = ax;
    by = ay;
    bz = az;
    db = da;
  }
  polygon.n = 0;
  for (i = 0; i < spare.n; i++) push(polygon, spare.x[i], spare.y[i], spare.z[i]);
}

function push(to: Polygon, x: number, y: number, z: number): void {
  to.x[to.n] = x;
  to.y[to.n] = y;
  to.z[to.n++] = z;
}

/**
 * Adds the cells that the polygon in rowX, rowY (n corners) touches in row z; their span is known unless 0.
 */
function fillRow(raster: Raster, n: number, z: number, area: number, span: number): void {
  const { width, originX, inverseCellSize, columnEnd } = raster;
  const xs = rowX;
  const ys = rowY;
  let minX = xs[0];
  let maxX = minX;
  for (let i = 1; i < n; i++) {
    const x = xs[i];
    if (x < minX) minX = x;
    else if (x > maxX) maxX = x;
  }
  let x0 = f(f(minX - originX) * inverseCellSize) | 0;
  let x1 = f(f(maxX - originX) * inverseCellSize) | 0;
  if (x1 < 0 || x0 >= width) return;
  if (x0 < -1) x0 = -1;
  if (x1 > width - 1) x1 = width - 1;
  const base = z * width;

  if (span !== 0) {
    // As in fillRun, for the two outermost corners.
    let first = x0;
    let last = x1;
    const end = columnEnd[x1 + 1];
    const before = columnEnd[x1];
    if (maxX > end) last++;
    else if (x1 > x0 && maxX <= before) {
      last--;
      if (maxX === before && cornersAt(n, maxX) >= 3) {
        fillRowByCutting(raster, n, x0, x1, base, area);
        return;
      }
    }
    if (minX > columnEnd[x0 + 1]) first++;
    if (first < last && minX === columnEnd[first + 1] && cornersAt(n, minX) === 1) first++;
    if (first < 0) first = 0;
    if (last > x1) last = x1;
    addRun(raster, first + base, last + base, span | area);
    return;
  }
  if (x1 - x0 < 2 && x0 >= 0 && maxX <= columnEnd[x1 + 1]) {
    if (x0 === x1) {
      let minY = ys[0];
      let maxY = minY;
      for (let i = 1; i < n; i++) {
        const y = ys[i];
        if (y < minY) minY = y;
        else if (y > maxY) maxY = y;
      }
      addSpan(raster, x0 + base, packSpan(raster, minY, maxY), area);
    } else {
      fillPair(raster, n, x0, base, area);
    }
    return;
  }
  fillRun(raster, n, x0, x1, base, area);
}

/**
 * Whether all between a and b, a <= b, have differences that need no rounding (Sterbenz: neither is more than
 * twice the other), which are so small that a cut lies on the border itself: what is wrong with f(f(x - b) *
 * f(d / w)), 2^-23 of a d of a fifth of x at most, is less than half a unit of the last place of x.
 */
function areNear(a: number, b: number): boolean {
  return Math.abs(b - a) <= Math.abs(a) / 6;
}

function cornersAt(n: number, x: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (rowX[i] === x) count++;
  return count;
}

/** A polygon over columns x and x + 1: one cut, of which only counts and heights are kept. */
function fillPair(raster: Raster, n: number, x: number, base: number, area: number): void {
  const { columnEnd } = raster;
  const end = columnEnd[x + 1];
  const xs = rowX;
  const ys = rowY;
  let leftCount = 0;
  let rightCount = 0;
  let leftMin = Infinity;
  let leftMax = -Infinity;
  let rightMin = Infinity;
  let rightMax = -Infinity;
  let bx = xs[n - 1];
  let by = ys[n - 1];
  let db = f(end - bx);
  for (let i = 0; i < n; i++) {
    const ax = xs[i];
    const ay = ys[i];
    const da = f(end - ax);
    let isLeft = da > 0;
    let isRight = da < 0;
    if (isRight ? db >= 0 : db < 0) {
      const y = f(by + f(f(ay - by) * f(db / f(db - da))));
      leftCount++;
      rightCount++;
      if (y < leftMin) leftMin = y;
      if (y > leftMax) leftMax = y;
      if (y < rightMin) rightMin = y;
      if (y > rightMax) rightMax = y;
    } else if (da === 0) {
      isLeft = true;
      isRight = true;
    }
    if (isLeft) {
      leftCount++;
      if (ay < leftMin) leftMin = ay;
      if (ay > leftMax) leftMax = ay;
    }
    if (isRight) {
      rightCount++;
      if (ay < rightMin) rightMin = ay;
      if (ay > rightMax) rightMax = ay;
    }
    bx = ax;
    by = ay;
    db = da;
  }
  if (leftCount >= 3) addSpan(raster, x + base, packSpan(raster, leftMin, leftMax), area);
  if (rightCount >= 3) addSpan(raster, x + 1 + base, packSpan(raster, rightMin, rightMax), area);
}

/**
 * A polygon over columns x0 .. x1: edges are walked, see the head of the file. Columns are counted from x0
 * here.
 */
function fillRun(raster: Raster, n: number, x0: number, x1: number, base: number, area: number): void {
  const { originX, originY, inverseCellSize, inverseCellHeight, columnEnd, highest } = raster;
  const xs = rowX;
  const ys = rowY;
  const borders = ends;
  const lows = low;
  const highs = high;
  const crossings = crossing;
  const beyond = x1 - x0 + 1;
  if (beyond > RUN_LIMIT) {
    fillRowByCutting(raster, n, x0, x1, base, area);
    return;
  }
  for (let k = 0; k <= beyond; k++) {
    borders[k] = columnEnd[x0 + k + 1];
    lows[k] = TOP;
    highs[k] = 0;
  }
  const scale = inverseCellHeight * FRACTIONS;
  const reach = (beyond + 3) / 64;
  const far = Math.min(Math.abs(originY) * inverseCellHeight, 1 << 22);
  // The column of each corner: the first whose end it does not pass; `beyond` after the last. What that one
  // gets is not read.
  let first = beyond;
  let last = 0;
  let isOnBorder = false;
  let isOdd = false;
  let steps = 0;
  let bx = xs[n - 1];
  let by = ys[n - 1];
  let bv = f(f(by - originY) * inverseCellHeight);
  let kb = columnOf(bx, x0, beyond, originX, inverseCellSize);
  for (let i = 0; i < n; i++) {
    const ax = xs[i];
    const ay = ys[i];
    const ah = f(ay - originY);
    const av = f(ah * inverseCellHeight);
    const ka = columnOf(ax, x0, beyond, originX, inverseCellSize);
    const half = halfOf(av);
    // What sticks out of the bounds is for `packSpan`.
    if (!(ah >= 0 && ah <= highest)) isOdd = true;
    if (ka < first) first = ka;
    if (ka > last) last = ka;
    if (ax !== borders[ka] || ka === beyond) {
      note(ka, half);
    } else {
      // On the border: the cells on both sides get it, but for an edge that comes from beyond, whose cut
      // stands for it.
      isOnBorder = true;
      if (kb <= ka) {
        note(ka, half);
        note(ka + 1, half);
      }
    }
    if (ka !== kb) {
      let from = kb;
      let to = ka;
      let at = 0;
      if (ka < kb) {
        from = ka;
        to = kb;
        at = BACK;
      }
      steps += to - from;
      if (ay === by) {
        for (let k = from; k < to; k++) crossings[at + k] = half;
      } else {
        // A cut moves a height by 2^-24 of itself and of 19 times what the edge rises, at most: six
        // roundings, and what they do to x, which lies within 7 times the edge's length of 0 unless
        // `areNear`. All cuts together, doubled.
        const doubt = ((av + bv + far + 16 * Math.abs(av - bv)) * reach + 2) | 0;
        const slope = ((ay - by) / (ax - bx)) * scale;
        const start = (by - originY) * scale - bx * slope;
        const sure = FRACTIONS - 2 * doubt;
        for (let k = from; k < to; k++) {
          const height = (start + borders[k] * slope) | 0;
          if (((height - doubt) & (FRACTIONS - 1)) >= sure) {
            walkEdge(raster, i, n, kb, ka);
            break;
          }
          crossings[at + k] = (height >> 16) | 1;
        }
      }
    }
    bx = ax;
    by = ay;
    bv = av;
    kb = ka;
  }
  // Where an edge goes back on another, a border is crossed more than twice.
  let from = first;
  if (steps !== 2 * (last - first)) isOdd = true;
  if (isOnBorder) {
    // How many corners lie on the last column's far end, and, when no corner lies before it, on the first
    // column's.
    if (last < beyond - 1 && cornersAt(n, borders[last]) >= 3) isOdd = true;
    // A single corner on the border makes two equal points in the cell before, which are not enough.
    const end = borders[first];
    let before = 0;
    for (let i = 0; i < n; i++) if (xs[i] < end) before++;
    if (first < last && before === 0 && cornersAt(n, end) === 1) from++;
  }
  if (isOdd) {
    fillRowByCutting(raster, n, x0, x1, base, area);
    return;
  }
  if (from + x0 < 0) from++;
  // The last column's end is not crossed.
  crossings[last] = crossings[BACK + last] = highs[last];
  if (last === beyond) last--;
  const { waiting, waitingColumn: columns, waitingSpan: spans } = raster;
  let at = roomFor(raster, last + 1);
  let beforeLow = TOP;
  let beforeHigh = 0;
  for (let k = first; k <= last; k++) {
    const right = crossings[k];
    const left = crossings[BACK + k];
    let low = lows[k];
    let high = highs[k];
    const d = (right - left) & ((right - left) >> 31);
    const lowHere = left + d;
    const highHere = right - d;
    low += (lowHere - low) & ((lowHere - low) >> 31);
    low += (beforeLow - low) & ((beforeLow - low) >> 31);
    high -= (high - highHere) & ((high - highHere) >> 31);
    high -= (high - beforeHigh) & ((high - beforeHigh) >> 31);
    beforeLow = lowHere;
    beforeHigh = highHere;
    if (k < from) continue;
    const bottom = low >> 1;
    let top = (high + 1) >> 1;
    if (top <= bottom) top = bottom + 1;
    columns[at] = x0 + k + base;
    spans[at++] = bottom | (top << 13) | area;
  }
  waiting[0] = at;
}

/** The crossings of the edge that ends in corner i, from column kb to ka, as the cuts make them. */
function walkEdge(raster: Raster, i: number, n: number, kb: number, ka: number): void {
  const { originY, inverseCellHeight, highest } = raster;
  const b = i === 0 ? n - 1 : i - 1;
  const ax = rowX[i];
  const ay = rowY[i];
  const bx = rowX[b];
  const by = rowY[b];
  const isRight = ka > kb;
  const to = isRight ? ka : kb;
  // To the right each cut starts from the cut before, to the left it ends there: from p to q.
  let px = bx;
  let py = by;
  let qx = ax;
  let qy = ay;
  for (let k = isRight ? kb : ka; k < to; k++) {
    const d = f(ends[k] - px);
    const s = f(d / f(d - f(ends[k] - qx)));
    const x = f(px + f(f(qx - px) * s));
    const y = f(py + f(f(qy - py) * s));
    if (isRight) {
      px = x;
      py = y;
    } else {
      qx = x;
      qy = y;
    }
    const half = halfOf(f(Math.min(Math.max(f(y - originY), 0), highest) * inverseCellHeight));
    crossing[isRight ? k : BACK + k] = half;
  }
}

/** The floor and the ceiling of a height in voxels, added: even on a border, odd between two. */
function halfOf(voxels: number): number {
  return (voxels | 0) + TOP - ((TOP - voxels) | 0);
}

function note(k: number, half: number): void {
  if (half < low[k]) low[k] = half;
  if (half > high[k]) high[k] = half;
}

/** The first column, from x0 on, whose end x does not pass. */
function columnOf(x: number, x0: number, beyond: number, originX: number, inverseCellSize: number): number {
  let k = 0;
  if (beyond > 4) {
    k = (f(f(x - originX) * inverseCellSize) | 0) - x0 - 1;
    if (k < 0) k = 0;
    else if (k > beyond - 2) k = beyond - 2;
  }
  while (k < beyond && x > ends[k]) k++;
  return k;
}

/** The same by cutting the polygon at each column border. */
function fillRowByCutting(raster: Raster, n: number, x0: number, x1: number, base: number, area: number): void {
  row.n = n;
  for (let k = x0; k <= x1; k++) {
    split(row, rowX, raster.columnEnd[k + 1], cell);
    if (cell.n >= 3 && k >= 0) {
      const heights = cell.y.subarray(0, cell.n);
      addSpan(raster, k + base, packSpan(raster, Math.min(...heights), Math.max(...heights)), area);
    }
  }
}
