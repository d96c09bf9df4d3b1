/**
 * A three.js scene, or a part of one -> triangles in world space, for `buildNavMesh` or `addLevel`.
 *
 * Goes through the scene graph, and takes of each mesh what the renderer would draw: world matrices, every instance of an
 * InstancedMesh and a BatchedMesh, groups, draw ranges, the highest level of a LOD. Skinned meshes are taken in bind pose, morph
 * targets at rest. Matrices of three are doubles, and so is what comes out: a level far from the origin loses nothing here.
 * Where a matrix mirrors, or a material shows back sides, winding is turned round, so that what one sees is what one walks on.
 *
 * Cost: O(objects + instances * their corners); a geometry that many meshes share is read once. Memory is the result.
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
import { refuse } from '../data/refuse.ts';
import { drawnRanges, readablePositions, readShape } from './shapes.ts';
import type { DrawnRange, Shape } from './shapes.ts';

export interface LevelFromObjectOptions {
  /** False leaves an object out, and all below it. Default: everything is taken. */
  filter?: (object: Object3D) => boolean;
  /** Area id of a mesh's triangles of one material, 0 .. 63; 0: solid, but nobody walks on it. Default: all are `AREA_GROUND`. */
  areaOf?: (mesh: Mesh, material: Material | undefined) => number;
  /** Default false: what is invisible below `root` (object or material) is left out. */
  includeInvisible?: boolean;
}

export interface ObjectLevelWarning {
  code: 'singular-transform' | 'no-positions' | 'invalid-indices' | 'skinned-mesh' | 'morphed-mesh' | 'no-triangles';
  /** Objects, or triangles of `invalid-indices`. */
  count: number;
  /** One sentence, with the names of the first objects. */
  message: string;
}

/** Triangles of one mesh. */
export interface ObjectPart {
  object: Mesh;
  triangleStart: number;
  triangleCount: number;
}

export interface ObjectLevel {
  /** xyz, world units. */
  positions: Float64Array;
  indices: Uint32Array;
  /** One a triangle; only with `areaOf`. */
  areas?: Uint8Array;
  report: {
    /** By triangle, ascending: whose it is. */
    parts: ObjectPart[];
    instanceCount: number;
    triangleCount: number;
    warnings: ObjectLevelWarning[];
  };
}

/** A shape in one place. */
interface Piece {
  shape: Shape;
  /** 16 numbers, column by column. */
  matrix: ArrayLike<number>;
  isTurned: boolean;
  area: number;
}

type Warn = (code: ObjectLevelWarning['code'], object: Object3D, count?: number) => void;

interface Walk {
  options: LevelFromObjectOptions;
  pieces: Piece[];
  parts: ObjectPart[];
  shapes: Map<BufferGeometry, Map<string, Shape>>;
  instanceCount: number;
  triangleCount: number;
  warn: Warn;
}

const BACK_SIDE = 1;
/** Less than this share of what the lengths of its columns could span is flat. */
const FLAT = 1e-12;

/**
 * World matrices of `root`, of what is above it and of what is below it are brought up to date.
 *
 * @throws TypeError when `root` is no Object3D, RangeError on an area that is none
 */
