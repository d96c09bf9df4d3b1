/**
 * `npm run soak -- routes [--scale S] [--pairs N] [--seed SEED] [--cells C] [--file FILE]`: routes over a city of a million polygons in
 * tiles, compared with `findPath`.
 *
 * Prints what the graph takes to build, compared with the bake in CPU time, its bytes a tile, the time of a path compared with that of
 * `findPath`, and by how much whole paths are longer. Fails when an answer differs, or
 * when the mean excess is above 1 % or the worst above 10 %. `--file` keeps the mesh for another run.
 *
 * In: the built packages. Out: text. Cost: about two minutes of baking; some gigabytes.
 * Based on: own.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seeded } from '../seeded.mjs';

const OPTIONS = {
  scale: { type: 'string', default: '1400' },
  pairs: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  cells: { type: 'string', default: '128' },
  file: { type: 'string' },
};
const MOST_MEAN = 0.01;
const MOST_WORST = 0.1;

/** Milliseconds of CPU that a function takes, all threads. */
function cpuOf(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

function meshOf({ scale, cells, file }, { buildNavMesh, loadNavMesh, saveNavMesh, findLevelScene }) {
  if (file !== undefined && existsSync(file)) return { mesh: loadNavMesh(readFileSync(file)), bakeMs: NaN };
  const { create, options } = findLevelScene('city');
  const level = create(undefined, Number(scale));
  const { ms, result } = cpuOf(() =>
    buildNavMesh(level, { ...options, tileSize: Number(cells) * options.cellSize, memoryLimitBytes: 2 ** 36 }),
  );
  if (file !== undefined) writeFileSync(file, saveNavMesh(result.navMesh));
  return { mesh: result.navMesh, bakeMs: ms };
}

export async function soak(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const navkiln = await import('navkiln');
  const { buildNavMesh } = await import('navkiln/build');
  const { buildRouteGraph, findRoute, findRoutedPath, routeGraphBytes } = await import('navkiln/routes');
  const { findLevelScene } = await import('navkiln-scenes');
  const { findNearest, findPath } = navkiln;
  const { mesh, bakeMs } = meshOf(values, { ...navkiln, buildNavMesh, findLevelScene });
  const built = cpuOf(() => buildRouteGraph(mesh));
  const graph = built.result;
  const tiles = graph.tiles.length;
  console.log(`${mesh.polyCount} polygons in ${tiles} tiles, seed ${values.seed}`);
  const next = seeded(Number(values.seed));
  const point = () => {
    const first = mesh.polyEdgeStart[Math.floor(next() * mesh.polyCount)];
    return [0, 1, 2].map(
      (k) => [0, 1, 2].reduce((sum, e) => sum + mesh.vertices[3 * mesh.edgeVertex[first + e] + k], 0) / 3,
    );
  };
  const pairs = [];
  const wanted = Number(values.pairs);
  const whole = [];
  while (pairs.length < wanted) {
    const [a, b] = [point(), point()];
    if (findNearest(mesh, a).ref === 0 || findNearest(mesh, b).ref === 0) continue;
    const path = findPath(mesh, a, b);
    if (path.status !== 'complete') continue;
    pairs.push([a, b]);
    whole.push(path.length);
  }
  const measuring = cpuOf(() => pairs.forEach(([a, b]) => findRoutedPath(graph, mesh, a, b, { ahead: 0 })));
  const prepared = built.ms + measuring.ms;
  console.log(
    `graph ${(built.ms / 1000).toFixed(1)} s of CPU, lengths through blocks ${(measuring.ms / 1000).toFixed(1)} s, ` +
      `together ${(prepared / bakeMs).toFixed(3)} of the bake (${(bakeMs / 1000).toFixed(0)} s)`,
  );
  const bytes = routeGraphBytes(graph);
  console.log(
    `bytes a tile: records ${Math.round(bytes.tiles / tiles)}, gates ${Math.round(bytes.gates / tiles)}, blocks ${Math.round(bytes.blocks / tiles)}`,
  );
  let failures = 0;
  const excess = pairs.map(([a, b], i) => {
    const path = findRoutedPath(graph, mesh, a, b, { ahead: Infinity });
    const isRight = path.status === 'complete' && path.isWhole && findRoute(graph, a, b).status === 'complete';
    if (!isRight) {
      console.error(`pair ${i}: ${a} to ${b}: ${path.status} ${path.reason}, findPath has a path`);
      failures++;
    }
    return path.length / whole[i] - 1;
  });
  excess.sort((a, b) => a - b);
  const mean = excess.reduce((sum, e) => sum + e, 0) / excess.length;
  const percent = (value) => `${(100 * value).toFixed(2)} %`;
  console.log(
    `whole paths compared with findPath: mean ${percent(mean)}, p95 ${percent(excess[Math.floor(0.95 * excess.length)])}, worst ${percent(excess.at(-1))}`,
  );
  const time = { route: 0, path: 0, whole: 0, full: 0 };
  const runs = [
    ['route', ([a, b]) => findRoutedPath(graph, mesh, a, b, { ahead: 0 })],
    ['path', ([a, b]) => findRoutedPath(graph, mesh, a, b)],
    ['whole', ([a, b]) => findRoutedPath(graph, mesh, a, b, { ahead: Infinity })],
    ['full', ([a, b]) => findPath(mesh, a, b)],
  ];
  // In turns, after a round that warms up.
  for (let round = 0; round < 4; round++) {
    for (const [name, run] of runs) {
      const { ms } = cpuOf(() => pairs.forEach(run));
      if (round > 0) time[name] += ms;
    }
  }
  const us = (name) => Math.round((1000 * time[name]) / 3 / pairs.length);
  const ratio = (name) => (time[name] / time.full).toFixed(3);
  console.log(
    `microseconds: route ${us('route')}, path with the first 4 tiles in detail ${us('path')} (${ratio('path')} of findPath), ` +
      `whole path ${us('whole')} (${ratio('whole')}), findPath ${us('full')}`,
  );
  if (!(mean <= MOST_MEAN && excess.at(-1) <= MOST_WORST)) {
    console.error('paths are too long');
    failures++;
  }
  return failures > 0 ? 1 : 0;
}
