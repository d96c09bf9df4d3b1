/**
 * Finds the mesh beyond the level's box, which no line of the grid meets: nothing is below it.
 *
 * The border of a bake may lie a cell beyond the level, so mesh within two cells of the box, or of the outermost lines, is none.
 *
 * In: a mesh, the box and the grid. Out: an area and a place per connected part.
 * Cost: linear in the polygons; clipping for those at the border.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { clipPiece, createPiece } from './shapes/clip.ts';
import type { Piece } from './shapes/clip.ts';
import type { Grid } from './shapes/grid.ts';
import type { Setup } from './setup.ts';
import type { Surface } from './surface.ts';
import type { VerifyOptions } from './types.ts';

/** Cause of such places: no bake of this level has them. */
export const BEYOND_LEVEL =
  'level: the mesh reaches beyond it: was it baked from another level, or from one placed elsewhere?';

/** Mesh beyond the level: its area, and a position in its largest triangle. */
export interface Outside {
  position: [number, number, number];
  area: number;
}

type Rectangle = readonly [minX: number, minZ: number, maxX: number, maxZ: number];

/** Returns the mesh beyond the box and within `bounds`, one entry per connected part. The largest first. */
export function findOutside(
  mesh: NavMesh,
  box: { min: readonly number[]; max: readonly number[] },
  grid: Grid,
  { isUsed, isOff, part }: Surface,
  { cell }: Setup,
  bounds: VerifyOptions['bounds'],
): Outside[] {
  const { origin, spacing, u0, v0, width, depth } = grid;
  const { polyEdgeStart, polyVertexCount, edgeVertex, vertices } = mesh;
  const inner: Rectangle = [
    Math.min(box.min[0] - origin[0] - 2 * cell, u0 - spacing / 2),
    Math.min(box.min[2] - origin[2] - 2 * cell, v0 - spacing / 2),
    Math.max(box.max[0] - origin[0] + 2 * cell, u0 + (width - 0.5) * spacing),
    Math.max(box.max[2] - origin[2] + 2 * cell, v0 + (depth - 0.5) * spacing),
  ];
  const outer: Rectangle | undefined = bounds && [
    bounds.min[0] - origin[0],
    bounds.min[2] - origin[2],
    bounds.max[0] - origin[0],
    bounds.max[2] - origin[2],
  ];
  const found = new Map<number, Outside & { largest: number }>();
  const triangle = createPiece();
  triangle.count = 3;
  for (let p = 0; p < mesh.polyCount; p++) {
    if (isUsed[p] === 0 || isOff[p] === 1) continue;
    const first = polyEdgeStart[p];
    for (let k = 2; k < polyVertexCount[p]; k++) {
      for (const [at, e] of [first, first + k - 1, first + k].entries()) {
        for (let axis = 0; axis < 3; axis++)
          triangle.points[3 * at + axis] = vertices[3 * edgeVertex[e] + axis] - origin[axis];
      }
      if (isWithin(triangle, inner)) continue;
      const piece = outer === undefined ? triangle : clip(triangle, outer);
      const area = areaOf(piece) - areaOf(clip(piece, inner));
      if (!(area > 0)) continue;
      const one = found.get(part[p]) ?? { position: [0, 0, 0], area: 0, largest: 0 };
      found.set(part[p], one);
      one.area += area;
      if (area <= one.largest) continue;
      one.largest = area;
      one.position = farthest(piece, inner).map((value, axis) => origin[axis] + value) as Outside['position'];
    }
  }
  return [...found.values()].sort((a, b) => b.area - a.area);
}

function isWithin({ count, points }: Piece, [minX, minZ, maxX, maxZ]: Rectangle): boolean {
  for (let k = 0; k < 3 * count; k += 3) {
    if (points[k] < minX || points[k] > maxX || points[k + 2] < minZ || points[k + 2] > maxZ) return false;
  }
  return true;
}

function clip(piece: Piece, [minX, minZ, maxX, maxZ]: Rectangle): Piece {
  const a = createPiece();
  const b = createPiece();
  clipPiece(a, piece, 0, minX, -1);
  clipPiece(b, a, 0, maxX, 1);
  clipPiece(a, b, 2, minZ, -1);
  clipPiece(b, a, 2, maxZ, 1);
  return b;
}

function areaOf({ count, points }: Piece): number {
  let sum = 0;
  for (let k = 3; k + 3 < 3 * count; k += 3) {
    const ax = points[k] - points[0];
    const az = points[k + 2] - points[2];
    sum += ax * (points[k + 5] - points[2]) - az * (points[k + 3] - points[0]);
  }
  return Math.abs(sum) / 2;
}

/** Returns the corner of a piece that is farthest outside of a rectangle. */
function farthest({ count, points }: Piece, [minX, minZ, maxX, maxZ]: Rectangle): number[] {
  let best = -1;
  let at = 0;
  for (let k = 0; k < 3 * count; k += 3) {
    const distance = Math.max(minX - points[k], points[k] - maxX, minZ - points[k + 2], points[k + 2] - maxZ);
    if (distance <= best) continue;
    best = distance;
    at = k;
  }
  return [...points.subarray(at, at + 3)];
}
