/**
 * Points that a query returns are points that each query accepts: all pairs of functions, on turned levels with and without tiles, near
 * and far from the origin, on voxel, surface and map meshes.
 */
import { describe, expect, it } from 'vitest';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../src/mesh/types.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { getHeight } from '../../src/query/height.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findDetailedPath } from '../../src/query/path/details.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findNearestOf } from '../../src/query/optimal/nearest-of.ts';
import { findSmoothPath } from '../../src/query/path/smooth.ts';
import { findRandomPoint, findRandomPointInCircle } from '../../src/query/random/random-point.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { findLocalNeighborhood } from '../../src/query/walk/neighborhood.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import { seeded } from '../unit/meshes.ts';

type Point = [number, number, number];
interface Place {
  ref: PolyRef;
  point: Point;
}

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const SEED_COUNT = Number(process.env['NAVKILN_RETURNED'] ?? 1);
/** In the first place of seed 9001, a path passes two vertices of a tiled map that are nearly one point. */
const CASES: [seed: number, places: number][] = [[9001, 1]];
const SIZES = [
  { name: 'small', radius: 0.3, height: 1.8, maxClimb: 0.4 },
  { name: 'large', radius: 0.9, height: 1.8, maxClimb: 0.4 },
];
const PLACES: Point[] = [
  [0, 0, 0],
  [1000.5, 3, -1000.25],
  [391_776.25, 34.5, -5_820_040.5],
  [1e7, 1e7, 1e7],
];

class Level {
  positions: number[] = [];
  indices: number[] = [];
  private readonly toWorld: (x: number, y: number, z: number) => Point;

  constructor(toWorld: (x: number, y: number, z: number) => Point) {
    this.toWorld = toWorld;
  }

  quad(...corners: Point[]): void {
    const first = this.positions.length / 3;
    for (const corner of corners) this.positions.push(...this.toWorld(...corner));
    this.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
}

/** Returns meshes of a sloping floor with blocks, turned by an angle. */
function meshesOf(toWorld: (x: number, y: number, z: number) => Point, random: () => number): [string, NavMesh][] {
  const level = new Level(toWorld);
  level.quad([0, 0, 0], [0, 0.8, 12], [12, 1.1, 12], [12, 0.4, 0]);
  const obstacles: [number, number][][] = [];
  const flat = (x: number, z: number): [number, number] => [toWorld(x, 0, z)[0], -toWorld(x, 0, z)[2]];
  for (let k = 0; k < 4; k++) {
    const [x, z] = [1 + 8 * random(), 1 + 8 * random()];
    const [u, w] = [x + 0.3 + 2 * random(), z + 0.3 + 2 * random()];
    level.quad([x, 4, z], [x, 4, w], [u, 4, w], [u, 4, z]);
    level.quad([x, -1, z], [u, -1, z], [u, 4, z], [x, 4, z]);
    level.quad([u, -1, z], [u, -1, w], [u, 4, w], [u, 4, z]);
    level.quad([u, -1, w], [x, -1, w], [x, 4, w], [u, 4, w]);
    level.quad([x, -1, w], [x, -1, z], [x, 4, z], [x, 4, w]);
    obstacles.push([flat(x, z), flat(u, z), flat(u, w), flat(x, w)]);
  }
  const agent = { radius: 0.3, height: 1.8, maxClimb: 0.4 };
  const voxel = { agent, cellSize: 0.15, cellHeight: 0.1 };
  const map = { polygons: [{ outline: [flat(0, 0), flat(12, 0), flat(12, 12), flat(0, 12)] }], obstacles };
  return [
    ['voxel', buildNavMesh(level, voxel).navMesh],
    ['voxel tiles', buildNavMesh(level, { ...voxel, tileSize: 4.8 }).navMesh],
    ['voxel sizes', buildNavMesh(level, { cellSize: 0.15, cellHeight: 0.1, sizes: createAgentSizes(SIZES) }).navMesh],
    ['surface', buildFromSurface(level, { agent }).navMesh],
    ['surface tiles', buildFromSurface(level, { agent, tileSize: 5 }).navMesh],
    ['map', buildFromPolygons(map, { radius: 0.3 }).navMesh],
    ['map tiles', buildFromPolygons(map, { radius: 0.3, tileSize: 5 }).navMesh],
  ];
}

type Producer = (mesh: NavMesh, from: Point, to: Point, random: () => number) => Place[];

const near = { halfExtents: [3, 3, 3] as Point };
const endsOf = (polys: readonly PolyRef[], points: readonly Point[]): Place[] =>
  points.length === 0 ? [] : [[polys[0], points[0]] as const, [polys.at(-1)!, points.at(-1)!] as const].map(placeOf);
const placeOf = ([ref, point]: readonly [PolyRef, Point]): Place => ({ ref, point });

const PRODUCERS: Record<string, Producer> = {
  findNearest: (mesh, from) => [findNearest(mesh, from, near)],
  raycast: (mesh, from, to) => [raycast(mesh, from, to, near)],
  moveAlongSurface: (mesh, from, to) => [moveAlongSurface(mesh, from, to, near)],
  findDistanceToWall: (mesh, from) => [findDistanceToWall(mesh, from, 9, near)],
  findRandomPoint: (mesh, _from, _to, random) => [findRandomPoint(mesh, createRandom(1 + Math.floor(1e6 * random())))],
  findPath: (mesh, from, to) => {
    const { polys, points } = findPath(mesh, from, to, near);
    return endsOf(polys, points);
  },
  findOptimalPath: (mesh, from, to) => {
    const { polys, points } = findOptimalPath(mesh, from, to, near);
    return endsOf(polys, points);
  },
  findDetailedPath: (mesh, from, to) => {
    const { corners, points } = findDetailedPath(mesh, from, to, { ...near, crossings: 'all' });
    return corners.map(({ poly }, i) => ({ ref: poly, point: points[i] }));
  },
  findRandomPointInCircle: (mesh, from, _to, random) => [
    findRandomPointInCircle(mesh, createRandom(1 + Math.floor(1e6 * random())), from, 2, near),
  ],
  findSmoothPath: (mesh, from, to) => {
    const { corners, points } = findSmoothPath(mesh, from, to, { ...near, step: 1 });
    return corners.map(({ poly }, i) => ({ ref: poly, point: points[i] }));
  },
  findNearestOf: (mesh, from, to) => {
    const { polys, points } = findNearestOf(mesh, from, [to], near);
    return endsOf(polys, points);
  },
  findReachable: (mesh, from) => {
    const { polys, points } = findReachable(mesh, from, near);
    return polys.slice(0, 6).map((ref, i): Place => ({ ref, point: [...points.subarray(3 * i, 3 * i + 3)] as Point }));
  },
};

/** Returns a fault of a consumer, or undefined. `inner`: a point inside the polygon; `rounding`: what coordinates may lose. */
type Consumer = (mesh: NavMesh, place: Place, inner: Point, rounding: number) => string | undefined;

const apart = (a: Point, b: Point): number => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[2] - b[2]));

