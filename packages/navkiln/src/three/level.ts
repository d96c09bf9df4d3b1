/**
 * Converts a three.js scene, or a part of one, to triangles in world space for `buildNavMesh` or `addLevel`.
 *
 * Visits the scene graph and takes from each mesh what the renderer would draw: world matrices, every
 * instance of an InstancedMesh and a BatchedMesh, groups, draw ranges, the most detailed level of a LOD.
 * Skinned meshes are in bind pose, morph targets at rest. Positions are doubles, as are three's matrices, so
 * a level far from the origin keeps its precision. Where a matrix mirrors or a material shows back sides, the
 * winding is reversed, so that visible sides are walkable sides. Triangles of double-sided materials are marked
 * as two-sided.
 *
 * In: an Object3D. Out: positions, indices, optional areas, a report.
 * Cost: O(objects + instances * their vertices). A geometry that several meshes share is read once.
 * Based on: own.
 */
import type {
  BatchedMesh,
  BufferGeometry,
  InstancedMesh,
  LOD,
  Material,
  Matrix4,
  Mesh,
  Object3D,
  SkinnedMesh,
} from 'three';
import { AREA_COUNT } from '../constants.ts';
import { checkFunction, checkKeys, refuse, refuseType, showValue } from '../data/refuse.ts';
import { drawnRanges, readablePositions, readShape } from './shapes.ts';
import type { DrawnRange, Shape } from './shapes.ts';

/** Options of `levelFromObject3D`. */
export interface LevelFromObjectOptions {
  /** Returns false to leave out an object and its descendants. Default: all objects are included. */
  filter?: (object: Object3D) => boolean;
  /**
   * Returns the area id of a mesh's triangles with a material, 0 .. 63; 0: solid, not walkable. Default:
   * `AREA_GROUND`.
   */
  areaOf?: (mesh: Mesh, material: Material | undefined) => number;
  /** True: also objects and materials below `root` that are invisible. Default false. */
  includeInvisible?: boolean;
}

/** A warning about objects that were left out or changed. */
export interface ObjectLevelWarning {
  code: 'singular-transform' | 'no-positions' | 'invalid-indices' | 'skinned-mesh' | 'morphed-mesh' | 'no-triangles';
  /** Objects; for 'invalid-indices' triangles. */
  count: number;
  /** A sentence with the names of the first objects. */
  message: string;
}

/** The range of triangles that came from one mesh. */
export interface ObjectPart {
  object: Mesh;
  triangleStart: number;
  triangleCount: number;
}

