/**
 * Lines of paths on the surface, over all level scenes in voxel, tiled and surface meshes: a sampler that reads triangles
 * from the records of the mesh alone finds no point of a line farther than `maxError` above or below the polygons that the
 * line crosses there. The fewest points: compared with all choices of points above hills of few bends. NAVKILN_GROUND sets
 * the number of paths per mesh (default 4, on small scenes only), NAVKILN_SEED the seed.
 */
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { removeTile } from '../../src/mesh/change/tiles.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../src/mesh/types.ts';
import { findCheapestPath } from '../../src/query/cheapest/cheapest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { getGroundLine } from '../../src/query/path/ground-line.ts';
import { findMidpointPath } from '../../src/query/path/midpoints.ts';
import { findSmoothPath } from '../../src/query/path/smooth.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';

const PATHS = Number(process.env.NAVKILN_GROUND ?? 4);
const SMALL = ['caves', 'stair-limits', 'slope-limits', 'single-triangle'];
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const FUNCTIONS = [findPath, findPath, findOptimalPath, findMidpointPath, findCheapestPath, findSmoothPath];
/** Points that are tested on each segment of a line, besides its ends. */
const SAMPLES = 12;

type Point = readonly number[];

/** Returns the corners of all triangles of a polygon, as 9 numbers each. */
function trianglesOf(mesh: NavMesh, poly: number): number[][] {
  const corners = mesh.polyVertexCount[poly];
  const spotOf = (local: number): number[] => {
    const isCorner = local < corners;
    const at =
      3 *
      (isCorner
        ? mesh.edgeVertex[mesh.polyEdgeStart[poly] + local]
        : mesh.polyDetailVertexStart[poly] + local - corners);
    return [...(isCorner ? mesh.vertices : mesh.detailVertices).subarray(at, at + 3)];
  };
  const first = 4 * mesh.polyDetailTriStart[poly];
  const count = mesh.polyDetailTriCount[poly];
  if (count === 0) return Array.from({ length: corners - 2 }, (_, t) => [0, t + 1, t + 2].flatMap(spotOf));
  return Array.from({ length: count }, (_, t) => [0, 1, 2].flatMap((k) => spotOf(mesh.detailTris[first + 4 * t + k])));
}

/** Returns the closest point to `p` on the segment from `a` to `b`. */
function onSegment(p: Point, a: Point, b: Point): number[] {
  const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const size = d[0] * d[0] + d[2] * d[2];
  const t = size === 0 ? 0 : Math.min(Math.max(((p[0] - a[0]) * d[0] + (p[2] - a[2]) * d[2]) / size, 0), 1);
  return [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];
}

/** Returns the least height of a point above or below triangles; for one beside all of them, of the nearest places. */
function heightAbove(triangles: readonly number[][], p: Point): number {
  let least = Infinity;
  let beside = Infinity;
  let besideHeight = Infinity;
  for (const t of triangles) {
    const [a, b, c] = [t.slice(0, 3), t.slice(3, 6), t.slice(6, 9)];
    const side = (u: Point, v: Point): number => (v[0] - u[0]) * (p[2] - u[2]) - (v[2] - u[2]) * (p[0] - u[0]);
    const [wc, wa, wb] = [side(a, b), side(b, c), side(c, a)];
    const sum = wa + wb + wc;
    if (sum !== 0 && wa / sum >= 0 && wb / sum >= 0 && wc / sum >= 0) {
      least = Math.min(least, Math.abs((wa * a[1] + wb * b[1] + wc * c[1]) / sum - p[1]));
    }
    for (const [u, v] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const q = onSegment(p, u, v);
      const distance = Math.hypot(q[0] - p[0], q[2] - p[2]);
      const height = Math.abs(q[1] - p[1]);
      // Edges at the same distance are one place, such as both sides of a step.
      if (distance < beside - 1e-7) [beside, besideHeight] = [distance, height];
      else if (distance < beside + 1e-7) besideHeight = Math.min(besideHeight, height);
    }
  }
  return beside < 1e-6
    ? Math.min(least, besideHeight)
    : Math.min(least, beside < 0.02 || least < Infinity ? besideHeight : Infinity);
}

interface Sums {
  paths: number;
  corners: number;
  points: number;
  /** Largest height of a line above or below the surface. */
  most: number;
}

