/**
 * Reads a 2D map as a level: its outlines and obstacles are the walls of one flat floor.
 *
 * In: a map. Out: rings on the plane of the mesh, and the floors of a grid.
 * Cost: linear in the points, and in the rows and columns that edges cross.
 * Based on: own.
 */
import { checkArray, checkObject, refuse } from '../../base/data/refuse.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import type { MapPolygon, PolygonMap, PolygonRing } from '../../build/polygon/options.ts';
import { HAS_ROOM, IS_GENTLE, SIDE_U, SIDE_V } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import type { Obstacles } from './obstacles.ts';
import { sweepRows } from './shapes/rows.ts';
import type { FlatRing, OpenRows } from './shapes/rows.ts';
import type { Setup } from './setup.ts';

const CALLER = 'verifyNavMesh';

/** A map as rings, with the box around its outlines. */
export interface FlatMap {
  rings: FlatRing[];
  /** Number of polygons. */
  polygonCount: number;
  min: [number, number, number];
  max: [number, number, number];
}

/** Reads a map. Throws when it has no outline. */
export function readMap(map: PolygonMap): FlatMap {
  checkArray(CALLER, 'level.polygons', map.polygons);
  const flat: FlatMap = {
    rings: [],
    polygonCount: 0,
    min: [Infinity, 0, Infinity],
    max: [-Infinity, 0, -Infinity],
  };
  const sign = map.yAxis === 'down' ? 1 : -1;
  const layers = [map, ...(map.layers ?? []).filter(({ enabled = true }) => enabled)];
  for (const { polygons = [], obstacles = [] } of layers) {
    polygons.forEach((polygon: MapPolygon, k) => {
      const path = `level.polygons[${k}]`;
      checkObject(CALLER, path, polygon);
      const of = flat.polygonCount++;
      const outline = readRing(polygon.outline, `${path}.outline`, sign);
      flat.rings.push({ points: outline, polygon: of, isHole: false });
      for (let i = 0; i < outline.length; i++) {
        const axis = i % 2 === 0 ? 0 : 2;
        flat.min[axis] = Math.min(flat.min[axis], outline[i]);
        flat.max[axis] = Math.max(flat.max[axis], outline[i]);
      }
      for (const hole of polygon.holes ?? []) {
        flat.rings.push({ points: readRing(hole, `${path}.holes`, sign), polygon: of, isHole: true });
      }
    });
    for (const ring of obstacles) {
      flat.rings.push({ points: readRing(ring, 'level.obstacles', sign), polygon: -1, isHole: false });
    }
  }
  const [width, , depth] = [0, 1, 2].map((k) => flat.max[k] - flat.min[k]);
  if (!(width > 0 && depth > 0)) refuse(CALLER, 'level', 'a map without area', 'a map with an outline');
  return flat;
}

function readRing(ring: PolygonRing, path: string, sign: number): Float64Array {
  checkArray(CALLER, path, ring);
  const points = new Float64Array(2 * ring.length);
  ring.forEach((point, i) => {
    const [x, y] = readPoint2d(point, CALLER, `${path}[${i}]`);
    points[2 * i] = x;
    points[2 * i + 1] = sign * y;
  });
  return points;
}

/** Returns the floors of a map: one in each column that stands on walkable ground. */
export function floorsOfMap(map: FlatMap, grid: Grid): { floors: Floors; obstacles: Obstacles } {
  const { width, depth, origin, spacing, u0, v0 } = grid;
  const rings = map.rings.map((ring) => ({
    ...ring,
    points: ring.points.map((value, i) =>
      i % 2 === 0 ? (value - origin[0] - u0) / spacing : (value - origin[2] - v0) / spacing,
    ),
  }));
  const rows = sweepRows(rings, map.polygonCount, width, depth);
  const turned = rings.map(({ points, ...rest }) => ({ ...rest, points: points.map((_, i) => points[i ^ 1]) }));
  const columns = sweepRows(turned, map.polygonCount, depth, width);
  const floors = placeFloors(width, depth, rows);
  joinFloors(floors, width, depth, rows, columns);
  return { floors, obstacles: boxSmallRings(rings, floors, width, depth) };
}

