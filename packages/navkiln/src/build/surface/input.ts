/**
 * Input stage: sorts the triangles of all levels into ground, upright triangles and others, and counts
 * problems.
 *
 * A triangle is walkable ("ground") if its geometric normal is within the slope limit of up, decided as in
 * the voxel bake (base/math/slope.ts). Upright triangles are walls on edges, and every triangle that is not ground
 * is an obstacle above or on the surface (clear.ts). Triangles with an infinite or NaN corner, or one too far
 * from the origin for the weld tolerance, are dropped with a warning. An index out of range is misuse and
 * throws.
 *
 * In: levels as given.
 * Out: one record with the triangles of all levels.
 * Cost: one pass over the input.
 * Based on: own.
 */
import { AREA_COUNT, AREA_GROUND, AREA_NONE, FLIPPED_SHARE, REBASE_STEP } from '../../base/constants.ts';
import { explainCoarse } from '../../base/data/float-step.ts';
import { none, plural } from '../../base/data/plural.ts';
import { checkNumbers, refuse, showValue } from '../../base/data/refuse.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import { SLOPE_ERROR, slopeInFloats, slopeThreshold } from '../../base/math/slope.ts';
import type { SurfaceConfig, SurfaceLevel, SurfaceWarningCode } from './options.ts';
import type { SurfaceInput } from './types.ts';

/** Adds a warning about `count` cases; the first one is at a triangle, and at a position. */
export type Warn = (
  code: SurfaceWarningCode,
  count: number,
  say: (count: number) => string,
  triangle?: number,
  at?: [x: number, y: number, z: number],
) => void;

/**
 * Triangles with a corner farther from the origin than so many weld tolerances are left out: doubles have too few
 * steps per tolerance there.
 */
const MOST_TOLERANCES = 2 ** 40;
/** The same in world units: products of coordinates could overflow. */
const FARTHEST = 1e30;

/** Positions whose steps are larger than so many weld tolerances are coarse. */
const COARSE_TOLERANCES = 10;

/** Largest share of an upright triangle's normal that points up. */
const UPRIGHT = 0.05;

export function readSurfaceInput(
  given: SurfaceLevel | readonly SurfaceLevel[],
  config: SurfaceConfig,
  warn: Warn,
): SurfaceInput {
  const levels = Array.isArray(given) ? (given as readonly SurfaceLevel[]) : [given as SurfaceLevel];
  const levelStart = [0];
  let vertexCount = 0;
  levels.forEach((level, i) => {
    const triangles = checkLevel(level, levels.length === 1 ? 'level' : `levels[${i}]`);
    levelStart.push(levelStart[i] + triangles);
    vertexCount += level.positions.length / 3;
  });
  const total = levelStart[levels.length];
  const input: SurfaceInput = {
    levelStart,
    positions: new Float64Array(3 * vertexCount),
    groundVertex: new Int32Array(3 * total),
    groundSource: new Int32Array(total),
    groundArea: new Uint8Array(total),
    wallVertex: new Int32Array(3 * total),
    otherVertex: new Int32Array(3 * total),
  };
  const tally: Tally = {
    ground: 0,
    walls: 0,
    others: 0,
    invalid: 0,
    firstInvalid: -1,
    far: 0,
    firstFar: -1,
    flat: 0,
    firstFlat: -1,
    narrow: 0,
    firstNarrow: -1,
    up: 0,
    down: 0,
    downCount: 0,
  };
  const threshold = slopeThreshold(config.agent.maxSlopeDegrees);
  let vertex = 0;
  levels.forEach((level, i) => {
    input.positions.set(level.positions as ArrayLike<number>, 3 * vertex);
    const range = { firstTriangle: levelStart[i], firstVertex: vertex, count: levelStart[i + 1] - levelStart[i] };
    sortTriangles(input, tally, withTwoSides(level), range, threshold, config);
    vertex += level.positions.length / 3;
  });
  input.groundVertex = input.groundVertex.subarray(0, 3 * tally.ground);
  input.groundSource = input.groundSource.subarray(0, tally.ground);
  input.groundArea = input.groundArea.subarray(0, tally.ground);
  input.wallVertex = input.wallVertex.slice(0, 3 * tally.walls);
  input.otherVertex = input.otherVertex.slice(0, 3 * tally.others);
  tellAll(tally, total, config, warn);
  const coarse = explainCoarse(
    input.positions,
    mostOf(input.positions, config),
    COARSE_TOLERANCES * config.weldTolerance,
  );
  if (coarse !== undefined) warn('coarse-positions', 1, () => coarse);
  return input;
}

/** Returns the largest coordinate that is not too far away. */
function mostOf(positions: Float64Array, { weldTolerance }: SurfaceConfig): number {
  const farthest = farthestCorner(weldTolerance);
  let most = 0;
  for (let k = 0; k < positions.length; k++) {
    const size = Math.abs(positions[k]);
    if (size > most && size <= farthest) most = size;
  }
  return most;
}

