/**
 * Turns the caller's triangles into float32 positions, checked indices and one area id per triangle.
 *
 * A triangle is walkable when the y of its float32 unit normal exceeds the float32 cosine of the steepest
 * slope, as in Recast (base/math/slope.ts). Unusable triangles (an infinite or NaN corner) are left
 * out and reported with the first one's number. An index outside of the vertices is misuse and throws.
 *
 * In: positions, indices and areas as the caller gives them. Out: PreparedInput; areas after the slope test.
 * Cost: a pass over the indices, a pass over the vertices in use, and a pass over the triangles for slopes.
 * Based on: Mikko Mononen, Recast (2009), rcMarkWalkableTriangles.
 */
import { AREA_COUNT, AREA_GROUND, AREA_NONE, FLIPPED_SHARE } from '../../base/constants.ts';
import { explainCoarse } from '../../base/data/float-step.ts';
import { plural } from '../../base/data/plural.ts';
import { checkNumbers, checkString, refuse, refuseType } from '../../base/data/refuse.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import { SLOPE_ERROR, hasNoArea, slopeInFloats, slopeThreshold } from '../../base/math/slope.ts';
import { BATCH } from './batch.ts';
import { rebaseOffset, rebasePositions, toLocal } from './rebase.ts';
import type { Offset } from './rebase.ts';
import type { BuildOptions, TriangleInput } from './options.ts';

const f = Math.fround;

/** Checked triangles in local coordinates. */
export interface PreparedInput {
  /** x, y, z of each vertex, less the offset. */
  positions: Float32Array;
  /** The caller's positions when they are not float32. */
  given: ArrayLike<number> | undefined;
  /** World = positions + offset; [0, 0, 0] for float32 positions (rebase.ts). */
  offset: Offset;
  /** Box around all triangles, float32 values less the offset. */
  min: Offset;
  max: Offset;
  /** Three vertex numbers per triangle. */
  indices: ArrayLike<number>;
  triangleCount: number;
  /** The caller's area id per triangle; undefined: all are `AREA_GROUND`. */
  areas: ArrayLike<number> | undefined;
  /** Triangles with an infinite or NaN corner. They are left out of `indices` and `areas`. */
  invalidCount: number;
  /** Number of the first one in the caller's input; -1: none. */
  firstInvalid: number;
  /** Triangles without area, counted by `markBySlope`. */
  degenerateCount: number;
  firstDegenerate: number;
}

/**
 * Checks shapes and indices, and converts positions to float32.
 *
 * @param bounds the box to bake in; positions in doubles are moved near its middle, or near the middle of the
 *   triangles
 * @param caller name of the function that error messages begin with
 * @throws TypeError, RangeError on misuse: array lengths that do not match, indices out of range
 */
export function prepareInput(
  input: TriangleInput,
  bounds?: BuildOptions['bounds'],
  caller: string = 'prepareInput',
): PreparedInput {
  checkString('prepareInput', 'caller', caller);
  if (input?.positions === undefined) {
    refuseType(caller, 'input', input, '{ positions, indices?, areas? }');
  }
  const { positions: given, areas, twoSided } = input;
  for (const key of ['positions', 'indices', 'areas'] as const) {
    if (input[key] !== undefined) checkNumbers(caller, `input.${key}`, input[key]);
  }
  if (bounds !== undefined) {
    for (const key of ['min', 'max'] as const) checkNumbers(caller, `options.bounds.${key}`, bounds?.[key]);
  }
  checkTriples(caller, 'input.positions', given.length);
  const vertexCount = given.length / 3;
  let indices = input.indices ?? new Uint32Array(vertexCount).map((_, i) => i);
  checkTriples(caller, 'input.indices', indices.length);
  const triangleCount = indices.length / 3;
  if (areas !== undefined && areas.length !== triangleCount) {
    refuse(caller, 'input.areas.length', areas.length, `${triangleCount}, one area per triangle`);
  }
  checkTwoSided(caller, 'input', twoSided, triangleCount);
  const used = usedVertices(caller, indices, vertexCount);
  indices = turnTwoSidedUp(given, indices, twoSided);
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
  let extent = extentOf(given, used);
  if (!extent.every((value, k) => Number.isFinite(f(value - prepared.offset[k % 3])))) {
    dropInvalid(prepared, given);
    if (prepared.triangleCount === 0) extent = [0, 0, 0, 0, 0, 0];
    else extent = extentOf(given, usedVertices(caller, prepared.indices, vertexCount));
  }
  const min = extent.slice(0, 3);
  const max = extent.slice(3);
  if (isMoved && !bounds) prepared.offset = rebaseOffset({ min, max });
  const { offset } = prepared;
  if (isMoved) prepared.given = given;
  prepared.positions = rebasePositions(given, offset);
  // Rounding keeps the order, so these are the bounds of the rounded positions.
  prepared.min = toLocal(min, offset);
  prepared.max = toLocal(max, offset);
  return prepared;
}

