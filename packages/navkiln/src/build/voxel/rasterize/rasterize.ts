/**
 * Rasterizes triangles: builds the solid spans of a Heightfield.
 *
 * The spans are, bit for bit, those of Recast, which cuts each triangle by all row borders and each row by
 * all column borders, in float32. Here a triangle that is flat or lies within one voxel has one span for all
 * its cells. Others are walked row by row (rasterize/rows.ts) and cell by cell (rasterize/cells.ts). Spans
 * become columns in rasterize/columns.ts.
 *
 * In: float32 positions, triangles, an area id per triangle, the grid. Out: Heightfield, each column from the
 *   bottom up.
 * Cost: one step per triangle, row and cell touched, and one counting sort of the touched cells.
 * Based on: Mikko Mononen, Recast (2009), rcRasterizeTriangles; Ivan Sutherland and Gary Hodgman, Reentrant
 *   polygon clipping (1974). Every rounding (`f`) is one of Recast's.
 * Tried: heights from the triangle's plane with a bound on the error are no faster; cutting instead of
 *   walking takes 1.3 times as long on terrain (`npm run bench -- --only bake --stages`). See
 *   docs/notes/voxel.md.
 */
import { SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import { hasNoArea } from '../../../base/math/slope.ts';
import { BATCH } from '../batch.ts';
import { createRaster, emptyRaster, loadSpans, packSpan, shortenList, sortIntoColumns } from './columns.ts';
import type { Raster } from './columns.ts';
import { fillTriangle } from './rows.ts';
import type { Triangle } from './rows.ts';
import type { Heightfield } from '../types.ts';

const f = Math.fround;

/** Distance to the next voxel, in voxels, below which rounding could decide: such a triangle is filled cell by cell. */
const VOXEL_MARGIN = 1 / 128;

/** The triangle being filled. */
const triangle: Triangle = { l: 0, m: 0, n: 0, z0: 0, z1: 0, area: 0, span: 0 };

/**
 * Rasterizes triangles onto the grid of the configuration. Without a workspace the result has memory of its
 * own. Triangles without area are left out, unless `config.recast` is set.
 *
 * @param positions x, y, z of each vertex, local coordinates
 * @param indices three vertex numbers per triangle
 * @param areas area id per triangle, 0 .. 63
 * @param base spans of triangles that come before these, on the same grid and not in the workspace
 */
export function rasterize(
  positions: Float32Array,
  indices: ArrayLike<number>,
  areas: Uint8Array,
  config: BakeConfig,
  workspace: Workspace = createWorkspace(),
  base?: Heightfield,
): Heightfield {
  const { widthCells: width, depthCells: depth, cellSize, cellHeight, boundsMin, boundsMax } = config;
  const raster = createRaster(config, workspace);
  const noSpans = new Uint32Array(0);
  const field: Heightfield = createRecord(() => ({
    width,
    depth,
    cellSize,
    cellHeight,
    boundsMin,
    boundsMax,
    columnStart: raster.start,
    spanCount: 0,
    spans: noSpans,
  }));
  const { recast } = config;
  const filled: Filled = createRecord(() => ({ raster, positions, indices, areas, field, recast }));
  if (!isRehearsed) rehearse(filled);
  if (base !== undefined) loadSpans(raster, base);
  for (let t = 0; t < areas.length; t += BATCH) fillTriangles(filled, t, Math.min(t + BATCH, areas.length));
  sortIntoColumns(raster, field);
  return field;
}

/** Approximate number of triangles in a rehearsal, and the largest box of one in cells. Larger ones take too long. */
const REHEARSED = 128;
const REHEARSED_CELLS = 64;
let isRehearsed = false;

/**
 * Fills a sample of the triangles, and removes their spans. In a process's first bake the engine then has seen most branches
 * when it compiles the functions that fill triangles, see batch.ts.
 */
function rehearse(filled: Filled): void {
  const { raster, positions, indices, areas } = filled;
  const { inverseCellSize } = raster;
  isRehearsed = true;
  const step = Math.max(1, Math.floor(areas.length / REHEARSED));
  for (let t = 0; t < areas.length; t += step) {
    const a = 3 * indices[3 * t];
    const b = 3 * indices[3 * t + 1];
    const c = 3 * indices[3 * t + 2];
    const width =
      Math.max(positions[a], positions[b], positions[c]) - Math.min(positions[a], positions[b], positions[c]);
    const depth =
      Math.max(positions[a + 2], positions[b + 2], positions[c + 2]) -
      Math.min(positions[a + 2], positions[b + 2], positions[c + 2]);
    if (width * depth * inverseCellSize * inverseCellSize < REHEARSED_CELLS) fillTriangles(filled, t, t + 1);
  }
  emptyRaster(raster);
}

/** The triangles to fill, and their target. */
interface Filled {
  raster: Raster;
  positions: Float32Array;
  indices: ArrayLike<number>;
  areas: Uint8Array;
  field: Heightfield;
  recast: boolean;
}

/** Adds the spans of triangles first .. last - 1 to the raster. Ends with its loop, see batch.ts. */
// oxlint-disable-next-line max-lines-per-function -- hot loop: its steps share twenty numbers
function fillTriangles(
  { raster, positions, indices, areas, field, recast }: Filled,
  first: number,
  last: number,
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
  // Floors a whole number of voxels apart must stay so, although their heights are rounded.
  const rounding = recast ? 0 : VOXEL_MARGIN;

  for (let t = first; t < last; t++) {
    // The corners l, m, n in the triangle's order, the first with the least z.
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
    // `!(a <= b)` instead of `a > b` drops triangles with NaN here.
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
    if (!recast && hasNoArea(positions, l, m, n)) continue;

    // The span that all cells get, or 0.
    let span = 0;
    if (f(highY - lowY) * inverseCellHeight <= rounding) {
      span = packSpan(raster, lowY, highY, rounding);
      if (span === 0) continue;
    } else {
      const low = f(f(lowY - minY) * inverseCellHeight);
      const high = f(f(highY - minY) * inverseCellHeight) + VOXEL_MARGIN;
      const voxel = (low - VOXEL_MARGIN) | 0;
      if (low >= VOXEL_MARGIN && high < highest && (high | 0) === voxel) {
        span = voxel | ((voxel + 1) << 13);
      }
    }
    let z0 = f(f(lz - minZ) * inverseCellSize) | 0;
    let z1 = f(f(highZ - minZ) * inverseCellSize) | 0;
    z0 = z0 < -1 ? -1 : z0 > depth - 1 ? depth - 1 : z0;
    z1 = z1 < 0 ? 0 : z1 > depth - 1 ? depth - 1 : z1;
    if (z1 > z0 && highZ <= rowEnd[z1]) z1--;
    if (z1 < 0) continue;
    // By rounding, a wall on a border between rows may lie beyond the end of its row. Recast loses it.
    if (lz > rowEnd[z1 + 1] && z1 < depth - 1 && !recast) z0 = ++z1;
    triangle.l = l;
    triangle.m = m;
    triangle.n = n;
    triangle.z0 = z0;
    triangle.z1 = z1;
    triangle.area = areas[t] << 26;
    triangle.span = span;
    fillTriangle(raster, positions, triangle);
    if (raster.count > raster.limit) shortenList(raster, field);
  }
}
