/**
 * Rasterize: triangles -> solid spans (Heightfield).
 *
 * Input: float32 positions, triangles, one area id a triangle, the grid of the configuration. Output: spans, bit for bit the
 * ones that Recast computes, in every column from the bottom up. Cost: one step a triangle, row and cell touched, then one
 * counting sort of the touched cells.
 *
 * How. Recast cuts each triangle by all row borders, each row by all column borders, in float32, a polygon copy at every cut.
 * What a cell keeps of all this is the lowest and the highest height of its piece. We
 *  - take a triangle that lies within one row, or a row that lies within one cell, as it is: its cuts would change nothing;
 *  - cut rows by keeping x and height only (z is not read again);
 *  - never build a cell's polygon: each *edge* of the row's polygon is walked through the columns it crosses, with the very
 *    float32 operations, order and operands of the successive cuts, and the heights at the crossings go to the two cells
 *    beside. A flat row needs no heights at all;
 *  - take corners that lie exactly on a column border to both sides as the cuts do; only where three or more lie on the far
 *    end, the number of corners that a cut hands on decides, and polygons are cut (`fillRowByCutting`).
 * Tried and lost: heights from the triangle's plane in doubles, with a bound on the error, and the exact way only where the
 * bound touches a voxel's border. It decided two thirds of a terrain's triangles and took as long for each: what costs is
 * not the roundings but the branches that nobody can predict, and those are the same.
 *
 * Based on: Mikko Mononen, Recast (2009), rcRasterizeTriangles; Ivan Sutherland and Gary Hodgman, Reentrant polygon clipping
 * (1974). Every rounding (`f`) below is one of Recast's.
 */
import { createWorkspace, takeInt32 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { BakeConfig } from './options.ts';
import { createRaster, growList, LIST_LIMIT, listCell, packSpan, sortIntoColumns } from './raster.ts';
import type { Raster } from './raster.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

// A triangle cut by rows has at most 5 corners, cut by columns too at most 7; 16 leaves room.
const restX = new Float64Array(16);
const restY = new Float64Array(16);
const restZ = new Float64Array(16);
const nextX = new Float64Array(16);
const nextY = new Float64Array(16);
const nextZ = new Float64Array(16);
const cutX = new Float64Array(16);
const cutY = new Float64Array(16);
const rowX = new Float64Array(16);
const rowY = new Float64Array(16);
const rowColumn = new Int32Array(16);

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
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax } = config;
  const raster = createRaster(config, Math.min(LIST_LIMIT, 2 * (width * depth + areas.length) + 4096), workspace);
  const minX = boundsMin[0], minY = boundsMin[1], minZ = boundsMin[2];
  const maxX = boundsMax[0], maxY = boundsMax[1], maxZ = boundsMax[2];
  const { rowEnd, inverseCellSize } = raster;
  const triangleCount = areas.length;
  const field: Heightfield = {
    width, depth, cellSize: config.cellSize, cellHeight: config.cellHeight, boundsMin, boundsMax,
    columnStart: takeInt32(workspace, 'solid.columnStart2', width * depth + 1), spanCount: 0, spans: new Uint32Array(0),
  };

  for (let t = 0; t < triangleCount; t++) {
    const a = indices[3 * t]! * 3, b = indices[3 * t + 1]! * 3, c = indices[3 * t + 2]! * 3;
    const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
    const bx = positions[b]!, by = positions[b + 1]!, bz = positions[b + 2]!;
    const cx = positions[c]!, cy = positions[c + 1]!, cz = positions[c + 2]!;

    const lowZ = az < bz ? (az < cz ? az : cz) : bz < cz ? bz : cz;
    const highZ = az > bz ? (az > cz ? az : cz) : bz > cz ? bz : cz;
    // Not (a <= b) rather than a > b: triangles with NaN fall out here.
    if (!(lowZ <= maxZ && highZ >= minZ)) continue;
    if (!((ax <= maxX || bx <= maxX || cx <= maxX) && (ax >= minX || bx >= minX || cx >= minX))) continue;
    if (!((ay <= maxY || by <= maxY || cy <= maxY) && (ay >= minY || by >= minY || cy >= minY))) continue;

    const area = areas[t]! << 26;
    let z0 = f(f(lowZ - minZ) * inverseCellSize) | 0;
    let z1 = f(f(highZ - minZ) * inverseCellSize) | 0;
    z0 = z0 < -1 ? -1 : z0 > depth - 1 ? depth - 1 : z0;
    z1 = z1 < 0 ? 0 : z1 > depth - 1 ? depth - 1 : z1;

    if (z0 === z1 && highZ <= rowEnd[z0 + 1]!) {
      rowX[0] = ax; rowY[0] = ay;
      rowX[1] = bx; rowY[1] = by;
      rowX[2] = cx; rowY[2] = cy;
      fillRow(raster, 3, z0, area);
    } else {
      restX[0] = ax; restY[0] = ay; restZ[0] = az;
      restX[1] = bx; restY[1] = by; restZ[1] = bz;
      restX[2] = cx; restY[2] = cy; restZ[2] = cz;
      fillRows(raster, z0, z1, area);
    }
    if (raster.count > LIST_LIMIT) sortIntoColumns(raster, field, config.walkableClimbCells);
  }
  if (raster.count > 0 || field.spanCount === 0) sortIntoColumns(raster, field, config.walkableClimbCells);
  return field;
}

