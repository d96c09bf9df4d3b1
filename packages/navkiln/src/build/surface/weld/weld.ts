/**
 * Weld stage: corners within the tolerance of each other become one point. In a tile, triangles are cut along
 * the lines where its square and its rim end.
 *
 * Triangles that become narrower than the tolerance seen from above are dropped (their neighbors then meet within the
 * tolerance), and so are duplicates. If a triangle goes on beyond the tile, only its part in the tile and the rim
 * counts.
 *
 * In: ground triangles.
 * Out: surface over shared points.
 * Cost: linear.
 * Based on: own.
 */
import { mixNumbers } from '../../../base/data/hash.ts';
import { takeInt32, takeUint8 } from '../../../base/data/workspace.ts';
import { clipToCells } from '../shapes/cut.ts';
import { clearPointTable, createPointTable, onLine, planAt, pointAt } from '../shapes/points.ts';
import type { Ground, PointTable, TileInput, TileSquare } from '../types.ts';

/** Minimum width of a piece, in tolerances. Narrower ones are dropped. */
const FLAT_TOLERANCES = 0.01;

/** Memory that is reused tile after tile. */
export interface WeldSpace {
  table: PointTable;
  /** For each vertex of the input: its point plus `base`, once it is known. */
  vertexPoint: Int32Array;
  base: number;
  /** For each ground triangle of the input: 1 when it is a duplicate. */
  doubled: Uint8Array;
  /** Triangles by their corners: open addressing, entries are triangle numbers. */
  known: Int32Array;
  mask: number;
  corner: Int32Array;
  source: Int32Array;
  area: Uint8Array;
  count: number;
}

export function createWeldSpace(
  vertexCount: number,
  triangleCount: number,
  tolerance: number,
  expected: number,
  limitBytes: number,
): WeldSpace {
  return {
    table: createPointTable(tolerance, undefined, expected, limitBytes),
    vertexPoint: new Int32Array(vertexCount),
    base: 1,
    doubled: new Uint8Array(triangleCount),
    known: new Int32Array(64),
    mask: 0,
    corner: new Int32Array(3 * expected),
    source: new Int32Array(expected),
    area: new Uint8Array(expected),
    count: 0,
  };
}

/**
 * Returns the surface over the points of `space.table`, which is reset; it lives in the space until the next
 * tile.
 */
export function weldGround(
  { ground: input, list, from, to }: TileInput,
  square: TileSquare | undefined,
  space: WeldSpace,
): Ground {
  const { groundVertex, positions } = input;
  const { table, vertexPoint } = space;
  space.base += table.pointCount;
  clearPointTable(table, square, Math.min(vertexPoint.length, 3 * (to - from)));
  clearKnown(space, to - from);
  space.count = 0;
  const { base } = space;
  for (let i = from; i < to; i++) {
    const t = list[i];
    if (square !== undefined && !loadCorners(positions, groundVertex, t, square, table.tolerance)) {
      cutTriangle(space, input.groundArea[t], t, square);
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const vertex = groundVertex[3 * t + k];
      let point = vertexPoint[vertex] - base;
      if (point < 0) {
        spot[0] = positions[3 * vertex];
        spot[1] = positions[3 * vertex + 1];
        spot[2] = positions[3 * vertex + 2];
        point = pointAt(table, planAt(table, spot), spot);
        vertexPoint[vertex] = base + point;
      }
      three[k] = point;
    }
    if (!isNarrower(table, three[0], three[1], three[2], table.tolerance)) {
      addTriangle(space, three[0], three[1], three[2], input.groundArea[t], t);
    }
  }
  return weldedGround(space);
}

/** Returns the surface that the space holds, without joints. */
export function weldedGround(space: WeldSpace): Ground {
  const {
    count,
    table: { workspace },
  } = space;
  return {
    count,
    corner: space.corner.subarray(0, 3 * count),
    twin: takeInt32(workspace, 'weld.twin', 3 * count).fill(-1),
    blocked: takeUint8(workspace, 'weld.blocked', 3 * count).fill(0),
    area: space.area.subarray(0, count),
    source: space.source.subarray(0, count),
  };
}

