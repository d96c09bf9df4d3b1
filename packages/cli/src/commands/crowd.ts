/** `navkiln crowd SCENE|FILE`: runs a crowd through a scene and measures it. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { crowdScenes, denseCrowdScenes, findCrowdScene } from 'navkiln-scenes';
import { crowdRuns } from 'navkiln/debug';
import type { CrowdDriver, CrowdRun, CrowdRunResult, CrowdSetup, CrowdWorld } from 'navkiln/debug';
import { InputError, didYouMean } from '../errors.ts';
import { createProgress } from '../output/progress.ts';
import { print, warn } from '../output/print.ts';
import { formatNumber, formatTable, jsonLine } from '../output/text.ts';
import { checkOutput, writeFiles } from '../output/write-file.ts';
import { prepareScene } from '../scene/prepare.ts';
import { isSceneFile } from '../scene/read.ts';
import { findType } from './agent-types.ts';
import { createWanderers } from './wanderers.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { readNavMesh } from './navmesh-file.ts';

interface CrowdFlags {
  agents?: string;
  seconds?: string;
  seed?: string;
  cache: boolean;
  allowOutside?: boolean;
  svg?: string;
  type?: string[];
  json?: boolean;
  details?: boolean;
}

/** Milliseconds of simulation between checks for signals and progress reports. */
const TURN_MS = 50;
const TRAIL_TICKS = 6;
const MAX_AGENTS = 20_000;
const FILE_AGENTS = 50;
const SCENES = [...crowdScenes, ...denseCrowdScenes];

export function addCrowdCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('crowd')
    .description(
      'Run a crowd through a scene and measure it: how many agents arrive, overlap, leave the mesh or get stuck. A scene is one of ' +
        'the list below, or a file (.yaml, .json) that lists levels, targets and agents. On a mesh without a scene, ' +
        'agents walk between random positions. The exit status is 1 when some agents do not arrive or settle. ' +
        'Ctrl-C stops the run and prints the report so far.\n\n' +
        `Scenes:\n${SCENES.map(({ name, title, agents }) => `  ${name.padEnd(12)} ${title} (${agents})`).join('\n')}`,
    )
    .argument('<scene>', 'a scene, a scene file, or a .navmesh file (or a Detour .bin file)')
    .option('--agents <n>', 'number of agents (default: set by the scene)')
    .option('--seconds <s>', 'simulated seconds to run (default: set by the scene)')
    .option('--seed <k>', 'random seed, a whole number (default: set by the scene file, or 1)')
    .option(
      '--type <name>',
      'on a mesh without a scene: agent type of the mesh for the agents; repeat it for agents of several types',
      (name: string, names: string[] = []) => [...names, name],
    )
    .option('--no-cache', 'rebuild the mesh of a scene file, and do not save it next to the file')
    .option('--allow-outside', 'levels of a scene file may name files outside of their folder')
    .option('--svg <file>', 'draw the paths of all agents')
    .option('--json', 'print one JSON object on standard output')
    .option('--details', 'with --json: print all measurements')
    .addHelpText(
      'after',
      [
        '\nExample:  navkiln crowd bottleneck --agents 80 --json',
        '           navkiln crowd town.navmesh --type human --type ogre',
        '           navkiln crowd town.yaml --seconds 30 --svg town.svg',
      ].join('\n'),
    )
    .action(async (scene: string, flags: CrowdFlags) => finish(await crowd(scene, flags)));
}

