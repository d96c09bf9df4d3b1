/**
 * Explains why a solid span is not walkable: its triangle, or the filter that rejected it, with the number that
 * decided. Reads one column and its four neighbors.
 *
 * In: stage records and a column. Out: the triangle, the cause.
 * Cost: linear in the tile's triangles.
 * Based on: own; the filters are Recast's (Mikko Mononen), see build/voxel/field/filter.ts.
 */
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import { rasterize } from '../../build/voxel/rasterize/rasterize.ts';
import { spanBottom, spanTop } from '../../build/voxel/types.ts';
import { meters } from './cause.ts';
import type { Cause } from './cause.ts';
import { slopeDegrees, triangleDistanceSq } from '../stage/triangle.ts';
import type { StageRecords } from '../stage/records.ts';

/** Distance from a column, in cells, within which a triangle touches it, because of rounding. */
const RIM = 1e-4;
/** Neighbor directions, as in build/voxel/types.ts. */
const SIDES = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

/** A column and a local point in it. */
export interface ColumnPoint {
  cx: number;
  cz: number;
  x: number;
  y: number;
  z: number;
}

/**
 * Finds the triangle nearest to a local point among those that touch its column at the height of a span, and
 * explains why it makes the span's top not walkable. Without a span (word 0), only a triangle that the point
 * lies on counts.
 */
export function explainTriangles(
  records: StageRecords,
  at: ColumnPoint,
  word: number,
): { triangle: number; cause: Cause | undefined } {
  const {
    triangles: { areas, source, given },
    config: { boundsMin, cellHeight, maxSlopeDegrees },
  } = records;
  const { nearest, highest } = findTriangles(records, at, word);
  if (nearest < 0) return { triangle: -1, cause: undefined };
  const triangle = source[nearest];
  const own = areas[nearest] > 0 ? -1 : nearest;
  const height = boundsMin[1] + spanTop(word) * cellHeight - at.y;
  // When the nearest triangle is walkable, the one above it decides.
  const deciding = own >= 0 ? own : highest;
  const corners = new Float64Array(9);
  cornersOf(records, deciding, corners);
  const slope = slopeDegrees(corners);
  if (own < 0) {
    const depth = meters(Math.max(0, height));
    return {
      triangle,
      cause: {
        stage: 'rasterize',
        code: 'buried',
        numbers: { depth: height, slope },
        message: `Solid voxels cover this position up to ${depth} above it, with a slope of ${degrees(slope)}.`,
      },
    };
  }
  return { triangle, cause: explainSlope(slope, maxSlopeDegrees, given !== undefined && given[triangle] === 0) };
}

/** Explains why a triangle of a slope is not walkable. */
function explainSlope(slope: number, maxSlope: number, hasNoArea: boolean): Cause {
  const numbers = { slope, maxSlope };
  if (Number.isNaN(slope)) {
    return { stage: 'slope', code: 'degenerate', message: 'The triangle has no area.', numbers: {} };
  }
  if (hasNoArea) {
    const message = 'The input marks the triangle as not walkable (area 0).';
    return { stage: 'slope', code: 'no-area', message, numbers };
  }
  if (slope > 90) {
    const message = `The triangle faces down (${degrees(slope)}); its corners must be counter-clockwise seen from above.`;
    return { stage: 'slope', code: 'faces-down', message, numbers };
  }
  const message = `Too steep: slope ${degrees(slope)} ${slope > maxSlope ? '>' : 'is not below'} ${maxSlope}°.`;
  return { stage: 'slope', code: 'slope', message, numbers };
}

/**
 * Returns the triangle nearest to a point and the highest one, among those that touch the column at the
 * height of a span.
 */
function findTriangles(
  records: StageRecords,
  { cx, cz, x, y, z }: ColumnPoint,
  word: number,
): { nearest: number; highest: number } {
  const {
    triangles: { source },
    config: { boundsMin, cellSize, cellHeight },
  } = records;
  const lowX = boundsMin[0] + cx * cellSize;
  const lowZ = boundsMin[2] + cz * cellSize;
  const rim = RIM * cellSize;
  const lowest = word === 0 ? y : boundsMin[1] + (spanBottom(word) - 0.5) * cellHeight;
  const most = word === 0 ? y : boundsMin[1] + (spanTop(word) + 0.5) * cellHeight;
  const p = new Float64Array(9);
  let nearest = -1;
  let nearestSq = Infinity;
  let highest = -1;
  let highestTop = -1;
  for (let t = 0; t < source.length; t++) {
    cornersOf(records, t, p);
    if (Math.max(p[0], p[3], p[6]) < lowX - rim || Math.min(p[0], p[3], p[6]) > lowX + cellSize + rim) continue;
    if (Math.max(p[2], p[5], p[8]) < lowZ - rim || Math.min(p[2], p[5], p[8]) > lowZ + cellSize + rim) continue;
    if (Math.max(p[1], p[4], p[7]) < lowest || Math.min(p[1], p[4], p[7]) > most) continue;
    const [bottom, top] = spanOfTriangle(records, cx, cz, t);
    if (top > 0 && word > 0 && (top <= spanBottom(word) || bottom >= spanTop(word))) continue;
    if (top > highestTop) {
      highest = t;
      highestTop = top;
    }
    const distanceSq = triangleDistanceSq(p, x, y, z);
    if (distanceSq < nearestSq) {
      nearest = t;
      nearestSq = distanceSq;
    }
  }
  return word === 0 && nearestSq > rim * rim ? { nearest: -1, highest } : { nearest, highest };
}

