/**
 * Finds mesh that nothing leads to and that a ceiling covers: closed rooms, and the hollow of solids.
 *
 * In: triangles and a mesh. Out: the islands other than the largest whose middle lies below a triangle, with areas and positions.
 * Cost: linear in the triangles for each island that is large enough; at most 64 islands are looked at.
 * Based on: own.
 */
import { findIslands } from '../../query/islands.ts';
import { polyGroundArea } from '../../query/random/ground-sampler.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import { leastIslandArea } from './sizes.ts';

/** Mesh that nothing leads to, below a ceiling. */
export interface ClosedRoom {
  /** Square units. */
  area: number;
  /** A position on its largest polygon. */
  position: [number, number, number];
}

const MOST_ISLANDS = 64;

/** Returns the closed rooms of a mesh, the largest first. */
export function findClosedRooms({ positions: p, indices }: TriangleInput, mesh: NavMesh): ClosedRoom[] {
  const { islands } = findIslands(mesh);
  const { height } = mesh.agent;
  const least = leastIslandArea(mesh.agent);
  const rooms: ClosedRoom[] = [];
  for (const { polys, area } of islands.slice(1, 1 + MOST_ISLANDS)) {
    if (area < least) break;
    const [x, y, z] = middleOf(
      mesh,
      polys.map((ref) => polyIndexOf(mesh, ref)),
    );
    if (isCovered({ positions: p, indices }, [x, y + height / 2, z])) rooms.push({ area, position: [x, y, z] });
  }
  return rooms;
}

/** Returns whether a triangle of the level lies above a position. */
export function isCovered({ positions: p, indices }: TriangleInput, [x, y, z]: readonly number[]): boolean {
  const corners = indices?.length ?? p.length / 3;
  const at = (i: number): number => 3 * (indices === undefined ? i : indices[i]);
  for (let i = 0; i + 2 < corners; i += 3) if (isBelow(p, [at(i), at(i + 1), at(i + 2)], x, y, z)) return true;
  return false;
}

/** Returns the middle of the largest polygon. */
export function middleOf(mesh: NavMesh, polys: readonly number[]): [number, number, number] {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  let largest = -1;
  let best = polys[0];
  for (const poly of polys) {
    const area = polyGroundArea(mesh, poly);
    if (area <= largest) continue;
    largest = area;
    best = poly;
  }
  const sum: [number, number, number] = [0, 0, 0];
  const count = polyVertexCount[best];
  for (let k = polyEdgeStart[best]; k < polyEdgeStart[best] + count; k++)
    for (let axis = 0; axis < 3; axis++) sum[axis] += vertices[3 * edgeVertex[k] + axis] / count;
  return sum;
}

/** Returns whether a triangle lies above a point. */
function isBelow(p: ArrayLike<number>, corners: readonly number[], x: number, y: number, z: number): boolean {
  const [a, b, c] = corners as [number, number, number];
  const side = (u: number, v: number): number => (p[v] - p[u]) * (z - p[u + 2]) - (p[v + 2] - p[u + 2]) * (x - p[u]);
  const [ab, bc, ca] = [side(a, b), side(b, c), side(c, a)];
  const sum = ab + bc + ca;
  if (sum === 0 || !((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return false;
  return (p[a + 1] * bc + p[b + 1] * ca + p[c + 1] * ab) / sum > y;
}