/** Cuts the triangle in rest* into rows z0 .. z1 and fills each. */
function fillRows(raster: Raster, z0: number, z1: number, area: number): void {
  const { rowEnd } = raster;
  let fromX = restX, fromY = restY, fromZ = restZ, toX = nextX, toY = nextY, toZ = nextZ;
  let count = 3;
  for (let z = z0; z <= z1 && count > 0; z++) {
    const end = rowEnd[z + 1]!;
    let rowCount = 0, toCount = 0;
    let bx = fromX[count - 1]!, by = fromY[count - 1]!, bz = fromZ[count - 1]!;
    let db = f(end - bz);
    for (let i = 0; i < count; i++) {
      const ax = fromX[i]!, ay = fromY[i]!, az = fromZ[i]!;
      const da = f(end - az);
      if (da >= 0 !== db >= 0) {
        const s = f(db / f(db - da));
        const x = f(bx + f(f(ax - bx) * s));
        const y = f(by + f(f(ay - by) * s));
        rowX[rowCount] = x;
        rowY[rowCount++] = y;
        toX[toCount] = x;
        toY[toCount] = y;
        toZ[toCount++] = f(bz + f(f(az - bz) * s));
        if (da > 0) {
          rowX[rowCount] = ax;
          rowY[rowCount++] = ay;
        } else if (da < 0) {
          toX[toCount] = ax;
          toY[toCount] = ay;
          toZ[toCount++] = az;
        }
      } else {
        if (da >= 0) {
          rowX[rowCount] = ax;
          rowY[rowCount++] = ay;
        }
        if (da <= 0) {
          toX[toCount] = ax;
          toY[toCount] = ay;
          toZ[toCount++] = az;
        }
      }
      bx = ax;
      by = ay;
      bz = az;
      db = da;
    }
    const swapX = fromX, swapY = fromY, swapZ = fromZ;
    fromX = toX;
    fromY = toY;
    fromZ = toZ;
    toX = swapX;
    toY = swapY;
    toZ = swapZ;
    count = toCount;
    if (rowCount >= 3 && z >= 0) fillRow(raster, rowCount, z, area);
  }
}

/** Lists the cells that the polygon in rowX, rowY (n corners) touches in row z. */
function fillRow(raster: Raster, n: number, z: number, area: number): void {
  const { width, originX, inverseCellSize, columnEnd } = raster;
  let minX = rowX[0]!, maxX = minX;
  for (let i = 1; i < n; i++) {
    const x = rowX[i]!;
    if (x < minX) minX = x;
    else if (x > maxX) maxX = x;
  }
  let x0 = f(f(minX - originX) * inverseCellSize) | 0;
  let x1 = f(f(maxX - originX) * inverseCellSize) | 0;
  if (x1 < 0 || x0 >= width) return;
  if (x0 < -1) x0 = -1;
  if (x1 > width - 1) x1 = width - 1;
  if (raster.count + (x1 - x0) + 1 > raster.column.length) growList(raster, x1 - x0 + 1);

  if (maxX <= columnEnd[x1 + 1]! && x1 - x0 < 2 && x0 >= 0) {
    if (x0 === x1) {
      let minY = rowY[0]!, maxY = minY;
      for (let i = 1; i < n; i++) {
        const y = rowY[i]!;
        if (y < minY) minY = y;
        else if (y > maxY) maxY = y;
      }
      listCell(raster, x0 + z * width, minY, maxY, area);
    } else {
      fillPair(raster, n, columnEnd[x0 + 1]!, x0 + z * width, area);
    }
    return;
  }
  fillRun(raster, n, x0, x1, z, area);
}

