/**
 * Compares the heights of two detail meshes, which need not have the same triangles.
 *
 * Both meshes promise that at a grid of points `detailSampleDistance` apart they differ from the voxels'
 * floor by at most `detailMaxError`. Floors are whole cells, and Recast puts its extra vertices a cell above
 * the floor. So the bound is `detailMaxError + cellHeight`, both for each mesh against the floor at the
 * grid's points (`floor*`) and for one mesh against the other. Between the grid's points neither mesh
 * promises anything, and two correct answers may differ by more.
 */
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { CompactField, DetailMesh, PolyMesh } from '../../src/build/voxel/types.ts';

/** Returns the world positions of a polygon's own vertices, followed by its extra vertices. */
function verticesOf(
  config: BakeConfig,
  mesh: PolyMesh,
  detail: DetailMesh,
  poly: number,
): { own: number; points: number[][] } {
  const points: number[][] = [];
  for (let k = 0; k < mesh.maxVerticesPerPoly; k++) {
    const v = mesh.polys[poly * mesh.maxVerticesPerPoly + k];
    if (v < 0) break;
    points.push(
      [0, 1, 2].map(
        (axis) =>
          config.boundsMin[axis] + mesh.vertices[v * 3 + axis] * (axis === 1 ? config.cellHeight : config.cellSize),
      ),
    );
  }
  const own = points.length;
  for (let v = detail.vertexStart[poly]; v < detail.vertexStart[poly + 1]; v++) {
    points.push([detail.vertices[v * 3], detail.vertices[v * 3 + 1], detail.vertices[v * 3 + 2]]);
  }
  return { own, points };
}

/**
 * Returns a function for the height of a polygon's detail at x, z: NaN where no triangle covers the point.
 */
export function createHeightSampler(
  config: BakeConfig,
  mesh: PolyMesh,
  detail: DetailMesh,
  poly: number,
): (x: number, z: number) => number {
  const { points } = verticesOf(config, mesh, detail, poly);
  return (x, z) => {
    for (let t = detail.triStart[poly]; t < detail.triStart[poly + 1]; t++) {
      const a = points[detail.tris[t * 4]];
      const b = points[detail.tris[t * 4 + 1]];
      const c = points[detail.tris[t * 4 + 2]];
      const area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
      if (Math.abs(area) < 1e-12) continue;
      const u = ((b[0] - x) * (c[2] - z) - (c[0] - x) * (b[2] - z)) / area;
      const v = ((c[0] - x) * (a[2] - z) - (a[0] - x) * (c[2] - z)) / area;
      const w = 1 - u - v;
      if (u < -1e-6 || v < -1e-6 || w < -1e-6) continue;
      return u * a[1] + v * b[1] + w * c[1];
    }
    return NaN;
  };
}

export interface DetailComparison {
  /** Polygons whose extra vertices and triangles are equal in float32. */
  samePolys: number;
  polyCount: number;
  /** Points sampled on polygons that are not equal. */
  samples: number;
  /** Of those, the number whose heights differ by more than `bound`. */
  beyond: number;
  largest: number;
  uncovered: number;
  bound: number;
  ourTriangles: number;
  theirTriangles: number;
  /**
   * Points of the sampling grid with a known floor, and the numbers of heights further than `bound` from it.
   */
  floorSamples: number;
  ourFloorBeyond: number;
  theirFloorBeyond: number;
  /** Polygons left out because their region overlaps itself (see `skipWinding`). */
  windingPolys: number;
}

