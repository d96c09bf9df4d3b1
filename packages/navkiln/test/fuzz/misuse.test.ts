/**
 * Misuse: every exported function is called with wrong arguments. Each call returns a valid result or throws in the library's
 * words, and one that throws changes nothing. Another seed picks other trials; `npm run soak -- misuse` runs all of them, and random
 * pairs of faults.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listCalls } from '../../../../tools/misuse/calls.mjs';
import { createFixtures } from '../../../../tools/misuse/fixtures.mjs';
import { loadModules } from '../../../../tools/misuse/load.mjs';
import { createRunner, functionsOf } from '../../../../tools/misuse/run.mjs';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** Trials of each function. */
const TRIALS = Number(process.env['NAVKILN_MISUSE'] ?? 8);

type Modules = Awaited<ReturnType<typeof loadModules>>;
let modules: Modules;
beforeAll(async () => {
  modules = await loadModules();
});

describe('misuse', () => {
  it('each exported function has a valid call, and a function without one is noticed', () => {
    const calls = listCalls(modules, functionsOf);
    expect(calls.length).toBeGreaterThan(300);
    const more = { ...modules, crowd: { ...modules.crowd, newFunction: () => {} } };
    expect(() => listCalls(more, functionsOf)).toThrow(/no valid call in tools\/misuse for newFunction/);
  });

  it(
    `${TRIALS} wrong calls of each function are answered in the library's words (seed ${SEED})`,
    { timeout: 120_000 },
    async () => {
      const calls = listCalls(modules, functionsOf);
      const runner = createRunner(modules, createFixtures(modules));
      const next = seeded(SEED);
      const failures: string[] = [];
      const counts: Record<string, number> = {};
      for (const call of calls) {
        const problem = await runner.runValid(call);
        if (problem !== '') failures.push(problem);
        if (problem !== '') continue;
        const faults = runner.faultsOf(call);
        for (let i = 0; i < Math.min(TRIALS, faults.length); i++) {
          const { outcome, text } = await runner.run(call, [faults[Math.floor(next() * faults.length)]]);
          counts[outcome] = (counts[outcome] ?? 0) + 1;
          if (outcome.startsWith('FAIL')) failures.push(text);
        }
      }
      console.info(`misuse: ${JSON.stringify(counts)}`);
      expect(failures).toEqual([]);
    },
  );
});
