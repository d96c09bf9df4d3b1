/**
 * Heights of the surface of a polygon of a tile that is not in a mesh.
 *
 * In: a tile without holes and a polygon. Out: heights.
 * Cost: linear in the triangles of the polygon.
 * Based on: own.
 */
import { triangleCount } from './clean.ts';
import type { CleanTile } from './clean.ts';
import type { Outline } from './outline.ts';

/** Corners of the current triangle: x, y, z three times. */
const triangle: Float64Array = new Float64Array(9);

/** Loads triangle t of a polygon into `triangle`. */
function loadTriangle({ tile }: CleanTile, p: number, t: number): void {
  const { polyEdgeStart, polyDetailTriStart, polyDetailVertexStart, edgeVertex, detailTris } = tile;
  const first = polyEdgeStart[p];
  const corners = polyEdgeStart[p + 1] - first;
  const at = 4 * (polyDetailTriStart[p] + t);
  const hasDetail = polyDetailTriStart[p + 1] > polyDetailTriStart[p];
  for (let k = 0; k < 3; k++) {
    const local = hasDetail ? detailTris[at + k] : k === 0 ? 0 : t + k;
    const source = local < corners ? tile.vertices : tile.detailVertices;
    const v = 3 * (local < corners ? edgeVertex[first + local] : polyDetailVertexStart[p] + local - corners);
    triangle[3 * k] = source[v];
    triangle[3 * k + 1] = source[v + 1];
    triangle[3 * k + 2] = source[v + 2];
  }
}

/** Returns the height of a polygon's surface at x, z, or `otherwise` where no triangle is. */
export function heightAt(clean: CleanTile, p: number, x: number, z: number, otherwise: number): number {
  const count = triangleCount(clean.tile, p);
  let best = -1e-6;
  let height = otherwise;
  for (let t = 0; t < count; t++) {
    loadTriangle(clean, p, t);
    const ax = triangle[0] - x;
    const az = triangle[2] - z;
    const bx = triangle[3] - x;
    const bz = triangle[5] - z;
    const cx = triangle[6] - x;
    const cz = triangle[8] - z;
    const c = az * bx - ax * bz;
    const a = bz * cx - bx * cz;
    const b = cz * ax - cx * az;
    const sum = a + b + c;
    if (sum === 0) continue;
    const share = Math.min(a / sum, b / sum, c / sum);
    if (share <= best) continue;
    best = share;
    height = triangle[1] + ((triangle[4] - triangle[1]) * b + (triangle[7] - triangle[1]) * c) / sum;
    if (share >= 0) return height;
  }
  return height;
}

let clipped = new Float64Array(256);
let clipping = new Float64Array(256);

/**
 * Writes the lowest and the highest surface of a polygon within an outline and within a convex loop of `n` points x, z. An empty
 * intersection gives Infinity, -Infinity.
 */
// oxlint-disable-next-line max-params -- kernel
export function heightRange(
  clean: CleanTile,
  p: number,
  loop: Float64Array,
  n: number,
  { lines }: Outline,
  out: Float64Array,
): void {
  out[0] = Infinity;
  out[1] = -Infinity;
  const room = 2 * (n + lines.length);
  if (clipped.length < room) {
    clipped = new Float64Array(2 * room);
    clipping = new Float64Array(2 * room);
  }
  clipped.set(loop.subarray(0, 2 * n));
  for (let l = 0; l < lines.length; l += 3) {
    let count = 0;
    for (let k = 0, before = n - 1; k < n; before = k++) {
      const x = clipped[2 * before];
      const z = clipped[2 * before + 1];
      const toX = clipped[2 * k];
      const toZ = clipped[2 * k + 1];
      const d = lines[l] * x + lines[l + 1] * z - lines[l + 2];
      const e = lines[l] * toX + lines[l + 1] * toZ - lines[l + 2];
      if ((d < 0 && e > 0) || (d > 0 && e < 0)) {
        clipping[2 * count] = x + (d / (d - e)) * (toX - x);
        clipping[2 * count++ + 1] = z + (d / (d - e)) * (toZ - z);
      }
      if (e > 0) continue;
      clipping[2 * count] = toX;
      clipping[2 * count++ + 1] = toZ;
    }
    [clipped, clipping] = [clipping, clipped];
    n = count;
  }
  const middle = (clean.boxes[6 * p + 1] + clean.boxes[6 * p + 4]) / 2;
  for (let k = 0; k < n; k++) note(out, heightAt(clean, p, clipped[2 * k], clipped[2 * k + 1], middle));
  const { polyDetailVertexStart, detailVertices } = clean.tile;
  for (let v = 3 * polyDetailVertexStart[p]; n > 0 && v < 3 * polyDetailVertexStart[p + 1]; v += 3) {
    let isInside = true;
    for (let l = 0; isInside && l < lines.length; l += 3)
      isInside = lines[l] * detailVertices[v] + lines[l + 1] * detailVertices[v + 2] <= lines[l + 2];
    if (isInside) note(out, detailVertices[v + 1]);
  }
}

function note(out: Float64Array, height: number): void {
  if (height < out[0]) out[0] = height;
  if (height > out[1]) out[1] = height;
}
