/**
 * Reads meshes of Babylon.js as a level: triangles in world space for `buildNavMesh` or `addLevel`.
 *
 * Reads the triangles that the renderer would draw: world matrices, instances and thin instances, the materials of
 * submeshes, and of meshes with levels of detail the most detailed one. Skinned meshes are in bind pose, morph targets
 * at rest. Positions are not converted, in left-handed and right-handed scenes, so paths are positions of the scene. In
 * Babylon.js, visible sides are clockwise in the right-handed sense, in either kind of scene. The winding is therefore
 * reversed here, and reversed again if a matrix mirrors or a material has the other orientation.
 *
 * No code and no types of Babylon.js are imported. The interfaces name the members that are read.
 *
 * In: meshes. Out: positions, indices, optional areas, a report.
 * Cost: O(meshes + instances * their vertices). A geometry is read once for each mesh.
 * Based on: own.
 */
import { checkArray, refuseType } from '../../base/data/refuse.ts';
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
import type { EngineLevel, LevelReading, Sides } from '../shared/level.ts';
import { readShape, verticesOf } from '../shared/shape.ts';

/** The properties of a Babylon.js material that are read. */
export interface BabylonMaterial {
  backFaceCulling: boolean;
  /** False: front sides are culled instead of back sides. */
  cullBackFaces?: boolean;
  /** 0: clockwise, 1: counter-clockwise, null: that of the mesh. */
  sideOrientation?: number | null;
}

/** The members of a Babylon.js mesh (AbstractMesh) that are read. */
export interface BabylonMesh {
  name: string;
  isVisible: boolean;
  subMeshes?: readonly { indexStart: number; indexCount: number; getMaterial(): unknown }[];
  skeleton?: unknown;
  morphTargetManager?: unknown;
  getClassName(): string;
  isEnabled(): boolean;
  getVerticesData(kind: string): ArrayLike<number> | null;
  getIndices(): ArrayLike<number> | null;
  computeWorldMatrix(force: boolean): { readonly m: ArrayLike<number> };
  getScene(): { useRightHandedSystem: boolean };
}

/** Members that only some meshes have. */
interface MoreOfMesh {
  sideOrientation?: number;
  hasThinInstances?: boolean;
  thinInstanceGetWorldMatrices?(): { readonly m: ArrayLike<number> }[];
  getLODLevels?(): { mesh?: unknown }[];
}

/** Options of `levelFromMeshes`. */
export interface LevelFromMeshesOptions<M extends BabylonMesh> {
  /** Returns false to leave out a mesh. Default: all meshes are included. */
  filter?: (mesh: M) => boolean;
  /**
   * Returns the area id of a mesh's triangles with a material, 0 .. 63; 0: solid, not walkable. Default:
   * `AREA_GROUND`. Babylon.js declares materials as `Material | null`.
   */
  areaOf?: (mesh: M, material: unknown) => number;
  /** True: includes meshes that are invisible or disabled. Default false. */
  includeInvisible?: boolean;
}

const CLOCKWISE = 0;
const COUNTER_CLOCKWISE = 1;

/**
 * Returns the triangles of meshes in world space. Updates their world matrices first.
 *
 * @param meshes `scene.meshes`, the meshes of a loaded file, or any list of them. Meshes without triangles, such
 *   as roots of loaded files and lines, add nothing.
 * @throws TypeError when `meshes` is not an array of meshes; RangeError, TypeError for unknown options and for areas
 *   out of range
 */
export function levelFromMeshes<M extends BabylonMesh>(
  meshes: readonly M[],
  options: LevelFromMeshesOptions<M> = {},
): EngineLevel<M> {
  checkArray('levelFromMeshes', 'meshes', meshes);
  checkLevelOptions('levelFromMeshes', options);
  for (const [i, mesh] of meshes.entries())
    if (typeof mesh?.getVerticesData !== 'function')
      refuseType('levelFromMeshes', `meshes[${i}]`, mesh, 'a mesh of Babylon.js');
  const { filter, includeInvisible = false } = options;
  const reading = createReading<M>('levelFromMeshes', ({ name }) => `"${name}"`);
  const details = new Set(
    meshes.flatMap((mesh) => (mesh as MoreOfMesh).getLODLevels?.() ?? []).map(({ mesh }) => mesh),
  );
  for (const mesh of meshes) {
    // A mesh that has levels of detail is itself the most detailed level.
    if (details.has(mesh) || filter?.(mesh) === false) continue;
    if (includeInvisible || (mesh.isEnabled() && mesh.isVisible)) addMesh(reading, mesh, options);
  }
  return finishReading(reading, meshes[0] ?? ({ name: 'meshes' } as M), options.areaOf !== undefined);
}

function addMesh<M extends BabylonMesh>(
  reading: LevelReading<M>,
  mesh: M,
  { areaOf }: LevelFromMeshesOptions<M>,
): void {
  const indices = mesh.getIndices();
  const positions = mesh.getVerticesData('position');
  // Indices of a LinesMesh are not triangles.
  if (!positions || !indices || indices.length < 3 || /Line/.test(mesh.getClassName())) return;
  if (mesh.skeleton) warnOf(reading, 'skinned-mesh', mesh);
  if (mesh.morphTargetManager) warnOf(reading, 'morphed-mesh', mesh);
  const more = mesh as MoreOfMesh;
  const own = mesh.computeWorldMatrix(true).m;
  const matrices = more.hasThinInstances
    ? more.thinInstanceGetWorldMatrices!().map(({ m }) => product(own, m))
    : [Array.from(own)];
  const vertices = verticesOf(positions);
  const start = reading.triangleCount;
  let invalidCount = 0;
  const all = [{ indexStart: 0, indexCount: indices.length, getMaterial: () => null }];
  for (const part of mesh.subMeshes?.length ? mesh.subMeshes : all) {
    const { indexStart, indexCount } = part;
    const material = part.getMaterial();
    const shape = readShape(vertices, (at) => indices[at], indexStart, indexCount);
    invalidCount += shape.invalidCount;
    const area = checkArea(reading, mesh, areaOf?.(mesh, material));
    const sides = sidesOf(mesh, material as BabylonMaterial | null);
    for (const matrix of matrices) addPiece(reading, mesh, shape, matrix, sides, area);
  }
  reading.instanceCount += matrices.length;
  if (invalidCount > 0) warnOf(reading, 'invalid-indices', mesh, invalidCount);
  endPart(reading, mesh, start);
}

function sidesOf(mesh: BabylonMesh, material: BabylonMaterial | null): Sides {
  const usual = mesh.getScene().useRightHandedSystem ? CLOCKWISE : COUNTER_CLOCKWISE;
  const orientation = material?.sideOrientation ?? (mesh as MoreOfMesh).sideOrientation ?? usual;
  return {
    isReversed: (orientation === usual) !== (material?.cullBackFaces === false),
    isTwoSided: material?.backFaceCulling === false,
  };
}
