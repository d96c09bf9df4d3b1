/**
 * Facts about a polygon: its size, its tile, and its neighbor or wall behind each edge.
 *
 * In: a mesh and a polygon (dense index). Out: numbers, and one entry for each edge, portal and link end.
 * Cost: linear in the corners, portals and links of the polygon.
 * Based on: own.
 */
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../../state/state.ts';

/** The neighbor or wall behind an edge. A border edge has one entry for each portal. */
export interface Neighbor {
  kind: 'wall' | 'edge' | 'portal' | 'link';
  /** Number of the edge in its polygon; -1 for a link. */
  edge: number;
  /** The polygon behind it, or -1. */
  poly: number;
  /** The middle of the edge or portal, or the end of the link. */
  at: Vec3;
}

export interface PolyFacts {
  corners: Vec3[];
  /** Mean of the corners. */
  center: Vec3;
  /** Seen from above, square units. */
  area: number;
  neighbors: Neighbor[];
}

export function polyFacts(mesh: NavMesh, poly: number): PolyFacts {
  const { polyEdgeStart, edgeNeighbor, polyPortal, portalNext } = mesh;
  const corners = cornersOf(mesh, poly);
  const neighbors: Neighbor[] = [];
  corners.forEach((from, edge) => {
    const to = corners[(edge + 1) % corners.length];
    const behind = edgeNeighbor[polyEdgeStart[poly] + edge];
    if (behind >= 0) neighbors.push({ kind: 'edge', edge, poly: behind, at: between(from, to, 0.5) });
    else if (behind === -1) neighbors.push({ kind: 'wall', edge, poly: -1, at: between(from, to, 0.5) });
    else {
      const before = neighbors.length;
      for (let portal = polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
        if (mesh.portalEdge[portal] !== polyEdgeStart[poly] + edge) continue;
        const middle = (mesh.portalSpan[2 * portal] + mesh.portalSpan[2 * portal + 1]) / 2;
        neighbors.push({ kind: 'portal', edge, poly: mesh.portalPoly[portal], at: between(from, to, middle) });
      }
      if (neighbors.length === before) neighbors.push({ kind: 'wall', edge, poly: -1, at: between(from, to, 0.5) });
    }
  });
  for (let end = mesh.polyLink[poly]; end >= 0; end = mesh.linkNext[end]) {
    const [a, b] = [6 * end, 6 * end + 3];
    const anchor = (axis: number): number => (mesh.linkAnchors[a + axis] + mesh.linkAnchors[b + axis]) / 2;
    neighbors.push({ kind: 'link', edge: -1, poly: mesh.linkPoly[end ^ 1], at: [anchor(0), anchor(1), anchor(2)] });
  }
  return { corners, center: centerOf(corners), area: areaOf(corners), neighbors };
}

export function polyCenter(mesh: NavMesh, poly: number): Vec3 {
  return centerOf(cornersOf(mesh, poly));
}

function cornersOf({ polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh, poly: number): Vec3[] {
  return Array.from({ length: polyVertexCount[poly] }, (_, k): Vec3 => {
    const at = 3 * edgeVertex[polyEdgeStart[poly] + k];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  });
}

function centerOf(corners: readonly Vec3[]): Vec3 {
  const mean = (axis: 0 | 1 | 2): number => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return [mean(0), mean(1), mean(2)];
}

function areaOf(corners: readonly Vec3[]): number {
  const double = corners.reduce((sum, [x, , z], i) => {
    const [nextX, , nextZ] = corners[(i + 1) % corners.length];
    return sum + z * nextX - x * nextZ;
  }, 0);
  return Math.abs(double) / 2;
}

function between(a: Vec3, b: Vec3, share: number): Vec3 {
  const at = (axis: 0 | 1 | 2): number => a[axis] + share * (b[axis] - a[axis]);
  return [at(0), at(1), at(2)];
}
