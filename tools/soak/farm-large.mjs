/**
 * `npm run soak -- farm-large [--side METERS] [--kills N] [--crews 1,2,4] [--server redis|postgresql] [--first SEED] [--seconds S]`: a world of 100,000 tiles (default) with
 * its routes, baked by 1, 2 and 4 workers over Redis and over PostgreSQL. Planners and workers are killed every few seconds, the queue's
 * server is started again once, and the disk is full once (packages/farm/test/kills.test.ts). Each tile must be in the manifest once, and
 * all files must equal those of one process.
 *
 * In: the built packages, redis-server, postgres. Out: text. Cost: four to eight minutes for each number of workers and server, and
 * three for the world of one process, which all rounds share; half a gigabyte of memory.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  // Tiles are 30 m wide.
  side: { type: 'string', default: '9500' },
  kills: { type: 'string', default: '180' },
  crews: { type: 'string', default: '1,2,4' },
  // Default: both.
  server: { type: 'string', default: '' },
  first: { type: 'string', default: '101' },
  seconds: { type: 'string', default: '36000' },
};

/** Runs the test. Returns the exit status. */
export async function soak(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const env = {
    NAVKILN_FARM_SIDE: values.side,
    NAVKILN_FARM_KILLS: values.kills,
    NAVKILN_FARM_CREWS: values.crews,
    NAVKILN_FARM_SECONDS: values.seconds,
    NAVKILN_SEED: values.first,
    NAVKILN_FARM_CHUNK: '64',
    NAVKILN_FARM_DIES: '0.002',
    NAVKILN_FARM_PAUSE: '6000',
    // A planner takes most of a core for some seconds.
    NAVKILN_FARM_REPLAN: '60000',
    NAVKILN_FULL: '1',
  };
  const flags = ['run', '--silent=false', '--testTimeout=36000000', 'packages/farm/test/kills.test.ts'];
  if (values.server !== '') flags.push('-t', values.server === 'redis' ? 'Redis' : 'PostgreSQL');
  const { status } = await run('vitest', flags, { env });
  return status === 0 ? 0 : 1;
}
