/** 4 x 4 affine matrices, column-major as in glTF, as plain arrays of 16 numbers. */

export type Matrix = readonly number[];

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Multiplies: first b applies, then a. */
export function multiply(a: Matrix, b: Matrix): number[] {
  const out = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/** Composes scale, rotation by a quaternion (x, y, z, w; normalized here) and translation. */
export function compose(t: readonly number[], q: readonly number[], s: readonly number[]): number[] {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const unit = length > 0 ? 1 / length : 0;
  const [x, y, z] = [q[0] * unit, q[1] * unit, q[2] * unit];
  const w = length > 0 ? q[3] * unit : 1;
  const [sx, sy, sz] = s as [number, number, number];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    t[0],
    t[1],
    t[2],
    1,
  ];
}

/**
 * Returns whether the matrix mirrors. Triangles must then be flipped to keep their sides. A matrix that flattens does not: renderers
 * draw its triangles as they are wound.
 */
export function isMirrored(m: Matrix): boolean {
  return determinant(m) < 0 && !isSingular(m);
}

/** Returns whether the matrix flattens shapes. */
export function isSingular(m: Matrix): boolean {
  let span = 1;
  for (const k of [0, 4, 8]) span *= Math.sqrt(m[k] * m[k] + m[k + 1] * m[k + 1] + m[k + 2] * m[k + 2]);
  return !(Math.abs(determinant(m)) > 1e-12 * span);
}

function determinant(m: Matrix): number {
  const x = m[0] * (m[5] * m[10] - m[6] * m[9]);
  const y = m[4] * (m[1] * m[10] - m[2] * m[9]);
  const z = m[8] * (m[1] * m[6] - m[2] * m[5]);
  return x - y + z;
}

/** Writes m * (x, y, z) at out[at]. */
export function transformPoint(out: Float64Array, at: number, m: Matrix, x: number, y: number, z: number): void {
  out[at] = m[0] * x + m[4] * y + m[8] * z + m[12];
  out[at + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
  out[at + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
}
