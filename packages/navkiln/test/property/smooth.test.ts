/**
 * Smooth paths on levels, over tiles and links, near and far from the origin: points are on the surface, in
 * order along the path, one step apart, up to the end. Compared with the follow mode of RecastDemo, written
 * here with slides and spliced corridors. NAVKILN_WALKS sets the number of paths per world (default 20),
 * NAVKILN_SEED the seed.
 */
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/base/data/random.ts';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import { linkEndOf, isLinkCrossing } from '../../src/mesh/crossing.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import { createPathBuffer, findPathInto } from '../../src/query/path/find-path.ts';
import { PATH_CORNER_FLAGS, findDetailedPath } from '../../src/query/path/details.ts';
import type { DetailedPath } from '../../src/query/path/details.ts';
import { pullString } from '../../src/query/path/funnel.ts';
import { createPathLine } from '../../src/query/path/path-line.ts';
import { getHeight } from '../../src/query/height.ts';
import { defaultHalfExtents } from '../../src/query/nearest/nearest.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { createSlide, moveAlongSurfaceInto } from '../../src/query/walk/slide.ts';
import { findSmoothPath } from '../../src/query/path/smooth.ts';
import type { SmoothPath } from '../../src/query/path/smooth.ts';
import { fixCorridorShortcuts, mergeCorridorStartMoved } from './merge-corridor.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const WALKS = Number(process.env.NAVKILN_WALKS ?? 10);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SIZE = 4;
const FAR = [100_000, 30, -100_000];
type Point = readonly number[];

const flat = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[2] - b[2]);
const flatLength = (points: readonly Point[]): number =>
  points.slice(1).reduce((sum, p, i) => sum + flat(p, points[i]), 0);

/** Returns what is wrong with a smooth path, or ''. `string` is the path of corners between the same ends. */
function problemOf(mesh: NavMesh, walk: SmoothPath, string: DetailedPath, step: number, epsilon: number): string {
  const { points, corners } = walk;
  const links = string.corners;
  const corner = (i: number): Point => string.points[i];
  if (walk.status !== string.status || walk.reason !== string.reason || walk.polys.join() !== string.polys.join())
    return 'another path';
  if (points.length !== corners.length) return 'not a corner a point';
  if (points.length === 0) return string.points.length === 0 ? '' : 'no points';
  let leg = 0;
  let along = 0;
  let place = 0;
  let length = 0;
  if (points[0][0] !== corner(0)[0] || points[0][2] !== corner(0)[2]) return 'begins elsewhere';
  for (let i = 0; i < points.length; i++) {
    const [x, y, z] = points[i];
    const what = `point ${i} of ${points.length} [${points[i]}]: `;
    // On the surface of polygons of the corridor, in order.
    const at = walk.polys.indexOf(corners[i].poly, place);
    if (at < 0) return `${what}on polygon ${corners[i].poly}, out of order`;
    place = at;
    const height = getHeight(mesh, corners[i].poly, x, z);
    if (height === null) {
      const near = new Float64Array(3);
      closestPointOnPoly(near, mesh, polyIndexOf(mesh, corners[i].poly), Float64Array.of(x, y, z));
      if (flat([...near], points[i]) > epsilon) return `${what}${flat([...near], points[i])} beside its polygon`;
      if (Math.abs(near[1] - y) > 1e-6) return `${what}${y - near[1]} above the nearest ground`;
    } else if (Math.abs(height - y) > 1e-9) {
      return `${what}${y - height} above the ground`;
    }
    if (i === 0) continue;
    const last = points[i - 1];
    length += Math.hypot(x - last[0], y - last[1], z - last[2]);
    const isLink =
      (links[leg].flags & links[leg + 1].flags & PATH_CORNER_FLAGS.link) !== 0 &&
      links[leg].link === links[leg + 1].link;
    const [a, b] = [corner(leg), corner(leg + 1)];
    const whole = flat(a, b);
    if (
      isLink &&
      ((corners[i].flags & corners[i - 1].flags & PATH_CORNER_FLAGS.link) === 0 || corners[i].link !== links[leg].link)
    ) {
      return `${what}a link is not told`;
    }
    if (!isLink && flat(points[i], last) > step * (1 + 1e-9) + 1e-9) return `${what}a step of ${flat(points[i], last)}`;
    // Strictly forward along the leg.
    const t = whole === 0 ? 1 : ((x - a[0]) * (b[0] - a[0]) + (z - a[2]) * (b[2] - a[2])) / whole;
    const off =
      whole === 0 ? flat(points[i], b) : Math.abs((x - a[0]) * (b[2] - a[2]) - (z - a[2]) * (b[0] - a[0])) / whole;
    if (off > 1e-9) return `${what}${off} off the string`;
    if (whole > 0 && !(t > along)) return `${what}goes back`;
    along = t;
    if (x === b[0] && z === b[2]) {
      leg++;
      along = 0;
    } else if (t > whole) {
      return `${what}beyond a corner`;
    }
  }
  if (leg !== string.points.length - 1) return `${string.points.length - 1 - leg} corners are left out`;
  const [end, goal] = [points[points.length - 1], corner(leg)];
  if (end[0] !== goal[0] || end[2] !== goal[2] || Math.abs(end[1] - goal[1]) > 1e-6)
    return `ends at ${end}, not ${goal}`;
  if (Math.abs(length - walk.length) > 1e-9 * (1 + length)) return `its length is not ${walk.length}`;
  return '';
}

