/** Runs one random test at length. Families whose trials are a test with larger counts share `soakTest`. */
import { parseArgs } from 'node:util';
import { run } from './run.mjs';

/**
 * Runs a test file with a count, a first seed and a number of seconds from the command line. Returns the exit status.
 *
 * @param family { name, count: [option, default], file, variables: { count, seconds }, more }: a file or several, names of environment
 *   variables, and further variables
 */
export async function soakTest(args, { name, count, file, variables, more = {} }) {
  const [option, fallback] = count;
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        [option]: { type: 'string', default: String(fallback) },
        first: { type: 'string', default: '101' },
        seconds: { type: 'string', default: '7200' },
      },
    }));
  } catch {
    values = undefined;
  }
  const [total, first, seconds] = [values?.[option], values?.first, values?.seconds].map(Number);
  if (!(Number.isInteger(total) && total > 0 && Number.isInteger(first) && seconds > 0)) {
    console.error(`usage: npm run soak -- ${name} [--${option} N] [--first SEED] [--seconds S]`);
    return 2;
  }
  const env = {
    ...more,
    [variables.count]: String(total),
    [variables.seconds]: String(seconds),
    NAVKILN_SEED: String(first),
  };
  const done = await run('vitest', ['run', '--silent=false', ...[file].flat()], { env });
  return done.status === 0 ? 0 : 1;
}
