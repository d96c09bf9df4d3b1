/**
 * Reads the triangles of a three.js mesh that the renderer draws: draw ranges, groups with their materials, with or
 * without an index, any kind of attribute.
 *
 * Only the attributes' `getX`, `getY` and `getZ` are called, which resolve quantization, interleaving and
 * half floats. So this file and level.ts load no code of three.
 *
 * In: a mesh or geometry. Out: ranges, and positions that can be read.
 * Cost: linear in the groups.
 * Based on: own.
 */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Material, Mesh } from 'three';

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