/** Result of `levelFromObject3D`; a valid input of `buildNavMesh` and `addLevel`. */
export interface ObjectLevel {
  /** xyz, world units. */
  positions: Float64Array;
  indices: Uint32Array;
  /** One per triangle; only with `areaOf`. */
  areas?: Uint8Array;
  /** One per triangle, 1: its material is double-sided. Absent when no material is. */
  twoSided?: Uint8Array;
  report: {
    /** The mesh of each triangle, as ascending ranges. */
    parts: ObjectPart[];
    instanceCount: number;
    triangleCount: number;
    warnings: ObjectLevelWarning[];
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

type Warn = (code: ObjectLevelWarning['code'], object: Object3D, count?: number) => void;

interface Traversal {
  options: LevelFromObjectOptions;
  pieces: Piece[];
  parts: ObjectPart[];
  shapes: Map<BufferGeometry, Map<string, Shape>>;
  instanceCount: number;
  triangleCount: number;
  warn: Warn;
}

const BACK_SIDE = 1;
const DOUBLE_SIDE = 2;
/** Least sine of the angle between two axes that span an area. */
const PARALLEL = 1e-12;
/** Least determinant, relative to the product of the columns' lengths, of a matrix that is not singular. */
const SINGULAR = 1e-12;
const KEYS: readonly (keyof LevelFromObjectOptions)[] = ['filter', 'areaOf', 'includeInvisible'];

/**
 * Returns the triangles of an object and its descendants in world space. Updates their world matrices and
 * those of the object's ancestors first.
 *
 * @param root a scene, a loaded glTF's `.scene`, or any other object
 * @throws TypeError when `root` is no Object3D; RangeError, TypeError for unknown options and for areas out
 *   of range
 */
export function levelFromObject3D(root: Object3D, options: LevelFromObjectOptions = {}): ObjectLevel {
  if (root?.isObject3D !== true) {
    throw new TypeError(
      `levelFromObject3D: root is ${showValue(root)}; must be an Object3D: a scene, or a loaded glTF's .scene`,
    );
  }
  checkKeys('levelFromObject3D', options, KEYS);
  // Arrays have a method named filter.
  if (Array.isArray(options)) refuseType('levelFromObject3D', 'options', options, 'an object');
  if (options.filter !== undefined) checkFunction('levelFromObject3D', 'options.filter', options.filter);
  if (options.areaOf !== undefined) checkFunction('levelFromObject3D', 'options.areaOf', options.areaOf);
  root.updateWorldMatrix(true, true);
  const found = new Map<ObjectLevelWarning['code'], { count: number; names: string[] }>();
  const traversal: Traversal = {
    options,
    pieces: [],
    parts: [],
    shapes: new Map(),
    instanceCount: 0,
    triangleCount: 0,
    warn(code, object, count = 1) {
      const known = found.get(code) ?? { count: 0, names: [] };
      known.count += count;
      if (known.names.length < 4)
        known.names.push(object.name === '' ? `${object.type} ${object.id}` : `"${object.name}"`);
      found.set(code, known);
    },
  };
  visit(traversal, root, true);
  if (traversal.triangleCount === 0) traversal.warn('no-triangles', root);
  const warnings = [...found].map(([code, { count, names }]) => {
    const list = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
    return { code, count, message: `${list}: ${REASONS[code]}` };
  });
  const { parts, instanceCount, triangleCount } = traversal;
  return { ...join(traversal), report: { parts, instanceCount, triangleCount, warnings } };
}

const REASONS: Record<ObjectLevelWarning['code'], string> = {
  'singular-transform': 'left out: the transform is not finite, or scales of 0 leave no area to draw',
  'no-positions': 'left out: the positions of the geometry cannot be read; keep them in arrays',
  'invalid-indices': 'triangles with indices out of range are left out; repair the index',
  'skinned-mesh': 'skinned; used in bind pose',
  'morphed-mesh': 'has morph targets; used without them',
  'no-triangles': 'no triangles in it or below it; check that it is loaded, visible, and accepted by the filter',
};

function visit(traversal: Traversal, object: Object3D, isRoot: boolean): void {
  const { filter, includeInvisible = false } = traversal.options;
  if (!isRoot && !object.visible && !includeInvisible) return;
  if (filter?.(object) === false) return;
  if ((object as Mesh).isMesh === true) addMesh(traversal, object as Mesh);
  const { levels } = object as LOD;
  const isLod = (object as LOD).isLOD === true;
  for (const child of object.children) {
    const rank = isLod ? levels.findIndex((level) => level.object === child) : -1;
    // Of a LOD the most detailed level, whichever is visible now.
    if (rank < 1) visit(traversal, child, rank === 0);
  }
}

function addMesh(traversal: Traversal, mesh: Mesh): void {
  const { warn } = traversal;
  const position = mesh.geometry === undefined ? undefined : readablePositions(mesh.geometry);
  if (position === undefined) {
    warn('no-positions', mesh);
    return;
  }
  if ((mesh as SkinnedMesh).isSkinnedMesh === true) warn('skinned-mesh', mesh);
  if ((mesh.geometry.morphAttributes.position?.length ?? 0) > 0) warn('morphed-mesh', mesh);
  const triangleStart = traversal.triangleCount;
  if ((mesh as unknown as BatchedMesh).isBatchedMesh === true) addBatch(traversal, mesh as unknown as BatchedMesh);
  else {
    const isInstanced = (mesh as InstancedMesh).isInstancedMesh === true;
    const matrices = isInstanced ? instanceMatrices(mesh as InstancedMesh) : [mesh.matrixWorld.elements];
    const ranges = drawnRanges(mesh, traversal.options.includeInvisible === true);
    let invalidCount = 0;
    for (const range of ranges) {
      const shape = shapeOf(traversal, mesh.geometry, range);
      invalidCount += shape.invalidCount;
      const area = areaOf(traversal, mesh, range.material);
      for (const matrix of matrices) addPiece(traversal, mesh, shape, matrix, range.material, area);
    }
    if (ranges.length > 0) traversal.instanceCount += matrices.length;
    if (invalidCount > 0) warn('invalid-indices', mesh, invalidCount);
  }
  const triangleCount = traversal.triangleCount - triangleStart;
  if (triangleCount > 0) traversal.parts.push({ object: mesh, triangleStart, triangleCount });
}

function areaOf({ options }: Traversal, mesh: Mesh, material: Material | undefined): number {
  const area = options.areaOf?.(mesh, material) ?? AREA_COUNT - 1;
  if (typeof area !== 'number' || !(area >= 0 && area < AREA_COUNT && area % 1 === 0)) {
    refuse('levelFromObject3D', `areaOf of "${mesh.name}"`, area, `a whole number from 0 to ${AREA_COUNT - 1}`);
  }
  return area;
}

/** Returns the world matrices of the drawn instances. */
function instanceMatrices({ matrixWorld, instanceMatrix, count }: InstancedMesh): number[][] {
  return Array.from({ length: Math.min(count, instanceMatrix.count) }, (_, i) =>
    product(matrixWorld.elements, instanceMatrix.array.subarray(16 * i, 16 * i + 16)),
  );
}

function addBatch(traversal: Traversal, mesh: BatchedMesh): void {
  const material = Array.isArray(mesh.material) ? mesh.material[0] : mesh.material;
  const { includeInvisible = false } = traversal.options;
  // three before 0.168 cannot list a batch's geometries.
  if (typeof mesh.getGeometryRangeAt !== 'function') {
    traversal.warn('no-positions', mesh);
    return;
  }
  if (!includeInvisible && material?.visible === false) return;
  const area = areaOf(traversal, mesh, material);
  const matrix = mesh.matrixWorld.clone();
  let invalidCount = 0;
  for (let id = 0, seen = 0; seen < mesh.instanceCount && id < mesh.maxInstanceCount; id++) {
    if (!hasInstance(mesh, id, matrix)) continue;
    seen++;
    if (!includeInvisible && !mesh.getVisibleAt(id)) continue;
    const range = mesh.getGeometryRangeAt(mesh.getGeometryIdAt(id));
    if (range === null) continue;
    const shape = shapeOf(traversal, mesh.geometry, { start: range.start, count: range.count, material });
    invalidCount += shape.invalidCount;
    addPiece(traversal, mesh, shape, product(mesh.matrixWorld.elements, matrix.elements), material, area);
    traversal.instanceCount++;
  }
  if (invalidCount > 0) traversal.warn('invalid-indices', mesh, invalidCount);
}

/** Reads an instance's matrix. three reports ids of deleted instances only by an exception. */
function hasInstance(mesh: BatchedMesh, id: number, matrix: Matrix4): boolean {
  try {
    mesh.getMatrixAt(id, matrix);
    return true;
  } catch {
    return false;
  }
}

function shapeOf({ shapes }: Traversal, geometry: BufferGeometry, { start, count }: DrawnRange): Shape {
  let known = shapes.get(geometry);
  if (known === undefined) shapes.set(geometry, (known = new Map()));
  const key = `${start} ${count}`;
  let shape = known.get(key);
  if (shape === undefined) known.set(key, (shape = readShape(geometry, readablePositions(geometry)!, start, count)));
  return shape;
}

function addPiece(
  traversal: Traversal,
  mesh: Mesh,
  shape: Shape,
  matrix: ArrayLike<number>,
  material: Material | undefined,
  area: number,
): void {
  if (!spansArea(matrix)) {
    traversal.warn('singular-transform', mesh);
    return;
  }
  const isReversed = isMirrored(matrix) !== (material?.side === BACK_SIDE);
  traversal.pieces.push({ shape, matrix, isReversed, isTwoSided: material?.side === DOUBLE_SIDE, area });
  traversal.triangleCount += shape.corners.length / 3;
}

/**
 * Returns whether a matrix is finite and leaves triangles an area. With one scale of 0 it does: a flat floor
 * stays what it is.
 */
function spansArea(m: ArrayLike<number>): boolean {
  let sum = 0;
  for (let k = 0; k < 16; k++) sum += m[k] * 0;
  if (sum !== 0) return false;
  const lengths = [0, 4, 8].map((k) => Math.sqrt(m[k] * m[k] + m[k + 1] * m[k + 1] + m[k + 2] * m[k + 2]));
  return [0, 1, 2].some((a) => {
    const b = (a + 1) % 3;
    const [i, j] = [4 * a, 4 * b];
    const x = m[i + 1] * m[j + 2] - m[i + 2] * m[j + 1];
    const y = m[i + 2] * m[j] - m[i] * m[j + 2];
    const z = m[i] * m[j + 1] - m[i + 1] * m[j];
    return Math.sqrt(x * x + y * y + z * z) > PARALLEL * lengths[a] * lengths[b];
  });
}

/** Returns whether a matrix mirrors. One that flattens does not: renderers draw its triangles as they are wound. */
function isMirrored(m: ArrayLike<number>): boolean {
  let span = 1;
  for (const k of [0, 4, 8]) span *= Math.sqrt(m[k] * m[k] + m[k + 1] * m[k + 1] + m[k + 2] * m[k + 2]);
  return determinant(m) < -SINGULAR * span;
}

/** Returns the product a * b of affine matrices: b is applied first. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const out = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
}

function determinant(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

function join({ pieces, triangleCount, options }: Traversal): Omit<ObjectLevel, 'report'> {
  let length = 0;
  for (const { shape } of pieces) length += shape.positions.length;
  const positions = new Float64Array(length);
  const indices = new Uint32Array(3 * triangleCount);
  const areas = new Uint8Array(options.areaOf === undefined ? 0 : triangleCount);
  const isAnyTwoSided = pieces.some((piece) => piece.isTwoSided);
  const twoSided = new Uint8Array(isAnyTwoSided ? triangleCount : 0);
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
    if (isTwoSided) twoSided.fill(1, corner / 3, (corner + corners.length) / 3);
    for (let i = 0; i < corners.length; i += 3, corner += 3) {
      indices[corner] = base + corners[i];
      indices[corner + 1] = base + corners[isReversed ? i + 2 : i + 1];
      indices[corner + 2] = base + corners[isReversed ? i + 1 : i + 2];
    }
  }
  return {
    positions,
    indices,
    ...(options.areaOf === undefined ? {} : { areas }),
    ...(isAnyTwoSided ? { twoSided } : {}),
  };
}
