/**
 * Draws debug geometry with three.js: a Mesh for triangles, LineSegments for lines, positioned at the
 * geometry's origin. Updates write into the same buffers, which grow by half when needed. `disposeDrawn`
 * releases them.
 *
 * Colors of debug geometry are sRGB. three expects linear vertex colors, so they are converted with its own
 * table.
 *
 * In: debug geometry. Out: three.js objects.
 * Cost: linear in the vertices.
 * Based on: own.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  SRGBColorSpace,
  Sphere,
} from 'three';
import type { Object3D } from 'three';
import { checkHandle, checkKeys, checkObject, checkRecord, refuse, refuseType } from '../../base/data/refuse.ts';
import type { DebugGeometry } from '../../show/draw/geometry.ts';

/** Options of `drawMesh` and `drawLines`. */
export interface DrawObjectOptions {
  /** Factor of the colors' alpha, 0 .. 1. Default 1. */
  opacity?: number;
  /** True: drawn in front of everything else. Default false. */
  onTop?: boolean;
  /** Name of the object. Default 'navmesh', or 'navmesh lines'. */
  name?: string;
}

/** A Mesh that draws triangles of debug geometry. */
export type DrawnMesh = Mesh<BufferGeometry, MeshBasicMaterial>;
/** LineSegments that draw lines of debug geometry. */
export type DrawnLines = LineSegments<BufferGeometry, LineBasicMaterial>;

const KEYS: readonly (keyof DrawObjectOptions)[] = ['opacity', 'onTop', 'name'];

/** The polygon of each triangle or line of an object. */
const polysOf = /* @__PURE__ */ new WeakMap<Object3D, Int32Array | undefined>();

/**
 * Creates a Mesh that draws triangles. Add it to a scene whose root has no transform.
 *
 * @throws RangeError, TypeError for geometry of another kind and for unknown or invalid options
 */
export function drawMesh(geometry: DebugGeometry, options: DrawObjectOptions = {}): DrawnMesh {
  checkRecord('drawMesh', 'geometry', geometry, 'positions', 'debug geometry');
  checkRecord('drawMesh', 'geometry', geometry, 'colors', 'debug geometry');
  const { opacity, onTop, name } = resolve('drawMesh', geometry, 'triangles', options, 'navmesh');
  const material = new MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity,
    side: DoubleSide,
    depthWrite: false,
    depthTest: !onTop,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  const mesh: DrawnMesh = new Mesh(new BufferGeometry(), material);
  mesh.name = name;
  if (onTop) mesh.renderOrder = 1;
  updateDrawn(mesh, geometry);
  return mesh;
}

/**
 * Creates LineSegments that draw lines. Add them to a scene whose root has no transform.
 *
 * @throws RangeError, TypeError for geometry of another kind and for unknown or invalid options
 */
export function drawLines(geometry: DebugGeometry, options: DrawObjectOptions = {}): DrawnLines {
  checkRecord('drawLines', 'geometry', geometry, 'positions', 'debug geometry');
  checkRecord('drawLines', 'geometry', geometry, 'colors', 'debug geometry');
  const { opacity, onTop, name } = resolve('drawLines', geometry, 'lines', options, 'navmesh lines');
  const material = new LineBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity,
    depthWrite: false,
    depthTest: !onTop,
  });
  const lines: DrawnLines = new LineSegments(new BufferGeometry(), material);
  lines.name = name;
  if (onTop) lines.renderOrder = 2;
  updateDrawn(lines, geometry);
  return lines;
}

/** Checks the arguments of a draw function and fills in defaults. */
function resolve(
  caller: string,
  geometry: DebugGeometry,
  kind: DebugGeometry['kind'],
  options: DrawObjectOptions,
  defaultName: string,
): Required<DrawObjectOptions> {
  checkKeys(caller, options, KEYS);
  if (geometry?.kind !== kind) refuse(caller, 'geometry.kind', geometry?.kind, `'${kind}'`);
  const { opacity = 1, onTop = false, name = defaultName } = options;
  if (typeof opacity !== 'number' || !(opacity >= 0 && opacity <= 1))
    refuse(caller, 'options.opacity', opacity, 'a number, 0 .. 1');
  if (typeof onTop !== 'boolean') refuse(caller, 'options.onTop', onTop, 'true or false');
  return { opacity, onTop, name };
}

/**
 * Replaces the geometry of a drawn object with another of the same kind. Reuses its buffers when they are
 * large enough.
 *
 * @throws RangeError for geometry of another kind
 */
