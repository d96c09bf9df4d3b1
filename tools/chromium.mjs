/**
 * Finds Chromium: an installed one, else one from the system's package manager, else Playwright's download.
 * Run as a program, it installs Chromium if necessary and prints its path.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FIXED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Flags for containers: Chromium's sandbox and the shared memory of /dev/shm need rights that these may lack. */
export const CONTAINER_FLAGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Returns the path of an installed Chromium, or undefined. `NAVKILN_CHROMIUM` overrides the search. */
export function findChromium(env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [env.NAVKILN_CHROMIUM, ...onPath, ...FIXED, ...downloaded()].find(
    (path) => path !== undefined && isProgram(path),
  );
}

/** Returns the path of Chromium, and installs it when it is missing. */
export function requireChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  console.error('Installing Chromium for the browser tests …');
  // The package manager needs root. Without it, or on other systems, Playwright downloads a browser.
  const apt = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  if (
    process.platform === 'linux' &&
    tryRun([...apt, 'update', '-qq']) &&
    tryRun([...apt, 'install', '-y', '-qq', 'chromium'])
  ) {
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  tryRun(['npx', '--yes', 'playwright@1', 'install', 'chromium-headless-shell']);
  return findChromium();
}

function tryRun([command, ...args]) {
  return (
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' }).status ===
    0
  );
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Lists browsers in Playwright's cache. */
function downloaded() {
  const cache = join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .sort()
    .reverse()
    .flatMap((name) => [
      join(cache, name, 'chrome-linux', 'headless_shell'),
      join(cache, name, 'chrome-headless-shell-linux64', 'chrome-headless-shell'),
      join(cache, name, 'chrome-linux', 'chrome'),
    ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = requireChromium();
  console.log(
    path ?? 'Chromium is missing and could not be installed. Install it, or set NAVKILN_CHROMIUM to its path.',
  );
  process.exitCode = path === undefined ? 1 : 0;
}