async function crowd(name: string, flags: CrowdFlags): Promise<number> {
  const isFile = isSceneFile(name);
  const given = flags.seed === undefined ? undefined : readWhole('--seed', flags.seed, 0, 0xffffffff);
  const agents =
    flags.agents === undefined ? undefined : readWhole('--agents', flags.agents, isFile ? 1 : 2, MAX_AGENTS);
  const seconds =
    flags.seconds === undefined
      ? undefined
      : readNumber(
          '--seconds',
          flags.seconds,
          (value) => value > 0 && value <= 1e5,
          'a number of seconds above 0, at most 100000',
        );
  if (flags.details === true && flags.json !== true) throw new InputError('--details: only applies with --json');
  if (!flags.cache && !isFile) throw new InputError('--no-cache: only applies to a scene file (.yaml, .json)');
  if (flags.allowOutside === true && !isFile)
    throw new InputError('--allow-outside: only applies to a scene file (.yaml, .json)');
  if (flags.type !== undefined && isFile)
    throw new InputError('--type: agents of a scene file have a type of their own; remove it');
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const prepared = await (isFile
    ? prepareFile(name, given, agents, flags)
    : prepare(name, given ?? 1, agents, flags.type));
  const { setup, world, seed, driver, listBroken } = prepared;
  const trail = crowdRuns.createCrowdTrail();
  const run = crowdRuns.startCrowdRun(
    setup,
    {
      now: () => performance.now(),
      ...(seconds === undefined ? {} : { seconds }),
      onTick: (frame, tick) => {
        if (flags.svg !== undefined && tick % TRAIL_TICKS === 0) crowdRuns.noteCrowdTrail(trail, frame);
      },
    },
    world,
    driver,
  );
  const isInterrupted = await runInTurns(run);
  const report = crowdRuns.finishCrowdRun(run);
  if (prepared.isChase === true) report.pathOverhead = NaN;
  if (flags.svg !== undefined) {
    crowdRuns.noteCrowdTrail(trail, run.frame);
    const title = `${basename(name)}, seed ${seed}, ${formatNumber(report.seconds)} s`;
    await writeFiles([
      { path: flags.svg, bytes: crowdRuns.crowdSvg({ navMesh: run.world.mesh, trail, agents: setup.agents, title }) },
    ]);
  }
  const json = summaryOf(name, seed, report);
  const broken = listBroken(run, report);
  const all =
    flags.details === true ? { ...json, details: { ...detailsOf(report, broken), ...prepared.details?.() } } : json;
  await print(flags.json === true ? jsonLine(all) : `${tableOf(json, report)}\n`);
  if (isInterrupted) warn('stopped before the end\n');
  for (const line of broken) warn(`failed: ${line}\n`);
  return broken.length === 0 ? EXIT_OK : EXIT_NO;
}

interface Prepared {
  setup: CrowdSetup;
  world: CrowdWorld;
  seed: number;
  driver?: CrowdDriver;
  listBroken: (run: CrowdRun, report: CrowdRunResult) => string[];
  /** True: the ratio of walked to shortest length means nothing, because goals move. */
  isChase?: boolean;
  /** Returns violated expectations at the end of a run. */
  details?: () => object;
}

const listBroken: Prepared['listBroken'] = (_, report) => crowdRuns.listBrokenPromises(report);

async function prepareFile(
  name: string,
  seed: number | undefined,
  agents: number | undefined,
  { cache, allowOutside = false }: CrowdFlags,
): Promise<Prepared> {
  const progress = createProgress('crowd', process.stderr);
  try {
    return await prepareScene(name, {
      seed,
      agents,
      cache,
      allowOutside,
      note: (message) => progress.note(message),
      onProgress: ({ stage, done, total }) => progress.stage(stage, done, total),
    });
  } finally {
    progress.end();
  }
}

async function prepare(
  name: string,
  seed: number,
  agents: number | undefined,
  typeNames: readonly string[] = [],
): Promise<Prepared> {
  if (SCENES.some((scene) => scene.name === name)) {
    if (typeNames.length > 0) throw new InputError('--type: only applies to a .navmesh file');
    const setup = findCrowdScene(name).create(seed, agents);
    return { setup, world: crowdRuns.createCrowdWorld(setup), seed, listBroken };
  }
  const isFile = existsSync(name) || /\.(navmesh|bin)$/i.test(name);
  if (!isFile) {
    const names = SCENES.map((scene) => scene.name);
    const meant = didYouMean(name, names);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw new InputError(`no scene "${name}"${hint}\nscenes: ${names.join(', ')}; or a .yaml, .json or .navmesh file`);
  }
  const { navMesh } = await readNavMesh(name);
  const types = [...new Set(typeNames)].map((type) => findType(navMesh, type));
  const setup = createWanderers(navMesh, seed, agents ?? FILE_AGENTS, types);
  if (setup === undefined) throw new InputError(`${name}: no space for ${agents ?? FILE_AGENTS} agents`);
  return { setup, world: { mesh: navMesh, setup, links: [], prepared: [] }, seed, listBroken };
}