/** Tests a line. Returns its largest height above or below the surface as a share of the error. */
function testLine(
  mesh: NavMesh,
  path: { points: Point[]; polys: PolyRef[] },
  maxError: number,
  what: string,
  tolerance: number,
): { most: number; count: number } {
  const line = getGroundLine(mesh, path as never, { maxError })!;
  expect(line, what).not.toBeNull();
  expect(line.polys.length, what).toBe(line.points.length);
  const surfaces = path.polys.map((ref) => trianglesOf(mesh, polyIndexOf(mesh, ref)));
  // All corners of the path, in order.
  let next = 0;
  for (const corner of path.points) {
    while (next < line.points.length && !isAt(line.points[next], corner)) next++;
    expect(
      next,
      `${what}: corner ${corner} of ${JSON.stringify(path.points)} is in ${JSON.stringify(line.points)}`,
    ).toBeLessThan(line.points.length);
  }
  let most = 0;
  let place = 0;
  for (let i = 0; i < line.points.length; i++) {
    const b = line.points[i];
    const last = place;
    place = path.polys.indexOf(line.polys[i], place);
    if (place < 0) expect.unreachable(`${what}: polygon of point ${i} is out of order`);
    const off = heightAbove(surfaces[place], b);
    if (!(off <= tolerance)) expect.unreachable(`${what}: point ${i} ${b} is ${off} off polygon ${place}`);
    if (i === 0) continue;
    const a = line.points[i - 1];
    if ((a[0] === b[0] && a[2] === b[2]) || isLink(mesh, line.polys[i - 1], line.polys[i], a, b)) continue;
    const under = surfaces.slice(last, place + 1).flat();
    for (let s = 1; s <= SAMPLES; s++) {
      // Ends are near enough to find steps there.
      const t = s === 1 ? 1e-6 : s === SAMPLES ? 1 - 1e-6 : (s - 0.5) / SAMPLES;
      const p = a.map((v, k) => v + t * (b[k] - v));
      const height = heightAbove(under, p);
      most = Math.max(most, height);
      if (!(height <= maxError + tolerance)) {
        expect.unreachable(
          `${what}: ${p}, between points ${i - 1} ${a} and ${i} ${b}, is ${height} off the surface, error ${maxError}`,
        );
      }
    }
  }
  return { most, count: line.points.length };
}

const isAt = (a: Point, b: Point): boolean => Math.hypot(a[0] - b[0], a[2] - b[2]) < 1e-9;

function isLink(mesh: NavMesh, from: PolyRef, to: PolyRef, a: Point, b: Point): boolean {
  for (let end = mesh.polyLink[polyIndexOf(mesh, from)]; end >= 0; end = mesh.linkNext[end]) {
    const other = end ^ 1;
    if (mesh.linkPoly[other] !== polyIndexOf(mesh, to)) continue;
    const ends = [end, other].map((e) => [...mesh.linkAnchors.subarray(6 * e, 6 * e + 6)]);
    if ([a, b].every((p, k) => isAt(onSegment(p, ends[k].slice(0, 3), ends[k].slice(3)), p))) return true;
  }
  return false;
}

function testPaths(mesh: NavMesh, seed: number, what: string, tolerance = 1e-5): Sums {
  const source = createRandom(seed);
  const sums: Sums = { paths: 0, corners: 0, points: 0, most: 0 };
  const usual = mesh.agent.maxClimb / 2;
  for (let i = 0; i < PATHS; i++) {
    const [from, to] = [findRandomPoint(mesh, source).point, findRandomPoint(mesh, source).point];
    const find = FUNCTIONS[i % FUNCTIONS.length];
    const path = find(mesh, from, to);
    const maxError = [usual, usual / 8, usual, 2 * usual, 0][i % 5];
    const { most, count } = testLine(
      mesh,
      path,
      maxError,
      `${what}, seed ${seed}, path ${i} by ${find.name}`,
      tolerance,
    );
    sums.paths++;
    sums.corners += path.points.length;
    sums.points += count;
    sums.most = Math.max(sums.most, most);
  }
  return sums;
}

const LEVELS = process.env.NAVKILN_GROUND === undefined ? SMALL : levelScenes.map(({ name }) => name);

