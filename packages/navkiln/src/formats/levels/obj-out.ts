/**
 * Writes a NavMesh as OBJ text, for Blender and other editors: one object per tile, one group and material
 * (`area_63`) per area, one face per polygon. Links are lines of an object of their own. Reading the
 * coordinates back gives the same doubles.
 *
 * In: a NavMesh.
 * Out: text.
 * Cost: linear.
 * Based on: the Wavefront OBJ format, y up; own code.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { addTriangles, cornersOf, linkEndPoints, polysByArea, usedSlots } from './ground-triangles.ts';

/** Options of `writeObj`. */
export interface ObjWriteOptions {
  /** Writes the detail triangles, which follow the surface, instead of the polygons. Default false. */
  detail?: boolean;
}

/**
 * Returns a NavMesh as OBJ text: polygons or detail triangles, and links as lines.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function writeObj(mesh: NavMesh, options: ObjWriteOptions = {}): string {
  checkNavMesh('writeObj', mesh);
  checkKeys('writeObj', options, ['detail']);
  const { detail = false } = options;
  const { radius, height } = mesh.agent;
  const lines = [`# navkiln navigation mesh for an agent of radius ${radius}, height ${height}; y up`];
  // OBJ counts from 1.
  let base = 1;
  const put = (points: ArrayLike<number>, start: number, count: number): void => {
    for (let i = 3 * start; i < 3 * (start + count); i += 3)
      lines.push(`v ${points[i]} ${points[i + 1]} ${points[i + 2]}`);
  };
  for (const slot of usedSlots(mesh)) {
    const vertexCount = mesh.tileVertexCount[slot];
    const extraCount = detail ? mesh.tileDetailVertexCount[slot] : 0;
    lines.push(`o tile_${mesh.tileX[slot]}_${mesh.tileZ[slot]}_${mesh.tileLayer[slot]}`);
    put(mesh.vertices, mesh.tileVertexStart[slot], vertexCount);
    put(mesh.detailVertices, mesh.tileDetailVertexStart[slot], extraCount);
    for (const [area, polys] of polysByArea(mesh, slot)) {
      lines.push(`g area_${area}`, `usemtl area_${area}`);
      for (const poly of polys) {
        if (!detail) {
          lines.push(
            `f ${cornersOf(mesh, poly)
              .map((v) => v + base)
              .join(' ')}`,
          );
          continue;
        }
        const corners: number[] = [];
        addTriangles(corners, mesh, poly);
        for (let k = 0; k < corners.length; k += 3) {
          lines.push(`f ${corners[k] + base} ${corners[k + 1] + base} ${corners[k + 2] + base}`);
        }
      }
    }
    base += vertexCount + extraCount;
  }
  let isFirst = true;
  for (let link = 0; link < mesh.linkCount; link++) {
    if (mesh.linkState[link] === 0) continue;
    if (isFirst) lines.push('o links');
    isFirst = false;
    put(linkEndPoints(mesh, link), 0, 2);
    lines.push(`l ${base} ${base + 1}`);
    base += 2;
  }
  return `${lines.join('\n')}\n`;
}
