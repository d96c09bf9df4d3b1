/**
 * Finds false doors: edges and portals that join two polygons whose surfaces lie more than a step apart there.
 *
 * The surfaces are compared along the shared line, not at its ends: over a ridge, both ends can agree.
 *
 * In: a mesh. Out: lengths and places.
 * Cost: linear in edges and portals, per sample along them, times the triangles of a polygon's detail.
 * Based on: own.
 */
import { closestPointOnPoly } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Setup } from './setup.ts';

/** A false door: where it is, and how long. */
export interface FalseDoor {
  position: [number, number, number];
  length: number;
}

/** Returns the false doors among the polygons that count. */
export function findFalseDoors(mesh: NavMesh, isUsed: Uint8Array, setup: Setup): FalseDoor[] {
  const doors: FalseDoor[] = [];
  for (let p = 0; p < mesh.polyCount; p++) {
    if (isUsed[p] === 0) continue;
    const first = mesh.polyEdgeStart[p];
    for (let e = first; e < first + mesh.polyVertexCount[p]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other > p && isUsed[other] === 1) measure(doors, mesh, setup, p, other, [e, 0, 1]);
    }
    for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
      const other = mesh.portalPoly[l];
      if (other > p && isUsed[other] === 1) {
        measure(doors, mesh, setup, p, other, [mesh.portalEdge[l], mesh.portalSpan[2 * l], mesh.portalSpan[2 * l + 1]]);
      }
    }
  }
  return doors.sort((a, b) => b.length - a.length);
}

const here = new Float64Array(3);
const there = new Float64Array(3);

/** Compares both surfaces along the part `from` to `to` of an edge of p. */
// oxlint-disable-next-line max-params -- ids, and a line
function measure(
  doors: FalseDoor[],
  mesh: NavMesh,
  setup: Setup,
  p: number,
  other: number,
  [edge, from, to]: [edge: number, from: number, to: number],
): void {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const next = edge + 1 === polyEdgeStart[p] + polyVertexCount[p] ? polyEdgeStart[p] : edge + 1;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const dx = vertices[b] - vertices[a];
  const dz = vertices[b + 2] - vertices[a + 2];
  const length = Math.sqrt(dx * dx + dz * dz) * (to - from);
  const samples = Math.min(4096, Math.max(2, Math.ceil((2 * length) / setup.cell)));
  let wrong = 0;
  let worst = 0;
  const position: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < samples; k++) {
    const s = from + ((k + 0.5) / samples) * (to - from);
    for (const point of [here, there]) {
      point[0] = vertices[a] + s * dx;
      point[1] = vertices[a + 1] + s * (vertices[b + 1] - vertices[a + 1]);
      point[2] = vertices[a + 2] + s * dz;
    }
    closestPointOnPoly(here, mesh, p, here);
    closestPointOnPoly(there, mesh, other, there);
    const rise = Math.abs(here[1] - there[1]);
    if (rise <= setup.doorStep) continue;
    wrong++;
    if (rise <= worst) continue;
    worst = rise;
    position[0] = here[0];
    position[1] = here[1];
    position[2] = here[2];
  }
  if (wrong > 0) doors.push({ position, length: (length * wrong) / samples });
}
