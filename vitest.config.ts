import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TEST_MODULES, testModules, writeTestModules } from './tools/test-modules.mjs';

// Without `module`: packages are loaded as Node loads them.
const conditions = ['navkiln-source', 'node', 'development|production'];
const TESTS = 'packages/navkiln/test';
const SETUP = `${TESTS}/setup.ts`;
const STUDIO = 'packages/studio/test/**/*.test.ts';

const folder = join(import.meta.dirname, TESTS);
/** Test files that measure allocations. Other tests change how the engine compiles the code, so these run alone. */
const MEASURING = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && readFileSync(join(folder, name), 'utf8').includes('/allocation.ts'))
  .map((name) => `${TESTS}/${name.replaceAll('\\', '/')}`);

await writeTestModules();
const server = { deps: { external: [TEST_MODULES] } };

// Tests read the packages' sources (the `navkiln-source` export condition), so a stale build can never be what is tested.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Time-outs only end tests that hang. Other work on the machine may slow a test down a lot.
    setupFiles: [SETUP],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Messages point to the test, not to its `expect`.
    onStackTrace: (_, { file }) => !file.endsWith('/navkiln/test/expect.ts'),
    // More than the cores of a small machine: tests of pages and processes wait. Projects would prefer this number to that of the command.
    maxWorkers: process.argv.some((arg) => /^--max-?workers/i.test(arg)) ? undefined : 4,
    projects: [
      {
        extends: true,
        plugins: [testModules],
        test: {
          name: 'tests',
          server,
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...MEASURING, STUDIO],
          // Test files of a worker share their modules, so sources are loaded once per worker. No test replaces a module.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [testModules],
        test: {
          name: 'studio',
          server,
          include: [STUDIO],
          isolate: false,
          // Clicks in a real page race with its frames when the machine is busy. A test that fails twice is broken.
          retry: 1,
        },
      },
      {
        extends: true,
        plugins: [testModules],
        test: {
          name: 'allocations',
          server,
          include: MEASURING,
          // Code is compiled at the same call in each run. Compiled beside the tests, it depends on how busy the machine is.
          execArgv: ['--no-concurrent-recompilation'],
        },
      },
    ],
  },
});
