/** Builds the studio's page when its sources are newer than the build. Run as a program, it does only that. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { buildOnce } from './lock.mjs';
import { run } from './run.mjs';
import { fail } from './setup.mjs';

export const STUDIO = join(ROOT, 'packages', 'studio');
/** The folder of the built page. */
export const STUDIO_PAGE = join(STUDIO, 'dist');
/** The folder of a build in progress. Git ignores both. */
const NEW = join(STUDIO, 'out', 'page');
const SOURCES = [
  'studio/src',
  'studio/public',
  'studio/index.html',
  'studio/offline-worker.js',
  'studio/vite.config.ts',
  'navkiln/src',
  'scenes/src',
  'cli/src',
  'loaders/src',
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

/** Returns the folder of the page, and builds it when it is stale. Throws with the bundler's message. */
export async function buildStudio() {
  await buildOnce('building-studio', isStudioBuilt, async () => {
    const start = new Date();
    // Built in another folder and then moved, so that servers of the old page stay consistent.
    const { status, output } = await run('vite', ['build', STUDIO, '--outDir', NEW, '--logLevel', 'error'], {
      capture: true,
    });
    if (status !== 0) throw new Error(`The studio could not be built:\n${output}`);
    // Sources that changed since the start must count as newer than the page.
    utimesSync(join(NEW, 'index.html'), start, start);
    rmSync(STUDIO_PAGE, { recursive: true, force: true });
    renameSync(NEW, STUDIO_PAGE);
  });
  return STUDIO_PAGE;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildStudio().catch((error) => fail(error.message));
  console.log(folder);
}