/** A polygon over two columns, the first at `column`: one cut, of which only counts and heights are kept. */
function fillPair(raster: Raster, n: number, end: number, column: number, area: number): void {
  let leftCount = 0, rightCount = 0;
  let leftMin = Infinity, leftMax = -Infinity, rightMin = Infinity, rightMax = -Infinity;
  let bx = rowX[n - 1]!, by = rowY[n - 1]!;
  let db = f(end - bx);
  for (let i = 0; i < n; i++) {
    const ax = rowX[i]!, ay = rowY[i]!;
    const da = f(end - ax);
    if (da >= 0 !== db >= 0) {
      const y = f(by + f(f(ay - by) * f(db / f(db - da))));
      leftCount++;
      rightCount++;
      if (y < leftMin) leftMin = y;
      if (y > leftMax) leftMax = y;
      if (y < rightMin) rightMin = y;
      if (y > rightMax) rightMax = y;
      if (da > 0) {
        leftCount++;
        if (ay < leftMin) leftMin = ay;
        if (ay > leftMax) leftMax = ay;
      } else if (da < 0) {
        rightCount++;
        if (ay < rightMin) rightMin = ay;
        if (ay > rightMax) rightMax = ay;
      }
    } else {
      if (da >= 0) {
        leftCount++;
        if (ay < leftMin) leftMin = ay;
        if (ay > leftMax) leftMax = ay;
      }
      if (da <= 0) {
        rightCount++;
        if (ay < rightMin) rightMin = ay;
        if (ay > rightMax) rightMax = ay;
      }
    }
    bx = ax;
    by = ay;
    db = da;
  }
  if (leftCount >= 3) listCell(raster, column, leftMin, leftMax, area);
  if (rightCount >= 3) listCell(raster, column + 1, rightMin, rightMax, area);
}

/** A polygon over columns x0 .. x1: edges are walked, see the head of the file. */
function fillRun(raster: Raster, n: number, x0: number, x1: number, z: number, area: number): void {
  const { width, originX, inverseCellSize, columnEnd } = raster;
  let minY = rowY[0]!, maxY = minY;
  // The column of each corner: the first whose end it does not pass; x1 + 1 beyond the last.
  let first = x1 + 1, last = x0;
  let onBorder = false;
  for (let i = 0; i < n; i++) {
    const x = rowX[i]!, y = rowY[i]!;
    if (y < minY) minY = y;
    else if (y > maxY) maxY = y;
    let k = f(f(x - originX) * inverseCellSize) | 0;
    if (k < x0) k = x0; else if (k > x1) k = x1;
    if (x > columnEnd[k + 1]!) k++;
    else if (k > x0 && x <= columnEnd[k]!) k--;
    rowColumn[i] = k;
    if (k < first) first = k;
    if (k > last) last = k;
    if (k <= x1 && x === columnEnd[k + 1]) onBorder = true;
  }
  if (onBorder) {
    // How many corners lie on the last column's far end, and, when no corner lies before it, on the first column's.
    let atLastEnd = 0, inFirst = 0, atFirstEnd = 0;
    for (let i = 0; i < n; i++) {
      const k = rowColumn[i]!;
      const isAtEnd = k <= x1 && rowX[i] === columnEnd[k + 1];
      if (k === last && isAtEnd) atLastEnd++;
      if (k === first) {
        inFirst++;
        if (isAtEnd) atFirstEnd++;
      }
    }
    if (last < x1 && atLastEnd >= 3) {
      fillRowByCutting(raster, n, x0, x1, z, area);
      return;
    }
    // A single corner on the border makes two equal points in the cell before, which are not enough.
    if (first < last && atFirstEnd === 1 && inFirst === 1) first++;
  }

  const begin = first < 0 ? 0 : first;
  const end = last > x1 ? x1 : last;
  let { count } = raster;
  const { column, span: spans } = raster;
  if (minY === maxY) {
    const span = packSpan(raster, minY, maxY);
    if (span < 0) return;
    for (let k = begin; k <= end; k++) {
      column[count] = k + z * width;
      spans[count++] = span | area;
    }
    raster.count = count;
    return;
  }

  const { low, high } = raster;
  for (let k = first - 1; k <= end; k++) {
    if (k < -1) continue;
    low[k + 1] = Infinity;
    high[k + 1] = -Infinity;
  }
  let bx = rowX[n - 1]!, by = rowY[n - 1]!, kb = rowColumn[n - 1]!;
  for (let i = 0; i < n; i++) {
    const ax = rowX[i]!, ay = rowY[i]!, ka = rowColumn[i]!;
    if (ka <= end) {
      if (onBorder && rowX[i] === columnEnd[ka + 1]) {
        // On the border: the cells on both sides get it, but for an edge that comes from beyond, whose cut below stands for it.
        if (kb <= ka || ka === last) {
          if (ay < low[ka + 1]!) low[ka + 1] = ay;
          if (ay > high[ka + 1]!) high[ka + 1] = ay;
          if (ka < end) {
            if (ay < low[ka + 2]!) low[ka + 2] = ay;
            if (ay > high[ka + 2]!) high[ka + 2] = ay;
          }
        }
      } else {
        if (ay < low[ka + 1]!) low[ka + 1] = ay;
        if (ay > high[ka + 1]!) high[ka + 1] = ay;
      }
    }
    if (ka > kb) {
      // Runs to the right: each cut starts from the cut before.
      let px = bx, py = by;
      for (let k = kb; k < ka; k++) {
        const border = columnEnd[k + 1]!;
        const dp = f(border - px);
        const s = f(dp / f(dp - f(border - ax)));
        px = f(px + f(f(ax - px) * s));
        py = f(py + f(f(ay - py) * s));
        if (py < low[k + 1]!) low[k + 1] = py;
        if (py > high[k + 1]!) high[k + 1] = py;
        if (k < end) {
          if (py < low[k + 2]!) low[k + 2] = py;
          if (py > high[k + 2]!) high[k + 2] = py;
        }
      }
    } else if (ka < kb) {
      // Runs to the left: each cut starts from the far corner and ends at the cut before.
      let px = ax, py = ay;
      for (let k = ka; k < kb; k++) {
        const border = columnEnd[k + 1]!;
        const db = f(border - bx);
        const s = f(db / f(db - f(border - px)));
        px = f(bx + f(f(px - bx) * s));
        py = f(by + f(f(py - by) * s));
        if (py < low[k + 1]!) low[k + 1] = py;
        if (py > high[k + 1]!) high[k + 1] = py;
        if (k < end) {
          if (py < low[k + 2]!) low[k + 2] = py;
          if (py > high[k + 2]!) high[k + 2] = py;
        }
      }
    }
    bx = ax; by = ay; kb = ka;
  }
  for (let k = begin; k <= end; k++) {
    const span = packSpan(raster, low[k + 1]!, high[k + 1]!);
    if (span >= 0) {
      column[count] = k + z * width;
      spans[count++] = span | area;
    }
  }
  raster.count = count;
}

