/**
 * `npm run soak -- allocation [--scenes a,b] [--seed N]`: measures the heap that a tick of a crowd scene allocates after warm-up, and
 * fails where the median tick allocates more than `LIMIT_BYTES`. The default are the dense scenes that last long enough to be warm.
 *
 * Each scene runs in a process of its own in which V8 compiles early (`FLAGS`): code that is not compiled yet allocates each number
 * that it computes, and rare functions would stay so for minutes. Before `WARM_TICKS`, lists grow, and functions are compiled again
 * for branches that they meet for the first time.
 *
 * In: the built packages. Out: a line for each scene. Cost: some seconds each.
 * Based on: own.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const FLAGS = ['--interrupt-budget=20000', '--no-lazy-feedback-allocation'];
/** Where numbers are passed between functions that V8 does not inline, a tick allocates 400 bytes and more. */
const LIMIT_BYTES = 200;
const WARM_TICKS = 1800;
const MEASURED_TICKS = 600;
const DEFAULT_SCENES = 'evacuation,open-flow,rooms-flow,storeys-flow,junction,spawn-pile';
const OPTIONS = { scenes: { type: 'string', default: DEFAULT_SCENES }, seed: { type: 'string', default: '1' } };

/** Runs the scenes. Returns the exit status. */
export async function soak(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  let failures = 0;
  for (const name of values.scenes.split(',')) {
    const child = spawnSync(process.execPath, [...FLAGS, fileURLToPath(import.meta.url), name, values.seed], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    if (child.status !== 0) {
      console.log(`${name}: FAILED: ${child.stderr}`);
      failures++;
      continue;
    }
    const { ticks, median, upper } = JSON.parse(child.stdout);
    const isTooMuch = median > LIMIT_BYTES;
    if (isTooMuch) failures++;
    console.log(
      `${name}: ${median} bytes in the median of ${ticks} ticks, ${upper} in 90 % ${isTooMuch ? 'TOO MUCH' : ''}`,
    );
  }
  return failures > 0 ? 1 : 0;
}

/** Prints the quantiles of the bytes that a tick of a scene allocates. */
async function measure(name, seed) {
  const { crowdRuns } = await import('navkiln/debug');
  const { findCrowdScene } = await import('navkiln-scenes');
  const setup = findCrowdScene(name).create(seed);
  const world = crowdRuns.createCrowdWorld(setup);
  const driver = crowdRuns.createCrowdDriver(world, 1 / 60);
  const { step } = driver;
  let last = 0;
  driver.step = () => {
    const before = process.memoryUsage().heapUsed;
    step();
    last = process.memoryUsage().heapUsed - before;
  };
  const run = crowdRuns.startCrowdRun(setup, { unmeasured: true }, world, driver);
  for (let k = 0; k < WARM_TICKS; k++) crowdRuns.stepCrowdRun(run);
  // Bytes that `memoryUsage` itself allocates.
  const own = [];
  for (let k = 0; k < 100; k++) own.push(-process.memoryUsage().heapUsed + process.memoryUsage().heapUsed);
  own.sort((a, b) => a - b);
  const bytes = [];
  // Negative: garbage was collected.
  for (let k = 0; k < MEASURED_TICKS && crowdRuns.stepCrowdRun(run); k++) if (last >= 0) bytes.push(last - own[50]);
  bytes.sort((a, b) => a - b);
  const at = (share) => bytes[Math.floor(share * (bytes.length - 1))];
  console.log(JSON.stringify({ ticks: bytes.length, median: at(0.5), upper: at(0.9) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(process.argv[2], Number(process.argv[3]));
