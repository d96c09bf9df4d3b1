/**
 * Draw lists -> three.js objects: a Mesh of triangles, LineSegments of lines, put at the list's origin. What changes every frame
 * is written into the same buffers, which grow by half when they must; what is no longer drawn is disposed of.
 *
 * Colours of lists are sRGB, as on a page; three takes vertex colours as linear, so they are turned by its own table.
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
import { refuse } from '../data/refuse.ts';
import type { DebugGeometry } from '../debug/draw/list.ts';

export interface DrawObjectOptions {
  /** Over the alpha of the colours. Default 1. */
  opacity?: number;
  /** Default false. True: drawn over everything that lies before it. */
  onTop?: boolean;
  name?: string;
}

export type DrawnMesh = Mesh<BufferGeometry, MeshBasicMaterial>;
export type DrawnLines = LineSegments<BufferGeometry, LineBasicMaterial>;

/** The polygon of each triangle or line drawn, kept with the object. */
const polysOf = /* @__PURE__ */ new WeakMap<Object3D, Int32Array | undefined>();

/** A Mesh of a list of triangles. Add it to a scene whose root is not moved. */
export function drawMesh(list: DebugGeometry, options: DrawObjectOptions = {}): DrawnMesh {
  if (list.kind !== 'triangles')
    refuse('drawMesh', 'list.kind', list.kind, 'a list of triangles, or lines to drawLines');
  const { opacity = 1, onTop = false, name = 'navmesh' } = options;
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
  updateDrawn(mesh, list);
  return mesh;
}

/** LineSegments of a list of lines. */
export function drawLines(list: DebugGeometry, options: DrawObjectOptions = {}): DrawnLines {
  if (list.kind !== 'lines') refuse('drawLines', 'list.kind', list.kind, 'a list of lines, or triangles to drawMesh');
  const { opacity = 1, onTop = false, name = 'navmesh lines' } = options;
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
  updateDrawn(lines, list);
  return lines;
}

/** Shows another list of the same kind with the same object: in its buffers, if it fits. */
export function updateDrawn(object: DrawnMesh | DrawnLines, list: DebugGeometry): void {
  const isMesh = (object as Mesh).isMesh === true;
  if (isMesh !== (list.kind === 'triangles'))
    refuse('updateDrawn', 'list.kind', list.kind, 'a list of the kind that was drawn');
  const { geometry } = object;
  const { positions, indices, origin } = list;
  const vertexCount = positions.length / 3;
  const indexCount = indices?.length ?? 0;
  const room = geometry.getAttribute('position')?.count ?? -1;
  if (vertexCount > room || indexCount > (geometry.index?.count ?? 0)) {
    // Buffers of another length are other buffers: the old ones are let go.
    geometry.dispose();
    const vertices = room < 0 ? vertexCount : grown(vertexCount, room);
    geometry.setAttribute('position', dynamic(new BufferAttribute(new Float32Array(3 * vertices), 3)));
    geometry.setAttribute('color', dynamic(new BufferAttribute(new Uint16Array(4 * vertices), 4, true)));
    if (indices !== undefined) {
      const before = geometry.index?.count ?? 0;
      geometry.setIndex(
        dynamic(new BufferAttribute(new Uint32Array(room < 0 ? indexCount : grown(indexCount, before)), 1)),
      );
    }
  }
  if (indices === undefined) geometry.setIndex(null);
  const position = geometry.getAttribute('position') as BufferAttribute;
  const color = geometry.getAttribute('color') as BufferAttribute;
  position.array.set(positions);
  putColors(color.array as Uint16Array, list.colors);
  position.needsUpdate = color.needsUpdate = true;
  if (indices !== undefined) {
    geometry.index!.array.set(indices);
    geometry.index!.needsUpdate = true;
  }
  geometry.setDrawRange(0, indices === undefined ? vertexCount : indexCount);
  // Of what is drawn, not of what is left in the buffers.
  geometry.boundingBox = null;
  geometry.boundingSphere = sphereOf(positions);
  object.position.set(origin[0], origin[1], origin[2]);
  polysOf.set(object, list.polys);
}

/** Takes a drawn object out of its scene and lets its buffers and its material go. */
export function disposeDrawn(object: DrawnMesh | DrawnLines): void {
  object.removeFromParent();
  object.geometry.dispose();
  object.material.dispose();
  polysOf.delete(object);
}

/** The polygon (a dense index) that a raycaster has hit on a drawn object, or -1. */
export function polyOfHit(hit: { object: Object3D; faceIndex?: number | null; index?: number }): number {
  const polys = polysOf.get(hit.object);
  const at =
    (hit.object as Mesh).isMesh === true ? hit.faceIndex : hit.index === undefined ? undefined : hit.index >> 1;
  return polys === undefined || at === undefined || at === null ? -1 : (polys[at] ?? -1);
}

function dynamic(attribute: BufferAttribute): BufferAttribute {
  return attribute.setUsage(DynamicDrawUsage);
}

function grown(needed: number, room: number): number {
  return Math.max(needed, Math.ceil(1.5 * room));
}

/** sRGB byte -> linear, 16 bits. Made when first needed. */
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

/** Around the middle of the box of all points. */
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
