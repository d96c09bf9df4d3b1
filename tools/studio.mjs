/**
 * Builds the studio's page when its sources are newer than what was built. Started by itself it does only that; with --pack it
 * lays the page into the command line's package, too, as that is packed.
 */
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { fail } from './setup.mjs';

export const STUDIO = join(ROOT, 'packages', 'studio');
/** What is served. */
export const STUDIO_PAGE = join(STUDIO, 'dist');
const SOURCES = [
  'studio/src', 'studio/public', 'studio/index.html', 'studio/vite.config.ts', 'navkiln/src', 'scenes/src', 'cli/src',
];

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

export function isStudioBuilt() {
  const page = join(STUDIO_PAGE, 'index.html');
  if (!existsSync(page)) return false;
  const built = statSync(page).mtimeMs;
  return SOURCES.every((path) => newest(join(ROOT, 'packages', path)) < built);
}

/** The folder of the page, built when it was not. Throws with the bundler's words. */
export async function buildStudio() {
  if (isStudioBuilt()) return STUDIO_PAGE;
  const { status, output } = await run('vite', ['build', STUDIO, '--logLevel', 'error'], { capture: true });
  if (status !== 0) throw new Error(`The studio could not be built:\n${output}`);
  return STUDIO_PAGE;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildStudio().catch((error) => fail(error.message));
  if (process.argv.includes('--pack')) {
    const target = join(ROOT, 'packages', 'cli', 'studio');
    rmSync(target, { recursive: true, force: true });
    cpSync(folder, target, { recursive: true });
  }
  console.log(folder);
}