/** Adds a triangle (xyz of its corners) to the surface in the space, cut along the lines of the tile. */
export function addGround(space: WeldSpace, triangle: Float64Array, area: number, source: number): void {
  const { table, doubled } = space;
  const { square, tolerance } = table;
  // The given triangle is not in the level twice, whatever this one is.
  const was = doubled[source];
  if (square === undefined) {
    for (let k = 0; k < 3; k++) {
      spot.set(triangle.subarray(3 * k, 3 * k + 3));
      three[k] = pointAt(table, planAt(table, spot), spot);
    }
    if (!isFlat(table, three[0], three[1], three[2])) addTriangle(space, three[0], three[1], three[2], area, source);
  } else {
    for (let k = 0; k < 9; k += 3) {
      corners[k] = onLine(triangle[k], square.x0, square.x1, tolerance);
      corners[k + 1] = triangle[k + 1];
      corners[k + 2] = onLine(triangle[k + 2], square.z0, square.z1, tolerance);
    }
    cutTriangle(space, area, source, square);
  }
  doubled[source] = was;
}

const spot = new Float64Array(3);
const three = new Int32Array(3);
/** Corners of the current triangle, xyz each. */
const corners = new Float64Array(9);

/**
 * Returns whether no line of the square lies between the corners. Loads those of a triangle that is not
 * inside the square, moved onto nearby lines.
 */
function loadCorners(
  positions: Float64Array,
  vertices: Int32Array,
  t: number,
  { x0, z0, x1, z1, rim }: TileSquare,
  tolerance: number,
): boolean {
  let inside = 0;
  for (let k = 3 * t; k < 3 * t + 3; k++) {
    const x = positions[3 * vertices[k]];
    const z = positions[3 * vertices[k] + 2];
    if (x - x0 > tolerance && x1 - x > tolerance && z - z0 > tolerance && z1 - z > tolerance) inside++;
  }
  if (inside === 3) return true;
  for (let k = 0; k < 3; k++) {
    const at = 3 * vertices[3 * t + k];
    corners[3 * k] = onLine(positions[at], x0, x1, tolerance);
    corners[3 * k + 1] = positions[at + 1];
    corners[3 * k + 2] = onLine(positions[at + 2], z0, z1, tolerance);
  }
  return isBetween(0, x0, x1, rim) && isBetween(2, z0, z1, rim);
}

function isBetween(axis: number, from: number, to: number, rim: number): boolean {
  const a = corners[axis];
  const b = corners[3 + axis];
  const c = corners[6 + axis];
  const low = a < b ? (a < c ? a : c) : b < c ? b : c;
  const high = a > b ? (a > c ? a : c) : b > c ? b : c;
  if (low >= from) return high <= to || (low >= to && high <= to + rim);
  return high <= from && low >= from - rim;
}

/** Adds the parts of the loaded triangle in the tile and its rim. */
function cutTriangle(space: WeldSpace, area: number, source: number, square: TileSquare): void {
  const { table } = space;
  clipToCells(corners, square, (ring, size) => {
    const points: number[] = [];
    let least = 0;
    for (let k = 0; k < size; k++) {
      spot[0] = ring[3 * k];
      spot[1] = ring[3 * k + 1];
      spot[2] = ring[3 * k + 2];
      const point = pointAt(table, planAt(table, spot), spot);
      if (points.length > 0 && table.pointPlan[points[points.length - 1]] === table.pointPlan[point]) continue;
      points.push(point);
    }
    while (points.length > 1 && table.pointPlan[points[0]] === table.pointPlan[points[points.length - 1]]) points.pop();
    for (let k = 1; k < points.length; k++) if (points[k] < points[least]) least = k;
    // Starts at the least point, so that duplicates give the same pieces.
    const first = points[least];
    for (let k = 1; k + 1 < points.length; k++) {
      const a = points[(least + k) % points.length];
      const b = points[(least + k + 1) % points.length];
      if (!isFlat(table, first, a, b)) addTriangle(space, first, a, b, area, source);
    }
  });
}

