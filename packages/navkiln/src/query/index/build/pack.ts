/**
 * Stores cones ordered by polygon, and converts vertices to points of the index.
 *
 * The index keeps copies of the coordinates that it needs, so that it does not read vertices of removed tiles.
 *
 * In: corners, cones in any order.
 * Out: `points`, `cornerY`, `polyCone` and `cones` of the index.
 * Cost: linear.
 * Based on: own.
 */
import { sideOfPoints } from '../../../base/math/predicates.ts';
import type { PathIndex } from '../types.ts';
import type { Cones } from './cones.ts';
import type { Ground, Sectors } from './sectors.ts';

const TEST_RIGHT = 0;
const TEST_LEFT = 1;
const TEST_BOTH = 2;

/** Returns the lines of a cone with which a position in its polygon has to be compared. */
function testedLines({ mesh, xs, zs }: Ground, sectors: Sectors, cones: Cones, cone: number): number {
  const apex = sectors.vertex[cones.corner[cone]];
  const right = cones.right[cone];
  const left = cones.left[cone];
  const rightPoint = right < 0 ? ~right : right;
  const leftPoint = left < 0 ? ~left : left;
  const first = mesh.polyEdgeStart[cones.poly[cone]];
  const end = first + mesh.polyVertexCount[cones.poly[cone]];
  let cutsRight = false;
  let cutsLeft = false;
  for (let edge = first; edge < end; edge++) {
    const vertex = mesh.edgeVertex[edge];
    if (!cutsRight && sideOfPoints(xs, zs, apex, rightPoint, vertex) * (right < 0 ? -1 : 1) < 0) cutsRight = true;
    if (!cutsLeft && sideOfPoints(xs, zs, apex, leftPoint, vertex) * (left < 0 ? -1 : 1) > 0) cutsLeft = true;
  }
  return cutsLeft ? (cutsRight ? TEST_BOTH : TEST_LEFT) : TEST_RIGHT;
}

/** Writes the corners and cones into the index. */
export function packCones(out: PathIndex, ground: Ground, sectors: Sectors, cones: Cones): void {
  const { mesh, xs, ys, zs } = ground;
  const { cornerCount } = sectors;
  const pointOf = new Int32Array(xs.length).fill(-1);
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
  // Cones are grouped by polygon and tested lines.
  const groups = Uint8Array.from({ length: cones.count }, (_, i) => testedLines(ground, sectors, cones, i));
  const fill = new Int32Array(3 * mesh.polyCount + 1);
  for (let i = 0; i < cones.count; i++) fill[3 * cones.poly[i] + groups[i] + 1]++;
  for (let k = 0; k < 3 * mesh.polyCount; k++) fill[k + 1] += fill[k];
  out.polyCone = Int32Array.from({ length: mesh.polyCount + 1 }, (_, poly) => fill[3 * poly]);
  out.polyTested = Int32Array.from({ length: 2 * mesh.polyCount }, (_, k) => fill[3 * (k >> 1) + (k & 1) + 1]);
  out.cones = new Int32Array(3 * cones.count);
  for (let i = 0; i < cones.count; i++) {
    const at = 3 * fill[3 * cones.poly[i] + groups[i]]++;
    out.cones[at] = cones.corner[i];
    out.cones[at + 1] = nameOf(cones.right[i]);
    out.cones[at + 2] = nameOf(cones.left[i]);
  }
  out.cornerCount = cornerCount;
  out.points = new Float64Array(2 * vertices.length);
  out.cornerY = new Float64Array(cornerCount);
  out.cornerPoly = Int32Array.from({ length: cornerCount }, (_, corner) => sectors.itemPoly[sectors.itemStart[corner]]);
  out.cornerWall = new Float64Array(2 * cornerCount);
  for (let corner = 0; corner < cornerCount; corner++) {
    const wall = sectors.wall[corner];
    const vertex = sectors.vertex[corner];
    if (wall < 0) continue;
    out.cornerWall[2 * corner] = xs[wall] - xs[vertex];
    out.cornerWall[2 * corner + 1] = zs[wall] - zs[vertex];
  }
  vertices.forEach((vertex, point) => {
    out.points[2 * point] = xs[vertex];
    out.points[2 * point + 1] = zs[vertex];
    if (point < cornerCount) out.cornerY[point] = ys[vertex];
  });
}
