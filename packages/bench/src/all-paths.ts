/**
 * Compares path functions of all libraries in time and in path length, end to end with points, over the same reachable pairs.
 *
 * `findPath`, `findOptimalPath` and `findIndexedPath` against recast-navigation, navcat and three-pathfinding. Throws when an indexed
 * path is not as long as the optimal one, within 1e-9.
 */
import { findOptimalPath, findPath } from 'navkiln';
import { buildPathIndex, findIndexedPath, pathIndexBytes } from 'navkiln/index';
import { bakeForAll } from './contenders.ts';
import { geometricMean, measureInterleaved, ratioOf, spreadOf, waitedMs } from './harness.ts';
import type { Contender, Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { findPathWithNavcat } from './navcat.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import { createThreeZone, findPathWithThree, prepareThreeQuery } from './three-pathfinding.ts';
import type { ThreeQuery } from './three-pathfinding.ts';

export interface AllPathsRow {
  level: string;
  polygons: number;
  pairs: number;
  tier: string;
  corners: number;
  indexBytes: number;
  indexMs: number;
  /** Pairs that the index answered itself. */
  indexed: number;
  /** Median microseconds per pair, and mean excess over the shortest path, by contender. */
  us: Record<string, number>;
  excess: Record<string, number>;
  /** Time of `findIndexedPath` over that of each other contender. */
  ratios: Record<string, Spread>;
}

export interface AllPathsOptions {
  rounds: number;
  pairs: number;
  seed: number;
}

const TOLERANCE = 1e-9;
/** three-pathfinding visits all triangles in each query, so it gets fewer pairs. */
const THREE_PAIRS = 50;
/** Points drawn for each pair: many are not reachable from each other. */
const DRAWS = 10;

export function benchAllPaths(level: BenchLevel, { rounds, pairs: wanted, seed }: AllPathsOptions): AllPathsRow {
  const { mesh, recastMesh, query, navcat, halfExtents } = bakeForAll(level, true);
  const points = randomPoints(mesh, 2 * DRAWS * wanted, seed);
  const zone = createThreeZone(mesh);
  const pairs: { a: Point; b: Point; three: ThreeQuery | null }[] = [];
  for (let i = 0; i < DRAWS * wanted && pairs.length < wanted; i++) {
    const [a, b] = [points[2 * i], points[2 * i + 1]];
    if (findPath(mesh, a, b, { halfExtents }).status === 'complete') pairs.push({ a, b, three: null });
  }
  const threeCount = Math.min(THREE_PAIRS, pairs.length);
  for (const pair of pairs.slice(0, threeCount)) pair.three = prepareThreeQuery(zone, pair.a, pair.b);
  const begun = performance.now() - waitedMs();
  const index = buildPathIndex(mesh);
  const indexMs = performance.now() - waitedMs() - begun;
  const maxPolys = Math.max(256, mesh.polyCount);
  const recastOptions = { maxPathPolys: maxPolys, maxStraightPathPoints: maxPolys };
  const xyz = pairs.map(({ a, b }) => [toXyz(a), toXyz(b)] as const);

  const ways: Record<string, (i: number) => readonly (readonly number[])[] | null> = {
    indexed: (i) => findIndexedPath(index, mesh, pairs[i].a, pairs[i].b, { halfExtents }).points,
    findPath: (i) => findPath(mesh, pairs[i].a, pairs[i].b, { halfExtents }).points,
    optimal: (i) => findOptimalPath(mesh, pairs[i].a, pairs[i].b, { halfExtents }).points,
    recast: (i) => query.computePath(xyz[i][0], xyz[i][1], recastOptions).path.map((p) => [p.x, p.y, p.z]),
    navcat: (i) => findPathWithNavcat(navcat!, pairs[i].a, pairs[i].b, halfExtents)?.map((p) => p.position) ?? null,
    three: (i) => {
      const { a, three } = pairs[i];
      const path = three && findPathWithThree(zone, three);
      return path && [a, ...path.map((p) => [p.x, p.y, p.z])];
    },
  };
  const row: AllPathsRow = {
    level: level.name,
    polygons: mesh.polyCount,
    pairs: pairs.length,
    tier: index.tier,
    corners: index.cornerCount,
    indexBytes: pathIndexBytes(index),
    indexMs,
    indexed: 0,
    us: {},
    excess: {},
    ratios: {},
  };
  const shortest = pairs.map((_, i) => lengthOf(ways.optimal(i)!));
  for (const [name, find] of Object.entries(ways)) row.excess[name] = excessOf(find, shortest, name, level.name);
  for (const { a, b } of pairs) {
    if (findIndexedPath(index, mesh, a, b, { halfExtents }).source === 'index') row.indexed++;
  }
  // Without the conversion of its result.
  ways.recast = (i) => (query.computePath(xyz[i][0], xyz[i][1], recastOptions), null);
  ways.three = (i) => (pairs[i].three && findPathWithThree(zone, pairs[i].three!), null);
  const { indexed, three, ...others } = ways;
  measure(row, { indexed, three }, threeCount, rounds);
  // Last, so that the time of the index is that over all pairs.
  measure(row, { indexed, ...others }, pairs.length, rounds);
  query.destroy();
  recastMesh.destroy();
  return row;
}

/** Measures the first of the functions against the others, over the first `count` pairs. */
function measure(row: AllPathsRow, ways: Record<string, (i: number) => unknown>, count: number, rounds: number): void {
  const contenders: Contender[] = Object.entries(ways).map(([name, find]) => ({
    name,
    run: () => {
      for (let i = 0; i < count; i++) find(i);
    },
  }));
  const times = measureInterleaved(contenders, { rounds, warmups: 3 });
  contenders.forEach(({ name }, k) => {
    row.us[name] = (spreadOf(times[k]).median * 1000) / count;
    if (k > 0) row.ratios[name] = ratioOf(times[0], times[k]);
  });
}

const toXyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });

