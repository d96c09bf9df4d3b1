/**
 * The mesh on the grid of the level: the points where columns cut its polygons, and which polygons are connected.
 *
 * Links are not connections here: they lead over what an agent cannot walk.
 *
 * In: a mesh, a grid. Out: `Surface`.
 * Cost: linear in the triangles of the mesh, and in cuts.
 * Based on: own.
 */
import { rootOf, unite } from '../../base/data/union-find.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { cutColumns } from './shapes/grid.ts';
import type { Cuts, Grid } from './shapes/grid.ts';

/** The part of a mesh that an agent uses. */
export interface Surface {
  /** Cuts of the columns; `item` is the polygon. */
  cuts: Cuts;
  /** Whether a polygon counts. */
  isUsed: Uint8Array;
  /** Whether a polygon has no flags, so that no query passes it: what `keepReachable` leaves out. It covers floors, and is no overreach. */
  isOff: Uint8Array;
  /** Number of the connected part of each polygon; parts have the number of their first polygon. */
  part: Int32Array;
}

/** Cuts the polygons of a mesh that fit a size (-1: all) with the columns of a grid. */
export function cutSurface(mesh: NavMesh, grid: Grid, size: number): Surface {
  const isUsed = new Uint8Array(mesh.polyCount);
  let count = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let p = mesh.tilePolyStart[slot]; p < end; p++) {
      if (size >= 0 && ((mesh.polySizes[p] >> size) & 1) === 0) continue;
      isUsed[p] = 1;
      count += mesh.polyDetailTriCount[p] || mesh.polyVertexCount[p] - 2;
    }
  }
  const corners = new Float64Array(9 * count);
  const poly = new Int32Array(count);
  let n = 0;
  for (let p = 0; p < mesh.polyCount; p++) if (isUsed[p] === 1) n = addPoly(mesh, grid, p, { corners, poly, n });
  const cuts = cutColumns(grid, corners, count);
  for (let k = 0; k < cuts.item.length; k++) cuts.item[k] = poly[cuts.item[k]];
  const isOff = Uint8Array.from(isUsed, (used, p) => Number(used === 1 && mesh.polyFlags[p] === 0));
  return { cuts, isUsed, isOff, part: partsOf(mesh, isUsed) };
}

function addPoly(
  mesh: NavMesh,
  { origin, spacing, u0, v0 }: Grid,
  p: number,
  out: { corners: Float64Array; poly: Int32Array; n: number },
): number {
  const sides = mesh.polyVertexCount[p];
  const edges = mesh.polyEdgeStart[p];
  const extra = mesh.polyDetailVertexStart[p] - sides;
  const hasDetail = mesh.polyDetailTriCount[p] > 0;
  const count = hasDetail ? mesh.polyDetailTriCount[p] : sides - 2;
  let { n } = out;
  for (let t = 0; t < count; t++) {
    const at = 4 * (mesh.polyDetailTriStart[p] + t);
    for (let k = 0; k < 3; k++) {
      const local = hasDetail ? mesh.detailTris[at + k] : k === 0 ? 0 : t + k;
      const source = local < sides ? mesh.vertices : mesh.detailVertices;
      const v = 3 * (local < sides ? mesh.edgeVertex[edges + local] : extra + local);
      out.corners[9 * n + 3 * k] = (source[v] - origin[0] - u0) / spacing;
      out.corners[9 * n + 3 * k + 1] = source[v + 1] - origin[1];
      out.corners[9 * n + 3 * k + 2] = (source[v + 2] - origin[2] - v0) / spacing;
    }
    out.poly[n++] = p;
  }
  return n;
}

/** Returns the connected part of each polygon over edges and portals. */
function partsOf(mesh: NavMesh, isUsed: Uint8Array): Int32Array {
  const part = new Int32Array(mesh.polyCount).map((_, i) => i);
  for (let p = 0; p < mesh.polyCount; p++) {
    if (isUsed[p] === 0) continue;
    const first = mesh.polyEdgeStart[p];
    for (let e = first; e < first + mesh.polyVertexCount[p]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other >= 0 && isUsed[other] === 1) unite(part, p, other);
    }
    for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
      if (isUsed[mesh.portalPoly[l]] === 1) unite(part, p, mesh.portalPoly[l]);
    }
  }
  for (let p = 0; p < part.length; p++) part[p] = rootOf(part, p);
  return part;
}
