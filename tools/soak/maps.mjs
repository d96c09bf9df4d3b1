/**
 * `npm run soak -- maps [--maps N] [--seed S] [--seconds S] [--kinds a,b]`: builds N (default 10,000) random 2D maps of each kind whose floors and
 * walls touch, from a seed (default 1) on.
 *
 * The kinds are floors that share parts of sides, walls of touching blocks, bricks, lattices and rectangles, turned by any angle, as one tile,
 * in tiles and as worlds, with and without a radius, and as files of GeoJSON and Tiled. Paths are compared with an exact visibility graph, areas with
 * the exact one; see test/property/polygon-touching.test.ts. `--seconds` (default 600) bounds each of its tests; `--kinds` selects
 * tests by their titles. Prints the maps of each test. The exit status is 1 for a fault, 2 for wrong arguments.
 *
 * In: the sources of the library. Out: text. Cost: about 40 minutes for 10,000 maps of each kind on an idle machine.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  maps: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '600' },
  kinds: { type: 'string', default: '' },
};
const USAGE = 'usage: npm run soak -- maps [--maps N] [--seed S] [--seconds S] [--kinds a,b]';

/** Returns the arguments, or undefined when they are wrong. */
function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const [maps, seed, seconds] = [values.maps, values.seed, values.seconds].map(Number);
  const isValid = Number.isInteger(maps) && maps > 0 && Number.isInteger(seed) && seed >= 0 && seconds > 0;
  return isValid && /^[a-z,]*$/.test(values.kinds) ? values : undefined;
}

/** Runs the maps. Returns the exit status. */
export async function soak(args) {
  const options = readArguments(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const only = options.kinds === '' ? [] : ['-t', options.kinds.split(',').join('|')];
  const { status } = await run(
    'vitest',
    ['run', 'packages/navkiln/test/property/polygon-touching.test.ts', '--maxWorkers=1', ...only],
    { env: { NAVKILN_TOUCHING: options.maps, NAVKILN_SEED: options.seed, NAVKILN_SECONDS: options.seconds } },
  );
  return status === 0 ? 0 : 1;
}
