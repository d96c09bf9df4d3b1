/**
 * `npm run soak -- rollback [--count N] [--first SEED] [--seconds S]`: random rollbacks of games with obstacles, doors, links, characters and
 * targets (test/property/rollback.test.ts), 10,000 by default. Every tick must equal that of the game that never went back. Takes about
 * twelve minutes of CPU time.
 */
import { soakTest } from '../soak-test.mjs';

/** Runs the rollbacks. Returns the exit status. */
export function soak(args) {
  return soakTest(args, {
    name: 'rollback',
    count: ['count', 10_000],
    file: 'packages/navkiln/test/property/rollback.test.ts',
    variables: { count: 'NAVKILN_ROLLBACKS', seconds: 'NAVKILN_ROLLBACK_SECONDS' },
  });
}
