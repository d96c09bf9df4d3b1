/**
 * Reads the level: triangles in the coordinates of the grid of lines, with the side that they face and whether an
 * agent may stand on them.
 *
 * A triangle is gentle when its slope is within the limit less the margin, and steep when it is above the limit plus
 * the margin. Nothing is rounded: coordinates are doubles less an origin near the level.
 *
 * In: a level, a grid, an agent. Out: `Triangles`.
 * Cost: linear in the triangles; welding of corners for closed parts.
 * Based on: own.
 */
import { checkNumbers, refuse, refuseType } from '../../base/data/refuse.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import { slopeThreshold } from '../../base/math/slope.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import type { Grid } from './shapes/grid.ts';
import { markSolids } from './shapes/solids.ts';

/** Bits of `Triangles.kind`. */
export const UP = 1;
/** Faces up, is within the slope limit plus the margin, and has an area. */
export const LOOSE = 2;
/** Faces up, is within the slope limit less the margin, and has an area. */
export const GENTLE = 4;
/** Part of a closed solid: a line that goes up leaves it through this triangle, or enters it. */
export const LEAVES = 8;
export const ENTERS = 16;

/** The triangles of a level with area. */
export interface Triangles {
  count: number;
  /** u, y, v of three corners: u and v in columns of the grid, y in world units less the origin. */
  corners: Float64Array;
  kind: Uint8Array;
  /** Lowest y of a closed solid without a bottom; -Infinity with one. Floors below that are not inside of it. */
  bottom: Float64Array;
}

/** A checked level. */
export interface Level {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
  /** `indices` with two-sided triangles turned up. */
  turned: ArrayLike<number>;
  areas: ArrayLike<number> | undefined;
  /** Numbers of the triangles with area and finite corners. */
  used: Uint32Array;
  invalidCount: number;
  min: [number, number, number];
  max: [number, number, number];
  /** The height above which each of `used` bounds a closed solid; Infinity: it is part of none. */
  solid: Float64Array;
}

const CALLER = 'verifyNavMesh';

/** Checks a level. Throws when it has no triangle with area. */
export function readLevel(input: TriangleInput): Level {
  if (input?.positions === undefined) refuseType(CALLER, 'level', input, '{ positions, indices?, areas? }');
  const { positions, areas, twoSided } = input;
  for (const key of ['positions', 'indices', 'areas'] as const) {
    if (input[key] !== undefined) checkNumbers(CALLER, `level.${key}`, input[key]);
  }
  const vertexCount = positions.length / 3;
  const indices = input.indices ?? new Uint32Array(vertexCount).map((_, i) => i);
  for (const [key, { length }] of [
    ['positions', positions],
    ['indices', indices],
  ] as const) {
    if (length % 3 !== 0) refuse(CALLER, `level.${key}.length`, length, 'a multiple of 3');
  }
  const count = indices.length / 3;
  if (areas !== undefined && areas.length !== count) {
    refuse(CALLER, 'level.areas.length', areas.length, `${count}, one area per triangle`);
  }
  checkTwoSided(CALLER, 'level', twoSided, count);
  const level: Level = {
    positions,
    indices,
    turned: turnTwoSidedUp(positions, indices, twoSided),
    areas,
    used: new Uint32Array(0),
    invalidCount: 0,
    min: [Infinity, Infinity, Infinity],
    max: [-Infinity, -Infinity, -Infinity],
    solid: new Float64Array(0),
  };
  takeUsed(level, vertexCount);
  if (level.used.length === 0) {
    refuse(CALLER, 'level', `${count} triangles without area`, 'triangles with an area and finite positions');
  }
  level.solid = markSolids(positions, indices, level.used);
  return level;
}

/** Lists the triangles with area, and their box. */
function takeUsed(level: Level, vertexCount: number): void {
  const { positions, indices, min, max } = level;
  const count = indices.length / 3;
  const used = new Uint32Array(count);
  let n = 0;
  for (let t = 0; t < count; t++) {
    for (let k = 3 * t; k < 3 * t + 3; k++) {
      const v = indices[k];
      if (v >>> 0 !== v || v >= vertexCount) {
        refuse(CALLER, `level.indices[${k}]`, v, `a whole number from 0 to ${vertexCount - 1}`);
      }
    }
    const area = doubleArea(positions, 3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]);
    if (!(area < Infinity)) level.invalidCount++;
    else if (area > 0) {
      used[n++] = t;
      for (let k = 0; k < 9; k++) {
        const value = positions[3 * indices[3 * t + ((k / 3) | 0)] + (k % 3)];
        const axis = k % 3;
        if (value < min[axis]) min[axis] = value;
        if (value > max[axis]) max[axis] = value;
      }
    }
  }
  level.used = used.subarray(0, n);
}

/** Returns twice the area of a triangle; NaN or Infinity for a corner that is not finite. */
function doubleArea(p: ArrayLike<number>, a: number, b: number, c: number): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Returns the triangles in the coordinates of a grid, for a slope limit. */
export function placeTriangles(level: Level, grid: Grid, maxSlopeDegrees: number, margin: number): Triangles {
  const { positions, turned, indices, areas, used, solid } = level;
  const count = used.length;
  const corners = new Float64Array(9 * count);
  const kind = new Uint8Array(count);
  const gentle = leastUp(maxSlopeDegrees - margin);
  const loose = leastUp(maxSlopeDegrees + margin);
  const { origin, spacing, u0, v0 } = grid;
  for (let n = 0; n < count; n++) {
    const t = used[n];
    for (let k = 0; k < 3; k++) {
      const from = 3 * turned[3 * t + k];
      const to = 9 * n + 3 * k;
      corners[to] = (positions[from] - origin[0] - u0) / spacing;
      corners[to + 1] = positions[from + 1] - origin[1];
      corners[to + 2] = (positions[from + 2] - origin[2] - v0) / spacing;
    }
    const a = 3 * turned[3 * t];
    const b = 3 * turned[3 * t + 1];
    const c = 3 * turned[3 * t + 2];
    const area = doubleArea(positions, a, b, c);
    const up = upwardArea(positions, a, b, c) / area;
    let bits = up > 0 ? UP : 0;
    if (up > 0 && (areas === undefined || areas[t] !== 0)) {
      if (up >= loose) bits |= LOOSE;
      if (up >= gentle) bits |= GENTLE;
    }
    if (solid[n] < Infinity && up !== 0) {
      const isTurned = turned[3 * t + 1] !== indices[3 * t + 1];
      bits |= up > 0 !== isTurned ? LEAVES : ENTERS;
    }
    kind[n] = bits;
  }
  return { count, corners, kind, bottom: solid.map((y) => y - origin[1]) };
}

function upwardArea(p: ArrayLike<number>, a: number, b: number, c: number): number {
  return (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
}

/** Returns the least y of the unit normal of a slope, which is cut to 0 .. 90 degrees. */
function leastUp(degrees: number): number {
  return slopeThreshold(Math.min(90, Math.max(0, degrees))) - 1e-7;
}
