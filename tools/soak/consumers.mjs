/**
 * `npm run soak -- consumers [--folder PATH]`: bakes in workers of the packed package in pages that webpack and esbuild bundle, next to
 * the bundlers of `npm test`.
 *
 * Both are installed from the registry into a temporary folder, or taken from the npm project PATH. They are not dependencies of the
 * repository: together they have 49 MB, and esbuild runs a script when it is installed.
 *
 * In: the packed package. Out: text. Cost: half a minute and the installation.
 * Based on: own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const PACKAGES = ['webpack@5', 'esbuild@0'];
const TEST = 'packages/navkiln/test/consumers/bundlers.test.ts';

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
    const { status } = await run('vitest', ['run', TEST], { env: { NAVKILN_BUNDLERS: folder ?? own } });
    return status;
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}