export function compareDetailHeights(
  config: BakeConfig,
  field: CompactField,
  region: Int32Array,
  mesh: PolyMesh,
  ours: DetailMesh,
  theirs: DetailMesh,
  skipWinding: boolean = false,
): DetailComparison {
  const bound = config.detailMaxError + config.cellHeight;
  const result: DetailComparison = {
    samePolys: 0,
    polyCount: mesh.polyCount,
    samples: 0,
    beyond: 0,
    largest: 0,
    uncovered: 0,
    bound,
    ourTriangles: ours.triStart[mesh.polyCount],
    theirTriangles: theirs.triStart[mesh.polyCount],
    floorSamples: 0,
    ourFloorBeyond: 0,
    theirFloorBeyond: 0,
    windingPolys: 0,
  };
  const winding = skipWinding ? windingRegions(field, region) : new Set<number>();
  for (let p = 0; p < mesh.polyCount; p++) {
    if (samePoly(ours, theirs, p)) {
      result.samePolys++;
      continue;
    }
    if (winding.has(mesh.region[p])) {
      result.windingPolys++;
      continue;
    }
    const one = createHeightSampler(config, mesh, ours, p);
    const other = createHeightSampler(config, mesh, theirs, p);
    for (const [x, z] of gridPointsIn(config, mesh, theirs, p)) {
      const a = one(x, z);
      const b = other(x, z);
      const floor = floorAt(config, field, region, mesh.region[p], x, z, b);
      if (Number.isNaN(floor) || Number.isNaN(a)) continue;
      result.floorSamples++;
      if (Math.abs(a - floor) > bound) result.ourFloorBeyond++;
      if (Math.abs(b - floor) > bound) result.theirFloorBeyond++;
    }
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

/**
 * Returns the regions that overlap themselves somewhere, as the watershed's may on a spiral. Both sides look
 * up the heights of their polygons in the lowest storey of the region, which may not be the polygon's.
 */
function windingRegions(field: CompactField, region: Int32Array): Set<number> {
  const found = new Set<number>();
  for (let c = 0; c < field.width * field.depth; c++) {
    if (field.columnStart[c + 1] - field.columnStart[c] < 2) continue;
    const ids = region.slice(field.columnStart[c], field.columnStart[c + 1]).sort();
    for (let k = 1; k < ids.length; k++) if (ids[k] === ids[k - 1]) found.add(ids[k]);
  }
  return found;
}

function samePoly(ours: DetailMesh, theirs: DetailMesh, p: number): boolean {
  const count = ours.vertexStart[p + 1] - ours.vertexStart[p];
  const tris = ours.triStart[p + 1] - ours.triStart[p];
  if (count !== theirs.vertexStart[p + 1] - theirs.vertexStart[p]) return false;
  if (tris !== theirs.triStart[p + 1] - theirs.triStart[p]) return false;
  for (let k = 0; k < count * 3; k++) {
    const a = ours.vertices[ours.vertexStart[p] * 3 + k];
    if (Math.fround(a) !== Math.fround(theirs.vertices[theirs.vertexStart[p] * 3 + k])) return false;
  }
  for (let k = 0; k < tris * 4; k++) {
    if (ours.tris[ours.triStart[p] * 4 + k] !== theirs.tris[theirs.triStart[p] * 4 + k]) return false;
  }
  return true;
}

/**
 * Returns the floor of the polygon's region at x, z that is nearest to `height`, or NaN where the region has
 * none.
 */
function floorAt(
  config: BakeConfig,
  field: CompactField,
  region: Int32Array,
  id: number,
  x: number,
  z: number,
  height: number,
): number {
  const cx = Math.floor((x - config.boundsMin[0]) / config.cellSize + 0.01);
  const cz = Math.floor((z - config.boundsMin[2]) / config.cellSize + 0.01);
  if (cx < 0 || cz < 0 || cx >= field.width || cz >= field.depth) return NaN;
  const c = cx + cz * field.width;
  let best = NaN;
  for (let s = field.columnStart[c]; s < field.columnStart[c + 1]; s++) {
    if (region[s] !== id) continue;
    const floor = config.boundsMin[1] + field.y[s] * config.cellHeight;
    if (!(Math.abs(floor - height) >= Math.abs(best - height))) best = floor;
  }
  return best;
}

/**
 * Returns the grid points that both sides sample: whole sample distances from the field's corner, half of one
 * from the border.
 */
function gridPointsIn(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh, poly: number): [number, number][] {
  const step = config.detailSampleDistance;
  if (step === 0) return [];
  return pointsOfGrid(config, mesh, detail, poly, step, step / 2);
}

/** Returns points twice as dense, up to the border. */
function pointsIn(config: BakeConfig, mesh: PolyMesh, detail: DetailMesh, poly: number): [number, number][] {
  const step = config.detailSampleDistance > 0 ? config.detailSampleDistance / 2 : config.cellSize * 3;
  return pointsOfGrid(config, mesh, detail, poly, step, 1e-6);
}

function pointsOfGrid(
  config: BakeConfig,
  mesh: PolyMesh,
  detail: DetailMesh,
  poly: number,
  step: number,
  margin: number,
): [number, number][] {
  const { own, points } = verticesOf(config, mesh, detail, poly);
  const corners = points.slice(0, own);
  const found: [number, number][] = [];
  const [originX, , originZ] = config.boundsMin;
  const [x0, x1] = [Math.min(...corners.map((c) => c[0])), Math.max(...corners.map((c) => c[0]))];
  const [z0, z1] = [Math.min(...corners.map((c) => c[2])), Math.max(...corners.map((c) => c[2]))];
  const turn = orientation(corners);
  for (let j = Math.ceil((z0 - originZ) / step); originZ + j * step <= z1 && found.length < 400; j++) {
    for (let i = Math.ceil((x0 - originX) / step); originX + i * step <= x1; i++) {
      const x = originX + i * step;
      const z = originZ + j * step;
      let inside = true;
      for (let k = 0; k < own && inside; k++) {
        const a = corners[k];
        const b = corners[(k + 1) % own];
        const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
        inside = (dx * (z - a[2]) - (x - a[0]) * dz) * turn > margin * Math.sqrt(dx * dx + dz * dz);
      }
      if (inside) found.push([x, z]);
    }
  }
  return found;
}

function orientation(corners: readonly number[][]): number {
  let sum = 0;
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length];
    sum += a[0] * b[2] - b[0] * a[2];
  });
  return Math.sign(sum);
}
