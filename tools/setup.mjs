/** Prepares a fresh clone: checks the version of Node, installs packages, builds. Skips what is done. */
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';

const NODE = [20, 19];

/** Ends the process when Node is too old. */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  fail(`navkiln needs Node ${NODE.join('.')} or newer; this is Node ${version}. Install a newer one from nodejs.org.`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Returns whether node_modules has every package of the lock file in its version. */
export function isInstalled(lock, installed) {
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional) return true;
    return installed.packages[path]?.version === entry.version;
  });
}

function readLock(path) {
  const full = join(ROOT, path);
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')) : undefined;
}

/** Runs `npm ci` unless all packages are installed. */
export async function install() {
  const lock = readLock('package-lock.json');
  const installed = readLock('node_modules/.package-lock.json');
  if (lock !== undefined && installed !== undefined && isInstalled(lock, installed)) return;
  console.error('Installing packages (npm ci) …');
  const { status } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (status !== 0) {
    fail('npm could not install the packages; see its message above. The first run needs a network connection.');
  }
}

/** Links packages of this repository that came after the last installation. */
function linkPackages() {
  const modules = join(ROOT, 'node_modules');
  for (const folder of readdirSync(join(ROOT, 'packages'))) {
    const manifest = readLock(`packages/${folder}/package.json`);
    if (manifest === undefined || !existsSync(modules) || existsSync(join(modules, manifest.name))) continue;
    symlinkSync(join(ROOT, 'packages', folder), join(modules, manifest.name), 'junction');
  }
}

/** Checks types and writes them (`tsc -b`), and bundles the published packages. Skips what is up to date. */
export async function build() {
  linkPackages();
  const { status, output } = await run('tsc', ['-b'], { capture: true });
  if (status !== 0) fail(`The build failed:\n${output}`);
  await bundle().catch((error) => fail(`The packages could not be bundled:\n${error.message}`));
}
