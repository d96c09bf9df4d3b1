/**
 * Measures crowds. Every crowd scene runs with navkiln, npm recast-navigation and npm navcat. A tick of 1,000 agents
 * is measured interleaved, also with low detail. navkiln runs with 100 to 10,000 agents in a town, and with 50,000 in
 * the open. Ticks under a stream of orders and bytes allocated per tick are measured, too.
 *
 * Agreement: all three accept all agents and start them at the same positions.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { moveAgentTo, setAgentOptions, stepCrowd } from 'navkiln/crowd';
import { crowdRuns } from 'navkiln/debug';
import type { CrowdDriver, CrowdRun, CrowdRunResult, CrowdWorld, NavkilnDriver } from 'navkiln/debug';
import { crowdScenes, findCrowdScene } from 'navkiln-scenes';
import type { CrowdSceneTweaks } from 'navkiln-scenes';
import { createNavcatDriver, createRecastDriver } from './crowd-peers.ts';
import { createRandom, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';

export interface CrowdRow {
  scene: string;
  who: string;
  seed: number;
  report: CrowdRunResult;
  broken: string[];
}

/** Times are CPU times, not wall times, so other work on the machine does not change them. */
export interface CrowdSpeed {
  /**
   * Milliseconds per tick of 1,000 agents, and ratios to the others: in a town, where four dense streams meet, and
   * with random goals in a dense open space.
   */
  thousand: { scene: string; ms: Record<string, Spread>; ratios: Record<string, Spread> }[];
  /** Towns from 100 to 10,000 agents, and 50,000 in the open at 0.2 per square meter. */
  growth: { scene: string; agents: number; medianMs: number; p99Ms: number; usPerAgent: number }[];
  orders: { agents: number; medianMs: number; p99Ms: number; maxMs: number; orderMs: number };
  bytesPerTick: number;
}

export interface CrowdBenchOptions {
  /** Names of scenes; empty: all. */
  names: readonly string[];
  seed: number;
  navcat: boolean;
  /** Runs scenes at full size instead of sizes that all three finish in a few minutes. */
  full: boolean;
}

export const STEP: number = 1 / 60;
/** navcat takes minutes for more agents. */
export const SIZES: Record<string, number> = {
  circle: 100,
  blocks: 100,
  crossroads: 120,
  bottleneck: 80,
  counterflow: 40,
  'same-goal': 100,
  storeys: 60,
  chase: 61,
  'tile-swap': 60,
  'link-jam': 40,
  'link-landing': 40,
  town: 200,
};

type DriverOf = (world: CrowdWorld) => CrowdDriver & { destroy?: () => void };

/** Returns the names of the crowds, each with a function that creates its driver. */
export function contenders(navcat: boolean): [string, DriverOf][] {
  const list: [string, DriverOf][] = [
    ['navkiln', (world) => crowdRuns.createCrowdDriver(world, STEP)],
    ['recast', (world) => createRecastDriver(world, STEP)],
  ];
  if (navcat) list.push(['navcat', (world) => createNavcatDriver(world, STEP)]);
  return list;
}

export function benchCrowdScenes(
  { names, seed, navcat, full }: CrowdBenchOptions,
  onRow: (row: CrowdRow) => void,
): void {
  for (const scene of crowdScenes) {
    if (names.length > 0 && !names.includes(scene.name)) continue;
    const begun: Float64Array[] = [];
    for (const [who, driverOf] of contenders(navcat)) {
      const setup = scene.create(seed, full ? undefined : SIZES[scene.name]);
      const world = crowdRuns.createCrowdWorld(setup);
      const driver = driverOf(world);
      const run = crowdRuns.startCrowdRun(setup, { stepSeconds: STEP, now: cpuMs }, world, driver);
      begun.push(run.frame.position.slice());
      if (run.frame.state.includes(crowdRuns.BODY_GONE)) throw new Error(`${scene.name}: ${who} refuses agents`);
      while (crowdRuns.stepCrowdRun(run));
      const report = crowdRuns.finishCrowdRun(run);
      onRow({ scene: scene.name, who, seed, report, broken: crowdRuns.listBrokenPromises(report) });
      driver.destroy?.();
    }
    for (const positions of begun) {
      // Compares in the plane: heights come from each library's own detail mesh.
      const apart = positions.findIndex((value, k) => k % 3 !== 1 && Math.abs(value - begun[0][k]) > 0.01);
      if (apart >= 0)
        throw new Error(`${scene.name}: agent ${Math.floor(apart / 3)} does not begin at the same place for all`);
    }
  }
}