/** Positions whose steps are larger than this share of a cell are coarse. */
const COARSE = 1 / 8;

/** Returns a sentence about positions that float32 made coarse; undefined if they are fine. */
export function explainCoarseInput(
  { positions, given = positions, min, max, offset }: PreparedInput,
  { cellSize, cellHeight }: { cellSize: number; cellHeight: number },
): string | undefined {
  const size = (k: number): number => Math.max(Math.abs(min[k] + offset[k]), Math.abs(max[k] + offset[k]));
  return (
    explainCoarse(given, Math.max(size(0), size(2)), COARSE * cellSize) ??
    explainCoarse(given, size(1), COARSE * cellHeight)
  );
}

function checkTriples(caller: string, path: string, length: number): void {
  if (!(length % 3 === 0)) refuse(caller, `${path}.length`, length, 'a multiple of 3');
}

/**
 * Returns the least x, y, z and the greatest x, y, z of the vertices of the triangles in `indices`. NaN first when one of them is not
 * finite.
 *
 * @throws RangeError on an index that is not one of a vertex
 */
export function extentOfTriangles(caller: string, given: ArrayLike<number>, indices: ArrayLike<number>): number[] {
  return extentOf(given, usedVertices(caller, indices, given.length / 3));
}

/** Marks the vertices that triangles use by 1. Throws on an index that is not one of a vertex. */
function usedVertices(caller: string, indices: ArrayLike<number>, vertexCount: number): Uint8Array {
  const used = new Uint8Array(vertexCount);
  const { length } = indices;
  for (let i = 0; i < length; i += BATCH) markUsed(caller, used, indices, i, Math.min(i + BATCH, length));
  return used;
}

// The next functions end with their loops, see batch.ts.

function markUsed(caller: string, used: Uint8Array, indices: ArrayLike<number>, first: number, end: number): void {
  const { length } = used;
  for (let i = first; i < end; i++) {
    const v = indices[i];
    if (v >>> 0 !== v || v >= length) {
      refuse(caller, `input.indices[${i}]`, v, `a whole number from 0 to ${length - 1}`);
    }
    used[v] = 1;
  }
}

/**
 * Returns the least x, y, z and the greatest x, y, z of the used vertices. NaN first when one of them is not
 * finite.
 */
function extentOf(given: ArrayLike<number>, used: Uint8Array): number[] {
  const extent = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  const { length } = used;
  for (let v = 0; v < length; v += BATCH) extend(extent, given, used, v, Math.min(v + BATCH, length));
  return extent;
}

