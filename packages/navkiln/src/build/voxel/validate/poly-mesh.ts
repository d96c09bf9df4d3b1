/**
 * Validates a PolyMesh: returns a list of violations, empty for a valid one.
 *
 * Polygons must have three different vertices or more, and be convex and counter-clockwise seen from above.
 * Points on a line are allowed, because an outline that touches itself leaves such polygons. Neighbors must
 * have the edge in reverse and name the polygon back. Edges that two polygons share must be connected. No
 * wall may lie along a shorter wall of another polygon that starts at the same vertex (a T-junction).
 *
 * In: PolyMesh. Out: violations.
 * Cost: expected linear in the edges.
 * Based on: own.
 */
import { checkRecord } from '../../../base/data/refuse.ts';
import { AREA_COUNT, AREA_NONE } from '../../../base/constants.ts';
import { BORDER_REGION } from '../types.ts';
import { checkBox, createComplain, isCount } from './violations.ts';
import type { PolyMesh } from '../types.ts';
import type { Complain, StageViolation } from './violations.ts';

/** Vertices of the same x and z are welded within this height, voxels. */
const SAME_HEIGHT = 2;

/** Returns the number of vertices of polygon p. */
export function countCorners(mesh: PolyMesh, p: number): number {
  const { polys, maxVerticesPerPoly: size } = mesh;
  let n = 0;
  while (n < size && polys[p * size + n] !== -1) n++;
  return n;
}

/** Returns the violations of a polygon mesh. */
export function validatePolyMesh(mesh: PolyMesh): StageViolation[] {
  checkRecord('validatePolyMesh', 'mesh', mesh, 'neighbors', 'a PolyMesh');
  const violations: StageViolation[] = [];
  const complain = createComplain(violations);
  const { vertexCount, polyCount, maxVerticesPerPoly: size, boundsMin, boundsMax, cellSize } = mesh;
  checkBox(mesh, complain);
  for (const key of ['borderCells', 'maxVerticesPerPoly', 'vertexCount', 'polyCount'] as const) {
    if (!isCount(mesh[key])) complain('size', key, -1, `is ${mesh[key]}, not a count`);
  }
  if (size < 3) complain('size', 'maxVerticesPerPoly', -1, `is ${size}, must be 3 or more`);
  if (!(mesh.maxEdgeErrorCells >= 0)) {
    complain('scalar', 'maxEdgeErrorCells', -1, `is ${mesh.maxEdgeErrorCells}, must be 0 or more`);
  }
  const lengths = [
    ['vertices', 3 * vertexCount],
    ['polys', size * polyCount],
    ['neighbors', size * polyCount],
    ['region', polyCount],
    ['area', polyCount],
  ] as const;
  for (const [key, needed] of lengths) {
    if (!(mesh[key].length >= needed))
      complain('size', key, -1, `has ${mesh[key].length} entries, must have ${needed}`);
  }
  if (violations.some((one) => one.code === 'size')) return violations;

  for (let k = 0; k < 3 * vertexCount; k++) {
    const value = mesh.vertices[k];
    const axis = k % 3;
    // The last cell may reach half a cell beyond the bounds.
    const most = axis === 1 ? Infinity : (boundsMax[axis] - boundsMin[axis]) / cellSize + 1;
    if (value < 0 || value > most) complain('vertex', 'vertices', k, `is ${value}, outside the bounds`);
  }
  let isSound = true;
  for (let p = 0; p < polyCount; p++) isSound = checkPoly(mesh, p, complain) && isSound;
  if (isSound) checkEdges(mesh, complain);
  return violations;
}

/** Checks polygon p. Returns whether its vertices can be followed. */
function checkPoly(mesh: PolyMesh, p: number, complain: Complain): boolean {
  const { polys, neighbors, maxVerticesPerPoly: size, vertices: v, vertexCount, polyCount } = mesh;
  const base = p * size;
  const n = countCorners(mesh, p);
  // On a tile's border, polygons may belong to several regions, which is region 0.
  if (!(mesh.region[p] < BORDER_REGION && (mesh.region[p] > 0 || mesh.borderCells > 0))) {
    complain('region', 'region', p, `is ${mesh.region[p]}, not a region id`);
  }
  if (mesh.area[p] === AREA_NONE || mesh.area[p] >= AREA_COUNT) {
    complain('area', 'area', p, `is ${mesh.area[p]}, must be 1 to ${AREA_COUNT - 1}`);
  }
  let isSound = true;
  if (n < 3) {
    complain('index', 'polys', base, `starts a polygon of ${n} vertices`);
    isSound = false;
  }
  for (let k = 0; k < size; k++) {
    const vertex = polys[base + k];
    const other = neighbors[base + k];
    if (k >= n ? vertex !== -1 : !(vertex >= 0 && vertex < vertexCount) || polys.indexOf(vertex, base) < base + k) {
      complain('index', 'polys', base + k, `is ${vertex}: not a vertex, a repeated vertex, or one after the last`);
      isSound = false;
    }
    const isBorder = other <= -2 && other >= -5 && mesh.borderCells > 0;
    if (k >= n ? other !== -1 : other !== -1 && !isBorder && !(other >= 0 && other < polyCount && other !== p)) {
      complain('neighbor', 'neighbors', base + k, `is ${other}: not another polygon, a wall or a side of the tile`);
      isSound = false;
    }
  }
  if (!isSound) return false;
  for (let k = 0; k < n; k++) {
    const a = polys[base + k];
    const b = polys[base + ((k + 1) % n)];
    const c = polys[base + ((k + 2) % n)];
    if (turn(v, a, b, c) > 0) {
      complain('not-convex', 'polys', base + ((k + 1) % n), `at vertex ${b} the polygon turns right, seen from above`);
    }
  }
  // A polygon that winds twice turns left at each vertex, too. The fan from the first vertex detects it.
  for (let k = 1; k + 1 < n; k++) {
    if (turn(v, polys[base], polys[base + k], polys[base + k + 1]) > 0) {
      complain('not-convex', 'polys', base + k, 'the polygon winds around more than once');
      break;
    }
  }
  return true;
}

