/**
 * A level's own triangles as a draw list, coloured by whether their slope can be walked, and boxes as lines.
 *
 * Each triangle has corners of its own, so that it has one colour. Cost: linear in triangles. Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import { cosDegrees } from '../../math/degrees.ts';
import { addBox, createLineList, finishLines, originOf, putColor, rgba } from './list.ts';
import type { DebugGeometry, Rgba } from './list.ts';

const WALKABLE: Rgba = rgba('#56b4e9');
const STEEP: Rgba = rgba('#d55e00');
const DOWN: Rgba = rgba('#8b8f92');

export interface LevelTrianglesOptions {
  /** Default 45. */
  maxSlopeDegrees?: number;
  /** 0xrrggbbaa by triangle. Default: blue where the slope can be walked, orange where it is too steep, grey facing down. */
  color?: (triangle: number) => Rgba;
}

/** Triangles as they go into a bake. `polys` is absent; triangle t of the list is that of the level. */
export function levelTriangles(
  level: { positions: ArrayLike<number>; indices?: ArrayLike<number> },
  options: LevelTrianglesOptions = {},
): DebugGeometry {
  const { maxSlopeDegrees = 45, color } = options;
  if (!(maxSlopeDegrees >= 0 && maxSlopeDegrees <= 90)) {
    refuse('levelTriangles', 'options.maxSlopeDegrees', maxSlopeDegrees, '0 to 90');
  }
  const { positions: given, indices } = level;
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

/** Boxes of six numbers each, min xyz and max xyz: of levels (`getLevelBounds`), tiles (`mesh.tileBounds`), anything. */
export function boxLines(boxes: ArrayLike<number>, color: Rgba = DOWN): DebugGeometry {
  if (boxes.length % 6 !== 0) refuse('boxLines', 'boxes.length', boxes.length, 'six numbers a box');
  const corners = Array.from({ length: 6 }, (_, k) => boxes[k]);
  const list = createLineList(boxes.length > 0 ? originOf(corners.slice(0, 3), corners.slice(3)) : [0, 0, 0]);
  for (let at = 0; at < boxes.length; at += 6)
    addBox(
      list,
      Array.from({ length: 6 }, (_, k) => boxes[at + k]),
      color,
      -1,
    );
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
