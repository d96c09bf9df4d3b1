/**
 * Reads an entity of PlayCanvas and its descendants as a level: triangles in world space for `buildNavMesh` or
 * `addLevel`.
 *
 * Takes the mesh instances of render components, with the transforms of their nodes and the sides that their
 * materials show. Skinned meshes are in bind pose, morph targets at rest. Instances of hardware instancing
 * are read from its vertex buffer.
 *
 * No code and no types of PlayCanvas are imported. The interfaces name the members that are read.
 *
 * In: an entity. Out: positions, indices, optional areas, a report.
 * Cost: O(mesh instances * their vertices).
 * Based on: own.
 */
import { refuseType } from '../../base/data/refuse.ts';
import {
  addPiece,
  checkArea,
  checkLevelOptions,
  createReading,
  endPart,
  finishReading,
  warnOf,
} from '../shared/level.ts';
import type { EngineLevel, LevelReading } from '../shared/level.ts';
import { readShape, verticesOf } from '../shared/shape.ts';
import type { Shape } from '../shared/shape.ts';

/** The members of a PlayCanvas MeshInstance that are read. */
export interface PlayCanvasMeshInstance {
  visible: boolean;
  mesh: {
    primitive: readonly { type: number; base: number; count: number; indexed?: boolean | number }[];
    getPositions(out: number[]): number;
    getIndices(out: number[]): number;
  } | null;
  node: { name: string; enabled: boolean; getWorldTransform(): { data: ArrayLike<number> } };
  material: { cull: number } | null;
  skinInstance?: unknown;
  morphInstance?: unknown;
}

/** The members of a PlayCanvas Entity that are read. */
export interface PlayCanvasEntity {
  name: string;
  enabled: boolean;
  findComponents(type: string): unknown[];
}

/** Options of `levelFromEntity`. */
export interface LevelFromEntityOptions<I = PlayCanvasMeshInstance> {
  /** Returns false to leave out a mesh instance. Default: all mesh instances are included. */
  filter?: (instance: I) => boolean;
  /** Returns the area id of a mesh instance, 0 .. 63; 0: solid, not walkable. Default: `AREA_GROUND`. */
  areaOf?: (instance: I) => number;
  /** True: includes entities, components and mesh instances that are disabled or invisible. Default false. */
  includeInvisible?: boolean;
}

/** The properties of a RenderComponent that are read. */
interface RenderComponent {
  enabled: boolean;
  entity: { enabled: boolean };
  meshInstances: readonly PlayCanvasMeshInstance[] | null;
}

const PRIMITIVE_TRIANGLES = 4;
const CULL_NONE = 0;
const CULL_FRONT = 2;

/**
 * Returns the triangles of an entity and its descendants in world space.
 *
 * @param root `app.root`, an entity of a loaded container, or any other entity
 * @throws TypeError when `root` is not an entity; RangeError, TypeError for unknown options and for areas out of range
 */
export function levelFromEntity<I extends PlayCanvasMeshInstance = PlayCanvasMeshInstance>(
  root: PlayCanvasEntity,
  options: LevelFromEntityOptions<I> = {},
): EngineLevel<I> {
  if (typeof root?.findComponents !== 'function') refuseType('levelFromEntity', 'root', root, 'an Entity');
  checkLevelOptions('levelFromEntity', options);
  const { filter, includeInvisible = false } = options;
  const reading = createReading<I>('levelFromEntity', ({ node }) => `"${node.name}"`);
  const shapes = new Map<unknown, Shape | undefined>();
  for (const { enabled, entity, meshInstances } of root.findComponents('render') as RenderComponent[]) {
    if (!includeInvisible && !(enabled && entity.enabled)) continue;
    for (const instance of (meshInstances ?? []) as I[]) {
      if ((includeInvisible || instance.visible) && filter?.(instance) !== false)
        addInstance(reading, shapes, instance, options.areaOf);
    }
  }
  return finishReading(reading, { node: root } as unknown as I, options.areaOf !== undefined);
}

function addInstance<I extends PlayCanvasMeshInstance>(
  reading: LevelReading<I>,
  shapes: Map<unknown, Shape | undefined>,
  instance: I,
  areaOf: ((instance: I) => number) | undefined,
): void {
  const { mesh, material } = instance;
  if (mesh?.primitive[0].type !== PRIMITIVE_TRIANGLES) return;
  const shape = shapes.get(mesh) ?? shapeOf(mesh);
  shapes.set(mesh, shape);
  if (!shape) return warnOf(reading, 'no-positions', instance);
  if (instance.skinInstance) warnOf(reading, 'skinned-mesh', instance);
  if (instance.morphInstance) warnOf(reading, 'morphed-mesh', instance);
  if (shape.invalidCount > 0) warnOf(reading, 'invalid-indices', instance, shape.invalidCount);
  const start = reading.triangleCount;
  const sides = { isReversed: material?.cull === CULL_FRONT, isTwoSided: material?.cull === CULL_NONE };
  const area = checkArea(reading, instance, areaOf?.(instance));
  const matrices = matricesOf(instance);
  for (const matrix of matrices) addPiece(reading, instance, shape, matrix, sides, area);
  reading.instanceCount += matrices.length;
  endPart(reading, instance, start);
}

/** Reads a mesh. Returns undefined if its positions are only on the graphics device. */
function shapeOf(mesh: NonNullable<PlayCanvasMeshInstance['mesh']>): Shape | undefined {
  const positions: number[] = [];
  mesh.getPositions(positions);
  if (positions.length === 0) return undefined;
  const [{ base, count, indexed }] = mesh.primitive;
  const indices: number[] = [];
  mesh.getIndices(indices);
  return readShape(verticesOf(positions), indexed ? (at) => indices[at] : null, base, count);
}

/** Returns the world matrices of a mesh instance. Matrices of hardware instancing already are world matrices. */
function matricesOf(instance: PlayCanvasMeshInstance): ArrayLike<number>[] {
  const { instancingData, instancingCount } = instance as unknown as {
    instancingData?: { vertexBuffer?: { storage: ArrayBuffer } } | null;
    instancingCount?: number;
  };
  const storage = instancingData?.vertexBuffer?.storage;
  if (storage === undefined) return [Array.from(instance.node.getWorldTransform().data)];
  const all = new Float32Array(storage);
  return Array.from({ length: instancingCount ?? all.length / 16 }, (_, i) => all.subarray(16 * i, 16 * i + 16));
}
