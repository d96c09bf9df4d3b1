/**
 * What of a three.js mesh is drawn, as triangles in its own space: draw ranges, groups with their materials, indexed or not, of
 * any kind of attribute. Nothing of three is called but attributes' own `getX`, `getY`, `getZ`, which undo quantisation,
 * interleaving and half floats; so this file, and level.ts, load no three.
 *
 * Cost: linear in the corners drawn; vertices that no drawn triangle has are left out.
 */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Material, Mesh } from 'three';

/** Triangles in the space of their mesh. */
export interface Shape {
  /** xyz. */
  positions: Float64Array;
  /** Three a triangle. */
  corners: Uint32Array;
  /** Triangles that name vertices there are none of; they are left out. */
  invalidCount: number;
}

/** A run of corners (indices or, without these, vertices) drawn with one material. */
export interface DrawnRange {
  start: number;
  count: number;
  material: Material | undefined;
}

/** The runs of a mesh that are drawn: as the renderer goes over groups and draw range. */
export function drawnRanges(mesh: Mesh, includeInvisible: boolean): DrawnRange[] {
  const { geometry, material } = mesh;
  const total = geometry.index?.count ?? geometry.getAttribute('position')?.count ?? 0;
  const from = Math.max(0, geometry.drawRange.start);
  const to = Math.min(total, from + geometry.drawRange.count);
  const ranges: DrawnRange[] = [];
  const add = (start: number, end: number, own: Material | undefined): void => {
    const first = Math.max(start, from);
    const count = Math.min(end, to) - first;
    if (count >= 3 && (includeInvisible || own?.visible !== false)) ranges.push({ start: first, count, material: own });
  };
  if (Array.isArray(material)) {
    for (const { start, count, materialIndex = 0 } of geometry.groups) {
      const own = material[materialIndex];
      if (own !== undefined) add(start, start + count, own);
    }
  } else add(0, total, material);
  return ranges;
}

/** Undefined: the geometry has no positions that can be read. */
export function readablePositions(geometry: BufferGeometry): BufferAttribute | InterleavedBufferAttribute | undefined {
  const position: BufferAttribute | InterleavedBufferAttribute | undefined = geometry.getAttribute('position');
  return position !== undefined && typeof position.getX === 'function' && position.itemSize >= 3 ? position : undefined;
}

export function readShape(
  { index }: BufferGeometry,
  position: BufferAttribute | InterleavedBufferAttribute,
  start: number,
  count: number,
): Shape {
  const vertexCount = position.count;
  const triangles = Math.floor(count / 3);
  const corners = new Uint32Array(3 * triangles);
  let written = 0;
  let low = vertexCount;
  let high = -1;
  for (let t = 0; t < triangles; t++) {
    let isValid = true;
    for (let k = 0; k < 3; k++) {
      const at = start + 3 * t + k;
      const v = index === null ? at : index.getX(at);
      corners[written + k] = v;
      if (!(v >= 0 && v < vertexCount)) isValid = false;
    }
    if (!isValid) continue;
    for (let k = 0; k < 3; k++) {
      low = Math.min(low, corners[written + k]);
      high = Math.max(high, corners[written + k]);
    }
    written += 3;
  }
  // Numbers among the vertices that are used, from 1.
  const own = new Uint32Array(Math.max(0, high - low + 1));
  let used = 0;
  for (let i = 0; i < written; i++) {
    const v = corners[i] - low;
    if (own[v] === 0) own[v] = ++used;
    corners[i] = own[v] - 1;
  }
  const positions = new Float64Array(3 * used);
  for (let v = 0; v < own.length; v++) {
    if (own[v] === 0) continue;
    const at = 3 * (own[v] - 1);
    positions[at] = position.getX(low + v);
    positions[at + 1] = position.getY(low + v);
    positions[at + 2] = position.getZ(low + v);
  }
  return { positions, corners: corners.subarray(0, written), invalidCount: triangles - written / 3 };
}
