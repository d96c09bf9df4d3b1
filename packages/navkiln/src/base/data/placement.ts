/**
 * Composes a level's placement (axis swap, scale, rotation, position) to one matrix, and transforms positions
 * by it.
 *
 * The level is turned y up first, then scaled, rotated and moved. Sine and cosine are those of
 * base/math/degrees.ts, so a placement gives the same numbers in every engine, and quarter turns are exact.
 * Non-finite matrices, and those that leave triangles no area, are refused. One scale of 0 is allowed: it
 * keeps a flat floor.
 *
 * In: a placement. Out: an affine matrix; transformed positions.
 * Cost: nine multiplications per vertex.
 * Based on: own, with the usual formulas for quaternions and rotations.
 */
import { checkKeys, checkNumbers, checkObject, checkString, refuse } from './refuse.ts';
import { cosDegrees, sinDegrees } from '../math/degrees.ts';

/**
 * Position, rotation and scale of a level in the world. Every field is optional; without any the level stays where it
 * is.
 */
export interface LevelPlacement {
  /** x, y, z, world units. Default [0, 0, 0]. */
  position?: ArrayLike<number>;
  /**
   * Degrees about y (counter-clockwise seen from above), [x, y, z] degrees about the world's x, then y, then
   * z, or a quaternion [x, y, z, w] of any length above 0. Default 0.
   */
  rotation?: number | ArrayLike<number>;
  /**
   * One factor, or [x, y, z]. Negative factors mirror the level; the winding is reversed to keep its upper
   * side. One of three factors may be 0, such as the height of a flat floor. Default 1.
   */
  scale?: number | ArrayLike<number>;
  /** True: the level has z up and is turned to y up first: (x, y, z) becomes (x, z, -y). Default false. */
  swapYZ?: boolean;
  /**
   * Instead of all fields above: 16 numbers of an affine matrix in column order (`matrixWorld.elements` of
   * three.js).
   */
  matrix?: ArrayLike<number>;
}

/** Columns x, y, z and the translation, three numbers each. */
export type Affine = Float64Array;

/** Least determinant, relative to the product of the columns' lengths, of a matrix that is not singular. */
const SINGULAR = 1e-12;
/** Least sine of the angle between two columns that span an area. */
const PARALLEL = 1e-12;

const KEYS = ['position', 'rotation', 'scale', 'swapYZ', 'matrix'];

/**
 * Returns the matrix of a placement. Throws for invalid placements; messages begin with `caller` and name the placement
 * `path`.
 */
export function placementMatrix(placement: LevelPlacement, caller: string, path: string = 'placement'): Affine {
  checkString('placementMatrix', 'caller', caller);
  checkObject(caller, path, placement);
  checkKeys(caller, placement, KEYS, path);
  const out = placement.matrix === undefined ? composed(placement, caller, path) : givenMatrix(placement, caller, path);
  if (!spansArea(out)) {
    const key = placement.matrix === undefined ? 'scale' : 'matrix';
    const mustBe = 'finite, with at most one axis scaled to 0';
    refuse(caller, `${path}.${key}`, listOf(placement[key]), mustBe);
  }
  return out;
}

/**
 * Returns whether a matrix mirrors, so that it reverses the winding of triangles. One that flattens does not:
 * renderers draw its triangles as they are wound.
 */
export function isMirrored(matrix: Affine): boolean {
  checkNumbers('isMirrored', 'matrix', matrix);
  return mirrors(matrix);
}

/** Returns what `isMirrored` does, without its check. @internal */
export function mirrors(matrix: Affine): boolean {
  return determinant(matrix) < -SINGULAR * productOfLengths(matrix);
}

/** Returns whether two columns of a matrix span an area. False for a matrix that is not finite. */
function spansArea(m: Affine): boolean {
  for (let k = 0; k < m.length; k++) if (!Number.isFinite(m[k])) return false;
  for (let a = 0; a < 9; a += 3) {
    const b = (a + 3) % 9;
    const x = m[a + 1] * m[b + 2] - m[a + 2] * m[b + 1];
    const y = m[a + 2] * m[b] - m[a] * m[b + 2];
    const z = m[a] * m[b + 1] - m[a + 1] * m[b];
    const area = Math.sqrt(x * x + y * y + z * z);
    const most =
      Math.sqrt(m[a] * m[a] + m[a + 1] * m[a + 1] + m[a + 2] * m[a + 2]) *
      Math.sqrt(m[b] * m[b] + m[b + 1] * m[b + 1] + m[b + 2] * m[b + 2]);
    if (area > PARALLEL * most && most < Infinity) return true;
  }
  return false;
}

/** Returns positions (xyz) transformed by a matrix. */
export function placePositions(given: ArrayLike<number>, matrix: Affine): Float64Array {
  checkNumbers('placePositions', 'given', given);
  checkNumbers('placePositions', 'matrix', matrix);
  if (matrix.length !== 12)
    refuse('placePositions', 'matrix.length', matrix.length, '12, as placementMatrix returns it');
  return transformed(given, matrix);
}

