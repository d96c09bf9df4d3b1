/**
 * Measures first calls: in a process of its own that has imported nothing, import, initialization and the first bake, path, crowd tick
 * or 2D map. Processes of all libraries take turns. With `--node PATH,…` other versions of Node run them, too, and with
 * `--chromium PATH` pages.
 *
 * Times are measured on the main thread. Its waits for a core, which other programs cause, are subtracted where the system reports them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { exportNavMesh } from 'recast-navigation';
import { findPath, saveNavMesh } from 'navkiln';
import { resolveBake } from 'navkiln/build';
import { buildFromPolygons } from 'navkiln/polygon';
import { findMapScene } from 'navkiln-scenes';
import type { FirstCallInput, FirstCallTimes, FirstMapInput } from './libraries.ts';
import { openPages } from './pages.ts';
import { geometricMean, ratioOf, spreadOf } from '../harness.ts';
import type { Spread } from '../harness.ts';
import type { BenchLevel } from '../levels.ts';
import { bakeWithNavcat } from '../navcat.ts';
import { bakeWithNavkiln, randomPoints } from '../navkiln.ts';
import type { Point } from '../navkiln.ts';
import { groupRings, polygonMaps } from '../polygons.ts';
import { bakeWithRecast } from '../recast.ts';

export interface FirstCallRow {
  /** Name and version of the engine's program. */
  node: string;
  call: string;
  /** Name of the level or map. */
  level: string;
  /** Medians in milliseconds, per library. */
  ms: Record<string, number>;
  importMs: Record<string, number>;
  secondMs: Record<string, number>;
  /** First call of navkiln over that of a peer, without waits for a core, per peer. */
  ratios: Record<string, Spread>;
  /** The same with the waits. */
  wallRatios: Record<string, Spread>;
  /** Second call over the peer's second call. */
  secondRatios: Record<string, Spread>;
}

export interface FirstCallOptions {
  rounds: number;
  /** Programs that run the processes; the first is this one. */
  nodes: readonly string[];
  /** Path of Chromium; '': no pages. */
  chromium: string;
  calls: readonly string[];
  folder: string;
}

export const FIRST_CALLS: readonly string[] = ['bake', 'path', 'crowd', 'map'];
/** Calls that are measured in pages, too. */
const PAGE_CALLS: readonly string[] = ['bake', 'path'];
const LIBRARIES: Record<string, readonly string[]> = {
  bake: ['navkiln', 'recast', 'navcat'],
  path: ['navkiln', 'recast', 'navcat'],
  crowd: ['navkiln', 'recast', 'navcat'],
  // Only triangulates, without checking the rings.
  map: ['navkiln', 'earcut'],
};
const AGENTS = 50;
const SEED = 1;

/** Writes the input of each level's calls to a file. Returns the paths. */
function writeLevels(levels: readonly BenchLevel[], folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name, positions, indices, options } of levels) {
    const config = resolveBake({ positions, indices }, options);
    const { navMesh } = bakeWithNavkiln(positions, indices, options);
    const recastMesh = bakeWithRecast(positions, indices, config, false).navMesh;
    const { radius, height } = config.agent;
    const halfExtents: Point = [2 * radius, height, 2 * radius];
    const points = randomPoints(navMesh, 2 * AGENTS + 200, SEED);
    let path: [Point, Point] | undefined;
    for (let k = 0; k < 200 && path === undefined; k += 2) {
      const found = findPath(navMesh, points[k], points[k + 1], { halfExtents });
      if (found.status === 'complete' && found.polys.length > 3) path = [points[k], points[k + 1]];
    }
    const input: FirstCallInput = {
      positions,
      indices,
      options,
      config,
      saved: {
        navkiln: saveNavMesh(navMesh),
        recast: exportNavMesh(recastMesh),
        navcat: JSON.stringify(bakeWithNavcat(positions, indices, config).navMesh),
      },
      halfExtents,
      path: path ?? [points[0], points[1]],
      agents: Array.from({ length: AGENTS }, (_, k) => [points[200 + 2 * k], points[201 + 2 * k]]),
    };
    recastMesh.destroy();
    const file = join(folder, `${name}.bin`);
    writeFileSync(file, serialize(input));
    files.set(name, file);
  }
  return files;
}

function writeMaps(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of polygonMaps([])) {
    const map = findMapScene(name).create();
    const input: FirstMapInput = { map, groups: groupRings(buildFromPolygons(map).stages.ground) };
    const file = join(folder, `${name}.bin`);
    writeFileSync(file, serialize(input));
    files.set(name, file);
  }
  return files;
}

/** A program that runs the calls. */
interface Program {
  name: string;
  measure: Measure;
  calls: readonly string[];
}

/** Makes one call in a process or page of its own. */
type Measure = (library: string, call: string, file: string) => FirstCallTimes | Promise<FirstCallTimes>;

/** Returns the path of a built program. Tests run the sources; the processes run the build. */
function builtScript(name: string): string {
  const own = fileURLToPath(import.meta.url);
  return join(dirname(own).replace(/src([\\/]first-calls)$/, 'dist$1'), name);
}

