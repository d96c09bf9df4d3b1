import { defineConfig } from 'vitest/config';

const conditions = ['navkiln-source', 'module', 'node', 'development|production'];

// Tests read the packages' sources (the `navkiln-source` export condition), so a stale build can never be what is tested.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    // Time-outs only end tests that hang. Other work on the machine may slow a test down a lot.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    // Test files of a worker share their modules, so the sources are loaded once per worker. No test replaces a module.
    isolate: false,
  },
});