/** Runs a scene until every agent has a path. */
function runUntil(
  scene: string,
  agents: number,
  driverOf: DriverOf,
  ticks: number,
  tweaks: CrowdSceneTweaks = {},
): { run: CrowdRun; driver: ReturnType<DriverOf> } {
  const setup = findCrowdScene(scene).create(1, agents, tweaks);
  const world = crowdRuns.createCrowdWorld(setup);
  const driver = driverOf(world);
  const run = crowdRuns.startCrowdRun(setup, { stepSeconds: STEP, unmeasured: true }, world, driver);
  for (let k = 0; k < ticks; k++) crowdRuns.stepCrowdRun(run);
  return { run, driver };
}

export function benchCrowdSpeed({ navcat }: CrowdBenchOptions): CrowdSpeed {
  const thousand = [
    ['town', 120],
    ['crossroads', 480],
    ['open-flow', 300],
  ] as const;
  // navkiln runs first: by then all of it is compiled, as the others are from the start or soon after.
  const growth = [...growthFrom([100, 1000, 10_000]), openOf(50_000)];
  return {
    thousand: thousand.map(([scene, ticks]) => thousandIn(scene, ticks, navcat)),
    growth,
    orders: ordersOf(2000),
    bytesPerTick: bytesOf(1000),
  };
}

function thousandIn(scene: string, ticks: number, navcat: boolean): CrowdSpeed['thousand'][number] {
  // RecastDemo's search distance, which other published measurements often use.
  const all = contenders(navcat);
  all.splice(2, 0, ['recast, 12 radii', (world) => createRecastDriver(world, STEP, 12)]);
  all.splice(1, 0, ['navkiln, low detail', createLowDriver]);
  const crowds = all.map(([name, driverOf]) => ({ name, ...runUntil(scene, 1000, driverOf, ticks) }));
  const times = interleave(
    crowds.map(
      ({ driver }) =>
        () =>
          driver.step(),
    ),
    240,
  );
  const row: CrowdSpeed['thousand'][number] = { scene, ms: {}, ratios: {} };
  crowds.forEach(({ name, driver }, k) => {
    row.ms[name] = spreadOf(times[k]);
    if (k > 0) row.ratios[name] = ratioOf(times[0], times[k]);
    driver.destroy?.();
  });
  return row;
}

/** Creates a crowd whose agents all have low detail. */
function createLowDriver(world: CrowdWorld): NavkilnDriver {
  const driver = crowdRuns.createCrowdDriver(world, STEP);
  const { add } = driver;
  driver.add = (agent, index) => {
    const isAdded = add(agent, index);
    setAgentOptions(driver.crowd, driver.ids[index], { detail: 'low' });
    return isAdded;
  };
  return driver;
}

/** Returns the CPU time of this process in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs each once per round, in rotating order. Returns milliseconds, one row each. */
function interleave(runs: readonly (() => void)[], rounds: number): Float64Array[] {
  const times = runs.map(() => new Float64Array(rounds));
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < runs.length; k++) {
      const which = (k + round) % runs.length;
      const from = cpuMs();
      runs[which]();
      times[which][round] = cpuMs() - from;
    }
  }
  return times;
}

const ownDriver: DriverOf = (world) => crowdRuns.createCrowdDriver(world, STEP);

/** Starts a crowd in which every agent walks on a path. */
function walking(scene: string, agents: number, tweaks: CrowdSceneTweaks = {}): CrowdDriver {
  const { driver, run } = runUntil(scene, agents, ownDriver, 0, tweaks);
  const { crowd } = driver as NavkilnDriver;
  const budget = crowd.searchBudget;
  crowd.searchBudget = Infinity;
  driver.step();
  crowd.searchBudget = budget;
  for (let k = 0; k < 120; k++) driver.step();
  driver.read(run.frame);
  const count = run.frame.state.filter((state) => state === crowdRuns.BODY_MOVING).length;
  if (count < 0.8 * agents) throw new Error(`${scene} of ${agents}: ${count} walk`);
  return driver;
}

/** Measures towns of these sizes, a tick of each per round. */
function growthFrom(sizes: readonly number[]): CrowdSpeed['growth'] {
  const crowds = sizes.map((agents) => walking('town', agents));
  const times = interleave(
    crowds.map((driver) => () => driver.step()),
    240,
  );
  return sizes.map((agents, k) => growthRow('town', agents, times[k]));
}

/** Measures a crowd in the open, at 0.2 agents per square meter. */
function openOf(agents: number): CrowdSpeed['growth'][number] {
  const driver = walking('open-flow', agents, { density: 0.2 });
  const [times] = interleave([() => driver.step()], 120);
  return growthRow('open-flow', agents, times);
}

function growthRow(scene: string, agents: number, times: Float64Array): CrowdSpeed['growth'][number] {
  const { median: medianMs } = spreadOf(times);
  const p99Ms = times.slice().sort()[Math.floor(0.99 * times.length)];
  return { scene, agents, medianMs, p99Ms, usPerAgent: (medianMs * 1000) / agents };
}

