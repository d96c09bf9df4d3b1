/**
 * Measures shortest paths on 2D maps and levels, on the same mesh and seeded pairs: `findOptimalPath` against
 * `findPath` by their kernels, and both through the public API against npm three-pathfinding, in time and in
 * length.
 *
 * Throws when another path is shorter than the optimal one, or when one navkiln query finds a path and the
 * other does not. Paths that three-pathfinding misses or takes through a wall are only counted. It searches
 * triangles while navkiln searches the polygons they were cut from, which explains part of the difference in
 * length.
 */
import { createFilter, findOptimalPath, findPath } from 'navkiln';
import { bestPaths, createPathBuffer, createSearchState, findMidpointPathInto, findPathInto } from 'navkiln/kernel';
import type { NavMesh } from 'navkiln';
import type { PathBuffer } from 'navkiln/kernel';
import { buildNavMesh } from 'navkiln/build';
import { buildFromPolygons } from 'navkiln/polygon';
import { levelScenes, mapScenes } from 'navkiln-scenes';
import { geometricMean, measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import { randomPoints } from './navkiln.ts';
import { createThreeZone, findPathWithThree, prepareThreeQuery, THREE_ROUNDING } from './three-pathfinding.ts';
import type { ThreeQuery } from './three-pathfinding.ts';

export interface OptimalRow {
  level: string;
  polygons: number;
  complete: number;
  /**
   * Number of A* and funnel paths longer than the shortest by more than 1 in a million, and the largest
   * ratio.
   */
  longer: number;
  worst: number;
  /** Median microseconds per query: shortest path, A* and funnel. */
  optimalUs: number;
  pathUs: number;
  ratio: Spread;
  midpoints: MidpointRow;
  three: ThreeRow;
}

/** Paths over midpoints of edges, compared with those over polygons. */
export interface MidpointRow {
  /** Mean excess over the shortest path: of paths over midpoints, and of A* and funnel. */
  excess: number;
  pathExcess: number;
  /** Number of paths longer than the shortest by more than 1 in a million, and the largest ratio. */
  longer: number;
  worst: number;
  /** Median microseconds per query, and the time over that of A* and funnel. */
  us: number;
  ratio: Spread;
}

/** Comparison with three-pathfinding through the public API, over pairs for which all three find a path. */
export interface ThreeRow {
  triangles: number;
  /** Pairs with a path, and pairs of these for which the library finds none. */
  asked: number;
  missed: number;
  /**
   * Paths through walls: where no path exists, or shorter than the shortest by more than its rounding. Among
   * 300 pairs each on five maps there were 48, and all of them left the mesh.
   */
  wrong: number;
  /**
   * Number of paths longer than the shortest by more than 1 in 1,000 and by more than its rounding, and the
   * largest ratio.
   */
  longer: number;
  worst: number;
  /**
   * Total length of its paths over that of A* and funnel, and over that of the shortest paths, without wrong
   * ones.
   */
  lengthToPath: number;
  lengthToOptimal: number;
  /** Median microseconds per query. */
  us: { three: number; path: number; optimal: number };
  /** Times of navkiln over those of three-pathfinding. */
  path: Spread;
  optimal: Spread;
}

export interface OptimalBenchOptions {
  rounds: number;
  pairs: number;
  seed: number;
}

const TOLERANCE = 1e-9;
/** Levels that are measured by default. */
const LEVELS: readonly string[] = ['dungeon', 'terrain', 'city', 'tower', 'islands', 'courtyard'];
/** three-pathfinding visits all triangles in each query. */
const THREE_PAIRS = 200;
/** Unmeasured queries of each kind: with fewer, rare branches of the search are not compiled yet. */
const WARM_QUERIES = 4000;

/** Lists the scenes that are measured; no names: all maps and some levels. */
export function optimalScenes(names: readonly string[]): string[] {
  const maps = mapScenes.map((scene) => scene.name).filter((name) => names.length === 0 || names.includes(name));
  const wanted = names.length === 0 ? LEVELS : names;
  return [...maps, ...levelScenes.map((scene) => scene.name).filter((name) => wanted.includes(name))];
}

export function benchOptimal(name: string, options: OptimalBenchOptions): OptimalRow {
  const map = mapScenes.find((scene) => scene.name === name);
  if (map) return benchMesh(name, buildFromPolygons(map.create()).navMesh, options);
  const level = levelScenes.find((scene) => scene.name === name);
  if (!level) throw new RangeError(`benchOptimal: no map and no level ${name}`);
  return benchMesh(name, buildNavMesh(level.create(), level.options).navMesh, options);
}

function benchMesh(level: string, mesh: NavMesh, options: OptimalBenchOptions): OptimalRow {
  const points = randomPoints(mesh, 2 * options.pairs, options.seed).map((point) => Float64Array.from(point));
  const filter = createFilter();
  const { radius, height } = mesh.agent;
  const reach = Float64Array.of(Math.max(2 * radius, 1e-3), Math.max(height, 1e-3), Math.max(2 * radius, 1e-3));
  const optimal = bestPaths.createOptimalBuffer();
  const optimalState = bestPaths.createOptimalState();
  const path = createPathBuffer();
  const state = createSearchState();
  const queries = Array.from({ length: options.pairs }, (_, i) => ({
    start: points[2 * i],
    end: points[2 * i + 1],
    halfExtents: reach,
    filter,
    maxNodes: Infinity,
  }));
  const searchOptimal = (i: number): void => bestPaths.findOptimalPathInto(optimal, optimalState, mesh, queries[i]);
  const searchPath = (i: number): void => findPathInto(path, state, mesh, queries[i]);

  const over = createPathBuffer();
  const searchMidpoints = (i: number): void => findMidpointPathInto(over, state, mesh, queries[i]);

  const lengths = new Float64Array(options.pairs).fill(NaN);
  const midpoints = { excess: 0, pathExcess: 0, longer: 0, worst: 1 };
  let complete = 0;
  let longer = 0;
  let worst = 1;
  for (let i = 0; i < options.pairs; i++) {
    searchOptimal(i);
    searchPath(i);
    searchMidpoints(i);
    if (over.status !== path.status)
      throw new Error(`${level}, pair ${i}: ${over.status} over midpoints, but A* says ${path.status}`);
    if (optimal.status !== path.status)
      throw new Error(`${level}, pair ${i}: ${optimal.status}, but A* says ${path.status}`);
    if (path.status !== 'complete') continue;
    complete++;
    const [ours, theirs] = [planarLength(optimal), planarLength(path)];
    lengths[i] = ours;
    if (ours > theirs * (1 + TOLERANCE)) throw new Error(`${level}, pair ${i}: ${ours} is longer than ${theirs}`);
    if (theirs > ours * (1 + 1e-6)) longer++;
    if (ours === 0) continue;
    worst = Math.max(worst, theirs / ours);
    const excess = planarLength(over) / ours - 1;
    if (excess < -TOLERANCE) throw new Error(`${level}, pair ${i}: ${ours} is longer than over midpoints`);
    if (excess > 1e-6) midpoints.longer++;
    midpoints.worst = Math.max(midpoints.worst, 1 + excess);
    midpoints.excess += excess;
    midpoints.pathExcess += theirs / ours - 1;
  }
  if (complete === 0) throw new Error(`${level}: none of ${options.pairs} pairs has a path`);
  const each = (search: (i: number) => void) => (): void => {
    for (let i = 0; i < options.pairs; i++) search(i);
  };
  const [ours, theirs, overs] = measureInterleaved(
    [
      { name: 'optimal', run: each(searchOptimal) },
      { name: 'path', run: each(searchPath) },
      { name: 'midpoints', run: each(searchMidpoints) },
    ],
    { rounds: options.rounds, warmups: Math.ceil(WARM_QUERIES / options.pairs) },
  );
  return {
    level,
    polygons: mesh.polyCount,
    complete,
    longer,
    worst,
    optimalUs: (spreadOf(ours!).median * 1000) / options.pairs,
    pathUs: (spreadOf(theirs!).median * 1000) / options.pairs,
    ratio: ratioOf(ours!, theirs!),
    midpoints: {
      ...midpoints,
      excess: midpoints.excess / complete,
      pathExcess: midpoints.pathExcess / complete,
      us: (spreadOf(overs!).median * 1000) / options.pairs,
      ratio: ratioOf(overs!, theirs!),
    },
    three: benchThree(level, mesh, points, lengths, reach, options.rounds),
  };
}

/** Measures three-pathfinding. `lengths`: length of the shortest path of each pair, NaN when there is none. */
function benchThree(
  level: string,
  mesh: NavMesh,
  points: readonly Float64Array[],
  lengths: Float64Array,
  halfExtents: Float64Array,
  rounds: number,
): ThreeRow {
  const zone = createThreeZone(mesh);
  const pairs: { from: Float64Array; to: Float64Array; query: ThreeQuery }[] = [];
  let asked = 0,
    missed = 0,
    wrong = 0,
    longer = 0,
    worst = 1,
    theirSum = 0,
    pathSum = 0,
    optimalSum = 0;
  for (let i = 0; i < Math.min(lengths.length, THREE_PAIRS); i++) {
    const from = points[2 * i],
      to = points[2 * i + 1],
      shortest = lengths[i];
    const query = prepareThreeQuery(zone, from, to);
    if (Number.isNaN(shortest)) {
      if (query) wrong++;
      continue;
    }
    asked++;
    if (!query) {
      missed++;
      continue;
    }
    const corners = [query.start, ...findPathWithThree(zone, query)!];
    const theirs = lengthOf(corners.map(({ x, y, z }) => [x, y, z]));
    const rounding = 2 * THREE_ROUNDING * (corners.length - 1);
    if (!(theirs >= shortest - rounding)) {
      wrong++;
      continue;
    }
    pairs.push({ from, to, query });
    if (theirs > shortest * 1.001 + rounding) longer++;
    if (shortest > 100 * rounding) worst = Math.max(worst, theirs / shortest);
    theirSum += theirs;
    optimalSum += shortest;
    pathSum += lengthOf(findPath(mesh, from, to, { halfExtents }).points);
  }
  if (pairs.length < asked / 2) throw new Error(`${level}: three-pathfinding has ${pairs.length} of ${asked} paths`);
  const times = measureInterleaved(
    [
      {
        name: 'three',
        run: () => {
          for (const { query } of pairs) findPathWithThree(zone, query);
        },
      },
      {
        name: 'path',
        run: () => {
          for (const { from, to } of pairs) findPath(mesh, from, to, { halfExtents });
        },
      },
      {
        name: 'optimal',
        run: () => {
          for (const { from, to } of pairs) findOptimalPath(mesh, from, to, { halfExtents });
        },
      },
    ],
    { rounds, warmups: Math.ceil(WARM_QUERIES / pairs.length) },
  );
  const us = (k: number): number => (spreadOf(times[k]).median * 1000) / pairs.length;
  return {
    triangles: zone.triangles,
    asked,
    missed,
    wrong,
    longer,
    worst,
    lengthToPath: theirSum / pathSum,
    lengthToOptimal: theirSum / optimalSum,
    us: { three: us(0), path: us(1), optimal: us(2) },
    path: ratioOf(times[1], times[0]),
    optimal: ratioOf(times[2], times[0]),
  };
}

/** Returns the length seen from above. */
function lengthOf(points: readonly ArrayLike<number>[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    sum += Math.hypot(points[i][0] - points[i - 1][0], points[i][2] - points[i - 1][2]);
  }
  return sum;
}

function planarLength({ line }: PathBuffer): number {
  return lengthOf(Array.from({ length: line.count }, (_, i) => line.points.subarray(3 * i, 3 * i + 3)));
}

const digits = (value: number): string => value.toPrecision(3);
const showSpread = ({ median, q1, q3 }: Spread): string => `${digits(median)} (${digits(q1)}-${digits(q3)})`;

/** Formats three tables, with geometric means below. */
export function optimalTables(rows: readonly OptimalRow[]): string[][][] {
  const mean = (values: number[]): string => digits(geometricMean(values));
  return [
    [
      ['shortest paths', 'polygons', 'paths', 'A* longer', 'at worst', 'optimal us', 'A* us', 'optimal / A*'],
      ...rows.map((row) => [
        row.level,
        String(row.polygons),
        String(row.complete),
        String(row.longer),
        row.worst.toFixed(3),
        digits(row.optimalUs),
        digits(row.pathUs),
        showSpread(row.ratio),
      ]),
      ['geometric mean', '', '', '', '', '', '', mean(rows.map((row) => row.ratio.median))],
    ],
    [
      ['midpoints', 'A* excess %', 'excess %', 'A* longer', 'longer', 'at worst', 'A* us', 'us', 'midpoints / A*'],
      ...rows.map(({ level, longer, pathUs, midpoints }) => [
        level,
        (100 * midpoints.pathExcess).toFixed(2),
        (100 * midpoints.excess).toFixed(2),
        String(longer),
        String(midpoints.longer),
        midpoints.worst.toFixed(3),
        digits(pathUs),
        digits(midpoints.us),
        showSpread(midpoints.ratio),
      ]),
      ['geometric mean', '', '', '', '', '', '', '', mean(rows.map((row) => row.midpoints.ratio.median))],
    ],
    [
      [
        'three-pathfinding',
        'triangles',
        'missed',
        'wrong',
        'longer',
        'at worst',
        'length / A*',
        '/ optimal',
        'three us',
        'findPath us',
        'findOptimalPath us',
        'findPath / three',
        'findOptimalPath / three',
      ],
      ...rows.map(({ level, three }) => [
        level,
        String(three.triangles),
        `${three.missed}/${three.asked}`,
        String(three.wrong),
        String(three.longer),
        three.worst.toFixed(3),
        three.lengthToPath.toFixed(4),
        three.lengthToOptimal.toFixed(4),
        digits(three.us.three),
        digits(three.us.path),
        digits(three.us.optimal),
        showSpread(three.path),
        showSpread(three.optimal),
      ]),
      [
        'geometric mean',
        '',
        '',
        '',
        '',
        '',
        geometricMean(rows.map(({ three }) => three.lengthToPath)).toFixed(4),
        geometricMean(rows.map(({ three }) => three.lengthToOptimal)).toFixed(4),
        '',
        '',
        '',
        mean(rows.map(({ three }) => three.path.median)),
        mean(rows.map(({ three }) => three.optimal.median)),
      ],
    ],
  ];
}