/** Extends `extent` to the used vertices among first .. end - 1. */
function extend(extent: number[], given: ArrayLike<number>, used: Uint8Array, first: number, end: number): void {
  let x0 = extent[0];
  let y0 = extent[1];
  let z0 = extent[2];
  let x1 = extent[3];
  let y1 = extent[4];
  let z1 = extent[5];
  let sum = 0;
  for (let v = first, i = 3 * first; v < end; v++, i += 3) {
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
  extent[0] = x0 + sum;
  extent[1] = y0;
  extent[2] = z0;
  extent[3] = x1;
  extent[4] = y1;
  extent[5] = z1;
}

/** Drops the triangles with a corner that is infinite or NaN as float32. */
function dropInvalid(prepared: PreparedInput, given: ArrayLike<number>): void {
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

/** Areas of the triangles that are flat enough to walk on, in square units, by the side that they face. */
export interface FlatArea {
  up: number;
  down: number;
  /** Triangles that face down. */
  downCount: number;
}

/**
 * Returns the area id of each triangle after the slope test, 0 for those that are too steep. Counts walkable
 * triangles, and those without area in `prepared`. `flat` compares the sides that flat triangles face.
 *
 * @param maxSlopeDegrees steepest walkable slope, 0 .. 90
 * @param caller name of the function that error messages begin with
 * @throws RangeError when the area of a walkable triangle is not a whole number from 0 to 63
 */
export function markBySlope(
  prepared: PreparedInput,
  maxSlopeDegrees: number,
  caller: string = 'markBySlope',
): { areas: Uint8Array; walkableCount: number; flat: FlatArea } {
  const areas = new Uint8Array(prepared.triangleCount);
  const threshold = slopeThreshold(maxSlopeDegrees);
  const flat = { up: 0, down: 0, downCount: 0 };
  const marks: Marks = { caller, areas, prepared, threshold, flat };
  const { triangleCount } = prepared;
  let walkableCount = 0;
  for (let t = 0; t < triangleCount; t += BATCH)
    walkableCount += markAreas(marks, t, Math.min(t + BATCH, triangleCount));
  return { areas, walkableCount, flat };
}

/** The slopes of some triangles. */
export interface SlopeMarks {
  walkableCount: number;
  degenerateCount: number;
  firstDegenerate: number;
  /** `up`, `down` and `downCount` of each batch: added in their order, they give the sums of the level to the bit. */
  flats: number[];
}

/** Does what `markBySlope` does for the triangles `from` .. `to` - 1. `from` is a multiple of `BATCH`. Writes `areas`. */
export function markRange(
  { positions, indices, areas: given }: Pick<PreparedInput, 'positions' | 'indices' | 'areas'>,
  maxSlopeDegrees: number,
  caller: string,
  areas: Uint8Array,
  from: number,
  to: number,
): SlopeMarks {
  const prepared = { positions, indices, areas: given, degenerateCount: 0, firstDegenerate: -1 };
  const threshold = slopeThreshold(maxSlopeDegrees);
  const flats: number[] = [];
  let walkableCount = 0;
  for (let t = from; t < to; t += BATCH) {
    const flat = { up: 0, down: 0, downCount: 0 };
    walkableCount += markAreas({ caller, areas, prepared, threshold, flat }, t, Math.min(t + BATCH, to));
    flats.push(flat.up, flat.down, flat.downCount);
  }
  const { degenerateCount, firstDegenerate } = prepared;
  return { walkableCount, degenerateCount, firstDegenerate, flats };
}

/** Input and output of `markAreas`. */
interface Marks {
  caller: string;
  areas: Uint8Array;
  prepared: Pick<PreparedInput, 'positions' | 'indices' | 'areas' | 'degenerateCount' | 'firstDegenerate'>;
  threshold: number;
  flat: FlatArea;
}

/**
 * Returns whether a level is upside down: much more of its flat area faces down than up. Closed solids have as
 * much of both.
 */
export function isUpsideDown({ up, down }: FlatArea): boolean {
  return down > 0 && up < FLIPPED_SHARE * down;
}

/** Returns a message about `count` triangles that face down, with the remedy. */
export function explainFlipped(count: number, { up, down }: FlatArea): string {
  return (
    `${plural(count, 'flat triangle faces', 'flat triangles face')} down (${down.toPrecision(3)} square units, ${up.toPrecision(3)} face up): ` +
    'reverse their winding, or set twoSided (--two-sided)'
  );
}

/** Marks the walkable triangles among first .. end - 1 and returns their number. Ends with its loop, see batch.ts. */
function markAreas({ caller, areas, prepared, threshold, flat }: Marks, first: number, end: number): number {
  const { positions, indices, areas: given } = prepared;
  let walkableCount = 0;
  let up = 0;
  let down = 0;
  let downCount = 0;
  for (let t = first; t < end; t++) {
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
    const length = Math.sqrt(lengthSq);
    const least = threshold * length;
    const excess = ny - least;
    const error =
      SLOPE_ERROR * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
    let isWalkable = excess > 0;
    if (!(lengthSq > 1e-24 && lengthSq < 1e24 && (excess > error || excess < -error))) {
      const slope = slopeInFloats(positions, a, b, c);
      if (slope === undefined || hasNoArea(positions, a, b, c)) {
        if (prepared.degenerateCount++ === 0) prepared.firstDegenerate = t;
      }
      if (slope === undefined) continue;
      isWalkable = slope > threshold;
    }
    if (isWalkable) {
      up += length;
      const area = given === undefined ? AREA_GROUND : given[t];
      if (typeof area !== 'number' || !(area >= AREA_NONE && area < AREA_COUNT) || (area | 0) !== area) {
        refuse(caller, `input.areas[${t}]`, area, `a whole number from 0 to ${AREA_COUNT - 1}`);
      }
      areas[t] = area;
      if (area !== AREA_NONE) walkableCount++;
    } else if (-ny > least) {
      down += length;
      downCount++;
    }
  }
  flat.up += up / 2;
  flat.down += down / 2;
  flat.downCount += downCount;
  return walkableCount;
}