export function updateDrawn(object: DrawnMesh | DrawnLines, drawn: DebugGeometry): void {
  checkDrawn('updateDrawn', 'object', object);
  checkRecord('updateDrawn', 'drawn', drawn, 'positions', 'debug geometry');
  checkRecord('updateDrawn', 'drawn', drawn, 'colors', 'debug geometry');
  const isMesh = (object as Mesh).isMesh === true;
  const kind = isMesh ? 'triangles' : 'lines';
  if (drawn.kind !== kind) refuse('updateDrawn', 'geometry.kind', drawn.kind, `'${kind}'`);
  const { geometry } = object;
  const { positions, indices, origin } = drawn;
  const vertexCount = positions.length / 3;
  const indexCount = indices?.length ?? 0;
  const capacity = geometry.getAttribute('position')?.count ?? -1;
  if (vertexCount > capacity || indexCount > (geometry.index?.count ?? 0)) {
    // three cannot resize buffers, so the old ones are released.
    geometry.dispose();
    const vertices = capacity < 0 ? vertexCount : grown(vertexCount, capacity);
    geometry.setAttribute('position', dynamic(new BufferAttribute(new Float32Array(3 * vertices), 3)));
    geometry.setAttribute('color', dynamic(new BufferAttribute(new Uint16Array(4 * vertices), 4, true)));
    if (indices !== undefined) {
      const before = geometry.index?.count ?? 0;
      geometry.setIndex(
        dynamic(new BufferAttribute(new Uint32Array(capacity < 0 ? indexCount : grown(indexCount, before)), 1)),
      );
    }
  }
  if (indices === undefined) geometry.setIndex(null);
  const position = geometry.getAttribute('position') as BufferAttribute;
  const color = geometry.getAttribute('color') as BufferAttribute;
  position.array.set(positions);
  putColors(color.array as Uint16Array, drawn.colors);
  position.needsUpdate = color.needsUpdate = true;
  if (indices !== undefined) {
    geometry.index!.array.set(indices);
    geometry.index!.needsUpdate = true;
  }
  geometry.setDrawRange(0, indices === undefined ? vertexCount : indexCount);
  // Bounds include the drawn vertices only, because buffers may contain old vertices after them.
  geometry.boundingBox = null;
  geometry.boundingSphere = sphereOf(positions);
  object.position.set(origin[0], origin[1], origin[2]);
  polysOf.set(object, drawn.polys);
}

/** Removes a drawn object from its scene and disposes of its buffers and material. */
export function disposeDrawn(object: DrawnMesh | DrawnLines): void {
  checkDrawn('disposeDrawn', 'object', object);
  object.removeFromParent();
  object.geometry.dispose();
  object.material.dispose();
  polysOf.delete(object);
}

/** Returns the polygon (dense index) that a raycaster hit on a drawn object, or -1. */
export function polyOfHit(hit: { object: Object3D; faceIndex?: number | null; index?: number }): number {
  checkObject('polyOfHit', 'hit', hit);
  if (hit.object?.isObject3D !== true) refuseType('polyOfHit', 'hit.object', hit.object, 'an Object3D');
  for (const index of [hit.faceIndex, hit.index])
    if (index !== undefined && index !== null) checkHandle('polyOfHit', 'hit.faceIndex', index);
  const polys = polysOf.get(hit.object);
  const index =
    (hit.object as Mesh).isMesh === true ? hit.faceIndex : hit.index === undefined ? undefined : hit.index >> 1;
  return polys === undefined || index === undefined || index === null ? -1 : (polys[index] ?? -1);
}

function dynamic(attribute: BufferAttribute): BufferAttribute {
  return attribute.setUsage(DynamicDrawUsage);
}

function grown(needed: number, capacity: number): number {
  return Math.max(needed, Math.ceil(1.5 * capacity));
}

/** Linear 16-bit value of each sRGB byte. Filled on first use. */
let linear: Uint16Array | undefined;

function putColors(out: Uint16Array, colors: Uint8Array): void {
  if (linear === undefined) {
    const color = new Color();
    linear = Uint16Array.from({ length: 256 }, (_, i) =>
      Math.round(65535 * color.setRGB(i / 255, 0, 0, SRGBColorSpace).r),
    );
  }
  for (let i = 0; i < colors.length; i++) out[i] = (i & 3) === 3 ? 257 * colors[i] : linear[colors[i]];
}

/** Returns a bounding sphere around the center of the positions' box. */
function sphereOf(positions: Float32Array): Sphere {
  const sphere = new Sphere();
  if (positions.length === 0) return sphere.makeEmpty();
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const k = i % 3;
    if (positions[i] < min[k]) min[k] = positions[i];
    if (positions[i] > max[k]) max[k] = positions[i];
  }
  const [dx, dy, dz] = max.map((value, k) => (value - min[k]) / 2);
  sphere.center.set(min[0] + dx, min[1] + dy, min[2] + dz);
  sphere.radius = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return sphere;
}

/** Throws a TypeError unless `object` is an Object3D with a geometry. */
function checkDrawn(caller: string, path: string, object: unknown): void {
  const { isObject3D, geometry } = (object ?? {}) as Partial<Mesh>;
  if (isObject3D !== true || geometry === undefined)
    refuseType(caller, path, object, 'an object of drawMesh or drawLines');
}
