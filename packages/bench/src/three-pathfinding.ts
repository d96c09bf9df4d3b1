/**
 * Finds paths with npm three-pathfinding on the polygons of a `NavMesh`, triangulated as it needs them. Its
 * ES build is imported by path, because the entry for Node loads three's deprecated CommonJS build.
 */
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';
import { Pathfinding } from 'three-pathfinding/dist/three-pathfinding.modern.mjs';
import type { NavMesh } from 'navkiln';

const ZONE = 'zone';

/** It rounds vertices to two decimals, so a path corner may be off by this much, in world units. */
export const THREE_ROUNDING = 0.0075;

export interface ThreeZone {
  pathfinding: Pathfinding;
  triangles: number;
  groups: number;
}

export interface ThreeQuery {
  start: Vector3;
  end: Vector3;
  group: number;
}

export function createThreeZone(mesh: NavMesh): ThreeZone {
  const triangles = trianglesOf(mesh);
  const geometry = new BufferGeometry();
  const positions = Float32Array.from(mesh.vertices.subarray(0, 3 * mesh.vertexCount));
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1));
  const pathfinding = new Pathfinding();
  const zone = Pathfinding.createZone(geometry);
  pathfinding.setZoneData(ZONE, zone);
  return { pathfinding, triangles: triangles.length / 3, groups: zone.groups.length };
}

/**
 * Returns a query with the group in which both ends are found, or null. Its own `getGroup` may return a group
 * that the start is not in, so all groups are tried, and that time is not measured.
 */
export function prepareThreeQuery(zone: ThreeZone, from: ArrayLike<number>, to: ArrayLike<number>): ThreeQuery | null {
  const start = new Vector3(from[0], from[1], from[2]);
  const end = new Vector3(to[0], to[1], to[2]);
  for (let group = 0; group < zone.groups; group++) {
    if (zone.pathfinding.findPath(start, end, ZONE, group)) return { start, end, group };
  }
  return null;
}

/** Returns the corners without the start. */
export function findPathWithThree(
  { pathfinding }: ThreeZone,
  { start, end, group }: ThreeQuery,
): readonly Vector3[] | null {
  return pathfinding.findPath(start, end, ZONE, group);
}

/**
 * Returns vertex indices, three per triangle. The fattest ear of a polygon is cut first, so that collinear
 * corners make no flat triangle.
 */
function trianglesOf({ polyCount, polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh): number[] {
  const triangles: number[] = [];
  const cross = (a: number, b: number, c: number): number => {
    const ax = vertices[3 * a],
      az = vertices[3 * a + 2];
    return (vertices[3 * c] - ax) * (vertices[3 * b + 2] - az) - (vertices[3 * b] - ax) * (vertices[3 * c + 2] - az);
  };
  const squared = (a: number, b: number): number => {
    return (vertices[3 * a] - vertices[3 * b]) ** 2 + (vertices[3 * a + 2] - vertices[3 * b + 2]) ** 2;
  };
  const fatness = (a: number, b: number, c: number): number => {
    return cross(a, b, c) / Math.max(squared(a, b), squared(b, c), squared(c, a));
  };
  for (let poly = 0; poly < polyCount; poly++) {
    const first = polyEdgeStart[poly];
    const ring = Array.from(edgeVertex.subarray(first, first + polyVertexCount[poly]));
    while (ring.length > 3) {
      const n = ring.length;
      let best = -Infinity,
        cut = 0;
      for (let k = 0; k < n; k++) {
        const rest = ring.filter((_, i) => i !== k);
        // The rest must have width: prefers the ear whose opposite corner makes the fattest triangle.
        let width = -Infinity;
        for (let i = 0; i < n - 1; i++) {
          width = Math.max(width, fatness(rest[i], rest[(i + 1) % (n - 1)], rest[(i + 2) % (n - 1)]));
        }
        const score = Math.min(width, fatness(ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]));
        if (score > best) [best, cut] = [score, k];
      }
      const n1 = (cut + n - 1) % n;
      triangles.push(ring[n1], ring[cut], ring[(cut + 1) % n]);
      ring.splice(cut, 1);
    }
    triangles.push(ring[0], ring[1], ring[2]);
  }
  return triangles;
}
