/** Packs the published packages and runs programs in a folder of its own that only the packed files are installed in. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LIBRARY = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const ROOT = join(LIBRARY, '..', '..');
export const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** The oldest compiler that accepts the types, as package.json of the library says. */
export const OLDEST_TSC = join(LIBRARY, 'node_modules', 'typescript', 'bin', 'tsc');

export function node(args: readonly string[], cwd: string): string {
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
}

/** Returns the output of a compiler, or '' when there are no errors. */
export function typeCheck(cwd: string, tsc: string = TSC): string {
  try {
    return node([tsc, '-p', '.'], cwd);
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

/** Returns a new folder with the package.json of a program that installs nothing yet. */
export function createConsumer(): string {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-consumer-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return folder;
}

/** Packs the library into a folder. Returns the tarball's path from there, and the paths in it. */
export function packLibrary(folder: string): { tarball: string; files: string[] } {
  node([join(ROOT, 'tools', 'build.mjs')], ROOT);
  const [info] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], LIBRARY)) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: `./${info.filename}`, files: info.files.map((file) => file.path) };
}
