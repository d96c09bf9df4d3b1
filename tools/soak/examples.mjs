/**
 * `npm run soak -- examples [NAME,…] [--folder PATH] [--pictures]`: opens the pages of examples/ in Chromium, and tries the adapters
 * with the engines. `--pictures` takes the pictures of the gallery, docs/pictures/examples.
 *
 * The engines that the examples need are installed from the registry into a temporary folder, or taken from the npm project PATH. They are
 * not dependencies of the repository: together they have half a gigabyte.
 *
 * In: examples/. Out: text, pictures. Cost: a minute to install, some ten seconds a page.
 * Based on: own.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listExamples, packagesOf } from '../example.mjs';
import { ROOT } from '../files.mjs';
import { run } from '../run.mjs';

const TESTS = ['browser/example-pages', 'consumers/engines'].map((name) => `packages/navkiln/test/${name}.test.ts`);

/** Runs the family. Returns the exit status. */
export async function soak(args) {
  let values;
  let positionals;
  try {
    const options = { folder: { type: 'string' }, pictures: { type: 'boolean' } };
    ({ values, positionals } = parseArgs({ args, options, allowPositionals: true }));
  } catch (error) {
    console.error(`${error.message}\nusage: npm run soak -- examples [NAME,…] [--folder PATH] [--pictures]`);
    return 2;
  }
  const pictures = join(ROOT, 'docs', 'pictures', 'examples');
  if (values.pictures) mkdirSync(pictures, { recursive: true });
  const own = values.folder === undefined ? mkdtempSync(join(tmpdir(), 'navkiln-engines-')) : undefined;
  try {
    if (own !== undefined) {
      const dependencies = Object.assign({}, ...listExamples().map(packagesOf));
      delete dependencies.navkiln;
      writeFileSync(join(own, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
      const { status } = await run('npm', ['install', ...flags], { cwd: own });
      if (status !== 0) return status;
    }
    const env = { NAVKILN_FULL: '1', NAVKILN_ENGINES: values.folder ?? own };
    if (values.pictures) env.NAVKILN_PICTURES = pictures;
    if (positionals.length > 0) env.NAVKILN_EXAMPLES = positionals.join(',');
    const { status } = await run('vitest', ['run', ...(positionals.length > 0 ? TESTS.slice(0, 1) : TESTS)], { env });
    return status;
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}
