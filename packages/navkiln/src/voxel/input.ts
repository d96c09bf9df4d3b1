/**
 * Input: what the user gives -> float32 positions, checked triangles, one area id each; counts what is odd.
 *
 * Cost: one pass over indices, which marks the vertices in use, and one over these, which finds the box around them and whether
 * all are finite; by triangles, 2.5 times the time. Triangles that cannot be used (an infinite or NaN corner) are left out and
 * reported with the first one's index; an index that points nowhere is a mistake of the caller and throws.
 *
 * Marking by slope is Recast's: a triangle is walkable when its float32 unit normal's y exceeds the float32 cosine of the
 * steepest slope. Most are far from it, which doubles tell; near it, Recast's roundings (`f`) in Recast's order.
 *
 * Measured: the slope in doubles takes 0.7 of the time of the slope in roundings.
 *
 * Based on: Mikko Mononen, Recast (2009), rcMarkWalkableTriangles. The cosine: Taylor series after reduction to [0, pi/4],
 * own, because engines do not agree on the last bit of Math.cos.
 */
import { AREA_COUNT, AREA_GROUND, AREA_NONE } from '../constants.ts';
import { rebaseOffset, rebasePositions, rounded } from './rebase.ts';
import type { Offset } from './rebase.ts';
import type { BuildOptions, TriangleInput } from './options.ts';

const f = Math.fround;

/**
 * How far roundings to float32 can move a normal, as a share of what its products could add up to: a dozen roundings, each of
 * half a unit of the last place (2^-25 to 2^-24), and as much again to spare.
 */
const SLOPE_DOUBT = 2 ** -19;

export interface PreparedInput {
  positions: Float32Array;
  /** As given, when that is not float32. */
  given: ArrayLike<number> | undefined;
  /** World = positions + offset: what was taken off positions given in doubles (rebase.ts). */
  offset: Offset;
  /** The box around all triangles, in float32, less the offset. */
  min: Offset;
  max: Offset;
  indices: ArrayLike<number>;
  triangleCount: number;
  /** One a triangle, as given; undefined: all are `AREA_GROUND`. */
  areas: ArrayLike<number> | undefined;
  /** Triangles with an infinite or NaN corner; they are left out of all the above. */
  invalidCount: number;
  firstInvalid: number;
  degenerateCount: number;
  firstDegenerate: number;
}

/** Checks shapes and indices, converts positions to float32, near the middle of `bounds` or of all. Throws on misuse. */
export function prepareInput(input: TriangleInput, bounds?: BuildOptions['bounds']): PreparedInput {
  if (input?.positions === undefined) throw new TypeError('buildNavMesh: input must be { positions, indices? }');
  const { positions: given, areas } = input;
  threes('positions', given.length);
  const vertexCount = given.length / 3;
  const indices = input.indices ?? new Uint32Array(vertexCount).map((_, i) => i);
  threes('indices', indices.length);
  const triangleCount = indices.length / 3;
  if (areas !== undefined && areas.length !== triangleCount) {
    throw new RangeError(
      `buildNavMesh: input.areas has ${areas.length} entries, must have one for each of ${triangleCount} triangles`,
    );
  }
  const prepared: PreparedInput = {
    positions: new Float32Array(0),
    given: undefined,
    offset: [0, 0, 0],
    min: [0, 0, 0],
    max: [0, 0, 0],
    indices,
    triangleCount,
    areas,
    invalidCount: 0,
    firstInvalid: -1,
    degenerateCount: 0,
    firstDegenerate: -1,
  };
  // Float32 positions stay where they are.
  const isMoved = !(given instanceof Float32Array);
  if (isMoved && bounds) prepared.offset = rebaseOffset(bounds);
  let extent = extentOf(given, usedVertices(indices, vertexCount));
  if (!extent.every((value, k) => Number.isFinite(f(value - prepared.offset[k % 3])))) {
    leaveOutInvalid(prepared, given);
    if (prepared.triangleCount === 0) extent = [0, 0, 0, 0, 0, 0];
    else extent = extentOf(given, usedVertices(prepared.indices, vertexCount));
  }
  const min = extent.slice(0, 3);
  const max = extent.slice(3);
  if (isMoved && !bounds) prepared.offset = rebaseOffset({ min, max });
  const { offset } = prepared;
  if (isMoved) prepared.given = given;
  prepared.positions = rebasePositions(given, offset);
  // Rounding keeps the order: these are the least and the most of the rounded positions.
  prepared.min = rounded(min, offset);
  prepared.max = rounded(max, offset);
  return prepared;
}

function threes(key: string, length: number): void {
  if (!(length % 3 === 0))
    throw new RangeError(`buildNavMesh: input.${key} has ${length} numbers, must be a multiple of 3`);
}

/** 1 for each vertex that triangles have. Throws on what is no index. */
function usedVertices(indices: ArrayLike<number>, vertexCount: number): Uint8Array {
  const used = new Uint8Array(vertexCount);
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (v >>> 0 !== v || v >= vertexCount) {
      throw new RangeError(
        `buildNavMesh: input.indices of triangle ${(i / 3) | 0} hold ${v}, must be a whole number from 0 to ${vertexCount - 1}`,
      );
    }
    used[v] = 1;
  }
  return used;
}

