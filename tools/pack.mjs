/**
 * Builds the command line before `npm pack` and puts the studio's page into its package, which ships it. With --clean, removes the
 * page again.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { build, fail } from './setup.mjs';
import { buildStudio } from './studio.mjs';

const CLI = join(ROOT, 'packages', 'cli');
const PAGE = join(CLI, 'studio');

function clean() {
  rmSync(PAGE, { recursive: true, force: true });
}

async function fill() {
  await build();
  const page = await buildStudio().catch((error) => fail(error.message));
  clean();
  cpSync(page, PAGE, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--clean')) clean();
  else await fill();
}
