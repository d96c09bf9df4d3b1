/**
 * `npm test [-- FILTER…]`: installs what is missing, runs the checks (which build), runs the tests and prints
 * how many passed. With arguments, which are passed to vitest, it builds and runs only those tests. Exit
 * status 0 when everything passed, 1 otherwise, also when no test ran, 2 for a filter that matches no file. The last line is also written to
 * out/test-summary.txt.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { build, install, requireNode } from './setup.mjs';
import { explainFilters, filtersOf, listTests } from './test-filter.mjs';

/** Sums vitest's JSON report (undefined when there is none) and the checks. */
export function summarize(results, vitestStatus, rules) {
  let passed = rules.held;
  let failed = rules.broken;
  let skipped = 0;
  let tests = 0;
  for (const file of results?.testResults ?? []) {
    for (const test of file.assertionResults) {
      tests++;
      if (test.status === 'passed') passed++;
      else if (test.status === 'failed') failed++;
      else skipped++;
    }
    // A file that failed to load has no failed test.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) failed++;
  }
  const allSkipped = tests > 0 && tests === skipped;
  if (failed === 0 && (vitestStatus !== 0 || tests === 0 || allSkipped)) failed = 1;
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { line, ok: failed === 0 };
}

async function main() {
  requireNode();
  const args = process.argv.slice(2);
  const faults = explainFilters(filtersOf(args), listTests());
  if (faults.length > 0) {
    console.error(faults.map((fault) => `error: ${fault}`).join('\n'));
    console.error(
      "A filter is a part of a path, such as 'query/walk' or 'find-path'; -t PATTERN selects tests by their titles.",
    );
    process.exitCode = 2;
    return;
  }
  await install();
  const { runChecks } = await import('./check.mjs');
  if (args.length > 0) await build();
  const rules = args.length === 0 ? await runChecks() : { held: 0, broken: 0 };

  // Tests of processes run the bundles, also when types are wrong.
  await bundle();

  const out = join(ROOT, 'out');
  const json = join(out, 'test-results.json');
  mkdirSync(out, { recursive: true });
  rmSync(json, { force: true });
  const { status } = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${json}`,
    ...args,
  ]);
  const results = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : undefined;
  const { line, ok } = summarize(results, status, rules);
  writeFileSync(join(out, 'test-summary.txt'), `${line}\n`);
  console.log(line);
  process.exitCode = ok ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