/** The same by cutting the polygon at each column border. */
function fillRowByCutting(raster: Raster, n: number, x0: number, x1: number, z: number, area: number): void {
  const { columnEnd, width } = raster;
  let restCount = n;
  for (let i = 0; i < n; i++) {
    cutX[i] = rowX[i]!;
    cutY[i] = rowY[i]!;
  }
  for (let k = x0; k <= x1; k++) {
    const end = columnEnd[k + 1]!;
    let cellCount = 0, keepCount = 0;
    let minY = Infinity, maxY = -Infinity;
    let bx = cutX[restCount - 1]!, by = cutY[restCount - 1]!;
    let db = f(end - bx);
    for (let i = 0; i < restCount; i++) {
      const ax = cutX[i]!, ay = cutY[i]!;
      const da = f(end - ax);
      if (da >= 0 !== db >= 0) {
        const s = f(db / f(db - da));
        const x = f(bx + f(f(ax - bx) * s));
        const y = f(by + f(f(ay - by) * s));
        cellCount++;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
        rowX[keepCount] = x; rowY[keepCount++] = y;
        if (da > 0) {
          cellCount++;
          if (ay < minY) minY = ay;
          if (ay > maxY) maxY = ay;
        } else if (da < 0) {
          rowX[keepCount] = ax; rowY[keepCount++] = ay;
        }
      } else {
        if (da >= 0) {
          cellCount++;
          if (ay < minY) minY = ay;
          if (ay > maxY) maxY = ay;
        }
        if (!(da > 0)) {
          rowX[keepCount] = ax; rowY[keepCount++] = ay;
        }
      }
      bx = ax; by = ay; db = da;
    }
    for (let i = 0; i < keepCount; i++) {
      cutX[i] = rowX[i]!;
      cutY[i] = rowY[i]!;
    }
    restCount = keepCount;
    if (cellCount < 3 || k < 0) continue;
    listCell(raster, k + z * width, minY, maxY, area);
  }
}

