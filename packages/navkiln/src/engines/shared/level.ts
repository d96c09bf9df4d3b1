/**
 * Joins the meshes of an engine's scene to a level: triangles in world space, for `buildNavMesh` or `addLevel`.
 *
 * Each drawn instance of a mesh is a piece: a shape with a matrix. Positions are computed in doubles. If a matrix
 * mirrors or a material shows back sides, the winding is reversed, so that visible sides are walkable sides.
 *
 * In: shapes, matrices, areas. Out: positions, indices, optional areas, a report.
 * Cost: linear in the vertices of the pieces.
 * Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import { checkFunction, checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import type { Shape } from './shape.ts';

/** A warning about objects that were left out or changed. */
export interface LevelWarning {
  code:
    | 'singular-transform'
    | 'no-positions'
    | 'invalid-indices'
    | 'skinned-mesh'
    | 'morphed-mesh'
    | 'no-triangles'
    | 'two-sided';
  /** Number of objects; for 'invalid-indices' and 'two-sided', number of triangles. */
  count: number;
  /** A sentence with the names of the first objects. */
  message: string;
}

/** The range of triangles of one mesh. */
export interface EnginePart<M> {
  object: M;
  triangleStart: number;
  triangleCount: number;
}

/** A level that was read from an engine's scene; a valid input of `buildNavMesh` and `addLevel`. */
export interface EngineLevel<M> {
  /** xyz, world units. */
  positions: Float64Array;
  indices: Uint32Array;
  /** One per triangle; only with `areaOf`. */
  areas?: Uint8Array;
  /** One per triangle: 1 if its material is double-sided. Absent when no material is double-sided. */
  twoSided?: Uint8Array;
  report: {
    /** The mesh of each triangle, as ascending ranges. */
    parts: EnginePart<M>[];
    instanceCount: number;
    triangleCount: number;
    warnings: LevelWarning[];
  };
}

/** A shape with a transform. */
interface Piece {
  shape: Shape;
  /** 16 numbers in column order. */
  matrix: ArrayLike<number>;
  isReversed: boolean;
  isTwoSided: boolean;
  area: number;
}

/** Options that all engines share. */
interface SharedOptions {
  filter?: unknown;
  areaOf?: unknown;
  includeInvisible?: boolean;
}

/** The sides of a piece's triangles that the engine draws. */
export interface Sides {
  /** True: the engine draws the side from which the triangles are clockwise. */
  isReversed: boolean;
  isTwoSided: boolean;
}

/** A level that is being read. */
export interface LevelReading<M> {
  caller: string;
  nameOf(object: M): string;
  pieces: Piece[];
  parts: EnginePart<M>[];
  instanceCount: number;
  triangleCount: number;
  found: Map<LevelWarning['code'], { count: number; names: string[] }>;
}

/** Minimum sine of the angle between two axes that span an area. */
const PARALLEL = 1e-12;
/** Minimum determinant of a matrix that is not singular, relative to the product of the columns' lengths. */
const SINGULAR = 1e-12;

const REASONS: Record<LevelWarning['code'], string> = {
  'singular-transform': 'left out: transform not finite or flat',
  'no-positions': 'left out: keep positions in arrays',
  'invalid-indices': 'left out: indices out of range',
  'skinned-mesh': 'skinned; in bind pose',
  'morphed-mesh': 'morphed; at rest',
  'no-triangles': 'not loaded, invisible or filtered',
  'two-sided': 'two-sided; see resolveTwoSided',
};

/** Checks the options that all engines share. */
export function checkLevelOptions(caller: string, options: SharedOptions): void {
  checkKeys(caller, options, ['filter', 'areaOf', 'includeInvisible'] satisfies (keyof SharedOptions)[]);
  // Arrays have a method named filter.
  if (Array.isArray(options)) refuseType(caller, 'options', options, 'an object');
  for (const key of ['filter', 'areaOf'] as const)
    if (options[key] !== undefined) checkFunction(caller, `options.${key}`, options[key]);
}

/** Begins to read a level. */
export function createReading<M>(caller: string, nameOf: (object: M) => string): LevelReading<M> {
  return { caller, nameOf, pieces: [], parts: [], instanceCount: 0, triangleCount: 0, found: new Map() };
}

/** Counts a warning. */
export function warnOf<M>(reading: LevelReading<M>, code: LevelWarning['code'], object: M, count = 1): void {
  const known = reading.found.get(code) ?? { count: 0, names: [] };
  known.count += count;
  if (known.names.length < 4) known.names.push(known.names.length < 3 ? reading.nameOf(object) : 'and others');
  reading.found.set(code, known);
}