const buffer = createPathBuffer();
const state = createSearchState();
const line = createPathLine();
const slide = createSlide();

/** Returns the points of the follow mode, or null when it has not arrived after ten times the steps it needs. */
function follow(mesh: NavMesh, from: Point, to: Point, step: number): number[][] | null {
  const extents = new Float64Array(3);
  defaultHalfExtents(extents, mesh);
  findPathInto(buffer, state, mesh, {
    start: Float64Array.from(from),
    end: Float64Array.from(to),
    halfExtents: extents,
    filter: DEFAULT_FILTER,
    maxNodes: Infinity,
  });
  const { corridor } = buffer;
  if (buffer.status === 'none') return [];
  const SLOP = 0.01;
  const pos = buffer.start.point.slice();
  const target = buffer.end.point;
  const points = [[...pos]];
  const goal = new Float64Array(3);
  const most = 100 + 10 * (buffer.length / step);
  while (points.length < most) {
    pullString(line, mesh, corridor, pos, target);
    let k = 1;
    while (
      k < line.count - 1 &&
      line.linkEnds[k] < 0 &&
      flat([...pos], [...line.points.subarray(3 * k, 3 * k + 3)]) < SLOP
    )
      k++;
    if (line.linkEnds[0] >= 0) k = 0;
    if (k >= line.count) k = line.count - 1;
    const corner = line.points.subarray(3 * k, 3 * k + 3);
    const isLast = k === line.count - 1;
    const isLink = line.linkEnds[k] >= 0;
    const distance = Math.hypot(...corner.map((v, i) => v - pos[i]));
    const share = distance === 0 ? 0 : (isLast || isLink) && distance < step ? 1 : step / distance;
    for (let i = 0; i < 3; i++) goal[i] = pos[i] + share * (corner[i] - pos[i]);
    moveAlongSurfaceInto(slide, state, mesh, corridor.polys[0], pos, goal, DEFAULT_FILTER);
    if (!mergeCorridorStartMoved(corridor, mesh, slide.polys, slide.count)) return null;
    fixCorridorShortcuts(corridor, mesh);
    pos.set(slide.point);
    if (flat([...pos], [...corner]) < SLOP && isLast) {
      points.push([...target]);
      return points;
    }
    points.push([...pos]);
    if (flat([...pos], [...corner]) < SLOP && isLink) {
      const linkEnd = line.linkEnds[k];
      let i = 0;
      while (!(isLinkCrossing(corridor.crossings[i]) && linkEndOf(corridor.crossings[i]) === linkEnd)) i++;
      corridor.polys.copyWithin(0, i + 1, corridor.count);
      corridor.crossings.copyWithin(0, i + 1, corridor.count);
      corridor.count -= i + 1;
      pos.set(line.points.subarray(3 * k + 3, 3 * k + 6));
      points.push([...pos]);
    }
  }
  return null;
}

