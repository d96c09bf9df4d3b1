/**
 * `npm run soak -- consumers [--folder PATH]`: bakes in workers of the packed package in pages that webpack and esbuild bundle, next to
 * the bundlers of `npm test`; follows the guides step by step in empty folders (walks.test.ts), and checks the tarballs with publint and
 * are-the-types-wrong.
 *
 * All are installed from the registry into a temporary folder, or taken from the npm project PATH. They are not dependencies of the
 * repository: together they have 90 MB, and esbuild runs a script when it is installed.
 *
 * In: the packed package. Out: text. Cost: four minutes and the installation.
 * Based on: own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const PACKAGES = ['webpack@5', 'esbuild@0', 'publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];
const TESTS = ['bundlers', 'walks', 'published'].map((name) => `packages/navkiln/test/consumers/${name}.test.ts`);

/** Runs the family. Returns the exit status. */
export async function soak(args) {
  let folder;
  try {
    ({ folder } = parseArgs({ args, options: { folder: { type: 'string' } } }).values);
  } catch (error) {
    console.error(`${error.message}\nusage: npm run soak -- consumers [--folder PATH]`);
    return 2;
  }
  const own = folder === undefined ? mkdtempSync(join(tmpdir(), 'navkiln-bundlers-')) : undefined;
  try {
    if (own !== undefined) {
      writeFileSync(join(own, 'package.json'), '{ "private": true }');
      const { status } = await run('npm', [
        'install',
        '--prefix',
        own,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        ...PACKAGES,
      ]);
      if (status !== 0) return status;
    }
    const env = { NAVKILN_BUNDLERS: folder ?? own, NAVKILN_WALKS_INSTALL: '1' };
    const { status } = await run('vitest', ['run', ...TESTS], { env });
    return status;
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}