/** Returns the length in the plane, because heights at the ends differ between libraries. */
function lengthOf(path: readonly (readonly number[])[]): number {
  let length = 0;
  for (let k = 1; k < path.length; k++) length += Math.hypot(path[k][0] - path[k - 1][0], path[k][2] - path[k - 1][2]);
  return length;
}

/** Returns the mean excess over the shortest paths. Pairs without a path, and paths through walls, do not count. */
function excessOf(
  find: (i: number) => readonly (readonly number[])[] | null,
  shortest: readonly number[],
  name: string,
  level: string,
): number {
  let sum = 0;
  let count = 0;
  shortest.forEach((want, i) => {
    const path = find(i);
    if (path === null || path.length === 0 || want < 0.1) return;
    const length = lengthOf(path);
    if (name === 'indexed' && Math.abs(length - want) > TOLERANCE * Math.max(1, want)) {
      throw new Error(`all paths on ${level}, pair ${i}: the index gives ${length}, the search ${want}`);
    }
    if (name === 'findPath' && length < want * (1 - TOLERANCE)) {
      throw new Error(`all paths on ${level}, pair ${i}: findPath gives ${length}, the search ${want}`);
    }
    if (length < want * 0.999) return;
    sum += Math.max(length / want, 1) - 1;
    count++;
  });
  return sum / count;
}

/** Returns the tables: times and ratios, excess lengths, and the index itself. */
export function allPathsTables(rows: readonly AllPathsRow[]): string[][][] {
  const names = ['indexed', 'findPath', 'optimal', 'recast', 'navcat', 'three'];
  const others = names.slice(1);
  const us = (value: number): string => value.toPrecision(3);
  const percent = (value: number): string => `${(100 * value).toFixed(2)}%`;
  const times = [['us per path', 'polygons', ...names, ...others.map((name) => `indexed / ${name}`)]];
  const lengths = [['mean excess over the shortest', ...names]];
  const builds = [['index', 'tier', 'corners', 'bytes', 'bytes / polygon', 'ms', 'us / polygon', 'answered']];
  for (const row of rows) {
    const { level, polygons, ratios } = row;
    times.push([
      level,
      String(polygons),
      ...names.map((name) => us(row.us[name])),
      ...others.map((name) => `${us(ratios[name].median)} (${us(ratios[name].q1)}-${us(ratios[name].q3)})`),
    ]);
    lengths.push([level, ...names.map((name) => percent(row.excess[name]))]);
    builds.push([
      level,
      row.tier,
      String(row.corners),
      String(row.indexBytes),
      (row.indexBytes / polygons).toFixed(0),
      row.indexMs.toFixed(0),
      ((1000 * row.indexMs) / polygons).toFixed(0),
      `${row.indexed} of ${row.pairs}`,
    ]);
  }
  times.push([
    'geometric mean',
    '',
    ...names.map(() => ''),
    ...others.map((name) => us(geometricMean(rows.map((row) => row.ratios[name].median)))),
  ]);
  return [times, lengths, builds];
}
