/** The area of a mesh. */
import type { NavMesh } from '../../mesh/types.ts';
import { polyGroundArea } from '../../query/random/ground-sampler.ts';

/** Returns the area of all polygons seen from above, square units. */
export function areaOf(mesh: NavMesh): number {
  let area = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) area += polyGroundArea(mesh, poly);
  }
  return area;
}
