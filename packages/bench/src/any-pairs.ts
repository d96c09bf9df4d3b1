/**
 * Measures path functions over random pairs, whether or not a path connects them, end to end with points.
 *
 * `findIndexedPath`, `findPath`, and `findPath` with `skipDeadEnds`, against recast-navigation and each other. Throws when an indexed
 * path that is exact is not as long as the optimal one within 1e-9, or has another status or end.
 */
import { findOptimalPath, findPath, skipDeadEnds } from 'navkiln';
import { buildPathIndex, findIndexedPath } from 'navkiln/index';
import { bakeForAll } from './contenders.ts';
import { geometricMean, measureInterleaved, ratioOf, spreadOf, waitedMs } from './harness.ts';
import type { Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';

export interface AnyPairsRow {
  level: string;
  polygons: number;
  tier: string;
  buildMs: number;
  pairs: number;
  /** Pairs with a path, and pairs that the index answered itself. */
  reachable: number;
  indexed: number;
  /** Median microseconds per pair. */
  us: { indexed: number; findPath: number; skipping: number; recast: number };
  /** Times over those of recast-navigation, and of the index over `findPath`. */
  indexed_recast: Spread;
  findPath_recast: Spread;
  skipping_recast: Spread;
  indexed_findPath: Spread;
}

export interface AnyPairsOptions {
  rounds: number;
  pairs: number;
  seed: number;
}

const TOLERANCE = 1e-9;
/** Shortest paths on large meshes take long to search. */
const COMPARED = 200;
const LARGE = 10_000;

export function benchAnyPairs(level: BenchLevel, { rounds, pairs: count, seed }: AnyPairsOptions): AnyPairsRow {
  const { mesh, recastMesh, query, halfExtents } = bakeForAll(level, false);
  const skipping = structuredClone(mesh);
  skipDeadEnds(skipping);
  const points = randomPoints(mesh, 2 * count, seed);
  const options = { halfExtents };
  const begun = performance.now() - waitedMs();
  const index = buildPathIndex(mesh);
  const buildMs = performance.now() - waitedMs() - begun;
  const maxPolys = Math.max(256, mesh.polyCount);
  const recastOptions = { maxPathPolys: maxPolys, maxStraightPathPoints: maxPolys };
  const toXyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
  const xyz = points.map(toXyz);
  let reachable = 0;
  let indexed = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = [points[2 * i], points[2 * i + 1]];
    const path = findIndexedPath(index, mesh, a, b, options);
    if (path.source === 'index') indexed++;
    if (path.status === 'complete') reachable++;
    if (mesh.polyCount > LARGE && i >= COMPARED) continue;
    const want = findOptimalPath(mesh, a, b, options);
    const error = path.planarLength - want.planarLength;
    const limit = TOLERANCE * Math.max(1, want.planarLength);
    const isSame = path.status === want.status && path.endDistance === want.endDistance && error >= -limit;
    if (!isSame || (path.exact && error > limit))
      throw new Error(
        `any pairs on ${level.name}, pair ${i}: ${path.status} ${path.planarLength}, not ${want.status} ${want.planarLength}`,
      );
  }
  const each = (find: (i: number) => unknown) => (): void => {
    for (let i = 0; i < count; i++) find(i);
  };
  const [byIndex, byPath, bySkipping, byRecast] = measureInterleaved(
    [
      { name: 'indexed', run: each((i) => findIndexedPath(index, mesh, points[2 * i], points[2 * i + 1], options)) },
      { name: 'findPath', run: each((i) => findPath(mesh, points[2 * i], points[2 * i + 1], options)) },
      { name: 'skipping', run: each((i) => findPath(skipping, points[2 * i], points[2 * i + 1], options)) },
      { name: 'recast', run: each((i) => query.computePath(xyz[2 * i], xyz[2 * i + 1], recastOptions)) },
    ],
    { rounds, warmups: Math.min(10, Math.ceil(3000 / count)) },
  );
  query.destroy();
  recastMesh.destroy();
  const us = (times: Float64Array): number => (spreadOf(times).median * 1000) / count;
  return {
    level: level.name,
    polygons: mesh.polyCount,
    tier: index.tier,
    buildMs,
    pairs: count,
    reachable,
    indexed,
    us: { indexed: us(byIndex), findPath: us(byPath), skipping: us(bySkipping), recast: us(byRecast) },
    indexed_recast: ratioOf(byIndex, byRecast),
    findPath_recast: ratioOf(byPath, byRecast),
    skipping_recast: ratioOf(bySkipping, byRecast),
    indexed_findPath: ratioOf(byIndex, byPath),
  };
}

/** Returns the table of all levels, with geometric means. */
export function anyPairsTable(rows: readonly AnyPairsRow[]): string[][] {
  const us = (value: number): string => value.toPrecision(3);
  const share = ({ median, q1, q3 }: Spread): string => `${us(median)} (${us(q1)}-${us(q3)})`;
  const mean = (pick: (row: AnyPairsRow) => Spread): string => us(geometricMean(rows.map((row) => pick(row).median)));
  return [
    [
      'any pairs',
      'polygons',
      'tier',
      'build us / polygon',
      'reachable',
      'answered',
      'index us',
      'findPath us',
      'skipping us',
      'recast us',
      'index / recast',
      'findPath / recast',
      'skipping / recast',
      'index / findPath',
    ],
    ...rows.map((row) => [
      row.level,
      String(row.polygons),
      row.tier,
      ((1000 * row.buildMs) / row.polygons).toFixed(0),
      `${row.reachable} of ${row.pairs}`,
      String(row.indexed),
      us(row.us.indexed),
      us(row.us.findPath),
      us(row.us.skipping),
      us(row.us.recast),
      share(row.indexed_recast),
      share(row.findPath_recast),
      share(row.skipping_recast),
      share(row.indexed_findPath),
    ]),
    [
      'geometric mean',
      ...Array.from({ length: 9 }, () => ''),
      mean((row) => row.indexed_recast),
      mean((row) => row.findPath_recast),
      mean((row) => row.skipping_recast),
      mean((row) => row.indexed_findPath),
    ],
  ];
}
