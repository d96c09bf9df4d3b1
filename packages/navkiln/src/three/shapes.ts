/**
 * Reads the drawn triangles of a three.js mesh in its own space: draw ranges, groups with their materials,
 * indexed or not, any kind of attribute.
 *
 * Only the attributes' `getX`, `getY` and `getZ` are called, which resolve quantization, interleaving and
 * half floats. So this file and level.ts load no code of three.
 *
 * In: a mesh or geometry. Out: ranges and shapes, without the vertices that no drawn triangle uses.
 * Cost: linear in the drawn corners.
 * Based on: own.
 */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Material, Mesh } from 'three';

/** Triangles in the space of their mesh. */
export interface Shape {
  /** xyz. */
  positions: Float64Array;
  /** Three per triangle: indices of positions. */
  corners: Uint32Array;
  /** Triangles with indices out of range, which are left out. */
  invalidCount: number;
}

/** A range of corners (indices, or vertices without an index) that is drawn with one material. */
export interface DrawnRange {
  start: number;
  count: number;
  material: Material | undefined;
}

/** Returns the ranges of a mesh that the renderer draws, from its groups and draw range. */
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

/** Returns the positions of a geometry, or undefined when they cannot be read. */
export function readablePositions(geometry: BufferGeometry): BufferAttribute | InterleavedBufferAttribute | undefined {
  const position: BufferAttribute | InterleavedBufferAttribute | undefined = geometry.getAttribute('position');
  return position !== undefined && typeof position.getX === 'function' && position.itemSize >= 3 ? position : undefined;
}

/** Reads the triangles of a range of a geometry. */
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
  // Renumbers the used vertices from 1; 0 means unused.
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
