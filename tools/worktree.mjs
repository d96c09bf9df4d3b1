/**
 * Checks out another commit beside the working tree and builds its library there, with the packages that are
 * already installed.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';

const FOLDER = join(ROOT, 'out', 'compare');

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Returns the full hash of a commit, or undefined when the name is unknown. */
export function commitOf(ref) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  } catch {
    return undefined;
  }
}

/**
 * Links the installed packages into a worktree. Links between workspaces point at the worktree's own
 * packages, so nothing of the working tree is loaded by accident.
 */
function linkPackages(worktree) {
  const from = join(ROOT, 'node_modules');
  const to = join(worktree, 'node_modules');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') && name !== '.bin') continue;
    const path = join(from, name);
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path;
    const workspace = /^\.\.\/(packages\/.+)$/.exec(target)?.[1];
    if (workspace === undefined) symlinkSync(path, join(to, name));
    else if (existsSync(join(worktree, workspace))) symlinkSync(join(worktree, workspace), join(to, name));
  }
  for (const name of readdirSync(join(worktree, 'packages'))) {
    const nested = join(ROOT, 'packages', name, 'node_modules');
    const link = join(worktree, 'packages', name, 'node_modules');
    if (existsSync(nested) && !existsSync(link)) symlinkSync(nested, link);
  }
}

/**
 * Returns the folder of a built worktree of a commit. Reuses the one of an earlier call. Throws when the
 * build fails.
 */
export async function prepareWorktree(commit) {
  const worktree = join(FOLDER, commit.slice(0, 12));
  if (!existsSync(join(worktree, 'package.json'))) {
    rmSync(worktree, { recursive: true, force: true });
    mkdirSync(dirname(worktree), { recursive: true });
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', '--force', worktree, commit);
  }
  linkPackages(worktree);
  const { status, output } = await run('tsc', ['-b', join(worktree, 'packages', 'navkiln')], { capture: true });
  if (status !== 0) throw new Error(`${commit.slice(0, 12)} does not build:\n${output}`);
  // Older commits have no bundles: their compiler wrote the JavaScript.
  const bundler = join(worktree, 'tools', 'bundle.mjs');
  if (existsSync(bundler)) {
    const bundled = await run(process.execPath, [bundler], { capture: true });
    if (bundled.status !== 0) throw new Error(`${commit.slice(0, 12)} cannot be bundled:\n${bundled.output}`);
  }
  return worktree;
}

/** Returns whether both trees ask for the same versions of their dependencies. */
export function hasSameDependencies(worktree) {
  const versionsOf = (root) => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    return JSON.stringify(Object.entries(packages).filter(([path]) => path.startsWith('node_modules/')));
  };
  return versionsOf(worktree) === versionsOf(ROOT);
}
