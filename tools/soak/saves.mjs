/**
 * `npm run soak -- saves [--count N] [--first SEED] [--seconds S]`: saved crowds and characters with damaged numbers and repaired
 * checksums (test/fuzz/saves.test.ts), 100,000 by default. Prints how many were refused and accepted. Restoring must end, and a refusal
 * must change nothing.
 */
import { soakTest } from '../soak-test.mjs';

/** Runs the saves. Returns the exit status. */
export function soak(args) {
  return soakTest(args, {
    name: 'saves',
    count: ['count', 100_000],
    file: 'packages/navkiln/test/fuzz/saves.test.ts',
    variables: { count: 'NAVKILN_SAVES', seconds: 'NAVKILN_SAVES_SECONDS' },
  });
}
