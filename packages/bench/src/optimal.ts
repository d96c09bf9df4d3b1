/**
 * Measures shortest paths: `findOptimalPath` beside `findPath`, both end to end on the same mesh and the same seeded pairs, by
 * their kernels, on 2D maps and levels. Throws when the shortest path is longer than the other, or one finds a path where the
 * other finds none. `node packages/bench/dist/optimal.js [ROUNDS]` after a build prints it.
 */
import { fileURLToPath } from 'node:url';
import {
  createFilter, createOptimalBuffer, createOptimalState, createPathBuffer, createSearchState, findOptimalPathInto, findPathInto,
} from 'navkiln';
import type { NavMesh, PathBuffer } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { buildFromPolygons } from 'navkiln/polygon';
import { levelScenes, mapScenes } from 'navkiln-scenes';
import { formatTable, measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import { randomPoints } from './navkiln.ts';

export interface OptimalRow {
  level: string;
  polygons: number;
  complete: number;
  /** Paths of A* and funnel that are longer than the shortest by more than 1 in a million, and the longest, as a ratio. */
  longer: number;
  worst: number;
  /** Median microseconds a query: the shortest path, A* and funnel. */
  optimalUs: number;
  pathUs: number;
  ratio: Spread;
}

export interface OptimalBenchOptions {
  rounds: number;
  pairs: number;
  seed: number;
}

const TOLERANCE = 1e-9;

export function benchOptimal(level: string, mesh: NavMesh, options: OptimalBenchOptions): OptimalRow {
  const points = randomPoints(mesh, 2 * options.pairs, options.seed).map((point) => Float64Array.from(point));
  const filter = createFilter();
  const { radius, height } = mesh.agent;
  const reach = Float64Array.of(Math.max(2 * radius, 1e-3), Math.max(height, 1e-3), Math.max(2 * radius, 1e-3));
  const optimal = createOptimalBuffer();
  const optimalState = createOptimalState();
  const path = createPathBuffer();
  const state = createSearchState();
  const searchOptimal = (i: number): void =>
    findOptimalPathInto(optimal, optimalState, mesh, points[2 * i]!, points[2 * i + 1]!, reach, filter, Infinity);
  const searchPath = (i: number): void =>
    findPathInto(path, state, mesh, points[2 * i]!, points[2 * i + 1]!, reach, filter, Infinity);

  let complete = 0;
  let longer = 0;
  let worst = 1;
  for (let i = 0; i < options.pairs; i++) {
    searchOptimal(i);
    searchPath(i);
    if (optimal.status !== path.status) throw new Error(`${level}, pair ${i}: ${optimal.status}, but A* says ${path.status}`);
    if (path.status !== 'complete') continue;
    complete++;
    const [ours, theirs] = [planarLength(optimal), planarLength(path)];
    if (ours > theirs * (1 + TOLERANCE)) throw new Error(`${level}, pair ${i}: ${ours} is longer than ${theirs}`);
    if (theirs > ours * (1 + 1e-6)) longer++;
    if (ours > 0) worst = Math.max(worst, theirs / ours);
  }
  const each = (search: (i: number) => void) => (): void => {
    for (let i = 0; i < options.pairs; i++) search(i);
  };
  const [ours, theirs] = measureInterleaved(
    [{ name: 'optimal', run: each(searchOptimal) }, { name: 'path', run: each(searchPath) }],
    { rounds: options.rounds, warmups: 3 },
  );
  return {
    level, polygons: mesh.polyCount, complete, longer, worst,
    optimalUs: (spreadOf(ours!).median * 1000) / options.pairs,
    pathUs: (spreadOf(theirs!).median * 1000) / options.pairs,
    ratio: ratioOf(ours!, theirs!),
  };
}

function planarLength({ line }: PathBuffer): number {
  let sum = 0;
  for (let i = 1; i < line.count; i++) {
    sum += Math.hypot(line.points[3 * i]! - line.points[3 * i - 3]!, line.points[3 * i + 2]! - line.points[3 * i - 1]!);
  }
  return sum;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = { rounds: Number(process.argv[2] ?? 15), pairs: 300, seed: 1 };
  const rows = mapScenes.map((scene) => benchOptimal(scene.name, buildFromPolygons(scene.create()).navMesh, options));
  const levels = ['dungeon', 'terrain', 'city', 'tower', 'islands', 'courtyard'];
  for (const scene of levelScenes.filter(({ name }) => levels.includes(name))) {
    rows.push(benchOptimal(scene.name, buildNavMesh(scene.create(1), scene.options).navMesh, options));
  }
  console.log(formatTable([
    ['map or level', 'polygons', 'paths', 'A* longer', 'at worst', 'optimal us', 'A* us', 'ratio (quartiles)'],
    ...rows.map((row) => [
      row.level, String(row.polygons), String(row.complete), String(row.longer), row.worst.toFixed(3), row.optimalUs.toFixed(1),
      row.pathUs.toFixed(1), `${row.ratio.median.toFixed(2)} (${row.ratio.q1.toFixed(2)} - ${row.ratio.q3.toFixed(2)})`,
    ]),
  ]));
}
