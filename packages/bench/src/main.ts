/**
 * The benchmark: navkiln against npm recast-navigation (wasm) and npm navcat (TypeScript), on 2D maps against
 * earcut and cdt2d, and against three-pathfinding, in one process, interleaved. Prints ratios time(navkiln) /
 * time(peer) with their quartiles, writes all numbers to out/bench.json, and ends with status 1 when answers
 * disagree.
 *
 * Flags: --levels a,b   --rounds N   --only bake|path|queries|floods|optimal|polygons|surface|paths   --stages
 *        --partition watershed|monotone|layers
 *        --no-navcat   --pairs N   --seed N
 * --first-calls measures only import, initialization and first call in processes of their own (first-calls/), to
 *        out/first-calls.json; --levels a,b   --rounds N   --calls bake,path,crowd,map   --node PATH,PATH (other versions of Node)
 *        --chromium PATH (pages, too)   --keep (rows of earlier runs that this one does not measure)
 * --only paths (not part of a run without --only) compares path functions, the path index included, in time and in path length
 * --only any-pairs (not part of a run without --only) compares the index, findPath and the peer over random pairs, reachable or not, to
 * out/any-pairs.json; with --grown on levels of some 20,000 polygons
 * --only costs (not part of a run without --only) compares the costs of paths across areas with the cheapest path
 * --only cheapest (not part of a run without --only) compares findCheapestPath with findPath on maps of 100 to 100,000 polygons
 * --only obstacles (not part of a run without --only) changes obstacles of worlds, against fresh bakes of the tile and the peer's TileCache,
 *        to out/obstacles.json; --levels terrain,city   --rounds N
 * --only pool (not part of a run without --only) bakes tiles in pools of workers, against one thread, to out/pool.json; --levels terrain,city
 *        --rounds N
 * --only crates (not part of a run without --only) moves 1,000 crates on 100 tiles within 2 ms a frame: by how many frames the mesh is
 *        behind, to out/crates.json
 * --only rollback (not part of a run without --only) captures and rewinds a crowd of 500 agents on a town of 22,800 polygons, and goes
 *        eight ticks back and forward across an obstacle, a door and a link, to out/rollback.json; --rounds N   --seed N
 * --only record  (not part of a run without --only) ticks of a crowd with a recorder, compared with ticks without; --rounds N   --seed N
 * --only moves (not part of a run without --only) measures validateMove: mean and worst time of a move, by kind of move
 * --only links (not part of a run without --only) finds automatic links: time against the bake and in updates of worlds, how many, how many useless, to
 *        out/links.json; --levels terrain,city   --rounds N
 * --growth measures only time and peak memory per column as scenes grow (growth.ts), to out/growth.json;
 *        --levels terrain,city   --sizes 1e5,1e6,1e7
 * --index-growth measures only the path index as meshes grow (index-growth.ts), to out/index-growth.json; --sizes 1e2,1e4,1e6 (polygons)
 *        --rounds N   --seed N
 * --only crowd (not part of a run without --only) runs the crowd scenes with all three libraries and prints
 *        Markdown, to out/crowd.json; --levels counterflow,town   --full (their full sizes)   --seed N   --no-navcat
 *   crowd-speed: only the times of its ticks, also with 50,000 agents, to out/crowd-speed.json; --no-navcat
 *   crowd-flow: scenes with dense flow, means over --seeds N from --seed on, to out/crowd-flow.json; --levels open-flow
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Partition } from 'navkiln/build';
import { mapScenes } from 'navkiln-scenes';
import { anyPairsTable, benchAnyPairs } from './any-pairs.ts';
import type { AnyPairsOptions, AnyPairsRow } from './any-pairs.ts';
import { allPathsTables, benchAllPaths } from './all-paths.ts';
import type { AllPathsOptions, AllPathsRow } from './all-paths.ts';
import { autoLinksTable, benchAutoLinks } from './auto-links.ts';
import { benchClearance, clearanceTable } from './clearance.ts';
import { benchBake } from './bake.ts';
import type { BakeRow } from './bake.ts';
import { benchCrowdFlow, crowdFlowTable } from './crowd-flow.ts';
import type { CrowdFlowRow } from './crowd-flow.ts';
import { benchCrowdScenes, benchCrowdSpeed, crowdSpeedTable, crowdTable } from './crowd.ts';
import type { CrowdRow } from './crowd.ts';
import { FIRST_CALLS, benchFirstCalls, firstCallTable, mergeFirstCalls } from './first-calls/measure.ts';
import type { FirstCallRow } from './first-calls/measure.ts';
import { benchFloods } from './floods.ts';
import { measureGrowth } from './growth.ts';
import { formatTable } from './harness.ts';
import { indexGrowthTable, measureIndexGrowth } from './index-growth.ts';
import type { IndexGrowthOptions, IndexGrowthRow } from './index-growth.ts';
import { loadGrown, loadLevels } from './levels.ts';
import { benchCrates, cratesTable } from './crates.ts';
import { benchMoves, movesTable } from './moves.ts';
import { benchObstacles, obstacleTable } from './obstacles.ts';
import { benchCheapest } from './cheapest.ts';
import { benchCheapestExcess } from './cheapest-excess.ts';
import { benchOptimal, optimalScenes, optimalTables } from './optimal.ts';
import type { OptimalRow } from './optimal.ts';
import { benchPaths } from './paths.ts';
import type { PathRow } from './paths.ts';
import { benchPools, poolTable } from './pool.ts';
import { benchRecord, recordTable } from './record.ts';
import { benchRollback, rollbackTable } from './rollback.ts';
import { benchSizes, sizesTable } from './sizes.ts';
import { benchPolygons, polygonMaps, polygonTable } from './polygons.ts';
import type { PolygonRow } from './polygons.ts';
import { benchQueries } from './queries.ts';
import type { QueryRow } from './query-rows.ts';
import { initRecast } from './recast.ts';
import { benchSurface, surfaceMeshes, surfaceTable } from './surface.ts';
import { printBakes, printGrowth, printPaths, printQueries } from './tables.ts';
import type { SurfaceRow } from './surface.ts';

const PEERS = ['navkiln', 'recast-navigation', 'navcat', 'earcut', 'cdt2d', 'three-pathfinding'];
const root = fileURLToPath(new URL('../../..', import.meta.url));

const FLAGS = {
  options: {
    levels: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    partition: { type: 'string', default: '' },
    stages: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    'no-navcat': { type: 'boolean', default: false },
    pairs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    'first-calls': { type: 'boolean', default: false },
    calls: { type: 'string', default: FIRST_CALLS.join(',') },
    node: { type: 'string', default: '' },
    chromium: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    grown: { type: 'boolean', default: false },
    'index-growth': { type: 'boolean', default: false },
    sizes: { type: 'string' },
  },
} as const;

/** Reads the command line. Ends the process with status 2 if a flag is wrong. */
function readFlags(): ReturnType<typeof parseArgs<typeof FLAGS>>['values'] {
  try {
    return parseArgs(FLAGS).values;
  } catch (error) {
    return refuse(error as Error);
  }
}

