/**
 * Heights on a detail mesh, to compare two meshes that need not have the same triangles.
 *
 * Both meshes promise the same thing: at a grid of points `detailSampleDistance` apart they stray from the voxels' heights
 * by no more than `detailMaxError`; the voxels' heights are whole cells. Between the points no promise is made, so two
 * right answers can differ by more there; `compareDetailHeights` counts how often.
 */
import type { BakeConfig } from '../../src/voxel/options.ts';
import type { DetailMesh, PolyMesh } from '../../src/voxel/types.ts';

/** World positions of a polygon's own vertices, then of its extra ones. */
function verticesOf(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh, poly: number): { own: number; points: number[][] } {
  const points: number[][] = [];
  for (let k = 0; k < mesh.maxVerticesPerPoly; k++) {
    const v = mesh.polys[poly * mesh.maxVerticesPerPoly + k]!;
    if (v < 0) break;
    points.push([0, 1, 2].map((axis) =>
      config.boundsMin[axis]! + mesh.vertices[v * 3 + axis]! * (axis === 1 ? config.cellHeight : config.cellSize)));
  }
  const own = points.length;
  for (let v = detail.vertexStart[poly]!; v < detail.vertexStart[poly + 1]!; v++) {
    points.push([detail.vertices[v * 3]!, detail.vertices[v * 3 + 1]!, detail.vertices[v * 3 + 2]!]);
  }
  return { own, points };
}

/** Height of one polygon's detail at x, z, or NaN where no triangle covers it (a border point may slip between two). */
export function createHeightSampler(
  config: BakeConfig, mesh: PolyMesh, detail: DetailMesh, poly: number,
): (x: number, z: number) => number {
  const { points } = verticesOf(config, mesh, detail, poly);
  return (x, z) => {
    for (let t = detail.triStart[poly]!; t < detail.triStart[poly + 1]!; t++) {
      const a = points[detail.tris[t * 4]!]!;
      const b = points[detail.tris[t * 4 + 1]!]!;
      const c = points[detail.tris[t * 4 + 2]!]!;
      const area = (b[0]! - a[0]!) * (c[2]! - a[2]!) - (c[0]! - a[0]!) * (b[2]! - a[2]!);
      if (Math.abs(area) < 1e-12) continue;
      const u = ((b[0]! - x) * (c[2]! - z) - (c[0]! - x) * (b[2]! - z)) / area;
      const v = ((c[0]! - x) * (a[2]! - z) - (a[0]! - x) * (c[2]! - z)) / area;
      const w = 1 - u - v;
      if (u < -1e-6 || v < -1e-6 || w < -1e-6) continue;
      return u * a[1]! + v * b[1]! + w * c[1]!;
    }
    return NaN;
  };
}

export interface DetailComparison {
  /** Polygons whose extra vertices and triangles are the very same (to a float32). */
  samePolys: number;
  polyCount: number;
  /** Points sampled on polygons that are not the same. */
  samples: number;
  /** Of those, how many differ in height by more than `bound`. */
  beyond: number;
  largest: number;
  uncovered: number;
  bound: number;
  ourTriangles: number;
  theirTriangles: number;
}

export function compareDetailHeights(
  config: BakeConfig, mesh: PolyMesh, ours: DetailMesh, theirs: DetailMesh,
): DetailComparison {
  const bound = config.detailMaxError + config.cellHeight;
  const result: DetailComparison = {
    samePolys: 0, polyCount: mesh.polyCount, samples: 0, beyond: 0, largest: 0, uncovered: 0, bound,
    ourTriangles: ours.triStart[mesh.polyCount]!, theirTriangles: theirs.triStart[mesh.polyCount]!,
  };
  for (let p = 0; p < mesh.polyCount; p++) {
    if (samePoly(ours, theirs, p)) {
      result.samePolys++;
      continue;
    }
    const one = createHeightSampler(config, mesh, ours, p);
    const other = createHeightSampler(config, mesh, theirs, p);
    for (const [x, z] of pointsIn(config, mesh, theirs, p)) {
      const a = one(x, z);
      const b = other(x, z);
      result.samples++;
      if (Number.isNaN(a)) result.uncovered++;
      if (Number.isNaN(a) || Number.isNaN(b)) continue;
      const difference = Math.abs(a - b);
      result.largest = Math.max(result.largest, difference);
      if (difference > bound) result.beyond++;
    }
  }
  return result;
}

function samePoly(ours: DetailMesh, theirs: DetailMesh, p: number): boolean {
  const count = ours.vertexStart[p + 1]! - ours.vertexStart[p]!;
  const tris = ours.triStart[p + 1]! - ours.triStart[p]!;
  if (count !== theirs.vertexStart[p + 1]! - theirs.vertexStart[p]!) return false;
  if (tris !== theirs.triStart[p + 1]! - theirs.triStart[p]!) return false;
  for (let k = 0; k < count * 3; k++) {
    const a = ours.vertices[ours.vertexStart[p]! * 3 + k]!;
    if (Math.fround(a) !== Math.fround(theirs.vertices[theirs.vertexStart[p]! * 3 + k]!)) return false;
  }
  for (let k = 0; k < tris * 4; k++) {
    if (ours.tris[ours.triStart[p]! * 4 + k] !== theirs.tris[theirs.triStart[p]! * 4 + k]) return false;
  }
  return true;
}

/** Points of the sampling grid (or of cells' centres, thinned, when there is no sampling) inside the polygon. */
function pointsIn(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh, poly: number): [number, number][] {
  const { own, points } = verticesOf(config, mesh, detail, poly);
  const corners = points.slice(0, own);
  const step = config.detailSampleDistance > 0 ? config.detailSampleDistance / 2 : config.cellSize * 3;
  const found: [number, number][] = [];
  const [x0, x1] = [Math.min(...corners.map((c) => c[0]!)), Math.max(...corners.map((c) => c[0]!))];
  const [z0, z1] = [Math.min(...corners.map((c) => c[2]!)), Math.max(...corners.map((c) => c[2]!))];
  for (let z = Math.ceil(z0 / step) * step; z <= z1 && found.length < 400; z += step) {
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
      let inside = true;
      for (let k = 0; k < own && inside; k++) {
        const a = corners[k]!;
        const b = corners[(k + 1) % own]!;
        // Counter-clockwise seen from above, z towards the viewer's feet: the inside is to the left.
        const cross = (b[0]! - a[0]!) * (z - a[2]!) - (x - a[0]!) * (b[2]! - a[2]!);
        inside = cross * orientation(corners) > 1e-9;
      }
      if (inside) found.push([x, z]);
    }
  }
  return found;
}

function orientation(corners: readonly number[][]): number {
  let sum = 0;
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length]!;
    sum += a[0]! * b[2]! - b[0]! * a[2]!;
  });
  return Math.sign(sum);
}
