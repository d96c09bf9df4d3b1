/**
 * `npm run soak -- runtime [--operations N] [--first SEED] [--seconds S]`: random operations on tiles, links, areas, a crowd,
 * characters, sliced searches, save and load (test/property/runtime-crowd.test.ts), a million by default. Prints how often each
 * outcome occurred. The mesh must stay valid; a failure is named with its seed and operation.
 */
import { soakTest } from '../soak-test.mjs';

/** Runs the operations. Returns the exit status. */
export function soak(args) {
  return soakTest(args, {
    name: 'runtime',
    count: ['operations', 1_000_000],
    file: 'packages/navkiln/test/property/runtime-crowd.test.ts',
    variables: { count: 'NAVKILN_RUNTIME_OPERATIONS', seconds: 'NAVKILN_RUNTIME_SECONDS' },
  });
}
