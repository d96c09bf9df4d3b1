/**
 * Finds the polygons of a surface that have changed since the last search for links.
 *
 * A polygon is identified by a number: a hash of its corners, its detail, and which of its edges have a neighbor. If a rebuilt tile contains
 * the same polygon under another index, the polygon has the same number.
 *
 * In: a surface and a tile. Out: numbers of its polygons; boxes of polygons that were added or removed.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { hashWords } from '../../base/data/hash.ts';
import { nextGap } from '../../query/walk/open-edges.ts';
import { DEFAULT_FILTER } from '../../query/filter.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { SweepReach } from './find.ts';

/** Least x, y, z, largest x, y, z. */
export type Box = [number, number, number, number, number, number];

/** Factor on squared radii that covers rounding errors. */
const MARGIN = 1.001;

/** More than this many boxes are replaced by one around all of them. */
const MOST_BOXES = 16;

let numbers = new Float64Array(256);
let words = new Uint32Array(numbers.buffer);
const gap = new Float64Array(2);

/** Returns the number that identifies a polygon. `closed`: whether walks are not allowed to enter it. */
export function shapeOf(surface: NavMesh, poly: number, closed: boolean): number {
  const { vertices, edgeVertex, edgeNeighbor, polyFlags, detailVertices, detailTris } = surface;
  const first = surface.polyEdgeStart[poly];
  const end = first + surface.polyVertexCount[poly];
  let count = 0;
  const add = (value: number): void => {
    if (count === numbers.length) {
      const larger = new Float64Array(2 * count);
      larger.set(numbers);
      numbers = larger;
      words = new Uint32Array(larger.buffer);
    }
    numbers[count++] = value;
  };
  add(closed ? -1 : end - first);
  for (let edge = first; edge < end; edge++) {
    for (let k = 0; k < 3; k++) add(vertices[3 * edgeVertex[edge] + k]);
    const neighbor = edgeNeighbor[edge];
    if (neighbor >= -1) {
      add(neighbor >= 0 && polyFlags[neighbor] !== 0 ? 1 : 0);
      continue;
    }
    add(2);
    gap[1] = 0;
    while (nextGap(gap, surface, poly, edge, DEFAULT_FILTER)) {
      add(gap[0]);
      add(gap[1]);
    }
  }
  const detail = surface.polyDetailVertexStart[poly];
  for (let i = 3 * detail; i < 3 * (detail + surface.polyDetailVertexCount[poly]); i++) add(detailVertices[i]);
  const tri = surface.polyDetailTriStart[poly];
  for (let i = 4 * tri; i < 4 * (tri + surface.polyDetailTriCount[poly]); i++) add(detailTris[i]);
  return (hashWords(words, 0, 2 * count, 1) & 0x1fffff) * 2 ** 32 + hashWords(words, 0, 2 * count, 0x9e3779b9);
}

/** Returns the box of a polygon. */
export function boxOfPoly(mesh: NavMesh, poly: number): Box {
  const { vertices, edgeVertex, detailVertices } = mesh;
  const box = emptyBox();
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) widen(box, vertices, 3 * edgeVertex[e]);
  const detail = mesh.polyDetailVertexStart[poly];
  for (let i = detail; i < detail + mesh.polyDetailVertexCount[poly]; i++) widen(box, detailVertices, 3 * i);
  return box;
}

function emptyBox(): Box {
  return [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
}

function widen(box: Box, points: ArrayLike<number>, at: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(box[k], points[at + k]);
    box[3 + k] = Math.max(box[3 + k], points[at + k]);
  }
}

/** Returns the boxes, or one box around all of them if there are more than `MOST_BOXES`. */
export function fewBoxes(boxes: readonly Box[]): readonly Box[] {
  if (boxes.length <= MOST_BOXES) return boxes;
  const all = emptyBox();
  for (const box of boxes) for (const at of [0, 3]) widen(all, box, at);
  return [all];
}

/** Returns whether `box` overlaps `other`, grown by `across` to the sides, by `below` downward and by `above` upward. */
export function reachesNear(box: Box, other: Box, { across, below, above }: SweepReach): boolean {
  return (
    box[0] <= other[3] + across &&
    box[3] >= other[0] - across &&
    box[2] <= other[5] + across &&
    box[5] >= other[2] - across &&
    box[1] <= other[4] + above &&
    box[4] >= other[1] - below
  );
}

/** Returns whether a box overlaps a ball: x, y, z and radius from balls[at] on. */
export function reachesInto(box: Box, balls: Float64Array, at: number): boolean {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = Math.max(0, box[k] - balls[at + k], balls[at + k] - box[3 + k]);
    sum += d * d;
  }
  return sum <= balls[at + 3] * balls[at + 3] * MARGIN;
}