interface Tally {
  ground: number;
  walls: number;
  others: number;
  invalid: number;
  firstInvalid: number;
  /** Triangles too far from the origin. */
  far: number;
  firstFar: number;
  flat: number;
  firstFlat: number;
  /** Ground triangles narrower than the tolerance, seen from above. */
  narrow: number;
  firstNarrow: number;
  /** Area that is flat enough and faces up or down. */
  up: number;
  down: number;
  downCount: number;
}

/** Returns the number of triangles of a level. */
function checkLevel(level: SurfaceLevel, name: string): number {
  if (typeof level !== 'object' || level === null || level.positions === undefined) {
    throw new TypeError(
      `buildFromSurface: ${name} is ${showValue(level)}; must be { positions, indices? } or an array of them`,
    );
  }
  const { positions, indices, areas } = level;
  for (const [key, array] of [
    ['positions', positions],
    ['indices', indices],
    ['areas', areas],
  ] as const) {
    if (array === undefined) continue;
    checkNumbers('buildFromSurface', `${name}.${key}`, array);
    if (key === 'areas') continue;
    if (key === 'indices') checkNumbers('buildFromSurface', `${name}.indices`, array, true);
    if (!(array.length % 3 === 0)) {
      refuse('buildFromSurface', `${name}.${key}.length`, array.length, 'a multiple of 3');
    }
  }
  const count = (indices ?? positions).length / 3;
  if (indices === undefined && positions.length % 9 !== 0) {
    const mustBe = 'a multiple of 9 without indices (nine numbers per triangle)';
    refuse('buildFromSurface', `${name}.positions.length`, positions.length, mustBe);
  }
  const triangles = indices === undefined ? count / 3 : count;
  if (areas !== undefined && areas.length !== triangles) {
    refuse('buildFromSurface', `${name}.areas.length`, areas.length, `${triangles}, one area per triangle`);
  }
  checkTwoSided('buildFromSurface', name, level.twoSided, triangles);
  return triangles;
}

/** Returns the level with its two-sided triangles facing up. */
function withTwoSides(level: SurfaceLevel): SurfaceLevel {
  const { positions, twoSided } = level;
  if (twoSided === undefined || twoSided === false) return level;
  return { ...level, indices: turnTwoSidedUp(positions, level.indices, twoSided) };
}

/** A level's triangles and vertices among those of all levels. */
interface LevelRange {
  firstTriangle: number;
  firstVertex: number;
  count: number;
}

/** Sorts the triangles of one level into the lists. */
function sortTriangles(
  input: SurfaceInput,
  tally: Tally,
  { indices, areas, positions: given }: SurfaceLevel,
  { firstTriangle, firstVertex, count }: LevelRange,
  threshold: number,
  { weldTolerance }: SurfaceConfig,
): void {
  const { positions, groundVertex, groundSource, groundArea, wallVertex, otherVertex } = input;
  const vertexCount = given.length / 3;
  const farthest = farthestCorner(weldTolerance);
  let hasFar = false;
  for (let v = 3 * firstVertex; v < 3 * (firstVertex + vertexCount); v++) {
    if (positions[v] > farthest || positions[v] < -farthest) hasFar = true;
  }
  let { ground, walls, others } = tally;
  for (let t = 0; t < count; t++) {
    const i = indices === undefined ? 3 * t : indices[3 * t];
    const j = indices === undefined ? 3 * t + 1 : indices[3 * t + 1];
    const k = indices === undefined ? 3 * t + 2 : indices[3 * t + 2];
    if (!(i >>> 0 === i && j >>> 0 === j && k >>> 0 === k && i < vertexCount && j < vertexCount && k < vertexCount)) {
      throw new RangeError(
        `buildFromSurface: indices of triangle ${firstTriangle + t} are ${i}, ${j}, ${k}; must be integers below ` +
          String(vertexCount),
      );
    }
    const a = 3 * (firstVertex + i);
    const b = 3 * (firstVertex + j);
    const c = 3 * (firstVertex + k);
    if (hasFar && hasFarCorner(positions, a, b, c, farthest)) {
      if (tally.far++ === 0) tally.firstFar = firstTriangle + t;
      continue;
    }
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0 && length < Infinity)) {
      // False for infinite and NaN corners, too.
      const isValid = Number.isFinite(ux + uy + uz + vx + vy + vz);
      if (isValid && tally.flat++ === 0) tally.firstFlat = firstTriangle + t;
      if (!isValid && tally.invalid++ === 0) tally.firstInvalid = firstTriangle + t;
      continue;
    }
    const rise = ny / length;
    const excess = ny - threshold * length;
    const error =
      SLOPE_ERROR * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
    const isGround = excess > error || (excess >= -error && isFlatInFloats(positions, a, b, c, threshold));
    if (isGround) {
      const area = areas === undefined ? AREA_GROUND : areas[t];
      if (typeof area !== 'number' || !(area >= AREA_NONE && area < AREA_COUNT) || (area | 0) !== area) {
        refuse('buildFromSurface', `areas[${t}]`, area, `an integer, 0 .. ${AREA_COUNT - 1}`);
      }
      tally.up += length;
    }
    if (isGround && (areas === undefined || areas[t] !== AREA_NONE)) {
      if (ny * ny <= weldTolerance * weldTolerance * longestSq(ux, uz, vx, vz)) {
        if (tally.narrow++ === 0) tally.firstNarrow = firstTriangle + t;
        continue;
      }
      groundVertex[3 * ground] = a / 3;
      groundVertex[3 * ground + 1] = b / 3;
      groundVertex[3 * ground + 2] = c / 3;
      groundSource[ground] = firstTriangle + t;
      groundArea[ground++] = areas === undefined ? AREA_GROUND : areas[t];
      continue;
    }
    if (-rise > threshold) {
      tally.down += length;
      tally.downCount++;
    }
    if (rise < UPRIGHT && rise > -UPRIGHT) {
      wallVertex[3 * walls] = a / 3;
      wallVertex[3 * walls + 1] = b / 3;
      wallVertex[3 * walls + 2] = c / 3;
      walls++;
    } else {
      otherVertex[3 * others] = a / 3;
      otherVertex[3 * others + 1] = b / 3;
      otherVertex[3 * others + 2] = c / 3;
      others++;
    }
  }
  tally.ground = ground;
  tally.walls = walls;
  tally.others = others;
}