function degrees(value: number): string {
  return `${Number(value.toFixed(1))}°`;
}

function cornersOf({ triangles: { positions, indices } }: StageRecords, t: number, p: Float64Array): void {
  for (let k = 0; k < 9; k++) p[k] = positions[3 * indices[3 * t + ((k / 3) | 0)] + (k % 3)];
}

/**
 * Returns the bottom and top, in voxels, of the span that a triangle fills in a column; [0, 0] without one.
 * Rasterizes one cell.
 */
function spanOfTriangle(
  { triangles: { positions, indices }, config }: StageRecords,
  cx: number,
  cz: number,
  t: number,
): [bottom: number, top: number] {
  const { boundsMin, boundsMax, cellSize } = config;
  const x = Math.fround(boundsMin[0] + cx * cellSize);
  const z = Math.fround(boundsMin[2] + cz * cellSize);
  const cell: BakeConfig = {
    ...config,
    widthCells: 1,
    depthCells: 1,
    boundsMin: [x, boundsMin[1], z],
    boundsMax: [Math.fround(x + cellSize), boundsMax[1], Math.fround(z + cellSize)],
  };
  const { spanCount, spans } = rasterize(positions, indices.subarray(3 * t, 3 * t + 3), new Uint8Array([1]), cell);
  return spanCount === 0 ? [0, 0] : [spanBottom(spans[0]), spanTop(spans[0])];
}

/**
 * Explains which filter rejected a span: a low ceiling, a drop beside it, uneven neighbors, the edge of the
 * grid.
 */
export function explainFilter(records: StageRecords, cx: number, cz: number, index: number): Cause {
  const {
    solid: { width, depth, columnStart, spans, cellHeight },
    config,
  } = records;
  const { walkableHeightCells: height, walkableClimbCells: climb, agent, boundsMin, cellSize, offset } = config;
  const column = cx + cz * width;
  const floor = spanTop(spans[index]);
  const ceiling = index + 1 < columnStart[column + 1] ? spanBottom(spans[index + 1]) : Infinity;
  const clearance = (ceiling - floor) * cellHeight;
  if (config.filterLowCeilings && ceiling - floor < height) {
    return {
      stage: 'filter',
      code: 'ceiling',
      numbers: { clearance, height: agent.height },
      message: `The ceiling is too low: ${meters(clearance)} < ${limit(agent.height, height * cellHeight)}.`,
    };
  }
  const numbers = { maxClimb: agent.maxClimb };
  const sideOf = (dx: number, dz: number, top: number): [number, number, number] => [
    boundsMin[0] + (cx + dx + 0.5) * cellSize + offset[0],
    boundsMin[1] + top * cellHeight + offset[1],
    boundsMin[2] + (cz + dz + 0.5) * cellSize + offset[2],
  ];
  let deepest = 0;
  let lowest = floor;
  let highest = floor;
  let where: [number, number, number] | undefined;
  for (const [dx, dz] of SIDES) {
    const x = cx + dx;
    const z = cz + dz;
    const isOff = x < 0 || x >= width || z < 0 || z >= depth;
    const below = isOff ? undefined : floorsBeside(records, x + z * width, floor, ceiling);
    if (below === undefined) {
      return {
        stage: 'filter',
        code: isOff ? 'edge' : 'ledge',
        numbers: isOff ? numbers : { ...numbers, drop: Infinity },
        message: isOff
          ? 'At the edge of the baked area: the level beyond is unknown.'
          : 'A ledge: nothing walkable is beside it.',
        where: sideOf(dx, dz, floor),
      };
    }
    for (const other of below) {
      if (floor - other > deepest) {
        deepest = floor - other;
        where = sideOf(dx, dz, other);
      }
      lowest = Math.min(lowest, other);
      highest = Math.max(highest, other);
    }
  }
  if (deepest > climb) {
    const drop = deepest * cellHeight;
    return {
      stage: 'filter',
      code: 'ledge',
      numbers: { ...numbers, drop },
      where,
      message: `A ledge: it drops ${meters(drop)} beside it > climb ${limit(agent.maxClimb, climb * cellHeight)}.`,
    };
  }
  const rise = (highest - lowest) * cellHeight;
  return {
    stage: 'filter',
    code: 'steps',
    numbers: { ...numbers, rise },
    where,
    message: `Too uneven: neighbors differ by ${meters(rise)} > climb ${limit(agent.maxClimb, climb * cellHeight)}.`,
  };
}

function limit(given: number, inVoxels: number): string {
  return `${meters(given)}${Math.abs(inVoxels - given) > 1e-6 ? ` (${meters(inVoxels)} in whole voxels)` : ''}`;
}

/**
 * Returns the floors of a neighboring column that can be stepped or dropped to; undefined: the column is
 * empty below head height.
 */
function floorsBeside(
  { solid: { columnStart, spans }, config }: StageRecords,
  column: number,
  floor: number,
  ceiling: number,
): number[] | undefined {
  const { walkableHeightCells: height, walkableClimbCells: climb } = config;
  const begin = columnStart[column];
  const end = columnStart[column + 1];
  const head = floor + height;
  if (begin === end || spanBottom(spans[begin]) >= head) return undefined;
  const found: number[] = [];
  for (let k = begin; k < end; k++) {
    const other = spanTop(spans[k]);
    const above = k + 1 < end ? spanBottom(spans[k + 1]) : Infinity;
    // The floors must be within a climb and share enough height.
    if (other > floor + climb || Math.min(ceiling, above) - Math.max(floor, other) < height) continue;
    found.push(other);
  }
  return found;
}
