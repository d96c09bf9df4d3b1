/**
 * `npm run soak -- provisional [--operations N] [--first SEED] [--seconds S]`: random operations on obstacles that are cut out of the mesh
 * before their tiles are rebuilt (test/property/provisional.test.ts), 20,000 by default. After each one, the mesh must be valid and on the
 * surface of the level, and no point of a cut tile may be nearer to an obstacle than the radius less a cell. After every twelfth one, the
 * rebuilt mesh must have the same holes to within one cell, and equal a fresh bake; before, `verifyNavMesh` must find no overreach.
 */
import { soakTest } from '../soak-test.mjs';

/** Runs the operations. Returns the exit status. */
export function soak(args) {
  return soakTest(args, {
    name: 'provisional',
    count: ['operations', 20_000],
    file: 'packages/navkiln/test/property/provisional.test.ts',
    variables: { count: 'NAVKILN_PROVISIONAL_OPERATIONS', seconds: 'NAVKILN_PROVISIONAL_SECONDS' },
  });
}