export function levelFromObject3D(root: Object3D, options: LevelFromObjectOptions = {}): ObjectLevel {
  if (root?.isObject3D !== true) {
    throw new TypeError(
      `levelFromObject3D: root is ${String(root)}; give an Object3D: a scene, or a loaded glTF's .scene`,
    );
  }
  root.updateWorldMatrix(true, true);
  const found = new Map<ObjectLevelWarning['code'], { count: number; names: string[] }>();
  const walk: Walk = {
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
  visit(walk, root, true);
  if (walk.triangleCount === 0) walk.warn('no-triangles', root);
  const warnings = [...found].map(([code, { count, names }]) => {
    const list = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
    return { code, count, message: `${list}: ${REASONS[code]}` };
  });
  const { parts, instanceCount, triangleCount } = walk;
  return { ...join(walk), report: { parts, instanceCount, triangleCount, warnings } };
}

const REASONS: Record<ObjectLevelWarning['code'], string> = {
  'singular-transform':
    "left out, the transform flattens it or is not finite; no scale may be 0, its own or a parent's",
  'no-positions': 'left out, its geometry has no positions that can be read here; keep them in arrays',
  'invalid-indices': 'triangles are left out that name vertices there are none of; repair the index',
  'skinned-mesh': 'skinned, taken in bind pose',
  'morphed-mesh': 'has morph targets, taken without',
  'no-triangles': 'there are no triangles in it or below it; is it loaded, visible, and let through by the filter?',
};

function visit(walk: Walk, object: Object3D, isRoot: boolean): void {
  const { filter, includeInvisible = false } = walk.options;
  if (!isRoot && !object.visible && !includeInvisible) return;
  if (filter?.(object) === false) return;
  if ((object as Mesh).isMesh === true) takeMesh(walk, object as Mesh);
  const { levels } = object as LOD;
  const isLod = (object as LOD).isLOD === true;
  for (const child of object.children) {
    const rank = isLod ? levels.findIndex((level) => level.object === child) : -1;
    // Of a LOD the most detailed level, whether it is the one shown now or not.
    if (rank < 1) visit(walk, child, rank === 0);
  }
}

function takeMesh(walk: Walk, mesh: Mesh): void {
  const { warn } = walk;
  const position = mesh.geometry === undefined ? undefined : readablePositions(mesh.geometry);
  if (position === undefined) {
    warn('no-positions', mesh);
    return;
  }
  if ((mesh as SkinnedMesh).isSkinnedMesh === true) warn('skinned-mesh', mesh);
  if ((mesh.geometry.morphAttributes.position?.length ?? 0) > 0) warn('morphed-mesh', mesh);
  const triangleStart = walk.triangleCount;
  if ((mesh as unknown as BatchedMesh).isBatchedMesh === true) takeBatch(walk, mesh as unknown as BatchedMesh);
  else {
    const isInstanced = (mesh as InstancedMesh).isInstancedMesh === true;
    const matrices = isInstanced ? instanceMatrices(mesh as InstancedMesh) : [mesh.matrixWorld.elements];
    const ranges = drawnRanges(mesh, walk.options.includeInvisible === true);
    let invalidCount = 0;
    for (const range of ranges) {
      const shape = shapeOf(walk, mesh.geometry, range);
      invalidCount += shape.invalidCount;
      const area = areaOf(walk, mesh, range.material);
      for (const matrix of matrices) takePiece(walk, mesh, shape, matrix, range.material, area);
    }
    if (ranges.length > 0) walk.instanceCount += matrices.length;
    if (invalidCount > 0) warn('invalid-indices', mesh, invalidCount);
  }
  const triangleCount = walk.triangleCount - triangleStart;
  if (triangleCount > 0) walk.parts.push({ object: mesh, triangleStart, triangleCount });
}

function areaOf({ options }: Walk, mesh: Mesh, material: Material | undefined): number {
  const area = options.areaOf?.(mesh, material) ?? AREA_COUNT - 1;
  if (!(area >= 0 && area < AREA_COUNT && area % 1 === 0)) {
    refuse('levelFromObject3D', `areaOf of "${mesh.name}"`, area, `a whole number from 0 to ${AREA_COUNT - 1}`);
  }
  return area;
}

/** World matrices of the instances drawn. */
function instanceMatrices({ matrixWorld, instanceMatrix, count }: InstancedMesh): number[][] {
  return Array.from({ length: Math.min(count, instanceMatrix.count) }, (_, i) =>
    product(matrixWorld.elements, instanceMatrix.array.subarray(16 * i, 16 * i + 16)),
  );
}

function takeBatch(walk: Walk, mesh: BatchedMesh): void {
  const material = Array.isArray(mesh.material) ? mesh.material[0] : mesh.material;
  const { includeInvisible = false } = walk.options;
  // Before three 0.168 there is no way to ask.
  if (typeof mesh.getGeometryRangeAt !== 'function') {
    walk.warn('no-positions', mesh);
    return;
  }
  if (!includeInvisible && material?.visible === false) return;
  const area = areaOf(walk, mesh, material);
  const matrix = mesh.matrixWorld.clone();
  let invalidCount = 0;
  for (let id = 0, seen = 0; seen < mesh.instanceCount && id < mesh.maxInstanceCount; id++) {
    if (!hasInstance(mesh, id, matrix)) continue;
    seen++;
    if (!includeInvisible && !mesh.getVisibleAt(id)) continue;
    const range = mesh.getGeometryRangeAt(mesh.getGeometryIdAt(id));
    if (range === null) continue;
    const shape = shapeOf(walk, mesh.geometry, { start: range.start, count: range.count, material });
    invalidCount += shape.invalidCount;
    takePiece(walk, mesh, shape, product(mesh.matrixWorld.elements, matrix.elements), material, area);
    walk.instanceCount++;
  }
  if (invalidCount > 0) walk.warn('invalid-indices', mesh, invalidCount);
}

/** Reads the matrix of an instance; ids of deleted ones are known by nothing but an error. */
function hasInstance(mesh: BatchedMesh, id: number, matrix: Matrix4): boolean {
  try {
    mesh.getMatrixAt(id, matrix);
    return true;
  } catch {
    return false;
  }
}

function shapeOf({ shapes }: Walk, geometry: BufferGeometry, { start, count }: DrawnRange): Shape {
  let known = shapes.get(geometry);
  if (known === undefined) shapes.set(geometry, (known = new Map()));
  const key = `${start} ${count}`;
  let shape = known.get(key);
  if (shape === undefined) known.set(key, (shape = readShape(geometry, readablePositions(geometry)!, start, count)));
  return shape;
}

function takePiece(
  walk: Walk,
  mesh: Mesh,
  shape: Shape,
  matrix: ArrayLike<number>,
  material: Material | undefined,
  area: number,
): void {
  const size = determinant(matrix);
  let span = 1;
  for (let k = 0; k < 12; k += 4) {
    span *= Math.sqrt(matrix[k] * matrix[k] + matrix[k + 1] * matrix[k + 1] + matrix[k + 2] * matrix[k + 2]);
  }
  if (
    !(
      Math.abs(size) > FLAT * span &&
      Math.abs(size) < Infinity &&
      Number.isFinite(matrix[12] + matrix[13] + matrix[14])
    )
  ) {
    walk.warn('singular-transform', mesh);
    return;
  }
  walk.pieces.push({ shape, matrix, isTurned: size < 0 !== (material?.side === BACK_SIDE), area });
  walk.triangleCount += shape.corners.length / 3;
}

/** First b, then a; of affine matrices. */
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

function join({ pieces, triangleCount, options }: Walk): Pick<ObjectLevel, 'positions' | 'indices' | 'areas'> {
  let length = 0;
  for (const { shape } of pieces) length += shape.positions.length;
  const positions = new Float64Array(length);
  const indices = new Uint32Array(3 * triangleCount);
  const areas = new Uint8Array(options.areaOf === undefined ? 0 : triangleCount);
  let at = 0;
  let corner = 0;
  for (const { shape, matrix: m, isTurned, area } of pieces) {
    const { positions: own, corners } = shape;
    const base = at / 3;
    for (let i = 0; i < own.length; i += 3, at += 3) {
      const x = own[i];
      const y = own[i + 1];
      const z = own[i + 2];
      for (let k = 0; k < 3; k++) positions[at + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
    }
    areas.fill(area, corner / 3, (corner + corners.length) / 3);
    for (let i = 0; i < corners.length; i += 3, corner += 3) {
      indices[corner] = base + corners[i];
      indices[corner + 1] = base + corners[isTurned ? i + 2 : i + 1];
      indices[corner + 2] = base + corners[isTurned ? i + 1 : i + 2];
    }
  }
  return options.areaOf === undefined ? { positions, indices } : { positions, indices, areas };
}
