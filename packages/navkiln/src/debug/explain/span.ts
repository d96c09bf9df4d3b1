/**
 * Why a solid span is not walkable: the triangle it was made from, or the filter that took it, with the number that decided.
 *
 * The parts of explain-place.ts that look at one column and its four neighbours. Based on: own; what the filters ask is Recast's
 * (Mikko Mononen), see voxel/filter.ts.
 */
import type { BakeConfig } from '../../voxel/options.ts';
import { rasterize } from '../../voxel/rasterize.ts';
import { spanBottom, spanTop } from '../../voxel/types.ts';
import { metres } from './cause.ts';
import type { Cause } from './cause.ts';
import { slopeDegrees, triangleDistanceSq } from '../stage/triangle.ts';
import type { StageRecords } from '../stage/records.ts';

/** Directions as in voxel/types.ts. */
const SIDES = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

/**
 * Triangles that touch a column at the height of a span: the one nearest to a local point, and, when no walkable one makes the
 * span's top, why not. Without a span (word 0): of a triangle that the point lies on.
 */
export function explainTriangles(
  records: StageRecords,
  cx: number,
  cz: number,
  word: number,
  x: number,
  y: number,
  z: number,
): { triangle: number; cause: Cause | undefined } {
  const {
    triangles: { positions, indices, areas, source, given },
    config,
  } = records;
  const { boundsMin, cellSize, cellHeight, maxSlopeDegrees } = config;
  const low = [boundsMin[0] + cx * cellSize, 0, boundsMin[2] + cz * cellSize];
  const p = new Float64Array(9);
  const rim = 1e-4 * cellSize;
  const lowest = word === 0 ? y : boundsMin[1] + (spanBottom(word) - 0.5) * cellHeight;
  const most = word === 0 ? y : boundsMin[1] + (spanTop(word) + 0.5) * cellHeight;
  let nearest = -1,
    nearestSq = Infinity;
  let highest = -1,
    highestTop = -1;
  for (let t = 0; t < source.length; t++) {
    let minX = Infinity,
      maxX = -Infinity,
      minY = Infinity,
      maxY = -Infinity,
      minZ = Infinity,
      maxZ = -Infinity;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * t + k];
      minX = Math.min(minX, positions[v]);
      maxX = Math.max(maxX, positions[v]);
      minY = Math.min(minY, positions[v + 1]);
      maxY = Math.max(maxY, positions[v + 1]);
      minZ = Math.min(minZ, positions[v + 2]);
      maxZ = Math.max(maxZ, positions[v + 2]);
    }
    if (maxX < low[0] - rim || minX > low[0] + cellSize + rim || maxZ < low[2] - rim || minZ > low[2] + cellSize + rim)
      continue;
    // All of it, should it miss the cell by a rounding.
    if (maxY < lowest || minY > most) continue;
    const [bottom, top] = spanOfTriangle(records, cx, cz, t);
    if (top > 0 && word > 0 && (top <= spanBottom(word) || bottom >= spanTop(word))) continue;
    if (top > highestTop) {
      highest = t;
      highestTop = top;
    }
    cornersOf(records, t, p);
    const distanceSq = triangleDistanceSq(p, x, y, z);
    if (distanceSq < nearestSq) {
      nearest = t;
      nearestSq = distanceSq;
    }
  }
  if (nearest < 0 || (word === 0 && nearestSq > rim * rim)) return { triangle: -1, cause: undefined };
  const triangle = source[nearest];
  const own = areas[nearest] > 0 ? -1 : nearest;
  const height = boundsMin[1] + spanTop(word) * cellHeight - y;
  // Of a place on a walkable triangle what matters is what lies over it.
  const guilty = own >= 0 ? own : highest;
  cornersOf(records, guilty, p);
  const slope = slopeDegrees(p);
  if (own < 0) {
    return {
      triangle,
      cause: {
        stage: 'rasterize',
        code: 'buried',
        numbers: { depth: height, slope },
        text: `Solid voxels cover this place up to ${metres(Math.max(0, height))} above it, with a slope of ${degrees(slope)}.`,
      },
    };
  }
  const numbers = { slope, maxSlope: maxSlopeDegrees };
  if (Number.isNaN(slope)) {
    const flat: Cause = { stage: 'slope', code: 'degenerate', text: 'The triangle has no area.', numbers: {} };
    return { triangle, cause: flat };
  }
  if (given !== undefined && given[triangle] === 0) {
    const text = 'The triangle was given as not walkable (area 0).';
    return { triangle, cause: { stage: 'slope', code: 'no-area', text, numbers } };
  }
  if (slope > 90) {
    const cause: Cause = {
      stage: 'slope',
      code: 'faces-down',
      numbers,
      text: `The triangle faces down (${degrees(slope)}); its corners must be counter-clockwise seen from above.`,
    };
    return { triangle, cause };
  }
  const text = `Too steep: slope ${degrees(slope)} ${slope > maxSlopeDegrees ? '>' : 'is not below'} ${maxSlopeDegrees}°.`;
  return { triangle, cause: { stage: 'slope', code: 'slope', text, numbers } };
}