function refuse({ message }: Error): never {
  console.error(`error: ${message}; npm run bench -- --help lists the flags`);
  return process.exit(2);
}

const values = readFlags();

const number = (key: 'rounds' | 'pairs' | 'seed' | 'seeds'): number => {
  const value = Number(values[key]);
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`bench: --${key} is ${values[key]}, must be a whole number from 1`);
  }
  return value;
};
const oneOf = (key: 'only' | 'partition', allowed: readonly string[]): string => {
  const value = values[key];
  if (value !== '' && !allowed.includes(value)) {
    throw new RangeError(`bench: --${key} is ${value}, must be ${allowed.join(' or ')}`);
  }
  return value;
};

function sizesOf(usual: string, what: string): number[] {
  const sizes = (values.sizes ?? usual).split(',').map(Number);
  if (!sizes.every((size) => size >= 1))
    throw new RangeError(`bench: --sizes is ${values.sizes}, must be counts of ${what}`);
  return sizes;
}

function growth(names: readonly string[]): number {
  const sizes = sizesOf('1e5,1e6,1e7,4e7', 'columns');
  const rows = measureGrowth(names.length > 0 ? names : ['terrain', 'city'], sizes, ['navkiln', 'recast']);
  printGrowth(rows);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'growth.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return rows.some((row) => row.contender === 'navkiln' && row.error) ? 1 : 0;
}