const measureInNode =
  (node: string): Measure =>
  (library, call, file) => {
    const child = spawnSync(node, [builtScript('process.js'), library, call, file], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(`first calls: ${library}, ${call}: ${child.stderr}`);
    return JSON.parse(child.stdout) as FirstCallTimes;
  };

/** Returns a row for one program, call and level. */
async function measure(
  program: Program,
  call: string,
  level: string,
  file: string,
  rounds: number,
): Promise<FirstCallRow> {
  const names = LIBRARIES[call];
  const times = names.map(() => [] as FirstCallTimes[]);
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < names.length; k++) {
      const which = (k + round) % names.length;
      times[which].push(await program.measure(names[which], call, file));
    }
  }
  const perLibrary = (value: (times: FirstCallTimes) => number): Record<string, number> =>
    Object.fromEntries(names.map((name, k) => [name, spreadOf(times[k].map(value)).median]));
  const ratios = (value: (times: FirstCallTimes) => number): Record<string, Spread> =>
    Object.fromEntries(names.slice(1).map((name, k) => [name, ratioOf(times[0].map(value), times[k + 1].map(value))]));
  const first = (one: FirstCallTimes): number => one.firstMs - one.waitMs;
  const second = (one: FirstCallTimes): number => one.secondMs - one.secondWaitMs;
  return {
    node: program.name,
    call,
    level,
    ms: perLibrary(first),
    importMs: perLibrary((one) => one.importMs),
    secondMs: perLibrary(second),
    ratios: ratios(first),
    wallRatios: ratios((one) => one.firstMs),
    secondRatios: ratios(second),
  };
}

/** Measures all calls on all levels. `onRow` gets each row as soon as it is measured. */
export async function benchFirstCalls(
  levels: readonly BenchLevel[],
  { rounds, nodes, chromium, calls, folder }: FirstCallOptions,
  onRow: (row: FirstCallRow) => void,
): Promise<FirstCallRow[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ofLevels = writeLevels(levels, folder);
  const ofMaps = calls.includes('map') ? writeMaps(folder) : new Map<string, string>();
  const programs: Program[] = nodes.map((node) => ({
    name: `Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`,
    measure: measureInNode(node),
    calls,
  }));
  const pages = chromium === '' ? undefined : await openPages(chromium, builtScript('page.js'));
  const rows: FirstCallRow[] = [];
  try {
    if (pages !== undefined) {
      const pageCalls = calls.filter((call) => PAGE_CALLS.includes(call));
      programs.push({ name: pages.version, measure: pages.measure, calls: pageCalls });
    }
    for (const program of programs) {
      for (const call of program.calls) {
        for (const [level, file] of call === 'map' ? ofMaps : ofLevels) {
          const row = await measure(program, call, level, file, rounds);
          rows.push(row);
          onRow(row);
        }
      }
    }
  } finally {
    pages?.close();
  }
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

/** Returns the rows of an earlier run and of a new one, which replaces rows of the same program, call and level. */
export function mergeFirstCalls(before: readonly FirstCallRow[], rows: readonly FirstCallRow[]): FirstCallRow[] {
  const key = ({ node, call, level }: FirstCallRow): string => `${node} ${call} ${level}`;
  const merged = new Map([...before, ...rows].map((row) => [key(row), row]));
  return [...merged.values()];
}

const digits = (value: number): string => (Number.isFinite(value) ? value.toPrecision(3) : '-');
const PEERS = ['recast', 'navcat', 'earcut'];

/** Returns a table: rows of one version of Node and one call end with their geometric mean. */
export function firstCallTable(rows: readonly FirstCallRow[]): string[][] {
  const table = [
    [
      'first call, level',
      'navkiln ms',
      ...PEERS.map((peer) => `${peer} ms`),
      '/ recast',
      'wall',
      'second',
      '/ navcat',
      '/ earcut',
    ],
  ];
  const cell = (ratios: Record<string, Spread>, peer: string): string => {
    const s = ratios[peer];
    return s === undefined ? '-' : `${digits(s.median)} (${digits(s.q1)}-${digits(s.q3)})`;
  };
  const ms = (values: Record<string, number>, name: string): string =>
    values[name] === undefined ? '-' : digits(values[name]);
  const groups = new Set(rows.map((row) => `${row.node} ${row.call}`));
  for (const group of groups) {
    const own = rows.filter((row) => `${row.node} ${row.call}` === group);
    for (const row of own) {
      table.push([
        `${group}, ${row.level}`,
        ms(row.ms, 'navkiln'),
        ...PEERS.map((peer) => ms(row.ms, peer)),
        cell(row.ratios, 'recast'),
        cell(row.wallRatios, 'recast'),
        cell(row.secondRatios, 'recast'),
        cell(row.ratios, 'navcat'),
        cell(row.ratios, 'earcut'),
      ]);
    }
    const mean = (key: 'ratios' | 'wallRatios' | 'secondRatios', peer: string): string => {
      const medians = own.flatMap((row) => (row[key][peer] ? [row[key][peer].median] : []));
      return medians.length === 0 ? '-' : digits(geometricMean(medians));
    };
    table.push([
      `${group}, geometric mean`,
      '',
      ...PEERS.map(() => ''),
      mean('ratios', 'recast'),
      mean('wallRatios', 'recast'),
      mean('secondRatios', 'recast'),
      mean('ratios', 'navcat'),
      mean('ratios', 'earcut'),
    ]);
  }
  return table;
}