/** Returns what `placePositions` does, without its checks. @internal */
export function transformed(given: ArrayLike<number>, matrix: Affine): Float64Array {
  // Destructuring would iterate, which costs more than the few vertices of an obstacle.
  const a = matrix[0];
  const b = matrix[1];
  const c = matrix[2];
  const d = matrix[3];
  const e = matrix[4];
  const f = matrix[5];
  const g = matrix[6];
  const h = matrix[7];
  const i = matrix[8];
  const tx = matrix[9];
  const ty = matrix[10];
  const tz = matrix[11];
  const out = new Float64Array(given.length);
  for (let k = 0; k + 2 < given.length; k += 3) {
    const x = given[k];
    const y = given[k + 1];
    const z = given[k + 2];
    out[k] = a * x + d * y + g * z + tx;
    out[k + 1] = b * x + e * y + h * z + ty;
    out[k + 2] = c * x + f * y + i * z + tz;
  }
  return out;
}

/** Returns the box of the vertices in use: min xyz, max xyz; Infinity and -Infinity without any. @internal */
export function boxOf(positions: Float64Array, indices: ArrayLike<number>): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) {
      const value = positions[3 * indices[i] + k];
      if (value < box[k]) box[k] = value;
      if (value > box[3 + k]) box[3 + k] = value;
    }
  }
  return box;
}

const NOWHERE = [0, 0, 0];
const THREE = [3];
const THREE_OR_FOUR = [3, 4];

function composed(placement: LevelPlacement, caller: string, path: string): Affine {
  const { position = NOWHERE, rotation = 0, scale = 1, swapYZ = false } = placement;
  const t = numbers(caller, `${path}.position`, position, THREE);
  const s = numbers(caller, `${path}.scale`, typeof scale === 'number' ? [scale, scale, scale] : scale, THREE);
  const angles = typeof rotation === 'number' ? [0, rotation, 0] : rotation;
  const r = numbers(caller, `${path}.rotation`, angles, THREE_OR_FOUR);
  if (typeof swapYZ !== 'boolean') refuse(caller, `${path}.swapYZ`, swapYZ, 'true or false');
  const out = r.length === 4 ? fromQuaternion(r, caller, path) : fromDegrees(r);
  for (let k = 0; k < 9; k++) out[k] *= s[(k / 3) | 0];
  if (swapYZ) {
    // (x, y, z) becomes (x, z, -y): exchange the columns y and z, negate one.
    for (let k = 0; k < 3; k++) {
      const y = out[3 + k];
      out[3 + k] = 0 - out[6 + k];
      out[6 + k] = y;
    }
  }
  out.set(t, 9);
  return out;
}

/** Returns a rotation about x, then y, then z. */
function fromDegrees(degrees: ArrayLike<number>): Affine {
  const out = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  for (let axis = 0; axis < 3; axis++) {
    if (degrees[axis] === 0) continue;
    const cos = cosDegrees(degrees[axis]);
    const sin = sinDegrees(degrees[axis]);
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (let column = 0; column < 9; column += 3) {
      const p = out[column + u];
      const q = out[column + v];
      out[column + u] = cos * p - sin * q;
      out[column + v] = sin * p + cos * q;
    }
  }
  return out;
}

function fromQuaternion(q: ArrayLike<number>, caller: string, path: string): Affine {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-100 && length < Infinity)) {
    refuse(caller, `${path}.rotation`, listOf(q), 'a quaternion of a length above 0');
  }
  const [x, y, z, w] = Array.from(q, (value) => value / length);
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
    0,
    0,
    0,
  );
}

function givenMatrix(placement: LevelPlacement, caller: string, path: string): Affine {
  const others = KEYS.filter((key) => key !== 'matrix' && placement[key as keyof LevelPlacement] !== undefined);
  if (others.length > 0)
    refuse(
      caller,
      `${path}.${others[0]}`,
      listOf(placement[others[0] as keyof LevelPlacement]),
      `absent when ${path}.matrix is set`,
    );
  const m = numbers(caller, `${path}.matrix`, placement.matrix!, [16]);
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
    refuse(caller, `${path}.matrix`, listOf(m), 'an affine matrix in column order, with 0, 0, 0, 1 as last row');
  }
  return Float64Array.of(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]);
}

/** Returns numbers as a list that may be the given one. A copy for each would be most of the garbage of an obstacle that moves. */
function numbers(
  caller: string,
  path: string,
  given: ArrayLike<number>,
  lengths: readonly number[],
): ArrayLike<number> {
  let list = given;
  if (!Array.isArray(given) && !ArrayBuffer.isView(given))
    list = typeof given === 'object' && given !== null && given.length <= 16 ? Array.from(given) : [];
  let isGood = lengths.includes(list.length);
  for (let i = 0; isGood && i < list.length; i++) isGood = Number.isFinite(list[i]);
  if (!isGood) refuse(caller, path, listOf(given), `${lengths.join(' or ')} finite numbers`);
  return list;
}

/** Turns typed arrays into arrays, whose numbers messages show. */
function listOf(value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
}

function determinant(m: Affine): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/** Returns the product of the columns' lengths, which the determinant cannot exceed. */
function productOfLengths(m: Affine): number {
  let product = 1;
  for (let k = 0; k < 9; k += 3) product *= Math.sqrt(m[k] * m[k] + m[k + 1] * m[k + 1] + m[k + 2] * m[k + 2]);
  return product;
}
