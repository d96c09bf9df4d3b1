/**
 * Causes that the mesh itself shows, without a trial: mesh in the hollow of a solid, and a polygon with all the height
 * samples that it may have.
 *
 * In: a level, a mesh, a fault. Out: its cause and remedy.
 * Cost: linear in the polygons, and in the triangles for mesh that nothing leads to.
 * Based on: own.
 */
import { polyIndexOf } from '../../../mesh/ref.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { findIslands } from '../../../query/islands.ts';
import { DETAIL_MAX_VERTICES } from '../../../build/voxel/detail/triangulation.ts';
import type { TriangleInput } from '../../../build/voxel/options.ts';
import { isCovered, middleOf } from '../../diagnose/closed-rooms.ts';
import type { FaultPlace } from '../types.ts';

/** A cause and the option that repairs it. */
export interface MeshCause {
  cause: string;
  remedy: string;
}

/** The islands of a mesh: the number of each polygon's, 0 for the largest, and a position on the largest. */
export interface Islands {
  numbers: Int32Array;
  start: readonly number[];
}

/** Numbers the islands of a mesh, the largest first. */
export function numberIslands(mesh: NavMesh): Islands {
  const numbers = new Int32Array(mesh.polyCount).fill(-1);
  const { islands } = findIslands(mesh);
  islands.forEach(({ polys }, i) => {
    for (const ref of polys) numbers[polyIndexOf(mesh, ref)] = i;
  });
  const first = islands[0]?.polys.map((ref) => polyIndexOf(mesh, ref)) ?? [];
  return { numbers, start: first.length === 0 ? [] : middleOf(mesh, first) };
}

/**
 * Explains overreach in mesh that nothing leads to and that a ceiling covers. The bake cannot tell the hollow of a solid
 * from a room; what no position leads to can be left out.
 */
export function explainHollow(
  level: TriangleInput,
  mesh: NavMesh,
  { numbers, start }: Islands,
  { kind, position }: FaultPlace,
): MeshCause | undefined {
  if (kind !== 'overreach') return undefined;
  const polys = polysAt(mesh, position, mesh.agent.maxClimb);
  if (polys.length === 0 || polys.some((p) => numbers[p] <= 0)) return undefined;
  const [x, y, z] = position;
  if (!isCovered(level, [x, y + mesh.agent.height / 2, z])) return undefined;
  return {
    cause:
      'level: nothing leads to this part of the mesh, which lies below a ceiling: the hollow of a solid, or a closed room.',
    remedy: `keepReachable: [[${start.map((value) => Number(value.toFixed(2))).join(',')}]]`,
  };
}

/** Returns whether a polygon at a place has as many height samples as polygons may have. */
export function hasFullDetail(mesh: NavMesh, { position }: FaultPlace): boolean {
  return polysAt(mesh, position, Infinity).some(
    (p) => mesh.polyDetailVertexCount[p] + mesh.polyVertexCount[p] >= DETAIL_MAX_VERTICES,
  );
}

/** Returns the polygons whose outlines seen from above contain a position, and whose heights are within `reach` of it. */
function polysAt(mesh: NavMesh, [x, y, z]: readonly number[], reach: number): number[] {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const found: number[] = [];
  for (let p = 0; p < mesh.polyCount; p++) {
    const first = polyEdgeStart[p];
    const count = polyVertexCount[p];
    let sides = 0;
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < count; k++) {
      const a = 3 * edgeVertex[first + k];
      const b = 3 * edgeVertex[first + ((k + 1) % count)];
      const side =
        (vertices[b] - vertices[a]) * (z - vertices[a + 2]) - (vertices[b + 2] - vertices[a + 2]) * (x - vertices[a]);
      sides += Math.sign(side);
      low = Math.min(low, vertices[a + 1]);
      high = Math.max(high, vertices[a + 1]);
    }
    if (Math.abs(sides) === count && y >= low - reach && y <= high + reach) found.push(p);
  }
  return found;
}
