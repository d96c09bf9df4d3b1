/**
 * `npm run soak -- cheapest [--queries N] [--seed S] [--seconds S]`: searches N cheapest paths (default 5,000) on random maps with areas
 * of two to four costs (0.2 to 20), roads, obstacles, links and tiles.
 *
 * Each cost is compared with a brute-force graph of points every 1/400 of the map; see test/property/cheapest.test.ts. Prints mean and
 * largest excess, and the first failures. `--seconds` (default 3600) bounds the whole run. The exit status is 1 when a cost exceeds the
 * reference by more than 1 %, the mean by more than 0.1 %, or a cost is not the one along the path's points; 2 for wrong arguments.
 *
 * In: the sources of the library. Out: text. Cost: about twenty minutes.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  queries: { type: 'string', default: '5000' },
  seed: { type: 'string', default: '11' },
  seconds: { type: 'string', default: '3600' },
};
const USAGE = 'usage: npm run soak -- cheapest [--queries N] [--seed S] [--seconds S]';

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
  const { status } = await run('vitest', ['run', 'packages/navkiln/test/property/cheapest.test.ts'], {
    env: { NAVKILN_CHEAPEST: options.queries, NAVKILN_SEED: options.seed, NAVKILN_SECONDS: options.seconds },
  });
  return status === 0 ? 0 : 1;
}