/** Runs to the end and yields to the event loop now and then. Returns true when a signal interrupted it. */
async function runInTurns(run: CrowdRun): Promise<boolean> {
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
  };
  const progress = createProgress('crowd', process.stderr);
  const total = Math.ceil(run.maxTicks * run.stepSeconds);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    let told = -1;
    for (let isRunning = true; isRunning && !isInterrupted;) {
      for (const from = performance.now(); isRunning && performance.now() - from < TURN_MS;)
        isRunning = crowdRuns.stepCrowdRun(run);
      const second = Math.floor(run.tick * run.stepSeconds);
      // Without a terminal, one line every ten seconds is enough.
      if (process.stderr.isTTY === true ? second !== told : second >= told + 10 || told < 0) {
        progress.stage('seconds', second, total);
        told = second;
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    progress.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
  return isInterrupted;
}

interface Summary {
  scene: string;
  seed: number;
  agents: number;
  seconds: number;
  arrived: number;
  settled: number;
  gaveUp: number;
  stuck: number;
  offMesh: number;
  /** In agent radii. */
  maxOverlap: number;
  residualSpeed: number;
  msPerTick: { median: number; p99: number };
  searches: number;
  hash: string;
}

function summaryOf(scene: string, seed: number, report: CrowdRunResult): Summary {
  const { agents, seconds, arrived, settled, gaveUp, stuck, offMesh, maxOverlap, residualSpeed, msPerTick, searches } =
    report;
  return {
    scene,
    seed,
    agents,
    seconds,
    arrived,
    settled,
    gaveUp,
    stuck,
    offMesh,
    maxOverlap,
    residualSpeed,
    msPerTick: { median: msPerTick.median, p99: msPerTick.p99 },
    searches,
    hash: report.stateHash,
  };
}

function detailsOf(report: CrowdRunResult, broken: readonly string[]): object {
  const { atGoal, offMeshWorst, longestOverlap, longestOverlapPair, collisions, arrivalP50, arrivalP95, settlingTime } =
    report;
  const { stalls, passed, throughput, pathOverhead, jitter, msPerTick, hash, idle, overlapShare, trips, lateTrips } =
    report;
  return {
    broken,
    atGoal,
    offMeshWorst,
    longestOverlap,
    longestOverlapPair,
    collisions,
    idle,
    overlapShare,
    trips,
    lateTrips,
    arrivalP50,
    arrivalP95,
    settlingTime,
    stalls,
    passed,
    throughput,
    pathOverhead,
    jitter,
    maxMsPerTick: msPerTick.max,
    pathHash: hash,
  };
}

function tableOf(summary: Summary, report: CrowdRunResult): string {
  const number = (value: number, digits: number): string =>
    Number.isFinite(value) ? formatNumber(Number(value.toFixed(digits))) : '-';
  const rows = [
    ['agents', `${summary.agents}`],
    ['arrived', `${summary.arrived}`],
    ['settled', `${summary.settled}`],
    ['gave up', `${summary.gaveUp}`],
    ['stuck', `${summary.stuck}`],
    ['off the mesh, agent-ticks', `${summary.offMesh}`],
    ['deepest overlap, radii', number(summary.maxOverlap, 3)],
    ['longest overlap, s', number(report.longestOverlap, 2)],
    ['collisions per agent and minute', number(report.collisions, 2)],
    ['arrival, median and 95th percentile, s', `${number(report.arrivalP50, 1)}, ${number(report.arrivalP95, 1)}`],
    ['all at rest, s', number(report.settlingTime, 1)],
    ['speed of agents at rest', number(summary.residualSpeed, 4)],
    ['walked / shortest', number(report.pathOverhead, 3)],
    ['radians turned per meter', number(report.jitter, 2)],
    ...(Number.isNaN(report.throughput) ? [] : [['through the gate per second', number(report.throughput, 2)]]),
    ['searches', `${summary.searches}`],
    [
      'tick, median and 99th percentile',
      `${number(summary.msPerTick.median, 3)} ms, ${number(summary.msPerTick.p99, 3)} ms`,
    ],
    ['state', summary.hash],
  ];
  return [
    `${summary.scene}, seed ${summary.seed}: ${number(summary.seconds, 2)} seconds`,
    formatTable(rows, '  '),
  ].join('\n');
}

function readWhole(flag: string, text: string, min: number, max: number): number {
  const isGood = (value: number): boolean => Number.isInteger(value) && value >= min && value <= max;
  return readNumber(flag, text, isGood, `a whole number from ${min} to ${max}`);
}

function readNumber(flag: string, text: string, isGood: (value: number) => boolean, remedy: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!isGood(value)) throw new InputError(`${flag}: must be ${remedy} (got "${text}")`);
  return value;
}
