/**
 * Fills the rows that a triangle touches with cells.
 *
 * The two sides of a triangle are walked up the rows, with one cut per side and border (`walkRows`). Polygons
 * are cut (`cutRows`) only where a corner lies on a border between rows.
 *
 * In: a triangle and its rows. Out: a polygon per row, handed to `fillRow`.
 * Cost: one step per row.
 * Based on: Mikko Mononen, Recast (2009), rasterizeTri. Every rounding (`f`) is one of Recast's.
 */
import { fillRow, row } from './cells.ts';
import type { Raster } from './columns.ts';
import { createPolygon, push, split } from './cut.ts';

const f = Math.fround;

const rest = createPolygon();

/** A triangle to fill. */
export interface Triangle {
  /** Offsets of its corners in the positions, in the triangle's order, the first with the least z. */
  l: number;
  m: number;
  n: number;
  /** First and last row; -1 is the row before the grid. */
  z0: number;
  z1: number;
  /** Area id, shifted to its position in a span. */
  area: number;
  /** The span that all cells get, or 0. */
  span: number;
}

/** Fills all rows of a triangle. */
export function fillTriangle(raster: Raster, positions: Float32Array, triangle: Triangle): void {
  if (!walkRows(raster, positions, triangle)) cutRows(raster, positions, triangle);
}

/**
 * Fills the rows of a triangle by walking its sides upwards, l to m and l to n. Returns false when a corner
 * lies on a border between rows. The rows may then be filled again, because equal spans merge.
 */
// oxlint-disable-next-line max-lines-per-function -- hot loop: keeps both sides in registers
function walkRows(raster: Raster, positions: Float32Array, triangle: Triangle): boolean {
  const { l, m, n, z0, z1, area, span } = triangle;
  const { rowEnd } = raster;
  const xs = row.x;
  const ys = row.y;
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
  // If the triangle continues beyond the last row, that row is cut, too.
  const isOut = highZ > rowEnd[z1 + 1];
  const cuts = isOut ? z1 + 1 : z1;
  // The side from l to m runs upwards from u to v. Sides are cut in the triangle's direction, so here from
  // the last cut on.
  let ux = positions[l];
  let uy = positions[l + 1];
  let uz = lowZ;
  let vx = mx;
  let vy = my;
  let vz = mz;
  // The side from n to l runs downwards from b to a, so it is cut between b and the last cut.
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

/** Fills the rows of a triangle by cutting it at each row border. */
function cutRows(raster: Raster, positions: Float32Array, { l, m, n, z0, z1, area }: Triangle): void {
  rest.n = 0;
  for (const corner of [l, m, n]) push(rest, positions[corner], positions[corner + 1], positions[corner + 2]);
  for (let z = z0; z <= z1 && rest.n > 0; z++) {
    split(rest, rest.z, raster.rowEnd[z + 1], row);
    if (row.n >= 3 && z >= 0) fillRow(raster, row.n, z, area, 0);
  }
}

/**
 * Returns whether all differences between a and b, a <= b, are exact (Sterbenz: neither is more than twice
 * the other) and so small that a cut lies on the border itself. The error of f(f(x - b) * f(d / w)) is 2^-23
 * of d, which is at most a fifth of x: less than half a unit in the last place of x.
 */
function areNear(a: number, b: number): boolean {
  return Math.abs(b - a) <= Math.abs(a) / 6;
}
