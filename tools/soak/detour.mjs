/**
 * `npm run soak -- detour [--levels N] [--pairs N] [--calls N] [--seed S] [--only a,b]`: compares operations of corridors, straight
 * paths and queries with Detour over all scenes and N random levels of each kind (default 4), in one tile and in tiles.
 *
 * `--pairs` is the number of paths per level (default 60), `--calls` the number of calls of each query in all (default 4000). `--only`
 * selects from corridors, straight-paths and queries. Prints each outcome with its share of all calls: docs/deviations.md names them. An
 * outcome that is none of those fails. The exit status is 1 then; 2 for wrong arguments.
 *
 * In: the sources of the library. Out: text. Cost: about five minutes with the defaults.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  levels: { type: 'string', default: '4' },
  pairs: { type: 'string', default: '60' },
  calls: { type: 'string', default: '4000' },
  seed: { type: 'string', default: '41' },
  only: { type: 'string', default: 'corridors,straight-paths,queries' },
};
const USAGE = 'usage: npm run soak -- detour [--levels N] [--pairs N] [--calls N] [--seed S] [--only a,b]';
/** The lines that the tests print: a text that ends in outcomes with their counts. */
const LINE = /^\s*(corridors|straight paths|[a-z]+\b)[^{}]*?(\{.*\})$/i;

/** Returns the arguments, or undefined when they are wrong. */
function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const numbers = [values.levels, values.pairs, values.calls, values.seed].map(Number);
  const only = values.only.split(',');
  const isValid =
    numbers.every((value) => Number.isInteger(value) && value > 0) &&
    only.every((name) => ['corridors', 'straight-paths', 'queries'].includes(name));
  return isValid ? { ...values, only } : undefined;
}

function addUp(totals, operation, outcomes) {
  const sums = (totals[operation] ??= {});
  for (const [outcome, count] of Object.entries(outcomes)) sums[outcome] = (sums[outcome] ?? 0) + count;
}

/** Adds up the outcomes that the tests have printed. */
function outcomesOf(output) {
  const totals = {};
  // oxlint-disable-next-line no-control-regex -- colors of the terminal
  for (const line of output.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n')) {
    const [, name, text] = LINE.exec(line) ?? [];
    if (text === undefined) continue;
    let outcomes;
    try {
      outcomes = JSON.parse(text);
    } catch {
      continue;
    }
    if (name === 'corridors')
      for (const [operation, counts] of Object.entries(outcomes)) addUp(totals, operation, counts);
    else addUp(totals, name, outcomes);
  }
  return totals;
}

/** Compares. Returns the exit status. */
export async function soak(args) {
  const options = readArguments(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const files = options.only.map((name) => `packages/navkiln/test/golden/${name}.test.ts`);
  const { status, output } = await run('vitest', ['run', ...files, '--maxWorkers=1', '--testTimeout=300000'], {
    capture: true,
    env: {
      NAVKILN_ALL: options.levels,
      NAVKILN_PAIRS: options.pairs,
      NAVKILN_QUERIES: options.calls,
      NAVKILN_SEED: options.seed,
    },
  });
  for (const [operation, outcomes] of Object.entries(outcomesOf(output))) {
    const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    console.log(`${operation}: ${all}`);
    for (const [outcome, count] of Object.entries(outcomes).sort((a, b) => b[1] - a[1]))
      console.log(`  ${((100 * count) / all).toFixed(2).padStart(6)} %  ${count}  ${outcome}`);
  }
  if (status !== 0) console.error(output.slice(-20_000));
  return status === 0 ? 0 : 1;
}