interface Sums {
  walks: number;
  points: number;
  partial: number;
  links: number;
  longest: number;
  followed: number;
  lost: number;
  least: number;
  most: number;
  smoothMs: number;
  followMs: number;
}

/** Tests paths between random points; `epsilon` is how far outside of tiles a point may be. Returns counts. */
function walkAll(mesh: NavMesh, seed: number, step: number, epsilon: number, canFollow: boolean): Sums {
  const source = createRandom(seed);
  const sums: Sums = {
    walks: 0,
    points: 0,
    partial: 0,
    links: 0,
    longest: 1,
    followed: 0,
    lost: 0,
    least: Infinity,
    most: 0,
    smoothMs: 0,
    followMs: 0,
  };
  for (let i = 0; i < WALKS; i++) {
    const [from, to] = [findRandomPoint(mesh, source).point, findRandomPoint(mesh, source).point];
    const string = findDetailedPath(mesh, from, to);
    const begin = performance.now();
    const walk = findSmoothPath(mesh, from, to, { step });
    sums.smoothMs += performance.now() - begin;
    const problem = problemOf(mesh, walk, string, step, epsilon);
    if (problem !== '') expect.unreachable(`seed ${seed}, walk ${i}, ${from} to ${to}, step ${step}: ${problem}`);
    const all = findSmoothPath(mesh, from, to, { step: Infinity, crossings: 'all' });
    const other = problemOf(mesh, all, findDetailedPath(mesh, from, to, { crossings: 'all' }), Infinity, epsilon);
    if (other !== '') expect.unreachable(`seed ${seed}, walk ${i}, ${from} to ${to}, crossings: ${other}`);
    sums.walks++;
    sums.points += walk.points.length;
    if (walk.status === 'partial') sums.partial++;
    if (walk.corners.some((corner) => corner.link !== 0)) sums.links++;
    if (string.length > 1) sums.longest = Math.max(sums.longest, walk.length / string.length);
    if (!canFollow || i >= 40) continue;
    const middle = performance.now();
    const followed = follow(mesh, from, to, step);
    sums.followMs += (performance.now() - middle) * (WALKS / Math.min(WALKS, 40));
    sums.followed++;
    if (followed === null) sums.lost++;
    else if (string.length > 1) {
      const ratio = flatLength(followed) / flatLength(walk.points);
      sums.least = Math.min(sums.least, ratio);
      sums.most = Math.max(sums.most, ratio);
    }
  }
  return sums;
}

function report(name: string, { smoothMs, followMs, ...sums }: Sums): void {
  console.info(`${name}: ${JSON.stringify(sums)}, follow / smooth ${(followMs / smoothMs).toFixed(1)}`);
}

const SCENES = [
  'dungeon',
  'terrain',
  'terrain-coarse',
  'city',
  'tower',
  'house',
  'caves',
  'islands',
  'courtyard',
  'stair-limits',
];