function placeFloors(width: number, depth: number, { isOpen }: OpenRows): Floors {
  const start = new Int32Array(width * depth + 1);
  let count = 0;
  for (let c = 0; c < width * depth; c++) {
    start[c] = count;
    count += isOpen[c];
  }
  start[width * depth] = count;
  const floors: Floors = {
    count,
    start,
    column: new Int32Array(count),
    y: new Float64Array(count),
    riseU: new Float32Array(count),
    riseV: new Float32Array(count),
    state: new Uint8Array(count).fill(IS_GENTLE | HAS_ROOM),
    beside: new Int32Array(4 * count).fill(-1),
    ways: new Uint8Array(count),
  };
  for (let c = 0; c < width * depth; c++) if (isOpen[c] === 1) floors.column[start[c]] = c;
  return floors;
}

/** Joins floors beside each other; a wall between them cuts the way. */
function joinFloors(
  { count, start, column, beside, ways }: Floors,
  width: number,
  depth: number,
  rows: OpenRows,
  columns: OpenRows,
): void {
  for (let p = 0; p < count; p++) {
    const i = column[p] % width;
    const j = (column[p] - i) / width;
    for (let d = 0; d < 4; d++) {
      const iq = i + SIDE_U[d];
      const jq = j + SIDE_V[d];
      if (iq < 0 || jq < 0 || iq >= width || jq >= depth) continue;
      const c = iq + jq * width;
      if (start[c] === start[c + 1]) continue;
      const q = start[c];
      beside[4 * p + d] = q;
      const low = Math.min(i, iq) + Math.min(j, jq) * width;
      const isCut = SIDE_U[d] === 0 ? columns.isCut[Math.min(j, jq) + i * depth] : rows.isCut[low];
      ways[p] |= isCut === 1 ? 1 << d : 16 << d;
    }
  }
}

/** Rings that are too small for the grid are obstacles of the squares that they lie in. */
function boxSmallRings(rings: FlatRing[], floors: Floors, width: number, depth: number): Obstacles {
  const obstacles: Obstacles = { box: new Int32Array(floors.count).fill(-1), count: 0, bounds: new Float64Array(1024) };
  const bounds: number[] = [];
  for (const { points, polygon, isHole } of rings) {
    if (polygon >= 0 && !isHole) continue;
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    points.forEach((value, i) => {
      box[i % 2] = Math.min(box[i % 2], value);
      box[2 + (i % 2)] = Math.max(box[2 + (i % 2)], value);
    });
    if (!(box[2] - box[0] < 2 && box[3] - box[1] < 2)) continue;
    for (let j = Math.max(0, Math.floor(box[1])); j <= Math.min(depth - 1, box[3]); j++) {
      for (let i = Math.max(0, Math.floor(box[0])); i <= Math.min(width - 1, box[2]); i++) {
        const p = floors.start[i + j * width];
        if (p === floors.start[i + j * width + 1]) continue;
        obstacles.box[p] = bounds.length / 4;
        bounds.push(...box);
      }
    }
  }
  obstacles.count = bounds.length / 4;
  obstacles.bounds = Float64Array.from(bounds.length > 0 ? bounds : [0, 0, 0, 0]);
  return obstacles;
}

/** Returns the cell of a map: a part of the radius, or of the map. @internal */
export function mapCell({ min, max }: FlatMap, { agent }: Pick<Setup, 'agent'>): number {
  const extent = Math.sqrt((max[0] - min[0]) * (max[2] - min[2]));
  return agent.radius > 0 ? Math.max(agent.radius / 4, extent / 1900) : extent / 1000;
}