function indexGrowth(options: IndexGrowthOptions): number {
  mkdirSync(join(root, 'out'), { recursive: true });
  // After each row, as the largest mesh takes minutes.
  const write = (rows: readonly IndexGrowthRow[]): void => {
    const last = rows[rows.length - 1];
    console.error(`${last.scene}, ${last.polygons} polygons done`);
    writeFileSync(join(root, 'out', 'index-growth.json'), `${JSON.stringify(rows, null, 2)}\n`);
  };
  const rows = measureIndexGrowth(sizesOf('1e2,1e3,1e4,1e5,1e6', 'polygons'), options, write);
  console.log(`\n${formatTable(indexGrowthTable(rows))}`);
  return 0;
}

async function firstCalls(names: readonly string[], rounds: number): Promise<number> {
  const calls = values.calls.split(',');
  const unknown = calls.find((call) => !FIRST_CALLS.includes(call));
  if (unknown !== undefined) throw new RangeError(`bench: --calls has ${unknown}, must be ${FIRST_CALLS.join(', ')}`);
  const nodes = [process.execPath, ...values.node.split(',').filter((path) => path !== '')];
  const out = join(root, 'out');
  const folder = join(out, 'first-calls');
  await initRecast();
  const { chromium } = values;
  const rows = await benchFirstCalls(loadLevels(root, names, 1000), { rounds, nodes, chromium, calls, folder }, (row) =>
    console.error(`${row.node}, first ${row.call}, ${row.level} done`),
  );
  console.log(`\n${formatTable(firstCallTable(rows))}`);
  const file = join(out, 'first-calls.json');
  const written =
    values.keep && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { rows: FirstCallRow[] }) : null;
  const all = mergeFirstCalls(written?.rows ?? [], rows);
  writeFileSync(file, `${JSON.stringify({ rounds, rows: all }, null, 2)}\n`);
  return 0;
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version;
}

/** Runs the scenes in --levels, or all; `--full` at full size. Prints Markdown. */
async function crowds(names: readonly string[], seed: number, navcat: boolean): Promise<number> {
  await initRecast();
  const rows: CrowdRow[] = [];
  const options = { names, seed, navcat, full: values.full };
  benchCrowdScenes(options, (row) => {
    rows.push(row);
    console.error(
      `${row.scene}, ${row.who} done${row.who === 'navkiln' ? row.broken.map((line) => `; ${line}`).join('') : ''}`,
    );
  });
  console.log(crowdTable(rows));
  const speed = names.length === 0 ? benchCrowdSpeed(options) : undefined;
  if (speed !== undefined) console.log(`\n${crowdSpeedTable(speed)}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'crowd.json'), `${JSON.stringify({ rows, speed }, null, 2)}\n`);
  return rows.some((row) => row.who === 'navkiln' && row.broken.length > 0) ? 1 : 0;
}

/** Times ticks only. Prints Markdown. */
async function crowdSpeed(seed: number, navcat: boolean): Promise<number> {
  await initRecast();
  const speed = benchCrowdSpeed({ names: [], seed, navcat, full: false });
  console.log(`\n${crowdSpeedTable(speed)}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'crowd-speed.json'), `${JSON.stringify(speed, null, 2)}\n`);
  return 0;
}

