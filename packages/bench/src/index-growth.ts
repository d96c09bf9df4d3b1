/**
 * Measures how a path index grows with the mesh: the tier that is chosen, build time, bytes, time of a query, and how much longer its
 * paths are than the shortest.
 *
 * The meshes are fields of uneven squares with blocks of several sizes in them, from 100 polygons on, and one level with labels, which
 * are not built by default on meshes of its size. Throws when an index that promises the shortest path gives a longer one.
 */
import { findOptimalPath, findPath } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildFromSurface, buildNavMesh } from 'navkiln/build';
import type { SurfaceLevel } from 'navkiln/build';
import { buildPathIndex, findIndexedPath, pathIndexBytes } from 'navkiln/index';
import type { PathIndexOptions } from 'navkiln/index';
import { findLevelScene } from 'navkiln-scenes';
import { createRandom, measureInterleaved, ratioOf, spreadOf, waitedMs } from './harness.ts';
import type { Spread } from './harness.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';

export interface IndexGrowthRow {
  scene: string;
  polygons: number;
  tier: string;
  corners: number;
  buildMs: number;
  bytes: number;
  /** Pairs with a path, and those of them that the index answered itself. */
  pairs: number;
  indexed: number;
  /** Median microseconds per query, and its ratio to `findPath` and `findOptimalPath`. */
  us: number;
  findPath: Spread;
  optimal: number;
  /** Excess over the shortest path: mean, and of the path that is longer than 95 % of them. */
  meanExcess: number;
  p95Excess: number;
  /** Mean excess of `findPath`. */
  findPathExcess: number;
}

export interface IndexGrowthOptions {
  rounds: number;
  seed: number;
}

const TOLERANCE = 1e-9;
/** Approximate number of polygons per square of a field. */
const POLYS_PER_SQUARE = 0.63;
/** Least and most pairs. A shortest path on a million polygons takes a second to search. */
const PAIRS = [40, 500] as const;
/** Approximate number of polygons that are searched for the shortest paths of all pairs. */
const SEARCHED = 2e7;
/** Memory that labels may take. */
const LABEL_BYTES = 2 ** 30;
const LABEL_SCALE = 20;

/** Returns triangles of a field of about `size` polygons, with vertices that are moved at random. */
function fieldOf(size: number, seed: number): SurfaceLevel {
  const random = createRandom(seed);
  const side = Math.max(4, Math.round(Math.sqrt(size / POLYS_PER_SQUARE)));
  const isClosed = new Uint8Array(side * side);
  for (let i = 0; i < (side * side) / 60; i++) {
    const width = 1 + Math.floor(Math.min(7, side / 4) * random() ** 3);
    const [x, z] = [random(), random()].map((v) => Math.floor(v * (side - width)));
    for (let k = 0; k < width * width; k++) isClosed[(z + Math.floor(k / width)) * side + x + (k % width)] = 1;
  }
  const points = side + 1;
  const positions = new Float32Array(3 * points * points);
  for (let p = 0; p < points * points; p++) {
    positions[3 * p] = (p % points) + 0.6 * (random() - 0.5);
    positions[3 * p + 2] = Math.floor(p / points) + 0.6 * (random() - 0.5);
  }
  const indices: number[] = [];
  for (let square = 0; square < side * side; square++) {
    if (isClosed[square] === 1) continue;
    const a = Math.floor(square / side) * points + (square % side);
    indices.push(a, a + points, a + 1, a + 1, a + points, a + points + 1);
  }
  return { positions, indices: Uint32Array.from(indices) };
}

/** Returns a row for each size, in polygons, and one for a level with labels. Reports the rows so far after each. */
export function measureIndexGrowth(
  sizes: readonly number[],
  options: IndexGrowthOptions,
  report: (rows: readonly IndexGrowthRow[]) => void,
): IndexGrowthRow[] {
  const rows: IndexGrowthRow[] = [];
  const add = (scene: string, mesh: NavMesh, indexOptions: PathIndexOptions): void => {
    rows.push(measureMesh(scene, mesh, indexOptions, options));
    report(rows);
  };
  for (const size of sizes)
    add('field', buildFromSurface(fieldOf(size, options.seed), { agent: { radius: 0 } }).navMesh, {});
  if (sizes.some((size) => size >= 1e4)) add('terrain', terrain(), { tier: 'labels', maxBytes: LABEL_BYTES });
  return rows;
}

function terrain(): NavMesh {
  const scene = findLevelScene('terrain');
  return buildNavMesh(scene.create(undefined, LABEL_SCALE), { ...scene.options, memoryLimitBytes: 2 ** 36 }).navMesh;
}

