/**
 * Draws a level's own triangles as debug geometry, colored by walkable slope, and boxes as lines.
 *
 * In: triangles or boxes. Out: triangles with separate vertices, so that each has its own color; lines.
 * Cost: linear in the triangles.
 * Based on: own.
 */
import { checkOptions } from '../check-options.ts';
import { checkFunction, checkHandle, checkKeys, checkNumbers, checkObject, refuse } from '../../base/data/refuse.ts';
import { cosDegrees } from '../../base/math/degrees.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import { addBox, createLineList, finishLines, originOf, putColor, rgba } from './geometry.ts';
import type { DebugGeometry, Rgba } from './geometry.ts';

const WALKABLE: Rgba = rgba('#56b4e9');
const STEEP: Rgba = rgba('#d55e00');
const DOWN: Rgba = rgba('#8b8f92');

/** Options of `levelTriangles`. */
export interface LevelTrianglesOptions {
  /** Greatest walkable slope, 0 .. 90 degrees. Default 45. */
  maxSlopeDegrees?: number;
  /** Color 0xrrggbbaa per triangle. Default: blue for walkable slopes, orange for steep ones, gray facing down. */
  color?: (triangle: number) => Rgba;
}

const KEYS: readonly (keyof LevelTrianglesOptions)[] = ['maxSlopeDegrees', 'color'];

/**
 * Draws the triangles of a bake's input. `polys` is absent: triangle t of the geometry is triangle t of the
 * level.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function levelTriangles(
  level: { positions: ArrayLike<number>; indices?: ArrayLike<number>; twoSided?: boolean | ArrayLike<number> },
  options: LevelTrianglesOptions = {},
): DebugGeometry {
  checkObject('levelTriangles', 'level', level);
  checkNumbers('levelTriangles', 'level.positions', level.positions);
  checkIndices(level.indices, level.positions.length / 3);
  if (options?.color !== undefined) checkFunction('levelTriangles', 'options.color', options.color);
  checkKeys('levelTriangles', options, KEYS);
  checkOptions('levelTriangles', options);
  const { maxSlopeDegrees = 45, color } = options;
  if (typeof maxSlopeDegrees !== 'number' || !(maxSlopeDegrees >= 0 && maxSlopeDegrees <= 90)) {
    refuse('levelTriangles', 'options.maxSlopeDegrees', maxSlopeDegrees, 'a number, 0 .. 90');
  }
  const { positions: given } = level;
  checkTwoSided(
    'levelTriangles',
    'level',
    level.twoSided,
    Math.floor((level.indices ?? given).length / (level.indices ? 3 : 9)),
  );
  const indices = turnTwoSidedUp(given, level.indices, level.twoSided);
  const count = Math.floor((indices?.length ?? given.length / 3) / 3);
  const [low, high] = boundsOf(given);
  const origin = originOf(low, high);
  const positions = new Float32Array(9 * count);
  const colors = new Uint8Array(12 * count);
  const steepest = cosDegrees(maxSlopeDegrees);
  const p = new Float64Array(9);
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < 9; i++) {
      const corner = 3 * t + ((i / 3) | 0);
      p[i] = given[3 * (indices === undefined ? corner : indices[corner]) + (i % 3)] - origin[i % 3];
    }
    positions.set(p, 9 * t);
    const [ux, uy, uz, vx, vy, vz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2], p[6] - p[0], p[7] - p[1], p[8] - p[2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const own = color?.(t) ?? (ny > steepest * length ? WALKABLE : ny > 0 ? STEEP : DOWN);
    for (let k = 0; k < 3; k++) putColor(colors, 3 * t + k, own);
  }
  return { kind: 'triangles', positions, colors, origin };
}

/**
 * Draws boxes as lines, for example those of levels (`getLevelBounds`) or tiles (`mesh.tileBounds`).
 *
 * @param boxes six numbers per box, min xyz and max xyz, world units
 * @throws RangeError for another number of values
 */
export function boxLines(boxes: ArrayLike<number>, color: Rgba = DOWN): DebugGeometry {
  checkNumbers('boxLines', 'boxes', boxes);
  checkHandle('boxLines', 'color', color);
  if (boxes.length % 6 !== 0) refuse('boxLines', 'boxes.length', boxes.length, 'a multiple of 6');
  const values = Array.from(boxes);
  const list = createLineList(values.length > 0 ? originOf(values.slice(0, 3), values.slice(3, 6)) : [0, 0, 0]);
  for (let at = 0; at < values.length; at += 6) addBox(list, values.slice(at, at + 6), color, -1);
  return finishLines(list, false);
}

function boundsOf(positions: ArrayLike<number>): [number[], number[]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] < low[i % 3]) low[i % 3] = positions[i];
    if (positions[i] > high[i % 3]) high[i % 3] = positions[i];
  }
  return [low, high];
}

/** Throws unless `indices` is undefined or a list of whole numbers below `vertexCount`. */
function checkIndices(indices: ArrayLike<number> | undefined, vertexCount: number): void {
  if (indices === undefined) return;
  checkNumbers('levelTriangles', 'level.indices', indices, true);
  for (let i = 0; i < indices.length; i++) {
    if (!(indices[i] < vertexCount))
      refuse('levelTriangles', `level.indices[${i}]`, indices[i], `below ${vertexCount}, the number of vertices`);
  }
}
