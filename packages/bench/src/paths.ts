/**
 * Measures path finding end to end (locate both ends, search, straighten) and locating alone, over the same
 * seeded pairs.
 */
import { resolveBake } from 'navkiln/build';
import type { NavMeshQuery } from 'recast-navigation';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender, Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { bakeWithNavcat, findNearestWithNavcat, findPathWithNavcat } from './navcat.ts';
import { bakeWithNavkiln, findNearestWithNavkiln, findPathWithNavkiln, randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import { bakeWithRecast, createRecastQuery } from './recast.ts';

export interface PathRow {
  level: string;
  polygons: number;
  pairs: number;
  seed: number;
  complete: number;
  /** Paths that are shorter or longer than Recast's by more than 1 in 10,000. */
  shorter: number;
  longer: number;
  /** Total length of navkiln's paths over that of navcat's; NaN without navcat. */
  navcatLength: number;
  /** Median microseconds per query, by contender; `nearest` likewise. */
  us: Record<string, number>;
  ratios: Record<string, Spread>;
  nearestUs: Record<string, number>;
  nearestRatios: Record<string, Spread>;
}

export interface PathBenchOptions {
  rounds: number;
  pairs: number;
  seed: number;
  navcat: boolean;
}

const LENGTH_TOLERANCE = 1e-4;

export function benchPaths(level: BenchLevel, options: PathBenchOptions): PathRow {
  const { positions, indices } = level;
  // All search the same polygons.
  const buildOptions = { ...level.options, recast: true };
  const config = resolveBake({ positions, indices }, buildOptions);
  const { navMesh } = bakeWithNavkiln(positions, indices, buildOptions);
  const recastMesh = bakeWithRecast(positions, indices, config, false).navMesh;
  const navcatMesh = options.navcat ? bakeWithNavcat(positions, indices, config).navMesh : undefined;
  const halfExtents: Point = [2 * config.agent.radius, config.agent.height, 2 * config.agent.radius];
  const query = createRecastQuery(recastMesh, halfExtents);
  const maxPolys = Math.max(256, navMesh.polyCount);

  const points = randomPoints(navMesh, options.pairs * 2, options.seed);
  const pairs: [Point, Point][] = Array.from({ length: options.pairs }, (_, k) => [points[k * 2], points[k * 2 + 1]]);
  const answers = compareAnswers(level.name, pairs, {
    navkiln: (a, b) => findPathWithNavkiln(navMesh, a, b, halfExtents),
    recast: (a, b) => findPathWithRecast(query, a, b, maxPolys),
    ...(navcatMesh
      ? { navcat: (a, b) => findPathWithNavcat(navcatMesh, a, b, halfExtents)?.map((p) => p.position) ?? null }
      : {}),
  });

  const asObjects = pairs.map(([a, b]) => [xyz(a), xyz(b)] as const);
  const searches: Contender[] = [
    {
      name: 'navkiln',
      run: () => {
        for (const [a, b] of pairs) findPathWithNavkiln(navMesh, a, b, halfExtents);
      },
    },
    {
      name: 'recast',
      run: () => {
        for (const [a, b] of asObjects)
          query.computePath(a, b, { maxPathPolys: maxPolys, maxStraightPathPoints: maxPolys });
      },
    },
  ];
  const locations: Contender[] = [
    {
      name: 'navkiln',
      run: () => {
        for (const point of points) findNearestWithNavkiln(navMesh, point, halfExtents);
      },
    },
    {
      name: 'recast',
      run: () => {
        for (const [a, b] of asObjects) {
          query.findNearestPoly(a);
          query.findNearestPoly(b);
        }
      },
    },
  ];
  if (navcatMesh) {
    searches.push({
      name: 'navcat',
      run: () => {
        for (const [a, b] of pairs) findPathWithNavcat(navcatMesh, a, b, halfExtents);
      },
    });
    locations.push({
      name: 'navcat',
      run: () => {
        for (const p of points) findNearestWithNavcat(navcatMesh, p, halfExtents);
      },
    });
  }
  const row: PathRow = {
    level: level.name,
    polygons: navMesh.polyCount,
    pairs: pairs.length,
    seed: options.seed,
    ...answers,
    ...measure(searches, options.rounds, pairs.length),
    nearestUs: {},
    nearestRatios: {},
  };
  const nearest = measure(locations, options.rounds, points.length);
  row.nearestUs = nearest.us;
  row.nearestRatios = nearest.ratios;
  query.destroy();
  recastMesh.destroy();
  return row;
}

function measure(contenders: Contender[], rounds: number, queries: number): Pick<PathRow, 'us' | 'ratios'> {
  const times = measureInterleaved(contenders, { rounds, warmups: 2 });
  const us: Record<string, number> = {};
  const ratios: Record<string, Spread> = {};
  contenders.forEach(({ name }, k) => {
    us[name] = (spreadOf(times[k]).median * 1000) / queries;
    if (k > 0) ratios[name] = ratioOf(times[0], times[k]);
  });
  return { us, ratios };
}

const xyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });

/**
 * Returns corners, or null when the path does not reach the end's polygon. Only for comparing answers:
 * `computePath`, which is measured, does not distinguish partial from complete paths.
 */
function findPathWithRecast(query: NavMeshQuery, start: Point, end: Point, maxPolys: number): Point[] | null {
  const from = query.findNearestPoly(xyz(start));
  const to = query.findNearestPoly(xyz(end));
  if (from.nearestRef === 0 || to.nearestRef === 0) return null;
  const corridor = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint, {
    maxPathPolys: maxPolys,
  });
  const reached = corridor.polys.size > 0 && corridor.polys.get(corridor.polys.size - 1) === to.nearestRef;
  corridor.polys.destroy();
  if (!reached) return null;
  const result = query.computePath(xyz(start), xyz(end), { maxPathPolys: maxPolys, maxStraightPathPoints: maxPolys });
  return result.success ? result.path.map((p) => [p.x, p.y, p.z]) : null;
}

/**
 * Returns the length in the plane: heights at the ends differ between libraries (flat polygon or detail
 * mesh), corners do not.
 */
function lengthOf(path: readonly Point[]): number {
  let length = 0;
  for (let k = 1; k < path.length; k++) {
    length += Math.hypot(path[k][0] - path[k - 1][0], path[k][2] - path[k - 1][2]);
  }
  return length;
}

type Search = (start: Point, end: Point) => readonly Point[] | null;

/**
 * Throws when one finds a path and another does not, or when navkiln's path is longer than Recast's too
 * often.
 */
function compareAnswers(
  level: string,
  pairs: readonly [Point, Point][],
  searches: { navkiln: Search; recast: Search; navcat?: Search },
): Pick<PathRow, 'complete' | 'shorter' | 'longer' | 'navcatLength'> {
  let complete = 0;
  let shorter = 0;
  let longer = 0;
  let differentEnds = 0;
  let navcatDiffers = 0;
  let ourSum = 0;
  let navcatSum = 0;
  const show = (path: readonly Point[] | null): string => (path ? `a path of ${lengthOf(path).toFixed(4)}` : 'no path');
  let first = '';
  for (const [start, end] of pairs) {
    const ours = searches.navkiln(start, end);
    const theirs = searches.recast(start, end);
    if ((ours === null) !== (theirs === null)) {
      differentEnds++;
      first ||= `from ${start.join(',')} to ${end.join(',')}: ${show(ours)}, Recast has ${show(theirs)}`;
      continue;
    }
    const third = searches.navcat?.(start, end);
    if (third !== undefined && (third === null) !== (ours === null)) navcatDiffers++;
    if (ours === null || theirs === null) continue;
    if (third) {
      ourSum += lengthOf(ours);
      navcatSum += lengthOf(third);
    }
    complete++;
    const a = lengthOf(ours);
    const b = lengthOf(theirs);
    if (a < b * (1 - LENGTH_TOLERANCE) - 1e-3) shorter++;
    if (a > b * (1 + LENGTH_TOLERANCE) + 1e-3) {
      longer++;
      first ||= `from ${start.join(',')} to ${end.join(',')}: ${show(ours)}, Recast has ${show(theirs)}`;
    }
  }
  const allowed = pairs.length / 100;
  if (differentEnds > allowed || longer > allowed || navcatDiffers > allowed) {
    throw new Error(
      `paths on ${level}: of ${pairs.length} pairs ${differentEnds} differ from Recast in status, ${longer} are longer, ` +
        `${navcatDiffers} differ from navcat in status; first: ${first || 'with navcat'}`,
    );
  }
  // navcat's polygons are not always the same, so single paths may differ.
  const navcatLength = navcatSum > 0 ? ourSum / navcatSum : NaN;
  if (Math.abs(navcatLength - 1) > 0.02)
    throw new Error(`paths on ${level}: together ${navcatLength} of navcat's length`);
  return { complete, shorter, longer, navcatLength };
}