const CONSUMERS: Record<string, Consumer> = {
  getHeight: (mesh, { ref, point }) => {
    const height = getHeight(mesh, ref, point[0], point[2]);
    return height === null ? 'null' : Number.isFinite(height) ? undefined : `${height}`;
  },
  'raycast inward': (mesh, { ref, point }, inner, rounding) => {
    const hit = raycast(mesh, point, inner, { startRef: ref });
    return hit.t === 1 && apart(hit.point, inner) <= rounding ? undefined : `${hit.status}, t ${hit.t}`;
  },
  'raycast outward': (mesh, { ref, point }, inner, rounding) => {
    const hit = raycast(mesh, inner, point, { startRef: ref });
    // Corners of a surface may be dented by a sixteenth of the weld tolerance.
    return apart(hit.point, point) <= (mesh.cellSize > 0 ? rounding : 1.2e-4) ? undefined : `${hit.status}, t ${hit.t}`;
  },
  'raycast nowhere': (mesh, { ref, point }, _, rounding) => {
    const hit = raycast(mesh, point, point, { startRef: ref });
    return hit.status === 'reached' && apart(hit.point, point) <= rounding ? undefined : `${hit.status}, t ${hit.t}`;
  },
  'moveAlongSurface inward': (mesh, { ref, point }, inner) => {
    const slide = moveAlongSurface(mesh, point, inner, { startRef: ref });
    return slide.status === 'reached' ? undefined : slide.status;
  },
  'moveAlongSurface outward': (mesh, { ref, point }, inner, rounding) => {
    const slide = moveAlongSurface(mesh, inner, point, { startRef: ref });
    return slide.status === 'reached' && apart(slide.point, point) <= rounding ? undefined : slide.status;
  },
  'moveAlongSurface nowhere': (mesh, { ref, point }, _, rounding) => {
    const slide = moveAlongSurface(mesh, point, point, { startRef: ref });
    return slide.status === 'reached' && apart(slide.point, point) <= rounding ? undefined : slide.status;
  },
  findDistanceToWall: (mesh, { ref, point }, inner, rounding) => {
    const wall = findDistanceToWall(mesh, point, 99, { startRef: ref });
    if (wall.status !== 'found') return wall.status;
    const other = findDistanceToWall(mesh, inner, 99, { startRef: ref });
    const most = Math.hypot(inner[0] - point[0], inner[2] - point[2]) + rounding;
    return Math.abs(wall.distance - other.distance) <= most ? undefined : `${wall.distance}, ${other.distance}`;
  },
  findNearest: (mesh, { point }, _, rounding) => {
    const hit = findNearest(mesh, point, { halfExtents: [rounding, 1, rounding] });
    return hit.ref !== 0 && apart(hit.point, point) <= rounding ? undefined : 'off the mesh';
  },
  findPath: (mesh, { point }, inner, rounding) => {
    const path = findPath(mesh, point, inner, { halfExtents: [rounding, 1, rounding] });
    return path.status === 'complete' && path.startDistance <= 1 ? undefined : `${path.status}, ${path.reason}`;
  },
  findOptimalPath: (mesh, { point }, inner, rounding) => {
    const path = findOptimalPath(mesh, point, inner, { halfExtents: [rounding, 1, rounding] });
    return path.status === 'complete' && path.startDistance <= 1 ? undefined : `${path.status}, ${path.reason}`;
  },
  findNearestOf: (mesh, { point }, inner, rounding) => {
    const path = findNearestOf(mesh, inner, [point], { halfExtents: [rounding, 1, rounding] });
    return path.status === 'complete' && path.target === 0 ? undefined : `${path.status}, ${path.reason}`;
  },
  findRandomPointInCircle: (mesh, { ref, point }) =>
    findRandomPointInCircle(mesh, createRandom(1), point, 1, { startRef: ref }).found ? undefined : 'not found',
  findPolysInCircle: (mesh, { ref, point }) =>
    findPolysInCircle(mesh, point, 1, { startRef: ref }).polys[0] === ref ? undefined : 'without the polygon',
  findReachable: (mesh, { ref, point }) =>
    findReachable(mesh, point, { startRef: ref }).polys[0] === ref ? undefined : 'without the polygon',
  findLocalNeighborhood: (mesh, { ref, point }) =>
    findLocalNeighborhood(mesh, point, 1, { startRef: ref }).polys.includes(ref) ? undefined : 'without the polygon',
};