/** Checks the area that `areaOf` returned for a mesh. Undefined means `AREA_GROUND`. */
export function checkArea<M>({ caller, nameOf }: LevelReading<M>, mesh: M, area: unknown = AREA_COUNT - 1): number {
  if (typeof area !== 'number' || !(area >= 0 && area < AREA_COUNT && area % 1 === 0))
    refuse(caller, `areaOf of ${nameOf(mesh)}`, area, `a whole number, 0 .. ${AREA_COUNT - 1}`);
  return area;
}

/** Adds a shape of a mesh with one transform, or a warning. */
export function addPiece<M>(
  reading: LevelReading<M>,
  mesh: M,
  shape: Shape,
  matrix: ArrayLike<number>,
  { isReversed, isTwoSided }: Sides,
  area: number,
): void {
  const mirrors = isMirrored(matrix);
  if (mirrors === undefined) {
    warnOf(reading, 'singular-transform', mesh);
    return;
  }
  reading.pieces.push({ shape, matrix, isReversed: mirrors !== isReversed, isTwoSided, area });
  if (isTwoSided) warnOf(reading, 'two-sided', mesh, shape.corners.length / 3);
  reading.triangleCount += shape.corners.length / 3;
}

/** Notes that the triangles from `triangleStart` on belong to a mesh. */
export function endPart<M>({ parts, triangleCount }: LevelReading<M>, object: M, triangleStart: number): void {
  if (triangleCount > triangleStart)
    parts.push({ object, triangleStart, triangleCount: triangleCount - triangleStart });
}

/** Returns the level. */
export function finishReading<M>(reading: LevelReading<M>, root: M, hasAreas: boolean): EngineLevel<M> {
  if (reading.triangleCount === 0) warnOf(reading, 'no-triangles', root);
  const warnings = [...reading.found].map(([code, { count, names }]) => {
    return { code, count, message: `${names.join(', ')}: ${REASONS[code]}` };
  });
  const { parts, instanceCount, triangleCount } = reading;
  return { ...joinPieces(reading, hasAreas), report: { parts, instanceCount, triangleCount, warnings } };
}

/**
 * Returns whether a matrix mirrors; undefined when it is not finite or reduces triangles to no area. A matrix with one
 * scale of 0 may keep the area of triangles, such as those of a flat floor. It does not mirror, because renderers draw
 * its triangles with their own winding.
 */
function isMirrored(m: ArrayLike<number>): boolean | undefined {
  let sum = 0;
  for (let k = 0; k < 16; k++) sum += m[k] * 0;
  if (sum !== 0) return undefined;
  const length = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
  const lengths = [0, 4, 8].map((k) => length(m[k], m[k + 1], m[k + 2]));
  let spans = false;
  let determinant = 0;
  for (let a = 0; a < 3; a++) {
    const b = (a + 1) % 3;
    const [i, j, k] = [4 * a, 4 * b, 4 * ((a + 2) % 3)];
    const x = m[i + 1] * m[j + 2] - m[i + 2] * m[j + 1];
    const y = m[i + 2] * m[j] - m[i] * m[j + 2];
    const z = m[i] * m[j + 1] - m[i + 1] * m[j];
    if (length(x, y, z) > PARALLEL * lengths[a] * lengths[b]) spans = true;
    determinant = x * m[k] + y * m[k + 1] + z * m[k + 2];
  }
  return spans ? determinant < -SINGULAR * lengths[0] * lengths[1] * lengths[2] : undefined;
}

/** Returns the product a * b of affine matrices in column order: b is applied first. */
export function product(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const out = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
}

function joinPieces<M>(
  { pieces, triangleCount, found }: LevelReading<M>,
  hasAreas: boolean,
): Omit<EngineLevel<M>, 'report'> {
  let length = 0;
  for (const { shape } of pieces) length += shape.positions.length;
  const positions = new Float64Array(length);
  const indices = new Uint32Array(3 * triangleCount);
  const areas = new Uint8Array(triangleCount);
  const twoSided = new Uint8Array(triangleCount);
  let at = 0;
  let corner = 0;
  for (const { shape, matrix: m, isReversed, isTwoSided, area } of pieces) {
    const { positions: own, corners } = shape;
    const base = at / 3;
    for (let i = 0; i < own.length; i += 3, at += 3) {
      const x = own[i];
      const y = own[i + 1];
      const z = own[i + 2];
      for (let k = 0; k < 3; k++) positions[at + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
    }
    areas.fill(area, corner / 3, (corner + corners.length) / 3);
    twoSided.fill(+isTwoSided, corner / 3, (corner + corners.length) / 3);
    for (let i = 0; i < corners.length; i += 3, corner += 3) {
      indices[corner] = base + corners[i];
      indices[corner + 1] = base + corners[isReversed ? i + 2 : i + 1];
      indices[corner + 2] = base + corners[isReversed ? i + 1 : i + 2];
    }
  }
  return { positions, indices, ...(hasAreas && { areas }), ...(found.has('two-sided') && { twoSided }) };
}
