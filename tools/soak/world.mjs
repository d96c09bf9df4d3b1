/**
 * `npm run soak -- world [--operations N] [--first SEED] [--seconds S]`: random operations on the levels and obstacles of worlds
 * (test/property/obstacles.test.ts), 20,000 by default. After every few operations the mesh must equal a fresh bake of the same levels
 * and obstacles, number by number, and be valid; a failure is named with its seed and operation. Half as many operations, doors among
 * them, change a world on which 500 agents walk (test/property/living-world.test.ts): none may leave the mesh or miss a goal that it can
 * reach. There, the tiles that changed are compared with fresh ones every 30 operations, and the whole mesh every 300: 10,000 operations
 * take about seven minutes of CPU time, and each rest (every 900) until all agents have arrived or eleven minutes of their time have passed.
 */
import { soakTest } from '../soak-test.mjs';

/** Runs the operations. Returns the exit status. */
export function soak(args) {
  return soakTest(args, {
    name: 'world',
    count: ['operations', 20_000],
    file: ['packages/navkiln/test/property/obstacles.test.ts', 'packages/navkiln/test/property/living-world.test.ts'],
    more: { NAVKILN_WORLD_AGENTS: '500' },
    variables: { count: 'NAVKILN_WORLD_OPERATIONS', seconds: 'NAVKILN_WORLD_SECONDS' },
  });
}