/** Returns the largest distance from the origin along an axis that a corner may have. */
function farthestCorner(weldTolerance: number): number {
  return Math.min(FARTHEST, MOST_TOLERANCES * weldTolerance);
}

/** Returns whether all corners of a triangle are finite and one of them is too far away. */
function hasFarCorner(positions: Float64Array, a: number, b: number, c: number, farthest: number): boolean {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    // NaN when one of them is NaN.
    most = Math.max(most, Math.abs(positions[a + k]), Math.abs(positions[b + k]), Math.abs(positions[c + k]));
  }
  return most > farthest && most < Infinity;
}

const nearby = new Float32Array(9);

/** Decides in float32 numbers, as the voxel bake does near the limit, whether a triangle is flat enough. */
function isFlatInFloats(positions: Float64Array, a: number, b: number, c: number, threshold: number): boolean {
  for (let k = 0; k < 3; k++) {
    // The voxel bake moves levels by such multiples before they become float32 numbers.
    const origin = Math.round(positions[a + k] / REBASE_STEP) * REBASE_STEP;
    nearby[k] = positions[a + k] - origin;
    nearby[3 + k] = positions[b + k] - origin;
    nearby[6 + k] = positions[c + k] - origin;
  }
  const slope = slopeInFloats(nearby, 0, 3, 6);
  return slope !== undefined && slope > threshold;
}

/** Returns the squared length of the longest side of a triangle with these sides at one corner. */
function longestSq(ux: number, uz: number, vx: number, vz: number): number {
  const u = ux * ux + uz * uz;
  const v = vx * vx + vz * vz;
  const w = (vx - ux) * (vx - ux) + (vz - uz) * (vz - uz);
  return u > v ? (u > w ? u : w) : v > w ? v : w;
}

function tellAll(tally: Tally, total: number, { agent, weldTolerance }: SurfaceConfig, warn: Warn): void {
  const { up, down, downCount, ground, invalid, firstInvalid, far, firstFar } = tally;
  const { flat, firstFlat, narrow, firstNarrow } = tally;
  warn(
    'invalid-positions',
    invalid,
    (count) =>
      `${plural(count, 'triangle')} with an infinite or NaN corner left out; the first is triangle ${firstInvalid}`,
    firstInvalid,
  );
  warn(
    'invalid-positions',
    far,
    (count) =>
      `${plural(count, 'triangle')} farther than ${farthestCorner(weldTolerance).toPrecision(3)} from the origin left out, which is the ` +
      `limit for the weldTolerance of ${weldTolerance}; the first is triangle ${firstFar}`,
    firstFar,
  );
  warn(
    'degenerate-triangles',
    flat,
    (count) => `${plural(count, 'triangle has', 'triangles have')} no area; the first is triangle ${firstFlat}`,
    firstFlat,
  );
  warn(
    'degenerate-triangles',
    narrow,
    (count) =>
      `${plural(count, 'triangle is', 'triangles are')} narrower than the weldTolerance of ${weldTolerance}; the first is triangle ${firstNarrow}`,
    firstNarrow,
  );
  const isFlipped = down > 0 && up < FLIPPED_SHARE * down;
  warn(
    'flipped-winding',
    isFlipped ? downCount : 0,
    (count) =>
      `${plural(count, 'triangle that is flat enough faces', 'triangles that are flat enough face')} down and ${ground === 0 ? 'none' : 'few'} up: their winding must be ` +
      'counter-clockwise seen from above, y up; reverse them (in a modeller, flip the normals), or count both sides ' +
      '(twoSided, on the command line --two-sided)',
  );
  warn('no-ground', ground === 0 && !isFlipped ? Math.max(1, total) : 0, () =>
    total === 0
      ? 'there are no triangles'
      : `${none(total, 'triangle')} is ground: none faces up within ` +
        `${agent.maxSlopeDegrees} degrees; a larger agent.maxSlopeDegrees, or y as the axis that points up, may help`,
  );
}