/** Sends all agents elsewhere in one tick, every third second. Orders are timed separately. */
function ordersOf(agents: number): CrowdSpeed['orders'] {
  const { driver, run } = runUntil('town', agents, ownDriver, 200);
  const { crowd, ids } = driver as NavkilnDriver;
  const random = createRandom(1);
  const goals = run.setup.agents.map((agent) => agent.position);
  const ticks: number[] = [];
  let orderMs = Infinity;
  for (let k = 0; k < 1440; k++) {
    if (k % 180 === 0) {
      const from = cpuMs();
      for (const id of ids) moveAgentTo(crowd, id, goals[Math.floor(random() * goals.length)]);
      orderMs = Math.min(orderMs, cpuMs() - from);
    }
    const from = cpuMs();
    stepCrowd(crowd);
    ticks.push(cpuMs() - from);
  }
  // The first orders warm up the searches.
  const sorted = Float64Array.from(ticks.slice(360)).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))];
  return { agents, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1), orderMs };
}

/**
 * Measures heap allocation: the least of ten windows of a hundred ticks, since the engine's own allocations
 * come and go.
 */
function bytesOf(agents: number): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { driver } = runUntil('town', agents, ownDriver, 600);
  const { crowd } = driver as NavkilnDriver;
  let least = Infinity;
  for (let window = 0; window < 10; window++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < 100; k++) stepCrowd(crowd);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 100);
  }
  return least;
}

const digits = (value: number, places: number): string =>
  Number.isFinite(value) ? String(Number(value.toFixed(places))) : '-';

/** Formats a Markdown table with a row per scene and contender. */
export function crowdTable(rows: readonly CrowdRow[]): string {
  const table = [
    [
      'scene',
      'crowd',
      'arrived',
      'settled',
      'gave up',
      'stuck',
      'off mesh',
      'overlap, radii',
      'overlap, s',
      'collisions /min',
      'p50 s',
      'p95 s',
      'all at rest s',
      'residual',
      'gate /s',
      'walked / shortest',
      'rad/m',
      'ms/tick',
      'p99',
    ],
  ];
  for (const { scene, who, report } of rows) {
    const { arrived, settled, agents, gaveUp, stuck, offMesh } = report;
    table.push([
      scene,
      who,
      `${arrived}/${agents}`,
      `${settled}`,
      `${gaveUp}`,
      `${stuck}`,
      `${offMesh}`,
      digits(report.maxOverlap, 3),
      digits(report.longestOverlap, 2),
      digits(report.collisions, 2),
      digits(report.arrivalP50, 1),
      digits(report.arrivalP95, 1),
      digits(report.settlingTime, 1),
      digits(report.residualSpeed, 3),
      digits(report.throughput, 2),
      digits(report.pathOverhead, 3),
      digits(report.jitter, 2),
      digits(report.msPerTick.median, 3),
      digits(report.msPerTick.p99, 3),
    ]);
  }
  const lines = table.map((row) => `| ${row.join(' | ')} |`);
  lines.splice(1, 0, `| ${table[0].map((_, k) => (k < 2 ? '---' : '---:')).join(' | ')} |`);
  return lines.join('\n');
}

/** Formats Markdown. */
export function crowdSpeedTable({ thousand, growth, orders, bytesPerTick }: CrowdSpeed): string {
  const spread = (s: Spread): string => `${digits(s.median, 3)} (${digits(s.q1, 3)}-${digits(s.q3, 3)})`;
  const lines = ['| 1,000 agents | crowd | ms a tick | navkiln / it |', '| --- | --- | ---: | ---: |'];
  for (const { scene, ms, ratios } of thousand) {
    for (const [name, times] of Object.entries(ms)) {
      lines.push(`| ${scene} | ${name} | ${spread(times)} | ${name in ratios ? spread(ratios[name]) : ''} |`);
    }
  }
  lines.push('', '| navkiln | agents | median ms | p99 ms | µs per agent |', '| --- | ---: | ---: | ---: | ---: |');
  for (const row of growth) {
    lines.push(
      `| ${row.scene} | ${row.agents} | ${digits(row.medianMs, 3)} | ${digits(row.p99Ms, 3)} | ${digits(row.usPerAgent, 3)} |`,
    );
  }
  lines.push(
    '',
    `${orders.agents} agents sent elsewhere at once, every third second: median ${digits(orders.medianMs, 3)} ms a tick, ` +
      `p99 ${digits(orders.p99Ms, 3)} (${digits(orders.p99Ms / orders.medianMs, 2)} times), most ${digits(orders.maxMs, 3)}; ` +
      `the orders ${digits(orders.orderMs, 3)}.`,
    `Heap a tick, 1,000 agents: ${digits(bytesPerTick, 1)} bytes.`,
  );
  return lines.join('\n');
}
