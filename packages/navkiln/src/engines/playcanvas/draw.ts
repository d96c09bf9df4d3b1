/**
 * Draws debug geometry with PlayCanvas: an entity with a render component, positioned at the geometry's origin.
 * `entity.destroy()` releases it.
 *
 * The classes are an argument, so that this file imports no code and no types of PlayCanvas.
 *
 * In: debug geometry. Out: entities.
 * Cost: linear in the vertices.
 * Based on: own.
 */
import { checkRecord, refuseType } from '../../base/data/refuse.ts';
import type { DebugGeometry } from '../../show/draw/geometry.ts';
import { checkClasses, resolveDraw } from '../shared/draw.ts';
import type { DrawGeometryOptions } from '../shared/draw.ts';

/** The methods of a PlayCanvas Mesh that are called. */
export interface PlayCanvasMesh {
  setPositions(positions: ArrayLike<number>): void;
  setColors32(colors: ArrayLike<number>): void;
  setIndices(indices: Uint32Array): void;
  update(primitive: number): void;
  clear(isVertexDynamic?: boolean, isIndexDynamic?: boolean): void;
}

/** The members of a PlayCanvas StandardMaterial that are used. */
export interface PlayCanvasMaterial {
  emissive: { set(r: number, g: number, b: number): unknown };
  diffuse: { set(r: number, g: number, b: number): unknown };
  update(): void;
}

/** The members of a drawn PlayCanvas Entity that are used. */
export interface PlayCanvasDrawn {
  setPosition(x: number, y: number, z: number): void;
  addComponent(type: string, data: object): unknown;
  render?: { readonly meshInstances: readonly { readonly mesh: PlayCanvasMesh | null }[] };
}

/** The classes of PlayCanvas that drawing needs: `import * as pc from 'playcanvas'`, or an object of these four. */
export interface PlayCanvasClasses<E extends PlayCanvasDrawn, D> {
  Entity: new (name: string) => E;
  Mesh: new (device: D) => PlayCanvasMesh;
  MeshInstance: new (mesh: never, material: never) => unknown;
  StandardMaterial: new () => PlayCanvasMaterial;
}

const PRIMITIVE_LINES = 1;
const PRIMITIVE_TRIANGLES = 4;
const BLEND_NORMAL = 2;
const CULL_NONE = 0;

/**
 * Creates an entity that draws debug geometry. Its name is 'navmesh'. Add it to `app.root`.
 *
 * @param pc the classes, such as the module 'playcanvas'
 * @param device `app.graphicsDevice`
 * @throws RangeError, TypeError for missing classes, a value that is not debug geometry, and unknown or invalid options
 */
export function drawGeometry<E extends PlayCanvasDrawn, D>(
  pc: PlayCanvasClasses<E, D>,
  device: D,
  geometry: DebugGeometry,
  options: DrawGeometryOptions = {},
): E {
  checkClasses('drawGeometry', 'pc', pc, 'Entity', 'Mesh', 'MeshInstance', 'StandardMaterial');
  const { opacity, onTop } = resolveDraw('drawGeometry', geometry, options);
  const material = new pc.StandardMaterial();
  Object.assign(material, {
    useLighting: false,
    useFog: false,
    useTonemap: false,
    emissiveVertexColor: true,
    opacityVertexColor: true,
    vertexColorGamma: true,
    opacity,
    blendType: BLEND_NORMAL,
    cull: CULL_NONE,
    depthWrite: false,
    depthTest: !onTop,
  });
  material.emissive.set(1, 1, 1);
  // Ambient light applies even without lighting.
  material.diffuse.set(0, 0, 0);
  material.update();
  const mesh = new pc.Mesh(device);
  const entity = new pc.Entity('navmesh');
  // A mesh instance reads at its creation whether vertices have colors.
  fill(mesh, entity, geometry);
  const instance = new pc.MeshInstance(mesh as never, material as never);
  entity.addComponent('render', { meshInstances: [instance], castShadows: false });
  return entity;
}

/**
 * Replaces the geometry of an entity of `drawGeometry` with another of the same kind.
 *
 * @throws TypeError for values that are not such an entity or not debug geometry
 */
export function updateDrawn(entity: PlayCanvasDrawn, geometry: DebugGeometry): void {
  checkRecord('updateDrawn', 'geometry', geometry, 'positions', 'debug geometry');
  const mesh = entity?.render?.meshInstances[0]?.mesh;
  if (typeof mesh?.clear !== 'function') refuseType('updateDrawn', 'entity', entity, 'an entity of drawGeometry');
  fill(mesh, entity, geometry);
}

function fill(mesh: PlayCanvasMesh, entity: PlayCanvasDrawn, geometry: DebugGeometry): void {
  const { kind, positions, colors, indices, origin } = geometry;
  mesh.clear(true, true);
  // Without vertices, the mesh would keep its old content. Vertices at a single position draw nothing.
  const isEmpty = positions.length === 0;
  mesh.setPositions(isEmpty ? new Float32Array(9) : positions);
  mesh.setColors32(isEmpty ? new Uint8Array(12) : colors);
  mesh.setIndices(indices ?? Uint32Array.from({ length: positions.length / 3 || 3 }, (_, i) => i));
  mesh.update(kind === 'lines' ? PRIMITIVE_LINES : PRIMITIVE_TRIANGLES);
  entity.setPosition(origin[0], origin[1], origin[2]);
}
