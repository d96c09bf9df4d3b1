/**
 * `npm run soak -- farm [--kills N] [--first SEED] [--seconds S]`: worlds baked by 1, 2 and 4 workers over Redis and over PostgreSQL, whose
 * processes, planners among them, are killed at N random moments (default 1,200, 200 for each); the server is started again and the disk
 * is full in each round (packages/farm/test/kills.test.ts). Each world must equal that of one process to the byte. NAVKILN_FARM_SIDE is
 * the side of the level in meters (default 450, 225 tiles; 3000: 10,000 tiles). The long forms of the farm's other tests run first.
 */
import { run } from '../run.mjs';
import { soakTest } from '../soak-test.mjs';

/** Runs the tests. Returns the exit status. */
export async function soak(args) {
  const files = ['packages/farm/test/farm.test.ts', 'packages/farm/test/faults.test.ts'];
  const long = await run('vitest', ['run', ...files], { env: { NAVKILN_FULL: '1' } });
  const status = await soakTest(args, {
    name: 'farm',
    count: ['kills', 1200],
    file: 'packages/farm/test/kills.test.ts',
    variables: { count: 'NAVKILN_FARM_KILLS', seconds: 'NAVKILN_FARM_SECONDS' },
    more: { NAVKILN_FULL: '1' },
  });
  return status === 0 && long.status === 0 ? 0 : Math.max(1, status);
}
