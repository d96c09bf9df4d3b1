/**
 * `npm run soak -- optimal [--queries N] [--seed S] [--seconds S]`: searches N paths (default 1,000,000) on maps and levels that are
 * rotated, sheared, scaled and moved, so that polygons are convex only up to rounding.
 *
 * Each path is compared with the visibility graph of its map; see test/property/optimal-trials.ts. Prints counts by outcome, and the
 * first failures with their seeds. `--seconds` (default 3600) bounds the whole run. The exit status is 1 when a path is too long or leads
 * through a wall, or a search does not end; 2 for wrong arguments.
 *
 * In: the sources of the library. Out: text. Cost: about five minutes for a million queries.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  queries: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '101' },
  seconds: { type: 'string', default: '3600' },
};
const USAGE = 'usage: npm run soak -- optimal [--queries N] [--seed S] [--seconds S]';

/** Returns the arguments, or undefined when they are wrong. */
function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const [queries, seed, seconds] = [values.queries, values.seed, values.seconds].map(Number);
  const isValid = Number.isInteger(queries) && queries > 0 && Number.isInteger(seed) && seed >= 0 && seconds > 0;
  return isValid ? values : undefined;
}

/** Runs the queries. Returns the exit status. */
export async function soak(args) {
  const options = readArguments(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { status } = await run('vitest', ['run', 'packages/navkiln/test/property/nearly-convex.test.ts'], {
    env: { NAVKILN_NEARLY: options.queries, NAVKILN_SEED: options.seed, NAVKILN_SECONDS: options.seconds },
  });
  return status === 0 ? 0 : 1;
}
