/**
 * Fills the command line's package before `npm pack` with what it ships but does not contain: the studio's page, and a link
 * to navkiln-scenes, which npm bundles. With --clean, removes both again.
 */
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { build, fail } from './setup.mjs';
import { buildStudio } from './studio.mjs';

const CLI = join(ROOT, 'packages', 'cli');
const PAGE = join(CLI, 'studio');
// npm bundles packages of a package's own node_modules only, not those that a workspace shares.
const SCENES = join(CLI, 'node_modules', 'navkiln-scenes');

function clean() {
  rmSync(PAGE, { recursive: true, force: true });
  rmSync(SCENES, { recursive: true, force: true });
}

async function fill() {
  await build();
  const page = await buildStudio().catch((error) => fail(error.message));
  clean();
  cpSync(page, PAGE, { recursive: true });
  mkdirSync(join(CLI, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'packages', 'scenes'), SCENES, 'junction');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--clean')) clean();
  else await fill();
}
