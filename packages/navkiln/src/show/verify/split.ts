/**
 * Lists the places where connections are lost or invented.
 *
 * In: floors, their sets, the polygon of each. Out: places.
 * Cost: linear in the floors and the edges of the mesh.
 * Based on: own; see seams.ts.
 */
import type { NavMesh } from '../../mesh/types.ts';
import type { Connections } from './connections.ts';
import { IS_SURE } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import { pointAt } from './shapes/points.ts';
import { findSeams } from './shapes/seams.ts';
import type { Surface } from './surface.ts';
import type { FaultPlace } from './types.ts';

/** What the places are found from. */
export interface Compared {
  grid: Grid;
  floors: Floors;
  connections: Connections;
  mesh: NavMesh;
  surface: Surface;
  /** The polygon of each floor; -1: none. */
  poly: Int32Array;
}

/** Returns a place for each part of the mesh that is cut off from a larger one although an agent surely walks there. */
export function listLost({ grid, floors, connections, surface, poly }: Compared): FaultPlace[] {
  const { count, column, y, state, beside, ways } = floors;
  const labels = new Int32Array(count).fill(-1);
  const sizes = new Map<number, number>();
  for (let p = 0; p < count; p++) {
    if ((state[p] & IS_SURE) === 0 || poly[p] < 0) continue;
    labels[p] = surface.part[poly[p]];
    const key = connections.sure[p] * 2 ** 26 + labels[p];
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const seams = findSeams(labels, (p, visit) => {
    for (let d = 0; d < 4; d++) {
      const q = beside[4 * p + d];
      if ((ways[p] & (16 << d)) !== 0 && (state[p] & state[q] & IS_SURE) !== 0) visit(q);
    }
  });
  const cell = grid.spacing * grid.spacing;
  return seams.map(({ from, labels: pair }) => {
    const [a, b] = pair.map((label) => sizes.get(connections.sure[from] * 2 ** 26 + label) ?? 0);
    const position = pointAt(grid, column[from], y[from]);
    return { kind: 'lost', position, area: Math.min(a, b) * cell, cause: null, remedy: null };
  });
}

/** Returns a place for each set of floors that the mesh joins to another one, and the level surely does not. */
export function listInvented({ grid, floors, connections, mesh, surface, poly }: Compared): FaultPlace[] {
  const { count, state } = floors;
  const labels = new Int32Array(mesh.polyCount).fill(-1);
  const sizes = new Map<number, number>();
  for (let p = 0; p < count; p++) {
    if ((state[p] & IS_SURE) === 0 || poly[p] < 0) continue;
    const label = connections.loose[p];
    sizes.set(label, (sizes.get(label) ?? 0) + 1);
    labels[poly[p]] = label;
  }
  const { isUsed } = surface;
  const seams = findSeams(labels, (p, visit) => {
    const first = mesh.polyEdgeStart[p];
    for (let e = first; e < first + mesh.polyVertexCount[p]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other >= 0 && isUsed[other] === 1) visit(other);
    }
    for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
      if (isUsed[mesh.portalPoly[l]] === 1) visit(mesh.portalPoly[l]);
    }
  });
  const cell = grid.spacing * grid.spacing;
  return seams.map(({ from, to, labels: pair }) => {
    const area = Math.min(...pair.map((label) => sizes.get(label) ?? 0)) * cell;
    return { kind: 'invented', position: sharedPoint(mesh, from, to), area, cause: null, remedy: null };
  });
}

/** Returns the middle of the edge or portal from one polygon to another. */
function sharedPoint(mesh: NavMesh, p: number, q: number): [number, number, number] {
  const first = mesh.polyEdgeStart[p];
  const end = first + mesh.polyVertexCount[p];
  for (let e = first; e < end; e++) if (mesh.edgeNeighbor[e] === q) return pointOn(mesh, p, e, 0.5);
  for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalPoly[l] !== q) continue;
    return pointOn(mesh, p, mesh.portalEdge[l], (mesh.portalSpan[2 * l] + mesh.portalSpan[2 * l + 1]) / 2);
  }
  return pointOn(mesh, p, first, 0.5);
}

function pointOn(mesh: NavMesh, p: number, e: number, s: number): [number, number, number] {
  const next = e + 1 === mesh.polyEdgeStart[p] + mesh.polyVertexCount[p] ? mesh.polyEdgeStart[p] : e + 1;
  const a = 3 * mesh.edgeVertex[e];
  const b = 3 * mesh.edgeVertex[next];
  const { vertices } = mesh;
  const at = (k: number): number => vertices[a + k] + s * (vertices[b + k] - vertices[a + k]);
  return [at(0), at(1), at(2)];
}