function degrees(value: number): string {
  return `${Number(value.toFixed(1))}°`;
}

function cornersOf({ triangles: { positions, indices } }: StageRecords, t: number, p: Float64Array): void {
  for (let k = 0; k < 9; k++) p[k] = positions[3 * indices[3 * t + ((k / 3) | 0)] + (k % 3)];
}

/** Bottom and top, in voxels, of what one triangle fills of one column; [0, 0]: nothing. By the rasterizer, on one cell. */
function spanOfTriangle(
  { triangles: { positions, indices }, config }: StageRecords,
  cx: number,
  cz: number,
  t: number,
): [bottom: number, top: number] {
  const { boundsMin, boundsMax, cellSize } = config;
  const x = Math.fround(boundsMin[0] + cx * cellSize),
    z = Math.fround(boundsMin[2] + cz * cellSize);
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

/** Which filter has taken a span: a low ceiling, a drop beside it, ground too uneven, the edge of the grid. */
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
      text: `The ceiling is too low: ${metres(clearance)} < ${limit(agent.height, height * cellHeight)}.`,
    };
  }
  const numbers = { maxClimb: agent.maxClimb };
  const sideOf = (dx: number, dz: number, top: number): [number, number, number] => [
    boundsMin[0] + (cx + dx + 0.5) * cellSize + offset[0],
    boundsMin[1] + top * cellHeight + offset[1],
    boundsMin[2] + (cz + dz + 0.5) * cellSize + offset[2],
  ];
  let deepest = 0,
    lowest = floor,
    highest = floor;
  let where: [number, number, number] | undefined;
  for (const [dx, dz] of SIDES) {
    const x = cx + dx,
      z = cz + dz;
    const isOff = x < 0 || x >= width || z < 0 || z >= depth;
    const below = isOff ? undefined : groundsBeside(records, x + z * width, floor, ceiling);
    if (below === undefined) {
      return {
        stage: 'filter',
        code: isOff ? 'edge' : 'ledge',
        numbers: isOff ? numbers : { ...numbers, drop: Infinity },
        text: isOff
          ? 'At the edge of what is baked: what lies beyond is not known.'
          : 'A ledge: beside it is nothing to stand on.',
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
      text: `A ledge: it drops ${metres(drop)} beside it > climb ${limit(agent.maxClimb, climb * cellHeight)}.`,
    };
  }
  const rise = (highest - lowest) * cellHeight;
  return {
    stage: 'filter',
    code: 'steps',
    numbers: { ...numbers, rise },
    where,
    text: `Too uneven: neighbours differ by ${metres(rise)} > climb ${limit(agent.maxClimb, climb * cellHeight)}.`,
  };
}

function limit(given: number, inVoxels: number): string {
  return `${metres(given)}${Math.abs(inVoxels - given) > 1e-6 ? ` (${metres(inVoxels)} in whole voxels)` : ''}`;
}

/** Floors of a column beside that one could step or fall to from a floor; undefined: there is none at all below head's height. */
function groundsBeside(
  { solid: { columnStart, spans }, config }: StageRecords,
  column: number,
  floor: number,
  ceiling: number,
): number[] | undefined {
  const { walkableHeightCells: height, walkableClimbCells: climb } = config;
  const begin = columnStart[column],
    end = columnStart[column + 1];
  const head = floor + height;
  if (begin === end || spanBottom(spans[begin]) >= head) return undefined;
  const found: number[] = [];
  for (let k = begin; k < end; k++) {
    const other = spanTop(spans[k]);
    const above = k + 1 < end ? spanBottom(spans[k + 1]) : Infinity;
    // The space both have in common, and whether one gets there.
    if (other > floor + climb || Math.min(ceiling, above) - Math.max(floor, other) < height) continue;
    found.push(other);
  }
  return found;
}