/** Adds a triangle unless it is a duplicate; its least corner becomes the first. */
function addTriangle(space: WeldSpace, a: number, b: number, c: number, area: number, source: number): void {
  while (a > b || a > c) {
    const first = a;
    a = b;
    b = c;
    c = first;
  }
  const { corner, known, mask } = space;
  let slot = mixNumbers(a, b, c) & mask;
  for (; known[slot] >= 0; slot = (slot + 1) & mask) {
    const other = 3 * known[slot];
    if (corner[other] === a && corner[other + 1] === b && corner[other + 2] === c) {
      space.doubled[source] = 1;
      return;
    }
  }
  const t = space.count++;
  known[slot] = t;
  if (t === space.area.length) grow(space);
  space.corner[3 * t] = a;
  space.corner[3 * t + 1] = b;
  space.corner[3 * t + 2] = c;
  space.source[t] = source;
  space.area[t] = area;
  if (2 * space.count > mask) rehash(space);
}

function grow(space: WeldSpace): void {
  const length = 2 * space.area.length + 64;
  const { corner, source, area } = space;
  space.corner = new Int32Array(3 * length);
  space.corner.set(corner);
  space.source = new Int32Array(length);
  space.source.set(source);
  space.area = new Uint8Array(length);
  space.area.set(area);
}

function clearKnown(space: WeldSpace, count: number): void {
  let size = 64;
  while (size < 2 * count) size *= 2;
  if (space.known.length < size) space.known = new Int32Array(size);
  space.known.fill(-1);
  space.mask = space.known.length - 1;
}

function rehash(space: WeldSpace): void {
  space.known = new Int32Array(2 * space.known.length).fill(-1);
  const { known, corner } = space;
  const mask = (space.mask = known.length - 1);
  for (let t = 0; t < space.count; t++) {
    let slot = mixNumbers(corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]) & mask;
    while (known[slot] >= 0) slot = (slot + 1) & mask;
    known[slot] = t;
  }
}

/** Returns a surface without joints. */
export function groundOf(corner: Int32Array, area: Uint8Array, source: Int32Array): Ground {
  const twin = new Int32Array(corner.length).fill(-1);
  return { count: area.length, corner, twin, blocked: new Uint8Array(corner.length), area, source };
}

/** Copies the triangles with a new index (not -1). The caller sets `twin`. */
export function keepTriangles(out: Ground, { count, corner, blocked, area, source }: Ground, place: Int32Array): void {
  for (let t = 0; t < count; t++) {
    const to = place[t];
    if (to < 0) continue;
    out.area[to] = area[t];
    out.source[to] = source[t];
    for (let k = 0; k < 3; k++) {
      out.corner[3 * to + k] = corner[3 * t + k];
      out.blocked[3 * to + k] = blocked[3 * t + k];
    }
  }
}

/** Returns twice the area of a triangle of points seen from above, positive when counter-clockwise. */
export function planArea(table: PointTable, a: number, b: number, c: number): number {
  const { pointPlan, planX, planZ } = table;
  const p = pointPlan[a];
  const q = pointPlan[b];
  const r = pointPlan[c];
  return (planZ[q] - planZ[p]) * (planX[r] - planX[p]) - (planX[q] - planX[p]) * (planZ[r] - planZ[p]);
}

/**
 * Returns whether a piece has no width seen from above. Pieces narrower than the tolerance are kept: without
 * them, their neighbors could be further apart than the tolerance after moves.
 */
export function isFlat(table: PointTable, a: number, b: number, c: number): boolean {
  return isNarrower(table, a, b, c, FLAT_TOLERANCES * table.tolerance);
}

/** Returns whether a triangle is narrower than a width seen from above, or turned over. */
export function isNarrower(table: PointTable, a: number, b: number, c: number, width: number): boolean {
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
