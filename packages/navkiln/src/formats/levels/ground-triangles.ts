/**
 * The surface of a tile as triangles for export: the detail triangles of each polygon, or its fan. Vertices
 * are numbered through the tile: its own first, then those of the detail.
 *
 * Cost: linear.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';

/** Returns the slots of the tiles in use. */
export function usedSlots(mesh: NavMesh): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) if (mesh.tileState[slot] === 1) slots.push(slot);
  return slots;
}

/** Returns the dense indices of a tile's polygons by area, in ascending order of areas. */
export function polysByArea(mesh: NavMesh, slot: number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  const first = mesh.tilePolyStart[slot];
  for (let p = first; p < first + mesh.tilePolyCount[slot]; p++) {
    const list = groups.get(mesh.polyArea[p]);
    if (list === undefined) groups.set(mesh.polyArea[p], [p]);
    else list.push(p);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/** Returns the corners of a polygon as vertex numbers of its tile. */
export function cornersOf(mesh: NavMesh, poly: number): number[] {
  const first = mesh.polyEdgeStart[poly];
  const base = mesh.tileVertexStart[mesh.polyTile[poly]];
  return Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) => mesh.edgeVertex[first + k] - base);
}

/** Appends the triangles of a polygon, three vertices each, counter-clockwise seen from above. */
export function addTriangles(out: number[], mesh: NavMesh, poly: number): void {
  const slot = mesh.polyTile[poly];
  const corners = cornersOf(mesh, poly);
  const tris = mesh.polyDetailTriCount[poly];
  if (tris === 0) {
    for (let k = 2; k < corners.length; k++) out.push(corners[0], corners[k - 1], corners[k]);
    return;
  }
  const extra =
    mesh.tileVertexCount[slot] + mesh.polyDetailVertexStart[poly] - mesh.tileDetailVertexStart[slot] - corners.length;
  const first = 4 * mesh.polyDetailTriStart[poly];
  for (let t = first; t < first + 4 * tris; t += 4) {
    for (let k = t; k < t + 3; k++) {
      const local = mesh.detailTris[k];
      out.push(local < corners.length ? corners[local] : extra + local);
    }
  }
}

/** Returns the middles of both ends of a link: start xyz, end xyz. */
export function linkEndPoints(mesh: NavMesh, link: number): number[] {
  const { linkPoints } = mesh;
  return [0, 1, 2, 6, 7, 8].map((k) => {
    const at = 12 * link + k;
    return linkPoints[at] + (linkPoints[at + 3] - linkPoints[at]) / 2;
  });
}