describe('lines on the ground', () => {
  it.each(LEVELS)(
    'stay within the error: %s',
    (name) => {
      const scene = levelScenes.find((one) => one.name === name)!;
      const level = scene.create();
      const { navMesh } = buildNavMesh(level, scene.options);
      if (navMesh.polyCount === 0) return;
      console.info(name, JSON.stringify(testPaths(navMesh, SEED, name)));
      const tiled = buildNavMesh(level, { ...scene.options, tileSize: 32 * (navMesh.cellSize || 0.3) }).navMesh;
      const source = createRandom(SEED);
      for (let i = 0; i < 12; i++) {
        const [start, end] = [findRandomPoint(tiled, source).point, findRandomPoint(tiled, source).point];
        const wide = (p: [number, number, number]): never =>
          (i % 2 === 0 ? p : [p, [p[0] + 0.2, p[1], p[2] + 0.1]]) as never;
        addLink(tiled, { start: wide(start), end: wide(end), cost: 1, radius: 1 });
      }
      console.info(name, 'tiled', JSON.stringify(testPaths(tiled, SEED + 1, `${name} in tiles`)));
      const surface = buildFromSurface(level, { agent: { ...scene.options.agent, radius: 0 } }).navMesh;
      if (surface.polyCount > 0)
        console.info(name, 'surface', JSON.stringify(testPaths(surface, SEED + 2, `${name} as a surface`)));
    },
    1_800_000,
  );

  it('have the fewest points', () => {
    const random = createRandom(SEED);
    let least = Infinity;
    for (let i = 0; i < 60; i++) {
      const count = 3 + Math.floor(nextRandom(random) * 5);
      const heights = Array.from({ length: count }, () => Math.round(nextRandom(random) * 8) / 8);
      const navMesh = hillMesh(heights);
      const maxError = [0, 0.1, 0.25, 0.5][i % 4];
      const path = findPath(navMesh, [0, heights[0], 0.5], [count - 1, heights[count - 1], 0.5]);
      const line = getGroundLine(navMesh, path, { maxError })!;
      const what = `seed ${SEED}, hill ${i}: ${heights.join()}, error ${maxError}`;
      expect(path.points.length, what).toBe(2);
      // The surface may have an edge between two heights, where a triangle ends.
      const finer = heights.flatMap((y, k) => (k === 0 ? [y] : [(heights[k - 1] + y) / 2, y]));
      expect(line.points.length, what).toBeLessThanOrEqual(fewestOf(heights, maxError));
      expect(line.points.length, what).toBeGreaterThanOrEqual(fewestOf(finer, maxError));
      least = Math.min(least, line.points.length);
    }
    expect(least).toBe(2);
  });

  it('refuses what is no error and no 3D path, and reports a removed polygon', () => {
    const navMesh = hillMesh([0, 1, 0]);
    const path = findPath(navMesh, [0, 0, 0.5], [2, 0, 0.5]);
    for (const maxError of [-1, NaN, '1' as never]) {
      expect(() => getGroundLine(navMesh, path, { maxError })).toThrow('getGroundLine: options.maxError is');
    }
    expect(() => getGroundLine(navMesh, path, { error: 1 } as never)).toThrow('getGroundLine: options.error');
    expect(() => getGroundLine(navMesh, { ...path, points: [[0, 0] as never] })).toThrow(
      'getGroundLine: path.points[0] is',
    );
    expect(getGroundLine(navMesh, { points: [], polys: [] })).toEqual({ points: [], polys: [] });
    expect(getGroundLine(navMesh, path, { maxError: Infinity })!.points).toEqual(path.points);
    removeTile(navMesh, 0);
    expect(getGroundLine(navMesh, path)).toBeNull();
  });
});

/** Returns a strip of floor, one unit wide and long between two heights. */
function hillMesh(heights: readonly number[]): NavMesh {
  const positions = heights.flatMap((y, x) => [x, y, 0, x, y, 1]);
  const indices = heights.slice(1).flatMap((_, x) => [2 * x, 2 * x + 1, 2 * x + 2, 2 * x + 2, 2 * x + 1, 2 * x + 3]);
  const agent = { radius: 0, height: 2, maxClimb: 0.5, maxSlopeDegrees: 80 };
  return buildFromSurface({ positions, indices }, { agent }).navMesh;
}

/** Returns the fewest of all choices of heights with the first and last, for which lines over them pass the others within the error. */
function fewestOf(heights: readonly number[], maxError: number): number {
  const last = heights.length - 1;
  let best = Infinity;
  for (let choice = 0; choice < 1 << (last - 1); choice++) {
    const chosen = heights.map((_, k) => k).filter((k) => k === 0 || k === last || ((choice >> (k - 1)) & 1) === 1);
    const isNear = chosen.slice(1).every((b, i) => {
      const a = chosen[i];
      return heights.every((y, k) => {
        const line = heights[a] + ((k - a) / (b - a)) * (heights[b] - heights[a]);
        return k <= a || k >= b || Math.abs(line - y) <= maxError + 1e-9;
      });
    });
    if (isNear) best = Math.min(best, chosen.length);
  }
  return best;
}