describe('smooth paths', () => {
  it.each(SCENES)('on the level %s', (name) => {
    const scene = levelScenes.find((one) => one.name === name)!;
    const { navMesh } = buildNavMesh(scene.create(), scene.options);
    const sums = walkAll(navMesh, SEED, navMesh.agent.radius, 1e-9, true);
    report(name, sums);
    expect(sums.points).toBeGreaterThan(10 * sums.walks);
  });

  it.each([
    ['at the origin', [0, 0, 0], 11],
    ['at the origin', [0, 0, 0], 12],
    ['100 km away', FAR, 13],
    ['100 km away', FAR, 14],
  ] as const)('over tiles and links, %s, seed +%3$i', (where, offset, plus) => {
    const seed = 100 * SEED + plus;
    const random = seeded(seed);
    const mesh = tiledMesh([...offset]);
    const height = (x: number, z: number): number => 0.1 * x - 0.05 * z;
    for (let x = 0; x < SIZE; x++) {
      for (let z = 0; z < SIZE; z++) {
        if (random() < 0.1) continue;
        const n = [2, 3, 4, 6, 12][Math.floor(random() * 5)];
        const tile = squaresTile(x, z, 0, n, () => random() < 0.8, height, [...offset]);
        if (tile.polyCount > 0) addTile(mesh, tile);
      }
    }
    const spot = (): [number, number, number] => {
      const [x, z] = [random() * SIZE * TILE, random() * SIZE * TILE];
      return [offset[0] + x, offset[1] + height(x, z), offset[2] + z];
    };
    for (let i = 0; i < 12; i++) {
      const wide = (p: number[]): [number[], number[]] => [p, [p[0] + random() - 0.5, p[1], p[2] + random() - 0.5]];
      const [a, b] = [spot(), spot()];
      const isWide = random() < 0.5;
      addLink(mesh, {
        start: isWide ? wide(a) : a,
        end: isWide ? wide(b) : b,
        bothWays: random() < 0.5,
        radius: 1,
        cost: 1,
      });
    }
    expect(validateNavMesh(mesh)).toEqual([]);
    const sums = walkAll(mesh, seed, 0.1 + random(), 1e-9, true);
    report(`tiles ${where}`, sums);
    expect([sums.links > 0, sums.longest < 1 + 1e-6]).toEqual([true, true]);
  });

  it('in a world of levels in tiles', () => {
    const scene = levelScenes.find((one) => one.name === 'terrain')!;
    const { navMesh } = buildNavMesh(scene.create(2), { ...scene.options, tileSize: 8 });
    expect(navMesh.tileSlotCount).toBeGreaterThan(4);
    const sums = walkAll(navMesh, SEED, 0.3, navMesh.cellSize / 20 + 1e-9, true);
    report('terrain in tiles', sums);
  });

  it('are the same 100 km away', () => {
    for (const name of ['house', 'caves']) {
      const scene = levelScenes.find((one) => one.name === name)!;
      const { positions, indices } = scene.create();
      const by = [98 * 1024, 1024, -97 * 1024];
      const near = buildNavMesh({ positions, indices }, scene.options).navMesh;
      const there = buildNavMesh(
        { positions: Float64Array.from(positions, (v, k) => v + by[k % 3]), indices },
        scene.options,
      ).navMesh;
      const source = createRandom(SEED);
      let compared = 0;
      for (let i = 0; i < WALKS; i++) {
        const ends = [findRandomPoint(near, source).point, findRandomPoint(near, source).point];
        const moved = ends.map((p) => p.map((v, k) => v + by[k]));
        const [a, b] = [findSmoothPath(near, ends[0], ends[1]), findSmoothPath(there, moved[0], moved[1])];
        const what = `${name}, seed ${SEED}, walk ${i}: ${ends[0]} to ${ends[1]}`;
        expect(b.status, what).toBe(a.status);
        // Among corridors of equal cost, another may be taken.
        if (a.polys.length !== b.polys.length || a.points.length !== b.points.length) continue;
        if (a.corners.some(({ poly }, k) => polyIndexOf(near, poly) !== polyIndexOf(there, b.corners[k].poly)))
          continue;
        const worst = Math.max(
          0,
          ...a.points.flatMap((p, k) => p.map((v, axis) => Math.abs(b.points[k][axis] - by[axis] - v))),
        );
        expect(worst, what).toBeLessThan(1e-3);
        compared++;
      }
      expect(compared).toBeGreaterThan(0.8 * WALKS);
    }
  });
});