/** Least x, y, z and most x, y, z of the used vertices; NaN where one is infinite or NaN. */
function extentOf(given: ArrayLike<number>, used: Uint8Array): number[] {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  let sum = 0;
  for (let v = 0, i = 0; v < used.length; v++, i += 3) {
    if (used[v] === 0) continue;
    const x = given[i];
    const y = given[i + 1];
    const z = given[i + 2];
    // Infinity * 0 and NaN * 0 are NaN.
    sum += (x + y + z) * 0;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return [x0 + sum, y0, z0, x1, y1, z1];
}

/** Takes the triangles out of which a corner is infinite or NaN in float32. */
function leaveOutInvalid(prepared: PreparedInput, given: ArrayLike<number>): void {
  const { indices, areas, offset } = prepared;
  const kept: number[] = [];
  const keptAreas: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) {
    let isValid = true;
    for (let c = 0; c < 9; c++) {
      isValid &&= Number.isFinite(f(given[indices[3 * t + ((c / 3) | 0)] * 3 + (c % 3)] - offset[c % 3]));
    }
    if (isValid) {
      kept.push(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]);
      if (areas !== undefined) keptAreas.push(areas[t]);
    } else if (prepared.invalidCount++ === 0) prepared.firstInvalid = t;
  }
  prepared.indices = Uint32Array.from(kept);
  prepared.triangleCount = kept.length / 3;
  if (areas !== undefined) prepared.areas = keptAreas;
}

/** Area id of each triangle after the slope test; counts walkable and degenerate ones. */
export function markBySlope(
  prepared: PreparedInput,
  maxSlopeDegrees: number,
): { areas: Uint8Array; walkableCount: number } {
  const areas = new Uint8Array(prepared.triangleCount);
  const threshold = f(cosine(f(f(f(maxSlopeDegrees) / 180) * f(3.14159265))));
  return { areas, walkableCount: markAreas(areas, prepared, threshold) };
}

/** A loop with nothing after it, see compact.ts. */
function markAreas(areas: Uint8Array, prepared: PreparedInput, threshold: number): number {
  const { positions, indices, triangleCount, areas: given } = prepared;
  let walkableCount = 0;
  for (let t = 0; t < triangleCount; t++) {
    const a = indices[3 * t] * 3;
    const b = indices[3 * t + 1] * 3;
    const c = indices[3 * t + 2] * 3;
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const bx = positions[b];
    const by = positions[b + 1];
    const bz = positions[b + 2];
    const cx = positions[c];
    const cy = positions[c + 1];
    const cz = positions[c + 2];
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - ax;
    const vy = cy - ay;
    const vz = cz - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const lengthSq = nx * nx + ny * ny + nz * nz;
    const excess = ny - threshold * Math.sqrt(lengthSq);
    const doubt =
      SLOPE_DOUBT * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
    let isWalkable = excess > 0;
    if (!(lengthSq > 1e-24 && lengthSq < 1e24 && (excess > doubt || excess < -doubt))) {
      const slope = slopeInFloats(ax, ay, az, bx, by, bz, cx, cy, cz);
      if (slope === undefined) {
        if (prepared.degenerateCount++ === 0) prepared.firstDegenerate = t;
        continue;
      }
      isWalkable = slope > threshold;
    }
    if (isWalkable) {
      const area = given === undefined ? AREA_GROUND : given[t];
      if (!(area >= AREA_NONE && area < AREA_COUNT) || (area | 0) !== area) {
        throw new RangeError(
          `buildNavMesh: input.areas[${t}] is ${area}, must be a whole number from 0 to ${AREA_COUNT - 1}`,
        );
      }
      areas[t] = area;
      if (area !== AREA_NONE) walkableCount++;
    }
  }
  return walkableCount;
}

/** The y of Recast's unit normal, with its roundings; undefined when the normal has no length. */
function slopeInFloats(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number | undefined {
  const ux = f(bx - ax);
  const uy = f(by - ay);
  const uz = f(bz - az);
  const vx = f(cx - ax);
  const vy = f(cy - ay);
  const vz = f(cz - az);
  const nx = f(f(uy * vz) - f(uz * vy));
  const ny = f(f(uz * vx) - f(ux * vz));
  const nz = f(f(ux * vy) - f(uy * vx));
  const lengthSq = f(f(f(nx * nx) + f(ny * ny)) + f(nz * nz));
  return lengthSq === 0 ? undefined : f(ny * f(1 / f(Math.sqrt(lengthSq))));
}

/** Cosine of an angle in [0, pi/2] radians, to within one unit of the last place of a double. */
export function cosine(angle: number): number {
  // Halve the angle until the series is short, then double back: cos 2a = 2 cos^2 a - 1, kept exact by working on 1 - cos.
  const x = angle / 8;
  const q = x * x;
  // 1 - cos x = x^2/2 - x^4/24 + ...
  let term = 0;
  let product = -1;
  for (let k = 1; k <= 9; k++) {
    product *= -q / ((2 * k - 1) * (2 * k));
    term += product;
  }
  for (let k = 0; k < 3; k++) term = 2 * term * (2 - term);
  return 1 - term;
}