/** Runs the scenes with dense flow in --levels, or all of them, on --seeds seeds. Prints Markdown. */
async function crowdFlow(names: readonly string[], seed: number, navcat: boolean): Promise<number> {
  await initRecast();
  const rows: CrowdFlowRow[] = [];
  benchCrowdFlow({ names, seed, seeds: number('seeds'), navcat }, (row) => {
    rows.push(row);
    console.error(`${row.scene}, ${row.who}, seed ${row.seed} done`);
  });
  console.log(crowdFlowTable(rows));
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'crowd-flow.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

/** Compares path functions on the levels in --levels, or on all levels. */
async function allPaths(names: readonly string[], options: AllPathsOptions): Promise<number> {
  await initRecast();
  const rows: AllPathsRow[] = [];
  for (const level of loadLevels(root, names, 1000)) {
    rows.push(benchAllPaths(level, options));
    console.error(`${level.name}, all paths done`);
  }
  for (const table of allPathsTables(rows)) console.log(`\n${formatTable(table)}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'all-paths.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

/** Compares path functions over pairs that need not be connected. `--grown`: on large levels. */
async function anyPairs(names: readonly string[], options: AnyPairsOptions, isLarge: boolean): Promise<number> {
  await initRecast();
  const rows: AnyPairsRow[] = [];
  for (const level of isLarge ? loadGrown() : loadLevels(root, names, 1000)) {
    rows.push(benchAnyPairs(level, options));
    console.error(`${level.name}, any pairs done`);
  }
  console.log(`\n${formatTable(anyPairsTable(rows))}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'any-pairs.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

const BENCHES = [
  'bake',
  'path',
  'queries',
  'floods',
  'optimal',
  'polygons',
  'surface',
  'crowd',
  'crowd-speed',
  'crowd-flow',
  'paths',
  'any-pairs',
  'obstacles',
  'pool',
  'crates',
  'rollback',
  'record',
  'moves',
  'links',
  'clearance',
  'sizes',
  'cheapest',
  'costs',
];

/** Measures bakes in pools of workers against one thread. */
async function pools(names: readonly string[], rounds: number): Promise<number> {
  const rows = await benchPools(names, rounds);
  console.log(formatTable(poolTable(rows)));
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'pool.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

/** Measures a world with many obstacles that all move. */
function crates(): number {
  const rows = benchCrates();
  console.log(`\n${formatTable(cratesTable(rows))}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'crates.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

/** Measures recorders of a crowd. */
function recorders(rounds: number, seed: number): number {
  console.log(`\n${formatTable(recordTable(benchRecord(rounds, seed)))}`);
  return 0;
}

/** Measures the checks of moves. */
function moves(names: readonly string[], rounds: number, seed: number): number {
  console.log(`\n${formatTable(movesTable(benchMoves(loadLevels(root, names, 1000), rounds, seed)))}`);
  return 0;
}

/** Measures captures and rewinds of a crowd on a town. */
function rollback(rounds: number, seed: number): number {
  const rows = benchRollback(rounds, seed);
  console.log(`\n${formatTable(rollbackTable(rows))}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'rollback.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

/** Measures obstacles of worlds against fresh bakes and TileCache. */
async function obstacles(names: readonly string[], rounds: number): Promise<number> {
  await initRecast();
  const rows = loadLevels(root, names, 1000).flatMap((level) => benchObstacles(level, rounds));
  console.log(`\n${formatTable(obstacleTable(rows))}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', 'obstacles.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return 0;
}

async function main(): Promise<number> {
  const only = oneOf('only', BENCHES);
  const partition = (oneOf('partition', ['watershed', 'monotone', 'layers']) || undefined) as Partition | undefined;
  const [rounds, pairs, seed] = [number('rounds'), number('pairs'), number('seed')];
  const navcat = !values['no-navcat'];
  const names = values.levels.split(',').filter((name) => name !== '');
  if (values.growth) return growth(names);
  if (values['index-growth']) return indexGrowth({ rounds, seed });
  if (values['first-calls']) return firstCalls(names, rounds);
  if (only === 'crowd') return crowds(names, seed, navcat);
  if (only === 'crowd-speed') return crowdSpeed(seed, navcat);
  if (only === 'crowd-flow') return crowdFlow(names, seed, navcat);
  if (only === 'pool') return pools(names, rounds);
  if (only === 'cheapest') {
    console.log(`\n${benchCheapest(rounds, seed)}`);
    return 0;
  }
  if (only === 'costs') {
    console.log(`\n${await benchCheapestExcess(seed)}`);
    return 0;
  }
  if (only === 'obstacles') return obstacles(names, rounds);
  if (only === 'crates') return crates();
  if (only === 'rollback') return rollback(rounds, seed);
  if (only === 'record') return recorders(rounds, seed);
  if (only === 'moves') return moves(names, rounds, seed);
  if (only === 'links') {
    const rows = loadLevels(root, names, 0).map((level) => benchAutoLinks(level, rounds));
    console.log(`\n${formatTable(autoLinksTable(rows))}`);
    mkdirSync(join(root, 'out'), { recursive: true });
    writeFileSync(join(root, 'out', 'links.json'), `${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  if (only === 'sizes') {
    console.log(
      `\n${formatTable(sizesTable(loadLevels(root, names, 0).flatMap((level) => benchSizes(level, rounds))))}`,
    );
    return 0;
  }
  if (only === 'clearance') {
    console.log(`\n${formatTable(clearanceTable(benchClearance(names, rounds)))}`);
    return 0;
  }
  if (only === 'paths') return allPaths(names, { rounds, pairs, seed });
  if (only === 'any-pairs') return anyPairs(names, { rounds, pairs, seed }, values.grown);
  const wants = (what: string): boolean => only === '' || only === what;
  const optimalNames = wants('optimal') ? optimalScenes(names) : [];
  const polygonNames = wants('polygons') ? polygonMaps(names) : [];
  const surfaceNames = wants('surface') ? surfaceMeshes(names) : [];
  const isMap = (name: string): boolean => mapScenes.some((scene) => scene.name === name);
  const levelNames = names.filter((name) => !isMap(name));
  // These two measure scenes of their own; maps are not in --levels.
  const measuresLevels = only !== 'optimal' && only !== 'polygons' && only !== 'surface';
  const hasLevels = measuresLevels && (names.length === 0 || levelNames.length > 0);
  if (!hasLevels && optimalNames.length + polygonNames.length + surfaceNames.length === 0) {
    throw new RangeError(`bench: nothing to measure in --levels ${values.levels}`);
  }
  if (hasLevels) await initRecast();
  const levels = !hasLevels ? [] : values.grown ? loadGrown() : loadLevels(root, levelNames, 1000);
  const bakes: BakeRow[] = [];
  const paths: PathRow[] = [];
  const queries: QueryRow[] = [];
  const optimal: OptimalRow[] = [];
  const polygons: PolygonRow[] = [];
  const surfaces: SurfaceRow[] = [];
  const failures: string[] = [];
  const attempt = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
      console.error(`FAILED ${failures[failures.length - 1]}`);
    }
  };
  for (const level of levels) {
    if (wants('bake'))
      attempt(() => bakes.push(benchBake(level, { rounds, navcat, stages: values.stages, partition })));
    if (wants('path')) attempt(() => paths.push(benchPaths(level, { rounds, navcat, pairs, seed })));
    if (wants('queries')) attempt(() => queries.push(...benchQueries(level, { rounds, navcat, pairs, seed })));
    if (wants('floods')) attempt(() => queries.push(...benchFloods(level, { rounds, navcat, pairs, seed })));
    console.error(`${level.name} done`);
  }
  for (const name of optimalNames) {
    attempt(() => optimal.push(benchOptimal(name, { rounds, pairs, seed })));
    console.error(`${name}, shortest paths done`);
  }
  for (const name of surfaceNames) {
    attempt(() => surfaces.push(...benchSurface(name, rounds)));
    console.error(`${name}, walk mesh done`);
  }
  for (const name of polygonNames) {
    attempt(() => polygons.push(benchPolygons(name, rounds)));
    console.error(`${name}, triangulation done`);
  }
  if (bakes.length > 0) printBakes(bakes);
  if (paths.length > 0) printPaths(paths);
  if (queries.length > 0) printQueries(queries);
  if (optimal.length > 0) for (const table of optimalTables(optimal)) console.log(`\n${formatTable(table)}`);
  if (polygons.length > 0) console.log(`\n${formatTable(polygonTable(polygons))}`);
  if (surfaces.length > 0) console.log(`\n${formatTable(surfaceTable(surfaces))}`);
  const versions = Object.fromEntries(PEERS.map((name) => [name, versionOf(name)]));
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
  };
  mkdirSync(join(root, 'out'), { recursive: true });
  const report = { machine, versions, rounds, bakes, paths, queries, optimal, polygons, surfaces, failures };
  writeFileSync(join(root, 'out', 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (failures.length > 0) console.error(`\n${failures.length} comparisons of answers failed`);
  return failures.length > 0 ? 1 : 0;
}

process.exitCode = await main().catch((error: Error) => {
  if (error instanceof RangeError && error.message.startsWith('bench: ')) return refuse(error);
  throw error;
});
