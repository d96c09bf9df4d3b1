/**
 * The oracle of 2D maps: decides from the given map which points are walkable, and checks a mesh in big
 * integers.
 *
 * It shares no code with src/polygon. It uses winding numbers of points, distances to segments and the
 * shoelace formula, ring by ring.
 */
import { expect } from 'vitest';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import type { PolygonMap, PolygonRing } from '../../../../src/build/polygon/options.ts';
import type { GridFrame, Rings } from '../../../../src/base/plane/types.ts';

type P = readonly [number, number];

const pairOf = (point: PolygonRing[number]): P => ('x' in point ? [point.x, point.y] : [point[0]!, point[1]]);

function windingOf(ring: PolygonRing, [px, py]: P): number {
  let winding = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = pairOf(ring[i]),
      b = pairOf(ring[(i + 1) % ring.length]);
    const side = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
    if (a[1] <= py && b[1] > py && side > 0) winding++;
    else if (a[1] > py && b[1] <= py && side < 0) winding--;
  }
  return winding;
}

export function isGround(map: PolygonMap, p: P, fillRule: 'nonzero' | 'evenodd' = 'nonzero'): boolean {
  const inside = (ring: PolygonRing): boolean =>
    fillRule === 'nonzero' ? windingOf(ring, p) !== 0 : windingOf(ring, p) % 2 !== 0;
  return (
    map.polygons.some(({ outline, holes = [] }) => inside(outline) && !holes.some(inside)) &&
    !(map.obstacles ?? []).some(inside)
  );
}

export function allRings(map: PolygonMap): PolygonRing[] {
  return [...map.polygons.flatMap(({ outline, holes = [] }) => [outline, ...holes]), ...(map.obstacles ?? [])];
}

export function distanceToSegment([px, py]: P, a: ArrayLike<number>, b: ArrayLike<number>): number {
  const dx = b[0] - a[0],
    dy = b[1] - a[1],
    lengthSq = dx * dx + dy * dy;
  const t = lengthSq === 0 ? 0 : Math.max(0, Math.min(1, ((px - a[0]) * dx + (py - a[1]) * dy) / lengthSq));
  return Math.hypot(a[0] + t * dx - px, a[1] + t * dy - py);
}

/** Returns the distance to the nearest segment of any ring, whether or not it is a wall. */
export function distanceToRings(rings: PolygonRing[], p: P): number {
  let least = Infinity;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++)
      least = Math.min(least, distanceToSegment(p, pairOf(ring[i]), pairOf(ring[(i + 1) % ring.length])));
  }
  return least;
}

export function ringsInWorld(rings: Rings, { gridSize, originX, originY }: GridFrame): [number, number][][] {
  return Array.from({ length: rings.ringCount }, (_, r) =>
    Array.from({ length: rings.start[r + 1] - rings.start[r] }, (__, i) => [
      originX + rings.x[rings.start[r] + i] * gridSize,
      originY + rings.y[rings.start[r] + i] * gridSize,
    ]),
  );
}

/** Returns twice the area of the rings in cells, without the holes. */
export function areaOfRings({ ringCount, start, x, y }: Rings): bigint {
  let sum = 0n;
  for (let r = 0; r < ringCount; r++) {
    for (let i = start[r]; i < start[r + 1]; i++) {
      const j = i + 1 < start[r + 1] ? i + 1 : start[r];
      sum += BigInt(x[i]) * BigInt(y[j]) - BigInt(x[j]) * BigInt(y[i]);
    }
  }
  return sum;
}

/** Returns the corners of each polygon of a mesh in cells, in their order. */
export function cellsOf(mesh: NavMesh, { gridSize, originX, originY }: GridFrame): [number, number][][] {
  return Array.from({ length: mesh.polyCount }, (_, p) =>
    Array.from({ length: mesh.polyVertexCount[p] }, (__, k) => {
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[p] + k];
      const x = (mesh.vertices[v] - originX) / gridSize,
        y = (mesh.mapYSign * mesh.vertices[v + 2] - originY) / gridSize;
      expect(Number.isInteger(x) && Number.isInteger(y), 'vertices are on the grid').toBe(true);
      return [x, y];
    }),
  );
}

const turn = (a: P, b: P, c: P): bigint =>
  BigInt(b[0] - a[0]) * BigInt(c[1] - a[1]) - BigInt(b[1] - a[1]) * BigInt(c[0] - a[0]);

/** Expects convex polygons of one winding whose areas add up to exactly the area of the rings. */
export function checkShapes(mesh: NavMesh, frame: GridFrame, ground: Rings, name: string): void {
  let area = 0n;
  for (const corners of cellsOf(mesh, frame)) {
    for (let k = 0; k < corners.length; k++) {
      const at = (i: number): P => corners[(k + i) % corners.length];
      // Seen from above, z down the page, they run counter-clockwise: where z = y, clockwise on paper with y up.
      if (turn(at(0), at(1), at(2)) * BigInt(mesh.mapYSign) > 0n)
        throw new Error(`${name}: concave corner at ${String(at(1))}`);
      if (k > 1) area -= BigInt(mesh.mapYSign) * turn(corners[0], corners[k - 1], corners[k]);
    }
  }
  expect(area, `${name}: area`).toBe(areaOfRings(ground));
}

/** Expects that no two walls overlap: such an edge has no neighbor although there is surface behind it. */
export function checkConforming(mesh: NavMesh, frame: GridFrame, name: string): void {
  const walls = new Map<string, [number, number, number][]>();
  const cells = cellsOf(mesh, frame);
  cells.forEach((corners, p) =>
    corners.forEach((a, k) => {
      if (mesh.edgeNeighbor[mesh.polyEdgeStart[p] + k] !== -1) return;
      const b = corners[(k + 1) % corners.length];
      let dx = b[0] - a[0],
        dy = b[1] - a[1];
      let [g, h] = [Math.abs(dx), Math.abs(dy)];
      while (h !== 0) [g, h] = [h, g % h];
      dx /= g;
      dy /= g;
      const direction = dx < 0 || (dx === 0 && dy < 0) ? -1 : 1;
      const line = `${direction * dx},${direction * dy},${BigInt(direction * dx) * BigInt(a[1]) - BigInt(direction * dy) * BigInt(a[0])}`;
      const along = (q: P): number => (dx === 0 ? q[1] : q[0]);
      const list = walls.get(line) ?? [];
      walls.set(line, list);
      list.push([Math.min(along(a), along(b)), Math.max(along(a), along(b)), p]);
    }),
  );
  for (const list of walls.values()) {
    list.sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < list.length; i++) {
      if (list[i][0] < list[i - 1][1])
        throw new Error(`${name}: walls of polygons ${list[i - 1][2]} and ${list[i][2]} overlap`);
    }
  }
}

/** Counts the polygons of the mesh that contain a point. */
export function polysAt(mesh: NavMesh, [px, y]: P): number {
  const py = mesh.mapYSign * y;
  let count = 0;
  for (let p = 0; p < mesh.polyCount; p++) {
    const first = mesh.polyEdgeStart[p],
      n = mesh.polyVertexCount[p];
    let isInside = true;
    for (let k = 0; k < n && isInside; k++) {
      const a = 3 * mesh.edgeVertex[first + k],
        b = 3 * mesh.edgeVertex[first + ((k + 1) % n)];
      const { vertices: v } = mesh;
      isInside = (v[b] - v[a]) * (py - v[a + 2]) - (v[b + 2] - v[a + 2]) * (px - v[a]) < 0;
    }
    if (isInside) count++;
  }
  return count;
}
