/**
 * Converts a three.js scene, or a part of one, to triangles in world space for `buildNavMesh` or `addLevel`.
 *
 * Visits the scene graph and reads the triangles of each mesh that the renderer would draw. This includes world
 * matrices, every instance of an InstancedMesh and a BatchedMesh, groups, draw ranges, and the most detailed level of a
 * LOD. Skinned meshes are in bind pose, morph targets at rest. Positions are doubles, as are three's matrices, so a
 * level far from the origin keeps its precision. If a matrix mirrors or a material shows back sides, the winding is
 * reversed, so that visible sides are walkable sides. Triangles of double-sided materials are marked as two-sided.
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
import { showValue } from '../../base/data/refuse.ts';
import {
  addPiece,
  checkArea,
  checkLevelOptions,
  createReading,
  endPart,
  finishReading,
  product,
  warnOf,
} from '../shared/level.ts';
import type { EngineLevel, EnginePart, LevelReading, LevelWarning, Sides } from '../shared/level.ts';
import { readShape } from '../shared/shape.ts';
import type { Shape } from '../shared/shape.ts';
import { drawnRanges, readablePositions } from './shapes.ts';
import type { DrawnRange } from './shapes.ts';

/** Options of `levelFromObject3D`. */
export interface LevelFromObjectOptions {
  /** Returns false to leave out an object and its descendants. Default: all objects are included. */
  filter?: (object: Object3D) => boolean;
  /**
   * Returns the area id of a mesh's triangles with a material, 0 .. 63; 0: solid, not walkable. Default:
   * `AREA_GROUND`.
   */
  areaOf?: (mesh: Mesh, material: Material | undefined) => number;
  /** True: includes invisible objects and materials below `root`. Default false. */
  includeInvisible?: boolean;
}

/** A warning about objects that were left out or changed. */
export type ObjectLevelWarning = LevelWarning;

/** The range of triangles of one mesh. */
export type ObjectPart = EnginePart<Mesh>;

/** Result of `levelFromObject3D`; a valid input of `buildNavMesh` and `addLevel`. */
export type ObjectLevel = EngineLevel<Mesh>;

interface Traversal {
  options: LevelFromObjectOptions;
  reading: LevelReading<Object3D>;
  shapes: Map<BufferGeometry, Map<string, Shape>>;
}

const BACK_SIDE = 1;
const DOUBLE_SIDE = 2;

/**
 * Returns the triangles of an object and its descendants in world space. Updates their world matrices and
 * those of the object's ancestors first.
 *
 * @param root a scene, a loaded glTF's `.scene`, or any other object
 * @throws TypeError when `root` is not an Object3D; RangeError, TypeError for unknown options and for areas out of
 *   range
 */
export function levelFromObject3D(root: Object3D, options: LevelFromObjectOptions = {}): ObjectLevel {
  if (root?.isObject3D !== true) {
    throw new TypeError(
      `levelFromObject3D: root is ${showValue(root)}; must be an Object3D: a scene, or a loaded glTF's .scene`,
    );
  }
  checkLevelOptions('levelFromObject3D', options);
  root.updateWorldMatrix(true, true);
  const nameOf = ({ name, type, id }: Object3D): string => (name === '' ? `${type} ${id}` : `"${name}"`);
  const reading = createReading('levelFromObject3D', nameOf);
  visit({ options, reading, shapes: new Map() }, root, true);
  return finishReading(reading, root, options.areaOf !== undefined) as ObjectLevel;
}

function visit(traversal: Traversal, object: Object3D, isRoot: boolean): void {
  const { filter, includeInvisible = false } = traversal.options;
  if (!isRoot && !object.visible && !includeInvisible) return;
  if (filter?.(object) === false) return;
  if ((object as Mesh).isMesh === true) addMesh(traversal, object as Mesh);
  const { levels } = object as LOD;
  const isLod = (object as LOD).isLOD === true;
  for (const child of object.children) {
    const rank = isLod ? levels.findIndex((level) => level.object === child) : -1;
    // A LOD contributes its most detailed level, even if another one is visible now.
    if (rank < 1) visit(traversal, child, rank === 0);
  }
}

function addMesh(traversal: Traversal, mesh: Mesh): void {
  const { reading } = traversal;
  const position = mesh.geometry === undefined ? undefined : readablePositions(mesh.geometry);
  if (position === undefined) {
    warnOf(reading, 'no-positions', mesh);
    return;
  }
  if ((mesh as SkinnedMesh).isSkinnedMesh === true) warnOf(reading, 'skinned-mesh', mesh);
  if ((mesh.geometry.morphAttributes.position?.length ?? 0) > 0) warnOf(reading, 'morphed-mesh', mesh);
  const triangleStart = reading.triangleCount;
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
      const sides = sidesOf(range.material);
      for (const matrix of matrices) addPiece(reading, mesh, shape, matrix, sides, area);
    }
    if (ranges.length > 0) reading.instanceCount += matrices.length;
    if (invalidCount > 0) warnOf(reading, 'invalid-indices', mesh, invalidCount);
  }
  endPart(reading, mesh, triangleStart);
}

function areaOf({ options, reading }: Traversal, mesh: Mesh, material: Material | undefined): number {
  return checkArea(reading, mesh, options.areaOf?.(mesh, material));
}

function sidesOf(material: Material | undefined): Sides {
  return { isReversed: material?.side === BACK_SIDE, isTwoSided: material?.side === DOUBLE_SIDE };
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
  // Versions of three before 0.168 cannot list a batch's geometries.
  if (typeof mesh.getGeometryRangeAt !== 'function') {
    warnOf(traversal.reading, 'no-positions', mesh);
    return;
  }
  if (!includeInvisible && material?.visible === false) return;
  const area = areaOf(traversal, mesh, material);
  const sides = sidesOf(material);
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
    addPiece(traversal.reading, mesh, shape, product(mesh.matrixWorld.elements, matrix.elements), sides, area);
    traversal.reading.instanceCount++;
  }
  if (invalidCount > 0) warnOf(traversal.reading, 'invalid-indices', mesh, invalidCount);
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
  if (shape === undefined) {
    const { index } = geometry;
    const cornerAt = index === null ? null : (at: number): number => index.getX(at);
    known.set(key, (shape = readShape(readablePositions(geometry)!, cornerAt, start, count)));
  }
  return shape;
}