/** Returns the mean of the polygon's corners. */
function middleOf(mesh: NavMesh, ref: PolyRef): Point {
  const poly = polyIndexOf(mesh, ref);
  const out: Point = [0, 0, 0];
  const count = mesh.polyVertexCount[poly];
  for (let e = 0; e < count; e++) {
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + e];
    for (let k = 0; k < 3; k++) out[k] += mesh.vertices[v + k] / count;
  }
  return out;
}

describe('points that queries return', () => {
  it('have a height where they lie on a slanted wall, and none beside it', () => {
    const level = { positions: [0, 0, 0, 3, 0, 10, 13, 1, 7, 10, 1, -3], indices: [0, 1, 2, 0, 2, 3] };
    const mesh = buildFromSurface(level).navMesh;
    let outside = 0;
    for (let i = 0; i < 100; i++) {
      const { ref, point, normal } = findDistanceToWall(mesh, [2 + 0.07 * i, 0.5, 1 + 0.05 * i], 9);
      expect(getHeight(mesh, ref, point[0], point[2])).toBeCloseTo(point[1], 9);
      expect(moveAlongSurface(mesh, point, point, { startRef: ref }).status).toBe('reached');
      const beside: Point = [point[0] - 1e-9 * normal[0], point[1], point[2] - 1e-9 * normal[2]];
      expect(getHeight(mesh, ref, beside[0], beside[2])).toBe(null);
      expect(moveAlongSurface(mesh, point, beside, { startRef: ref }).status).toBe('blocked');
      point[1] = 9;
      if (!findNearest(mesh, point, { halfExtents: [0, 20, 0] }).isOver) outside++;
    }
    expect(outside).toBeGreaterThan(10);
  });

  const seeds = Array.from({ length: SEED_COUNT }, (_, k): [number, number] => [SEED + k, PLACES.length]);
  for (const [seed, places] of [...CASES, ...seeds]) {
    for (const [px, py, pz] of PLACES.slice(0, places)) {
      it(`are accepted by all queries at ${px}, ${pz}, seed ${seed}`, { timeout: 300_000 }, () => {
        const random = seeded(seed);
        const angle = 0.1 + 6 * random();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const toWorld = (x: number, y: number, z: number): Point => [px + c * x + s * z, py + y, pz + c * z - s * x];
        const rounding = 1e-12 + 1e-14 * Math.max(Math.abs(px), Math.abs(pz));
        const faults = new Map<string, string>();
        let checks = 0;
        for (const [kind, mesh] of meshesOf(toWorld, random)) {
          const spot = (): Point => {
            const p = toWorld(-1 + 14 * random(), random(), -1 + 14 * random());
            return mesh.mapYSign === 0 ? p : [p[0], 0, p[2]];
          };
          for (let i = 0; i < 20; i++) {
            const [from, to] = [spot(), spot()];
            for (const [producer, produce] of Object.entries(PRODUCERS)) {
              for (const place of produce(mesh, from, to, random)) {
                if (place.ref === 0) continue;
                const inner = middleOf(mesh, place.ref);
                for (const [consumer, consume] of Object.entries(CONSUMERS)) {
                  checks++;
                  const fault = consume(mesh, place, inner, rounding);
                  const name = `${kind}: ${producer} to ${consumer}`;
                  if (fault !== undefined && !faults.has(name)) faults.set(name, `${fault} at ${place.point.join()}`);
                }
              }
            }
          }
        }
        expect([...faults]).toEqual([]);
        expect(checks).toBeGreaterThan(5000);
      });
    }
  }
});
