/**
 * Stores cones by polygon, and renames vertices as points of the index.
 *
 * The index keeps copies of the coordinates it needs, so that it does not read vertices of tiles that are gone.
 *
 * In: corners, cones in any order.
 * Out: `points`, `cornerY`, `polyCone` and `cones` of the index.
 * Cost: linear.
 * Based on: own.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import type { PathIndex } from '../types.ts';
import type { Cones } from './cones.ts';
import type { Sectors } from './sectors.ts';

/**
 * Joins cones of one corner in one polygon where they share a limit: it entered the polygon through two edges that meet there.
 */
function joinCones(cones: Cones): void {
  const last = new Map<number, number>();
  let count = 0;
  let corner = -1;
  const { poly, right, left } = cones;
  for (let i = 0; i < cones.count; i++) {
    if (cones.corner[i] !== corner) last.clear();
    corner = cones.corner[i];
    const known = last.get(poly[i]);
    if (known !== undefined && left[known] === right[i]) {
      left[known] = left[i];
      continue;
    }
    if (known !== undefined && right[known] === left[i]) {
      right[known] = right[i];
      continue;
    }
    last.set(poly[i], count);
    poly[count] = poly[i];
    cones.corner[count] = corner;
    right[count] = right[i];
    left[count++] = left[i];
  }
  cones.count = count;
}

/** Writes the corners and cones into the index. */
export function packCones(out: PathIndex, mesh: NavMesh, sectors: Sectors, cones: Cones): void {
  const { cornerCount } = sectors;
  joinCones(cones);
  const pointOf = new Int32Array(mesh.vertexCount).fill(-1);
  const vertices: number[] = [];
  for (let corner = 0; corner < cornerCount; corner++) {
    const vertex = sectors.vertex[corner];
    if (pointOf[vertex] < 0) pointOf[vertex] = corner;
    vertices.push(vertex);
  }
  const nameOf = (limit: number): number => {
    const vertex = limit < 0 ? ~limit : limit;
    if (pointOf[vertex] < 0) {
      pointOf[vertex] = vertices.length;
      vertices.push(vertex);
    }
    return limit < 0 ? ~pointOf[vertex] : pointOf[vertex];
  };
  out.polyCone = new Int32Array(mesh.polyCount + 1);
  for (let i = 0; i < cones.count; i++) out.polyCone[cones.poly[i] + 1]++;
  for (let poly = 0; poly < mesh.polyCount; poly++) out.polyCone[poly + 1] += out.polyCone[poly];
  const fill = out.polyCone.slice();
  out.cones = new Int32Array(3 * cones.count);
  for (let i = 0; i < cones.count; i++) {
    const at = 3 * fill[cones.poly[i]]++;
    out.cones[at] = cones.corner[i];
    out.cones[at + 1] = nameOf(cones.right[i]);
    out.cones[at + 2] = nameOf(cones.left[i]);
  }
  out.cornerCount = cornerCount;
  out.points = new Float64Array(2 * vertices.length);
  out.cornerY = new Float64Array(cornerCount);
  out.cornerWall = new Float64Array(2 * cornerCount);
  for (let corner = 0; corner < cornerCount; corner++) {
    const wall = sectors.wall[corner];
    const vertex = sectors.vertex[corner];
    if (wall < 0) continue;
    out.cornerWall[2 * corner] = mesh.vertices[3 * wall] - mesh.vertices[3 * vertex];
    out.cornerWall[2 * corner + 1] = mesh.vertices[3 * wall + 2] - mesh.vertices[3 * vertex + 2];
  }
  vertices.forEach((vertex, point) => {
    out.points[2 * point] = mesh.vertices[3 * vertex];
    out.points[2 * point + 1] = mesh.vertices[3 * vertex + 2];
    if (point < cornerCount) out.cornerY[point] = mesh.vertices[3 * vertex + 1];
  });
}
