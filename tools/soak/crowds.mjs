/**
 * `npm run soak -- crowds [--seeds N] [--first SEED] [--scenes a,b] [--full] [--seconds S] [--json]`: runs the crowd scenes on
 * N seeds (default 20) from SEED (default 101) on, and lists each broken promise with its scene and seed.
 *
 * Scenes have the reduced sizes of `REDUCED_AGENTS`; `--full` gives them their own. `--seconds` bounds the whole run: seeds that are not
 * started by then are reported as skipped. One line per scene says how many runs kept their promises, and the means of what two
 * versions of the crowd are compared by. With `--json` each run is one line of JSON instead. The exit status is 1 when a promise
 * is broken, 2 for wrong arguments.
 *
 * In: the built packages. Out: text. Cost: about a second per scene and seed at reduced size, ten at full size.
 * Based on: own.
 */
import { parseArgs } from 'node:util';

const OPTIONS = {
  seeds: { type: 'string', default: '20' },
  first: { type: 'string', default: '101' },
  scenes: { type: 'string', default: '' },
  full: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '3600' },
  json: { type: 'boolean', default: false },
};
const USAGE = 'usage: npm run soak -- crowds [--seeds N] [--first SEED] [--scenes a,b] [--full] [--seconds S] [--json]';

/** Returns the arguments as numbers and names, or undefined when they are wrong. */
function readArguments(args, names) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const [count, first, seconds] = [values.seeds, values.first, values.seconds].map(Number);
  const scenes = values.scenes === '' ? names : values.scenes.split(',');
  const isValid =
    Number.isInteger(count) &&
    count > 0 &&
    Number.isInteger(first) &&
    seconds > 0 &&
    scenes.every((name) => names.includes(name));
  return isValid ? { ...values, count, first, seconds, scenes } : undefined;
}

/** Runs the scenes. Returns the exit status. */
export async function soak(args) {
  const { REDUCED_AGENTS, crowdScenes, denseCrowdScenes } = await import('navkiln-scenes');
  const all = [...crowdScenes, ...denseCrowdScenes];
  const { crowdRuns } = await import('navkiln/debug');
  const names = all.map((scene) => scene.name);
  const options = readArguments(args, names);
  if (options === undefined) {
    console.error(`${USAGE}\nscenes: ${names.join(', ')}`);
    return 2;
  }
  const end = Date.now() + 1000 * options.seconds;
  let brokenCount = 0;
  let skipped = 0;
  for (const name of options.scenes) {
    const scene = all.find((candidate) => candidate.name === name);
    const reports = [];
    let broken = 0;
    for (let seed = options.first; seed < options.first + options.count; seed++) {
      if (Date.now() >= end) {
        skipped++;
        continue;
      }
      const from = process.cpuUsage().user;
      const report = crowdRuns.runCrowdScene(scene.create(seed, options.full ? undefined : REDUCED_AGENTS[name]));
      const cpuSeconds = (process.cpuUsage().user - from) / 1e6;
      // All agents of this scene begin at one position, and are apart after half a second.
      const isPile = name === 'spawn-pile' && report.longestOverlap < 0.5;
      const promises = crowdRuns.listBrokenPromises(isPile ? { ...report, longestOverlap: 0 } : report);
      reports.push(report);
      if (promises.length > 0) broken++;
      if (options.json) console.log(JSON.stringify({ scene: name, seed, promises, cpuSeconds, ...report }));
      else for (const promise of promises) console.log(`${name} seed ${seed} BROKEN: ${promise}`);
    }
    brokenCount += broken;
    if (!options.json && reports.length > 0) console.log(summaryOf(name, reports, broken));
  }
  if (skipped > 0) console.error(`${skipped} runs skipped: out of time`);
  return brokenCount > 0 ? 1 : 0;
}

/** Returns a line with the means of some reports of one scene. */
function summaryOf(name, reports, broken) {
  const mean = (of) => reports.reduce((sum, report) => sum + of(report), 0) / reports.length;
  const worst = Math.max(...reports.map((report) => report.maxOverlap));
  return [
    `${name}: ${reports.length - broken}/${reports.length} keep their promises`,
    `arrived ${mean((r) => r.arrived).toFixed(1)}`,
    `settled ${mean((r) => r.settled).toFixed(1)}`,
    `all at rest ${mean((r) => r.settlingTime).toFixed(1)} s`,
    `p95 ${mean((r) => r.arrivalP95).toFixed(1)} s`,
    `deepest overlap ${worst.toFixed(3)} radii`,
    `walked / shortest ${mean((r) => r.pathOverhead).toFixed(3)}`,
  ].join(', ');
}