function measureMesh(
  scene: string,
  mesh: NavMesh,
  indexOptions: PathIndexOptions,
  { rounds, seed }: IndexGrowthOptions,
): IndexGrowthRow {
  const begun = performance.now() - waitedMs();
  const index = buildPathIndex(mesh, indexOptions);
  const buildMs = performance.now() - waitedMs() - begun;
  const wanted = Math.min(PAIRS[1], Math.max(PAIRS[0], Math.ceil(SEARCHED / mesh.polyCount)));
  const pairs = pairsOn(mesh, wanted, seed);
  const excess: number[] = [];
  let findPathExcess = 0;
  let indexed = 0;
  let optimalMs = 0;
  pairs.forEach(([a, b], i) => {
    const begin = performance.now() - waitedMs();
    const want = findOptimalPath(mesh, a, b).planarLength;
    optimalMs += performance.now() - waitedMs() - begin;
    const path = findIndexedPath(index, mesh, a, b);
    const error = path.planarLength - want;
    if (path.source === 'index') indexed++;
    if (error < -TOLERANCE * want || (path.exact && error > TOLERANCE * want)) {
      throw new Error(`${scene} of ${mesh.polyCount} polygons, pair ${i}: ${path.planarLength}, the search ${want}`);
    }
    excess.push(Math.max(0, error) / want);
    findPathExcess += lengthOf(findPath(mesh, a, b).points) / want - 1;
  });
  excess.sort((x, y) => x - y);
  const times = measureInterleaved(
    [
      { name: 'indexed', run: () => pairs.forEach(([a, b]) => findIndexedPath(index, mesh, a, b)) },
      { name: 'findPath', run: () => pairs.forEach(([a, b]) => findPath(mesh, a, b)) },
    ],
    { rounds, warmups: Math.min(Math.ceil(1000 / pairs.length), 10) },
  );
  const us = (spreadOf(times[0]).median * 1000) / pairs.length;
  return {
    scene,
    polygons: mesh.polyCount,
    tier: index.tier,
    corners: index.cornerCount,
    buildMs,
    bytes: pathIndexBytes(index),
    pairs: pairs.length,
    indexed,
    us,
    findPath: ratioOf(times[0], times[1]),
    optimal: us / ((1000 * optimalMs) / pairs.length),
    meanExcess: excess.reduce((a, b) => a + b, 0) / excess.length,
    p95Excess: excess[Math.floor(0.95 * excess.length)],
    findPathExcess: findPathExcess / pairs.length,
  };
}

/** Returns random pairs with a path that is not trivially short. */
function pairsOn(mesh: NavMesh, wanted: number, seed: number): [Point, Point][] {
  const points = randomPoints(mesh, 20 * wanted, seed);
  const pairs: [Point, Point][] = [];
  for (let i = 0; i < 10 * wanted && pairs.length < wanted; i++) {
    const [a, b] = [points[2 * i], points[2 * i + 1]];
    if (Math.hypot(a[0] - b[0], a[2] - b[2]) < 0.1) continue;
    if (findPath(mesh, a, b).status === 'complete') pairs.push([a, b]);
  }
  return pairs;
}

/** Returns the length in the plane. */
function lengthOf(path: readonly (readonly number[])[]): number {
  let length = 0;
  for (let k = 1; k < path.length; k++) length += Math.hypot(path[k][0] - path[k - 1][0], path[k][2] - path[k - 1][2]);
  return length;
}

/** Returns the rows as a table. */
export function indexGrowthTable(rows: readonly IndexGrowthRow[]): string[][] {
  const percent = (value: number): string => `${(100 * value).toFixed(2)}%`;
  return [
    [
      'path index',
      'polygons',
      'tier',
      'build s',
      'us / polygon',
      'bytes / polygon',
      'us / path',
      '/ findPath',
      '/ findOptimalPath',
      'mean excess',
      'p95',
      'of findPath',
      'answered',
    ],
    ...rows.map((row) => [
      row.scene,
      String(row.polygons),
      row.tier,
      (row.buildMs / 1000).toPrecision(2),
      ((1000 * row.buildMs) / row.polygons).toFixed(0),
      (row.bytes / row.polygons).toFixed(0),
      row.us.toPrecision(3),
      `${row.findPath.median.toPrecision(2)} (${row.findPath.q1.toPrecision(2)}-${row.findPath.q3.toPrecision(2)})`,
      row.optimal.toPrecision(2),
      percent(row.meanExcess),
      percent(row.p95Excess),
      percent(row.findPathExcess),
      `${row.indexed} of ${row.pairs}`,
    ]),
  ];
}