/** Returns twice the area of a, b, c seen from above: negative when they are counter-clockwise. */
function turn(v: Int32Array, a: number, b: number, c: number): number {
  const ax = v[3 * a];
  const az = v[3 * a + 2];
  return (v[3 * b] - ax) * (v[3 * c + 2] - az) - (v[3 * c] - ax) * (v[3 * b + 2] - az);
}

/** Checks neighbors and walls of all polygons. */
function checkEdges(mesh: PolyMesh, complain: Complain): void {
  const { polys, neighbors, maxVerticesPerPoly: size, polyCount, vertexCount, vertices: v } = mesh;
  const slots = new Map<number, number[]>();
  const startingAt: number[][] = [];
  const endingAt: number[][] = [];
  const endOf = (slot: number): number => {
    const p = Math.trunc(slot / size);
    return slot + 1 === (p + 1) * size || polys[slot + 1] === -1 ? polys[p * size] : polys[slot + 1];
  };
  const edges: number[] = [];
  for (let slot = 0; slot < polyCount * size; slot++) if (polys[slot] !== -1) edges.push(slot);
  for (const slot of edges) {
    const a = polys[slot];
    const b = endOf(slot);
    const key = a * vertexCount + b;
    const same = slots.get(key);
    if (same === undefined) slots.set(key, [slot]);
    else same.push(slot);
    if (neighbors[slot] === -1) {
      (startingAt[a] ??= []).push(slot);
      (endingAt[b] ??= []).push(slot);
    }
  }
  for (const slot of edges) {
    const p = Math.trunc(slot / size);
    const other = neighbors[slot];
    const a = polys[slot];
    const b = endOf(slot);
    const opposite = slots.get(b * vertexCount + a) ?? [];
    if (other >= 0 && !opposite.some((back) => Math.trunc(back / size) === other && neighbors[back] === p)) {
      complain(
        'not-reciprocal',
        'neighbors',
        slot,
        `is ${other}, which does not have the edge in reverse with this polygon as neighbor`,
      );
    }
    if (other !== -1) continue;
    // A polygon that meets itself (around a hole) is not its own neighbor, and keeps others from the edge.
    const meetsItself = opposite.some((back) => Math.trunc(back / size) === p);
    if (!meetsItself && opposite.some((back) => neighbors[back] === -1)) {
      complain('not-connected', 'neighbors', slot, `is a wall, though another polygon has the edge from ${b} to ${a}`);
    }
    // Shorter walls of other polygons that run along this one, back from b or back to a.
    const along = [...(startingAt[b] ?? []), ...(endingAt[a] ?? [])];
    for (const wall of along) {
      const end = polys[wall] === b ? endOf(wall) : polys[wall];
      if (Math.trunc(wall / size) === p || end === a || end === b) continue;
      if (turn(v, a, b, end) === 0 && isOnEdge(v, a, b, end)) {
        const what = `the wall from vertex ${a} to ${b} has vertex ${end} of another polygon's wall on it`;
        complain('t-junction', 'polys', slot, what);
      }
    }
  }
}

/**
 * Returns whether e lies strictly between a and b, at the edge's height. Two walls that start at one vertex
 * and separate in height are no T-junction.
 */
function isOnEdge(v: Int32Array, a: number, b: number, e: number): boolean {
  const k = v[3 * a] === v[3 * b] ? 2 : 0;
  const p = v[3 * a + k];
  const q = v[3 * b + k];
  const r = v[3 * e + k];
  if (!((p < r && r < q) || (q < r && r < p))) return false;
  const line = v[3 * a + 1] + ((v[3 * b + 1] - v[3 * a + 1]) * (r - p)) / (q - p);
  return Math.abs(line - v[3 * e + 1]) <= SAME_HEIGHT;
}
