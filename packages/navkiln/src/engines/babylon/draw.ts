/**
 * Draws debug geometry with Babylon.js: a Mesh for triangles, a LinesMesh for lines, positioned at the geometry's
 * origin. `mesh.dispose(false, true)` releases it.
 *
 * The classes are arguments, so that this file imports no code and no types of Babylon.js.
 *
 * In: debug geometry. Out: meshes.
 * Cost: linear in the vertices.
 * Based on: own.
 */
import { checkFunction, checkRecord } from '../../base/data/refuse.ts';
import type { DebugGeometry } from '../../show/draw/geometry.ts';
import { checkClasses, resolveDraw } from '../shared/draw.ts';
import type { DrawGeometryOptions } from '../shared/draw.ts';

/** The members of a drawn Babylon.js mesh that are used. */
export interface BabylonDrawn {
  isPickable: boolean;
  hasVertexAlpha: boolean;
  renderingGroupId: number;
  material: unknown;
  position: { set(x: number, y: number, z: number): unknown };
}

/** The members of a Babylon.js StandardMaterial that are used. */
export interface BabylonStandardMaterial {
  disableLighting: boolean;
  backFaceCulling: boolean;
  disableDepthWrite: boolean;
  alpha: number;
  zOffset: number;
  emissiveColor: { set(r: number, g: number, b: number): unknown };
}

/**
 * The classes of Babylon.js that drawing needs: `import * as BABYLON from '@babylonjs/core'`, or an object of these
 * four.
 */
export interface BabylonClasses<S, M extends BabylonDrawn> {
  Mesh: new (name: string, scene: S) => M;
  LinesMesh: new (name: string, scene: S) => M;
  VertexData: new () => {
    positions: unknown;
    indices: unknown;
    colors: unknown;
    applyToMesh(mesh: never, updatable?: boolean): unknown;
  };
  StandardMaterial: new (name: string, scene: S) => BabylonStandardMaterial;
}

/**
 * Creates a mesh that draws debug geometry. Its name is 'navmesh'. It has no parent and is not pickable; set `isPickable` for
 * `geometry.polys[pickInfo.faceId]`.
 *
 * @param babylon the classes, such as the module '@babylonjs/core'
 * @throws RangeError, TypeError for missing classes, a value that is not debug geometry, and unknown or invalid options
 */
export function drawGeometry<S, M extends BabylonDrawn>(
  babylon: BabylonClasses<S, M>,
  scene: S,
  geometry: DebugGeometry,
  options: DrawGeometryOptions = {},
): M {
  checkClasses('drawGeometry', 'babylon', babylon, 'Mesh', 'LinesMesh', 'VertexData', 'StandardMaterial');
  const { opacity, onTop } = resolveDraw('drawGeometry', geometry, options);
  const mesh = new (geometry.kind === 'lines' ? babylon.LinesMesh : babylon.Mesh)('navmesh', scene);
  const material = new babylon.StandardMaterial('navmesh', scene);
  material.disableLighting = true;
  material.emissiveColor.set(1, 1, 1);
  material.backFaceCulling = false;
  material.disableDepthWrite = true;
  material.alpha = opacity;
  material.zOffset = -2;
  mesh.material = material;
  mesh.hasVertexAlpha = true;
  mesh.isPickable = false;
  if (onTop) mesh.renderingGroupId = 1;
  updateDrawn(babylon, mesh, geometry);
  return mesh;
}

/**
 * Replaces the geometry of a mesh of `drawGeometry` with another of the same kind.
 *
 * @throws TypeError for a missing class and values that are not a mesh or not debug geometry
 */
export function updateDrawn<S, M extends BabylonDrawn>(
  babylon: Pick<BabylonClasses<S, M>, 'VertexData'>,
  mesh: M,
  geometry: DebugGeometry,
): void {
  checkClasses('updateDrawn', 'babylon', babylon, 'VertexData');
  checkFunction('updateDrawn', 'mesh.position.set', mesh?.position?.set);
  checkRecord('updateDrawn', 'geometry', geometry, 'positions', 'debug geometry');
  const { positions, indices, colors, origin } = geometry;
  const data = new babylon.VertexData();
  data.positions = positions;
  data.indices = indices ?? new Uint32Array(positions.length / 3).map((_, i) => i);
  data.colors = Float32Array.from(colors, (value) => value / 255);
  data.applyToMesh(mesh as never, true);
  mesh.position.set(...origin);
}
