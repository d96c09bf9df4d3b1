/**
 * `npm run soak -- misuse [--pairs N] [--seed SEED] [--only a,b] [--seconds S] [--shown N]`: calls every exported function with one wrong
 * value in each place of its arguments, then with N random pairs of them (default 300 a function), and lists what is not
 * answered in the library's words.
 *
 * `--only` takes names of functions and of subpaths ('crowd', 'kernel', …). The trials run in a worker, which is ended when a call
 * takes more than ten seconds; that call counts as a failure. `--shown` bounds the failures listed per function (default 3).
 * The counts by outcome are printed at the end. The exit status is 1 when a trial failed, 2 for wrong arguments.
 *
 * In: the built packages. Out: text. Cost: about 100,000 trials without pairs, in two minutes.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const OPTIONS = {
  pairs: { type: 'string', default: '300' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '3600' },
  shown: { type: 'string', default: '3' },
};
const USAGE = 'usage: npm run soak -- misuse [--pairs N] [--seed SEED] [--only a,b] [--seconds S] [--shown N]';
const HANG_MS = Number(process.env.HANG_MS ?? 10_000);

function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const [pairs, seed, seconds, shown] = [values.pairs, values.seed, values.seconds, values.shown].map(Number);
  if (!(Number.isInteger(pairs) && pairs >= 0 && Number.isInteger(seed) && seconds > 0 && shown >= 0)) return undefined;
  return { pairs, seed, seconds, shown, only: values.only === '' ? [] : values.only.split(',') };
}

/** Runs one worker until it is done, hangs, or time is up. Returns 'done', 'hang', 'crash' or 'time'. */
function runWorker(data, take, end) {
  return new Promise((resolve) => {
    const { progress } = data;
    const worker = new Worker(new URL('../misuse/worker.mjs', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 1500 },
    });
    let seen = -1;
    let seenAt = Date.now();
    const finish = (how) => {
      clearInterval(timer);
      void worker.terminate();
      resolve(how);
    };
    const timer = setInterval(() => {
      if (Date.now() >= end) return finish('time');
      const now = Atomics.load(progress, 2);
      if (now !== seen) {
        seen = now;
        seenAt = Date.now();
      } else if (Date.now() - seenAt > HANG_MS) finish('hang');
      return undefined;
    }, 500);
    worker.on('message', (message) => (message.isDone === true ? finish('done') : take(message)));
    worker.on('error', (error) => {
      take({ error });
      finish('crash');
    });
  });
}

/** Runs the trials. Returns the exit status. */
export async function soak(args) {
  const options = readArguments(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { pairs, seed, only, seconds, shown } = options;
  console.log(`seed ${seed}, ${pairs} pairs a function`);
  const end = Date.now() + 1000 * seconds;
  const progress = new Int32Array(new SharedArrayBuffer(12));
  const totals = {};
  const listed = new Map();
  let failures = 0;
  const fail = (outcome, text) => {
    failures++;
    const name = text.split(':')[0];
    const count = (listed.get(name) ?? 0) + 1;
    listed.set(name, count);
    if (count <= shown) console.log(text.slice(0, 400));
    if (!outcome.startsWith('FAIL')) totals[outcome] = (totals[outcome] ?? 0) + 1;
  };
  let current = '';
  const take = ({ counts = {}, outcome, text, error, trial }) => {
    if (trial !== undefined) current = trial;
    if (outcome !== undefined) fail(outcome, text);
    if (error !== undefined) console.log(`the worker ended: ${error.message}`);
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
  };
  let how = 'hang';
  let first = [0, 0];
  let trials = -1;
  while (how === 'hang' || how === 'crash') {
    how = await runWorker({ progress, firstCall: first[0], firstTrial: first[1], only, pairs, seed }, take, end);
    if (how === 'done' || how === 'time') break;
    // A worker that ends before its first trial would do so again.
    if (trials === progress[2]) return 1;
    trials = progress[2];
    fail(how, `${current} -> ${how}`);
    first = [progress[0], progress[1] + 1];
  }
  if (how === 'time') console.log('out of time');
  for (const [name, count] of listed) if (count > shown && shown > 0) console.log(`${name}: ${count} failures`);
  const sum = Object.values(totals).reduce((a, b) => a + b, 0);
  console.log(
    `${sum} trials: ${Object.entries(totals)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  );
  return failures > 0 ? 1 : 0;
}
