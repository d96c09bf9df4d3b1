/**
 * Weld: ground triangles -> the same over points that are one where they are within the tolerance.
 *
 * Triangles that are narrower than the tolerance seen from above are left out (what lies beside them then meets within the
 * tolerance), and so are those that are there already. Cost: linear. Based on: own.
 */
import { createPointTable, planAt, pointAt } from './points.ts';
import type { Warn } from './input.ts';
import type { Ground, PointTable, SurfaceInput } from './types.ts';

/** Pieces of less width are nothing, in tolerances. */
const FLAT_TOLERANCES = 0.01;

export function weldGround(
  input: SurfaceInput, tolerance: number, tileSize: number, warn: Warn,
): { table: PointTable; ground: Ground } {
  const { positions, groundVertex, groundSource, groundArea } = input;
  const given = groundSource.length;
  const vertexPoint = new Int32Array(positions.length / 3).fill(-1);
  const table = createPointTable(tolerance, tileSize, Math.min(vertexPoint.length, groundVertex.length));
  const spot = new Float64Array(3);
  const corner = new Int32Array(groundVertex.length);
  for (let i = 0; i < corner.length; i++) {
    const vertex = groundVertex[i];
    if (vertexPoint[vertex] < 0) {
      spot[0] = positions[3 * vertex];
      spot[1] = positions[3 * vertex + 1];
      spot[2] = positions[3 * vertex + 2];
      vertexPoint[vertex] = pointAt(table, planAt(table, spot), spot);
    }
    corner[i] = vertexPoint[vertex];
  }
  const source = new Int32Array(given);
  const area = new Uint8Array(given);
  const known = createTriangleSet(given);
  let count = 0;
  let narrow = 0;
  let firstNarrow = -1;
  let doubled = 0;
  let firstDoubled = -1;
  for (let t = 0; t < given; t++) {
    const a = corner[3 * t];
    const b = corner[3 * t + 1];
    const c = corner[3 * t + 2];
    if (isNarrow(table, a, b, c)) {
      if (narrow++ === 0) firstNarrow = groundSource[t];
      continue;
    }
    corner[3 * count] = a;
    corner[3 * count + 1] = b;
    corner[3 * count + 2] = c;
    if (isKnown(known, corner, count)) {
      if (doubled++ === 0) firstDoubled = groundSource[t];
      continue;
    }
    source[count] = groundSource[t];
    area[count++] = groundArea[t];
  }
  warn('degenerate-triangles', narrow, (n) => (
    `${n} triangles are narrower than the weldTolerance of ${tolerance}; the first is triangle ${firstNarrow}`
  ), firstNarrow);
  warn('duplicate-triangles', doubled, (n) => (
    `${n} triangles are there twice; the first is triangle ${firstDoubled}`
  ), firstDoubled);
  return { table, ground: groundOf(corner.slice(0, 3 * count), area.slice(0, count), source.slice(0, count)) };
}

/** Ground that nothing is joined of yet. */
export function groundOf(corner: Int32Array, area: Uint8Array, source: Int32Array): Ground {
  const twin = new Int32Array(corner.length).fill(-1);
  return { count: area.length, corner, twin, blocked: new Uint8Array(corner.length), area, source };
}

/** Twice the area of a triangle of points seen from above, positive when it is counter-clockwise. */
export function planArea(table: PointTable, a: number, b: number, c: number): number {
  const { pointPlan, planX, planZ } = table;
  const p = pointPlan[a];
  const q = pointPlan[b];
  const r = pointPlan[c];
  return (planZ[q] - planZ[p]) * (planX[r] - planX[p]) - (planX[q] - planX[p]) * (planZ[r] - planZ[p]);
}

/** Is a triangle, seen from above, nowhere wider than the tolerance, or turned over by the weld? */
function isNarrow(table: PointTable, a: number, b: number, c: number): boolean {
  return isNarrower(table, a, b, c, table.tolerance);
}

/**
 * Has a piece of a triangle no width seen from above? Pieces narrower than the tolerance are kept: without them, what lies on
 * both sides would be farther apart than the tolerance where it was moved, too.
 */
export function isFlat(table: PointTable, a: number, b: number, c: number): boolean {
  return isNarrower(table, a, b, c, FLAT_TOLERANCES * table.tolerance);
}

function isNarrower(table: PointTable, a: number, b: number, c: number, width: number): boolean {
  const { pointPlan, planX, planZ } = table;
  const p = pointPlan[a];
  const q = pointPlan[b];
  const r = pointPlan[c];
  const ux = planX[q] - planX[p];
  const uz = planZ[q] - planZ[p];
  const vx = planX[r] - planX[p];
  const vz = planZ[r] - planZ[p];
  const double = uz * vx - ux * vz;
  const u = ux * ux + uz * uz;
  const v = vx * vx + vz * vz;
  const w = (vx - ux) * (vx - ux) + (vz - uz) * (vz - uz);
  const longest = u > v ? (u > w ? u : w) : v > w ? v : w;
  return !(double > 0 && double * double > width * width * longest);
}

/** Triangles by their corners: open addressing, entries are triangle numbers. */
function createTriangleSet(count: number): Int32Array {
  let size = 64;
  while (size < 2 * count) size *= 2;
  return new Int32Array(size).fill(-1);
}

/** Is triangle t there already? Turns its corners so that the least comes first; puts it in when it is new. */
function isKnown(set: Int32Array, corner: Int32Array, t: number): boolean {
  const at = 3 * t;
  while (corner[at] > corner[at + 1] || corner[at] > corner[at + 2]) {
    const first = corner[at];
    corner[at] = corner[at + 1];
    corner[at + 1] = corner[at + 2];
    corner[at + 2] = first;
  }
  const a = corner[at];
  const b = corner[at + 1];
  const c = corner[at + 2];
  let hash = Math.imul(a, 0x2c1b3c6d) ^ Math.imul(b, 0x297a2d39) ^ Math.imul(c, 0x165667b1);
  hash ^= hash >>> 15;
  for (let slot = hash & (set.length - 1); ; slot = (slot + 1) & (set.length - 1)) {
    const other = set[slot];
    if (other < 0) {
      set[slot] = t;
      return false;
    }
    if (corner[3 * other] === a && corner[3 * other + 1] === b && corner[3 * other + 2] === c) return true;
  }
}
